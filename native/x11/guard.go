package x11

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// GuardVerb is the argument that makes this program a guardian.
const GuardVerb = "guard"

// GuardCommand is the command line that starts this very program as a guardian, for Options.Guard and StartGuardian. Its
// main, or TestMain, calls Guard when GuardVerb is the first argument.
func GuardCommand() []string { return []string{"/proc/self/exe", GuardVerb} }

// Guard is a guardian's whole life; it returns the exit code. Commands come on standard input, a line each, answers go
// to standard output: "ok", or what is wrong.
//
//	begin PID TOKEN              the runtime and its mark
//	display WINDOW SLOT NAME     watch a connection: its window, and the atom of its record
//	leave WINDOW                 that connection was closed in good order
//	own ROLE PID START           end this process with the run; START is in clock ticks since boot
//	disown PID
//	remove PATH                  take away this folder, or a server's socket, after what is owned has ended
//	teardown                     end what is owned now
//	end                          the run is over
//
// The end of standard input without "end" is the runtime's death.
func Guard() int {
	syscall.Setpriority(syscall.PRIO_PROCESS, 0, -10) // where it may: keys must go up soon on a busy machine too
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	closeInherited()
	os.Chdir("/") // holds no file system
	w := &watcher{family: family{self: os.Getpid()}, connections: map[xproto.Window]*watched{}}
	return w.run(os.Stdin, os.Stdout)
}

// closeInherited closes what the runtime's own parents left open: a pipe that a guardian holds would never end. What
// this process opened itself is marked to be closed at exec; what came through exec is not.
func closeInherited() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd < 3 {
			continue
		}
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if errno == 0 && flags&syscall.FD_CLOEXEC == 0 {
			syscall.Close(fd)
		}
	}
}

// watcher is the state of a guardian.
type watcher struct {
	removed     []string // folders that end with the run
	family      family
	connections map[xproto.Window]*watched
}

// watched is a runtime's connection, seen from the guardian's own.
type watched struct {
	display *Display
	window  xproto.Window
	slot    xproto.Atom
	over    chan struct{} // closed when the connection has ended and what it left was put back
}

func (w *watcher) run(commands io.Reader, answers io.Writer) int {
	lines := make(chan string)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(commands)
		for in.Scan() {
			lines <- in.Text()
		}
	}()
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			w.family.look()
		case line, alive := <-lines:
			if !alive {
				w.bury()
				return 0
			}
			if line == "end" {
				return 0
			}
			if answer, asked := w.obey(line); asked {
				fmt.Fprintln(answers, answer)
			}
		}
	}
}

// obey does what a line says.
func (w *watcher) obey(line string) (answer string, asked bool) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "begin":
		fmt.Sscanf(rest, "%d %s", &w.family.runtime, &w.family.token)
		return "ok", true
	case "display":
		var window, slot uint32
		if _, err := fmt.Sscanf(rest, "%d %d", &window, &slot); err != nil {
			return "not understood: " + line, true
		}
		fields := strings.SplitN(rest, " ", 3)
		if err := w.watch(fields[2], xproto.Window(window), xproto.Atom(slot)); err != nil {
			return err.Error(), true
		}
		return "ok", true
	case "leave":
		window, _ := strconv.ParseUint(rest, 10, 32)
		if c := w.connections[xproto.Window(window)]; c != nil {
			c.display.leave()
			delete(w.connections, c.window)
		}
	case "own":
		var p owned
		if _, err := fmt.Sscanf(rest, "%s %d %d", &p.role, &p.pid, &p.started); err == nil {
			w.family.owned = append(w.family.owned, p)
		}
	case "disown":
		if pid, err := strconv.Atoi(rest); err == nil {
			w.family.disown(pid)
		}
	case "remove":
		w.removed = append(w.removed, rest)
	case "teardown":
		w.family.tearDown()
		return "ok", true
	}
	return "", false
}

func (w *watcher) watch(name string, window xproto.Window, slot xproto.Atom) error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	d, err := connect(ctx, name)
	if err != nil {
		return err
	}
	if err := d.askExtensions(ctx); err != nil {
		d.leave()
		return err
	}
	c := &watched{d, window, slot, make(chan struct{})}
	ended, stop := d.expect(func(event xgb.Event) bool {
		e, ok := event.(xproto.DestroyNotifyEvent)
		return ok && e.Window == window
	})
	d.watch(window)
	if lives, err := d.owned(ctx, window, slot); err != nil || !lives {
		stop()
		d.leave()
		return fmt.Errorf("the window to watch is not there (%v)", err)
	}
	w.connections[window] = c
	go func() {
		defer close(c.over)
		defer stop()
		if ended(context.Background()) == nil {
			c.repair()
		}
	}()
	return nil
}

// repair puts back what the connection left; it has ended.
func (c *watched) repair() {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	d := c.display
	var asked xproto.GetPropertyCookie
	d.wire.together(func() {
		xproto.GrabServer(d.conn)
		asked = d.property(d.root, c.slot)
	})
	defer d.sync(ctx)
	defer xproto.UngrabServer(d.conn)
	p, err := ask(ctx, d, asked.Reply)
	if err != nil {
		return
	}
	r, readable := decodeRecord(numbers(p))
	if !readable || r.window != c.window { // another run has repaired already
		return
	}
	if d.repair(ctx, &r) == nil {
		xproto.DeleteProperty(d.conn, d.root, c.slot)
	}
}

// bury does what is left to do after the runtime's death.
func (w *watcher) bury() {
	limit := time.NewTimer(answerTime)
	defer limit.Stop()
	for _, c := range w.connections {
		select {
		case <-c.over: // the server has closed the dead one's connection, so nothing of it is still under way
		case <-limit.C:
		}
	}
	w.family.tearDown()
	for _, dir := range w.removed {
		discard(dir) // what cannot be removed stays: nobody is left to be told
	}
}
