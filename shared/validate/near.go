package validate

import (
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/sim"
)

// misses is why each scenario does not take a command, by index.
func (u *unmatched) misses(q *sim.Prepared) map[int]sim.Miss {
	out := map[int]sim.Miss{}
	all := q.Explain(u.state)
	for i := range u.lab.Simulator.Scenarios {
		if len(all) == 0 {
			break
		}
		// Explain lists the scenarios for commands, or for prompts, in this order.
		if u.lab.Simulator.Scenarios[i].When.Agent == (q.Words() == nil) {
			out[i], all = all[0], all[1:]
		}
	}
	return out
}

// name is what messages call a command or prompt.
func name(q *sim.Prepared) string {
	if q.Words() == nil {
		return "this prompt"
	}
	text := strings.Join(q.Words(), " ")
	if len(text) > 60 || strings.Contains(text, "\n") {
		return "this command"
	}
	return "`" + text + "`"
}

// near is the scenario that a line was probably meant for.
type near struct {
	rule int
	miss sim.Miss
	word string // for a misspelt word of the path: the right one
	bad  string // … and what stands there
}

// nearest finds the scenario that comes nearest to a command that fits none, nil when none is near: one that fails
// by its terminal, by an argument, or by a misspelt word of its path.
func (u *unmatched) nearest(q *sim.Prepared) *near {
	key := u.terminal + "\x00" + strings.Join(q.Words(), "\x00")
	if q.Words() == nil {
		key = "\x00" + key + u.played.line.Text
	}
	if known, ok := u.nears[key]; ok {
		return known
	}
	n := u.seek(q)
	u.nears[key] = n
	return n
}

func (u *unmatched) seek(q *sim.Prepared) *near {
	misses := u.misses(q)
	var best *near
	score := 0
	for i := range u.lab.Simulator.Scenarios {
		miss, ok := misses[i]
		if !ok {
			continue
		}
		n, points := &near{rule: i, miss: miss}, 0
		path := u.lab.Simulator.Scenarios[i].When.Command
		switch miss.Condition {
		case "terminal":
			points = 1000 + len(path)
		case "args":
			points = 500 + len(path)
		case "prompt", "promptContains":
			if q.Words() != nil {
				points = 500 + len(path)
			} else if diag.Nearest(miss.Got, []string{miss.Want}) != "" {
				points = 1
			}
		case "command":
			points = misspelt(n, path, q.Words())
		}
		if points *= 2; points > 0 && !slices.ContainsFunc(u.lab.Simulator.Scenarios[i].When.State, func(g lab.Guard) bool { return !u.holds(g) }) {
			points++ // it would fire here
		}
		if points > score {
			best, score = n, points
		}
	}
	return best
}

// misspelt is how much of a path the words hold when one of them is misspelt, 0 when more is wrong.
func misspelt(n *near, path, words []string) int {
	if len(path) > len(words) {
		return 0
	}
	for i, want := range path {
		switch {
		case words[i] == want:
		case n.word == "" && diag.Nearest(words[i], []string{want}) != "":
			n.word, n.bad = want, words[i]
		default:
			return 0
		}
	}
	return len(path)
}

// isCommand reports whether a line is what scenarios take in some state, or would be but for one word, so that it is
// rather a command with a mistake than the answer to a question.
func (w *walk) isCommand(terminal, line string) bool {
	const shortest = 4 // shorter words are alike by chance
	commands := w.engine.PrepareAll(terminal, line)
	if possible(commands) {
		return true
	}
	for _, q := range commands {
		for i := range w.lab.Simulator.Scenarios {
			var n near
			if misspelt(&n, w.lab.Simulator.Scenarios[i].When.Command, q.Words()) > 0 && len(n.bad) >= shortest {
				return true
			}
		}
	}
	return false
}

// nothingFits tells of a command that no scenario takes in any state.
func (u *unmatched) nothingFits(q *sim.Prepared, n *near) {
	reason := "command " + strings.Join(q.Words(), " ")
	if n != nil && n.miss.Condition == "terminal" {
		reason = "in " + u.terminal + " " + reason
	}
	say := func(message string) *diag.Diagnostic {
		return u.say("fence-impossible", reason, "nothing takes "+name(q)+message)
	}
	switch {
	case q.Words() == nil:
		reason = "prompt " + u.terminal + " " + u.played.line.Text
		message := ": no agent scenario matches it"
		if n != nil && n.miss.Condition == "terminal" {
			message = " in the terminal `" + u.terminal + "`: only in `" + n.miss.Want + "` it is answered"
		} else if n != nil {
			message = ": the scenario `" + u.lab.Simulator.Scenarios[n.rule].ID + "` wants `" + n.miss.Want + "`"
		}
		say(message)
		return
	case n == nil:
		say(": no scenario is for it")
		return
	}
	id := u.lab.Simulator.Scenarios[n.rule].ID
	switch n.miss.Condition {
	case "terminal":
		d := say(" in the terminal `" + u.terminal + "`: the scenario `" + id + "` takes it in `" + n.miss.Want + "` only")
		d.Fix = &diag.Fix{Text: "name the terminal in the block: `terminal-id=" + n.miss.Want + "`"}
	case "args":
		should := n.miss.Want
		if should == "" {
			should = "empty"
		}
		say(": for the scenario `" + id + "` " + argument(n.miss.Name) + " should be " + should + ", and is " + n.miss.Got)
	case "command":
		d := say(": no scenario is for it")
		d.Fix = &diag.Fix{Text: "did you mean `" + n.word + "`?"}
		if text := u.at.Text(); strings.Count(text, n.bad) == 1 {
			i := strings.Index(text, n.bad)
			d.Fix.Edits = []diag.Edit{{Span: u.at.Sub(i, i+len(n.bad)), New: n.word}}
		}
	default:
		say(": the scenario `" + id + "` wants `" + n.miss.Want + "` after `" + strings.Join(u.lab.Simulator.Scenarios[n.rule].When.Command, " ") + "`")
	}
}

// argument is what messages call a flag or positional.
func argument(name string) string {
	if _, position := lab.Atoi(name); position {
		return "argument " + name
	}
	if len(name) == 1 {
		return "the flag `-" + name + "`"
	}
	return "the flag `--" + name + "`"
}
