package yamldoc

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/token"
)

// bracket is an open bracket of a flow collection.
type bracket struct {
	at    int  // offset
	state bool // the value of a key `state`
	colon bool // the entry that is being read has its colon
	first int  // index of the lexeme the entry begins with
}

// scanFlow reads the lexemes of a list or map in brackets. It gives false when it is not well formed;
// then its finding is made and a broken value stands in for it.
func (p *parser) scanFlow(parent int, fresh bool) bool {
	f := flow{p: p, parent: parent, from: len(p.lexemes), start: p.pos, line: p.line}
	f.open(len(p.blocks) > 0 && p.blocks[len(p.blocks)-1].state)
	for len(f.brackets) > 0 && !f.failed {
		if !f.space() || p.full() {
			break
		}
		f.token()
		f.bound()
	}
	if p.stopped {
		return false
	}
	if f.failed {
		p.pos, p.line = f.start, f.line
		p.skipFlow(parent)
		p.cut(f.from, f.start, parent, fresh)
		return false
	}
	for i := f.from; i < len(p.lexemes); i++ {
		l := &p.lexemes[i]
		l.line, l.column, l.inner = int32(f.line), int32(f.start-f.line+i-f.from), true
	}
	return true
}

// flow reads one flow collection.
type flow struct {
	p           *parser
	parent      int
	from        int // index of the first lexeme
	start, line int
	brackets    []bracket
	failed      bool
}

// bound ends the reading where brackets hold very much: unlike lines, it cannot be given to goccy's parser in batches.
func (f *flow) bound() {
	if p := f.p; len(p.lexemes)-f.from > p.limits.Nodes/2 && !p.stopped {
		p.report("yaml-too-large", f.start, f.start+1, "too much stands in this one pair of brackets").
			Fix.Text = "write the entries on lines of their own, or fewer of them"
		p.stop()
	}
}

func (f *flow) fail(start, end int, message, fix string) {
	f.failed = true
	f.p.fail(start, end, message, fix)
}

func (f *flow) open(state bool) {
	p := f.p
	if len(p.blocks)+len(f.brackets) >= p.limits.Depth {
		p.tooDeep()
		return
	}
	typ := token.SequenceStartType
	if p.text[p.pos] == '{' {
		typ = token.MappingStartType
	}
	p.emit(typ, p.pos, p.pos+1)
	f.brackets = append(f.brackets, bracket{at: p.pos, state: state, first: len(p.lexemes)})
	p.pos++
}

func (f *flow) top() *bracket { return &f.brackets[len(f.brackets)-1] }

func (f *flow) inMap() bool { return f.p.text[f.top().at] == '{' }

// space skips blanks, comments and lines. It reports brackets left open: at the document's end, or
// where a line is not indented deeper than the parent and does not close them.
func (f *flow) space() bool {
	p := f.p
	for !p.eof() {
		if p.blanks() {
			p.newline()
			continue
		}
		c := p.at(p.pos)
		indent := p.text[p.line:p.pos]
		if p.column() > f.parent || c == ']' || c == '}' || span(indent, isBlank) < len(indent) {
			return true
		}
		break
	}
	c := p.text[f.top().at]
	f.fail(f.top().at, f.top().at+1, fmt.Sprintf("this %c is not closed", c),
		fmt.Sprintf("write %c at its end; further lines in it are indented deeper than the line it begins on", c+2))
	return false
}

// token reads the lexeme at pos.
func (f *flow) token() {
	p := f.p
	own := p.props(true)
	if own != nil {
		if !f.space() {
			return
		}
		if c := p.at(p.pos); c == ',' || c == ']' || c == '}' || f.isColon() {
			f.empty(own.end, own)
		}
	}
	first := len(p.lexemes)
	start := p.pos
	switch c := p.at(p.pos); {
	case c == '{' && p.at(p.pos+1) == '{' && p.template(true):
		end := p.pos
		for f.templateNext() && p.template(true) {
			end = p.pos
		}
		p.pos = end
		if before := f.textBefore(); before != nil && own == nil {
			start, own = int(before.start), before.props
			first--
			p.lexemes = p.lexemes[:first]
		}
		if own.word() {
			start, own = own.start, nil
		}
		p.emitScalar(p.quoteIt(start, end))
	case c == '[' || c == '{':
		f.open(f.isState())
	case c == ']' || c == '}':
		f.close(c)
		return
	case c == ',':
		f.comma()
		return
	case f.isColon():
		f.colon()
		return
	case c == '"' || c == '\'':
		end, line := p.quoteEnd(f.parent)
		if end == 0 {
			f.fail(start, start+1, fmt.Sprintf("the quote %c is not closed", c), "close it")
			return
		}
		p.emitScalar(p.quotedNode(start, end))
		p.pos, p.line = end, line
	case c == '*':
		p.scanAlias(true)
	case p.plainAt(p.pos, true):
		p.plain(f.parent, true)
	case c == '-':
		f.fail(start, start+1, "a list with dashes cannot stand in brackets", "separate the values with commas instead")
	case c == '?':
		p.longKey()
		f.failed = true
	default:
		f.fail(start, start+1, fmt.Sprintf("text cannot begin with %c unless it is in quotes", c), "put the text in quotes")
	}
	if first < len(p.lexemes) && own != nil {
		p.lexemes[first].props = own
	}
}

