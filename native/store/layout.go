package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Root is a storage root.
type Root struct {
	FS  FS
	Dir string
}

// Session is the part of a root that holds one session. Reading needs no lock.
type Session struct {
	ID   string
	root *Root
	dir  string
}

// Landed is a landed file on disk, as its name and place say it.
type Landed struct {
	Seq    int64
	Kind   Kind
	Stream string // of a transcript and a meta file
	Batch  string // of a journal, manifest and script
	Name   string
	Path   string
	Stamp  string // as in the name, see StampLayout
	Size   int64
	odd    bool // the name is that of no regular file
}

// StampLayout is how a pass's start stands in the names of what it landed; always UTC.
const StampLayout = "20060102T150405.000000000Z"

// AtLayout is the same time in a header.
const AtLayout = "2006-01-02T15:04:05.000000000Z"

// Names in a root.
const (
	streamsDir    = "streams"
	runsDir       = "runs"
	indexDir      = "index"
	entriesName   = "entries.bin"
	indexState    = "index.state"
	sessionState  = "session.state"
	lockName      = ".lock"
	tempPrefix    = ".tmp-"
	landedSuffix  = ".sd"
	conversations = "_conversations"
)

// SafeID tells whether an id can name a directory of the root: it must not hide, lead elsewhere or look like one of ours.
func SafeID(id string) bool {
	if id == "" || len(id) > 200 || id[0] == '.' || id[0] == '_' || !utf8.ValidString(id) {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == 0x7f || r == '/' || r == '\\' })
}

