package diag

import (
	"slices"
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	if !slices.IsSortedFunc(Rules(), func(a, b Rule) int { return strings.Compare(string(a.Code), string(b.Code)) }) {
		t.Error("the table is not sorted by code")
	}
	for _, r := range Rules() {
		if r.Title == "" || r.Fix == "" || r.Explain == "" {
			t.Errorf("%s: an empty column", r.Code)
		}
		if got, ok := RuleOf(r.Code); !ok || got != r {
			t.Errorf("RuleOf(%s) = %v, %v", r.Code, got, ok)
		}
	}
	if _, ok := RuleOf("no-such-code"); ok {
		t.Error("RuleOf found a code that is not there")
	}
	defer func() {
		if recover() == nil {
			t.Error("Add took an unknown code")
		}
	}()
	new(List).Add("no-such-code", Span{}, "")
}

func TestPosition(t *testing.T) {
	s := NewSource("f", "ab\nc日é\r\n\rx\xff\U0001f433y")
	for _, c := range []struct{ off, line, col int }{
		{-1, 1, 1}, {0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 2, 2}, {7, 2, 3}, {9, 2, 4}, {11, 3, 1}, {12, 4, 1},
		{13, 4, 2}, {14, 4, 3}, {18, 4, 4}, {19, 4, 5}, {99, 4, 5},
	} {
		if line, col := s.Position(c.off); line != c.line || col != c.col {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", c.off, line, col, c.line, c.col)
		}
	}
	sp := Span{s, 3, 6}
	if sp.Text() != "c日é" || sp.Sub(1, 4).Text() != "日" || sp.End() != 9 {
		t.Errorf("span %q %q %d", sp.Text(), sp.Sub(1, 4).Text(), sp.End())
	}
}

func TestList(t *testing.T) {
	a, b := NewSource("a", "0123456789"), NewSource("b", "0123456789")
	var l List
	l.Add("yaml-tab", Span{b, 1, 1}, "4")
	l.Add("yaml-tab", Span{a, 5, 1}, "3")
	l.Add("yaml-syntax", Span{a, 5, 1}, "2")
	l.Add("unknown-key", Span{a, 0, 1}, "1")
	l.Sort()
	var order string
	for _, d := range l {
		order += d.Message
	}
	if order != "1234" || l.Errors() != 4 || !l.Stops() || (List{}).Stops() {
		t.Errorf("order %s, errors %d, stops %v", order, l.Errors(), l.Stops())
	}
	if l[0].Fix == nil || l[0].Fix.Text != "remove the key or correct its spelling" {
		t.Errorf("fix %v", l[0].Fix)
	}
}

// TestText: each case is a line with the marked part between ⟦ and ⟧, and the text printed for it.
func TestText(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for name, c := range map[string]struct{ marked, want string }{
		"plain":       {"      ⟦comand⟧: x", "      comand: x\n      ^^^^^^"},
		"empty":       {"ab⟦⟧cd", "abcd\n  ^"},
		"at the end":  {"ab⟦⟧", "ab\n  ^"},
		"empty line":  {"⟦⟧", "\n^"},
		"wide":        {"日本⟦語🐳⟧x", "日本語🐳x\n    ^^^^"},
		"combining":   {"e\u0301e\u0301⟦e\u0301x⟧", "e\u0301e\u0301e\u0301x\n  ^^"},
		"mark only":   {"ae⟦\u0301⟧x", "ae\u0301x\n ^"},
		"family":      {"👩‍👩‍👧⟦x⟧", "👩‍👩‍👧x\n  ^"},
		"tab":         {"a\t⟦b\tc⟧", "a   b   c\n    ^^^^^"},
		"tab marked":  {"⟦\t⟧x", "    x\n^^^^"},
		"escape":      {"a\x1b[31m⟦b⟧", "a�[31mb\n      ^"},
		"bidi":        {"a\u202e⟦b⟧", "a�b\n  ^"},
		"bad bytes":   {"a\xff\xfe⟦b⟧", "a��b\n   ^"},
		"lines":       {"a⟦b\nc⟧d", "ab\n ^"},
		"cut right":   {"⟦01⟧" + long, "01" + long[:69] + "…\n^^"},
		"cut left":    {long + "⟦ab⟧", "…" + long[270:] + "ab\n" + strings.Repeat(" ", 31) + "^^"},
		"cut both":    {long + "⟦" + long + "⟧" + long, "…" + long[270:] + long[:40] + "…\n" + strings.Repeat(" ", 31) + strings.Repeat("^", 40)},
		"huge marked": {"⟦" + strings.Repeat("日", 4000) + "⟧", strings.Repeat("日", 35) + "…\n" + strings.Repeat("^", 70)},
	} {
		start := strings.Index(c.marked, "⟦")
		end := strings.Index(c.marked, "⟧") - len("⟦")
		text := strings.NewReplacer("⟦", "", "⟧", "").Replace(c.marked)
		source, carets, _ := strings.Cut(c.want, "\n")
		want := "f:1:" + column(text, start) + ": error: m [wrong-type]\n" +
			strings.TrimRight("    1 | "+source, " ") + "\n      | " + carets + "\n      = fix: write a value of the expected type\n"
		var l List
		l.Add("wrong-type", Span{NewSource("f", text), start, end - start}, "m")
		var b strings.Builder
		if err := l.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, b.String(), want)
		}
	}
}

func column(text string, off int) string {
	_, col := NewSource("", text).Position(off)
	var b []byte
	for ; col > 0; col /= 10 {
		b = append(b, byte('0'+col%10))
	}
	slices.Reverse(b)
	return string(b)
}

func TestTextForm(t *testing.T) {
	src := NewSource("simulator.yaml", strings.Repeat("\n", 11)+"      comand: docker ps\n")
	var l List
	d := l.Add("unknown-key", Span{src, 17, 6}, `unknown key "comand" in when`)
	d.Fix = &Fix{Text: `write "command"`}
	d.Related = []Related{{Span{src, 0, 0}, "begun here\x1b"}}
	l.Add("missing-key", Span{}, "no place").Severity = Warning
	var b strings.Builder
	if err := l.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	want := `simulator.yaml:12:7: error: unknown key "comand" in when [unknown-key]
   12 |       comand: docker ps
      |       ^^^^^^
      = fix: write "command"
      = see simulator.yaml:1:1: begun here�
warning: no place [missing-key]
      = fix: add the key
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := l[:1].WriteText(&b, true); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), ": \x1b[1;31merror\x1b[0m: ") || !strings.Contains(b.String(), "| \x1b[1;31m^^^^^^\x1b[0m\n") &&
		!strings.Contains(b.String(), "      \x1b[1;31m^^^^^^\x1b[0m\n") {
		t.Errorf("color:\n%q", b.String())
	}
}
