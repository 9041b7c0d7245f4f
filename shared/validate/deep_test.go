//go:build !js

// Not as wasm: it takes minutes there, and the other tests of the package hold that the two do the same.

package validate_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/diag"
	"asz/shared/sim"
	"asz/shared/validate"
)

// chain is a lab of n steps, each possible after the one before only, beside some switches that nothing of it looks
// at. The scenarios of more stand before the chain's, the tail behind them.
func chain(n, switches int, more, tail string) fstest.MapFS {
	var space, rules, text strings.Builder
	space.WriteString("simulator: simulator.yaml\nsections:\n  - title: A\n    contentPath: a.md\n    steps:\n")
	rules.WriteString("version: \"2.0\"\ncontrols:\n  - { id: all, label: All, state: all }\nstate:\n  all: false\n  at: 0\n  spare: 0\n")
	for i := range switches {
		fmt.Fprintf(&rules, "  switch%d: false\n", i)
	}
	rules.WriteString("scenarios:\n" + more)
	for i := range switches {
		fmt.Fprintf(&rules, "  - { id: on%d, when: { command: turn %d, state: { switch%d: false } }, then: { state: { switch%d: true } } }\n", i, i, i, i)
		fmt.Fprintf(&rules, "  - { id: off%d, when: { command: turn %d, state: { switch%d: true } }, then: { state: { switch%d: false } } }\n", i, i, i, i)
	}
	text.WriteString("# A\n\n```bash\n")
	for i := range n {
		fmt.Fprintf(&space, "      - { id: s%d }\n", i)
		fmt.Fprintf(&rules, "  - { id: r%d, completes: s%d, when: { command: do %d, state: { at: %d } }, then: { state: { at: %d } } }\n", i, i, i, i, i+1)
		fmt.Fprintf(&text, "do %d\n", i)
	}
	rules.WriteString(tail + "  - { id: all, when: { command: all, state: { all: true, spare: 0 } }, then: {} }\n")
	text.WriteString("```\n")
	return fstest.MapFS{
		"t/labspace.yaml": {Data: []byte(space.String())}, "t/simulator.yaml": {Data: []byte(rules.String())},
		"t/a.md": {Data: []byte(text.String())},
	}
}

// do is the play of the first n steps of a chain.
func do(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("do %d", i))
	}
	return out
}

func TestDeepDefects(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, more, tail string
		steps            int
		code             diag.Code
		at               string
		play             []string
		shows            func(t *testing.T, p *sim.Player, out string)
	}{
		{"nothing", "", "", 20, "", "", nil, nil},
		{
			"a dead end behind all but the last step", "", "  - { id: lose, when: { command: lose, state: { at: 13 } }, then: { state: { at: 99 } } }\n", 14,
			"dead-end", "lose", append(do(13), "lose"), func(t *testing.T, p *sim.Player, _ string) { never(t, p, "s13") },
		},
		{
			"a dead end of 20 steps", "", "  - { id: lose, when: { command: lose, state: { at: 19 } }, then: { state: { at: 99 } } }\n", 20,
			"dead-end", "lose", append(do(19), "lose"), func(t *testing.T, p *sim.Player, _ string) { never(t, p, "s19") },
		},
		{
			"an effect that fails at the end", "", "  - { id: fail, when: { command: fail, state: { at: 16 } }, then: { files: [{ replace: gone, find: a, with: b }] } }\n", 16,
			"effect-fails", "gone", append(do(16), "fail"), func(t *testing.T, _ *sim.Player, out string) { shown(t, out, `"exit":1`) },
		},
		{
			"a text that is gone by the end", "  - { id: make, when: { command: make, state: { at: 0 } }, then: { files: [{ create: f, content: one }] } }\n",
			"  - { id: fail, when: { command: fail, state: { at: 12 } }, then: { files: [{ append: f, content: x }, { replace: f, find: one, with: two }] } }\n", 12,
			"effect-fails", "f", append(do(12), "fail"), func(t *testing.T, _ *sim.Player, out string) { shown(t, out, `"exit":1`) },
		},
		{
			"a scenario that waits for one step too many", "", "  - { id: late, when: { command: late, state: { at: 15 } }, then: {} }\n", 14,
			"scenario-unreachable", "at", nil, nil,
		},
		{
			"a scenario for two things at once", "", "  - { id: late, when: { command: late, state: { at: 14, spare: 1 } }, then: {} }\n  - { id: early, when: { command: early, state: { at: 3 } }, then: { state: { spare: 1 } } }\n" +
				"  - { id: tidy, when: { command: do 12, state: { at: 12 } }, then: {} }\n", 14,
			"scenario-shadowed", "tidy", append(do(12), "do 12"), func(t *testing.T, _ *sim.Player, out string) { shown(t, out, `"scenario":"r12"`) },
		},
		{
			"a scenario hidden at the end only", "", "  - { id: hidden, when: { command: do 17, state: { at: 17 } }, then: { exit: 1 } }\n", 18,
			"scenario-shadowed", "hidden", append(do(17), "do 17"), func(t *testing.T, _ *sim.Player, out string) { shown(t, out, `"scenario":"r17"`) },
		},
	}
	for _, c := range cases {
		for _, switches := range []int{0, 30} {
			t.Run(fmt.Sprintf("%s, %d switches", c.name, switches), func(t *testing.T) {
				t.Parallel()
				r := validated(chain(c.steps, switches, c.more, c.tail), "t", validate.Options{})
				if !r.Exhaustive {
					t.Error("the search is not exhaustive")
				}
				if c.code == "" {
					if len(r.Findings) > 0 {
						t.Error(listing(r.Findings))
					}
					return
				}
				if len(r.Findings) != 1 || r.Findings[0].Code != c.code || r.Findings[0].Span.Text() != c.at {
					t.Fatalf("want one %s at %s:\n%s", c.code, c.at, listing(r.Findings))
				}
				if c.play == nil {
					return
				}
				play := r.Findings[0].Witness
				if strings.Join(play, "\n") != strings.Join(c.play, "\n") {
					t.Errorf("the witness is\n%s", strings.Join(play, "\n"))
				}
				engine, err := sim.New(r.Lab)
				if err != nil {
					t.Fatal(err)
				}
				p, out := played(t, engine, play)
				c.shows(t, p, out)
			})
		}
	}
}

