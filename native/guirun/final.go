package guirun

import (
	"context"
	"fmt"
	"strings"
)

// final observes what is there at the end and judges it.
func (r *run) final(ctx context.Context) {
	row := r.begin(PhaseFinal, r.Scenario.File, "observe the end")
	f := &Final{Windows: []FinalWindow{}, Processes: []string{}, Dialogs: []string{}, Logs: []LogFile{}}
	r.report.Final = f
	fault := r.look(ctx, f)
	row.Screenshots.After = r.picture(ctx)
	f.Shot = row.Screenshots.After
	f.Logs = append(f.Logs, r.logs.End(ctx, r.s.Checks.LogFatal)...)
	for _, log := range f.Logs {
		if len(log.Fatal) > 0 {
			r.failed("the log %s has a line that log_fatal names: %s", log.Path, log.Fatal[0])
			if fault == nil {
				row.Status = StatusFailed
				row.Error = &RowError{ClassPostcondition, "a log has a line that log_fatal names: " + log.Fatal[0]}
			}
			break
		}
	}
	if fault != nil && fault.Class == ClassAbsent {
		r.appFailed("%s", fault.Message)
	}
	r.end(row, fault)
}

// look fills in what is there, and says what of the app is missing or wrong.
func (r *run) look(ctx context.Context, f *Final) *Fault {
	windows, err := r.desk.Windows(ctx)
	if err != nil {
		return asFault(ctx, err)
	}
	for _, w := range windows {
		f.Windows = append(f.Windows, FinalWindow{
			Title: w.Title, Class: w.Class, Active: w.Active, Minimised: w.Minimised,
			X: w.Area.Min.X, Y: w.Area.Min.Y, Width: w.Area.Dx(), Height: w.Area.Dy(),
		})
	}
	all, err := r.processes()
	if err != nil {
		return asFault(ctx, err)
	}
	for _, p := range all {
		f.Processes = append(f.Processes, fmt.Sprintf("%d %s", p.PID, p.Command))
	}
	if dialogs := r.errorDialogs(windows, all); len(dialogs) > 0 {
		f.Dialogs = dialogs
	}
	switch {
	case len(f.Dialogs) > 0:
		return Faultf(ClassAbsent, "an error dialog was up at the end: %s", strings.Join(f.Dialogs, "; "))
	case !r.came: // which the launch's row tells
	case r.window != "" && r.appWindow(windows) == nil:
		return Faultf(ClassAbsent, "the app's window %q was gone at the end; there were %s; a scenario that ends its app on purpose says `desktop: true`", r.window, titles(windows))
	case r.process != "" && len(matching(all, r.process)) == 0:
		return Faultf(ClassAbsent, "the app's process %q was gone at the end; a scenario that ends its app on purpose says `desktop: true`", r.process)
	}
	return nil
}
