package view

import (
	"bufio"
	"strconv"
	"unicode/utf8"
)

// jsonNotation writes JSON without whitespace. The writer keeps the first error.
type jsonNotation struct {
	out   *bufio.Writer
	lists []bool // what is open
	more  bool   // a comma is due before the next value
	keyed bool   // the next value has its key already
	room  [24]byte
}

func (j *jsonNotation) value() {
	if !j.keyed && j.more {
		j.out.WriteByte(',')
	}
	j.keyed, j.more = false, true
}

func (j *jsonNotation) begin(list bool) {
	j.value()
	j.lists = append(j.lists, list)
	j.more = false
	if list {
		j.out.WriteByte('[')
	} else {
		j.out.WriteByte('{')
	}
}

func (j *jsonNotation) end() {
	last := len(j.lists) - 1
	if j.lists[last] {
		j.out.WriteByte(']')
	} else {
		j.out.WriteByte('}')
	}
	j.lists, j.more = j.lists[:last], true
}

func (j *jsonNotation) key(name string) {
	if j.more {
		j.out.WriteByte(',')
	}
	j.out.WriteByte('"')
	j.out.WriteString(name)
	j.out.WriteString(`":`)
	j.keyed = true
}

func (j *jsonNotation) entry(name string) {
	if j.more {
		j.out.WriteByte(',')
	}
	quote(j.out, name)
	j.out.WriteByte(':')
	j.keyed = true
}

func (j *jsonNotation) text(s string) { j.value(); quote(j.out, s) }

func (j *jsonNotation) number(n int64) {
	j.value()
	j.out.Write(strconv.AppendInt(j.room[:0], n, 10))
}

func (j *jsonNotation) flag(v bool) {
	j.value()
	j.out.WriteString(strconv.FormatBool(v))
}

func (j *jsonNotation) null() {
	j.value()
	j.out.WriteString("null")
}

const hexDigits = "0123456789abcdef"

// quote writes a JSON string, which is one of YAML, too. `<`, `>` and `&` stand for themselves; characters that may end a
// line or act on a terminal do not. Bytes that are no UTF-8 become U+FFFD.
func quote(out *bufio.Writer, s string) {
	out.WriteByte('"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			if r, size = utf8.DecodeRuneInString(s[i:]); !special(r) && (r != utf8.RuneError || size > 1) {
				i += size
				continue
			}
		}
		out.WriteString(s[start:i])
		i += size
		start = i
		switch r {
		case '"', '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case '\n':
			out.WriteString(`\n`)
		case '\r':
			out.WriteString(`\r`)
		case '\t':
			out.WriteString(`\t`)
		case utf8.RuneError:
			out.WriteString("\uFFFD")
		default:
			out.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				out.WriteByte(hexDigits[r>>shift&15])
			}
		}
	}
	out.WriteString(s[start:])
	out.WriteByte('"')
}

// special characters of Unicode are escaped: they end lines, turn the order of others or are no text in YAML. All are below
// U+10000.
func special(r rune) bool {
	return r >= 0x80 && r <= 0x9f || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
		r == 0xfeff || r == 0xfffe || r == 0xffff
}
