package x11

import (
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// window waits for a window that has a text in its title or class.
func (k *desk) window(d *Display, text string) guirun.Window {
	k.t.Helper()
	var found guirun.Window
	k.until("the window "+text, func() bool {
		all, err := d.Windows(k.ctx)
		if err != nil {
			k.t.Fatal(err)
		}
		for _, w := range all {
			if w.Has(text) {
				found = w
			}
		}
		return found.ID != 0
	})
	return found
}

// client makes a window with a title at a place, as a program of another connection.
func (k *desk) client(d *Display, title string, at image.Rectangle, more func(xproto.Window)) xproto.Window {
	k.t.Helper()
	id, err := xproto.NewWindowId(d.conn)
	if err != nil {
		k.t.Fatal(err)
	}
	xproto.CreateWindow(d.conn, 0, id, d.root, int16(at.Min.X), int16(at.Min.Y), uint16(at.Dx()), uint16(at.Dy()), 0, xproto.WindowClassInputOutput, 0,
		xproto.CwEventMask, []uint32{xproto.EventMaskButtonPress | xproto.EventMaskStructureNotify})
	xproto.ChangeProperty(d.conn, xproto.PropModeReplace, id, d.atoms.netWMName, d.atoms.utf8String, 8, uint32(len(title)), []byte(title))
	const position = 1 << 2 // of WM_NORMAL_HINTS: the place is meant
	hints := make([]byte, 72)
	hints[0] = position
	xproto.ChangeProperty(d.conn, xproto.PropModeReplace, id, xproto.AtomWmNormalHints, xproto.AtomWmSizeHints, 32, 18, hints)
	if more != nil {
		more(id)
	}
	xproto.MapWindow(d.conn, id)
	if err := d.sync(k.ctx); err != nil {
		k.t.Fatal(err)
	}
	return id
}

func class(t *testing.T, err error) string {
	t.Helper()
	var f *guirun.Fault
	if !errors.As(err, &f) {
		t.Fatalf("%v is no fault", err)
	}
	return f.Class
}

func TestWindowsOfPrograms(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d := k.open(Options{})
	k.start("xterm", "-T", "Grüße 你好") // it has no _NET_WM_NAME
	k.start("zenity", "--error", "--text", "it broke", "--title", "A problem")
	xterm, zenity := k.window(d, "grüße"), k.window(d, "a problem")
	if xterm.Title != "Grüße \uFFFD\uFFFD" || xterm.Class != "xterm XTerm" || xterm.PID == 0 || xterm.Dialog || xterm.Minimised {
		t.Errorf("xterm: %+v", xterm)
	}
	if !zenity.Dialog || zenity.PID == 0 || !strings.EqualFold(zenity.Class, "zenity zenity") {
		t.Errorf("zenity: %+v", zenity)
	}
	file := k.file("note.txt", "")
	for _, c := range []struct{ program, title, class string }{
		{"mousepad " + file, "note.txt - Mousepad", "mousepad Mousepad"},
		{"gnome-calculator", "Calculator", "gnome-calculator gnome-calculator"},
		{"featherpad --standalone " + file, "note.txt", "featherpad FeatherPad"},
	} {
		k.start("sh", "-c", "exec "+c.program)
		w := k.window(d, c.class)
		k.until(c.title, func() bool { w = k.window(d, c.class); return strings.HasSuffix(w.Title, c.title) })
		if w.PID == 0 || w.Dialog || w.Minimised || w.Class != c.class || w.Area.Empty() || !w.Area.In(w.Frame) {
			t.Errorf("%s: %+v", c.program, w)
		}
	}
	if xterm.Area.Dx() < 100 || xterm.Frame.Dy() <= xterm.Area.Dy() || !xterm.Area.In(xterm.Frame) {
		t.Errorf("xterm's area %v, with decorations %v", xterm.Area, xterm.Frame)
	}
}

// Whatever happens to windows, what is known of them is what a new connection reads.
func TestWindowsKnown(t *testing.T) {
	t.Parallel()
	for _, manager := range []string{"openbox", ""} {
		k := newDesk(t, manager)
		d, other := k.open(Options{}), k.connect()
		t.Cleanup(other.leave)
		random := rand.New(rand.NewPCG(7, 1))
		var mine []xproto.Window
		name := func(w xproto.Window, of xproto.Atom) {
			title := fmt.Sprint("title ", random.IntN(1000))
			xproto.ChangeProperty(other.conn, xproto.PropModeReplace, w, of, other.atoms.utf8String, 8, uint32(len(title)), []byte(title))
		}
		for range 60 {
			for len(mine) < 3 {
				mine = append(mine, k.client(other, "new", image.Rect(10, 10, 110, 110), nil))
			}
			i := random.IntN(len(mine))
			w := mine[i]
			switch random.IntN(9) {
			case 0:
				name(w, other.atoms.netWMName)
			case 1:
				xproto.DeleteProperty(other.conn, w, other.atoms.netWMName)
				name(w, xproto.AtomWmName)
			case 2:
				class := fmt.Sprintf("a%d\x00B\x00", random.IntN(1000))
				xproto.ChangeProperty(other.conn, xproto.PropModeReplace, w, xproto.AtomWmClass, xproto.AtomString, 8, uint32(len(class)), []byte(class))
			case 3:
				xproto.ConfigureWindow(other.conn, w, xproto.ConfigWindowX|xproto.ConfigWindowY, []uint32{uint32(random.IntN(900)), uint32(random.IntN(600))})
			case 4:
				xproto.ConfigureWindow(other.conn, w, xproto.ConfigWindowWidth|xproto.ConfigWindowHeight, []uint32{uint32(50 + random.IntN(300)), uint32(50 + random.IntN(200))})
			case 5:
				xproto.UnmapWindow(other.conn, w)
			case 6:
				xproto.MapWindow(other.conn, w)
			case 7:
				if manager != "" {
					other.minimise(w)
				} else {
					xproto.SetInputFocus(other.conn, xproto.InputFocusParent, w, 0)
				}
			case 8:
				xproto.DestroyWindow(other.conn, w)
				mine = slices.Delete(mine, i, i+1)
			}
			if err := other.sync(k.ctx); err != nil {
				t.Fatal(err)
			}
			if random.IntN(2) == 0 { // else several things happen at once
				continue
			}
			var known, read []guirun.Window
			same := func() bool {
				fresh := k.connect()
				defer fresh.leave()
				fresh.input.ext = d.input.ext
				var err, e error
				read, e = fresh.Windows(k.ctx)
				known, err = d.Windows(k.ctx)
				if err != nil || e != nil {
					t.Fatal(err, e)
				}
				return reflect.DeepEqual(known, read)
			}
			began := time.Now()
			k.until("the same windows", func() bool { return same() || time.Since(began) > 5*time.Second }) // a manager takes its time
			if !reflect.DeepEqual(known, read) {
				t.Fatalf("%q: known %+v\nread %+v", manager, known, read)
			}
		}
	}
}

func (d *Display) minimise(w xproto.Window) {
	d.send(d.root, xproto.EventMaskSubstructureNotify|xproto.EventMaskSubstructureRedirect,
		xproto.ClientMessageEvent{Format: 32, Window: w, Type: d.atoms.wmChangeState, Data: xproto.ClientMessageDataUnionData32New([]uint32{iconicState, 0, 0, 0, 0})})
}

// Windows that go while they are listed are left out.
func TestWindowsVanish(t *testing.T) {
	t.Parallel()
	for _, manager := range []string{"openbox", ""} {
		k := newDesk(t, manager)
		d, other := k.open(Options{}), k.connect()
		t.Cleanup(other.leave)
		stays := k.client(other, "stays", image.Rect(0, 0, 50, 50), nil)
		k.window(d, "stays")
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
					xproto.DestroyWindow(other.conn, k.client(other, "goes", image.Rect(0, 0, 50, 50), nil))
				}
			}
		}()
		for range 300 {
			all, err := d.Windows(k.ctx)
			if err != nil || !slices.ContainsFunc(all, func(w guirun.Window) bool { return w.ID == guirun.WindowID(stays) && w.Title == "stays" }) {
				t.Fatalf("%q: %v, %+v", manager, err, all)
			}
			for _, w := range all {
				if w.Title == "" {
					t.Fatalf("%q: half a window: %+v", manager, w)
				}
			}
		}
		close(stop)
		<-stopped
	}
}

