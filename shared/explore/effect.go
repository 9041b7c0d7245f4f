package explore

import (
	"slices"
	"strconv"
	"strings"

	"asz/shared/lab"
	"asz/shared/sim"
)

// effect is what an act does to the facts. What it comes to depends on the facts it reads alone, so the engine is asked
// once for each combination of their values.
type effect struct {
	key    string
	reads  []int
	writes []int
	run    func(s *sim.State) (after *sim.State, problem string)
	step   int  // the fact of the step that it completes, -1 = none
	risky  bool // whether it is possible depends on the facts

	one  []*change          // known results by the value of the only fact read
	many map[string]*change // by the values of all
}

// change is what an effect comes to.
type change struct {
	problem string // a hard error: nothing changes
	sets    []set
	over    bool // a fact has more values than are looked at: this one
	fact    int
}

type set struct {
	fact  int
	value uint8
}

// mostKnown bounds how many results of one effect are kept.
const mostKnown = 1 << 14

// change looks an effect up; value gives the number of a fact's value.
func (m *Model) change(e *effect, value func(fact int) uint8) *change {
	if len(e.reads) <= 1 {
		n := 0
		if len(e.reads) == 1 {
			n = int(value(e.reads[0]))
		}
		for len(e.one) <= n {
			e.one = append(e.one, nil)
		}
		if e.one[n] == nil {
			e.one[n] = m.find(e, value)
		}
		return e.one[n]
	}
	var room [64]byte
	key := room[:0]
	for _, f := range e.reads {
		key = append(key, value(f))
	}
	if c := e.many[string(key)]; c != nil {
		return c
	}
	if e.many == nil {
		e.many = map[string]*change{}
	}
	if len(e.many) == mostKnown {
		clear(e.many)
	}
	c := m.find(e, value)
	e.many[string(key)] = c
	return c
}

// find asks the engine.
func (m *Model) find(e *effect, value func(fact int) uint8) *change {
	s := m.start
	for _, f := range e.reads {
		s = m.place(s, f, value(f))
	}
	c := &change{}
	after, problem := e.run(s)
	if problem != "" {
		c.problem = problem
		return c
	}
	for _, f := range e.writes {
		n, ok := m.look(f, after)
		if !ok {
			return &change{over: true, fact: f}
		}
		c.sets = append(c.sets, set{f, n})
	}
	if e.step >= 0 {
		c.sets = append(c.sets, set{e.step, 1})
	}
	return c
}

func splitPath(path string) []string { return strings.Split(path, ".") }

// uses collects the facts that effects read and write.
type uses struct {
	m             *Model
	reads, writes []int
	risky         bool
}

// useOf is a scenario's own effects, or those of its input.
type useOf struct {
	rule  int
	input bool
}

func addOnce(list []int, n int) []int {
	if slices.Contains(list, n) {
		return list
	}
	return append(list, n)
}

// readPath notes a path that templates or requirements look at.
func (u *uses) readPath(path string) {
	for _, n := range u.m.paths.overlapping(splitPath(path)) {
		u.reads = addOnce(u.reads, n)
	}
}

// writePath notes a path that is set; it reports whether a fact is there.
func (u *uses) writePath(path string, partly bool) (matters bool) {
	parts := splitPath(path)
	for _, n := range u.m.paths.overlapping(parts) {
		f := u.m.facts[n]
		if f.history {
			continue
		}
		matters = true
		u.writes = addOnce(u.writes, n)
		if partly || len(parts) != len(f.root) {
			u.reads = addOnce(u.reads, n)
			u.risky = true
		}
	}
	return matters
}

func (u *uses) file(path string, written bool) (matters bool) {
	parts, ok := lab.CleanFile(path)
	if !ok {
		return false
	}
	part := u.m.partOf(parts)
	if part == nil || !part.risky {
		return false
	}
	u.reads = addOnce(u.reads, part.fact)
	if written {
		u.writes = addOnce(u.writes, part.fact)
	}
	u.risky = true
	return true
}

func (u *uses) effects(e *lab.Effects) {
	for _, d := range e.State {
		if u.writePath(d.Path, d.Append) {
			stateRefs(d.Value, u.readPath)
		}
	}
	if e.CI != nil && u.writePath(runsPath, true) && e.CI.Conclusion == "" {
		u.requirements(e.CI.Workflow)
	}
	for i := range e.Files {
		op := &e.Files[i]
		if u.file(op.Path, op.Verb != lab.FileCopy) && op.Verb != lab.FileCopy {
			textRefs(op.Text, "state", u.readPath)
		}
		if op.Verb == lab.FileCopy {
			u.file(op.Text, true)
		}
	}
}

// requirements notes what the steps of a workflow look at, "" = of each workflow.
func (u *uses) requirements(workflow string) {
	for _, w := range u.m.lab.Simulator.Workflows {
		for _, step := range w.Steps {
			if step.Requires != "" && (workflow == "" || w.ID == workflow) {
				u.readPath(step.Requires)
			}
		}
	}
}

// ruleEffect is the effect of a scenario, or with answers of its input.
func (m *Model) ruleEffect(rule int, captures, answers []sim.Capture) *effect {
	s := &m.lab.Simulator.Scenarios[rule]
	then, step := &s.Then, s.Completes
	if answers != nil {
		then = &s.Then.Input.Then
	} else if s.Then.Input != nil {
		step = ""
	}
	u, ok := m.uses[useOf{rule, answers != nil}]
	if !ok {
		u.m = m
		u.effects(then)
		m.uses[useOf{rule, answers != nil}] = u
	}
	key := strconv.Itoa(rule)
	if len(u.writes) > 0 {
		// Without these the values that were kept change nothing.
		for _, list := range [][]sim.Capture{captures, answers} {
			key += "\x01"
			for _, c := range list {
				key += c.Name + "\x00" + c.Value + "\x00"
			}
		}
	} else if answers != nil {
		key += "\x01"
	}
	if e := m.effects[key]; e != nil {
		return e
	}
	e := &effect{key: key, reads: u.reads, writes: u.writes, step: -1, risky: u.risky}
	if n, ok := m.steps[step]; ok {
		e.step = n
	}
	e.run = func(after *sim.State) (*sim.State, string) { return m.engine.Apply(after, rule, captures, answers) }
	m.effects[key] = e
	return e
}

// noted is what typing a command does to the history.
func (m *Model) noted(a *act) *effect {
	key := "history\x00" + a.text
	e := m.effects[key]
	if e == nil {
		list := []int{m.history}
		e = &effect{reads: list, writes: list, step: -1, run: func(s *sim.State) (*sim.State, string) {
			return s.WithHistory(s.HistoryList().Append(lab.Text(a.text))), ""
		}}
		m.effects[key] = e
	}
	return e
}
