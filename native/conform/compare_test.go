package conform

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"asz/native/fold"
	"asz/native/view"
	"asz/shared/diag"
	"asz/shared/session"
)

// TestNoTalk: where there is no talk, whatever is expected of the first one is told once, with the place of what is asked.
func TestNoTalk(t *testing.T) {
	t.Parallel()
	at := diag.Span{Source: diag.NewSource("test.expect.yaml", "a text"), Start: 2, Len: 4}
	text, number := session.Value[string]{Is: "a", Set: true, At: at}, session.Value[int]{Is: 1, Set: true, At: at}
	for _, first := range []session.FirstTalk{{Label: text}, {Reply: text}, {Runs: number}, {Reply: text, Runs: number}} {
		c := &comparison{&trial{checker: &checker{}, doc: &view.Doc{}}, "middle"}
		c.view(session.View{FirstTalk: first})
		want := Failure{Where: "middle", What: "view.first_talk", Want: "a talk", Got: "there is none", At: at}
		if len(c.Failures) != 1 || c.Failures[0] != want {
			t.Errorf("%+v", c.Failures)
		}
	}
	c := &comparison{&trial{checker: &checker{}, doc: &view.Doc{}}, "middle"}
	if c.view(session.View{}); len(c.Failures) > 0 {
		t.Errorf("%+v", c.Failures)
	}
}

// TestStateOf: references of a kind that are not all in one state are in neither.
func TestStateOf(t *testing.T) {
	t.Parallel()
	open := fold.Unresolved{Kind: "tool_use", State: session.StateOpen}
	resolved := fold.Unresolved{Kind: "tool_use", State: session.StateResolved}
	other := fold.Unresolved{Kind: "tool_result", State: session.StateOpen}
	for _, c := range []struct {
		list []fold.Unresolved
		want string
	}{
		{nil, "none"}, {[]fold.Unresolved{other}, "none"}, {[]fold.Unresolved{open, open}, "open"}, {[]fold.Unresolved{resolved, other}, "resolved"},
		{[]fold.Unresolved{open, resolved}, "open and resolved"}, {[]fold.Unresolved{resolved, other, open, open}, "open and resolved"},
		{[]fold.Unresolved{open, resolved, resolved}, "open and resolved"},
	} {
		one := &comparison{&trial{structure: &fold.Structure{Unresolved: c.list}}, "middle"}
		if got := one.stateOf("tool_use"); got != c.want {
			t.Errorf("%+v: %s", c.list, got)
		}
	}
}

