// Package collect lands what runtimes have written: it finds their sources, reads on where it stopped, and lands each line
// as one record. A pass can be killed at any moment; the next one goes on with nothing lost and nothing landed twice.
package collect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"syscall"
	"time"

	"asz/native/store"
)

// Reader turns the lines of one source into records. It never fails: what it does not understand becomes a part of kind
// unknown. The record is used again for the next line.
type Reader interface {
	Read(line []byte, rec *store.Record)
	// ReadWhole is for sources that are landed as a whole.
	ReadWhole(content []byte, rec *store.Record)
	// Odd tells, in a fixed order, what it met and had no place for.
	Odd() []store.Odd
}

// Adapter is one runtime's histories on this machine.
type Adapter struct {
	Name     string // in headers, with the version: claude-code-local/1.0
	Dialect  string
	MaxDelta int64 // as in Options, which holds when it is 0
	Discover func() store.Found
	// Open makes the reader of a source; resumed says that a record with an id was landed from it before.
	Open func(src store.Source, resumed bool) Reader
}

// Options are what a collector works with. Zero numbers mean their defaults.
type Options struct {
	Root     *store.Root
	Sources  store.ReadFS // where the adapters' sources are read
	Adapters []Adapter
	Now      func() time.Time
	MaxDelta int64          // bytes of source in a landed file, 2 MiB by default; a longer line is taken whole
	Workers  int            // sessions at a time, 1 by default
	Progress func(Progress) // nil when nobody looks; called by one worker at a time
}

const (
	defaultDelta = 2 << 20
	maxWindows   = 65 // of a source in a pass, so that one that grows all the time cannot hold a pass up
)

// Pass lands what is new in all sources, once. It ends early, between two files, when the context is done.
func Pass(ctx context.Context, o Options) Report {
	if o.MaxDelta <= 0 {
		o.MaxDelta = defaultDelta
	}
	began := o.Now()
	c := &pass{Options: o, ctx: ctx}
	sessions := c.find()
	c.expect(sessions)
	c.run(sessions)
	c.report.Took = o.Now().Sub(began)
	c.report.settle()
	return c.report
}

// pass is one pass over all sessions.
type pass struct {
	Options
	ctx context.Context

	mu       sync.Mutex // below
	report   Report
	progress Progress
	refused  int // sessions in a row that the disk took nothing of
	alike    int // sessions whose error is as that of the one before

	long sync.Mutex // held while a very long line is in memory: one at a time
}

// session is what there is to do for one session.
type session struct {
	id      string
	sources []source
}

type source struct {
	store.Source
	adapter *Adapter

	expected bool  // it was counted as work of this pass, when somebody looks
	todo     int64 // bytes of it that were
}

// find lists the sessions that have sources, and those that had some: their sources may be gone. Of two adapters that find a
// source for the same, the first has it.
func (c *pass) find() []session {
	by := map[string]*session{}
	for i := range c.Adapters {
		found := c.Adapters[i].Discover()
		for _, clash := range found.Clashes {
			c.clash(clash.Source, clash.With)
		}
		for _, err := range found.Errors {
			c.report.fail("", err)
		}
		c.report.addOdd(found.Odd)
		before := map[string][]source{} // of the adapters before this one
		for _, src := range found.Sources {
			s := by[src.Session]
			if s == nil {
				s = &session{id: src.Session}
				by[src.Session] = s
			}
			if i > 0 {
				others, seen := before[src.Session]
				if !seen {
					others = slices.Clone(s.sources)
					before[src.Session] = others
				}
				if n := slices.IndexFunc(others, func(o source) bool { return o.SameAs(src) }); n >= 0 {
					if others[n].Path != src.Path {
						c.clash(src, others[n].Source)
					}
					continue
				}
			}
			s.sources = append(s.sources, source{Source: src, adapter: &c.Adapters[i]})
		}
	}
	ids, err := c.Root.Sessions()
	if err == nil && len(by) > 0 {
		err = c.Root.Make()
	}
	if err != nil {
		c.report.fail("", err) // one for all sessions
		return nil
	}
	for _, id := range ids {
		if by[id] == nil {
			by[id] = &session{id: id}
		}
	}
	out := make([]session, 0, len(by))
	for _, id := range slices.Sorted(maps.Keys(by)) {
		out = append(out, *by[id])
	}
	return out
}

