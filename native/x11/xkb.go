package x11

import (
	"context"
	"encoding/binary"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// extensions are the major opcodes of what xgb does not speak, or not without maps that it shares between connections
// without a lock. 0: the server lacks it.
type extensions struct{ xtest, xkb, xres byte }

func (d *Display) askExtensions(ctx context.Context) error {
	wanted := []struct {
		name string
		is   *byte
	}{{"XTEST", &d.input.ext.xtest}, {"XKEYBOARD", &d.input.ext.xkb}, {"X-Resource", &d.input.ext.xres}}
	asked := make([]xproto.QueryExtensionCookie, len(wanted))
	for i, w := range wanted {
		asked[i] = xproto.QueryExtension(d.conn, uint16(len(w.name)), w.name)
	}
	for i, w := range wanted {
		reply, err := ask(ctx, d, asked[i].Reply)
		if err != nil {
			return err
		}
		*w.is = reply.MajorOpcode
	}
	for _, w := range wanted[:2] {
		if *w.is == 0 {
			return guirun.Faultf(guirun.ClassDisplay, "the display %s lacks the extension %s, without which no key can be pressed", d.name, w.name)
		}
	}
	const major = 1
	use := d.request(d.input.ext.xkb, 0, 8)
	binary.LittleEndian.PutUint16(use[4:], major)
	_, err := ask(ctx, d, d.post(use, true).Reply)
	return err
}

// request makes the frame of a raw request of a length in bytes, a multiple of 4.
func (d *Display) request(major, minor byte, length int) []byte {
	b := make([]byte, length)
	b[0], b[1] = major, minor
	binary.LittleEndian.PutUint16(b[2:], uint16(length/4))
	return b
}

// post sends a raw request.
func (d *Display) post(b []byte, reply bool) *xgb.Cookie {
	cookie := d.conn.NewCookie(reply, reply)
	d.conn.NewRequest(b, cookie)
	return cookie
}

// Kinds of what fakeInput does, as the core protocol numbers them.
const (
	keyPress      = 2
	keyRelease    = 3
	buttonPress   = 4
	buttonRelease = 5
	motion        = 6
)

// fakeInput does as if a device did it, by XTEST: a key or button by its number, or a motion to pixels of the screen
// (detail 0). It returns the request's number, for comparing with those of events.
func (d *Display) fakeInput(kind, detail byte, x, y int16) (sequence uint16) {
	b := d.request(d.input.ext.xtest, 2, 36)
	b[4], b[5] = kind, detail
	if kind == motion {
		binary.LittleEndian.PutUint32(b[12:], uint32(d.root))
	}
	binary.LittleEndian.PutUint16(b[24:], uint16(x))
	binary.LittleEndian.PutUint16(b[26:], uint16(y))
	return d.post(b, false).Sequence
}

// coreKeyboard stands for the keyboard that all programs hear.
const coreKeyboard = 0x100

// keyState is the keyboard's state: modifiers as bits (1 Shift, 2 Lock, 4 Control, 8 to 128 Mod1 to Mod5), groups from 0.
type keyState struct {
	base, latched, locked   byte
	group, lockedGroup      int // in effect; locked
	baseGroup, latchedGroup int
}

func (d *Display) askState() *xgb.Cookie {
	b := d.request(d.input.ext.xkb, 4, 8)
	binary.LittleEndian.PutUint16(b[4:], coreKeyboard)
	return d.post(b, true)
}

func readState(b []byte) (s keyState, ok bool) {
	if len(b) < 32 {
		return s, false
	}
	return keyState{
		base: b[9], latched: b[10], locked: b[11], group: int(b[12]), lockedGroup: int(b[13]),
		baseGroup: int(int16(binary.LittleEndian.Uint16(b[14:]))), latchedGroup: int(int16(binary.LittleEndian.Uint16(b[16:]))),
	}, true
}

// latchLock sets the modifiers of the masks locked and latched as given, and the groups.
func (d *Display) latchLock(lockMask, locked byte, group int, latchMask, latched byte, latchedGroup int) {
	b := d.request(d.input.ext.xkb, 5, 16)
	binary.LittleEndian.PutUint16(b[4:], coreKeyboard)
	b[6], b[7] = lockMask, locked
	b[8], b[9] = 1, byte(group)
	b[10], b[11] = latchMask, latched
	b[13] = 1
	binary.LittleEndian.PutUint16(b[14:], uint16(int16(latchedGroup)))
	d.post(b, false)
}

func (d *Display) askMap() *xgb.Cookie {
	b := d.request(d.input.ext.xkb, 8, 28)
	binary.LittleEndian.PutUint16(b[4:], coreKeyboard)
	const typesSymsModifiers = 1 | 2 | 4
	binary.LittleEndian.PutUint16(b[6:], typesSymsModifiers)
	return d.post(b, true)
}

// readMap reads the reply to askMap.
func readMap(b []byte) (*keymap, bool) {
	if len(b) < 40 {
		return nil, false
	}
	m := &keymap{min: int(b[10]), max: int(b[11])}
	types, firstSym, syms, modifiers := int(b[15]), int(b[17]), int(b[20]), int(b[33])
	r := &reader{b: b[40:]}
	for range types {
		h := r.take(8)
		t := keyType{mask: h[0], levels: int(h[4])}
		entries, preserve := int(h[5]), h[6] != 0
		for range entries {
			e := r.take(8)
			if e[0] != 0 {
				t.entries = append(t.entries, levelEntry{e[1], int(e[2])})
			}
		}
		if preserve {
			r.take(4 * entries)
		}
		m.types = append(m.types, t)
	}
	for code := firstSym; code < firstSym+syms; code++ {
		h := r.take(8)
		k := keySyms{groups: int(h[4] & 15), info: h[4], width: int(h[5])}
		for i := range k.types {
			k.types[i] = int(h[i])
		}
		for range binary.LittleEndian.Uint16(h[6:]) {
			k.syms = append(k.syms, keysym(binary.LittleEndian.Uint32(r.take(4))))
		}
		if code < len(m.keys) {
			m.keys[code] = k
		}
	}
	for range modifiers {
		e := r.take(2)
		m.modifiers[e[0]] = e[1]
	}
	return m, !r.short
}

// reader takes pieces of a reply; zeroes after its end.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.short, r.b = true, nil
		return make([]byte, n)
	}
	piece := r.b[:n]
	r.b = r.b[n:]
	return piece
}

// remap gives keycodes symbols, the same with and without Shift; 0 takes them away. Runs of neighbours are one request,
// as every program reads the whole map anew after each.
func (d *Display) remap(all []remapped) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].code == all[n-1].code+1 {
			n++
		}
		syms := make([]xproto.Keysym, 0, 2*n)
		for _, r := range all[:n] {
			syms = append(syms, xproto.Keysym(r.sym), xproto.Keysym(r.sym))
		}
		xproto.ChangeKeyboardMapping(d.conn, byte(n), xproto.Keycode(all[0].code), 2, syms)
		all = all[n:]
	}
}

// remapped is a keycode without symbols of its own that was given one; by code, ascending, in lists.
type remapped struct {
	code byte
	sym  keysym
}
