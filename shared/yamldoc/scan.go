package yamldoc

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/token"

	"asz/shared/diag"
)

// lexeme is one token of the document. goccy's parser sees its type, line and column only; what a scalar
// says, and where, is known here, so positions are exact whatever that parser does.
type lexeme struct {
	typ    token.Type
	start  int32  // offset; of a value left out: behind what it belongs to
	end    int32  // offset
	line   int32  // offset of the line; within brackets that of the outermost bracket
	column int32  // from 0; within brackets counted up, so that no two are alike
	fresh  bool   // first on its line, outside brackets
	inner  bool   // within brackets
	cut    bool   // stands for a piece that was blanked out
	scalar *Node  // what a StringType says; nil for an alias
	props  *props // tag and anchor on the line of the lexeme
	outer  *props // tag and anchor on a line above it: they belong to the map or list that begins here
}

// block is an open entry of the block structure: a key or a dash at a column.
type block struct {
	column int
	dash   bool
	state  bool // the key `state`
	wants  bool // its value has not come yet
	at     int  // offset behind its colon or dash
	strays bool // keys stand at the column of this dash, and that was said
	open   bool // set in every block; a zero block is none
}

// lexemesPerNode is beyond what documents of text have. One that is all brackets is cut short by it: its nodes are
// made, and counted, only when all of it is scanned.
const lexemesPerNode = 2

// full ends the reading of a document with too many lexemes; a line and an entry in brackets add few.
func (p *parser) full() bool {
	if len(p.lexemes) > lexemesPerNode*p.limits.Nodes {
		p.tooMany(int(p.last().start), int(p.last().end), "the file has too many dashes, colons and brackets")
	}
	return p.stopped
}

// scan cuts the document into lexemes. Mistakes inside a line (quotes, brackets, colons) are found
// here; their entry is left out and a broken value stands in for it. inline: content on the first line
// stands behind `---`.
func (p *parser) scan(inline bool) {
	for ; ; inline = false {
		fresh := p.next()
		if p.eof() || p.full() {
			break
		}
		at := p.pos
		if inline && !fresh {
			p.scanMarkerLine()
		} else {
			p.scanLine()
		}
		if p.pos <= at && !p.stopped { // no known text does that; a loop here would never end
			p.fail(at, p.contentEnd(at), "this line cannot be read", "put text with special characters in quotes")
			p.pos = at
			p.newline()
		}
	}
	p.unwind(-1, false)
}

// scanMarkerLine reads a value on the line of `---`.
func (p *parser) scanMarkerLine() {
	if p.isDash() || p.isKey(false) {
		p.fail(p.pos, p.contentEnd(p.pos), "a map or a list cannot begin on the line of ---", "begin it on the next line")
		p.newline()
		return
	}
	p.scanValue(-1, false)
}

// unwind closes the blocks right of a column, and those at it unless a list stands at its key's column.
// It gives the outermost one it closed at the column itself: the entry that one there stands beside.
func (p *parser) unwind(column int, dash bool) (beside block) {
	for len(p.blocks) > 0 {
		top := &p.blocks[len(p.blocks)-1]
		if top.column < column || top.column == column && dash && !top.dash {
			break
		}
		p.omitted(top)
		if top.column == column {
			beside = *top
		}
		p.blocks = p.blocks[:len(p.blocks)-1]
	}
	return beside
}

// omitted writes the null of a value that was left out.
func (p *parser) omitted(top *block) {
	if !top.wants {
		return
	}
	top.wants = false
	at := top.at
	if p.pending != nil {
		at = p.pending.end
	}
	line, column := p.last().line, p.last().column+1
	l := p.emitScalar(p.empty(at))
	l.line, l.column, l.props = line, column, p.pending
	p.pending = nil
}

func (p *parser) last() *lexeme { return &p.lexemes[len(p.lexemes)-1] }

// parent is the column of the entry that a value here belongs to, -1 for the document.
func (p *parser) parent() int {
	if len(p.blocks) == 0 {
		return -1
	}
	return p.blocks[len(p.blocks)-1].column
}

// scanLine reads the dashes, the key and the value of a line from its first content on.
func (p *parser) scanLine() {
	fresh := true
	p.restore()
	for {
		column := p.column()
		dash := p.isDash()
		beside := p.unwind(column, dash)
		state := len(p.blocks) > 0 && p.blocks[len(p.blocks)-1].state
		isKey := !dash && p.isKey(state)
		switch {
		case p.stopped:
			return
		case fresh && dash && !beside.open && p.besideKeys(column):
			p.fail(p.pos, p.contentEnd(p.pos), "a list item cannot stand among the keys of a map", "indent it below the key it belongs to")
			p.skipEntry(column)
			return
		case fresh && !dash && beside.open && (!isKey || beside.dash):
			p.misfit(beside)
			return
		case !dash && !isKey:
			p.scanValue(p.parent(), fresh)
			return
		}
		if len(p.blocks) > 0 {
			p.blocks[len(p.blocks)-1].wants = false
		}
		if len(p.blocks) >= p.limits.Depth {
			p.tooDeep()
			return
		}
		first := len(p.lexemes)
		b := block{column: column, dash: dash, wants: true, open: true}
		if dash {
			p.emit(token.SequenceEntryType, p.pos, p.pos+1)
			p.pos++
		} else {
			key := p.scanKey(state)
			if key == nil || p.stopped {
				return
			}
			b.state = key.Text == "state"
		}
		p.lexemes[first].fresh = fresh
		p.lexemes[first].outer = p.pending
		p.pending = nil
		b.at = p.pos
		p.blocks = append(p.blocks, b)
		fresh = false
		after := p.pos
		if p.blanks() {
			return
		}
		if !dash {
			p.scanInline(column)
			return
		}
		p.tabBeforeBlock(after)
	}
}

