package validate

import (
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/lab"
	"asz/shared/sim"
)

// unmatched tells of a line that nothing takes where it stands, and finds how to go on as if it had been taken, so
// that one mistake is one finding.
func (w *walk) unmatched(b *block, p *played, choices []sim.Choice, whole string) {
	u := &unmatched{walk: w, block: b, played: p, state: p.before}
	_, u.free = w.settable(b.section, p.line.Start, p.line.End)
	u.quiet = !b.known || u.free
	defer func() { p.after = u.state }()
	mode, _, _ := w.engine.Mode(p.before, b.terminal)
	if mode == sim.ModeContinuation {
		u.state, _ = w.engine.Interrupt(u.state, b.terminal)
	}
	command, escaped := strings.CutPrefix(whole, "!")
	if b.Prompt && mode == sim.ModeCommand {
		opener := u.opener()
		if opener < 0 {
			d := u.say("fence-impossible", "session in "+u.terminal, "no scenario opens an agent session in the terminal `"+u.terminal+"`, so nothing takes this prompt")
			d.Fix = &diag.Fix{Text: "name another terminal in the block, or add a scenario with `session`"}
			u.lost, u.astray = true, true
			return
		}
		if isLeaving(whole) {
			u.noSession()
			return
		}
		u.state = u.engine.Force(u.state, u.terminal, opener, nil)
		mode = sim.ModeSession
		if escaped || len(w.engine.PreparePrompt(b.terminal, whole).Fits()) > 0 {
			u.noSession()
		}
	} else if escaped && mode == sim.ModeCommand {
		u.noSession()
	}
	commands := w.engine.PrepareAll(b.terminal, command)
	if mode == sim.ModeSession && !escaped {
		prompt := w.engine.PreparePrompt(b.terminal, whole)
		if b.Prompt || len(prompt.Fits()) > 0 || !possible(commands) {
			commands = []*sim.Prepared{prompt}
		} else {
			d := u.say("fence-too-early", "leave "+name(commands[0]), "an agent session is open in the terminal `"+b.terminal+"` here, and the agent does not know this prompt")
			d.Fix = &diag.Fix{Text: "let the block end the session with `/exit` before, or put `!` in front of the command"}
			u.state, _ = w.engine.Type(u.state, b.terminal, "/exit")
		}
	}
	if len(commands) == 0 {
		d := u.say("fence-impossible", "list "+whole, "this is no command line: "+strings.Join(p.outcome.Lines(sim.Stderr), " "))
		d.Fix = &diag.Fix{Text: "correct the line"}
	}
	p.fits = nil
	for _, q := range commands {
		u.take(q)
	}
	if mode != sim.ModeSession || escaped {
		u.oneShots(choices)
	}
}

// oneShots looks at the prompts that the commands of a line said to an agent, as with `-p`.
func (u *unmatched) oneShots(choices []sim.Choice) {
	for _, choice := range choices {
		if choice.Words() == nil {
			u.state, _ = u.engine.Type(u.state, u.terminal, "/exit")
			u.take(choice.Prepared)
		}
	}
}

// unmatched is one line that nothing takes.
type unmatched struct {
	*walk
	*block
	*played
	state *sim.State // what the learner would have come to
	quiet bool       // it is reported already, or what it will be is open
	free  bool       // it has a variable that becomes what the reader writes
}

// say reports the line, once; lines that are wrong for the same reason are one finding.
func (u *unmatched) say(code diag.Code, reason, message string) *diag.Diagnostic {
	if u.quiet = u.quiet || u.gap && code == "fence-too-early"; u.quiet {
		return new(diag.Diagnostic)
	}
	u.quiet, u.told = true, true
	if d, first, _ := u.once(group{code, "line", reason}, u.at, message); first {
		return d
	}
	return new(diag.Diagnostic)
}

// noSession tells that no agent listens, unless a line before it probably should have begun the session.
func (u *unmatched) noSession() {
	if u.guessed[u.terminal] {
		u.quiet = true
	}
	delete(u.guessed, u.terminal)
	d := u.say("fence-too-early", "session in "+u.terminal, "no agent session is open in the terminal `"+u.terminal+"` here")
	d.Fix = &diag.Fix{Text: "begin the session in a block before this one"}
}

// opener is the first scenario that opens a session in the terminal, if possible one that fires here; -1 = none.
func (u *unmatched) opener() int {
	opener := -1
	for i := range u.lab.Simulator.Scenarios {
		s := &u.lab.Simulator.Scenarios[i]
		if s.Then.Session == nil || s.When.Terminal != "" && s.When.Terminal != u.terminal {
			continue
		}
		if !slices.ContainsFunc(s.When.State, func(g lab.Guard) bool { return !u.holds(g) }) {
			return i
		}
		if opener < 0 {
			opener = i
		}
	}
	return opener
}

