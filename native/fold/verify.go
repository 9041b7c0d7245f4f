package fold

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"asz/native/store"
)

// ProblemKind is what of a root is wrong.
type ProblemKind int

const (
	DamagedFile   ProblemKind = iota // a landed file is not what it says, or not where it belongs
	GapInSource                      // a record does not follow the one before it
	MissingFile                      // a landed file that a round consumed is not on disk
	ChangedFiles                     // landed files are not what a round consumed
	MissingRound                     // a round before others is not on disk
	DamagedRound                     // a round is not what it says, or does not follow the one before it
	MisplacedName                    // a name that belongs to no landed file and no round
)

// Problem is one thing that verify finds.
type Problem struct {
	Kind      ProblemKind
	File      string // path in the root, forward slashes; "" for what is missing
	Round     int64  // 0 where it does not apply, as Seq and Row
	Seq, Row  int64
	From, To  int64 // seqs of the round, of ChangedFiles
	Text      string
	SessionID string
}

// Chain tells whether the problem is one of the chain of rounds.
func (p *Problem) Chain() bool {
	return p.Kind == MissingFile || p.Kind == ChangedFiles || p.Kind == MissingRound || p.Kind == DamagedRound
}

// String is the problem in one line.
func (p *Problem) String() string {
	if p.File == "" {
		return fmt.Sprintf("session %s: %s", p.SessionID, p.Text)
	}
	return p.File + ": " + p.Text
}

// CheckedFile is a landed file that has been read.
type CheckedFile struct {
	store.Landed
	Header  store.Header // zero when it cannot be read
	Records int64
	SHA256  string // of the file, hex; "" when it cannot be read
	Damaged bool
}

// Report is what verify says of a session.
type Report struct {
	Session  string
	Problems []Problem
	Files    []CheckedFile  // by seq
	Rounds   []*store.Round // that are what they say, without frames
	Streams  int            // streams and workflow runs with landed files
	Records  int64
	Repeated int64 // records of a range of a source that has landed before
	Bytes    int64 // read
}

// Verify checks the landed files and the rounds of a session by what stands in them. It reads nothing else, takes no lock and
// writes nothing. It fails only when they cannot be listed. What is missing behind the last round, and a landed file that no
// round consumed, leave no trace.
func Verify(root *store.Root, id string) (*Report, error) {
	v := &verifier{root: root, report: &Report{Session: id}, sources: map[source]*sourceState{}}
	// Rounds first: what those that are there consumed was landed before.
	rounds, strayRounds, err := root.Conversation(id).Rounds()
	if err != nil {
		return nil, err
	}
	landed, strayFiles, err := root.Session(id).Listing()
	if err != nil {
		return nil, err
	}
	for _, name := range strayFiles {
		v.problem(Problem{Kind: MisplacedName, File: v.rel(name), Text: "it is not named, or does not stand, as a landed file does"})
	}
	v.landed(landed)
	v.rounds(rounds)
	for _, name := range strayRounds {
		v.problem(Problem{Kind: MisplacedName, File: v.rel(name), Text: "it is not named as a round is"})
	}
	return v.report, nil
}

// Verifiable are the ids of all sessions and chains of a root, sorted.
func Verifiable(root *store.Root) ([]string, error) {
	sessions, err := root.Sessions()
	if err != nil {
		return nil, err
	}
	chains, err := root.Conversations()
	ids := slices.Concat(sessions, chains)
	slices.Sort(ids)
	return slices.Compact(ids), err
}

type verifier struct {
	root    *store.Root
	report  *Report
	sources map[source]*sourceState
	gaps    []gap
	inputs  *inputs
	missing map[int64]bool // seqs that a round misses
}

func (v *verifier) problem(p Problem) {
	p.SessionID = v.report.Session
	v.report.Problems = append(v.report.Problems, p)
}

// rel is a path as it is in the root.
func (v *verifier) rel(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, path.Clean(v.root.Dir)), "/")
}

// reason is what an error says of a file that is named beside it.
func reason(err error, name string) string {
	text := strings.TrimPrefix(err.Error(), name+": ")
	if errors.Is(err, store.ErrDamaged) {
		return strings.TrimPrefix(text, store.ErrDamaged.Error()+": ")
	}
	return "it cannot be read: " + text
}

