package explore

import (
	"slices"

	"asz/shared/lab"
)

// Which values the arguments of a scenario's lines are given.

// The bounds of the lines for one scenario: of those whose values lead to different states, and of others.
const (
	maxTelling = 256
	maxPlain   = 24
)

// choice is an argument with the values that it is given in turn.
type choice struct {
	arg    *lab.Arg
	values []*string // nil = the flag alone, or any word
	tells  bool      // they lead to different states
}

// choicesOf lists the arguments that a line of a scenario must have; cut tells that values were left out.
func (m *Model) choicesOf(s *lab.Scenario) (out []choice, cut bool) {
	for i := range s.When.Args {
		a := &s.When.Args[i]
		if a.Matcher.Kind == lab.MatchAbsent {
			continue
		}
		c := choice{arg: a}
		values, short := m.choices(s, "args", argName(a))
		c.tells = len(values) > 1 || m.fills(s, a)
		switch a.Matcher.Kind {
		case lab.MatchPresent:
			c.values, c.tells = []*string{nil}, false
		case lab.MatchAny:
			cut = cut || short
			for _, v := range values {
				c.values = append(c.values, &v)
			}
		default:
			for k := range a.Matcher.Set {
				c.values = append(c.values, &a.Matcher.Set[k])
			}
		}
		out = append(out, c)
	}
	return out, cut
}

// fills reports whether an argument becomes part of a file.
func (m *Model) fills(s *lab.Scenario, a *lab.Arg) (fills bool) {
	m.everyEffects(s, func(e *lab.Effects) {
		for i := range e.Files {
			textRefs(e.Files[i].Text, "args", func(name string) { fills = fills || lab.FlagName(name) == argName(a) })
		}
	})
	return fills
}

// variants gives the arguments of a scenario their values: all combinations or, where these are too many, each value
// with the first of the others, and such as a condition asks for together. cut tells that some were left out which may
// lead elsewhere.
func (m *Model) variants(s *lab.Scenario, base spec) (specs []spec, cut bool) {
	specs = []spec{base}
	choices, cut := m.choicesOf(s)
	telling := 0 // arguments so far whose values lead to different states, and are several
	for _, c := range choices {
		before, most := specs, maxPlain
		if c.tells {
			most = maxTelling
		}
		for k := range before {
			before[k].set(c.arg, c.values[0])
		}
		tells := c.tells && len(c.values) > 1
		if len(before)*len(c.values) > most {
			before = before[:1] // all combinations are too many
			cut = cut || tells && (telling > 0 || len(c.values) > most)
		}
		if tells {
			telling++
		}
		room := len(specs) + most - 1
		for _, v := range c.values[1:] {
			for k := range before {
				if len(specs) < room {
					one := before[k].clone()
					one.set(c.arg, v)
					specs = append(specs, one)
				}
			}
		}
	}
	// What a later argument added, the variants made before have too; those made of the first lack it.
	for k := range specs[1:] {
		c := &specs[k+1]
		for _, f := range specs[0].flags {
			if !slices.ContainsFunc(c.flags, func(g flag) bool { return g.name == f.name }) {
				c.flags = append(c.flags, f)
			}
		}
		if n := len(c.positionals); n < len(specs[0].positionals) {
			c.positionals = append(c.positionals, specs[0].positionals[n:]...)
		}
	}
	if cut {
		specs = append(specs, m.together(s, choices, &specs[0])...)
	}
	return specs, cut
}

// together makes the variants that the conditions of one scenario ask for.
func (m *Model) together(s *lab.Scenario, choices []choice, first *spec) (specs []spec) {
	scenarios := m.lab.Simulator.Scenarios
	for i := range scenarios {
		one, several := first.clone(), 0
		for _, g := range scenarios[i].When.State {
			if g.Want.Kind() != lab.KindText {
				continue
			}
			for _, c := range choices {
				value, ok := m.wanted(s, c.arg, g)
				if ok && slices.ContainsFunc(c.values, func(v *string) bool { return v != nil && *v == value }) {
					one.set(c.arg, &value)
					several++
				}
			}
		}
		if several > 1 && len(specs) < maxTelling {
			specs = append(specs, one)
		}
	}
	return specs
}

// wanted is the value of an argument with which a scenario makes a condition hold.
func (m *Model) wanted(s *lab.Scenario, a *lab.Arg, g lab.Guard) (value string, ok bool) {
	m.everyEffects(s, func(e *lab.Effects) {
		for _, d := range e.State {
			if d.Path != g.Path {
				continue
			}
			f := flowInto(d.Value)
			for i, ref := range f.refs {
				if ref.Scope != "args" || lab.FlagName(ref.Name) != argName(a) {
					continue
				}
				if v, fits := f.values(g.Want.Text()); fits {
					value, ok = v[i], true
				}
			}
		}
	})
	return value, ok
}
