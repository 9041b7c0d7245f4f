package conform

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"asz/native/claudecode"
	"asz/native/store"
	"asz/shared/diag"
	"asz/shared/session"
)

// Times is how a scenario is laid on the clock.
type Times struct {
	Base     time.Time
	Scale    float64        // every delta is multiplied by it; 0 = 1
	Interval *time.Duration // in place of the scenario's
}

// Plan is what a scenario comes to: the records of every file of one session, those included that are left out. It is
// the same for both formats and follows from its arguments alone.
type Plan struct {
	Session string
	Project string
	Dir     string // working directory of the session
	Files   []File // in the order they are landed in
	Through int    // main steps that the stage reaches

	Base, Latest time.Time // of the session, and of the last record of the whole scenario
	interval     time.Duration
}

// File is one source file.
type File struct {
	store.Source
	Records []Record
}

// Record is a planned record.
type Record struct {
	claudecode.Line
	Step int  // main step that it belongs to, from 1; the title has 1
	Lost bool // it is left out
}

// in reports whether the record stands in a file once so many steps are built.
func (r *Record) in(through int) bool { return !r.Lost && r.Step <= through }

// Stage gives the records that a file holds once the stage is built.
func (p *Plan) Stage(f *File) func(yield func(*Record) bool) {
	return func(yield func(*Record) bool) {
		for i := range f.Records {
			if r := &f.Records[i]; r.in(p.Through) && !yield(r) {
				return
			}
		}
	}
}

// Stream is what the lines of a file have in common.
func (p *Plan) Stream(f *File) claudecode.Stream {
	s := claudecode.Stream{Session: p.Session, Dir: p.Dir}
	if f.Source.Stream != store.Main {
		s.Agent = f.Source.Stream
	}
	return s
}

// maxRecords bounds a plan: replays can double what is there with every step.
const maxRecords = 1 << 20

const (
	fragmentGap = 100 * time.Millisecond // between the fragments of a call, and to an acknowledgement
	summaryLead = 400 * time.Millisecond // a summary is stamped before its boundary
	childStep   = 100 * time.Millisecond // between the starts of a workflow's children
)

// PlanError says why a scenario has no plan.
type PlanError struct {
	At      diag.Span // of the step, zero for the whole
	Message string
}

func (e *PlanError) Error() string {
	if e.At.Source == nil {
		return e.Message
	}
	line, col := e.At.Source.Position(e.At.Start)
	return fmt.Sprintf("%s:%d:%d: %s", e.At.Source.Name, line, col, e.Message)
}

// NewPlan plans the first session of a scenario through a checkpoint: "" is session.Final. Errors are of type *PlanError.
func NewPlan(s *session.Scenario, t Times, through string) (*Plan, error) {
	return newPlan(s, sessionID(s), t, through)
}

func newPlan(s *session.Scenario, id string, t Times, through string) (*Plan, error) {
	p := &planner{scenario: s, scale: t.Scale, runs: map[string]string{}, limit: maxRecords}
	return p.make(id, t, through)
}

func (p *planner) make(id string, t Times, through string) (*Plan, error) {
	s := p.scenario
	switch {
	case t.Scale == 0:
		p.scale = 1
	case !(t.Scale > 0) || math.IsInf(t.Scale, 1):
		return nil, &PlanError{Message: "the scale is a number above 0"}
	}
	interval := s.Interval
	if t.Interval != nil {
		interval = *t.Interval
	}
	p.plan = Plan{
		Session: id, Project: s.Project, Dir: claudecode.WorkingDir(s.Project),
		Through: s.Through(cmp.Or(through, session.Final)), Base: t.Base.Round(0).UTC(),
	}
	if p.plan.Through < 0 {
		return nil, &PlanError{Message: noCheckpoint(s, through)}
	}
	if interval < 0 {
		return nil, &PlanError{Message: "the interval is not negative"}
	}
	p.interval = p.scaled(interval)
	p.plan.interval, p.plan.Latest = p.interval, p.plan.Base
	p.latest(p.plan.Base)
	p.main()
	if p.err != nil {
		return nil, p.err
	}
	p.order()
	return &p.plan, nil
}

