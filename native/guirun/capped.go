package guirun

import (
	"fmt"
	"unicode/utf8"
)

// capped keeps both ends of what is written to it, up to a limit, and counts what lies between.
type capped struct {
	limit int
	head  []byte
	ring  []byte // the last bytes after head, once full from next on
	next  int
	total int64
}

func newCapped(limit int) *capped { return &capped{limit: limit} }

func (c *capped) Write(b []byte) (int, error) {
	n := len(b)
	c.total += int64(n)
	if room := c.limit/2 - len(c.head); room > 0 {
		k := min(room, len(b))
		c.head = append(c.head, b[:k]...)
		b = b[k:]
	}
	size := c.limit - c.limit/2
	if len(b) > size {
		b = b[len(b)-size:]
	}
	if room := size - len(c.ring); room > 0 {
		k := min(room, len(b))
		c.ring = append(c.ring, b[:k]...)
		b = b[k:]
	}
	for len(b) > 0 {
		k := copy(c.ring[c.next:], b)
		b = b[k:]
		if c.next += k; c.next == size {
			c.next = 0
		}
	}
	return n, nil
}

// text gives what was kept, with a mark where something was cut, and how many bytes that was. A character that the cut
// went through goes too.
func (c *capped) text() (string, int64) {
	tail := append(append([]byte(nil), c.ring[c.next:]...), c.ring[:c.next]...)
	if c.total == int64(len(c.head)+len(tail)) {
		return string(c.head) + string(tail), 0
	}
	head := c.head[:wholeEnd(c.head)]
	tail = tail[wholeStart(tail):]
	cut := c.total - int64(len(head)+len(tail))
	return fmt.Sprintf("%s\n… %d bytes cut …\n%s", head, cut, tail), cut
}

// wholeEnd is where the last character of b that is whole ends; what is no UTF-8 is left as it is.
func wholeEnd(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}

// wholeStart is where the first whole character of b begins.
func wholeStart(b []byte) int {
	for i := 0; i < len(b) && i < utf8.UTFMax; i++ {
		if utf8.RuneStart(b[i]) {
			return i
		}
	}
	return 0
}
