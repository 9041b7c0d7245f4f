package view_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"testing"
	"time"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/conform"
	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
	"asz/native/view"
	"asz/shared/diag"
	"asz/shared/session"
)

var base = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

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

// scenario lands a scenario.
func scenario(t testing.TB, text string) (*store.Root, string) {
	t.Helper()
	root := &store.Root{FS: crash.New(), Dir: "/root"}
	return root, stage(t, root, readScenario(t, text), "")
}

func readScenario(t testing.TB, text string) *session.Scenario {
	t.Helper()
	s, findings := session.Parse(diag.NewSource("test.yaml", text))
	if s == nil {
		t.Fatal(findings)
	}
	return s
}

// stage lands a scenario up to a checkpoint, "" for all of it.
func stage(t testing.TB, root *store.Root, s *session.Scenario, through string) (id string) {
	t.Helper()
	err := conform.Build(s, conform.Options{
		Format: conform.SessionData, Out: "/root", Times: conform.Times{Base: base}, Version: "test", FS: root.FS, Through: through,
	}, func(b conform.Built) error {
		id = b.Session
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// parsed writes what is not in rounds yet.
func parsed(t testing.TB, root *store.Root, id string) {
	t.Helper()
	if _, err := fold.Parse(root, id, fold.ParseOptions{}); err != nil {
		t.Fatal(err)
	}
}

// document parses a session and gives its document.
func document(t testing.TB, root *store.Root, id string) *view.Doc {
	t.Helper()
	parsed(t, root, id)
	d, err := view.Document(root, id)
	if err != nil {
		t.Fatal(err)
	}
	covers(t, root, id, d)
	return d
}

// covers checks what holds for every document: what the fold holds is in it, once.
func covers(t testing.TB, root *store.Root, id string, d *view.Doc) {
	t.Helper()
	c, err := fold.Read(root, id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Structure()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	var walk func(n *view.Node, in int)
	walk = func(n *view.Node, in int) {
		seen[n.ID]++
		if in > 5 {
			t.Errorf("%q stands %d deep", n.ID, in)
		}
		for i, k := range n.Children {
			if k.Parent != n.ID {
				t.Errorf("%q stands below %q and not below %q", k.ID, n.ID, k.Parent)
			}
			if i > 0 && view.Before(k, n.Children[i-1]) {
				t.Errorf("%q comes before %q", n.Children[i-1].ID, k.ID)
			}
			walk(k, in+1)
		}
	}
	for _, n := range d.Talks {
		walk(n, 0)
	}
	for _, n := range d.Loose {
		walk(n, 0)
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		want := 1
		switch n.Kind {
		case fold.KindSession, fold.KindStream, fold.KindEpoch, fold.KindSegment:
			want = 0
		}
		if seen[n.ID] != want {
			t.Errorf("%q is there %d times", n.ID, seen[n.ID])
		}
	}
	if len(d.Relations) != len(s.Relations) || len(d.Unresolved) != len(s.Unresolved) || d.Summary.Talks != len(d.Talks) {
		t.Errorf("relations, unresolved references or talks are missing: %+v", d.Summary)
	}
	h := c.Head().Header
	if int64(d.Summary.Talks) != h.Talks || int64(d.Summary.Steps) != h.Steps || int64(d.Summary.Streams) != h.Streams ||
		int64(d.Summary.Segments) != h.Segments || int64(d.Summary.Unresolved) != h.Unresolved || d.Summary.Title != h.Title {
		t.Errorf("the head says %+v, the document %+v", h, d.Summary)
	}
	for _, f := range d.Files {
		data := fileOf(t, root, f.File)
		if sum := sha256.Sum256(data); f.Bytes != int64(len(data)) || f.Digest != hex.EncodeToString(sum[:]) || f.Lines != int64(bytes.Count(data, []byte("\n"))) {
			t.Errorf("a file is listed as %+v", f)
		}
	}
}

func fileOf(t testing.TB, root *store.Root, name string) []byte {
	t.Helper()
	f, err := root.FS.Open(root.Dir + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, info.Size)
	if _, err := f.ReadAt(data, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return data
}

func unresolved(s string) fold.Unresolved {
	return fold.Unresolved{ID: s, Kind: s, Ref: s, Reason: s, State: s}
}
