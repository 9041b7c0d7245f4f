package validate_test

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"asz/shared/diag"
	"asz/shared/validate"
)

func check(t testing.TB, folder, id string) diag.List {
	t.Helper()
	c := validate.New(os.DirFS(folder), id, validate.Options{})
	for c.Step(1000) {
	}
	return c.Result().Findings
}

// labsIn lists the folders of labs below a folder.
func labsIn(t testing.TB, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(folder + "/*/labspace.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		files[i] = path.Base(filepath.ToSlash(filepath.Dir(file)))
	}
	return files
}

func TestOwnLabs(t *testing.T) {
	const folder = "../../labs"
	ids := labsIn(t, folder)
	if len(ids) == 0 {
		t.Fatal("no labs")
	}
	for _, id := range ids {
		noProblems(t, folder, id)
	}
}

// Labs that others have published stand beside the repository. Nothing is wrong with them.
func TestPublishedLabs(t *testing.T) {
	const folder = "../../../shared/data/labs"
	for _, id := range labsIn(t, folder) {
		noProblems(t, folder, id)
	}
}

func noProblems(t *testing.T, folder, id string) {
	t.Helper()
	for _, f := range check(t, folder, id) {
		line, column := f.Span.Source.Position(f.Span.Start)
		t.Logf("%s:%d:%d: %s: %s [%s]", f.Span.Source.Name, line, column, f.Severity, f.Message, f.Code)
		if f.Severity != diag.Info {
			t.Errorf("%s has a %s", id, f.Severity)
		}
	}
}
