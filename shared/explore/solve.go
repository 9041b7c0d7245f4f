package explore

import (
	"slices"
	"strings"

	"asz/shared/lab"
	"asz/shared/sim"
)

// Solution is a play that completes every step that can be completed.
type Solution struct {
	Play     []string // a script
	Shortest bool     // nothing shorter does
	Missing  []string // steps that it does not complete
}

// The bounds of the search for a solution, in transitions.
const (
	solveAuto = 8 << 20
	solveFull = 1 << 30
)

// solver looks for the shortest solution: steps whose facts have nothing to do with each other are solved one by one.
type solver struct {
	s        *Search
	parts    []*solvePart
	next     int
	budget   int
	solution Solution
	played   *player
}

type solvePart struct {
	facts []int
	steps []int // facts
	slice *slice
}

// newSolver groups the steps that can be completed.
func newSolver(s *Search) *solver {
	v := &solver{s: s, budget: solveAuto, played: s.m.player(s.m.start)}
	if s.in.Full {
		v.budget = solveFull
	}
	v.solution.Shortest = true
	var parts []*solvePart
	for _, section := range s.m.lab.Sections {
		for _, step := range section.Steps {
			fact := s.m.steps[step.ID]
			known := slices.IndexFunc(s.result.Steps, func(r Step) bool { return r.ID == step.ID })
			twice := slices.ContainsFunc(parts, func(p *solvePart) bool { return p.steps[0] == fact })
			if known >= 0 && s.result.Steps[known].Reachable != No && !twice {
				parts = append(parts, &solvePart{facts: s.m.closure(fact), steps: []int{fact}})
			}
		}
	}
	v.parts = s.m.joined(parts)
	return v
}

// joined makes one part of those that share a fact, or an act that changes facts of both.
func (m *Model) joined(parts []*solvePart) []*solvePart {
	leader := make([]int, len(parts)) // union-find
	var find func(i int) int
	find = func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	facts, acts := map[int]int{}, map[int]int{}
	claim := func(owners map[int]int, key, i int) {
		if j, ok := owners[key]; ok {
			a, b := find(i), find(j)
			leader[max(a, b)] = min(a, b)
		} else {
			owners[key] = i
		}
	}
	for i, p := range parts {
		leader[i] = i
		for _, f := range p.facts {
			claim(facts, f, i)
			for _, e := range m.writers[f] {
				claim(acts, e.act, i)
			}
		}
	}
	var out []*solvePart
	for i, p := range parts {
		first := parts[find(i)]
		if first == p {
			out = append(out, p)
			continue
		}
		first.steps = append(first.steps, p.steps...)
		for _, f := range p.facts {
			first.facts = addOnce(first.facts, f)
		}
		slices.Sort(first.facts)
	}
	return out
}

// step goes on for about n transitions; it returns false at the end.
func (v *solver) step(n int) (more bool) {
	for n > 0 {
		if v.next == len(v.parts) {
			v.finish()
			return false
		}
		p := v.parts[v.next]
		if p.slice == nil {
			origin := v.s.m.project(v.played.state)
			p.slice = v.s.m.newSlice(origin, p.facts, nil, nil)
			for _, f := range p.steps {
				p.slice.goal = append(p.slice.goal, set{f, 1})
			}
			if p.slice.met(p.slice.vector(0)) {
				p.slice.reached = 0
			}
		}
		before := p.slice.transitions
		more := p.slice.reached < 0 && p.slice.search(min(n, max(v.budget, 1)))
		spent := p.slice.transitions - before
		n -= max(1, spent)
		v.budget -= spent
		switch {
		case p.slice.reached >= 0:
			v.played.do(p.slice.way(p.slice.reached)...)
			v.next++
		case more && v.budget > 0 && p.slice.bytes() < fullBytes:
			continue
		case len(p.steps) > 1:
			// Too much at once: one step after the other, which need not be the shortest way.
			v.solution.Shortest = false
			v.split(p)
		default:
			v.next++
		}
		size := p.slice.bytes()
		p.slice = nil
		released(size)
	}
	return true
}

