package store_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"asz/native/store"
	"asz/native/store/crash"
)

func TestIndexHoldsAllButText(t *testing.T) {
	t.Parallel()
	root := memory()
	land(t, root, full(), &store.Record{Ord: 2, ID: "j", Parent: "i", Call: "c", Run: "r"}, &store.Record{Ord: 3, Parent: "p", Call: "d", Time: "2300-01-01T00:00:00Z"},
		&store.Record{Ord: 4, Time: "1969-12-31T23:59:59.999999999Z", From: store.FromRuntime, Trigger: store.TriggerNotification}, &store.Record{Ord: 5, Time: "soon"})
	index, err := root.Session(session).Index()
	if err != nil {
		t.Fatal(err)
	}
	got, err := index.Entries()
	if err != nil {
		t.Fatal(err)
	}
	one := store.IndexEntry{
		Seq: 1, Row: 1, Kind: store.Transcript, Stream: "main", ID: "i", Parent: "p", Call: "c", Run: "r", Continues: "co", Tool: "t", Child: "ch",
		BatchNamed: "b", StartedBy: "s", Label: full().Label, From: store.FromAgent, Time: 1767225600123000000, Trigger: store.TriggerUnknown,
		Flags: store.ExternalInput | store.Finished | store.Sidechain, HasUsage: true,
		Parts: []store.IndexPart{{K: store.PartCall, Tool: "t1", Name: "Bash"}, {K: store.PartResult, Tool: "t1"}, {K: store.PartUnknown}, {K: store.PartUnknown}},
	}
	want := []store.IndexEntry{
		one,
		{Seq: 1, Row: 2, Kind: store.Transcript, Stream: "main", ID: "j", Parent: "i", Call: "c", Run: "r", Time: store.NoTime},
		{Seq: 1, Row: 3, Kind: store.Transcript, Stream: "main", Parent: "p", Call: "d", Time: store.NoTime},
		{Seq: 1, Row: 4, Kind: store.Transcript, Stream: "main", Time: -1, From: store.FromRuntime, Trigger: store.TriggerNotification},
		{Seq: 1, Row: 5, Kind: store.Transcript, Stream: "main", Time: store.NoTime},
	}
	for i := range got {
		if len(got[i].Parts) == 0 {
			got[i].Parts = nil
		}
		if i < len(want) && !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("entry %d\n%+v, want\n%+v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) || index.IndexedSeq != 1 || index.Records != 5 || index.Files != 1 {
		t.Errorf("%d entries, %+v", len(got), index)
	}
	i := 0
	err = index.Each(func(e *store.IndexEntry) error {
		if e.Row != int64(i+1) || e.ID != want[i].ID || len(e.Parts) != len(want[i].Parts) {
			t.Errorf("entry %d is %+v", i, e)
		}
		i++
		return nil
	})
	if err != nil || i != len(want) {
		t.Errorf("%d entries, %v", i, err)
	}
	sameIndexAnew(t, root)
	if index, err := root.Session("other").Index(); err != nil || index.Records != 0 || index.IndexedSeq != 0 {
		t.Errorf("a session without an index has %+v, %v", index, err)
	}
}

func TestLostFilesKeepTheirEntries(t *testing.T) {
	t.Parallel()
	root := memory()
	disk := root.FS.(*crash.Disk)
	land(t, root, full(), full())
	second := land(t, root, full())
	third := land(t, root, full())
	for _, l := range []store.Landed{second, third} {
		if err := disk.Remove(l.Path); err != nil {
			t.Fatal(err)
		}
	}
	count := disk.Operations()
	commit(t, root, "")
	if disk.Operations() != count {
		t.Error("a pass without news wrote something")
	}
	if l := land(t, root, full()); l.Seq != 4 {
		t.Errorf("seq %d was used again", l.Seq)
	}
	seqs := indexed(t, root)
	if want := []int64{1, 1, 2, 3, 4}; !reflect.DeepEqual(seqs, want) {
		t.Errorf("indexed %v, want %v", seqs, want)
	}
	// A number that comes again is another file's.
	good := read(t, disk, "/root/"+session+"/streams/main/"+third.Name[:len(third.Name)-4]+"4.sd")
	disk.WriteFile(second.Path, good)
	commit(t, root, "")
	if again := indexed(t, root); !reflect.DeepEqual(again, seqs) {
		t.Errorf("indexed %v, want %v", again, seqs)
	}
}

func commit(t *testing.T, root *store.Root, want string) {
	t.Helper()
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Commit(); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("committing: %v, want %q", err, want)
	}
}

func indexed(t *testing.T, root *store.Root) []int64 {
	t.Helper()
	index, err := root.Session(session).Index()
	if err != nil {
		t.Fatal(err)
	}
	var seqs []int64
	err = index.Each(func(e *store.IndexEntry) error { seqs = append(seqs, e.Seq); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return seqs
}

func TestEveryChangedBitOfTheIndexIsFound(t *testing.T) {
	t.Parallel()
	root := memory()
	disk := root.FS.(*crash.Disk)
	land(t, root, full(), full())
	for _, name := range []string{"entries.bin", "index.state"} {
		name = "/root/" + session + "/index/" + name
		good, _ := disk.ReadFile(name)
		for i := range len(good) * 8 {
			bad := []byte(good)
			bad[i/8] ^= 1 << (i % 8)
			disk.WriteFile(name, string(bad))
			if _, err := root.Session(session).Index(); !errors.Is(err, store.ErrDamaged) {
				t.Fatalf("%s: bit %d of byte %d changed: %v", name, i%8, i/8, err)
			}
		}
		disk.WriteFile(name, good)
		disk.Settle()
	}
}

func TestADamagedFileStopsTheIndexBelowIt(t *testing.T) {
	t.Parallel()
	root := memory()
	disk := root.FS.(*crash.Disk)
	land(t, root, full())
	second := land(t, root, full())
	land(t, root, full())
	good, _ := disk.ReadFile(second.Path)
	disk.WriteFile(second.Path, strings.Replace(good, "Bash", "bash", 1))
	for _, name := range []string{"entries.bin", "index.state"} {
		if err := disk.Remove("/root/" + session + "/index/" + name); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, root, second.Name)
	if seqs := indexed(t, root); !reflect.DeepEqual(seqs, []int64{1}) {
		t.Errorf("indexed %v", seqs)
	}
	commit(t, root, "restore that file")
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	p.Begin(stamp)
	if l, err := p.Land(header(sources()[0]), func(l *store.Landing) error { return l.Record(full()) }); err != nil || l.Seq != 4 {
		t.Errorf("landed %v, %v", l, err)
	}
	if err := p.Commit(); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("committing: %v", err)
	}
	p.Close()
	disk.WriteFile(second.Path, good)
	commit(t, root, "")
	if seqs := indexed(t, root); !reflect.DeepEqual(seqs, []int64{1, 2, 3, 4}) {
		t.Errorf("indexed %v", seqs)
	}
	disk.WriteFile(second.Path, "x")
	p, err = root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Reindex(); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("built anew: %v", err)
	}
}

// TestIndexOfManyFiles has more than waits in memory.
func TestIndexOfManyFiles(t *testing.T) {
	t.Parallel()
	root := memory()
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	p.Begin(stamp)
	ord := int64(0)
	for range 60 {
		_, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
			for range 500 {
				ord++
				if err := l.Record(common(ord)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	p.Close()
	index, err := root.Session(session).Index()
	if err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	err = index.Each(func(e *store.IndexEntry) error {
		want := common(n + 1)
		if e.Seq != n/500+1 || e.Row != n%500+1 || e.ID != want.ID || e.Parent != want.Parent || e.Call != want.Call || e.Run != want.Run || e.Time == math.MinInt64 {
			t.Fatalf("entry %d is %+v", n, e)
		}
		n++
		return nil
	})
	if err != nil || n != ord || index.Files != 60 {
		t.Errorf("%d entries of %d, %d files, %v", n, ord, index.Files, err)
	}
	sameIndexAnew(t, root)
}

// common is a record as most are.
func common(n int64) *store.Record {
	id := func(n int64) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n) }
	return &store.Record{
		Ord: n, Off: n * 1000, SHA: "0123456789ab", Bytes: 999, ID: id(n), Parent: id(n - 1), Call: fmt.Sprintf("msg_01%020d", n/3), Run: id(n / 40),
		From: store.FromAgent, Time: fmt.Sprintf("2026-01-01T%02d:%02d:%02d.%03dZ", n/3600%24, n/60%60, n%60, n%1000),
		Usage: &store.Usage{In: 2, Out: 10, CacheRead: 900, CacheWrite: 100},
		Parts: []store.Part{{K: store.PartCall, State: store.Available, Bytes: 20, ID: fmt.Sprintf("toolu_01%020d", n), Name: "Bash", Data: `{"command":"make build"}`}},
	}
}
