// Package explore searches the states of a lab.
package explore

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/sim"
)

// Near is a scenario that nearly took a line.
type Near struct {
	Scenario *lab.Scenario
	Miss     sim.Miss // its first condition that failed

	score score
}

// mostNear is how many scenarios are worth a reader's time.
const mostNear = 3

// Nearest ranks the scenarios that did not take a line in a state, the nearest
// first; there are at most three, and only such as have something in common with
// the line. It is empty when a scenario takes it, and when nothing is matched, as
// with an answer to an input.
func Nearest(e *sim.Engine, s *sim.State, terminal, line string) []Near {
	misses := e.Explain(s, terminal, line)
	var out []Near
	for _, m := range misses {
		if m.Condition == "" {
			return nil
		}
		n := Near{Scenario: &e.Lab().Simulator.Scenarios[m.Index], Miss: m}
		if n.rate(); n.score.likeness > 0 || n.score.saidAll() {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b Near) int { return -a.score.compare(b.score) })
	n := 0
	for n < min(mostNear, len(out)) && out[n].score.likeness+same/2 >= out[0].score.likeness {
		n++
	}
	return out[:n]
}

// score says how near a scenario came; more is nearer.
type score struct {
	likeness int   // of the words that were compared, 1000 for each that is the same
	failing  int   // conditions that fail, negative; of another command more are not known
	fitting  int   // conditions on arguments that held
	worth    int   // whether a learner is likely to want it
	stage    stage // where it failed
	missing  int   // words of the path that are not there, negative
}

// stage is the part of the conditions where a scenario failed. What one can type anew at once is nearer than what
// takes other commands before.
type stage int

const (
	stageCommand stage = iota
	stageState
	stageArgs
	stageText
	stageTerminal
)

func (a score) compare(b score) int {
	return cmp.Or(
		cmp.Compare(a.likeness, b.likeness), cmp.Compare(a.failing, b.failing), cmp.Compare(a.fitting, b.fitting),
		cmp.Compare(a.worth, b.worth), cmp.Compare(a.stage, b.stage), cmp.Compare(a.missing, b.missing),
	)
}

const same = 1000

// saidAll reports whether all that was typed fits.
func (a score) saidAll() bool { return a.stage == stageTerminal || a.stage == stageState }

// unknown is more than a scenario has conditions.
const unknown = 1 << 20

func (n *Near) rate() {
	when, m := &n.Scenario.When, &n.Miss
	path := when.Command
	if m.Condition != "command" {
		n.score.likeness = same * len(path)
	}
	n.score.failing, n.score.fitting, n.score.worth = -1-m.Also, m.Held, 1
	switch then := &n.Scenario.Then; {
	case n.Scenario.Completes != "":
		n.score.worth = 2
	case then.Exit != nil && *then.Exit != 0:
		n.score.worth = 0 // it refuses
	}
	switch m.Condition {
	case "command":
		for _, words := range readings(strings.Fields(m.Got)) {
			likeness, matched := pathLikeness(path, words)
			if n.score.likeness = max(n.score.likeness, likeness); n.score.likeness == likeness {
				n.score.missing = matched - len(path)
			}
		}
		n.score.failing -= unknown
		return
	case "args":
		n.score.stage = stageArgs
	case "prompt":
		n.score.stage = stageText
		if when.Agent {
			n.score.likeness = textLikeness(m.Want, m.Got)
		}
	case "promptContains":
		n.score.stage = stageText
		if when.Agent {
			n.score.likeness = keywordLikeness(when.PromptContains, m.Got)
		}
	case "terminal":
		n.score.stage = stageTerminal
	case "state":
		n.score.stage = stageState
	}
	if when.Agent && n.score.saidAll() {
		n.score.likeness = 2 * same // all that was said fits
		if when.Prompt == nil && len(when.PromptContains) == 0 {
			n.score.likeness = 0 // anything fits
		}
	}
}

// readings are the words of a line as they may be meant: all, without the flags,
// and without the words behind flags, which may be their values.
func readings(words []string) [3][]string {
	var bare, positional []string
	for i, w := range words {
		if lab.IsFlag(w) {
			continue
		}
		bare = append(bare, w)
		if i == 0 || !lab.IsFlag(words[i-1]) {
			positional = append(positional, w)
		}
	}
	return [3][]string{words, bare, positional}
}

