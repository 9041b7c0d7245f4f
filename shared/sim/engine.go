// Package sim is the lab engine: it decides what a typed line does. It is pure:
// a State and a line give a new State and an Outcome, the same on every
// platform, with no clock, no randomness and no I/O.
package sim

import (
	"errors"
	"strings"

	"asz/shared/lab"
)

// Engine plays one lab. It holds no state of its own, so one serves many
// States.
type Engine struct {
	prog  *program
	start *State
	probe func(q *Prepared, s *State) // told of each selection, when explaining
}

// New prepares a lab. It fails when the lab's initial files contradict each other.
func New(l *lab.Lab) (*Engine, error) {
	if len(l.Terminals) == 0 {
		return nil, errors.New("the lab has no terminal")
	}
	start := &State{tree: l.Simulator.State}
	if start.tree.Kind() != lab.KindMap {
		start.tree = lab.EmptyMap()
	}
	for _, f := range l.Files {
		var err error
		if start.files, err = start.files.Write(f.Path, f.Text); err != nil {
			return nil, errors.New("the lab's file `" + f.Path + "`: " + err.Error())
		}
	}
	return &Engine{prog: newProgram(l), start: start}, nil
}

// Lab is what the engine plays.
func (e *Engine) Lab() *lab.Lab { return e.prog.lab }

// Start is the state in which a lab begins.
func (e *Engine) Start() *State { return e.start }

// Prepare takes one command (not a list, not a session's prompt) apart; it is
// nil for a line without exactly one command. With Select a search pays for the
// words of a line once.
func (e *Engine) Prepare(terminal, line string) *Prepared {
	x := lex(line)
	list, bad := e.prog.list(x.tokens)
	if x.open != 0 || bad != "" || len(list) != 1 {
		return nil
	}
	return e.prog.prepareCommand(terminal, list[0].words)
}

// PreparePrompt does for an agent prompt what Prepare does for a command.
func (e *Engine) PreparePrompt(terminal, prompt string) *Prepared {
	return e.prog.preparePrompt(terminal, prompt)
}

// list makes commands of a whole line; bad is the operator that stands alone.
func (p *program) list(tokens []token) (list []command, bad string) {
	path, n := p.operatorPath(tokens)
	return split(path, tokens[n:])
}

// Mode tells what a terminal takes next, with its prompt.
func (e *Engine) Mode(s *State, terminal string) (mode Mode, prompt string, mask bool) {
	c := s.console(terminal)
	switch {
	case c.input != nil:
		step := e.prog.rules[c.input.rule].Then.Input.Steps[len(c.input.values)]
		return ModeInput, step.Prompt, step.Mask
	case c.partial != nil:
		return ModeContinuation, "> ", false
	case c.session != 0:
		return ModeSession, e.prog.rules[c.session-1].Then.Session.Prompt, false
	}
	return ModeCommand, "$ ", false
}

// outcome completes what the results came to with the terminal's new mode.
func (e *Engine) outcome(s *State, terminal string, results ...*Result) *Outcome {
	o := &Outcome{Results: results, prog: e.prog}
	for _, r := range results {
		o.Turn = o.Turn || r.said
	}
	o.Mode, o.Prompt, o.Mask = e.Mode(s, terminal)
	return o
}

// Type does what one typed line does in a terminal: a command, a prompt to an
// agent, an answer, or the rest of an unfinished command.
func (e *Engine) Type(s *State, terminal, line string) (*State, *Outcome) {
	c := s.console(terminal)
	var results []*Result
	switch {
	case c.input != nil:
		s, results = e.answer(s, terminal, line)
	case c.partial != nil:
		s, results = e.run(s, terminal, *c.partial+"\n"+line)
	case c.session == 0:
		s, results = e.run(s, terminal, line)
	case strings.HasPrefix(line, "!"):
		s, results = e.run(s, terminal, line[1:])
	default:
		s, results = e.say(s, terminal, line)
	}
	return s, e.outcome(s, terminal, results...)
}

// run runs a command line: a list of commands, or the beginning of one.
func (e *Engine) run(s *State, terminal, line string) (*State, []*Result) {
	c := s.console(terminal)
	x := lex(line)
	c.partial = nil
	if x.open != 0 {
		c.partial = &line
		return s.withConsole(terminal, c), nil
	}
	s = s.withConsole(terminal, c)
	if len(x.tokens) == 0 {
		return s, nil
	}
	s = s.ran(line)
	list, bad := e.prog.list(x.tokens)
	if bad != "" {
		return s, []*Result{failure(2, "syntax error near unexpected token `"+bad+"'")}
	}
	var results []*Result
	exit, size := 0, 0
	for i := range list {
		if after := list[i].after; after == "&&" && exit != 0 || after == "||" && exit == 0 {
			continue
		}
		r := new(Result)
		var opened bool
		s, r, opened = e.command(s, terminal, list[i].words)
		results = append(results, r)
		if exit = r.Exit; opened {
			break
		}
		if size += r.size + lineCost; size > maxText {
			return s, append(results, failure(1, "the output of the line is longer than 8 MB; the rest does not run"))
		}
	}
	return s, results
}

