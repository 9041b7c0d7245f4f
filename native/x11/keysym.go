package x11

import (
	"strings"
	"unicode"
)

// unicodeSym is a character's symbol: its own number in Latin-1, else 0x01000000 and more. Every toolkit reads both.
func unicodeSym(r rune) keysym {
	if r >= 0x20 && r <= 0x7e || r >= 0xa0 && r <= 0xff {
		return keysym(r)
	}
	return 0x01000000 + keysym(r)
}

// character is the one that a symbol stands for; 0: it stands for none, or for one of a script that maps name by
// symbols older than Unicode and that is not listed here: such a character is typed through a spare key.
func (s keysym) character() rune {
	switch {
	case s >= 0x20 && s <= 0x7e, s >= 0xa0 && s <= 0xff:
		return rune(s)
	case s >= 0x01000100 && s <= 0x0110ffff:
		return rune(s - 0x01000000)
	case s == 0x20ac:
		return '€'
	case s == 0x13bc:
		return 'Œ'
	case s == 0x13bd:
		return 'œ'
	case s == 0x13be:
		return 'Ÿ'
	case s >= 0x5ac && s <= 0x5f2:
		return rune(s-0x5a0) + 0x600 // Arabic
	case s >= 0xce0 && s <= 0xcfa:
		return rune(s-0xce0) + 0x5d0 // Hebrew
	case s >= 0xda1 && s <= 0xdf9:
		return rune(s-0xda0) + 0xe00 // Thai
	}
	for _, block := range [...]struct {
		first keysym
		runes string // U+FFFD: not assigned
	}{
		{0x1a1, "Ą˘Ł\uFFFDĽŚ\uFFFD\uFFFDŠŞŤŹ\uFFFDŽŻ\uFFFDą˛ł\uFFFDľśˇ\uFFFDšşťź˝žżŔ\uFFFD\uFFFDĂ\uFFFDĹĆ\uFFFDČ\uFFFDĘ\uFFFDĚ\uFFFD\uFFFDĎĐŃŇ\uFFFD\uFFFDŐ\uFFFD\uFFFDŘŮ\uFFFDŰ\uFFFD\uFFFDŢ\uFFFDŕ\uFFFD\uFFFDă\uFFFDĺć\uFFFDč\uFFFDę\uFFFDě\uFFFD\uFFFDďđńň\uFFFD\uFFFDő\uFFFD\uFFFDřů\uFFFDű\uFFFD\uFFFDţ˙"},
		{0x6a1, "ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏюабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ"},
		{0x7c1, "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣ\uFFFDΤΥΦΧΨΩ"},
		{0x7e1, "αβγδεζηθικλμνξοπρσςτυφχψω"},
	} {
		if s < block.first {
			continue
		}
		n := int(s - block.first)
		for _, r := range block.runes {
			if n == 0 && r != unicode.ReplacementChar {
				return r
			}
			n--
		}
	}
	return 0
}

// keyNames are the keys that have names.
func keyName(name string) (keysym, bool) {
	sym, ok := map[string]keysym{
		"return": symReturn, "enter": symReturn, "tab": symTab, "escape": 0xff1b, "esc": 0xff1b, "space": ' ',
		"backspace": 0xff08, "delete": 0xffff, "del": 0xffff, "insert": 0xff63, "home": 0xff50, "end": 0xff57,
		"pageup": 0xff55, "prior": 0xff55, "pagedown": 0xff56, "next": 0xff56, "left": 0xff51, "up": 0xff52,
		"right": 0xff53, "down": 0xff54, "minus": '-', "plus": '+', "equal": '=', "comma": ',', "period": '.',
		"slash": '/', "f1": 0xffbe, "f2": 0xffbf, "f3": 0xffc0, "f4": 0xffc1, "f5": 0xffc2, "f6": 0xffc3,
		"f7": 0xffc4, "f8": 0xffc5, "f9": 0xffc6, "f10": 0xffc7, "f11": 0xffc8, "f12": 0xffc9,
	}[strings.ToLower(name)]
	return sym, ok
}

// modifierNames gives the symbols of a modifier's keys, the usual one first.
func modifierName(name string) []keysym {
	switch strings.ToLower(name) {
	case "ctrl", "control":
		return []keysym{0xffe3, 0xffe4}
	case "alt", "meta":
		return []keysym{0xffe9, 0xffe7, 0xffea, 0xffe8} // Alt, Meta
	case "shift":
		return []keysym{symShift, symShiftR}
	case "super", "win", "cmd":
		return []keysym{0xffeb, 0xffec}
	}
	return nil
}
