package x11

import (
	"context"
	"image"
	"slices"
	"strings"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// listing is what is known of windows. Events tell what of it is no longer true, so that windows which have not changed
// are listed in one round trip.
type listing struct {
	turn    sync.Mutex // held by who reads windows
	mu      sync.Mutex
	next    chan struct{} // closed at the next change; nil: nobody listens yet
	changes uint64        // of what a manager is asked
	manager *manager      // nil: to be asked
	moves   uint64        // of any window
	known   map[xproto.Window]*known
}

// known is a window as it was read.
type known struct {
	window  guirun.Window // without what others decide: Active, Frame
	extents []uint32      // of the frame: left, right, top, bottom
	top     bool          // would be listed without a window manager
	stale   bool          // to be read
	moves   uint64        // when the place was read
}

// openListing begins to listen.
func (d *Display) openListing() *listing {
	l := &d.listing
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		l.next = make(chan struct{})
		l.known = map[xproto.Window]*known{}
		d.listen(d.heard)
	}
	return l
}

// Changed implements guirun.Desktop.
func (d *Display) Changed() <-chan struct{} {
	l := d.openListing()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next
}

// heard notes what an event changes.
func (d *Display) heard(event xgb.Event) {
	l := &d.listing
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := event.(type) {
	case xproto.PropertyNotifyEvent:
		if !d.tells(e) {
			return
		}
		if e.Window == d.root || e.Atom == d.atoms.netSupportingWMCheck {
			l.changed()
		} else if k := l.known[e.Window]; k != nil {
			k.stale = true
		}
	case xproto.MapNotifyEvent:
		l.restructured(e.Window)
	case xproto.UnmapNotifyEvent:
		l.restructured(e.Window)
	case xproto.ReparentNotifyEvent:
		l.restructured(e.Window)
	case xproto.DestroyNotifyEvent:
		l.restructured(e.Window)
		delete(l.known, e.Window)
	case xproto.ConfigureNotifyEvent:
		l.moves++
	case xproto.FocusInEvent, xproto.FocusOutEvent:
	default:
		return
	}
	close(l.next)
	l.next = make(chan struct{})
}

func (l *listing) changed() {
	l.changes++
	l.manager = nil
}

func (l *listing) restructured(w xproto.Window) {
	l.changed()
	l.moves++
	if k := l.known[w]; k != nil {
		k.stale = true
	}
}

// tells says whether a property is one that windows are listed by.
func (d *Display) tells(e xproto.PropertyNotifyEvent) bool {
	a := &d.atoms
	if e.Window == d.root {
		return e.Atom == a.netClientList || e.Atom == a.netActiveWindow || e.Atom == a.netSupportingWMCheck
	}
	switch e.Atom {
	case a.netWMName, xproto.AtomWmName, xproto.AtomWmClass, a.netWMPID, a.netWMState, a.wmState, a.netWMWindowType, xproto.AtomWmTransientFor,
		a.netFrameExtents, a.netSupportingWMCheck:
		return true
	}
	return false
}

// asked are the questions about one window, all on their way at once.
type asked struct {
	id    xproto.Window
	known *known
	whole bool // or only where it is
	place bool

	properties [9]xproto.GetPropertyCookie
	attributes xproto.GetWindowAttributesCookie
	size       xproto.GetGeometryCookie
	at         xproto.TranslateCoordinatesCookie
	pid        *xgb.Cookie
}

// describe tells of windows, and reads what is not known of them; those that vanish meanwhile are left out.
func (d *Display) describe(ctx context.Context, ids []xproto.Window, m *manager) ([]guirun.Window, error) {
	l := d.openListing()
	l.turn.Lock()
	defer l.turn.Unlock()
	l.mu.Lock()
	moves := l.moves
	questions := make([]asked, len(ids))
	for i, w := range ids {
		k := l.known[w]
		if k == nil {
			k = &known{stale: true}
			l.known[w] = k
		}
		questions[i] = asked{id: w, known: k, whole: k.stale, place: k.stale || k.moves != moves}
		k.stale = false
	}
	l.mu.Unlock()
	answers, err := d.ask(ctx, questions)
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []guirun.Window{}
	for i := range questions {
		q := &questions[i]
		if err != nil {
			q.known.stale = q.known.stale || q.whole
			continue
		}
		answer := &answers[i]
		if answer.window.ID == 0 {
			if l.known[q.id] == q.known {
				delete(l.known, q.id)
			}
			continue
		}
		answer.stale, answer.moves = q.known.stale, moves
		*q.known = *answer
		if !m.lives && !answer.top {
			continue
		}
		w := answer.window
		w.Active = q.id == m.active && m.active != 0
		w.Frame = w.Area
		if e := answer.extents; len(e) == 4 && m.lives {
			w.Frame = image.Rect(w.Area.Min.X-int(e[0]), w.Area.Min.Y-int(e[2]), w.Area.Max.X+int(e[1]), w.Area.Max.Y+int(e[3]))
		}
		out = append(out, w)
	}
	return out, err
}

