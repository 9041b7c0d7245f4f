package labfile_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asz/shared/diag"
)

// Each document of testdata/bad carries its findings: a line that ends in
//
//	# want: code `text` suggests `word`
//
// has one finding of that code; `text`, when given, is what its place begins
// with, and `word` is in its message or fix. Any finding without a marker
// fails, and so does any marker without a finding.
var marker = regexp.MustCompile("[ \t]*# want: ([a-z-]+)(?: `([^`]+)`)?(?: suggests `([^`]+)`)?$")

type want struct {
	line                int
	code, text, suggest string
	seen                bool
}

func TestBad(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, chunk := range strings.Split("\n"+string(data), "\n=== ")[1:] {
			head, body, _ := strings.Cut(chunk, "\n")
			t.Run(head, func(t *testing.T) { bad(t, strings.HasPrefix(head, "simulator"), body) })
		}
	}
}

func bad(t *testing.T, simulator bool, body string) {
	lines := strings.Split(body, "\n")
	var wants []want
	for i, line := range lines {
		if m := marker.FindStringSubmatchIndex(line); m != nil {
			group := marker.FindStringSubmatch(line)
			wants = append(wants, want{line: i + 1, code: group[1], text: group[2], suggest: group[3]})
			lines[i] = line[:m[0]]
		}
	}
	body = strings.Join(lines, "\n")
	labspace, sim, file := goodLabspace, body, "t/simulator.yaml"
	if !simulator {
		labspace, sim, file = body, goodSimulator, "t/labspace.yaml"
	}
	loaded := load(labspace, sim)
	stops := false
next:
	for _, f := range loaded.Findings {
		line, _ := f.Span.Source.Position(f.Span.Start)
		rule, ok := diag.RuleOf(f.Code)
		if !ok || f.Severity != rule.Severity || f.Message == "" || f.Fix == nil || f.Fix.Text == "" {
			t.Errorf("an incomplete finding: %+v", f)
		}
		stops = stops || rule.Stops
		for i := range wants {
			w := &wants[i]
			if w.seen || w.line != line || f.Span.Source.Name != file || w.code != string(f.Code) {
				continue
			}
			rest := f.Span.Source.Text[f.Span.Start:]
			if w.text != "" && !strings.HasPrefix(rest, w.text) {
				continue
			}
			text := f.Message
			if f.Fix != nil {
				text += "\n" + f.Fix.Text
			}
			if w.suggest != "" && !strings.Contains(text, w.suggest) {
				t.Errorf("line %d: %q does not suggest %q", line, text, w.suggest)
			}
			w.seen = true
			continue next
		}
		t.Errorf("%s:%d: unexpected %s at %q: %s", f.Span.Source.Name, line, f.Code, f.Span.Text(), f.Message)
	}
	for _, w := range wants {
		if !w.seen {
			t.Errorf("line %d: no %s at %q", w.line, w.code, w.text)
		}
	}
	if stops && loaded.Lab != nil {
		t.Error("the lab loads")
	}
	if !stops && loaded.Lab == nil && !loaded.Skipped {
		t.Error("the lab does not load")
	}
}
