package session_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/session"
)

// TestBounds: a short file cannot come to much, and one that is nested or repeated without end is refused.
func TestBounds(t *testing.T) {
	nested := func(depth int) string {
		return "steps: [" + strings.Repeat("{call: {agent: {name: a%d, steps: [", depth) + "{input: a}" + strings.Repeat("]}}}", depth) + "]"
	}
	numbered := func(text string) string {
		n := 0
		for strings.Contains(text, "%d") {
			n++
			text = strings.Replace(text, "%d", fmt.Sprint(n), 1)
		}
		return text
	}
	aliases := "steps:\n- input: &a0 a\n"
	for i := range 30 {
		aliases += fmt.Sprintf("- system: {subtype: a, fields: &a%d {b: *a%d, c: *a%d}}\n", i+1, i, i)
	}
	for name, c := range map[string]struct{ text, code string }{
		"nested":             {numbered(nested(20)), ""},
		"nested deeper":      {numbered(nested(30)), "yaml-too-deep"},
		"very deep":          {strings.Repeat("[", 100_000), "yaml-too-deep"},
		"aliases of aliases": {aliases, "yaml-too-large"},
		"large":              {strings.Repeat("#", 9<<20), "yaml-too-large"},
		"no UTF-8":           {"steps: [{input: \xff}]", "yaml-encoding"},
		"a raw NUL":          {"steps: [{input: a\x00}]", "yaml-control-character"},
		"replays":            {"steps:\n- input: a\n" + replays(20), ""},
		"replays of replays": {"steps:\n- input: a\n" + replays(60), "scenario-too-long"},
		"mistakes":           {"steps:\n" + strings.Repeat("- {input: a, b: c}\n", 3000), "too-many-findings"},
	} {
		s, findings := session.Parse(diag.NewSource("s", c.text))
		if c.code == "" && (s == nil || len(findings) > 0) || c.code != "" && (s != nil || !has(findings, c.code)) {
			t.Errorf("%s: %.2000s", name, text(findings))
		}
	}
}

// replays doubles what was written so far, n times.
func replays(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- replay: %d\n", 1<<i)
	}
	return b.String()
}

func has(l diag.List, code string) bool {
	for _, f := range l {
		if string(f.Code) == code {
			return true
		}
	}
	return false
}

// TestNames: what is shown of a name is short and on one line.
func TestNames(t *testing.T) {
	long := strings.Repeat("ä\n", 5000)
	for _, lines := range []string{
		fmt.Sprintf("- result: {of: %q}\n", long), fmt.Sprintf("- {input: a, after: %q}\n", long), fmt.Sprintf("- queued: {text: a, mode: %q}\n", long),
		fmt.Sprintf("- {input: a, checkpoint: %q}\n", long), "- result: {of: " + strings.Repeat("a", 5000) + "}\n",
	} {
		_, findings := session.Parse(diag.NewSource("s", "steps:\n"+lines))
		if len(findings) != 1 || len(findings[0].Message) > 300 || strings.Contains(findings[0].Message, "\n") {
			t.Errorf("%.300s: %.600s", lines, text(findings))
		}
	}
}

// FuzzParse: whatever the bytes are, there is a scenario or a finding with a place in the file, never both or neither.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"testdata/good/scenario.yaml", "testdata/good/scenario.expect.yaml", "testdata/bad/scenario.txt", "testdata/bad/expect.txt"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, chunk := range strings.Split("\n"+string(data), "\n=== ") {
			_, body, _ := strings.Cut(chunk, "\n")
			f.Add(body)
		}
	}
	around, _ := session.Parse(diag.NewSource("s", around))
	f.Fuzz(func(t *testing.T, body string) {
		src := diag.NewSource("s", body)
		s, findings := session.Parse(src)
		e, more := session.ParseExpectation(src, around)
		if (s == nil) != (findings.Errors() > 0) || (e == nil) != (more.Errors() > 0) {
			t.Fatal(text(findings), text(more))
		}
		for _, d := range append(findings, more...) {
			if d.Span.Source != src || d.Span.Start < 0 || d.Span.Len < 0 || d.Span.End() > len(body) {
				t.Fatalf("%+v", d)
			}
		}
		if s == nil {
			return
		}
		again, _ := session.Parse(src)
		if a, b := s.Canonical(), again.Canonical(); string(a) != string(b) {
			t.Fatalf("%s\n%s", a, b)
		}
	})
}
