package yamldoc

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// batch is a run of lexemes that goccy's parser gets at once. Long maps and lists are read in batches:
// that parser calls itself once a key and copies all keys each time (20,000 keys take 1.6 s), and its
// tokens and tree take many times the memory of ours.
type batch struct {
	p       *parser
	lexemes []lexeme
	after   int // offset of what follows: up to there, what was left out belongs to the batch
}

// batchSize is how many lexemes a batch has before it is split. It bounds goccy's recursion, too.
const batchSize = 600

// build makes the node of a run of lexemes that holds one value.
func (b batch) build(state bool) *Node {
	p := b.p
	if p.stopped {
		return p.empty(p.end)
	}
	if len(b.lexemes) > batchSize {
		switch first := &b.lexemes[0]; {
		case first.typ == token.SequenceEntryType:
			return b.list()
		case b.isKey(0) && !first.inner:
			return b.mapping(state)
		}
	}
	at := p.end
	if len(b.lexemes) > 0 {
		at = int(b.lexemes[0].start)
	}
	if tree := b.structure(); tree != nil {
		n, _ := b.walk(tree, state)
		return n
	}
	n := p.empty(at)
	n.Broken = true
	return n
}

func (b *batch) isKey(i int) bool {
	return i+1 < len(b.lexemes) && b.lexemes[i].typ == token.StringType && b.lexemes[i+1].typ == token.MappingValueType
}

// entries splits a block map or list into its entries and gives them in batches. What stands at a
// column where no entry can be is reported and left out.
func (b *batch) entries(fits func(i int) bool, yield func(batch, bool)) {
	column := b.lexemes[0].column
	for start := 0; start < len(b.lexemes) && !b.p.stopped; {
		end := b.entryEnd(start)
		if start > 0 && (b.lexemes[start].column != column || !fits(start)) {
			b.p.misplaced(int(b.lexemes[start].start))
			start = end
			continue
		}
		single := end-start > batchSize
		for !single && end < len(b.lexemes) && b.lexemes[end].column == column && fits(end) {
			next := b.entryEnd(end)
			if next-start > batchSize {
				break
			}
			end = next
		}
		yield(b.sub(start, end), single)
		start = end
	}
}

// entryEnd is the index behind the entry at an index: the next line that is not indented deeper and, where
// the entry is no list item itself, no item of a list at its key's column.
func (b *batch) entryEnd(i int) int {
	first := b.lexemes[i]
	for i++; i < len(b.lexemes); i++ {
		l := b.lexemes[i]
		if !l.fresh || l.column > first.column {
			continue
		}
		if l.column < first.column || l.typ != token.SequenceEntryType || first.typ == token.SequenceEntryType {
			break
		}
	}
	return i
}

func (b *batch) sub(start, end int) batch {
	after := b.after
	if end < len(b.lexemes) {
		after = int(b.lexemes[end].start)
	}
	return batch{p: b.p, lexemes: slices.Clip(b.lexemes[start:end]), after: after}
}

// list reads a long block list.
func (b *batch) list() *Node {
	open := b.lexemes[0]
	b.p.begin(open.outer)
	n := b.p.node(KindList, Block, int(open.start), int(open.end))
	dash := func(i int) bool { return b.lexemes[i].typ == token.SequenceEntryType }
	b.entries(dash, func(part batch, single bool) {
		part.lexemes[0].outer = nil
		var items []*Node
		if single {
			rest := part.sub(1, len(part.lexemes))
			items = []*Node{rest.build(false)}
		} else {
			items = part.build(false).Items
		}
		for _, item := range items {
			n.add(item)
		}
	})
	return b.close(n, len(b.lexemes)-1, open.outer)
}

// mapping reads a long block map.
func (b *batch) mapping(state bool) *Node {
	open := b.lexemes[0]
	b.p.begin(open.outer)
	m := b.p.newMap(Block, open.keyStart(), state)
	b.entries(b.isKey, func(part batch, single bool) {
		part.lexemes[0].outer = nil
		if single {
			key := part.leaf(0)
			rest := part.sub(2, len(part.lexemes))
			m.add(key, rest.build(key.Text == "state"))
		} else if tree, ok := part.structure().(*ast.MappingNode); ok {
			part.pairs(tree, m)
		}
	})
	return b.close(m.close(), len(b.lexemes)-1, open.outer)
}

