package x11

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// presses counts the button presses that a window's program gets, and remembers the last.
func (k *desk) presses(other *Display) (count func() int, last func() xproto.ButtonPressEvent) {
	events := make(chan xproto.ButtonPressEvent, 1000)
	other.listen(func(e xgb.Event) {
		if p, ok := e.(xproto.ButtonPressEvent); ok {
			events <- p
		}
	})
	n := 0
	var kept xproto.ButtonPressEvent
	count = func() int {
		if err := other.sync(k.ctx); err != nil {
			k.t.Fatal(err)
		}
		for {
			select {
			case kept = <-events:
				n++
			default:
				return n
			}
		}
	}
	return count, func() xproto.ButtonPressEvent { return kept }
}

func TestClick(t *testing.T) {
	t.Parallel()
	for _, manager := range []string{"openbox", ""} {
		k := newDesk(t, manager)
		d, other := k.open(Options{}), k.connect()
		t.Cleanup(other.leave)
		count, last := k.presses(other)
		one := k.client(other, "one", image.Rect(100, 100, 301, 201), nil)
		two := k.client(other, "two", image.Rect(100, 100, 400, 400), nil) // in front of it
		k.window(d, "one")
		k.window(d, "two")
		for _, c := range []struct {
			w      xproto.Window
			fx, fy float64
			x, y   int16
		}{{one, 0.5, 0.5, 100, 50}, {two, 0, 0, 0, 0}, {one, 1, 1, 200, 100}, {two, 0.5, 1, 150, 299}} {
			before := count()
			at, err := d.ClickAt(k.ctx, guirun.WindowID(c.w), c.fx, c.fy)
			if err != nil {
				t.Fatalf("%q: %v", manager, err)
			}
			n := before
			k.until("the press", func() bool { n = count(); return n > before }) // a manager may hold it back first
			if n != before+1 || last().Event != c.w || last().EventX != c.x || last().EventY != c.y {
				t.Errorf("%q: %v/%v: %d presses, the last %+v, want %d, %d in %d", manager, c.fx, c.fy, n-before, last(), c.x, c.y, c.w)
			}
			if at != image.Pt(int(last().RootX), int(last().RootY)) {
				t.Errorf("%q: said %v, was %d, %d", manager, at, last().RootX, last().RootY)
			}
		}
		if r := k.record(d); !r.empty() {
			t.Errorf("%q: the record says that something is down: %+v", manager, r)
		}
	}
}

// record is what the display's record of a connection says.
func (k *desk) record(d *Display) record {
	k.t.Helper()
	v, err := d.askNumbers(k.ctx, d.root, d.input.slot)
	if err != nil {
		k.t.Fatal(err)
	}
	r, ok := decodeRecord(v)
	if !ok {
		k.t.Fatalf("the record cannot be read: %v", v)
	}
	return r
}

