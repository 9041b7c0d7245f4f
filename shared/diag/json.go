package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// finding is a diagnostic as labs.md 8 gives it to programs.
type finding struct {
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Column    int      `json:"column"`
	EndLine   int      `json:"endLine"`
	EndColumn int      `json:"endColumn"`
	Severity  string   `json:"severity"`
	Code      Code     `json:"code"`
	Message   string   `json:"message"`
	Fix       *string  `json:"fix"`
	Witness   []string `json:"witness"`
}

// AppendJSON appends the findings as a JSON array. Lines and columns count from 1, columns in characters; the end is
// exclusive. A finding without a place has the file "" and stands at 1:1.
func (l List) AppendJSON(dst []byte) []byte {
	out := make([]finding, len(l))
	for i := range l {
		d := &l[i]
		r := regionOf(d.Span)
		out[i] = finding{
			File: d.Span.name(), Line: r.StartLine, Column: r.StartColumn, EndLine: r.EndLine, EndColumn: r.EndColumn,
			Severity: d.Severity.String(), Code: d.Code, Message: d.Message,
		}
		if d.Fix != nil && d.Fix.Text != "" {
			out[i].Fix = &d.Fix.Text
		}
		if len(d.Witness) > 0 {
			out[i].Witness = d.Witness
		}
	}
	return appendJSON(dst, out)
}

// region is a span in lines and columns from 1; the end is exclusive. The names are SARIF's.
type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

func regionOf(s Span) region {
	if s.Source == nil {
		return region{1, 1, 1, 1}
	}
	line, column := s.Source.Position(s.Start)
	endLine, endColumn := s.Source.Position(s.End())
	return region{line, column, endLine, endColumn}
}

// appendJSON writes a value made of structs, slices, texts and numbers, which always have a JSON form. Characters that
// could act on a terminal or hide are escaped: JSON allows most of them, and people look at it in terminals.
func appendJSON(dst []byte, value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("diag: " + err.Error())
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if hidden(r) {
			dst = fmt.Appendf(dst, `\u%04x`, r)
		} else {
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst
}
