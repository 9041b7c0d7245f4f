package validate

import (
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
)

// writer is a value that something is known to write at a path, and where that stands.
type writer struct {
	value lab.Value
	at    diag.Span
}

// writers lists what writes at a path: the initial state, controls and effects; but not what templates make.
func (c *Check) writers(path string) []writer {
	var out []writer
	add := func(at string, v lab.Value, place any) {
		if rest, below := strings.CutPrefix(path, at+"."); below {
			v = v.Lookup(strings.Split(rest, "."))
		} else if at != path {
			return
		}
		if !v.IsNull() && !strings.Contains(v.Text(), "{{") {
			span, _ := c.value(place)
			out = append(out, writer{v, span})
		}
	}
	simulator := &c.loaded.Lab.Simulator
	if v := simulator.State.Lookup(strings.Split(path, ".")); !v.IsNull() {
		w := writer{value: v}
		for _, f := range c.loaded.Facts() {
			if f.Path == path {
				w.at = f.At
			}
		}
		out = append(out, w)
	}
	for i := range simulator.Controls {
		t := &simulator.Controls[i]
		add(t.State, t.Off, &t.State)
		add(t.State, t.On, &t.State)
	}
	for i := range simulator.Scenarios {
		for _, e := range effects(&simulator.Scenarios[i]) {
			for j := range e.State {
				if d := &e.State[j]; !d.Append {
					add(d.Path, d.Value, &d.Path)
				}
			}
		}
	}
	if isRun(path) && strings.HasSuffix(path, ".conclusion") {
		out = append(out, writer{value: lab.Text("success")}, writer{value: lab.Text("failure")})
	}
	return out
}

// nearMiss is the correction of a condition that never holds when what is written at its path is nearly what it asks
// for; nil otherwise.
func (c *Check) nearMiss(g *lab.Guard) *diag.Fix {
	var texts []string
	written := map[string]lab.Value{} // by the text of a value without quotes
	for _, w := range c.writers(g.Path) {
		if lab.Equal(w.value, g.Want) {
			return nil
		}
		if text := w.value.Text(); w.value.Kind() == lab.KindText && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		if plain := unquoted(w.value); plain != "" {
			written[plain] = w.value
		}
	}
	at, inner := c.value(&g.Want)
	if at.Source == nil {
		return nil
	}
	if v, ok := written[unquoted(g.Want)]; ok {
		exact := string(v.AppendJSON(nil))
		text := ""
		switch v.Kind() {
		case lab.KindNumber:
			text = "it is the number " + v.Text() + ", without quotes"
			exact = v.Text()
		case lab.KindBool:
			text = "it is `" + exact + "`, without quotes"
		case lab.KindText:
			text = "it is the text `" + exact + "`, in quotes"
		}
		return &diag.Fix{Text: text, Edits: []diag.Edit{{Span: at, New: exact}}}
	}
	if g.Want.Kind() != lab.KindText {
		return nil
	}
	near := diag.Nearest(g.Want.Text(), texts)
	if near == "" {
		return nil
	}
	edit := diag.Edit{Span: at, New: string(lab.Text(near).AppendJSON(nil))}
	if at == inner && isWord(near) { // it stands there without quotes, too
		edit = diag.Edit{Span: inner, New: near}
	}
	return &diag.Fix{Text: "did you mean `" + near + "`?", Edits: []diag.Edit{edit}}
}

// unquoted is a scalar as it would stand in a file without quotes.
func unquoted(v lab.Value) string {
	if v.Kind() == lab.KindBool {
		return string(v.AppendJSON(nil))
	}
	return v.Text()
}

// isWord reports whether a text means itself without quotes.
func isWord(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	switch strings.ToLower(text) {
	case "", "null", "true", "false":
		return false
	}
	return strings.ContainsAny(text[:1], letters) && strings.Trim(text, letters+"0123456789-_./") == ""
}