// besideKeys reports that an entry at the column stands beside keys, the last of which has its value.
func (p *parser) besideKeys(column int) bool {
	if len(p.blocks) == 0 {
		return false
	}
	top := p.blocks[len(p.blocks)-1]
	return top.column == column && !top.wants
}

// misfit reports a line that is no entry, though it stands at the column of one above it.
func (p *parser) misfit(beside block) {
	switch {
	case beside.strays:
		p.faults = append(p.faults, p.pos) // one wrong column is one mistake, however many keys stand there
	case beside.dash && p.isKey(false):
		p.fail(p.pos, p.contentEnd(p.pos), "this key stands at the column of the dash, so it belongs to no list item",
			"indent it like the keys of the item above, with all lines that belong to it; or write - before it if it begins an item")
		beside.strays = true
	case beside.dash:
		p.fail(p.pos, p.contentEnd(p.pos), "a list item begins with a dash and a space", "write - before it")
	default:
		p.noKey(p.pos)
	}
	beside.wants = false
	p.blocks = append(p.blocks, beside)
	p.skipEntry(beside.column)
}

func (p *parser) tooDeep() {
	p.report("yaml-too-deep", p.pos, p.pos+1, fmt.Sprintf("values are nested more than %d levels deep here", p.limits.Depth))
	p.stop()
}

func (p *parser) emit(typ token.Type, start, end int) *lexeme {
	p.lexemes = append(p.lexemes, lexeme{
		typ: typ, start: int32(start), end: int32(end), line: int32(p.line), column: int32(start - p.line),
	})
	return p.last()
}

func (p *parser) emitScalar(n *Node) *lexeme {
	l := p.emit(token.StringType, n.Span.Start, n.Span.End())
	l.scalar = n
	return l
}

// scanInline reads what stands behind a key's colon on its line.
func (p *parser) scanInline(column int) {
	if p.isDash() {
		p.fail(p.pos, p.pos+1, "a list cannot begin on the line of its key", "put each - on a line of its own, below the key")
		p.cut(len(p.lexemes), p.pos, column, false)
		return
	}
	p.scanValue(column, false)
}

// cut drops the lexemes from an index on and leaves out the entry they stand in. On the line of its key
// or dash a broken value takes their place; a line of its own (fresh) goes without a trace, so that
// the lines below it are still read as what they are.
func (p *parser) cut(from, at, parent int, fresh bool) {
	line, column := int32(p.line), int32(at-p.line)
	if from < len(p.lexemes) {
		line, column = p.lexemes[from].line, p.lexemes[from].column
	}
	p.lexemes = p.lexemes[:from]
	if fresh {
		p.skipEntry(int(column))
		return
	}
	n := p.empty(at)
	n.Broken = true
	l := p.emitScalar(n)
	l.line, l.column, l.cut = line, column, true
	p.valueSeen()
	p.skipEntry(parent)
}

// valueSeen notes that the innermost entry has its value.
func (p *parser) valueSeen() {
	if len(p.blocks) > 0 {
		p.blocks[len(p.blocks)-1].wants = false
	}
	p.pending = nil
}

// scanValue reads a value that is neither a map nor a list with lines of its own: tag and anchor, then a
// scalar, an alias or brackets.
func (p *parser) scanValue(parent int, fresh bool) {
	own := p.props(false)
	if own != nil && p.blanks() {
		p.pending = own
		if len(p.blocks) == 0 {
			if p.next(); p.eof() {
				p.emitScalar(p.empty(own.end)).props = own
			}
		}
		return
	}
	from, start := len(p.lexemes), p.pos
	line := p.line
	switch c := p.at(p.pos); {
	case c == '|' || c == '>':
		if !p.blockScalar(parent, fresh) {
			return
		}
	case c == '"' || c == '\'':
		if end, last := p.quoteEnd(parent); end > 0 {
			p.emitScalar(p.quotedNode(start, end))
			p.pos, p.line = end, last
		} else {
			p.fail(start, start+1, fmt.Sprintf("the quote %c is not closed", c),
				"close it; further lines of the text are indented deeper than the line it begins on")
			p.cut(from, start, parent, fresh)
			return
		}
	case c == '{' && p.at(p.pos+1) == '{' && p.template(false):
		if own.word() {
			start = own.start
		}
		p.emitScalar(p.quoteIt(start, p.contentEnd(p.pos))).fresh = fresh
		p.valueSeen()
		p.skipEntry(parent)
		return
	case c == '[' || c == '{':
		if !p.scanFlow(parent, fresh) {
			return
		}
	case c == '*':
		p.scanAlias(false)
	case p.plainAt(p.pos, false):
		if !p.plain(parent, false) {
			return
		}
	case c == '?' && p.ends(p.pos+1):
		p.longKey()
		p.cut(from, start, parent, fresh)
		return
	default:
		p.notText(parent, fresh)
		return
	}
	if p.stopped || from >= len(p.lexemes) {
		return
	}
	first := &p.lexemes[from]
	first.fresh, first.props = fresh, own
	first.line, first.column = int32(line), int32(start-line)
	if own == nil && p.pending != nil {
		first.props = p.pending
	}
	if p.pos == p.line || p.endOfValue(from, parent) {
		p.valueSeen()
	}
}

