package guirun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Calls that the syscall package does not know; their numbers are the same on all of Linux's machines.
const (
	sysPidfdSendSignal = 424
	sysPidfdOpen       = 434
)

// held is a process that is held by a descriptor: a signal through it can hit no other one.
type held struct {
	Process
	fd int
}

// hold opens a process; fd is -1 when it is gone.
func (p *processes) hold(which Process) (held, error) {
	fd, _, errno := syscall.Syscall(sysPidfdOpen, uintptr(which.PID), 0, 0)
	h := held{which, int(fd)}
	switch errno {
	case 0:
	case syscall.ESRCH, syscall.EINVAL, syscall.ENOENT: // the latter two: a thread has the number now
		h.fd = -1
		return h, nil
	default:
		return h, fmt.Errorf("process %d (%s) cannot be ended: %w", which.PID, shortCommand(which.Command), errno)
	}
	// Read after opening: who has the number and that start time now had the number then, too.
	p.mu.Lock()
	now, ok := p.reader.stat(strconv.Itoa(which.PID))
	p.mu.Unlock()
	if !ok || now.started != which.Started || now.ended() {
		syscall.Close(h.fd)
		h.fd = -1
	}
	return h, nil
}

func (h *held) signal(s syscall.Signal) error {
	_, _, errno := syscall.Syscall6(sysPidfdSendSignal, uintptr(h.fd), uintptr(s), 0, 0, 0, 0)
	if errno != 0 && errno != syscall.ESRCH {
		return Faultf(ClassUnavailable, "process %d (%s) cannot be ended: %v", h.PID, shortCommand(h.Command), errno)
	}
	return nil
}

// shortCommand is enough of a command line to know it by.
func shortCommand(command string) string {
	const most = 80
	if len(command) <= most {
		return command
	}
	return command[:wholeEnd([]byte(command[:most]))] + "…"
}

// Stop implements Processes.
func (p *processes) Stop(ctx context.Context, which []Process, grace time.Duration) error {
	var left []held
	defer func() {
		for _, h := range left {
			syscall.Close(h.fd)
		}
	}()
	var problems []error
	for _, process := range which {
		h, err := p.hold(process)
		switch {
		case err != nil:
			problems = append(problems, err)
		case h.fd < 0:
		default:
			if err := h.signal(syscall.SIGTERM); err != nil {
				problems = append(problems, err)
				syscall.Close(h.fd)
				continue
			}
			left = append(left, h)
		}
	}
	soon, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	left, err := awaitGone(soon, left)
	if err != nil {
		return errors.Join(append(problems, err)...)
	}
	if len(left) > 0 && ctx.Err() == nil {
		for i := range left {
			if err := left[i].signal(syscall.SIGKILL); err != nil {
				problems = append(problems, err)
			}
		}
		if left, err = awaitGone(ctx, left); err != nil {
			return errors.Join(append(problems, err)...)
		}
	}
	if len(left) > 0 {
		var names []string
		for _, h := range left {
			names = append(names, fmt.Sprintf("%d (%s)", h.PID, shortCommand(h.Command)))
		}
		problems = append(problems, fmt.Errorf("%w: still there: %s", cutShort(ctx), strings.Join(names, ", ")))
	}
	return oneOf(problems)
}

// oneOf joins problems; a single one stays as it is.
func oneOf(problems []error) error {
	if len(problems) == 1 {
		return problems[0]
	}
	return errors.Join(problems...)
}

// awaitGone waits until processes have ended, or ctx has; it returns those that are left.
func awaitGone(ctx context.Context, left []held) ([]held, error) {
	if len(left) == 0 {
		return left, nil
	}
	read, write, err := os.Pipe() // its end wakes the wait
	if err != nil {
		return left, err
	}
	defer read.Close()
	wake := context.AfterFunc(ctx, func() { write.Close() })
	defer func() {
		if wake() {
			write.Close()
		}
	}()
	for len(left) > 0 && ctx.Err() == nil {
		const readable = 1
		set := make([]pollFD, len(left), len(left)+1)
		for i, h := range left {
			set[i] = pollFD{fd: int32(h.fd), events: readable}
		}
		set = append(set, pollFD{fd: int32(read.Fd()), events: readable})
		if err := poll(set); err != nil {
			return left, err
		}
		still := left[:0]
		for i, h := range left {
			if set[i].happened != 0 {
				syscall.Close(h.fd)
			} else {
				still = append(still, h)
			}
		}
		left = still
	}
	return left, nil
}

// pollFD is struct pollfd of poll(2).
type pollFD struct {
	fd               int32
	events, happened int16
}

func poll(set []pollFD) error {
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&set[0])), uintptr(len(set)), 0, 0, 0, 0)
		switch errno {
		case 0:
			return nil
		case syscall.EINTR:
		default:
			return errno
		}
	}
}
