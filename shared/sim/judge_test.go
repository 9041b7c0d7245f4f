package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asz/shared/lab"
	"asz/shared/sim"
)

const judged = `
state: { built: false, phase: start, log: [] }
scenarios:
  - { id: run, completes: ran, when: { command: run, args: { 0: { any: true } }, state: { built: true, phase: start } }, then: { state: { phase: "{{ args.0 }}" } } }
  - { id: never, when: { command: run, args: { 0: one }, state: { built: broken } }, then: {} }
  - { id: ask, completes: asked, when: { command: ask, state: { built: true } }, then: { input: { steps: [{ key: a }, { key: b }], then: { state: { b: "{{ input.b }}" } } } } }
  - { id: agent, when: { command: agent }, then: { session: {} } }
  - { id: hi, when: { agent: true, promptContains: [hi], state: { built: true } }, then: { state: { said: true } } }
  - { id: files, completes: filed, when: { command: files }, then: { files: [{ replace: gone, find: x, with: y }], state: { filed: true } } }
  - { id: all, completes: alled, when: { command: all, state: { phase.deep: 1 } }, then: { state: { log.9: x } } }
  - { id: flags, when: { command: flags, args: { 0: { any: true } } }, then: {} }
  - { id: known, when: { command: known, args: { -x: true, 0: { any: true } } }, then: {} }
`

func judge(t *testing.T) *sim.Engine { return player(t, judged).Engine() }

func rules(fits []sim.Fit) string {
	var out []string
	for _, f := range fits {
		out = append(out, fmt.Sprintf("%d%v", f.Rule, f.Captures))
	}
	return strings.Join(out, " ")
}

func TestTrace(t *testing.T) {
	e := judge(t)
	for line, want := range map[string]string{
		"run one && ls":                "run one: -1",
		"run one; ls; agent":           "run one: -1; ls: -1; agent: 3",
		"flags one":                    "flags one: 7 [{0 one}]",
		"agent -p hi":                  "agent -p hi: 3; : -1",
		"run ;; x":                     "",
		"run 'one":                     "",
		"# nothing":                    "",
		"nothing || ls || run nothing": "nothing: -1; ls: -1",
	} {
		after, o, choices := e.Trace(e.Start(), "terminal", line)
		var got []string
		for _, c := range choices {
			text := fmt.Sprintf("%s: %d", strings.Join(c.Words(), " "), c.Rule)
			if c.Captures != nil {
				text += fmt.Sprintf(" %v", c.Captures)
			}
			got = append(got, text)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", line, strings.Join(got, "; "), want)
		}
		same, p := e.Type(e.Start(), "terminal", line)
		if after.Digest() != same.Digest() || o.Exit() != p.Exit() {
			t.Errorf("%s is played otherwise than when typed", line)
		}
	}
}

func TestFits(t *testing.T) {
	e := judge(t)
	for line, want := range map[string]string{"run one": "0[{0 one}] 1[{0 one}]", "run two": "0[{0 two}]", "run": "", "nothing": "", "ls": ""} {
		q := e.PrepareAll("terminal", line)[0]
		if got := rules(q.Fits()); got != want || rules(q.Fits()) != want {
			t.Errorf("%s fits %s, want %s", line, got, want)
		}
		q = e.PrepareAll("terminal", line)[0]
		q.Select(e.Start())
		if got := rules(q.Fits()); got != want {
			t.Errorf("%s fits %s after it was selected, want %s", line, got, want)
		}
		if q.Builtin() != (line == "ls") {
			t.Errorf("%s is a builtin: %t", line, q.Builtin())
		}
	}
	if q := e.PreparePrompt("terminal", "oh hi"); rules(q.Fits()) != "4[]" || q.Words() != nil || q.Builtin() {
		t.Errorf("a prompt fits %s", rules(q.Fits()))
	}
	for line, want := range map[string]int{"a && b; c": 3, "": 0, "a |": 1, "a ||": 0, "'a": 0} {
		if got := len(e.PrepareAll("terminal", line)); got != want {
			t.Errorf("%q has %d commands, want %d", line, got, want)
		}
	}
}

func TestAmbiguous(t *testing.T) {
	e := judge(t)
	for line, want := range map[string]string{
		"flags -y one two":   "[{0 two}] [{0 one}]",
		"flags -y=1 one two": "",
		"flags one -y two":   "",
		"flags -y one":       "", // one reading fits
		"flags -x one two":   "[{0 two}] [{0 one}]",
		"known -x one two":   "",
		"-y flags one two":   "",
		"agent -y one two":   "",
	} {
		q := e.PrepareAll("terminal", line)[0]
		rule, _ := q.Select(e.Start())
		got := ""
		if rule >= 0 {
			if first, second, ok := q.Ambiguous(rule); ok {
				got = fmt.Sprint(first, " ", second)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestPending(t *testing.T) {
	e := judge(t)
	s := e.Set(e.Start(), "built", lab.Bool(true))
	if _, _, ok := e.Pending(s, "terminal"); ok {
		t.Error("a question at the start")
	}
	s, _ = e.Type(s, "terminal", "ask")
	s, _ = e.Type(s, "terminal", "first")
	if rule, step, ok := e.Pending(s, "terminal"); rule != 2 || step != 1 || !ok {
		t.Error(rule, step, ok)
	}
	if _, _, ok := e.Pending(s, "other"); ok {
		t.Error("a question in another terminal")
	}
}

func TestForce(t *testing.T) {
	e := judge(t)
	for _, c := range []struct {
		rule  int
		state string
		mode  sim.Mode
		done  []string
	}{
		{0, `{"built":true,"phase":"one","log":[]}`, sim.ModeCommand, []string{"ran"}},
		{2, `{"built":true,"phase":"start","log":[]}`, sim.ModeInput, nil},
		{3, `{"built":false,"phase":"start","log":[]}`, sim.ModeSession, nil},
		{4, `{"built":true,"phase":"start","log":[],"said":true}`, sim.ModeCommand, nil},
		{5, `{"built":false,"phase":"start","log":[],"filed":true}`, sim.ModeCommand, []string{"filed"}},
		{6, `{"built":false,"phase":"start","log":[]}`, sim.ModeCommand, []string{"alled"}},
	} {
		s := e.Force(e.Start(), "terminal", c.rule, []sim.Capture{{Name: "0", Value: "one"}})
		mode, _, _ := e.Mode(s, "terminal")
		done := slices.DeleteFunc([]string{"ran", "asked", "filed", "alled"}, func(step string) bool { return !s.Done(step) })
		if got := string(s.Tree().AppendJSON(nil)); got != c.state || mode != c.mode || !slices.Equal(done, c.done) {
			t.Errorf("rule %d: %s %s %v, want %s %s %v", c.rule, got, mode, done, c.state, c.mode, c.done)
		}
	}
	if e.Start().Tree().Lookup([]string{"built"}).Truth() {
		t.Error("the start changed")
	}
}

func TestSetAndHard(t *testing.T) {
	e := judge(t)
	if s := e.Set(e.Start(), "none", lab.Bool(false)); s != e.Start() {
		t.Error("what equals the wanted value already is written")
	}
	if s := e.Set(e.Start(), "history.0", lab.Text("x")); s != e.Start() {
		t.Error("the history is written")
	}
	for line, want := range map[string]bool{"files": true, "nothing": false, "ls": false} {
		_, o := e.Type(e.Start(), "terminal", line)
		if o.Results[0].Hard() != want {
			t.Errorf("%s is hard: %t", line, !want)
		}
	}
}
