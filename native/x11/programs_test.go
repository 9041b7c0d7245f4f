package x11

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

func chord(s string) guirun.Chord {
	parts := strings.Split(s, "+")
	return guirun.Chord{Modifiers: parts[:len(parts)-1], Key: parts[len(parts)-1]}
}

func (k *desk) typeText(d *Display, text string) {
	k.t.Helper()
	if err := d.Type(k.ctx, text); err != nil {
		k.t.Fatal(err)
	}
}

func (k *desk) press(d *Display, keys string) {
	k.t.Helper()
	if err := d.Press(k.ctx, chord(keys)); err != nil {
		k.t.Fatal(err)
	}
}

const mixed = "Hello, Wörld! «été» 你好 😀 e\u0301 שלום مرحبا 👩\u200d🚀 Привет ½€ {}[]@#~^`|\\ 日本語 żółć"

func TestMousepad(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d := k.open(Options{})
	file := k.file("note.txt", "")
	k.start("mousepad", file)
	k.focused(d, "note.txt")
	k.typeText(d, mixed+"\n\tEnd.")
	k.press(d, "ctrl+s")
	want := mixed + "\n\tEnd."
	k.until("the file", func() bool { return len(read(t, file)) > 0 })
	if got := read(t, file); got != want && got != want+"\n" {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// mapOf is the whole keyboard description, as another program reads it.
func (k *desk) mapOf() string { return k.command("xkbcomp", "-w0", k.display, "-") }

func TestFeatherpad(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d := k.open(Options{})
	before := k.mapOf()
	file := k.file("note.txt", "")
	k.start("featherpad", "--standalone", file)
	k.focused(d, "note.txt")
	k.typeText(d, mixed)
	k.press(d, "ctrl+s")
	k.until("the file", func() bool { return len(read(t, file)) > 0 })
	if got := strings.TrimSuffix(read(t, file), "\n"); got != mixed {
		t.Errorf("got  %q\nwant %q", got, mixed)
	}
	if after := k.mapOf(); after != before {
		t.Error("the keyboard map is not as before")
	}
}

// xterm answers no pings, and cat writes what it was given.
func TestXterm(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d := k.open(Options{})
	out := k.file("out.txt", "")
	k.start("xterm", "-u8", "-T", "typed", "-e", "cat > out.txt")
	k.focused(d, "typed")
	k.typeText(d, mixed+"\n")
	k.press(d, "ctrl+d")
	k.until("the line", func() bool { return strings.HasSuffix(read(t, out), "\n") })
	if got := read(t, out); got != mixed+"\n" {
		t.Errorf("got  %q\nwant %q", got, mixed+"\n")
	}
}

// The last character closes the window: that is no lost focus.
func TestZenity(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "openbox")
	d := k.open(Options{})
	out := k.file("out.txt", "")
	k.start("sh", "-c", "zenity --entry --title Ask > out.txt")
	k.focused(d, "Ask")
	k.typeText(d, mixed+"\n")
	k.until("the answer", func() bool { return len(read(t, out)) > 0 })
	if got := read(t, out); got != mixed+"\n" {
		t.Errorf("got  %q\nwant %q", got, mixed+"\n")
	}
}

// Whatever the keyboard is set to, the same text and chords arrive, and it is set so afterwards.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		layout string
		set    func(*Display)
	}{
		{"fr", nil},
		{"de", nil},
		{"ru", nil},
		{"us,ru", func(d *Display) { d.latchLock(0, 0, 1, 0, 0, 0) }},
		{"us", func(d *Display) { d.latchLock(lockMask, lockMask, 0, 0, 0, 0) }},
		{"us", func(d *Display) { d.latchLock(16, 16, 0, 0, 0, 0) }},
		{"fr", func(d *Display) { d.latchLock(lockMask|16|controlMask, lockMask|16|controlMask, 0, 0, 0, 0) }},
		{"us,ru", func(d *Display) { d.latchLock(lockMask, lockMask, 1, shiftMask, shiftMask, 0) }},
	} {
		t.Run(c.layout, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t, "openbox")
			d := k.open(Options{})
			k.command("setxkbmap", "-display", k.display, "-layout", c.layout)
			file := k.file("note.txt", "")
			k.start("mousepad", file)
			k.focused(d, "note.txt")
			if c.set != nil {
				c.set(d)
			}
			before := k.keyboard(d)
			k.typeText(d, mixed)
			if after := k.keyboard(d); after != before {
				t.Errorf("the keyboard is not as before:\n%s", differ(before, after))
			}
			k.press(d, "ctrl+a") // a stale map makes Ctrl+Q of it on fr
			k.press(d, "ctrl+c")
			k.press(d, "end")
			k.press(d, "return")
			k.press(d, "ctrl+v")
			k.press(d, "é")
			k.press(d, "plus")
			k.press(d, "ctrl+s")
			k.until("the file", func() bool { return len(read(t, file)) > 0 })
			if got := strings.TrimSuffix(read(t, file), "\n"); got != mixed+"\n"+mixed+"é+" {
				t.Errorf("got  %q\nwant %q", got, mixed+"\n"+mixed+"é+")
			}
			if after := k.keyboard(d); after != before {
				t.Errorf("the keyboard is not as before:\n%s", differ(before, after))
			}
		})
	}
}

// keyboard is all of the keyboard that programs see: state, keys that are down, map.
func (k *desk) keyboard(d *Display) string {
	k.t.Helper()
	l, err := d.askLive(k.ctx, false)
	if err != nil {
		k.t.Fatal(err)
	}
	core, err := ask(k.ctx, d, xproto.GetKeyboardMapping(d.conn, 8, 248).Reply)
	if err != nil {
		k.t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%+v down %v\n", l.state, l.down)
	for code := range 248 {
		n := int(core.KeysymsPerKeycode)
		if l.keys.keys[code+8].groups == 0 { // then its width means nothing
			l.keys.keys[code+8].width = 0
		}
		fmt.Fprintln(&b, code+8, core.Keysyms[n*code:n*code+n], l.keys.keys[code+8], l.keys.modifiers[code+8])
	}
	return b.String()
}

func differ(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d: %s\n     now: %s", i+1, x[i], strings.Join(y[min(i, len(y)):min(i+1, len(y))], ""))
		}
	}
	return "lines were added"
}
