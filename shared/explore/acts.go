package explore

import (
	"slices"
	"strconv"
	"strings"

	"asz/shared/lab"
	"asz/shared/sim"
)

const (
	maxTerminals = 2   // beyond these, terminals that no scenario names count as one
	maxInputs    = 200 // inputs in progress that are told apart
)

// makeActs makes everything a learner can do: what the sections offer, what each scenario asks for, and the buttons.
func (m *Model) makeActs() {
	seen := map[string]int{}
	m.lineActs = make([][]int, len(m.lines))
	for i, l := range m.lines {
		for _, text := range m.commandsOf(&l) {
			m.lineActs[i] = append(m.lineActs[i], m.addLine(seen, text.kind, text.text, i, -1))
		}
	}
	for i := range m.lab.Simulator.Scenarios {
		if m.lab.Simulator.Scenarios[i].When.Agent {
			for _, text := range m.promptLines(i) {
				m.addLine(seen, prompt, text, -1, i)
			}
			continue
		}
		lines, cut := m.commandLines(i)
		for _, text := range lines {
			m.addLine(seen, command, text, -1, i)
			for _, n := range m.written[typed{command, text}].acts {
				m.acts[n].cut = m.acts[n].cut || cut
			}
		}
	}
	m.addRemembered(seen)
	m.addButtons()
	for n := 1; n < len(m.inputs); n++ {
		m.addAnswers(n)
	}
	for i := range m.terminals {
		m.acts = append(m.acts,
			&act{kind: leave, text: "/exit", terminals: []int{i}, line: -1},
			&act{kind: cancel, text: "/cancel", terminals: []int{i}, line: -1})
	}
}

// addRemembered makes acts of the lines that conditions look for in the history.
func (m *Model) addRemembered(seen map[string]int) {
	for i := range m.lab.Simulator.Scenarios {
		for _, g := range m.lab.Simulator.Scenarios[i].When.State {
			if path := splitPath(g.Path); path[0] != "history" {
				continue
			}
			for _, v := range append(g.Want.List().Values(), g.Want) {
				if v.Kind() == lab.KindText && strings.TrimSpace(v.Text()) != "" {
					m.addLine(seen, command, v.Text(), -1, -1)
				}
			}
		}
	}
}

// joinTerminals keeps the terminals that scenarios name and one of the others: those are all alike.
func (m *Model) joinTerminals() {
	other, first := false, ""
	m.terminals = slices.DeleteFunc(m.terminals, func(id string) bool {
		if m.names(id) {
			return false
		}
		joined := other
		other = true
		if !joined {
			first = id
		}
		return joined
	})
	m.other = max(0, slices.Index(m.terminals, first))
}

// names reports whether a scenario names a terminal.
func (m *Model) names(terminal string) bool {
	return slices.ContainsFunc(m.lab.Simulator.Scenarios, func(s lab.Scenario) bool { return s.When.Terminal == terminal })
}

type typed struct {
	kind kind
	text string
}

// commandsOf takes a line of the sections apart into what is typed on its own.
func (m *Model) commandsOf(l *Line) []typed {
	text := l.Text
	if l.Prompt {
		said := strings.TrimSpace(text)
		if said == "/exit" || said == "/quit" || said == "" {
			return nil
		}
		if !strings.HasPrefix(text, "!") {
			if joined := strings.Join(strings.Fields(said), " "); strings.Contains(said, "\n") {
				said = joined
			}
			return []typed{{prompt, said}}
		}
		text = text[1:]
	}
	list := m.engine.PrepareAll(m.lab.Terminals[0].ID, text)
	if len(list) == 1 && !strings.Contains(text, "\n") {
		return []typed{{command, text}}
	}
	var out []typed
	for _, q := range list {
		words := make([]string, len(q.Words()))
		for i, w := range q.Words() {
			words[i] = Quote(w)
		}
		out = append(out, typed{command, strings.Join(words, " ")})
	}
	return out
}

