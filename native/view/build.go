package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"asz/native/fold"
	"asz/native/store"
)

// chain is what the rounds of a session come to.
type chain struct {
	fold.Structure
	head           Head
	parser, policy string
	through        int64 // seq
	rounds         []Round
	files          []File // of the rounds
	roundFiles     []store.RoundFile
}

// builder makes a document.
type builder struct {
	*chain
	doc   *Doc
	limit int // bytes of a text

	nodes  []Node // one for each of the structure
	number map[string]int32
	parent []int32 // none without one
	below  [][]int32
	talk   []int32 // that a run or step is in, or none
	spans  []span  // of the records that a node stands on

	landed      []store.Landed
	found       []File // the same, as they are listed
	damagedFile map[int64]bool

	asked, answered map[int32]int64 // by tool: nanoseconds
}

const none int32 = -1

// span is a range of times in nanoseconds since 1970.
type span struct{ from, to int64 }

func noSpan() span { return span{store.NoTime, store.NoTime} }

func (s *span) join(o span) {
	if o.from == store.NoTime {
		return
	}
	if s.from == store.NoTime || o.from < s.from {
		s.from = o.from
	}
	s.to = max(s.to, o.to)
}

// millis are unix milliseconds, floored; 0 without a time.
func millis(ns int64) int64 {
	if ns == store.NoTime {
		return 0
	}
	ms := ns / 1e6
	if ns%1e6 < 0 {
		ms--
	}
	return ms
}

// build makes the document of what chain says and the landed files on disk hold.
func build(s *store.Session, root *store.Root, c *chain, limit int) (*Doc, error) {
	b := &builder{
		chain: c, limit: limit,
		doc: &Doc{
			Conversation: s.ID, Sessions: []string{s.ID}, Head: c.head, Parser: c.parser, Policy: c.policy,
			Rounds: c.rounds, Relations: c.Relations, Unresolved: c.Unresolved,
		},
	}
	b.tree()
	if err := b.readLanded(root, s); err != nil {
		return nil, err
	}
	b.doc.Files = append(b.found, c.files...)
	b.waits()
	b.talks()
	b.loose()
	b.segments()
	b.streams()
	b.edges()
	b.summary()
	b.check(root)
	return b.doc, nil
}

// tree makes the nodes and finds what each contains.
func (b *builder) tree() {
	n := len(b.Nodes)
	b.nodes, b.number = make([]Node, n), make(map[string]int32, n)
	b.parent, b.below, b.talk, b.spans = make([]int32, n), make([][]int32, n), make([]int32, n), make([]span, n)
	for i := range b.Nodes {
		from := &b.Nodes[i]
		b.number[from.ID] = int32(i)
		b.nodes[i] = Node{
			ID: from.ID, Kind: from.Kind, Parent: from.Parent, Stream: from.Stream, Ref: from.Ref, Refs: from.Refs, Attrs: from.Attrs,
		}
		b.talk[i], b.spans[i] = none, noSpan()
		if from.Kind == fold.KindTalk {
			b.nodes[i].Talk = &Talk{}
		}
		if from.Kind == fold.KindTool || from.Kind == fold.KindAgentCall {
			b.nodes[i].Tool = &Tool{Name: text(&b.nodes[i], "name")}
		}
	}
	for i := range b.nodes {
		p, ok := b.number[b.nodes[i].Parent]
		if !ok {
			p = none
		}
		b.parent[i] = p
	}
	b.breakCycles()
	for i, p := range b.parent {
		if p != none && b.within(int32(i)) {
			b.below[p] = append(b.below[p], int32(i))
		}
	}
	for _, list := range b.below {
		slices.SortFunc(list, b.inRecordOrder)
	}
	for i := range b.nodes {
		for _, n := range b.below[i] {
			b.nodes[i].Children = append(b.nodes[i].Children, &b.nodes[n])
		}
		if b.nodes[i].Talk != nil {
			b.eachBelow(int32(i), func(n int32) { b.talk[n] = int32(i) })
		}
	}
}

// breakCycles takes a parent from one of nodes that contain each other: rounds of another program may say so.
func (b *builder) breakCycles() {
	done := make([]int32, len(b.parent)) // the walk that came by, from 1
	for i := range b.parent {
		walk, n := int32(i+1), int32(i)
		for n != none && done[n] == 0 {
			done[n] = walk
			n = b.parent[n]
		}
		if n != none && done[n] == walk {
			b.parent[n] = none
		}
	}
}

// within tells whether a node is one of those that stand in a tree below another.
func (b *builder) within(n int32) bool {
	kind := b.nodes[n].Kind
	return kind == fold.KindRun || fold.IsStep(kind)
}

