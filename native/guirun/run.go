package guirun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"asz/shared/diag"
	"asz/shared/gui"
)

// Options is what a run works with.
type Options struct {
	Scenario  ScenarioFile
	Dir       string    // of this attempt's report, made when it is missing
	Before    []Attempt // attempts before this one
	Operator  *Operator
	Secrets   *Secrets
	Clock     Clock
	Processes Processes
	Open      func(context.Context) (Desktop, error) // connects to the display
	Lookup    func(name string) (string, bool)       // the run's environment
	Home      string                                 // for ~/ in paths

	HTML func(w io.Writer, r *Report, dir string) error // writes report.html
	Live func(row *Row)                                 // told of a row when it begins (no status yet) and when it ends; may be nil
}

// run is one run as it goes.
type run struct {
	Options
	s       *gui.Scenario
	desk    Desktop
	report  *Report
	write   *evidence
	logs    *Logs
	began   time.Time
	window  string // the app's window and process, "" = unnamed
	process string

	launched    int           // process of launch.cmd, 0 = none
	launchEnd   <-chan Result // its end
	launchEnded *Result

	came bool // the app is, or was, there: from then on it must stay

	harness, appFailure, failure, unsettled string // the first reason for each verdict, in their order
	secretIn                                map[WindowID]bool
}

var errDeadline = errors.New("the run's time is over")

// Run plays a scenario. Whatever happens is in the report, which is written to o.Dir as it goes. What it returns and tells is,
// as what it writes, without secrets.
func Run(ctx context.Context, s *gui.Scenario, o Options) *Report {
	r := &run{Options: o, s: s, began: o.Clock.Now(), secretIn: map[WindowID]bool{}}
	r.report = &Report{Exit: ExitRuntime, Scenario: o.Scenario, Started: r.began.UTC(), Attempts: []Attempt{}, Rows: []Row{}}
	environment, _ := o.Lookup("KASM_RUNTIME_APP")
	if !s.Desktop {
		_, r.window, r.process = s.Names(environment)
	}
	r.report.App = App{Window: r.window, Process: r.process}
	write, err := newEvidence(r)
	if err != nil {
		r.fault("the report cannot be written: %v", err)
		r.skipRest()
		r.judge()
		return redacted(r.Secrets, r.report)
	}
	r.write = write
	r.play(ctx)
	r.judge()
	if err := r.write.finish(); err != nil {
		r.fault("the report cannot be written: %v", err)
		r.judge()
		_ = r.write.conclude() // what can still be written says so; the caller is told in any case
	}
	return redacted(r.Secrets, r.report)
}

// play goes through the phases. Everything before the final observation ends with the reserve.
func (r *run) play(ctx context.Context) {
	all, done := r.Clock.Limit(ctx, r.Operator.Deadline, errDeadline)
	defer done()
	work, stop := r.Clock.Limit(all, max(0, r.Operator.Deadline-r.Operator.Reserve), errDeadline)
	defer stop()
	defer r.skipRest()
	if !r.ready() || !r.connect(work) {
		return
	}
	defer func() {
		if err := r.desk.Close(); err != nil && r.harness == "" {
			r.fault("leaving the display: %v", err)
		}
	}()
	r.logs = BeginLogs(LogOptions{Patterns: r.Operator.Logs, Home: r.Home, Dir: r.Dir, Appended: r.s.Launch != nil, Secrets: r.Secrets})
	if r.launch(work) && r.settle(work) {
		r.steps(work)
	}
	r.skipRest()
	if ctx.Err() != nil {
		r.fault("the run was interrupted")
		return
	}
	r.final(all)
}

// ready says what the run would lack, before anything is launched.
func (r *run) ready() bool {
	switch {
	case r.s.GroundingAudit:
		r.fault("grounding_audit asks a model where controls are, and %s", r.noModel())
	case r.s.Goal.Set && len(r.s.Plan) == 0:
		r.fault("the goal needs a model, and %s, or give a plan", r.noModel())
	}
	return r.harness == ""
}

