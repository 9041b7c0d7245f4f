package validate

import (
	"cmp"
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/lab"
	"asz/shared/sim"
)

// rooting finds which of the things that a search found follow from others. It searches the lab again with some of its
// mistakes taken away: for each of these, a command is added that nobody types but the search, and that does at any
// time what the scenario with the mistake should have done. What then is no longer wrong follows from those mistakes.
type rooting struct {
	*Check
	first    *explore.Result
	told     []int            // scenarios whose mistake has another finding, or none that matters
	added    []int            // the scenario of each command that is added in the search that runs
	problems map[int][]string // by scenario: what of its effects fails
	never    []int            // those that never fire, and for which nothing else is known to be the reason
	loose    map[int]bool     // scenarios with more than one condition that never holds
	dropped  map[int]bool     // scenarios that never fire as a consequence of others
	reasons  []int            // those of never that others come of
	open     []int            // those of never of which this is not known yet
	best     int              // the one of open of which the most others come …
	come     []int            // … and these
	at       int              // the one of open that is tried
	stage    rootingStage
	rounds   int
	budget   int // transitions
	search   *explore.Search
	final    *explore.Result // without any of the mistakes; nil when that is not known
}

// rootingStage is what the search that runs is for.
type rootingStage uint8

const (
	withTold  rootingStage = iota // which of never remain without the mistakes that are told of already
	tryOne                        // how many of never come of one of them
	withNever                     // what remains without any
	rooted
)

// The bounds of all searches for roots: a lab with more to it has more than one mistake.
const (
	mostRoots  = 24
	mostRounds = 8

	mostTransitions = 8 << 20 // beyond those of the first search
)

