package store

import (
	"fmt"
	"path"
	"strconv"
)

// Cursor says how far a source has been landed. Sources that grow have Offset, Ord, LastUUID and Tail, snapshots
// ContentSHA.
type Cursor struct {
	Source     string // path
	Dev, Ino   uint64
	Offset     int64
	Ord        int64
	LastUUID   string
	Tail       string // SHA-256 of up to 1 MiB before Offset, hex
	ContentSHA string // SHA-256 of the whole, hex
	Size       int64
	MTime      int64 // nanoseconds since 1970
	LastSeq    int64
	UpdatedAt  string // RFC 3339 UTC
	State      CursorState
}

// CursorState says what is to be done with a source.
type CursorState string

const (
	Active     CursorState = "active"
	SourceGone CursorState = "source_gone"
	Conflict   CursorState = "conflict" // kept, and passed over for good
)

// cursorKeys are the keys of a cursor, in order.
func cursorKeys(snapshot bool) []string {
	if snapshot {
		return []string{"schema", "kind", "source", "dev", "ino", "content_sha256", "size", "mtime", "last_seq", "updated_at", "state"}
	}
	return []string{"schema", "kind", "source", "dev", "ino", "offset", "ord", "last_uuid", "tail_sha256", "size", "mtime", "last_seq", "updated_at", "state"}
}

func cursorKind(snapshot bool) string {
	if snapshot {
		return "snapshot"
	}
	return "append"
}

func (c *Cursor) text(snapshot bool) string {
	var f fields
	f.add("schema", "1")
	f.add("kind", cursorKind(snapshot))
	f.add("source", c.Source)
	f.add("dev", strconv.FormatUint(c.Dev, 10))
	f.add("ino", strconv.FormatUint(c.Ino, 10))
	if snapshot {
		f.add("content_sha256", c.ContentSHA)
	} else {
		f.number("offset", c.Offset)
		f.number("ord", c.Ord)
		f.add("last_uuid", c.LastUUID)
		f.add("tail_sha256", c.Tail)
	}
	f.number("size", c.Size)
	f.number("mtime", c.MTime)
	f.number("last_seq", c.LastSeq)
	f.add("updated_at", c.UpdatedAt)
	f.add("state", string(c.State))
	return f.String()
}

func parseCursor(text string, snapshot bool) (Cursor, bool) {
	f, ok := parseFields(text, cursorKeys(snapshot)...)
	if !ok {
		return Cursor{}, false
	}
	r := fieldReader{fields: f}
	var c Cursor
	r.expect("1")
	r.expect(cursorKind(snapshot))
	c.Source = r.text()
	c.Dev, c.Ino = r.unsigned(), r.unsigned()
	if snapshot {
		c.ContentSHA = r.digest()
	} else {
		c.Offset, c.Ord = r.count(), r.count()
		c.LastUUID = r.text()
		c.Tail = r.digest()
	}
	c.Size, c.MTime, c.LastSeq = r.count(), r.number(), r.count()
	c.UpdatedAt = r.text()
	c.State = CursorState(r.expect(string(Active), string(SourceGone), string(Conflict)))
	if r.bad {
		return Cursor{}, false
	}
	return c, true
}

func (s *Session) cursorFile(src Source) (dir, name string, err error) {
	dir, err = s.place(src.Kind, src.Stream, src.Batch)
	return dir, src.Kind.FileName() + ".cursor", err
}

// Cursor reads the cursor of a source; false means that it is absent or unreadable.
func (p *Pass) Cursor(src Source) (Cursor, bool) { return p.s.Cursor(src) }

// Cursor reads the cursor of a source as it is now; false means that it is absent or unreadable.
func (s *Session) Cursor(src Source) (Cursor, bool) {
	dir, name, err := s.cursorFile(src)
	if err != nil {
		return Cursor{}, false
	}
	text, err := readSmall(s.root.FS, path.Join(dir, name))
	if err != nil {
		return Cursor{}, false
	}
	return parseCursor(text, src.Kind.Snapshot())
}

// SetCursor replaces the cursor of a source.
func (p *Pass) SetCursor(src Source, c Cursor) error {
	if p.err != nil {
		return p.err
	}
	dir, name, err := p.s.cursorFile(src)
	if err != nil {
		return err
	}
	text := c.text(src.Kind.Snapshot())
	if back, ok := parseCursor(text, src.Kind.Snapshot()); !ok || back != c {
		return fmt.Errorf("session %s: the cursor of %s cannot be written: a field is not what it should be", p.s.ID, src.Path)
	}
	if err := p.ready(dir); err != nil {
		return p.fail(err)
	}
	return p.fail(p.replace(dir, name, text))
}

// SessionState is what session.state says.
type SessionState struct {
	LastSeq   int64  // the highest seq that was landed
	UpdatedAt string // stamp of the pass that wrote it, RFC 3339 UTC
}

func (st SessionState) text() string {
	var f fields
	f.add("schema", "1")
	f.number("last_seq", st.LastSeq)
	f.add("updated_at", st.UpdatedAt)
	return f.checked()
}

func parseSessionState(text string) SessionState {
	f, ok := parseChecked(text, "schema", "last_seq", "updated_at")
	if !ok {
		return SessionState{}
	}
	r := fieldReader{fields: f}
	r.expect("1")
	st := SessionState{LastSeq: r.count(), UpdatedAt: r.text()}
	if r.bad {
		return SessionState{}
	}
	return st
}

// Known is a source with its cursor.
type Known struct {
	Source Source // Path is the cursor's, Rel is not known
	Cursor Cursor
}

// WithCursor are the sources that had a cursor file at the session's Lock; Path and Rel are not known.
func (p *Pass) WithCursor() []Source { return p.cursors }

// Cursors are all cursors of the session that were there at its Lock and can be read.
func (p *Pass) Cursors() []Known { return p.s.known(p.cursors) }

// Cursors are all cursors of the session that can be read now.
func (s *Session) Cursors() ([]Known, error) {
	var sources []Source
	_, err := s.list(func(dir string, e Entry) error {
		if src, ok := s.cursorOf(dir, e); ok {
			sources = append(sources, src)
		}
		return nil
	})
	return s.known(sources), err
}

func (s *Session) known(sources []Source) []Known {
	var out []Known
	for _, src := range sources {
		if c, ok := s.Cursor(src); ok {
			src.Path = c.Source
			out = append(out, Known{src, c})
		}
	}
	return out
}

// cursorOf is the source of a name in a directory of a stream or a run, when that is a cursor's.
func (s *Session) cursorOf(dir string, e Entry) (Source, bool) {
	src := Source{Session: s.ID}
	switch id := path.Base(dir); path.Dir(dir) {
	case path.Join(s.dir, streamsDir):
		src.Stream = id
	case path.Join(s.dir, runsDir):
		src.Batch = id
	default:
		return Source{}, false
	}
	for _, k := range allKinds {
		if e.Regular && e.Name == k.FileName()+".cursor" && k.inStream() == (src.Stream != "") {
			src.Kind = k
			return src, true
		}
	}
	return Source{}, false
}
