package command

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"asz/shared/diag"
	"asz/shared/validate"
)

const wrong = "version: 2.0\nscenarios:\n  - { id: a, wehn: { command: a }, then: {} }\n"

// TestFixTwice: two runs that correct one file at once end well, both, whoever is first.
func TestFixTwice(t *testing.T) {
	dir := write(t, map[string]string{"labs/a/labspace.yaml": "simulator: s.yaml\n", "labs/a/s.yaml": wrong})
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			h, out, problems := host()
			if exit := Validate().Do(h, []string{"--fix", filepath.Join(dir, "labs/a")}); exit != 0 {
				t.Errorf("exit %d\n%s%s", exit, out, problems)
			}
		})
	}
	runs.Wait()
	data, _ := os.ReadFile(filepath.Join(dir, "labs/a/s.yaml"))
	if want := "version: \"2.0\"\nscenarios:\n  - { id: a, when: { command: a }, then: {} }\n"; string(data) != want {
		t.Errorf("%q", data)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "labs/a/.*")); len(left) > 0 {
		t.Error(left)
	}
}

// TestChangedMeanwhile: a file that somebody else writes is looked at again, but not for ever.
func TestChangedMeanwhile(t *testing.T) {
	dir := write(t, map[string]string{"a/x.yaml": "theirs\n"})
	h, _, problems := host()
	v := newValidation(h)
	ts := targets{host: h, folders: map[string]*folder{}, seen: map[string]bool{}}
	f, err := ts.open(dir, "labs")
	if err != nil {
		t.Fatal(err)
	}
	at := diag.Span{Source: diag.NewSource("a/x.yaml", "ours\n"), Len: 4}
	found := []checked{{target{f, "a"}, validate.Result{Findings: diag.List{{Code: "yaml-tag", Span: at, Fix: &diag.Fix{Edits: []diag.Edit{{Span: at, New: "x"}}, Safe: true}}}}}}
	for range mostAgain {
		if !v.applyFixes(found) || problems.Len() > 0 {
			t.Errorf("it is not looked at again: %s", problems)
		}
	}
	if v.applyFixes(found) || v.exit != exitUnusable || !strings.Contains(problems.String(), "x.yaml is not corrected: it was changed by someone else in the meantime") {
		t.Errorf("exit %d, %q", v.exit, problems)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "a/x.yaml")); string(data) != "theirs\n" {
		t.Errorf("%q", data)
	}
}
