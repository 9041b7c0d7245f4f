package x11

// keysym is the number of what a key means: a character or a function.
type keysym uint32

// keymap is the live keyboard map, as the server's XKB extension gives it.
type keymap struct {
	min, max  int
	types     []keyType
	keys      [256]keySyms
	modifiers [256]byte // which modifiers a key is, as bits
}

// keyType says which modifiers choose which level; level 0 where no entry fits.
type keyType struct {
	mask    byte
	levels  int
	entries []levelEntry
}

type levelEntry struct {
	modifiers byte
	level     int
}

type keySyms struct {
	groups int
	info   byte // what to do with a group that it lacks
	width  int
	types  [4]int
	syms   []keysym // width for each group
}

// Modifier bits that have the same meaning on every map.
const (
	shiftMask = 1 << iota
	lockMask
	controlMask
)

// Symbols with a part of their own.
const (
	symShift   keysym = 0xffe1
	symShiftR  keysym = 0xffe2
	symLevel3  keysym = 0xfe03
	symNumLock keysym = 0xff7f
	symReturn  keysym = 0xff0d
	symTab     keysym = 0xff09
)

// stroke is a key and the modifiers that it needs.
type stroke struct {
	code      byte
	group     int
	modifiers byte // of shiftMask and the map's level 3
}

// group is the one that a key uses when another is in effect.
func (k *keySyms) group(effective int) int {
	if effective < k.groups {
		return effective
	}
	switch k.info & 0xc0 {
	case 0x40:
		return k.groups - 1
	case 0x80:
		if to := int(k.info >> 4 & 3); to < k.groups {
			return to
		}
		return 0
	}
	return effective % k.groups
}

// sym is what a key gives; 0: nothing.
func (m *keymap) sym(code, effective int, modifiers byte) keysym {
	k := &m.keys[code]
	if k.groups == 0 {
		return 0
	}
	group := k.group(effective)
	level := 0
	if t := k.types[group&3]; t < len(m.types) {
		for _, e := range m.types[t].entries {
			if e.modifiers == modifiers&m.types[t].mask {
				level = e.level
				break
			}
		}
	}
	if at := group*k.width + level; level < k.width && at < len(k.syms) {
		return k.syms[at]
	}
	return 0
}

// modifierKey finds a key that is a modifier and gives one of the symbols without any; 0: there is none.
func (m *keymap) modifierKey(syms ...keysym) byte {
	for _, want := range syms {
		for code := m.min; code <= m.max; code++ {
			if m.modifiers[code] != 0 && m.sym(code, 0, 0) == want {
				return byte(code)
			}
		}
	}
	return 0
}

// modifier is which modifier bits a symbol's key stands for.
func (m *keymap) modifier(sym keysym) byte {
	if code := m.modifierKey(sym); code != 0 {
		return m.modifiers[code]
	}
	return 0
}

// index finds strokes by what they give, in one group.
type index map[keysym]stroke

// index lists what a group's keys give, with modifiers kept that are always in effect (NumLock). The fewest modifiers
// win, then the lowest keycode. A character's symbol is always the one that unicode gives, whatever the map's own is.
func (m *keymap) index(group int, kept byte) index {
	x := index{}
	needs := []byte{0}
	if m.modifierKey(symShift, symShiftR) != 0 {
		needs = append(needs, shiftMask)
	}
	if third := m.modifier(symLevel3); third != 0 {
		needs = append(needs, third)
		if len(needs) == 3 {
			needs = append(needs, third|shiftMask)
		}
	}
	for _, need := range needs {
		for code := m.min; code <= m.max; code++ {
			sym := m.sym(code, group, need|kept)
			if sym == 0 || m.modifiers[code] != 0 && sym < 0xffe1 {
				continue
			}
			if r := sym.character(); r != 0 {
				sym = unicodeSym(r)
			}
			if _, known := x[sym]; !known {
				x[sym] = stroke{byte(code), group, need}
			}
		}
	}
	return x
}

// groups is how many the map has.
func (m *keymap) groups() int {
	most := 1
	for code := m.min; code <= m.max; code++ {
		most = max(most, m.keys[code].groups)
	}
	return most
}

// empty says whether a key has no symbol at all and is no modifier: it may be lent one.
func (m *keymap) empty(code int) bool {
	for _, sym := range m.keys[code].syms {
		if sym != 0 {
			return false
		}
	}
	return m.modifiers[code] == 0
}

// holds says whether a key gives a symbol at all its levels.
func (m *keymap) holds(r remapped) bool {
	k := &m.keys[r.code]
	for _, sym := range k.syms {
		if sym != r.sym {
			return false
		}
	}
	return len(k.syms) > 0
}
