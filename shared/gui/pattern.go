package gui

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
)

// parsePOSIX reads an extended regular expression of POSIX. What Go reads otherwise than POSIX is written as Go needs it,
// or refused, so that no pattern quietly matches other processes than `pkill -f` would.
func parsePOSIX(text string) (*regexp.Regexp, *fault) {
	const what = "POSIX extended regular expression, as `pkill -f` takes it"
	plain, f := brackets(text)
	if f != nil {
		return nil, f
	}
	re, err := regexp.CompilePOSIX(plain)
	if err != nil {
		return nil, patternFault(text, err, what)
	}
	return re, nil
}

// brackets doubles each `\` between brackets: to POSIX it is a character like any other there.
func brackets(text string) (string, *fault) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i])
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
			continue
		case text[i] != '[':
			continue
		}
		for first := true; i+1 < len(text); first = false {
			i++
			c := text[i]
			b.WriteByte(c)
			if c == '^' && first {
				first = false
				if i+1 < len(text) && text[i+1] == ']' {
					i++
					b.WriteByte(']')
				}
				continue
			}
			if c == ']' && !first {
				break
			}
			if c == '\\' {
				b.WriteByte(c)
			}
			if c != '[' || i+1 == len(text) || !strings.ContainsRune(":.=", rune(text[i+1])) {
				continue
			}
			if text[i+1] != ':' {
				return "", &fault{code: "pattern-form", start: i, end: i + 2, message: "collating elements and equivalence classes between brackets are not supported", fix: "write the characters themselves"}
			}
			if n := strings.Index(text[i:], ":]"); n > 0 {
				b.WriteString(text[i+1 : i+n+2])
				i += n + 1
			}
		}
	}
	return b.String(), nil
}

// patternFault says what is wrong with a regular expression, at the part that is.
func patternFault(text string, err error, what string) *fault {
	f := &fault{code: "pattern-form", end: len(text), message: "this is no " + what}
	var e *syntax.Error
	if errors.As(err, &e) {
		f.message += ": " + e.Code.String()
		if i := strings.Index(text, e.Expr); i >= 0 && e.Expr != "" {
			f.start, f.end = i, i+len(e.Expr)
		}
	}
	return f
}
