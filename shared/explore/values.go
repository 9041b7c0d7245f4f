package explore

import (
	"slices"
	"strings"

	"asz/shared/lab"
)

// What a learner types where the lab takes any value: one of no meaning, and each value by which the lab would tell
// learners apart.

// placeholder stands for a value that means nothing to the lab.
const placeholder = "example"

// maxConstants bounds the texts that one path is compared with.
const maxConstants = 200

// constants lists for each path the texts that conditions compare it with, and those of the paths that it flows into.
// Of some there are more than are listed.
func (m *Model) constants() (out map[string][]string, more map[string]bool) {
	out, more = map[string][]string{}, map[string]bool{}
	add := func(path, text string) bool {
		if slices.Contains(out[path], text) {
			return false
		}
		if len(out[path]) == maxConstants {
			more[path] = true
			return false
		}
		out[path] = append(out[path], text)
		return true
	}
	scenarios := m.lab.Simulator.Scenarios
	for i := range scenarios {
		for _, g := range scenarios[i].When.State {
			switch {
			case g.Want.Kind() == lab.KindText:
				add(g.Path, g.Want.Text())
			case falsy(g.Want):
				add(g.Path, "")
			}
		}
	}
	for again := true; again; {
		again = false
		for i := range scenarios {
			m.everyEffects(&scenarios[i], func(e *lab.Effects) {
				for _, d := range e.State {
					f := flowInto(d.Value)
					for i, ref := range f.refs {
						if ref.Scope != "state" {
							continue
						}
						for _, c := range out[d.Path] {
							if v, ok := f.values(c); ok {
								again = add(ref.Name, v[i]) || again
							}
						}
					}
				}
			})
		}
	}
	return out, more
}

// falsy reports whether a missing value equals v (labs.md E6).
func falsy(v lab.Value) bool {
	switch v.Kind() {
	case lab.KindNull:
		return true
	case lab.KindBool:
		return !v.Truth()
	case lab.KindNumber:
		return lab.Equal(v, lab.Int(0))
	}
	return v.Kind() == lab.KindText && v.Text() == ""
}

// flow is what a text with references takes up, and the texts around it: one more than references.
type flow struct {
	around []string
	refs   []lab.Ref
}

// flowInto takes the text that is written to the state apart.
func flowInto(v lab.Value) (f flow) {
	if v.Kind() != lab.KindText {
		return f
	}
	text, from := v.Text(), 0
	for ref, ok := lab.NextRef(text, 0); ok; ref, ok = lab.NextRef(text, ref.End) {
		if ref.Scope == "args" || ref.Scope == "input" || ref.Scope == "state" {
			f.around, f.refs = append(f.around, text[from:ref.Start]), append(f.refs, ref)
			from = ref.End
		}
	}
	f.around = append(f.around, text[from:])
	return f
}

// values are what each reference must stand for so that the text becomes c. Where more than one division is possible,
// the first references are the shortest.
func (f flow) values(c string) ([]string, bool) {
	rest, ok := strings.CutPrefix(c, f.around[0])
	if !ok {
		return nil, false
	}
	out := make([]string, 0, len(f.refs))
	for i, after := range f.around[1:] {
		end := strings.Index(rest, after)
		if i == len(f.refs)-1 {
			end = len(rest) - len(after)
			ok = strings.HasSuffix(rest, after)
		}
		if !ok || end < 0 {
			return nil, false
		}
		out = append(out, rest[:end])
		rest = rest[end+len(after):]
	}
	return out, true
}

// choices lists the values for one argument or answer of a scenario that lead to different states. The first means
// nothing, unless all do. cut tells that there are more.
func (m *Model) choices(s *lab.Scenario, scope, name string) (out []string, cut bool) {
	out = []string{""}
	m.everyEffects(s, func(e *lab.Effects) {
		for _, d := range e.State {
			f := flowInto(d.Value)
			for i, ref := range f.refs {
				if ref.Scope != scope || ref.Name != name && (scope != "args" || lab.FlagName(ref.Name) != name) {
					continue
				}
				cut = cut || m.more[d.Path]
				for _, c := range m.consts[d.Path] {
					if v, ok := f.values(c); ok && !slices.Contains(out[1:], v[i]) {
						out = append(out, v[i])
					}
				}
			}
		}
	})
	out[0] = placeholder
	for slices.Contains(out[1:], out[0]) {
		out[0] += "1"
	}
	return out, cut
}
