package fold_test

import (
	"strings"
	"testing"

	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
)

// damagedIndexes are the ways in which an index is no index.
var damagedIndexes = map[string]func(b *bed, index string){
	"an empty index.state": func(b *bed, index string) { b.rewrite(index+"index.state", "") },
	"a garbled index.state": func(b *bed, index string) {
		b.rewrite(index+"index.state", strings.Replace(b.read(index+"index.state"), "indexed_seq", "indexed", 1))
	},
	"no index.state": func(b *bed, index string) { b.remove(index + "index.state") },
	"no entries":     func(b *bed, index string) { b.remove(index + "entries.bin") },
	"short entries":  func(b *bed, index string) { b.rewrite(index+"entries.bin", "x") },
	"other entries": func(b *bed, index string) {
		b.rewrite(index+"entries.bin", strings.Repeat("x", len(b.read(index+"entries.bin"))))
	},
	"no index": func(b *bed, index string) {
		b.remove(index + "index.state")
		b.remove(index + "entries.bin")
		b.remove(strings.TrimSuffix(index, "/"))
	},
}

// TestIndexForgetsNothing: a damaged index is made anew, unless the rounds stand on a landed file that is gone: then parsing,
// indexing and collecting say so, and leave the rounds and what is left of the index alone. What is new lands all the same.
func TestIndexForgetsNothing(t *testing.T) {
	t.Parallel()
	whole := scenarioBed(t, crash.New(), "/root", grown, "one")
	whole.parse(0)
	index := "/root/" + whole.id + "/index/"
	pass := func(do func(p *store.Pass) error) func(b *bed) error {
		return func(b *bed) error {
			p, err := b.root.Session(b.id).Lock()
			if err != nil {
				return err
			}
			defer p.Close()
			p.Begin(bedStart)
			return do(p)
		}
	}
	verbs := map[string]func(b *bed) error{
		"parse":   func(b *bed) error { _, err := fold.Parse(b.root, b.id, fold.ParseOptions{}); return err },
		"index":   pass((*store.Pass).Commit),
		"rebuild": pass((*store.Pass).Reindex),
		"collect": pass(func(p *store.Pass) error {
			h := store.Header{Kind: store.Transcript, Stream: "a0a10ef0666c4dc7e", Adapter: "mock/test", Dialect: "mock/1", Src: "x"}
			l, err := p.Land(h, func(l *store.Landing) error {
				return l.Record(&store.Record{Ord: 1, SHA: "000000000000", Bytes: 1})
			})
			if err != nil || l.Seq != 2 {
				t.Errorf("landing gives %+v, %v", l, err)
			}
			return p.Commit()
		}),
	}
	for damaged, damage := range damagedIndexes {
		for verb, do := range verbs {
			t.Run(damaged+", "+verb, func(t *testing.T) {
				t.Parallel()
				b := whole.on(whole.disk().Restart())
				b.TB = t
				damage(b, index)
				lost := b.landedFiles()[0]
				text := b.read(lost)
				b.remove(lost)
				kept := func() string {
					state, _ := b.disk().ReadFile(index + "index.state")
					return shown(b.disk()) + state
				}
				before := kept()
				err := do(b)
				switch {
				case damaged == "other entries" && (verb == "index" || verb == "collect"):
					// Only who reads the entries sees it. What is appended does not make them right.
					if err != nil {
						t.Error(err)
					}
				case err == nil || !strings.Contains(err.Error(), "landed file 1 is not on disk, and round 1 stands on it"):
					t.Errorf("it says %v", err)
				case kept() != before:
					t.Error("the rounds or the index are changed")
				}
				if r, err := fold.Parse(b.root, b.id, fold.ParseOptions{}); err == nil {
					t.Errorf("the parse is %+v", r)
				}
				b.add(lost, text)
				want := 0
				if verb == "collect" {
					want = 1
				}
				if r := b.parse(0); len(r.Written) != want {
					t.Errorf("with the file back %d rounds are written", len(r.Written))
				}
				b.foldsAsAssembled()
				b.sound("")
			})
		}
	}
}

