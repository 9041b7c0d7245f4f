package x11

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// receiver is the window that gets the keys.
type receiver struct {
	focus xproto.Window // as the server names it: the client's window, or one inside
	top   xproto.Window // the client's top-level window
	title string
	pings bool
	pid   int
}

func (r *receiver) String() string {
	if r.title == "" {
		return fmt.Sprintf("the window 0x%x", uint32(r.top))
	}
	return fmt.Sprintf("the window %q", r.title)
}

// receiver finds the window that has the focus.
func (d *Display) receiver(ctx context.Context) (*receiver, error) {
	for range 3 { // a window may go while it is looked at
		r, err := d.findReceiver(ctx)
		if !vanished(err) {
			return r, err
		}
	}
	return nil, guirun.Faultf(guirun.ClassFocus, "the window that had the focus is gone, and no other has it: name one with target, or wait for it")
}

func (d *Display) findReceiver(ctx context.Context) (*receiver, error) {
	reply, err := ask(ctx, d, xproto.GetInputFocus(d.conn).Reply)
	if err != nil {
		return nil, err
	}
	focus := reply.Focus
	if focus == xproto.InputFocusPointerRoot || focus == d.root {
		under, err := ask(ctx, d, xproto.QueryPointer(d.conn, d.root).Reply)
		if err != nil {
			return nil, err
		}
		focus = under.Child
	}
	if focus == xproto.InputFocusNone {
		return nil, guirun.Faultf(guirun.ClassFocus, "no window has the focus, so nothing would receive the keys: name one with target")
	}
	r := &receiver{focus: focus}
	if r.top, err = d.topLevel(ctx, focus); err != nil {
		return nil, err
	}
	protocols := d.property(r.top, d.atoms.wmProtocols)
	name := d.property(r.top, d.atoms.netWMName)
	oldName := d.property(r.top, xproto.AtomWmName)
	pid := d.property(r.top, d.atoms.netWMPID)
	p, err := ask(ctx, d, protocols.Reply)
	if err != nil {
		return nil, err
	}
	r.pings = slices.Contains(numbers(p), uint32(d.atoms.netWMPing))
	if p, err = ask(ctx, d, name.Reply); err != nil {
		return nil, err
	}
	r.title = text(p)
	if p, err = ask(ctx, d, oldName.Reply); err != nil {
		return nil, err
	}
	if r.title == "" {
		r.title = text(p)
	}
	if p, err = ask(ctx, d, pid.Reply); err != nil {
		return nil, err
	}
	if n := numbers(p); len(n) > 0 {
		r.pid = int(n[0])
	}
	return r, nil
}

// topLevel is the client's own window that holds another, which has the state that window managers give; without one
// the child of the root.
func (d *Display) topLevel(ctx context.Context, w xproto.Window) (xproto.Window, error) {
	for {
		state, tree := d.property(w, d.atoms.wmState), xproto.QueryTree(d.conn, w)
		p, err := ask(ctx, d, state.Reply)
		if err != nil {
			return 0, err
		}
		t, err := ask(ctx, d, tree.Reply)
		if err != nil {
			return 0, err
		}
		if p.Format != 0 || t.Parent == d.root || t.Parent == 0 {
			return w, nil
		}
		w = t.Parent
	}
}

// stay watches a window while keys are sent to it.
type stay struct {
	mu    sync.Mutex
	left  bool
	at    uint16        // the last of this connection's requests before the focus left
	ended chan struct{} // closed when the window closed
}

// stays notes when the focus leaves the receiver, and when that closes.
func (d *Display) stays(r *receiver) (s *stay, stop func()) {
	s = &stay{ended: make(chan struct{})}
	leave := func(at uint16) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.left {
			s.left, s.at = true, at
		}
	}
	end := sync.OnceFunc(func() { close(s.ended) })
	stop = d.listen(func(event xgb.Event) {
		switch e := event.(type) {
		case xproto.FocusOutEvent:
			// A grab keeps the focus where it is; inferior is a part of the window; pointer does not concern the focus.
			grab := e.Mode == xproto.NotifyModeGrab || e.Mode == xproto.NotifyModeUngrab
			if e.Event == r.top && !grab && e.Detail != xproto.NotifyDetailInferior && e.Detail < xproto.NotifyDetailPointer {
				leave(e.Sequence)
			}
		case xproto.UnmapNotifyEvent:
			if e.Window == r.top {
				leave(e.Sequence)
				end()
			}
		case xproto.DestroyNotifyEvent:
			if e.Window == r.top {
				leave(e.Sequence)
				end()
			}
		}
	})
	d.watch(r.top)
	return s, stop
}

