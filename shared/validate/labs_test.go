package validate_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
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
		findings := check(t, folder, id)
		var b strings.Builder
		findings.WriteText(&b, false)
		t.Logf("%s", b.String())
		for _, f := range findings {
			if f.Severity != diag.Info {
				t.Errorf("%s: %s: %s", id, f.Code, f.Message)
			}
		}
	}
}

// Labs that others have published; they stand beside the repository.
const published = "../../../shared/data/labs"

func TestPublishedLabs(t *testing.T) {
	folder := published
	if dir := os.Getenv("ASZ_SHARED"); dir != "" {
		folder = dir + "/data/labs"
	}
	for _, id := range labsIn(t, folder) {
		findings := check(t, folder, id)
		var b strings.Builder
		findings.WriteText(&b, false)
		t.Logf("%s", b.String())
	}
}
