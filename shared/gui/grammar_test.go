package gui_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asz/shared/diag"
	"asz/shared/gui"
)

// action reads one action, in single quotes as YAML has them.
func action(t *testing.T, text string) *gui.Action {
	t.Helper()
	s := scenario(t, "click_targets: {center: [0, 0], file menu: [0, 0]}\nsteps:\n- action: '"+strings.ReplaceAll(text, "'", "''")+"'\n  expect: a\n")
	return s.Steps[0].Action
}

func TestChords(t *testing.T) {
	for text, want := range map[string]string{
		"ctrl+s": "ctrl+s", "Control+S": "ctrl+S", "meta+F4": "alt+f4", "alt+enter": "alt+return", "win+d": "super+d", "CMD+q": "super+q",
		"shift+ctrl+alt+super+x": "ctrl+alt+shift+super+x",
		"+":                      "+", "plus": "+", "ctrl++": "ctrl++", "ctrl+plus": "ctrl++", "shift++": "shift++", "-": "-", "minus": "-",
		"equal": "=", "comma": ",", "period": ".", "slash": "/", "ctrl+/": "ctrl+/",
		"space": "space", " ": "space", "ctrl+ ": "ctrl+space", "Esc": "escape", "ESCAPE": "escape", "del": "delete", "prior": "pageup", "PageUp": "pageup",
		"next": "pagedown", "f1": "f1", "F12": "f12", "é": "é", "你": "你", "😀": "😀", "A": "A", "a": "a", "5": "5", "$": "$", "\\": "\\",
		"return": "return", "tab": "tab", "backspace": "backspace", "insert": "insert", "home": "home", "end": "end",
		"left": "left", "right": "right", "up": "up", "down": "down",
	} {
		if got := action(t, `key "`+text+`"`).Chord.String(); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	if c := action(t, `key "shift+prior"`).Chord; c != (gui.Chord{Modifiers: gui.Shift, Key: gui.KeyPageUp}) {
		t.Errorf("%+v", c)
	}
	if c := action(t, `key "ctrl+alt++"`).Chord; c != (gui.Chord{Modifiers: gui.Ctrl | gui.Alt, Rune: '+'}) {
		t.Errorf("%+v", c)
	}
}

func TestArguments(t *testing.T) {
	for text, want := range map[string]gui.Action{
		`click "center"`:           {Kind: gui.ClickDeclared, Arg: "center"},
		`click "file menu"`:        {Kind: gui.ClickDeclared, Arg: "file menu"},
		"click\tcenter ":           {Kind: gui.ClickCenter},
		`click 0 1`:                {Kind: gui.ClickAt, Y: 1},
		`click 0.5 .25`:            {Kind: gui.ClickAt, X: 0.5, Y: 0.25},
		`wait 0`:                   {Kind: gui.Wait},
		`wait 1.5`:                 {Kind: gui.Wait, Seconds: 1500 * time.Millisecond},
		`wait 2.`:                  {Kind: gui.Wait, Seconds: 2 * time.Second},
		`wait 0.1`:                 {Kind: gui.Wait, Seconds: 100 * time.Millisecond},
		`cdp_wait "a" 0`:           {Kind: gui.CDPWait, Arg: "a", Timed: true},
		`cdp_wait "a"`:             {Kind: gui.CDPWait, Arg: "a"},
		`spawn " a\b\n 'c' # $X "`: {Kind: gui.Spawn, Arg: ` a\b\n 'c' # $X `}, // verbatim: no escapes, no comments, no references
		`type ""`:                  {Kind: gui.Type},
		`cdp_fill "a" ""`:          {Kind: gui.CDPFill, Arg: "a"},
	} {
		got := *action(t, text)
		got.At, got.ArgAt, got.Text, got.Written = diag.Span{}, diag.Span{}, gui.Template{}, ""
		if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
			t.Errorf("%s\n got %#v\nwant %#v", text, got, want)
		}
	}
	if got := action(t, ` cdp_fill  "#a"  "secret" `).String(); got != `cdp_fill "#a" "…"` {
		t.Error(got)
	}
	if got := action(t, ` click  center `).String(); got != `click  center` {
		t.Error(got)
	}
}

