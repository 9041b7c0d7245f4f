// Package play plays a lab by a script, or by a person in a terminal (labs.md 8).
package play

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
)

// verb is what a line of a script does.
type verb uint8

const (
	verbType verb = iota
	verbTerminal
	verbAct    // an act of sim.Player: kind, text
	verbExpect // what, name, text
)

// action is one line of a script.
type action struct {
	verb verb
	line string // as the script has it
	at   diag.Span
	kind string // verbAct: the act; verbExpect: what is looked at
	name string // verbExpect: state path or file path
	text string
	want lab.Value // of `@expect state`
}

// parse reads a script. All that does not depend on the state is checked here,
// so that a script fails before it is half played.
func parse(src *diag.Source, l *lab.Lab) ([]action, diag.List) {
	var out []action
	var found diag.List
	text := src.Text
	for from := len(text) - len(strings.TrimPrefix(text, "\uFEFF")); from < len(text); {
		line, _, more := strings.Cut(text[from:], "\n")
		a := action{at: diag.Span{Source: src, Start: from, Len: len(line)}}
		from += len(line)
		if more {
			from++
		}
		a.line = strings.TrimSuffix(line, "\r")
		a.at.Len = len(a.line)
		a.text = a.line
		if problem := a.read(l); problem != "" {
			found.Add("play-script", a.at, problem)
			continue
		}
		out = append(out, a)
	}
	return out, found
}

// read understands a line that begins with `@`; it returns what is wrong with it.
func (a *action) read(l *lab.Lab) (problem string) {
	if !strings.HasPrefix(a.line, "@") {
		return ""
	}
	if strings.HasPrefix(a.line, "@@") {
		a.text = a.line[1:]
		return ""
	}
	name, rest, _ := strings.Cut(a.line[1:], " ")
	a.verb, a.kind, a.text = verbAct, name, rest
	switch name {
	case "terminal":
		a.verb, a.text = verbTerminal, strings.TrimSpace(rest)
		for _, t := range l.Terminals {
			if t.ID == a.text {
				return ""
			}
		}
		return fmt.Sprintf("the lab has no terminal %q", a.text)
	case "control":
		return a.readControl(l)
	case "save":
		path, quoted, _ := strings.Cut(rest, " ")
		var content string
		if err := json.Unmarshal([]byte(quoted), &content); err != nil || path == "" {
			return `write @save PATH "text", the text as a JSON string`
		}
		a.text = path + "\n" + content
	case "rerun", "undo", "reset", "interrupt":
		if a.text = strings.TrimSpace(rest); a.text != "" {
			return "@" + name + " takes nothing after it"
		}
	case "expect":
		a.verb = verbExpect
		return a.readExpect(rest)
	default:
		return fmt.Sprintf("unknown action @%s; @@%s types a line that begins with @", name, name)
	}
	return ""
}

func (a *action) readControl(l *lab.Lab) string {
	words := strings.Fields(a.text)
	if len(words) != 2 || words[1] != "on" && words[1] != "off" {
		return "write @control ID on or @control ID off"
	}
	a.text = words[0] + " " + words[1]
	for i := range l.Simulator.Controls {
		if l.Simulator.Controls[i].ID == words[0] {
			return ""
		}
	}
	return fmt.Sprintf("the lab has no control %q", words[0])
}

// readExpect understands what follows `@expect `.
func (a *action) readExpect(rest string) string {
	if exit, ok := strings.CutPrefix(rest, "exit="); ok {
		a.kind, a.text = "exit", strings.TrimSpace(exit)
		if _, ok := lab.Atoi(a.text); !ok {
			return "write @expect exit=N with a number N"
		}
		return ""
	}
	a.kind, a.text, _ = strings.Cut(rest, " ")
	switch a.kind {
	case "out", "err":
		return ""
	case "scenario", "completed", "mode":
		if a.text = strings.TrimSpace(a.text); a.text == "" {
			return "@expect " + a.kind + " needs a name"
		}
		if a.kind == "mode" && !strings.Contains(" command session input continuation ", " "+a.text+" ") {
			return "a mode is command, session, input or continuation"
		}
		return ""
	case "state", "file":
		a.name, a.text, _ = strings.Cut(a.text, " ")
		if a.name == "" {
			return "@expect " + a.kind + " needs a path"
		}
		if a.kind == "file" {
			return ""
		}
		if _, ok := lab.StatePath(a.name); !ok {
			return fmt.Sprintf("%q is no path into the state", a.name)
		}
		var err error
		if a.want, err = readJSON(a.text); err != nil {
			return "write @expect state PATH JSON: " + err.Error()
		}
		return ""
	}
	return "@expect takes exit=N, out, err, scenario, completed, state, file or mode"
}

// readJSON makes a state value of JSON text; numbers stay as written.
func readJSON(text string) (lab.Value, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := decodeJSON(d)
	if err == nil && d.More() {
		err = fmt.Errorf("there is more than one value")
	}
	return v, err
}

func decodeJSON(d *json.Decoder) (lab.Value, error) {
	token, err := d.Token()
	if err == io.EOF {
		return lab.Value{}, fmt.Errorf("the value is missing or not complete")
	}
	if err != nil {
		return lab.Value{}, fmt.Errorf("%q is no JSON value", strings.TrimSpace(err.Error()))
	}
	switch t := token.(type) {
	case bool:
		return lab.Bool(t), nil
	case string:
		return lab.Text(t), nil
	case json.Number:
		return lab.Number(t.String()), nil
	case json.Delim:
		if t == '[' {
			out := lab.ListOf()
			for d.More() {
				e, err := decodeJSON(d)
				if err != nil {
					return out, err
				}
				out = out.Appended(e)
			}
			_, err = d.Token()
			return out, err
		}
		out := lab.EmptyMap()
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return out, err
			}
			e, err := decodeJSON(d)
			if err != nil {
				return out, err
			}
			out = out.With(key.(string), e)
		}
		_, err = d.Token()
		return out, err
	}
	return lab.Value{}, nil
}
