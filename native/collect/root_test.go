package collect_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/store"
)

const sessionA = "0d4f1c52-0000-4000-8000-00000000000a"

var stamp = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

// options collect what lies below a source root into a storage root; both may be on the same disk.
func options(sources store.ReadFS, sourceRoot string, disk store.FS, root string) collect.Options {
	return collect.Options{
		Root: &store.Root{FS: disk, Dir: root}, Sources: sources, Now: func() time.Time { return stamp },
		Adapters: []collect.Adapter{adapter(sources, sourceRoot, claudecode.Filter{})},
	}
}

func adapter(sources store.ReadFS, sourceRoot string, filter claudecode.Filter) collect.Adapter {
	return collect.Adapter{
		Name: claudecode.Name + "/test", Dialect: claudecode.Dialect,
		Discover: func() store.Found { return claudecode.Discover(sources, sourceRoot, filter) },
		Open:     func(src store.Source, resumed bool) collect.Reader { return claudecode.NewReader(src, resumed) },
	}
}

// settle makes passes until nothing is pending, and returns the last report. An error of any pass is one.
func settle(o collect.Options) (collect.Report, error) {
	for range 100 {
		r := collect.Pass(context.Background(), o)
		if len(r.Errors) > 0 {
			return r, fmt.Errorf("%v", r.Errors)
		}
		if r.Pending == 0 {
			return r, nil
		}
	}
	return collect.Report{}, errors.New("there is no end to it")
}

// want is what is to be landed of a source: its complete lines, or the whole of it.
type want struct {
	store.Source
	content string
}

// wants reads all sources that a discovery finds.
func wants(disk store.ReadFS, found []store.Source) ([]want, error) {
	var out []want
	for _, src := range found {
		f, err := disk.Open(src.Path)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		data := make([]byte, info.Size)
		n, _ := f.ReadAt(data, 0)
		f.Close()
		out = append(out, want{src, string(data[:n])})
	}
	return out, nil
}

// place is where a record must stand in its source.
type place struct {
	ord, off, bytes int64
	sha             string
}

func (w want) places() (out []place, end int64) {
	sum := func(text string) string {
		digest := sha256.Sum256([]byte(text))
		return hex.EncodeToString(digest[:])[:12]
	}
	if w.Kind.Snapshot() {
		text := strings.TrimRight(w.content, "\n")
		if text == "" {
			return nil, 0
		}
		return []place{{1, 0, int64(len(text)), sum(text)}}, 0
	}
	for line := range strings.Lines(w.content) {
		text, ended := strings.CutSuffix(line, "\n")
		if !ended {
			break
		}
		out = append(out, place{int64(len(out)) + 1, end, int64(len(text)), sum(text)})
		end += int64(len(line))
	}
	return out, end
}

// landed reads all landed files of a session, each of which must be whole, and gives the records by source.
func landed(root *store.Root, session string) (map[store.Source][]place, map[store.Source]int64, error) {
	files, err := root.Session(session).Landed()
	if err != nil {
		return nil, nil, err
	}
	places, newest := map[store.Source][]place{}, map[store.Source]int64{}
	seen := map[int64]bool{}
	for _, l := range files {
		if seen[l.Seq] {
			return nil, nil, fmt.Errorf("seq %d is there twice", l.Seq)
		}
		seen[l.Seq] = true
		key := store.Source{Session: session, Kind: l.Kind, Stream: l.Stream, Batch: l.Batch}
		newest[key] = l.Seq
		f, err := store.OpenLanded(root.FS, l.Path)
		if err != nil {
			return nil, nil, err
		}
		err = f.Each(func(_ int, line []byte) error {
			var r store.Record
			if err := r.Read(line); err != nil {
				return err
			}
			places[key] = append(places[key], place{r.Ord, r.Off, r.Bytes, strings.Clone(r.SHA)})
			return nil
		})
		f.Close()
		if err != nil {
			return nil, nil, err
		}
	}
	return places, newest, nil
}

func keyOf(src store.Source) store.Source {
	src.Path, src.Rel = "", ""
	return src
}

// sound checks what must hold after any crash, before anything is healed: landed lines are the first ones of their sources,
// once; no cursor is ahead of them; the index knows nothing that is lost.
func sound(root *store.Root, session string, all []want) error {
	have, newest, err := landed(root, session)
	if err != nil {
		return err
	}
	for _, w := range all {
		places, _ := w.places()
		got := have[keyOf(w.Source)]
		if !w.Kind.Snapshot() && (len(got) > len(places) || !reflect.DeepEqual(got, append([]place(nil), places[:len(got)]...))) {
			return fmt.Errorf("%s: landed %v of %v", w.Path, got, places)
		}
	}
	index, err := root.Session(session).Index()
	if errors.Is(err, store.ErrDamaged) {
		return nil // it is made anew
	}
	if err != nil {
		return err
	}
	files, err := root.Session(session).Landed()
	if err != nil {
		return err
	}
	seqs := map[int64]bool{}
	for _, l := range files {
		seqs[l.Seq] = true
	}
	if err := index.Each(func(e *store.IndexEntry) error {
		if !seqs[e.Seq] {
			return fmt.Errorf("the index speaks of seq %d, which is lost", e.Seq)
		}
		return nil
	}); err != nil {
		return err
	}
	p, err := root.Session(session).Lock()
	if err != nil {
		return err
	}
	defer p.Close()
	for _, k := range p.Cursors() {
		key := keyOf(k.Source)
		if k.Cursor.LastSeq > newest[key] || !key.Kind.Snapshot() && k.Cursor.Ord > int64(len(have[key])) {
			return fmt.Errorf("the cursor of %s is ahead: %+v", k.Source.Path, k.Cursor)
		}
	}
	return nil
}

// whole checks that a root holds every line of a session's sources once, with cursors and index to match, and nothing
// else.
func whole(root *store.Root, session string, all []want) error {
	have, newest, err := landed(root, session)
	if err != nil {
		return err
	}
	p, err := root.Session(session).Lock()
	if err != nil {
		return err
	}
	defer p.Close()
	records := 0
	for _, w := range all {
		key := keyOf(w.Source)
		places, end := w.places()
		got := have[key]
		delete(have, key)
		records += len(got)
		if w.Kind.Snapshot() && len(got) > 0 {
			got = got[len(got)-1:] // what it was before stays
		}
		if len(got) != len(places) || len(got) > 0 && !reflect.DeepEqual(got, places) {
			return fmt.Errorf("%s: landed %v, want %v", w.Path, got, places)
		}
		c, ok := p.Cursor(w.Source)
		if !ok {
			return fmt.Errorf("%s has no cursor", w.Path)
		}
		if c.State != store.Active || c.LastSeq != newest[key] || c.Size != int64(len(w.content)) ||
			!w.Kind.Snapshot() && (c.Ord != int64(len(places)) || c.Offset != end) {
			return fmt.Errorf("the cursor of %s: %+v", w.Path, c)
		}
	}
	if len(have) > 0 {
		return fmt.Errorf("landed besides: %v", have)
	}
	index, err := root.Session(session).Index()
	if err != nil {
		return err
	}
	entries, err := index.Entries()
	if err != nil {
		return err
	}
	if err := p.Reindex(); err != nil {
		return err
	}
	again, err := root.Session(session).Index()
	if err != nil {
		return err
	}
	anew, err := again.Entries()
	if err != nil {
		return err
	}
	if len(entries) != records || !reflect.DeepEqual(entries, anew) {
		return fmt.Errorf("the index has %d entries of %d records, and %d when it is built anew", len(entries), records, len(anew))
	}
	return nil
}
