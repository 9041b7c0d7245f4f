package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/lab"
)

// small makes the input of a search of a lab that is given by its scenarios, and steps named first and second.
func small(t testing.TB, simulator string, more ...string) Input {
	t.Helper()
	files := fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\nsections: [{ title: T, steps: [{ id: first }, { id: second }] }]\n" + strings.Join(more, "\n"))},
		"t/s.yaml":        {Data: []byte("version: \"2.0\"\n" + simulator)},
	}
	return load(t, files, "t")
}

func fires(r *Result) string {
	var b strings.Builder
	for _, rule := range r.Rules {
		b.WriteString([...]string{"?", "y", "n"}[rule.Fires])
	}
	return b.String()
}

// TestConstants: what conditions compare a path with is tried where a learner's words come to it, also by way of other
// paths and with text around it.
func TestConstants(t *testing.T) {
	r := run(small(t, `
scenarios:
  - id: tier
    when: { command: tier, args: { 0: { any: true } } }
    then: { state: { wanted: "{{ args.0 }}" } }
  - id: take
    when: { command: take }
    then: { state: { tier: "v-{{ state.wanted }}" } }
  - id: pro
    completes: first
    when: { command: go, state: { tier: v-pro } }
    then: {}
  - id: ask
    when: { command: ask }
    then: { input: { steps: [{ key: a }, { key: b }], then: { state: { answer: "{{ input.b }}" } } } }
  - id: sure
    completes: second
    when: { command: sure, state: { answer: "yes" } }
    then: {}
  - id: never
    when: { command: never, state: { tier: pro } }
    then: {}
`))
	if got := fires(r); got != "yyyyyn" || !r.Exhaustive {
		t.Errorf("fires %s, exhaustive %v", got, r.Exhaustive)
	}
}

// TestNever: what keeps a scenario from firing.
func TestNever(t *testing.T) {
	r := run(small(t, `
state: { phase: start }
scenarios:
  - { id: one, when: { command: one, state: { phase: begun } }, then: { state: { two: true } } }
  - { id: two, when: { command: two, state: { two: true } }, then: {} }
  - { id: broad, when: { command: docker }, then: {} }
  - { id: narrow, when: { command: docker run }, then: {} }
  - { id: dodge, when: { command: git, args: { --force: false } }, then: {} }
  - { id: dodged, when: { command: git }, then: {} }
  - { id: open, when: { command: open, state: { phase: start } }, then: {} }
  - { id: same, when: { command: open, state: { phase: start } }, then: {} }
  - { id: agent, when: { agent: true }, then: {} }
`))
	if got := fires(r); got != "nnynyyynn" {
		t.Errorf("fires %s", got)
	}
	one, two := r.Rules[0], r.Rules[1]
	if one.Guard != 0 || one.After != -1 || two.After != 0 {
		t.Errorf("%+v, %+v", one, two)
	}
	if r.Rules[3].Shadow != 2 || r.Rules[7].Shadow != 6 {
		t.Errorf("%+v, %+v", r.Rules[3], r.Rules[7])
	}
}