func (v *verifier) landed(files []store.Landed) {
	bySeq := make(map[int64]store.Landed, len(files))
	sums := make(map[int64]string, len(files))
	streams := map[source]bool{}
	for _, l := range files {
		c := CheckedFile{Landed: l}
		err := v.file(&c)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it went away since it was listed: a round will miss it
		}
		streams[source{stream: l.Stream, batch: l.Batch}] = true
		if first, twice := bySeq[l.Seq]; twice {
			v.problem(Problem{Kind: DamagedFile, File: v.rel(l.Path), Seq: l.Seq, Text: fmt.Sprintf("seq %d is that of %s too", l.Seq, v.rel(first.Path))})
		} else {
			bySeq[l.Seq] = l
			if c.SHA256 != "" || err == nil {
				sums[l.Seq] = c.SHA256
			}
		}
		if err != nil {
			c.Damaged = true
			v.problem(Problem{Kind: DamagedFile, File: v.rel(l.Path), Seq: l.Seq, Text: reason(err, l.Path)})
		}
		v.report.Files = append(v.report.Files, c)
		v.report.Bytes += l.Size
	}
	v.report.Streams = len(streams)
	v.inputs = newInputs(v.root, bySeq)
	v.inputs.sums = sums
}

// file checks a landed file for itself, and whether its records follow those before them.
func (v *verifier) file(c *CheckedFile) error {
	f, err := store.OpenLanded(v.root.FS, c.Path)
	if err != nil {
		v.lost(c)
		return err
	}
	defer f.Close()
	c.Header = f.Header()
	gaps, at := len(v.gaps), v.at(c)
	before := *at
	repeated := int64(0)
	c.SHA256, err = f.Check(func(row, ord, off, bytes int64) {
		c.Records++
		if at.checked && v.follow(at, c, row, ord, off, bytes) {
			repeated++
		}
	})
	at.seq = c.Seq
	if err == nil {
		v.report.Records += c.Records
		v.report.Repeated += repeated
		return misnamed(c, v.report.Session)
	}
	// What it says of its records is not to be trusted.
	*at, v.gaps = before, v.gaps[:gaps]
	v.lost(c)
	return err
}

// misnamed tells a file whose header is not that of its name and place.
func misnamed(c *CheckedFile, session string) error {
	h := &c.Header
	wrong := func(what, got, want string) error {
		return fmt.Errorf("%s: %w: %s of its header is %q, not %q", c.Path, store.ErrDamaged, what, got, want)
	}
	stamp := ""
	if at, err := time.Parse(time.RFC3339Nano, h.At); err == nil && at.UTC().Format(store.AtLayout) == h.At {
		stamp = at.UTC().Format(store.StampLayout)
	}
	switch {
	case h.Seq != c.Seq:
		return wrong("the seq", fmt.Sprint(h.Seq), fmt.Sprint(c.Seq))
	case h.Session != session:
		return wrong("the session", h.Session, session)
	case h.Kind != c.Kind:
		return wrong("the kind", string(h.Kind), string(c.Kind))
	case h.Stream != c.Stream:
		return wrong("the stream", h.Stream, c.Stream)
	case h.Batch != c.Batch:
		return wrong("the run", h.Batch, c.Batch)
	case stamp != c.Stamp:
		return wrong("the time", h.At, c.Stamp)
	}
	return nil
}

// source is what landed files continue one another in.
type source struct {
	kind          store.Kind
	stream, batch string
}

// sourceState is how far a source has landed.
type sourceState struct {
	checked  bool // it grows by lines
	ord, off int64
	seq      int64 // of its last file
	lost     bool  // a file could not be read: what comes next is not known
}

func (v *verifier) at(c *CheckedFile) *sourceState {
	key := source{c.Kind, c.Stream, c.Batch}
	s := v.sources[key]
	if s == nil {
		s = &sourceState{checked: !c.Kind.Snapshot(), ord: 1}
		v.sources[key] = s
	}
	return s
}

func (v *verifier) lost(c *CheckedFile) {
	s := v.at(c)
	s.lost, s.seq = true, c.Seq
}

// gap is a record that does not follow the one before it, unless a landed file between the two is known to be missing.
type gap struct {
	problem Problem
	after   int64 // seq of the file before
}

