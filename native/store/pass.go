package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Pass is the work of one holder of a session's lock. An error of the disk in Land, SetCursor, Commit or Reindex ends it:
// what the disk holds is unknown then, and every further call returns that error.
type Pass struct {
	s     *Session
	fs    FS
	lock  io.Closer
	at    time.Time
	stamp string
	err   error // the disk's; it stays

	landed  []Landed // by seq: what was on disk, then what the pass landed
	cursors []Source // of which there is a file
	next    int64    // NextSeq, 0 = not yet known
	state   SessionState

	made   map[string]bool // directories whose names are durable
	synced map[string]bool // directories whose older entries are durable

	landing Landing
	index   indexFile
	// Blocks of the index for what landed, not yet in its file, and their seqs.
	pending                      []byte
	unindexed                    []int64
	pendingRecords, pendingParts int64
	indexed                      int64 // records that came into the index
}

// mostPending is how much of the index waits in memory: the file may run ahead of its state, which cuts it.
const mostPending = 1 << 20

// Lock takes the session's lock; held by another it is ErrBusy. The session's directory is made when it is missing, and
// what an interrupted holder left half-written is removed.
func (s *Session) Lock() (*Pass, error) {
	if !SafeID(s.ID) {
		return nil, fmt.Errorf("the session id %q cannot name a directory", s.ID)
	}
	p := &Pass{s: s, fs: s.root.FS, made: map[string]bool{}, synced: map[string]bool{}}
	if _, err := p.fs.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		if err := s.root.absent(s.dir); err != nil {
			return nil, fmt.Errorf("session %s: %w", s.ID, err)
		}
		if err := p.ready(s.dir); err != nil {
			return nil, fmt.Errorf("making the directory of session %s: %w", s.ID, err)
		}
	}
	lock, err := p.fs.Lock(path.Join(s.dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", s.ID, err)
	}
	p.lock = lock
	if err := p.look(); err != nil {
		lock.Close()
		return nil, err
	}
	return p, nil
}

