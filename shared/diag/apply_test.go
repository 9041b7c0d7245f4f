package diag

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// fixOf is a finding whose fix makes these edits.
func fixOf(message string, safe bool, edits ...Edit) Diagnostic {
	return Diagnostic{Code: "wrong-type", Message: message, Fix: &Fix{Text: message, Safe: safe, Edits: edits}}
}

func messages(l List) string {
	var b strings.Builder
	for _, d := range l {
		b.WriteString(d.Message)
	}
	return b.String()
}

func TestApply(t *testing.T) {
	a := NewSource("a", "\uFEFF# héllo\r\nkey:\tvalue  # c\xff\r\n")
	b := NewSource("b", "0123456789")
	shared, changed := NewSource("a", a.Text), NewSource("a", "other text, long enough to hold the place")
	key := Edit{Span{a, strings.Index(a.Text, "key"), 3}, "name"}
	l := List{
		fixOf("A", true, Edit{Span{b, 5, 2}, "five-six"}),
		fixOf("b", true, Edit{Span{b, 6, 2}, "overlaps"}),
		fixOf("C", true, Edit{Span{b, 7, 1}, "seven"}), // begins where A ends
		fixOf("d", false, Edit{Span{b, 0, 1}, "not safe"}),
		fixOf("E", true, key),
		fixOf("F", true, Edit{Span{b, 2, 0}, "<"}, Edit{Span{b, 4, 0}, ">"}),
		fixOf("g", true, Edit{Span{b, 2, 0}, "an insertion at the same place"}),
		fixOf("h", true, Edit{Span{b, 9, 1}, "half of it overlaps"}, Edit{Span{b, 6, 1}, "x"}),
		fixOf("i", true, Edit{Span{b, 9, 1}, "overlaps itself"}, Edit{Span{b, 9, 1}, "x"}),
		fixOf("j", true, Edit{Span{b, 10, 1}, "outside"}),
		fixOf("k", true, Edit{Span{}, "nowhere"}),
		fixOf("l", true),
		fixOf("M", true, Edit{Span{shared, key.Span.Start, 3}, "name"}), // the same file read for another lab
		fixOf("N", true, Edit{Span{shared, 3, 1}, "##"}),
		fixOf("o", true, Edit{Span{changed, 12, 1}, "the file is another one by now"}),
		{Code: "wrong-type", Message: "p"},
	}
	files, fixed, left := l.Apply()
	if messages(fixed) != "ACEFMN" || messages(left) != "bdghijklop" {
		t.Errorf("fixed %s, left %s", messages(fixed), messages(left))
	}
	if len(files) != 2 || files[0] != (Changed{b, "01<23>4five-sixseven89"}) ||
		files[1] != (Changed{a, "\uFEFF## héllo\r\nname:\tvalue  # c\xff\r\n"}) {
		t.Errorf("files %q", []string{files[0].Text, files[len(files)-1].Text})
	}
	if files, fixed, left := (List{l[3]}).Apply(); files != nil || fixed != nil || len(left) != 1 {
		t.Error("something was done without a safe fix")
	}
}

// TestApplyKeepsTheRest applies random edits and takes them out of the result again: what is between them must be the
// text between the spans, byte for byte and in order.
func TestApplyKeepsTheRest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		text := make([]byte, random.IntN(60))
		for i := range text {
			text[i] = "ab\r\n\xff#\xc3\xa9"[random.IntN(8)]
		}
		src := NewSource("f", string(text))
		var l List
		for range random.IntN(8) {
			var edits []Edit
			for range 1 + random.IntN(2) {
				start := random.IntN(len(text) + 1)
				edits = append(edits, Edit{Span{src, start, random.IntN(min(9, len(text)-start+1))}, "\x01" + strings.Repeat("x", random.IntN(3)) + "\x02"})
			}
			l = append(l, fixOf("", true, edits...))
		}
		files, fixed, left := l.Apply()
		if len(fixed)+len(left) != len(l) || len(l) > 0 && len(fixed) == 0 && len(l[0].Fix.Edits) == 1 {
			t.Fatalf("%d findings: %d fixed, %d left", len(l), len(fixed), len(left))
		}
		if len(fixed) == 0 {
			continue
		}
		covered := make([]bool, len(text))
		made := map[Edit]bool{}
		for _, d := range fixed {
			for _, e := range d.Fix.Edits {
				if made[e] {
					continue // two fixes may be one
				}
				made[e] = true
				for i := e.Span.Start; i < e.Span.End(); i++ {
					if covered[i] {
						t.Fatal("two edits of one byte")
					}
					covered[i] = true
				}
			}
		}
		var want, got strings.Builder
		for i, c := range text {
			if !covered[i] {
				want.WriteByte(c)
			}
		}
		for i, piece := range strings.Split(files[0].Text, "\x01") {
			if i > 0 {
				_, piece, _ = strings.Cut(piece, "\x02")
			}
			got.WriteString(piece)
		}
		if got.String() != want.String() || strings.Count(files[0].Text, "\x01") != len(made) {
			t.Fatalf("%q with %v became %q", text, fixed, files[0].Text)
		}
	}
}
