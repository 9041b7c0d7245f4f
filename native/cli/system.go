package cli

import (
	"context"
	"os"
	"os/signal"
	"time"

	"golang.org/x/term"

	"asz/shared/command"
)

// System is the machine that asz runs on.
func System() *command.Host {
	h := &command.Host{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		StdoutTerminal: isTerminal(os.Stdout), StderrTerminal: isTerminal(os.Stderr),
		Interrupts: interrupts,
	}
	h.Color = h.StdoutTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if isTerminal(os.Stdin) && h.StdoutTerminal {
		h.Terminal = console{}
	}
	return h
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

func interrupts() (interrupted func() bool, stop func()) {
	// The first Ctrl-C ends the context, and then the system's way with the next
	// one is back.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	return func() bool { return ctx.Err() != nil }, stop
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
