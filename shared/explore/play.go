package explore

import (
	"slices"
	"strings"

	"asz/shared/sim"
)

// player turns acts into a script, playing them with the engine as it goes.
type player struct {
	m        *Model
	state    *sim.State
	terminal string
	script   []string
	last     *sim.Outcome
}

func (m *Model) player(from *sim.State) *player {
	return &player{m: m, state: from, terminal: m.lab.Terminals[0].ID}
}

// do plays acts.
func (p *player) do(acts ...*act) {
	for _, a := range acts {
		p.one(a)
	}
}

func (p *player) one(a *act) {
	switch a.kind {
	case control:
		p.script = append(p.script, "@control "+a.text)
		p.state, p.last = p.m.engine.SetControl(p.state, p.terminal, p.m.lab.Simulator.Controls[a.control].ID, strings.HasSuffix(a.text, " on"))
		return
	case save:
		b := p.m.saves[a.control]
		p.script = append(p.script, "@save "+a.text)
		p.state, p.last = p.m.engine.Save(p.state, p.terminal, b.Path, b.Text)
		return
	case rerun:
		p.script = append(p.script, "@rerun")
		p.state, p.last = p.m.engine.Rerun(p.state, p.terminal, 0)
		return
	}
	id := p.choose(a)
	if id != p.terminal {
		p.terminal = id
		p.script = append(p.script, "@terminal "+id)
	}
	text := a.text
	mode := p.mode(id)
	if mode == sim.ModeInput && a.kind != answer && a.kind != cancel {
		p.line("/cancel")
		mode = p.mode(id)
	}
	if mode == sim.ModeSession && a.kind == command {
		text = "!" + text
	}
	p.line(text)
}

func (p *player) mode(terminal string) sim.Mode {
	mode, _, _ := p.m.engine.Mode(p.state, terminal)
	return mode
}

// choose is the terminal to type in: the current one if it will do.
func (p *player) choose(a *act) string {
	want := func(id string) bool {
		mode := p.mode(id)
		switch a.kind {
		case prompt, leave:
			return mode == sim.ModeSession
		case answer, cancel:
			return mode == sim.ModeInput
		}
		return mode != sim.ModeInput
	}
	var ids []string
	for _, t := range a.terminals {
		ids = append(ids, p.m.terminals[t])
	}
	if slices.Contains(ids, p.terminal) && want(p.terminal) {
		return p.terminal
	}
	for _, id := range ids {
		if want(id) {
			return id
		}
	}
	return ids[0]
}

func (p *player) line(text string) {
	shown := text
	if strings.HasPrefix(text, "@") {
		shown = "@" + text
	}
	p.script = append(p.script, shown)
	p.state, p.last = p.m.engine.Type(p.state, p.terminal, text)
}
