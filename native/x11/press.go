package x11

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"asz/native/guirun"
)

// Press presses and releases a chord in the window that has the focus. A character that needs Shift presses it too:
// ctrl+S is ctrl+shift+s.
func (d *Display) Press(ctx context.Context, chord guirun.Chord) error {
	sym, err := chordKey(chord.Key)
	if err != nil {
		return err
	}
	for _, name := range chord.Modifiers {
		if modifierName(name) == nil {
			return guirun.Faultf(guirun.ClassKey, "%q is not a modifier: use ctrl, alt, shift or super", name)
		}
	}
	return d.act(ctx, func(r *receiver, s *stay) error {
		p, err := d.prepare(ctx, r, []keysym{sym})
		if err != nil {
			return err
		}
		held, err := d.held(p, chord)
		if err != nil {
			return err
		}
		if err := d.ready(ctx, r, s, p); err != nil {
			return err
		}
		d.strikeChord(p, held)
		if len(d.input.lent.remaps) > 0 {
			return d.settle(ctx, r, s)
		}
		if !d.input.lent.empty() {
			if err := d.takeBack(ctx); err != nil {
				return err
			}
		}
		return d.sync(ctx)
	})
}

func chordKey(key string) (keysym, error) {
	if sym, ok := keyName(key); ok {
		return sym, nil
	}
	r, size := utf8.DecodeRuneInString(key)
	if size != len(key) || size == 0 || !unicode.IsPrint(r) {
		return 0, guirun.Faultf(guirun.ClassKey, "%q is not a key: use one printable character, or a name such as return or f1", key)
	}
	return unicodeSym(r), nil
}

// held are the keys of the modifiers that a chord needs, in the order to press them.
func (d *Display) held(p *prepared, chord guirun.Chord) ([]byte, error) {
	var keys []byte
	add := func(key byte) {
		if key != 0 && !strings.Contains(string(keys), string([]byte{key})) {
			keys = append(keys, key)
		}
	}
	for _, name := range chord.Modifiers {
		key := p.keys.modifierKey(modifierName(name)...)
		if key == 0 {
			return nil, guirun.Faultf(guirun.ClassKey, "the keyboard map of %s has no key for %s", d.name, name)
		}
		add(key)
	}
	if p.strokes[0].modifiers&shiftMask != 0 {
		add(p.shift)
	}
	if p.strokes[0].modifiers&p.level3Mask != 0 {
		add(p.level3)
	}
	return keys, nil
}

func (d *Display) strikeChord(p *prepared, held []byte) {
	s := p.strokes[0]
	d.wire.together(func() {
		d.cover(codes(p.strokes, held...))
		if s.group != p.active {
			d.latchLock(0, 0, s.group-p.base, 0, 0, 0)
		}
		for _, key := range held {
			d.fakeInput(keyPress, key, 0, 0)
		}
		d.fakeInput(keyPress, s.code, 0, 0)
		d.fakeInput(keyRelease, s.code, 0, 0)
		for i := range held {
			d.fakeInput(keyRelease, held[len(held)-1-i], 0, 0)
		}
		if s.group != p.active {
			d.latchLock(0, 0, p.active-p.base, 0, 0, 0)
		}
		d.cover(nil)
	})
}
