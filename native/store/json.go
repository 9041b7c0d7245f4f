package store

import (
	"strings"
	"unicode/utf8"
)

// JSON reads JSON that the store's writers made: no whitespace between tokens, no escapes in keys. Each method reads one thing
// and moves behind it; false means that something else is there.
type JSON struct{ c jsonReader }

// ReadJSON begins at the start of a text. What is read points into it where nothing is escaped.
func ReadJSON(text string) *JSON { return &JSON{jsonReader{s: text}} }

// Object visits the keys of an object; visit reads the value.
func (j *JSON) Object(visit func(key string) bool) bool { return j.c.object(visit) }

// Array visits the elements of an array; visit reads one.
func (j *JSON) Array(visit func() bool) bool { return j.c.array(visit) }

// Text reads a string. A lone surrogate becomes the three bytes that its number would have as a character.
func (j *JSON) Text(v *string) bool { return j.c.text(v) }

// Number reads an integer.
func (j *JSON) Number(n *int64) bool { return j.c.number(n) }

// Skip passes over any value.
func (j *JSON) Skip() bool { return j.c.skip() }

// Next is the byte that comes next, 0 at the end.
func (j *JSON) Next() byte {
	if j.c.i < len(j.c.s) {
		return j.c.s[j.c.i]
	}
	return 0
}

// AppendText appends a JSON string. Bytes that are no UTF-8 become U+FFFD, but a lone surrogate keeps its number.
func AppendText(out []byte, v string) []byte {
	for i := 0; i < len(v); i++ {
		if c := v[i]; !plain(c) || c >= utf8.RuneSelf {
			return appendEscapedText(out, v)
		}
	}
	return append(append(append(out, '"'), v...), '"')
}

func appendEscapedText(out []byte, v string) []byte {
	s := stream{buf: make([]byte, 0, 6*len(v)+2)}
	s.quoted(v)
	return append(out, s.buf...)
}

// appendField appends `,"key":"value"` unless the value is empty. The key comes with its punctuation.
func appendField(out []byte, key, value string) []byte {
	if value == "" {
		return out
	}
	return AppendText(append(out, key...), value)
}

// hexText tells a text of so many hexadecimal digits, as we write them.
func hexText(v string, digits int) bool { return len(v) == digits && strings.Trim(v, hexDigits) == "" }
