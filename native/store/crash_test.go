package store_test

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"asz/native/store"
	"asz/native/store/crash"
)

const session = "0d4f1c52-0000-4000-8000-000000000001"

var stamp = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

// source is a file of n lines of ten bytes, of which the line is its record.
type source struct {
	store.Source
	lines int
}

func sources() []source {
	return []source{
		{store.Source{Session: session, Kind: store.Transcript, Stream: store.Main, Path: "/src/main.jsonl", Rel: "p/main.jsonl"}, 3},
		{store.Source{Session: session, Kind: store.AgentMeta, Stream: "a0", Path: "/src/a0.meta.json", Rel: "p/a0.meta.json"}, 1},
		{store.Source{Session: session, Kind: store.Journal, Batch: "wf_x", Path: "/src/journal.jsonl", Rel: "p/journal.jsonl"}, 2},
	}
}

func line(src source, n int) *store.Record {
	id := fmt.Sprintf("%s-%d", src.Stream+src.Batch, n)
	return &store.Record{
		Ord: int64(n), Off: int64(n-1) * 10, SHA: fmt.Sprintf("%012x", n), Bytes: 9,
		ID: id, Parent: fmt.Sprintf("%s-%d", src.Stream+src.Batch, n-1), Run: "cycle", Time: fmt.Sprintf("2026-01-01T00:00:%02dZ", n),
		Parts: []store.Part{{K: store.PartText, State: store.Available, Bytes: 4, Text: `"text"`}},
	}
}

// collect is one pass over the sources, landing lines in files of two, by the rules of the contract.
func collect(root *store.Root, srcs []source) error {
	p, err := root.Session(session).Lock()
	if err != nil {
		return err
	}
	defer p.Close()
	p.Begin(stamp)
	for _, src := range srcs {
		if err := collectSource(p, src); err != nil {
			return err
		}
	}
	return p.Commit()
}

