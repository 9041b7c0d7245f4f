package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"asz/shared/sim"
)

// randomEffects is a lab whose commands c0 … change state, files and progress
// behind random guards.
func randomEffects(r *rand.Rand) string {
	paths := []string{"a", "b.c", "b.d", "l", "b"}
	var b strings.Builder
	b.WriteString("state: {b: {c: 1}, l: [x]}\ncontrols: [{id: k, label: K, state: a}]\nworkflows: [{id: w, steps: [{id: s, requires: a}, {id: t, requires: b.c}]}]\nscenarios:\n")
	for i := range 6 {
		for j := range 2 {
			fmt.Fprintf(&b, "  - id: s%d-%d\n    when: {command: c%d", i, j, i)
			if j == 0 {
				fmt.Fprintf(&b, ", state: {%s: %s}", pickOne(r, paths), pickOne(r, []string{"1", "true", "null", "x", "[x]"}))
			}
			b.WriteString("}\n")
			if r.IntN(3) == 0 {
				fmt.Fprintf(&b, "    completes: step-%d\n", r.IntN(3))
			}
			b.WriteString("    then:\n      output: ['{{ state.a }}|{{ state.b }}|{{ state.l }}']\n")
			switch r.IntN(7) {
			case 0:
				b.WriteString("      session: {intro: [in], outro: [out]}\n")
			case 1:
				b.WriteString("      input: {steps: [{key: x, prompt: 'x: '}, {key: y, prompt: 'y: '}], then: {state: {a: '{{ input.x }}{{ input.y }}'}}}\n")
			case 2:
				b.WriteString("      ci: {workflow: w}\n")
			}
			if r.IntN(2) == 0 {
				fmt.Fprintf(&b, "      files: [{%s}]\n", pickOne(r, []string{
					"append: f, content: '{{ state.a }}.'", "create: d/g, content: x", "delete: d", "copy: f, to: d/h", "replace: f, find: '.', with: '{{ state.l }}'", "mkdir: f",
				}))
			}
			if r.IntN(3) > 0 {
				op := pickOne(r, []string{"", "", " +="})
				fmt.Fprintf(&b, "      state: {'%s%s': %s}\n", pickOne(r, append(paths, "l.0", "a.b")), op, pickOne(r, []string{"1", "true", "null", "x", "'{{ state.b }}'"}))
			}
		}
	}
	b.WriteString("  - {id: turn, when: {agent: true, promptContains: [c]}, then: {state: {'l +=': t}, output: [turn]}}\n")
	return b.String()
}

type act struct{ kind, terminal, text string }

func (a act) String() string { return a.kind + " " + a.terminal + " " + a.text }

