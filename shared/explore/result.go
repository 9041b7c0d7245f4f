package explore

import "slices"

// Result is what a search found so far.
type Result struct {
	States, Transitions int
	Exhaustive          bool
	Rules               []Rule // by scenario
	Lines               []LineResult
	Failures            []Failure
	Steps               []Step // those that some scenario completes
	Solution            *Solution
}

// Answer is what is known of whether something can happen.
type Answer uint8

// Unknown: a bound was hit before the answer.
const (
	Unknown Answer = iota
	Yes
	No
)

// Rule is what is known of a scenario.
type Rule struct {
	Fires  Answer
	Shadow int      // the earlier scenario that takes its place, -1 = none
	Guard  int      // its condition on the state that does not come about with the others, -1 = none
	After  int      // another scenario that never fires and would make it possible, -1 = none
	Play   []string // as near as one gets, and its line
}

// LineResult is what is known of one line of the sections.
type LineResult struct {
	Taken Answer // by a scenario or builtin, in some state
	Rules []int  // that would take it if their conditions on the state held
}

// Failure is an effect that cannot be applied in a state that can be reached.
type Failure struct {
	Rule    int // the scenario
	Answer  bool
	Problem string
	Play    []string
}

// Cause is the act after which there is no way on.
type Cause struct {
	Rule    int // the scenario that fired last, -1 = none
	Control int // the control, -1 = none
	Save    int // the Save button, -1 = none
}

// Step is what is known of a step of the lab.
type Step struct {
	ID        string
	Reachable Answer
	DeadEnd   bool
	Cause     Cause
	Play      []string // the shortest way into the dead end
}

// deadEnds finds the states of a slice from which a step can no longer be completed, and the shortest way into one.
func (s *Search) deadEnds(one *slice, fact int) {
	id := s.m.facts[fact].name
	n := one.size()
	alive := make([]bool, n)
	slot := int(one.slot[fact])
	found := false
	for i := range n {
		done := one.vector(i)[slot] == 1
		found = found || done
		alive[i] = done || i >= len(one.edgeEnd) // what was not expanded may lead there
	}
	for changed := true; changed; {
		changed = false
		for i := len(one.edgeEnd) - 1; i >= 0; i-- {
			if alive[i] {
				continue
			}
			from := uint32(0)
			if i > 0 {
				from = one.edgeEnd[i-1]
			}
			for _, to := range one.edges[from:one.edgeEnd[i]] {
				if alive[to] {
					alive[i], changed = true, true
					break
				}
			}
		}
	}
	step := Step{ID: id, Cause: Cause{-1, -1, -1}}
	switch first := slices.Index(alive, false); {
	case found:
		step.Reachable = Yes
	case first == 0 && one.complete():
		step.Reachable = No
	}
	if first := slices.Index(alive, false); first > 0 {
		step.DeadEnd = true
		way := one.way(first)
		p := s.m.player(s.m.start)
		p.do(way...)
		step.Cause = s.cause(way[len(way)-1], one, first)
		step.Play = p.script
	}
	s.result.Steps = append(s.result.Steps, step)
}

// cause tells which part of the lab an act that led to a state is.
func (s *Search) cause(a *act, one *slice, state int) Cause {
	c := Cause{-1, -1, -1}
	switch a.kind {
	case control:
		c.Control = a.control
	case save:
		c.Save = a.control
	case rerun:
		// What is run again was started by a scenario: the last that started a run.
		way := one.way(int(one.parent[state]))
		for i, starter := range way {
			k := one.chosen(starter, one.prefix(state, i))
			if k < 0 || starter.options[k].rule < 0 {
				continue
			}
			then := &s.m.lab.Simulator.Scenarios[starter.options[k].rule].Then
			if then.CI != nil || then.Input != nil && then.Input.Then.CI != nil {
				c.Rule = starter.options[k].rule
			}
		}
	case leave, cancel:
		// What is left was opened by a scenario: the last that opened something.
		way := one.way(int(one.parent[state]))
		for i, opener := range way {
			k := one.chosen(opener, one.prefix(state, i))
			if k >= 0 && (opener.options[k].session || opener.options[k].pending > 0) {
				c.Rule = opener.options[k].rule
			}
		}
	default:
		if k := one.chosen(a, int(one.parent[state])); k >= 0 {
			c.Rule = a.options[k].rule
		}
	}
	return c
}

