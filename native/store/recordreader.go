package store

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// The reader knows only the JSON that the writer makes: no whitespace between tokens, no escapes in keys. A library would
// decode every text to read a record's id, and lose the number of a lone surrogate.

var errRecord = errors.New("the line is no record")

// Read reads a record line into r, whose slices are used again. The texts point into line where nothing is escaped, so
// they live as long as it stays unchanged. Data that was written from Part.Source comes back in Part.Data. Fields that
// are not the format's are passed over.
func (r *Record) Read(line []byte) error {
	*r = Record{Parts: r.Parts[:0], Dropped: r.Dropped[:0]}
	c := jsonReader{s: unsafe.String(unsafe.SliceData(line), len(line))}
	ok := c.object(func(key string) bool {
		switch key {
		case "ord":
			return c.number(&r.Ord)
		case "off":
			return c.number(&r.Off)
		case "sha":
			return c.text(&r.SHA)
		case "bytes":
			return c.number(&r.Bytes)
		case "id":
			return c.text(&r.ID)
		case "parent":
			return c.text(&r.Parent)
		case "call":
			return c.text(&r.Call)
		case "run":
			return c.text(&r.Run)
		case "continues":
			return c.text(&r.Continues)
		case "tool":
			return c.text(&r.Tool)
		case "child":
			return c.text(&r.Child)
		case "batch":
			return c.text(&r.Batch)
		case "started_by":
			return c.text(&r.StartedBy)
		case "label":
			return c.text(&r.Label)
		case "from":
			return c.text((*string)(&r.From))
		case "time":
			return c.text(&r.Time)
		case "trigger":
			return c.text((*string)(&r.Trigger))
		case "flags":
			return c.flags(&r.Flags)
		case "usage":
			r.Usage = new(Usage)
			return c.usage(r.Usage)
		case "parts":
			return c.array(func() bool {
				r.Parts = append(r.Parts, Part{})
				return c.part(&r.Parts[len(r.Parts)-1])
			})
		case "dropped":
			return c.array(func() bool {
				r.Dropped = append(r.Dropped, Dropped{})
				return c.dropped(&r.Dropped[len(r.Dropped)-1])
			})
		}
		return c.skip()
	})
	if !ok || c.i != len(c.s) || r.Ord < 1 {
		return errRecord
	}
	return nil
}

// position reads only where a record stands, from the beginning of its line, which may be cut off behind it.
func position(head string) (RecordPos, bool) {
	var pos RecordPos
	c := jsonReader{s: head}
	whole := false
	ok := c.object(func(key string) bool {
		switch key {
		case "ord":
			return c.number(&pos.Ord)
		case "off":
			return c.number(&pos.Off)
		case "sha":
			return c.text(&pos.SHA)
		case "bytes":
			return c.number(&pos.Bytes)
		case "id":
			return c.text(&pos.UUID)
		}
		whole = true
		return false
	})
	pos.SHA, pos.UUID = strings.Clone(pos.SHA), strings.Clone(pos.UUID)
	return pos, (ok || whole) && pos.Ord > 0
}

// jsonReader is a place in JSON text.
type jsonReader struct {
	s string
	i int
}

func (c *jsonReader) take(b byte) bool {
	if c.i < len(c.s) && c.s[c.i] == b {
		c.i++
		return true
	}
	return false
}

// object visits the keys of an object; visit reads the value.
func (c *jsonReader) object(visit func(key string) bool) bool {
	if !c.take('{') {
		return false
	}
	if c.take('}') {
		return true
	}
	for {
		start := c.i
		if !c.skipString() {
			return false
		}
		key := c.s[start+1 : c.i-1]
		if !c.take(':') || !visit(key) {
			return false
		}
		if c.take('}') {
			return true
		}
		if !c.take(',') {
			return false
		}
	}
}

func (c *jsonReader) array(visit func() bool) bool {
	if !c.take('[') {
		return false
	}
	if c.take(']') {
		return true
	}
	for {
		if !visit() {
			return false
		}
		if c.take(']') {
			return true
		}
		if !c.take(',') {
			return false
		}
	}
}

func (c *jsonReader) skipString() bool {
	if !c.take('"') {
		return false
	}
	for {
		n := strings.IndexByte(c.s[c.i:], '"')
		if n < 0 {
			return false
		}
		end := c.i + n
		slashes := end
		for slashes > c.i && c.s[slashes-1] == '\\' {
			slashes--
		}
		c.i = end + 1
		if (end-slashes)%2 == 0 {
			return true
		}
	}
}

