package claudecode

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is one JSON value as the source wrote it; without raw there is none.
type value struct {
	raw    string
	size   int  // of a string: its length in bytes when decoded
	spaced bool // there is whitespace between its tokens
}

func (v value) isString() bool { return v.raw != "" && v.raw[0] == '"' }
func (v value) isObject() bool { return v.raw != "" && v.raw[0] == '{' }
func (v value) isArray() bool  { return v.raw != "" && v.raw[0] == '[' }

// given says that there is a value, and that it is not null.
func (v value) given() bool { return v.raw != "" && v.raw != "null" }

// text is the name that a string says, "" for any other value and for what is too long for one. It is copied only when it
// holds escapes.
func (v value) text() string {
	if !v.isString() || v.size > maxName {
		return ""
	}
	inner := v.raw[1 : len(v.raw)-1]
	if v.size == len(inner) { // every escape is longer than what it stands for
		return inner
	}
	return string(unescape(make([]byte, 0, v.size), inner))
}

// count is a whole number, 0 for any other value.
func (v value) count() int64 {
	n, err := strconv.ParseInt(v.raw, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// scanner goes once through a JSON text, checks all of it and hands out the values that are asked for as slices of it. It
// keeps one bit per level of nesting and nothing per token, so that neither depth nor length of a line costs memory.
//
// Bytes that are no UTF-8 pass inside strings: whoever needs text checks the whole line. The first error stays in bad, and
// from then on every method finds an end.
type scanner struct {
	s      string
	i      int
	spaces int    // whitespace seen between tokens
	bad    string // what is wrong, for people
	name   string // of the member that member found
	high   uint64 // all bytes of the strings, one over the other
	nest   []uint64
}

const (
	brokenOff = "the JSON breaks off at the end of the line"
	notJSON   = "the line is not JSON"
)

func (c *scanner) start(s string) {
	c.s, c.i, c.spaces, c.bad, c.high = s, 0, 0, "", 0
}

func (c *scanner) fail() {
	if c.bad != "" {
		return
	}
	c.bad = notJSON
	if c.i >= len(c.s) {
		c.bad = brokenOff
	}
}

// peek skips whitespace and is the next byte, 0 at the end.
func (c *scanner) peek() byte {
	for c.i < len(c.s) {
		b := c.s[c.i]
		if b > ' ' || b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b
		}
		c.i++
		c.spaces++
	}
	return 0
}

// open goes into an object or array, which the next byte has to begin.
func (c *scanner) open() { c.i++ }

// member goes to the next member of an object, leaves its key in name and stands before its value; false at the end.
func (c *scanner) member(first *bool) bool {
	if !c.next(first, '}') {
		return false
	}
	return c.key()
}

// next goes to the next element of an array; false at the end. close is what ends it.
func (c *scanner) next(first *bool, close byte) bool {
	if c.bad != "" {
		return false
	}
	b := c.peek()
	switch {
	case b == close:
		c.i++
		return false
	case *first:
		*first = false
		return true
	case b == ',':
		c.i++
		return true
	}
	c.fail()
	return false
}

func (c *scanner) key() bool {
	if c.peek() != '"' {
		c.fail()
		return false
	}
	start := c.i + 1
	size := c.str()
	if c.bad != "" {
		return false
	}
	c.name = c.s[start : c.i-1]
	if size != len(c.name) && size <= maxKey { // an escape in a key: rare, and a known key may be written so
		c.name = string(unescape(make([]byte, 0, size), c.name))
	}
	if c.peek() != ':' {
		c.fail()
		return false
	}
	c.i++
	return true
}

// maxKey is longer than every key that has a meaning.
const maxKey = 64

// value takes the next value whole.
func (c *scanner) value() value {
	b := c.peek()
	start, spaces := c.i, c.spaces
	size := 0
	if b == '"' {
		size = c.str()
	} else {
		c.skip()
	}
	if c.bad != "" {
		return value{}
	}
	return value{raw: c.s[start:c.i], size: size, spaced: c.spaces != spaces}
}

// since is the value that began at a place and ends here.
func (c *scanner) since(start, spaces int) value {
	if c.bad != "" {
		return value{}
	}
	return value{raw: c.s[start:c.i], spaced: c.spaces != spaces}
}

// skip passes over one value of any depth.
func (c *scanner) skip() {
	depth := 0
	for c.bad == "" {
		switch b := c.peek(); b {
		case '{', '[':
			c.i++
			c.push(depth, b == '{')
			depth++
			if c.peek() == b+2 { // '}' and ']' stand two after their partner
				c.i++
				depth--
				break
			}
			if b == '{' {
				c.key()
			}
			continue
		case '"':
			c.str()
		case 't':
			c.literal("true")
		case 'f':
			c.literal("false")
		case 'n':
			c.literal("null")
		default:
			c.number()
		}
		for c.bad == "" { // a value ends here
			if depth == 0 {
				return
			}
			object := c.nest[(depth-1)/64]>>((depth-1)%64)&1 == 1
			b := c.peek()
			if b == ',' {
				c.i++
				if object {
					c.key()
				}
				break
			}
			if object && b != '}' || !object && b != ']' {
				c.fail()
				break
			}
			c.i++
			depth--
		}
	}
}

func (c *scanner) push(depth int, object bool) {
	word, bit := depth/64, uint64(1)<<(depth%64)
	if word == len(c.nest) {
		c.nest = append(c.nest, 0)
	}
	if object {
		c.nest[word] |= bit
	} else {
		c.nest[word] &^= bit
	}
}

func (c *scanner) literal(word string) {
	if strings.HasPrefix(c.s[c.i:], word) {
		c.i += len(word)
		return
	}
	if strings.HasPrefix(word, c.s[c.i:]) {
		c.i = len(c.s)
	}
	c.fail()
}

func (c *scanner) number() {
	if c.at() == '-' {
		c.i++
	}
	switch b := c.at(); {
	case b == '0':
		c.i++
	case !c.digits():
		return
	}
	if c.at() == '.' {
		c.i++
		if !c.digits() {
			return
		}
	}
	if b := c.at(); b == 'e' || b == 'E' {
		c.i++
		if b := c.at(); b == '+' || b == '-' {
			c.i++
		}
		c.digits()
	}
}

func (c *scanner) at() byte {
	if c.i < len(c.s) {
		return c.s[c.i]
	}
	return 0
}

func (c *scanner) digits() bool {
	start := c.i
	for b := c.at(); b >= '0' && b <= '9'; b = c.at() {
		c.i++
	}
	if c.i == start {
		c.fail()
		return false
	}
	return true
}

// str passes over a string and returns its length in bytes when decoded. It stands on the opening quote.
func (c *scanner) str() int {
	s, i := c.s, c.i+1
	high := c.high
	less := 0 // by how much the decoded text is shorter than what is written
	for {
		// eight bytes at a time up to a quote, a backslash or a control character
		for len(s)-i >= 8 {
			x := word(s[i:])
			high |= x
			q, e := x^('"'*ones), x^('\\'*ones)
			hit := ((x-' '*ones)&^x | (q-ones)&^q | (e-ones)&^e) & tops
			if hit == 0 {
				i += 8
				continue
			}
			at := bits.TrailingZeros64(hit) &^ 7 // what lies above the lowest hit may be a false one
			i += at / 8
			if at == 56 || byte(x>>at) != '\\' || !short[byte(x>>(at+8))] {
				break
			}
			i += 2
			less++
		}
		if i >= len(s) {
			c.i = i
			c.fail()
			return 0
		}
		switch b := s[i]; {
		case b == '"':
			size := i - c.i - 1 - less
			c.i, c.high = i+1, high
			return size
		case b == '\\':
			n, decoded := escape(s[i:])
			if n <= 0 {
				c.i = i - n
				c.fail()
				return 0
			}
			i += n
			less += n - decoded
		case b < ' ':
			c.i = i
			c.fail()
			return 0
		default:
			high |= uint64(b)
			i++
		}
	}
}

// short tells the letters of escapes of two bytes.
var short = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

const ones, tops = 0x0101010101010101, 0x8080808080808080 // in each byte of a word the lowest bit, and the highest

// ascii says that no string so far held anything else.
func (c *scanner) ascii() bool { return c.high&tops == 0 }

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// valid is utf8.ValidString, which reads byte by byte behind the first character that is not ASCII.
func valid(s string) bool {
	for i := 0; ; {
		for len(s)-i >= 8 {
			if hit := word(s[i:]) & tops; hit != 0 {
				i += bits.TrailingZeros64(hit) / 8
				break
			}
			i += 8
		}
		for i < len(s) && s[i] < utf8.RuneSelf {
			i++
		}
		if i == len(s) {
			return true
		}
		for i < len(s) && s[i] >= utf8.RuneSelf {
			// nearly all there are: two bytes, and three without overlong forms and surrogates
			if b := s[i]; b >= 0xC2 && b < 0xE0 && len(s)-i >= 2 && s[i+1]&0xC0 == 0x80 {
				i += 2
				continue
			} else if b > 0xE0 && b < 0xED && len(s)-i >= 3 && s[i+1]&0xC0 == 0x80 && s[i+2]&0xC0 == 0x80 {
				i += 3
				continue
			}
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				return false
			}
			i += size
		}
	}
}
