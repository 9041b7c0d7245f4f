package yamldoc

// stray is a list item whose dash stands left of the dashes above it, and right of the key that the list belongs to. It
// belongs to that list: nothing else can be meant. It is read as if it stood there.
type stray struct {
	column int // of its dash as it is written
	list   int // the column of the dashes above it
	until  int // the lines before this offset stand too far left as well
}

// restore takes a line to the column at which it should stand.
func (p *parser) restore() {
	column, from := p.column(), p.pos
	if s := p.stray; from < s.until {
		p.line -= s.list - s.column
		return
	}
	list := p.listLeft(column)
	if list < 0 || !p.isDash() {
		return
	}
	if last := p.stray; last.list != list || last.column != column { // several that are alike are one mistake
		p.report("yaml-syntax", from, p.contentEnd(from), "the indentation of this line fits no line above").
			Fix.Text = "indent it like the list items above"
	}
	p.stray = stray{column: column, list: list}
	// The rest of the item was either moved with its dash, or stands where it should.
	inner := column + 1 + span(p.text[from+1:p.end], isBlank)
	for i, first := p.lineAfter(from), true; i < p.end; i = p.lineAfter(i) {
		indent := span(p.text[i:p.end], isSpace)
		if p.firstOf(i) == 0 || p.firstOf(i) == '#' {
			continue
		}
		if indent < inner || first && indent != inner {
			break
		}
		first, p.stray.until = false, p.lineAfter(i)
	}
	p.line -= list - column
}

// listLeft is the column of the list that has its last item above, when a dash at a column stands left of it and right
// of its key; -1 when that is not so.
func (p *parser) listLeft(column int) int {
	list := -1
	for i := len(p.blocks) - 1; i >= 0; i-- {
		b := &p.blocks[i]
		if b.column <= column {
			if b.column == column || b.wants {
				return -1
			}
			break
		}
		if list = -1; b.dash {
			list = b.column
		}
	}
	return list
}
