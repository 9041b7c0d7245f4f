// Package session reads the scenario of a conversation and the expectations beside it. Both are read strictly: what is
// not understood is a finding with its place, and a file with an error gives nothing. It knows the form and the names;
// what a scenario comes to is made elsewhere.
package session

import (
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// DefaultProject is the name of the project directory of a scenario that names none.
const DefaultProject = "-asz-scenario"

// Final names the end of a scenario wherever a checkpoint is named. No step carries it.
const Final = "final"

// Main is the name of the main stream. No child has it.
const Main = "main"

// Scenario is a conversation in the words of its author, defaults filled in.
type Scenario struct {
	Source   *diag.Source
	Session  string // as written, "" = none: the id is derived
	Project  string // one name, no path
	Title    string // "" = no title record
	Interval time.Duration
	Steps    []Step // one at least
}

// Step is one thing that happens. One of Input to System is set.
type Step struct {
	At         diag.Span      // its first line
	After      *time.Duration // in place of the interval; nil = none was written
	Checkpoint string         // a stage ends behind the step; "" = none, always so in a child
	Lost       bool           // its records are planned and left out

	Input  *string
	Queued *Queued
	Inject *Inject
	Call   *Call
	Result *Result
	Error  *string
	Reset  *Reset
	Replay int // so many records of the main stream again; never in a child
	System *System
}

// The modes of Queued.
const (
	ModePrompt       = "prompt"
	ModeNotification = "task-notification"
)

// Queued is input that waited for its turn.
type Queued struct{ Text, Mode string }

// Inject is an attachment that the runtime adds.
type Inject struct{ Type, Text string }

// Call is one provider call: one fragment at least, in the order of the fields. Of the last four one is set at most.
type Call struct {
	Thinking *Thinking
	Text     *string
	Usage    *Usage // never nil
	Tool     *Tool
	Agent    *Agent
	Skill    *Skill
	Workflow *Workflow
}

// Thinking is a reasoning part.
type Thinking struct {
	Unavailable bool // without a text
	Text        string
}

// Usage is counts of tokens.
type Usage struct{ In, Out, CacheRead, CacheWrite int64 }

// Tool is a tool call.
type Tool struct {
	ID, Name string      // ID is filled in where none is written
	Input    []byte      // a JSON object, keys in author order, `<`, `>` and `&` as they are
	Result   *ToolResult // nil = the tool is unfinished
}

// ToolResult is the result of the tool of the same call.
type ToolResult struct {
	Text                 string
	After                *time.Duration
	Failed, String, Lost bool
}

// Agent is a call that launches a child.
type Agent struct {
	Name, Prompt string
	After        *time.Duration // of the child's first record
	Steps        []Step
	Notify, Lost bool
}

// Skill is a fork: Name is the skill's, Agent the child's.
type Skill struct {
	Name, Agent string
	Steps       []Step
	Lost        bool
}

// Workflow is a batch of children, one at least.
type Workflow struct {
	Name     string
	Children []Child
}

// Child is a child of a workflow.
type Child struct {
	Name, Prompt string
	Steps        []Step
	Lost         bool
}

// Result is the result of a tool of an earlier step, Of being its id.
type Result struct {
	Of, Text       string
	After          *time.Duration
	Failed, String bool
}

// Reset is a context reset.
type Reset struct{ Summary string }

// System is a system record.
type System struct {
	Subtype string
	Fields  []byte // a JSON object, keys in author order
}

// Parse reads a scenario. The findings are in file order; with an error among them the scenario is nil.
func Parse(src *diag.Source) (*Scenario, diag.List) {
	s := &Scenario{Source: src}
	r := yamldoc.NewReader()
	if read(r, src, scenarioType(), s) {
		check(r, s)
	}
	r.Findings.Sort()
	if r.Findings.Errors() > 0 {
		return nil, r.Findings
	}
	return s, r.Findings
}

// read reads a file and reports whether it had no finding.
func read[T any](r *yamldoc.Reader, src *diag.Source, t yamldoc.Type[T], dst *T) bool {
	doc, findings := yamldoc.Parse(src, yamldoc.Options{})
	r.Findings = append(r.Findings, findings...)
	if doc.Root == nil {
		return false
	}
	yamldoc.RefuseNUL(r, doc.Root)
	return t.Read(r, doc.Root, dst) && len(r.Findings) == 0
}

// Checkpoints gives the names of the checkpoints in the order of their steps, without Final.
func (s *Scenario) Checkpoints() []string {
	var names []string
	for i := range s.Steps {
		if name := s.Steps[i].Checkpoint; name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Through gives the number of steps up to the one that carries the checkpoint, itself counted; all of them for Final,
// -1 for a name that the scenario does not have.
func (s *Scenario) Through(checkpoint string) int {
	if checkpoint == Final {
		return len(s.Steps)
	}
	for i := range s.Steps {
		if checkpoint != "" && s.Steps[i].Checkpoint == checkpoint {
			return i + 1
		}
	}
	return -1
}

// Children gives the names of all children, each before its own children.
func (s *Scenario) Children() []string {
	var names []string
	each(s.Steps, func(c stream) { names = append(names, c.name) })
	return names
}

// Workflows gives the names of all workflows, in the order they are started in the file.
func (s *Scenario) Workflows() []string {
	var names []string
	called(s.Steps, func(c *Call) {
		if c.Workflow != nil {
			names = append(names, c.Workflow.Name)
		}
	})
	return names
}

// stream is a child: its name, where that stands, and what it does.
type stream struct {
	name  string
	at    *string
	steps []Step
}

// streams are the children that a call starts.
func (c *Call) streams() []stream {
	var list []stream
	if a := c.Agent; a != nil {
		list = append(list, stream{a.Name, &a.Name, a.Steps})
	}
	if s := c.Skill; s != nil {
		list = append(list, stream{s.Agent, &s.Agent, s.Steps})
	}
	if w := c.Workflow; w != nil {
		for i := range w.Children {
			child := &w.Children[i]
			list = append(list, stream{child.Name, &child.Name, child.Steps})
		}
	}
	return list
}

// called visits all calls, each before those of the children it starts.
func called(steps []Step, do func(*Call)) {
	for i := range steps {
		if c := steps[i].Call; c != nil {
			do(c)
			for _, child := range c.streams() {
				called(child.steps, do)
			}
		}
	}
}

// each visits all children.
func each(steps []Step, do func(stream)) {
	for i := range steps {
		if c := steps[i].Call; c != nil {
			for _, child := range c.streams() {
				do(child)
				each(child.steps, do)
			}
		}
	}
}
