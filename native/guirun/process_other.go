//go:build !linux

package guirun

import (
	"context"
	"errors"
	"time"
)

// NewProcesses has nothing to look at here: processes are found in Linux's /proc.
func NewProcesses(ProcessOptions) Processes { return noProcesses{} }

type noProcesses struct{}

var errNoProcesses = errors.New("GUI scenarios run on Linux only")

func (noProcesses) List() ([]Process, error) { return nil, errNoProcesses }

func (noProcesses) Start(Command) (int, <-chan Result, error) { return 0, nil, errNoProcesses }

func (noProcesses) Run(context.Context, Command, time.Duration) (Result, error) {
	return Result{}, errNoProcesses
}

func (noProcesses) Stop(context.Context, []Process, time.Duration) error { return errNoProcesses }
