package labfile_test

import (
	"slices"
	"testing"
)

const placed = `version: "2.0"
state:
  a.b: 1
  c: { d: [x, y], e: {} }
scenarios:
  - id: s
    then: { state: { list: [one, { k: "t\two" }, 3] }, output: ["x"] }
`

func TestFacts(t *testing.T) {
	loaded := load(goodLabspace, placed)
	var got []string
	for _, f := range loaded.Facts() {
		got = append(got, f.Path+" at "+f.At.Text())
	}
	if want := []string{"a.b at a.b", "c.d at d", "c.e at e"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTexts(t *testing.T) {
	loaded := load(goodLabspace, placed)
	then := &loaded.Lab.Simulator.Scenarios[0].Then
	var got []string
	for _, text := range loaded.Texts(&then.State[0].Value) {
		got = append(got, text.Text+" of "+text.Span(1, len(text.Text)).Text())
	}
	if want := []string{"one of ne", "t\two of \\two"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if one := loaded.Texts(then.Output[0].Text); len(one) != 1 || one[0].Span(0, 1).Text() != "x" {
		t.Error(one)
	}
	if none := loaded.Texts(&loaded.Lab.Title); len(none) != 1 {
		t.Error(none)
	}
}

func TestLabspaceWithoutSimulator(t *testing.T) {
	for _, c := range []struct {
		labspace, simulator string
		labspaceReads       bool
	}{
		{goodLabspace, "version: \"2.0\"\nscenarios: 1\n", true},
		{"title: T\nsimulator: gone.yaml\n", goodSimulator, true},
		{"titel: T\nsimulator: simulator.yaml\n", goodSimulator, false},
		{"title: T\n", goodSimulator, false},
	} {
		loaded := load(c.labspace, c.simulator)
		if loaded.Lab != nil || (loaded.Labspace != nil) != c.labspaceReads {
			t.Errorf("%q: lab %v, labspace %v", c.labspace, loaded.Lab, loaded.Labspace)
		}
	}
}
