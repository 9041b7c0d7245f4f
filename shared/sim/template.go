package sim

import (
	"errors"
	"strings"

	"asz/shared/lab"
)

// maxText bounds every text that effects make, in bytes, so that a lab which
// doubles a text at each step ends in a message and not in a dead page.
const maxText = 8 << 20

// lineCost is what a line of output takes beyond its text, about.
const lineCost = 48

var errTooLong = errors.New("the text would be longer than 8 MB")

// scope is where the templates of one set of effects find their values.
type scope struct {
	args  []Capture
	input []Capture
	state *State
}

// expand fills in the templates of text, in one pass (labs.md E9).
func (sc *scope) expand(text string) (string, error) {
	ref, ok := lab.NextRef(text, 0)
	if !ok {
		return text, nil
	}
	var out []byte
	from := 0
	for ; ok; ref, ok = lab.NextRef(text, ref.End) {
		next := append(out, text[from:ref.Start]...)
		switch ref.Scope {
		case "args":
			next = append(next, capture(sc.args, lab.FlagName(ref.Name))...)
		case "input":
			next = append(next, capture(sc.input, ref.Name)...)
		case "state":
			next = sc.state.Lookup(strings.Split(ref.Name, ".")).AppendText(next)
		default:
			continue // stays as typed
		}
		if len(next) > maxText {
			return "", errTooLong
		}
		out, from = next, ref.End
	}
	return string(append(out, text[from:]...)), nil
}

// capture returns the value kept under name, or "".
func capture(list []Capture, name string) string {
	for i := range list {
		if list[i].Name == name {
			return list[i].Value
		}
	}
	return ""
}

// value fills in the templates of every text in v.
func (sc *scope) value(v lab.Value) (lab.Value, error) {
	switch v.Kind() {
	case lab.KindText:
		text, err := sc.expand(v.Text())
		if err != nil || text == v.Text() {
			return v, err
		}
		return lab.Text(text), nil
	case lab.KindList:
		list := v.List().Values()
		for i, e := range list {
			var err error
			if list[i], err = sc.value(e); err != nil {
				return v, err
			}
		}
		return lab.ListOf(list...), nil
	case lab.KindMap:
		out := lab.EmptyMap()
		for _, e := range v.Entries() {
			filled, err := sc.value(e.Value)
			if err != nil {
				return v, err
			}
			out = out.With(e.Key, filled)
		}
		return out, nil
	}
	return v, nil
}
