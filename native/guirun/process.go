package guirun

import (
	"context"
	"time"
)

// Process is one that runs.
type Process struct {
	PID, Parent int
	Started     uint64 // clock ticks since boot: with PID, which process it is
	Command     string // the command line, a blank between words
}

// Command is what is run by /bin/sh -c.
type Command struct {
	Line  string
	Env   []string // added to the run's environment, NAME=value
	Limit int      // bytes of output kept, both ends; 0: output goes to ~/.xsession-errors
}

// Result is how a command ended.
type Result struct {
	Exit   int // 128 + n after signal n
	Output string
	Cut    int64 // bytes of output that were not kept
}

// Processes is what runs beside the run, and starts and ends it.
type Processes interface {
	// List gives the processes of this run's reach, by PID: never the runtime, its ancestors and helpers, zombies;
	// under --xvfb only this run's descendants.
	List() ([]Process, error)

	// Start runs a command in a session of its own and leaves it running. Its end arrives on done.
	Start(c Command) (pid int, done <-chan Result, err error)

	// Run runs a command to its end, whatever still holds its pipe. When ctx or the limit ends first, its whole
	// process group is killed.
	Run(ctx context.Context, c Command, limit time.Duration) (Result, error)

	// Stop sends TERM to processes, KILL after a grace to those that are still there, and returns when all are gone.
	Stop(ctx context.Context, which []Process, grace time.Duration) error
}
