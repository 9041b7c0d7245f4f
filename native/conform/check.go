package conform

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/fold"
	"asz/native/store"
	"asz/native/view"
	"asz/shared/diag"
	"asz/shared/session"
)

// CheckOptions say how a scenario is checked.
type CheckOptions struct {
	Formats []Format
	Out     string // directory, absolute, new or empty; each format has one of its own in it
	Times
	Version string   // of this program
	FS      store.FS // that makes the roots, over the real disk; nil = the disk itself
}

// Failure is something that does not hold.
type Failure struct {
	Format Format // "" of what is between the formats
	Where  string // the checkpoint or the property
	What   string // what was compared
	Want   string // "" where Got says all
	Got    string
	At     diag.Span // in the expectation file; no source where nothing there says it
}

// Checked is what a check came to.
type Checked struct {
	Failures []Failure
	Compared int // checkpoints with expectations, over all formats
	Held     int // properties that were looked at, over all formats
}

// Check builds a scenario in every format, stage by stage, with all that follows: collect, parse, and the loss that the
// expectations ask for; compares what comes of it at each checkpoint, and holds the properties at the end. An error is one of
// the check itself.
func Check(s *session.Scenario, e *session.Expectation, o CheckOptions) (*Checked, error) {
	if o.FS == nil {
		o.FS = store.Disk()
	}
	c := &checker{CheckOptions: o, scenario: s, expected: e, agents: agentsOf(s)}
	for _, format := range o.Formats {
		t, err := c.trial(format)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", format, err)
		}
		if err := t.run(); err != nil {
			return nil, fmt.Errorf("%s: %w", format, err)
		}
		c.trials = append(c.trials, t)
	}
	if err := c.between(); err != nil {
		return nil, err
	}
	return &c.Checked, nil
}

// agentsOf are the agent ids of a scenario's children, by name.
func agentsOf(s *session.Scenario) map[string]string {
	out := map[string]string{}
	for _, name := range s.Children() {
		out[name] = AgentID(name)
	}
	return out
}

// checker is one check.
type checker struct {
	CheckOptions
	Checked
	scenario *session.Scenario
	expected *session.Expectation
	agents   map[string]string // agent ids by the names of children
	trials   []*trial
}

// trial is the check in one format.
type trial struct {
	*checker
	format Format
	dir    string
	root   *store.Root
	id     string         // of the session
	plan   *Plan          // of all steps
	wrote  []*store.Round // by the parse of the stage

	chain     *fold.Chain
	structure *fold.Structure
	report    *fold.Report
	doc       *view.Doc
}

func (c *checker) trial(format Format) (*trial, error) {
	t := &trial{checker: c, format: format, dir: path.Join(c.Out, string(format))}
	t.root = &store.Root{FS: t.FS, Dir: t.dir}
	plan, err := NewPlan(c.scenario, c.Times, "")
	if err != nil {
		return nil, err
	}
	t.plan, t.id = plan, plan.Session
	return t, os.MkdirAll(filepath.FromSlash(t.dir), 0o755)
}

func (t *trial) run() error {
	for _, name := range append(t.scenario.Checkpoints(), session.Final) {
		if err := t.stage(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return t.properties()
}

// stage goes on to a checkpoint.
func (t *trial) stage(name string) error {
	o := Options{Format: t.format, Out: t.dir, Times: t.Times, Through: name, Version: t.Version, FS: t.FS}
	if name == session.Final {
		o.Through = ""
	}
	if err := Build(t.scenario, o, func(Built) error { return nil }); err != nil {
		return err
	}
	if t.format == ClaudeCode {
		if _, err := t.collect(); err != nil {
			return err
		}
	}
	parsed, err := fold.Parse(t.root, t.id, t.parseOptions())
	if err != nil {
		return err
	}
	t.wrote = parsed.Written
	i := slices.IndexFunc(t.expected.Checkpoints, func(p session.Checkpoint) bool { return p.Name == name })
	if i < 0 {
		return t.look()
	}
	p := &t.expected.Checkpoints[i]
	for _, lost := range p.Lose {
		if err := t.lose(name, lost); err != nil {
			return err
		}
	}
	if err := t.look(); err != nil {
		return err
	}
	t.Compared++
	t.compare(p)
	return nil
}

func (t *trial) parseOptions() fold.ParseOptions {
	return fold.ParseOptions{MaxRoundBytes: t.expected.MaxRoundBytes.Is}
}

// look reads what there is now.
func (t *trial) look() (err error) {
	if t.chain, err = fold.Read(t.root, t.id); err != nil {
		return err
	}
	if t.chain.Broken != nil {
		return t.chain.Broken
	}
	if t.structure, err = t.chain.Structure(); err != nil {
		return err
	}
	if t.report, err = fold.Verify(t.root, t.id); err != nil {
		return err
	}
	t.doc, err = view.Document(t.root, t.id)
	return err
}

// collect makes passes until nothing is left to read, and answers what they landed.
func (t *trial) collect() (landed int, err error) {
	for {
		r := collect.Pass(context.Background(), collect.Options{
			Root: t.root, Sources: t.FS, Now: time.Now,
			Adapters: []collect.Adapter{{
				Name: claudecode.Name + "/" + t.Version, Dialect: claudecode.Dialect,
				Discover: t.discover,
				Open:     func(src store.Source, resumed bool) collect.Reader { return claudecode.NewReader(src, resumed) },
			}},
		})
		landed += r.Landed
		switch {
		case len(r.Errors) > 0:
			return landed, fmt.Errorf("collect: %s", r.Errors[0])
		case r.Conflicts > 0 || r.Busy > 0:
			return landed, fmt.Errorf("collect: %d conflicts, %d busy", r.Conflicts, r.Busy)
		case r.Pending == 0:
			return landed, nil
		}
	}
}

func (t *trial) discover() store.Found {
	return claudecode.Discover(t.FS, path.Join(t.dir, Source), claudecode.Filter{})
}

// lose deletes the first landed file that is named and still there, at a checkpoint.
func (t *trial) lose(checkpoint string, lost session.Lose) error {
	landed, err := t.root.Session(t.id).Landed()
	if err != nil {
		return err
	}
	stream, batch := t.stream(lost.Stream), ""
	if lost.Run != "" {
		batch = lost.Run
		if slices.Contains(t.scenario.Workflows(), lost.Run) {
			batch = batchID(lost.Run)
		}
	}
	for _, l := range landed {
		if string(l.Kind) == lost.Kind && l.Stream == stream && l.Batch == batch {
			return t.FS.Remove(l.Path)
		}
	}
	t.fail(Failure{Where: checkpoint, What: "lose", Want: "a landed " + lost.Kind + " of " + lost.Stream + lost.Run, Got: "there is none", At: lost.At})
	return nil
}

func (t *trial) fail(f Failure) {
	f.Format = t.format
	t.Failures = append(t.Failures, f)
}

// stream is the stream of a name: a child's name stands for its agent id.
func (c *checker) stream(name string) string {
	if id, ok := c.agents[name]; ok {
		return id
	}
	return name
}