// TestTable: the table is what the specification lists, and what help shows.
func TestTable(t *testing.T) {
	var got []string
	for _, a := range gui.Actions() {
		line := a.Usage
		for name, is := range map[string]bool{"cdp": a.CDP, "atspi": a.ATSPI, "model": a.Model} {
			if is {
				line += " " + name
			}
		}
		if a.Rung != "" {
			line += " → " + string(a.Rung)
		}
		if a.Doc == "" || a.Word != a.Kind.Word() || a.Rung != a.Kind.Rung() || a.CDP != a.Kind.CDP() || a.ATSPI != a.Kind.ATSPI() || a.Model != a.Kind.Model() {
			t.Errorf("%+v", a)
		}
		got = append(got, line)
	}
	want := []string{
		`key "<chord>"`, `type "<text>"`, `click center → center`, `click "<name>" → declared`, `click <fx> <fy> → literal`,
		`click_element "<name>" atspi → element`, `click_grounded "<description>" model → grounded`, `wait <seconds>`, `wait_while "<name>"`,
		`shell "<name>"`, `spawn "<cmd>"`, `kill "<pattern>"`, `cdp_navigate "<url>" cdp → dom`, `cdp_attach "<substring>" cdp → dom`,
		`cdp_query "<selector>" cdp → dom`, `cdp_click "<selector>" cdp → dom`, `cdp_click_described "<name>" cdp → dom`,
		`cdp_fill "<selector>" "<value>" cdp → dom`, `cdp_wait "<predicate>" [seconds] cdp → dom`, `cdp_url cdp → dom`,
	}
	if !slices.Equal(got, want) {
		t.Error(strings.Join(got, "\n"))
	}
}

