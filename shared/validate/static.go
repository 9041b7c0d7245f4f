package validate

import (
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"asz/shared/content"
	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/sim"
)

// statics is what the checks that search no states know.
type statics struct {
	reported map[place]bool      // an alias repeats a value: its mistake is one
	groups   map[group]int       // index in the findings
	refs     []ref               // every template, by scenario
	facts    map[string]bool     // dot-paths that something seeds, writes or toggles; true: a list
	above    map[string]bool     // those that have some of these below
	setters  map[string]bool     // variables that an input or a button of the text sets; true: an input
	buttons  map[string][]string // the values that buttons give them
	lacking  []string            // where scenarios copy to what never exists
	unfixed  map[string]bool     // dot-paths of conditions that nothing writes, as was reported: they never change
	unmet    bool                // a step of a workflow requires such a path: its run never comes out as meant
}

type place struct {
	code  diag.Code
	start int
	name  string
}

// group is one name that is wrong in the same way at several places.
type group struct {
	code        diag.Code
	scope, name string
}

// static looks at everything that can be told without a search. It runs once, before the search.
func (c *Check) static() {
	if c.reported != nil {
		return
	}
	c.reported, c.groups = map[place]bool{}, map[group]int{}
	if c.loaded.Labspace == nil {
		return // nothing is sure
	}
	c.learn()
	c.correct()
	c.references()
	c.collectRefs()
	c.templates()
	if c.known.all {
		c.state()
		c.outside()
		c.engine, _ = sim.New(c.lab) // its errors are findings of the reader
	}
	c.readSections()
	c.markdown()
	if c.engine != nil {
		c.walk = c.newWalk()
	}
}

// report adds a finding, once for each place and code.
func (c *Check) report(code diag.Code, at diag.Span, message string) *diag.Diagnostic {
	p := placeOf(code, at)
	if c.reported[p] || !c.loaded.Clear(at) {
		return new(diag.Diagnostic)
	}
	c.reported[p] = true
	return c.result.Findings.Add(code, at, message)
}

func placeOf(code diag.Code, at diag.Span) place {
	p := place{code: code, start: at.Start}
	if at.Source != nil {
		p.name = at.Source.Name
	}
	return p
}

// mostRelated is how many of the places of one mistake are listed.
const mostRelated = 30

// once reports a name that is wrong in the same way at several places: the first is the finding, the others belong
// to it. It is fresh for a place of which nothing was told yet.
func (c *Check) once(g group, at diag.Span, message string) (d *diag.Diagnostic, first, fresh bool) {
	if !c.loaded.Clear(at) {
		return &diag.Diagnostic{Fix: new(diag.Fix)}, false, false
	}
	p := placeOf(g.code, at)
	fresh = !c.reported[p]
	c.reported[p] = true
	if i, ok := c.groups[g]; ok {
		d = &c.result.Findings[i]
		if fresh && len(d.Related) < mostRelated {
			d.Related = append(d.Related, diag.Related{Span: at, Message: "also here"})
		}
		return d, false, fresh
	}
	if !fresh { // the text is shared, and was wrong for another scenario
		return &diag.Diagnostic{Fix: new(diag.Fix)}, false, false
	}
	c.groups[g] = len(c.result.Findings)
	return c.result.Findings.Add(g.code, at, message), true, true
}

// misnamed reports a name that stands for nothing. It returns the one of names that was probably meant, "" for none;
// edit is where that would be written.
func (c *Check) misnamed(g group, at, edit diag.Span, names []string, message string) (near string) {
	near = diag.Nearest(g.name, names)
	d, first, fresh := c.once(g, at, message)
	switch {
	case near != "":
		if first {
			d.Fix = &diag.Fix{Text: "did you mean `" + near + "`?"}
		}
		if fresh && edit.Source != nil {
			d.Fix.Edits = append(d.Fix.Edits, diag.Edit{Span: edit, New: near})
		}
	case first && len(names) > 0 && g.code != "state-unwritten": // of facts there may be hundreds
		d.Fix.Text += "; there is " + listed(names)
	}
	return near
}

// listed names a few of a list.
func listed(names []string) string {
	const most = 8
	var b strings.Builder
	for i, name := range names[:min(len(names), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("`" + name + "`")
	}
	if len(names) > most {
		b.WriteString(" and more")
	}
	return b.String()
}

// value is the place of a value of the lab, given its address; inner is that of its text without quotes.
func (c *Check) value(field any) (at, inner diag.Span) {
	n := c.loaded.Node(field)
	if n == nil {
		return
	}
	return n.Span.FirstLine(), n.SpanIn(0, len(n.Text))
}

// mostMarkdown bounds what is read of a section's file; less of it is shown.
const mostMarkdown = 4 << 20

// readSections renders the sections that have a text.
func (c *Check) readSections() {
	space := c.loaded.Labspace
	options := content.Options{Variables: content.Variables{}}
	for _, v := range space.Variables {
		options.Variables[v.Name] = v.Text
	}
	for _, t := range space.Terminals {
		options.Terminals = append(options.Terminals, t.ID)
	}
	for _, s := range space.Sections {
		options.Sections = append(options.Sections, s.ID)
	}
	for i := range space.Sections {
		s := &space.Sections[i]
		if s.Content == "" {
			continue // it has none, or the reader has said that it is missing
		}
		name := path.Join(c.dir, s.Content)
		text, err := c.read(name)
		if err != nil {
			at, _ := c.value(&s.Content)
			c.report("content-missing", at, "`"+s.Content+"` cannot be read")
			continue
		}
		source := diag.NewSource(name, string(text))
		if i := notUTF8(source.Text); i >= 0 {
			at := diag.Span{Source: source, Start: i, Len: 1}
			c.report("yaml-encoding", at, fmt.Sprintf("the byte 0x%02X is not UTF-8; the learner sees � in its place", text[i]))
		}
		c.sections = append(c.sections, section{Section: s, source: source, content: c.options.Texts.render(name, source.Text, options)})
	}
	c.known.texts = c.textsKnown()
	c.setters, c.buttons = map[string]bool{}, map[string][]string{}
	for i := range c.sections {
		s := &c.sections[i]
		for _, u := range s.content.Uses {
			if u.Kind != "input" && u.Kind != "button" {
				continue
			}
			c.setters[u.Name] = c.setters[u.Name] || u.Kind == "input"
			if _, value, ok := strings.Cut(s.span(u.Start, u.End).Text(), u.Name+"="); ok && u.Kind == "button" {
				if end := strings.IndexAny(value, ",\"'}"); end >= 0 {
					value = value[:end]
				}
				c.buttons[u.Name] = append(c.buttons[u.Name], strings.TrimSpace(value))
			}
		}
	}
}

// notUTF8 is the place of the first byte that is no UTF-8, -1 for none; what the bound on sizes cuts in two is fine.
func notUTF8(text string) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 && (len(text) < mostMarkdown || i < len(text)-utf8.UTFMax) {
			return i
		}
		i += n
	}
	return -1
}

func (c *Check) read(name string) ([]byte, error) {
	f, err := c.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostMarkdown))
}

// terminals are the ids of the lab's terminals.
func (c *Check) terminals() []string {
	var out []string
	for _, t := range c.loaded.Labspace.Terminals {
		out = append(out, t.ID)
	}
	return out
}

// effects lists the effects of a scenario: its own, and those of its input.
func effects(s *lab.Scenario) []*lab.Effects {
	if s.Then.Input == nil {
		return []*lab.Effects{&s.Then}
	}
	return []*lab.Effects{&s.Then, &s.Then.Input.Then}
}
