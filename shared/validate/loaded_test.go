package validate_test

import (
	"io/fs"
	"os"
	"testing"

	"asz/shared/labfile"
	"asz/shared/validate"
)

// TestLoadedIsNotChanged: a lab that is loaded once can be checked again and again.
func TestLoadedIsNotChanged(t *testing.T) {
	twice := func(t *testing.T, files fs.FS, id string, o validate.Options) {
		report := func(c *validate.Check) string {
			for c.Step(1 << 20) {
			}
			r := c.Result()
			return string(validate.AppendReport(nil, []validate.Reported{{Result: r, Path: id}}, r.Findings))
		}
		loaded := labfile.Load(files, id)
		want := report(validate.New(files, id, o))
		for range 2 {
			if got := report(validate.NewOf(loaded, files, id, o)); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		}
	}
	for _, id := range []string{"containers", "pair-agent"} {
		twice(t, os.DirFS("../../labs"), id, validate.Options{Solution: true, Coverage: true})
	}
	for _, c := range casesOf(t) {
		files, _ := labOf(c.Text)
		t.Run(c.Name, func(t *testing.T) { twice(t, files, "t", validate.Options{Explore: validate.Off}) })
	}
}
