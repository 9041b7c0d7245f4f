package guirun

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"asz/shared/gui"
)

// killGrace is how long what is told to end may take before it is killed.
const killGrace = 5 * time.Second

// act does the action of a step.
func (r *run) act(ctx context.Context, row *Row, s *gui.Step, d *deed) *Fault {
	a := s.Action
	switch {
	case a.Kind.CDP():
		return Faultf(ClassUnavailable, "%s needs a browser, which this version cannot drive yet", a.Kind.Word())
	case a.Kind == gui.ClickElement:
		return Faultf(ClassUnavailable, "click_element needs the accessibility bus, which this version does not use yet")
	case a.Kind == gui.ClickGrounded:
		return Faultf(ClassNoModel, "click_grounded asks a model where to click, and %s", r.noModel())
	}
	switch a.Kind {
	case gui.Key:
		return r.typing(ctx, row, s, "", func(ctx context.Context) error { return r.desk.Press(ctx, chord(a.Chord)) })
	case gui.Type:
		text, err := a.Text.Expand(r.Lookup)
		if err != nil {
			return Faultf(ClassUnset, "%v", err)
		}
		return r.typing(ctx, row, s, text, func(ctx context.Context) error { return r.desk.Type(ctx, text) })
	case gui.ClickCenter:
		return r.click(ctx, row, s, 0.5, 0.5)
	case gui.ClickAt:
		return r.click(ctx, row, s, a.X, a.Y)
	case gui.ClickDeclared:
		t, ok := r.s.ClickTarget(a.Arg)
		if !ok {
			return Faultf(ClassAbsent, "click_targets has no %q", a.Arg)
		}
		return r.click(ctx, row, s, t.X, t.Y)
	}
	// The others need no window, but a target is activated all the same.
	if s.Target.Kind == gui.TargetWindow {
		if _, f := r.activate(ctx, row, s); f != nil {
			return f
		}
	}
	switch a.Kind {
	case gui.Wait:
		return asFault(ctx, r.Clock.Wait(ctx, a.Seconds, nil))
	case gui.WaitWhile:
		c, ok := r.s.WaitCondition(a.Arg)
		if !ok {
			return Faultf(ClassAbsent, "wait_conditions has no %q", a.Arg)
		}
		return r.waitWhile(ctx, row, c)
	case gui.Shell:
		return r.shell(ctx, row, a.Arg)
	case gui.Spawn:
		pid, end, err := r.Processes.Start(Command{Line: a.Arg})
		if err != nil {
			return Faultf(ClassHarness, "%q could not be started: %v", a.Arg, err)
		}
		row.Result = &RowResult{PIDs: []int{pid}}
		d.spawned, d.spawnedLine = end, a.Arg
		return d.ended()
	case gui.Kill:
		return r.kill(ctx, row, a)
	}
	return Faultf(ClassUnavailable, "%s cannot be done by this version", a.Kind.Word())
}

// find waits for the window that an action is for. Without a target that is the app's, and where none is named the active one.
func (r *run) find(ctx context.Context, s *gui.Step) (*Window, *Fault) {
	text := r.window
	if s.Target.Kind == gui.TargetWindow {
		text = s.Target.Window
	}
	var found *Window
	var windows []Window
	came, err := r.until(ctx, r.Operator.ActionTimeout, pollWindows, func() (bool, error) {
		var err error
		if windows, err = r.desk.Windows(ctx); err != nil {
			return false, err
		}
		if text != "" {
			found = pick(windows, text)
			return found != nil, nil
		}
		for i := range windows {
			if windows[i].Active {
				found = &windows[i]
			}
		}
		return found != nil, nil
	})
	switch {
	case err != nil:
		return nil, asFault(ctx, err)
	case !came && text == "":
		return nil, Faultf(ClassAbsent, "no window is active, and none is named: give the action a target; there were %s", titles(windows))
	case !came:
		return nil, Faultf(ClassAbsent, "no window has %q in its title or class; there were %s", text, titles(windows))
	}
	return found, nil
}

// activate finds and activates the window of an action.
func (r *run) activate(ctx context.Context, row *Row, s *gui.Step) (*Window, *Fault) {
	w, f := r.find(ctx, s)
	if f != nil {
		return nil, f
	}
	row.Resolved = w.label()
	if err := r.bounded(ctx, func(ctx context.Context) error { return r.desk.Activate(ctx, w.ID) }); err != nil {
		return nil, asFault(ctx, err)
	}
	return w, nil
}

// bounded gives what an action does of the display a time of its own.
func (r *run) bounded(ctx context.Context, do func(context.Context) error) error {
	within, stop := r.Clock.Limit(ctx, r.Operator.ActionTimeout, errTooLong)
	defer stop()
	err := do(within)
	var f *Fault
	if err != nil && ctx.Err() == nil && within.Err() != nil && !errors.As(err, &f) {
		return Faultf(ClassTimeout, "it was not done within %s: %v", r.Operator.ActionTimeout, err)
	}
	return err
}

var errTooLong = fmt.Errorf("the action took too long")

