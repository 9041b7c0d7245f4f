package conform_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"asz/native/conform"
	"asz/native/store"
	"asz/shared/diag"
	"asz/shared/session"
)

var formats = []conform.Format{conform.ClaudeCode, conform.SessionData}

// readChecked reads a scenario and its expectations, changed by change.
func readChecked(t *testing.T, name string, change func(expected string) string) (*session.Scenario, *session.Expectation) {
	t.Helper()
	read := func(name string) *diag.Source {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return diag.NewSource(filepath.Base(name), string(data))
	}
	s, findings := session.Parse(read(name))
	if s == nil {
		t.Fatal(findings)
	}
	src := read(strings.TrimSuffix(name, ".yaml") + ".expect.yaml")
	e, findings := session.ParseExpectation(diag.NewSource(src.Name, change(src.Text)), s)
	if e == nil {
		var b strings.Builder
		findings.WriteText(&b, false)
		t.Fatal(b.String())
	}
	return s, e
}

func as(text string) string { return text }

func checked(t *testing.T, s *session.Scenario, e *session.Expectation, dir string) *conform.Checked {
	t.Helper()
	got, err := conform.Check(s, e, conform.CheckOptions{
		Formats: formats, Out: filepath.ToSlash(dir), Version: "test", FS: conform.Unsynced{FS: store.Disk()},
		Times: conform.Times{Base: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Scale: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func scenarios(t *testing.T, pattern string) []string {
	t.Helper()
	all, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(name string) bool { return strings.HasSuffix(name, ".expect.yaml") })
}

// TestPublishedScenarios: those beside the project hold, when they are there.
func TestPublishedScenarios(t *testing.T) {
	t.Parallel()
	names := scenarios(t, "../../../shared/data/sessions/*.yaml")
	if len(names) == 0 {
		t.Skip("there are no scenarios beside the project")
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			s, e := readChecked(t, name, as)
			for _, f := range checked(t, s, e, t.TempDir()).Failures {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestWrongExpectations: what is expected and does not come is told once in each format, with its place.
func TestWrongExpectations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, what, want, got string }{
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
		{"gone", "verified}", "verified}\n    lose: [{stream: absent, kind: transcript}]", "lose", "a landed transcript of absent", "there is none"},
		{"family", "stream: junior", "stream: lead", "nodes.output/junior.stream", `"lead"`, fmt.Sprintf("%q", conform.AgentID("junior"))},
	} {
		t.Run(c.name+" "+c.what+" "+c.new, func(t *testing.T) {
			t.Parallel()
			s, e := readChecked(t, "testdata/scenarios/"+c.name+".yaml", func(text string) string {
				if !strings.Contains(text, c.old) {
					t.Fatalf("there is no %q", c.old)
				}
				return strings.Replace(text, c.old, c.new, 1)
			})
			got := checked(t, s, e, t.TempDir()).Failures
			if len(got) != len(formats) {
				t.Fatalf("%d failures: %+v", len(got), got)
			}
			for i, f := range got {
				if f.Format != formats[i] || f.Where == "" || f.What != c.what || f.Want != c.want || f.Got != c.got || f.At.Source != e.Source || f.At.Len == 0 {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// TestDamagedRoot: a property that cannot hold on a root from which a file was deleted is told, unless it is switched off.
func TestDamagedRoot(t *testing.T) {
	t.Parallel()
	s, e := readChecked(t, "testdata/scenarios/lost-file.yaml", func(text string) string {
		before, _, _ := strings.Cut(text, "properties:")
		return before
	})
	var told []string
	for _, f := range checked(t, s, e, t.TempDir()).Failures {
		told = append(told, string(f.Format)+" "+f.Where)
	}
	want := []string{"claude-code bundle", "claude-code repack_keeps_structure", "claude-code every_line_a_record", "sd bundle", "sd repack_keeps_structure"}
	if !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
}
