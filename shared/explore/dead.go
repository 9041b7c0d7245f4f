package explore

import (
	"bytes"
	"slices"
	"sort"
)

// deadEnds finds the states from which one of a slice's steps can no longer be completed, and the shortest way into one.
// The states in which the step is not completed yet are those that are reached by acts which do not complete it.
func (s *Search) deadEnds(one *slice, step int16) {
	alive, found := one.alive(step)
	out := Step{ID: s.m.facts[one.steps[step]].name, Cause: Cause{-1, -1, -1}}
	switch {
	case found:
		out.Reachable = Yes
	case one.complete():
		out.Reachable = No
	}
	if way, chain := one.into(alive, step); len(way) > 0 {
		out.DeadEnd = true
		out.Cause = one.cause(way, chain)
		p := s.m.player(s.m.start)
		p.do(way...)
		out.Play = p.script
	}
	s.result.Steps = append(s.result.Steps, out)
}

func (c *completion) completes(step int16) bool { return c.steps[0] == step || c.steps[1] == step }

// successors calls f for each state after a state, by an act that does not complete the step.
func (s *slice) successors(state int, step int16, f func(to int)) {
	from, end := s.edgesOf(state)
	for i := from; i < end; i++ {
		f(int(s.edges.at(i)))
	}
	first := sort.Search(s.completed.n, func(i int) bool { return int(s.completed.at(i).from) >= state })
	for i := first; i < s.completed.n; i++ {
		c := s.completed.at(i)
		if int(c.from) != state {
			break
		}
		if !c.completes(step) {
			f(int(c.to))
		}
	}
}

// edgesOf is where the edges of a state stand.
func (s *slice) edgesOf(state int) (from, end int) {
	if state > 0 {
		from = int(s.edgeEnd.at(state - 1))
	}
	return from, int(s.edgeEnd.at(state))
}

// mostRounds bounds the rounds of revive over all states.
const mostRounds = 8

// alive tells of each state whether the step can be completed from it; found, whether it can be anywhere. What was not
// expanded may lead there.
func (s *slice) alive(step int16) (alive []bool, found bool) {
	alive = make([]bool, s.size())
	for i := s.edgeEnd.n; i < len(alive); i++ {
		alive[i] = true
	}
	for _, i := range s.lost {
		alive[i] = true
	}
	for i := range s.completed.n {
		if c := s.completed.at(i); c.completes(step) {
			alive[c.from], found = true, true
		}
	}
	s.revive(alive, step)
	return alive, found
}

// revive marks the states from which one that is marked can be reached without completing the step.
func (s *slice) revive(alive []bool, step int16) {
	try := func(i int) bool {
		if alive[i] {
			return false
		}
		s.successors(i, step, func(to int) { alive[i] = alive[i] || alive[to] })
		return alive[i]
	}
	// Most ways go to states that were found later; a few rounds find nearly all.
	for range mostRounds {
		changed := false
		for i := s.edgeEnd.n - 1; i >= 0; i-- {
			changed = try(i) || changed
		}
		if !changed {
			return
		}
	}
	// The rest is long ways back, for which there would be a round for each act: follow the edges the other way.
	into := make([]uint32, len(alive)+1) // where the sources of a state's edges begin
	edges := func(do func(from, to int)) {
		for i := range s.edgeEnd.n {
			if !alive[i] {
				s.successors(i, step, func(to int) { do(i, to) })
			}
		}
	}
	edges(func(_, to int) { into[to+1]++ })
	for i := range alive {
		into[i+1] += into[i]
	}
	from := make([]uint32, into[len(alive)])
	at := slices.Clone(into)
	edges(func(i, to int) {
		from[at[to]] = uint32(i)
		at[to]++
	})
	var queue []int
	for i := range s.edgeEnd.n {
		if try(i) {
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		to := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range from[into[to]:into[to+1]] {
			if !alive[i] {
				alive[i] = true
				queue = append(queue, int(i))
			}
		}
	}
}

// into is the shortest way from the start, without completing the step, into a state that is not alive, with the states
// that it passes; empty when there is none, or when that is the start.
func (s *slice) into(alive []bool, step int16) (way []*act, chain []int) {
	const unseen = ^uint32(0)
	parent := make([]uint32, s.size())
	for i := range parent {
		parent[i] = unseen
	}
	parent[0] = 0
	queue := []uint32{0}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		if !alive[at] {
			return s.between(parent, int(at), step)
		}
		if int(at) >= s.edgeEnd.n {
			continue
		}
		s.successors(int(at), step, func(to int) {
			if parent[to] == unseen {
				parent[to] = at
				queue = append(queue, uint32(to))
			}
		})
	}
	return nil, nil
}

// between finds the acts along a chain of states.
func (s *slice) between(parent []uint32, state int, step int16) (way []*act, chain []int) {
	for ; state != 0; state = int(parent[state]) {
		chain = append(chain, state)
	}
	chain = append(chain, 0)
	slices.Reverse(chain)
	for i := range chain[1:] {
		way = append(way, s.actFrom(chain[i], chain[i+1], step))
	}
	return way, chain
}

// actFrom is the first act that leads from one state to another without completing the step.
func (s *slice) actFrom(from, to int, step int16) *act {
	now, want, work := s.vector(from), s.vector(to), make([]byte, s.width)
	hash := s.hash(now)
	for i := range s.acts {
		a := &s.acts[i]
		for t := 0; t < max(1, len(a.terminals)); t++ {
			var terminal *sliceTerminal
			if len(a.terminals) > 0 {
				terminal = &a.terminals[t]
			}
			if _, ok := s.do(a, terminal, now, work, hash); ok && bytes.Equal(work, want) && !slices.Contains(s.now, step) {
				return a.act
			}
		}
	}
	panic("explore: an edge without an act")
}

// cause tells which part of the lab the last act of a way is.
func (s *slice) cause(way []*act, chain []int) Cause {
	c := Cause{-1, -1, -1}
	last := len(way) - 1
	switch a := way[last]; a.kind {
	case control:
		c.Control = a.control
	case save:
		c.Save = a.control
	case rerun:
		// What is run again was started by a scenario: the last that started a run.
		for i, starter := range way[:last] {
			k := s.chosen(starter, chain[i])
			if k < 0 {
				continue
			}
			then := &s.m.lab.Simulator.Scenarios[starter.options[k].rule].Then
			if then.CI != nil || then.Input != nil && then.Input.Then.CI != nil {
				c.Rule = starter.options[k].rule
			}
		}
	case leave, cancel:
		// What is left was opened by a scenario: the last that opened something.
		for i, opener := range way[:last] {
			k := s.chosen(opener, chain[i])
			if k >= 0 && (opener.options[k].session || opener.options[k].pending > 0) {
				c.Rule = opener.options[k].rule
			}
		}
	default:
		if k := s.chosen(a, chain[last]); k >= 0 {
			c.Rule = a.options[k].rule
		}
	}
	return c
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
