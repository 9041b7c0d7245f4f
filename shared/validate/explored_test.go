package validate

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// TestInterrupted: a check that ends early tells what is sure, and that there may be more.
func TestInterrupted(t *testing.T) {
	var b, all strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "  - { id: on%d, when: { command: toggle %d, state: { t%d: false } }, then: { state: { t%d: true } } }\n", i, i, i, i)
		fmt.Fprintf(&b, "  - { id: off%d, when: { command: toggle %d }, then: { state: { t%d: false } } }\n", i, i, i)
		fmt.Fprintf(&all, "t%d: true, ", i)
	}
	c := New(fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\n")},
		"t/s.yaml": {Data: []byte("version: \"2.0\"\nscenarios:\n" + b.String() + "  - { id: all, when: { command: all, state: { " + all.String() + "} }, then: {} }\n" +
			"  - { id: odd, when: { command: odd, state: { t1: odd } }, then: {} }\n")},
	}, "t", Options{})
	for range 200 {
		if !c.Step(1000) {
			t.Fatal("it is done")
		}
	}
	r := c.Result()
	var got []string
	for _, f := range r.Findings {
		got = append(got, string(f.Code))
	}
	if r.Exhaustive || strings.Join(got, " ") != "explore-bound scenario-unreachable" {
		t.Errorf("exhaustive %v, %v", r.Exhaustive, got)
	}
	if c.Step(1000) {
		t.Error("it goes on")
	}
}