// noModel says why there is no model, and what to do.
func (r *run) noModel() string {
	if r.Operator.Model.Provider != "" {
		return "this version cannot ask the one that is set: use a later version"
	}
	return "no model is set: set model.provider in the operator file"
}

// connect opens the display.
func (r *run) connect(ctx context.Context) bool {
	desk, err := r.Open(ctx)
	switch f := asFault(ctx, err); {
	case err == nil:
	case ctx.Err() != nil:
		r.wrong("connecting to the display", f)
		return false
	default:
		r.fault("there is no display to work on: %v", err)
		return false
	}
	r.desk = desk
	return true
}

// fault notes why the runtime itself could not work; the first one stays.
func (r *run) fault(format string, args ...any) {
	r.harness = cmp.Or(r.harness, fmt.Sprintf(format, args...))
}

// appFailed notes what is wrong with the app itself.
func (r *run) appFailed(format string, args ...any) {
	r.appFailure = cmp.Or(r.appFailure, fmt.Sprintf(format, args...))
}

// failed notes what is not as the scenario says.
func (r *run) failed(format string, args ...any) {
	r.failure = cmp.Or(r.failure, fmt.Sprintf(format, args...))
}

// wrong notes how a row went that did not go well.
func (r *run) wrong(what string, f *Fault) {
	text := fmt.Sprintf("%s: %s", what, f.Message)
	switch {
	case f.Class == ClassDeadline:
		r.unsettled = cmp.Or(r.unsettled, text)
	case f.harness():
		r.fault("%s", text)
	default:
		r.failed("%s", text)
	}
}

// judge gives the verdict: the first that applies.
func (r *run) judge() {
	p := r.report
	switch {
	case r.harness != "":
		p.Verdict, p.Reason = RuntimeError, r.harness
	case r.appFailure != "":
		p.Verdict, p.Reason = AppFailed, r.appFailure
	case r.failure != "":
		p.Verdict, p.Reason = Failed, r.failure
	case r.unsettled != "":
		p.Verdict, p.Reason = Inconclusive, r.unsettled
	default:
		p.Verdict, p.Reason = Passed, r.success()
	}
	p.Reason = strings.ReplaceAll(p.Reason, "\n", "; ")
	p.Exit = ExitOf(p.Verdict)
	p.Finished = true
	p.DurationMS = r.Clock.Now().Sub(r.began).Milliseconds()
	p.Attempts = append(append([]Attempt{}, r.Before...), Attempt{p.Verdict, p.Reason, p.DurationMS, ReportFile})
	for _, a := range r.Before {
		p.Flaky = p.Flaky || p.Verdict == Passed && a.Verdict != Passed
	}
}

// success says what a passed run stands on.
func (r *run) success() string {
	steps, conditions := 0, 0
	for _, row := range r.report.Rows {
		if row.Phase == PhaseStep || row.Phase == PhasePlan {
			steps++
			for _, p := range row.Postconditions {
				if p.Holds != nil {
					conditions++
				}
			}
		}
	}
	text := "the app came up"
	switch {
	case steps > 0:
		text = fmt.Sprintf("%s done, %s held", plural(steps, "step"), plural(conditions, "postcondition"))
	case r.window == "" && r.process == "":
		text = "nothing was asked for"
	}
	if r.window != "" || r.process != "" {
		text += ", and it was there at the end"
		if steps > 0 {
			text = text[:len(text)-len(", and it was there at the end")] + ", and the app was there at the end"
		}
	}
	return text
}

func plural(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "s"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// place is a file:line.
func place(at diag.Span) string {
	if at.Source == nil {
		return ""
	}
	line, _ := at.Source.Position(at.Start)
	return fmt.Sprintf("%s:%d", at.Source.Name, line)
}
