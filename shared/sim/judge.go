package sim

import (
	"slices"

	"asz/shared/lab"
)

// What those who judge a lab ask of the engine beyond playing it.

// Choice is one command or prompt of a line, as it met the state.
type Choice struct {
	*Prepared
	State    *State
	Rule     int // the index of the scenario that it fires, -1 = none
	Captures []Capture
}

// Fit is a scenario, by its index, whose conditions all hold but for those on the state.
type Fit struct {
	Rule     int
	Captures []Capture
}

// Trace is Type, and tells what each command and prompt of the line met. Answers, unfinished lines and such that are
// no list of commands make no choice.
func (e *Engine) Trace(s *State, terminal, line string) (*State, *Outcome, []Choice) {
	var choices []Choice
	tracing := *e
	tracing.probe = func(q *Prepared, s *State) {
		rule, captures := q.Select(s)
		choices = append(choices, Choice{q, s, rule, captures})
	}
	s, o := tracing.Type(s, terminal, line)
	return s, o, choices
}

// PrepareAll takes each command of a line apart, also those that would not run for the exit codes of others; it is
// empty for a line that is no list of commands.
func (e *Engine) PrepareAll(terminal, line string) []*Prepared {
	x := lex(line)
	list, bad := e.prog.list(x.tokens)
	if x.open != 0 || bad != "" {
		return nil
	}
	out := make([]*Prepared, len(list))
	for i := range list {
		out[i] = e.prog.prepareCommand(terminal, list[i].words)
	}
	return out
}

// Words are those of a command; a prompt has none.
func (q *Prepared) Words() []string { return q.words }

// Builtin reports whether a builtin takes the command when no scenario does.
func (q *Prepared) Builtin() bool {
	return !q.agent && (q.words[0] == "ls" || q.words[0] == "cat")
}

// Fits lists the scenarios that take the command, or prompt, in some state, in author order.
func (q *Prepared) Fits() []Fit {
	for ; q.next < len(q.candidates); q.next++ {
		r := q.candidates[q.next]
		if captures, ok := q.fit(&q.prog.rules[r], nil); ok {
			q.fits = append(q.fits, fit{r, captures})
		}
	}
	out := make([]Fit, len(q.fits))
	for i, f := range q.fits {
		out[i] = Fit{int(f.rule), f.captures}
	}
	return out
}

// Ambiguous reports whether both readings of the flags that nothing is known of fit the scenario, with different
// captures (labs.md E4).
func (q *Prepared) Ambiguous(rule int) (first, second []Capture, ok bool) {
	r := &q.prog.rules[rule]
	path := r.When.Command
	if q.agent || len(r.When.Args) == 0 {
		return nil, nil, false
	}
	from, inside := len(path), 0
	if sharedPrefix(path, q.words) < len(path) {
		from, inside = 0, len(path)
	}
	if !q.read(r, from, inside, false) {
		return nil, nil, false
	}
	if first, ok = q.fitRead(r, inside, nil); !ok {
		return nil, nil, false
	}
	q.read(r, from, inside, true)
	if second, ok = q.fitRead(r, inside, nil); !ok || slices.Equal(first, second) {
		return nil, nil, false
	}
	return first, second, true
}

// Pending is the scenario, by its index, whose input a terminal collects, and the step that is asked for.
func (e *Engine) Pending(s *State, terminal string) (rule, step int, ok bool) {
	in := s.console(terminal).input
	if in == nil {
		return 0, 0, false
	}
	return in.rule, len(in.values), true
}

// Force is the state after a scenario fired whose conditions did not hold: those on the state are made true first.
// Of effects that are impossible as much is left out as makes the others possible.
func (e *Engine) Force(s *State, terminal string, rule int, captures []Capture) *State {
	for _, g := range e.prog.rules[rule].When.State {
		s = e.Set(s, g.Path, g.Want)
	}
	then := e.prog.rules[rule].Then
	after, r := e.prog.apply(s, rule, &then, captures, nil)
	if r.hard {
		then.Files = nil
		after, r = e.prog.apply(s, rule, &then, captures, nil)
	}
	if r.hard {
		after, r = s, new(Result)
	}
	c := after.console(terminal)
	switch {
	case then.Input != nil:
		c.input = newPending(rule, captures, nil)
	case then.Session != nil:
		c.session = rule + 1
		fallthrough
	default:
		after = e.prog.complete(after, rule, r)
	}
	return after.withConsole(terminal, c)
}

// Set is the state with a value at a dot-path that equals the wanted one; unchanged where that cannot be.
func (e *Engine) Set(s *State, path string, want lab.Value) *State {
	segments, _ := lab.StatePath(path)
	if after, err := s.set(path, want, false); err == nil && !Holds(want, s.Lookup(segments)) {
		return after
	}
	return s
}

// Hard reports whether an effect was impossible, so that nothing of the scenario happened.
func (r *Result) Hard() bool { return r.hard }
