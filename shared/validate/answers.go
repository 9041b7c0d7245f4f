package validate

import (
	"slices"
	"strings"

	"asz/shared/lab"
	"asz/shared/sim"
)

// mostAnswers bounds how many sets of answers to one input are tried.
const mostAnswers = 16

// answered are the states after the open question of a terminal was answered, and those that came of it: one for each
// set of plausible answers.
func (w *walk) answered(s *sim.State, terminal string) []*sim.State {
	rule, step, ok := w.engine.Pending(s, terminal)
	if !ok {
		return []*sim.State{s}
	}
	input := w.lab.Simulator.Scenarios[rule].Then.Input
	sets := [][]string{nil}
	for _, question := range input.Steps[step:] {
		var longer [][]string
		for _, value := range w.plausible(input, question.Key) {
			for _, set := range sets {
				longer = append(longer, append(set[:len(set):len(set)], value))
			}
		}
		sets = longer[:min(len(longer), mostAnswers)]
	}
	out := make([]*sim.State, len(sets))
	for i, set := range sets {
		out[i] = s
		for _, value := range set {
			out[i], _ = w.engine.Type(out[i], terminal, value)
		}
	}
	return out
}

// plausible are answers to a question: those that conditions ask for where the answer is stored, those that say no
// after the others, or any.
func (w *walk) plausible(input *lab.Input, key string) []string {
	var yes, no []string
	for _, d := range input.Then.State {
		ref, ok := lab.NextRef(d.Value.Text(), 0)
		if d.Value.Kind() != lab.KindText || !ok || ref.Scope != "input" || ref.Name != key || strings.TrimSpace(d.Value.Text()) != d.Value.Text()[ref.Start:ref.End] {
			continue
		}
		for i := range w.lab.Simulator.Scenarios {
			for _, g := range w.lab.Simulator.Scenarios[i].When.State {
				text := g.Want.Text()
				if g.Path != d.Path || g.Want.Kind() != lab.KindText || strings.TrimSpace(text) == "" || slices.Contains(yes, text) || slices.Contains(no, text) {
					continue
				}
				switch strings.ToLower(text) {
				case "n", "no", "false", "cancel", "abort", "quit", "off":
					no = append(no, text)
				default:
					yes = append(yes, text)
				}
			}
		}
	}
	if len(yes) == 0 {
		yes = []string{"example"}
	}
	return append(yes, no...)
}

// answerElsewhere answers the questions that are open in other terminals before block i, as a learner does who is
// asked, but for those whose answer stands in a later block.
func (w *walk) answerElsewhere(i int) {
	for _, t := range w.lab.Terminals {
		if mode, _, _ := w.engine.Mode(w.state, t.ID); mode != sim.ModeInput || t.ID == w.blocks[i].terminal || w.answersLater(i, t.ID) {
			continue
		}
		w.state = w.answered(w.state, t.ID)[0]
		delete(w.openers, t.ID)
	}
}

// answersLater reports whether the next block of a terminal begins with what no scenario takes: with an answer.
func (w *walk) answersLater(i int, terminal string) bool {
	for _, b := range w.blocks[i:] {
		if b.terminal != terminal || len(b.Lines) == 0 || b.Save != "" {
			continue
		}
		for _, q := range w.engine.PrepareAll(terminal, b.Lines[0].Text) {
			if !q.Builtin() && len(q.Fits()) == 0 {
				return !b.Prompt
			}
		}
		return false
	}
	return false
}