// However many windows there are, they cost few round trips.
func TestWindowsRoundTrips(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d, other := k.open(Options{}), k.connect()
	t.Cleanup(other.leave)
	for i := range 20 {
		k.client(other, fmt.Sprint("window ", i), image.Rect(i, i, i+100, i+100), nil)
	}
	sent := 0
	d.wire.mu.Lock()
	d.wire.flushed = func() { sent++ }
	d.wire.mu.Unlock()
	count := func(what string, most int) {
		t.Helper()
		d.wire.mu.Lock()
		sent = 0
		d.wire.mu.Unlock()
		if all, err := d.Windows(k.ctx); err != nil || len(all) != 20 {
			t.Fatal(len(all), err)
		}
		d.wire.mu.Lock()
		defer d.wire.mu.Unlock()
		if sent > most {
			t.Errorf("%s: %d pieces were sent, at most %d should be", what, sent, most)
		}
	}
	count("at first", 8)
	count("unchanged", 2)
}

func TestOldText(t *testing.T) {
	t.Parallel()
	d := &Display{atoms: atoms{utf8String: 300}}
	for _, c := range []struct{ raw, want string }{
		{"plain", "plain"},
		{"Gr\xfc\xdfe", "Grüße"},
		{"a\x1b$(B\x46\x7c\x1b(Bb", "a\uFFFDb"},
		{"\x1b%G你好\x1b%@ \xe9", "你好 é"},
		{"\x1b-A\xe9\x1b", "é"},
		{"\x1b", ""},
		{"\x1b$(B\x46", "\uFFFD"},
	} {
		if got := d.oldText(&xproto.GetPropertyReply{Format: 8, Value: []byte(c.raw)}); got != c.want {
			t.Errorf("%q: got %q, want %q", c.raw, got, c.want)
		}
	}
	if got := d.oldText(&xproto.GetPropertyReply{Format: 8, Type: 300, Value: []byte("你")}); got != "你" {
		t.Errorf("UTF-8: %q", got)
	}
}