// look reads what there is.
func (p *Pass) look() error {
	landed, err := p.s.list(func(dir string, e Entry) error {
		if src, ok := p.s.cursorOf(dir, e); ok {
			p.cursors = append(p.cursors, src)
		}
		if !strings.HasPrefix(e.Name, tempPrefix) || !e.Regular {
			return nil
		}
		if err := p.fs.Remove(path.Join(dir, e.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("session %s: removing what an interrupted pass left: %w", p.s.ID, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.landed = landed
	text, err := readSmall(p.fs, path.Join(p.s.dir, sessionState))
	if err == nil {
		p.state = parseSessionState(text)
	}
	return nil
}

// fail notes an error of the disk, with which the pass ends.
func (p *Pass) fail(err error) error {
	if err != nil && p.err == nil {
		p.err = err
		if of := "session " + p.s.ID + ": "; !strings.HasPrefix(err.Error(), of) {
			p.err = fmt.Errorf("%s%w", of, err)
		}
	}
	return p.err
}

// ready makes a directory of the root and sees to it that its name is durable, and those of its parents: one that is there may have been
// made by a process that was killed before it synced them.
func (p *Pass) ready(dir string) error {
	if p.made[dir] {
		return nil
	}
	parent := path.Dir(dir)
	if dir == path.Clean(p.s.root.Dir) {
		return p.readyRoot(dir)
	}
	if err := p.ready(parent); err != nil {
		return err
	}
	err := p.fs.Mkdir(dir)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err == nil || !p.synced[parent] {
		if err := p.syncDir(parent); err != nil {
			return err
		}
	}
	p.made[dir] = true
	return nil
}

// Make makes the root when it is missing, with what is missing of its parents.
func (r *Root) Make() error {
	if _, err := r.FS.Stat(path.Clean(r.Dir)); !errors.Is(err, fs.ErrNotExist) {
		return nil // what is wrong with it is told by who works in it
	}
	p := &Pass{fs: r.FS, made: map[string]bool{}}
	return p.readyRoot(path.Clean(r.Dir))
}

func (p *Pass) readyRoot(dir string) error {
	if _, err := p.fs.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := p.makeAll(dir); err != nil {
			return fmt.Errorf("making the storage root: %w", err)
		}
	} else if err := p.fs.SyncDir(path.Dir(dir)); err != nil && !errors.Is(err, fs.ErrPermission) {
		// Where others keep the root's name from us, it was they who made it.
		return err
	}
	p.made[dir] = true
	return nil
}

// makeAll makes a directory and what is missing of its parents.
func (p *Pass) makeAll(dir string) error {
	err := p.fs.Mkdir(dir)
	parent := path.Dir(dir)
	if errors.Is(err, fs.ErrNotExist) && parent != dir {
		if err := p.makeAll(parent); err != nil {
			return err
		}
		err = p.fs.Mkdir(dir)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return p.fs.SyncDir(parent)
}

func (p *Pass) syncDir(dir string) error {
	if err := p.fs.SyncDir(dir); err != nil {
		return err
	}
	p.synced[dir] = true
	return nil
}

// settle makes durable what another holder landed, which may have been killed before it came to it.
func (p *Pass) settle(landed []Landed) error {
	for _, l := range landed {
		dir := path.Dir(l.Path)
		if p.synced[dir] {
			continue
		}
		if err := p.ready(dir); err != nil {
			return err
		}
		if err := p.syncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a small file whole: who reads it sees the old one or the new one.
func (p *Pass) replace(dir, name, text string) error {
	temp := path.Join(dir, tempPrefix+name)
	w, err := p.fs.Create(temp)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	if err == nil {
		err = w.Sync()
	}
	if closed := w.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = p.fs.Rename(temp, path.Join(dir, name))
	}
	if err != nil {
		_ = p.fs.Remove(temp) // the next holder of the lock comes back to it
	}
	return err
}

// State is session.state; unreadable or absent it is zero.
func (p *Pass) State() SessionState { return p.state }

// NextSeq is the seq of the next landed file: one more than any that the disk, session.state, the index or the head of
// the chain know.
func (p *Pass) NextSeq() (int64, error) {
	if p.next > 0 {
		return p.next, nil
	}
	most := p.state.LastSeq
	if n := len(p.landed); n > 0 {
		most = max(most, p.landed[n-1].Seq)
	}
	if err := p.readIndexState(); err != nil {
		return 0, err
	}
	most = max(most, p.index.state.indexedSeq)
	through, err := p.s.headThrough()
	if err != nil {
		return 0, err
	}
	if most = max(most, through); most == math.MaxInt64 {
		return 0, fmt.Errorf("session %s: no seq is left behind %d, which a landed file, session.state, the index or a round claims: take that away", p.s.ID, most)
	}
	p.next = most + 1
	return p.next, nil
}

// LandedAfter lists the landed files of a source with a seq above one. When there are any, their directory and its parents
// are synced first: whoever landed them may not have come to it.
func (p *Pass) LandedAfter(src Source, seq int64) ([]Landed, error) {
	var out []Landed
	for _, l := range p.landed {
		if l.Seq > seq && l.Kind == src.Kind && l.Stream == src.Stream && l.Batch == src.Batch {
			out = append(out, l)
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	if err := p.settle(out); err != nil {
		return nil, p.fail(err)
	}
	for i := range out {
		info, err := p.fs.Stat(out[i].Path)
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", p.s.ID, err)
		}
		out[i].Size = info.Size
	}
	return out, nil
}

// RecordPos is where a record stands in its source.
type RecordPos struct {
	Ord, Off, Bytes int64
	SHA             string // first 12 hex digits
	UUID            string // the record's id
}

// Tail is the last record of a landed file, read from the file's end.
func (p *Pass) Tail(l Landed) (RecordPos, error) {
	f, err := OpenLanded(p.fs, l.Path)
	if err != nil {
		return RecordPos{}, err
	}
	defer f.Close()
	return f.tail()
}

// Commit indexes what landed, and every landed file on disk above the index; then it writes session.state. It is called
// once, after the last file and cursor. What is up to date is left alone.
func (p *Pass) Commit() error {
	if p.err != nil {
		return p.err
	}
	damaged, err := p.commitIndex(false)
	if err != nil {
		return p.fail(err)
	}
	last := p.state.LastSeq
	if n := len(p.landed); n > 0 {
		last = max(last, p.landed[n-1].Seq)
	}
	if last > p.state.LastSeq {
		state := SessionState{LastSeq: last, UpdatedAt: p.state.UpdatedAt}
		if p.stamp != "" {
			state.UpdatedAt = p.at.Format(AtLayout)
		}
		if err := p.replace(p.s.dir, sessionState, state.text()); err != nil {
			return p.fail(err)
		}
		p.state = state
	}
	return damaged
}

// Close gives the lock back.
func (p *Pass) Close() error {
	if p.lock == nil {
		return nil
	}
	p.landing.discard()
	p.closeIndex()
	err := p.lock.Close()
	p.lock = nil
	return err
}

// headThrough is the last seq that the session's chain of rounds has consumed; 0 without a chain.
func (s *Session) headThrough() (int64, error) {
	dir := path.Join(s.root.Dir, conversations, s.ID, "rounds")
	entries, err := s.root.FS.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = s.root.absent(dir)
	}
	if err != nil {
		return 0, fmt.Errorf("session %s: reading its rounds: %w", s.ID, err)
	}
	type round struct {
		number int64
		name   string
	}
	var rounds []round
	for _, e := range entries {
		number, _, ok := strings.Cut(strings.TrimPrefix(e.Name, "r"), "-")
		n, err := strconv.ParseInt(number, 10, 64)
		if ok && err == nil && e.Name[0] == 'r' && strings.HasSuffix(e.Name, ".sf") && e.Regular {
			rounds = append(rounds, round{n, e.Name})
		}
	}
	slices.SortFunc(rounds, func(a, b round) int { return int(b.number - a.number) })
	for _, r := range rounds {
		if n := s.through(path.Join(dir, r.name)); n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

// through is through_seq of a round, 0 when it cannot be read: then an older one, the disk and the states tell.
func (s *Session) through(name string) int64 {
	f, err := s.root.FS.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	head, err := firstLine(f, info.Size, longestHeader)
	if err != nil {
		return 0
	}
	var h struct {
		T       string `json:"t"`
		Through int64  `json:"through_seq"`
	}
	if json.Unmarshal(head, &h) != nil || h.T != "header" {
		return 0
	}
	return h.Through
}

// Indexed is how many records came into the index in this pass.
func (p *Pass) Indexed() int { return int(p.indexed) }

// Err is the error of the disk with which the pass has ended, nil while it goes on.
func (p *Pass) Err() error { return p.err }