func (c *Check) newRooting() *rooting {
	r := &rooting{Check: c, first: c.explored.Result(), problems: map[int][]string{}, dropped: map[int]bool{}, loose: map[int]bool{}}
	r.budget = r.first.Transitions + mostTransitions
	if !r.first.Exhaustive {
		r.stage = rooted
		return r
	}
	for _, f := range r.first.Failures {
		r.tell(f.Rule, f.Problem)
	}
	for i := range r.first.Rules {
		if r.first.Rules[i].Fires != explore.No {
			continue
		}
		switch {
		case c.toldElsewhere(i):
			r.tell(i, "")
		case !c.follows(r.first, i) && (r.acts(i) || !r.alwaysHidden(i)):
			r.never = append(r.never, i)
		}
	}
	if !r.needed() {
		r.stage = rooted
		return r
	}
	// A scenario that is hidden is more often a consequence than a reason, and so is one that completes nothing, and a
	// later one. The likely reasons come first.
	likely := func(rule int) int {
		switch {
		case r.first.Rules[rule].Shadow >= 0:
			return 0
		case r.lab.Simulator.Scenarios[rule].Completes == "":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(r.never, func(a, b int) int { return cmp.Or(likely(b)-likely(a), a-b) })
	if len(r.never) > mostRoots {
		r.never = r.never[:mostRoots]
	}
	return r
}

// acts reports whether anything may come of a scenario but what it prints.
func (r *rooting) acts(rule int) bool {
	s := &r.lab.Simulator.Scenarios[rule]
	return s.Completes != "" || s.Then.Session != nil || s.Then.Input != nil || s.Then.CI != nil || len(s.Then.State)+len(s.Then.Files) > 0
}

// alwaysHidden reports whether a scenario never fires whatever the state is: that is no consequence of anything.
func (r *rooting) alwaysHidden(rule int) bool {
	shadow := r.first.Rules[rule].Shadow
	if shadow < 0 {
		return false
	}
	own := r.lab.Simulator.Scenarios[rule].When.State
	return !slices.ContainsFunc(r.lab.Simulator.Scenarios[shadow].When.State, func(g lab.Guard) bool {
		return !slices.ContainsFunc(own, func(o lab.Guard) bool { return o.Path == g.Path && lab.Equal(o.Want, g.Want) })
	})
}

// needed reports whether there is a reason, and something else that may come of it.
func (r *rooting) needed() bool {
	reasons, consequences := 0, 0
	for _, rule := range slices.Concat(r.told, r.never) {
		if r.acts(rule) {
			reasons++
		}
		consequences++
	}
	for _, s := range r.first.Steps {
		if s.DeadEnd || s.Reachable == explore.No {
			consequences++
		}
	}
	for i := range r.first.Lines {
		if r.played[i].problem || r.first.Lines[i].Taken == explore.No {
			consequences++
		}
	}
	return reasons > 0 && consequences > 1
}

// tell notes a scenario whose mistake has another finding; it reports whether that is new.
func (r *rooting) tell(rule int, problem string) (more bool) {
	if !slices.Contains(r.told, rule) {
		r.told, more = append(r.told, rule), true
	}
	if problem != "" && !slices.Contains(r.problems[rule], problem) {
		r.problems[rule], more = append(r.problems[rule], problem), true
	}
	return more
}

// step goes on for about n transitions; it returns false at the end.
func (r *rooting) step(n int) (more bool) {
	for r.stage != rooted {
		if r.search == nil {
			r.begin()
			continue
		}
		before := r.search.Progress().Transitions
		more := r.search.Step(n)
		if r.budget -= r.search.Progress().Transitions - before; r.budget < 0 {
			r.stage = rooted
			break
		}
		if more {
			return true
		}
		result := r.search.Result()
		r.search = nil
		r.took(result)
	}
	return false
}

// begin starts the search that comes next, or goes to the next stage.
func (r *rooting) begin() {
	switch r.stage {
	case withTold:
		if len(r.told) == 0 {
			r.try()
			return
		}
		r.without(r.told)
	case tryOne:
		if len(r.open) < 2 {
			r.stage, r.rounds = withNever, 0
			return
		}
		r.without(r.told, r.reasons, r.open[r.at:r.at+1])
	case withNever:
		if len(r.told)+len(r.never) == 0 {
			r.stage = rooted
			return
		}
		r.without(r.told, r.never)
	}
}

// took takes what a search found.
func (r *rooting) took(result *explore.Result) {
	switch r.stage {
	case withTold:
		if r.failures(result) {
			return
		}
		r.never = slices.DeleteFunc(r.never, func(rule int) bool {
			r.dropped[rule] = result.Rules[rule].Fires != explore.No
			return r.dropped[rule]
		})
		r.try()
	case tryOne:
		r.tried(result)
	case withNever:
		if r.failures(result) {
			return
		}
		r.final, r.stage = result, rooted
	}
}

// try begins to look which of those that never fire come of others.
func (r *rooting) try() { r.stage, r.open = tryOne, slices.Clone(r.never) }

// tried takes what comes of one of those that never fire: it is the reason for the others that now do. The one with
// the most of them is a reason, and the rest is looked at again.
func (r *rooting) tried(result *explore.Result) {
	var come []int
	for i, rule := range r.open {
		if i != r.at && result.Rules[rule].Fires != explore.No {
			come = append(come, rule)
		}
	}
	if len(come) > len(r.come) {
		r.best, r.come = r.at, come
	}
	if r.at++; r.at < len(r.open) && len(r.come) < len(r.open)-1 {
		return
	}
	if len(r.come) == 0 {
		r.open = nil // each is a reason of its own
		return
	}
	r.reasons = append(r.reasons, r.open[r.best])
	for _, rule := range r.come {
		r.dropped[rule] = true
	}
	r.open = slices.DeleteFunc(r.open, func(rule int) bool { return r.dropped[rule] || slices.Contains(r.reasons, rule) })
	r.never = slices.DeleteFunc(r.never, func(rule int) bool { return r.dropped[rule] })
	r.at, r.best, r.come = 0, 0, nil
}

// failures adds the effects that fail only since what should be before them is not, and takes all conditions from what
// still does not fire; it reports whether there is any of it.
func (r *rooting) failures(result *explore.Result) (more bool) {
	if r.rounds++; r.rounds > mostRounds {
		return false
	}
	for i, rule := range r.added {
		if at := len(r.lab.Simulator.Scenarios) + i; result.Rules[at].Fires == explore.No && !r.loose[rule] {
			r.loose[rule], more = true, true
		}
	}
	for _, f := range result.Failures {
		rule := f.Rule
		if n := rule - len(r.lab.Simulator.Scenarios); n >= 0 {
			if rule = r.added[n]; r.problems[rule] == nil {
				continue // it does what it should, but not in every state
			}
		}
		more = r.tell(rule, f.Problem) || more
	}
	return more
}

// without begins a search of the lab in which the mistakes of scenarios are taken away.
func (r *rooting) without(rules ...[]int) {
	l := *r.lab
	l.Simulator.Scenarios = slices.Clone(l.Simulator.Scenarios)
	r.added = nil
	for _, rule := range slices.Concat(rules...) {
		for _, s := range r.mended(rule) {
			s.When.Command = append([]string{unheard + lab.Int(len(r.added)).Text()}, s.When.Command...)
			l.Simulator.Scenarios = append(l.Simulator.Scenarios, s)
			r.added = append(r.added, rule)
		}
	}
	engine, err := sim.New(&l)
	if err != nil {
		r.stage = rooted
		return
	}
	in := r.input()
	in.Engine, in.Solve, in.Only = engine, false, r.asked()
	in.Steps = r.stage == withNever
	r.search = explore.New(in)
}

// asked is what the searches are for: what never fires or fails, and steps with a problem.
func (r *rooting) asked() *explore.Only {
	only := &explore.Only{Rules: map[int]bool{}, Steps: map[string]bool{}}
	for i := range r.first.Rules {
		only.Rules[i] = r.first.Rules[i].Fires == explore.No
	}
	for _, f := range r.first.Failures {
		only.Rules[f.Rule] = true
	}
	for i := range r.added {
		only.Rules[len(r.lab.Simulator.Scenarios)+i] = true
	}
	for _, s := range r.first.Steps {
		only.Steps[s.ID] = s.DeadEnd || s.Reachable == explore.No
	}
	return only
}

// unheard begins the commands that are added: no line of a lab has such a word.
const unheard = "\x01"

// mended are commands that do what a scenario should do: one for its effects, without the condition that never holds
// and without what fails; one that makes that condition hold, since others may wait for the same, or that ends what hides
// the scenario; and one for each condition on what it fails to write.
func (r *rooting) mended(rule int) []lab.Scenario {
	s := r.lab.Simulator.Scenarios[rule]
	s.When = lab.When{Command: s.When.Command, Args: s.When.Args, State: s.When.State}
	if r.lab.Simulator.Scenarios[rule].When.Agent {
		s.When.Args = nil
	}
	s.When.State = nil
	never := -1
	if slices.Contains(r.never, rule) {
		never = r.first.Rules[rule].Guard
	}
	for i, g := range r.lab.Simulator.Scenarios[rule].When.State {
		if !r.loose[rule] && i != never && !r.unfixed[g.Path] {
			s.When.State = append(s.When.State, g)
		}
	}
	out := []lab.Scenario{s}
	s = lab.Scenario{ID: s.ID}
	if never >= 0 {
		g := r.lab.Simulator.Scenarios[rule].When.State[never]
		s.Then.State = []lab.Delta{{Path: g.Path, Value: g.Want}}
		out = append(out, s)
	}
	if shadow := r.first.Rules[rule].Shadow; shadow >= 0 && slices.Contains(r.never, rule) {
		for _, g := range r.lab.Simulator.Scenarios[shadow].When.State {
			for _, v := range r.others(g) {
				s.Then.State = []lab.Delta{{Path: g.Path, Value: v}}
				out = append(out, s)
			}
		}
	}
	for _, problem := range r.problems[rule] {
		effects := &out[0].Then
		if input := effects.Input; input != nil && !possibleOnly(effects, problem, nil) {
			copied := *input
			effects.Input, effects = &copied, &copied.Then
		}
		possibleOnly(effects, problem, func(d lab.Delta) {
			for _, g := range r.conditions(d.Path) {
				s.Then.State = []lab.Delta{{Path: g.Path, Value: g.Want}}
				out = append(out, s)
			}
		})
	}
	return out
}

// others are what a fact may be for which a condition does not hold.
func (r *rooting) others(g lab.Guard) []lab.Value {
	out := []lab.Value{lab.Bool(sim.Holds(g.Want, lab.Value{}))}
	for _, other := range r.conditions(g.Path) {
		if other.Path == g.Path && !sim.Holds(g.Want, other.Want) {
			out = append(out, other.Want)
		}
	}
	return out
}

// possibleOnly takes out of some effects the one of which a problem tells. It calls lost for each change of the state.
func possibleOnly(e *lab.Effects, problem string, lost func(d lab.Delta)) (found bool) {
	for _, d := range e.State {
		if strings.HasPrefix(problem, "state `"+d.Path+"`: ") {
			found = true
			if lost != nil {
				lost(d)
			}
		}
	}
	is := func(op lab.FileOp) bool {
		return strings.HasPrefix(problem, "files, "+op.Verb.String()+" `"+op.Path+"`: ")
	}
	found = found || slices.ContainsFunc(e.Files, is) || e.CI != nil && strings.HasPrefix(problem, "ci: ")
	if lost == nil || !found {
		return found
	}
	e.State = slices.DeleteFunc(slices.Clone(e.State), func(d lab.Delta) bool { return strings.HasPrefix(problem, "state `"+d.Path+"`: ") })
	e.Files = slices.DeleteFunc(slices.Clone(e.Files), is)
	if strings.HasPrefix(problem, "ci: ") {
		e.CI = nil
	}
	return found
}

// conditions are those on a path, on a part of it, or on what it is a part of.
func (r *rooting) conditions(path string) []lab.Guard {
	var out []lab.Guard
	for i := range r.lab.Simulator.Scenarios {
		for _, g := range r.lab.Simulator.Scenarios[i].When.State {
			if g.Path == path || strings.HasPrefix(g.Path, path+".") || strings.HasPrefix(path, g.Path+".") {
				out = append(out, g)
			}
		}
	}
	return out
}

// follows reports whether that a scenario never fires follows from something else that is told.
func (r *rooting) follows(rule int) bool {
	return r.dropped[rule] || r.toldElsewhere(rule) || r.Check.follows(r.first, rule)
}

// reaches reports whether a step that cannot be completed can be without the mistakes.
func (r *rooting) reaches(step string) bool {
	return r.final != nil && slices.ContainsFunc(r.final.Steps, func(s explore.Step) bool { return s.ID == step && s.Reachable == explore.Yes })
}

// leads reports whether a dead end is none without the mistakes.
func (r *rooting) leads(step string) bool {
	return r.final != nil && !slices.ContainsFunc(r.final.Steps, func(s explore.Step) bool { return s.ID == step && s.DeadEnd })
}

// lineRoot is the place of the mistake for which nothing takes a line in any state.
func (r *rooting) lineRoot(line int) (at diag.Span, ok bool) {
	if r.final == nil || r.final.Lines[line].Taken != explore.Yes {
		return at, false
	}
	for _, rule := range slices.Concat(r.never, r.told) {
		if at = r.roots[rule]; at.Source != nil {
			return at, true
		}
		for i := range r.scenario(rule).When.State {
			g := &r.scenario(rule).When.State[i]
			if r.unfixed[g.Path] {
				at, _ = r.value(&g.Path)
				return at, true
			}
		}
	}
	return at, false
}
