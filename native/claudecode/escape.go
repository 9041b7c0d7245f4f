package claudecode

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escape is the length of the escape at the beginning of s and of what it stands for; an n of 0 or less says that there is
// none, and -n how far it is one. A surrogate without its partner stands for U+FFFD.
func escape(s string) (n, decoded int) {
	if len(s) < 2 {
		return -len(s), 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, 1
	case 'u':
	default:
		return 0, 0
	}
	r := hex4(s[2:])
	if r < 0 {
		if len(s) < 6 {
			return -len(s), 0
		}
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if pair(r, s[6:]) >= 0 {
			return 12, 4
		}
		r = utf8.RuneError
	}
	return 6, utf8.RuneLen(r)
}

// pair is the character of a surrogate and the escape that follows it, negative when they are none.
func pair(high rune, rest string) rune {
	if len(rest) < 6 || rest[0] != '\\' || rest[1] != 'u' {
		return -1
	}
	if r := utf16.DecodeRune(high, hex4(rest[2:])); r != utf8.RuneError {
		return r
	}
	return -1
}

func hex4(s string) rune {
	if len(s) < 4 {
		return -1
	}
	var r rune
	for i := range 4 {
		b := s[i]
		switch {
		case b >= '0' && b <= '9':
			b -= '0'
		case b|0x20 >= 'a' && b|0x20 <= 'f':
			b = b | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(b)
	}
	return r
}

// unescape appends what the inside of a checked JSON string says.
func unescape(out []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return append(out, s...)
		}
		out = append(out, s[:i]...)
		s = s[i:]
		n, _ := escape(s)
		switch s[1] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hex4(s[2:])
			if n == 12 {
				r = pair(r, s[6:])
			}
			out = utf8.AppendRune(out, r) // half a pair becomes U+FFFD
		default:
			out = append(out, s[1])
		}
		s = s[n:]
	}
}

// compact appends a checked JSON value without the whitespace between its tokens.
func compact(out []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		switch s[i] {
		case '"':
			i += stringEnd(s[i:])
		case ' ', '\t', '\r', '\n':
			out = append(out, s[start:i]...)
			i++
			start = i
		default:
			i++
		}
	}
	return append(out, s[start:]...)
}

// stringEnd is the length of the checked JSON string at the beginning of s.
func stringEnd(s string) int {
	for i := 1; ; i++ {
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
}