func collectSource(p *store.Pass, src source) error {
	c, ok := p.Cursor(src.Source)
	if !ok {
		c = store.Cursor{Source: src.Path}
	}
	done := int(c.Ord)
	if src.Kind.Snapshot() && c.ContentSHA != "" {
		done = 1
	}
	newer, err := p.LandedAfter(src.Source, c.LastSeq)
	if err != nil {
		return err
	}
	if len(newer) > 0 {
		last := newer[len(newer)-1]
		pos, err := p.Tail(last)
		if err != nil {
			return err
		}
		done, c.LastSeq = int(pos.Ord), last.Seq
	}
	for done < src.lines {
		l, err := p.Land(header(src), func(l *store.Landing) error {
			for range 2 {
				if done == src.lines {
					break
				}
				done++
				if err := l.Record(line(src, done)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		c.LastSeq = l.Seq
	}
	c.State = store.Active
	if src.Kind.Snapshot() {
		c.ContentSHA = strings.Repeat("0", 64)
	} else {
		c.Ord, c.Offset, c.LastUUID = int64(done), int64(done)*10, line(src, done).ID
	}
	return p.SetCursor(src.Source, c)
}

func header(src source) store.Header {
	return store.Header{Kind: src.Kind, Adapter: "mock/1", Dialect: "mock/1", Src: src.Rel, Stream: src.Stream, Batch: src.Batch}
}

// sound checks what holds after any crash, before anything is healed.
func sound(root *store.Root, srcs []source) error {
	landed, err := root.Session(session).Landed()
	if err != nil {
		return err
	}
	seqs := map[int64]bool{}
	reached := map[string]int64{} // by kind, stream and run: lines landed
	for _, l := range landed {
		if seqs[l.Seq] {
			return fmt.Errorf("seq %d is there twice", l.Seq)
		}
		seqs[l.Seq] = true
		f, err := store.OpenLanded(root.FS, l.Path)
		if err != nil {
			return err
		}
		err = f.Each(func(row int, line []byte) error {
			var r store.Record
			key := string(l.Kind) + l.Stream + l.Batch
			if err := r.Read(line); err != nil {
				return err
			}
			if r.Ord != reached[key]+1 {
				return fmt.Errorf("%s: line %d comes after %d", l.Path, r.Ord, reached[key])
			}
			reached[key]++
			return nil
		})
		f.Close()
		if err != nil {
			return err
		}
	}
	for _, src := range srcs {
		for _, name := range []string{root.Dir + "/" + session + "/streams/" + src.Stream, root.Dir + "/" + session + "/runs/" + src.Batch} {
			text, ok := root.FS.(*crash.Disk).ReadFile(name + "/" + src.Kind.FileName() + ".cursor")
			if !ok {
				continue
			}
			var seq, ord int64
			for line := range strings.Lines(text) {
				fmt.Sscanf(line, "last_seq %d", &seq)
				fmt.Sscanf(line, "ord %d", &ord)
			}
			if seq > 0 && !seqs[seq] || ord > reached[string(src.Kind)+src.Stream+src.Batch] {
				return fmt.Errorf("the cursor of %s is at seq %d and line %d, ahead of what is landed", src.Path, seq, ord)
			}
		}
	}
	index, err := root.Session(session).Index()
	if err != nil {
		return err
	}
	return index.Each(func(e *store.IndexEntry) error {
		if !seqs[e.Seq] {
			return fmt.Errorf("the index speaks of seq %d, which is lost", e.Seq)
		}
		return nil
	})
}

// whole checks that every line is landed and indexed once.
func whole(root *store.Root, srcs []source) error {
	if err := sound(root, srcs); err != nil {
		return err
	}
	want := 0
	for _, src := range srcs {
		want += src.lines
	}
	s := root.Session(session)
	index, err := s.Index()
	if err != nil {
		return err
	}
	entries, err := index.Entries()
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, e := range entries {
		ids[string(e.Kind)+e.Stream+e.Batch+e.ID] = true
	}
	if len(entries) != want || len(ids) != want {
		return fmt.Errorf("%d entries of %d records, want %d", len(entries), len(ids), want)
	}
	for _, name := range root.FS.(*crash.Disk).Files() {
		if strings.Contains(name, ".tmp-") {
			return fmt.Errorf("%s is left", name)
		}
	}
	p, err := s.Lock()
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Reindex(); err != nil {
		return err
	}
	again, err := s.Index()
	if err != nil {
		return err
	}
	anew, err := again.Entries()
	if err == nil && !reflect.DeepEqual(entries, anew) {
		err = fmt.Errorf("built anew the index differs:\n%v\n%v", entries, anew)
	}
	return err
}

// everyCrash makes TestCrashes try all second crashes, which takes two minutes.
var everyCrash = flag.Bool("every-crash", false, "try all second crashes")

func TestCrashes(t *testing.T) {
	t.Parallel()
	stride := 97
	if *everyCrash {
		stride = 1
	}
	disk := crash.New()
	srcs := sources()
	run := func(d *crash.Disk) *store.Root { return &store.Root{FS: d, Dir: "/data/root"} }
	early := sources()
	early[0].lines, early[2].lines = 1, 0
	if err := collect(run(disk), early); err != nil {
		t.Fatal(err)
	}
	if err := collect(run(disk), srcs); err != nil {
		t.Fatal(err)
	}
	firsts, seconds := 0, 0
	seen := map[crash.Key]bool{}
	for first := range disk.Images() {
		firsts++
		if err := sound(run(first.Disk), srcs); err != nil {
			t.Fatalf("%v: %v", first, err)
		}
		// Who only indexes what a killed collector landed.
		if parser := first.Disk.Restart(); !first.Power {
			p, err := run(parser).Session(session).Lock()
			if err == nil {
				err = p.Commit()
			}
			if err != nil {
				t.Fatalf("%v: %v", first, err)
			}
			for second := range parser.Images() {
				if err := sound(run(second.Disk), srcs); err != nil {
					t.Fatalf("%v, then only indexed, then %v: %v", first, second, err)
				}
			}
		}
		if err := collect(run(first.Disk), srcs); err != nil {
			t.Fatalf("%v: %v", first, err)
		}
		if first.Power && firsts%stride != 0 {
			if err := whole(run(first.Disk.Restart()), srcs); err != nil {
				t.Fatalf("%v: %v", first, err)
			}
			continue
		}
		for second := range first.Disk.Images() {
			if !second.Power || seen[second.Key] {
				continue
			}
			seen[second.Key] = true
			seconds++
			if err := sound(run(second.Disk), srcs); err != nil {
				t.Fatalf("%v, then %v: %v", first, second, err)
			}
			if err := collect(run(second.Disk), srcs); err != nil {
				t.Fatalf("%v, then %v: %v", first, second, err)
			}
			if err := whole(run(second.Disk), srcs); err != nil {
				t.Fatalf("%v, then %v: %v", first, second, err)
			}
		}
	}
	t.Log(disk.Operations(), "operations,", firsts, "crashes,", seconds, "second crashes")
}
