package labfile_test

import (
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/marked"
)

// Each document of testdata/bad carries its findings (see marked.Want): a place begins with the text, and the words are
// in the message or the fix. Any finding without a mark fails, and so does any mark without a finding.
func TestBad(t *testing.T) {
	cases, err := marked.Cases("testdata/bad/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { bad(t, strings.HasPrefix(c.Name, "simulator"), c.Text) })
	}
}

func bad(t *testing.T, simulator bool, body string) {
	body, wants := marked.Wants(body)
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
		for _, w := range wants {
			if w.Seen || w.Line != line || f.Span.Source.Name != file || w.Code != string(f.Code) {
				continue
			}
			rest := f.Span.Source.Text[f.Span.Start:]
			if w.Text != "" && !strings.HasPrefix(rest, w.Text) {
				continue
			}
			text := f.Message
			if f.Fix != nil {
				text += "\n" + f.Fix.Text
			}
			if w.Says != "" && !strings.Contains(text, w.Says) {
				t.Errorf("line %d: %q does not say %q", line, text, w.Says)
			}
			w.Seen = true
			continue next
		}
		t.Errorf("%s:%d: unexpected %s at %q: %s", f.Span.Source.Name, line, f.Code, f.Span.Text(), f.Message)
	}
	for _, w := range wants {
		if !w.Seen {
			t.Errorf("line %d: no %s at %q", w.Line, w.Code, w.Text)
		}
	}
	if stops && loaded.Lab != nil {
		t.Error("the lab loads")
	}
	if !stops && loaded.Lab == nil && !loaded.Skipped {
		t.Error("the lab does not load")
	}
}