// notText reports a character that plain text cannot begin with.
func (p *parser) notText(parent int, fresh bool) {
	c := p.at(p.pos)
	message := fmt.Sprintf("text cannot begin with %c unless it is in quotes", c)
	switch c {
	case ']', '}':
		message = fmt.Sprintf("this %c closes nothing", c)
	case ':':
		message = "there is no key before this colon"
	}
	p.fail(p.pos, p.pos+1, message, "").Fix = quoteFix(p.span(p.pos, p.contentEnd(p.pos)))
	p.cut(len(p.lexemes), p.pos, parent, fresh)
}

func (p *parser) longKey() {
	p.broken("yaml-key", p.pos, p.pos+1, "keys in the long form (? key) are not supported")
}

// endOfValue checks that nothing but a comment stands behind a value on its line; else the value is cut.
func (p *parser) endOfValue(from, parent int) bool {
	if p.blanks() {
		return true
	}
	first := p.lexemes[from]
	start := int(first.start)
	raw := p.span(min(start, first.keyStart()), p.contentEnd(p.pos))
	switch c := p.at(p.pos); {
	case c == ':' && first.typ != token.StringType:
		p.broken("yaml-key", start, int(p.last().end), "a list or a map cannot be a key")
	case c == ':' && p.ends(p.pos+1):
		p.fail(p.pos, p.pos+1, "a second colon on this line: a value with a colon in it needs quotes", "").Fix = quoteFix(p.oneText(from, raw))
	case p.appendKeys && first.scalar != nil && first.scalar.Style != Plain && strings.HasPrefix(p.text[p.pos:], "+="):
		d := p.broken("append-form", start, raw.End(), "a path that appends stands without quotes before `+=`")
		if path := first.scalar.Span; path.Len == len(first.scalar.Text)+2 && !strings.ContainsAny(first.scalar.Text, " \t#:,[]{}&*!|>%@`\\") {
			d.Fix = &diag.Fix{Text: "remove the quotes", Safe: true, Edits: []diag.Edit{
				edit(path.Sub(0, 1), ""), edit(path.Sub(path.Len-1, path.Len), ""),
			}}
		}
	case first.scalar != nil && first.scalar.Style != Plain:
		p.fail(p.pos, raw.End(), "this stands behind the closing quote", "put the whole text in one pair of quotes")
	default:
		p.fail(p.pos, raw.End(), "this stands behind the end of the value", "remove it, or put the whole text in quotes")
	}
	p.cut(from, start, parent, first.fresh)
	return false
}

// oneText is what a value with a second colon belongs to. A list item that is one line and begins with
// what no field is called is text as a whole: `- Error: no such file: x`.
func (p *parser) oneText(from int, value diag.Span) diag.Span {
	if from < 3 || p.lexemes[from-1].typ != token.MappingValueType || p.lexemes[from-3].typ != token.SequenceEntryType || p.lexemes[from-3].line != int32(p.line) {
		return value
	}
	key := &p.lexemes[from-2]
	if text := key.scalar.Text; text == "" || text[0] >= 'a' && text[0] <= 'z' && !strings.ContainsAny(text, " /") {
		return value
	}
	for i := p.lineAfter(p.pos); i < p.end; i = p.lineAfter(i) {
		if c := p.firstOf(i); c != 0 && c != '#' {
			if span(p.text[i:], isSpace) >= int(key.column) {
				return value // more keys follow
			}
			break
		}
	}
	return p.span(key.keyStart(), value.End())
}

func (p *parser) isDash() bool { return p.at(p.pos) == '-' && p.ends(p.pos+1) }

// tabBeforeBlock reports a tab between a dash and a map or list on its line: its column is not fixed.
func (p *parser) tabBeforeBlock(start int) {
	blank := p.text[start:p.pos]
	if spaces := span(blank, isSpace); spaces < len(blank) && (p.isDash() || p.isKey(false)) {
		p.broken("yaml-tab", start+spaces, start+spaces+1, "a tab between the dash and the value")
	}
}
