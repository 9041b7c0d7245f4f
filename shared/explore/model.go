package explore

import (
	"slices"

	"asz/shared/lab"
	"asz/shared/sim"
)

// Line is what a Run button types: a command line, or the prompt of an agent.
type Line struct {
	Terminal string
	Text     string
	Prompt   bool
}

// Save is what a Save button writes.
type Save struct{ Path, Text string }

// Model is a lab as a machine: facts, and the acts that change them.
type Model struct {
	engine    *sim.Engine
	lab       *lab.Lab
	start     *sim.State
	terminals []string
	lines     []Line
	saves     []Save
	consts    map[string][]string
	more      map[string]bool // paths that are compared with more than these

	facts    []*fact
	tree     []int          // facts of the tree and the history
	paths    pathTree       // the same by their roots
	files    []int          // facts of the files
	history  int            // the fact of the history, -1 = nothing reads it
	steps    map[string]int // step → fact
	sessions []int          // by terminal
	pendings []int          // by terminal
	parts    []filePart
	finds    []string // texts that replace looks for

	acts     []*act
	lineActs [][]int   // by line, for each of its commands: its act in the line's terminal
	hidden   []int     // by scenario: an earlier one without conditions on the state that takes its line, -1 = none
	other    int       // the terminal that stands for those that no scenario names
	inputs   []pending // by number; 0 = none
	effects  map[string]*effect
	tests    map[string]*test
	written  map[typed]*written // while acts are made
	fitted   map[string]fitted  // likewise
	guards   map[int][]guard    // by scenario; likewise
	uses     map[useOf]uses     // likewise
	named    []bool             // by terminal: a scenario names it
	origin   []uint8            // the value of each fact at the start
	writers  [][]event
}

// kind is what an act does.
type kind uint8

const (
	command kind = iota
	prompt
	control
	save
	rerun
	leave  // a session
	cancel // an input
	answer
)

// act is something a learner can do.
type act struct {
	kind      kind
	text      string // as typed; control: "ID on"; save: index; answer: the value
	terminals []int  // those in which it is the same
	options   []option
	turn      []option // of a command that says a prompt at once: what the agent may do, after an option that opens
	effect    *effect  // of control, save, rerun, answer
	pending   int      // answer: the input it is given to
	next      int      // answer: the input after it
	control   int      // control, save: which
	line      int      // index of the line in the sections, -1 = none
	cut       bool     // values that lead elsewhere were left out: of a command's arguments, of this answer or an earlier one
}

// option is one of the options; those of the turn follow the command's own.
func (a *act) option(k int) *option {
	if k < len(a.options) {
		return &a.options[k]
	}
	return &a.turn[k-len(a.options)]
}

// count is the number of options, those of the turn included.
func (a *act) count() int { return len(a.options) + len(a.turn) }

// option is one scenario that an act may fire: the first whose guards hold.
type option struct {
	rule     int
	captures []sim.Capture
	guards   []guard
	effect   *effect
	session  bool // it opens a session
	once     bool // it opens one for the act's turn only
	pending  int  // the input that it opens, 0 = none
}

// guard is a condition on one fact.
type guard struct {
	fact int
	test *test
}

// test is a condition on the values of a fact.
type test struct {
	fact  *fact
	path  []string // below the fact's root
	want  lab.Value
	known []uint8 // by number: 0 = not looked at, 1 = holds, 2 = does not
}

// holds tests value n.
func (t *test) holds(n uint8) bool {
	if int(n) >= len(t.known) {
		t.known = append(t.known, make([]uint8, int(n)+1-len(t.known))...)
	}
	if t.known[n] == 0 {
		t.known[n] = 2
		if sim.Holds(t.want, t.fact.reps[n].value.Lookup(t.path)) {
			t.known[n] = 1
		}
	}
	return t.known[n] == 1
}

// pending is an input in progress.
type pending struct {
	rule     int
	captures []sim.Capture
	values   []sim.Capture
	answers  []int // acts
	cut      bool  // other answers to earlier questions were left out
}

