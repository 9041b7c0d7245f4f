package x11

import (
	"context"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// manager is what a window manager tells.
type manager struct {
	lives  bool
	check  xproto.Window   // by which it shows that it lives
	list   []xproto.Window // its clients, oldest first
	active xproto.Window
	tree   []xproto.Window // without one: the root's children, lowest first
	focus  xproto.Window   // as the server names it
}

// askManager reads who manages windows, and which: in one round trip when nothing has changed. The caller may change
// what it gets, but not the lists.
func (d *Display) askManager(ctx context.Context) (*manager, error) {
	l := d.openListing()
	asked := xproto.GetInputFocus(d.conn)
	if err := d.sync(ctx); err != nil { // what has changed is heard
		return nil, err
	}
	focus, err := ask(ctx, d, asked.Reply)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	m, changes := l.manager, l.changes
	l.mu.Unlock()
	if m == nil {
		if m, err = d.readManager(ctx); err != nil {
			return nil, err
		}
		l.mu.Lock()
		if l.changes == changes {
			l.manager = m
		}
		l.mu.Unlock()
	}
	now := *m
	now.focus = focus.Focus
	return &now, nil
}

// readManager asks all of it. A manager that ended leaves its properties behind: its window is gone.
func (d *Display) readManager(ctx context.Context) (*manager, error) {
	var properties [3]xproto.GetPropertyCookie
	var tree xproto.QueryTreeCookie
	d.wire.together(func() {
		for i, name := range []xproto.Atom{d.atoms.netSupportingWMCheck, d.atoms.netClientList, d.atoms.netActiveWindow} {
			properties[i] = d.property(d.root, name)
		}
		tree = xproto.QueryTree(d.conn, d.root)
	})
	var values [3][]uint32
	for i, asked := range properties {
		reply, err := ask(ctx, d, asked.Reply)
		if err != nil {
			return nil, err
		}
		values[i] = numbers(reply)
	}
	children, err := ask(ctx, d, tree.Reply)
	if err != nil {
		return nil, err
	}
	m := &manager{tree: children.Children}
	for _, w := range values[1] {
		m.list = append(m.list, xproto.Window(w))
	}
	if len(values[2]) > 0 {
		m.active = xproto.Window(values[2][0])
	}
	if len(values[0]) > 0 {
		m.check = xproto.Window(values[0][0])
		d.watch(m.check) // its end is the manager's
		again, err := d.askNumbers(ctx, m.check, d.atoms.netSupportingWMCheck)
		if err != nil && !vanished(err) {
			return nil, err
		}
		m.lives = len(again) > 0 && again[0] == values[0][0]
	}
	return m, nil
}

// awaitManager returns when a window manager does its work. Its properties come before that, and what is mapped in between is
// lost to openbox: so it is asked for something, until it answers.
func (d *Display) awaitManager(ctx context.Context) error {
	w, err := xproto.NewWindowId(d.conn)
	if err != nil {
		return d.fault(err)
	}
	answered, stop := d.expect(func(event xgb.Event) bool {
		p, ok := event.(xproto.PropertyNotifyEvent)
		return ok && p.Window == w && p.Atom == d.atoms.netFrameExtents
	})
	defer stop()
	xproto.CreateWindow(d.conn, 0, w, d.root, 0, 0, 1, 1, 0, xproto.WindowClassInputOutput, 0, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
	defer xproto.DestroyWindow(d.conn, w)
	came := make(chan error, 1)
	go func() { came <- answered(ctx) }()
	again := time.NewTicker(pollTime)
	defer again.Stop()
	for {
		d.send(d.root, xproto.EventMaskSubstructureNotify|xproto.EventMaskSubstructureRedirect,
			xproto.ClientMessageEvent{Format: 32, Window: w, Type: d.atoms.netRequestFrameExtents, Data: xproto.ClientMessageDataUnionData32New(make([]uint32, 5))})
		select {
		case err := <-came:
			if err != nil && ctx.Err() != nil {
				return guirun.Faultf(guirun.ClassDisplay, "no window manager began to work on the display %s in time", d.name)
			}
			return err
		case <-again.C:
		}
	}
}