// take goes on as if a command or prompt had been taken, and tells why it is not.
func (u *unmatched) take(q *sim.Prepared) {
	rule, captures := q.Select(u.state)
	terminal, fits := u.terminal, q.Fits()
	if rule < 0 {
		for _, fit := range fits {
			u.fits = append(u.fits, fit.Rule)
		}
	}
	switch {
	case rule >= 0:
	case q.Builtin():
		return
	case len(fits) > 0:
		fit := u.meant(fits)
		rule, captures = fit.Rule, fit.Captures
		u.guarded(q, fits, rule)
		for _, g := range u.lab.Simulator.Scenarios[rule].When.State {
			u.assume(g, map[string]bool{})
		}
	default:
		near := u.nearest(q)
		if u.free && u.known && near != nil && near.word != "" {
			// A misspelt word before the variable is wrong whatever the reader writes.
			before, _, _ := strings.Cut(u.at.Text(), "$$")
			u.quiet = u.quiet && !strings.Contains(before, near.bad)
		}
		if u.free && u.known && near != nil && near.miss.Condition == "args" && near.miss.Got == "absent" {
			if _, positional := lab.Atoi(near.miss.Name); !positional {
				u.quiet = false // no text of a reader is a flag
			}
		}
		u.nothingFits(q, near)
		if near == nil {
			u.lost, u.guessed[u.terminal] = true, true
			u.astray = u.astray || q.Words() == nil
			return
		}
		if near.word != "" {
			u.corrected(q, near)
			return
		}
		rule, u.guessed[u.terminal] = near.rule, true
		if near.miss.Condition == "terminal" {
			terminal = near.miss.Want
		}
	}
	u.state = u.engine.Force(u.state, terminal, rule, captures)
}

// corrected goes on with a command whose misspelt word is put right.
func (u *unmatched) corrected(q *sim.Prepared, n *near) {
	words := slices.Clone(q.Words())
	for i := range words {
		if words[i] == n.bad {
			words[i] = n.word
			break
		}
	}
	for i := range words {
		words[i] = explore.Quote(words[i])
	}
	for _, q := range u.engine.PrepareAll(u.terminal, strings.Join(words, " ")) {
		rule, captures := q.Select(u.state)
		if fits := q.Fits(); rule < 0 && len(fits) > 0 {
			fit := u.meant(fits)
			rule, captures = fit.Rule, fit.Captures
		}
		if rule < 0 {
			rule = n.rule
		}
		u.state = u.engine.Force(u.state, u.terminal, rule, captures)
	}
}

// assume makes true what must have been before a condition came to hold: the conditions of a rule that brings it
// about, and so on. Otherwise each line to which a forgotten one should have led would be a finding of its own.
func (u *unmatched) assume(g lab.Guard, seen map[string]bool) {
	if seen[g.Path] || u.holds(g) || sim.Holds(g.Want, lab.Value{}) {
		return
	}
	seen[g.Path] = true
	producer := u.producer(g)
	if producer < 0 {
		return
	}
	s := &u.lab.Simulator.Scenarios[producer]
	for _, before := range s.When.State {
		if !writes(s, before.Path) && !sim.Holds(before.Want, lab.Value{}) && !u.holds(before) {
			u.assume(before, seen)
			u.state = u.engine.Set(u.state, before.Path, before.Want)
		}
	}
}

func (u *unmatched) holds(g lab.Guard) bool {
	return sim.Holds(g.Want, u.state.Lookup(strings.Split(g.Path, ".")))
}

func writes(s *lab.Scenario, path string) bool {
	return slices.ContainsFunc(effects(s), func(e *lab.Effects) bool {
		return slices.ContainsFunc(e.State, func(d lab.Delta) bool { return d.Path == path })
	})
}

// turned reports whether a control brings a condition about.
func (u *unmatched) turned(g lab.Guard) bool {
	return slices.ContainsFunc(u.lab.Simulator.Controls, func(c lab.Control) bool {
		return c.State == g.Path && (lab.Equal(c.On, g.Want) || lab.Equal(c.Off, g.Want))
	})
}

// producer is the first rule that writes what a condition asks for, -1 = none.
func (u *unmatched) producer(g lab.Guard) int {
	return slices.IndexFunc(u.lab.Simulator.Scenarios, func(s lab.Scenario) bool { return brings(&s, g) })
}