// pathLikeness compares a path with the words that stand where it should; it ends
// at the first word that is another one. A word that is nearly the same counts in part.
func pathLikeness(path, words []string) (likeness, matched int) {
	for i, want := range path[:min(len(path), len(words))] {
		got := words[i]
		if got == want {
			likeness += same
			matched++
			continue
		}
		longest := max(len(want), len(got))
		d := diag.Distance(strings.ToLower(want), strings.ToLower(got))
		if 2*d >= longest {
			break
		}
		likeness += same - 1 - same*d/longest
		matched++
	}
	return likeness, matched
}

// textLikeness is the part of the words of a wanted prompt that were said.
func textLikeness(want, got string) int {
	wanted, said := strings.Fields(strings.ToLower(want)), strings.Fields(strings.ToLower(got))
	n := 0
	for _, w := range wanted {
		if slices.Contains(said, w) {
			n++
		}
	}
	return same * n / max(1, len(wanted), len(said))
}

func keywordLikeness(keywords []string, got string) int {
	got = strings.ToLower(got)
	n := 0
	for _, k := range keywords {
		if strings.Contains(got, strings.ToLower(k)) {
			n++
		}
	}
	return same * n / max(1, len(keywords))
}

// Goal is what the state must be for the scenario to take the line, when nothing
// else is missing; nil otherwise.
func (n *Near) Goal() []lab.Guard {
	if n.score.stage != stageState {
		return nil
	}
	return n.Scenario.When.State
}

// Why says in a sentence what failed.
func (n *Near) Why() string {
	m, path := &n.Miss, strings.Join(n.Scenario.When.Command, " ")
	switch m.Condition {
	case "command":
		return "the command is " + quoted(path)
	case "args":
		return n.whyArg(path)
	case "prompt":
		if n.Scenario.When.Agent {
			return "the prompt must be exactly " + quoted(m.Want)
		}
		return "after " + quoted(path) + " must stand " + quoted(m.Want) + butIs(m.Got, "there is nothing")
	case "promptContains":
		return "the text must contain " + quoted(m.Want)
	case "terminal":
		return "it works in the terminal " + quoted(m.Want) + " only, and this is " + quoted(m.Got)
	}
	if m.Got == "null" {
		return "the state " + quoted(m.Name) + " must be " + m.Want + ", and it is not set"
	}
	return "the state " + quoted(m.Name) + " must be " + m.Want + ", and it is " + m.Got
}

func (n *Near) whyArg(path string) string {
	m := &n.Miss
	i := slices.IndexFunc(n.Scenario.When.Args, func(a lab.Arg) bool { return argName(&a) == m.Name })
	if i < 0 {
		return "its arguments are others"
	}
	a := &n.Scenario.When.Args[i]
	name, value := "the flag "+flagForm(a.Flag), "the value "
	if a.Flag == "" {
		name, value = ordinal(a.Pos)+" word", ""
		if path != "" {
			name += " after " + quoted(path)
		}
		name = "the " + name
	}
	absent := m.Got == "absent"
	switch a.Matcher.Kind {
	case lab.MatchAbsent:
		return name + " must not be there"
	case lab.MatchPresent, lab.MatchAny:
		return name + " is missing"
	}
	var choices []string
	for _, c := range a.Matcher.Set {
		choices = append(choices, quoted(c))
	}
	wanted := strings.Join(choices, " or ")
	if absent {
		return name + " is missing: it must " + have(value) + wanted
	}
	return name + " must " + have(value) + wanted + butIs(m.Got, "it is empty")
}

func have(value string) string {
	if value == "" {
		return "be "
	}
	return "have " + value
}

func butIs(got, nothing string) string {
	if got == "" {
		return ", and " + nothing
	}
	return ", not " + quoted(got)
}

// argName is what a Miss calls an argument.
func argName(a *lab.Arg) string {
	if a.Flag != "" {
		return a.Flag
	}
	return strconv.Itoa(a.Pos)
}

// flagForm is a flag as one would type it; names are kept without dashes.
func flagForm(name string) string {
	if len(name) == 1 {
		return quoted("-" + name)
	}
	return quoted("--" + name)
}

func ordinal(i int) string {
	words := [...]string{"first", "second", "third", "fourth", "fifth", "sixth"}
	if i < len(words) {
		return words[i]
	}
	return strconv.Itoa(i+1) + "th"
}

// quoted marks words of the lab; long ones are cut.
func quoted(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return "`" + s + "`"
}
