package x11

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// chunk is how many characters are sent at most before the receiver is asked whether it still listens.
const chunk = 128

// Type types a text into the window that has the focus. See guirun.Desktop.
func (d *Display) Type(ctx context.Context, text string) error {
	syms, err := symbols(text)
	if err != nil || len(syms) == 0 {
		return err
	}
	return d.act(ctx, func(r *receiver, s *stay) error {
		typed := 0
		for typed < len(syms) {
			p, err := d.prepare(ctx, r, syms[typed:])
			if err != nil {
				return err
			}
			if err := d.ready(ctx, r, s, p); err != nil {
				return err
			}
			for part := range slices.Chunk(p.strokes, d.chunk()) {
				sent := d.strike(p, part)
				if d.o.KeyDelay > 0 {
					if err := d.pause(ctx, d.o.KeyDelay); err != nil {
						return err
					}
				} else if err := d.settle(ctx, r, s); err != nil {
					return err
				}
				n := len(part)
				at, left := s.until()
				if left {
					n = 0
					for n < len(sent) && int16(at-sent[n]) >= 0 {
						n++
					}
				}
				typed += n
				if left && typed < len(syms) {
					return d.moved(ctx, r, typed, len(syms))
				}
			}
		}
		if d.o.KeyDelay > 0 {
			return d.settle(ctx, r, s)
		}
		return nil
	})
}

// ready returns when the receiver has read the map after keys were lent. One that answers no pings reads it when it
// meets the map's change among its events, which is before the keys.
func (d *Display) ready(ctx context.Context, r *receiver, s *stay, p *prepared) error {
	if !p.lending || !r.pings {
		return nil
	}
	return d.settle(ctx, r, s)
}

func (d *Display) chunk() int {
	if d.o.KeyDelay > 0 {
		return 1
	}
	return chunk
}

// act does something with the window that has the focus, and puts back what was lent for it, however it ends.
func (d *Display) act(ctx context.Context, do func(*receiver, *stay) error) (err error) {
	d.input.turn.Lock()
	defer d.input.turn.Unlock()
	r, err := d.receiver(ctx)
	if err != nil {
		return err
	}
	s, stop := d.stays(r)
	defer stop()
	defer func() {
		if d.input.lent.empty() {
			return
		}
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		defer cancel()
		if e := d.takeBack(back); err == nil {
			err = e
		}
	}()
	return do(r, s)
}

// symbols are what the characters of a text are typed as.
func symbols(text string) ([]keysym, error) {
	if !utf8.ValidString(text) {
		return nil, guirun.Faultf(guirun.ClassKey, "the text to type is not UTF-8; nothing was typed")
	}
	syms := make([]keysym, 0, len(text))
	var last rune
	for _, r := range text {
		switch {
		case r == '\n' && last == '\r': // one line end
		case r == '\n' || r == '\r':
			syms = append(syms, symReturn)
		case r == '\t':
			syms = append(syms, symTab)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return nil, guirun.Faultf(guirun.ClassKey, "the text to type holds the control character U+%04X, which no key gives; use key for functions; nothing was typed", r)
		default:
			syms = append(syms, unicodeSym(r))
		}
		last = r
	}
	return syms, nil
}

// prepared is how the next symbols are pressed.
type prepared struct {
	strokes       []stroke
	lending       bool // keys were lent symbols just now, so that the receiver must read the map before it reads them
	shift, level3 byte // keys; 0: there is none
	level3Mask    byte
	keys          *keymap
	active, base  int // groups: in effect, and the part of it that is not locked
	other         bool
}

// prepare reads the keyboard as it is now, plans as many of the symbols as one map can hold, and lends spare keys the
// symbols that no key gives. At one moment: nobody changes the map in between.
func (d *Display) prepare(ctx context.Context, r *receiver, syms []keysym) (*prepared, error) {
	l, err := d.askLive(ctx, true)
	if err == nil {
		l, err = d.release(ctx, l)
	}
	if err == nil && l.focus != r.focus {
		var now xproto.Window
		if l.focus > xproto.InputFocusPointerRoot {
			now, err = d.topLevel(ctx, l.focus)
		}
		if vanished(err) || err == nil && now != r.top {
			err = d.moved(ctx, r, 0, len(syms))
		}
	}
	if err != nil {
		xproto.UngrabServer(d.conn)
		return nil, err
	}
	p, lend, err := d.plan(l, syms)
	if err != nil {
		xproto.UngrabServer(d.conn)
		return nil, err
	}
	mask, changed := d.setAside(l, p.other)
	d.wire.together(func() {
		if changed || len(lend) > 0 {
			d.cover(nil)
		}
		if changed {
			d.latchLock(mask, 0, p.active-p.base, mask, 0, 0)
		}
		d.remap(lend)
		xproto.UngrabServer(d.conn)
	})
	p.lending = len(lend) > 0
	return p, nil
}

