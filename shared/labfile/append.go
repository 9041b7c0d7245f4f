package labfile

import (
	"slices"
	"strconv"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/yamldoc"
)

// The line `path += value` (labs.md E7) is written in many ways that YAML takes for something else. Each is one
// finding here; those that can only mean one thing carry edits that make the documented line of them.

// appendEntry finds a change of the state that was meant to append and does not.
func appendEntry(r *yamldoc.Reader, p yamldoc.Pair) bool {
	key, value := strings.TrimSpace(p.Key), p.Value
	first := p.KeyNode.Span
	switch {
	case value.Broken:
		return true
	case strings.HasPrefix(key, "+="):
		d := appendForm(r, first, "`+=` stands behind the path, not before it")
		if path := strings.TrimSpace(key[2:]); isPath(path) && onOneLine(first, value.Span) && value.Style != yamldoc.Flow {
			mend(d, between(first, value.Span), path+" += ")
		}
	case strings.HasSuffix(key, " +"), strings.HasSuffix(key, "=+"), strings.HasSuffix(key, "+ ="):
		d := appendForm(r, first, "`"+p.Key+"` does not append: the sign for that is `+=`")
		if path := strings.TrimRight(key, "+= "); isPath(path) && p.KeyNode.Style == yamldoc.Plain {
			mend(d, first, path+" +=")
		}
	case value.Kind == yamldoc.KindText && value.Style == yamldoc.Plain && strings.HasPrefix(value.Text, "+="):
		d := appendForm(r, value.Span.FirstLine(), "this sets `"+p.Key+"` to the text that begins with `+=`; it appends nothing")
		if rest, ok := operand(value.Text[2:]); ok && isPath(key) && onOneLine(first, value.Span) {
			mend(d, whole(first, value.Span), key+" += "+rest)
		}
	case strings.HasSuffix(key, "+=") && value.Kind == yamldoc.KindNull && value.Text == "":
		appendForm(r, first, "there is nothing behind `+=` to append").Fix.Text = "write what is appended, on the same line"
	default:
		path, rest, ok := ownLine(p)
		if !ok {
			return true
		}
		d := appendForm(r, value.Span, "this sets `"+p.Key+"` to the text `"+value.Text+"`; a path that appends is written whole, directly below `state:`")
		if rest, fine := operand(rest); fine && isPath(key) {
			mend(d, whole(first, value.Span), key+"."+path+" += "+rest)
		}
	}
	return false
}

// appendElsewhere finds `+=` where nothing is appended: in the initial state and in conditions.
func appendElsewhere(r *yamldoc.Reader, p yamldoc.Pair, seed bool) bool {
	path, appends := strings.CutSuffix(strings.TrimSpace(p.Key), "+=")
	at := p.KeyNode.Span
	if _, _, own := ownLine(p); own {
		at = p.Value.Span
	} else if !appends {
		return true
	}
	if !seed {
		appendForm(r, at, "a condition compares; only the `state:` of `then` appends").Fix.Text = "compare with an element of the list, such as `docker.events.0: started`"
		return false
	}
	d := appendForm(r, at, "`+=` appends only in the `state:` of `then`; here a list is written as it is at the start")
	d.Fix.Text = "write `docker.events: [started]`"
	path = strings.TrimSpace(path)
	if value := p.Value; appends && isPath(path) && onOneLine(at, value.Span) && value.Kind != yamldoc.KindNull {
		if written, ok := operand(value.Span.Text()); ok {
			mend(d, whole(at, value.Span), path+": ["+written+"]")
		}
	}
	return false
}

// appendAlone finds the line in a text that stands for all of `state:`, as other programs write it.
func appendAlone(r *yamldoc.Reader, n *yamldoc.Node) bool {
	path, rest, ok := appendText(n.Text)
	if n.Kind != yamldoc.KindText || n.Broken {
		return true
	}
	if c, other := yamldoc.ChangeOf(n.Span.FirstLine().Text()); !ok && other && n.Style == yamldoc.Plain {
		c.Report(r.Report("append-form", n.Span.FirstLine(), ""))
		return false
	}
	if !ok {
		return true
	}
	d := appendForm(r, n.Span.FirstLine(), "this is a text; a change that appends is a line of its own below `state:`, with a blank on each side of `+=`")
	written, fine := operand(rest)
	switch {
	case !fine || n.Style == yamldoc.Literal || n.Style == yamldoc.Folded || n.Span.FirstLine() != n.Span:
	case strings.TrimLeft(before(n.Span), " ") == "":
		mend(d, n.Span, path+" += "+written)
	default:
		mend(d, n.Span, "{ "+strconv.Quote(path+" +=")+": "+written+" }")
	}
	return false
}

