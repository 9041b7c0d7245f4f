package validate

import (
	"slices"
	"strings"

	"asz/shared/lab"
	"asz/shared/sim"
)

// unheard begins the commands that are added: no line of a lab has such a word.
const unheard = "\x01"

// mended are commands that do what a scenario should do: one for its effects, without the condition that never holds
// and without what fails; one that makes that condition hold, since others may wait for the same, or that ends what hides
// the scenario; and one for each condition on what it fails to write.
func (r *rooting) mended(rule int) []lab.Scenario {
	s := r.bare(rule)
	never := -1
	if slices.Contains(r.never, rule) {
		never = r.first.Rules[rule].Guard
	}
	for i, g := range r.lab.Simulator.Scenarios[rule].When.State {
		if !r.loose[rule] && i != never && !r.unfixed[g.Path] {
			s.When.State = append(s.When.State, g)
		}
	}
	out := []lab.Scenario{s}
	s = lab.Scenario{ID: s.ID}
	if never >= 0 {
		g := r.lab.Simulator.Scenarios[rule].When.State[never]
		s.Then.State = []lab.Delta{{Path: g.Path, Value: g.Want}}
		out = append(out, s)
	}
	if shadow := r.first.Rules[rule].Shadow; shadow >= 0 && slices.Contains(r.never, rule) {
		for _, g := range r.lab.Simulator.Scenarios[shadow].When.State {
			for _, v := range r.others(g) {
				s.Then.State = []lab.Delta{{Path: g.Path, Value: v}}
				out = append(out, s)
			}
		}
	}
	for _, problem := range r.problems[rule] {
		effects := &out[0].Then
		if input := effects.Input; input != nil && !possibleOnly(effects, problem, nil) {
			copied := *input
			effects.Input, effects = &copied, &copied.Then
		}
		possibleOnly(effects, problem, func(d lab.Delta) {
			for _, g := range r.conditions(d.Path) {
				s.Then.State = []lab.Delta{{Path: g.Path, Value: g.Want}}
				out = append(out, s)
			}
		})
	}
	return out
}

// bare is a scenario as a command, without its conditions on the state.
func (r *rooting) bare(rule int) lab.Scenario {
	s := r.lab.Simulator.Scenarios[rule]
	args := s.When.Args
	if s.When.Agent {
		args = nil
	}
	s.When = lab.When{Command: s.When.Command, Args: args}
	return s
}

// others are what a fact may be for which a condition does not hold.
func (r *rooting) others(g lab.Guard) []lab.Value {
	out := []lab.Value{lab.Bool(sim.Holds(g.Want, lab.Value{}))}
	for _, other := range r.conditions(g.Path) {
		if other.Path == g.Path && !sim.Holds(g.Want, other.Want) {
			out = append(out, other.Want)
		}
	}
	return out
}

// possibleOnly takes out of some effects the one of which a problem tells. It calls lost for each change of the state.
func possibleOnly(e *lab.Effects, problem string, lost func(d lab.Delta)) (found bool) {
	for _, d := range e.State {
		if strings.HasPrefix(problem, "state `"+d.Path+"`: ") {
			found = true
			if lost != nil {
				lost(d)
			}
		}
	}
	is := func(op lab.FileOp) bool {
		return strings.HasPrefix(problem, "files, "+op.Verb.String()+" `"+op.Path+"`: ")
	}
	found = found || slices.ContainsFunc(e.Files, is) || e.CI != nil && strings.HasPrefix(problem, "ci: ")
	if lost == nil || !found {
		return found
	}
	e.State = slices.DeleteFunc(slices.Clone(e.State), func(d lab.Delta) bool { return strings.HasPrefix(problem, "state `"+d.Path+"`: ") })
	e.Files = slices.DeleteFunc(slices.Clone(e.Files), is)
	if strings.HasPrefix(problem, "ci: ") {
		e.CI = nil
	}
	return found
}

// conditions are those on a path, on a part of it, or on what it is a part of.
func (r *rooting) conditions(path string) []lab.Guard {
	var out []lab.Guard
	for i := range r.lab.Simulator.Scenarios {
		for _, g := range r.lab.Simulator.Scenarios[i].When.State {
			if g.Path == path || strings.HasPrefix(g.Path, path+".") || strings.HasPrefix(path, g.Path+".") {
				out = append(out, g)
			}
		}
	}
	return out
}
