package gui

import (
	"fmt"
	"strings"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// ElementState is what a control can be.
type ElementState uint8

// The states.
const (
	Checked ElementState = iota
	Enabled
	Expanded
	Focused
	Pressed
	Selected
	Sensitive
	Showing
	stateCount
)

var stateWords = [stateCount]string{
	Checked: "checked", Enabled: "enabled", Expanded: "expanded", Focused: "focused",
	Pressed: "pressed", Selected: "selected", Sensitive: "sensitive", Showing: "showing",
}

// String is the state's word.
func (s ElementState) String() string { return stateWords[s] }

// StateCheck is what is asked of a control: that it is in a state, or that it is not.
type StateCheck struct {
	Element string // its name, without outer blanks
	Not     bool
	State   ElementState
	At      diag.Span // first line of the value
}

// String is the check as it is written.
func (c StateCheck) String() string {
	if c.Not {
		return c.Element + " not " + c.State.String()
	}
	return c.Element + " " + c.State.String()
}

// parseState reads `<element> [not] <state>`: the last word is the state, a `not` before it is the negation, and the rest
// is the name, whatever words are in it.
func parseState(text string) (StateCheck, *fault) {
	trimmed := strings.TrimRight(text, blanks)
	at := strings.LastIndexAny(trimmed, blanks) + 1
	word, rest := trimmed[at:], strings.Trim(trimmed[:at], blanks)
	var c StateCheck
	known := false
	for i, w := range stateWords {
		if w == word {
			c.State, known = ElementState(i), true
		}
	}
	refuse := func(start, end int, message, fix string) (StateCheck, *fault) {
		return StateCheck{}, &fault{code: "state-form", start: start, end: end, message: message, fix: fix}
	}
	if !known {
		_, f := refuse(at, len(trimmed), "this ends in "+diag.Quoted(word)+", which is not a state", "write one of "+strings.Join(stateWords[:], ", ")+" at the end")
		if near := diag.Nearest(word, stateWords[:]); near != "" {
			f.fix, f.edit = "write `"+near+"`", near
		}
		return StateCheck{}, f
	}
	if before, ok := strings.CutSuffix(rest, "not"); ok && (before == "" || strings.ContainsAny(before[len(before)-1:], blanks)) {
		c.Not, rest = true, strings.TrimRight(before, blanks)
	}
	if rest == "" {
		return refuse(0, len(trimmed), "no control is named", fmt.Sprintf("write the control's name first, as in `Bold %s`", word))
	}
	if len(rest) > 1 && rest[0] == '"' && rest[len(rest)-1] == '"' {
		start := strings.IndexByte(text, '"')
		return refuse(start, start+len(rest), "the control's name stands without quotes", "remove the quotes around the name")
	}
	c.Element = rest
	return c, nil
}

func stateType() yamldoc.Type[StateCheck] {
	return grammarType("text (a control and its state)", statePattern, func(r *yamldoc.Reader, n *yamldoc.Node, dst *StateCheck) *fault {
		c, f := parseState(n.Text)
		*dst = c
		dst.At = n.Span.FirstLine()
		return f
	})
}