// click clicks a place in the window, given in fractions of its size.
func (r *run) click(ctx context.Context, row *Row, s *gui.Step, fx, fy float64) *Fault {
	w, f := r.find(ctx, s)
	if f != nil {
		return f
	}
	var at image.Point
	err := r.bounded(ctx, func(ctx context.Context) (err error) {
		at, err = r.desk.ClickAt(ctx, w.ID, fx, fy)
		return err
	})
	row.Resolved = w.label()
	if err != nil {
		return asFault(ctx, err)
	}
	row.Click = &Click{at.X, at.Y}
	row.Resolved = fmt.Sprintf("%d, %d in %s", at.X, at.Y, w.label())
	return nil
}

// typing sends keys to the target, or to the window that has the focus.
func (r *run) typing(ctx context.Context, row *Row, s *gui.Step, text string, send func(context.Context) error) *Fault {
	if s.Target.Kind == gui.TargetWindow {
		if _, f := r.activate(ctx, row, s); f != nil {
			return f
		}
	}
	var focus Window // one that has just come up gets it a little later
	focused, err := r.until(ctx, r.Operator.ActionTimeout, pollWindows, func() (bool, error) {
		var err error
		focus, err = r.desk.Focus(ctx)
		return focus.ID != 0, err
	})
	if err != nil {
		return asFault(ctx, err)
	}
	if !focused {
		return Faultf(ClassFocus, "no window has the focus, so the keys would go nowhere: click into a window first, or give the action a target")
	}
	row.Resolved = focus.label()
	row.Result = &RowResult{Window: focus.Title}
	secret := r.Secrets.Holds(text)
	if secret {
		r.secretIn[focus.ID] = true
	}
	// A long text may take longer than other actions.
	most := r.Operator.ActionTimeout + time.Duration(len(text))*(r.Operator.KeyDelay+10*time.Millisecond)
	within, stop := r.Clock.Limit(ctx, most, errTooLong)
	defer stop()
	err = send(within)
	if err != nil && secret { // a part of it may have gone to the window that took the focus
		r.maskFocus(ctx)
	}
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return Faultf(ClassTimeout, "the window did not take the keys within %s", most)
	}
	return asFault(ctx, err)
}

// chord is a chord as the desktop takes it.
func chord(c gui.Chord) Chord {
	var out Chord
	for _, m := range []struct {
		bit  gui.Modifiers
		name string
	}{{gui.Ctrl, "ctrl"}, {gui.Alt, "alt"}, {gui.Shift, "shift"}, {gui.Super, "super"}} {
		if c.Modifiers&m.bit != 0 {
			out.Modifiers = append(out.Modifiers, m.name)
		}
	}
	out.Key = string(c.Rune)
	if c.Key != gui.NoKey {
		out.Key = c.Key.String()
	}
	return out
}

// shell runs a declared command to its end.
func (r *run) shell(ctx context.Context, row *Row, name string) *Fault {
	line, ok := gui.Find(r.s.Shell, name)
	if !ok {
		return Faultf(ClassAbsent, "shell has no %q", name)
	}
	res, err := r.Processes.Run(ctx, Command{Line: line, Limit: r.Operator.ShellOutput}, r.Operator.ShellTimeout)
	row.Result = &RowResult{Exit: &res.Exit, Output: res.Output, CutBytes: res.Cut}
	if err != nil {
		row.Result.Exit = nil
		return asFault(ctx, err)
	}
	return ended(res, fmt.Sprintf("the command %q", name))
}

// ended is why a command that came to its end failed, nil when it did not.
func ended(res Result, what string) *Fault {
	switch res.Exit {
	case 0:
		return nil
	case 126, 127:
		return Faultf(ClassMissingCommand, "%s could not be run (status %d)%s", what, res.Exit, tailOf(res.Output))
	}
	return Faultf(ClassNonzeroExit, "%s ended with status %d%s", what, res.Exit, tailOf(res.Output))
}

// ended is why the spawned command failed, nil when it runs or ended well.
func (d *deed) ended() *Fault {
	if d.spawned != nil && d.refused == nil {
		select {
		case res := <-d.spawned:
			d.spawned = nil
			d.refused = ended(res, fmt.Sprintf("%q", d.spawnedLine))
		default:
		}
	}
	return d.refused
}

// kill ends the processes whose command line matches.
func (r *run) kill(ctx context.Context, row *Row, a *gui.Action) *Fault {
	all, err := r.processes()
	if err != nil {
		return asFault(ctx, err)
	}
	var hit []Process
	var names []string
	row.Result = &RowResult{}
	for _, p := range all {
		if a.Pattern.MatchString(p.Command) {
			hit = append(hit, p)
			names = append(names, p.Command)
			row.Result.PIDs = append(row.Result.PIDs, p.PID)
		}
	}
	if len(hit) == 0 {
		return Faultf(ClassAbsent, "no process has a command line that matches %q", a.Arg)
	}
	row.Resolved = strings.Join(names, "; ")
	return asFault(ctx, r.Processes.Stop(ctx, hit, killGrace))
}
