package explore

import (
	"strings"

	"asz/shared/lab"
)

const runsPath = "ci.runs"

// collectPaths finds the paths of the tree that something depends on, and those that are written.
func (m *Model) collectPaths(goal []lab.Guard) *pathSet {
	p := newPathSet()
	for _, g := range goal {
		p.read(g.Path).longest = g.Want.List().Len()
	}
	sim := &m.lab.Simulator
	for i := range sim.Scenarios {
		s := &sim.Scenarios[i]
		for _, g := range s.When.State {
			u := p.read(g.Path)
			if g.Want.Kind() == lab.KindList {
				u.longest = max(u.longest, g.Want.List().Len())
			}
		}
		m.everyEffects(s, func(e *lab.Effects) {
			for _, d := range e.State {
				w := use(p.writes, d.Path)
				w.set, w.appends = w.set || !d.Append, w.appends || d.Append
				if !d.Append {
					w.kinds |= 1 << d.Value.Kind()
				}
			}
			if e.CI != nil {
				use(p.writes, runsPath).appends = true
			}
		})
	}
	for _, c := range sim.Controls {
		w := use(p.writes, c.State)
		w.set = true
		w.kinds |= 1<<c.On.Kind() | 1<<c.Off.Kind()
	}
	p.risky(sim.State)
	for m.collectMore(p) {
	}
	return p
}

// read notes a path whose value counts.
func (p *pathSet) read(path string) *pathUse {
	u, known := p.reads[path]
	if !known || u.kindOnly {
		u = use(p.reads, path)
		u.kindOnly = false
		p.values.put(u.path, 0)
	}
	return u
}

// everyEffects calls f for a scenario's own effects and for those of its input.
func (m *Model) everyEffects(s *lab.Scenario, f func(e *lab.Effects)) {
	f(&s.Then)
	if s.Then.Input != nil {
		f(&s.Then.Input.Then)
	}
}

// collectMore adds what flows into the paths that are read already; it reports whether there was any.
func (m *Model) collectMore(p *pathSet) (more bool) {
	read := func(path string) {
		if u := p.reads[path]; u == nil || !u.printed {
			more = true
			p.read(path).printed = true
		}
	}
	matters := func(path []string) bool {
		above, at := p.values.covering(path)
		return len(above) > 0 || at != nil
	}
	runs := matters([]string{"ci", "runs"})
	for i := range m.lab.Simulator.Scenarios {
		m.everyEffects(&m.lab.Simulator.Scenarios[i], func(e *lab.Effects) {
			for _, d := range e.State {
				if matters(strings.Split(d.Path, ".")) {
					stateRefs(d.Value, read)
				}
			}
			for k := range e.Files {
				if op := &e.Files[k]; op.Verb != lab.FileCopy && m.textMatters(op.Path) {
					textRefs(op.Text, "state", read)
				}
			}
		})
	}
	for _, w := range m.lab.Simulator.Workflows {
		for _, step := range w.Steps {
			if u := p.reads[step.Requires]; runs && step.Requires != "" && (u == nil || u.kindOnly) {
				p.read(step.Requires)
				more = true
			}
		}
	}
	return more
}

// textRefs calls f for the name of each reference of one scope in a text.
func textRefs(text, scope string, f func(name string)) {
	for ref, ok := lab.NextRef(text, 0); ok; ref, ok = lab.NextRef(text, ref.End) {
		if ref.Scope == scope {
			f(ref.Name)
		}
	}
}

// stateRefs calls f for each path that the templates in a value print.
func stateRefs(v lab.Value, f func(path string)) {
	switch v.Kind() {
	case lab.KindText:
		textRefs(v.Text(), "state", f)
	case lab.KindList:
		for _, e := range v.List().Values() {
			stateRefs(e, f)
		}
	case lab.KindMap:
		for _, e := range v.Entries() {
			stateRefs(e.Value, f)
		}
	}
}
