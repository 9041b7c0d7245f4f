package validate_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/diag"
	"asz/shared/validate"
)

// TestBounds: a search that is not exhaustive says what lets it see more, and nothing that does not help.
func TestBounds(t *testing.T) {
	t.Parallel()
	var toggles, all, steps, guards strings.Builder
	for i := range 40 {
		fmt.Fprintf(&toggles, "  - { id: on%d, when: { command: toggle %d, state: { t%d: false } }, then: { state: { t%d: true } } }\n", i, i, i, i)
		fmt.Fprintf(&toggles, "  - { id: off%d, when: { command: toggle %d }, then: { state: { t%d: false } } }\n", i, i, i)
		fmt.Fprintf(&all, "t%d: true, ", i)
	}
	for i := range 9 {
		fmt.Fprintf(&steps, "{ key: k%d, prompt: M }, ", i)
	}
	var deltas []string
	for i := range 9 {
		deltas = append(deltas, fmt.Sprintf("a%d: \"{{ input.k%d }}\"", i, i))
		for _, v := range []string{"x", "y", "z"} {
			fmt.Fprintf(&guards, "  - { id: g%d%s, when: { command: g%d%s, state: { a%d: %s } }, then: {} }\n", i, v, i, v, i, v)
		}
	}
	cases := []struct {
		name, scenarios string
		mode            validate.Mode
		says, not       []string
	}{
		{
			"states", toggles.String() + "  - { id: all, when: { command: all, state: { " + all.String() + "} }, then: {} }\n", validate.Auto,
			[]string{"run with `--explore full`"}, []string{"values", "questions"},
		},
		{
			"values", "  - { id: more, when: { command: more }, then: { state: { n: \"{{ state.n }}x\" } } }\n" +
				"  - { id: none, when: { command: none, state: { n: y } }, then: {} }\n", validate.Full,
			[]string{"let `n` take fewer values"}, []string{"--explore full", "questions"},
		},
		{
			"answers", "  - { id: ask, when: { command: ask }, then: { input: { steps: [" + steps.String() + "], then: { state: { " + strings.Join(deltas, ", ") + " } } } } }\n" + guards.String() +
				"  - { id: each, when: { command: each, state: { a0: x, a1: y, a2: z, a3: x, a4: y, a5: z, a6: x, a7: y, a8: q } }, then: {} }\n", validate.Full,
			[]string{"the questions of `ask`"}, []string{"--explore full"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := validated(fstest.MapFS{
				"t/labspace.yaml": {Data: []byte("simulator: s.yaml\n")},
				"t/s.yaml":        {Data: []byte("version: \"2.0\"\nscenarios:\n" + c.scenarios)},
			}, "t", validate.Options{Explore: c.mode})
			var fix string
			for _, f := range r.Findings {
				if f.Code == diag.Code("explore-bound") {
					fix = f.Fix.Text
				}
			}
			for _, words := range c.says {
				if !strings.Contains(fix, words) {
					t.Errorf("%q does not say %q", fix, words)
				}
			}
			for _, words := range c.not {
				if strings.Contains(fix, words) {
					t.Errorf("%q says %q, which does not help", fix, words)
				}
			}
			if fix == "" {
				t.Log(listing(r.Findings))
			}
			if r.Exhaustive {
				t.Error("it is exhaustive")
			}
		})
	}
}
