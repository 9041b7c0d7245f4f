package fold_test

import (
	"context"
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

// bed is a root to parse, and what is done to it.
type bed struct {
	testing.TB
	root *store.Root
	id   string
}

var bedStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// scenarioBed builds a scenario through a checkpoint in a root on a disk.
func scenarioBed(t testing.TB, disk store.FS, dir, text, through string) *bed {
	t.Helper()
	b := &bed{TB: t, root: &store.Root{FS: disk, Dir: dir}}
	b.build(text, through)
	return b
}

func (b *bed) build(text, through string) {
	b.Helper()
	s, findings := session.Parse(diag.NewSource("test.yaml", text))
	if s == nil {
		b.Fatal(findings)
	}
	err := conform.Build(s, conform.Options{
		Format: conform.SessionData, Out: b.root.Dir, Times: conform.Times{Base: bedStart}, Through: through, Version: "test", FS: b.root.FS,
	}, func(built conform.Built) error {
		b.id = built.Session
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// historyRoot collects histories into a root.
func historyRoot(t testing.TB, disk store.FS, dir, source string) *store.Root {
	t.Helper()
	root := &store.Root{FS: disk, Dir: dir}
	o := collect.Options{
		Root: root, Sources: store.Disk(), Now: func() time.Time { return bedStart }, Workers: 1,
		Adapters: []collect.Adapter{{
			Name: "claude-code-local/test", Dialect: claudecode.Dialect,
			Discover: func() store.Found { return claudecode.Discover(store.Disk(), source, claudecode.Filter{}) },
			Open:     func(src store.Source, resumed bool) collect.Reader { return claudecode.NewReader(src, resumed) },
		}},
	}
	for more := true; more; {
		r := collect.Pass(context.Background(), o)
		if len(r.Errors) > 0 {
			t.Fatal(r.Errors)
		}
		more = r.Pending > 0
	}
	return root
}

func (b *bed) parse(most int64) *fold.ParseResult {
	b.Helper()
	r, err := fold.Parse(b.root, b.id, fold.ParseOptions{MaxRoundBytes: most})
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func (b *bed) chain() *fold.Chain {
	b.Helper()
	c, err := fold.Read(b.root, b.id)
	if err != nil {
		b.Fatal(err)
	}
	if c.Broken != nil {
		b.Fatal(c.Broken)
	}
	return c
}

func (b *bed) disk() *crash.Disk { return b.root.FS.(*crash.Disk) }

// histories is the directory of real histories beside the project; without it the test is skipped.
func histories(t testing.TB) string {
	t.Helper()
	dir := "../../../shared/data/claude-code"
	if _, err := store.Disk().Stat(dir); err != nil {
		t.Skip("there are no histories")
	}
	return dir
}