// appendList finds a list whose items are such lines, and removes their dashes.
func appendList(r *yamldoc.Reader, n *yamldoc.Node) bool {
	lines := n.Kind == yamldoc.KindList && n.Style == yamldoc.Block && !n.Broken
	if !lines || !slices.ContainsFunc(n.Items, func(i *yamldoc.Node) bool { _, _, ok := appendText(i.Text); return ok }) {
		return true
	}
	d := appendForm(r, n.Span.FirstLine(), "the changes of the state are entries of a map, not items of a list")
	d.Fix.Text = "remove the dashes"
	var edits []diag.Edit
	for _, item := range n.Items {
		lead := before(item.Span)
		_, rest, ok := appendText(item.Text)
		if _, fine := operand(rest); !ok || !fine || item.Style != yamldoc.Plain || strings.Trim(lead, " ") != "-" || item.Span.FirstLine() != item.Span {
			return false
		}
		dash := item.Span.Start - len(lead) + strings.IndexByte(lead, '-')
		edits = append(edits, diag.Edit{Span: diag.Span{Source: item.Span.Source, Start: dash, Len: item.Span.Start - dash}, New: "  "})
	}
	d.Fix.Edits, d.Fix.Safe = edits, true
	return false
}

// appendForm reports such a mistake.
func appendForm(r *yamldoc.Reader, at diag.Span, message string) *diag.Diagnostic {
	return r.Report("append-form", at, message)
}

// mend makes the fix of a finding one edit, which is safe.
func mend(d *diag.Diagnostic, at diag.Span, text string) {
	d.Fix = &diag.Fix{Text: "write `" + strings.TrimSpace(text) + "`", Edits: []diag.Edit{{Span: at, New: text}}, Safe: true}
}

// appendText takes a text of the form `path += value` apart; the blanks around `+=` may be missing.
func appendText(text string) (path, rest string, ok bool) {
	path, rest, ok = strings.Cut(text, "+=")
	path, rest = strings.TrimSpace(path), strings.TrimSpace(rest)
	return path, rest, ok && isPath(path) && rest != "" && !strings.Contains(rest, "\n")
}

// ownLine takes apart a value of that form which stands, without quotes, on the line below its key: on the same line
// it may be meant as the text that it is.
func ownLine(p yamldoc.Pair) (path, rest string, ok bool) {
	if n := p.Value; n.Kind != yamldoc.KindText || n.Style != yamldoc.Plain || n.Broken || strings.Trim(before(n.Span), " ") != "" {
		return "", "", false
	}
	return appendText(p.Value.Text)
}

// isPath reports whether a text is a dot-path of plain names.
func isPath(text string) bool {
	_, ok := lab.StatePath(text)
	return ok && strings.Trim(text, "._-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// operand is a value that can be written behind `+=` as it stands, in a flow list too: in quotes, or of characters
// that mean nothing to YAML.
func operand(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	if n := len(raw); n >= 2 && (raw[0] == '"' || raw[0] == '\'') && raw[n-1] == raw[0] && !strings.ContainsAny(raw[1:n-1], "\\\n"+raw[:1]) {
		return raw, true
	}
	return raw, raw != "" && strings.Trim(raw, " ._/-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && raw[0] != '-'
}

// before is what stands before a place on its line.
func before(at diag.Span) string {
	text := at.Source.Text[:at.Start]
	return text[strings.LastIndexByte(text, '\n')+1:]
}

func onOneLine(a, b diag.Span) bool { return whole(a, b).FirstLine() == whole(a, b) }

func whole(a, b diag.Span) diag.Span {
	return diag.Span{Source: a.Source, Start: a.Start, Len: b.End() - a.Start}
}

func between(a, b diag.Span) diag.Span {
	return diag.Span{Source: a.Source, Start: a.Start, Len: b.Start - a.Start}
}