// TestDeadEnds: leaving a session that does not open again, and a switch, a question given up, are ways into one.
func TestDeadEnds(t *testing.T) {
	for name, c := range map[string]struct {
		lab, play string
		cause     Cause
	}{
		"session": {`
scenarios:
  - id: agent
    when: { command: agent, state: { used: false } }
    then: { state: { used: true }, session: {} }
  - { id: hello, completes: first, when: { agent: true, prompt: hi }, then: {} }
`, "agent; /exit", Cause{0, -1, -1}},
		"input": {`
scenarios:
  - id: login
    completes: first
    when: { command: login, state: { tried: false } }
    then: { state: { tried: true }, input: { key: name, then: {} } }
`, "login; /cancel", Cause{0, -1, -1}},
		"control": {`
controls: [{ id: lock, label: Lock, state: locked, enabled: true, disabled: true }]
scenarios:
  - { id: go, completes: first, when: { command: go, state: { locked: false } }, then: {} }
`, "@control lock on", Cause{-1, 0, -1}},
		"one terminal": {`
scenarios:
  - { id: go, completes: first, when: { command: go, terminal: two, state: { gone: false } }, then: {} }
  - { id: lose, when: { command: lose, terminal: one }, then: { state: { gone: true } } }
`, "lose", Cause{1, -1, -1}},
		"run": {`
workflows: [{ id: w, steps: [{ id: build, requires: ready }] }]
scenarios:
  - { id: push, when: { command: push }, then: { ci: { workflow: w } } }
  - { id: ready, when: { command: ready }, then: { state: { ready: true } } }
  - { id: done, completes: first, when: { command: done, state: { ci.runs.0.conclusion: success } }, then: {} }
`, "push", Cause{0, -1, -1}},
	} {
		terminals := ""
		if name == "one terminal" {
			terminals = "terminals: [{ id: one }, { id: two }]"
		}
		r := run(small(t, c.lab, terminals))
		if len(r.Steps) != 1 || !r.Steps[0].DeadEnd || strings.Join(r.Steps[0].Play, "; ") != c.play || r.Steps[0].Cause != c.cause {
			t.Errorf("%s: %+v", name, r.Steps)
		}
	}
}

// TestDeep: what is wrong at the end of a long way is found, whatever else the lab has.
func TestDeep(t *testing.T) {
	var b strings.Builder
	b.WriteString("scenarios:\n")
	for i := range 24 {
		fmt.Fprintf(&b, "  - { id: s%d, when: { command: step %d, state: { n: %d } }, then: { state: { n: %d } } }\n", i, i, i, i+1)
	}
	for i := range 30 {
		fmt.Fprintf(&b, "  - { id: on%d, when: { command: toggle %d, state: { t%d: false } }, then: { state: { t%d: true } } }\n", i, i, i, i)
		fmt.Fprintf(&b, "  - { id: off%d, when: { command: toggle %d }, then: { state: { t%d: false } } }\n", i, i, i)
	}
	b.WriteString("  - { id: last, completes: first, when: { command: finish, state: { n: 24, spoilt: false } }, then: {} }\n")
	b.WriteString("  - { id: spoil, when: { command: spoil, state: { n: 24 } }, then: { state: { spoilt: true } } }\n")
	b.WriteString("  - { id: fail, when: { command: fail, state: { n: 20 } }, then: { files: [{ replace: none, find: a, with: b }] } }\n")
	in := small(t, b.String())
	in.Solve = true
	r := run(in)
	if !r.Exhaustive || strings.Contains(fires(r), "n") {
		t.Errorf("exhaustive %v, fires %s", r.Exhaustive, fires(r))
	}
	if len(r.Steps) != 1 || !r.Steps[0].DeadEnd || len(r.Steps[0].Play) != 25 || r.Steps[0].Play[24] != "spoil" {
		t.Errorf("%+v", r.Steps)
	}
	if len(r.Failures) != 1 || len(r.Failures[0].Play) != 21 {
		t.Errorf("%+v", r.Failures)
	}
	if s := r.Solution; len(s.Play) != 25 || !slices.Equal(s.Missing, []string{"second"}) {
		t.Errorf("%+v", s)
	}
}

// TestBound: a lab of more states than anyone can look at ends at a bound, which is said.
func TestBound(t *testing.T) {
	var b, all strings.Builder
	b.WriteString("scenarios:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  - { id: on%d, when: { command: toggle %d, state: { t%d: false } }, then: { state: { t%d: true } } }\n", i, i, i, i)
		fmt.Fprintf(&b, "  - { id: off%d, when: { command: toggle %d }, then: { state: { t%d: false } } }\n", i, i, i)
		fmt.Fprintf(&all, "t%d: true, ", i)
	}
	fmt.Fprintf(&b, "  - { id: all, completes: first, when: { command: all, state: { %s} }, then: {} }\n", all.String())
	r := run(small(t, b.String()))
	if r.Exhaustive || r.Rules[80].Fires != Unknown || len(r.Steps) != 1 || r.Steps[0].Reachable != Unknown || r.Steps[0].DeadEnd {
		t.Errorf("exhaustive %v, %+v, %+v", r.Exhaustive, r.Rules[80], r.Steps)
	}
	if r.Transitions < 1<<20 || r.Transitions > autoTransitions {
		t.Errorf("%d transitions", r.Transitions)
	}
}

