package x11

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
	"golang.org/x/sys/unix"
)

func TestScreenshot(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d, other := k.open(Options{}), k.connect()
	t.Cleanup(other.leave)
	k.client(other, "red", image.Rect(100, 50, 200, 100), func(w xproto.Window) {
		xproto.ChangeWindowAttributes(other.conn, w, xproto.CwBackPixel, []uint32{0xE01020})
	})
	shared, err := d.Screenshot(k.ctx)
	if err != nil {
		t.Fatal(err)
	}
	if d.camera.major == 0 {
		t.Fatal("no memory is shared")
	}
	for line := range strings.Lines(read(t, "/proc/sysvipc/shm")) {
		const perms, creator, goes = 2, 4, "1600" // with the last process that uses it
		if f := strings.Fields(line); f[creator] == fmt.Sprint(os.Getpid()) && f[perms] != goes {
			t.Errorf("the memory stays when this process is killed: %s", line)
		}
	}
	if c := shared.RGBAAt(150, 75); c.R != 0xE0 || c.G != 0x10 || c.B != 0x20 || c.A != 0xFF || shared.RGBAAt(99, 75) == c {
		t.Errorf("the colour is %v, beside it %v", c, shared.RGBAAt(99, 75))
	}
	d.unshare()
	sent, err := d.Screenshot(k.ctx)
	if err != nil {
		t.Fatal(err)
	}
	if sent.Rect != image.Rect(0, 0, 1280, 800) || string(sent.Pix) != string(shared.Pix) {
		t.Error("over the wire comes another picture")
	}
}

// A server that writes elsewhere, because its memory has the same number by chance, is found out.
func TestScreenshotOfOtherMemory(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d := k.open(Options{})
	want, err := d.Screenshot(k.ctx)
	if err != nil {
		t.Fatal(err)
	}
	c := &d.camera
	other := make([]byte, len(c.memory))
	c.memory, other = other, c.memory
	c.proven = false
	defer unix.SysvShmDetach(other)
	got, err := d.Screenshot(k.ctx)
	if err != nil || c.major != 0 || string(got.Pix) != string(want.Pix) {
		t.Errorf("%v, extension %d", err, c.major)
	}
}

// A picture that nobody waits for any more leaves the next one unharmed.
func TestScreenshotCancelled(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d, other := k.open(Options{}), k.connect()
	t.Cleanup(other.leave)
	if _, err := d.Screenshot(k.ctx); err != nil {
		t.Fatal(err)
	}
	xproto.GrabServer(other.conn)
	if err := other.sync(k.ctx); err != nil {
		t.Fatal(err)
	}
	soon, cancel := context.WithTimeout(k.ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := d.Screenshot(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the server answers nobody: %v", err)
	}
	xproto.UngrabServer(other.conn)
	if _, err := d.Screenshot(k.ctx); err != nil || d.camera.major == 0 {
		t.Errorf("afterwards: %v", err)
	}
}

// Rows of any width, in every format, become the same picture.
func TestConvert(t *testing.T) {
	t.Parallel()
	fast := pixels{bytes: 4, pad: 32, red: 0xFF0000, green: 0xFF00, blue: 0xFF}
	slow := pixels{bytes: 4, pad: 32, red: 0xFF, green: 0xFF00, blue: 0xFF0000}
	for width := 1; width < 20; width++ {
		from, swapped := make([]byte, width*4*3), make([]byte, width*4*3)
		for i := range from {
			from[i] = byte(i * 7)
			swapped[i/4*4+[]int{2, 1, 0, 3}[i%4]] = from[i]
		}
		a, b := image.NewRGBA(image.Rect(0, 0, width, 3)), image.NewRGBA(image.Rect(0, 0, width, 3))
		fast.convert(a, from)
		slow.convert(b, swapped)
		if string(a.Pix) != string(b.Pix) {
			t.Errorf("width %d: %v and %v", width, a.Pix, b.Pix)
		}
	}
}

func TestScreenshotOfDepth16(t *testing.T) {
	t.Parallel()
	p := pixels{bytes: 2, pad: 32, red: 0xF800, green: 0x07E0, blue: 0x001F}
	if p.stride(3) != 8 {
		t.Errorf("a row of 3 pixels has %d bytes", p.stride(3))
	}
	to := image.NewRGBA(image.Rect(0, 0, 1, 1))
	p.convert(to, []byte{0x1F, 0xF8, 0, 0})
	if c := to.RGBAAt(0, 0); c.R != 255 || c.G != 0 || c.B != 255 || c.A != 255 {
		t.Errorf("%v", c)
	}
}

func BenchmarkScreenshot(b *testing.B) {
	k := newDesk(b, "")
	d := k.open(Options{})
	for b.Loop() {
		shot, err := d.Screenshot(k.ctx)
		if err != nil {
			b.Fatal(err)
		}
		d.Recycle(shot) // as of a screen that has not changed
	}
}
