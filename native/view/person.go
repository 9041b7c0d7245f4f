package view

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"asz/native/fold"
	"asz/native/store"
)

// Shown says how a conversation is printed for a person.
type Shown struct {
	Width int  // cells of a line, 0 = 80
	Color bool // escape sequences for style may be used
}

const (
	defaultWidth = 80
	narrowest    = 40
	mostLines    = 4   // of a message
	wordWidth    = 12  // of the column that says what a step is
	outlineLimit = 600 // bytes of a text that is printed
)

// Styles of the parts of a line.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

// person prints a document as a tree.
type person struct {
	doc   *Doc
	out   *bufio.Writer
	width int
	color bool

	day      string             // last one that was told
	children map[string][]*Node // talks by stream
	told     map[*Node]bool     // talks of children
	said     map[fold.Ref]bool  // records of messages in the talk that is printed
}

// Print writes the conversation for a person: its talks in their order, each with its runs and steps, children below the
// calls that started them, times in UTC; what is unresolved and what is wrong at the end. Nothing that it writes acts on a
// terminal beyond style.
func (d *Doc) Print(w io.Writer, o Shown) error {
	p := &person{
		doc: d, out: bufio.NewWriter(w), width: cmp.Or(o.Width, defaultWidth), color: o.Color,
		children: map[string][]*Node{}, told: map[*Node]bool{}, said: map[fold.Ref]bool{},
	}
	p.width = max(p.width, narrowest)
	for _, t := range d.Talks {
		if t.Talk.Child {
			p.children[t.Stream] = append(p.children[t.Stream], t)
		}
	}
	p.head()
	p.body()
	p.open()
	p.problems()
	return p.out.Flush()
}

func (p *person) head() {
	s := &p.doc.Summary
	p.line(0, bold, "", cmp.Or(firstLine(s.Title), "session "+p.doc.Conversation))
	state, style := string(s.State), ""
	if s.State != Verified {
		style = red
	}
	var words []string
	if s.Title != "" {
		words = append(words, p.doc.Conversation)
	}
	if s.From != 0 {
		from, to := clockOf(s.From), clockOf(s.To)
		span := from.Format(time.DateTime) + " – " + to.Format(time.DateTime)
		if from.Format(time.DateOnly) == to.Format(time.DateOnly) {
			span = from.Format(time.DateTime) + " – " + to.Format(time.TimeOnly)
		}
		words = append(words, span+" UTC")
		p.day = from.Format(time.DateOnly)
	}
	p.wrap(0, dim, strings.Join(words, ", "), mostLines)
	p.wrap(0, style, fmt.Sprintf("%s: %s, %s, %s, %s, %s", state, counted(s.Talks, "talk"), counted(s.Steps, "step"),
		counted(s.Streams, "stream"), counted(s.Segments, "segment"), counted(s.Rounds, "round")), mostLines)
	var all tally
	for _, n := range slices.Concat(p.doc.Talks, p.doc.Loose) {
		all.add(n)
	}
	if text := all.tokens(); text != "" {
		p.wrap(0, "", "tokens: "+text, mostLines)
	}
}

// body prints the talks of the main stream; what is in none stands where it came.
func (p *person) body() {
	loose := p.doc.Loose
	n := 0
	for _, t := range p.doc.Talks {
		if t.Talk.Child {
			continue
		}
		at := 0
		for at < len(loose) && !before(t, loose[at]) {
			at++
		}
		p.loose(loose[:at])
		loose = loose[at:]
		n++
		p.talk(t, 0, fmt.Sprintf("talk %d", n), bold, "")
	}
	p.loose(loose)
	for _, t := range p.doc.Talks {
		if t.Talk.Child && !p.told[t] {
			p.child(t, 0, "nothing known started it")
		}
	}
}

func before(x, y *Node) bool {
	return cmp.Or(cmp.Compare(x.Ref.Seq, y.Ref.Seq), cmp.Compare(x.Ref.Row, y.Ref.Row)) < 0
}

// loose prints what is in no talk and stands between two.
func (p *person) loose(list []*Node) {
	if len(list) == 0 {
		return
	}
	p.out.WriteByte('\n')
	clear(p.said)
	p.nodes(list, 0)
}

