package sim

import (
	"strings"

	"asz/shared/lab"
)

// program is a lab prepared for matching; it never changes.
type program struct {
	lab   *lab.Lab
	rules []rule // one for each scenario, in author order

	byWord   map[string]*wordIndex // first word of the path → rules
	commands []int32               // all command rules
	always   []int32               // those without a path
	agents   []int32               // agent rules

	flagNames     map[string]bool    // every flag that some matcher names
	operatorPaths map[string][]int32 // first word → rules whose path holds an operator

	pace      map[string]int
	workflows map[string]int
	terminals map[string]bool
	controls  map[string]int
}

// rule is a scenario with what matching it needs worked out once.
type rule struct {
	*lab.Scenario
	guards   []guard
	flagged  bool     // the path holds a flag, so it matches leading words only
	contains []string // promptContains in lower case
	prompt   string   // prompt without outer blanks
}

type guard struct {
	path []string
	want lab.Value
}

// wordIndex holds the rules whose path begins with one word.
type wordIndex struct {
	single []int32            // the path is that word alone
	second map[string][]int32 // the path's second word → rules
	flags  map[string][]flagUse
}

// flagUse is how the scenarios with one path look at a flag.
type flagUse struct {
	path    []string
	byValue bool
}

func newProgram(l *lab.Lab) *program {
	p := &program{
		lab:           l,
		rules:         make([]rule, len(l.Simulator.Scenarios)),
		byWord:        map[string]*wordIndex{},
		flagNames:     map[string]bool{},
		operatorPaths: map[string][]int32{},
		pace:          map[string]int{"short": 250, "medium": 700, "long": 1400},
		workflows:     map[string]int{},
		terminals:     map[string]bool{},
		controls:      map[string]int{},
	}
	for _, pace := range l.Simulator.Settings.Pace {
		p.pace[pace.Name] = pace.MS
	}
	for i, w := range l.Simulator.Workflows {
		if _, dup := p.workflows[w.ID]; !dup {
			p.workflows[w.ID] = i
		}
	}
	for i, c := range l.Simulator.Controls {
		if _, dup := p.controls[c.ID]; !dup {
			p.controls[c.ID] = i
		}
	}
	for _, t := range l.Terminals {
		p.terminals[t.ID] = true
	}
	for i := range p.rules {
		p.add(int32(i), &l.Simulator.Scenarios[i])
	}
	return p
}

func (p *program) add(i int32, s *lab.Scenario) {
	r := rule{Scenario: s, guards: make([]guard, len(s.When.State))}
	for j, g := range s.When.State {
		r.guards[j] = guard{strings.Split(g.Path, "."), g.Want}
	}
	for _, text := range s.When.PromptContains {
		r.contains = append(r.contains, strings.ToLower(text))
	}
	if s.When.Prompt != nil {
		r.prompt = strings.TrimSpace(*s.When.Prompt)
	}
	path := s.When.Command
	for _, word := range path {
		r.flagged = r.flagged || lab.IsFlag(word)
	}
	p.rules[i] = r
	for _, a := range s.When.Args {
		if a.Flag != "" {
			p.flagNames[a.Flag] = true
		}
	}
	if s.When.Agent {
		p.agents = append(p.agents, i)
		return
	}
	p.commands = append(p.commands, i)
	if len(path) == 0 {
		p.always = append(p.always, i)
	} else {
		p.index(i, path, s.When.Args)
	}
}

func (p *program) index(i int32, path []string, args []lab.Arg) {
	w := p.byWord[path[0]]
	if w == nil {
		w = &wordIndex{second: map[string][]int32{}, flags: map[string][]flagUse{}}
		p.byWord[path[0]] = w
	}
	if len(path) == 1 {
		w.single = append(w.single, i)
	} else {
		w.second[path[1]] = append(w.second[path[1]], i)
	}
	for _, a := range args {
		if a.Flag != "" {
			w.addFlag(a.Flag, flagUse{path, a.Matcher.Kind.ByValue()})
		}
	}
	for _, word := range path {
		if strings.Contains(word, ";") || strings.Contains(word, "&&") || strings.Contains(word, "||") {
			first := lex(path[0]).tokens
			if len(first) > 0 {
				p.operatorPaths[first[0].text] = append(p.operatorPaths[first[0].text], i)
			}
			break
		}
	}
}

// addFlag keeps one entry for each path and way of looking.
func (w *wordIndex) addFlag(name string, use flagUse) {
	uses := w.flags[name]
	for _, u := range uses {
		if u.byValue == use.byValue && equalWords(u.path, use.path) {
			return
		}
	}
	w.flags[name] = append(uses, use)
}

func equalWords(a, b []string) bool {
	return len(a) == len(b) && sharedPrefix(a, b) == len(a)
}

// sharedPrefix is the number of leading words that a and b have in common.
func sharedPrefix(a, b []string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// operatorPath returns the longest scenario path with an operator in it that
// the line begins with, and how many tokens that is.
func (p *program) operatorPath(tokens []token) (path []string, n int) {
	if len(tokens) == 0 || len(p.operatorPaths) == 0 {
		return nil, 0
	}
	for _, i := range p.operatorPaths[tokens[0].text] {
		cand := p.rules[i].When.Command
		if k := takePath(tokens, cand); k > n {
			path, n = cand, k
		}
	}
	return path, n
}