// TestWrongExpectations: what is expected and does not come is told once in each format, with its place. What comes is made
// once for each scenario.
func TestWrongExpectations(t *testing.T) {
	t.Parallel()
	cases := map[string][]wrong{}
	for _, c := range []wrong{
		{"turns", "    rounds: 2\n    delta", "    rounds: 3\n    delta", "rounds", "3", "2"},
		{"turns", "written: true", "written: false", "written", "false", "true"},
		{"turns", "delta: true", "delta: false", "delta", "false", "true"},
		{"turns", "thinking: 2", "thinking: 1", "kinds.thinking", "1", "2"},
		{"turns", "in_segment: 1", "in_segment: 0", "relations.in_segment", "0", "1"},
		{"turns", "talks_on: {main: 1}", "talks_on: {main: 2}", "talks_on.main", "2", "1"},
		{"turns", "s1-cycle: 1", "s1-cycle: 2", "runs_in.talk/main/s1-cycle", "2", "1"},
		{"turns", "tool/list: {kind: tool", "tool/list: {kind: thinking", "nodes.tool/list.kind", `"thinking"`, `"tool"`},
		{"turns", "parent: call/s3-call", "parent: call/s4-call", "nodes.tool/list.parent", `"call/s4-call"`, `"call/s3-call"`},
		{"turns", "stream: main, attrs", "stream: other, attrs", "nodes.stream/main.stream", `"other"`, `"main"`},
		{"turns", "s3-call, refs: 2", "s3-call, refs: 1", "nodes.tool/list.refs", "1", "2"},
		{"turns", "tool/list: {revision: 1}", "tool/list: {revision: 2}", "nodes.tool/list.revision", "2", "1"},
		{"turns", "name: Bash", "name: Read", "nodes.tool/list.attrs.name", `"Read"`, `"Bash"`},
		{"turns", "name: Bash", "name: null", "nodes.tool/list.attrs.name", "no such attribute", `"Bash"`},
		{"turns", "name: Bash", "nome: Bash", "nodes.tool/list.attrs.nome", `"Bash"`, "there is none"},
		{"turns", "fragments: 3", "fragments: 2", "nodes.call/s3-call.attrs.fragments", "2", "3"},
		{"turns", "stream/main: {revision: 2}", "stream/main: {absent: true}", "nodes.stream/main", "no such node", "a stream"},
		{"turns", "stream/main: {revision: 2}", "stream/other: {revision: 2}", "nodes.stream/other", "a node", "there is none"},
		{"turns", "open: 0", "open: 1", "unresolved.open", "1", "0"},
		{"turns", "resolved: 0", "resolved: 1", "unresolved.resolved", "1", "0"},
		{"turns", "from: +0s", "from: +1s", "session.from", "+1s", "+0s"},
		{"turns", "to: +4.2s", "to: +4s", "session.to", "+4s", "+4.2s"},
		{"turns", "state: verified", "state: mismatch", "view.state", `"mismatch"`, `"verified"`},
		{"turns", "problems: 0, talks", "problems: 1, talks", "view.problems", "1", "0"},
		{"turns", "talks: 1, files", "talks: 2, files", "view.talks", "2", "1"},
		{"turns", "files: 2", "files: 1", "view.files", "1", "2"},
		{"turns", "rounds: 1, first", "rounds: 2, first", "view.rounds", "2", "1"},
		{"turns", "label: list", "label: lift", "view.first_talk.label", `"lift the open tickets"`, `"list the open tickets"`},
		{"turns", "reply: Seven", "reply: Six", "view.first_talk.reply", `"Six are open."`, `"Seven are open."`},
		{"turns", "runs: 1}}", "runs: 2}}", "view.first_talk.runs", "2", "1"},
		{"turns", "verify: {problems: 0}", "verify: {problems: 1}", "verify.problems", "1", "0"},
		{"late-result", "tool_use: none", "tool_use: open", "unresolved_kinds.tool_use", "open", "none"},
		{"family", "stream: junior", "stream: lead", "nodes.output/junior.stream", `"lead"`, fmt.Sprintf("%q", AgentID("junior"))},
	} {
		cases[c.name] = append(cases[c.name], c)
	}
	for name, list := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrongly(t, name, list)
		})
	}
}

// wrong is an expectation of a scenario that is changed, and what is then told.
type wrong struct{ name, old, new, what, want, got string }

func wrongly(t *testing.T, name string, cases []wrong) {
	read := func(ending string) string {
		text, err := os.ReadFile("testdata/scenarios/" + name + ending)
		must(t, err)
		return string(text)
	}
	s, right := scenarioOf(t, read(".yaml")), read(".expect.yaml")
	c := &checker{CheckOptions: checkOptions(t), scenario: s, expected: expecting(t, s, right), agents: agentsOf(s)}
	expected := make([]*session.Expectation, len(cases))
	for i, w := range cases {
		if !strings.Contains(right, w.old) {
			t.Fatalf("there is no %q", w.old)
		}
		expected[i] = expecting(t, s, strings.Replace(right, w.old, w.new, 1))
	}
	for _, format := range []Format{ClaudeCode, SessionData} {
		told := make([][]Failure, len(cases))
		one, err := c.trial(format)
		must(t, err)
		for _, stage := range append(s.Checkpoints(), session.Final) {
			must(t, one.stage(stage))
			if len(c.Failures) > 0 {
				t.Fatal(c.Failures)
			}
			for i, e := range expected {
				for j := range e.Checkpoints {
					if p := &e.Checkpoints[j]; p.Name == stage {
						one.compare(p)
					}
				}
				told[i], c.Failures = append(told[i], c.Failures...), nil
			}
		}
		for i, w := range cases {
			if len(told[i]) != 1 {
				t.Errorf("%s: %d failures for %s: %+v", format, len(told[i]), w.new, told[i])
				continue
			}
			f := told[i][0]
			want := Failure{Format: format, Where: f.Where, What: w.what, Want: w.want, Got: w.got, At: f.At}
			if f != want || f.Where == "" || f.At.Source != expected[i].Source || f.At.Len == 0 {
				t.Errorf("%+v, and not %+v", f, want)
			}
		}
	}
}