// prefix is the state after the first n acts of the way to a state.
func (s *slice) prefix(state, n int) int {
	chain := []int{state}
	for state != 0 {
		state = int(s.parent[state])
		chain = append(chain, state)
	}
	slices.Reverse(chain)
	return chain[n]
}

// chosen is the option that an act takes in a state, -1 = none.
func (s *slice) chosen(a *act, state int) int {
	v := s.vector(state)
	for k := range a.options {
		all := true
		for _, g := range a.options[k].guards {
			all = all && s.slot[g.fact] >= 0 && g.test.holds(v[s.slot[g.fact]])
		}
		if all {
			return k
		}
	}
	return -1
}

// Result is what the search found so far.
func (s *Search) Result() *Result {
	r := s.result
	p := s.Progress()
	r.States, r.Transitions = p.States, p.Transitions
	r.Exhaustive = true
	for _, j := range s.jobs {
		r.Exhaustive = r.Exhaustive && j.whole
	}
	r.Rules = s.rules()
	r.Lines = s.lines()
	if s.solver != nil {
		r.Solution = &s.solver.solution
	}
	slices.SortStableFunc(r.Failures, func(a, b Failure) int { return a.Rule - b.Rule })
	return &r
}

// lines answers for each line of the sections whether anything can take it.
func (s *Search) lines() []LineResult {
	out := make([]LineResult, len(s.m.lines))
	for i, acts := range s.m.lineActs {
		l := &out[i]
		l.Taken = Yes
		for _, n := range acts {
			switch {
			case n == -2:
			case n == -1:
				l.Taken = No
			case slices.Contains(s.fired[n], true):
			default:
				for _, o := range s.m.acts[n].options {
					l.Rules = addOnce(l.Rules, o.rule)
				}
				if a := s.open(n); a != Yes && l.Taken != No {
					l.Taken = a
				}
			}
		}
	}
	return out
}

// open answers whether an act that was not seen to fire anything could.
func (s *Search) open(n int) Answer {
	if s.unanswered(func(t *target) bool { return t.act == n }) {
		return Unknown
	}
	return No
}

// unanswered reports whether a job with such a target did not come to its end.
func (s *Search) unanswered(is func(t *target) bool) bool {
	for _, j := range s.jobs {
		if !j.whole && slices.ContainsFunc(j.targets, func(t *target) bool { return !t.fails && is(t) }) {
			return true
		}
	}
	return false
}

// failure notes an effect that fails somewhere.
func (s *Search) failure(one *slice, t *target) {
	a := s.m.acts[t.act]
	rule := a.option(t.option).rule
	p := s.m.player(s.m.start)
	p.do(one.way(t.state)...)
	p.do(a)
	for i := range s.result.Failures {
		if f := &s.result.Failures[i]; f.Rule == rule {
			if len(p.script) < len(f.Play) {
				f.Play, f.Problem = p.script, t.problem
			}
			return
		}
	}
	s.result.Failures = append(s.result.Failures, Failure{Rule: rule, Answer: a.kind == answer, Problem: t.problem, Play: p.script})
}

// note is how near a scenario came to firing.
type note struct {
	shadow int // the scenario that fired in its place, -1 = none
	guard  int // its first condition that did not hold where most did, -1 = none
	missed int // how many did not
	play   []string
}

