package x11

import (
	"context"
	"math/bits"
	"os"
	"slices"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// input is what this connection needs and has changed of the display's input.
type input struct {
	ext   extensions
	pid   uint32
	slot  xproto.Atom // of this run's record
	guard *Guardian   // nil: none
	mine  bool        // the guardian was started by Open

	turn  sync.Mutex // held by who presses, types or clicks
	pings uint32     // the last one's number
	lent  record     // what the display's record says, but for keys
}

func (d *Display) openInput(ctx context.Context) error {
	d.input.pid = uint32(os.Getpid())
	d.input.pings = uint32(d.own) // answers to other runs' pings are told apart
	if err := d.askExtensions(ctx); err != nil {
		return err
	}
	if err := d.claim(ctx); err != nil {
		return err
	}
	if d.input.slot == 0 {
		return guirun.Faultf(guirun.ClassDisplay, "%d runs act on the display %s already: end some, or use another display", slots, d.name)
	}
	if err := d.sync(ctx); err != nil {
		return err
	}
	return d.openGuard(ctx)
}

// closeInput gives the slot back. Whatever was lent has been put back by whoever lent it.
func (d *Display) closeInput() error {
	d.input.turn.Lock()
	defer d.input.turn.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), answerTime) // a program may have grabbed the server, for good
	defer cancel()
	var err error
	if !d.input.lent.empty() { // the last action was cut short
		err = d.takeBack(ctx)
	}
	xproto.DeleteProperty(d.conn, d.root, d.input.slot)
	if e := d.sync(ctx); err == nil {
		err = e
	}
	d.closeGuard()
	return err
}

// live is the keyboard as it is at one moment.
type live struct {
	keys  *keymap
	state keyState
	down  []byte // keys that are down
	focus xproto.Window
}

// askLive reads the keyboard and which window has the focus, in one round trip; with grab, nothing changes until
// UngrabServer.
func (d *Display) askLive(ctx context.Context, grab bool) (*live, error) {
	var askedState, askedMap *xgb.Cookie
	var askedDown xproto.QueryKeymapCookie
	var askedFocus xproto.GetInputFocusCookie
	d.wire.together(func() {
		if grab {
			xproto.GrabServer(d.conn)
		}
		askedState, askedMap = d.askState(), d.askMap()
		askedDown, askedFocus = xproto.QueryKeymap(d.conn), xproto.GetInputFocus(d.conn)
	})
	l := &live{}
	reply, err := ask(ctx, d, askedState.Reply)
	if err != nil {
		return nil, err
	}
	var readable bool
	if l.state, readable = readState(reply); !readable {
		return nil, d.unreadable()
	}
	if reply, err = ask(ctx, d, askedMap.Reply); err != nil {
		return nil, err
	}
	if l.keys, readable = readMap(reply); !readable {
		return nil, d.unreadable()
	}
	down, err := ask(ctx, d, askedDown.Reply)
	if err != nil {
		return nil, err
	}
	for i, b := range down.Keys {
		for ; b != 0; b &= b - 1 {
			l.down = append(l.down, byte(8*i+bits.TrailingZeros8(b)))
		}
	}
	focus, err := ask(ctx, d, askedFocus.Reply)
	if err != nil {
		return nil, err
	}
	l.focus = focus.Focus
	return l, nil
}

func (d *Display) unreadable() error {
	return guirun.Faultf(guirun.ClassDisplay, "the display %s describes its keyboard in a way that cannot be read", d.name)
}

// release lets go of keys that others left down: a key that is down cannot be pressed, and a modifier changes all.
func (d *Display) release(ctx context.Context, l *live) (*live, error) {
	if len(l.down) == 0 {
		return l, nil
	}
	d.wire.together(func() {
		for _, key := range l.down {
			d.fakeInput(keyRelease, key, 0, 0)
		}
	})
	before := l.down
	l, err := d.askLive(ctx, false)
	if err != nil {
		return nil, err
	}
	for _, key := range l.down {
		if l.keys.modifiers[key] != 0 {
			return nil, guirun.Faultf(guirun.ClassKey, "the modifier key %d is held down on the keyboard, which would change every key: let it go", key)
		}
	}
	d.note("%d keys had been left down on the display %s: released", len(before)-len(l.down), d.name)
	return l, nil
}

// numLock is the modifier that only concerns the keypad, which is never used: it is left as it is.
func (l *live) numLock() byte {
	return l.keys.modifier(symNumLock) &^ (shiftMask | lockMask | controlMask)
}

// active is the group in effect once nothing is latched.
func (l *live) active() int {
	if l.state.latchedGroup == 0 {
		return l.state.group
	}
	return max(0, l.state.baseGroup+l.state.lockedGroup) % l.keys.groups()
}

// setAside notes what of the keyboard's state must go while keys are pressed, so that it is put back; other says that
// keys of other groups are needed. It returns which modifiers are to be cleared, and whether anything is.
func (d *Display) setAside(l *live, other bool) (mask byte, any bool) {
	s := l.state
	mask = (s.locked | s.latched) &^ l.numLock()
	if mask == 0 && s.latchedGroup == 0 && !other {
		if a := d.input.lent.aside; a != nil {
			a.group = s.lockedGroup
		}
		return 0, false
	}
	a := &aside{latchedGroup: s.latchedGroup}
	if d.input.lent.aside != nil { // someone locked again between two batches
		*a = *d.input.lent.aside
	}
	a.mask |= mask
	a.locked = a.locked&^mask | s.locked&mask
	a.latched = a.latched&^mask | s.latched&mask
	a.group = s.lockedGroup
	d.input.lent.aside = a
	return mask, true
}

// cover adds to what the record says and writes it.
func (d *Display) cover(keys []byte) {
	r := d.input.lent
	r.keys = keys
	d.writeRecord(&r)
}

// clickButton moves the pointer to pixels of the screen and presses and releases a button there, covered by the
// record. Call it inside wire.together, with input.turn held.
func (d *Display) clickButton(button byte, x, y int16) {
	r := d.input.lent
	r.buttons = []byte{button}
	d.writeRecord(&r)
	d.fakeInput(motion, 0, x, y)
	d.fakeInput(buttonPress, button, 0, 0)
	d.fakeInput(buttonRelease, button, 0, 0)
	d.cover(nil)
}

// takeBack undoes all that was lent, while the server is grabbed so that the map cannot change meanwhile.
func (d *Display) takeBack(ctx context.Context) error {
	r := d.input.lent
	if len(r.remaps) == 0 {
		d.wire.together(func() {
			d.putBack(&r, nil)
			d.input.lent = record{}
			d.cover(nil)
		})
		return nil
	}
	var asked *xgb.Cookie
	d.wire.together(func() {
		xproto.GrabServer(d.conn)
		asked = d.askMap()
	})
	reply, err := ask(ctx, d, asked.Reply)
	if err != nil {
		xproto.UngrabServer(d.conn)
		return err
	}
	keys, readable := readMap(reply)
	if !readable {
		keys = &keymap{}
	}
	d.wire.together(func() {
		d.putBack(&r, keys)
		d.input.lent = record{}
		d.cover(nil)
		xproto.UngrabServer(d.conn)
	})
	return nil
}

// codes lists the keys that strokes use, each once, ascending.
func codes(strokes []stroke, more ...byte) []byte {
	all := slices.Clone(more)
	for _, s := range strokes {
		all = append(all, s.code)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
