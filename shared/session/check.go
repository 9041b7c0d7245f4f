package session

import (
	"fmt"
	"strings"
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// Bounds of what a short file may come to.
const (
	maxClock   = 100 * 365 * 24 * time.Hour // from the first record to the last, at most
	maxRecords = 1 << 20                    // in the main stream; a replay can double them
)

// checker compares what stands in different places of a scenario, and fills in the ids that follow from them.
type checker struct {
	*yamldoc.Reader
	interval time.Duration

	checkpoints, children, tools, runs map[string]diag.Span // where each name was first given
	order                              []string             // ids of the tools so far
	later                              []*Result            // that name no tool so far
	clock                              time.Duration
	full                               bool // the clock's bound was told
}

// check is for a scenario that was read without a finding: of one that is not whole, too much would seem to be missing.
func check(r *yamldoc.Reader, s *Scenario) {
	c := checker{
		Reader: r, interval: s.Interval,
		checkpoints: map[string]diag.Span{}, children: map[string]diag.Span{}, tools: map[string]diag.Span{}, runs: map[string]diag.Span{},
	}
	c.steps(s.Steps, "")
	for _, result := range c.later {
		c.unknownTool(result)
	}
	records := 0
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Replay > records {
			c.Report("replay-range", c.NodeOf(&step.Replay).Span, fmt.Sprintf("only %d records of the main stream stand before this replay of %d", records, step.Replay)).
				Fix.Text = replayFix(records)
			return
		}
		if records += step.Records(); records > maxRecords {
			c.Report("scenario-too-long", step.At, fmt.Sprintf("the main stream has more than %d records by this step", maxRecords)).Fix.Text = "replay less"
			return
		}
	}
}

func replayFix(records int) string {
	if records == 0 {
		return "move it behind the records that it repeats"
	}
	return fmt.Sprintf("write %d or less", records)
}

// Records is the number of records that the step is planned to write to its own stream, lost ones among them.
func (s *Step) Records() int {
	switch {
	case s.Reset != nil:
		return 2
	case s.Replay > 0:
		return s.Replay
	case s.Call == nil:
		return 1
	}
	n := 0
	call := s.Call
	for _, written := range []bool{
		call.Thinking != nil, call.Text != nil,
		call.Tool != nil, call.Tool != nil && call.Tool.Result != nil,
		call.Agent != nil, call.Agent != nil, call.Agent != nil && call.Agent.Notify, // with its acknowledgement
		call.Skill != nil, call.Skill != nil,
		call.Workflow != nil, call.Workflow != nil,
	} {
		if written {
			n++
		}
	}
	return n
}

// steps visits a stream. prefix is that of the names of its steps.
func (c *checker) steps(steps []Step, prefix string) {
	for i := range steps {
		s := &steps[i]
		name := fmt.Sprintf("%ss%d", prefix, i+1)
		if s.Checkpoint != "" {
			c.taken(c.checkpoints, s.Checkpoint, &s.Checkpoint, "the checkpoint "+diag.Quoted(s.Checkpoint))
		}
		c.pass(s, s.After, c.interval)
		if s.Result != nil {
			c.pass(s, s.Result.After, 0)
			if _, ok := c.tools[s.Result.Of]; !ok {
				c.later = append(c.later, s.Result)
			}
		}
		if s.Call != nil {
			c.call(s, name)
		}
	}
}

func (c *checker) call(s *Step, name string) {
	call := s.Call
	id := name + "-tool"
	switch {
	case call.Tool != nil:
		t := call.Tool
		if t.ID == "" {
			t.ID = id
		}
		c.tool(s, t.ID, &t.ID)
		if t.Result != nil {
			c.pass(s, t.Result.After, c.interval)
		}
	case call.Agent != nil || call.Skill != nil || call.Workflow != nil:
		c.tool(s, id, nil)
	}
	if w := call.Workflow; w != nil {
		run := strings.ToLower(RunID(w.Name))
		c.taken(c.runs, run, &w.Name, "the run id "+diag.Quoted(RunID(w.Name)))
	}
	if call.Agent != nil {
		c.pass(s, call.Agent.After, c.interval)
	}
	for _, child := range call.streams() {
		c.taken(c.children, child.name, child.at, "the child's name "+diag.Quoted(child.name))
		c.pass(s, nil, c.interval)
		c.steps(child.steps, child.name+"-")
	}
}

// tool notes a tool's id; given is where it is written, if it is.
func (c *checker) tool(s *Step, id string, given *string) {
	at := s.At
	if n := c.NodeOf(given); given != nil && n != nil {
		at = n.Span
	}
	if first, taken := c.tools[id]; taken {
		here, there := at, first
		if at == s.At { // the id of this step follows from its place: the other one was chosen
			here, there = first, at
		}
		d := c.Report("name-taken", here, "the tool id "+diag.Quoted(id)+" is given twice")
		d.Related = []diag.Related{{Span: there, Message: "the other tool stands here"}}
		return
	}
	c.tools[id] = at
	c.order = append(c.order, id)
}

// taken notes a name, or reports that it was given before.
func (c *checker) taken(names map[string]diag.Span, name string, at *string, what string) {
	here := c.NodeOf(at).Span
	if first, taken := names[name]; taken {
		d := c.Report("name-taken", here, what+" is given twice")
		d.Related = []diag.Related{{Span: first, Message: "first here"}}
		return
	}
	names[name] = here
}

func (c *checker) unknownTool(s *Result) {
	of := c.NodeOf(&s.Of)
	message := "no tool has the id " + diag.Quoted(s.Of)
	at, later := c.tools[s.Of]
	if later {
		message = "the tool " + diag.Quoted(s.Of) + " is called in a later step"
	}
	d := c.Report("result-of", of.Span, message)
	near := diag.Nearest(s.Of, c.order)
	switch {
	case later:
		d.Related = []diag.Related{{Span: at, Message: "the call stands here"}}
		d.Fix.Text = "move the result behind the call"
	case near != "":
		d.Fix.Text = "write " + diag.Quoted(near)
	case len(c.order) == 0:
		d.Fix.Text = "add a call of the tool before it"
	case len(c.order) <= 8:
		d.Fix.Text = "write one of " + strings.Join(c.order, ", ")
	}
}

// pass lets time go on: by what is written, else by what is usual. All streams count, beside each other or not.
func (c *checker) pass(s *Step, written *time.Duration, usual time.Duration) {
	d := usual
	if written != nil {
		d = *written
	}
	if c.full {
		return
	}
	if d > maxClock-c.clock {
		c.full = true
		c.Report("scenario-too-long", s.At, "the gaps of time come to more than 100 years by this step").Fix.Text = "write shorter gaps"
		return
	}
	c.clock += d
}

// RunID gives the id of a workflow's run: `wf_` and the name, in which every character that is no letter or digit of
// ASCII, `_` or `-` is a `-`. Ids that differ only in case are one to some file systems; a scenario has no two of them.
func RunID(workflow string) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			return c
		}
		return '-'
	}, workflow)
	if name == "" || name[0] == '-' || name[0] == '_' {
		name = "run-" + name
	}
	return "wf_" + name
}
