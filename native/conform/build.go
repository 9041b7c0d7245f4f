// Package conform builds session scenarios: one plan of records becomes the files of a runtime, or landed Session Data.
package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/bits"
	"path"
	"slices"
	"strings"
	"time"

	"asz/native/store"
	"asz/shared/session"
)

// Format is what a build writes.
type Format string

const (
	ClaudeCode  Format = "claude-code" // the runtime's own files, to be collected
	SessionData Format = "sd"          // landed files
)

// Options say how a scenario is built.
type Options struct {
	Format  Format
	Out     string // directory, absolute
	Times          // of the first session
	Through string // checkpoint at which the build ends, "" = session.Final
	Repeat  int64  // number of sessions, end to end on the clock; 0 = 1
	Version string // of this program
	FS      store.FS
}

// Built is what a build made of one session.
type Built struct {
	Session string
	Base    time.Time
	Files   int   // source files or landed files that were written; what stood there already is none
	Records int   // of the stage, in all files
	Bytes   int64 // written
}

// Source is the directory of a build's source files.
const Source = "_source"

// Build builds a scenario in a directory and tells of each session when it is written. What is refused changes nothing:
// everything is looked at before anything is written. An interrupted build is completed by the same one again.
func Build(s *session.Scenario, o Options, done func(Built) error) error {
	b := &builder{Options: o, scenario: s}
	b.Repeat = max(1, b.Repeat)
	b.links = links{disk: b.FS, in: map[string][]string{}, top: strings.Count(b.at(Source, "project"), "/")}
	if err := b.check(); err != nil {
		return err
	}
	if err := b.links.none(b.Out, configName); err != nil {
		return err
	}
	config, err := b.config()
	if err != nil {
		return err
	}
	if !b.fresh {
		for p, err := range b.plans() {
			if err == nil {
				err = b.fits(p)
			}
			if err != nil {
				return err
			}
		}
	}
	if err := makeDirs(b.FS, b.Out, true); err != nil {
		return err
	}
	if err := config.write(b.FS); err != nil {
		return err
	}
	for p, err := range b.plans() {
		if err != nil {
			return err
		}
		built := Built{Session: p.Session, Base: p.Base}
		if b.Format == SessionData {
			err = b.land(p, &built)
		} else {
			err = b.writeSources(p, &built)
		}
		if err == nil {
			err = done(built)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// builder is one build.
type builder struct {
	Options
	scenario *session.Scenario
	fresh    bool // the directory is new or empty
	links    links
}

// check refuses what is clear before the directory is looked into.
func (b *builder) check() error {
	switch {
	case b.Format != ClaudeCode && b.Format != SessionData:
		return fmt.Errorf("there is no format %q; it is %s or %s", b.Format, ClaudeCode, SessionData)
	case slices.Contains([]string{"", ".", ".."}, b.scenario.Project) || strings.ContainsAny(b.scenario.Project, "/\x00"):
		return fmt.Errorf("the project %q is no name of a directory", b.scenario.Project)
	}
	info, err := b.FS.Stat(b.Out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		b.fresh = true
	case err != nil:
		return fmt.Errorf("%s cannot be looked into: %w", b.Out, reason(err))
	case !info.Mode.IsDir():
		return fmt.Errorf("%s is a file: name a directory", b.Out)
	default:
		names, err := b.FS.ReadDir(b.Out)
		if err != nil {
			return fmt.Errorf("%s cannot be looked into: %w", b.Out, reason(err))
		}
		b.fresh = len(names) == 0
	}
	return b.lastPlan()
}

// lastPlan makes sure that the last session has a plan, and with it all of them: each is as long as the first.
func (b *builder) lastPlan() error {
	first, err := NewPlan(b.scenario, b.Times, b.Through)
	if err != nil {
		return err
	}
	if b.Repeat == 1 {
		return nil
	}
	if countedID(first.Session, b.Repeat-1) == "" {
		return fmt.Errorf("the last 12 digits of the session id %s cannot count to %d sessions", first.Session, b.Repeat)
	}
	const second = uint64(time.Second)
	over := errors.New("the last session leaves the years 0 to 9999: build fewer sessions, or give an earlier time")
	span := first.Latest.Sub(first.Base)
	if span+first.interval < span {
		return over
	}
	high, low := bits.Mul64(uint64(b.Repeat-1), uint64(span+first.interval))
	if high >= second {
		return over
	}
	seconds, rest := bits.Div64(high, low, second)
	if seconds > 1<<39 {
		return over
	}
	last := time.Unix(first.Latest.Unix()+int64(seconds), int64(first.Latest.Nanosecond())+int64(rest)).UTC()
	if last.Year() > 9999 {
		return over
	}
	return nil
}

// plans are the plans of all sessions, one at a time.
func (b *builder) plans() iter.Seq2[*Plan, error] {
	return func(yield func(*Plan, error) bool) {
		id, t := sessionID(b.scenario), b.Times
		for k := range b.Repeat {
			p, err := newPlan(b.scenario, countedID(id, k), t, b.Through)
			if !yield(p, err) || err != nil {
				return
			}
			t.Base = p.Latest.Add(p.interval)
		}
	}
}

// fits refuses a session that would be written over something else.
func (b *builder) fits(p *Plan) error {
	if err := b.noLinks(p); err != nil {
		return err
	}
	if b.Format == SessionData {
		return b.fitsLanded(p)
	}
	return b.fitsSources(p)
}

// at is a path below the directory of the build.
func (b *builder) at(parts ...string) string {
	return path.Join(append([]string{b.Out}, parts...)...)
}