// addLine makes acts of a command or prompt: one for each group of terminals in which the same scenarios take it. It
// returns the act of the terminal that the line of the sections names: -1 = nothing takes it there, -2 = a builtin does.
func (m *Model) addLine(seen map[string]int, k kind, text string, line, asked int) (here int) {
	at := 0
	if line >= 0 {
		at = m.terminal(m.lines[line].Terminal)
	}
	here = -1
	if words := strings.Fields(text); k == command && (words[0] == "ls" || words[0] == "cat") {
		here = -2
	}
	if w, again := m.written[typed{k, text}]; again {
		m.hide(asked, w)
		for _, n := range w.acts {
			if len(m.acts[n].options) > 0 && slices.Contains(m.acts[n].terminals, at) {
				here = n
			}
		}
		return here
	}
	w := &written{}
	m.written[typed{k, text}] = w
	groups := map[string]*act{}
	var order []string
	for i, t := range m.terminals {
		a, key := m.lineAct(k, text, t, w)
		if a == nil {
			continue
		}
		if m.history >= 0 && k == command {
			key += "\x02" + text
		}
		if a.opens() {
			key += "\x03" + t
		}
		if groups[key] == nil {
			groups[key] = a
			order = append(order, key)
		}
		groups[key].terminals = append(groups[key].terminals, i)
	}
	m.hide(asked, w)
	for _, key := range order {
		a := groups[key]
		for _, t := range a.terminals {
			key += "\x04" + strconv.Itoa(t)
		}
		n, twice := seen[key]
		if !twice {
			n = len(m.acts)
			seen[key] = n
			a.line = line
			m.acts = append(m.acts, a)
		}
		w.acts = append(w.acts, n)
		if len(a.options) > 0 && slices.Contains(a.terminals, at) {
			here = n
		}
	}
	return here
}

// written is what became of a line that was made into acts.
type written struct {
	acts  []int
	taker int   // a scenario without conditions on the state that takes it
	later []int // those after it that would, too
}

// hide notes that a line which was written for a scenario is always taken by another.
func (m *Model) hide(asked int, w *written) {
	if asked >= 0 && slices.Contains(w.later, asked) {
		m.hidden[asked] = w.taker
	}
}

// terminal is the number of a terminal, or of the one that stands for it.
func (m *Model) terminal(id string) int {
	if i := slices.Index(m.terminals, id); i >= 0 {
		return i
	}
	return m.other
}

// lineAct is what a line does in one terminal; the key is the same for lines that do the same.
func (m *Model) lineAct(k kind, text, terminal string, w *written) (a *act, key string) {
	q, fits := m.fits(k, terminal, text)
	if q == nil {
		return nil, ""
	}
	if len(fits) == 0 && (m.history < 0 || k == prompt) {
		return nil, ""
	}
	a = &act{kind: k, text: text, line: -1}
	said, once := "", false
	if k == command {
		said, once = q.OneShot()
	}
	a.options, key = m.options(fits, once, w)
	if k == prompt {
		for i := range a.options {
			a.options[i].session = false
		}
	}
	key = strconv.Itoa(int(k)) + key
	if slices.ContainsFunc(a.options, func(o option) bool { return o.once }) {
		turn, more := m.options(m.engine.PreparePrompt(terminal, said).Fits(), false, &written{})
		a.turn, key = turn, key+"\x05"+more
	}
	return a, key
}

// options makes the options of what fits a line; the key tells them from others.
func (m *Model) options(fits []sim.Fit, once bool, w *written) (out []option, key string) {
	var b []byte
	for i, f := range fits {
		o := option{rule: f.Rule, captures: f.Captures, guards: m.guardsOf(f.Rule), effect: m.ruleEffect(f.Rule, f.Captures, nil)}
		then := &m.lab.Simulator.Scenarios[f.Rule].Then
		o.session = then.Session != nil && !once
		o.once = then.Session != nil && once
		if then.Input != nil {
			o.pending = m.input(f.Rule, f.Captures, nil)
		}
		out = append(out, o)
		b = append(append(append(strconv.AppendInt(append(b, 1), int64(f.Rule), 10), ':'), o.effect.key...), ':')
		b = strconv.AppendInt(b, int64(o.pending), 10)
		if len(o.guards) == 0 {
			// It takes whatever comes here.
			w.taker = f.Rule
			for _, later := range fits[i+1:] {
				w.later = append(w.later, later.Rule)
			}
			break
		}
	}
	return out, string(b)
}

// fits lists the scenarios that could take a line; q is nil for what is no single command.
func (m *Model) fits(k kind, terminal, text string) (q *sim.Prepared, list []sim.Fit) {
	key := "\x00" + text // the same in all terminals that no scenario names
	if m.named[slices.Index(m.terminals, terminal)] {
		key = terminal + key
	}
	if k == prompt {
		key += "\x00"
	}
	f, known := m.fitted[key]
	if !known {
		if k == prompt {
			f.q = m.engine.PreparePrompt(terminal, text)
		} else {
			f.q = m.engine.Prepare(terminal, text)
		}
		if f.q != nil {
			f.list = f.q.Fits()
		}
		m.fitted[key] = f
	}
	return f.q, f.list
}

