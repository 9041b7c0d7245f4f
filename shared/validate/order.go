package validate

import (
	"slices"
	"strings"

	"asz/shared/content"
	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/sim"
)

// played is one line of the instructions as the learner who follows the sections in order meets it.
type played struct {
	section *section
	fence   *content.Fence
	line    *content.Line
	at      diag.Span
	before  *sim.State   // when the line is typed: questions are answered, a session is left
	after   *sim.State   // what is gone on with: after a problem, as if the line had been taken
	outcome *sim.Outcome // of what was typed
	fits    []int        // the scenarios, by index, that take in some state what none takes here
	fired   []int        // those that it fired
	problem bool         // nothing takes all of it here
	told    bool         // … and it has a finding of its own, at this place; otherwise another one explains it
}

// walk follows the sections.
type walk struct {
	*Check
	state   *sim.State
	openers map[string]*content.Fence // by terminal: the block whose line asked the open question or began the session
	blocks  []block
	nears   map[string]*near // by terminal and words of a command that no scenario takes
	guessed map[string]bool  // terminals with a line that nothing takes: what it opens is not known
	lost    bool             // there was a line that nothing takes: what it writes is not known
	astray  bool             // … a prompt, or a block without a button: it may be for any scenario
	next    int              // the block that is played
	playing *playing         // nil: none of it is played yet
	gap     bool             // the text of an earlier section is missing: what it does is not known
}

// block is one block with a Run or Save button.
type block struct {
	*content.Fence
	section  *section
	terminal string
	unrun    bool // it has no Run button, and probably should have one, as is reported already
	known    bool // the terminal is one of the lab's; what is wrong of the others is reported already
}

// playing is a block of which some lines are played.
type playing struct {
	fired      map[int]*played // by scenario: the line that fired it
	repeated   map[int]bool
	begun      int      // how many lines were played before
	line       int      // the one that comes next
	first      int      // that with which the command begins that is not complete yet
	unfinished []string // its lines so far
}

// newWalk is at the start of the sections.
func (c *Check) newWalk() *walk {
	w := &walk{Check: c, state: c.engine.Start(), openers: map[string]*content.Fence{}, guessed: map[string]bool{}, nears: map[string]*near{}}
	terminals := c.terminals()
	for i := range c.sections {
		s := &c.sections[i]
		for j := range s.content.Fences {
			b := block{Fence: &s.content.Fences[j], section: s, known: true}
			place, _ := languageOf(s, b.Fence)
			if b.unrun = !b.Run && w.reported[placeOf("fence-language", place)]; !b.Run && !saves(b.Fence) && !b.unrun {
				continue
			}
			if b.terminal = b.Terminal; !slices.Contains(terminals, b.terminal) {
				// The engine plays in a terminal of any name.
				b.known = false
				if near := diag.Nearest(b.terminal, terminals); near != "" {
					b.terminal = near
				}
			}
			w.blocks = append(w.blocks, b)
		}
	}
	return w
}

// lineCost is how many transitions of a search take as long as a line, beside the bytes that it prints.
const lineCost = 2000

// step plays the sections in order, every Save and every line of every Run; it goes on for about n transitions.
func (w *walk) step(n int) (more bool) {
	for ; n > 0; n -= lineCost {
		if w.next == len(w.blocks) {
			// Questions that are still open are answered by a learner, too.
			for _, t := range w.lab.Terminals {
				w.state = w.answered(w.state, t.ID)[0]
			}
			w.end = w.state
			w.misspelt()
			return false
		}
		b := &w.blocks[w.next]
		switch {
		case w.playing == nil && !w.begin(b):
			w.next++
		case w.playing.line < len(b.Lines):
			n -= w.playLine(b)
		default:
			w.finish(b)
			w.next, w.playing = w.next+1, nil
		}
	}
	return true
}

// missingBefore reports whether a section before one names a text that is not there.
func (w *walk) missingBefore(section *lab.Section) bool {
	for i := range w.loaded.Labspace.Sections {
		s := &w.loaded.Labspace.Sections[i]
		if s == section {
			break
		}
		if s.Content == "" && w.loaded.Node(&s.Content) != nil {
			return true
		}
	}
	return false
}

// begin does what a block does before its lines; run is false when it has none.
func (w *walk) begin(b *block) (run bool) {
	w.gap = w.gap || w.missingBefore(b.section.Section)
	if b.unrun {
		w.lost, w.astray, w.guessed[b.terminal] = true, true, true
		return false
	}
	if b.Save != "" {
		w.state, _ = w.engine.Save(w.state, b.terminal, b.Save, b.Text)
		return false
	}
	w.answerElsewhere(w.next)
	w.playing = &playing{fired: map[int]*played{}, repeated: map[int]bool{}, begun: len(w.played)}
	return true
}

