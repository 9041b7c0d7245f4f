// Package explore searches the states that a learner of a lab can reach (labs.md 5).
//
// A lab is taken as a finite machine: facts, which are the parts of its state that conditions look at, and acts, which
// are the lines, switches and buttons that change them. The effects of an act are those of the engine, asked once for
// each combination of the facts it reads. A question is answered on a slice of the machine: the facts that decide over
// it, closed under what decides over these. Slices are small where the whole machine is not, and what is found in one
// holds for the whole.
package explore

import (
	"cmp"
	"encoding/binary"
	"runtime"
	"slices"

	"asz/shared/sim"
)

// Input is the lab and what its sections offer.
type Input struct {
	Engine *sim.Engine
	Lines  []Line
	Saves  []Save
	Along  []*sim.State // states of the documented path: what can be done there needs no search
	Fired  []int        // scenarios that fire on that path
	Steps  bool         // look for dead ends and the way to each step
	Full   bool         // no bound but that of memory
	Solve  bool         // look for the shortest solution; needs Steps
	Only   *Only        // nil: everything is asked
}

// Only says what is asked of a search: of these scenarios and steps, and of the lines that nothing took yet.
type Only struct {
	Rules map[int]bool
	Steps map[string]bool
}

func (o *Only) rule(i int) bool { return o == nil || o.Rules[i] }

func (o *Only) step(id string) bool { return o == nil || o.Steps[id] }

// The bounds of a search that is not full, and of one that is.
const (
	autoTransitions = 4 << 20 // of all slices
	autoSlice       = 2 << 20 // of one slice
	fullBytes       = 1 << 30 // of one slice
)

// Search answers all questions about one lab, in slices of work.
type Search struct {
	in     Input
	m      *Model
	jobs   []*job
	next   int // the job that is worked on
	fired  [][]bool
	groups []*group      // by scenario: whether it fires
	notes  map[int]*note // by scenario that did not fire in a slice
	budget int           // transitions
	result Result
	solver *solver
}

// job is one slice to be searched, for the steps and targets that it answers.
type job struct {
	facts   []int
	targets []*target
	steps   []int // facts of steps whose dead ends are sought
	slice   *slice
	stats   Progress // when it has ended
	ended   bool
	whole   bool // it ended complete
	bounds  Bounds
}

// New prepares a search. It does the cheap part: what can be done at each place of the documented path.
func New(in Input) *Search {
	s := &Search{in: in, m: newModel(in.Engine, in.Engine.Start(), in.Lines, in.Saves, nil), budget: autoTransitions, notes: map[int]*note{}}
	s.fired = make([][]bool, len(s.m.acts))
	for i, a := range s.m.acts {
		s.fired[i] = make([]bool, a.count())
	}
	for i, state := range in.Along {
		if i == 0 || state != in.Along[i-1] {
			s.look(s.m.project(state))
		}
	}
	s.look(s.m.origin)
	s.plan()
	return s
}

// look notes what can be done in a state.
func (s *Search) look(v []uint8) {
	for i, a := range s.m.acts {
		if a.kind == prompt && !slices.ContainsFunc(a.terminals, func(t int) bool { return v[s.m.sessions[t]] != 0 }) {
			continue
		}
		if a.kind != command && a.kind != prompt || s.m.history >= 0 {
			continue
		}
	options:
		for k := range a.options {
			for _, g := range a.options[k].guards {
				if !g.test.holds(v[g.fact]) {
					continue options
				}
			}
			s.fired[i][k] = true
			break
		}
	}
}

// plan makes the jobs: one for each set of facts that decides over what is not known yet.
func (s *Search) plan() {
	m := s.m
	known := make([]bool, len(m.lab.Simulator.Scenarios))
	for _, rule := range s.in.Fired {
		known[rule] = true
	}
	byFacts := map[string]*job{}
	closures := map[string][]int{}
	join := func(facts []int) *job {
		key := factsKey(facts)
		closed, ok := closures[key]
		if !ok {
			closed = m.closure(facts...)
			closures[key] = closed
		}
		key = factsKey(closed)
		j := byFacts[key]
		if j == nil {
			j = &job{facts: closed}
			byFacts[key] = j
			s.jobs = append(s.jobs, j)
		}
		return j
	}
	if s.in.Steps {
		for _, section := range m.lab.Sections {
			for _, step := range section.Steps {
				f := m.steps[step.ID]
				if len(m.writers[f]) == 0 || !s.in.Only.step(step.ID) {
					continue // no scenario completes it, or it is not asked for
				}
				var facts []int
				for _, e := range m.writers[f] {
					m.needs(e, func(n int) { facts = addOnce(facts, n) })
				}
				slices.Sort(facts)
				if j := join(facts); !slices.Contains(j.steps, f) {
					j.steps = append(j.steps, f)
				}
			}
		}
	}
	rules := make([]*group, len(known))
	failing := make([]*group, len(known))
	for rule := range known {
		rules[rule], failing[rule] = &group{met: known[rule]}, &group{}
	}
	for i, a := range m.acts {
		for k := range a.count() {
			if s.fired[i][k] {
				rules[a.option(k).rule].met = true
			}
		}
	}
	lines := map[int]*group{} // by act
	for _, acts := range m.lineActs {
		for _, i := range acts {
			if i >= 0 && !slices.Contains(s.fired[i], true) {
				lines[i] = &group{}
			}
		}
	}
	origin := func(f int) uint8 { return m.origin[f] }
	for i, a := range m.acts {
		for k := range a.count() {
			o := a.option(k)
			if coveredBy(a, k) >= 0 {
				continue
			}
			asked := s.in.Only.rule(o.rule)
			if asked && o.effect != nil && (o.effect.risky || s.m.change(o.effect, origin).problem != "") {
				j := join(s.decide(i, k, true))
				j.targets = append(j.targets, &target{act: i, option: k, fails: true, groups: []*group{failing[o.rule]}})
			}
			asked = asked && !rules[o.rule].met
			if a.kind == answer || !asked && lines[i] == nil {
				continue
			}
			t := &target{act: i, option: k}
			if asked {
				t.groups = append(t.groups, rules[o.rule])
			}
			if lines[i] != nil {
				t.groups = append(t.groups, lines[i])
			}
			j := join(s.decide(i, k, false))
			j.targets = append(j.targets, t)
		}
	}
	s.groups = rules
	slices.SortStableFunc(s.jobs, func(a, b *job) int { return cmp.Compare(len(a.facts), len(b.facts)) })
}