// TestIndexIsMadeAnew: with all files there, a damaged index is made anew by whoever sees it.
func TestIndexIsMadeAnew(t *testing.T) {
	t.Parallel()
	whole := scenarioBed(t, crash.New(), "/root", grown, "one")
	whole.parse(0)
	index := "/root/" + whole.id + "/index/"
	for damaged, damage := range damagedIndexes {
		b := whole.on(whole.disk().Restart())
		entries := b.read(index + "entries.bin")
		damage(b, index)
		b.build(grown, "")
		b.parse(0)
		if !strings.HasPrefix(b.read(index+"entries.bin"), entries) {
			t.Errorf("%s: the index is another", damaged)
		}
		b.foldsAsAssembled()
		b.sound(damaged)
	}
}

// TestIndexBehindTheRounds: an index from an earlier time is not brought past a file that is gone either.
func TestIndexBehindTheRounds(t *testing.T) {
	t.Parallel()
	b := scenarioBed(t, crash.New(), "/root", grown, "one")
	index := "/root/" + b.id + "/index/"
	state := b.read(index + "index.state")
	b.build(grown, "")
	b.parse(0)
	b.rewrite(index+"index.state", state)
	files := b.landedFiles()
	text := b.read(files[1])
	b.remove(files[1])
	if r, err := fold.Parse(b.root, b.id, fold.ParseOptions{}); err == nil || !strings.Contains(err.Error(), "landed file 2 is not on disk, and round 1 stands on it") {
		t.Errorf("the parse is %+v, %v", r, err)
	}
	b.add(files[1], text)
	b.remove(files[0]) // that one the index knows
	b.parse(0)
	b.foldsAsAssembled()
}

// TestIndexBesideBrokenRounds: what a round consumed that cannot be read is not known.
func TestIndexBesideBrokenRounds(t *testing.T) {
	t.Parallel()
	b := scenarioBed(t, crash.New(), "/root", grown, "one")
	b.parse(0)
	b.build(grown, "")
	b.parse(0)
	index := "/root/" + b.id + "/index/"
	rounds := b.files(".sf")
	b.rewrite(rounds[1], strings.Replace(b.read(rounds[1]), "Looked", "Locked", 1)+" ")
	files := b.landedFiles()
	b.remove(files[1])
	b.rewrite(index+"index.state", "")
	if r, err := fold.Parse(b.root, b.id, fold.ParseOptions{}); err == nil || !strings.Contains(err.Error(), "landed file 2 is not on disk, and whether a round stands on it cannot be told") || !strings.Contains(err.Error(), rounds[1]) {
		t.Errorf("the parse is %+v, %v", r, err)
	}
	if b.read(index+"index.state") != "" {
		t.Error("the index is made anew")
	}
}

// TestParseKeepsLost: while the index knows a lost file, the session goes on with all of it.
func TestParseKeepsLost(t *testing.T) {
	t.Parallel()
	b := scenarioBed(t, crash.New(), "/root", grown, "one")
	b.parse(0)
	b.build(grown, "")
	b.remove(b.landedFiles()[0])
	if r := b.parse(0); len(r.Written) != 1 {
		t.Fatalf("%d rounds are written", len(r.Written))
	}
	b.foldsAsAssembled()
	if text := shown(b.disk()); strings.Contains(text, "tombstone") {
		t.Errorf("there are tombstones:\n%s", text)
	}
}

// TestParseRefusesForgottenFile: an index that was made without a consumed file while there was no chain does not unmake what the
// rounds hold of it.
func TestParseRefusesForgottenFile(t *testing.T) {
	t.Parallel()
	b := scenarioBed(t, crash.New(), "/root", grown, "one")
	b.parse(0)
	b.build(grown, "")
	lost := b.landedFiles()[0]
	text := b.read(lost)
	b.remove(lost)
	chain := b.root.Conversation(b.id).Dir()
	b.rename(chain, "/root/away")
	p, err := b.root.Session(b.id).Lock()
	if err == nil {
		err = p.Reindex()
	}
	if err == nil {
		err = p.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	b.rename("/root/away", chain)
	if r, err := fold.Parse(b.root, b.id, fold.ParseOptions{}); err == nil || !strings.Contains(err.Error(), "landed file 1") || len(r.Written) != 0 {
		t.Errorf("the parse is %+v, %v", r, err)
	}
	b.add(lost, text)
	b.parse(0)
	b.foldsAsAssembled()
}
