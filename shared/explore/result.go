package explore

import (
	"cmp"
	"slices"
)

// Result is what a search found so far.
type Result struct {
	States, Transitions int
	Exhaustive          bool
	Bounds              Bounds // why it is not
	Rules               []Rule // by scenario
	Lines               []LineResult
	Failures            []Failure
	Steps               []Step // those that some scenario completes
	Solution            *Solution
}

// Bounds are what kept a search from looking at everything; it may be more than one of them.
type Bounds struct {
	Ended    bool   // it was ended before its time
	Work     bool   // the transitions of a search that is not full
	Memory   bool   // … and the memory of one that is
	Fact     string // it has more values than are told apart, in every search
	Question string // the scenario that asks it: it has more answers than are told apart, in every search
}

func (b *Bounds) add(j *job) {
	if j.whole {
		return
	}
	b.Ended = b.Ended || !j.ended
	b.Work = b.Work || j.bounds.Work
	b.Memory = b.Memory || j.bounds.Memory
	b.Fact, b.Question = cmp.Or(b.Fact, j.bounds.Fact), cmp.Or(b.Question, j.bounds.Question)
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

// Result is what the search found so far.
func (s *Search) Result() *Result {
	r := s.result
	p := s.Progress()
	r.States, r.Transitions = p.States, p.Transitions
	r.Exhaustive = true
	for _, j := range s.jobs {
		r.Exhaustive = r.Exhaustive && j.whole
		r.Bounds.add(j)
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
		if !s.in.Only.rule(i) || s.unanswered(func(t *target) bool { return s.m.acts[t.act].option(t.option).rule == i }) {
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
					r.Play = s.hiddenPlay(a, k)
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

// hiddenPlay is the shortest way to where an option would fire if an earlier one did not, and its act.
func (s *Search) hiddenPlay(a *act, k int) []string {
	o := a.option(k)
	var facts []int
	for _, g := range o.guards {
		facts = addOnce(facts, g.fact)
	}
	if a.kind == prompt {
		for _, t := range a.terminals {
			facts = addOnce(facts, s.m.sessions[t])
		}
	}
	way, ok := s.m.until(facts, func(value func(fact int) uint8) bool {
		open := a.kind != prompt || slices.ContainsFunc(a.terminals, func(t int) bool { return value(s.m.sessions[t]) != 0 })
		return open && !slices.ContainsFunc(o.guards, func(g guard) bool { return !g.test.holds(value(g.fact)) })
	})
	if !ok {
		return nil
	}
	p := s.m.player(s.m.start)
	p.do(append(way, a)...)
	return p.script
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
