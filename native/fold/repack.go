package fold

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"
	"time"

	"asz/native/store"
)

// RepackOptions say how landed files are cut anew.
type RepackOptions struct {
	MaxDeltaBytes int64     // of source in a landed file of several records; 1 = one record in each
	MaxRoundBytes int64     // as of ParseOptions
	At            time.Time // stamp of what lands
}

// Repacked is what became of a session.
type Repacked struct {
	Session           string
	FilesIn, FilesOut int
	Records           int64
	Bytes             int64   // of the landed files written
	Lost              []int64 // seqs that the index knows and the disk has not: their records are not in the new root
}

// Repack writes the landed files of sessions into another root, cut anew: record lines byte for byte and in order, with new seqs.
// Cursors come along; the index and the rounds are made anew. The other root must be new or empty. tell is called after each
// session; the first error ends it, and what is written by then is to be removed.
func Repack(from, to *store.Root, ids []string, o RepackOptions, tell func(*Repacked) error) error {
	if err := vacant(from, to); err != nil {
		return err
	}
	if err := to.Make(); err != nil {
		return err
	}
	for _, id := range ids {
		r := &repacker{from: from, to: to, id: id, o: o, seqs: map[source][][2]int64{}, out: Repacked{Session: id}}
		if err := r.run(); err != nil {
			return fmt.Errorf("repacking ended, and %s is not whole: remove it; %w", to.Dir, err)
		}
		if err := tell(&r.out); err != nil {
			return err
		}
	}
	return nil
}

// vacant refuses a destination in which there is something, or which is in the root.
func vacant(from, to *store.Root) error {
	a, b := path.Clean(from.Dir)+"/", path.Clean(to.Dir)+"/"
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return fmt.Errorf("%s and the storage root %s lie in each other: name another directory", to.Dir, from.Dir)
	}
	info, err := to.FS.Stat(to.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode.IsDir() {
		return fmt.Errorf("%s is a file: name a new or empty directory", to.Dir)
	}
	var names []store.Entry
	if err == nil {
		names, err = to.FS.ReadDir(to.Dir)
	}
	if err == nil && len(names) > 0 {
		return fmt.Errorf("%s is not empty: name a new or empty directory", to.Dir)
	}
	return err
}

type repacker struct {
	from, to *store.Root
	id       string
	o        RepackOptions
	pass     *store.Pass
	seqs     map[source][][2]int64 // of each landed file, by source: its seq, and the new one of its last record
	out      Repacked
}

func (r *repacker) run() error {
	s := r.from.Session(r.id)
	// Cursors first: what they speak of has landed by the time the files are listed.
	cursors, err := s.Cursors()
	if err != nil {
		return err
	}
	landed, err := s.Landed()
	if err != nil {
		return err
	}
	if err := r.lost(s, landed); err != nil {
		return err
	}
	r.out.FilesIn = len(landed)
	if r.pass, err = r.to.Session(r.id).Lock(); err != nil {
		return err
	}
	defer r.pass.Close()
	r.pass.Begin(r.o.At)
	for len(landed) > 0 {
		n, err := r.group(landed)
		if err != nil {
			return err
		}
		if err := r.land(landed[:n]); err != nil {
			return err
		}
		landed = landed[n:]
	}
	for _, k := range cursors {
		// A file of the cursor that is lost has no new seq: the one before it of that source counts.
		k.Cursor.LastSeq = r.newSeq(k)
		if err := r.pass.SetCursor(k.Source, k.Cursor); err != nil {
			return err
		}
	}
	if err := r.pass.Commit(); err != nil {
		return err
	}
	if err := r.pass.Close(); err != nil {
		return err
	}
	_, err = Parse(r.to, r.id, ParseOptions{MaxRoundBytes: r.o.MaxRoundBytes})
	return err
}

