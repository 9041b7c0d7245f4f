package x11

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// desk is an X server with a window manager and a bus, of a test's own.
type desk struct {
	t       testing.TB
	ctx     context.Context
	display string
	env     []string
	home    string
}

// newDesk starts one: "" of manager is none.
func newDesk(t testing.TB, manager string) *desk {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	k := &desk{t: t, ctx: ctx, home: t.TempDir()}
	k.display = ":" + k.startPiped("Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset")
	k.env = append(os.Environ(), "DISPLAY="+k.display, "HOME="+k.home, "XDG_RUNTIME_DIR="+k.home, "XDG_CONFIG_HOME="+k.home+"/.config",
		"NO_AT_BRIDGE=1", "GSETTINGS_BACKEND=memory", "GTK_IM_MODULE=gtk-im-context-simple", "LC_ALL=C.UTF-8", "XAUTHORITY=/nonexistent")
	k.env = append(k.env, "DBUS_SESSION_BUS_ADDRESS="+k.startPiped("dbus-daemon", "--session", "--nofork", "--print-address=3"))
	if manager != "" {
		d := k.connect()
		k.start(manager)
		if err := d.awaitManager(k.ctx); err != nil {
			t.Fatal(err)
		}
		d.leave()
	}
	return k
}

// start starts a program that ends with the test.
func (k *desk) start(name string, args ...string) *exec.Cmd {
	k.t.Helper()
	c := exec.Command(name, args...)
	k.run(c)
	return c
}

func (k *desk) run(c *exec.Cmd) {
	k.t.Helper()
	c.Env, c.Dir = append(k.env, c.Env...), k.home
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() {
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
	})
}

// startPiped starts a program and returns the first line that it writes to descriptor 3.
func (k *desk) startPiped(name string, args ...string) string {
	k.t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		k.t.Fatal(err)
	}
	defer r.Close()
	c := exec.Command(name, args...)
	c.ExtraFiles = []*os.File{w}
	k.run(c)
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		k.t.Fatalf("%s: %v", name, err)
	}
	return strings.TrimSpace(line)
}

func (k *desk) connect() *Display {
	k.t.Helper()
	d, err := connect(k.ctx, k.display)
	if err != nil {
		k.t.Fatal(err)
	}
	return d
}

func (k *desk) open(o Options) *Display {
	k.t.Helper()
	d, err := Open(k.ctx, k.display, o)
	if err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() { d.Close() })
	return d
}

// command runs a helper to its end and gives its output.
func (k *desk) command(name string, args ...string) string {
	k.t.Helper()
	c := exec.Command(name, args...)
	c.Env = k.env
	out, err := c.CombinedOutput()
	if err != nil {
		k.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// until polls for what no event tells.
func (k *desk) until(what string, holds func() bool) {
	k.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-k.ctx.Done():
			k.t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// focused waits until a window whose title contains a text has the focus, and its program has settled.
func (k *desk) focused(d *Display, title string) {
	k.t.Helper()
	var r *receiver
	k.until("the focus of "+title, func() bool {
		var err error
		r, err = d.receiver(k.ctx)
		return err == nil && strings.Contains(r.title, title)
	})
	s, stop := d.stays(r)
	defer stop()
	if err := d.settle(k.ctx, r, s); err != nil {
		k.t.Fatal(err)
	}
}

func (k *desk) file(name, content string) string {
	k.t.Helper()
	name = filepath.Join(k.home, name)
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		k.t.Fatal(err)
	}
	return name
}

func (k *desk) has(file, want string) bool {
	b, _ := os.ReadFile(file)
	return string(b) == want
}

func read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// window is one of the test's own that has the focus, answers pings and notes its keys.
type window struct {
	id     xproto.Window
	d      *Display
	mu     sync.Mutex
	keys   []struck
	before func() // called before each answer to a ping
	onKey  func(n int)
}

type struck struct {
	code  byte
	state uint16
}

// focusedWindow makes a window that has the focus, without a window manager.
func (k *desk) focusedWindow(d *Display) *window {
	k.t.Helper()
	id, err := xproto.NewWindowId(d.conn)
	if err != nil {
		k.t.Fatal(err)
	}
	w := &window{id: id, d: d}
	shown, stop := d.expect(func(e xgb.Event) bool {
		m, ok := e.(xproto.MapNotifyEvent)
		return ok && m.Window == id
	})
	defer stop()
	xproto.CreateWindow(d.conn, 0, id, d.root, 0, 0, 100, 100, 0, xproto.WindowClassInputOutput, 0,
		xproto.CwEventMask, []uint32{xproto.EventMaskKeyPress})
	protocols := make([]byte, 4)
	putNumber(protocols, uint32(d.atoms.netWMPing))
	xproto.ChangeProperty(d.conn, xproto.PropModeReplace, id, d.atoms.wmProtocols, xproto.AtomAtom, 32, 1, protocols)
	pings := make(chan xproto.ClientMessageEvent, 100)
	k.t.Cleanup(d.listen(func(e xgb.Event) {
		switch e := e.(type) {
		case xproto.ClientMessageEvent:
			if e.Window == id {
				e.Window = d.root
				pings <- e
			}
		case xproto.KeyPressEvent:
			if e.Event == id {
				w.mu.Lock()
				w.keys = append(w.keys, struck{byte(e.Detail), e.State})
				n, tell := len(w.keys), w.onKey
				w.mu.Unlock()
				if tell != nil {
					tell(n)
				}
			}
		}
	}))
	go func() {
		for {
			select {
			case <-d.Gone():
				return
			case e := <-pings:
				w.mu.Lock()
				before := w.before
				w.mu.Unlock()
				if before != nil {
					before()
				}
				d.send(d.root, xproto.EventMaskSubstructureNotify, e)
			}
		}
	}()
	xproto.MapWindow(d.conn, id)
	if err := shown(k.ctx); err != nil {
		k.t.Fatal(err)
	}
	w.focus()
	if err := d.sync(k.ctx); err != nil {
		k.t.Fatal(err)
	}
	return w
}

func (w *window) focus() {
	xproto.SetInputFocus(w.d.conn, xproto.InputFocusParent, w.id, 0)
}

// take gives the keys since the last time.
func (k *desk) take(w *window) []struck {
	k.t.Helper()
	if err := w.d.sync(k.ctx); err != nil {
		k.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	keys := w.keys
	w.keys = nil
	return keys
}
