package x11

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// Activate implements guirun.Desktop. A window that takes no focus, as it says itself, is raised.
func (d *Display) Activate(ctx context.Context, id guirun.WindowID) error {
	raised, err := d.activate(ctx, xproto.Window(id))
	if raised && errors.Is(err, context.DeadlineExceeded) {
		return d.refused(ctx, xproto.Window(id))
	}
	return err
}

func (d *Display) activate(ctx context.Context, w xproto.Window) (raised bool, err error) {
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	for {
		changed := d.Changed()
		active, m, err := d.isActive(ctx, w, raised)
		if err != nil || active {
			return raised, err
		}
		if !raised {
			d.raise(w, m.lives)
			raised = true
			if err := d.sync(ctx); err != nil {
				return raised, err
			}
			continue
		}
		select {
		case <-changed:
		case <-poll.C:
		case <-d.events.gone:
			return raised, guirun.ErrGone
		case <-ctx.Done():
			return raised, ctx.Err()
		}
	}
}

// isActive says whether a window is shown and has the focus; once it was raised, being shown is enough for one that
// takes no focus.
func (d *Display) isActive(ctx context.Context, w xproto.Window, raised bool) (active bool, m *manager, err error) {
	attributes := xproto.GetWindowAttributes(d.conn, w)
	if m, err = d.askManager(ctx); err != nil {
		return false, nil, err
	}
	a, err := ask(ctx, d, attributes.Reply)
	if err != nil || a.MapState != xproto.MapStateViewable {
		return false, m, err
	}
	if raised {
		takes, err := d.takesFocus(ctx, w)
		if err != nil || !takes {
			return !takes, m, err
		}
	}
	if m.lives && m.active != w {
		return false, m, nil
	}
	top, err := d.focusedTop(ctx, m.focus)
	return top == w, m, err
}

// takesFocus is what a window's hints say.
func (d *Display) takesFocus(ctx context.Context, w xproto.Window) (bool, error) {
	hints, protocols := d.property(w, xproto.AtomWmHints), d.property(w, d.atoms.wmProtocols)
	h, err := ask(ctx, d, hints.Reply)
	if err != nil {
		return false, err
	}
	p, err := ask(ctx, d, protocols.Reply)
	if err != nil {
		return false, err
	}
	const inputHint = 1
	v := numbers(h)
	refuses := len(v) > 1 && v[0]&inputHint != 0 && v[1] == 0
	return !refuses || slices.Contains(numbers(p), uint32(d.atoms.wmTakeFocus)), nil
}

// raise asks the window manager to activate a window; without one it is done here.
func (d *Display) raise(w xproto.Window, lives bool) {
	d.wire.together(func() {
		if lives {
			const pager = 2 // a user asks, not the program
			d.send(d.root, xproto.EventMaskSubstructureNotify|xproto.EventMaskSubstructureRedirect,
				xproto.ClientMessageEvent{Format: 32, Window: w, Type: d.atoms.netActiveWindow,
					Data: xproto.ClientMessageDataUnionData32New([]uint32{pager, 0, 0, 0, 0})})
			return
		}
		xproto.MapWindow(d.conn, w)
		xproto.ConfigureWindow(d.conn, w, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
		xproto.SetInputFocus(d.conn, xproto.InputFocusParent, w, xproto.TimeCurrentTime)
	})
}

// refused says that a window did not get the focus in time, and what has it.
func (d *Display) refused(ctx context.Context, w xproto.Window) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	holder := "no window has it"
	if f, err := d.Focus(ctx); err == nil && f.ID != 0 {
		holder = fmt.Sprintf("%s has it", named(&f))
		if xproto.Window(f.For) == w {
			holder += ", a dialog that the window waits for: answer it first"
		}
	}
	return guirun.Faultf(guirun.ClassFocus, "the window did not get the focus when it was activated; %s", holder)
}

// named is a window for a person.
func named(w *guirun.Window) string {
	switch {
	case w.Title != "":
		return fmt.Sprintf("the window %q", w.Title)
	case w.Class != "":
		return fmt.Sprintf("a window of the class %q", w.Class)
	}
	name := fmt.Sprintf("the window 0x%x, which has no name", uint32(w.ID))
	if command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", w.PID)); err == nil && len(command) > 0 {
		name += fmt.Sprintf(" and is of %q", strings.TrimRight(strings.ReplaceAll(string(command[:min(len(command), 200)]), "\x00", " "), " "))
	}
	return name
}