func randomAct(r *rand.Rand) act {
	terminal := pickOne(r, []string{"one", "one", "two"})
	command := func() string { return fmt.Sprintf("c%d", r.IntN(6)) }
	switch r.IntN(20) {
	case 0:
		return act{"control", terminal, pickOne(r, []string{"k on", "k off", "k"})}
	case 1:
		return act{"save", terminal, pickOne(r, []string{"f\nsaved", "d/g\n", "f/x\nno"})}
	case 2:
		return act{"rerun", terminal, pickOne(r, []string{"", "1", "2"})}
	case 3:
		return act{"interrupt", terminal, ""}
	case 4:
		return act{"end", terminal, ""}
	case 5:
		return act{"line", terminal, "!" + command()}
	case 6:
		return act{"line", terminal, pickOne(r, []string{"/exit", "/cancel", "'", `c1\`, "", "# x", ";", "ls d", "cat f"})}
	case 7:
		return act{"line", terminal, command() + pickOne(r, []string{" && ", " || ", " ; "}) + command()}
	}
	return act{"line", terminal, command()}
}

// TestE15SnapshotsRandom holds what undo and restore promise against a list of
// the acts that stand.
func TestE15SnapshotsRandom(t *testing.T) {
	const terminals = "terminals: [{id: one, title: A}, {id: two, title: B}]"
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 15))
		text := randomEffects(r)
		p := player(t, text, terminals)
		type place struct {
			acts   []act
			mark   int
			digest uint64
		}
		type changed struct {
			acts   int
			digest uint64
			goes   string // the terminal in which it was the rest of a line
		}
		var acts []act
		var undo []changed
		var marks []place
		var undoes [][]changed
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d: %s\n%s\n%v", seed, fmt.Sprintf(format, args...), text, acts)
		}
		for range 60 {
			switch n := r.IntN(12); {
			case n == 0 && len(undo) > 0:
				p.Act("undo", "one", "")
				last := undo[len(undo)-1]
				undo, acts = undo[:len(undo)-1], acts[:last.acts]
				if last.goes != "" { // undone with the line's beginning
					acts = append(slices.Clip(acts), act{"interrupt", last.goes, ""})
				} else if p.State().Digest() != last.digest {
					fail("undo does not bring the digest back")
				}
			case n == 1:
				marks = append(marks, place{slices.Clone(acts), p.Mark(), p.State().Digest()})
				undoes = append(undoes, slices.Clone(undo))
			case n == 2 && len(marks) > 0:
				i := r.IntN(len(marks))
				p.Restore(marks[i].mark)
				if p.State().Digest() != marks[i].digest {
					fail("restore does not bring the digest back")
				}
				acts, undo = slices.Clone(marks[i].acts), slices.Clone(undoes[i])
			default:
				a := randomAct(r)
				digest, substance, goes := p.State().Digest(), p.State().Substance(), ""
				if p.Here(a.terminal).Mode == sim.ModeContinuation {
					goes = a.terminal
				}
				p.Act(a.kind, a.terminal, a.text)
				if p.State().Substance() != substance {
					undo = append(undo, changed{len(acts), digest, goes})
				}
				acts = append(acts, a)
			}
		}
		first, second := player(t, text, terminals), player(t, text, terminals)
		for _, a := range acts {
			id, o := first.Act(a.kind, a.terminal, a.text)
			id2, o2 := second.Act(a.kind, a.terminal, a.text)
			if string(first.AppendOutcome(nil, id, o)) != string(second.AppendOutcome(nil, id2, o2)) || first.State().Digest() != second.State().Digest() {
				fail("two plays differ at %v", a)
			}
		}
		if first.State().Digest() != p.State().Digest() || first.State().Substance() != p.State().Substance() {
			fail("replay gives another digest")
		}
		for _, terminal := range []string{"one", "two"} {
			if a, b := first.Here(terminal), p.Here(terminal); a.Mode != b.Mode || a.Prompt != b.Prompt {
				fail("replay gives another mode")
			}
		}
		if got, want := string(p.State().Tree().AppendJSON(nil)), string(first.State().Tree().AppendJSON(nil)); got != want {
			fail("replay gives %s, not %s", got, want)
		}
	}
}

// TestE8TransactionRandom: a hard error changes nothing but history.
func TestE8TransactionRandom(t *testing.T) {
	errors := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 8))
		p := player(t, randomEffects(r), "terminals: [{id: one, title: A}, {id: two, title: B}]")
		for range 60 {
			before := p.State()
			_, o := p.Act("line", "one", fmt.Sprintf("c%d", r.IntN(6)))
			if o.Exit() == 1 && o.Scenario() != "" && o.Mode == sim.ModeCommand {
				errors++
				if before.Substance() != p.State().Substance() || len(o.Completed()) > 0 || len(o.Lines(sim.Stdout)) > 0 || len(o.Lines(sim.Stderr)) == 0 {
					t.Fatalf("seed %d: a hard error with effects: %v", seed, o.Blocks())
				}
			}
			if o.Mode != sim.ModeCommand {
				p.Act("undo", "one", "")
			}
		}
	}
	if errors < 50 {
		t.Errorf("only %d errors came up", errors)
	}
}