// newModel makes a machine of a lab; the lines and saves are those of its sections. The paths of a goal are looked at as
// those of the lab's conditions are.
func newModel(e *sim.Engine, start *sim.State, lines []Line, saves []Save, goal []lab.Guard) *Model {
	m := &Model{
		engine: e, lab: e.Lab(), start: start, lines: lines, saves: saves,
		history: -1, steps: map[string]int{},
		effects: map[string]*effect{}, tests: map[string]*test{}, written: map[typed]*written{}, fitted: map[string]fitted{},
		guards: map[int][]guard{}, uses: map[useOf]uses{}, inputs: make([]pending, 1),
	}
	for _, t := range m.lab.Terminals {
		if !slices.Contains(m.terminals, t.ID) {
			m.terminals = append(m.terminals, t.ID)
		}
	}
	m.hidden = make([]int, len(m.lab.Simulator.Scenarios))
	for i := range m.hidden {
		m.hidden[i] = -1
	}
	if len(m.terminals) > maxTerminals {
		m.joinTerminals()
	}
	for _, t := range m.terminals {
		m.named = append(m.named, m.names(t))
	}
	m.collectFiles()
	m.makeFacts(goal)
	m.consts, m.more = m.constants()
	m.makeActs()
	m.written, m.fitted, m.guards, m.uses = nil, nil, nil, nil
	m.makeWriters()
	return m
}

func (m *Model) add(f *fact) int {
	f.keys = map[string]uint8{}
	m.facts = append(m.facts, f)
	return len(m.facts) - 1
}

// makeFacts makes all facts and notes their values at the start.
func (m *Model) makeFacts(goal []lab.Guard) {
	for _, f := range m.collectPaths(goal).facts() {
		if f.name == runsPath || f.name == "ci" {
			f.shape.at([]string{"ci", "runs"}[len(f.root):]).last = len(m.lab.Simulator.Workflows) > 1
		}
		n := m.add(f)
		if f.history {
			m.history = n
		}
		m.tree = append(m.tree, n)
		m.paths.put(f.root, n)
	}
	for i := range m.parts {
		if p := &m.parts[i]; p.risky {
			p.fact = m.add(&fact{name: "files", file: append([]string{}, p.root...)})
			m.files = append(m.files, p.fact)
		}
	}
	for _, s := range m.lab.Sections {
		for _, step := range s.Steps {
			if _, twice := m.steps[step.ID]; !twice {
				m.steps[step.ID] = m.add(&fact{name: step.ID})
			}
		}
	}
	for _, t := range m.terminals {
		m.sessions = append(m.sessions, m.add(&fact{name: t}))
		m.pendings = append(m.pendings, m.add(&fact{name: t}))
	}
	m.origin = m.project(m.start)
}

// project gives the value of each fact in a state of the engine.
func (m *Model) project(s *sim.State) []uint8 {
	out := make([]uint8, len(m.facts))
	for _, f := range m.tree {
		out[f], _ = m.look(f, s)
	}
	for _, f := range m.files {
		out[f], _ = m.look(f, s)
	}
	for step, f := range m.steps {
		if s.Done(step) {
			out[f] = 1
		}
	}
	for i, t := range m.terminals {
		if mode, _, _ := m.engine.Mode(s, t); mode == sim.ModeSession {
			out[m.sessions[i]] = 1
		}
	}
	return out
}

// look numbers the value of a fact of the tree, the history or the files.
func (m *Model) look(n int, s *sim.State) (value uint8, ok bool) {
	f := m.facts[n]
	var room [64]byte
	if f.file != nil {
		e := s.Files().Entry(f.file)
		key := m.fileKey(room[:0], e)
		if len(key) > maxKey {
			return 0, false
		}
		return f.number(key, rep{entry: e})
	}
	v := s.Tree().Lookup(f.root)
	if f.history {
		v = lab.FromList(s.HistoryList())
	}
	return f.number(f.shape.key(room[:0], v), rep{value: v})
}

// place puts a value of a fact into a state.
func (m *Model) place(s *sim.State, n int, value uint8) *sim.State {
	f := m.facts[n]
	r := f.reps[value]
	switch {
	case f.file != nil:
		return s.WithEntry(f.file, r.entry)
	case f.history:
		return s.WithHistory(r.value.List())
	}
	return s.Put(f.root, r.value)
}

// guardsOf makes the guards of a scenario.
func (m *Model) guardsOf(rule int) []guard {
	out, known := m.guards[rule]
	if known {
		return out
	}
	for _, g := range m.lab.Simulator.Scenarios[rule].When.State {
		out = append(out, m.guard(g))
	}
	m.guards[rule] = out
	return out
}

// guard makes a condition; its path belongs to exactly one fact.
func (m *Model) guard(g lab.Guard) guard {
	path := splitPath(g.Path)
	above, _ := m.paths.covering(path)
	n := above[0]
	key := g.Path + "\x00" + string(g.Want.AppendJSON(nil)) + g.Want.Kind().String()
	t := m.tests[key]
	if t == nil {
		t = &test{fact: m.facts[n], path: path[len(m.facts[n].root):], want: g.Want}
		m.tests[key] = t
	}
	return guard{n, t}
}