// brings reports whether a scenario writes what a condition asks for.
func brings(s *lab.Scenario, g lab.Guard) bool {
	return slices.ContainsFunc(effects(s), func(e *lab.Effects) bool {
		return slices.ContainsFunc(e.State, func(d lab.Delta) bool {
			return d.Path == g.Path && (lab.Equal(d.Value, g.Want) || strings.Contains(d.Value.Text(), "{{"))
		})
	})
}

// produced reports whether a line before this one fired a rule that writes what a condition asks for.
func (u *unmatched) produced(g lab.Guard) bool {
	return slices.ContainsFunc(u.Check.played, func(p played) bool {
		return slices.ContainsFunc(p.fired, func(rule int) bool { return brings(&u.lab.Simulator.Scenarios[rule], g) })
	})
}

// meant is the one of several scenarios that the instructions are probably about: one whose conditions something brings
// about, that completes a step, that succeeds.
func (u *unmatched) meant(fits []sim.Fit) sim.Fit {
	best, points := fits[0], -1
	for _, fit := range fits {
		s, n := &u.lab.Simulator.Scenarios[fit.Rule], 0
		if !slices.ContainsFunc(s.When.State, func(g lab.Guard) bool { return !u.holds(g) && u.producer(g) < 0 && !u.turned(g) }) {
			n += 4
		}
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
			u.quiet = u.quiet || u.unfixed[g.Path] || u.unmet && isRun(g.Path) // that nothing writes it is reported
		}
		if waits {
			never++
		}
	}
	if never == len(fits) && !told {
		u.foldInto(roots[0], u.at)
	}
	s, miss := &u.loaded.Lab.Simulator.Scenarios[rule], u.misses(q)[rule]
	for _, g := range u.lab.Simulator.Scenarios[rule].When.State {
		if u.lost && g.Path == miss.Name && (u.producer(g) < 0 || u.astray && !u.produced(g)) && !u.turned(g) {
			u.quiet = true // a line before it, which nothing takes, should have written it
		}
	}
	if u.quiet {
		return
	}
	u.noteEarly(fits)
	d := u.say("fence-too-early", s.ID+" wants "+miss.Name, "nothing takes "+name(q)+" here: the scenario `"+s.ID+"` wants `"+miss.Name+"` to be "+miss.Want+", and it is "+miss.Got)
	for i := range s.When.State {
		if g := &s.When.State[i]; g.Path == miss.Name {
			at, _ := u.value(&g.Path)
			d.Related = append(d.Related, diag.Related{Span: at, Message: "the condition that does not hold"})
			return
		}
	}
}

// misspelt finds the lines that were taken only because the path of a condition was put right: as the files stand,
// nothing takes them.
func (w *walk) misspelt() {
	for i := range w.played {
		p := &w.played[i]
		if p.problem || !slices.ContainsFunc(p.fired, func(rule int) bool { return w.putRight(rule) != "" }) {
			continue
		}
		commands := w.engine.PrepareAll(p.fence.Terminal, strings.TrimPrefix(p.line.Text, "!"))
		if p.fence.Prompt && !strings.HasPrefix(p.line.Text, "!") {
			commands = []*sim.Prepared{w.engine.PreparePrompt(p.fence.Terminal, p.line.Text)}
		}
		for _, q := range commands {
			fits := q.Fits()
			if len(fits) > 0 && !slices.ContainsFunc(fits, func(f sim.Fit) bool { return w.putRight(f.Rule) == "" }) {
				w.foldInto(group{"state-unwritten", "", w.putRight(fits[0].Rule)}, p.at)
			}
		}
	}
}

// putRight is the path of a condition that a scenario cannot meet as it is written, "" when there is none.
func (w *walk) putRight(rule int) string {
	fixed := w.lab.Simulator.Scenarios[rule].When.State
	for i, g := range w.loaded.Lab.Simulator.Scenarios[rule].When.State {
		if g.Path != fixed[i].Path && !sim.Holds(g.Want, lab.Value{}) {
			return g.Path
		}
	}
	return ""
}

// foldInto adds a line to the finding of the fact for which it waits in vain. It is an error then, as for each line
// that nothing takes.
func (w *walk) foldInto(root group, line diag.Span) {
	if i, ok := w.groups[root]; ok {
		d := &w.result.Findings[i]
		d.Severity = diag.Error
		d.Related = append(d.Related, diag.Related{Span: line, Message: "nothing takes this line of the instructions"})
	}
}
