package gui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"asz/shared/diag"
)

// Modifiers is a set of keys that are held down.
type Modifiers uint8

// The modifiers.
const (
	Ctrl Modifiers = 1 << iota
	Alt
	Shift
	Super
)

// Chord is modifiers and one key. A character that needs Shift or another level gets it, as when it is typed:
// `ctrl+S` is `ctrl+shift+s`.
type Chord struct {
	Modifiers Modifiers
	Key       NamedKey // NoKey: Rune is the key
	Rune      rune     // a printable character, the blank among them
}

// NamedKey is a key that makes no character.
type NamedKey uint8

// The keys.
const (
	NoKey NamedKey = iota
	KeyReturn
	KeyTab
	KeyEscape
	KeyBackspace
	KeyDelete
	KeyInsert
	KeyHome
	KeyEnd
	KeyPageUp
	KeyPageDown
	KeyLeft
	KeyUp
	KeyRight
	KeyDown
	KeyF1
	KeyF2
	KeyF3
	KeyF4
	KeyF5
	KeyF6
	KeyF7
	KeyF8
	KeyF9
	KeyF10
	KeyF11
	KeyF12
)

// modifierTable: the names of modifiers, in any case.
var modifierTable = []struct {
	name string
	is   Modifiers
}{
	{"ctrl", Ctrl}, {"control", Ctrl}, {"alt", Alt}, {"meta", Alt}, {"shift", Shift}, {"super", Super}, {"win", Super}, {"cmd", Super},
}

// keyTable: the names of keys, in any case. Of several names of a key the first is its own.
var keyTable = []struct {
	name string
	key  NamedKey
	char rune
}{
	{"f1", KeyF1, 0}, {"f2", KeyF2, 0}, {"f3", KeyF3, 0}, {"f4", KeyF4, 0}, {"f5", KeyF5, 0}, {"f6", KeyF6, 0},
	{"f7", KeyF7, 0}, {"f8", KeyF8, 0}, {"f9", KeyF9, 0}, {"f10", KeyF10, 0}, {"f11", KeyF11, 0}, {"f12", KeyF12, 0},
	{"return", KeyReturn, 0}, {"enter", KeyReturn, 0}, {"tab", KeyTab, 0}, {"escape", KeyEscape, 0}, {"esc", KeyEscape, 0},
	{"space", NoKey, ' '}, {"backspace", KeyBackspace, 0}, {"delete", KeyDelete, 0}, {"del", KeyDelete, 0},
	{"insert", KeyInsert, 0}, {"home", KeyHome, 0}, {"end", KeyEnd, 0}, {"pageup", KeyPageUp, 0}, {"prior", KeyPageUp, 0},
	{"pagedown", KeyPageDown, 0}, {"next", KeyPageDown, 0}, {"left", KeyLeft, 0}, {"up", KeyUp, 0}, {"right", KeyRight, 0},
	{"down", KeyDown, 0}, {"minus", NoKey, '-'}, {"plus", NoKey, '+'}, {"equal", NoKey, '='}, {"comma", NoKey, ','},
	{"period", NoKey, '.'}, {"slash", NoKey, '/'},
}

// String is the key's name.
func (k NamedKey) String() string {
	for _, row := range keyTable {
		if row.key == k && k != NoKey {
			return row.name
		}
	}
	return "none"
}

// String is the chord in its shortest names: ctrl+shift+s.
func (c Chord) String() string {
	var b strings.Builder
	seen := Modifiers(0)
	for _, row := range modifierTable {
		if c.Modifiers&row.is != 0 && seen&row.is == 0 {
			seen |= row.is
			b.WriteString(row.name + "+")
		}
	}
	if c.Key != NoKey {
		return b.String() + c.Key.String()
	}
	for _, row := range keyTable {
		if row.key == NoKey && row.char == c.Rune && c.Rune == ' ' {
			return b.String() + row.name
		}
	}
	return b.String() + string(c.Rune)
}

// ParseChord reads a chord. Names may be in any case; a character is itself. `+` is a key too, alone or last: `ctrl++`.
func parseChord(text string) (Chord, *fault) {
	var c Chord
	refuse := func(start, end int, message, fix string) (Chord, *fault) {
		return Chord{}, &fault{code: "chord-form", start: start, end: end, message: message, fix: fix}
	}
	at := 0
	for {
		rest := text[at:]
		i := -1
		if rest != "" {
			i = strings.IndexByte(rest[1:], '+') + 1 // a leading + is a key
		}
		if i <= 0 || i == len(rest)-1 {
			break
		}
		part := rest[:i]
		m, ok := modifier(part)
		switch {
		case ok && c.Modifiers&m != 0:
			return refuse(at, at+i, "the chord holds "+diag.Quoted(part)+" twice", "remove one of the two")
		case !ok && strings.TrimSpace(part) != part:
			return refuse(at, at+i, "a chord has no blanks around `+`", "write "+diag.Quoted(strings.ReplaceAll(text, " ", "")))
		case !ok && isKey(part):
			return refuse(at, at+i, "a chord is modifiers and one key at its end, and "+diag.Quoted(part)+" is a key", "press one key after the other, in actions of their own")
		case !ok:
			return refuse(at, at+i, diag.Quoted(part)+" is not a modifier", nearestOr(part, modifierNames(), "use ctrl, alt, shift or super"))
		}
		c.Modifiers |= m
		at += i + 1
	}
	last := text[at:]
	if char, size := utf8.DecodeRuneInString(last); size == len(last) && size > 0 && unicode.IsGraphic(char) {
		c.Rune = char
		return c, nil
	}
	for _, row := range keyTable {
		if strings.EqualFold(row.name, last) {
			c.Key, c.Rune = row.key, row.char
			return c, nil
		}
	}
	if _, ok := modifier(strings.TrimSuffix(last, "+")); ok || last == "" {
		return refuse(at, len(text), "the chord has no key", "add the key behind the modifiers: `ctrl+s`")
	}
	if trimmed := strings.TrimSpace(last); trimmed != last && trimmed != "" {
		return refuse(at, len(text), "a chord has no blanks", "write "+diag.Quoted(strings.ReplaceAll(text, " ", "")))
	}
	return refuse(at, len(text), diag.Quoted(last)+" is not a key",
		nearestOr(last, keyNames(), "write one character, f1 to f12, or a name such as return, tab, escape, pagedown or left; `type` enters a text"))
}

func modifier(name string) (Modifiers, bool) {
	for _, row := range modifierTable {
		if strings.EqualFold(row.name, name) {
			return row.is, true
		}
	}
	return 0, false
}

func isKey(name string) bool {
	for _, row := range keyTable {
		if strings.EqualFold(row.name, name) {
			return true
		}
	}
	return utf8.RuneCountInString(name) == 1
}

func modifierNames() []string {
	var names []string
	for _, row := range modifierTable {
		names = append(names, row.name)
	}
	return names
}

func keyNames() []string {
	var names []string
	for _, row := range keyTable {
		names = append(names, row.name)
	}
	return names
}

// nearestOr says to write the name that comes nearest, else what else to do.
func nearestOr(word string, names []string, otherwise string) string {
	if near := diag.Nearest(word, names); near != "" {
		return fmt.Sprintf("write `%s`", near)
	}
	return otherwise
}
