package validate

import (
	"cmp"
	"slices"

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
	below    map[int]bool     // those that come of any that was tried: no more comes of them than of that one
	at       int              // the one of open that is tried
	stage    rootingStage
	rounds   int
	budget   int // transitions that are left for this part
	search   *explore.Search
	final    *explore.Result // without any of the mistakes; nil when that is not known
	opened   *explore.Result // … and without the conditions of lines that come too early
}

// rootingStage is what the search that runs is for.
type rootingStage uint8

const (
	withTold  rootingStage = iota // which of never remain without the mistakes that are told of already
	tryOne                        // how many of never come of one of them
	withNever                     // what remains without any
	withEarly                     // which dead ends remain where no line comes too early
	rooted
)

// The bounds of all searches for roots: a lab with more to it has more than one mistake.
const (
	mostRoots  = 24
	mostRounds = 8

	// Each of the parts, finding the reasons and looking at what remains without them, may take what the first search
	// took, and this: the first is often short, since it ends where all is answered.
	leastTransitions = 1 << 20
)

func (r *rooting) share() int { return r.first.Transitions + leastTransitions }

func (c *Check) newRooting() *rooting {
	r := &rooting{Check: c, first: c.explored.Result(), problems: map[int][]string{}, dropped: map[int]bool{}, below: map[int]bool{}, loose: map[int]bool{}}
	r.budget = r.share()
	if !r.first.Exhaustive {
		r.stage = rooted
		return r
	}
	for _, f := range r.first.Failures {
		r.tell(f.Rule, f.Problem)
	}
	r.seekMore()
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
	return (reasons > 0 || r.leftOut != nil || r.trapped()) && consequences > 1
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
			r.search = nil
			r.spent()
			continue
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

// spent ends a part that takes too long, with the reasons that it has found until then.
func (r *rooting) spent() {
	switch r.stage {
	case tryOne:
	case withNever:
		r.unblock()
		return
	default:
		r.stage = rooted
		return
	}
	if len(r.come) > 0 {
		r.chosen()
	}
	r.remain()
}

// remain begins to look what remains without any of the mistakes.
func (r *rooting) remain() { r.stage, r.rounds, r.budget = withNever, 0, r.share() }

// begin starts the search that comes next, or goes to the next stage.
func (r *rooting) begin() {
	switch r.stage {
	case withTold:
		if len(r.told) == 0 && r.leftOut == nil {
			r.try()
			return
		}
		r.without(r.told)
	case tryOne:
		if len(r.open) < 2 {
			r.remain()
			return
		}
		r.without(r.told, r.reasons, r.open[r.at:r.at+1])
	case withNever:
		if len(r.told)+len(r.never) == 0 && r.leftOut == nil {
			r.unblock()
			return
		}
		r.without(r.told, r.likely())
	case withEarly:
		r.without(r.told, r.likely())
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
		r.final = result
		r.unblock()
	case withEarly:
		r.opened, r.stage = result, rooted
	}
}

// unblock begins to look which dead ends remain where no line comes too early.
func (r *rooting) unblock() {
	if r.stage = rooted; r.trapped() {
		r.stage, r.budget = withEarly, r.share()
	}
}

// try begins to look which of those that never fire come of others.
func (r *rooting) try() { r.stage, r.open = tryOne, slices.Clone(r.likely()) }

// likely are those that never fire which may be reasons.
func (r *rooting) likely() []int { return r.never[:min(len(r.never), mostRoots)] }

// tried takes what comes of one of those that never fire: it is the reason for the others that now do. The one with
// the most of them is a reason, and the rest is looked at again.
func (r *rooting) tried(result *explore.Result) {
	var come []int
	for _, rule := range r.never {
		if rule != r.open[r.at] && result.Rules[rule].Fires != explore.No && !slices.Contains(r.reasons, rule) {
			come = append(come, rule)
			r.below[rule] = true
		}
	}
	if len(come) > len(r.come) {
		r.best, r.come = r.at, come
	}
	for r.at++; r.at < len(r.open) && r.below[r.open[r.at]]; r.at++ {
	}
	if r.at < len(r.open) && len(r.come) < len(r.never)-len(r.reasons)-1 {
		return
	}
	if len(r.come) == 0 {
		r.open = nil // each is a reason of its own
		return
	}
	r.chosen()
}

// chosen makes a reason of the one of which the most others come.
func (r *rooting) chosen() {
	r.reasons = append(r.reasons, r.open[r.best])
	for _, rule := range r.come {
		r.dropped[rule] = true
	}
	r.open = slices.DeleteFunc(r.open, func(rule int) bool { return r.dropped[rule] || slices.Contains(r.reasons, rule) })
	r.never = slices.DeleteFunc(r.never, func(rule int) bool { return r.dropped[rule] })
	r.at, r.best, r.come = 0, 0, nil
	clear(r.below)
}

// failures adds the effects that fail only since what should be before them is not, and takes all conditions from what
// still does not fire; it reports whether there is any of it.
func (r *rooting) failures(result *explore.Result) (more bool) {
	if r.rounds++; r.rounds > mostRounds {
		return false
	}
	for i, rule := range r.added {
		if at := len(r.lab.Simulator.Scenarios) + i; result.Rules[at].Fires == explore.No && rule >= 0 && !r.loose[rule] {
			r.loose[rule], more = true, true
		}
	}
	for _, f := range result.Failures {
		rule := f.Rule
		if n := rule - len(r.lab.Simulator.Scenarios); n >= 0 {
			if rule = r.added[n]; rule < 0 || r.problems[rule] == nil {
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
			r.add(&l, rule, s)
		}
	}
	for _, s := range r.inPlace() {
		r.add(&l, -1, s)
	}
	if r.stage == withEarly {
		for rule := range l.Simulator.Scenarios[:len(r.lab.Simulator.Scenarios)] {
			if slices.ContainsFunc(r.early, func(e early) bool { return e.wants[rule] != nil }) {
				r.add(&l, -1, r.eager(rule))
			}
		}
	}
	engine, err := sim.New(&l)
	if err != nil {
		r.stage = rooted
		return
	}
	in := r.input()
	in.Engine, in.Solve, in.Only = engine, false, r.asked()
	in.Steps = r.stage >= withNever
	r.search = explore.New(in)
}

// add adds a command; its rule is -1 when it is in place of a scenario that is missing.
func (r *rooting) add(l *lab.Lab, rule int, s lab.Scenario) {
	s.When.Command = append([]string{unheard + lab.Int(len(r.added)).Text()}, s.When.Command...)
	l.Simulator.Scenarios = append(l.Simulator.Scenarios, s)
	r.added = append(r.added, rule)
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
	if r.leftOut != nil {
		return r.leftOut.finding, true
	}
	return at, false
}
