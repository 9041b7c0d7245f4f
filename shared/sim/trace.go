package sim

import (
	"strings"

	"asz/shared/lab"
)

// Miss says why one scenario did not take a line: its first condition that failed.
type Miss struct {
	Scenario  string
	Index     int    // the scenario's place in the lab
	Condition string // "command", "args", "prompt", "promptContains", "terminal", "state"; "" when it matched
	Name      string // of args: the flag or index; of state: the path
	Want, Got string // as a person reads them

	Held int // conditions on arguments that hold, beside those that something is absent
	Also int // the conditions behind it that fail, too, those on the state as one; not known of another command's arguments
}

// The methods below note what failed and return false; on a nil Miss they cost
// a test and nothing more.

func (m *Miss) command(path, words []string) bool {
	if m != nil {
		m.Condition, m.Want, m.Got = "command", strings.Join(path, " "), strings.Join(words, " ")
	}
	return false
}

func (m *Miss) text(condition, want, got string) bool {
	if m != nil {
		m.Condition, m.Want, m.Got = condition, want, got
	}
	return false
}

func (m *Miss) state(path string, want, got lab.Value) bool {
	if m != nil {
		m.Condition, m.Name = "state", path
		m.Want, m.Got = string(want.AppendJSON(nil)), string(got.AppendJSON(nil))
	}
	return false
}

func (m *Miss) arg(a *lab.Arg, present bool, value string) bool {
	if m == nil {
		return false
	}
	m.Condition, m.Name = "args", argName(a)
	switch a.Matcher.Kind {
	case lab.MatchPresent:
		m.Want = "present"
	case lab.MatchAbsent:
		m.Want = "absent"
	case lab.MatchAny:
		m.Want = "any value"
	default:
		m.Want = strings.Join(a.Matcher.Set, " or ")
	}
	m.Got = "absent"
	if present {
		m.Got = value
	}
	return false
}

// args notes how the conditions on arguments went when one of them failed.
func (m *Miss) args(q *Prepared, r *rule, positionals []string) {
	if m == nil {
		return
	}
	m.Also = -1
	for i := range r.When.Args {
		switch _, _, good := q.matchArg(&r.When.Args[i], positionals); {
		case !good:
			m.Also++
		case r.When.Args[i].Matcher.Kind != lab.MatchAbsent:
			m.Held++
		}
	}
}

// rest notes what else of a scenario that did not match fails.
func (m *Miss) rest(q *Prepared, r *rule, s *State) {
	if m.Condition != "terminal" && m.Condition != "state" && !q.fitTerminal(r, nil) {
		m.Also++
	}
	if m.Condition != "state" && !r.guarded(s, nil) {
		m.Also++
	}
	if m.Condition != "command" && m.Condition != "args" {
		for i := range r.When.Args {
			if r.When.Args[i].Matcher.Kind != lab.MatchAbsent {
				m.Held++
			}
		}
	}
}

// Explain lists every scenario that could take a command, or a prompt, in author
// order up to the one that matched. Unlike Select it looks at all of them: the
// one that was meant may begin with another word.
func (q *Prepared) Explain(s *State) []Miss {
	var out []Miss
	for i := range q.prog.rules {
		r := &q.prog.rules[i]
		if r.When.Agent != q.agent {
			continue
		}
		m := Miss{Scenario: r.ID, Index: i}
		_, ok := q.fit(r, &m)
		if ok = ok && r.guarded(s, &m); !ok {
			m.rest(q, r, s)
		}
		out = append(out, m)
		if ok {
			break
		}
	}
	return out
}
