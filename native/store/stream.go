package store

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strconv"
	"unicode/utf8"
)

// bufferSize is what is gathered before it goes to the disk.
const bufferSize = 256 << 10

// stream writes JSON to a file through one buffer, and hashes all of it. The first error stays.
type stream struct {
	w    Writer
	buf  []byte // len up to bufferSize
	hash hash.Hash
	err  error

	total int64 // bytes that went to the disk
}

func (s *stream) start(w Writer) {
	if s.hash == nil {
		s.hash = sha256.New()
		s.buf = make([]byte, 0, bufferSize)
	}
	s.w, s.buf, s.err, s.total = w, s.buf[:0], nil, 0
	s.hash.Reset()
}

func (s *stream) flush() {
	if s.err == nil && len(s.buf) > 0 {
		s.hash.Write(s.buf)
		_, s.err = s.w.Write(s.buf)
		s.total += int64(len(s.buf))
	}
	s.buf = s.buf[:0]
}

// digest is that of all bytes so far.
func (s *stream) digest() string {
	s.flush()
	var sum [sha256.Size]byte
	return hex.EncodeToString(s.hash.Sum(sum[:0]))
}

// text writes a string as it is.
func (s *stream) text(v string) {
	for {
		n := copy(s.buf[len(s.buf):cap(s.buf)], v)
		s.buf = s.buf[:len(s.buf)+n]
		if n == len(v) {
			return
		}
		v = v[n:]
		s.flush()
	}
}

func (s *stream) bytes(v []byte) {
	for {
		n := copy(s.buf[len(s.buf):cap(s.buf)], v)
		s.buf = s.buf[:len(s.buf)+n]
		if n == len(v) {
			return
		}
		v = v[n:]
		s.flush()
	}
}

// room makes place for a few bytes.
func (s *stream) room(n int) {
	if cap(s.buf)-len(s.buf) < n {
		s.flush()
	}
}

func (s *stream) number(n int64) {
	s.room(20)
	s.buf = strconv.AppendInt(s.buf, n, 10)
}

// field writes `,"key":"value"` unless the value is empty. The key comes with its punctuation.
func (s *stream) field(key, value string) {
	if value != "" {
		s.text(key)
		s.quoted(value)
	}
}

const hexDigits = "0123456789abcdef"

// plain tells the bytes that stand for themselves in a JSON string. `<`, `>`, `&` and what is not ASCII do.
func plain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

// quoted writes a JSON string. Bytes that are no UTF-8 become U+FFFD, but a lone surrogate keeps its number.
func (s *stream) quoted(v string) {
	s.text(`"`)
	if !utf8.ValidString(v) {
		s.mended(v)
	} else {
		s.escape(v)
	}
	s.text(`"`)
}

// piece is how much of a text is escaped at once: six times as much has room in the buffer.
const piece = 8 << 10

// escape writes valid UTF-8 with the escapes that JSON needs.
func (s *stream) escape(v string) {
	for len(v) > 0 {
		part := v[:min(len(v), piece)]
		v = v[len(part):]
		s.room(6 * len(part))
		out := s.buf
		start := 0
		for i := 0; i < len(part); i++ {
			c := part[i]
			if plain(c) {
				continue
			}
			out = append(out, part[start:i]...)
			out = appendEscaped(out, c)
			start = i + 1
		}
		s.buf = append(out, part[start:]...)
	}
}

func appendEscaped(out []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(out, '\\', c)
	case '\n':
		return append(out, '\\', 'n')
	case '\t':
		return append(out, '\\', 't')
	case '\r':
		return append(out, '\\', 'r')
	case '\b':
		return append(out, '\\', 'b')
	case '\f':
		return append(out, '\\', 'f')
	}
	return append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// mended is escape for what is no UTF-8.
func (s *stream) mended(v string) {
	for len(v) > 0 {
		n := 0
		for n < len(v) {
			r, size := utf8.DecodeRuneInString(v[n:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			n += size
		}
		s.escape(v[:n])
		if v = v[n:]; v == "" {
			return
		}
		if unit, ok := surrogate(v); ok {
			s.room(6)
			s.buf = append(s.buf, '\\', 'u', hexDigits[unit>>12], hexDigits[unit>>8&15], hexDigits[unit>>4&15], hexDigits[unit&15])
			v = v[3:]
		} else {
			s.text("\uFFFD")
			v = v[1:]
		}
	}
}

// surrogate reads the three bytes that a lone surrogate would have if it were a character.
func surrogate(v string) (uint16, bool) {
	if len(v) < 3 || v[0] != 0xED || v[1]&0xE0 != 0xA0 || v[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | uint16(v[1]&0x3F)<<6 | uint16(v[2]&0x3F), true
}

// base64 writes a JSON string that is v in base64.
func (s *stream) base64(v string) {
	s.text(`"`)
	var in [3 * 256]byte
	for len(v) > 0 {
		n := copy(in[:], v)
		v = v[n:]
		s.room(4 * 256)
		s.buf = base64.StdEncoding.AppendEncode(s.buf, in[:n])
	}
	s.text(`"`)
}
