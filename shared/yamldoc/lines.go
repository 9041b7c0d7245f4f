package yamldoc

// Walking the lines of a document: blanks, comments, indentation.

func (p *parser) eof() bool { return p.pos >= p.end }

// at gives a byte of the document, a line break beyond its end.
func (p *parser) at(i int) byte {
	if i >= p.end {
		return '\n'
	}
	return p.text[i]
}

// ends reports whether a blank, a line break or the end stands at i.
func (p *parser) ends(i int) bool { return isBlank(p.at(i)) || isBreak(p.at(i)) }

func (p *parser) column() int { return p.pos - p.line }

func (p *parser) lineEnd() int { return lineEnd(p.text[:p.end], p.pos) }

// blanks skips blanks on the line and reports whether only a comment, or nothing, is left on it.
func (p *parser) blanks() (empty bool) {
	p.pos += span(p.text[p.pos:p.end], isBlank)
	return isBreak(p.at(p.pos)) || p.at(p.pos) == '#' && (p.pos == p.line || isBlank(p.text[p.pos-1]))
}

// newline goes to the start of the next line.
func (p *parser) newline() {
	p.pos = breakEnd(p.text[:p.end], p.lineEnd())
	p.line = p.pos
}

// next goes to the next content, over blanks, comments and empty lines, and reports whether it is the
// first on its line. Lines indented with tabs are reported and skipped.
func (p *parser) next() (fresh bool) {
	fresh = p.pos == p.line
	for !p.eof() {
		if p.blanks() {
			p.newline()
			fresh = true
			continue
		}
		if !fresh || span(p.text[p.line:p.pos], isSpace) == p.pos-p.line {
			return fresh
		}
		p.tabLine()
		p.newline()
	}
	return true
}

// tabLine reports the tab in the indentation of the line, once for neighbouring lines.
func (p *parser) tabLine() {
	p.faults = append(p.faults, p.pos)
	if p.tabbed != p.line {
		tab := p.line + span(p.text[p.line:], isSpace)
		p.report("yaml-tab", tab, tab+span(p.text[tab:p.pos], func(c byte) bool { return c == '\t' }), "a tab in the indentation of this line")
	}
	p.tabbed = breakEnd(p.text[:p.end], p.lineEnd())
}

// skipEntry leaves out the rest of the entry that stands at a column: it goes to the start of the next
// line with content at that column or left of it.
func (p *parser) skipEntry(column int) {
	for !p.eof() {
		p.newline()
		indent := span(p.text[p.pos:p.end], isSpace)
		c := p.at(p.pos + indent)
		if indent <= column && !isBreak(c) && c != '#' && c != '\t' {
			return
		}
	}
}

// plainEnd is the end of plain text on the line from i on: before `: `, a comment, the blanks at the
// end of the line and, in a flow collection, before its punctuation.
func (p *parser) plainEnd(i int, flow bool) int {
	end := i
	for ; i < p.end; i++ {
		switch c := p.text[i]; {
		case isBreak(c):
			return end
		case isBlank(c):
			continue
		case c == '#' && i > end && i > p.pos:
			return end
		case c == ':' && (p.ends(i+1) || flow && isFlowMark(p.at(i+1))):
			return end
		case flow && isFlowMark(c):
			return end
		}
		end = i + 1
	}
	return end
}

// contentEnd is the end of what stands on the line from i on, without a comment and blanks.
func (p *parser) contentEnd(i int) int {
	end := i
	for ; !isBreak(p.at(i)); i++ {
		if p.text[i] == '#' && i > end {
			break
		}
		if !isBlank(p.text[i]) {
			end = i + 1
		}
	}
	return end
}

func isFlowMark(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}
