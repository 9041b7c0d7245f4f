package validate

import (
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/sim"
)

// unmatched tells of a line that nothing takes where it stands, and finds how to go on as if it had been taken, so
// that one mistake is one finding.
func (w *walk) unmatched(b *block, p *played, whole string) {
	u := &unmatched{walk: w, block: b, played: p, state: p.before}
	u.quiet = !b.known || w.settable(b.section, p.line.Start, p.line.End)
	mode, _, _ := w.engine.Mode(p.before, b.terminal)
	if mode == sim.ModeContinuation {
		u.state, _ = w.engine.Interrupt(u.state, b.terminal)
	}
	command, escaped := strings.CutPrefix(whole, "!")
	if b.Prompt && mode == sim.ModeCommand {
		if isLeaving(whole) || !u.openSession() {
			u.say(u.tooEarly, u.noSession())
			p.after = u.state
			return
		}
		mode = sim.ModeSession
	} else if escaped && mode == sim.ModeCommand {
		u.say(u.tooEarly, u.noSession())
	}
	commands := w.engine.PrepareAll(b.terminal, command)
	if mode == sim.ModeSession && !escaped {
		prompt := w.engine.PreparePrompt(b.terminal, whole)
		if b.Prompt || len(prompt.Fits()) > 0 || !possible(commands) {
			commands = []*sim.Prepared{prompt}
		} else {
			u.say(u.tooEarly, "an agent session is open in the terminal `"+b.terminal+"` here, and the agent does not know this prompt: a command needs `/exit` before it, or `!` in front")
			u.state, _ = w.engine.Type(u.state, b.terminal, "/exit")
		}
	}
	if len(commands) == 0 {
		u.say(u.impossible, "this is no command line: "+strings.Join(p.outcome.Lines(sim.Stderr), " "))
	}
	p.fits = nil
	for _, q := range commands {
		u.take(q)
	}
	u.say(u.tooEarly, u.noSession()) // all of it is taken once a session is open
	p.after = u.state
}

// unmatched is one line that nothing takes.
type unmatched struct {
	*walk
	*block
	*played
	state *sim.State // what the learner would have come to
	quiet bool       // it is reported already, or what it will be is open
}

// say reports the line, once.
func (u *unmatched) say(report func(string) *diag.Diagnostic, message string) *diag.Diagnostic {
	if u.quiet {
		return new(diag.Diagnostic)
	}
	u.quiet = true
	return report(message)
}

func (u *unmatched) impossible(message string) *diag.Diagnostic {
	return u.report("fence-impossible", u.at, message)
}

func (u *unmatched) tooEarly(message string) *diag.Diagnostic {
	return u.report("fence-too-early", u.at, message)
}

func (u *unmatched) noSession() string {
	return "no agent session is open in the terminal `" + u.terminal + "` here"
}

// openSession lets the first scenario that opens a session in the terminal fire, if possible one that fires here.
func (u *unmatched) openSession() bool {
	opener := -1
	for i := range u.lab.Simulator.Scenarios {
		s := &u.lab.Simulator.Scenarios[i]
		if s.Then.Session == nil || s.When.Terminal != "" && s.When.Terminal != u.terminal {
			continue
		}
		if opener < 0 {
			opener = i
		}
		if !slices.ContainsFunc(s.When.State, func(g lab.Guard) bool {
			return !sim.Holds(g.Want, u.state.Lookup(strings.Split(g.Path, ".")))
		}) {
			opener = i
			break
		}
	}
	if opener < 0 {
		u.say(u.impossible, "no scenario opens an agent session in the terminal `"+u.terminal+"`, so nothing takes this prompt")
		return false
	}
	u.state = u.engine.Force(u.state, u.terminal, opener, nil)
	return true
}

// take goes on as if a command or prompt had been taken, and tells why it is not.
func (u *unmatched) take(q *sim.Prepared) {
	rule, captures := q.Select(u.state)
	fits := q.Fits()
	for _, fit := range fits {
		u.fits = append(u.fits, fit.Rule)
	}
	switch {
	case rule >= 0:
	case q.Builtin():
		return
	case len(fits) > 0:
		fit := u.meant(fits)
		rule, captures = fit.Rule, fit.Captures
		u.guarded(q, fits, rule)
	default:
		near := u.nearest(q)
		u.nothingFits(q, near)
		if near == nil {
			return
		}
		rule = near.rule
	}
	u.state = u.engine.Force(u.state, u.terminal, rule, captures)
}

// meant is the one of several scenarios that the instructions are probably about: one that completes a step, or that
// succeeds.
func (u *unmatched) meant(fits []sim.Fit) sim.Fit {
	best, points := fits[0], -1
	for _, fit := range fits {
		s, n := &u.lab.Simulator.Scenarios[fit.Rule], 0
		if s.Completes != "" {
			n += 2
		}
		if s.Then.Exit == nil || *s.Then.Exit == 0 {
			n++
		}
		if n > points {
			best, points = fit, n
		}
	}
	return best
}

// possible reports whether each of the commands can be taken in some state.
func possible(commands []*sim.Prepared) bool {
	for _, q := range commands {
		if !q.Builtin() && len(q.Fits()) == 0 {
			return false
		}
	}
	return len(commands) > 0
}

func isLeaving(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return prompt == "/exit" || prompt == "/quit"
}

