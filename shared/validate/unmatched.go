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
		words[i] = quoted(words[i])
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
	d := u.say("fence-too-early", s.ID+" wants "+miss.Name, "nothing takes "+name(q)+" here: the scenario `"+s.ID+"` wants `"+miss.Name+"` to be "+miss.Want+", and it is "+miss.Got)
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
	key := u.terminal + "\x00" + strings.Join(q.Words(), "\x00")
	if q.Words() == nil {
		key = "\x00" + key + u.played.line.Text
	}
	if known, ok := u.nears[key]; ok {
		return known
	}
	n := u.seek(q)
	u.nears[key] = n
	return n
}

func (u *unmatched) seek(q *sim.Prepared) *near {
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
		if points *= 2; points > 0 && !slices.ContainsFunc(u.lab.Simulator.Scenarios[i].When.State, func(g lab.Guard) bool { return !u.holds(g) }) {
			points++ // it would fire here
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

// isCommand reports whether a line is what scenarios take in some state, or would be but for one word, so that it is
// rather a command with a mistake than the answer to a question.
func (w *walk) isCommand(terminal, line string) bool {
	const shortest = 4 // shorter words are alike by chance
	commands := w.engine.PrepareAll(terminal, line)
	if possible(commands) {
		return true
	}
	for _, q := range commands {
		for i := range w.lab.Simulator.Scenarios {
			var n near
			if misspelt(&n, w.lab.Simulator.Scenarios[i].When.Command, q.Words()) > 0 && len(n.bad) >= shortest {
				return true
			}
		}
	}
	return false
}

// nothingFits tells of a command that no scenario takes in any state.
func (u *unmatched) nothingFits(q *sim.Prepared, n *near) {
	reason := "command " + strings.Join(q.Words(), " ")
	if n != nil && n.miss.Condition == "terminal" {
		reason = "in " + u.terminal + " " + reason
	}
	say := func(message string) *diag.Diagnostic {
		return u.say("fence-impossible", reason, "nothing takes "+name(q)+message)
	}
	switch {
	case q.Words() == nil:
		reason = "prompt " + u.terminal + " " + u.played.line.Text
		message := ": no agent scenario matches it"
		if n != nil && n.miss.Condition == "terminal" {
			message = " in the terminal `" + u.terminal + "`: only in `" + n.miss.Want + "` it is answered"
		} else if n != nil {
			message = ": the scenario `" + u.lab.Simulator.Scenarios[n.rule].ID + "` wants `" + n.miss.Want + "`"
		}
		say(message)
		return
	case n == nil:
		say(": no scenario is for it")
		return
	}
	id := u.lab.Simulator.Scenarios[n.rule].ID
	switch n.miss.Condition {
	case "terminal":
		d := say(" in the terminal `" + u.terminal + "`: the scenario `" + id + "` takes it in `" + n.miss.Want + "` only")
		d.Fix = &diag.Fix{Text: "name the terminal in the block: `terminal-id=" + n.miss.Want + "`"}
	case "args":
		should := n.miss.Want
		if should == "" {
			should = "empty"
		}
		say(": for the scenario `" + id + "` " + argument(n.miss.Name) + " should be " + should + ", and is " + n.miss.Got)
	case "command":
		d := say(": no scenario is for it")
		d.Fix = &diag.Fix{Text: "did you mean `" + n.word + "`?"}
		if text := u.at.Text(); strings.Count(text, n.bad) == 1 {
			i := strings.Index(text, n.bad)
			d.Fix.Edits = []diag.Edit{{Span: u.at.Sub(i, i+len(n.bad)), New: n.word}}
		}
	default:
		say(": the scenario `" + id + "` wants `" + n.miss.Want + "` after `" + strings.Join(u.lab.Simulator.Scenarios[n.rule].When.Command, " ") + "`")
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
