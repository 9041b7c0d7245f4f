package claudecode

import (
	"io"
	"unicode/utf8"

	"asz/native/store"
)

// firstSession is the first sessionId that a line of a file names, "" when none does. It reads the file piece by piece and
// stops there; a line may be of any length.
func firstSession(disk store.ReadFS, name string) (string, error) {
	f, err := disk.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var m memberSearch
	buf := make([]byte, 4<<10) // nearly always the first line's beginning is enough
	for at := int64(0); ; {
		n, err := f.ReadAt(buf, at)
		for _, b := range buf[:n] {
			if m.feed(b) {
				return string(m.word), nil
			}
		}
		at += int64(n)
		switch {
		case err == io.EOF:
			return "", nil
		case err != nil:
			return "", err
		case len(buf) < 64<<10:
			buf = make([]byte, 64<<10)
		}
	}
}

// memberSearch looks for the text of `"sessionId"` in the outermost objects of lines, byte by byte. A line that is not JSON
// ends at its newline like any other.
type memberSearch struct {
	depth   int
	text    bool   // inside a string
	escaped bool   // after a backslash
	word    []byte // the last string of depth 1, without its quotes, cut after maxKey bytes
	found   bool   // the last key is the one: its value comes
}

func (m *memberSearch) feed(b byte) bool {
	switch {
	case b == '\n':
		*m = memberSearch{word: m.word[:0]}
	case m.text:
		return m.inside(b)
	case b == '"':
		m.text = true
		m.word = m.word[:0]
	case b == ':':
		m.found = m.depth == 1 && string(m.word) == "sessionId"
	case b == '{' || b == '[':
		m.depth++
		m.found = false
	case b == '}' || b == ']':
		m.depth--
		m.found = false
	case b == ',':
		m.found = false
	}
	return false
}

func (m *memberSearch) inside(b byte) bool {
	switch {
	case m.escaped:
		m.escaped = false
	case b == '\\':
		m.escaped = true
	case b == '"':
		m.text = false
		return m.found && m.depth == 1 && utf8.Valid(m.word)
	}
	if len(m.word) < maxKey {
		m.word = append(m.word, b)
	}
	return false
}