// playLine plays the next line of a block, and returns how many bytes it printed.
func (w *walk) playLine(b *block) (printed int) {
	r := w.playing
	l := &b.Lines[r.line]
	if len(r.unfinished) == 0 {
		r.first = r.line
	}
	r.line++
	r.unfinished = append(r.unfinished, l.Text)
	p := w.line(b, l, &b.Lines[r.first], r.unfinished)
	if mode, _, _ := w.engine.Mode(w.state, b.terminal); mode != sim.ModeContinuation {
		r.unfinished = nil
	}
	for _, rule := range p.fired {
		if p.problem || !b.known {
			break
		}
		switch earlier := r.fired[rule]; {
		case earlier == nil:
			r.fired[rule] = p
		case earlier != p && !r.repeated[rule]: // once for each scenario of a block, however often it fires
			r.repeated[rule] = true
			d := w.report("fence-repeats", p.at, "this fires the scenario `"+w.lab.Simulator.Scenarios[rule].ID+"`, as a line above does")
			d.Related = append(d.Related, diag.Related{Span: earlier.at, Message: "the line above"})
		}
	}
	for _, text := range p.outcome.Lines(sim.Stdout) {
		printed += len(text)
	}
	return printed
}

// finish does what a block does after its lines.
func (w *walk) finish(b *block) {
	unfinished := w.playing.unfinished
	if len(unfinished) > 0 {
		p := &w.played[len(w.played)-1]
		w.state, p.outcome = w.engine.End(w.state, b.terminal)
		p.after, p.problem, p.told = w.state, true, b.known
		if b.known {
			why := strings.Join(p.outcome.Lines(sim.Stderr), " ")
			d, _, _ := w.once(group{"fence-impossible", "unfinished " + why, strings.Join(unfinished, "\n")}, p.at, "the command does not end in this block: "+why)
			d.Fix = &diag.Fix{Text: "close the quote"}
		}
	}
	if mode, _, _ := w.engine.Mode(w.state, b.terminal); !b.known && mode != sim.ModeCommand {
		for _, t := range w.lab.Terminals {
			w.guessed[t.ID] = true // it should have been opened in one of these
		}
	}
	for j := w.playing.begun; j < len(w.played); j++ {
		p := &w.played[j]
		exit := p.outcome.Exit()
		for _, step := range p.outcome.Completed() {
			if exit != 0 && !p.problem {
				w.once(group{"step-exit", "", step}, p.at, "this completes the step `"+step+"` and exits "+string(lab.Int(exit).AppendText(nil)))
			}
		}
	}
}

// line plays one line; first is the one that its command begins with, whole are the lines of that.
func (w *walk) line(b *block, l, first *content.Line, whole []string) *played {
	ways := w.ways(b, l)
	p, choices := w.tryAll(b, l, ways)
	if p.problem && len(p.fits) > 0 {
		for _, aided := range w.aided(b.terminal) {
			here := w.state
			w.state = aided
			if q, its := w.tryAll(b, l, w.ways(b, l)); !q.problem {
				p, choices = q, its
				break
			}
			w.state = here
		}
	}
	p.at = b.section.span(first.Start, l.End)
	if p.problem {
		text := ways[0].text
		if first != l {
			text = strings.Join(whole, "\n")
		}
		w.unmatched(b, p, choices, text)
	} else if b.known {
		w.ambiguous(p.at, choices)
	}
	w.note(b, p)
	w.state = p.after
	w.played = append(w.played, *p)
	return &w.played[len(w.played)-1]
}

// tryAll types a line in the first way in which it is taken, else in the most likely one.
func (w *walk) tryAll(b *block, l *content.Line, ways []way) (p *played, choices []sim.Choice) {
	for _, way := range ways {
		if p, choices = w.try(b, l, way); !p.problem {
			return p, choices
		}
	}
	if len(ways) > 1 {
		p, choices = w.try(b, l, ways[0])
	}
	return p, choices
}

// aided are the states to which the text may tell a learner to go with what is no block: a control that is turned, a
// CI run that is run again.
func (w *walk) aided(terminal string) []*sim.State {
	out := []*sim.State{w.state}
	for i := range w.lab.Simulator.Controls {
		c := &w.lab.Simulator.Controls[i]
		turned, o := w.engine.SetControl(w.state, terminal, c.ID, !w.engine.ControlOn(w.state, c))
		if o.Exit() == 0 {
			out = append(out, turned)
		}
	}
	for _, s := range out {
		if again, o := w.engine.Rerun(s, terminal, 0); o.Exit() == 0 {
			out = append(out, again)
		}
	}
	return out[1:]
}

// way is one way to come to a line: the state before it, and what is typed there.
type way struct {
	state *sim.State
	text  string
}