// decide lists the facts on which it depends whether an option fires, or whether its effect fails.
func (s *Search) decide(act, k int, fails bool) []int {
	var facts []int
	add := func(n int) { facts = addOnce(facts, n) }
	a := s.m.acts[act]
	reads := func(e *effect) {
		for _, n := range e.reads {
			add(n)
		}
	}
	for i := 0; i <= k; i++ {
		for _, g := range a.option(i).guards {
			add(g.fact)
		}
		if i == k && fails || k >= len(a.options) && a.option(i).once {
			reads(a.option(i).effect)
		}
	}
	for _, t := range a.terminals {
		switch a.kind {
		case prompt:
			add(s.m.sessions[t])
		case answer:
			add(s.m.pendings[t])
		}
	}
	if s.m.history >= 0 && slices.Contains(facts, s.m.history) {
		add(s.m.history)
	}
	slices.Sort(facts)
	return facts
}

// coveredBy is an earlier option that asks for no more than option k, so that k can never be chosen; -1 = none.
func coveredBy(a *act, k int) int {
	first := 0
	if k >= len(a.options) {
		first = len(a.options)
	}
	for i := first; i < k; i++ {
		less := true
		for _, g := range a.option(i).guards {
			less = less && slices.Contains(a.option(k).guards, g)
		}
		if less {
			return i
		}
	}
	return -1
}

func factsKey(facts []int) string {
	var key []byte
	for _, f := range facts {
		key = binary.AppendUvarint(key, uint64(f))
	}
	return string(key)
}

// Progress is how far a search has come.
type Progress struct{ States, Transitions, Slices, Of int }

// Progress tells how far the search has come.
func (s *Search) Progress() Progress {
	p := Progress{Of: len(s.jobs)}
	for _, j := range s.jobs {
		switch {
		case j.ended:
			p.States += j.stats.States
			p.Transitions += j.stats.Transitions
			p.Slices++
		case j.slice != nil:
			p.States += j.slice.size()
			p.Transitions += j.slice.transitions
		}
	}
	return p
}

// Step goes on for about n transitions; it returns false when the search is at its end.
func (s *Search) Step(n int) (more bool) {
	for n > 0 {
		if s.next == len(s.jobs) {
			if !s.in.Solve {
				return false
			}
			if s.solver == nil {
				s.solver = newSolver(s)
			}
			return s.solver.step(n)
		}
		j := s.jobs[s.next]
		if j.slice == nil {
			j.slice = s.m.newSlice(s.m.origin, j.facts, j.targets, j.steps)
		}
		before := j.slice.transitions
		more := j.slice.search(min(n, s.room(j.slice)))
		n -= max(1, j.slice.transitions-before)
		s.budget -= j.slice.transitions - before
		if more && s.room(j.slice) > 0 {
			continue
		}
		j.slice.bounds.Memory, j.slice.bounds.Work = more && s.in.Full, more && !s.in.Full
		j.slice.cut()
		s.end(j)
		s.next++
	}
	return true
}

// room is how many transitions a slice may still have.
func (s *Search) room(one *slice) int {
	if s.in.Full {
		if one.bytes()+one.edgeBytes() < fullBytes {
			return 1 << 20
		}
		return 0
	}
	return max(0, min(s.budget, autoSlice-one.transitions))
}

// end takes what a job found and lets go of its states.
func (s *Search) end(j *job) {
	one := j.slice
	j.ended, j.whole, j.bounds = true, one.complete(), one.bounds
	j.stats = Progress{States: one.size(), Transitions: one.transitions}
	for i := range j.steps {
		s.deadEnds(one, int16(i))
	}
	for _, t := range j.targets {
		switch rule := s.m.acts[t.act].option(t.option).rule; {
		case t.fails && t.state >= 0:
			s.failure(one, t)
		case t.fails:
		case t.state >= 0:
			s.fired[t.act][t.option] = true
		case !s.groups[rule].met:
			s.note(one, t)
		}
	}
	size := one.bytes() + one.edgeBytes()
	j.slice = nil
	released(size)
}

// released makes room when a big slice was let go of: it is not to lie about while the next one grows.
func released(bytes int) {
	if bytes > fullBytes/16 {
		runtime.GC()
	}
}
