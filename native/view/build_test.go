package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
)

// node makes a node that stands on records of the landed file 1: ROW or ROW:BLOCK.
func node(id, kind, parent string, places ...string) fold.Node {
	n := fold.Node{ID: id, Kind: kind, Parent: parent, Stream: "main"}
	for _, p := range places {
		row, block, part := strings.Cut(p, ":")
		r := fold.Ref{Seq: 1, Row: int64(row[0] - '0'), Block: fold.WholeRecord}
		if part {
			r.Block = int32(block[0] - '0')
		}
		n.Refs = append(n.Refs, r)
	}
	if len(n.Refs) > 0 {
		n.Ref = n.Refs[0]
	}
	return n
}

func with(n fold.Node, attrs ...fold.Attr) fold.Node {
	n.Attrs = attrs
	return n
}

// landed is a root with one landed file of these records.
func landed(t *testing.T, records ...store.Record) *store.Root {
	t.Helper()
	root := &store.Root{FS: crash.New(), Dir: "/root"}
	p, err := root.Session("s").Lock()
	if err != nil {
		t.Fatal(err)
	}
	p.Begin(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	_, err = p.Land(store.Header{Kind: store.Transcript, Stream: store.Main, Adapter: "a", Dialect: "d", Src: "src"}, func(l *store.Landing) error {
		for i := range records {
			records[i].Ord, records[i].From, records[i].SHA = int64(i+1), store.FromAgent, "000000000000"
			if err := l.Record(&records[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = p.Commit()
	}
	if err == nil {
		err = p.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func part(k store.PartKind, text string) store.Part {
	p := store.Part{K: k, State: store.Available, Bytes: int64(len(text)), ID: "t", Name: "N", Of: "t", Text: store.Raw(`"` + text + `"`)}
	if k == store.PartCall {
		p.Text, p.Data = "", `{"x":1}`
	}
	return p
}

// TestBuild: what follows for the document from nodes as no scenario makes them.
func TestBuild(t *testing.T) {
	t.Parallel()
	failed := part(store.PartResult, "late")
	yes := true
	failed.Failed = &yes
	root := landed(t,
		store.Record{Parts: []store.Part{part(store.PartText, "no time")}, Flags: store.ExternalInput},
		store.Record{Time: "1969-12-31T23:59:59.9995Z", Parts: []store.Part{part(store.PartText, "before 1970")}, Flags: store.Command},
		store.Record{Time: "2026-01-01T00:00:05.0009Z", Usage: &store.Usage{In: 1}, Parts: []store.Part{part(store.PartCall, ""), part(store.PartText, "said")}},
		store.Record{Time: "2026-01-01T00:00:06Z", Usage: &store.Usage{In: 5, Out: 6}, Flags: store.Finished, Parts: []store.Part{part(store.PartCall, ""), part(store.PartCall, "")}},
		store.Record{Time: "2026-01-01T00:00:05Z", Parts: []store.Part{failed, part(store.PartResult, "second")}},
		store.Record{Time: "2026-01-01T00:00:07.0019Z", Parts: []store.Part{part(store.PartResult, "r"), part(store.PartResult, "q")}},
		store.Record{Time: "2026-01-01T00:00:09Z", Parts: []store.Part{part(store.PartText, "alone")}},
	)
	unique, ambiguous := fold.Attr{Key: "result_join", Value: "exact_unique"}, fold.Attr{Key: "result_join", Value: "exact_ambiguous"}
	c := &chain{head: Head{Round: 1}, Structure: fold.Structure{
		Nodes: []fold.Node{
			node("call/c", "llm.call", "run/1", "3", "4"),
			node("command/1", "control.command", "run/2", "2"),
			node("cycle/a", "tool", "cycle/b", "7"),
			node("cycle/b", "run", "cycle/c", "7"),
			node("cycle/c", "run", "cycle/a", "7"),
			node("epoch/main/0", "epoch", "stream/main", "1"),
			node("input/1", "message.external", "run/1", "1"),
			node("lost/1", "message.assistant", "run/gone", "7:0"),
			node("msg/3:1", "message.assistant", "call/c", "3:1"),
			node("run/1", "run", "talk/1", "1"),
			node("run/2", "run", "talk/2", "2"),
			node("run/3", "run", "epoch/main/0", "7"),
			node("self/1", "tool", "self/1", "9"),
			node("session/s", "session", ""),
			node("stream/main", "stream", "session/s", "1"),
			node("talk/1", "talk", "epoch/main/0", "1"),
			node("talk/2", "talk", "epoch/main/0", "2"),
			node("talk/3", "talk", "epoch/main/0"),
			with(node("tool/ambiguous", "tool", "call/c", "4:1", "5:1", "6:1"), ambiguous),
			with(node("tool/early", "tool", "call/c", "4:0", "5:0"), unique),
			with(node("tool/unique", "agent.call", "run/3", "3:0", "6:0"), unique),
		},
		Relations: []fold.Relation{
			{ID: "rel/1", Type: "starts", From: "tool/unique", To: "tool/unique", Quality: "q"},
			{ID: "rel/2", Type: "starts", From: "tool/unique", To: "stream/gone", Quality: "q"},
			{ID: "rel/3", Type: "in_segment", From: "talk/1", To: "segment/gone"},
		},
		Unresolved: []fold.Unresolved{{ID: "u", State: "open"}, {ID: "v", State: "resolved"}},
	}}
	c.Nodes[0].Attrs = []fold.Attr{{Key: "usage_at", Value: fold.Ref{Seq: 1, Row: 4, Block: fold.WholeRecord}}}
	d, err := build(root.Session("s"), root, c, 6)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(list []*Node, indent string)
	walk = func(list []*Node, indent string) {
		for _, n := range list {
			b.WriteString(indent + n.ID + "\n")
			walk(n.Children, indent+" ")
		}
	}
	walk(d.Talks, "")
	b.WriteString("loose\n")
	walk(d.Loose, "")
	const trees = `talk/3
talk/2
 run/2
  command/1
talk/1
 run/1
  input/1
  call/c
   msg/3:1
   tool/early
   tool/ambiguous
loose
cycle/a
 cycle/c
  cycle/b
run/3
 tool/unique
lost/1
self/1
`
	if b.String() != trees {
		t.Errorf("the trees are\n%s", &b)
	}
	nodes := map[string]*Node{}
	var collect func(list []*Node)
	collect = func(list []*Node) {
		for _, n := range list {
			nodes[n.ID] = n
			collect(n.Children)
		}
	}
	collect(d.Talks)
	collect(d.Loose)
	const zero = int64(1767225600000)
	if got := *nodes["talk/1"].Talk; got != (Talk{Label: "no tim", Reply: "said", Runs: 1, Steps: 5, Tools: 2, From: zero + 5000, To: zero + 7001, Segment: "segment/gone"}) {
		t.Errorf("a talk is %+v", got)
	}
	if got := *nodes["talk/2"].Talk; got != (Talk{Label: "before", Runs: 1, Steps: 1, From: -1, To: -1}) {
		t.Errorf("a talk is %+v", got)
	}
	if got := *nodes["tool/unique"].Tool; got != (Tool{Result: "r", ResultState: store.Available, ResultBytes: 1, Wait: 2001, Join: "exact_unique"}) {
		t.Errorf("a tool is %+v", got)
	}
	if got := *nodes["tool/early"].Tool; got != (Tool{Failed: true, Result: "late", ResultState: store.Available, ResultBytes: 4}) {
		t.Errorf("a tool is %+v", got)
	}
	if got := *nodes["tool/ambiguous"].Tool; got != (Tool{Result: "second", ResultState: store.Available, ResultBytes: 6}) {
		t.Errorf("a tool is %+v", got)
	}
	if got := nodes["call/c"].Step; got == nil || *got.Usage != (store.Usage{In: 5, Out: 6}) || got.Text != "" || got.Flags != nil {
		t.Errorf("a call is %+v", got)
	}
	if got := nodes["tool/unique"].Edges; !slices.Equal(got, []Edge{
		{Type: "starts", Other: "tool/unique", In: true, Quality: "q"}, {Type: "starts", Other: "tool/unique", Quality: "q"}, {Type: "starts", Other: "stream/gone", Quality: "q"},
	}) {
		t.Errorf("edges are %+v", got)
	}
	if nodes["self/1"].Step != nil || nodes["self/1"].At != 0 || nodes["command/1"].At != -1 || nodes["input/1"].At != 0 || nodes["msg/3:1"].At != zero+5000 {
		t.Error("times are wrong")
	}
	if s := d.Summary; s.Unresolved != 1 || s.Steps != 10 || s.Quality["q"] != 2 {
		t.Errorf("the summary is %+v", s)
	}
	if err := d.Print(&b, Shown{Color: true}); err != nil {
		t.Error(err)
	}
	sameDocument(t, d)
}

// TestHostile: what a history says does not act on the terminal, and stays in its line.
func TestHostile(t *testing.T) {
	t.Parallel()
	const evil = "a\x1b]0;t\x07\x1b[31mb\u202ec\r\x00d\u009be"
	root := landed(t, store.Record{Time: "2026-01-01T00:00:00Z", Parts: []store.Part{{K: store.PartText, State: store.Available, Text: `"a\u001b]0;t\u0007\u001b[31mb\u202ec\rd\u009be"`}}})
	c := &chain{head: Head{Round: 1}, Structure: fold.Structure{
		Nodes: []fold.Node{
			node("input/1", "message.external", "", "1"),
			with(node("session/s", "session", ""), fold.Attr{Key: "title", Value: evil}),
			with(node("tool/1", "tool", "", "1"), fold.Attr{Key: "name", Value: evil}),
			node("what/1", evil, "", "1"),
		},
		Unresolved: []fold.Unresolved{{ID: evil, Kind: evil, Ref: evil, Reason: evil, State: "open"}},
	}}
	d, err := build(root.Session("s"), root, c, 100)
	if err != nil {
		t.Fatal(err)
	}
	d.Summary.Problems = []string{evil}
	var b strings.Builder
	if err := d.Print(&b, Shown{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\x07\u202e\r\x00\u009b") {
		t.Errorf("printed is %q", b.String())
	}
	b.Reset()
	d.WriteYAML(&b)
	b.Write(d.AppendJSON(nil))
	if strings.ContainsAny(b.String(), "\x1b\x07\u202e\r\x00\u009b") {
		t.Errorf("written is %q", b.String())
	}
	sameDocument(t, d)
}

func sameDocument(t *testing.T, d *Doc) {
	t.Helper()
	var yaml strings.Builder
	if err := d.WriteYAML(&yaml); err != nil {
		t.Fatal(err)
	}
	SameValues(t, yaml.String(), d.AppendJSON(nil))
}
