package yamldoc

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/token"

	"asz/shared/diag"
)

// isKey reports whether a key of a block map begins at pos: text (behind a tag or an anchor) and a
// colon on one line, or, below `state:`, a path and `+=`.
func (p *parser) isKey(state bool) bool {
	if state && p.appendEnd() > 0 {
		return true
	}
	i := p.pos
	for p.at(i) == '&' || p.at(i) == '!' {
		if i = p.propEnd(i, false); !p.ends(i) {
			return false
		}
		i += span(p.text[i:p.end], isBlank)
	}
	_, colon := p.keyEnd(i)
	return colon > 0
}

// keyEnd finds the end of the key at i and the place of its colon, 0 when there is none.
func (p *parser) keyEnd(i int) (end, colon int) {
	switch c := p.at(i); {
	case c == '"' || c == '\'':
		end = p.quoteEndOnLine(i)
	case c == '*':
		for end = i; !p.ends(end); end++ {
		}
	case p.plainAt(i, false):
		end = p.plainEnd(i, false)
	}
	if end == 0 {
		return 0, 0
	}
	colon = end + span(p.text[end:p.end], isBlank)
	if p.at(colon) != ':' || !p.ends(colon+1) {
		return 0, 0
	}
	return end, colon
}

// appendEnd recognises `path += value` and gives the offset behind the path, 0 when it is none.
func (p *parser) appendEnd() (end int) {
	if !p.appendKeys || !p.plainAt(p.pos, true) {
		return 0
	}
	i := p.pos
	for ; !p.ends(i) && !(p.at(i) == '+' && p.at(i+1) == '='); i++ {
	}
	end = i
	i += span(p.text[i:p.end], isBlank)
	if end == p.pos || p.at(end-1) == ':' || p.at(i) != '+' || p.at(i+1) != '=' || !p.ends(i+2) {
		return 0
	}
	return end
}

// scanKey reads the key at pos, where isKey found one, and goes behind its colon (or `+=`). It gives nil
// after leaving out an entry whose key is no text.
func (p *parser) scanKey(state bool) *Node {
	start := p.pos
	if end := p.appendEnd(); state && end > 0 {
		after := end + span(p.text[end:p.end], isBlank) + 2
		key := p.node(KindText, Plain, start, after)
		key.Text = p.text[start:end] + " +="
		p.emitScalar(key)
		p.emit(token.MappingValueType, after, after)
		p.pos = after
		return key
	}
	own := p.props(false)
	end, colon := p.keyEnd(p.pos)
	if p.at(p.pos) == '*' {
		p.broken("yaml-key", p.pos, end, "an alias cannot be a key")
		p.skipEntry(start - p.line)
		return nil
	}
	var key *Node
	if c := p.at(p.pos); c == '"' || c == '\'' {
		key = p.quotedNode(p.pos, end)
	} else {
		key = p.plainNode(p.pos, end)
	}
	l := p.emitScalar(key)
	l.props, l.column = own, int32(start-p.line)
	p.emit(token.MappingValueType, colon, colon+1)
	p.pos = colon + 1
	return key
}

// noKey reports a line that should begin with a key.
func (p *parser) noKey(start int) {
	if p.text[start] == '?' && p.ends(start+1) {
		p.longKey()
		return
	}
	if c := p.text[start]; (c == '"' || c == '\'') && p.quoteEndOnLine(start) == 0 {
		p.fail(start, start+1, fmt.Sprintf("the quote %c is not closed", c), "close the quotes on the same line")
		return
	}
	end := p.contentEnd(start)
	if p.appendLine(start, end) || p.signLine(start, end) {
		return
	}
	for i := start; i < end && !isBlank(p.text[i]); i++ {
		if p.text[i] == ':' && i > start {
			d := p.fail(i, i+1, "a space is missing behind this colon", "write a space behind the colon")
			d.Fix.Edits = append(d.Fix.Edits, edit(p.span(i+1, i+1), " "))
			return
		}
	}
	p.fail(start, end, "a key with a colon is expected here", "write key: value, or indent the line if it continues the value above")
}

// appendLine reports a line with `+=` where none is read: not directly below `state:`, or without blanks around it.
func (p *parser) appendLine(start, end int) bool {
	path, rest, ok := strings.Cut(p.text[start:end], "+=")
	if path = strings.TrimRight(path, " \t"); !p.appendKeys || !ok || path == "" || strings.ContainsAny(path, " \t:") {
		return false
	}
	d := p.broken("append-form", start, end, "a line that appends stands directly below the `state:` of `then`, with a blank on each side of `+=`")
	if path[0] != '"' && path[0] != '\'' && rest != "" && !isBlank(rest[0]) {
		behind := end - len(rest)
		d.Fix = &diag.Fix{Text: "write a blank behind `+=`", Edits: []diag.Edit{edit(p.span(behind, behind), " ")}, Safe: true}
	}
	return true
}

// signLine reports a change directly below `state:` that has the sign of another language.
func (p *parser) signLine(start, end int) bool {
	if !p.appendKeys || len(p.blocks) == 0 || !p.blocks[len(p.blocks)-1].state {
		return false
	}
	c, ok := ChangeOf(p.text[start:end])
	if ok {
		c.Report(p.broken("append-form", start, end, ""))
	}
	return ok
}

// Change is a change of the state that is written with a sign which means nothing in a lab.
type Change struct{ path, sign, operand string }

// ChangeOf takes such a line apart.
func ChangeOf(line string) (c Change, ok bool) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	path := line[:len(line)-len(strings.TrimLeft(line, letters+".-"))]
	path = strings.TrimRight(path, "-") // of -=
	rest := strings.TrimLeft(line[len(path):], " ")
	sign := rest[:len(rest)-len(strings.TrimLeft(rest, "+-=:<|*/.?&"))]
	switch sign {
	case "=", ":=", "==", "-=", "--", "-", "=-", "=+", "++", "+", "<<", "<-", "|=", "||=", "?=", "*=", "/=", "&=", ".=":
	default:
		return c, false
	}
	operand := strings.TrimSpace(rest[len(sign):])
	if strings.Trim(path, ".") == "" || strings.ContainsAny(operand, "\n") {
		return c, false
	}
	blank := len(path)+len(sign) < len(line) && rest != line[len(path):] // words such as a-b are a text
	return Change{path, sign, operand}, blank || strings.HasSuffix(sign, "=")
}

// Report says what is wrong and what to do.
func (c Change) Report(d *diag.Diagnostic) {
	d.Message = "`" + c.sign + "` changes nothing here: `:` sets a value, `+=` appends one to a list"
	text := ""
	switch c.sign {
	case "=", ":=", "==", "|=", "||=", "?=":
		text = "write `" + c.path + ": " + c.operand + "`"
	case "=+", "++", "+", "<<", "<-", ".=":
		text = "write `" + c.path + " += " + c.operand + "`"
	case "-=", "--", "-", "=-":
		text = "nothing is taken out of a list: write what it is afterwards, such as `" + c.path + ": []`"
	default:
		text = "nothing is computed: write the value that `" + c.path + "` has afterwards"
	}
	d.Fix = &diag.Fix{Text: text}
}
