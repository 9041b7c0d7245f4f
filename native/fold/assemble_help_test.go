package fold_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/conform"
	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
	"asz/shared/diag"
	"asz/shared/session"
)

var base = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

const sessionID = "0d4f1c52-0000-4000-8000-000000000001"

// flags are the words for flags in records.
var flags = map[string]store.Flags{
	"input": store.ExternalInput, "injected": store.Injected, "finished": store.Finished, "synthetic": store.Synthetic,
	"summary": store.ResetSummary, "ack": store.LaunchAck, "child_result": store.ChildResult, "reset": store.ContextReset,
	"error": store.ErrorFlag, "duration": store.TurnDuration, "command": store.Command, "notice": store.Notice, "sidechain": store.Sidechain,
}

// land lands what the text tells: `= KIND NAME` begins a file of a stream or run, every other line is a record in it:
//
//	ID|- [^PARENT] [@TIME] [run=…] [call=…] [continues=…] [tool=…] [child=…] [batch=…] [by=…] [label=…]
//	[on=TRIGGER] [FLAG …] [usage] [+PART …]
//
// A time is a duration after base. Parts are text, reasoning, call:ID:NAME, result:ID and data.
func land(t testing.TB, text string) *store.Index {
	t.Helper()
	root := &store.Root{FS: crash.New(), Dir: "/root"}
	p, err := root.Session(sessionID).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Begin(base)
	for _, file := range strings.Split(text, "= ")[1:] {
		lines := strings.Split(strings.TrimSpace(file), "\n")
		kind, name, _ := strings.Cut(strings.TrimSpace(lines[0]), " ")
		h := store.Header{Kind: store.Kind(kind), Adapter: "mock/1", Dialect: "mock/1", Src: "p/x", Stream: name}
		if h.Kind != store.Transcript && h.Kind != store.AgentMeta {
			h.Stream, h.Batch = "", name
		}
		if _, err := p.Land(h, func(l *store.Landing) error {
			for i, line := range lines[1:] {
				if err := l.Record(recordOf(t, i, line)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	return index(t, root, sessionID)
}

func recordOf(t testing.TB, i int, line string) *store.Record {
	t.Helper()
	words := strings.Fields(line)
	r := &store.Record{Ord: int64(i + 1), SHA: "0123456789ab", Bytes: 9, ID: words[0]}
	if r.ID == "-" {
		r.ID = ""
	}
	fields := map[string]*string{
		"run": &r.Run, "call": &r.Call, "continues": &r.Continues, "tool": &r.Tool, "child": &r.Child, "batch": &r.Batch,
		"by": &r.StartedBy, "label": &r.Label, "on": (*string)(&r.Trigger),
	}
	for _, w := range words[1:] {
		key, value, isField := strings.Cut(w, "=")
		switch flag := flags[w]; {
		case flag != 0:
			r.Flags |= flag
		case w == "usage":
			r.Usage = &store.Usage{Out: 1}
		case w[0] == '^':
			r.Parent = w[1:]
		case w[0] == '@':
			d, err := time.ParseDuration(w[1:])
			if err != nil {
				t.Fatal(err)
			}
			r.Time = base.Add(d).Format(time.RFC3339Nano)
		case w[0] == '+':
			kind, rest, _ := strings.Cut(w[1:], ":")
			p := store.Part{K: store.PartKind(kind), State: store.Available, Text: `"x"`}
			switch p.K {
			case store.PartCall:
				p.ID, p.Name, _ = strings.Cut(rest, ":")
			case store.PartResult:
				p.Of = rest
			}
			r.Parts = append(r.Parts, p)
		case isField && fields[key] != nil:
			*fields[key] = value
		default:
			t.Fatalf("%q is no word of a record", w)
		}
	}
	return r
}

func index(t testing.TB, root *store.Root, id string) *store.Index {
	t.Helper()
	x, err := root.Session(id).Index()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func assemble(t testing.TB, x *store.Index, through int64) *assembly {
	t.Helper()
	a, err := fold.Assemble(x, through, "x")
	if err != nil {
		t.Fatal(err)
	}
	return newAssembly(t, a)
}

// told assembles what the text lands.
func told(t testing.TB, text string) *assembly {
	t.Helper()
	return assemble(t, land(t, text), 0)
}

// built assembles a scenario through a checkpoint, "" for all of it.
func built(t testing.TB, text, through string) *assembly {
	t.Helper()
	s, findings := session.Parse(diag.NewSource("test.yaml", text))
	if s == nil {
		t.Fatal(findings)
	}
	disk := crash.New()
	var id string
	err := conform.Build(s, conform.Options{
		Format: conform.SessionData, Out: "/root", Times: conform.Times{Base: base}, Through: through, Version: "test", FS: disk,
	}, func(b conform.Built) error {
		id = b.Session
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return assemble(t, index(t, &store.Root{FS: disk, Dir: "/root"}, id), 0)
}

// collected lands the histories below a directory.
func collected(t testing.TB, dir string) *store.Root {
	t.Helper()
	root := &store.Root{FS: crash.New(), Dir: "/root"}
	report := collect.Pass(context.Background(), collect.Options{
		Root: root, Sources: store.Disk(), Now: func() time.Time { return base },
		Adapters: []collect.Adapter{{
			Name: "claude-code-local/test", Dialect: claudecode.Dialect,
			Discover: func() store.Found { return claudecode.Discover(store.Disk(), dir, claudecode.Filter{}) },
			Open:     func(src store.Source, resumed bool) collect.Reader { return claudecode.NewReader(src, resumed) },
		}},
	})
	if report.Landed == 0 {
		t.Fatalf("nothing is landed: %+v", report)
	}
	return root
}

// assembly is an assembly to look things up in.
type assembly struct {
	*fold.Assembly
	t     testing.TB
	nodes map[string]*fold.Node
}

// newAssembly checks what holds for every assembly.
func newAssembly(t testing.TB, a *fold.Assembly) *assembly {
	t.Helper()
	out := &assembly{Assembly: a, t: t, nodes: map[string]*fold.Node{}}
	steps, kinds := 0, map[string]int{}
	for i := range a.Nodes {
		n := &a.Nodes[i]
		out.nodes[n.ID] = n
		kinds[n.Kind]++
		if i > 0 && a.Nodes[i-1].ID >= n.ID {
			t.Errorf("the node %q comes after %q", n.ID, a.Nodes[i-1].ID)
		}
		if fold.IsStep(n.Kind) {
			steps++
		}
		if !slices.IsSortedFunc(n.Attrs, func(x, y fold.Attr) int { return strings.Compare(x.Key, y.Key) }) {
			t.Errorf("the attributes of %q are not sorted: %v", n.ID, n.Attrs)
		}
		if (len(n.Refs) == 0) != (n.Kind == fold.KindSession) || len(n.Refs) > 0 && !slices.Contains(n.Refs, n.Ref) {
			t.Errorf("%q stands on %v and on %v", n.ID, n.Ref, n.Refs)
		}
	}
	if steps != a.Steps || kinds[fold.KindTalk] != a.Talks || kinds[fold.KindStream] != a.Streams || kinds[fold.KindSegment] != a.Segments {
		t.Errorf("%d steps and the kinds %v are counted as %+v", steps, kinds, counts(a))
	}
	for i := range a.Nodes {
		n := &a.Nodes[i]
		root := n.Kind == fold.KindSession || n.Kind == fold.KindSegment
		if root != (n.Parent == "") || !root && out.nodes[n.Parent] == nil {
			t.Errorf("the parent %q of %q is not there", n.Parent, n.ID)
		}
		up := n
		for steps := 0; up != nil && up.Parent != "" && steps < 10; steps++ {
			up = out.nodes[up.Parent]
		}
		if up == nil || up.Parent != "" {
			t.Errorf("nothing contains %q", n.ID)
		}
	}
	for i, r := range a.Relations {
		if i > 0 && a.Relations[i-1].ID >= r.ID {
			t.Errorf("the relation %q comes after %q", r.ID, a.Relations[i-1].ID)
		}
		if out.nodes[r.From] == nil || out.nodes[r.To] == nil || r.Quality == "" || r.Via == "" || r.Evidence.Seq == 0 {
			t.Errorf("a relation is %+v", r)
		}
	}
	for i, u := range a.Unresolved {
		if i > 0 && a.Unresolved[i-1].ID >= u.ID {
			t.Errorf("the unresolved %q comes after %q", u.ID, a.Unresolved[i-1].ID)
		}
		if u.State != "open" || u.Reason == "" || u.ID != "unresolved/"+u.Kind+"/"+u.Ref {
			t.Errorf("an unresolved reference is %+v", u)
		}
	}
	if a.Open != len(a.Unresolved) {
		t.Errorf("%d of %d references are open", a.Open, len(a.Unresolved))
	}
	return out
}

func counts(a *fold.Assembly) string {
	return fmt.Sprintf("talks=%d steps=%d streams=%d segments=%d open=%d", a.Talks, a.Steps, a.Streams, a.Segments, a.Open)
}

func value(v any) string {
	switch v := v.(type) {
	case fold.Ref:
		return place(v)
	case []string:
		return strings.Join(v, ",")
	}
	return fmt.Sprint(v)
}

func place(r fold.Ref) string {
	if r.Block == fold.WholeRecord {
		return fmt.Sprintf("%d/%d", r.Seq, r.Row)
	}
	return fmt.Sprintf("%d/%d:%d", r.Seq, r.Row, r.Block)
}

// line is a node in one line: KIND STREAM PARENT REFS KEY=VALUE …
func line(n *fold.Node) string {
	words := []string{n.Kind, cmp.Or(n.Stream, "-"), cmp.Or(n.Parent, "-")}
	var refs []string
	for _, r := range n.Refs {
		refs = append(refs, place(r))
	}
	words = append(words, cmp.Or(strings.Join(refs, ","), "-"))
	for _, at := range n.Attrs {
		words = append(words, at.Key+"="+value(at.Value))
	}
	return strings.Join(words, " ")
}

// is expects nodes by id, as line writes them; "" says that there is none.
func (a *assembly) is(want map[string]string) {
	a.t.Helper()
	for id, text := range want {
		got := ""
		if n := a.nodes[id]; n != nil {
			got = line(n)
		}
		if got != text {
			a.t.Errorf("%s is\n  %s\nnot\n  %s", id, got, text)
		}
	}
}

// ids are those of a kind.
func (a *assembly) ids(kind string) []string {
	var out []string
	for i := range a.Nodes {
		if a.Nodes[i].Kind == kind {
			out = append(out, a.Nodes[i].ID)
		}
	}
	return out
}

// related expects all relations of a type, as FROM TO QUALITY EVIDENCE.
func (a *assembly) related(kind string, want ...string) {
	a.t.Helper()
	var got []string
	for _, r := range a.Relations {
		if r.Type == kind {
			got = append(got, strings.Join([]string{r.From, r.To, r.Quality, place(r.Evidence)}, " "))
		}
	}
	if !slices.Equal(got, want) {
		a.t.Errorf("%s:\n  %s\nnot\n  %s", kind, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// opens expects all unresolved references, as KIND REF, by id.
func (a *assembly) opens(want ...string) {
	a.t.Helper()
	var got []string
	for _, u := range a.Unresolved {
		got = append(got, u.Kind+" "+u.Ref)
	}
	if !slices.Equal(got, want) {
		a.t.Errorf("open are %q and not %q", got, want)
	}
}

// since is a time of an attribute as a duration after base.
func since(text string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return at.Sub(base).String()
}
