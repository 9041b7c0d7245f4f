package x11

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jezek/xgb/xproto"
	"golang.org/x/sys/unix"

	"asz/native/guirun"
)

// DesktopOptions say what a private desktop is like.
type DesktopOptions struct {
	Width, Height int      // pixels
	Accessibility bool     // with an accessibility bus, told to programs as switched on
	Environ       []string // what its environment is made of
}

// Private is a desktop of its own: an X server, a session bus, an accessibility bus, a window manager and a home.
type Private struct {
	Display string   // its name, such as ":12"
	Home    string   // also of what its programs keep
	Env     []string // the environment for programs on it

	guard  *Guardian
	dir    string // all files of the desktop
	socket string // of the server
	cookie []byte // opens the display to other users' programs that can read it
	mu     sync.Mutex
	parts  []*part // in the order of their starts
	below  []int   // processes of the buses that those started themselves

	closing sync.Once
	closed  error
}

const (
	startTime = 20 * time.Second // that any part of a desktop may take to come up
	endTime   = 40 * time.Second // that all of them may take to end; each role is given 7 s
)

// StartDesktop starts a private desktop. Everything on it ends with Close, and with this process, however that ends.
func StartDesktop(ctx context.Context, o DesktopOptions) (*Private, error) {
	if err := needed(o.Accessibility); err != nil {
		return nil, err
	}
	if most := 32767; o.Width < 1 || o.Height < 1 || o.Width > most || o.Height > most {
		return nil, guirun.Faultf(guirun.ClassDisplay, "a screen of %d×%d pixels cannot be: each side has 1 to %d", o.Width, o.Height, most)
	}
	// What leaves its parents is still found below this process.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, guirun.Faultf(guirun.ClassDisplay, "programs on a private desktop cannot be kept together: %v", err)
	}
	p := &Private{}
	if err := p.start(ctx, o); err != nil {
		var fault *guirun.Fault
		if !errors.As(err, &fault) && ctx.Err() == nil {
			err = guirun.Faultf(guirun.ClassDisplay, "a private desktop cannot be started: %v", err)
		}
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// needed names the packages of programs that are not there.
func needed(accessibility bool) error {
	var names, packages []string
	for _, program := range []struct {
		name, of string
		wanted   bool
	}{{"Xvfb", "xvfb", true}, {"openbox", "openbox", true}, {"dbus-daemon", "dbus", true}, {"dbus-send", "dbus", accessibility}} {
		if _, err := exec.LookPath(program.name); err != nil && program.wanted {
			names = append(names, program.name)
			if n := len(packages); n == 0 || packages[n-1] != program.of {
				packages = append(packages, program.of)
			}
		}
	}
	if names == nil {
		return nil
	}
	return guirun.Faultf(guirun.ClassDisplay, "a private desktop needs programs that are not installed (%s): apt-get install %s",
		strings.Join(names, ", "), strings.Join(packages, " "))
}

func (p *Private) start(ctx context.Context, o DesktopOptions) (err error) {
	if p.guard, err = StartGuardian(ctx, GuardCommand()); err != nil {
		return err
	}
	if err := p.furnish(o.Environ, o.Accessibility); err != nil {
		return guirun.Faultf(guirun.ClassDisplay, "the folder of a private desktop cannot be made: %v", err)
	}
	number, err := p.piped(ctx, RoleServer, "Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", o.Width, o.Height),
		"-nolisten", "tcp", "-noreset", "-s", "0", "-auth", filepath.Join(p.dir, cookieFile))
	if err != nil {
		return err
	}
	p.Display = ":" + number
	p.Env = append(p.Env, "DISPLAY="+p.Display)
	p.socket = serverSockets + number
	if err := p.guard.Remove(p.socket); err != nil {
		return err
	}
	d, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer d.leave()
	// The manager needs no bus, so both start at the same time; the first that fails stops the other.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	managed := make(chan error, 1)
	go func() {
		err := p.startManager(ctx, d)
		if err != nil {
			cancel(err)
		}
		managed <- err
	}()
	if err := p.startBus(ctx, o.Accessibility); err != nil {
		cancel(err)
	}
	<-managed
	return context.Cause(ctx)
}

