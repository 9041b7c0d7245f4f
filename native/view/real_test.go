package view_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asz/native/store"
	"asz/native/store/crash"
	"asz/native/view"
	"asz/shared/diag"
	"asz/shared/session"
)

// Recorded histories and scenarios, when they are there: they are no part of the project.
const (
	realRoot     = "../../../shared/data/claude-code"
	scenarioRoot = "../../../shared/data/sessions"
)

// TestRealHistories: every talk, run and step of recorded histories is in a tree, once. With -v they are printed.
func TestRealHistories(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(realRoot); err != nil {
		t.Skip("skipped: there are no recorded histories beside this clone")
	}
	root := collected(t, realRoot)
	ids, err := root.Sessions()
	if err != nil || len(ids) == 0 {
		t.Fatal(err, ids)
	}
	for _, id := range ids {
		d := document(t, root, id)
		if d.Summary.State != view.Verified || len(d.Summary.Problems) > 0 {
			t.Errorf("%s is %s: %q", id, d.Summary.State, d.Summary.Problems)
		}
		var yaml, text strings.Builder
		if err := d.WriteYAML(&yaml); err != nil {
			t.Fatal(err)
		}
		view.SameValues(t, yaml.String(), d.AppendJSON(nil))
		d, err := view.Outline(root, id)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Print(&text, view.Shown{Width: 110}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text.String()) {
			if n := view.Cells(strings.TrimSuffix(line, "\n")); n > 110 {
				t.Errorf("a line of %d cells: %s", n, line)
			}
		}
		t.Log("\n" + text.String())
	}
}

// TestExpectations: what the expectation files beside the published scenarios say of the document.
func TestExpectations(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob(scenarioRoot + "/*.expect.yaml")
	if len(files) == 0 {
		t.Skip("skipped: there are no published scenarios beside this clone")
	}
	for _, name := range files {
		read := func(name string) string {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
		s := readScenario(t, read(strings.TrimSuffix(name, ".expect.yaml")+".yaml"))
		e, findings := session.ParseExpectation(diag.NewSource(name, read(name)), s)
		if e == nil {
			t.Fatal(findings)
		}
		root := &store.Root{FS: crash.New(), Dir: "/root"}
		for _, at := range e.Checkpoints {
			through := at.Name
			if through == session.Final {
				through = ""
			}
			d := document(t, root, stage(t, root, s, through))
			first := &view.Node{Talk: &view.Talk{}}
			if len(d.Talks) > 0 {
				first = d.Talks[0]
			}
			v, what := &at.View, filepath.Base(name)+" at "+at.Name
			is(t, what+": state", string(d.Summary.State), v.State)
			is(t, what+": problems", len(d.Summary.Problems), v.Problems)
			is(t, what+": talks", len(d.Talks), v.Talks)
			is(t, what+": files", len(d.Files), v.Files)
			is(t, what+": rounds", len(d.Rounds), v.Rounds)
			is(t, what+": rounds", len(d.Rounds), at.Rounds)
			is(t, what+": label", first.Talk.Label, v.FirstTalk.Label)
			is(t, what+": reply", first.Talk.Reply, v.FirstTalk.Reply)
			is(t, what+": runs", first.Talk.Runs, v.FirstTalk.Runs)
			for _, k := range at.Kinds {
				is(t, what+": "+k.Name, d.Summary.Kinds[k.Name], session.Value[int]{Is: k.N, Set: true})
			}
		}
	}
}

func is[T comparable](t *testing.T, what string, got T, want session.Value[T]) {
	t.Helper()
	if want.Set && got != want.Is {
		t.Errorf("%s: %v and not %v", what, got, want.Is)
	}
}
