package yamldoc

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"asz/shared/diag"
	"asz/shared/marked"
)

// want is a line below the one it speaks of: carets under the characters of a finding (one for each
// character, not cell), and its code. It is not part of the file.
var want = regexp.MustCompile(`^\s*(\^+) ([a-z-]+)$`)

// TestBad reads the cases of testdata/bad, each a file between lines `=== name`, and compares all their
// findings with those the cases carry.
func TestBad(t *testing.T) {
	cases, err := marked.Cases("testdata/bad/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.File+" "+c.Name, func(t *testing.T) { bad(t, c.Text) })
	}
}

func bad(t *testing.T, chunk string) {
	var text strings.Builder
	expected := map[string]bool{}
	line := 0
	for l := range strings.Lines(chunk + "\n") {
		m := want.FindStringSubmatchIndex(strings.TrimSuffix(l, "\n"))
		if m == nil {
			line++
			text.WriteString(l)
			continue
		}
		column := utf8.RuneCountInString(l[:m[2]]) + 1
		expected[fmt.Sprintf("%d:%d-%d %s", line, column, column+m[3]-m[2], l[m[4]:m[5]])] = true
	}
	src := diag.NewSource("bad.yaml", text.String())
	doc, findings := Parse(src, Options{AppendKeys: true})
	if doc.Root == nil {
		t.Error("no root")
	}
	for _, d := range findings {
		line, column := d.Span.Source.Position(d.Span.Start)
		got := fmt.Sprintf("%d:%d-%d %s", line, column, column+utf8.RuneCountInString(d.Span.Text()), d.Code)
		if !expected[got] {
			t.Errorf("unexpected %s: %s", got, d.Message)
		}
		delete(expected, got)
		if d.Fix == nil || d.Fix.Text == "" {
			t.Errorf("%s has no fix text", got)
		}
	}
	for e := range expected {
		t.Errorf("missing %s", e)
	}
}