// plan finds a stroke for each of the symbols, up to the first that no spare key is left for. It notes in the record
// what keys are lent, and returns which of them must be lent now.
func (d *Display) plan(l *live, syms []keysym) (p *prepared, lend []remapped, err error) {
	m := l.keys
	lent := d.input.lent.remaps
	lent = slices.DeleteFunc(slices.Clone(lent), func(r remapped) bool { return !m.holds(r) })
	for _, r := range lent {
		m.keys[r.code] = keySyms{}
	}
	p = &prepared{
		shift: m.modifierKey(symShift, symShiftR), level3: m.modifierKey(symLevel3), level3Mask: m.modifier(symLevel3),
		keys: m, active: l.active(), base: l.state.baseGroup,
	}
	indices := []index{m.index(p.active, l.numLock())}
	for g := range m.groups() {
		if g != p.active {
			indices = append(indices, m.index(g, l.numLock()))
		}
	}
	var spare []byte
	for code := m.min; code <= m.max; code++ {
		if m.empty(code) {
			spare = append(spare, byte(code))
		}
	}
	find := func(sym keysym) (stroke, bool) {
		for _, x := range indices {
			if s, ok := x[sym]; ok {
				return s, true
			}
		}
		return stroke{}, false
	}

	var missing []keysym
	n := 0
	for _, sym := range syms {
		if _, ok := find(sym); !ok && !slices.Contains(missing, sym) {
			if len(missing) == len(spare) {
				break
			}
			missing = append(missing, sym)
		}
		n++
	}
	if n == 0 {
		return nil, nil, guirun.Faultf(guirun.ClassKey, "no key gives %q, and the keyboard map of %s has no spare key to lend it: choose another layout", string(syms[0].character()), d.name)
	}
	where := map[keysym]byte{} // looked up only
	taken := map[byte]bool{}
	for _, r := range lent {
		if slices.Contains(missing, r.sym) {
			where[r.sym] = r.code
			taken[r.code] = true
		}
	}
	for _, sym := range missing {
		if _, ok := where[sym]; ok {
			continue
		}
		for len(spare) > 0 && taken[spare[0]] {
			spare = spare[1:]
		}
		where[sym] = spare[0]
		lend = append(lend, remapped{spare[0], sym})
		taken[spare[0]] = true
	}
	lent = slices.DeleteFunc(lent, func(r remapped) bool {
		return slices.ContainsFunc(lend, func(now remapped) bool { return now.code == r.code })
	})
	lent = append(lent, lend...)
	slices.SortFunc(lend, byCode)
	slices.SortFunc(lent, byCode)
	d.input.lent.remaps = lent

	for _, sym := range syms[:n] {
		s, ok := find(sym)
		if !ok {
			s = stroke{code: where[sym], group: p.active}
		}
		p.other = p.other || s.group != p.active
		p.strokes = append(p.strokes, s)
	}
	return p, lend, nil
}

func byCode(a, b remapped) int { return int(a.code) - int(b.code) }

// strike presses and releases keys in one piece. It returns the number of the request that pressed each.
func (d *Display) strike(p *prepared, strokes []stroke) (pressed []uint16) {
	var down byte
	modifiers := func(want byte) {
		for _, m := range [...]struct{ mask, key byte }{{shiftMask, p.shift}, {p.level3Mask, p.level3}} {
			if m.mask == 0 || (down^want)&m.mask == 0 {
				continue
			}
			kind := byte(keyPress)
			if down&m.mask != 0 {
				kind = keyRelease
			}
			d.fakeInput(kind, m.key, 0, 0)
			down ^= m.mask
		}
	}
	d.wire.together(func() {
		d.cover(codes(strokes, p.shift, p.level3))
		group := p.active
		for _, s := range strokes {
			if s.group != group {
				modifiers(0)
				d.latchLock(0, 0, s.group-p.base, 0, 0, 0)
				group = s.group
			}
			modifiers(s.modifiers)
			pressed = append(pressed, d.fakeInput(keyPress, s.code, 0, 0))
			d.fakeInput(keyRelease, s.code, 0, 0)
		}
		modifiers(0)
		if group != p.active {
			d.latchLock(0, 0, p.active-p.base, 0, 0, 0)
		}
		d.cover(nil)
	})
	return pressed
}

// moved is the fault of a focus that went elsewhere.
func (d *Display) moved(ctx context.Context, from *receiver, typed, all int) error {
	now := "no window"
	r, err := d.receiver(ctx)
	if err == nil {
		now = r.String()
		if r.top == from.top {
			now = "back to it again"
		}
	}
	return guirun.Faultf(guirun.ClassFocus, "the focus moved from %v to %s while typing: %d of %d characters went to the former; wait until nothing opens any more, or name the window with target", from, now, typed, all)
}

// pause waits.
func (d *Display) pause(ctx context.Context, t time.Duration) error {
	timer := time.NewTimer(t)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-d.events.gone:
		return guirun.ErrGone
	case <-ctx.Done():
		return ctx.Err()
	}
}