// skip passes over any value.
func (c *jsonReader) skip() bool {
	depth := 0
	for c.i < len(c.s) {
		switch c.s[c.i] {
		case '"':
			if !c.skipString() {
				return false
			}
			if depth == 0 {
				return true
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return false
			}
			if depth--; depth == 0 {
				c.i++
				return true
			}
		case ',', ':':
			if depth == 0 {
				return false
			}
		default:
			if depth == 0 {
				return c.scalar()
			}
		}
		c.i++
	}
	return false
}

// scalar passes over a number, true, false or null that stands alone.
func (c *jsonReader) scalar() bool {
	start := c.i
	for c.i < len(c.s) && strings.IndexByte("+-.0123456789abcdefghijklmnopqrstuvwxyzE", c.s[c.i]) >= 0 {
		c.i++
	}
	return c.i > start
}

func (c *jsonReader) number(n *int64) bool {
	start := c.i
	if !c.scalar() {
		return false
	}
	v, err := strconv.ParseInt(c.s[start:c.i], 10, 64)
	*n = v
	return err == nil
}

func (c *jsonReader) raw(v *Raw) bool {
	start := c.i
	ok := c.skip()
	*v = Raw(c.s[start:c.i])
	return ok
}

func (c *jsonReader) text(v *string) bool {
	start := c.i
	if !c.skipString() {
		return false
	}
	*v = c.s[start+1 : c.i-1]
	if strings.IndexByte(*v, '\\') >= 0 {
		return unescape(v)
	}
	return true
}

func (c *jsonReader) flags(flags *Flags) bool {
	return c.array(func() bool {
		var name string
		if !c.text(&name) {
			return false
		}
		for i, known := range flagNames {
			if known == name {
				*flags |= 1 << i
			}
		}
		return true
	})
}

func (c *jsonReader) usage(u *Usage) bool {
	return c.object(func(key string) bool {
		switch key {
		case "in":
			return c.number(&u.In)
		case "out":
			return c.number(&u.Out)
		case "cache_read":
			return c.number(&u.CacheRead)
		case "cache_write":
			return c.number(&u.CacheWrite)
		}
		return c.skip()
	})
}

func (c *jsonReader) part(p *Part) bool {
	return c.object(func(key string) bool {
		switch key {
		case "k":
			return c.text((*string)(&p.K))
		case "state":
			return c.text((*string)(&p.State))
		case "bytes":
			return c.number(&p.Bytes)
		case "id":
			return c.text(&p.ID)
		case "name":
			return c.text(&p.Name)
		case "of":
			return c.text(&p.Of)
		case "failed":
			var v Raw
			ok := c.raw(&v)
			failed := v == "true"
			p.Failed = &failed
			return ok && (failed || v == "false")
		case "media_type":
			return c.text(&p.MediaType)
		case "text":
			return c.raw(&p.Text)
		case "data":
			return c.raw(&p.Data)
		}
		return c.skip()
	})
}

func (c *jsonReader) dropped(d *Dropped) bool {
	return c.object(func(key string) bool {
		switch key {
		case "what":
			return c.text(&d.What)
		case "bytes":
			return c.number(&d.Bytes)
		case "why":
			return c.text(&d.Why)
		}
		return c.skip()
	})
}

// unescape resolves the escapes of a JSON string. A lone surrogate becomes the three bytes that its number would have as a
// character, which stream.quoted turns back.
func unescape(v *string) bool {
	s := *v
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		n := strings.IndexByte(s, '\\')
		if n < 0 {
			n = len(s)
		}
		out = append(out, s[:n]...)
		if s = s[n:]; s == "" {
			break
		}
		if len(s) < 2 {
			return false
		}
		if s[1] != 'u' {
			i := strings.IndexByte(`"\/bfnrt`, s[1])
			if i < 0 {
				return false
			}
			out = append(out, "\"\\/\b\f\n\r\t"[i])
			s = s[2:]
			continue
		}
		u, ok := unitOf(s)
		if !ok {
			return false
		}
		s = s[6:]
		r := rune(u)
		if low, ok := unitOf(s); ok && u>>10 == 0xD800>>10 && low>>10 == 0xDC00>>10 {
			r = 0x10000 + rune(u&0x3FF)<<10 + rune(low&0x3FF)
			s = s[6:]
		}
		if r>>11 == 0xD800>>11 {
			out = append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF)
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	*v = string(out)
	return true
}

func unitOf(s string) (uint16, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return uint16(n), err == nil
}