func TestActivate(t *testing.T) {
	t.Parallel()
	for _, manager := range []string{"openbox", ""} {
		k := newDesk(t, manager)
		d, other := k.open(Options{}), k.connect()
		t.Cleanup(other.leave)
		one := guirun.WindowID(k.client(other, "one", image.Rect(50, 50, 250, 250), nil))
		two := guirun.WindowID(k.client(other, "two", image.Rect(60, 60, 260, 260), nil))
		k.window(d, "one")
		k.window(d, "two")
		for _, w := range []guirun.WindowID{one, two, one} {
			if err := d.Activate(k.ctx, w); err != nil {
				t.Fatalf("%q: %v", manager, err)
			}
			if focus, err := d.Focus(k.ctx); err != nil || focus.ID != w || !focus.Active {
				t.Errorf("%q: the focus is at %+v, %v", manager, focus, err)
			}
		}
		if manager != "" { // minimise, and bring back
			other.minimise(xproto.Window(one))
			k.until("one is minimised", func() bool { return k.window(d, "one").Minimised })
			if err := d.Activate(k.ctx, one); err != nil {
				t.Fatal(err)
			}
			if w := k.window(d, "one"); w.Minimised || !w.Active {
				t.Errorf("after it was restored: %+v", w)
			}
		}
		xproto.DestroyWindow(other.conn, xproto.Window(one))
		if err := other.sync(k.ctx); err != nil {
			t.Fatal(err)
		}
		if err := d.Activate(k.ctx, one); class(t, err) != guirun.ClassAbsent {
			t.Errorf("%q: a window that is gone: %v", manager, err)
		}
	}
}

func TestChanged(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d, other := k.open(Options{}), k.connect()
	t.Cleanup(other.leave)
	changed := d.Changed()
	id := k.client(other, "one", image.Rect(0, 0, 100, 100), nil)
	if err := d.await(k.ctx, changed); err != nil {
		t.Fatal(err)
	}
	k.window(d, "one")
	changed = d.Changed()
	title := "renamed"
	xproto.ChangeProperty(other.conn, xproto.PropModeReplace, id, other.atoms.netWMName, other.atoms.utf8String, 8, uint32(len(title)), []byte(title))
	if err := d.await(k.ctx, changed); err != nil {
		t.Fatal("a title that changes is not told: ", err)
	}
}

// BenchmarkWindows lists 20 windows.
func BenchmarkWindows(b *testing.B) {
	for _, manager := range []string{"openbox", ""} {
		b.Run("manager="+manager, func(b *testing.B) {
			k := newDesk(b, manager)
			d, other := k.open(Options{}), k.connect()
			b.Cleanup(other.leave)
			for i := range 20 {
				k.client(other, fmt.Sprintf("window %02d", i), image.Rect(i, i, i+100, i+100), nil)
			}
			k.window(d, "window 19")
			b.ResetTimer()
			for b.Loop() {
				if all, err := d.Windows(k.ctx); err != nil || len(all) != 20 {
					b.Fatal(len(all), err)
				}
			}
		})
	}
}
