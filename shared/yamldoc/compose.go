package yamldoc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/token"

	"asz/shared/diag"
)

func related(at diag.Span, message string) diag.Related {
	return diag.Related{Span: at, Message: message}
}

// props are the tag and the anchor before a value; nil stands for none.
type props struct {
	start, end    int
	tag, anchor   string
	tagAt, tagEnd int
}

// word reports whether there is but a tag that means nothing here: text that lost its quotes begins with it.
func (r *props) word() bool {
	return r != nil && r.anchor == "" && r.tag != "" && !strings.HasPrefix(r.tag, "!!")
}

// props reads the tag and the anchor at pos and the blanks behind them.
func (p *parser) props(flow bool) *props {
	var r *props
	for c := p.at(p.pos); c == '&' || c == '!'; c = p.at(p.pos) {
		start := p.pos
		p.pos = p.propEnd(start, flow)
		word := p.text[start:p.pos]
		if r == nil {
			r = &props{start: start}
		}
		r.end = p.pos
		switch {
		case c == '&' && len(word) == 1:
			p.fail(start, p.pos, "an anchor needs a name behind &", "write &name, or put the text in quotes")
		case c == '&' && r.anchor != "" || c == '!' && r.tag != "":
			p.fail(start, p.pos, "a value takes one tag and one anchor only", "remove one, or put the text in quotes")
		case c == '&':
			r.anchor = word[1:]
		default:
			r.tag, r.tagAt, r.tagEnd = word, start, p.pos
		}
		if !p.ends(p.pos) && !flow {
			p.fail(p.pos, p.pos+1, "a space is missing here", "write a space before it, or put the text in quotes")
			p.pos = p.contentEnd(p.pos)
		}
		p.pos += span(p.text[p.pos:p.end], isBlank)
	}
	return r
}

// propEnd is the end of the tag or anchor at i. Flow punctuation ends an anchor, and within brackets a tag,
// unless it is written in full: !<…>.
func (p *parser) propEnd(i int, flow bool) int {
	marks := flow || p.at(i) == '&'
	for full := p.at(i+1) == '<'; !p.ends(i) && (full || !marks || !isFlowMark(p.at(i))); i++ {
		full = full && p.at(i) != '>'
	}
	return i
}

// dress gives a value its tag and its anchor.
func (p *parser) dress(n *Node, r *props) *Node {
	if r == nil {
		return n
	}
	if n.alias {
		p.fail(r.start, r.end, "an alias takes neither tag nor anchor", "remove it")
		return n
	}
	n.lead = int32(max(0, n.Span.Start-r.start))
	if r.tag != "" {
		p.tag(n, r)
	}
	if r.anchor != "" {
		p.anchors[r.anchor] = n
	}
	return n
}

// tag applies a tag: a standard one must fit the value, a local one is kept.
func (p *parser) tag(n *Node, r *props) {
	name := r.tag
	if inner, ok := strings.CutPrefix(name, "!<tag:yaml.org,2002:"); ok {
		name = "!!" + strings.TrimSuffix(inner, ">")
	}
	short, standard := strings.CutPrefix(name, "!!")
	scalar := n.Kind < KindMap
	if scalar && (name == "!" || name == "!!str" || !standard) {
		if n.Kind != KindText && !n.Broken {
			n.Kind, n.Bool = KindText, false
		}
	}
	fits := true
	switch {
	case name == "!":
	case !standard:
		n.Tag = r.tag
	case short == "str":
		fits = scalar
	case short == "int":
		fits = n.retype(KindNumber) && isInt(n.Text)
	case short == "float":
		fits = n.retype(KindNumber)
	case short == "bool":
		fits = n.retype(KindBool)
	case short == "null":
		fits = n.retype(KindNull)
	case short == "map":
		fits = n.Kind == KindMap
	case short == "seq":
		fits = n.Kind == KindList
	default:
		p.report("yaml-tag", r.tagAt, r.tagEnd, fmt.Sprintf("the tag %s is not supported", r.tag))
		return
	}
	if !fits && !n.Broken {
		p.report("yaml-tag", r.tagAt, r.tagEnd, fmt.Sprintf("the value is not what the tag %s says", r.tag))
	}
}

// retype reads the text of a scalar, quoted or not, as the type a tag asks for.
func (n *Node) retype(want Kind) bool {
	kind, value := resolve(n.Text)
	if n.Kind >= KindMap || kind != want {
		return false
	}
	n.Kind, n.Bool = kind, value
	return true
}

// scanAlias reads *name.
func (p *parser) scanAlias(flow bool) {
	start := p.pos
	for !p.ends(p.pos) && !(flow && isFlowMark(p.at(p.pos))) {
		p.pos++
	}
	if p.pos == start+1 {
		p.fail(start, p.pos, "an alias needs a name behind *", "write *name, or put the text in quotes")
		p.emitScalar(p.empty(start)).scalar.Broken = true
		return
	}
	p.emit(token.StringType, start, p.pos) // without a scalar
}

// begin notes that the value of an anchor is being read.
func (p *parser) begin(r *props) {
	if r != nil && r.anchor != "" {
		p.anchors[r.anchor] = nil
	}
}

