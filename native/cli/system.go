package cli

import (
	"os"
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
	return h
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
