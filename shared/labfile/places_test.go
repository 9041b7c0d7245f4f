package labfile_test

import (
	"slices"
	"testing"

	"asz/shared/labfile"
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

// TestPartial: what could be read of a lab that does not load is there, with what is sure of it.
func TestPartial(t *testing.T) {
	const scenarios = "version: \"2.0\"\nscenarios:\n  - { id: a, wen: {}, then: {} }\n  - { id: b, when: { command: [x] }, then: {} }\n"
	for _, c := range []struct {
		labspace, simulator string
		reads               bool
		scenarios           int
	}{
		{goodLabspace, "version: \"2.0\"\nscenarios: 1\n", true, 0},
		{goodLabspace, scenarios, true, 2},
		{"title: T\nsimulator: gone.yaml\n", goodSimulator, true, 0},
		{"titel: T\nsimulator: simulator.yaml\n", scenarios, true, 2},
		{"title: T\n", scenarios, true, 0},
		{"metadata: {}\n", scenarios, false, 0},
		{"kind: slides\n", scenarios, false, 0},
	} {
		loaded := load(c.labspace, c.simulator)
		if loaded.Lab != nil || (loaded.Labspace != nil) != c.reads {
			t.Errorf("%q: lab %v, labspace %v", c.labspace, loaded.Lab, loaded.Labspace)
			continue
		}
		if loaded.Labspace != nil && len(loaded.Labspace.Simulator.Scenarios) != c.scenarios {
			t.Errorf("%q, %q: %+v", c.labspace, c.simulator, loaded.Labspace.Simulator.Scenarios)
		}
	}
	loaded := load("simulator: simulator.yaml\n", scenarios)
	s := loaded.Labspace.Simulator.Scenarios
	for _, c := range []struct {
		what      string
		got, want bool
	}{
		{"a scenario with an unknown key", loaded.Sure(&s[0], 0), false},
		{"its own keys", loaded.Sure(&s[0].Then, labfile.All), true},
		{"what the key was meant for", loaded.Has(&s[0], "when"), false},
		{"other keys", loaded.Has(&s[0], "completes"), true},
		{"the next scenario", loaded.Sure(&s[1], labfile.All), true},
		{"the list", loaded.Sure(&loaded.Labspace.Simulator.Scenarios, 0), true},
		{"all that is in the list", loaded.Sure(&loaded.Labspace.Simulator.Scenarios, 1), false},
		{"the labspace", loaded.Sure(loaded.Labspace, labfile.All), true},
		{"the place of the key", loaded.Clear(loaded.Findings[0].Span), false},
		{"another place", loaded.Clear(loaded.Node(&s[1].ID).Span), true},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v", c.what, c.got)
		}
	}
}