// guarded tells of a command that fits, in a state in which the conditions of the rule that was meant do not hold.
func (u *unmatched) guarded(q *sim.Prepared, fits []sim.Fit, rule int) {
	never, told := 0, u.quiet
	var roots []group
	for _, fit := range fits {
		waits := false
		for _, g := range u.lab.Simulator.Scenarios[fit.Rule].When.State {
			if u.unfixed[g.Path] {
				roots = append(roots, group{"state-unwritten", "", g.Path})
			}
			waits = waits || u.unfixed[g.Path]
			u.quiet = u.quiet || u.unfixed[g.Path] || u.unrun && isRun(g.Path) // that nothing writes it is reported
		}
		if waits {
			never++
		}
	}
	if never == len(fits) && !told {
		u.foldInto(roots[0])
	}
	if u.quiet {
		return
	}
	s, miss := &u.loaded.Lab.Simulator.Scenarios[rule], u.misses(q)[rule]
	d := u.say(u.tooEarly, "nothing takes "+name(q)+" here: the scenario `"+s.ID+"` wants `"+miss.Name+"` to be "+miss.Want+", and it is "+miss.Got)
	for i := range s.When.State {
		if g := &s.When.State[i]; g.Path == miss.Name {
			at, _ := u.value(&g.Path)
			d.Related = append(d.Related, diag.Related{Span: at, Message: "the condition that does not hold"})
			return
		}
	}
}

// misses is why each scenario does not take a command, by index.
func (u *unmatched) misses(q *sim.Prepared) map[int]sim.Miss {
	out := map[int]sim.Miss{}
	all := q.Explain(u.state)
	for i := range u.lab.Simulator.Scenarios {
		if len(all) == 0 {
			break
		}
		// Explain lists the scenarios for commands, or for prompts, in this order.
		if u.lab.Simulator.Scenarios[i].When.Agent == (q.Words() == nil) {
			out[i], all = all[0], all[1:]
		}
	}
	return out
}

// name is what messages call a command or prompt.
func name(q *sim.Prepared) string {
	if q.Words() == nil {
		return "this prompt"
	}
	text := strings.Join(q.Words(), " ")
	if len(text) > 60 || strings.Contains(text, "\n") {
		return "this command"
	}
	return "`" + text + "`"
}

// near is the scenario that a line was probably meant for.
type near struct {
	rule int
	miss sim.Miss
	word string // for a misspelt word of the path: the right one
	bad  string // … and what stands there
}

// nearest finds the scenario that comes nearest to a command that fits none, nil when none is near: one that fails
// by its terminal, by an argument, or by a misspelt word of its path.
func (u *unmatched) nearest(q *sim.Prepared) *near {
	misses := u.misses(q)
	var best *near
	score := 0
	for i := range u.lab.Simulator.Scenarios {
		miss, ok := misses[i]
		if !ok {
			continue
		}
		n, points := &near{rule: i, miss: miss}, 0
		path := u.lab.Simulator.Scenarios[i].When.Command
		switch miss.Condition {
		case "terminal":
			points = 1000 + len(path)
		case "args":
			points = 500 + len(path)
		case "prompt", "promptContains":
			if q.Words() != nil {
				points = 500 + len(path)
			} else if diag.Nearest(miss.Got, []string{miss.Want}) != "" {
				points = 1
			}
		case "command":
			points = misspelt(n, path, q.Words())
		}
		if points > score {
			best, score = n, points
		}
	}
	return best
}

// misspelt is how much of a path the words hold when one of them is misspelt, 0 when more is wrong.
func misspelt(n *near, path, words []string) int {
	if len(path) > len(words) {
		return 0
	}
	for i, want := range path {
		switch {
		case words[i] == want:
		case n.word == "" && diag.Nearest(words[i], []string{want}) != "":
			n.word, n.bad = want, words[i]
		default:
			return 0
		}
	}
	return len(path)
}

// nothingFits tells of a command that no scenario takes in any state.
func (u *unmatched) nothingFits(q *sim.Prepared, n *near) {
	switch {
	case n == nil && q.Words() == nil:
		u.say(u.impossible, "nothing takes this prompt: no agent scenario matches it")
		return
	case n == nil:
		u.say(u.impossible, "nothing takes "+name(q)+": no scenario is for it")
		return
	}
	id := u.lab.Simulator.Scenarios[n.rule].ID
	switch n.miss.Condition {
	case "terminal":
		d := u.say(u.impossible, "nothing takes "+name(q)+" in the terminal `"+u.terminal+"`: the scenario `"+id+"` takes it in `"+n.miss.Want+"` only")
		d.Fix = &diag.Fix{Text: "name the terminal in the block: `terminal-id=" + n.miss.Want + "`"}
	case "args":
		u.say(u.impossible, "nothing takes "+name(q)+": for the scenario `"+id+"` "+argument(n.miss.Name)+" should be "+n.miss.Want+", and is "+n.miss.Got)
	case "command":
		d := u.say(u.impossible, "nothing takes "+name(q)+": no scenario is for it")
		d.Fix = &diag.Fix{Text: "did you mean `" + n.word + "`?"}
		if text := u.at.Text(); strings.Count(text, n.bad) == 1 {
			i := strings.Index(text, n.bad)
			d.Fix.Edits = []diag.Edit{{Span: u.at.Sub(i, i+len(n.bad)), New: n.word}}
		}
	default:
		u.say(u.impossible, "nothing takes "+name(q)+": the scenario `"+id+"` wants `"+n.miss.Want+"`")
	}
}

// argument is what messages call a flag or positional.
func argument(name string) string {
	if _, position := lab.Atoi(name); position {
		return "argument " + name
	}
	if len(name) == 1 {
		return "the flag `-" + name + "`"
	}
	return "the flag `--" + name + "`"
}

// foldInto adds the line to the finding of the fact for which it waits in vain. It is an error then, as for each line
// that nothing takes.
func (u *unmatched) foldInto(root group) {
	if i, ok := u.groups[root]; ok {
		d := &u.result.Findings[i]
		d.Severity = diag.Error
		d.Related = append(d.Related, diag.Related{Span: u.at, Message: "nothing takes this line of the instructions"})
	}
}
