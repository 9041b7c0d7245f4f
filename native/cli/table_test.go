package cli

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"asz/shared/command"
)

// TestTable: columns stand below each other by cells, and no line is wider than the terminal.
func TestTable(t *testing.T) {
	made := &table{columns: []column{{head: "A"}, {head: "N", right: true}, {head: "TEXT"}}}
	made.row("日本", "7", "one\ntwo\tthree")
	made.row("e\u0301\x1b[31mx", "1234", "")
	made.row("", "0", strings.Repeat("世", 40))
	want := "A          N  TEXT\n" +
		"日本       7  one two three\n" +
		"e\u0301[31mx  1234  -\n" +
		"-          0  " + strings.Repeat("世", 40) + "\n"
	if got := made.text(0); got != want {
		t.Errorf("got\n%s", got)
	}
	for _, width := range []int{40, 41} {
		for line := range strings.Lines(made.text(width)) {
			if got := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); got > width {
				t.Errorf("%d cells of %d: %s", got, width, line)
			}
		}
	}
	if !strings.Contains(made.text(40), "世…\n") {
		t.Errorf("nothing is cut:\n%s", made.text(40))
	}
}

// TestIndexText: on a terminal of 80 columns no time is cut that need not be.
func TestIndexText(t *testing.T) {
	rows := []indexRow{
		{Session: "00000001-x", From: "2026-06-01T09:00:00Z", Through: "2026-06-01T10:00:07Z"},
		{Session: "00000002-x", From: "2026-06-01T09:00:00Z", Through: "2026-06-02T10:00:07Z"},
		{Session: "00000003-x"},
	}
	for width, want := range map[int]string{
		0:  "2026-06-01 09:00:00  2026-06-01 10:00:07\n",
		89: "2026-06-01 09:00:00  2026-06-01 10:00:07\n",
		80: "2026-06-01 09:00:00  10:00:07\n",
	} {
		if got := indexText(rows, width); !strings.Contains(got, want) || strings.Contains(got, "…") != (width == 80) {
			t.Errorf("%d columns:\n%s", width, got)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		tail bool
		want string
	}{
		{"abc", 3, false, "abc"},
		{"abcd", 3, false, "ab…"},
		{"abcd", 3, true, "…cd"},
		{"世界世", 4, false, "世…"},
		{"世界世", 4, true, "…世"},
		{"世界世", 5, false, "世界…"},
		{"世界世", 5, true, "…界世"},
		{"e\u0301e\u0301e\u0301", 2, false, "e\u0301…"},
		{"abcd", 1, false, "…"},
		{"abcd", 1, true, "…"},
	} {
		if got := cut(c.text, c.most, c.tail); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

// TestPlain: nothing of a history acts on a terminal.
func TestPlain(t *testing.T) {
	const hostile = "a\x1b[2Jb\x1b]0;title\x07c\u009b31md\x1b[8me\u202ef\x7fg\x00"
	if got, want := plain(hostile), "a[2Jb]0;titlec31md[8mefg"; got != want {
		t.Errorf("%q", got)
	}
	if got := oneLine("a\r\nb\u2028c\rd\te"); got != "a b c d e" {
		t.Errorf("%q", got)
	}
	var out strings.Builder
	c := &command.Call{Host: &command.Host{Stdout: &out, StdoutTerminal: true}}
	if writeLines(c, []byte("{\"a\":\"\u009b31m世\"}\n")); out.String() != "{\"a\":\"31m世\"}\n" {
		t.Errorf("to a terminal: %q", out.String())
	}
}

func TestFindSession(t *testing.T) {
	ids := []string{"00000001-0000-4000-8000-000000000001", "00000001-0000-4000-8000-000000000002", "abc", "abcd"}
	for given, want := range map[string]string{
		"abc": "abc", "abcd": "abcd", ids[0]: ids[0], "00000001-0000-4000-8000-000000000002": ids[1],
		"ab": `"ab" is the beginning of several sessions: abc, abcd; write more of the id`,
		"x":  `no session begins with "x"`, "ABC": `no session begins with "ABC"`,
	} {
		id, problem := findSession(ids, given)
		if id+problem != want {
			t.Errorf("%s: %q %q", given, id, problem)
		}
	}
}

func TestShortened(t *testing.T) {
	short := shortened([]string{"main", "", "a0a10ef0666c4dc7e", "a0a10ef0777c4dc7e", "wf_release-notes", "abc", "deadbeef-0000-4000-8000-000000000001"})
	for id, want := range map[string]string{
		"main": "main", "": "", "a0a10ef0666c4dc7e": "a0a10ef06", "a0a10ef0777c4dc7e": "a0a10ef07",
		"wf_release-notes": "wf_release-notes", "abc": "abc", "deadbeef-0000-4000-8000-000000000001": "deadbeef-",
	} {
		if got := short(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
	same := shortened([]string{"00000001-0000-4000-8000-000000000001", "00000001-0000-4000-8000-000000000002"})
	if got := same("00000001-0000-4000-8000-000000000002"); got != "00000001-0000-4000-8000-000000000002" {
		t.Errorf("ids that differ in their end: %q", got)
	}
}