// TestGrowingStep: a step whose own effect is beyond the bound of a growing list is not said to be impossible there.
func TestGrowingStep(t *testing.T) {
	r := run(small(t, `
state: { l: [], t: "" }
scenarios:
  - { id: grow, when: { command: grow }, then: { state: { "l +=": x } } }
  - { id: end, completes: first, when: { command: end }, then: { state: { "l +=": x, t: "{{ state.l }}" } } }
  - { id: read, completes: second, when: { command: read, state: { l: [], t: "[]" } }, then: {} }
  - { id: long, when: { command: long, state: { t: "[1]" } }, then: {} }
`))
	for _, s := range r.Steps {
		if s.ID == "first" && s.DeadEnd {
			t.Errorf("%+v", s)
		}
	}
}

// TestManyAnswers: where questions have more answers than can be told apart, nothing is said of what others would do.
func TestManyAnswers(t *testing.T) {
	var steps, answers, guards, all strings.Builder
	for i := range 10 {
		fmt.Fprintf(&steps, "{ key: k%d },", i)
		fmt.Fprintf(&answers, "k%d: \"{{ input.k%d }}\",", i, i)
		fmt.Fprintf(&all, "k%d: v1,", i)
		for j := range 5 {
			fmt.Fprintf(&guards, "  - { id: see%d-%d, when: { command: see %d, state: { k%d: v%d } }, then: {} }\n", i, j, i, i, j)
		}
	}
	r := run(small(t, fmt.Sprintf(`scenarios:
  - { id: ask, when: { command: ask }, then: { input: { steps: [%s], then: { state: { %s } } } } }
  - { id: all, completes: first, when: { command: all, state: { %s } }, then: {} }
%s`, steps.String(), answers.String(), all.String(), guards.String())))
	if got := fires(r); r.Exhaustive || strings.Contains(got, "n") || r.Steps[0].Reachable != Unknown {
		t.Errorf("fires %s, exhaustive %v, %+v", got, r.Exhaustive, r.Steps)
	}
}

// TestGrowing: a folder copied into itself, a list that a condition prints, and a text that grows end at a bound.
func TestGrowing(t *testing.T) {
	for _, effect := range []string{
		"files: [{ copy: a, to: a/b }]",
		`state: { list += x, seen: "{{ state.list }}" }`,
		`state: { seen: "{{ state.seen }}x" }`,
	} {
		effect = strings.Replace(effect, "list +=", "\"list +=\":", 1)
		r := run(small(t, `
scenarios:
  - { id: grow, when: { command: grow }, then: { `+effect+` } }
  - { id: seen, completes: first, when: { command: seen, state: { seen: "xx" } }, then: {} }
`, "files: { a/c: text }"))
		if r.Exhaustive {
			t.Errorf("%s: %d states are all there are", effect, r.States)
		}
	}
}

// TestWay: the shortest way from where a learner is.
func TestWay(t *testing.T) {
	in := small(t, `
scenarios:
  - { id: lock, when: { command: lock }, then: { state: { door: locked } } }
  - { id: key, when: { command: take key }, then: { state: { key: true } } }
  - { id: unlock, when: { command: unlock, state: { key: true } }, then: { state: { door: open } } }
`)
	goal := []lab.Guard{{Path: "door", Want: lab.Text("open")}}
	from := in.Engine.Start()
	for _, want := range []string{"take key; unlock", "unlock", ""} {
		script, ok := Way(in.Engine, nil, from, goal)
		if !ok || strings.Join(script, "; ") != want {
			t.Errorf("%q, %v, want %q", script, ok, want)
		}
		if len(script) > 0 {
			from, _ = in.Engine.Type(from, "terminal", script[0])
		}
	}
	if script, ok := Way(in.Engine, nil, from, []lab.Guard{{Path: "door", Want: lab.Text("gone")}}); ok {
		t.Errorf("a way to nowhere: %q", script)
	}
}
