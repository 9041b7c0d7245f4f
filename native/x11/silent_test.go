package x11

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// A server that does not answer any more, as one that a program has grabbed for good, holds nobody up.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d, grabber := k.connect(), k.connect()
	if err := do(k.ctx, grabber, xproto.GrabServerChecked(grabber.conn).Check); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	go func() {
		_, err := Open(k.ctx, k.display, Options{})
		opened <- err
	}()
	closed := make(chan error, 1)
	go func() { closed <- d.Close() }()
	for what, ended := range map[string]chan error{"Open": opened, "Close": closed} {
		select {
		case err := <-ended:
			if err == nil || what == "Open" && !strings.Contains(err.Error(), "does not answer") {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(startTime + answerTime):
			t.Errorf("%s hangs", what)
		}
	}
}

// Nor does one that ceases to answer in the middle: what is asked ends with a fault, and all that comes later at once.
func TestServerFallsSilent(t *testing.T) {
	t.Parallel()
	k := newDesk(t, "")
	d, grabber := k.open(Options{}), k.connect()
	if err := do(k.ctx, grabber, xproto.GrabServerChecked(grabber.conn).Check); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Windows(k.ctx); err == nil || !strings.Contains(err.Error(), "has not answered") || class(t, err) != guirun.ClassDisplay {
		t.Errorf("%v", err)
	}
	began := time.Now()
	if _, err := d.Screenshot(k.ctx); class(t, err) != guirun.ClassDisplay || time.Since(began) >= answerTime {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestStoppedGuardian(t *testing.T) {
	t.Parallel()
	g, err := StartGuardian(context.Background(), GuardCommand())
	if err != nil {
		t.Fatal(err)
	}
	syscall.Kill(g.PID(), syscall.SIGSTOP)
	defer syscall.Kill(g.PID(), syscall.SIGKILL)
	began := time.Now()
	if err := g.TearDown(context.Background()); err != nil {
		t.Error(err)
	}
	syscall.Kill(g.PID(), syscall.SIGSTOP)
	if err := g.End(); err != nil || time.Since(began) >= answerTime {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// Who no longer waits for an answer leaves it to nobody else.
func TestGuardianInStep(t *testing.T) {
	t.Parallel()
	g, err := StartGuardian(context.Background(), GuardCommand())
	if err != nil {
		t.Fatal(err)
	}
	defer g.End()
	interrupted, cancel := context.WithCancel(context.Background())
	cancel()
	for range 3 {
		g.ask(interrupted, "display 1 1 :none")
	}
	ctx, stop := context.WithTimeout(context.Background(), answerTime)
	defer stop()
	if err := g.TearDown(ctx); err != nil {
		t.Error(err)
	}
	if err := g.ask(ctx, "display 1 1 :none"); err == nil || !strings.Contains(err.Error(), "cannot connect") {
		t.Error(err)
	}
}
