package validate_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/validate"
)

// TestHostile: a lab that is wrong thousands of times is told of in a few findings; a search through all of it for each
// of its lines would take minutes.
func TestHostile(t *testing.T) {
	var simulator, text strings.Builder
	simulator.WriteString("version: \"2.0\"\nstate: { up: false }\nscenarios:\n")
	for i := range 500 {
		simulator.WriteString("  - { id: s" + strconv.Itoa(i) + ", when: { command: run, terminal: moon, state: { up: true } }, then: { output: [\"{{ x.y }} {{ state.gone }}\", { delay: never }] } }\n")
	}
	for range 3_000 {
		text.WriteString("```bash terminal-id=mars\nnothing\n```\n```bash\nnothing\nrun\n```\n:fileLink[x]{path=x} $$y$$\n")
	}
	c := validate.New(fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\nsections: [{ title: A, contentPath: a.md }]\n")},
		"t/s.yaml":        {Data: []byte(simulator.String())},
		"t/a.md":          {Data: []byte(text.String())},
	}, "t", validate.Options{Explore: validate.Off})
	for c.Step(1000) {
	}
	count := map[string]int{}
	for _, f := range c.Result().Findings {
		count[string(f.Code)]++
		if len(f.Related) > 50 {
			t.Errorf("%s lists %d places", f.Code, len(f.Related))
		}
	}
	for code, want := range map[string]int{"terminal-unknown": 2, "pace-unknown": 1, "state-unwritten": 1, "variable-unset": 1, "fence-impossible": 1} {
		if count[code] != want {
			t.Errorf("%d findings of %s, want %d", count[code], code, want)
		}
	}
}
