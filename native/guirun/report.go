package guirun

import "time"

// Verdicts, as the report says them; the first that applies in this order.
const (
	RuntimeError = "runtime-error"
	AppFailed    = "app-failed"
	Failed       = "failed"
	Inconclusive = "inconclusive"
	Passed       = "passed"
)

// Report is the evidence of one run, or of one attempt of it: report.json. Its schema is `asz schema report`.
type Report struct {
	Scenario   ScenarioFile `json:"scenario"`
	Verdict    string       `json:"verdict"` // "" until finished
	Reason     string       `json:"reason"`  // one sentence
	Exit       int          `json:"exit"`
	Finished   bool         `json:"finished"` // false: the run was killed, or still goes on
	Flaky      bool         `json:"flaky"`
	Attempts   []Attempt    `json:"attempts"` // every attempt, the last one is this report's
	NotJudged  int          `json:"not_judged"`
	Started    time.Time    `json:"started"`
	DurationMS int64        `json:"duration_ms"`
	App        App          `json:"app"`
	Rows       []Row        `json:"rows"`
	Final      *Final       `json:"final"` // null until the final observation
}

// ScenarioFile says what was played.
type ScenarioFile struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Attempt is how one attempt ended, and where its own report is, relative to the scenario's folder.
type Attempt struct {
	Verdict    string `json:"verdict"`
	Reason     string `json:"reason"`
	DurationMS int64  `json:"duration_ms"`
	Report     string `json:"report"`
}

// App names what was sought as the app under test; "" where nothing was.
type App struct {
	Window  string `json:"window"`
	Process string `json:"process"`
}

// Phases and statuses of rows.
const (
	PhaseLaunch = "launch"
	PhaseSettle = "settle"
	PhaseStep   = "step"
	PhasePlan   = "plan"
	PhaseLoop   = "loop"
	PhaseFinal  = "final"

	StatusPassed    = "passed"
	StatusFailed    = "failed"
	StatusSkipped   = "skipped"
	StatusNotJudged = "not-judged"
	StatusError     = "error" // the harness failed, not the app
)

// Row is one thing that was done or judged.
type Row struct {
	Index          int             `json:"index"` // from 1, over all rows
	Phase          string          `json:"phase"`
	Source         string          `json:"source"` // file:line
	Action         string          `json:"action"` // as written; "observe …" for an observation
	Target         string          `json:"target,omitempty"`
	Rung           string          `json:"rung,omitempty"`
	Resolved       string          `json:"resolved,omitempty"` // what it came down to: window, coordinates, object path
	Status         string          `json:"status"`
	Error          *RowError       `json:"error,omitempty"`
	Started        time.Time       `json:"started"` // zero when skipped
	DurationMS     float64         `json:"duration_ms"`
	Postconditions []Postcondition `json:"postconditions,omitempty"`
	Screenshots    Screenshots     `json:"screenshots"`
	Click          *Click          `json:"click,omitempty"` // where the screenshots' click mark goes
	Model          *ModelUse       `json:"model,omitempty"`
	Result         *RowResult      `json:"result,omitempty"`
	Notes          []string        `json:"notes,omitempty"` // derived, unsettled, …
}

// RowError is why a row is not passed.
type RowError struct {
	Class   string `json:"class"`
	Message string `json:"message"`
}

// Postcondition is what became of one entry of post, of expect_state, or of expect.
type Postcondition struct {
	Kind      string  `json:"kind"`
	Want      string  `json:"want"`
	Holds     *bool   `json:"holds"` // null: not judged
	ElapsedMS float64 `json:"elapsed_ms"`
	Last      string  `json:"last"` // the last value seen
}

// Screenshots name pictures in the scenario's folder; "" where none was taken.
type Screenshots struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Click is a place in pixels of the screen.
type Click struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// ModelUse counts what a row cost.
type ModelUse struct {
	Calls  int `json:"calls"`
	Tokens int `json:"tokens"`
}

// RowResult is what an action gave.
type RowResult struct {
	Exit        *int   `json:"exit,omitempty"`
	Output      string `json:"output,omitempty"`
	CutBytes    int64  `json:"cut_bytes,omitempty"`
	PIDs        []int  `json:"pids,omitempty"`
	URL         string `json:"url,omitempty"`
	Match       string `json:"match,omitempty"`
	ValueLength *int   `json:"value_length,omitempty"`
	Window      string `json:"window,omitempty"`
}

// Final is what was there at the end.
type Final struct {
	Windows   []FinalWindow `json:"windows"`
	Processes []string      `json:"processes"`
	Dialogs   []string      `json:"dialogs"`
	Logs      []LogFile     `json:"logs"`
	Shot      string        `json:"screenshot,omitempty"`
}

// FinalWindow is a window at the end.
type FinalWindow struct {
	Title     string `json:"title"`
	Class     string `json:"class"`
	Active    bool   `json:"active"`
	Minimised bool   `json:"minimised"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Width     int    `json:"width"`
	Height    int    `json:"height"`
}

// LogFile is a collected log: its copy in the scenario's folder, its end, and the lines that log_fatal found.
type LogFile struct {
	Path  string   `json:"path"`
	Copy  string   `json:"copy"`
	Bytes int64    `json:"bytes"`
	Tail  string   `json:"tail"`
	Fatal []string `json:"fatal,omitempty"`
	Note  string   `json:"note,omitempty"` // what of it could not be collected, and why
}
