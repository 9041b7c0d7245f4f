package store

import (
	"bytes"
	"crypto/sha256"
	"fmt"
)

// outlines reads the record lines as Each does, for who wants no content: of lines that are not all in the buffer long texts are cut
// and data is emptied, so that memory does not depend on how long a line is.
func (f *LandedFile) outlines(visit func(row int, line []byte) error) error {
	var (
		buf  = make([]byte, min(f.body, bufferSize))
		cut  outline // of a line that began in an earlier piece
		row  = -1    // the header
		hash = sha256.New()
	)
	for at := int64(0); at < f.body; {
		data := buf[:min(int64(len(buf)), f.body-at)]
		if err := readAt(f.file, data, at); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		at += int64(len(data))
		hash.Write(data)
		for {
			line, rest, ended := bytes.Cut(data, []byte("\n"))
			if !ended {
				cut.add(line)
				break
			}
			if cut.begun {
				cut.add(line)
				line = cut.line
			}
			if row++; row > 0 {
				if err := visit(row, line); err != nil {
					return err
				}
			}
			cut = outline{line: cut.line[:0]}
			data = rest
		}
	}
	return f.complete(cut.begun, row, hash)
}

const (
	longestText = 128 << 10 // of a text in an outline, as it is written
	dataDepth   = 3         // record, parts, part: what lies deeper is data
)

// outline is what is kept of a line that comes in pieces.
type outline struct {
	line    []byte
	begun   bool
	depth   int
	text    bool // inside a text
	escaped bool // behind its backslash
	size    int  // of it so far
	cut     bool // the rest of it is passed over
}

func (o *outline) add(piece []byte) {
	for _, b := range piece {
		if o.shows(b) {
			o.line = append(o.line, b)
		}
	}
	o.begun = o.begun || len(piece) > 0
}

func (o *outline) shows(b byte) bool {
	if o.text {
		switch {
		case o.escaped:
			o.escaped = false
		case b == '"':
			o.text, o.cut = false, false
		default:
			o.cut = o.cut || o.size >= longestText // never in the middle of an escape
			o.escaped = b == '\\'
		}
		o.size++
		return o.depth <= dataDepth && !o.cut
	}
	before := o.depth
	switch b {
	case '"':
		o.text, o.size = true, 0
	case '{', '[':
		o.depth++
	case '}', ']':
		o.depth--
	}
	return min(before, o.depth) <= dataDepth
}
