package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"asz/native/store"
	"asz/shared/command"
)

const indexHelp = `The index of a session holds what rounds are made of, without any text: collect
keeps it. This brings it up to date with what is landed, under the session's
lock, and prints a line for each session of the storage root: its landed files
and records, the last one (seq) that the index holds, its streams, and the first
and last time that its records state, in UTC. SESSION is an id or the beginning
of one.

--rebuild makes it anew from the landed files. While one that the index knows is
not on disk this is refused: the index is all that is left of it. A damaged
index is made anew unasked, unless the rounds stand on a landed file that is not
on disk: restore that first.

With -json one line is printed for each session.

Exit codes: 0 all is indexed; 1 a session is held by another process or cannot
be indexed, or there is none of that id; 2 wrong usage or settings.
`

func indexVerb() *command.Command {
	return &command.Command{
		Name: "index", Args: "[SESSION]", Misuse: exitMisuse,
		Summary: "bring the indexes of landed sessions up to date",
		Flags: []command.Flag{
			{Name: "rebuild", Summary: "make the index anew"},
			jsonFlag, configFlag,
		},
		Help: indexHelp,
		Run:  runIndex,
	}
}

// indexRow is what the index of a session holds.
type indexRow struct {
	Session string   `json:"session"`
	Files   int      `json:"files"`
	Records int      `json:"records"`
	Seq     int64    `json:"indexed_seq"`
	Added   int      `json:"added"` // records, by this run
	Rebuilt bool     `json:"rebuilt,omitempty"`
	Streams []string `json:"streams"`
	From    string   `json:"from_time,omitempty"` // RFC 3339 UTC
	Through string   `json:"through_time,omitempty"`
}

func runIndex(c *command.Call) int {
	conf, ids, exit := chosenSessions(c)
	if exit != 0 {
		return exit
	}
	root := conf.storageRoot()
	var rows []indexRow
	failed := false
	p := newSessionsProgress(c, root, ids)
	for _, id := range ids {
		row, err := indexSession(root.Session(id), c.Has("rebuild"))
		p.done(id)
		if row.Session != "" {
			rows = append(rows, row)
		}
		if row.Rebuilt && !c.Has("rebuild") {
			p.line.Clear()
			fmt.Fprintf(c.Stderr, "note: session %s: the index was damaged and is made anew\n", oneLine(id))
		}
		if err != nil {
			failed = true
			p.line.Clear()
			c.Fail(0, "%s", oneLine(err.Error()))
		}
	}
	p.line.Clear()
	for _, row := range rows {
		if c.Has("json") && exit == 0 {
			exit = writeJSON(c, row)
		}
	}
	if !c.Has("json") && len(rows) > 0 {
		exit = write(c, indexText(rows, screen(c)))
	}
	if exit == 0 && failed {
		exit = exitFindings
	}
	return exit
}

// chosenSessions are the sessions of the storage root that the operands choose: one, or all.
func chosenSessions(c *command.Call) (conf config, ids []string, exit int) {
	if len(c.Operands) > 1 || len(c.Operands) == 1 && c.Operands[0] == "" {
		return conf, nil, c.Usage("name one session, or none for all")
	}
	if conf, exit = readConfig(c); exit != 0 {
		return conf, nil, exit
	}
	ids, err := conf.storageRoot().Sessions()
	switch {
	case err != nil:
		return conf, nil, c.Fail(exitFindings, "%v", err)
	case len(c.Operands) == 1:
		id, problem := findSession(ids, c.Operands[0])
		if problem != "" {
			return conf, nil, c.Fail(exitFindings, "%s in the storage root %s; asz index lists all", problem, conf.Storage.Root)
		}
		return conf, []string{id}, 0
	case len(ids) == 0:
		c.Fail(0, "no session is landed in the storage root %s: asz collect lands some, and --config names other settings", conf.Storage.Root)
	}
	return conf, ids, 0
}

// indexSession brings an index up to date; with an error there may be an old one to tell of.
func indexSession(s *store.Session, anew bool) (indexRow, error) {
	p, err := s.Lock()
	if errors.Is(err, store.ErrBusy) {
		return indexRow{}, fmt.Errorf("session %s: another process works on it; try again when that is done", s.ID)
	}
	if err != nil {
		return indexRow{}, err
	}
	defer p.Close()
	p.Begin(time.Now())
	x, damage := s.Index()
	switch {
	case errors.Is(damage, store.ErrDamaged):
		anew = true
	case damage != nil:
		return indexRow{}, damage
	case anew:
		if err := onlyInIndex(s, x); err != nil {
			row, _ := describeIndex(s, 0)
			return row, err
		}
	}
	if anew {
		err = p.Reindex()
	}
	if err == nil {
		err = p.Commit()
	}
	row, broken := describeIndex(s, p.Indexed())
	row.Rebuilt = anew && err == nil
	if err == nil {
		err = broken
	}
	return row, err
}

