package validate

import (
	"slices"

	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/lab"
	"asz/shared/sim"
)

// early is a line of the instructions that a scenario takes elsewhere, but not where a learner comes to it.
type early struct {
	at    diag.Span
	wants map[int][]int // by scenario that fits: its conditions that do not hold there
	fired []int         // the scenarios that had fired by then
}

// noteEarly notes such a line.
func (u *unmatched) noteEarly(fits []sim.Fit) {
	e := early{at: u.at, wants: map[int][]int{}}
	for _, fit := range fits {
		for i, g := range u.lab.Simulator.Scenarios[fit.Rule].When.State {
			if !u.holds(g) {
				e.wants[fit.Rule] = append(e.wants[fit.Rule], i)
			}
		}
	}
	for i := range u.Check.played {
		e.fired = append(e.fired, u.Check.played[i].fired...)
	}
	u.early = append(u.early, e)
}

// blocks reports whether a line's conditions may be why there is a dead end: the learner who follows the instructions
// is in it when coming to the line.
func (e *early) blocks(s *explore.Step) bool {
	return s.DeadEnd && slices.Contains(e.fired, s.Cause.Rule)
}

// eager is a scenario without the conditions that do not hold where the instructions have its line.
func (r *rooting) eager(rule int) lab.Scenario {
	s := r.bare(rule)
	for i, g := range r.lab.Simulator.Scenarios[rule].When.State {
		if !slices.ContainsFunc(r.early, func(e early) bool { return slices.Contains(e.wants[rule], i) }) {
			s.When.State = append(s.When.State, g)
		}
	}
	return s
}

// trapped reports whether a learner who follows the instructions is in a dead end where a line comes too early.
func (r *rooting) trapped() bool {
	return slices.ContainsFunc(r.first.Steps, func(s explore.Step) bool {
		return slices.ContainsFunc(r.early, func(e early) bool { return e.blocks(&s) }) && !r.leads(s.ID)
	})
}

// earlyRoot is the line whose conditions are the reason for a dead end.
func (r *rooting) earlyRoot(s *explore.Step) (at diag.Span, ok bool) {
	if r.opened == nil || slices.ContainsFunc(r.opened.Steps, func(o explore.Step) bool { return o.ID == s.ID && o.DeadEnd && o.Cause == s.Cause }) {
		return at, false
	}
	for i := range r.early {
		if e := &r.early[i]; e.blocks(s) {
			return e.at, true
		}
	}
	return at, false
}

// foldEarly adds a dead end to the finding of the line that comes too early; it reports whether there is one.
func (c *Check) foldEarly(line, at diag.Span, message string) bool {
	for i := range c.result.Findings {
		if d := &c.result.Findings[i]; d.Code == "fence-too-early" && d.Span == line {
			d.Related = append(d.Related, diag.Related{Span: at, Message: message})
			return true
		}
	}
	return false
}