// command runs one command; opened reports that it opened a session or input.
func (e *Engine) command(s *State, terminal string, words []string) (after *State, r *Result, opened bool) {
	rule, captures := e.choose(e.prog.prepareCommand(terminal, words), s)
	if rule < 0 {
		if r, ok := builtin(s, words); ok {
			return s, r, false
		}
		return s, e.prog.unmatched(s), false
	}
	s, r, ok := e.fire(s, terminal, rule, captures)
	session := e.prog.rules[rule].Then.Session
	if !ok || session == nil {
		return s, r, ok && e.prog.rules[rule].Then.Input != nil
	}
	if prompt, ok := oneShot(words); ok {
		var t *Result
		s, t = e.turn(s, terminal, prompt)
		r.Exit, r.Turn, r.said = t.Exit, t.Scenario, true
		r.Completed = append(r.Completed, t.Completed...)
		r.Changes = join(r.Changes, t.Changes)
		r.pieces = append(r.pieces, t.pieces...)
		return s, r, s.console(terminal).input != nil
	}
	c := s.console(terminal)
	c.session = rule + 1
	r.say(Stdout, banner(e.prog.lab.Title)...)
	r.say(Stdout, session.Intro...)
	return s.withConsole(terminal, c), r, true
}

func (e *Engine) choose(q *Prepared, s *State) (rule int, captures []Capture) {
	if e.probe != nil {
		e.probe(q, s)
	}
	return q.Select(s)
}

// fire applies a rule's effects and opens its input; ok is false on a hard error.
func (e *Engine) fire(s *State, terminal string, rule int, captures []Capture) (after *State, r *Result, ok bool) {
	then := &e.prog.rules[rule].Then
	s, r = e.prog.apply(s, rule, then, captures, nil)
	if r.hard {
		return s, r, false
	}
	if then.Input == nil {
		return e.prog.complete(s, rule, r), r, true
	}
	c := s.console(terminal)
	c.input = newPending(rule, captures, nil)
	return s.withConsole(terminal, c), r, true
}

// say is one line typed to an agent.
func (e *Engine) say(s *State, terminal, line string) (*State, []*Result) {
	switch strings.TrimSpace(line) {
	case "":
		return s, nil
	case "/exit", "/quit":
		c := s.console(terminal)
		r := new(Result)
		r.say(Stdout, e.prog.rules[c.session-1].Then.Session.Outro...)
		c.session = 0
		return s.withConsole(terminal, c), []*Result{r}
	}
	s, r := e.turn(s, terminal, line)
	return s, []*Result{r}
}

// turn lets the agent answer one prompt.
func (e *Engine) turn(s *State, terminal, prompt string) (*State, *Result) {
	rule, _ := e.choose(e.prog.preparePrompt(terminal, prompt), s)
	r := e.prog.unmatchedAgent(s)
	if rule >= 0 {
		s, r, _ = e.fire(s, terminal, rule, nil)
	}
	r.said = true
	return s, r
}

// answer is one line given to an input.
func (e *Engine) answer(s *State, terminal, line string) (*State, []*Result) {
	switch strings.TrimSpace(line) {
	case "/cancel", "/exit", "/quit":
		return e.abort(s, terminal)
	}
	c := s.console(terminal)
	in := c.input
	spec := e.prog.rules[in.rule].Then.Input
	values := append(in.values[:len(in.values):len(in.values)], Capture{spec.Steps[len(in.values)].Key, line})
	if len(values) < len(spec.Steps) {
		c.input = newPending(in.rule, in.captures, values)
		return s.withConsole(terminal, c), []*Result{{}}
	}
	c.input = nil
	s = s.withConsole(terminal, c)
	s, r := e.prog.apply(s, in.rule, &spec.Then, in.captures, values)
	if !r.hard {
		s = e.prog.complete(s, in.rule, r)
	}
	return s, []*Result{r}
}

// abort gives an input up.
func (e *Engine) abort(s *State, terminal string) (*State, []*Result) {
	c := s.console(terminal)
	c.input = nil
	return s.withConsole(terminal, c), []*Result{{Exit: 130}}
}

