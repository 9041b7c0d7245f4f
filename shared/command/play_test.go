package command

import (
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/sim"
)

// TestWhyNot: commands are sought only where the state alone is missing, for the nearest scenario.
func TestWhyNot(t *testing.T) {
	loaded := labfile.Load(fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\n")},
		"t/s.yaml": {Data: []byte(`
version: "2.0"
scenarios:
  - { id: a, when: { command: go, state: { x: 1, y: 2 } }, then: {} }
  - { id: b, when: { command: go, state: { x: 2 } }, then: {} }
`)},
	}, "t")
	engine, err := sim.New(loaded.Lab)
	if err != nil {
		t.Fatal(err)
	}
	var goals []string
	w := whyNot{func(e *sim.Engine, from *sim.State, goal []lab.Guard) ([]string, bool) {
		for _, g := range goal {
			goals = append(goals, g.Path)
		}
		return []string{"set x", "set y"}, true
	}}
	got := w.reasons(engine, engine.Start(), "terminal", "go")
	if len(got) != 2 || strings.Join(got[0].Commands, "; ") != "set x; set y" || got[1].Commands != nil || strings.Join(goals, " ") != "x y" {
		t.Errorf("%+v, goals %v", got, goals)
	}
	if got := w.reasons(engine, engine.Start(), "terminal", "ga"); len(got) > 0 && got[0].Commands != nil || len(goals) != 2 {
		t.Errorf("%+v, goals %v", got, goals)
	}
	if got := (whyNot{}).reasons(engine, engine.Start(), "terminal", "go"); len(got) != 2 || got[0].Commands != nil {
		t.Errorf("%+v", got)
	}
}
