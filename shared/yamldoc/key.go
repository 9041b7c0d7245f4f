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
	if p.appendLine(start, end) {
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
