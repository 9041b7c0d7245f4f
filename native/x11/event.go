package x11

import (
	"context"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// events hands each event of the connection to all who listen, in order.
type events struct {
	gone chan struct{} // closed when the connection has ended

	mu        sync.Mutex
	listeners []*listener // in the order they came
	watched   map[xproto.Window]bool
	syncs     uint32
}

type listener struct{ heard func(xgb.Event) }

func (e *events) start(conn *xgb.Conn) {
	e.gone = make(chan struct{})
	e.watched = map[xproto.Window]bool{}
	go func() {
		defer close(e.gone)
		for {
			event, err := conn.WaitForEvent()
			if event == nil && err == nil {
				return
			}
			if event != nil { // errors of unchecked requests are those of windows that went meanwhile
				e.dispatch(event)
			}
		}
	}()
}

func (e *events) dispatch(event xgb.Event) {
	e.mu.Lock()
	if gone, ok := event.(xproto.DestroyNotifyEvent); ok {
		delete(e.watched, gone.Window)
	}
	now := append([]*listener(nil), e.listeners...)
	e.mu.Unlock()
	for _, l := range now {
		l.heard(event)
	}
}

// listen calls heard with each event from now on until stop, on the goroutine that reads events: it must not wait, nor
// wait for a reply. A call may still be under way when stop returns.
func (d *Display) listen(heard func(xgb.Event)) (stop func()) {
	l := &listener{heard}
	d.events.mu.Lock()
	d.events.listeners = append(d.events.listeners, l)
	d.events.mu.Unlock()
	return func() {
		d.events.mu.Lock()
		defer d.events.mu.Unlock()
		kept := d.events.listeners[:0:0]
		for _, other := range d.events.listeners {
			if other != l {
				kept = append(kept, other)
			}
		}
		d.events.listeners = kept
	}
}

// expect listens for the first event that fits. Call it before the request that causes the event; then wait for it.
func (d *Display) expect(fits func(xgb.Event) bool) (wait func(context.Context) error, stop func()) {
	came := make(chan struct{})
	var once sync.Once
	stop = d.listen(func(event xgb.Event) {
		if fits(event) {
			once.Do(func() { close(came) })
		}
	})
	return func(ctx context.Context) error { return d.await(ctx, came) }, stop
}

// await waits for a channel to close; ErrGone when the connection ends first, ctx's error when that does.
func (d *Display) await(ctx context.Context, came <-chan struct{}) error {
	select {
	case <-came:
		return nil
	case <-d.events.gone:
		return guirun.ErrGone
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sync returns when the server has handled all requests before it, and all events before that have been heard.
func (d *Display) sync(ctx context.Context) error {
	d.events.mu.Lock()
	d.events.syncs++
	number := d.events.syncs
	d.events.mu.Unlock()
	wait, stop := d.expect(func(event xgb.Event) bool {
		m, ok := event.(xproto.ClientMessageEvent)
		return ok && m.Window == d.own && m.Format == 32 && m.Data.Data32[0] == number
	})
	defer stop()
	d.send(d.own, 0, xproto.ClientMessageEvent{Format: 32, Window: d.own, Type: xproto.AtomString,
		Data: xproto.ClientMessageDataUnionData32New([]uint32{number, 0, 0, 0, 0})})
	within, stopped := context.WithTimeout(ctx, answerTime)
	defer stopped()
	if err := wait(within); err == nil || ctx.Err() != nil || within.Err() == nil {
		return err
	}
	return d.silent()
}

// send sends an event to a window; to whoever made it when mask is 0.
func (d *Display) send(to xproto.Window, mask uint32, event xgb.Event) {
	xproto.SendEvent(d.conn, false, to, mask, string(event.Bytes()))
}

// watch has events of another client's window arrive: its properties, place and end, and focus that comes and goes.
// A connection has one mask for a window, so nobody else sets it.
func (d *Display) watch(w xproto.Window) {
	d.events.mu.Lock()
	known := d.events.watched[w]
	d.events.watched[w] = true
	d.events.mu.Unlock()
	if known || w == d.root {
		return
	}
	xproto.ChangeWindowAttributes(d.conn, w, xproto.CwEventMask,
		[]uint32{xproto.EventMaskPropertyChange | xproto.EventMaskStructureNotify | xproto.EventMaskFocusChange})
}
