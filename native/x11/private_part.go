package x11

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"asz/native/guirun"
)

// part is a program that a private desktop is made of.
type part struct {
	name    string
	role    Role
	process *exec.Cmd
	started uint64        // clock ticks since boot
	ended   chan struct{} // closed when it has ended and was waited for
	how     error         // how it ended
	log     string        // the file of what it says
}

// run starts a part in a session of its own, so that a Ctrl-C in the terminal does not reach it; extra becomes its
// descriptor 3.
func (p *Private) run(role Role, extra *os.File, name string, args ...string) (*part, error) {
	q := &part{name: name, role: role, process: exec.Command(name, args...), ended: make(chan struct{}), log: filepath.Join(p.dir, name+".log")}
	q.process.Env, q.process.Dir = p.Env, p.dir
	q.process.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if extra != nil {
		q.process.ExtraFiles = []*os.File{extra}
	}
	log, err := os.Create(q.log)
	if err != nil {
		return nil, guirun.Faultf(guirun.ClassDisplay, "%s cannot be started: %v", name, err)
	}
	defer log.Close()
	q.process.Stdout, q.process.Stderr = log, log
	if err := q.process.Start(); err != nil {
		return nil, guirun.Faultf(guirun.ClassDisplay, "%s cannot be started: %v", name, err)
	}
	if of, err := readProcess(q.process.Process.Pid); err == nil {
		q.started = of.started
	}
	err = p.guard.Own(role, q.process.Process.Pid)
	p.mu.Lock()
	p.parts = append(p.parts, q)
	p.mu.Unlock()
	go func() {
		q.how = q.process.Wait()
		close(q.ended)
	}()
	return q, err
}

// piped starts a part and returns the first line that it writes to descriptor 3: it is ready then.
func (p *Private) piped(ctx context.Context, role Role, name string, args ...string) (string, error) {
	from, to, err := os.Pipe()
	if err != nil {
		return "", guirun.Faultf(guirun.ClassDisplay, "%s cannot be started: %v", name, err)
	}
	defer from.Close()
	q, err := p.run(role, to, name, args...)
	to.Close()
	if err != nil {
		return "", err
	}
	ctx, stop := q.during(ctx)
	defer stop()
	release := context.AfterFunc(ctx, func() { from.SetReadDeadline(time.Unix(1, 0)) })
	defer release()
	line, err := bufio.NewReader(from).ReadString('\n')
	if err != nil {
		return "", p.failed(ctx, q, err)
	}
	return strings.TrimSpace(line), nil
}

var errEnded = errors.New("it ended")

// during ends when the part does, and when it has had its time.
func (q *part) during(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(startTime, func() { cancel(context.DeadlineExceeded) })
	go func() {
		select {
		case <-q.ended:
			cancel(errEnded)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// failed says why a part did not come up, and what it said itself.
func (p *Private) failed(ctx context.Context, q *part, err error) error {
	if errors.Is(err, io.EOF) { // its end of the pipe: the news of its end follows
		<-ctx.Done()
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errEnded):
		err = fmt.Errorf("ended before it was ready (%v)", q.how)
	case errors.Is(cause, context.DeadlineExceeded):
		err = fmt.Errorf("was not ready within %v", startTime)
	case cause != nil:
		return cause
	default:
		err = fmt.Errorf("did not come up: %v", err)
	}
	const tail = 1000
	said, _ := os.ReadFile(q.log)
	text := strings.TrimSpace(string(said[max(0, len(said)-tail):]))
	if text != "" {
		text = "; it said:\n" + text
	}
	return guirun.Faultf(guirun.ClassDisplay, "%s, which a private desktop needs, %v%s", q.name, err, text)
}
