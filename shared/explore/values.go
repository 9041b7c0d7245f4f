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

// constants lists for each path the texts that conditions compare it with, and those of the paths that it flows into.
func (m *Model) constants() map[string][]string {
	out := map[string][]string{}
	add := func(path, text string) bool {
		if slices.Contains(out[path], text) || len(out[path]) >= 16 {
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
	for more := true; more; {
		more = false
		for i := range scenarios {
			m.everyEffects(&scenarios[i], func(e *lab.Effects) {
				for _, d := range e.State {
					before, ref, after, ok := onlyRef(d.Value)
					if !ok || ref.Scope != "state" {
						continue
					}
					for _, c := range out[d.Path] {
						if v, ok := between(c, before, after); ok {
							more = add(ref.Name, v) || more
						}
					}
				}
			})
		}
	}
	return out
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

// onlyRef takes a text with exactly one reference apart.
func onlyRef(v lab.Value) (before string, ref lab.Ref, after string, ok bool) {
	if v.Kind() != lab.KindText {
		return "", ref, "", false
	}
	text := v.Text()
	ref, ok = lab.NextRef(text, 0)
	if !ok {
		return "", ref, "", false
	}
	if _, second := lab.NextRef(text, ref.End); second {
		return "", ref, "", false
	}
	return text[:ref.Start], ref, text[ref.End:], true
}

// between is what stands in text between two others.
func between(text, before, after string) (string, bool) {
	rest, ok := strings.CutPrefix(text, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, after)
}

// choices lists the values for one argument or answer of a scenario that lead to different states. The first means
// nothing, unless all do.
func (m *Model) choices(s *lab.Scenario, scope, name string) []string {
	out := []string{""}
	m.everyEffects(s, func(e *lab.Effects) {
		for _, d := range e.State {
			before, ref, after, ok := onlyRef(d.Value)
			if !ok || ref.Scope != scope || ref.Name != name && (scope != "args" || lab.FlagName(ref.Name) != name) {
				continue
			}
			for _, c := range m.consts[d.Path] {
				if v, ok := between(c, before, after); ok && !slices.Contains(out[1:], v) {
					out = append(out, v)
				}
			}
		}
	})
	out[0] = placeholder
	for slices.Contains(out[1:], out[0]) {
		out[0] += "1"
	}
	return out
}
