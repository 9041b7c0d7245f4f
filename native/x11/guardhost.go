package x11

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"asz/native/guirun"
)

// Role is when an owned process is torn down: programs first, the server last.
type Role string

// The roles, in the order of their teardown.
const (
	RoleProgram Role = "program"
	RoleManager Role = "manager" // the window manager
	RoleBus     Role = "bus"
	RoleServer  Role = "server"
)

// Guardian is a process that outlives the runtime. When the runtime ends without having said so, it lets go of keys
// and buttons, puts the keyboard map and state back, and ends the processes that it was told of. Its methods may be
// called by several goroutines.
type Guardian struct {
	process *exec.Cmd
	token   string

	mu      sync.Mutex
	to      *os.File
	answers chan answer // in the order of what was asked
	unread  int         // answers that whoever asked no longer waits for
	ended   bool
}

type answer struct {
	line string
	err  error
}

// listen reads answers until the guardian ends.
func (g *Guardian) listen(from io.Reader) {
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadString('\n')
		g.answers <- answer{line, err}
		if err != nil {
			close(g.answers)
			return
		}
	}
}

// StartGuardian starts a guardian by its command line, GuardCommand.
func StartGuardian(ctx context.Context, argv []string) (*Guardian, error) {
	if len(argv) == 0 {
		return nil, errors.New("no command is set for the guardian")
	}
	commands, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer commands.Close()
	from, answers, err := os.Pipe()
	if err != nil {
		to.Close()
		return nil, err
	}
	defer answers.Close()
	g := &Guardian{process: exec.Command(argv[0], argv[1:]...), token: rand.Text(), to: to, answers: make(chan answer, 16)}
	g.process.Stdin, g.process.Stdout = commands, answers
	g.process.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := g.process.Start(); err != nil {
		to.Close()
		from.Close()
		return nil, fmt.Errorf("the guardian, which puts keys back when this process is killed, cannot be started: %w", err)
	}
	go g.listen(from)
	if err := g.ask(ctx, "begin %d %s", os.Getpid(), g.token); err != nil {
		g.End()
		return nil, err
	}
	return g, nil
}

// Token marks what belongs to this run: a process with ASZ_RUN=token in its environment is torn down as a program.
func (g *Guardian) Token() string { return g.token }

// PID is the guardian's own.
func (g *Guardian) PID() int { return g.process.Process.Pid }

// Own has a process, its descendants and its session end with this run. One that is gone already is left out.
func (g *Guardian) Own(role Role, pid int) error {
	p, err := readProcess(pid)
	if err != nil {
		return nil
	}
	return g.tell("own %s %d %d", role, pid, p.started)
}

// Disown takes Own back.
func (g *Guardian) Disown(pid int) error { return g.tell("disown %d", pid) }

// Remove has a folder of this process's own making, or the socket of its server, taken away when this process is killed.
func (g *Guardian) Remove(dir string) error { return g.tell("remove %s", dir) }

// TearDown ends all that is owned now, role by role: TERM, KILL after 2 seconds. It returns when they are gone, or
// zombies that their parent has yet to wait for.
func (g *Guardian) TearDown(ctx context.Context) error { return g.ask(ctx, "teardown") }

// End ends the guardian: this run is over, and nothing is left to put back or end.
func (g *Guardian) End() error {
	g.mu.Lock()
	ended := g.ended
	g.ended = true
	g.mu.Unlock()
	if ended {
		return nil
	}
	g.process.Process.Signal(syscall.SIGCONT)
	io.WriteString(g.to, "end\n") // one that is gone cannot be told
	g.to.Close()
	stuck := time.AfterFunc(answerTime, func() { g.process.Process.Kill() }) // it hangs, or is stopped again
	defer stuck.Stop()
	return g.process.Wait()
}

// tell sends a command that has no answer.
func (g *Guardian) tell(format string, args ...any) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.write(format, args...)
}

func (g *Guardian) write(format string, args ...any) error {
	g.process.Process.Signal(syscall.SIGCONT) // somebody may have stopped it
	if _, err := fmt.Fprintf(g.to, format+"\n", args...); err != nil {
		return fmt.Errorf("the guardian process is gone: %w", err)
	}
	return nil
}

// ask sends a command and waits for its answer.
func (g *Guardian) ask(ctx context.Context, format string, args ...any) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.write(format, args...); err != nil {
		return err
	}
	g.unread++
	for {
		select {
		case a, alive := <-g.answers:
			if !alive || a.err != nil {
				return fmt.Errorf("the guardian process is gone: %w", cmp.Or(a.err, io.EOF))
			}
			if g.unread--; g.unread > 0 {
				continue // of what was asked before
			}
			if a.line != "ok\n" {
				return errors.New(strings.TrimSpace(a.line))
			}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// openGuard has a guardian watch this connection.
func (d *Display) openGuard(ctx context.Context) error {
	d.input.guard = d.o.Guardian
	if d.input.guard == nil && d.o.Guard != nil {
		var err error
		if d.input.guard, err = StartGuardian(ctx, d.o.Guard); err != nil {
			return guirun.Faultf(guirun.ClassDisplay, "%v", err)
		}
		d.input.mine = true
	}
	if d.input.guard == nil {
		return nil
	}
	if err := d.input.guard.ask(ctx, "display %d %d %s", d.own, d.input.slot, d.name); err != nil {
		d.closeGuard()
		return guirun.Faultf(guirun.ClassDisplay, "the guardian process cannot watch the display %s: %v", d.name, err)
	}
	return nil
}

func (d *Display) closeGuard() {
	if d.input.guard == nil {
		return
	}
	if d.input.mine {
		d.input.guard.End()
	} else {
		d.input.guard.tell("leave %d", d.own)
	}
	d.input.guard = nil
}
