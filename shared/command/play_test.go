package command

import (
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/labfile"
	"asz/shared/sim"
)

// TestReasons: commands are sought only where the state alone is missing, for the nearest scenario.
func TestReasons(t *testing.T) {
	loaded := labfile.Load(fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\n")},
		"t/s.yaml": {Data: []byte(`
version: "2.0"
scenarios:
  - { id: a, when: { command: go, state: { x: 1, y: 2 } }, then: {} }
  - { id: b, when: { command: go, state: { x: 2 } }, then: {} }
  - { id: set-x, when: { command: set x }, then: { state: { x: 1 } } }
  - { id: set-y, when: { command: set y, state: { x: 1 } }, then: { state: { y: 2 } } }
`)},
	}, "t")
	engine, err := sim.New(loaded.Lab)
	if err != nil {
		t.Fatal(err)
	}
	got := Explain(engine, engine.Start(), "terminal", "go")
	if len(got) != 2 || strings.Join(got[0].Commands, "; ") != "set x; set y" || got[1].Commands != nil {
		t.Errorf("%+v", got)
	}
	if got := Explain(engine, engine.Start(), "terminal", "ga"); len(got) > 0 && got[0].Commands != nil {
		t.Errorf("%+v", got)
	}
}