// ways are those in which a learner may type a line here, the most likely first.
func (w *walk) ways(b *block, l *content.Line) []way {
	mode, _, _ := w.engine.Mode(w.state, b.terminal)
	sameBlock := w.openers[b.terminal] == b.Fence
	var out []way
	for _, text := range w.texts(b, l) {
		switch {
		case mode == sim.ModeContinuation, sameBlock && mode != sim.ModeCommand:
			out = append(out, way{w.state, text})
		case mode == sim.ModeInput:
			for _, answered := range w.answered(w.state, b.terminal) {
				out = append(out, w.atPrompt(b, answered, text)...)
			}
		default:
			out = append(out, w.atPrompt(b, w.state, text)...)
		}
	}
	if mode == sim.ModeInput && !sameBlock && !w.isCommand(b.terminal, l.Text) {
		out = append(out, way{w.state, l.Text}) // the line is the answer
	}
	return out
}

// atPrompt are the ways where no question is open.
func (w *walk) atPrompt(b *block, s *sim.State, text string) []way {
	here := way{s, text}
	if mode, _, _ := w.engine.Mode(s, b.terminal); mode != sim.ModeSession || b.Prompt {
		return []way{here}
	}
	left, _ := w.engine.Type(s, b.terminal, "/exit")
	if strings.HasPrefix(text, "!") || isLeaving(text) {
		return []way{here, {left, text}}
	}
	return []way{{left, text}, here}
}

// try types a line. Of a prompt that is not said to an agent nothing counts.
func (w *walk) try(b *block, l *content.Line, from way) (*played, []sim.Choice) {
	p := &played{section: b.section, fence: b.Fence, line: l, before: from.state}
	mode, _, _ := w.engine.Mode(from.state, b.terminal)
	var choices []sim.Choice
	p.after, p.outcome, choices = w.engine.Trace(from.state, b.terminal, from.text)
	if b.Prompt && mode == sim.ModeCommand {
		p.problem = true
		return p, nil
	}
	for _, choice := range choices {
		if choice.Rule >= 0 {
			p.fired = append(p.fired, choice.Rule)
		} else if !choice.Builtin() {
			p.problem = true
			for _, fit := range choice.Fits() {
				p.fits = append(p.fits, fit.Rule)
			}
		}
	}
	if len(choices) == 0 && p.outcome.Exit() == 2 && mode != sim.ModeInput {
		p.problem = true // no list of commands
	}
	if !p.problem && slices.ContainsFunc(p.outcome.Results, (*sim.Result).Hard) {
		// The search tells of it. Go on as far as the effects are possible.
		p.after = from.state
		for _, choice := range choices {
			if choice.Rule >= 0 {
				p.after = w.engine.Force(p.after, b.terminal, choice.Rule, choice.Captures)
			}
		}
	}
	return p, choices
}

// ambiguous warns of a line whose flags can be read in two ways (labs.md E4).
func (w *walk) ambiguous(at diag.Span, choices []sim.Choice) {
	for _, choice := range choices {
		if choice.Rule < 0 {
			continue
		}
		first, second, _ := choice.Ambiguous(choice.Rule)
		for i := range first {
			if a, b := first[i], second[i]; a != b {
				w.report("flag-ambiguous", at, "the flags of this line can be read in two ways: "+argument(a.Name)+" is `"+a.Value+"` or `"+b.Value+"`")
				return
			}
		}
	}
}

// note remembers which block opened what is open now.
func (w *walk) note(b *block, p *played) {
	was, _, _ := w.engine.Mode(p.before, b.terminal)
	mode, _, _ := w.engine.Mode(p.after, b.terminal)
	switch {
	case mode == sim.ModeCommand:
		delete(w.openers, b.terminal)
	case mode != was && mode != sim.ModeContinuation && was != sim.ModeInput:
		w.openers[b.terminal] = b.Fence
	}
}

// mostTexts bounds how many texts of one line are tried.
const mostTexts = 8

// texts are what a line may be when the reader has pressed the buttons that set its variables. What stands there at
// first comes first, unless it is but the name of a variable without a value.
func (w *walk) texts(b *block, l *content.Line) []string {
	source := b.section.source.Text
	if open, _ := w.settable(b.section, l.Start, l.End); !open || strings.Contains(source[l.Start:l.End], "\n") {
		return []string{l.Text}
	}
	texts, unset, at := []string{""}, false, l.Start
	for _, u := range b.section.content.Uses {
		if u.Kind != "text" || u.Start < at || u.End > l.End {
			continue
		}
		values := w.buttons[u.Name]
		i := slices.IndexFunc(w.lab.Variables, func(v lab.Variable) bool { return v.Name == u.Name })
		switch {
		case i >= 0:
			values = append([]string{w.lab.Variables[i].Text}, values...)
		case len(values) == 0:
			values = []string{u.Name}
		default:
			unset = true
		}
		var longer []string
		for _, value := range values {
			for _, text := range texts {
				longer = append(longer, text+source[at:u.Start]+value)
			}
		}
		texts, at = longer[:min(len(longer), mostTexts)], u.End
	}
	for i := range texts {
		texts[i] += source[at:l.End]
	}
	if unset {
		return append(texts, l.Text)
	}
	return append([]string{l.Text}, texts...)
}
