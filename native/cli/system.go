package cli

import (
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"asz/shared/command"
)

// System is the machine that asz runs on.
func System() *command.Host {
	h := &command.Host{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	if term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) {
		h.Terminal = console{}
	}
	h.StdoutTerminal = term.IsTerminal(int(os.Stdout.Fd()))
	h.StderrTerminal = term.IsTerminal(int(os.Stderr.Fd()))
	h.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	h.Interrupts = interrupts
	return h
}

// interrupts counts on Ctrl-C; a second one ends the program at once, as without it.
func interrupts() (interrupted func() bool, stop func()) {
	c := make(chan os.Signal, 1)
	var noticed atomic.Bool
	signal.Notify(c, os.Interrupt)
	go func() {
		if _, ok := <-c; ok {
			noticed.Store(true)
			signal.Stop(c)
		}
	}()
	return noticed.Load, sync.OnceFunc(func() {
		signal.Stop(c)
		close(c)
	})
}

// console is the terminal that standard input is.
type console struct{}

func (console) Open() (restore func(), err error) {
	fd := int(os.Stdin.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, err
	}
	return func() { term.Restore(fd, before) }, nil
}

func (console) Size() (width, height int) {
	width, height, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0, 0
	}
	return width, height
}

func (console) Wait(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }
