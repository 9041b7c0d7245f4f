package x11

import (
	"context"

	"github.com/jezek/xgb/xproto"
)

// atoms are the names that the server knows by numbers. Add a field and its line in names; all are asked for at once.
type atoms struct {
	utf8String, wmProtocols, wmState, wmDeleteWindow, netWMPing, netWMPID, netWMName, netClientList, netActiveWindow,
	netSupported, netSupportingWMCheck, netWMState, netWMStateHidden, netWMStateModal, netWMStateFocused, netWMWindowType,
	netWMWindowTypeDialog, netFrameExtents, netRequestFrameExtents, netCloseWindow, wmChangeState, wmTakeFocus, inputToken xproto.Atom

	inputSlots [slots]xproto.Atom
}

func (a *atoms) names() []namedAtom {
	named := []namedAtom{
		{"UTF8_STRING", &a.utf8String},
		{"WM_PROTOCOLS", &a.wmProtocols},
		{"WM_STATE", &a.wmState},
		{"WM_CHANGE_STATE", &a.wmChangeState},
		{"WM_DELETE_WINDOW", &a.wmDeleteWindow},
		{"_NET_WM_PING", &a.netWMPing},
		{"_NET_WM_PID", &a.netWMPID},
		{"_NET_WM_NAME", &a.netWMName},
		{"_NET_CLIENT_LIST", &a.netClientList},
		{"_NET_ACTIVE_WINDOW", &a.netActiveWindow},
		{"_NET_CLOSE_WINDOW", &a.netCloseWindow},
		{"_NET_SUPPORTED", &a.netSupported},
		{"_NET_SUPPORTING_WM_CHECK", &a.netSupportingWMCheck},
		{"_NET_WM_STATE", &a.netWMState},
		{"_NET_WM_STATE_HIDDEN", &a.netWMStateHidden},
		{"_NET_WM_STATE_MODAL", &a.netWMStateModal},
		{"_NET_WM_STATE_FOCUSED", &a.netWMStateFocused},
		{"_NET_WM_WINDOW_TYPE", &a.netWMWindowType},
		{"_NET_WM_WINDOW_TYPE_DIALOG", &a.netWMWindowTypeDialog},
		{"_NET_FRAME_EXTENTS", &a.netFrameExtents},
		{"WM_TAKE_FOCUS", &a.wmTakeFocus},
		{"_NET_REQUEST_FRAME_EXTENTS", &a.netRequestFrameExtents},
		{"_ASZ_INPUT", &a.inputToken},
	}
	for i := range a.inputSlots {
		named = append(named, namedAtom{"_ASZ_INPUT_" + string(rune('A'+i)), &a.inputSlots[i]})
	}
	return named
}

type namedAtom struct {
	name string
	is   *xproto.Atom
}

func (d *Display) internAtoms(ctx context.Context) error {
	named := d.atoms.names()
	asked := make([]xproto.InternAtomCookie, len(named))
	for i, n := range named {
		asked[i] = xproto.InternAtom(d.conn, false, uint16(len(n.name)), n.name)
	}
	for i, n := range named {
		reply, err := ask(ctx, d, asked[i].Reply)
		if err != nil {
			return err
		}
		*n.is = reply.Atom
	}
	return nil
}

// longestProperty bounds what is read of a property, in units of 4 bytes: 1 MiB.
const longestProperty = 1 << 18

// property asks for a property of any type; text and numbers read the reply.
func (d *Display) property(w xproto.Window, name xproto.Atom) xproto.GetPropertyCookie {
	return xproto.GetProperty(d.conn, false, w, name, xproto.GetPropertyTypeAny, 0, longestProperty)
}

// text is a property's bytes; "" when it is absent.
func text(p *xproto.GetPropertyReply) string {
	if p == nil || p.Format != 8 {
		return ""
	}
	return string(p.Value)
}

// numbers are a property's 32-bit values: windows, atoms, cardinals; none when it is absent.
func numbers(p *xproto.GetPropertyReply) []uint32 {
	if p == nil || p.Format != 32 {
		return nil
	}
	all := make([]uint32, 0, len(p.Value)/4)
	for b := p.Value; len(b) >= 4; b = b[4:] {
		all = append(all, uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16|uint32(b[3])<<24)
	}
	return all
}

func (d *Display) askText(ctx context.Context, w xproto.Window, name xproto.Atom) (string, error) {
	p, err := ask(ctx, d, d.property(w, name).Reply)
	return text(p), err
}

func (d *Display) askNumbers(ctx context.Context, w xproto.Window, name xproto.Atom) ([]uint32, error) {
	p, err := ask(ctx, d, d.property(w, name).Reply)
	return numbers(p), err
}