func (r *repacker) lost(s *store.Session, landed []store.Landed) error {
	on := map[int64]bool{}
	for _, l := range landed {
		if on[l.Seq] {
			return fmt.Errorf("session %s: two landed files have the seq %d; asz verify tells more", r.id, l.Seq)
		}
		on[l.Seq] = true
	}
	x, err := s.Index()
	if errors.Is(err, store.ErrDamaged) {
		return nil // what it knew is not known
	}
	if err != nil {
		return err
	}
	last := int64(0)
	return x.Each(func(e *store.IndexEntry) error {
		if e.Seq != last && !on[e.Seq] {
			r.out.Lost = append(r.out.Lost, e.Seq)
		}
		last = e.Seq
		return nil
	})
}

// newSeq is the seq of a cursor in the new root.
func (r *repacker) newSeq(k store.Known) (seq int64) {
	for _, pair := range r.seqs[source{k.Source.Kind, k.Source.Stream, k.Source.Batch}] {
		if pair[0] <= k.Cursor.LastSeq {
			seq = pair[1]
		}
	}
	return seq
}

// group counts the first files that continue one another: they are cut as one.
func (r *repacker) group(landed []store.Landed) (int, error) {
	var first store.Header
	for i, l := range landed {
		if i > 0 && (l.Kind.Snapshot() || l.Kind != landed[0].Kind || l.Stream != landed[0].Stream || l.Batch != landed[0].Batch) {
			return i, nil
		}
		f, err := r.from.Session(r.id).Open(l)
		if err != nil {
			return 0, err
		}
		h := f.Header()
		f.Close()
		h.Seq, h.At = 0, ""
		if i == 0 {
			first = h
		} else if h != first {
			return i, nil
		}
		if l.Kind.Snapshot() {
			return 1, nil
		}
	}
	return len(landed), nil
}

// line is a record line of a file; it lives until the next one is asked for.
type line struct {
	seq   int64
	text  []byte
	bytes int64 // of source, with the newline
}

// lines are those of the files; an error ends them.
func (r *repacker) lines(files []store.Landed) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		stop := errors.New("stop")
		var rec store.Record
		for _, l := range files {
			f, err := store.OpenLanded(r.from.FS, l.Path)
			if err == nil {
				err = f.Each(func(row int, text []byte) error {
					if err := rec.Read(text); err != nil {
						return fmt.Errorf("%s, record %d: %w", l.Path, row, err)
					}
					if !yield(line{l.Seq, text, rec.Bytes + 1}, nil) {
						return stop
					}
					return nil
				})
				f.Close()
			}
			if err == stop {
				return
			}
			if err != nil {
				yield(line{}, err)
				return
			}
		}
	}
}

func (r *repacker) land(files []store.Landed) error {
	f, err := store.OpenLanded(r.from.FS, files[0].Path)
	if err != nil {
		return err
	}
	h := f.Header()
	f.Close()
	key := source{h.Kind, h.Stream, h.Batch}
	next, stop := iter.Pull2(r.lines(files))
	defer stop()
	at, err, more := next()
	for more && err == nil {
		var seqs []int64
		landed, failed := r.pass.Land(h, func(l *store.Landing) error {
			for size := int64(0); more; at, err, more = next() {
				if err != nil {
					return err
				}
				if size += at.bytes; size > r.o.MaxDeltaBytes && size > at.bytes {
					return nil
				}
				if err := l.Line(at.text); err != nil {
					return err
				}
				r.out.Records++
				if len(seqs) == 0 || seqs[len(seqs)-1] != at.seq {
					seqs = append(seqs, at.seq)
				}
			}
			return nil
		})
		if failed != nil {
			return failed
		}
		for _, old := range seqs {
			list := r.seqs[key]
			if n := len(list); n > 0 && list[n-1][0] == old {
				list = list[:n-1]
			}
			r.seqs[key] = append(list, [2]int64{old, landed.Seq})
		}
		r.out.FilesOut++
		r.out.Bytes += landed.Size
	}
	return err
}
