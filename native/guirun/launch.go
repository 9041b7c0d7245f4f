package guirun

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// launch runs the command and waits for the window and the process of the app.
func (r *run) launch(ctx context.Context) bool {
	if r.s.Launch == nil && r.window == "" && r.process == "" {
		r.came = true
		return true
	}
	source, action := r.Scenario.File, "wait for "+r.wanted()
	if l := r.s.Launch; l != nil {
		source, action = place(l.At), "launch "+l.Cmd
	}
	row := r.begin(PhaseLaunch, source, action)
	f := r.comeUp(ctx, row)
	row.Screenshots.After = r.picture(ctx)
	r.endLaunch(row, f)
	r.came = f == nil
	return r.came
}

// endLaunch is end for what is to blame on the app.
func (r *run) endLaunch(row *Row, f *Fault) {
	if f != nil && f.Class != ClassDeadline && !f.harness() {
		r.appFailed("%s", f.Message)
	}
	r.end(row, f)
}

func (r *run) wanted() string {
	var parts []string
	if r.window != "" {
		parts = append(parts, fmt.Sprintf("the window %q", r.window))
	}
	if r.process != "" {
		parts = append(parts, fmt.Sprintf("the process %q", r.process))
	}
	return strings.Join(parts, " and ")
}

func (r *run) comeUp(ctx context.Context, row *Row) *Fault {
	if l := r.s.Launch; l != nil {
		var env []string
		for _, pair := range l.Env {
			env = append(env, pair.Name+"="+pair.Text)
		}
		pid, end, err := r.Processes.Start(Command{Line: l.Cmd, Env: env})
		if err != nil {
			return Faultf(ClassHarness, "the app could not be launched: %v", err)
		}
		r.launched, r.launchEnd = pid, end
		row.Result = &RowResult{PIDs: []int{pid}}
	}
	if r.window == "" && r.process == "" {
		return nil
	}
	var window, process bool
	var windows []Window
	came, err := r.until(ctx, r.s.LaunchTimeout, pollProcesses, func() (bool, error) {
		var err error
		if windows, err = r.desk.Windows(ctx); err != nil {
			return false, err
		}
		window = r.window == "" || r.appWindow(windows) != nil
		all, err := r.processes()
		if err != nil {
			return false, err
		}
		process = r.process == "" || len(matching(all, r.process)) > 0
		if f := r.errorDialog(windows, all); f != nil {
			return false, f
		}
		if end := r.launchResult(); end != nil && (r.window == "" || !window) && (r.process == "" || !process) {
			if f := ended(*end, "the app was not there yet, and its command"); f != nil {
				return false, f
			}
		}
		return window && process, nil
	})
	if err != nil {
		return asFault(ctx, err)
	}
	if !came {
		missing := []string{}
		if !window {
			missing = append(missing, fmt.Sprintf("no window %q", r.window))
		}
		if !process {
			missing = append(missing, fmt.Sprintf("no process %q", r.process))
		}
		said := ""
		if r.s.Launch == nil {
			said = "; the scenario has no `launch`, so that it waits for what others start"
		}
		if other := r.otherCase(); !process && other != "" {
			said += fmt.Sprintf("; the case of letters counts, and there was the process %q", other)
		}
		if end := r.launchResult(); end != nil {
			said += fmt.Sprintf("; its command ended with status %d%s", end.Exit, tailOf(end.Output))
		}
		return Faultf(ClassTimeout, "%s came within %s; there were %s%s", strings.Join(missing, " and "), seconded(r.s.LaunchTimeout), titles(windows), said)
	}
	if w := r.appWindow(windows); w != nil {
		row.Resolved = w.label()
	}
	return nil
}

// otherCase is the command line of a process that would be the app's if the case of letters did not count.
func (r *run) otherCase() string {
	all, err := r.Processes.List()
	if err != nil || r.process == "" {
		return ""
	}
	for _, p := range all {
		if strings.Contains(strings.ToLower(p.Command), strings.ToLower(r.process)) {
			return r.brief(p.Command)
		}
	}
	return ""
}