// talk prints a talk under a heading, with a note if there is one.
func (p *person) talk(n *Node, depth int, name, style, note string) {
	var sum tally
	sum.add(n)
	t := n.Talk
	var facts []string
	if note != "" {
		facts = append(facts, note)
	}
	if t.To > t.From {
		facts = append(facts, duration(t.To-t.From))
	}
	if t.Runs > 1 {
		facts = append(facts, counted(t.Runs, "run"))
	}
	facts = append(facts, counted(t.Steps, "step"))
	if t.Tools > 0 {
		facts = append(facts, counted(t.Tools, "tool"))
	}
	if text := sum.tokens(); text != "" {
		facts = append(facts, text)
	}
	if depth == 0 {
		p.out.WriteByte('\n')
		p.date(t.From)
	}
	p.line(depth, style, name, strings.Join(facts, ", "))
	clear(p.said)
	for i, c := range n.Children {
		if c.Kind == fold.KindRun && t.Runs > 1 {
			p.run(c, depth, i+1)
			continue
		}
		p.nodes(n.Children[i:i+1], depth)
	}
}

func (p *person) run(n *Node, depth, number int) {
	var sum tally
	sum.add(n)
	facts := []string{}
	if trigger := text(n, "trigger"); trigger != "" && trigger != "external" {
		facts = append(facts, "set off by "+trigger)
	}
	if text := sum.tokens(); text != "" {
		facts = append(facts, text)
	}
	p.line(depth, dim, fmt.Sprintf("run %d", number), strings.Join(facts, ", "))
	p.nodes(n.Children, depth)
}

// child prints the talk of a child below the call that started it.
func (p *person) child(n *Node, depth int, note string) {
	name := p.name(n.Stream)
	if p.told[n] {
		p.line(depth, dim, "child "+name, "told above")
		return
	}
	p.told[n] = true
	said := p.said
	p.said = map[fold.Ref]bool{}
	p.talk(n, depth, "child "+name, cyan, note)
	p.said = said
}

// name is how a stream is called.
func (p *person) name(stream string) string {
	for i := range p.doc.Streams {
		if s := &p.doc.Streams[i]; s.Name == stream && s.Label != "" {
			return firstLine(s.Label)
		}
	}
	return stream
}

// nodes prints what stands beside each other. What the runtime put in at one place is one line.
func (p *person) nodes(list []*Node, depth int) {
	for i := 0; i < len(list); {
		end := i
		for end < len(list) && list[end].Kind == fold.KindInjection && len(list[end].Children) == 0 {
			end++
		}
		if end > i {
			p.context(list[i:end], depth)
			i = end
			continue
		}
		p.node(list[i], depth)
		i++
	}
}

// context prints injections in a row.
func (p *person) context(list []*Node, depth int) {
	var words []string
	times := map[string]int{}
	for _, n := range list {
		say := n.text()
		word := cmp.Or(field(say, "type"), tag(say, "summary"), firstLine(notice(say)), noText)
		if len(list) > 1 {
			word = fit(word, 40)
		}
		if times[word]++; times[word] == 1 {
			words = append(words, word)
		}
	}
	for i, word := range words {
		if times[word] > 1 {
			words[i] = fmt.Sprintf("%s ×%d", word, times[word])
		}
	}
	p.step(list[0], depth, "context", dim, strings.Join(words, ", "), 1)
}

// node prints a run or step with what it contains. A call is told by its parts alone.
func (p *person) node(n *Node, depth int) {
	switch n.Kind {
	case fold.KindRun, fold.KindCall:
		if n.Kind == fold.KindCall && len(n.Children) == 0 {
			p.step(n, depth, "agent", dim, "(nothing that is kept)", 1)
		}
	case fold.KindTool, fold.KindAgentCall:
		p.tool(n, depth)
	default:
		p.message(n, depth)
	}
	p.nodes(n.Children, depth)
	for i := range n.Edges {
		e := &n.Edges[i]
		if e.Type != "starts" || e.In {
			continue
		}
		for _, t := range p.children[strings.TrimPrefix(e.Other, "stream/")] {
			note := ""
			if e.Quality == "exact_ambiguous" {
				note = "one of several calls started it"
			}
			p.child(t, depth+1, note)
		}
	}
}

