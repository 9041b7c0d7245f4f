package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"asz/native/claudecode"
	"asz/native/store"
	"asz/shared/command"
)

const sourcesHelp = `One line for each file that asz collect reads, with how much of it is landed in
the storage root. Nothing is written. SESSION is an id or the beginning of one.

  new       nothing of it is landed yet
  active    what is landed is what there is; an unfinished last line waits
  behind    it has changed since: the next pass reads on
  gone      it was landed and is not there any more
  conflict  it is not what was landed from it, or stands for the same as another
            file; it is left alone

Below it stand the names that were passed over, and why. With -json one object
is printed: root, adapters, sources, passed_over and errors. Beside a path that
is not UTF-8, its bytes stand in base64: path_bytes beside path, in the same way
source_root_bytes and first_bytes.

Exit codes: 0; 1 something cannot be read, or there is no such session; 2 wrong
usage or settings.
`

func sourcesVerb() *command.Command {
	return &command.Command{
		Name: "sources", Args: "[SESSION]", Misuse: exitMisuse,
		Summary: "list what collect reads, and how far it is landed",
		Flags:   []command.Flag{jsonFlag, configFlag},
		Help:    sourcesHelp,
		Run:     runSources,
	}
}

// sourceState is what collect has done and will do with a source.
type sourceState string

const (
	stateNew      sourceState = "new"
	stateActive   sourceState = "active"
	stateBehind   sourceState = "behind"
	stateGone     sourceState = "gone"
	stateConflict sourceState = "conflict"
)

type sourceRow struct {
	Adapter string      `json:"adapter,omitempty"` // not known of one that is gone
	Session string      `json:"session"`
	Kind    store.Kind  `json:"kind"`
	Stream  string      `json:"stream,omitempty"`
	Run     string      `json:"run,omitempty"`
	Size    int64       `json:"size"`
	Landed  int64       `json:"landed"` // bytes of it
	State   sourceState `json:"state"`
	Path    string      `json:"path"`
	Bytes   []byte      `json:"path_bytes,omitempty"` // see rawPath
}

type adapterRow struct {
	Name       string `json:"name"`
	SourceRoot string `json:"source_root"`
	Bytes      []byte `json:"source_root_bytes,omitempty"`
}

type oddRow struct {
	What  string `json:"what"`
	Count int64  `json:"count"`
	First string `json:"first,omitempty"`
	Bytes []byte `json:"first_bytes,omitempty"`
}

// rawPath is a path that JSON cannot hold, since it is not UTF-8; nil when it can. In the text each byte of it that fits
// nowhere becomes U+FFFD.
func rawPath(path string) []byte {
	if utf8.ValidString(path) {
		return nil
	}
	return []byte(path)
}

// inventory is all that there is to collect.
type inventory struct {
	Version  int          `json:"version"`
	Root     string       `json:"root"`
	Adapters []adapterRow `json:"adapters"`
	Sources  []sourceRow  `json:"sources"`
	Odd      []oddRow     `json:"passed_over"`
	Errors   []string     `json:"errors"`

	root  *store.Root
	taken map[store.Source]bool // by all but paths
}

func runSources(c *command.Call) int {
	if len(c.Operands) > 1 || len(c.Operands) == 1 && c.Operands[0] == "" {
		return c.Usage("name one session, or none for all")
	}
	conf, exit := readConfig(c)
	if exit != 0 {
		return exit
	}
	inv := &inventory{
		Version: 1, Root: conf.Storage.Root, Adapters: []adapterRow{}, Sources: []sourceRow{}, Odd: []oddRow{}, Errors: []string{},
		root: conf.storageRoot(), taken: map[store.Source]bool{},
	}
	adapters := conf.adapters()
	for i := range adapters {
		inv.find(&adapters[i])
	}
	inv.findGone()
	slices.SortStableFunc(inv.Sources, func(a, b sourceRow) int { return strings.Compare(a.Session, b.Session) })
	if len(c.Operands) == 1 {
		if problem := inv.keep(c.Operands[0]); problem != "" {
			return c.Fail(exitFindings, "%s; asz sources lists all", problem)
		}
	}
	if c.Has("json") {
		exit = writeJSON(c, inv)
	} else {
		exit = write(c, inv.text(screen(c)))
	}
	if exit != 0 {
		return exit
	}
	switch {
	case len(adapters) == 0:
		c.Fail(0, "the settings switch no adapter on, so there is nothing to collect")
	case len(inv.Sources) == 0 && len(inv.Errors) == 0:
		for i := range adapters {
			fmt.Fprintf(c.Stderr, "note: %s\n", oneLine(adapters[i].nothing()))
		}
	}
	for _, e := range inv.Errors {
		c.Fail(0, "%s", oneLine(e))
	}
	if len(inv.Errors) > 0 {
		return exitFindings
	}
	return 0
}

// find adds what an adapter has.
func (inv *inventory) find(a *adapter) {
	inv.Adapters = append(inv.Adapters, adapterRow{a.conf.Name, a.root, rawPath(a.root)})
	found := a.discover()
	for _, src := range found.Sources {
		inv.add(a, src, false)
	}
	for _, clash := range found.Clashes {
		inv.add(a, clash.Source, true)
	}
	for _, o := range found.Odd {
		inv.Odd = append(inv.Odd, oddRow{o.What, o.Count, o.First, rawPath(o.First)})
	}
	for _, err := range found.Errors {
		inv.Errors = append(inv.Errors, err.Error())
	}
	if a.absent() {
		return
	}
	in := map[string]bool{}
	for _, src := range found.Sources {
		in[src.Path] = true
	}
	out := oddRow{What: "a source of a project that include and exclude leave out"}
	for _, src := range claudecode.Discover(store.Disk(), a.root, claudecode.Filter{}).Sources {
		if in[src.Path] {
			continue
		}
		if out.Count++; out.First == "" {
			out.First = src.Path
		}
	}
	if out.Count > 0 {
		out.Bytes = rawPath(out.First)
		inv.Odd = append(inv.Odd, out)
	}
}