// note looks at all states of a slice in which a scenario did not fire.
func (s *Search) note(one *slice, t *target) {
	a := s.m.acts[t.act]
	o := a.option(t.option)
	n := s.notes[o.rule]
	if n == nil {
		n = &note{shadow: -1, guard: -1, missed: len(o.guards) + 1}
		s.notes[o.rule] = n
	}
	best := -1
	for state := range one.size() {
		v := one.vector(state)
		if a.kind == prompt && !slices.ContainsFunc(a.terminals, func(t int) bool { return v[one.slot[s.m.sessions[t]]] != 0 }) {
			continue
		}
		missed, first := 0, -1
		for i, g := range o.guards {
			if !g.test.holds(v[one.slot[g.fact]]) {
				if missed++; first < 0 {
					first = i
				}
			}
		}
		if missed < n.missed {
			n.missed, n.guard, best = missed, first, state
		}
		if missed == 0 {
			break
		}
	}
	if best < 0 {
		return
	}
	if n.missed == 0 {
		if k := one.chosen(a, best); k >= 0 {
			n.shadow = a.options[k].rule
		}
	}
	p := s.m.player(s.m.start)
	p.do(one.way(best)...)
	p.do(a)
	n.play = p.script
}

// rules tells for each scenario whether it fires, and if not, what is in its way.
func (s *Search) rules() []Rule {
	out := make([]Rule, len(s.groups))
	for i := range out {
		r := &out[i]
		*r = Rule{Fires: Yes, Shadow: -1, Guard: -1, After: -1}
		if s.groups[i].met {
			continue
		}
		r.Fires = No
		if s.unanswered(func(t *target) bool { return s.m.acts[t.act].option(t.option).rule == i }) {
			r.Fires = Unknown
			continue
		}
		if n := s.notes[i]; n != nil {
			r.Shadow, r.Guard, r.Play = n.shadow, n.guard, n.play
		}
		if r.Shadow < 0 && s.m.hidden[i] >= 0 {
			r.Shadow = s.m.hidden[i]
		}
	}
	for _, a := range s.m.acts {
		for k := range a.count() {
			if r := &out[a.option(k).rule]; r.Fires == No && r.Shadow < 0 {
				if e := coveredBy(a, k); e >= 0 {
					r.Shadow = a.option(e).rule
				}
			}
		}

	}
	for i := range out {
		if out[i].Fires == No && out[i].Shadow < 0 {
			out[i].After = s.after(i, out)
		}
	}
	return out
}

// after is another scenario that never fires and alone could bring about what one waits for.
func (s *Search) after(rule int, rules []Rule) int {
	for _, a := range s.m.acts {
		for k := range a.count() {
			if a.option(k).rule != rule || a.kind == answer {
				continue
			}
			var waits []guard
			if g := rules[rule].Guard; g >= 0 {
				waits = a.option(k).guards[g : g+1]
			}
			if a.kind == prompt && rules[rule].Guard < 0 {
				return s.opener(a, rules)
			}
			for _, g := range waits {
				if w := s.producer(g, rule, rules); w >= 0 {
					return w
				}
			}
		}
	}
	return -1
}

// opener is a scenario that never fires and would open the session that a prompt needs.
func (s *Search) opener(a *act, rules []Rule) int {
	found := -1
	for _, t := range a.terminals {
		for _, e := range s.m.writers[s.m.sessions[t]] {
			if e.option < 0 {
				continue
			}
			w := s.m.acts[e.act].option(e.option).rule
			if rules[w].Fires != No {
				return -1
			}
			found = w
		}
	}
	return found
}

// producer is a scenario that never fires and would make a condition hold, if nothing else does.
func (s *Search) producer(g guard, rule int, rules []Rule) int {
	found := -1
	for _, e := range s.m.writers[g.fact] {
		a := s.m.acts[e.act]
		effect := a.effect
		w := -1
		if e.option >= 0 {
			effect, w = a.option(e.option).effect, a.option(e.option).rule
		}
		if effect == nil || w == rule {
			continue
		}
		c := s.m.change(effect, func(f int) uint8 { return s.m.origin[f] })
		for _, one := range c.sets {
			if one.fact != g.fact || !g.test.holds(one.value) {
				continue
			}
			if w < 0 || rules[w].Fires != No {
				return -1
			}
			found = w
		}
	}
	return found
}