// textBefore is the unquoted text that stands before a template in its entry: without the quotes that are missing, the
// template's brackets end it.
func (f *flow) textBefore() *lexeme {
	if f.top().first >= len(f.p.lexemes) {
		return nil
	}
	last := f.p.last()
	if last.scalar == nil || last.scalar.Style != Plain || last.end == last.start {
		return nil
	}
	return last
}

// templateNext goes to a template that follows on the line.
func (f *flow) templateNext() bool {
	p := f.p
	at := p.pos + span(p.text[p.pos:p.end], isBlank)
	if !strings.HasPrefix(p.text[at:p.end], "{{") {
		return false
	}
	p.pos = at
	return true
}

// isColon reports whether the colon of a pair stands at pos; behind quotes it needs no blank.
func (f *flow) isColon() bool {
	p := f.p
	if p.at(p.pos) != ':' {
		return false
	}
	last := p.last()
	quoted := last.scalar != nil && (last.scalar.Style == Single || last.scalar.Style == Double)
	return p.ends(p.pos+1) || isFlowMark(p.at(p.pos+1)) || quoted
}

// isState reports whether what comes is the value of a key `state`.
func (f *flow) isState() bool {
	l := f.p.lexemes
	return f.top().colon && len(l) > 1 && l[len(l)-2].scalar != nil && l[len(l)-2].scalar.Text == "state"
}

// empty writes the null of a value left out.
func (f *flow) empty(at int, own *props) {
	n := f.p.empty(at)
	l := f.p.emit(token.StringType, at, at)
	l.scalar, l.props = n, own
}

func (f *flow) colon() {
	p, b := f.p, f.top()
	switch last := p.last(); {
	case b.first >= len(p.lexemes):
		f.fail(p.pos, p.pos+1, "there is no key before this colon", "write a key, or put the text in quotes")
		return
	case b.colon:
		f.fail(p.pos, p.pos+1, "a second colon in this entry: a value with a colon in it needs quotes", "put the value in quotes")
		return
	case last.scalar == nil:
		f.failed = true
		p.broken("yaml-key", int(p.lexemes[b.first].start), int(last.end), "only text can be a key")
		return
	}
	b.colon = true
	p.emit(token.MappingValueType, p.pos, p.pos+1)
	p.pos++
}

// endEntry completes an entry before a comma or a closing bracket: values left out are written as null.
func (f *flow) endEntry() bool {
	p, b := f.p, f.top()
	if b.first >= len(p.lexemes) {
		return false
	}
	last := p.last()
	if f.inMap() && !b.colon {
		switch key := last.scalar; {
		case b.first < len(p.lexemes)-1 && p.lexemes[b.first].typ == token.StringType:
			return true // two values side by side: goccy says so
		case key == nil:
			f.failed = true
			p.broken("yaml-key", int(p.lexemes[b.first].start), int(last.end), "only text can be a key")
		case p.appendKeys && b.state && strings.Contains(key.Text, "+="):
			f.failed = true
			p.broken("append-form", key.Span.Start, key.Span.End(), "`+=` appends only on a line of its own below `state:`")
		default:
			end := int(last.end)
			p.emit(token.MappingValueType, end, end)
			f.empty(end, nil)
		}
		return true
	}
	if last.typ == token.MappingValueType {
		f.empty(int(last.end), nil)
	}
	return true
}

func (f *flow) comma() {
	p := f.p
	if !f.endEntry() {
		f.fail(p.pos, p.pos+1, "there is no value before this comma", "remove the comma, or write a value")
	}
	p.emit(token.CollectEntryType, p.pos, p.pos+1)
	p.pos++
	f.top().colon, f.top().first = false, len(p.lexemes)
}

func (f *flow) close(c byte) {
	p := f.p
	f.endEntry()
	if open := p.text[f.top().at]; c != open+2 {
		f.fail(p.pos, p.pos+1, fmt.Sprintf("%c closes a bracket that %c opened", c, open), fmt.Sprintf("write %c", open+2))
		return
	}
	typ := token.SequenceEndType
	if c == '}' {
		typ = token.MappingEndType
	}
	p.emit(typ, p.pos, p.pos+1)
	p.pos++
	f.brackets = f.brackets[:len(f.brackets)-1]
}

// skipFlow goes behind the bracket that closes the one at pos, counting brackets outside quotes only;
// where none does, it leaves out the entry.
func (p *parser) skipFlow(parent int) {
	start, line, depth := p.pos, p.line, 0
	for !p.eof() {
		switch c := p.at(p.pos); {
		case isBlank(c) || isBreak(c):
			if p.blanks() {
				p.newline()
				continue
			}
			if c := p.at(p.pos); p.column() <= parent && c != ']' && c != '}' {
				p.pos, p.line = start, line
				return
			}
			continue
		case c == '"' || c == '\'':
			if before := p.text[p.pos-1]; isBlank(before) || isBreak(before) || isFlowMark(before) || before == ':' {
				if end, l := p.quoteEnd(parent); end > 0 {
					p.pos, p.line = end, l
					continue
				}
			}
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				p.pos++
				return
			}
		}
		p.pos++
	}
	p.pos, p.line = start, line
}
