package x11

import (
	"context"
	"slices"
	"strings"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
)

// Windows implements guirun.Desktop.
func (d *Display) Windows(ctx context.Context) ([]guirun.Window, error) {
	m, err := d.askManager(ctx)
	if err != nil {
		return nil, err
	}
	ids := m.list
	if !m.lives {
		ids = slices.DeleteFunc(slices.Clone(m.tree), func(w xproto.Window) bool { return w == d.own })
		slices.Sort(ids) // a client numbers its windows as it makes them
		m.active = m.focus
		if !slices.Contains(ids, m.focus) {
			if m.active, err = d.focusedTop(ctx, m.focus); err != nil {
				return nil, err
			}
		}
	}
	return d.describe(ctx, ids, m)
}

// focusedTop is the top-level window that has the focus, 0 for none.
func (d *Display) focusedTop(ctx context.Context, focus xproto.Window) (xproto.Window, error) {
	if focus == xproto.InputFocusNone || focus == xproto.InputFocusPointerRoot || focus == d.root {
		return 0, nil
	}
	top, err := d.topLevel(ctx, focus)
	if vanished(err) {
		return 0, nil
	}
	return top, err
}

// iconicState is what WM_STATE says of a minimised window.
const iconicState = 3

// oldText decodes WM_NAME: Latin-1 unless it says UTF-8. Of compound text the characters of other sets are lost.
func (d *Display) oldText(p *xproto.GetPropertyReply) string {
	raw := text(p)
	if p == nil || p.Type == d.atoms.utf8String {
		return raw
	}
	const escape = 0x1b
	var b strings.Builder
	wide := 1 // bytes of a character; 0: UTF-8
	for i := 0; i < len(raw); {
		switch {
		case raw[i] != escape && wide == 0:
			end := i + 1
			for end < len(raw) && raw[end] != escape {
				end++
			}
			b.WriteString(raw[i:end])
			i = end
		case raw[i] != escape && wide == 1:
			b.WriteRune(rune(raw[i]))
			i++
		case raw[i] != escape:
			b.WriteRune('\uFFFD')
			i += wide
		default: // ESC, bytes up to 0x2F and a last one. "(B" and "-A" are ASCII and Latin-1, "%G" begins UTF-8, "%@" ends it.
			start := i + 1
			for i++; i < len(raw) && raw[i] < 0x30; i++ {
			}
			i++
			switch raw[min(start, len(raw)):min(i, len(raw))] {
			case "(B", "-A", "%@":
				wide = 1
			case "%G":
				wide = 0
			default:
				wide = 2 // nearly all other sets have as many
			}
		}
	}
	return b.String()
}

// Focus implements guirun.Desktop.
func (d *Display) Focus(ctx context.Context) (guirun.Window, error) {
	for range 3 { // a window may go while it is looked at
		m, err := d.askManager(ctx)
		if err != nil {
			return guirun.Window{}, err
		}
		focus := m.focus
		if focus == xproto.InputFocusPointerRoot || focus == d.root {
			under, err := ask(ctx, d, xproto.QueryPointer(d.conn, d.root).Reply)
			if err != nil {
				return guirun.Window{}, err
			}
			focus = under.Child
		}
		top, err := d.focusedTop(ctx, focus)
		if err != nil || top == 0 || top == m.check { // a manager keeps the focus itself when no client has it
			return guirun.Window{}, err
		}
		if !m.lives {
			m.active = top
		}
		all, err := d.describe(ctx, []xproto.Window{top}, m)
		if err != nil {
			return guirun.Window{}, err
		}
		if len(all) == 1 {
			return all[0], nil
		}
		if attributes, err := ask(ctx, d, xproto.GetWindowAttributes(d.conn, top).Reply); err == nil && attributes.MapState == xproto.MapStateViewable {
			return guirun.Window{ID: guirun.WindowID(top)}, nil // a popup that took the focus
		}
	}
	return guirun.Window{}, nil
}