// follow takes a record and tells whether it repeats what has landed.
func (v *verifier) follow(at *sourceState, c *CheckedFile, row, ord, off, bytes int64) (repeats bool) {
	if !at.lost && ord < at.ord && off+bytes+1 <= at.off {
		return true
	}
	text := ""
	switch {
	case at.lost:
	case ord != at.ord:
		text = fmt.Sprintf("record %d is line %d of its source, and line %d comes next", row, ord, at.ord)
	case off != at.off:
		text = fmt.Sprintf("record %d is at byte %d of its source, and byte %d comes next", row, off, at.off)
	}
	if text != "" {
		v.gaps = append(v.gaps, gap{Problem{Kind: GapInSource, File: v.rel(c.Path), Seq: c.Seq, Row: row, Text: text}, at.seq})
	}
	at.lost = false
	at.ord, at.off, at.seq = ord+1, off+bytes+1, c.Seq
	return false
}

// mostRounds bounds what is told of rounds that are missing in a row.
const mostRounds = 1000

func (v *verifier) rounds(files []store.RoundFile) {
	chain := v.root.Conversation(v.report.Session)
	v.missing = map[int64]bool{}
	found := v.report.Problems
	v.report.Problems = nil
	var before *store.Round // nil: the first comes next, or the one before is not known
	known := true
	next := int64(1)
	for len(files) > 0 {
		number, n := files[0].Number, 1
		for n < len(files) && files[n].Number == number {
			n++
		}
		if next < number {
			known = false
			v.absent(next, number)
		}
		var good *store.Round
		for i, f := range files[:n] {
			if i > 0 {
				v.problem(Problem{Kind: DamagedRound, File: v.rel(f.Path), Round: number, Text: fmt.Sprintf("round %d is %s too", number, v.rel(files[0].Path))})
			}
			r, err := chain.Check(f)
			v.report.Bytes += f.Size
			if err == nil {
				if problem := misfit(before, r); problem != "" && known {
					err = fmt.Errorf("%s: %w: %s", f.Path, store.ErrDamaged, problem)
				}
			}
			if err != nil {
				v.problem(Problem{Kind: DamagedRound, File: v.rel(f.Path), Round: number, Text: fmt.Sprintf("round %d: %s", number, reason(err, f.Path))})
			} else if good == nil {
				good = r
			}
		}
		if good != nil {
			v.consumed(good, known)
			v.report.Rounds = append(v.report.Rounds, good)
		}
		before, known = good, good != nil
		next, files = number+1, files[n:]
	}
	chained := v.report.Problems
	v.report.Problems = found
	for _, g := range v.gaps {
		if !v.explained(&g) {
			v.problem(g.problem)
		}
	}
	v.report.Problems = append(v.report.Problems, chained...)
}

// absent tells rounds that are missing, from one up to another.
func (v *verifier) absent(from, to int64) {
	for n := from; n < to; n++ {
		if n-from == mostRounds {
			v.problem(Problem{Kind: MissingRound, Round: n, Text: fmt.Sprintf("rounds %d to %d are missing", n, to-1)})
			return
		}
		v.problem(Problem{Kind: MissingRound, Round: n, Text: fmt.Sprintf("round %d is missing", n)})
	}
}

// consumed checks the files that a round stands on.
func (v *verifier) consumed(r *store.Round, known bool) {
	match, missing, err := v.inputs.check(r, known)
	h := &r.Header
	switch {
	case err != nil:
		v.problem(Problem{Kind: ChangedFiles, File: v.rel(r.Path), Round: r.Number, From: h.FromSeq, To: h.ThroughSeq, Text: fmt.Sprintf("round %d: the files of seq %d to %d cannot be compared: %v", r.Number, h.FromSeq, h.ThroughSeq, err)})
	case match:
	case len(missing) > 0:
		for _, seq := range missing {
			v.missing[seq] = true
			v.problem(Problem{Kind: MissingFile, Round: r.Number, Seq: seq, Text: fmt.Sprintf("round %d consumed the landed file of seq %d, which is missing", r.Number, seq)})
		}
		if len(missing) == mostMissing {
			v.problem(Problem{Kind: MissingFile, Round: r.Number, Seq: missing[len(missing)-1], Text: fmt.Sprintf("round %d misses still more files", r.Number)})
		}
	case known:
		v.problem(Problem{Kind: ChangedFiles, File: v.rel(r.Path), Round: r.Number, From: h.FromSeq, To: h.ThroughSeq, Text: fmt.Sprintf("round %d: the landed files of seq %d to %d are not those that it consumed", r.Number, h.FromSeq, h.ThroughSeq)})
	}
}

// explained tells a gap where a missing file was.
func (v *verifier) explained(g *gap) bool {
	for seq := g.after + 1; seq < g.problem.Seq && g.problem.Seq-g.after <= mostMissing; seq++ {
		if v.missing[seq] {
			return true
		}
	}
	return false
}
