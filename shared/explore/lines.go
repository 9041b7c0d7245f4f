package explore

import (
	"slices"
	"strings"

	"asz/shared/lab"
	"asz/shared/sim"
)

// The lines that a scenario asks for, made of its conditions.

// spec is a command to be written: words of the path, flags, positionals.
type spec struct {
	path        []string
	flags       []flag
	positionals []string
}

type flag struct {
	name  string
	value *string
}

func (c *spec) clone() spec {
	return spec{c.path, slices.Clone(c.flags), slices.Clone(c.positionals)}
}

// set gives a flag, or the positional at a place with what must stand before it.
func (c *spec) set(a *lab.Arg, value *string) {
	if a.Flag == "" {
		for len(c.positionals) <= a.Pos {
			c.positionals = append(c.positionals, placeholder)
		}
		if value != nil {
			c.positionals[a.Pos] = *value
		}
		return
	}
	for i := range c.flags {
		if c.flags[i].name == a.Flag {
			c.flags[i].value = value
			return
		}
	}
	c.flags = append(c.flags, flag{a.Flag, value})
}

// text writes the command; joined writes flags as --name=value.
func (c *spec) text(joined bool) string {
	words := make([]string, 0, len(c.path)+2*len(c.flags)+len(c.positionals))
	for _, w := range c.path {
		words = append(words, Quote(w))
	}
	for _, f := range c.flags {
		name := "--" + f.name
		if len(f.name) == 1 {
			name = "-" + f.name
		}
		switch {
		case f.value == nil:
			words = append(words, name)
		case joined:
			words = append(words, Quote(name+"="+*f.value))
		default:
			words = append(words, name, Quote(*f.value))
		}
	}
	ended := false
	for _, p := range c.positionals {
		if lab.IsFlag(p) && !ended {
			words, ended = append(words, "--"), true
		}
		words = append(words, Quote(p))
	}
	return strings.Join(words, " ")
}

// Quote writes a word so that the engine reads it as it is.
func Quote(w string) string {
	if w != "" && w[0] != '#' && !strings.ContainsAny(w, " \t\n\r'\"\\;&|") {
		return w
	}
	if w == "" || !strings.Contains(w, "'") {
		return "'" + w + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(w) + `"`
}

// commandLines writes the lines that a command scenario could take: one for each choice that leads elsewhere, and such
// as earlier scenarios do not take. cut tells that choices were left out.
func (m *Model) commandLines(rule int) (lines []string, cut bool) {
	s := &m.lab.Simulator.Scenarios[rule]
	base := spec{path: s.When.Command}
	// Without a path all words are positionals: a condition may name the first.
	if len(base.path) == 0 && s.When.Prompt == nil && !slices.ContainsFunc(s.When.Args, func(a lab.Arg) bool { return a.Flag == "" }) {
		base.path = []string{"something"}
	}
	if s.When.Prompt != nil {
		base.positionals = strings.Fields(*s.When.Prompt)
	} else if len(s.When.PromptContains) > 0 {
		base.positionals = strings.Fields(strings.Join(s.When.PromptContains, " "))
	}
	specs, cut := m.variants(s, base)
	if len(base.path) == 0 {
		for k := range specs {
			if len(specs[k].flags)+len(specs[k].positionals) == 0 { // no words are wanted, but a line has some
				specs[k].flags = []flag{{name: placeholder}}
			}
		}
	}
	specs = m.dodge(rule, specs)
	for k := range specs {
		text := specs[k].text(false)
		if !m.takes(rule, text) {
			if joined := specs[k].text(true); m.takes(rule, joined) {
				text = joined
			}
		}
		if !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	return lines, cut
}

// dodge adds variants that the earlier scenarios which take the lines leave alone: with a flag or word that they do not
// want. It goes on with the variants, whose lines others may take.
func (m *Model) dodge(rule int, specs []spec) []spec {
	s := &m.lab.Simulator.Scenarios[rule]
	named := func(a *lab.Arg) bool {
		return slices.ContainsFunc(s.When.Args, func(b lab.Arg) bool { return b.Flag == a.Flag && b.Pos == a.Pos })
	}
	dodged := 0
	for i := 0; i < len(specs); i++ {
		for _, e := range m.before(rule, specs[i].text(false)) {
			for k := range m.lab.Simulator.Scenarios[e].When.Args {
				a := &m.lab.Simulator.Scenarios[e].When.Args[k]
				if a.Matcher.Kind != lab.MatchAbsent || named(a) || a.Flag == "" && s.When.Prompt != nil || dodged == maxPlain {
					continue
				}
				c := specs[i].clone()
				c.set(a, nil)
				specs = append(specs, c)
				dodged++
			}
		}
	}
	return specs
}

// before lists the scenarios before a rule that could take a line in some terminal.
func (m *Model) before(rule int, line string) (out []int) {
	for _, t := range m.terminals {
		_, fits := m.fits(command, t, line)
		for _, f := range fits {
			if f.Rule < rule {
				out = addOnce(out, f.Rule)
			}
		}
	}
	return out
}

// takes reports whether a scenario could take a line typed in some terminal.
func (m *Model) takes(rule int, line string) bool {
	for _, t := range m.terminals {
		_, fits := m.fits(command, t, line)
		for _, f := range fits {
			if f.Rule == rule {
				return true
			}
		}
	}
	return false
}

// greetings are things to say that ask for nothing; one of them holds none of the words that an agent waits for.
var greetings = []string{"hello", "thanks", "ok", "go on", "zzz", "?"}

// promptLines writes what could be said to an agent so that a scenario reacts.
func (m *Model) promptLines(rule int) []string {
	s := &m.lab.Simulator.Scenarios[rule]
	var out []string
	switch {
	case s.When.Prompt != nil:
		out = append(out, strings.TrimSpace(*s.When.Prompt))
	case len(s.When.PromptContains) > 0:
		text := strings.Join(s.When.PromptContains, " ")
		out = append(out, text, "Please: "+text)
	default:
		out = append(out, m.plainest(rule)...)
	}
	return slices.DeleteFunc(out, func(text string) bool {
		t := strings.TrimSpace(text)
		return t == "" || t == "/exit" || t == "/quit" || strings.HasPrefix(text, "!") || strings.ContainsAny(text, "\n\r")
	})
}

// plainest is the greeting that the fewest scenarios before a rule take.
func (m *Model) plainest(rule int) []string {
	best, least := "", -1
	for _, text := range greetings {
		for _, t := range m.terminals {
			_, fits := m.fits(prompt, t, text)
			at := slices.IndexFunc(fits, func(f sim.Fit) bool { return f.Rule == rule })
			if at >= 0 && (least < 0 || at < least) {
				best, least = text, at
			}
		}
	}
	if least < 0 {
		return nil
	}
	return []string{best}
}
