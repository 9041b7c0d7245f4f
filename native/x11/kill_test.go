package x11

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// victim is a runtime that types and presses, and kills itself after a flush: victim DISPLAY FLUSH GUARD, where a FLUSH
// of 0 is none, and "guard" says that it has a guardian. It prints the guardian's pid, then a line for each round.
func victim(args []string) int {
	ctx := context.Background()
	at, _ := strconv.Atoi(args[1])
	o := Options{}
	if args[2] == "guard" {
		o.Guard = GuardCommand()
	}
	d, err := Open(ctx, args[0], o)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	pid := 0
	if d.input.guard != nil {
		pid = d.input.guard.PID()
	}
	fmt.Println(pid)
	n := 0
	d.wire.mu.Lock()
	d.wire.flushed = func() {
		n++
		if n == at {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	d.wire.mu.Unlock()
	for range 1000 {
		for _, step := range []func() error{
			func() error { return d.Type(ctx, "Aé你 б") },
			func() error { return d.Press(ctx, chord("ctrl+shift+f7")) },
			func() error { return d.Press(ctx, chord("ctrl+ü")) },
		} {
			if err := step(); err != nil {
				fmt.Println(err)
				return 1
			}
		}
		if at != 0 {
			fmt.Println("flushes", n)
			d.Close()
			return 0
		}
	}
	return 0
}

// startVictim starts one and reads its guardian's pid.
func (k *desk) startVictim(flush int, guard string) (c *exec.Cmd, pid int, rest func() string) {
	k.t.Helper()
	c = exec.Command(os.Args[0], "victim", k.display, fmt.Sprint(flush), guard)
	c.Env = k.env
	var out strings.Builder
	r, w, err := os.Pipe()
	if err != nil {
		k.t.Fatal(err)
	}
	c.Stdout = w
	if err := c.Start(); err != nil {
		k.t.Fatal(err)
	}
	w.Close()
	b := make([]byte, 1)
	for {
		if n, _ := r.Read(b); n == 0 || b[0] == '\n' {
			break
		}
		out.Write(b)
	}
	if pid, err = strconv.Atoi(out.String()); err != nil {
		k.t.Fatalf("the victim: %s", out.String())
	}
	return c, pid, func() string {
		defer r.Close()
		var all strings.Builder
		for {
			b := make([]byte, 4096)
			n, err := r.Read(b)
			all.Write(b[:n])
			if err != nil {
				return all.String()
			}
		}
	}
}

// dirty sets what a run must put back: Caps Lock, NumLock and the second group.
func (k *desk) dirty(d *Display) {
	k.t.Helper()
	k.command("setxkbmap", "-display", k.display, "-layout", "us,ru")
	d.latchLock(lockMask|16, lockMask|16, 1, 0, 0, 0)
	if err := d.sync(k.ctx); err != nil {
		k.t.Fatal(err)
	}
}

// receiverWindow is a window that has the focus; the client's process is the test.
func (k *desk) receiverWindow() *Display {
	k.t.Helper()
	d := k.connect()
	k.t.Cleanup(d.leave)
	if err := d.askExtensions(k.ctx); err != nil {
		k.t.Fatal(err)
	}
	k.focusedWindow(d)
	return d
}

// A runtime may be killed after any of its flushes: its guardian puts all back.
func TestKilledRuntime(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d := k.receiverWindow()
	k.dirty(d)
	before := k.keyboard(d)
	c, pid, rest := k.startVictim(1<<30, "guard")
	said := rest()
	if err := c.Wait(); err != nil {
		t.Fatal(err, said)
	}
	k.gone(pid)
	_, count, _ := strings.Cut(strings.TrimSpace(said), " ")
	flushes, err := strconv.Atoi(count)
	if err != nil || flushes < 10 {
		t.Fatalf("the victim: %s", said)
	}
	if after := k.keyboard(d); after != before {
		t.Fatalf("a whole run changed the keyboard: %s", differ(before, after))
	}
	changed := 0
	for flush := 1; flush <= flushes; flush++ {
		c, pid, rest := k.startVictim(flush, "guard")
		rest()
		c.Wait()
		if !c.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
			t.Fatalf("flush %d: the victim was not killed", flush)
		}
		k.gone(pid)
		if after := k.keyboard(d); after != before {
			t.Errorf("killed after flush %d of %d: %s", flush, flushes, differ(before, after))
		}

		// With the guardian killed too, the next run repairs.
		c, pid, rest = k.startVictim(flush, "")
		rest()
		c.Wait()
		if k.keyboard(d) != before {
			changed++
		}
		next := k.open(Options{})
		if after := k.keyboard(d); after != before {
			t.Errorf("no guardian, killed after flush %d of %d: %s", flush, flushes, differ(before, after))
		}
		next.Close()
	}
	if changed < 3 {
		t.Errorf("only %d of %d kills left anything to put back: the test tests nothing", changed, flushes)
	}
}

// Killed at any time, guardian first or not.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d := k.receiverWindow()
	k.dirty(d)
	before := k.keyboard(d)
	random := rand.New(rand.NewPCG(7, 7))
	for round := range 12 {
		c, pid, rest := k.startVictim(0, "guard")
		time.Sleep(time.Duration(random.IntN(20000)) * time.Microsecond)
		both := round%3 == 2
		if both {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		c.Process.Kill()
		rest()
		c.Wait()
		k.gone(pid)
		if both {
			k.open(Options{}).Close()
		}
		if after := k.keyboard(d); after != before {
			t.Errorf("round %d: %s", round, differ(before, after))
		}
	}
}

// gone waits until a process has ended.
func (k *desk) gone(pid int) {
	k.t.Helper()
	k.until("a process to end", func() bool {
		p, err := readProcess(pid)
		return err != nil || p.zombie
	})
}
