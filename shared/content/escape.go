package content

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// unmark resolves Markdown's backslash escapes and character references, in one pass so that `\&amp;` stays `&amp;`.
func unmark(s string) string { return resolve(s, true) }

// unescape resolves character references only.
func unescape(s string) string { return resolve(s, false) }

func resolve(s string, slashes bool) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if slashes && s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]) {
			b.WriteByte(s[i+1])
			i += 2
			continue
		}
		if s[i] == '&' {
			if text, n := reference(s[i:]); n > 0 {
				b.WriteString(text)
				i += n
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// reference is the character reference at the start of s, and its length, 0 when there is none.
func reference(s string) (string, int) {
	end := strings.IndexByte(s[:min(len(s), 40)], ';')
	if end < 2 {
		return "", 0
	}
	name := s[1:end]
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if len(digits) > 1 && digits[0]|0x20 == 'x' {
			base, digits = 16, digits[1:]
		}
		code, err := strconv.ParseUint(digits, base, 32)
		if err != nil || len(digits) > 7 {
			return "", 0
		}
		if code == 0 || code > utf8.MaxRune || !utf8.ValidRune(rune(code)) {
			code = utf8.RuneError
		}
		return string(rune(code)), end + 1
	}
	if entity, ok := util.LookUpHTML5EntityByName(name); ok {
		return string(entity.Characters), end + 1
	}
	return "", 0
}
