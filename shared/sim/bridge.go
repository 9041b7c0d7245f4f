package sim

import (
	"strconv"

	"asz/shared/lab"
)

// The JSON that crosses from the engine to a page, one text for each action,
// written here because a general encoder would double the size of the module.

// AppendBoot appends what a page needs to know before the first action.
func (p *Player) AppendBoot(dst []byte) []byte {
	l := p.engine.Lab()
	dst = append(dst, `{"title":`...)
	dst = lab.AppendQuoted(dst, l.Title)
	dst = append(dst, `,"terminals":`...)
	dst = appendList(dst, l.Terminals, func(dst []byte, t lab.Terminal) []byte {
		return append(appendMember(appendMember(append(dst, '{'), "id", t.ID), "title", t.Title), '}')
	})
	_, prompt, _ := p.engine.Mode(p.state, l.Terminals[0].ID)
	dst = append(dst, ',')
	dst = appendMember(dst, "prompt", prompt)
	settings := &l.Simulator.Settings
	dst = append(dst, `,"settings":{"streaming":`...)
	dst = strconv.AppendBool(dst, settings.Streaming)
	dst = append(dst, `,"streamDelayMs":`...)
	dst = strconv.AppendInt(dst, int64(settings.StreamDelay), 10)
	dst = append(dst, `,"agentThinkMs":`...)
	dst = strconv.AppendInt(dst, int64(settings.AgentThink), 10)
	dst = append(dst, `},"controls":`...)
	dst = appendList(dst, p.Controls(), func(dst []byte, c lab.Control) []byte {
		dst = appendMember(appendMember(append(dst, '{'), "id", c.ID), "label", c.Label)
		dst = appendMember(dst, "description", c.Description)
		dst = append(dst, `,"on":`...)
		return append(strconv.AppendBool(dst, p.engine.ControlOn(p.state, &c)), '}')
	})
	dst = append(dst, `,"steps":[`...)
	first := true
	for _, section := range l.Sections {
		for _, step := range section.Steps {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = appendMember(appendMember(append(dst, '{'), "id", step.ID), "title", step.Title)
			dst = append(appendMember(dst, "section", section.ID), '}')
		}
	}
	return append(dst, `]}`...)
}

// AppendOutcome appends the outcome of act number id. A block without text is a
// pause; one without delay waits the lab's default.
func (p *Player) AppendOutcome(dst []byte, id int, o *Outcome) []byte {
	last := o.last()
	dst = append(dst, `{"id":`...)
	dst = strconv.AppendInt(dst, int64(id), 10)
	dst = append(dst, `,"blocks":`...)
	dst = appendList(dst, o.Blocks(), appendBlock)
	dst = append(dst, `,"exit":`...)
	dst = strconv.AppendInt(dst, int64(last.Exit), 10)
	dst = appendName(append(dst, `,"scenario":`...), last.Scenario)
	dst = appendName(append(dst, `,"builtin":`...), last.Builtin)
	dst = append(dst, `,"completed":`...)
	dst = appendList(dst, o.Completed(), lab.AppendQuoted)
	changes := o.Changes()
	dst = append(dst, `,"changes":{"state":`...)
	dst = appendList(dst, changes.State, lab.AppendQuoted)
	dst = append(dst, `,"files":`...)
	dst = appendList(dst, changes.Files, lab.AppendQuoted)
	dst = append(dst, `,"run":`...)
	dst = strconv.AppendInt(dst, int64(changes.Run), 10)
	dst = append(dst, "},"...)
	dst = appendMember(dst, "mode", o.Mode.String())
	dst = appendMember(dst, "prompt", o.Prompt)
	dst = append(dst, `,"mask":`...)
	dst = strconv.AppendBool(dst, o.Mask)
	dst = append(dst, `,"turn":`...)
	dst = strconv.AppendBool(dst, o.Turn)
	dst = append(dst, `,"controls":`...)
	dst = appendList(dst, p.Controls(), func(dst []byte, c lab.Control) []byte {
		dst = append(appendMember(append(dst, '{'), "id", c.ID), `,"on":`...)
		return append(strconv.AppendBool(dst, p.engine.ControlOn(p.state, &c)), '}')
	})
	return append(dst, '}')
}

// AppendRuns appends the records of state.ci.runs, the oldest first.
func (p *Player) AppendRuns(dst []byte) []byte {
	runs := p.state.Lookup([]string{"ci", "runs"})
	if runs.Kind() != lab.KindList {
		return append(dst, "[]"...)
	}
	return runs.AppendJSON(dst)
}

// Here is the outcome of nothing: what a terminal shows after Restore.
func (p *Player) Here(terminal string) *Outcome { return p.engine.outcome(p.state, terminal) }

// AppendMisses appends what Explain found.
func AppendMisses(dst []byte, misses []Miss) []byte {
	return appendList(dst, misses, func(dst []byte, m Miss) []byte {
		dst = appendMember(append(dst, '{'), "scenario", m.Scenario)
		dst = appendMember(dst, "condition", m.Condition)
		dst = appendMember(dst, "name", m.Name)
		dst = appendMember(dst, "want", m.Want)
		return append(appendMember(dst, "got", m.Got), '}')
	})
}

func appendBlock(dst []byte, b Block) []byte {
	stream := "out"
	if b.Stream == Stderr {
		stream = "err"
	}
	dst = appendMember(append(dst, '{'), "stream", stream)
	if !b.Pause {
		dst = appendMember(dst, "text", b.Text)
	}
	if b.Delay >= 0 {
		dst = strconv.AppendInt(append(dst, `,"delay":`...), int64(b.Delay), 10)
	}
	return append(dst, '}')
}

func appendList[T any](dst []byte, list []T, each func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = each(dst, e)
	}
	return append(dst, ']')
}

// appendMember appends a member of an object whose '{' or earlier member dst
// ends with.
func appendMember(dst []byte, name, value string) []byte {
	if c := dst[len(dst)-1]; c != '{' && c != ',' {
		dst = append(dst, ',')
	}
	dst = append(lab.AppendQuoted(dst, name), ':')
	return lab.AppendQuoted(dst, value)
}

// appendName appends an id, or null for none.
func appendName(dst []byte, id string) []byte {
	if id == "" {
		return append(dst, "null"...)
	}
	return lab.AppendQuoted(dst, id)
}
