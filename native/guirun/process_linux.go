package guirun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// processes implements Processes over /proc.
type processes struct {
	ProcessOptions
	self, session int
	command       string // this process's command line

	mu     sync.Mutex
	reader procReader
	known  table           // of the last listing
	shells map[string]bool // command lines of the shells that ran commands of the run
}

// NewProcesses makes this process the one that orphans among its descendants fall to, so that they stay findable.
func NewProcesses(o ProcessOptions) Processes {
	const setChildSubreaper = 36
	syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0) // refused only by kernels before 3.4
	if o.Env == nil {
		o.Env = os.Environ()
	}
	p := &processes{ProcessOptions: o, self: os.Getpid(), shells: map[string]bool{}}
	if own, ok := p.reader.stat("self"); ok {
		p.session = own.session
	}
	p.command = p.reader.commandLine(p.self)
	return p
}

// shell makes the command; it is remembered, so that its shell is not taken for a program of the run.
func (p *processes) shell(c Command) *exec.Cmd {
	cmd := exec.Command("/bin/sh", "-c", c.Line)
	cmd.Env = slices.Concat(p.Env, c.Env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	p.mu.Lock()
	p.shells[strings.Join(cmd.Args, " ")] = true
	p.mu.Unlock()
	return cmd
}

// Bytes of output that Start's result keeps.
const startTail = 4 << 10

// Start implements Processes. The result's output is what was appended to the file of errors since the start, as far as
// 4 KiB go: the command writes there itself, so that it can go on when this process has ended.
func (p *processes) Start(c Command) (int, <-chan Result, error) {
	out, err := p.errors()
	if err != nil {
		return 0, nil, err
	}
	cmd := p.shell(c)
	cmd.Stdout, cmd.Stderr = out.file, out.file
	if err := cmd.Start(); err != nil {
		out.file.Close()
		return 0, nil, fmt.Errorf("the command cannot be started: %w", err)
	}
	done := make(chan Result, 1)
	go func() {
		cmd.Wait()
		done <- out.result(cmd, p.Secrets)
	}()
	return cmd.Process.Pid, done, nil
}

// errorFile is the file of errors, and where it ended before a command began.
type errorFile struct {
	file  *os.File
	begin int64
}

func (p *processes) errors() (*errorFile, error) {
	name := p.Errors
	if name == "" {
		home := variable(p.Env, "HOME")
		if home == "" {
			return nil, errors.New("there is no place for the output of commands: set HOME to a folder that can be written")
		}
		name = filepath.Join(home, ".xsession-errors")
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the output of commands cannot be kept: %w; make the file writable, or set HOME to a folder that is", err)
	}
	begin, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("the output of commands cannot be kept: %w", err)
	}
	return &errorFile{f, begin}, nil
}

// variable is the value that a program finds: the last one.
func variable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if key, value, _ := strings.Cut(entry, "="); key == name {
			return value
		}
	}
	return ""
}

// result reads what came since the beginning, and closes the file.
func (e *errorFile) result(cmd *exec.Cmd, secrets *Secrets) Result {
	defer e.file.Close()
	result := Result{Exit: exitOf(cmd)}
	end, err := e.file.Seek(0, io.SeekEnd)
	if err != nil {
		return result
	}
	begin := e.begin
	if end < begin { // emptied meanwhile
		begin = 0
	}
	const margin = 16 * startTail // what is redacted is read from well before what is kept
	skipped := max(0, end-begin-margin)
	tail := make([]byte, end-begin-skipped)
	n, _ := e.file.ReadAt(tail, begin+skipped)
	text := secrets.Bytes(tail[:n])
	if cut := len(text) - startTail; cut > 0 {
		cut += wholeStart(text[cut:])
		text, skipped = text[cut:], skipped+int64(cut)
	}
	result.Output, result.Cut = string(text), skipped
	return result
}