// add adds a source as it is now; second says that another stands for the same.
func (inv *inventory) add(a *adapter, src store.Source, second bool) {
	row := sourceRow{Adapter: a.conf.Name, Session: src.Session, Kind: src.Kind, Stream: src.Stream, Run: src.Batch, State: stateNew, Path: src.Path, Bytes: rawPath(src.Path)}
	place := src
	place.Path, place.Rel = "", ""
	info, err := store.Disk().Stat(src.Path)
	if err != nil {
		inv.Errors = append(inv.Errors, err.Error())
	}
	row.Size = info.Size
	if second || inv.taken[place] {
		row.State = stateConflict
		inv.Sources = append(inv.Sources, row)
		return
	}
	inv.taken[place] = true
	if cursor, ok := inv.root.Session(src.Session).Cursor(src); ok {
		row.Landed = landedBytes(src.Kind, cursor)
		row.State = stateOf(src.Kind, cursor, info)
	}
	inv.Sources = append(inv.Sources, row)
}

func landedBytes(k store.Kind, c store.Cursor) int64 {
	if k.Snapshot() {
		return c.Size
	}
	return c.Offset
}

// stateOf asks what collect asks before it opens a source.
func stateOf(k store.Kind, c store.Cursor, now store.Info) sourceState {
	switch {
	case c.State == store.Conflict, !k.Snapshot() && now.Size < c.Offset:
		return stateConflict
	case c.State == store.Active && now.Size == c.Size && now.MTime == c.MTime && now.Ino == c.Ino:
		return stateActive
	}
	return stateBehind
}

// findGone adds what was landed once and is not there any more.
func (inv *inventory) findGone() {
	ids, err := inv.root.Sessions()
	if err != nil {
		inv.Errors = append(inv.Errors, err.Error())
	}
	for _, id := range ids {
		known, err := inv.root.Session(id).Cursors()
		if err != nil {
			inv.Errors = append(inv.Errors, err.Error())
		}
		for _, k := range known {
			place := k.Source
			place.Path = ""
			info, err := store.Disk().Stat(k.Cursor.Source)
			if inv.taken[place] || err == nil && info.Mode.IsRegular() || err != nil && !isGone(err) {
				continue
			}
			inv.Sources = append(inv.Sources, sourceRow{
				Session: id, Kind: k.Source.Kind, Stream: k.Source.Stream, Run: k.Source.Batch,
				Landed: landedBytes(k.Source.Kind, k.Cursor), State: stateGone, Path: k.Cursor.Source, Bytes: rawPath(k.Cursor.Source),
			})
		}
	}
}

// keep leaves one session.
func (inv *inventory) keep(given string) (problem string) {
	id, problem := findSession(inv.sessions(), given)
	inv.Sources = slices.DeleteFunc(inv.Sources, func(s sourceRow) bool { return s.Session != id })
	return problem
}

func (inv *inventory) sessions() []string {
	var ids []string
	for _, s := range inv.Sources {
		ids = append(ids, s.Session)
	}
	return slices.Compact(ids)
}

func (inv *inventory) text(width int) string {
	var b strings.Builder
	for _, a := range inv.Adapters {
		fmt.Fprintf(&b, "%s reads %s\n", a.Name, oneLine(a.SourceRoot))
	}
	if len(inv.Sources) > 0 {
		b.WriteString("\n" + inv.table().text(width) + "\n")
	}
	b.WriteString(inv.totals())
	for _, o := range inv.Odd {
		fmt.Fprintf(&b, "passed over: %s\n", oddity(store.Odd{What: o.What, Count: o.Count, First: o.First}))
	}
	return b.String()
}

func (inv *inventory) table() *table {
	t := &table{columns: []column{
		{head: "SESSION"}, {head: "KIND"}, {head: "STREAM/RUN"}, {head: "SIZE", right: true}, {head: "LANDED", right: true},
		{head: "STATE"}, {head: "PATH", tail: true},
	}}
	session := shortened(inv.sessions())
	var streams []string
	for _, s := range inv.Sources {
		streams = append(streams, s.Stream)
	}
	stream := shortened(streams)
	for _, s := range inv.Sources {
		bytes := size(s.Size)
		if s.State == stateGone {
			bytes = ""
		}
		t.row(session(s.Session), string(s.Kind), stream(s.Stream)+s.Run, bytes, size(s.Landed), string(s.State), s.Path)
	}
	return t
}

// totals is one line on all sources.
func (inv *inventory) totals() string {
	var bytes, landed int64
	states := map[sourceState]int{}
	for _, s := range inv.Sources {
		bytes += s.Size
		landed += s.Landed
		states[s.State]++
	}
	text := fmt.Sprintf("%s, %s: %s, %s landed", counted(len(inv.sessions()), "session"), counted(len(inv.Sources), "source"), size(bytes), size(landed))
	for _, state := range []sourceState{stateNew, stateActive, stateBehind, stateGone, stateConflict} {
		if n := states[state]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, state)
		}
	}
	return text + "\n"
}

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
