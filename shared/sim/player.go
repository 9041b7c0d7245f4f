package sim

import (
	"strings"

	"asz/shared/lab"
)

// Player plays one lab for one person: it holds the current State, the way back
// and the marks. All its memory of the past is shared with the present.
type Player struct {
	engine *Engine
	state  *State
	undo   *past
	marks  []mark
	acts   []act // the last maxActs, for Explain
	count  int
}

// past is a chain of the states to which undo goes back.
type past struct {
	state *State
	next  *past
}

type mark struct {
	state *State
	undo  *past
}

// act is a line as it was typed, with the state that it met.
type act struct {
	state    *State
	terminal string
	line     string
}

const maxActs = 64

// NewPlayer begins a lab.
func NewPlayer(e *Engine) *Player { return &Player{engine: e, state: e.Start()} }

// Engine is what the player plays with.
func (p *Player) Engine() *Engine { return p.engine }

// State is the current state.
func (p *Player) State() *State { return p.state }

// Act does one thing and returns its number, from 1 on, and what it came to.
// Kinds, with their text:
//
//	line       what was typed
//	interrupt  Ctrl-C
//	end        a block of lines ended
//	control    "ID on" or "ID off"
//	save       path, newline, content
//	rerun      number of a CI run; "" = the newest
//	undo       back before the last act that changed something
//	reset      back to the start
func (p *Player) Act(kind, terminal, text string) (int, *Outcome) {
	if !p.engine.prog.terminals[terminal] {
		return p.count, p.engine.outcome(p.state, terminal, failure(1, "there is no terminal `"+terminal+"`"))
	}
	p.count++
	before := p.state
	var o *Outcome
	switch kind {
	case "line":
		p.remember(act{before, terminal, text})
		p.state, o = p.engine.Type(before, terminal, text)
	case "interrupt":
		p.state, o = p.engine.Interrupt(before, terminal)
	case "end":
		p.state, o = p.engine.End(before, terminal)
	case "control":
		id, position, _ := strings.Cut(text, " ")
		p.state, o = p.engine.SetControl(before, terminal, id, position == "on")
	case "save":
		path, content, _ := strings.Cut(text, "\n")
		p.state, o = p.engine.Save(before, terminal, path, content)
	case "rerun":
		n, _ := lab.Atoi(text)
		p.state, o = p.engine.Rerun(before, terminal, n)
	case "undo":
		return p.count, p.back(terminal)
	case "reset":
		p.state, p.undo = p.engine.Start(), nil
		return p.count, p.engine.outcome(p.state, terminal, &Result{})
	default:
		o = p.engine.outcome(before, terminal, failure(1, "there is no action `"+kind+"`"))
	}
	if p.state.Substance() != before.Substance() {
		c := before.console(terminal)
		c.partial = nil // a line that was continued is one line
		p.undo = &past{before.withConsole(terminal, c), p.undo}
	}
	return p.count, o
}

func (p *Player) back(terminal string) *Outcome {
	if p.undo == nil {
		return p.engine.outcome(p.state, terminal, failure(1, "there is nothing to undo"))
	}
	p.state, p.undo = p.undo.state, p.undo.next
	return p.engine.outcome(p.state, terminal, &Result{})
}

func (p *Player) remember(a act) {
	for len(p.acts) < p.count%maxActs+1 {
		p.acts = append(p.acts, act{})
	}
	p.acts[p.count%maxActs] = a
}

// Mark keeps the current place and returns its number.
func (p *Player) Mark() int {
	p.marks = append(p.marks, mark{p.state, p.undo})
	return len(p.marks) - 1
}

// Restore goes back to a mark; it is not ok when there is none of that number.
func (p *Player) Restore(id int) bool {
	if id < 0 || id >= len(p.marks) {
		return false
	}
	p.state, p.undo = p.marks[id].state, p.marks[id].undo
	return true
}

// Explain tells for one of the latest acts why scenarios did not take its line:
// for each that was considered the first condition that failed. It has nothing
// to say of older acts, of answers to an input and of other kinds.
func (p *Player) Explain(id int) []Miss {
	if id < 1 || id > p.count || id <= p.count-maxActs || id%maxActs >= len(p.acts) {
		return nil
	}
	a := p.acts[id%maxActs]
	if a.terminal == "" {
		return nil
	}
	return p.engine.Explain(a.state, a.terminal, a.line)
}

// Explain tells why scenarios would not take a line in a state: the last
// command of it that runs, or the prompt that it says.
func (e *Engine) Explain(s *State, terminal, line string) []Miss {
	var misses []Miss
	tracing := *e
	tracing.probe = func(q *Prepared, s *State) { misses = q.Explain(s) }
	tracing.Type(s, terminal, line)
	return misses
}

// Controls lists the lab's controls.
func (p *Player) Controls() []lab.Control { return p.engine.prog.lab.Simulator.Controls }
