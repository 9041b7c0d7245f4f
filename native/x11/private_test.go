package x11

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"asz/native/guirun"
)

// private starts a desktop that ends with the test, and a desk over it.
func private(t testing.TB, o DesktopOptions) (*Private, *desk) {
	t.Helper()
	if o.Width == 0 {
		o.Width, o.Height = 640, 480
	}
	o.Environ = append(os.Environ(), o.Environ...)
	p, err := StartDesktop(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, &desk{t: t, ctx: t.Context(), display: p.Display, env: p.Env, home: p.Home}
}

// marked are the processes that belong to a run.
func marked(token string) []int {
	f := family{token: token}
	var out []int
	for _, p := range processes() {
		if f.marked(p.pid) {
			out = append(out, p.pid)
		}
	}
	return out
}

// left says what there is still of a desktop.
func left(display, dir, token string) []string {
	var out []string
	number := strings.TrimPrefix(display, ":")
	for _, pid := range marked(token) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		out = append(out, fmt.Sprintf("process %d: %s", pid, bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
	}
	if _, err := os.Stat(dir); err == nil {
		out = append(out, dir)
	}
	// Another server may have this number by now.
	if held, err := net.Listen("unix", "@"+serverSockets+number); err == nil {
		if _, err := os.Stat(serverSockets + number); err == nil {
			out = append(out, "the socket of "+display)
		}
		held.Close()
	}
	return out
}

func TestPrivate(t *testing.T) {
	t.Parallel()
	p, k := private(t, DesktopOptions{Width: 800, Height: 600, Environ: []string{"WAYLAND_DISPLAY=wayland-0", "XDG_CONFIG_HOME=/mine", "KEPT=yes"}})
	d, err := p.Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	shot, err := d.Screenshot(t.Context())
	if err != nil || shot.Rect.Dx() != 800 || shot.Rect.Dy() != 600 {
		t.Errorf("the screen: %v, %v", shot.Rect, err)
	}
	env := map[string]string{}
	for _, entry := range p.Env {
		name, value, _ := strings.Cut(entry, "=")
		if _, twice := env[name]; twice {
			t.Errorf("%s is set twice", name)
		}
		env[name] = value
	}
	if env["HOME"] != p.Home || env["DISPLAY"] != p.Display || env["KEPT"] != "yes" || env["WAYLAND_DISPLAY"] != "" || env["XDG_CONFIG_HOME"] != "" {
		t.Errorf("the environment: %q", p.Env)
	}
	for _, dir := range []string{p.dir, p.Home, env["XDG_RUNTIME_DIR"]} {
		if info, err := os.Stat(dir); err != nil || info.Mode() != os.ModeDir|0o700 {
			t.Errorf("%s: %v, %v", dir, info.Mode(), err)
		}
	}
	own, _ := readProcess(os.Getpid())
	for _, pid := range p.PIDs() {
		if part, err := readProcess(pid); err != nil || part.session == own.session {
			t.Errorf("process %d is in this session: a Ctrl-C would end it: %v", pid, err)
		}
	}
	if out := k.command("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames"); !strings.Contains(out, "org.freedesktop.DBus") {
		t.Errorf("the bus: %s", out)
	}

	// Programs: one in a session of its own, one without parents, one that ignores TERM.
	c := exec.Command("sh", "-c", `xterm -T here & (setsid sleep 1000 &) ; (trap '' TERM; while :; do sleep 1000; done) & wait`)
	c.Env, c.Dir = p.Env, p.Home
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go c.Wait()
	k.window(d, "here")
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, what := range left(p.Display, p.dir, p.guard.Token()) {
		t.Error("left: ", what)
	}
	for _, pid := range p.PIDs() {
		if _, err := readProcess(pid); err == nil {
			t.Errorf("process %d was not waited for", pid)
		}
	}
	if err := p.Close(); err != nil {
		t.Error("closed twice: ", err)
	}
}

// Everything that is started is reaped, also what left its parents.
func TestPrivateReaps(t *testing.T) {
	t.Parallel()
	p, k := private(t, DesktopOptions{Accessibility: true})
	k.command("sh", "-c", `cd; (setsid sh -c 'echo $$ > orphan; exec sleep 1000' >/dev/null 2>&1 &); while ! test -s orphan; do sleep 0.01; done`)
	var orphan int
	fmt.Sscan(read(t, filepath.Join(p.Home, "orphan")), &orphan)
	all := append(p.PIDs(), orphan)
	if len(all) < 6 { // with the accessibility bus and its launcher
		t.Errorf("only the processes %v", all)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, pid := range all {
		if q, err := readProcess(pid); err == nil {
			t.Errorf("process %d is left: %+v", pid, q)
		}
	}
}

func TestPrivateAccessibility(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{true, false} {
		p, k := private(t, DesktopOptions{Accessibility: on})
		names := k.command("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames")
		if strings.Contains(names, "org.a11y.Bus") != on || slices.Contains(p.Env, "NO_AT_BRIDGE=1") == on {
			t.Errorf("accessibility %v: the bus has %s", on, names)
		}
		if on {
			said := k.command("dbus-send", "--session", "--print-reply=literal", "--dest=org.a11y.Bus", "/org/a11y/bus",
				"org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", "string:IsEnabled")
			if !strings.Contains(said, "true") {
				t.Errorf("it is not enabled: %s", said)
			}
		}
	}
}

// Desktops side by side have nothing in common, and one that closes leaves the other.
func TestPrivateSideBySide(t *testing.T) {
	t.Parallel()
	one, _ := private(t, DesktopOptions{})
	two, k := private(t, DesktopOptions{})
	if one.Display == two.Display || one.Home == two.Home || one.busAddress() == two.busAddress() || one.guard.Token() == two.guard.Token() {
		t.Errorf("%+v and %+v", one, two)
	}
	k.start("xterm", "-T", "stays")
	d, err := two.Open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	k.window(d, "stays")
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	k.window(d, "stays")
	for _, pid := range two.PIDs() {
		if q, err := readProcess(pid); err != nil || q.zombie {
			t.Errorf("process %d of the other has ended", pid)
		}
	}
}

// Other users' programs cannot look at the display.
func TestPrivateIsPrivate(t *testing.T) {
	t.Parallel()
	p, k := private(t, DesktopOptions{})
	k.command("xdpyinfo")
	c := exec.Command("xdpyinfo")
	c.Env = []string{"DISPLAY=" + p.Display, "PATH=" + os.Getenv("PATH")}
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("this user needs no cookie: %v, %s", err, out)
	}
	if os.Geteuid() != 0 {
		return // only root can be another user
	}
	c = exec.Command("xdpyinfo")
	c.Env, c.Dir = []string{"DISPLAY=" + p.Display, "PATH=" + os.Getenv("PATH")}, "/"
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "unable to open display") {
		t.Errorf("another user: %v, %s", err, out)
	}
}

// Without its guardian a desktop is taken down all the same.
func TestPrivateWithoutGuardian(t *testing.T) {
	t.Parallel()
	p, k := private(t, DesktopOptions{})
	k.command("sh", "-c", "(setsid sleep 1000 >/dev/null 2>&1 &)")
	syscall.Kill(p.guard.PID(), syscall.SIGKILL)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, what := range left(p.Display, p.dir, p.guard.Token()) {
		t.Error("left: ", what)
	}
}

func TestPrivateFails(t *testing.T) {
	if _, err := StartDesktop(t.Context(), DesktopOptions{Width: 0, Height: 600}); class(t, err) != guirun.ClassDisplay || !strings.Contains(err.Error(), "0×600") {
		t.Errorf("no such screen: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := StartDesktop(gone, DesktopOptions{Width: 800, Height: 600, Environ: os.Environ()}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	bin := t.TempDir()
	for _, c := range []struct{ part, script, want string }{
		{"Xvfb", "echo no memory >&2; exit 3", "Xvfb, which a private desktop needs, ended before it was ready (exit status 3); it said:\nno memory"},
		{"openbox", "echo no colour >&2; kill $$", "openbox, which a private desktop needs, ended before it was ready (signal: terminated); it said:\nno colour"},
	} {
		if err := os.WriteFile(filepath.Join(bin, c.part), []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
		_, err := StartDesktop(t.Context(), DesktopOptions{Width: 800, Height: 600, Environ: os.Environ()})
		if class(t, err) != guirun.ClassDisplay || err.Error() != c.want {
			t.Errorf("%s: %v", c.part, err)
		}
		os.Remove(filepath.Join(bin, c.part))
	}
	t.Setenv("PATH", bin)
	_, err := StartDesktop(t.Context(), DesktopOptions{Width: 800, Height: 600, Accessibility: true, Environ: os.Environ()})
	if class(t, err) != guirun.ClassDisplay || !strings.HasSuffix(err.Error(), "(Xvfb, openbox, dbus-daemon, dbus-send): apt-get install xvfb openbox dbus") {
		t.Errorf("nothing is installed: %v", err)
	}
}

// lodger is what a host says of its desktop.
type lodger struct {
	Display, Dir, Token string
	PIDs                []int
}

// host is a runtime that starts a desktop and a program on it, says so, and waits for its end; with "panic" it panics
// in another goroutine.
func host(how string) int {
	ctx := context.Background()
	p, err := StartDesktop(ctx, DesktopOptions{Width: 640, Height: 480, Accessibility: true, Environ: os.Environ()})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	c := exec.Command("sh", "-c", "(setsid sleep 1000 &); xterm & wait")
	c.Env, c.Dir = p.Env, p.Home
	if err := c.Start(); err != nil {
		fmt.Println(err)
		return 1
	}
	if _, err := p.Open(ctx, Options{}); err != nil {
		fmt.Println(err)
		return 1
	}
	json.NewEncoder(os.Stdout).Encode(lodger{p.Display, p.dir, p.guard.Token(), append(p.PIDs(), c.Process.Pid)})
	if how == "panic" {
		go panic("somewhere")
	}
	select {}
}

// However the runtime ends, nothing of its desktop is left.
func TestPrivateOfDeadRuntime(t *testing.T) {
	t.Parallel()
	k := &desk{t: t, ctx: t.Context(), home: t.TempDir()}
	for _, how := range []string{"killed", "interrupted", "terminated", "panic"} {
		c := exec.Command(os.Args[0], "host", how)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		var l lodger
		if err := json.NewDecoder(out).Decode(&l); err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		if len(marked(l.Token)) < 6 {
			t.Errorf("%s: only %v belong to it", how, marked(l.Token))
		}
		switch how { // to the group, as a terminal does it
		case "killed":
			syscall.Kill(c.Process.Pid, syscall.SIGKILL)
		case "interrupted":
			syscall.Kill(-c.Process.Pid, syscall.SIGINT)
		case "terminated":
			syscall.Kill(c.Process.Pid, syscall.SIGTERM)
		}
		c.Wait()
		k.until(how+": the guardian ends", func() bool { return !slices.ContainsFunc(l.PIDs, alive) })
		for _, what := range left(l.Display, l.Dir, l.Token) {
			t.Errorf("%s: left: %s", how, what)
		}
	}
}

func alive(pid int) bool {
	p, err := readProcess(pid)
	return err == nil && !p.zombie
}

// A server that was killed leaves its socket: it goes.
func TestPrivateWithKilledServer(t *testing.T) {
	t.Parallel()
	p, _ := private(t, DesktopOptions{})
	syscall.Kill(p.parts[0].process.Process.Pid, syscall.SIGKILL)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, what := range left(p.Display, p.dir, p.guard.Token()) {
		t.Error("left: ", what)
	}
}

// A socket is only removed while no server has its number.
func TestDiscardLeavesServers(t *testing.T) {
	t.Parallel()
	p, k := private(t, DesktopOptions{})
	if err := discard(p.socket); err != nil {
		t.Error(err)
	}
	k.connect().leave()
}

func BenchmarkStartDesktop(b *testing.B) {
	for _, accessibility := range []bool{false, true} {
		b.Run(fmt.Sprintf("accessibility=%v", accessibility), func(b *testing.B) {
			for b.Loop() {
				p, err := StartDesktop(b.Context(), DesktopOptions{Width: 1280, Height: 800, Accessibility: accessibility, Environ: os.Environ()})
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if err := p.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}
