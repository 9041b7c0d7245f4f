package conform_test

import (
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

// TestNothingToLose: what should be deleted and never landed is told in each format, with its place.
func TestNothingToLose(t *testing.T) {
	t.Parallel()
	s, e := readChecked(t, "testdata/scenarios/gone.yaml", func(text string) string {
		return strings.Replace(text, "verified}", "verified}\n    lose: [{stream: absent, kind: transcript}]", 1)
	})
	got := checked(t, s, e, t.TempDir()).Failures
	if len(got) != len(formats) {
		t.Fatalf("%+v", got)
	}
	for i, f := range got {
		want := conform.Failure{Format: formats[i], Where: "final", What: "lose", Want: "a landed transcript of absent", Got: "there is none", At: f.At}
		if f != want || f.At.Source != e.Source || f.At.Len == 0 {
			t.Errorf("%+v", f)
		}
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
