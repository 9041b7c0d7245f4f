package explore

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// bigSlice is a lab with one slice of more than 262,000 states: 16 switches that are set and cleared by commands, and a
// counter, all of which the last scenario waits for. Its step is sought, dead ends included.
func bigSlice(t testing.TB, toggles int) Input {
	var y strings.Builder
	y.WriteString("version: \"2.0\"\nstate:\n  count: 0\n")
	for i := range toggles {
		fmt.Fprintf(&y, "  f%d: false\n", i)
	}
	y.WriteString("scenarios:\n")
	scenario := func(id, command, when, then, more string) {
		fmt.Fprintf(&y, "  - { id: %s, when: { command: %s, state: { %s } }, then: { state: { %s } }%s }\n", id, command, when, then, more)
	}
	all := "count: 3"
	for i := range toggles {
		scenario(fmt.Sprintf("set%d", i), fmt.Sprintf("set %d", i), fmt.Sprintf("f%d: false", i), fmt.Sprintf("f%d: true", i), "")
		scenario(fmt.Sprintf("clear%d", i), fmt.Sprintf("clear %d", i), fmt.Sprintf("f%d: true", i), fmt.Sprintf("f%d: false", i), "")
		all += fmt.Sprintf(", f%d: true", i)
	}
	for i := range 3 {
		scenario(fmt.Sprintf("count%d", i), "count", fmt.Sprintf("count: %d", i), fmt.Sprintf("count: %d", i+1), "")
	}
	scenario("end", "end", all, "ended: true", ", completes: done")
	return load(t, fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\nsections: [{ title: A, steps: [{ id: done }] }]\n")},
		"t/s.yaml":        {Data: []byte(y.String())},
	}, "t")
}

// BenchmarkSearch explores a big slice.
func BenchmarkSearch(b *testing.B) {
	in := bigSlice(b, 16)
	in.Full = true
	b.ReportAllocs()
	transitions, states, bytes, edges := 0, 0, 0, 0
	for b.Loop() {
		s := New(in)
		var last *slice
		for s.Step(1 << 16) {
			if j := s.jobs[min(s.next, len(s.jobs)-1)]; j.slice != nil {
				last = j.slice
			}
		}
		p := s.Progress()
		transitions += p.Transitions
		states, bytes, edges = last.size(), last.bytes(), last.edges.n
	}
	b.ReportMetric(float64(transitions)/b.Elapsed().Seconds(), "transitions/s")
	b.ReportMetric(float64(states), "states")
	b.ReportMetric(float64(bytes)/float64(states), "B/state")
	b.ReportMetric(float64(edges)/float64(states), "edges/state")
}

// BenchmarkNew makes the machine of a published lab.
func BenchmarkNew(b *testing.B) {
	in := published(b, "sbx-101")
	b.ReportAllocs()
	for b.Loop() {
		New(in)
	}
}
