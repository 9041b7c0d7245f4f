package validate

import (
	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/sim"
)

// known tells of which names of a lab there are no others than those that were read: of a lab that a finding stops,
// the rest is looked at all the same, but what is missing there may stand in what could not be read.
type known struct {
	all       bool // the lab loads
	terminals bool
	services  bool
	ci        bool // whether there is a CI tab
	titles    bool // those of the sections
	steps     bool
	variables bool // those of labspace.yaml
	paces     bool
	workflows bool                   // the ids alone
	texts     bool                   // those of all sections; known when they are read
	args      map[*lab.Scenario]bool // whether all conditions were read; looked at for each template
	questions map[*lab.Scenario]bool
}

// learn finds out what is known.
func (c *Check) learn() {
	l, sure := c.loaded.Labspace, c.loaded.Sure
	s := &l.Simulator
	sections := c.loaded.Has(l, "sections") && sure(&l.Sections, 0)
	c.known = known{
		all:       c.loaded.Lab != nil,
		terminals: c.loaded.Has(l, "terminals") && sure(&l.Terminals, 2),
		services:  c.loaded.Has(l, "services") && sure(&l.Services, 2),
		ci:        c.loaded.Has(l, "features") && sure(&l.CI, 0),
		titles:    sections && sure(&l.Sections, 2),
		steps:     sections,
		variables: c.loaded.Has(l, "variables") && sure(&l.Variables, 0),
		paces:     c.loaded.Has(s, "settings") && sure(&s.Settings, 0) && sure(&s.Settings.Pace, 0),
		workflows: c.loaded.Has(s, "workflows") && sure(&s.Workflows, 0),
	}
	c.known.args, c.known.questions = map[*lab.Scenario]bool{}, map[*lab.Scenario]bool{}
	for i := range s.Workflows {
		w := &s.Workflows[i]
		c.known.workflows = c.known.workflows && c.loaded.Has(w, "id") && sure(&w.ID, 0)
	}
	for i := range l.Sections {
		c.known.steps = c.known.steps && c.loaded.Has(&l.Sections[i], "steps") && sure(&l.Sections[i].Steps, 2)
	}
}

// stepsKnown reports whether a workflow, by index, has no other steps than those that were read.
func (c *Check) stepsKnown(workflow int) bool {
	s := &c.loaded.Labspace.Simulator
	return c.loaded.Has(s, "workflows") && c.loaded.Sure(&s.Workflows[workflow], 3)
}

// argsKnown reports whether all conditions of a scenario were read.
func (c *Check) argsKnown(s *lab.Scenario) bool {
	is, done := c.known.args[s]
	if !done {
		is = c.loaded.Sure(s, 0) && c.loaded.Sure(&s.When, labfile.All)
		c.known.args[s] = is
	}
	return is
}

// inputKnown reports whether all questions of a scenario were read, or that there are none.
func (c *Check) inputKnown(s *lab.Scenario) bool {
	is, done := c.known.questions[s]
	if !done {
		in := s.Then.Input
		is = c.loaded.Sure(s, 0) && c.loaded.Sure(&s.Then, 0) && (in == nil || c.loaded.Sure(in, 0) && c.loaded.Sure(&in.Steps, 2))
		c.known.questions[s] = is
	}
	return is
}

// textsKnown reports whether the text of every section is among those that were read.
func (c *Check) textsKnown() bool {
	l := c.loaded.Labspace
	if !c.loaded.Has(l, "sections") || !c.loaded.Sure(&l.Sections, 0) {
		return false
	}
	named := 0
	for i := range l.Sections {
		if !c.loaded.Has(&l.Sections[i], "contentPath") {
			return false
		}
		if c.loaded.Node(&l.Sections[i].Content) != nil {
			named++
		}
	}
	return named == len(c.sections)
}

// filesKnown reports whether everything was read that can make a file, or show one that is not there.
func (c *Check) filesKnown() bool {
	l, sure, has := c.loaded.Labspace, c.loaded.Sure, c.loaded.Has
	s := &l.Simulator
	if !c.known.texts || !has(l, "files") || !sure(&l.Files, labfile.All) || c.loaded.Node(s) == nil || !has(s, "scenarios") || !sure(&s.Scenarios, 0) {
		return false
	}
	for i := range s.Scenarios {
		sc := &s.Scenarios[i]
		if !has(sc, "when") || !has(sc, "then") || !has(&sc.Then, "input") || c.mayShow(sc) {
			return false
		}
		if in := sc.Then.Input; in != nil && !has(in, "then") {
			return false
		}
		for _, e := range effects(sc) {
			if !has(e, "files") || !sure(&e.Files, labfile.All) {
				return false
			}
		}
	}
	return true
}

// mayShow reports whether a scenario may take the line of a link, but for what could not be read of it.
func (c *Check) mayShow(s *lab.Scenario) bool {
	w := &s.When
	return !c.loaded.Sure(w, labfile.All) && (len(w.Command) == 0 || w.Command[0] == "cat" || !c.loaded.Sure(&w.Command, 1))
}

// catShown is an engine that knows which lines the scenarios of a lab take that does not load; it plays none of them.
func (c *Check) catShown() *sim.Engine {
	l := lab.Lab{ID: c.lab.ID, Terminals: c.lab.Terminals}
	for _, s := range c.lab.Simulator.Scenarios {
		l.Simulator.Scenarios = append(l.Simulator.Scenarios, lab.Scenario{ID: s.ID, When: s.When})
	}
	engine, _ := sim.New(&l) // no files that could clash
	return engine
}