// until says whether the focus left, and after which request.
func (s *stay) until() (at uint16, left bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at, s.left
}

// Bounds of waiting for a program to have read its keys.
const (
	answerTime = 10 * time.Second // a program that works longer on what it got is not waited for
	liarTime   = time.Second      // asleep for so long without an answer: it says that it answers pings, and does not
	pollTime   = 50 * time.Millisecond
)

// settle returns when the receiver has read all events that it was sent, as far as that can be told: it answers a ping,
// or sleeps and has not run in between. A window that closed has read what it will.
func (d *Display) settle(ctx context.Context, r *receiver, s *stay) error {
	answered := make(chan struct{})
	stop := func() {}
	if r.pings {
		d.input.pings++
		number := d.input.pings
		once := sync.OnceFunc(func() { close(answered) })
		stop = d.listen(func(event xgb.Event) {
			m, ok := event.(xproto.ClientMessageEvent)
			if ok && m.Window == d.root && m.Type == d.atoms.wmProtocols && m.Format == 32 &&
				m.Data.Data32[0] == uint32(d.atoms.netWMPing) && m.Data.Data32[1] == number && m.Data.Data32[2] == uint32(r.top) {
				once()
			}
		})
		d.send(r.top, 0, xproto.ClientMessageEvent{Format: 32, Window: r.top, Type: d.atoms.wmProtocols,
			Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(d.atoms.netWMPing), number, uint32(r.top), 0, 0})})
	}
	defer stop()
	// The second time, what the server wrote for the receiver the first time has been sent.
	for range 2 {
		if err := d.sync(ctx); err != nil {
			return err
		}
	}
	if r.pid == 0 {
		pid, err := d.clientPID(ctx, r.top)
		if err != nil && !vanished(err) {
			return err
		}
		r.pid = pid
	}
	return d.settled(ctx, r, s, answered)
}

func (d *Display) settled(ctx context.Context, r *receiver, s *stay, answered <-chan struct{}) error {
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	began := time.Now()
	last, quiet := "", began
	if !r.pings {
		last, _ = activity(r.pid)
	}
	for {
		select {
		case <-answered:
			return nil
		case <-s.ended:
			return nil
		case <-d.events.gone:
			return guirun.ErrGone
		case <-ctx.Done():
			return ctx.Err()
		case now := <-poll.C:
			current, asleep := activity(r.pid)
			if !asleep || current != last {
				last, quiet = current, now
			} else if !r.pings || now.Sub(quiet) >= liarTime {
				return nil
			}
			if now.Sub(began) >= answerTime {
				return guirun.Faultf(guirun.ClassTimeout, "%v has not read its keys for %v: its program is busy or hangs", r, answerTime)
			}
		}
	}
}

// activity tells a process's doings: it changes whenever one of its threads ran. asleep: none runs or wants to.
func activity(pid int) (so string, asleep bool) {
	dir := fmt.Sprintf("/proc/%d/task", pid)
	tasks, err := os.ReadDir(dir)
	if pid == 0 || err != nil {
		return "", true // of another machine, or gone
	}
	var b strings.Builder
	asleep = true
	for _, task := range tasks {
		status, err := os.ReadFile(dir + "/" + task.Name() + "/status")
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "State:\tR") || strings.HasPrefix(line, "State:\tD") {
				asleep = false
			}
			if strings.Contains(line, "ctxt_switches:") {
				b.WriteString(line)
			}
		}
	}
	return b.String(), asleep
}

// clientPID asks the server which process a window's client is; 0: it cannot tell.
func (d *Display) clientPID(ctx context.Context, w xproto.Window) (int, error) {
	asked := d.askClientPID(w)
	if asked == nil {
		return 0, nil
	}
	reply, err := ask(ctx, d, asked.Reply)
	return readClientPID(reply), err
}

func (d *Display) askClientPID(w xproto.Window) *xgb.Cookie {
	if d.input.ext.xres == 0 {
		return nil
	}
	const queryClientIDs, localPID = 4, 2
	b := d.request(d.input.ext.xres, queryClientIDs, 16)
	b[4] = 1
	putNumber(b[8:], uint32(w))
	putNumber(b[12:], localPID)
	return d.post(b, true)
}

func readClientPID(reply []byte) int {
	if len(reply) < 48 || reply[8] == 0 {
		return 0
	}
	return int(number(reply[44:]))
}

func putNumber(b []byte, n uint32) {
	b[0], b[1], b[2], b[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
}
func number(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
