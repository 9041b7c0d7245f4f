package guirun

import (
	"context"
	"errors"
	"fmt"
	"time"

	"asz/shared/gui"
)

// begin adds a row and tells of it.
func (r *run) begin(phase, source, action string) *Row {
	r.report.Rows = append(r.report.Rows, Row{
		Index: len(r.report.Rows) + 1, Phase: phase, Source: source, Action: action, Started: r.Clock.Now().UTC(),
	})
	row := &r.report.Rows[len(r.report.Rows)-1]
	r.tell(row)
	return row
}

// end gives a row its status and time, and writes the report so far. A nil fault is a pass.
func (r *run) end(row *Row, f *Fault) {
	switch {
	case f == nil && row.Status == "":
		row.Status = StatusPassed
	case f == nil:
	case f.harness():
		row.Status = StatusError
	default:
		row.Status = StatusFailed
	}
	if f != nil {
		row.Error = &RowError{f.Class, f.Message}
		r.wrong(r.named(row), f)
	}
	row.DurationMS = inMilliseconds(r.Clock.Now().Sub(row.Started))
	r.report.DurationMS = r.Clock.Now().Sub(r.began).Milliseconds()
	r.write.settleHeld(row)
	r.tell(row)
	r.write.save()
}

func (r *run) tell(row *Row) {
	if r.Live != nil {
		r.Live(redacted(r.Secrets, row))
	}
}

// named is a row as the verdict's reason names it.
func (r *run) named(row *Row) string {
	if row.Phase == PhaseStep || row.Phase == PhasePlan {
		n := 0
		for i := range r.report.Rows {
			if other := &r.report.Rows[i]; other.Phase == row.Phase && other.Index <= row.Index {
				n++
			}
		}
		name := "step"
		if row.Phase == PhasePlan {
			name = "plan step"
		}
		return fmt.Sprintf("%s %d (%s, %s)", name, n, row.Source, r.brief(row.Action))
	}
	return r.brief(row.Action)
}

// brief is an action in a sentence, where a long text to type would hide what is said of it.
func (r *run) brief(action string) string {
	const most = 80
	action = r.Secrets.Text(action) // half a secret would not be found later
	if all := []rune(action); len(all) > most {
		return string(all[:most]) + "…"
	}
	return action
}

func inMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// skipRest adds a row for every entry of steps and plan that was not reached.
func (r *run) skipRest() {
	done := map[string]int{}
	for _, row := range r.report.Rows {
		done[row.Phase]++
	}
	for phase, list := range r.entries() {
		for i := range list {
			if i < done[phase] {
				continue
			}
			step := &list[i]
			r.report.Rows = append(r.report.Rows, Row{
				Index: len(r.report.Rows) + 1, Phase: phase, Source: place(step.At), Action: wording(step), Target: target(step), Status: StatusSkipped,
			})
			r.tell(&r.report.Rows[len(r.report.Rows)-1])
		}
	}
}

// entries are steps and plan, in this order.
func (r *run) entries() func(yield func(string, []gui.Step) bool) {
	return func(yield func(string, []gui.Step) bool) {
		if yield(PhaseStep, r.s.Steps) {
			yield(PhasePlan, r.s.Plan)
		}
	}
}

func wording(step *gui.Step) string {
	if step.Action != nil {
		return step.Action.String()
	}
	return `observe "` + step.Observe.Is + `"`
}

func target(step *gui.Step) string {
	switch step.Target.Kind {
	case gui.TargetWindow:
		return `window "` + step.Target.Window + `"`
	case gui.TargetBrowser:
		return "browser"
	}
	return ""
}

// asFault is why something could not be done. What ended with the run's time is of class deadline; whatever else ends its
// context, a signal for example, interrupts the run.
func asFault(ctx context.Context, err error) *Fault {
	var f *Fault
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f) && f.Class == ClassDisplay:
		return f
	case errors.Is(context.Cause(ctx), errDeadline):
		return Faultf(ClassDeadline, "the run's time was over before it was done")
	case ctx.Err() != nil:
		return Faultf(ClassHarness, "the run was interrupted")
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		return Faultf(ClassTimeout, "it took too long")
	}
	return Faultf(ClassHarness, "%v", err)
}

// until checks again and again until it holds or its bound is over: at every change of the display, and every so often. It
// says whether it held. The bound's end is no error, that of ctx is.
func (r *run) until(ctx context.Context, bound, every time.Duration, check func() (bool, error)) (bool, error) {
	end := r.Clock.Now().Add(bound)
	for {
		changed := r.desk.Changed()
		if ok, err := check(); ok || err != nil {
			return ok, err
		}
		left := end.Sub(r.Clock.Now())
		if left <= 0 {
			return false, nil
		}
		if err := r.Clock.Wait(ctx, min(left, every), changed); err != nil {
			return false, err
		}
	}
}

// How often is looked for what no event tells of.
const (
	pollFiles     = 50 * time.Millisecond
	pollProcesses = 100 * time.Millisecond
	pollWindows   = 250 * time.Millisecond
)
