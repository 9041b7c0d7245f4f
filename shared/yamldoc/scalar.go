package yamldoc

import (
	"fmt"
	"strings"

	"asz/shared/diag"
)

func edit(at diag.Span, text string) diag.Edit { return diag.Edit{Span: at, New: text} }

// node makes a node of the document and counts it.
func (p *parser) node(kind Kind, style Style, start, end int) *Node {
	if p.nodes++; p.nodes > p.limits.Nodes {
		p.tooMany(start, end, fmt.Sprintf("the file has more than %d values", p.limits.Nodes))
	}
	return &Node{Kind: kind, Style: style, Span: p.span(start, end), weight: 1}
}

func (p *parser) tooMany(start, end int, message string) {
	if !p.stopped {
		p.report("yaml-too-large", start, end, message)
		p.stop()
	}
}

// empty is the null of a value left out, at a place.
func (p *parser) empty(at int) *Node { return p.node(KindNull, Plain, at, at) }

// plainNode makes the node of plain text; what type it has follows from its text.
func (p *parser) plainNode(start, end int) *Node {
	n := p.node(KindText, Plain, start, end)
	n.Text = p.decode(n)
	n.Kind, n.Bool = resolve(n.Text)
	return n
}

func (p *parser) quotedNode(start, end int) *Node {
	style := Double
	if p.text[start] == '\'' {
		style = Single
	}
	n := p.node(KindText, style, start, end)
	n.Text = p.decode(n)
	return n
}

// decode gives the text of a scalar. Most texts stand in the source as they are and share its memory.
func (p *parser) decode(n *Node) string {
	raw := n.Span.Text()
	switch n.Style {
	case Plain:
		if !strings.ContainsAny(raw, "\r\n") {
			return raw
		}
	case Single, Double:
		if inner := raw[1 : len(raw)-1]; !strings.ContainsAny(inner, "\r\n'\\") {
			return inner
		}
	}
	d := decoder{src: p.text[:p.end], bad: func(start, end int, message string) {
		p.fail(start, end, message, `write \\ for a backslash, or use single quotes`)
	}}
	d.scalar(n.Style, n.Span.Start, n.Span.End(), int(n.indent))
	return string(d.out)
}

// plainAt reports whether plain text may begin at i.
func (p *parser) plainAt(i int, flow bool) bool {
	c := p.at(i)
	if c == '-' || c == '?' || c == ':' {
		return !p.ends(i+1) && !(flow && isFlowMark(p.at(i+1)))
	}
	return !p.ends(i) && !strings.ContainsRune(",[]{}#&*!|>'\"%@`", rune(c))
}

// plain reads plain text, over several lines where these are indented deeper than the parent. It gives
// false when the text turned out to be a key without its colon, which it reports and leaves out.
func (p *parser) plain(parent int, flow bool) bool {
	start, column := p.pos, p.column()
	end := p.plainEnd(p.pos, flow)
	p.pos = end
	for {
		i, line := p.continuation(parent)
		if i == 0 || flow && (isFlowMark(p.at(i)) || p.at(i) == ':' && p.ends(i+1)) {
			break
		}
		next := p.plainEnd(i, flow)
		if at := next + span(p.text[next:p.end], isBlank); !flow && p.at(at) == ':' {
			p.line = line
			if i-line == column {
				p.noKey(start)
				p.pos = line
				return false
			}
			p.fail(i, max(next, i+1), "this line is indented like a part of the value above, but looks like a key",
				"indent it like the key it stands beside, or put the value above in quotes")
			p.skipEntry(parent)
			break
		}
		end = next
		p.pos, p.line = end, line
	}
	p.emitScalar(p.plainNode(start, end))
	return true
}

// continuation finds the content of the next line that continues the plain text before pos: the offset of
// its first byte and of its line, or 0 when the text ends here.
func (p *parser) continuation(parent int) (at, line int) {
	i := p.pos + span(p.text[p.pos:p.end], isBlank)
	if !isBreak(p.at(i)) {
		return 0, 0
	}
	for i < p.end && isBreak(p.text[i]) {
		i = breakEnd(p.text[:p.end], i)
		line = i
		i += span(p.text[i:p.end], isBlank)
	}
	indent := span(p.text[line:p.end], isSpace)
	if i >= p.end || indent <= parent || p.text[i] == '#' {
		return 0, 0
	}
	return i, line
}

