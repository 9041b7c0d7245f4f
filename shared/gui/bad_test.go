package gui_test

import (
	"fmt"
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/gui"
	"asz/shared/marked"
)

// TestBad: each file of testdata/bad has the findings of its marks (see marked.Wants), whose words are in the message, the
// fix or what is related, and no others.
func TestBad(t *testing.T) {
	cases, err := marked.Cases("testdata/bad/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range cases {
		_, wants := marked.Wants(c.Text)
		for _, w := range wants {
			seen[w.Code] = true
		}
		t.Run(c.File+": "+c.Name, func(t *testing.T) { bad(t, c.Text) })
	}
	for _, rule := range diag.Rules() {
		if rule.Example().GUI && !seen[string(rule.Code)] {
			t.Errorf("%s has no case", rule.Code)
		}
	}
}

func bad(t *testing.T, body string) {
	plain, wants := marked.Wants(body)
	src := diag.NewSource("t/gui.yaml", plain)
	s, findings := gui.Parse(src)
	if s != nil || len(wants) == 0 {
		t.Errorf("it is read\n%s", text(findings))
	}
next:
	for _, f := range findings {
		line, _ := src.Position(f.Span.Start)
		rule, ok := diag.RuleOf(f.Code)
		if !ok || f.Severity != rule.Severity || f.Message == "" || f.Fix == nil || f.Fix.Text == "" || f.Span.Source != src {
			t.Errorf("an incomplete finding: %+v", f)
		}
		said := f.Message + "\n" + f.Fix.Text
		for _, r := range f.Related {
			line, column := src.Position(r.Span.Start)
			said += fmt.Sprintf("\n%d:%d %s", line, column, r.Message)
		}
		said = strings.ReplaceAll(said, "`", "'")
		for _, w := range wants {
			if !w.Seen && w.Line == line && w.Code == string(f.Code) && (w.Text == "" || w.Text == f.Span.Text()) && strings.Contains(said, w.Says) {
				w.Seen = true
				continue next
			}
		}
		t.Errorf("line %d: unexpected %s at %q: %s", line, f.Code, f.Span.Text(), said)
	}
	for _, w := range wants {
		if !w.Seen {
			t.Errorf("line %d: no %s at %q that says %q", w.Line, w.Code, w.Text, w.Says)
		}
	}
}
