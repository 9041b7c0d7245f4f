package x11

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// bare is a display without a manager, a run on it, and a window with the focus.
func bare(t *testing.T, o Options) (*desk, *Display, *window) {
	k := newDesk(t, "")
	own := k.connect()
	t.Cleanup(own.leave)
	if err := own.askExtensions(k.ctx); err != nil {
		t.Fatal(err)
	}
	w := k.focusedWindow(own)
	return k, k.open(o), w
}

func wantFault(t *testing.T, err error, class string, parts ...string) {
	t.Helper()
	var f *guirun.Fault
	if !errors.As(err, &f) || f.Class != class {
		t.Fatalf("got %v, want a fault of class %s", err, class)
	}
	for _, part := range parts {
		if !strings.Contains(f.Message, part) {
			t.Errorf("%q does not say %q", f.Message, part)
		}
	}
}

func TestTypeRefuses(t *testing.T) {
	t.Parallel()
	k, d, w := bare(t, Options{})
	wantFault(t, d.Type(k.ctx, "abc\x07"), guirun.ClassKey, "U+0007", "nothing was typed")
	wantFault(t, d.Type(k.ctx, "abc\xff"), guirun.ClassKey, "UTF-8", "nothing was typed")
	wantFault(t, d.Press(k.ctx, chord("ctrl+nokey")), guirun.ClassKey, `"nokey"`)
	wantFault(t, d.Press(k.ctx, chord("hyper+a")), guirun.ClassKey, `"hyper"`)
	wantFault(t, d.Press(k.ctx, guirun.Chord{Key: "e\u0301"}), guirun.ClassKey, "one printable character")
	if keys := k.take(w); len(keys) != 0 {
		t.Errorf("keys were pressed: %v", keys)
	}
	xproto.SetInputFocus(w.d.conn, 0, xproto.InputFocusNone, 0)
	if err := w.d.sync(k.ctx); err != nil {
		t.Fatal(err)
	}
	wantFault(t, d.Type(k.ctx, "a"), guirun.ClassFocus, "no window has the focus", "target")
	wantFault(t, d.Press(k.ctx, chord("a")), guirun.ClassFocus, "no window has the focus")
	w.focus()
	k.take(w)
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	if err := d.Type(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Each name presses the key that gives its symbol, with the modifiers and nothing else.
func TestPressNames(t *testing.T) {
	t.Parallel()
	k, d, w := bare(t, Options{})
	l, err := d.askLive(k.ctx, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		chord string
		sym   keysym
		state uint16
	}{
		{"return", 0xff0d, 0}, {"enter", 0xff0d, 0}, {"tab", 0xff09, 0}, {"escape", 0xff1b, 0}, {"esc", 0xff1b, 0},
		{"space", ' ', 0}, {"backspace", 0xff08, 0}, {"delete", 0xffff, 0}, {"del", 0xffff, 0}, {"insert", 0xff63, 0},
		{"home", 0xff50, 0}, {"end", 0xff57, 0}, {"pageup", 0xff55, 0}, {"prior", 0xff55, 0}, {"pagedown", 0xff56, 0},
		{"next", 0xff56, 0}, {"left", 0xff51, 0}, {"right", 0xff53, 0}, {"up", 0xff52, 0}, {"down", 0xff54, 0},
		{"minus", '-', 0}, {"plus", '+', 1}, {"equal", '=', 0}, {"comma", ',', 0}, {"period", '.', 0}, {"slash", '/', 0},
		{"f1", 0xffbe, 0}, {"f9", 0xffc6, 0}, {"f10", 0xffc7, 0}, {"f12", 0xffc9, 0},
		{"ctrl+s", 's', 4}, {"control+s", 's', 4}, {"alt+f4", 0xffc1, 8}, {"meta+x", 'x', 8}, {"shift+tab", 0xfe20, 1},
		{"super+a", 'a', 64}, {"win+a", 'a', 64}, {"cmd+a", 'a', 64}, {"ctrl+S", 'S', 5}, {"ctrl+shift+s", 'S', 5},
		{"ctrl+alt+shift+super+f5", 0xffc2, 77}, {"ctrl+ctrl+a", 'a', 4}, {"?", '?', 1}, {"ctrl++", '+', 5},
	} {
		press := chord(c.chord)
		if c.chord == "ctrl++" {
			press = guirun.Chord{Modifiers: []string{"ctrl"}, Key: "+"}
		}
		if err := d.Press(k.ctx, press); err != nil {
			t.Fatal(c.chord, err)
		}
		keys := k.take(w)
		if len(keys) == 0 {
			t.Fatalf("%s: no key", c.chord)
		}
		last := keys[len(keys)-1]
		got := l.keys.sym(int(last.code), 0, byte(last.state)&shiftMask)
		if got != c.sym || last.state != c.state {
			t.Errorf("%s: symbol %x with %d, want %x with %d", c.chord, got, last.state, c.sym, c.state)
		}
	}
	if l, err = d.askLive(k.ctx, false); err != nil || len(l.down) > 0 {
		t.Errorf("keys are down: %v %v", l.down, err)
	}
}

// Keys that another program left down, and repeat, are released first; it is said.
func TestHeldKeys(t *testing.T) {
	t.Parallel()
	var notes []string
	k, d, w := bare(t, Options{Note: func(s string) { notes = append(notes, s) }})
	w.d.fakeInput(keyPress, 38, 0, 0)
	w.d.fakeInput(keyPress, 37, 0, 0) // Control
	k.take(w)
	k.typeText(d, "aB")
	keys := k.take(w)
	keys = slices.DeleteFunc(keys, func(s struck) bool { return s.code == 50 })
	if want := []struck{{38, 0}, {56, 1}}; !slices.Equal(keys, want) {
		t.Errorf("got %v, want %v", keys, want)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "2 keys had been left down") {
		t.Errorf("notes: %q", notes)
	}
}

// The map is read anew each time.
func TestLayoutChanges(t *testing.T) {
	t.Parallel()
	k, d, w := bare(t, Options{})
	code := func() byte {
		k.typeText(d, "a")
		keys := k.take(w)
		return keys[len(keys)-1].code
	}
	first := code()
	k.command("setxkbmap", "-display", k.display, "-layout", "fr")
	if second := code(); first != 38 || second != 24 {
		t.Errorf("a is key %d, on fr %d", first, second)
	}
	// In the middle of a text, between two batches.
	w.mu.Lock()
	pings := 0
	w.before = func() {
		if pings++; pings == 2 {
			k.command("setxkbmap", "-display", k.display, "-layout", "us,ru")
		}
	}
	w.mu.Unlock()
	k.typeText(d, "你好世界日本語한글αβγδλΩ😀🚀🎉→√∞שלוםمرحب Привет")
	after := k.keyboard(d)
	k.command("setxkbmap", "-display", k.display, "-layout", "us,ru")
	if want := k.keyboard(d); after != want {
		t.Error("the map is not as it was set: ", differ(want, after))
	}
	if pings != 4 { // a batch: after lending, after typing
		t.Errorf("%d pings, want those of 2 batches: the keys of Привет are on the new map", pings)
	}
}

// A focus that moves is a fault that says how much was typed; the rest is not typed into the wrong window.
func TestFocusMoves(t *testing.T) {
	t.Parallel()
	k, d, w := bare(t, Options{})
	other := k.focusedWindow(w.d)
	w.focus()
	k.take(w)
	w.mu.Lock()
	w.before = func() { other.focus() }
	w.mu.Unlock()
	text := strings.Repeat("x", chunk+50)
	wantFault(t, d.Type(k.ctx, text), guirun.ClassFocus, "the focus moved", "128 of 178")
	if n := len(k.take(w)); n != chunk {
		t.Errorf("%d keys arrived, want %d", n, chunk)
	}
	if n := len(k.take(other)); n != 0 {
		t.Errorf("%d keys went astray", n)
	}

	// After the last character it may go wherever it wants.
	w.focus()
	k.take(w)
	k.typeText(d, "x\n")

	// Back again before anyone looks: still, keys were lost in between.
	slow := k.open(Options{KeyDelay: time.Millisecond})
	w.focus()
	k.take(w)
	w.mu.Lock()
	w.before = nil
	w.onKey = func(n int) {
		if n == 5 {
			go func() { other.focus(); w.focus() }()
		}
	}
	w.mu.Unlock()
	wantFault(t, slow.Type(k.ctx, strings.Repeat("x", 500)), guirun.ClassFocus, "back to it again", "of 500")
}

// Runs on one display do not disturb each other's records, and each finds a slot until all are taken.
func TestSlots(t *testing.T) {
	t.Parallel()
	k, first, w := bare(t, Options{})
	first.input.turn.Lock()
	first.input.lent.keys = nil
	first.cover([]byte{40})
	first.fakeInput(keyPress, 40, 0, 0)
	if err := first.sync(k.ctx); err != nil {
		t.Fatal(err)
	}
	first.input.turn.Unlock()
	var all []*Display
	for range slots - 1 {
		all = append(all, k.open(Options{}))
	}
	_, err := Open(k.ctx, k.display, Options{})
	wantFault(t, err, guirun.ClassDisplay, "16 runs", "another display")
	if l, err := all[0].askLive(k.ctx, false); err != nil || !slices.Equal(l.down, []byte{40}) {
		t.Errorf("a living run's key: %v %v", l.down, err)
	}
	all[3].Close()
	again := k.open(Options{})
	if again.input.slot != all[3].input.slot {
		t.Error("another slot than the one that became free")
	}
	first.leave() // as if killed
	again.Close()
	k.open(Options{})
	if l, err := all[0].askLive(k.ctx, false); err != nil || len(l.down) != 0 {
		t.Errorf("a dead run's key: %v %v", l.down, err)
	}
	k.take(w)
}

// A display that goes ends everything with ErrGone.
func TestGone(t *testing.T) {
	t.Parallel()
	k, d, w := bare(t, Options{})
	w.mu.Lock()
	w.before = func() { xproto.KillClient(w.d.conn, uint32(d.own)) }
	w.mu.Unlock()
	for _, err := range []error{d.Type(k.ctx, "a"), d.Type(k.ctx, "a"), d.Press(k.ctx, chord("a")), d.Close()} {
		if !errors.Is(err, guirun.ErrGone) {
			t.Errorf("got %v", err)
		}
	}
	<-d.Gone()
	_, err := Open(k.ctx, ":99999", Options{})
	wantFault(t, err, guirun.ClassDisplay, ":99999", "is an X server running")
	_, err = Open(k.ctx, "nonsense", Options{})
	wantFault(t, err, guirun.ClassDisplay, "nonsense")
}

// The runtime may lose its connection and live on: the guardian puts back all the same.
func TestConnectionKilled(t *testing.T) {
	t.Parallel()
	k, d, w := bare(t, Options{Guard: GuardCommand()})
	l, err := w.d.askLive(k.ctx, false)
	if err != nil {
		t.Fatal(err)
	}
	spare := byte(9)
	for !l.keys.empty(int(spare)) {
		spare++
	}
	w.d.remap([]remapped{{spare, 'z'}}) // somebody's since: it stays
	before := k.keyboard(w.d)
	d.wire.together(func() {
		d.input.lent.remaps = []remapped{{8, unicodeSym('你')}, {spare, unicodeSym('好')}}
		d.cover([]byte{40})
		d.remap(d.input.lent.remaps[:1])
		d.fakeInput(keyPress, 40, 0, 0)
		xproto.KillClient(d.conn, uint32(d.own))
	})
	<-d.Gone()
	k.until("the repair", func() bool { return k.keyboard(w.d) == before })
}

// A program that says it answers pings, and does not, is not waited for once it sleeps.
func TestLiar(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d := k.open(Options{})
	out := k.file("out.txt", "")
	k.start("xterm", "-u8", "-T", "typed", "-e", "cat > out.txt")
	k.focused(d, "typed")
	k.command("xprop", "-name", "typed", "-f", "WM_PROTOCOLS", "32a", "-set", "WM_PROTOCOLS", "WM_DELETE_WINDOW, _NET_WM_PING")
	k.typeText(d, "é你\n")
	k.until("the line", func() bool { return read(t, out) == "é你\n" })
}
