// Package diag holds what every reader of author files shares: sources and spans, findings with
// their fixes, the one table of finding codes with its examples, and the printers.
package diag

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Source is one file as its author wrote it. All offsets are byte offsets into Text.
type Source struct {
	Name string
	Text string

	once  sync.Once
	lines []int // offset of the first character of each line, built when a position is first asked for
}

// NewSource makes a source; name is what messages call the file.
func NewSource(name, text string) *Source { return &Source{Name: name, Text: text} }

// Position gives the line and column of a byte offset, both from 1. Columns count characters
// (code points; an invalid byte counts as one; a byte order mark is none, as in every editor). Offsets outside the text
// are clamped.
func (s *Source) Position(off int) (line, col int) {
	off = max(0, min(off, len(s.Text)))
	line = s.lineIndex(off)
	off = max(off, s.lines[line])
	return line + 1, utf8.RuneCountInString(s.Text[s.lines[line]:off]) + 1
}

// lineIndex gives the index of the line that holds the offset.
func (s *Source) lineIndex(off int) int {
	s.once.Do(s.index)
	return max(0, sort.SearchInts(s.lines, off+1)-1)
}

// index finds the line starts. LF, CRLF and a lone CR each end a line, as in YAML.
func (s *Source) index() {
	s.lines = make([]int, 1, 1+strings.Count(s.Text, "\n"))
	if strings.HasPrefix(s.Text, "\uFEFF") {
		s.lines[0] = len("\uFEFF")
	}
	for i := 0; i < len(s.Text); i++ {
		if s.Text[i] == '\n' || s.Text[i] == '\r' && !strings.HasPrefix(s.Text[i+1:], "\n") {
			s.lines = append(s.lines, i+1)
		}
	}
}

// lineAt gives the bounds of the line that holds the offset, without its line break.
func (s *Source) lineAt(off int) (start, end int) {
	line := s.lineIndex(off)
	start, end = s.lines[line], len(s.Text)
	if line+1 < len(s.lines) {
		end = s.lines[line+1]
	}
	return start, start + len(strings.TrimRight(s.Text[start:end], "\r\n"))
}

// Span is a run of bytes of one source: offset and length. The zero Span points nowhere.
type Span struct {
	Source     *Source
	Start, Len int
}

// End is the offset behind the last byte.
func (s Span) End() int { return s.Start + s.Len }

// Text is the source text under the span.
func (s Span) Text() string {
	if s.Source == nil {
		return ""
	}
	return s.Source.Text[s.Start:s.End()]
}

// FirstLine is the span up to the end of its first line: the place of a finding about something long.
func (s Span) FirstLine() Span {
	if i := strings.IndexAny(s.Text(), "\r\n"); i >= 0 {
		return s.Sub(0, i)
	}
	return s
}

// Sub is the part [start,end) of the span, both counted from the span's start.
func (s Span) Sub(start, end int) Span {
	return Span{Source: s.Source, Start: s.Start + start, Len: end - start}
}