// alias gives the value that an alias repeats. The node shares what the anchored one holds.
func (p *parser) alias(l *lexeme) *Node {
	start, end := int(l.start), int(l.end)
	n := p.empty(start)
	n.Span = p.span(start, end)
	name := p.text[start+1 : end]
	target, known := p.anchors[name]
	switch {
	case target != nil:
		at := n.Span
		*n = *target
		n.Span, n.lead, n.alias = at, 0, true
		p.repeat(n.weight, at)
		return n
	case known:
		p.report("yaml-alias-cycle", start, end, fmt.Sprintf("*%s stands inside the value of &%s", name, name))
	case p.missing[name] > 0:
		const most = 30 // places that are listed
		if d := &p.findings[p.missing[name]-1]; len(d.Related) < most {
			d.Related = append(d.Related, related(n.Span, "also here"))
		}
	default:
		fix := quoteFix(p.span(start, p.contentEnd(start)))
		fix.Text, fix.Safe = fmt.Sprintf("define &%s above, or, if no alias is meant, %s", name, fix.Text), false
		p.report("yaml-alias-unknown", start, end, fmt.Sprintf("there is no anchor &%s above this line", name)).Fix = fix
		if p.missing == nil {
			p.missing = map[string]int{}
		}
		p.missing[name] = len(p.findings)
	}
	n.Broken = true
	return n
}

// repeat counts the values that an alias or a merge key repeats: readers walk them once more.
func (p *parser) repeat(weight int32, at diag.Span) {
	if p.repeated += int(weight); p.repeated > p.limits.AliasNodes && !p.stopped {
		p.report("yaml-too-large", at.Start, at.End(), fmt.Sprintf("aliases repeat more than %d values", p.limits.AliasNodes))
		p.stop()
	}
}

// mapBuilder collects the pairs of one map: duplicate keys are dropped, merge keys filled in at the end.
type mapBuilder struct {
	p       *parser
	n       *Node
	state   bool
	index   map[string]int // of the pairs by key, once there are many
	merge   *Pair          // the merge key
	mergeAt int            // index of the pair it stands before
}

func (p *parser) newMap(style Style, start int, state bool) *mapBuilder {
	return &mapBuilder{p: p, n: p.node(KindMap, style, start, start), state: state}
}

const fewPairs = 8 // maps up to this size are searched one by one

func (m *mapBuilder) find(key string) (int, bool) {
	if m.index != nil {
		i, ok := m.index[key]
		return i, ok
	}
	for i := range m.n.Pairs {
		if m.n.Pairs[i].Key == key {
			return i, true
		}
	}
	return 0, false
}

func (m *mapBuilder) push(pair Pair) {
	m.n.Pairs = append(m.n.Pairs, pair)
	switch {
	case m.index != nil:
		m.index[pair.Key] = len(m.n.Pairs) - 1
	case len(m.n.Pairs) > fewPairs:
		m.index = make(map[string]int, 2*len(m.n.Pairs))
		for i, p := range m.n.Pairs {
			m.index[p.Key] = i
		}
	}
}

func (m *mapBuilder) add(key, value *Node) {
	if key.Text == "<<" && key.Style == Plain {
		if m.merge != nil {
			m.duplicate(key, m.merge.KeyNode)
			return
		}
		m.merge, m.mergeAt = &Pair{Key: key.Text, KeyNode: key, Value: value}, len(m.n.Pairs)
		return
	}
	exempt := m.p.appendKeys && m.state && isAppend(key.Text)
	if i, ok := m.find(key.Text); ok && !exempt {
		m.duplicate(key, m.n.Pairs[i].KeyNode)
		return
	}
	m.n.count(value)
	m.push(Pair{Key: key.Text, KeyNode: key, Value: value})
}

// isAppend reports whether a key below `state:` appends.
func isAppend(key string) bool { return strings.HasSuffix(key, "+=") }

func (m *mapBuilder) duplicate(key, first *Node) {
	line := strings.LastIndexByte(m.p.text[:key.Span.Start], '\n') + 1
	if slices.ContainsFunc(m.p.findings, func(d diag.Diagnostic) bool {
		return d.Code == "yaml-tab" && d.Span.Start < line && m.p.lineAfter(d.Span.Start) == line
	}) {
		return // the line before it, which is left out for its tab, probably began another map
	}
	d := m.p.report("yaml-duplicate-key", key.Span.Start, key.Span.End(), fmt.Sprintf("the key %q is written twice in this map", key.Text))
	d.Related = append(d.Related, related(first.Span, "it is written here first"))
}

// close fills in the merged maps: explicit keys win wherever they stand, earlier maps win over later ones.
func (m *mapBuilder) close() *Node {
	if m.merge == nil {
		return m.n
	}
	sources := []*Node{m.merge.Value}
	if m.merge.Value.Kind == KindList {
		sources = m.merge.Value.Items
	}
	var merged []Pair
	seen := map[string]bool{}
	for _, source := range sources {
		if source.Kind != KindMap {
			if !source.Broken {
				m.p.report("yaml-merge", source.Span.Start, source.Span.End(), "<< takes maps only, and this is "+describe(source))
			}
			m.n.Broken = true
			continue
		}
		m.n.Broken = m.n.Broken || source.Broken
		m.p.repeat(source.weight, m.merge.KeyNode.Span)
		if m.p.stopped {
			return m.n
		}
		for _, pair := range source.Pairs {
			if _, ok := m.find(pair.Key); ok || seen[pair.Key] {
				continue
			}
			seen[pair.Key] = true
			m.n.count(pair.Value)
			merged = append(merged, pair)
		}
	}
	m.n.Pairs = slices.Insert(m.n.Pairs, m.mergeAt, merged...)
	return m.n
}

func (n *Node) add(item *Node) {
	n.Items = append(n.Items, item)
	n.count(item)
}

// count adds a child to the weight and the height of a collection.
func (n *Node) count(child *Node) {
	n.weight += 1 + child.weight
	n.height = max(n.height, 1+child.height)
}