// inRecordOrder: a whole record comes before its parts.
func (b *builder) inRecordOrder(x, y int32) int {
	p, q := &b.nodes[x], &b.nodes[y]
	return cmp.Or(cmp.Compare(p.Ref.Seq, q.Ref.Seq), cmp.Compare(p.Ref.Row, q.Ref.Row), cmp.Compare(p.Ref.Block, q.Ref.Block), strings.Compare(p.ID, q.ID))
}

// eachBelow visits the runs and steps that a node contains, however deep.
func (b *builder) eachBelow(n int32, visit func(int32)) {
	for todo := slices.Clone(b.below[n]); len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], b.below[n]...)
		visit(n)
	}
}

// talks fills in the talks and puts them in the order of their first record.
func (b *builder) talks() {
	var list []int32
	earliest := map[int32]int64{}
	for i := range b.nodes {
		if t := b.nodes[i].Talk; t != nil {
			list = append(list, int32(i))
			earliest[int32(i)] = b.fillTalk(int32(i), t)
		}
	}
	slices.SortFunc(list, b.inRecordOrder)
	// Without the time of its first record a talk goes by that of any, and without one it stays behind the talk before it.
	at, last := make(map[int32]int64, len(list)), int64(store.NoTime)
	for _, n := range list {
		if first := b.spans[n].from; first != store.NoTime {
			last = first
		} else if any := earliest[n]; any != store.NoTime {
			last = any
		}
		at[n] = last
	}
	slices.SortStableFunc(list, func(x, y int32) int { return cmp.Compare(at[x], at[y]) })
	for _, n := range list {
		b.doc.Talks = append(b.doc.Talks, &b.nodes[n])
	}
}

// fillTalk tells the earliest time in the talk, in nanoseconds.
func (b *builder) fillTalk(n int32, t *Talk) int64 {
	all := b.spans[n]
	label, reply := none, none
	earliest := func(had *int32, n int32) {
		if *had == none || b.inRecordOrder(n, *had) < 0 {
			*had = n
		}
	}
	input, command := none, none
	var injected []int32
	b.eachBelow(n, func(k int32) {
		all.join(b.spans[k])
		node := &b.nodes[k]
		if node.Kind != fold.KindRun {
			t.Steps++
		}
		switch node.Kind {
		case fold.KindRun:
			t.Runs++
		case fold.KindTool, fold.KindAgentCall:
			t.Tools++
		case fold.KindInput:
			earliest(&input, k)
		case fold.KindCommand:
			earliest(&command, k)
		case fold.KindInjection:
			injected = append(injected, k)
		case fold.KindAssistant, fold.KindOutput:
			if reply == none || b.inRecordOrder(k, reply) > 0 {
				reply = k
			}
		}
	})
	switch {
	case input != none:
		label = input
	case command != none:
		label = command
	default:
		slices.SortFunc(injected, b.inRecordOrder)
		for _, k := range injected[:min(3, len(injected))] {
			if b.nodes[k].text() != "" {
				label = k
				break
			}
		}
	}
	if label != none {
		t.Label = b.nodes[label].text()
	}
	if reply != none {
		t.Reply = b.nodes[reply].text()
	}
	t.From, t.To = millis(all.from), millis(all.to)
	t.Child = b.nodes[n].Stream != store.Main
	return all.from
}

func (n *Node) text() string {
	if n.Step == nil {
		return ""
	}
	return n.Step.Text
}

// loose finds the trees that no talk holds.
func (b *builder) loose() {
	var list []int32
	for i := range b.nodes {
		n := int32(i)
		if !b.within(n) || b.talk[n] != none {
			continue
		}
		if p := b.parent[n]; p == none || !b.within(p) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, b.inRecordOrder)
	for _, n := range list {
		b.doc.Loose = append(b.doc.Loose, &b.nodes[n])
	}
}

func (b *builder) segments() {
	placed := map[string]span{}
	for i := range b.Relations {
		r := &b.Relations[i]
		if n, ok := b.number[r.From]; ok && r.Type == "in_segment" && b.nodes[n].Talk != nil {
			b.nodes[n].Talk.Segment = r.To
			s, ok := placed[r.To]
			if !ok {
				s = noSpan()
			}
			s.join(b.spans[n])
			b.eachBelow(n, func(k int32) { s.join(b.spans[k]) })
			placed[r.To] = s
		}
	}
	var list []int32
	for i := range b.nodes {
		if b.nodes[i].Kind == fold.KindSegment {
			list = append(list, int32(i))
		}
	}
	slices.SortFunc(list, b.inRecordOrder)
	for _, i := range list {
		n := &b.nodes[i]
		seg := Segment{ID: n.ID, State: text(n, "state"), Talks: count(n, "talks")}
		seg.Committable, _ = attr(n, "committable").(bool)
		// The attributes outlive the landed files.
		seg.From, seg.To = moment(n, "from"), moment(n, "to")
		if s, ok := placed[n.ID]; ok && seg.From == 0 && seg.To == 0 {
			seg.From, seg.To = millis(s.from), millis(s.to)
		}
		b.doc.Segments = append(b.doc.Segments, seg)
	}
}

