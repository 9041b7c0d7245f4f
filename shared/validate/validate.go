// Package validate proves a lab: it looks at everything an author wrote, plays the sections in order, searches the
// states that a learner can reach, and tells what is wrong, where, and what to do (labs.md 4 and 5).
package validate

import (
	"io/fs"
	"path"
	"slices"

	"asz/shared/content"
	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/sim"
)

// Mode says how far the states of a lab are searched.
type Mode uint8

// Off searches nothing, Auto to a bound that no person waits for, Full to one that only memory sets.
const (
	Auto Mode = iota
	Off
	Full
)

// Options say what is asked of a check beyond its findings.
type Options struct {
	Explore  Mode
	Solution bool   // the shortest play that completes every step
	Coverage bool   // what is played on the documented path, off it, or never
	Texts    *Texts // what is known of sections from earlier checks; nil = nothing, and nothing is kept
}

// Check is the validation of one lab, in slices, so that its host can show progress and stop it.
type Check struct {
	options  Options
	loaded   *labfile.Loaded
	lab      *lab.Lab    // as corrected (see correct); nil when nothing could be read
	engine   *sim.Engine // plays lab; nil when it did not load
	dir      string
	files    fs.FS
	sections []section
	played   []played   // the lines of the instructions, in order
	end      *sim.State // after the last of them
	known
	statics
	walk     *walk    // the play of the instructions; nil when nothing is played
	leftOut  *leftOut // nil unless the scenario of a step is missing
	early    []early
	phase    phase
	explored *explore.Search   // nil when nothing is searched
	rooting  *rooting          // nil before the search is at its end
	roots    map[int]diag.Span // by scenario that never fires: the finding that tells so
	failed   map[int]bool      // scenarios with an effect that fails somewhere
	stepTold map[string]bool   // steps that cannot be completed, as a scenario's finding tells
	result   Result
}

// Result is what is known of a lab so far.
type Result struct {
	ID       string
	Lab      *lab.Lab // nil when it did not load or is skipped
	Skipped  bool
	Findings diag.List

	States     int  // that were looked at
	Exhaustive bool // all there are were looked at
	Solution   *Solution
	Coverage   *Coverage
}

// Solution is a play that completes every step.
type Solution struct {
	Lines    []string // for `asz play --script`
	Shortest bool     // no shorter one is there
	Missing  []string // steps that it does not complete
}

// Coverage tells of each scenario, step and line where it is played.
type Coverage struct{ Scenarios, Steps, Lines []Covered }

// Covered is one scenario, step or line.
type Covered struct {
	Name  string
	Where Where
}

// Where is the part of a lab's plays in which something happens.
type Where uint8

// Documented is the path of the sections in order, Reachable is off it only. Unknown: the search hit a bound first.
const (
	Documented Where = iota
	Reachable
	Never
	Unknown
)

// section is one page of instructions with its source.
type section struct {
	*lab.Section
	source  *diag.Source
	content content.Section
}

// span is the place of bytes [start,end) of the section.
func (s *section) span(start, end int) diag.Span {
	return diag.Span{Source: s.source, Start: start, Len: end - start}
}

// New begins the check of the lab in the folder dir of the folder of labs that is the root of files: it loads it.
func New(files fs.FS, dir string, o Options) *Check {
	return NewOf(labfile.Load(files, dir), files, dir, o)
}

// NewOf begins the check of a lab that is loaded already, which it does not change.
func NewOf(loaded *labfile.Loaded, files fs.FS, dir string, o Options) *Check {
	c := &Check{
		options: o, files: files, dir: dir, loaded: loaded,
		roots: map[int]diag.Span{}, failed: map[int]bool{}, stepTold: map[string]bool{},
	}
	c.result = Result{ID: path.Base(dir), Lab: c.loaded.Lab, Skipped: c.loaded.Skipped, Findings: slices.Clone(c.loaded.Findings)}
	return c
}

// Step goes on for about n transitions of the search; it returns false when the check is complete.
func (c *Check) Step(n int) (more bool) {
	switch c.phase {
	case begun:
		c.static()
		c.phase = following
	case following:
		if c.walk != nil && c.walk.step(n) {
			return true
		}
		if c.walk != nil {
			c.leftOut = c.seekLeftOut()
		}
		if c.phase = looked; c.engine == nil || c.options.Explore == Off {
			c.foldLeftOut()
			c.result.Findings.Sort()
			c.phase = ended
		}
	case looked:
		c.search()
		c.phase = searching
	case searching:
		if !c.explored.Step(n) {
			c.rooting, c.phase = c.newRooting(), sorting
		}
	case sorting:
		if !c.rooting.step(n) {
			c.searched()
			c.phase = ended
		}
	}
	return c.phase != ended
}

// phase is how far a check has come.
type phase uint8

const (
	begun     phase = iota
	following       // of the sections, as a learner would
	looked
	searching
	sorting // what is found into reasons and consequences
	ended
)

// Progress tells how far the search has come.
func (c *Check) Progress() explore.Progress {
	if c.explored == nil {
		return explore.Progress{}
	}
	return c.explored.Progress()
}

// Result ends the check, and is what was found: all there is when Step has returned false, else what is sure so far.
func (c *Check) Result() *Result {
	switch c.phase {
	case following, looked:
		c.foldLeftOut()
		c.result.Findings.Sort()
	case searching:
		c.rooting = c.newRooting()
		c.searched()
	case sorting:
		c.searched()
	}
	c.phase = ended
	return &c.result
}