type fitted struct {
	q    *sim.Prepared
	list []sim.Fit
}

// opens reports whether the act may open a session or an input.
func (a *act) opens() bool {
	opens := func(o option) bool { return o.session || o.once || o.pending > 0 }
	return slices.ContainsFunc(a.options, opens) || slices.ContainsFunc(a.turn, opens)
}

// input numbers an input in progress.
func (m *Model) input(rule int, captures, values []sim.Capture) int {
	then := &m.lab.Simulator.Scenarios[rule].Then.Input.Then
	if !m.printsArgs(then) {
		captures = nil
	}
	for n := 1; n < len(m.inputs); n++ {
		p := &m.inputs[n]
		if p.rule == rule && slices.Equal(p.captures, captures) && slices.Equal(p.values, values) {
			return n
		}
	}
	m.inputs = append(m.inputs, pending{rule: rule, captures: captures, values: values})
	return len(m.inputs) - 1
}

// printsArgs reports whether what effects change depends on captured arguments.
func (m *Model) printsArgs(e *lab.Effects) (prints bool) {
	note := func(string) { prints = true }
	for _, d := range e.State {
		textRefs(string(d.Value.AppendJSON(nil)), "args", note)
	}
	for i := range e.Files {
		textRefs(e.Files[i].Text, "args", note)
	}
	return prints
}

// addAnswers makes the acts that go on with an input.
func (m *Model) addAnswers(n int) {
	p := m.inputs[n]
	s := &m.lab.Simulator.Scenarios[p.rule]
	steps := s.Then.Input.Steps
	key := steps[len(p.values)].Key
	choices, cut := m.choices(s, "input", key)
	cut = cut || p.cut
	if len(m.inputs) > maxInputs && len(choices) > 1 {
		choices, cut = choices[:1], true
	}
	for _, value := range choices {
		values := append(slices.Clone(p.values), sim.Capture{Name: key, Value: value})
		next, e := 0, (*effect)(nil)
		if len(values) < len(steps) {
			next = m.input(p.rule, p.captures, values)
			m.inputs[next].cut = m.inputs[next].cut || cut
		} else {
			e = m.ruleEffect(p.rule, p.captures, values)
		}
		for i := range m.terminals {
			m.acts = append(m.acts, &act{
				kind: answer, text: value, terminals: []int{i}, pending: n, next: next, line: -1, cut: cut,
				options: []option{{rule: p.rule, effect: e}},
			})
		}
	}
}

// addButtons makes the acts of switches, Save and Re-run.
func (m *Model) addButtons() {
	for i := range m.lab.Simulator.Controls {
		c := &m.lab.Simulator.Controls[i]
		for _, position := range []string{" on", " off"} {
			u := uses{m: m}
			if !u.writePath(c.State, false) {
				continue
			}
			on := position == " on"
			e := &effect{reads: u.reads, writes: u.writes, step: -1, key: "control", run: func(s *sim.State) (*sim.State, string) {
				after, o := m.engine.SetControl(s, m.terminals[0], c.ID, on)
				return after, problemOf(o)
			}}
			m.acts = append(m.acts, &act{kind: control, text: c.ID + position, control: i, effect: e, line: -1})
		}
	}
	for i := range m.saves {
		b := &m.saves[i]
		u := uses{m: m}
		if !u.file(b.Path, true) {
			continue
		}
		e := &effect{reads: u.reads, writes: u.writes, step: -1, key: "save", run: func(s *sim.State) (*sim.State, string) {
			after, o := m.engine.Save(s, m.terminals[0], b.Path, b.Text)
			return after, problemOf(o)
		}}
		m.acts = append(m.acts, &act{kind: save, text: string(lab.AppendQuoted([]byte(b.Path+" "), b.Text)), control: i, effect: e, line: -1})
	}
	u := uses{m: m}
	if !u.writePath(runsPath, true) {
		return
	}
	u.requirements("")
	e := &effect{reads: u.reads, writes: u.writes, step: -1, key: "rerun", run: func(s *sim.State) (*sim.State, string) {
		after, _ := m.engine.Rerun(s, m.terminals[0], 0)
		return after, ""
	}}
	m.acts = append(m.acts, &act{kind: rerun, effect: e, line: -1})
}

// problemOf is what a button says when it does not work.
func problemOf(o *sim.Outcome) string {
	if o.Exit() == 0 {
		return ""
	}
	return strings.Join(o.Lines(sim.Stderr), " ")
}