func TestClickFails(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d, other := k.open(Options{}), k.connect()
	t.Cleanup(other.leave)
	count, last := k.presses(other)
	off := k.client(other, "partly off", image.Rect(-100, 100, 100, 200), nil)
	if _, err := d.ClickAt(k.ctx, guirun.WindowID(off), 0.25, 0.5); class(t, err) != guirun.ClassOffScreen {
		t.Errorf("off the screen: %v", err)
	}
	if _, err := d.ClickAt(k.ctx, guirun.WindowID(off), 0.75, 0.5); err != nil || count() != 1 {
		t.Errorf("its part on the screen: %v, %d presses", err, count())
	}

	app := k.client(other, "app", image.Rect(200, 200, 400, 400), nil)
	foreign := k.connect()
	t.Cleanup(foreign.leave)
	// Nobody but us raises windows here.
	k.client(foreign, "", image.Rect(250, 250, 350, 350), func(w xproto.Window) {
		xproto.ChangeWindowAttributes(foreign.conn, w, xproto.CwOverrideRedirect, []uint32{1})
	})
	if _, err := d.ClickAt(k.ctx, guirun.WindowID(app), 0.5, 0.5); err != nil || count() != 2 || last().Event != app {
		t.Errorf("behind another program: %v, %+v", err, last())
	}
	menu := k.client(other, "", image.Rect(210, 210, 240, 240), func(w xproto.Window) {
		xproto.ChangeWindowAttributes(other.conn, w, xproto.CwOverrideRedirect, []uint32{1})
	})
	xproto.ConfigureWindow(other.conn, menu, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
	if err := d.ClickPoint(k.ctx, guirun.WindowID(app), image.Pt(220, 220)); err != nil || count() != 3 || last().Event != menu {
		t.Errorf("a menu of the program's own: %v", err)
	}
	gone, cancel := context.WithCancel(k.ctx)
	cancel()
	if _, err := d.ClickAt(gone, guirun.WindowID(app), 0.1, 0.1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Under a window manager: partly off the screen, behind others, minimised, with a frame.
func TestClickManaged(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d, other, foreign := k.open(Options{}), k.connect(), k.connect()
	t.Cleanup(other.leave)
	t.Cleanup(foreign.leave)
	count, last := k.presses(other)
	hit := func(what string, w xproto.Window, fx, fy float64, x, y int16) {
		t.Helper()
		before := count()
		if _, err := d.ClickAt(k.ctx, guirun.WindowID(w), fx, fy); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		k.until("the press", func() bool { return count() > before })
		if n := count() - before; n != 1 || last().Event != w || last().EventX != x || last().EventY != y {
			t.Errorf("%s: %d presses, the last %+v", what, n, last())
		}
	}
	app := k.client(other, "app", image.Rect(100, 100, 300, 300), nil)
	k.window(d, "app")
	k.client(foreign, "another program", image.Rect(50, 50, 600, 600), nil)
	k.window(d, "another program")
	hit("behind another", app, 0.5, 0.25, 100, 50)
	other.minimise(app)
	k.until("it is minimised", func() bool { return k.window(d, "app").Minimised })
	hit("minimised", app, 0.25, 0.5, 50, 100)
	xproto.ConfigureWindow(other.conn, app, xproto.ConfigWindowX|xproto.ConfigWindowY, []uint32{uint32(0xFFFFFFFF - 99), 150})
	if err := other.sync(k.ctx); err != nil {
		t.Fatal(err)
	}
	k.until("it is partly off the screen", func() bool { return k.window(d, "app").Area.Min.X == -99 })
	hit("the part on the screen", app, 0.75, 0.5, 150, 100)
	if _, err := d.ClickAt(k.ctx, guirun.WindowID(app), 0.25, 0.5); class(t, err) != guirun.ClassOffScreen || !strings.Contains(err.Error(), "-49, ") {
		t.Errorf("the part off the screen: %v", err)
	}
	w := k.window(d, "app")
	if err := d.ClickPoint(k.ctx, w.ID, image.Pt(50, w.Frame.Min.Y+3)); class(t, err) != guirun.ClassCovered || !strings.Contains(err.Error(), "frame") {
		t.Errorf("on the frame: %v", err)
	}
	inside := image.Pt(20, w.Area.Min.Y+7)
	before := count()
	if err := d.ClickPoint(k.ctx, w.ID, inside); err != nil {
		t.Error(err)
	}
	k.until("the press", func() bool { return count() > before })
	if last().RootX != 20 || last().EventY != 7 {
		t.Errorf("at %v: %+v", inside, last())
	}
	if err := d.ClickPoint(k.ctx, w.ID, image.Pt(900, 700)); class(t, err) != guirun.ClassCovered || !strings.Contains(err.Error(), "desktop") {
		t.Errorf("beside it: %v", err)
	}

	popup := k.client(foreign, "a foreign popup", image.Rect(0, 0, 640, 640), func(w xproto.Window) {
		xproto.ChangeWindowAttributes(foreign.conn, w, xproto.CwOverrideRedirect, []uint32{1})
	})
	if err := d.ClickPoint(k.ctx, w.ID, inside); class(t, err) != guirun.ClassCovered || !strings.Contains(err.Error(), `the window "a foreign popup"`) {
		t.Errorf("under a popup: %v", err)
	}
	xproto.DestroyWindow(foreign.conn, popup)
	if err := foreign.sync(k.ctx); err != nil {
		t.Fatal(err)
	}

	modal := k.client(other, "Really?", image.Rect(300, 300, 400, 400), func(w xproto.Window) {
		put := func(name xproto.Atom, kind xproto.Atom, value uint32) {
			b := make([]byte, 4)
			putNumber(b, value)
			xproto.ChangeProperty(other.conn, xproto.PropModeReplace, w, name, kind, 32, 1, b)
		}
		put(xproto.AtomWmTransientFor, xproto.AtomWindow, uint32(app))
		put(other.atoms.netWMState, xproto.AtomAtom, uint32(other.atoms.netWMStateModal))
		put(other.atoms.netWMWindowType, xproto.AtomAtom, uint32(other.atoms.netWMWindowTypeDialog))
	})
	if w := k.window(d, "really?"); !w.Dialog || w.For != guirun.WindowID(app) {
		t.Errorf("the dialog: %+v", w)
	}
	hit("the dialog", modal, 0.5, 0.5, 50, 50)
	soon, cancel := context.WithTimeout(k.ctx, 300*time.Millisecond)
	defer cancel()
	before = count()
	if _, err := d.ClickAt(soon, guirun.WindowID(app), 0.75, 0.1); class(t, err) != guirun.ClassFocus || !strings.Contains(err.Error(), `"Really?" has it, a dialog`) {
		t.Errorf("a window with a modal dialog: %v", err)
	}
	if n := count(); n != before {
		t.Errorf("%d presses", n-before)
	}
}

// A window that takes no focus is raised and clicked.
func TestClickWithoutFocus(t *testing.T) {
	t.Parallel()
	for _, manager := range []string{"openbox", ""} {
		k := newDesk(t, manager)
		d, other := k.open(Options{}), k.connect()
		t.Cleanup(other.leave)
		count, last := k.presses(other)
		w := k.client(other, "clock", image.Rect(100, 100, 200, 200), func(w xproto.Window) {
			hints := make([]byte, 36)
			hints[0] = 1 // what it says of input, which is nothing
			xproto.ChangeProperty(other.conn, xproto.PropModeReplace, w, xproto.AtomWmHints, xproto.AtomWmHints, 32, 9, hints)
		})
		k.client(other, "above", image.Rect(100, 100, 300, 300), nil)
		k.window(d, "clock")
		k.window(d, "above")
		if _, err := d.ClickAt(k.ctx, guirun.WindowID(w), 0.5, 0.5); err != nil {
			t.Fatalf("%q: %v", manager, err)
		}
		k.until("the press", func() bool { return count() > 0 })
		if last().Event != w {
			t.Errorf("%q: %+v", manager, last())
		}
	}
}

// The window of a real program with its own decorations is hit where it is said to be.
func TestClickProgram(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d := k.open(Options{})
	out := k.file("out.txt", "")
	k.start("sh", "-c", "zenity --question --text 'Well?' --title Ask --ok-label Yes --cancel-label No; echo $? > out.txt")
	w := k.window(d, "Ask")
	k.focused(d, "Ask")
	// The buttons are at the bottom, the one for yes to the right.
	if _, err := d.ClickAt(k.ctx, w.ID, 0.75, (float64(w.Area.Dy())-20)/float64(w.Area.Dy())); err != nil {
		t.Fatal(err)
	}
	k.until("the answer", func() bool { return read(t, out) != "" })
	if got := read(t, out); got != "0\n" {
		t.Errorf("the answer was %q", got)
	}
}

// A window that moves all the time is hit each time, where it is at that moment.
func TestClickMoving(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d, other, mover := k.open(Options{}), k.connect(), k.connect()
	t.Cleanup(other.leave)
	t.Cleanup(mover.leave)
	count, last := k.presses(other)
	w := k.client(other, "moving", image.Rect(0, 0, 40, 30), nil)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := uint32(0); ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			xproto.ConfigureWindow(mover.conn, w, xproto.ConfigWindowX|xproto.ConfigWindowY, []uint32{i * 37 % 1200, i * 53 % 700})
			if i%16 == 0 && mover.sync(k.ctx) != nil {
				return
			}
		}
	}()
	const clicks = 100
	for range clicks {
		if _, err := d.ClickAt(k.ctx, guirun.WindowID(w), 0.5, 0.5); err != nil {
			t.Fatal(err)
		}
		count()
		if last().EventX != 20 || last().EventY != 15 {
			t.Fatalf("hit at %d, %d of the window", last().EventX, last().EventY)
		}
	}
	close(stop)
	<-stopped
	if n := count(); n != clicks {
		t.Errorf("%d of %d clicks arrived", n, clicks)
	}
}

func BenchmarkFindAndClick(b *testing.B) {
	k := newDesk(b, "openbox")
	d := k.open(Options{})
	k.start("xterm", "-T", "target")
	k.start("xterm", "-T", "other")
	k.window(d, "other")
	w := k.window(d, "target")
	if err := d.Activate(k.ctx, w.ID); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		all, err := d.Windows(k.ctx)
		if err != nil {
			b.Fatal(err)
		}
		for _, w := range all {
			if w.Has("target") {
				if _, err := d.ClickAt(k.ctx, w.ID, 0.5, 0.5); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
