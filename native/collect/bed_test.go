package collect_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asz/native/collect"
	"asz/native/store"
	"asz/native/store/crash"
)

// bed is a source root on the real disk and a storage root in memory.
type bed struct {
	*testing.T
	src  string
	disk *crash.Disk
	o    collect.Options
}

func newBed(t *testing.T) *bed {
	t.Helper()
	t.Parallel()
	b := &bed{T: t, src: t.TempDir(), disk: crash.New()}
	b.o = options(store.Disk(), b.src, b.disk, "/root")
	return b
}

func (b *bed) name(rel string) string { return filepath.Join(b.src, rel) }

func (b *bed) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// write replaces the content of a file and makes its directories.
func (b *bed) write(rel, text string) {
	b.Helper()
	b.must(os.MkdirAll(filepath.Dir(b.name(rel)), 0o755))
	b.must(os.WriteFile(b.name(rel), []byte(text), 0o644))
}

func (b *bed) append(rel, text string) {
	b.Helper()
	f, err := os.OpenFile(b.name(rel), os.O_APPEND|os.O_WRONLY, 0)
	b.must(err)
	_, err = f.WriteString(text)
	b.must(err)
	b.must(f.Close())
}

func (b *bed) pass() collect.Report { return collect.Pass(context.Background(), b.o) }

// clean is a pass without errors.
func (b *bed) clean() collect.Report {
	b.Helper()
	r := b.pass()
	if len(r.Errors) > 0 {
		b.Fatal(r.Errors)
	}
	return r
}

func (b *bed) settle() collect.Report {
	b.Helper()
	r, err := settle(b.o)
	b.must(err)
	return r
}

// whole checks that all sources of all sessions that are found are landed.
func (b *bed) whole() {
	b.Helper()
	by := map[string][]want{}
	for _, a := range b.o.Adapters {
		all, err := wants(b.o.Sources, a.Discover().Sources)
		b.must(err)
		for _, w := range all {
			by[w.Session] = append(by[w.Session], w)
		}
	}
	if len(by) == 0 {
		b.Fatal("there is no session")
	}
	for id, all := range by {
		if err := whole(b.o.Root, id, all); err != nil {
			b.Fatal(err)
		}
	}
}

func (b *bed) cursor(src store.Source) store.Cursor {
	b.Helper()
	p, err := b.o.Root.Session(src.Session).Lock()
	b.must(err)
	defer p.Close()
	c, ok := p.Cursor(src)
	if !ok {
		b.Fatal("there is no cursor")
	}
	return c
}

const (
	mainRel  = "-work-p/" + sessionA + ".jsonl"
	sideRel  = "-work-p/" + sessionA + "/subagents/agent-a0a10ef0666c4dc7e.meta.json"
	childRel = "-work-p/" + sessionA + "/subagents/agent-a0a10ef0666c4dc7e.jsonl"
	sessionB = "0d4f1c52-0000-4000-8000-00000000000b"
	otherRel = "-work-q/" + sessionB + ".jsonl"
)

func mainSource() store.Source {
	return store.Source{Session: sessionA, Kind: store.Transcript, Stream: store.Main}
}

// edit changes a file of the storage root as nobody should.
func (b *bed) edit(suffix string, change func(name, text string)) {
	b.Helper()
	for _, name := range b.disk.Files() {
		if strings.HasSuffix(name, suffix) {
			text, _ := b.disk.ReadFile(name)
			change(name, text)
			return
		}
	}
	b.Fatal("no file is named " + suffix)
}