// split makes parts of one step each.
func (v *solver) split(p *solvePart) {
	v.budget = max(v.budget, solveAuto/2)
	var parts []*solvePart
	for _, f := range p.steps {
		parts = append(parts, &solvePart{facts: v.s.m.closure(f), steps: []int{f}})
	}
	v.parts = slices.Replace(v.parts, v.next, v.next+1, parts...)
}

func (v *solver) finish() {
	v.solution.Play = v.played.script
	for _, section := range v.s.m.lab.Sections {
		for _, step := range section.Steps {
			if !v.played.state.Done(step.ID) && !slices.Contains(v.solution.Missing, step.ID) {
				v.solution.Missing = append(v.solution.Missing, step.ID)
			}
		}
	}
	v.solution.Shortest = v.solution.Shortest && len(v.solution.Missing) == 0
}

// WayTo is the shortest play to where a line of the sections meets the conditions that it meets in a state, and the
// line; it is not ok when that is too far.
func (s *Search) WayTo(state *sim.State, line int) (play []string, ok bool) {
	v := s.m.project(state)
	p := s.m.player(s.m.start)
	for _, n := range s.m.lineActs[line] {
		if n < 0 {
			continue
		}
		facts := s.decide(n, s.m.acts[n].count()-1, false)
		one := s.m.newSlice(s.m.origin, s.m.closure(facts...), nil, nil)
		for _, f := range facts {
			one.goal = append(one.goal, set{f, v[f]})
		}
		if one.met(one.vector(0)) {
			one.reached = 0
		}
		if one.reached < 0 && one.search(wayTransitions) || one.reached < 0 {
			return nil, false
		}
		p.do(one.way(one.reached)...)
		break
	}
	l := s.m.lines[line]
	if strings.Contains(l.Text, "\n") && l.Prompt {
		return nil, false
	}
	if l.Terminal != p.terminal && slices.ContainsFunc(s.m.lab.Terminals, func(t lab.Terminal) bool { return t.ID == l.Terminal }) {
		p.script = append(p.script, "@terminal "+l.Terminal)
		p.terminal = l.Terminal
	}
	for _, text := range strings.Split(l.Text, "\n") {
		p.line(text)
	}
	return p.script, true
}

// wayTransitions bounds the search for a way.
const wayTransitions = 1 << 19

// Way is the shortest play that makes conditions on the state hold, from a state on; it is not ok when there is none,
// or none that is near enough. Inputs that are open are given up first.
func Way(e *sim.Engine, lines []Line, from *sim.State, goal []lab.Guard) (script []string, ok bool) {
	m := newModel(e, from, lines, nil, goal)
	var facts []int
	var tests []guard
	for _, g := range goal {
		t := m.guard(g)
		facts, tests = addOnce(facts, t.fact), append(tests, t)
	}
	way, ok := m.until(facts, func(value func(fact int) uint8) bool {
		return !slices.ContainsFunc(tests, func(g guard) bool { return !g.test.holds(value(g.fact)) })
	})
	if !ok {
		return nil, false
	}
	p := m.player(from)
	p.do(way...)
	return p.script, true
}

// until is the shortest way into a state of some facts that will do.
func (m *Model) until(facts []int, will func(value func(fact int) uint8) bool) (way []*act, ok bool) {
	one := m.newSlice(m.origin, m.closure(facts...), nil, nil)
	one.all = true
	at := 0
	value := func(fact int) uint8 { return one.vector(at)[one.slot[fact]] }
	for {
		for ; at < one.size(); at++ {
			if will(value) {
				return one.way(at), true
			}
		}
		if one.transitions > wayTransitions || !one.search(1<<12) && at == one.size() {
			return nil, false
		}
	}
}
