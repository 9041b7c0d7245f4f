package view

import (
	"strings"
	"testing"
)

// TestLines: what is printed has room, in cells, and does not act on a terminal.
func TestLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "abc": "abc", "abcdefgh": "abcdefgh", "abcdefghi": "abcdefg…", "東京東京": "東京東京", "東京東京東": "東京東…", "a\tb \n c": "a b c",
		"\x1b[31mred\x1b[0m": "red", "\x1b]0;title\x07x": "]0;titl…", "a\u202eb": "ab", "\x00\u009b31m": "31m", "👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧": "👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧…",
	} {
		if got := fit(text, 8); got != want {
			t.Errorf("%q is cut to %q and not %q", text, got, want)
		}
	}
	long := strings.Repeat("word 東京 \x1b[1m", 60) + strings.Repeat("x", 100) + "\n\n  - an item\n\tcode " + strings.Repeat("y", 30)
	for room := 16; room < 60; room += 5 {
		for _, most := range []int{1, 2, 7, 40} {
			lines := wrapped(long, room, most)
			if len(lines) > most {
				t.Fatalf("%d lines of %d", len(lines), most)
			}
			for _, l := range lines {
				if cells(l) > room || strings.ContainsRune(l, '\x1b') {
					t.Fatalf("room %d: %q", room, l)
				}
			}
		}
	}
	if got := strings.Join(wrapped("one two three\n  - four five six", 9, 9), "|"); got != "one two|three|  - four|  five|  six" {
		t.Error(got)
	}
}

// TestField: a field is found in JSON whose end is cut off.
func TestField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ object, key, want string }{
		{`{"a":"b"}`, "a", "b"}, {`{"x":{"a":"no"},"a":"b"}`, "a", "b"}, {`{"x":["a",{"a":"no"}],"a":"b\n"}`, "a", "b\n"}, {`{"a":1,"b":"c"}`, "a", ""},
		{`{"b":"a","a":"c"}`, "a", "c"}, {`{"a":"cut of`, "a", "cut of"}, {`{"a":"cut\`, "a", "cut"}, {`{"a":"cut\u00`, "a", "cut"}, {`{"a`, "a", ""}, {`{"a":`, "a", ""},
		{`"a"`, "a", ""}, {`text with "a":"b"`, "a", ""}, {``, "a", ""}, {`{"\"a":"no","a":"b"}`, "a", "b"}, {`[{"a":"b"}]`, "a", ""},
	} {
		if got := field(c.object, c.key); got != c.want {
			t.Errorf("%s of %s is %q and not %q", c.key, c.object, got, c.want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1.0k", 999_949: "999.9k", 999_950: "1.0M", 5e9: "5.0G"} {
		if got := short(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	for ms, want := range map[int64]string{0: "0ms", 999: "999ms", 1500: "1.5s", 59_999: "60.0s", 61_000: "1m01s", 3_660_000: "1h01m", 200_000_000: "2 days"} {
		if got := duration(ms); got != want {
			t.Errorf("%d is %s", ms, got)
		}
	}
}
