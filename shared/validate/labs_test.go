package validate_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
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
		problems(t, folder, id)
	}
}

// Labs that others have published stand beside the repository. What is found there was read by a person: each is so.
func TestPublishedLabs(t *testing.T) {
	const folder = "../../../shared/data/labs"
	known := map[string][]string{
		"sbx-101": {
			"effect-fails simulator.yaml:1230:17",     // `sed` before the agent has written the file
			"scenario-shadowed simulator.yaml:1539:9", // `ls -la` with any path is taken further above, also of the next one
		},
		"tour-of-docker": {
			"dead-end simulator.yaml:428:9",      // the fix before the first scan
			"effect-fails simulator.yaml:436:20", // the fix a second time
		},
	}
	for _, id := range labsIn(t, folder) {
		problems(t, folder, id, known[id]...)
	}
}

// problems checks a lab and compares what is more than a note with what is known.
func problems(t *testing.T, folder, id string, known ...string) {
	t.Helper()
	var found []string
	for _, f := range check(t, folder, id) {
		line, column := f.Span.Source.Position(f.Span.Start)
		if f.Severity != diag.Info {
			found = append(found, fmt.Sprintf("%s %s:%d:%d", f.Code, strings.TrimPrefix(f.Span.Source.Name, id+"/"), line, column))
		}
	}
	if !slices.Equal(found, known) {
		t.Errorf("%s: found\n%s", id, strings.Join(found, "\n"))
	}
}