// message prints a step that is a text.
func (p *person) message(n *Node, depth int) {
	say := n.text()
	switch n.Kind {
	case fold.KindInput:
		p.step(n, depth, "person", bold, say, mostLines)
	case fold.KindAssistant:
		p.said[fold.Ref{Seq: n.Ref.Seq, Row: n.Ref.Row}] = true
		p.step(n, depth, "agent", "", say, mostLines)
	case fold.KindOutput:
		// Mostly it is the message that was told last.
		if p.said[fold.Ref{Seq: n.Ref.Seq, Row: n.Ref.Row}] {
			return
		}
		p.step(n, depth, "output", "", say, mostLines)
	case fold.KindSynthetic:
		p.step(n, depth, "client", yellow, say, mostLines)
	case fold.KindThinking:
		p.step(n, depth, "thinking", dim, cmp.Or(say, "(not kept)"), 1)
	case fold.KindInjection:
		p.context([]*Node{n}, depth)
	case fold.KindNotification:
		status := strings.TrimSpace(p.name(tag(say, "task-id")) + " " + tag(say, "status"))
		p.step(n, depth, "notified", dim, cmp.Or(tag(say, "summary"), status, notice(say)), 1)
	case fold.KindLaunchAck:
		if say == "launched" {
			say = "in the background"
		}
		p.step(n, depth, "launched", dim, say, 1)
	case fold.KindBoundary:
		p.step(n, depth, "reset", yellow, "the context was reset here", 1)
	case fold.KindSummary:
		p.step(n, depth, "summary", "", say, mostLines)
	case fold.KindError:
		p.step(n, depth, "error", red, cmp.Or(field(say, "content"), say), 1)
	case fold.KindCommand:
		say = cmp.Or(field(say, "content"), say)
		command := strings.TrimSpace(tag(say, "command-name") + " " + tag(say, "command-args"))
		p.step(n, depth, "command", dim, cmp.Or(command, notice(say)), 1)
	case fold.KindNotice:
		p.step(n, depth, "notice", dim, cmp.Or(field(say, "content"), field(say, "subtype"), say), 1)
	case fold.KindDuration:
		took := "" // its landed file is gone
		if n.Duration != 0 {
			took = duration(n.Duration)
		}
		p.step(n, depth, "took", dim, took, 1)
	default:
		p.step(n, depth, n.Kind, "", say, 1)
	}
}

// tool prints a call: what was asked, and in a word what came of it.
func (p *person) tool(n *Node, depth int) {
	t := n.Tool
	came, style := size(t.ResultBytes), ""
	switch join := text(n, "result_join"); {
	case join == "exact_ambiguous":
		came, style = "several results", yellow
	case join == "unresolved":
		came, style = "no result", yellow
	case t.ResultState == "":
		came, style = "its result is not here", yellow
	case t.Failed:
		came, style = "failed: "+cut(firstLine(t.Result), 100), red
	}
	if t.Wait >= 100 {
		came += ", " + duration(t.Wait)
	}
	asked := asked(n.text())
	room := p.room(depth)
	tail := "→ " + fit(came, max(room/2, 12))
	if asked != "" {
		tail = " " + tail
	}
	p.put(n, depth, t.Name, "", fit(asked, room-cells(tail)), style, tail)
}

// open prints what is unresolved.
func (p *person) open() {
	var list []fold.Unresolved
	for _, u := range p.doc.Unresolved {
		if u.State == "open" {
			list = append(list, u)
		}
	}
	if len(list) == 0 {
		return
	}
	p.out.WriteByte('\n')
	p.line(0, bold, fmt.Sprintf("%d unresolved", len(list)), "")
	for _, u := range list {
		p.wrap(1, yellow, strings.ReplaceAll(u.Kind, "_", " ")+" "+u.Ref+": "+u.Reason, mostLines)
	}
}

func (p *person) problems() {
	list := p.doc.Summary.Problems
	if len(list) == 0 {
		return
	}
	p.out.WriteByte('\n')
	p.line(0, bold, counted(len(list), "problem"), "")
	for _, text := range list {
		p.wrap(1, red, text, mostLines)
	}
}

// tally adds up tokens; each call once.
type tally struct{ usage store.Usage }

func (t *tally) add(n *Node) {
	if n.Step != nil && n.Step.Usage != nil {
		u := n.Step.Usage
		t.usage.In = sum(t.usage.In, u.In)
		t.usage.Out = sum(t.usage.Out, u.Out)
		t.usage.CacheRead = sum(t.usage.CacheRead, u.CacheRead)
		t.usage.CacheWrite = sum(t.usage.CacheWrite, u.CacheWrite)
	}
	for _, c := range n.Children {
		t.add(c)
	}
}

// sum stays at the largest number when two numbers of a record come to more.
func sum(a, b int64) int64 {
	if a > 0 && b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

func (t *tally) tokens() string {
	u := t.usage
	if u == (store.Usage{}) {
		return ""
	}
	text := short(u.In) + " in, " + short(u.Out) + " out"
	if u.CacheRead != 0 || u.CacheWrite != 0 {
		text += ", cache " + short(u.CacheRead) + " read " + short(u.CacheWrite) + " written"
	}
	return text
}

func clockOf(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
