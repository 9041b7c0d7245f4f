package x11

import (
	"cmp"
	"context"
	"image"
	"time"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// uncoverTime is how long a window that was activated may take to come to the top.
const uncoverTime = time.Second

// ClickAt implements guirun.Desktop.
func (d *Display) ClickAt(ctx context.Context, w guirun.WindowID, fx, fy float64) (image.Point, error) {
	return d.click(ctx, xproto.Window(w), func(area image.Rectangle) image.Point {
		return image.Pt(
			area.Min.X+min(area.Dx()-1, int(fx*float64(area.Dx()))),
			area.Min.Y+min(area.Dy()-1, int(fy*float64(area.Dy()))))
	})
}

// ClickPoint implements guirun.Desktop.
func (d *Display) ClickPoint(ctx context.Context, w guirun.WindowID, at image.Point) error {
	_, err := d.click(ctx, xproto.Window(w), func(image.Rectangle) image.Point { return at })
	return err
}

// aim is what a click met.
type aim struct {
	at       image.Point
	lives    bool          // a window manager does
	inactive bool          // the window is not, so nothing was clicked
	over     xproto.Window // what covers the place, so nothing was clicked; 0: clicked
}

// click activates a window and clicks a place in it, as soon as that is not covered any more.
func (d *Display) click(ctx context.Context, w xproto.Window, where func(image.Rectangle) image.Point) (image.Point, error) {
	var covered time.Time // since when
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	var last aim
	for activated, raised := false, false; ; {
		changed := d.Changed()
		a, err := d.tryClick(ctx, w, where, !activated)
		switch {
		case err != nil && ctx.Err() != nil && last.over != 0: // what covers it says more than that the time is over
			return last.at, d.covered(context.WithoutCancel(ctx), w, last.at, last.over)
		case err != nil:
			return a.at, err
		case a.inactive:
			if err := d.Activate(ctx, guirun.WindowID(w)); err != nil {
				return image.Point{}, err
			}
			activated = true
			continue
		case a.over == 0:
			return a.at, nil
		}
		last = a
		if covered.IsZero() {
			covered = time.Now()
		} else if time.Since(covered) > uncoverTime {
			return a.at, d.covered(ctx, w, a.at, a.over)
		}
		if !raised { // it has the focus, and is not on top
			d.raise(w, a.lives)
			raised = true
		}
		select {
		case <-changed:
		case <-poll.C:
		case <-d.events.gone:
			return a.at, guirun.ErrGone
		case <-ctx.Done(): // the next try tells
		}
	}
}

// tryClick finds the place and clicks it while nothing can move.
func (d *Display) tryClick(ctx context.Context, w xproto.Window, where func(image.Rectangle) image.Point, whenActive bool) (a aim, err error) {
	if a.lives, err = d.managed(ctx); err != nil {
		return a, err
	}
	d.input.turn.Lock()
	defer d.input.turn.Unlock()
	var active xproto.GetPropertyCookie
	var attributes xproto.GetWindowAttributesCookie
	var size, screen xproto.GetGeometryCookie
	var place xproto.TranslateCoordinatesCookie
	var tree xproto.QueryTreeCookie
	d.wire.together(func() {
		xproto.GrabServer(d.conn)
		active, attributes = d.property(d.root, d.atoms.netActiveWindow), xproto.GetWindowAttributes(d.conn, w)
		size, screen = xproto.GetGeometry(d.conn, xproto.Drawable(w)), xproto.GetGeometry(d.conn, xproto.Drawable(d.root))
		place, tree = xproto.TranslateCoordinates(d.conn, w, d.root, 0, 0), xproto.QueryTree(d.conn, w)
	})
	clicked := false
	defer func() {
		if clicked {
			d.wire.together(func() {
				d.clickButton(1, int16(a.at.X), int16(a.at.Y))
				xproto.UngrabServer(d.conn)
			})
		} else {
			xproto.UngrabServer(d.conn)
		}
		if _, e := ask(ctx, d, xproto.GetInputFocus(d.conn).Reply); err == nil { // it has handled all of it
			err = e
		}
	}()
	type answers struct {
		active       *xproto.GetPropertyReply
		shown        *xproto.GetWindowAttributesReply
		size, screen *xproto.GetGeometryReply
		place        *xproto.TranslateCoordinatesReply
		tree         *xproto.QueryTreeReply
	}
	got, err := ask(ctx, d, func() (r answers, err error) {
		var failed [6]error
		r.active, failed[0] = active.Reply()
		r.shown, failed[1] = attributes.Reply()
		r.size, failed[2] = size.Reply()
		r.screen, failed[3] = screen.Reply()
		r.place, failed[4] = place.Reply()
		r.tree, failed[5] = tree.Reply()
		return r, cmp.Or(failed[:]...)
	})
	if err != nil {
		return a, err
	}
	if whenActive {
		a.inactive = got.shown.MapState != xproto.MapStateViewable
		if v := numbers(got.active); a.lives {
			a.inactive = a.inactive || len(v) == 0 || xproto.Window(v[0]) != w
		} else if !a.inactive {
			a.inactive, err = d.lacksFocus(ctx, w)
		}
		if err != nil || a.inactive {
			return a, err
		}
	}
	x, y := int(got.place.DstX), int(got.place.DstY)
	a.at = where(image.Rect(x, y, x+int(got.size.Width), y+int(got.size.Height)))
	if width, height := int(got.screen.Width), int(got.screen.Height); !a.at.In(image.Rect(0, 0, width, height)) {
		return a, guirun.Faultf(guirun.ClassOffScreen, "the place %d, %d is off the screen, which has %d×%d pixels: move the window, or use a larger screen",
			a.at.X, a.at.Y, width, height)
	}
	a.over, err = d.inTheWay(ctx, w, got.tree.Parent, a.at)
	clicked = err == nil && a.over == 0
	return a, err
}

// managed says whether a window manager lives, as far as was heard.
func (d *Display) managed(ctx context.Context) (bool, error) {
	l := d.openListing()
	l.mu.Lock()
	m := l.manager
	l.mu.Unlock()
	if m == nil {
		var err error
		if m, err = d.askManager(ctx); err != nil {
			return false, err
		}
	}
	return m.lives, nil
}

func (d *Display) lacksFocus(ctx context.Context, w xproto.Window) (bool, error) {
	focus, err := ask(ctx, d, xproto.GetInputFocus(d.conn).Reply)
	if err != nil || focus.Focus == w {
		return false, err
	}
	top, err := d.focusedTop(ctx, focus.Focus)
	return top != w, err
}

// inTheWay looks at what is at a place, and gives the top-level window that covers it; 0 when the window itself is there,
// or a popup of its own program, such as a menu.
func (d *Display) inTheWay(ctx context.Context, w, parent xproto.Window, at image.Point) (xproto.Window, error) {
	x, y := int16(at.X), int16(at.Y)
	// Nearly always the window is a child of the root, or of a frame that is one: then one round trip tells.
	var lowest, frame xproto.TranslateCoordinatesCookie
	d.wire.together(func() {
		lowest, frame = xproto.TranslateCoordinates(d.conn, d.root, d.root, x, y), xproto.TranslateCoordinates(d.conn, d.root, parent, x, y)
	})
	top, err := ask(ctx, d, lowest.Reply)
	if err != nil {
		return 0, err
	}
	inside, err := ask(ctx, d, frame.Reply)
	switch {
	case err != nil:
		return 0, err
	case top.Child == w || top.Child == parent && inside.Child == w:
		return 0, nil
	case top.Child == 0:
		return d.root, nil
	}
	for in := top.Child; in != 0; {
		reply, err := ask(ctx, d, xproto.TranslateCoordinates(d.conn, d.root, in, x, y).Reply)
		if err != nil {
			return 0, err
		}
		if in = reply.Child; in == w {
			return 0, nil
		}
	}
	mask := xproto.Setup(d.conn).ResourceIdMask
	if uint32(top.Child)&^mask == uint32(w)&^mask {
		attributes, err := ask(ctx, d, xproto.GetWindowAttributes(d.conn, top.Child).Reply)
		if err != nil {
			return 0, err
		}
		if attributes.OverrideRedirect {
			return 0, nil
		}
	}
	return top.Child, nil
}

// covered names what is at a place instead of the window.
func (d *Display) covered(ctx context.Context, w xproto.Window, at image.Point, over xproto.Window) error {
	if over == d.root {
		return guirun.Faultf(guirun.ClassCovered, "at %d, %d is the desktop itself: the window has another shape, or is not shown there", at.X, at.Y)
	}
	if own, err := d.holds(ctx, over, w); err != nil || own {
		return guirun.Faultf(guirun.ClassCovered, "at %d, %d is the frame of the window, or a gap in its shape: choose a place inside of it", at.X, at.Y)
	}
	what := "another window"
	all, err := d.Windows(ctx)
	if itself, e := d.describe(ctx, []xproto.Window{over}, &manager{lives: true}); e == nil {
		all = append(all, itself...) // a popup is not listed
	}
	for i := range all {
		if inside, e := d.holds(ctx, over, xproto.Window(all[i].ID)); err == nil && e == nil && inside {
			what = named(&all[i])
			break
		}
	}
	return guirun.Faultf(guirun.ClassCovered, "at %d, %d is %s, in front of the window that was to be clicked: close or move it first", at.X, at.Y, what)
}

// holds says whether a window is another, or in it.
func (d *Display) holds(ctx context.Context, outer, inner xproto.Window) (bool, error) {
	for w := inner; w != 0 && w != d.root; {
		if w == outer {
			return true, nil
		}
		tree, err := ask(ctx, d, xproto.QueryTree(d.conn, w).Reply)
		if err != nil {
			return false, err
		}
		w = tree.Parent
	}
	return false, nil
}
