package validate

import (
	"strconv"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/labfile"
)

// ref is one template of the lab.
type ref struct {
	lab.Ref
	text     labfile.Text
	scenario int        // index; -1: a default for lines that nothing takes
	input    *lab.Input // whose `then` it stands in, nil = none
	stores   bool       // it fills in a change of the state
}

// at is the place of the template; name that of what stands behind the scope.
func (r *ref) at() diag.Span { return r.text.Span(r.Start, r.End) }

func (r *ref) name() diag.Span {
	from := r.Start + strings.Index(r.text.Text[r.Start:r.End], r.Scope+".") + len(r.Scope) + 1
	return r.text.Span(from, from+len(r.Name))
}

// collectRefs finds the templates where they are filled in (labs.md E9).
func (c *Check) collectRefs() {
	simulator := &c.loaded.Labspace.Simulator
	for _, f := range []*lab.Fallback{simulator.Defaults.Unmatched, simulator.Defaults.UnmatchedAgent} {
		if f != nil {
			c.lineRefs(ref{scenario: -1}, f.Output, f.Stderr)
		}
	}
	for i := range simulator.Scenarios {
		for j, e := range effects(&simulator.Scenarios[i]) {
			from := ref{scenario: i}
			if j > 0 {
				from.input = simulator.Scenarios[i].Then.Input
			}
			c.lineRefs(from, e.Output, e.Stderr)
			for k := range e.Files {
				if op := &e.Files[k]; op.Verb == lab.FileCreate || op.Verb == lab.FileAppend || op.Verb == lab.FileReplace {
					c.textRefs(from, op.Text, &op.Text)
				}
			}
			from.stores = true
			for k := range e.State {
				c.valueRefs(from, &e.State[k].Value)
			}
		}
	}
}

func (c *Check) lineRefs(from ref, outputs ...[]lab.Line) {
	for _, lines := range outputs {
		for i := range lines {
			if text := lines[i].Text; text != nil {
				c.textRefs(from, *text, text)
			}
		}
	}
}

// textRefs finds the templates of a text, given also its address.
func (c *Check) textRefs(from ref, text string, field any) {
	if strings.Contains(text, "{{") {
		for _, from.text = range c.loaded.Texts(field) {
			c.addRefs(from)
		}
	}
}

// valueRefs finds those of all texts in a value.
func (c *Check) valueRefs(from ref, v *lab.Value) {
	if v.Kind() < lab.KindText {
		return
	}
	for _, from.text = range c.loaded.Texts(v) {
		c.addRefs(from)
	}
}

func (c *Check) addRefs(from ref) {
	ok := false
	for from.Ref, ok = lab.NextRef(from.text.Text, 0); ok; from.Ref, ok = lab.NextRef(from.text.Text, from.End) {
		c.refs = append(c.refs, from)
	}
}

// templates checks what templates refer to, but for the state.
func (c *Check) templates() {
	for i := range c.refs {
		r := &c.refs[i]
		switch r.Scope {
		case "args":
			c.argument(r)
		case "input":
			c.answer(r)
		case "state":
		default:
			if r.Start == 0 || r.text.Text[r.Start-1] != '$' { // `${{ … }}` is of CI files
				c.scope(r)
			}
		}
	}
}

// scopes are those of templates; read-only.
var scopes = []string{"args", "state", "input"}

func (c *Check) scope(r *ref) {
	written := r.text.Text[r.Start:r.End]
	d := c.report("template-scope", r.at(), "`"+written+"` is printed as it stands: there is no scope `"+r.Scope+"`")
	if near := diag.Nearest(r.Scope, scopes); near != "" {
		from := r.Start + strings.Index(written, r.Scope)
		d.Fix = &diag.Fix{Text: "did you mean `" + near + "." + r.Name + "`?", Edits: []diag.Edit{{Span: r.text.Span(from, from+len(r.Scope)), New: near}}}
	}
}

// argument checks `{{ args.X }}`: a matcher of the scenario must keep X.
func (c *Check) argument(r *ref) {
	name := lab.FlagName(r.Name)
	if r.scenario < 0 {
		c.once(group{"template-args", "defaults", name}, r.at(), "`args` is empty here: no scenario took the line, so nothing kept a value")
		return
	}
	s := &c.loaded.Labspace.Simulator.Scenarios[r.scenario]
	if !c.argsKnown(s) {
		return
	}
	var kept []string
	matched := false
	for i := range s.When.Args {
		a := &s.When.Args[i]
		written := a.Flag
		if written == "" {
			written = strconv.Itoa(a.Pos)
		}
		if a.Matcher.Kind.ByValue() {
			kept = append(kept, written)
		}
		if written == name {
			matched = true
			if a.Matcher.Kind.ByValue() && !s.When.Agent {
				return
			}
		}
	}
	g := group{"template-args", "scenario " + strconv.Itoa(r.scenario), name}
	switch {
	case s.When.Agent:
		d, _, _ := c.once(g, r.at(), "`args."+r.Name+"` is empty: a prompt to an agent has no arguments")
		d.Fix = &diag.Fix{Text: "remove it: only commands have arguments"}
	case matched:
		d, _, _ := c.once(g, r.at(), "`args."+r.Name+"` is empty: the scenario `"+s.ID+"` only asks whether `"+name+"` is there")
		d.Fix = &diag.Fix{Text: "match it with `{ any: true }`, which keeps its value"}
	default:
		g.name = name
		c.misnamed(g, r.at(), r.name(), kept, "`args."+r.Name+"` is empty: the scenario `"+s.ID+"` does not match `"+name+"` by value")
	}
}

// answer checks `{{ input.key }}`: the input whose effects these are must ask for key, and not in secret.
func (c *Check) answer(r *ref) {
	if r.scenario >= 0 && !c.inputKnown(&c.loaded.Labspace.Simulator.Scenarios[r.scenario]) {
		return
	}
	g := group{"template-input", "scenario " + strconv.Itoa(r.scenario), r.Name}
	if r.input == nil {
		message := "`input." + r.Name + "` is empty here: nothing was asked"
		if r.scenario >= 0 && c.loaded.Labspace.Simulator.Scenarios[r.scenario].Then.Input != nil {
			message = "`input." + r.Name + "` is empty here: the question is only asked after these effects"
		}
		g.scope += ", before its input"
		if d, first, _ := c.once(g, r.at(), message); first {
			d.Fix = &diag.Fix{Text: "use it in the input's own `then`"}
		}
		return
	}
	var keys []string
	for _, step := range r.input.Steps {
		keys = append(keys, step.Key)
		switch {
		case step.Key != r.Name:
		case !step.Mask:
			return
		case r.stores:
			c.report("masked-value-shown", r.at(), "the answer `"+r.Name+"` is typed in secret, and this stores it where everything can read it")
			return
		default:
			c.report("masked-value-shown", r.at(), "the answer `"+r.Name+"` is typed in secret, and this shows it")
			return
		}
	}
	c.misnamed(g, r.at(), r.name(), keys, "`input."+r.Name+"` is empty: no question of this input has the key `"+r.Name+"`")
}
