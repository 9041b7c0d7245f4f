package content

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/text"
)

// What directives become.

// directive renders one and returns how many elements are left open for its content.
func (r *renderer) directive(d *directive, block bool) int {
	switch d.name {
	case "filelink":
		r.fileLink(d)
	case "tablink":
		r.tabLink(d)
	case "variabledefinition":
		r.definition(d)
	case "variablesetbutton":
		r.setButton(d)
	case "conditionaldisplay":
		element := "span"
		if block {
			element = "div"
		}
		r.condition(d, element)
		r.label(d, "")
		return 1
	}
	return 0
}

// directiveBlock renders a directive on lines of its own; a button gets a paragraph.
func (r *renderer) directiveBlock(n *directiveBlock) int {
	if n.name == "conditionaldisplay" {
		return r.directive(&n.directive, true)
	}
	r.out.open("p")
	r.directive(&n.directive, true)
	r.out.close()
	return 0
}

// filled is an option's text, with its variables recorded.
func (r *renderer) filled(d *directive, key string) []piece {
	pieces := r.pieces(d.options.text(key), 0)
	for i := range pieces {
		pieces[i].start, pieces[i].end = d.start, d.end
	}
	r.mention(pieces)
	return pieces
}

// label prints the label of a directive, or other text when it has none. It may have emphasis, code and variables.
func (r *renderer) label(d *directive, other string) {
	if d.label == "" {
		r.out.text(other)
		return
	}
	source, offsets, quiet := r.source, r.offsets, r.quiet
	r.source = []byte(d.label)
	place := offsets.at(d.labelStart)
	r.offsets = original{lead: place, size: offsets.size}
	r.quiet = true
	document := r.labels.Parse(text.NewReader(r.source))
	for p := document.FirstChild(); p != nil; p = p.NextSibling() {
		if long, ok := p.(*longNode); ok {
			r.out.text(string(long.Lines().Value(r.source)))
			continue
		}
		for n := p.FirstChild(); n != nil; n = n.NextSibling() {
			r.tree(n)
		}
	}
	r.source, r.offsets, r.quiet = source, offsets, quiet
}

func (r *renderer) fileLink(d *directive) {
	path := r.filled(d, "path")
	if d.options.text("path") == "" {
		path = r.pieces(d.label, 0)
	}
	terminal := r.filled(d, "terminal-id")
	start, end := r.span(d.start, d.end)
	r.section.Links = append(r.section.Links, Link{Kind: "file", Target: plain(path), Terminal: plain(terminal), Start: start, End: end})
	var out attributes
	out.add("type", "button").add("class", "file-link").fill("data-path", path)
	if plain(terminal) != "" {
		out.fill("data-terminal", terminal)
	}
	r.out.open("button", out.add("disabled", "").all()...)
	r.label(d, plain(path))
	r.out.close()
}

func (r *renderer) tabLink(d *directive) {
	href, title, id := r.filled(d, "href"), r.filled(d, "title"), r.filled(d, "id")
	start, end := r.span(d.start, d.end)
	r.section.Links = append(r.section.Links, Link{Kind: "tab", Target: plain(href), ID: plain(id), Start: start, End: end})
	var out attributes
	out.add("type", "button").add("class", "tab-link")
	if _, ok := r.fillURL(&out, "data-href", href, tabURL); !ok {
		out.add("data-href", "")
	}
	out.fill("data-title", title).fill("data-id", id).fill("data-icon", r.filled(d, "icon"))
	r.out.open("button", out.all()...)
	r.label(d, firstOf(plain(title), plain(href)))
	r.out.close()
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func (r *renderer) definition(d *directive) {
	name := firstOf(strings.TrimSpace(strings.Trim(d.label, "$")), d.options.text("name"), d.options.text("variable"))
	if name != "" {
		r.use("input", name, d.start, d.end)
	}
	prompt := r.filled(d, "prompt")
	r.out.open("label", attribute{"class", "variable"})
	if plain(prompt) == "" {
		r.out.text(name)
	} else {
		r.show(prompt)
	}
	r.out.text(" ")
	r.out.void("input", attribute{"type", "text"}, attribute{"data-variable", name}, attribute{"value", r.options.Variables[name]})
	r.out.close()
}

// setButton is a button that sets variables: `a=1,b=2`.
func (r *renderer) setButton(d *directive) {
	pairs := [][2]string{}
	for _, assignment := range strings.Split(d.options.text("variables"), ",") {
		name, value, ok := strings.Cut(assignment, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			// A comma in a value: what follows belongs to it.
			if last := len(pairs) - 1; last >= 0 && strings.TrimSpace(assignment) != "" {
				pairs[last][1] += "," + assignment
			}
			continue
		}
		pairs = append(pairs, [2]string{name, strings.TrimSpace(value)})
		r.use("button", name, d.start, d.end)
	}
	r.out.open("button", attribute{"type", "button"}, attribute{"class", "set-variables"}, attribute{"data-set", jsonText(pairs)})
	r.label(d, firstOf(d.options.text("variables"), "Set"))
	r.out.close()
}

// conditions are what data-if holds.
type conditions struct {
	Variable      string   `json:"variable,omitempty"`
	RequiredValue *string  `json:"requiredValue,omitempty"`
	HasValue      bool     `json:"hasValue,omitempty"`
	HasNoValue    bool     `json:"hasNoValue,omitempty"`
	OS            []string `json:"os,omitempty"`
}

// hold tells whether all conditions hold at first, when the reader's system is not known yet.
func (c *conditions) hold(variables Variables) bool {
	value := variables[c.Variable]
	return (c.RequiredValue == nil || value == *c.RequiredValue) && (!c.HasValue || value != "") && (!c.HasNoValue || value == "") && len(c.OS) == 0
}

func (r *renderer) condition(d *directive, element string) {
	c := conditions{
		Variable:   strings.TrimSpace(d.options.text("variable")),
		HasValue:   d.options.flag("hasvalue"),
		HasNoValue: d.options.flag("hasnovalue"),
	}
	if required, ok := d.options.get("requiredvalue"); ok && !required.bare {
		c.RequiredValue = &required.value
	}
	for _, system := range strings.Split(d.options.text("os"), ",") {
		system = strings.ToLower(strings.TrimSpace(system))
		if system != "" && !slices.Contains(c.OS, system) {
			c.OS = append(c.OS, system)
		}
	}
	if c.Variable != "" {
		r.use("condition", c.Variable, d.start, d.end)
	}
	attrs := []attribute{{"data-if", jsonText(c)}}
	if !c.hold(r.options.Variables) {
		attrs = append(attrs, attribute{"hidden", ""})
	}
	r.out.open(element, attrs...)
}
