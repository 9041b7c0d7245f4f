package gui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asz/shared/diag"
	"asz/shared/gui"
)

// TestBounds: a file that is long, nested or repeated is refused or read soon.
func TestBounds(t *testing.T) {
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	chain := "goal: a\nlaunch: {cmd: a}\ntools:\n"
	for i := range 600 {
		chain += fmt.Sprintf("  t%d: {description: a, params: {}, run: launch, prerequisites: [t%d, t0], side_effects: true, budget: 1, on_error: {}}\n", i, i+1)
	}
	for name, c := range map[string]struct{ text, code string }{
		"large":             {strings.Repeat("#", 2<<20), "yaml-too-large"},
		"deep":              {strings.Repeat("[", 100_000), "yaml-too-deep"},
		"many commands":     {"shell:\n" + many(30_000, "  a%d: b\n"), "yaml-too-large"},
		"dollars":           {"provides: {a: '" + strings.Repeat("$", 900_000) + "'}", ""},
		"references":        {"provides: {a: '" + strings.Repeat("$A", 400_000) + "'}", ""},
		"open references":   {"provides: {a: '" + strings.Repeat("${", 400_000) + "'}", "env-reference"},
		"quotes":            {"steps: [{action: 'type " + strings.Repeat(`" `, 400_000) + "'}]", "action-form"},
		"pluses":            {"steps: [{action: 'key \"" + strings.Repeat("ctrl+", 150_000) + "a\"'}]", "chord-form"},
		"braces":            {"policy: {inline: '" + strings.Repeat("{{", 400_000) + "'}", "policy-placeholder"},
		"placeholders":      {"policy:\n  inline: '" + strings.Repeat("{{.a}}", 100_000) + "'\n  vars:\n    a: b\n" + many(5_000, "    b%d: c\n"), "too-many-findings"},
		"a chain of tools":  {chain, "tool-cycle"},
		"states":            {"steps: [{action: wait 1, expect_state: '" + strings.Repeat("not ", 200_000) + "checked'}]", ""},
		"no UTF-8":          {"app: \xff", "yaml-encoding"},
		"repeated mistakes": {"checks: {log_fatal: [" + strings.Repeat("'', ", 3000) + "]}", "too-many-findings"},
	} {
		start := time.Now()
		s, findings := gui.Parse(diag.NewSource("gui.yaml", c.text))
		if (s == nil) != (c.code != "") || c.code != "" && !has(findings, c.code) {
			t.Errorf("%s: %.1000s", name, text(findings))
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
}

func has(l diag.List, code string) bool {
	for _, f := range l {
		if string(f.Code) == code {
			return true
		}
	}
	return false
}

// TestLongNames: what is shown of a text is short and on one line.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("ä\n", 5000)
	for _, body := range []string{
		fmt.Sprintf("steps: [{action: %q}]", long), fmt.Sprintf("steps: [{action: %q}]", `click "`+long+`"`), fmt.Sprintf("steps: [{action: %q}]", `key "`+long+`"`),
		fmt.Sprintf("steps: [{action: %q}]", `kill "(`+long+`"`), fmt.Sprintf("steps: [{action: wait 1, target: %q}]", long),
		fmt.Sprintf("steps: [{action: wait 1, expect_state: %q}]", "a "+strings.Repeat("ä", 5000)), fmt.Sprintf("policy: {skill: %q}", long),
		fmt.Sprintf("policy: {inline: %q}", "{{"+strings.Repeat("ä", 5000)+"}}"), fmt.Sprintf("policy: {skill: generic-gui-test, tools: [%q]}", long),
		fmt.Sprintf("policy: {inline: %q}", "{{."+strings.Repeat("a", 5000)+"}}"),
	} {
		_, findings := gui.Parse(diag.NewSource("s", body))
		if len(findings) != 1 || len(findings[0].Message) > 400 || len(findings[0].Fix.Text) > 400 || strings.ContainsAny(findings[0].Message+findings[0].Fix.Text, "\n") {
			t.Errorf("%.100s: %.900s", body, text(findings))
		}
	}
}

// FuzzParse: whatever the bytes are, there is a scenario or an error with a place in the file, never both or neither; and
// what is read can be used.
func FuzzParse(f *testing.F) {
	good, _ := filepath.Glob("testdata/good/*.yaml")
	bad, _ := filepath.Glob("testdata/bad/*.txt")
	for _, name := range append(good, bad...) {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, chunk := range strings.Split("\n"+string(data), "\n=== ") {
			_, body, _ := strings.Cut(chunk, "\n")
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		src := diag.NewSource("s", body)
		s, findings := gui.Parse(src)
		if (s == nil) != (findings.Errors() > 0) {
			t.Fatal(text(findings))
		}
		inside := func(at diag.Span) {
			if at.Source != nil && (at.Source != src || at.Start < 0 || at.Len < 0 || at.End() > len(body)) {
				t.Fatalf("%+v", at)
			}
		}
		for _, d := range findings {
			if d.Span.Source == nil || d.Fix == nil || d.Fix.Text == "" {
				t.Fatalf("%+v", d)
			}
			inside(d.Span)
			for _, r := range d.Related {
				inside(r.Span)
			}
			for _, e := range d.Fix.Edits {
				inside(e.Span)
			}
		}
		if s == nil {
			return
		}
		for _, step := range append(s.Steps, s.Plan...) {
			inside(step.At)
			if a := step.Action; a != nil {
				inside(a.At)
				inside(a.ArgAt)
				if _, err := a.Text.Expand(func(string) (string, bool) { return "x", true }); err != nil || a.String() == "" {
					t.Fatal(err)
				}
			}
		}
		s.Policy.Text()
	})
}
