package session_test

import (
	"fmt"
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/marked"
	"asz/shared/session"
)

// around is the scenario that the expectations are for.
const around = `steps:
  - input: start
  - call: {agent: {name: helper}}
    checkpoint: built
  - call: {skill: {name: prune, agent: pruner}}
  - call: {workflow: {name: verify all, children: [{name: lint}]}}
`

// TestBad: each document of testdata/bad has the findings of its marks (see marked.Wants), whose words are in the message,
// the fix or what is related, and no others.
func TestBad(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range []string{"scenario", "expect"} {
		cases, err := marked.Cases("testdata/bad/" + kind + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			_, wants := marked.Wants(c.Text)
			for _, w := range wants {
				seen[w.Code] = true
			}
			t.Run(kind+": "+c.Name, func(t *testing.T) { bad(t, kind, c.Text) })
		}
	}
	for _, rule := range diag.Rules() {
		if rule.Example().Session && !seen[string(rule.Code)] {
			t.Errorf("%s has no case", rule.Code)
		}
	}
}

func bad(t *testing.T, kind, body string) {
	plain, wants := marked.Wants(body)
	src := diag.NewSource("t/file.yaml", plain)
	var findings diag.List
	read := false
	if kind == "scenario" {
		s, list := session.Parse(src)
		findings, read = list, s != nil
	} else {
		e, list := session.ParseExpectation(src, scenario(t, diag.NewSource("scenario.yaml", around)))
		findings, read = list, e != nil
	}
	if read != (findings.Errors() == 0) || len(wants) == 0 {
		t.Errorf("read: %v\n%s", read, text(findings))
	}
next:
	for _, f := range findings {
		line, _ := src.Position(f.Span.Start)
		rule, ok := diag.RuleOf(f.Code)
		if !ok || f.Severity != rule.Severity || f.Message == "" || f.Fix == nil || f.Fix.Text == "" || f.Span.Source != src {
			t.Errorf("an incomplete finding: %+v", f)
		}
		for _, w := range wants {
			if w.Seen || w.Line != line || w.Code != string(f.Code) || w.Text != "" && w.Text != f.Span.Text() {
				continue
			}
			said := f.Message + "\n" + f.Fix.Text
			for _, r := range f.Related {
				line, column := src.Position(r.Span.Start)
				said += fmt.Sprintf("\n%d:%d %s", line, column, r.Message)
			}
			if said = strings.ReplaceAll(said, "`", "'"); !strings.Contains(said, w.Says) {
				t.Errorf("line %d: %q does not say %q", line, said, w.Says)
			}
			w.Seen = true
			continue next
		}
		t.Errorf("line %d: unexpected %s at %q: %s", line, f.Code, f.Span.Text(), f.Message)
	}
	for _, w := range wants {
		if !w.Seen {
			t.Errorf("line %d: no %s at %q", w.Line, w.Code, w.Text)
		}
	}
}
