// Package gui reads the scenario of a run against a real program: what to start, what to do in it and what must be true
// afterwards. It is read strictly: what is not understood is a finding with its place, and a file with an error gives
// nothing. It knows the form and the names; what is done with them is another's.
package gui

import (
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// What holds where nothing is written.
const (
	DefaultLaunchTimeout = 60 * time.Second
	DefaultSettle        = 5 * time.Second
	DefaultPostTimeout   = 10 * time.Second
)

// limits bound a file: forty entries and what they name are far less.
var limits = yamldoc.Limits{Bytes: 1 << 20, Nodes: 1 << 14, AliasNodes: 1 << 14}

// MaxSteps is how many entries `steps` has at most, and `plan` as well.
const MaxSteps = 40

// Scenario is one file in the words of its author, defaults filled in. Lists that come of maps keep the author's order.
type Scenario struct {
	Source *diag.Source

	App, Window, Process Value[string] // none is empty when set; see Names
	LaunchTimeout        time.Duration // whole seconds, one at least
	Settle               time.Duration // 0 = settling is skipped
	Launch               *Launch       // nil = nothing is launched
	Steps, Plan          []Step        // MaxSteps each at most
	Goal                 Value[string]
	Provides             []Provided
	AgenticMaxIterations int // 0 = the operator's
	Checks               Checks
	Desktop              bool
	ATSPI                bool   // true unless switched off
	CDP                  bool   // switched on, or turned on by an action or postcondition of steps or plan
	CDPTargets           []Pair // name → CSS selector
	CDPWaits             []Pair // name → JavaScript predicate
	ClickTargets         []ClickTarget
	WaitConditions       []WaitCondition
	Shell                []Pair // name → command
	Tools                []Tool
	Rules                []Rule
	Policy               *Policy // nil = the shipped procedure
	GroundingAudit       bool
	Describe             string // how an audit describes controls: DescribeName or DescribeNameRole
	Needs                []Pair // ignored by the runtime
}

// The values of grounding_audit_describe.
const (
	DescribeName     = "name"
	DescribeNameRole = "name_role"
)

// Value is a value that may have been left out.
type Value[T any] struct {
	Is  T
	Set bool      // it was written
	At  diag.Span // where; its first line
}

// Pair is an entry of a map of texts.
type Pair struct {
	Name, Text string
	At         diag.Span // of the name
}

// Provided is a named value that the model may have typed.
type Provided struct {
	Name string
	Text Template
	At   diag.Span // of the name
}

// ClickTarget is a named position, as fractions of the window's width and height from its upper left corner, 0 to 1.
type ClickTarget struct {
	Name string
	X, Y float64
	At   diag.Span // of the name
}

// Checks are what is looked for at the end besides.
type Checks struct {
	LogFatal []string // none is empty
}

// Launch is the command that starts what is tested.
type Launch struct {
	Cmd                     string
	Env                     []Pair // taken as written
	ContinueOnMissingWindow bool
	ContinueOnErrorDialog   bool
	At                      diag.Span // of the key
}

// WaitKind is what a wait condition watches.
type WaitKind uint8

// The kinds of wait conditions.
const (
	WaitGrowing WaitKind = iota // the size of Path
	WaitProcess                 // a process that Match is part of
)

// String is the kind's word.
func (k WaitKind) String() string { return waitKinds[k] }

var waitKinds = [...]string{WaitGrowing: "growing", WaitProcess: "process"}

// WaitCondition is a named hold.
type WaitCondition struct {
	Name          string
	Kind          WaitKind
	Path          string        // of WaitGrowing
	Match         string        // of WaitProcess: part of a command line
	Timeout, Poll time.Duration // more than 0
	QuietPolls    int           // one at least
	At            diag.Span     // of the name
}

// Step is one entry of steps or plan. One of Action and Observe is set.
type Step struct {
	At          diag.Span // its first line
	Action      *Action
	Observe     Value[string]
	Expect      Value[string]
	ExpectState *StateCheck
	Post        []Post // in a plan, one at least
	Target      Target
}

// TargetKind is who receives an action.
type TargetKind uint8

// The kinds of targets.
const (
	TargetNone    TargetKind = iota // none is written
	TargetWindow                    // a window, which is activated first
	TargetBrowser                   // the attached tab
)

// Target is who receives an action.
type Target struct {
	Kind   TargetKind
	Window string // of TargetWindow: part of its title or class
	At     diag.Span
}

// Names gives what the app, its window and its process are called; environment is the value of KASM_RUNTIME_APP. What
// is "" is unnamed: neither waited for nor checked.
func (s *Scenario) Names(environment string) (app, window, process string) {
	app = environment
	if s.App.Set {
		app = s.App.Is
	}
	window, process = app, app
	if s.Window.Set {
		window = s.Window.Is
	}
	if s.Process.Set {
		process = s.Process.Is
	}
	return app, window, process
}

// ClickTarget finds a declared position.
func (s *Scenario) ClickTarget(name string) (*ClickTarget, bool) {
	for i := range s.ClickTargets {
		if s.ClickTargets[i].Name == name {
			return &s.ClickTargets[i], true
		}
	}
	return nil, false
}

// WaitCondition finds a declared hold.
func (s *Scenario) WaitCondition(name string) (*WaitCondition, bool) {
	for i := range s.WaitConditions {
		if s.WaitConditions[i].Name == name {
			return &s.WaitConditions[i], true
		}
	}
	return nil, false
}

// Tool finds a declared tool.
func (s *Scenario) Tool(name string) (*Tool, bool) {
	for i := range s.Tools {
		if s.Tools[i].Name == name {
			return &s.Tools[i], true
		}
	}
	return nil, false
}

// Find gives the text of a name.
func Find(pairs []Pair, name string) (string, bool) {
	for i := range pairs {
		if pairs[i].Name == name {
			return pairs[i].Text, true
		}
	}
	return "", false
}

// Parse reads a scenario. The findings are in file order; with an error among them the scenario is nil. A file without
// content is the empty scenario.
func Parse(src *diag.Source) (*Scenario, diag.List) {
	s := &Scenario{Source: src}
	r := yamldoc.NewReader()
	doc, findings := yamldoc.Parse(src, yamldoc.Options{Limits: limits})
	r.Findings = append(r.Findings, findings...)
	if doc.Root != nil {
		yamldoc.RefuseNUL(r, doc.Root)
		scenarioType().Read(r, doc.Root, s)
		check(r, s, doc.Root)
	}
	r.Findings.Sort()
	if r.Findings.Errors() > 0 {
		return nil, r.Findings
	}
	return s, r.Findings
}
