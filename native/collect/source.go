package collect

import (
	"errors"
	"io/fs"
	"syscall"
	"time"

	"asz/native/store"
)

// errChanged says that a source does not begin with what was landed from it.
var errChanged = errors.New("it is not what was landed from it before; it is not read any more")

// landing is the work on one source.
type landing struct {
	*worker
	pass    *store.Pass
	adapter *Adapter
	src     store.Source
	report  *Report

	cursor store.Cursor
	known  bool // there is a cursor, or landed files tell as much
	old    store.Cursor

	expected bool  // as of the source
	todo     int64 // bytes to tell as progress
	counted  int64 // of them
}

// isGone tells whether an error says that nothing is there: no file, a path through what is no directory any more, or links
// that lead round in a circle.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// source lands what is new in the source.
func (l *landing) source() error {
	defer l.sourceDone()
	l.cursor, l.known = l.pass.Cursor(l.src)
	l.old = l.cursor
	if l.known && l.cursor.State == store.Conflict {
		l.report.Conflicts++
		l.report.note(l.src.Path, errChanged.Error())
		return nil
	}
	behind, err := l.pass.LandedAfter(l.src, l.cursor.LastSeq)
	if err != nil {
		return err
	}
	info, err := l.Sources.Stat(l.src.Path)
	if err == nil && l.known && len(behind) == 0 && unchanged(l.cursor, info) {
		return nil
	}
	file, err := l.Sources.Open(l.src.Path)
	if isGone(err) {
		return l.gone()
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return err
	}
	if l.src.Kind.Snapshot() {
		err = l.snapshot(file, info, behind)
	} else {
		err = l.lines(file, info, behind)
	}
	if errors.Is(err, errChanged) {
		l.report.Conflicts++
		l.report.note(l.src.Path, err.Error())
		l.cursor.State = store.Conflict
		return l.save(info)
	}
	return err
}

// gone is for a source that went away after it was found.
func (l *landing) gone() error {
	if !l.known {
		return nil
	}
	l.report.gone(l.src.Path)
	if l.cursor.State == store.SourceGone {
		return nil
	}
	l.cursor.State = store.SourceGone
	return l.set(l.pass, l.src, l.cursor)
}

// set writes a cursor with the time of it.
func (w *worker) set(p *store.Pass, src store.Source, c store.Cursor) error {
	c.UpdatedAt = w.Now().UTC().Format(time.RFC3339Nano)
	return p.SetCursor(src, c)
}

// save writes the cursor when it says something new.
func (l *landing) save(info store.Info) error {
	l.cursor.Source = l.src.Path
	l.cursor.Dev, l.cursor.Ino, l.cursor.Size, l.cursor.MTime = info.Dev, info.Ino, info.Size, info.MTime
	if l.known && l.cursor == l.old {
		return nil
	}
	if err := l.set(l.pass, l.src, l.cursor); err != nil {
		return err
	}
	l.known, l.old = true, l.cursor
	return nil
}
