package claudecode

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestValid(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"", "a", "é", "日本", "😀", "\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe6\x97", "\x80", "\ufffd"} {
		for before := range 18 {
			for after := range 18 {
				s := strings.Repeat("x", before) + piece + strings.Repeat("y", after)
				if valid(s) != utf8.ValidString(s) || valid(s+s) != utf8.ValidString(s+s) {
					t.Fatalf("%q: %t", s, valid(s))
				}
			}
		}
	}
}