// onlyInIndex names the first landed file that the index knows and the disk has not.
func onlyInIndex(s *store.Session, x *store.Index) error {
	landed, err := s.Landed()
	if err != nil {
		return err
	}
	on := map[int64]bool{}
	for _, l := range landed {
		on[l.Seq] = true
	}
	return x.Each(func(e *store.IndexEntry) error {
		if on[e.Seq] {
			return nil
		}
		return fmt.Errorf("session %s: the index is not made anew: the landed file %d is not on disk, and the index is all that is left of it; restore the file, or remove %s/index to do without it", s.ID, e.Seq, s.Dir())
	})
}

func describeIndex(s *store.Session, added int) (indexRow, error) {
	x, err := s.Index()
	if err != nil {
		return indexRow{}, err
	}
	row := indexRow{Session: s.ID, Files: x.Files, Records: x.Records, Seq: x.IndexedSeq, Added: added, Streams: []string{}}
	seen := map[string]bool{}
	from, through := int64(store.NoTime), int64(store.NoTime)
	err = x.Each(func(e *store.IndexEntry) error {
		if e.Stream != "" && !seen[e.Stream] {
			seen[strings.Clone(e.Stream)] = true
			row.Streams = append(row.Streams, strings.Clone(e.Stream))
		}
		if e.Time != store.NoTime {
			through = max(through, e.Time)
			if from == store.NoTime || e.Time < from {
				from = e.Time
			}
		}
		return nil
	})
	if from != store.NoTime {
		row.From, row.Through = utc(from), utc(through)
	}
	return row, err
}

func utc(nanoseconds int64) string { return time.Unix(0, nanoseconds).UTC().Format(time.RFC3339Nano) }

// indexText is the table in a width, 0 = any. Where it would be cut, the last time is without its date when that is the
// first one's.
func indexText(rows []indexRow, width int) string {
	whole := indexTable(rows, false)
	for line := range strings.Lines(whole.text(0)) {
		if width > 0 && uniseg.StringWidth(strings.TrimSuffix(line, "\n")) > width {
			return indexTable(rows, true).text(width)
		}
	}
	return whole.text(width)
}

func indexTable(rows []indexRow, short bool) *table {
	t := &table{columns: []column{
		{head: "SESSION"}, {head: "FILES", right: true}, {head: "RECORDS", right: true}, {head: "ADDED", right: true},
		{head: "SEQ", right: true}, {head: "STREAMS", right: true}, {head: "FIRST"}, {head: "LAST"},
	}}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.Session
	}
	session := shortened(ids)
	for _, r := range rows {
		first, last := seconds(r.From), seconds(r.Through)
		if date, _, ok := strings.Cut(first, " "); ok && short {
			last = strings.TrimPrefix(last, date+" ")
		}
		t.row(session(r.Session), fmt.Sprint(r.Files), fmt.Sprint(r.Records), fmt.Sprint(r.Added), fmt.Sprint(r.Seq), fmt.Sprint(len(r.Streams)), first, last)
	}
	return t
}

// seconds is a time for people; one that cannot be read is shown as it stands.
func seconds(text string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return at.UTC().Format("2006-01-02 15:04:05")
}

// sessionsProgress is what a person sees of work on all landed files.
type sessionsProgress struct {
	work
	line  command.Progress
	files map[string][2]int64 // by session: files and bytes
}

func newSessionsProgress(c *command.Call, root *store.Root, ids []string) *sessionsProgress {
	p := &sessionsProgress{line: command.Progress{Out: c.Stderr, Shown: c.StderrTerminal}}
	p.began = time.Now()
	if !p.line.Shown {
		return p
	}
	p.files = map[string][2]int64{}
	for _, id := range ids {
		landed, err := root.Session(id).Landed()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue // told when it is indexed
		}
		var bytes int64
		for _, l := range landed {
			bytes += l.Size
		}
		p.files[id] = [2]int64{int64(len(landed)), bytes}
		p.total += len(landed)
		p.bytes += bytes
	}
	return p
}

func (p *sessionsProgress) done(id string) {
	p.totalDone += int(p.files[id][0])
	p.bytesDone += p.files[id][1]
	p.show(&p.line)
}