// connect uses the cookie, and lets this user's other processes in without it: the runtime and the guardian.
func (p *Private) connect(ctx context.Context) (*Display, error) {
	wire, err := dial(ctx, p.Display)
	if err != nil {
		return nil, guirun.Faultf(guirun.ClassDisplay, "cannot connect to the private display %s: %v", p.Display, err)
	}
	wire.hello = hello(cookieScheme, p.cookie)
	d, err := connectOver(ctx, p.Display, wire)
	if err != nil {
		return nil, err
	}
	user := fmt.Sprintf("localuser\x00#%d", os.Geteuid())
	if err := do(ctx, d, xproto.ChangeHostsChecked(d.conn, xproto.HostModeInsert, xproto.FamilyServerInterpreted, uint16(len(user)), []byte(user)).Check); err != nil {
		d.leave()
		return nil, err
	}
	return d, nil
}

func (p *Private) startManager(ctx context.Context, d *Display) error {
	q, err := p.run(RoleManager, nil, "openbox", "--sm-disable")
	if err != nil {
		return err
	}
	ctx, stop := q.during(ctx)
	defer stop()
	if err := d.awaitManager(ctx); err != nil {
		return p.failed(ctx, q, err)
	}
	return nil
}

func (p *Private) startBus(ctx context.Context, accessibility bool) error {
	_, err := p.piped(ctx, RoleBus, "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address="+p.busAddress(), "--print-address=3")
	if err != nil || !accessibility {
		return err
	}
	// Qt looks for the bus once, when a program starts: it is there before.
	ctx, stop := context.WithTimeout(ctx, startTime)
	defer stop()
	for _, call := range [][]string{
		{"org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled", "variant:boolean:true"},
		{"org.a11y.Bus.GetAddress"},
	} {
		c := exec.CommandContext(ctx, "dbus-send", append([]string{"--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus"}, call...)...)
		c.Env, c.Dir, c.WaitDelay = p.Env, p.dir, time.Second
		if out, err := c.CombinedOutput(); err != nil {
			if ctx.Err() == context.Canceled {
				return ctx.Err()
			}
			return guirun.Faultf(guirun.ClassDisplay, "the accessibility bus did not come up (%v: %s): apt-get install at-spi2-core, or set atspi: false",
				err, strings.TrimSpace(string(out)))
		}
	}
	for _, member := range p.family().members(RoleBus) {
		p.below = append(p.below, member.pid)
	}
	return nil
}

// Open connects to the desktop.
func (p *Private) Open(ctx context.Context, o Options) (*Display, error) {
	o.Guardian = p.guard
	return Open(ctx, p.Display, o)
}

// Guardian watches over the desktop; give it to Open.
func (p *Private) Guardian() *Guardian { return p.guard }

// PIDs are the processes of the desktop itself, which are none of the run's.
func (p *Private) PIDs() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []int
	for _, q := range p.parts {
		out = append(out, q.process.Process.Pid)
	}
	for _, pid := range p.below {
		if !slices.Contains(out, pid) {
			out = append(out, pid)
		}
	}
	return append(out, p.guard.PID())
}

// family is who belongs to the desktop, as this process knows it.
func (p *Private) family() *family {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := &family{self: p.guard.PID(), runtime: os.Getpid(), token: p.guard.Token()}
	for _, q := range p.parts {
		f.owned = append(f.owned, owned{q.role, q.process.Process.Pid, q.started})
	}
	return f
}

// Close takes the desktop down: programs first, then window manager, buses and server. It may be called twice.
func (p *Private) Close() error {
	p.closing.Do(func() {
		if p.guard != nil {
			p.closed = p.close()
		}
	})
	return p.closed
}

func (p *Private) close() (err error) {
	ctx, stop := context.WithTimeout(context.Background(), endTime)
	defer stop()
	f := p.family()
	f.look()
	if p.guard.TearDown(ctx) != nil { // somebody ended it
		f.tearDown()
	}
	for _, q := range p.parts {
		select {
		case <-q.ended:
		case <-ctx.Done():
			err = errors.Join(err, fmt.Errorf("%s (process %d) does not end", q.name, q.process.Process.Pid))
		}
	}
	f.reap()
	for _, path := range []string{p.socket, p.dir} {
		if path != "" {
			err = errors.Join(err, discard(path))
		}
	}
	p.guard.End() // what is wrong with it now does not matter any more
	return err
}

// reap takes away those members that have fallen to this process and ended. One that something here waits for is taken
// away by that, so they are left a moment.
func (f *family) reap() {
	again := map[identity]bool{}
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	for {
		left := 0
		for who := range f.seen {
			p, err := readProcess(who.pid)
			if err != nil || p.identity() != who || !p.zombie || p.parent != f.runtime {
				continue
			}
			if again[who] {
				syscall.Wait4(who.pid, nil, syscall.WNOHANG, nil)
				continue
			}
			again[who] = true
			left++
		}
		if left == 0 {
			return
		}
		<-poll.C
	}
}