// TestPatterns: a pattern matches what it matches for pkill.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, line string
		want          bool
	}{
		{`^/usr/bin/x( |$)`, "/usr/bin/x -a", true}, {`a.c`, "xabcx", true}, {`a\.c`, "abc", false}, {`a[.]c`, "a.c", true},
		{`a[\.]c`, `a\c`, true}, {`a[\]c`, `a\c`, true}, {`a[\n]c`, "anc", true}, {`a[^\n]c`, "anc", false}, {`a\[\.]`, "a[.]", true},
		{`[]a]+$`, "]", true}, {`x[^]a]$`, "x]", false}, {`x[^]a]$`, "xb", true}, {`[[:digit:]\]{2}`, `1\`, true}, {`[[:alpha:]_]`, "1", false},
		{`a{2}(b|c)?d`, "aad", true}, {`\(x\)`, "(x)", true}, {`[a-c[]x`, "[x", true},
	} {
		if got := action(t, `kill "`+c.pattern+`"`).Pattern.MatchString(c.line); got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.line, got)
		}
	}
}

func TestReferences(t *testing.T) {
	environment := map[string]string{"A": "1", "LONG_name2": "two words", "EMPTY": "", "DOLLAR": "$A ${A} $$"}
	lookup := func(name string) (string, bool) { v, ok := environment[name]; return v, ok }
	for text, want := range map[string]string{
		"": "", "plain": "plain", "$A": "1", "${A}": "1", "$A$A": "11", "a${A}b": "a1b", "$LONG_name2!": "two words!",
		"$$": "$", "$$A": "$A", "$$$A": "$1", "$${A}": "${A}", "$": "$", "a$": "a$", "$ 5": "$ 5", "5$,": "5$,", "$1": "$1", "$-A": "$-A", "$é": "$é",
		"$A-b": "1-b", "$DOLLAR": "$A ${A} $$", // what comes of a variable is not expanded again
		"$EMPTY": "!EMPTY", "${NONE}": "!NONE", "$A $NONE $EMPTY": "!NONE",
	} {
		template := action(t, `type "`+text+`"`).Text
		got, err := template.Expand(lookup)
		var unset *gui.UnsetError
		if errors.As(err, &unset) {
			if got != "" || !strings.Contains(err.Error(), unset.Name) {
				t.Errorf("%q: %q, %v", text, got, err)
			}
			got = "!" + unset.Name
		}
		if got != want || template.Written != text {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := action(t, `cdp_fill "a" "$B ${A} $$C $B"`).Text.Names(); !slices.Equal(got, []string{"B", "A"}) {
		t.Error(got)
	}
}

func TestStates(t *testing.T) {
	for text, want := range map[string]gui.StateCheck{
		"Bold checked":               {Element: "Bold", State: gui.Checked},
		"Bold not checked":           {Element: "Bold", Not: true, State: gui.Checked},
		"Do not disturb pressed":     {Element: "Do not disturb", State: gui.Pressed},
		"Do not disturb not showing": {Element: "Do not disturb", Not: true, State: gui.Showing},
		"not not enabled":            {Element: "not", Not: true, State: gui.Enabled},
		"knot expanded":              {Element: "knot", State: gui.Expanded},
		"checked checked":            {Element: "checked", State: gui.Checked},
		`Say "hi" focused`:           {Element: `Say "hi"`, State: gui.Focused},
		"  Save  As   selected ":     {Element: "Save  As", State: gui.Selected},
		"7 sensitive":                {Element: "7", State: gui.Sensitive},
	} {
		s := scenario(t, "steps:\n- {action: wait 1, expect_state: '"+text+"', post: [{state: '"+text+"'}]}")
		got := *s.Steps[0].ExpectState
		post := s.Steps[0].Post[0]
		if !strings.Contains(got.At.Text(), strings.TrimSpace(text)) || post.Text != got.String() {
			t.Errorf("%q: %q, %q", text, got.At.Text(), post.Text)
		}
		got.At, post.State.At = diag.Span{}, diag.Span{}
		if got != want || post.State != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestInstead: what a finding says to write is what --fix would write, wherever it is written.
func TestInstead(t *testing.T) {
	for body, want := range map[string]string{
		"steps: [{action: clik center}]":                         "click",
		"steps:\n- action: \"\\x63lik center\"":                  "", // an escape stands in the word
		"steps:\n- action: |\n    clik center":                   "click",
		"shell: {a: &a clik center}\nsteps: [{action: *a}]":      "", // another one may use it rightly
		"steps: [{action: wait 1, expect_state: a chekced}]":     "checked",
		"steps: [{action: wait 1, target: windwo \"a\"}]":        "window",
		"steps: [{action: wait 1, post: [{state: a foccused}]}]": "focused",
	} {
		_, findings := gui.Parse(diag.NewSource("f", body))
		got := ""
		if len(findings) == 1 && findings[0].Fix.Safe {
			got = findings[0].Fix.Edits[0].New
		}
		if len(findings) != 1 || got != want {
			t.Errorf("%s: %q\n%s", body, got, text(findings))
		}
	}
}

func TestPolicyText(t *testing.T) {
	policy := func(lines string) string { return scenario(t, "policy:\n"+lines).Policy.Text() }
	var none *gui.Policy
	shipped, ok := gui.Skill(gui.ShippedSkill)
	if !ok || !strings.Contains(shipped, "goal") || none.Text() != shipped || policy("  skill: generic-gui-test") != shipped {
		t.Error("the shipped procedure")
	}
	if _, ok := gui.Skill("other"); ok {
		t.Error("a procedure that is not there")
	}
	for lines, want := range map[string]string{
		"  inline: a {{.b}}{{.c}} }} {.b} {{.b}}\n  vars: {b: 1, c: '{{.d}}'}": "a 1{{.d}} }} {.b} 1",
		"  inline: 'a {{.b}} {{ x'\n  literal: true":                           "a {{.b}} {{ x",
		"  inline: a {b}": "a {b}",
	} {
		if got := policy(lines); got != want {
			t.Errorf("%s: %q", lines, got)
		}
	}
}
