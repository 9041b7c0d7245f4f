// Package x11 lets guirun act on an X11 display: windows, clicks, keys, text and screenshots, over one connection.
package x11

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// Options say how to act on a display; the zero value is usable.
type Options struct {
	KeyDelay time.Duration // waited after each key; 0: none
	Note     func(string)  // told, in a sentence, what was found and put right; nil: nobody
	// Guard is the command line that starts a guardian, GuardCommand; nil: none is started, and only the next Open
	// repairs what a killed run left.
	Guard    []string
	Guardian *Guardian // one that runs already, which is used instead
}

// Display is a connection to an X11 display. Its methods may be called by several goroutines; those that type or press
// take turns.
type Display struct {
	name   string
	conn   *xgb.Conn // requests go through its wire, see there
	wire   *wire
	screen *xproto.ScreenInfo
	root   xproto.Window
	own    xproto.Window // of no size: its end tells the guardian that this connection is closed
	atoms  atoms
	o      Options
	events events
	input  input

	listing listing
	camera  camera

	closing sync.Once
}

// Open connects to a display (":1", "host:0.0") and repairs what a killed run left on it.
func Open(ctx context.Context, display string, o Options) (*Display, error) {
	d, err := connect(ctx, display)
	if err != nil {
		return nil, err
	}
	d.o = o
	if err := d.openInput(ctx); err != nil {
		d.leave()
		return nil, err
	}
	return d, nil
}

// connect opens the connection alone: atoms, own window, events.
func connect(ctx context.Context, display string) (*Display, error) {
	wire, err := dial(ctx, display)
	if err != nil {
		return nil, guirun.Faultf(guirun.ClassDisplay, "cannot connect to the display %s: %v; is an X server running there, and may this user use it?", display, err)
	}
	return connectOver(ctx, display, wire)
}

// connectOver opens the connection over a wire that was dialled.
func connectOver(ctx context.Context, display string, wire *wire) (*Display, error) {
	xgb.Logger.SetOutput(io.Discard) // it would speak to the user of lost connections; they are told by errors
	// A server that is stopped, or that a program has grabbed, accepts and says nothing.
	limited, cancel := context.WithTimeoutCause(ctx, startTime,
		guirun.Faultf(guirun.ClassDisplay, "the display %s does not answer: its server is stopped, or a program has grabbed it", display))
	defer cancel()
	late := func(err error) error {
		if limited.Err() != nil {
			return context.Cause(limited)
		}
		return err
	}
	hurry := context.AfterFunc(limited, func() { wire.Close() })
	conn, err := xgb.NewConnNet(wire)
	hurry()
	if err != nil {
		wire.Close()
		return nil, late(guirun.Faultf(guirun.ClassDisplay, "the display %s refuses: %v", display, err))
	}
	d := &Display{name: display, conn: conn, wire: wire}
	if err := d.begin(limited); err != nil {
		d.leave()
		return nil, late(err)
	}
	return d, nil
}

func (d *Display) begin(ctx context.Context) error {
	setup := xproto.Setup(d.conn)
	if d.wire.screen >= len(setup.Roots) {
		return guirun.Faultf(guirun.ClassDisplay, "the display %s has no screen %d", d.name, d.wire.screen)
	}
	d.screen = &setup.Roots[d.wire.screen]
	d.root = d.screen.Root
	d.events.start(d.conn)
	id, err := xproto.NewWindowId(d.conn)
	if err != nil {
		return d.fault(err)
	}
	d.own = id
	xproto.CreateWindow(d.conn, 0, d.own, d.root, -1, -1, 1, 1, 0, xproto.WindowClassInputOnly, 0,
		xproto.CwOverrideRedirect, []uint32{1})
	// Substructure: windows come and go, and clients answer pings there.
	xproto.ChangeWindowAttributes(d.conn, d.root, xproto.CwEventMask,
		[]uint32{xproto.EventMaskPropertyChange | xproto.EventMaskSubstructureNotify | xproto.EventMaskStructureNotify | xproto.EventMaskFocusChange})
	if err := d.internAtoms(ctx); err != nil {
		return err
	}
	return d.sync(ctx)
}

// Close puts back what was changed and leaves the display. It may be called twice.
func (d *Display) Close() error {
	var err error
	d.closing.Do(func() {
		err = d.closeInput()
		d.leave()
		d.closeCamera()
	})
	return err
}

// leave ends the connection and waits for its goroutine. What is still unsent is lost.
func (d *Display) leave() {
	d.wire.Close()
	d.conn.Close()
	if d.events.gone != nil {
		<-d.events.gone
	}
}

// Gone is closed when the connection has ended, whoever ended it.
func (d *Display) Gone() <-chan struct{} { return d.events.gone }

// ask waits for a reply that is on its way: ask(ctx, d, xproto.GetGeometry(d.conn, w).Reply). To pipeline, send several
// requests first and ask for each reply afterwards.
func ask[T any](ctx context.Context, d *Display, reply func() (T, error)) (T, error) {
	type answer struct {
		is  T
		err error
	}
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	got := make(chan answer, 1) // a reply that nobody waits for any more is dropped
	go func() {
		is, err := reply()
		got <- answer{is, err}
	}()
	patience := time.NewTimer(answerTime)
	defer patience.Stop()
	var none T
	select {
	case a := <-got:
		return a.is, d.fault(a.err)
	case <-patience.C:
		return none, d.silent()
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// silent leaves a display that does not answer: nothing more is waited for.
func (d *Display) silent() error {
	d.wire.Close()
	return guirun.Faultf(guirun.ClassDisplay, "the display %s has not answered for %v: its server is stopped, or a program has grabbed it", d.name, answerTime)
}

// do waits until the server has handled a checked request: do(ctx, d, xproto.MapWindowChecked(d.conn, w).Check).
func do(ctx context.Context, d *Display, check func() error) error {
	_, err := ask(ctx, d, func() (struct{}, error) { return struct{}{}, check() })
	return err
}

// fault makes an error of the connection or the server one for people: ErrGone, or a *Fault. Faults and the ends of
// contexts stay what they are.
func (d *Display) fault(err error) error {
	if err == nil {
		return nil
	}
	var fault *guirun.Fault
	if errors.As(err, &fault) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var window xproto.WindowError
	var drawable xproto.DrawableError
	if errors.As(err, &window) || errors.As(err, &drawable) {
		return guirun.Faultf(guirun.ClassAbsent, "the window vanished meanwhile")
	}
	var refused xgb.Error
	if errors.As(err, &refused) {
		return guirun.Faultf(guirun.ClassDisplay, "the display %s refused a request: %v", d.name, refused)
	}
	return guirun.ErrGone
}

// vanished says whether an error is that of a window that is no longer there.
func vanished(err error) bool {
	var fault *guirun.Fault
	return errors.As(err, &fault) && fault.Class == guirun.ClassAbsent
}

func (d *Display) note(format string, args ...any) {
	if d.o.Note != nil {
		d.o.Note(fmt.Sprintf(format, args...))
	}
}
