package claudecode

import (
	"strings"
	"unicode/utf8"
)

// appendString writes a JSON string as the runtime does: only what must be escaped is. encoding/json would escape U+2028
// and U+2029 too.
func appendString(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	dst = append(dst, '"')
	from := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, text[from:]...), '"')
}

// AppendObject writes a JSON object of strings: names and values by turns.
func AppendObject(dst []byte, pairs ...string) []byte {
	w := writer{dst: dst}
	w.open()
	for i := 0; i+1 < len(pairs); i += 2 {
		w.text(pairs[i], pairs[i+1])
	}
	w.shut()
	return w.dst
}