func noCheckpoint(s *session.Scenario, name string) string {
	names := strings.Join(append(s.Checkpoints(), session.Final), ", ")
	return fmt.Sprintf("the scenario has no checkpoint %q; it has %s", name, names)
}

// planner makes a plan.
type planner struct {
	scenario *session.Scenario
	plan     Plan
	scale    float64
	interval time.Duration // scaled
	step     *session.Step // of the main stream
	number   int           // its number
	records  int
	limit    int               // of records
	runs     map[string]string // cycle current at the call of a tool
	children []*File           // transcripts and meta files
	batch    []*File           // journals, manifests, scripts
	err      error
}

// fail keeps the first error.
func (p *planner) fail(format string, args ...any) {
	if p.err == nil {
		e := &PlanError{Message: fmt.Sprintf(format, args...)}
		if p.step != nil {
			e.At = p.step.At
		}
		p.err = e
	}
}

// scaled is a delta of the scenario on the clock, rounded to nanoseconds.
func (p *planner) scaled(d time.Duration) time.Duration {
	if p.scale == 1 {
		return d
	}
	ns := math.Round(float64(d) * p.scale)
	if ns >= math.MaxInt64 || ns <= math.MinInt64 {
		p.fail("%v at a scale of %v is longer than 292 years", d, p.scale)
		return 0
	}
	return time.Duration(ns)
}

// gap is the scaled first one of the deltas that is given, else the interval.
func (p *planner) gap(deltas ...*time.Duration) time.Duration {
	for _, d := range deltas {
		if d != nil {
			return p.scaled(*d)
		}
	}
	return p.interval
}

// latest takes note of the time of a record.
func (p *planner) latest(t time.Time) {
	if y := t.Year(); y < 0 || y > 9999 {
		p.fail("the session leaves the years 0 to 9999: give an earlier time, or a smaller scale or gap")
	}
	if t.After(p.plan.Latest) {
		p.plan.Latest = t
	}
}

// add gives a record to a file.
func (p *planner) add(f *File, lost bool, l claudecode.Line) {
	if p.records++; p.records > p.limit {
		p.tooMany()
	}
	if p.err == nil {
		f.Records = append(f.Records, Record{Line: l, Step: max(1, p.number), Lost: lost})
	}
}

func (p *planner) tooMany() { p.fail("the scenario comes to more than %d records", p.limit) }

// main plans the main stream, and from its steps everything else.
func (p *planner) main() {
	f := &File{Source: p.source(store.Transcript, store.Main, "")}
	if p.scenario.Title != "" {
		p.add(f, false, claudecode.Line{Type: claudecode.LineTitle, Text: p.scenario.Title})
	}
	s := &stream{planner: p, file: f, clock: p.plan.Base}
	for i := range p.scenario.Steps {
		p.step, p.number = &p.scenario.Steps[i], i+1
		s.plan(p.step, fmt.Sprintf("s%d", i+1))
		if p.err != nil {
			return
		}
	}
	p.step = nil
	p.plan.Files = append(p.plan.Files, *f)
}

// source is a file of the session, its path to be set.
func (p *planner) source(kind store.Kind, name, batch string) store.Source {
	src := store.Source{Session: p.plan.Session, Kind: kind, Stream: name, Batch: batch}
	src.Rel = claudecode.Place(p.plan.Project, src, "", "")
	return src
}

// order puts the files in the order of a pass: main, children by id, runs by id.
func (p *planner) order() {
	byName := func(a, b *File) int {
		return cmp.Compare(a.Source.Stream+a.Source.Batch, b.Source.Stream+b.Source.Batch)
	}
	slices.SortStableFunc(p.children, byName)
	slices.SortStableFunc(p.batch, byName)
	for _, f := range append(p.children, p.batch...) {
		p.plan.Files = append(p.plan.Files, *f)
	}
}
