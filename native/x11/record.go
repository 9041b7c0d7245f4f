package x11

import (
	"context"
	"slices"

	"github.com/jezek/xgb/xproto"
)

// slots is how many runs may act on one display, each with a record of its own.
const slots = 16

// record is what a run may have changed of a display's input. It is a property of the root window, written by the same
// connection before the change and emptied after it is undone; a server handles a connection's requests in order, so
// it covers whatever was done when a run is killed.
type record struct {
	window  xproto.Window // the owner's: the owner lives as long as this window
	pid     uint32        // for people
	keys    []byte        // that may be down
	buttons []byte        // that may be down
	remaps  []remapped    // keycodes without symbols of their own
	aside   *aside        // nil: the state was not touched
}

// aside is a keyboard state to put back.
type aside struct {
	mask, locked, latched byte // the modifiers that were touched, and which of them were locked, latched
	group, latchedGroup   int
}

func (r *record) empty() bool {
	return len(r.keys) == 0 && len(r.buttons) == 0 && len(r.remaps) == 0 && r.aside == nil
}

const recordVersion = 1

// encode gives the property's 32-bit values: version, window, pid, then counted keys, buttons, remaps (code, symbol)
// and state (mask, locked, latched, group, latched group).
func (r *record) encode() []byte {
	v := []uint32{recordVersion, uint32(r.window), r.pid}
	for _, list := range [][]byte{r.keys, r.buttons} {
		v = append(v, uint32(len(list)))
		for _, n := range list {
			v = append(v, uint32(n))
		}
	}
	v = append(v, uint32(len(r.remaps)))
	for _, m := range r.remaps {
		v = append(v, uint32(m.code), uint32(m.sym))
	}
	if a := r.aside; a != nil {
		v = append(v, 1, uint32(a.mask), uint32(a.locked), uint32(a.latched), uint32(a.group), uint32(a.latchedGroup))
	} else {
		v = append(v, 0)
	}
	b := make([]byte, 0, 4*len(v))
	for _, n := range v {
		b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	return b
}

// decodeRecord reads a property; false when it is not of this version or cut short.
func decodeRecord(v []uint32) (r record, ok bool) {
	short := false
	next := func() uint32 {
		if len(v) == 0 {
			short = true
			return 0
		}
		n := v[0]
		v = v[1:]
		return n
	}
	if next() != recordVersion {
		return r, false
	}
	r.window, r.pid = xproto.Window(next()), next()
	for _, list := range []*[]byte{&r.keys, &r.buttons} {
		for range min(next(), 256) {
			*list = append(*list, byte(next()))
		}
	}
	for range min(next(), 256) {
		r.remaps = append(r.remaps, remapped{byte(next()), keysym(next())})
	}
	if next() != 0 {
		r.aside = &aside{byte(next()), byte(next()), byte(next()), int(next()), int(int32(next()))}
	}
	return r, !short
}

// writeRecord writes this run's record. It waits for nothing: the change that it covers may follow at once.
func (d *Display) writeRecord(r *record) {
	r.window, r.pid = d.own, d.input.pid
	value := r.encode()
	xproto.ChangeProperty(d.conn, xproto.PropModeReplace, d.root, d.input.slot, xproto.AtomCardinal, 32, uint32(len(value)/4), value)
}

// putBack undoes what a record covers, by the connection d, whoever did it. It writes no record and does not flush.
// live is the map as it is now: a key that was given other symbols meanwhile keeps them.
func (d *Display) putBack(r *record, live *keymap) {
	for _, button := range r.buttons {
		d.fakeInput(buttonRelease, button, 0, 0)
	}
	for _, key := range r.keys {
		d.fakeInput(keyRelease, key, 0, 0)
	}
	d.unmap(r.remaps, live)
	if a := r.aside; a != nil {
		d.latchLock(a.mask, a.locked, a.group, a.mask, a.latched, a.latchedGroup)
	}
}

// unmap takes symbols away from the keys that still have the ones they were lent.
func (d *Display) unmap(lent []remapped, live *keymap) {
	var back []remapped
	for _, r := range lent {
		if live.holds(r) {
			back = append(back, remapped{r.code, 0})
		}
	}
	d.remap(back)
}

// claim finds a slot for this run's record, and repairs what runs left whose window is gone. Each repair happens while
// the server is grabbed, so that two runs, or a run and a guardian, do not undo twice.
func (d *Display) claim(ctx context.Context) error {
	xproto.GrabServer(d.conn)
	defer xproto.UngrabServer(d.conn)
	asked := make([]xproto.GetPropertyCookie, slots)
	for i, slot := range d.atoms.inputSlots {
		asked[i] = d.property(d.root, slot)
	}
	for i, slot := range d.atoms.inputSlots {
		p, err := ask(ctx, d, asked[i].Reply)
		if err != nil {
			return err
		}
		if p.Format != 0 {
			r, readable := decodeRecord(numbers(p))
			if readable {
				lives, err := d.owned(ctx, r.window, slot)
				if err != nil {
					return err
				}
				if lives {
					continue
				}
				if err := d.repair(ctx, &r); err != nil {
					return err
				}
			}
			xproto.DeleteProperty(d.conn, d.root, slot)
		}
		if d.input.slot == 0 {
			d.input.slot = slot
			xproto.ChangeProperty(d.conn, xproto.PropModeReplace, d.own, slot, xproto.AtomCardinal, 32, 0, nil)
			d.writeRecord(&record{})
		}
	}
	return nil
}

// owned says whether the window that a record names is still its owner's: it has a property of the slot's name, so that
// another client's window of the same number is told apart.
func (d *Display) owned(ctx context.Context, w xproto.Window, slot xproto.Atom) (bool, error) {
	p, err := ask(ctx, d, d.property(w, slot).Reply)
	if vanished(err) {
		return false, nil
	}
	return err == nil && p.Format != 0, err
}

// repair undoes what a record covers.
func (d *Display) repair(ctx context.Context, r *record) error {
	if r.empty() {
		return nil
	}
	reply, err := ask(ctx, d, d.askMap().Reply)
	if err != nil {
		return err
	}
	live, ok := readMap(reply)
	if !ok {
		return d.unreadable()
	}
	r.keys = slices.Compact(r.keys)
	d.wire.together(func() { d.putBack(r, live) })
	d.note("a run that was killed (process %d) had left keys, the keyboard map or its state changed on the display %s: put back", r.pid, d.name)
	return nil
}