// never types every line of a chain, and what else its scenarios take, from where a player is until nothing new comes
// of it: no way completes the step.
func never(t *testing.T, p *sim.Player, step string) {
	t.Helper()
	engine := p.Engine()
	seen := map[string]bool{}
	for open := []*sim.State{p.State()}; len(open) > 0; open = open[1:] {
		s := open[0]
		if s.Done(step) {
			t.Errorf("%s can still be completed", step)
			return
		}
		key := fmt.Sprint(s.Lookup([]string{"at"}), s.Lookup([]string{"spare"}), s.Lookup([]string{"all"}))
		if seen[key] {
			continue
		}
		seen[key] = true
		for i := range engine.Lab().Simulator.Scenarios {
			command := engine.Lab().Simulator.Scenarios[i].When.Command
			if command[0] != "turn" {
				next, _ := engine.Type(s, "terminal", strings.Join(command, " "))
				open = append(open, next)
			}
		}
		for _, on := range []bool{true, false} {
			next, _ := engine.SetControl(s, "terminal", "all", on)
			open = append(open, next)
		}
	}
}

// shown checks what the last line of a script came to.
func shown(t *testing.T, out, want string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(last, want) {
		t.Errorf("the play ends with %s, want %s", last, want)
	}
}

// TestSolutions plays the solutions that validate-lab prints: each completes every step, and is no longer than what the
// instructions say.
func TestSolutions(t *testing.T) {
	t.Parallel()
	labs := map[string]fstest.MapFS{"control": readTree(t, control)}
	const folder = "../../labs"
	for _, id := range labsIn(t, folder) {
		labs[id] = readTree(t, folder+"/"+id)
	}
	for id, files := range labs {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			r := validated(files, "t", validate.Options{Solution: true, Coverage: true})
			s := r.Solution
			if s == nil || len(s.Missing) > 0 || !s.Shortest {
				t.Fatalf("no shortest solution: %+v", s)
			}
			engine, err := sim.New(r.Lab)
			if err != nil {
				t.Fatal(err)
			}
			p, _ := played(t, engine, s.Lines)
			for _, section := range r.Lab.Sections {
				for _, step := range section.Steps {
					if !p.State().Done(step.ID) {
						t.Errorf("the solution does not complete %s", step.ID)
					}
				}
			}
			typed := 0
			for _, line := range s.Lines {
				if !strings.HasPrefix(line, "@terminal") && line != "example" {
					typed++
				}
			}
			if documented := len(r.Coverage.Lines); typed > documented {
				t.Errorf("%d lines, and the instructions have %d:\n%s", typed, documented, strings.Join(s.Lines, "\n"))
			}
			for _, c := range r.Coverage.Steps {
				if c.Where != validate.Documented && (id == "control" || c.Where != validate.Reachable) {
					t.Errorf("coverage: the step %s is %v", c.Name, c.Where)
				}
			}
		})
	}
}
