// Package lab holds a lab as values: what labspace.yaml and simulator.yaml say,
// after reading and before playing, and the compiled form a browser loads.
package lab

// Lab is one lab.
type Lab struct {
	ID          string // the name of its folder
	Title       string
	Description string
	Version     string
	Terminals   []Terminal // at least one; the first is the default target
	Files       []File     // the files that stand at the start
	Sections    []Section
	Variables   []Variable
	Services    []Service
	CI          *CITab // nil: the lab shows no CI tab
	Catalog     Catalog
	Simulator   Simulator
}

// Terminal is one terminal tab.
type Terminal struct{ ID, Title, Icon string }

// File is one file with its full text.
type File struct{ Path, Text string }

// Section is one page of instructions.
type Section struct {
	ID      string
	Title   string
	Content string // path of its Markdown, relative to the lab; "" when it has none
	Steps   []Step
}

// Step is something a learner does, marked when a scenario completes it.
type Step struct{ ID, Title string }

// Variable is one $$name$$ of the instructions with its initial text.
type Variable struct{ Name, Text string }

// Service is a page shown in a tab.
type Service struct{ ID, Title, Icon, URL string }

// CITab is the tab that shows CI runs.
type CITab struct{ Title, Icon string }

// Catalog is what the list of labs shows of one.
type Catalog struct {
	Title, Description, Icon string
	Tags                     []string
	Minutes, Order           int
}

// Simulator is what simulator.yaml says.
type Simulator struct {
	Version   string
	Title     string // metadata.title
	State     Value  // a map; dotted keys are expanded
	Settings  Settings
	Defaults  Defaults
	Controls  []Control
	Workflows []Workflow
	Scenarios []Scenario // first match wins
}

// Settings are how output is presented; they never change what is printed.
type Settings struct {
	Streaming   bool
	StreamDelay int // ms before a line
	AgentThink  int // ms before an agent answers
	Pace        []Pace
}

// Pace is a named delay in milliseconds.
type Pace struct {
	Name string
	MS   int
}

// Defaults apply when nothing else does.
type Defaults struct {
	Unmatched      *Fallback
	UnmatchedAgent *Fallback
	Exit           int
}

// Fallback is what is shown for a line or prompt that no scenario takes.
type Fallback struct {
	Output, Stderr []Line
	Exit           *int
}

// Control is a switch for the learner that writes a state path.
type Control struct {
	ID, Label, Description string
	State                  string
	On, Off                Value
}

// Workflow is a CI pipeline of the catalog.
type Workflow struct {
	ID, Name, On string
	Steps        []WorkflowStep
}

// WorkflowStep is one step of a pipeline.
type WorkflowStep struct {
	ID, Name string
	Logs     []string
	Requires string // a state path that must be truthy; "" = always passes
	Failure  Failure
}

// Failure is what a step shows when its requirement is unmet.
type Failure struct {
	Logs  []string // nil: the step's own
	Error *string
}

// Scenario is one rule: when it matches, then its effects apply.
type Scenario struct {
	ID          string
	Description string
	Completes   string // a step id, or ""
	When        When
	Then        Effects
}

// When holds the conditions of a scenario; all that are present must hold.
type When struct {
	Command        []string // leading words; empty = every command
	Args           []Arg
	Agent          bool // matches agent prompts instead of commands
	Prompt         *string
	PromptContains []string
	Terminal       string
	State          []Guard
}

// Arg is a condition on a flag or a positional.
type Arg struct {
	Flag    string // name without leading dashes; "" = positional
	Pos     int    // index after the command path
	Matcher Matcher
}

// MatchKind says how a Matcher looks at a value.
type MatchKind uint8

// The matchers of simulator.md 6.2.
const (
	MatchEquals MatchKind = iota
	MatchPresent
	MatchAbsent
	MatchAny
	MatchOneOf
)

// ByValue reports whether the matcher looks at a flag's value, and so captures it.
func (k MatchKind) ByValue() bool { return k != MatchPresent && k != MatchAbsent }

// Matcher is a condition on one word.
type Matcher struct {
	Kind MatchKind
	Set  []string // the text of MatchEquals, the choices of MatchOneOf
}

// Guard is a condition on the state: the value at Path equals Want.
type Guard struct {
	Path string
	Want Value
}

// Effects is what a scenario does.
type Effects struct {
	Files   []FileOp
	State   []Delta
	Output  []Line
	Stderr  []Line
	Exit    *int
	MCP     []MCPCall
	Session *Session
	Input   *Input
	CI      *CITrigger
}

// FileVerb is the kind of a FileOp.
type FileVerb uint8

// The operations of simulator.md 7.1.
const (
	FileMkdir FileVerb = iota
	FileCreate
	FileAppend
	FileReplace
	FileDelete
	FileCopy
)

// String is the verb as the author writes it.
func (v FileVerb) String() string {
	return [...]string{"mkdir", "create", "append", "replace", "delete", "copy"}[v]
}

// FileOp changes the virtual files.
type FileOp struct {
	Verb FileVerb
	Path string
	Text string // create, append: content; replace: with; copy: to
	Find string // replace
}

// Delta changes the state: it sets Path, or appends to the list there.
type Delta struct {
	Path   string
	Append bool
	Value  Value
}

// Line is one entry of output: a text, a wait before it, or a wait alone.
type Line struct {
	Text  *string // nil: a pure pause
	Delay *Delay  // nil: the default pace
}

// Delay is a wait: a named pace, or milliseconds when Pace is "".
type Delay struct {
	Pace string
	MS   int
}

// MCPCall is a mocked tool call.
type MCPCall struct {
	Tool      string
	Arguments Value
	Result    string
}

// Session is an agent conversation that a command opens.
type Session struct {
	Prompt       string
	Intro, Outro []string
}

// Input asks the learner for one or more lines before Then applies.
type Input struct {
	Steps []InputStep
	Then  Effects
}

// InputStep asks for one line.
type InputStep struct {
	Key, Prompt string
	Mask        bool
}

// CITrigger starts a run of a workflow.
type CITrigger struct {
	Workflow   string
	Commit     *string
	Conclusion string // "success", "failure", or "" = derived from the state
	FailedStep string
	Steps      []StepOverride
	Error      *string
}

// StepOverride replaces parts of one workflow step in one run.
type StepOverride struct {
	ID   string
	Name *string
	Logs []string // nil: not replaced
}