func (b *builder) streams() {
	var list []int32
	for i := range b.nodes {
		if b.nodes[i].Kind == fold.KindStream {
			list = append(list, int32(i))
		}
	}
	slices.SortFunc(list, func(x, y int32) int {
		if p, q := b.nodes[x].Stream == store.Main, b.nodes[y].Stream == store.Main; p != q {
			if p {
				return -1
			}
			return 1
		}
		return b.inRecordOrder(x, y)
	})
	opened := map[string][]Opening{}
	for i := range b.Relations {
		r := &b.Relations[i]
		if r.Type != "starts" {
			continue
		}
		o := Opening{Step: r.From, Quality: r.Quality}
		if n, ok := b.number[r.From]; ok {
			o.Stream = b.nodes[n].Stream
			if t := b.talk[n]; t != none {
				o.Talk = b.nodes[t].ID
			}
		}
		opened[r.To] = append(opened[r.To], o)
	}
	steps, first := map[string]int{}, map[string]string{}
	for _, t := range b.doc.Talks {
		steps[t.Stream] += t.Talk.Steps
		if first[t.Stream] == "" {
			first[t.Stream] = t.ID
		}
	}
	for _, i := range list {
		n := &b.nodes[i]
		s := Stream{
			ID: n.ID, Name: n.Stream, Role: text(n, "role"), Label: cut(text(n, "label"), b.limit), Records: count(n, "records"),
			Steps: steps[n.Stream], Talk: first[n.Stream], OpenedBy: opened[n.ID],
		}
		s.NamedBy, _ = attr(n, "named_by").([]string)
		if len(s.OpenedBy) > 0 {
			s.Parent = s.OpenedBy[0].Stream
		} else if n.Stream != store.Main {
			s.Parent = text(n, "started_by")
		}
		b.doc.Streams = append(b.doc.Streams, s)
	}
}

// edges are the relations at their ends; the list of relations is in the order of their ids.
func (b *builder) edges() {
	for i := range b.Relations {
		r := &b.Relations[i]
		if n, ok := b.number[r.To]; ok {
			b.nodes[n].Edges = append(b.nodes[n].Edges, Edge{Type: r.Type, Other: r.From, In: true, Quality: r.Quality, Via: r.Via})
		}
		if n, ok := b.number[r.From]; ok {
			b.nodes[n].Edges = append(b.nodes[n].Edges, Edge{Type: r.Type, Other: r.To, Quality: r.Quality, Via: r.Via})
		}
	}
}

func (b *builder) summary() {
	s := &b.doc.Summary
	s.Kinds, s.RelationTypes, s.Quality = map[string]int{}, map[string]int{}, map[string]int{}
	for i := range b.nodes {
		n := &b.nodes[i]
		s.Kinds[n.Kind]++
		if fold.IsStep(n.Kind) {
			s.Steps++
		}
		if n.Kind == fold.KindSession {
			s.Title, s.From, s.To = text(n, "title"), moment(n, "from_time"), moment(n, "through_time")
		}
	}
	for i := range b.Relations {
		s.RelationTypes[b.Relations[i].Type]++
		s.Quality[b.Relations[i].Quality]++
	}
	for i := range b.doc.Unresolved {
		if b.doc.Unresolved[i].State == "open" {
			s.Unresolved++
		}
	}
	s.Talks, s.Streams, s.Segments, s.Rounds = len(b.doc.Talks), len(b.doc.Streams), len(b.doc.Segments), len(b.rounds)
}

func attr(n *Node, key string) any {
	for i := range n.Attrs {
		if n.Attrs[i].Key == key {
			return n.Attrs[i].Value
		}
	}
	return nil
}

func text(n *Node, key string) string {
	s, _ := attr(n, key).(string)
	return s
}

func count(n *Node, key string) int64 {
	v, _ := attr(n, key).(int64)
	return v
}

// moment is an attribute that is a time, in unix milliseconds, or 0.
func moment(n *Node, key string) int64 {
	at, err := time.Parse(time.RFC3339Nano, text(n, key))
	if err != nil {
		return 0
	}
	return at.UnixMilli()
}

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