// exitOf is how a command that was waited for ended, as a shell says it.
func exitOf(cmd *exec.Cmd) int {
	if cmd.ProcessState == nil { // something else took its status
		return -1
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// Run implements Processes.
func (p *processes) Run(ctx context.Context, c Command, limit time.Duration) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, cutShort(ctx)
	}
	cmd := p.shell(c)
	var finish func() Result
	if c.Limit > 0 {
		read, write, err := os.Pipe()
		if err != nil {
			return Result{}, err
		}
		cmd.Stdout, cmd.Stderr = write, write
		err = cmd.Start()
		write.Close()
		if err != nil {
			read.Close()
			return Result{}, fmt.Errorf("the command cannot be started: %w", err)
		}
		out := readPipe(read, newCapped(c.Limit), p.Secrets)
		finish = func() Result {
			out.settle()
			text, cut := out.kept.text()
			return Result{Exit: exitOf(cmd), Output: text, Cut: cut}
		}
	} else {
		out, err := p.errors()
		if err != nil {
			return Result{}, err
		}
		cmd.Stdout, cmd.Stderr = out.file, out.file
		if err := cmd.Start(); err != nil {
			out.file.Close()
			return Result{}, fmt.Errorf("the command cannot be started: %w", err)
		}
		finish = func() Result { return out.result(cmd, p.Secrets) }
	}
	fault := awaitEnd(ctx, cmd.Process.Pid, limit)
	if fault != nil {
		// It has not been waited for, so that its number, which is its group's, is still its own.
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	cmd.Wait()
	return finish(), fault
}

// awaitEnd returns when a child has ended, without taking its status, or says what ended first.
func awaitEnd(ctx context.Context, pid int, limit time.Duration) error {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		const byPID = 1
		var info [128]byte
		for {
			_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), uintptr(unsafe.Pointer(&info)), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
			if errno != syscall.EINTR {
				return
			}
		}
	}()
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-ended:
		return nil
	case <-late:
		return Faultf(ClassTimeout, "the command did not end within %v; it and what it started were killed", limit)
	case <-ctx.Done():
		return cutShort(ctx)
	}
}

// cutShort is the fault of an action that ctx ended: its cause where that is a fault, else the deadline.
func cutShort(ctx context.Context) error {
	cause := context.Cause(ctx)
	var fault *Fault
	if errors.As(cause, &fault) {
		return fault
	}
	return Faultf(ClassDeadline, "it was cut short: %v", cause)
}

// pipeOutput is what is read from a command's pipe.
type pipeOutput struct {
	read *os.File
	kept *capped
	to   *Redactor // kept, behind what takes secrets out
	done chan struct{}
	over bool // nobody holds the pipe any more
}

func readPipe(read *os.File, kept *capped, secrets *Secrets) *pipeOutput {
	out := &pipeOutput{read: read, kept: kept, to: secrets.Writer(kept), done: make(chan struct{})}
	go func() {
		defer close(out.done)
		_, err := io.Copy(struct{ io.Writer }{out.to}, read)
		out.over = err == nil
	}()
	return out
}

// settle returns when all has been read that the command wrote, which has ended. What it left running may hold the pipe
// for long: that goes on writing, and nobody keeps it.
func (o *pipeOutput) settle() {
	defer o.to.Flush() // to memory
	o.read.SetReadDeadline(time.Unix(1, 0))
	<-o.done
	if o.over {
		o.read.Close()
		return
	}
	raw, err := o.read.SyscallConn()
	if err == nil {
		raw.Control(func(fd uintptr) {
			var waiting int32
			syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCINQ, uintptr(unsafe.Pointer(&waiting)))
			buf := make([]byte, waiting)
			for len(buf) > 0 {
				n, err := syscall.Read(int(fd), buf)
				if err == syscall.EINTR {
					continue
				}
				if n <= 0 {
					break
				}
				o.to.Write(buf[:n])
				buf = buf[n:]
			}
		})
	}
	o.read.SetReadDeadline(time.Time{})
	go func() {
		io.Copy(struct{ io.Writer }{io.Discard}, o.read)
		o.read.Close()
	}()
}