// Interrupt is Ctrl-C: it gives up an input or an unfinished line.
func (e *Engine) Interrupt(s *State, terminal string) (*State, *Outcome) {
	c := s.console(terminal)
	c.input, c.partial = nil, nil
	s = s.withConsole(terminal, c)
	return s, e.outcome(s, terminal, &Result{Exit: 130})
}

// End is the end of a block of lines: a command that is still unfinished is
// dropped with a message.
func (e *Engine) End(s *State, terminal string) (*State, *Outcome) {
	c := s.console(terminal)
	if c.partial == nil {
		return s, e.outcome(s, terminal)
	}
	reason := "after `\\`"
	if open := lex(*c.partial).open; open != '\\' {
		reason = "while looking for matching `" + string(open) + "'"
	}
	s = s.ran(*c.partial)
	c.partial = nil
	s = s.withConsole(terminal, c)
	return s, e.outcome(s, terminal, failure(2, "syntax error: unexpected end of input "+reason))
}

// SetControl turns a control on or off (simulator.md 11).
func (e *Engine) SetControl(s *State, terminal, id string, on bool) (*State, *Outcome) {
	i, ok := e.prog.controls[id]
	if !ok {
		return s, e.outcome(s, terminal, failure(1, "there is no control `"+id+"`"))
	}
	c := &e.prog.lab.Simulator.Controls[i]
	value := c.Off
	if on {
		value = c.On
	}
	after, err := s.set(c.State, value, false)
	if err != nil {
		return s, e.outcome(s, terminal, failure(1, "lab error in control `"+id+"`: "+err.Error()))
	}
	return after, e.outcome(after, terminal, &Result{Changes: Changes{State: []string{c.State}}})
}

// ControlOn reports whether a control stands at its enabled value.
func (e *Engine) ControlOn(s *State, c *lab.Control) bool {
	segments, _ := lab.StatePath(c.State)
	return lab.Equal(s.Lookup(segments), c.On)
}

// Save writes a file, as a Save button does.
func (e *Engine) Save(s *State, terminal, path, text string) (*State, *Outcome) {
	files, err := s.files.Write(path, text)
	if err != nil {
		return s, e.outcome(s, terminal, failure(1, "cannot save `"+path+"`: "+err.Error()))
	}
	s = s.withFiles(files)
	return s, e.outcome(s, terminal, &Result{Changes: Changes{Files: []string{path}}})
}

// Rerun runs the workflow of CI run number n again, of the newest for n = 0.
func (e *Engine) Rerun(s *State, terminal string, n int) (*State, *Outcome) {
	after, run, err := e.prog.rerun(s, n)
	if err != nil {
		return s, e.outcome(s, terminal, failure(1, err.Error()))
	}
	return after, e.outcome(after, terminal, &Result{Changes: Changes{State: []string{runsPath}, Run: run}})
}

// oneShot finds `-p TEXT` or `--prompt TEXT` among the words of a command.
func oneShot(words []string) (prompt string, ok bool) {
	for i, w := range words[1:] {
		if w == "--" {
			return "", false
		}
		name, value, has := strings.Cut(w, "=")
		if name != "-p" && name != "--prompt" {
			continue
		}
		if !has && i+2 < len(words) {
			return words[i+2], true
		}
		return value, has
	}
	return "", false
}

func (p *program) unmatched(s *State) *Result {
	f := p.lab.Simulator.Defaults.Unmatched
	if f == nil {
		return failure(127, "command not found — this command is not simulated in this lab.")
	}
	return fallback(f, 127, s)
}

func (p *program) unmatchedAgent(s *State) *Result {
	f := p.lab.Simulator.Defaults.UnmatchedAgent
	if f == nil {
		r := new(Result)
		r.say(Stdout, "Agent: I'm not sure how to help with that in this lab.")
		return r
	}
	return fallback(f, 0, s)
}

// fallback shows what the lab's defaults say when nothing matched.
func fallback(f *lab.Fallback, exit int, s *State) *Result {
	if f.Exit != nil {
		exit = *f.Exit
	}
	return &Result{Exit: exit, pieces: []piece{{output: f.Output, stderr: f.Stderr, scope: scope{state: s}}}}
}

// banner greets at the start of an agent session.
func banner(title string) []string {
	return []string{
		`      ___`,
		`   .-'   '-.     \/`,
		`  /  o      \___//`,
		`  \_____________/   ` + title,
		`~~~~~~~~~~~~~~~~~~~~~~`,
		"This is a scripted environment: the lab's author wrote every reply, no model is running.",
		"",
	}
}