// quoteEnd finds the end of the quoted text at pos and the start of the line it ends on, 0 when it is
// not closed before a line that is not indented deeper than the parent.
func (p *parser) quoteEnd(parent int) (end, line int) {
	quote, line := p.text[p.pos], p.line
	for i := p.pos + 1; i < p.end; {
		switch c := p.text[i]; {
		case c == quote && quote == '\'' && p.at(i+1) == '\'':
			i += 2
		case c == quote:
			return i + 1, line
		case c == '\\' && quote == '"' && !isBreak(p.at(i+1)):
			i += 2
		case isBreak(c):
			i = breakEnd(p.text[:p.end], i)
			line = i
			i += span(p.text[i:p.end], isSpace)
			if c := p.at(i); i-line <= parent && !isBreak(c) && c != '\t' {
				return 0, 0
			}
		default:
			i++
		}
	}
	return 0, 0
}

// quoteEndOnLine finds the end of the quoted text at i, 0 when it is not closed on its line.
func (p *parser) quoteEndOnLine(i int) int {
	quote := p.text[i]
	for i++; !isBreak(p.at(i)); i++ {
		switch c := p.text[i]; {
		case c == '\\' && quote == '"', c == quote && quote == '\'' && p.at(i+1) == '\'':
			i++
		case c == quote:
			return i + 1
		}
	}
	return 0
}

// template goes behind an unquoted {{ x }} at pos and the text joined to it; false when no }} closes
// it on the line.
func (p *parser) template(flow bool) bool {
	length := strings.Index(p.text[p.pos:p.lineEnd()], "}}")
	if length < 0 {
		return false
	}
	p.pos += length + 2
	if flow {
		p.pos = p.plainEnd(p.pos, true)
	}
	return true
}

// quoteIt makes text of what would be something else without quotes, and says so.
func (p *parser) quoteIt(start, end int) *Node {
	n := p.node(KindText, Plain, start, end)
	n.Text = n.Span.Text()
	n.Broken = true
	p.report("yaml-quote-it", start, end, "this is text only in quotes: without them {{ … }} is a map").Fix = quoteFix(n.Span)
	return n
}

// blockScalar reads a literal (|) or folded (>) text. It gives false after a wrong header.
func (p *parser) blockScalar(parent int, fresh bool) bool {
	style := Literal
	if p.at(p.pos) == '>' {
		style = Folded
	}
	start := p.pos
	indent, ok := p.blockHeader(parent)
	if !ok {
		p.fail(start, p.contentEnd(p.pos), fmt.Sprintf("text cannot stand on the line of %c", p.text[start]),
			"begin the text on the next line, indented, or put it in quotes")
		p.cut(len(p.lexemes), start, parent, fresh)
		return false
	}
	end := start + len(strings.TrimRight(p.text[start:p.pos], " \t"))
	for p.newline(); !p.eof(); p.newline() {
		spaces := span(p.text[p.pos:p.end], isSpace)
		if isBreak(p.at(p.pos+spaces)) && (indent < 0 || spaces <= indent) {
			continue
		}
		if indent < 0 && spaces > parent {
			indent = spaces
		}
		if indent < 0 || spaces < indent {
			break
		}
		end = p.lineEnd()
	}
	n := p.node(KindText, style, start, end)
	n.indent = int32(max(indent, 0))
	n.Text = p.decode(n)
	p.emitScalar(n)
	return true
}

// blockHeader reads the header of a block scalar: the columns of its indentation, -1 when the first line
// of text decides.
func (p *parser) blockHeader(parent int) (indent int, ok bool) {
	indent, chomp := -1, false
	for p.pos++; !p.ends(p.pos); p.pos++ {
		switch c := p.at(p.pos); {
		case c >= '1' && c <= '9' && indent < 0:
			indent = max(parent, 0) + int(c-'0')
		case (c == '-' || c == '+') && !chomp:
			chomp = true
		default:
			return 0, false
		}
	}
	return indent, p.blanks()
}
