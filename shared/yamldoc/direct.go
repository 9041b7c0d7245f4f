package yamldoc

import "github.com/goccy/go-yaml/token"

// direct makes nodes of lexemes that fit together in the plain ways: each entry of a map or list at one column, its value
// behind it or on deeper lines. Nearly all files are like that throughout, and goccy's parser takes longer than all else
// here. What is not like that, or stands in a file with a mistake, is for that parser to judge; TestDirect holds that both
// make the same nodes.
//
// The methods run twice, first with make unset, which only looks. They return the index behind the value, -1 where
// something does not fit; then no node was made.
type direct struct {
	*batch
	make bool
}

// direct returns nil when the batch is not plain.
func (b *batch) direct(state bool) *Node {
	p := b.p
	if p.never || len(p.faults) > 0 || len(b.lexemes) == 0 || p.nodes+2*len(b.lexemes) >= p.limits.Nodes {
		return nil
	}
	d := direct{batch: b}
	if _, end := d.value(0, state); end != len(b.lexemes) {
		return nil
	}
	d.make = true
	n, _ := d.value(0, state)
	return n
}

// value reads the value that begins at an index.
func (d *direct) value(i int, state bool) (n *Node, end int) {
	switch d.lexemes[i].typ {
	case token.SequenceEntryType:
		return d.list(i)
	case token.SequenceStartType:
		return d.flowList(i)
	case token.MappingStartType:
		return d.flowMap(i, state)
	case token.StringType:
		if d.isKey(i) {
			return d.mapping(i, state)
		}
		return d.scalar(i), i + 1
	}
	return nil, -1
}

func (d *direct) scalar(i int) *Node {
	if !d.make {
		return nil
	}
	return d.leaf(i)
}

// more reports whether an entry at a column follows at an index; fits is false where something stands there that belongs
// to no entry.
func (d *direct) more(i int, column int32) (more, fits bool) {
	if i == len(d.lexemes) {
		return false, true
	}
	l := &d.lexemes[i]
	return l.column == column, l.fresh && l.column <= column
}

func (d *direct) mapping(i int, state bool) (n *Node, end int) {
	open := &d.lexemes[i]
	var m *mapBuilder
	if d.make {
		d.p.begin(open.outer)
		m = d.p.newMap(Block, open.keyStart(), state)
	}
	for more := true; more; {
		if !d.isKey(i) || i+2 == len(d.lexemes) {
			return nil, -1
		}
		key := d.scalar(i)
		i += 2
		switch l := &d.lexemes[i]; {
		case l.fresh && l.column <= open.column && (l.column < open.column || l.typ != token.SequenceEntryType):
			return nil, -1
		case !l.fresh && (l.typ == token.SequenceEntryType || d.isKey(i)):
			return nil, -1
		}
		var value *Node
		if value, i = d.value(i, key != nil && key.Text == "state"); i < 0 {
			return nil, -1
		}
		if d.make {
			m.add(key, value)
		}
		var fits bool
		if more, fits = d.more(i, open.column); !fits {
			return nil, -1
		}
	}
	if d.make {
		n = d.close(m.close(), i-1, open.outer)
	}
	return n, i
}

func (d *direct) list(i int) (n *Node, end int) {
	open := &d.lexemes[i]
	if d.make {
		d.p.begin(open.outer)
		n = d.p.node(KindList, Block, int(open.start), int(open.end))
	}
	for more := true; more; {
		if i++; i == len(d.lexemes) || d.lexemes[i].column <= open.column {
			return nil, -1
		}
		var item *Node
		if item, i = d.value(i, false); i < 0 {
			return nil, -1
		}
		if d.make {
			n.add(item)
		}
		var fits bool
		if more, fits = d.more(i, open.column); !fits {
			return nil, -1
		}
		more = more && d.lexemes[i].typ == token.SequenceEntryType // else a key follows to which the list belongs
	}
	if d.make {
		n = d.close(n, i-1, open.outer)
	}
	return n, i
}

// typ is the type of the lexeme at an index within brackets.
func (d *direct) typ(i int) token.Type {
	if i < len(d.lexemes) && d.lexemes[i].inner {
		return d.lexemes[i].typ
	}
	return token.UnknownType
}

func (d *direct) flowList(i int) (n *Node, end int) {
	open := &d.lexemes[i]
	if d.make {
		d.p.begin(open.props)
		n = d.p.node(KindList, Flow, int(open.start), int(open.end))
	}
	i++
	for d.typ(i) != token.SequenceEndType {
		if d.isKey(i) {
			return nil, -1 // a pair without braces
		}
		var item *Node
		if item, i = d.inner(i, false); i < 0 {
			return nil, -1
		}
		if d.make {
			n.add(item)
		}
		if i = d.comma(i, token.SequenceEndType); i < 0 {
			return nil, -1
		}
	}
	if d.make {
		n = d.close(n, i, open.props)
	}
	return n, i + 1
}

func (d *direct) flowMap(i int, state bool) (n *Node, end int) {
	open := &d.lexemes[i]
	var m *mapBuilder
	if d.make {
		d.p.begin(open.props)
		m = d.p.newMap(Flow, int(open.start), state)
	}
	i++
	for d.typ(i) != token.MappingEndType {
		if d.typ(i) != token.StringType || d.typ(i+1) != token.MappingValueType || d.lexemes[i].scalar == nil {
			return nil, -1
		}
		key := d.scalar(i)
		var value *Node
		if value, i = d.inner(i+2, key != nil && key.Text == "state"); i < 0 {
			return nil, -1
		}
		if d.make {
			m.add(key, value)
		}
		if i = d.comma(i, token.MappingEndType); i < 0 {
			return nil, -1
		}
	}
	if d.make {
		n = d.close(m.close(), i, open.props)
	}
	return n, i + 1
}

// inner reads a value within brackets.
func (d *direct) inner(i int, state bool) (n *Node, end int) {
	switch d.typ(i) {
	case token.SequenceStartType:
		return d.flowList(i)
	case token.MappingStartType:
		return d.flowMap(i, state)
	case token.StringType:
		return d.scalar(i), i + 1
	}
	return nil, -1
}

// comma goes behind the comma after an entry, or stays at the bracket that ends them.
func (d *direct) comma(i int, end token.Type) int {
	switch d.typ(i) {
	case end:
		return i
	case token.CollectEntryType:
		return i + 1
	}
	return -1
}