// Sessions are the ids of the sessions in the root, sorted: directories that hold something a session holds, or cannot be looked
// into. A missing root has none.
func (r *Root) Sessions() ([]string, error) {
	entries, err := r.FS.ReadDir(path.Clean(r.Dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the storage root: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if !SafeID(e.Name) || !e.Dir && !r.FS.Nowhere(path.Join(r.Dir, e.Name)) {
			continue
		}
		for _, name := range []string{streamsDir, runsDir, indexDir, sessionState} {
			// One that cannot be looked into is listed: passed over, it would be taken for one that is not there.
			if _, err := r.FS.Stat(path.Join(r.Dir, e.Name, name)); !e.Dir || !errors.Is(err, fs.ErrNotExist) {
				ids = append(ids, e.Name)
				break
			}
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// absent makes sure that what cannot be found is not there at all: behind a link that leads nowhere there may be all of it.
func (r *Root) absent(name string) error {
	for ; len(name) > len(path.Clean(r.Dir)); name = path.Dir(name) {
		if r.FS.Nowhere(name) {
			return fmt.Errorf("%s is a link that leads nowhere: bring back what was there, or remove the link to do without it", name)
		}
	}
	return nil
}

// Session is the session of an id, whether it is there or not.
func (r *Root) Session(id string) *Session {
	return &Session{ID: id, root: r, dir: path.Join(r.Dir, id)}
}

// Dir is the directory of the session.
func (s *Session) Dir() string { return s.dir }

// Landed lists the landed files on disk by seq; names that are not ours are passed over.
func (s *Session) Landed() ([]Landed, error) {
	all, err := s.list(nil)
	if err != nil {
		return nil, err
	}
	out := all[:0]
	for _, l := range all {
		info, err := s.root.FS.Stat(l.Path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode.IsRegular() {
			continue
		}
		if err != nil {
			return nil, err
		}
		l.Size = info.Size
		out = append(out, l)
	}
	return out, nil
}

// Listing is Landed, and beside it the further names that end as those of landed files do: what stands where it does not belong.
func (s *Session) Listing() (landed []Landed, others []string, err error) {
	all, err := s.list(func(dir string, e Entry) error {
		if strings.HasSuffix(e.Name, landedSuffix) && !strings.HasPrefix(e.Name, tempPrefix) {
			others = append(others, dir+"/"+e.Name)
		}
		return nil
	})
	for _, l := range all {
		if l.odd {
			others = append(others, l.Path)
		}
	}
	if err == nil {
		landed, err = s.Landed()
	}
	return landed, others, err
}

// list is all that is named like a landed file, by seq, without sizes; other sees every other name.
func (s *Session) list(other func(dir string, e Entry) error) ([]Landed, error) {
	var out []Landed
	if !SafeID(s.ID) {
		return nil, fmt.Errorf("the session id %q cannot name a directory", s.ID)
	}
	visit := func(dir string, below func(Entry) (Landed, bool)) error {
		entries, err := s.root.FS.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			err = s.root.absent(dir)
		}
		if err != nil {
			return fmt.Errorf("reading session %s: %w", s.ID, err)
		}
		for _, e := range entries {
			if l, ok := below(e); ok {
				out = append(out, l)
			} else if other != nil {
				if err := other(dir, e); err != nil {
					return err
				}
			}
		}
		return nil
	}
	none := func(Entry) (Landed, bool) { return Landed{}, false }
	if err := visit(s.dir, none); err != nil {
		return nil, err
	}
	if err := visit(path.Join(s.dir, indexDir), none); err != nil {
		return nil, err
	}
	for _, top := range []string{streamsDir, runsDir} {
		var below []string
		err := visit(path.Join(s.dir, top), func(e Entry) (Landed, bool) {
			if SafeID(e.Name) && (e.Dir || s.root.FS.Nowhere(path.Join(s.dir, top, e.Name))) {
				below = append(below, e.Name)
			}
			return Landed{}, false
		})
		if err != nil {
			return nil, err
		}
		for _, id := range below {
			dir := path.Join(s.dir, top, id)
			err := visit(dir, func(e Entry) (Landed, bool) {
				l, ok := parseName(e.Name)
				if !ok || e.Dir || l.Kind.inStream() != (top == streamsDir) {
					return Landed{}, false
				}
				l.Path, l.odd = dir+"/"+e.Name, !e.Regular
				if top == streamsDir {
					l.Stream = id
				} else {
					l.Batch = id
				}
				return l, true
			})
			if err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(out, func(a, b Landed) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), strings.Compare(a.Path, b.Path))
	})
	return out, nil
}

// inStream tells whether files of the kind stand with a stream, not with a workflow run.
func (k Kind) inStream() bool { return k == Transcript || k == AgentMeta }

// place is the directory of a stream or a run.
func (s *Session) place(k Kind, stream, batch string) (string, error) {
	top, id := runsDir, batch
	if k.inStream() {
		top, id = streamsDir, stream
	}
	switch {
	case !k.known():
		return "", fmt.Errorf("%q is no kind of landed file", string(k))
	case stream != "" && batch != "":
		return "", fmt.Errorf("a landed file belongs to stream %q or to run %q, not to both", stream, batch)
	case !SafeID(id):
		return "", fmt.Errorf("the id %q of a %s cannot name a directory", id, k)
	}
	return path.Join(s.dir, top, id), nil
}

// allKinds are all kinds; a kind's number in the index is its place here.
var allKinds = [...]Kind{Transcript, AgentMeta, Journal, Manifest, Script}

func (k Kind) known() bool { return slices.Contains(allKinds[:], k) }

func landedName(k Kind, stamp string, seq int64) string {
	return fmt.Sprintf("%s-%s-%06d%s", k.FileName(), stamp, seq, landedSuffix)
}

// parseName reads the name of a landed file; one that landedName does not give is not ours.
func parseName(name string) (Landed, bool) {
	rest, ok := strings.CutSuffix(name, landedSuffix)
	if !ok {
		return Landed{}, false
	}
	kind, rest, _ := strings.Cut(rest, "-")
	stamp, digits, ok := strings.Cut(rest, "-")
	if !ok || len(digits) < 6 || len(digits) > 6 && digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return Landed{}, false
	}
	seq, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || seq < 1 {
		return Landed{}, false
	}
	if at, err := time.Parse(StampLayout, stamp); err != nil || at.Format(StampLayout) != stamp {
		return Landed{}, false
	}
	for _, k := range allKinds {
		if k.FileName() == kind {
			return Landed{Seq: seq, Kind: k, Name: name, Stamp: stamp}, true
		}
	}
	return Landed{}, false
}