// launchResult is how the launched command ended, nil while it runs.
func (r *run) launchResult() *Result {
	if r.launchEnded == nil && r.launchEnd != nil {
		select {
		case end := <-r.launchEnd:
			r.launchEnded = &end
		default:
		}
	}
	return r.launchEnded
}

func tailOf(output string) string {
	const most = 500 // bytes, as it is part of a sentence
	if output = strings.TrimSpace(output); output == "" {
		return ""
	}
	if output = lastLines(output, 5); len(output) > most {
		output = output[len(output)-most:]
		output = "…" + output[wholeStart([]byte(output)):]
	}
	return "; it said: " + strings.ReplaceAll(output, "\n", " / ")
}

func lastLines(text string, n int) string {
	list := strings.Split(text, "\n")
	return strings.Join(list[max(0, len(list)-n):], "\n")
}

// appWindow is the window of the app among those there are, nil when it is not there or unnamed.
func (r *run) appWindow(windows []Window) *Window {
	if r.window == "" {
		return nil
	}
	return pick(windows, r.window)
}

// pick is the window that has a text in its title or class: of several the active one, else the newest.
func pick(windows []Window, text string) *Window {
	var found *Window
	for i := range windows {
		if w := &windows[i]; w.Has(text) && (found == nil || !found.Active) {
			found = w
		}
	}
	return found
}

// label is how a window is named in reports.
func (w *Window) label() string {
	name := w.Title
	if name == "" {
		name = w.Class
	}
	return fmt.Sprintf("window %q", name)
}

// titles lists windows for a message.
func titles(windows []Window) string {
	if len(windows) == 0 {
		return "no windows"
	}
	var list []string
	for i, w := range windows {
		if i == 8 {
			list = append(list, fmt.Sprintf("%d more", len(windows)-i))
			break
		}
		list = append(list, w.label())
	}
	return strings.Join(list, ", ")
}

// processes are those within the run's reach.
func (r *run) processes() ([]Process, error) {
	all, err := r.Processes.List()
	if err != nil {
		return nil, Faultf(ClassHarness, "the processes cannot be listed: %v", err)
	}
	return all, nil
}

// matching are the processes whose command line contains a text.
func matching(all []Process, text string) []Process {
	var out []Process
	for _, p := range all {
		if strings.Contains(p.Command, text) {
			out = append(out, p)
		}
	}
	return out
}

// settle waits in full, but for an error dialog, which ends it.
func (r *run) settle(ctx context.Context) bool {
	if r.s.Settle == 0 {
		return true
	}
	row := r.begin(PhaseSettle, r.Scenario.File, "settle "+seconded(r.s.Settle))
	_, err := r.until(ctx, r.s.Settle, pollWindows, func() (bool, error) {
		if r.s.Desktop {
			return false, nil
		}
		windows, err := r.desk.Windows(ctx)
		if err != nil {
			return false, err
		}
		all, err := r.processes()
		if err != nil {
			return false, err
		}
		if f := r.errorDialog(windows, all); f != nil {
			return false, f
		}
		return false, nil
	})
	row.Screenshots.After = r.picture(ctx)
	f := asFault(ctx, err)
	r.endLaunch(row, f)
	return f == nil
}

func seconded(d time.Duration) string { return fmt.Sprintf("%gs", d.Seconds()) }

// steps plays steps and plan.
func (r *run) steps(ctx context.Context) {
	for i := range r.s.Steps {
		if !r.step(ctx, PhaseStep, &r.s.Steps[i]) {
			return
		}
	}
	for i := range r.s.Plan {
		if !r.step(ctx, PhasePlan, &r.s.Plan[i]) {
			if r.failure != "" {
				r.failure += "; the goal could take over from there, but " + r.noModel()
			}
			return
		}
	}
}