// walk makes nodes of goccy's tree. Only its shape is taken from there; texts and places are those of
// the lexemes. Values are visited in the order of the file, so anchors come before their aliases. last is
// the index of the value's last lexeme.
func (b *batch) walk(tree ast.Node, state bool) (n *Node, last int) {
	switch t := tree.(type) {
	case *ast.MappingNode:
		return b.walkMap(t, state)
	case *ast.SequenceNode:
		return b.walkList(t)
	}
	last = index(tree.GetToken())
	return b.leaf(last), last
}

func (b *batch) leaf(i int) *Node {
	p, l := b.p, &b.lexemes[i]
	if l.typ != token.StringType { // a null that goccy put behind a colon or a dash
		n := p.empty(int(l.end))
		n.Broken = p.faulty(int(l.start), b.next(i))
		return n
	}
	p.begin(l.props)
	n := l.scalar
	if n == nil {
		return p.dress(p.alias(l), l.props)
	}
	end := int(l.end)
	if n.Kind == KindNull {
		end = b.next(i) // what should have been the value may have been left out
	}
	n.Broken = n.Broken || p.faulty(int(l.start), end)
	return p.dress(n, l.props)
}

func (b *batch) walkMap(t *ast.MappingNode, state bool) (n *Node, last int) {
	first := index(t.Start)
	if !t.IsFlowStyle {
		first = index(t.Values[0].Key.GetToken())
	}
	open := &b.lexemes[first]
	own, style, start := open.props, Flow, int(open.start)
	if !t.IsFlowStyle {
		own, start = open.outer, open.keyStart()
		if !open.inner { // else it is a single pair in a list in brackets
			style = Block
		}
	}
	b.p.begin(own)
	m := b.p.newMap(style, start, state)
	last = b.pairs(t, m)
	if t.IsFlowStyle {
		last = index(t.End)
	}
	return b.close(m.close(), last, own), last
}

// keyStart is the offset where the map begins whose first key this is: a tag or anchor of the key counts.
func (l *lexeme) keyStart() int {
	if l.props != nil {
		return l.props.start
	}
	return int(l.start)
}

func (b *batch) pairs(t *ast.MappingNode, m *mapBuilder) (last int) {
	for _, v := range t.Values {
		if b.p.stopped {
			break
		}
		key, _ := b.walk(v.Key, false)
		var value *Node
		value, last = b.walk(v.Value, key.Text == "state")
		m.add(key, value)
	}
	return last
}

func (b *batch) walkList(t *ast.SequenceNode) (n *Node, last int) {
	open := &b.lexemes[index(t.Start)]
	own, style := open.outer, Block
	if t.IsFlowStyle {
		own, style = open.props, Flow
	}
	b.p.begin(own)
	n = b.p.node(KindList, style, int(open.start), int(open.end))
	for _, v := range t.Values {
		if b.p.stopped {
			break
		}
		var item *Node
		item, last = b.walk(v, false)
		n.add(item)
	}
	if t.IsFlowStyle {
		last = index(t.End)
	}
	return b.close(n, last, own), last
}

// close completes a collection that ends with a lexeme.
func (b *batch) close(n *Node, last int, own *props) *Node {
	p := b.p
	n.Span = p.span(n.Span.Start, int(b.lexemes[last].end))
	n.Broken = n.Broken || p.faulty(n.Span.Start, b.next(last))
	if int(n.height) >= p.limits.Depth && !p.stopped {
		p.report("yaml-too-deep", n.Span.Start, n.Span.Start+1,
			fmt.Sprintf("values are nested more than %d levels deep here, counted through aliases", p.limits.Depth))
		p.stop()
	}
	return p.dress(n, own)
}

// next is the offset of the lexeme behind one.
func (b *batch) next(i int) int {
	if i+1 < len(b.lexemes) {
		return int(b.lexemes[i+1].start)
	}
	return b.after
}

// faulty reports whether a syntax finding lies in [start,end). There are few findings.
func (p *parser) faulty(start, end int) bool {
	return slices.ContainsFunc(p.faults, func(at int) bool { return at >= start && at < end })
}