func (c *pass) clash(src, with store.Source) {
	c.report.Conflicts++
	c.report.note(src.Path, "it is a second source for what "+with.Path+" holds; it is not read")
}

// run works on the sessions, each as a whole, several at a time.
func (c *pass) run(sessions []session) {
	queue := make(chan session)
	var wait sync.WaitGroup
	for range max(1, c.Workers) {
		wait.Go(func() {
			w := &worker{pass: c}
			for s := range queue {
				w.session(s)
			}
		})
	}
	waiting := 0
	for i, s := range sessions {
		if c.ctx.Err() != nil {
			break
		}
		if c.refusing() {
			waiting = len(sessions) - i
			break
		}
		queue <- s
	}
	close(queue)
	wait.Wait()
	if c.alike > 0 || waiting > 0 {
		c.report.fail("", fmt.Errorf("the disk of the storage root %s takes nothing: so it was with %d more sessions, and %d wait for the next pass", c.Root.Dir, c.alike, waiting))
	}
}

// mostRefused is after how many sessions in a row that a disk took nothing of a pass ends: each would say the same.
const mostRefused = 5

func (c *pass) refusing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused >= mostRefused
}

// refuses tells whether an error is that of a disk as a whole, not of one file.
func refuses(err error) bool {
	for _, sign := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO} {
		if errors.Is(err, sign) {
			return true
		}
	}
	return false
}

// worker lands one session after the other and keeps its buffers.
type worker struct {
	*pass
	buffer []byte // lines
	longer []byte // a line that is longer than the buffer
	tail   []byte // what stands before the cursor of the source at hand
	record store.Record
}

// session lands what is new in one session, under its lock.
func (w *worker) session(s session) {
	r, err := w.land(s)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !refuses(err) {
		w.refused = 0
	} else if w.refused++; w.refused > 1 {
		w.alike++
		r.Errors = nil // as the one before
	}
	w.report.add(r)
}

// land answers with the error of the root that ended it, which is told already.
func (w *worker) land(s session) (r Report, root error) {
	if len(s.sources) > 0 {
		r.Sessions = 1
	}
	r.Sources = len(s.sources)
	p, err := w.Root.Session(s.id).Lock()
	if errors.Is(err, store.ErrBusy) {
		r.Busy = 1
		r.note(s.id, "another process works on it")
		return r, nil
	}
	if err != nil {
		r.fail(s.id, err)
		return r, err
	}
	p.Begin(w.Now())
	for _, src := range s.sources {
		if w.ctx.Err() != nil {
			break
		}
		one := &landing{worker: w, pass: p, adapter: src.adapter, src: src.Source, report: &r, expected: src.expected, todo: src.todo}
		if err := one.source(); err != nil {
			r.fail(src.Path, err)
		}
		if p.Err() != nil {
			break // the disk did not take something: nothing may be built on it
		}
	}
	if err := w.gone(p, s.sources, &r); err != nil {
		r.fail(s.id, err)
	}
	if p.Err() == nil {
		if err := p.Commit(); err != nil {
			r.fail(s.id, err)
		}
	}
	r.Indexed += p.Indexed()
	root = p.Err()
	if err := p.Close(); err != nil {
		r.fail(s.id, err)
	}
	return r, root
}

// gone marks the cursors whose source is not there any more.
func (w *worker) gone(p *store.Pass, found []source, r *Report) error {
	if p.Err() != nil {
		return nil
	}
	for _, src := range p.WithCursor() {
		if slices.ContainsFunc(found, func(s source) bool { return s.SameAs(src) }) {
			continue
		}
		c, ok := p.Cursor(src)
		if !ok {
			continue
		}
		// A source that a filter leaves out now, or of an adapter that is switched off, is still there.
		// A directory in the place of a file is none.
		info, err := w.Sources.Stat(c.Source)
		if !isGone(err) && (err != nil || info.Mode.IsRegular()) {
			continue
		}
		r.gone(c.Source)
		if c.State == store.Active {
			c.State = store.SourceGone
			if err := w.set(p, src, c); err != nil {
				return err
			}
		}
	}
	return nil
}