// ask puts questions. The answer of a window that has vanished has no ID.
func (d *Display) ask(ctx context.Context, questions []asked) ([]known, error) {
	a := &d.atoms
	d.wire.together(func() {
		for i := range questions {
			q := &questions[i]
			if q.whole {
				d.watch(q.id)
				for j, name := range []xproto.Atom{a.netWMName, xproto.AtomWmName, xproto.AtomWmClass, a.netWMPID, a.netWMState, a.netWMWindowType,
					xproto.AtomWmTransientFor, a.netFrameExtents, a.wmState} {
					q.properties[j] = d.property(q.id, name)
				}
				q.attributes = xproto.GetWindowAttributes(d.conn, q.id)
			}
			if q.place {
				q.size, q.at = xproto.GetGeometry(d.conn, xproto.Drawable(q.id)), xproto.TranslateCoordinates(d.conn, q.id, d.root, 0, 0)
			}
		}
	})
	return ask(ctx, d, func() ([]known, error) {
		answers := make([]known, len(questions))
		var lost error
		for i := range questions {
			k, err := d.read(&questions[i])
			switch {
			case err == nil:
				answers[i] = k
			case !vanished(d.fault(err)):
				lost = err // the replies of the others are read all the same: they are on their way
			}
		}
		if lost != nil {
			return nil, lost
		}
		d.wire.together(func() {
			for i := range questions {
				if questions[i].whole && answers[i].window.ID != 0 && answers[i].window.PID == 0 {
					questions[i].pid = d.askClientPID(questions[i].id)
				}
			}
		})
		for i := range questions {
			if questions[i].pid != nil {
				if reply, err := questions[i].pid.Reply(); err == nil {
					answers[i].window.PID = readClientPID(reply)
				}
			}
		}
		return answers, nil
	})
}

// read makes a window of the answers, and of what is known.
func (d *Display) read(q *asked) (k known, err error) {
	failed := func(e error) {
		if err == nil {
			err = e
		}
	}
	if q.whole {
		var p [len(q.properties)]*xproto.GetPropertyReply
		for i, cookie := range q.properties {
			var e error
			p[i], e = cookie.Reply()
			failed(e)
		}
		attributes, e := q.attributes.Reply()
		if failed(e); err == nil {
			k = d.window(q.id, p)
			k.top = attributes.MapState == xproto.MapStateViewable && !attributes.OverrideRedirect && attributes.Class == xproto.WindowClassInputOutput
		}
	} else {
		d.listing.mu.Lock()
		k = *q.known
		d.listing.mu.Unlock()
	}
	if q.place {
		size, e := q.size.Reply()
		failed(e)
		at, e := q.at.Reply()
		if failed(e); err == nil {
			x, y := int(at.DstX), int(at.DstY)
			k.window.Area = image.Rect(x, y, x+int(size.Width), y+int(size.Height))
		}
	}
	return k, err
}

// window reads the properties, in the order that they were asked in.
func (d *Display) window(id xproto.Window, p [9]*xproto.GetPropertyReply) (k known) {
	w := &k.window
	w.ID = guirun.WindowID(id)
	w.Title = text(p[0])
	if p[0].Format != 8 {
		w.Title = d.oldText(p[1])
	}
	w.Title = strings.TrimRight(strings.ToValidUTF8(w.Title, "\uFFFD"), "\x00")
	w.Class = strings.ToValidUTF8(strings.TrimSpace(strings.ReplaceAll(text(p[2]), "\x00", " ")), "\uFFFD")
	if v := numbers(p[3]); len(v) > 0 {
		w.PID = int(v[0])
	}
	states := numbers(p[4])
	w.Minimised = slices.Contains(states, uint32(d.atoms.netWMStateHidden))
	w.Dialog = slices.Contains(states, uint32(d.atoms.netWMStateModal)) || slices.Contains(numbers(p[5]), uint32(d.atoms.netWMWindowTypeDialog))
	if v := numbers(p[6]); len(v) > 0 {
		w.For = guirun.WindowID(v[0])
	}
	k.extents = numbers(p[7])
	if v := numbers(p[8]); len(v) > 0 && v[0] == iconicState {
		w.Minimised = true
	}
	return k
}
