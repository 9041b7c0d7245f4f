package validate_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/validate"
)

// TestCoverage: each scenario, step and line is on the documented path, off it only, or never played. A question that
// the last line asks is answered by the learner, too.
func TestCoverage(t *testing.T) {
	r := validated(fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\nsections: [{ title: A, contentPath: a.md, steps: [{ id: go }, { id: off }, { id: none }, { id: in }] }]\n")},
		"t/s.yaml": {Data: []byte(`version: "2.0"
state: { x: 0 }
scenarios:
  - { id: go, completes: go, when: { command: go }, then: {} }
  - { id: off, completes: off, when: { command: off }, then: {} }
  - { id: none, completes: none, when: { command: none, state: { x: 1 } }, then: {} }
  - { id: in, completes: in, when: { command: in }, then: { input: { prompt: "?", key: k, then: {} } } }
`)},
		"t/a.md": {Data: []byte("```bash\ngo\nup\nin\n```\n")},
	}, "t", validate.Options{Coverage: true})
	var got []string
	for _, part := range [][]validate.Covered{r.Coverage.Scenarios, r.Coverage.Steps, r.Coverage.Lines} {
		for _, c := range part {
			got = append(got, fmt.Sprint(c.Name, " ", c.Where))
		}
	}
	want := "go documented, off reachable, none never, in documented, go documented, off reachable, none never, in documented, " +
		"a.md:2 go documented, a.md:3 up never, a.md:4 in documented"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
