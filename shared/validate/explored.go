package validate

import (
	"slices"
	"strings"

	"asz/shared/content"
	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/lab"
	"asz/shared/sim"
)

// search prepares the search of the lab's states.
func (c *Check) search() { c.explored = explore.New(c.input()) }

// input is what the search is told of the lab.
func (c *Check) input() explore.Input {
	in := explore.Input{Engine: c.engine, Steps: true, Full: c.options.Explore == Full, Solve: c.options.Solution}
	for i := range c.sections {
		for _, f := range c.sections[i].content.Fences {
			if saves(&f) {
				in.Saves = append(in.Saves, explore.Save{Path: f.Save, Text: f.Text})
			}
		}
	}
	sure := true // what comes after a line that is not taken, or that fails, is only supposed
	for i := range c.played {
		p := &c.played[i]
		in.Lines = append(in.Lines, explore.Line{Terminal: p.fence.Terminal, Text: p.line.Text, Prompt: p.fence.Prompt})
		if !sure {
			continue
		}
		in.Along = append(in.Along, p.before)
		if sure = !p.problem && !slices.ContainsFunc(p.outcome.Results, (*sim.Result).Hard); sure {
			in.Along = append(in.Along, p.after)
			in.Fired = append(in.Fired, p.fired...)
		}
	}
	return in
}

// searched makes findings of what the search has found.
func (c *Check) searched() {
	r := c.explored.Result()
	c.result.States, c.result.Exhaustive = max(1, r.States), r.Exhaustive // where nothing changes there is the start alone
	c.failures(r)
	c.scenarios(r)
	c.lines(r)
	c.steps(r)
	if !r.Exhaustive {
		c.bound(r)
	}
	if s := r.Solution; s != nil {
		c.result.Solution = &Solution{Lines: s.Play, Shortest: s.Shortest, Missing: s.Missing}
	}
	if c.options.Coverage {
		c.coverage(r)
	}
	c.foldLeftOut()
	c.result.Findings.Sort()
}

// scenario is a scenario as the file has it, which places are known of.
func (c *Check) scenario(i int) *lab.Scenario { return &c.loaded.Lab.Simulator.Scenarios[i] }

// idOf is the place of a scenario's id, or of its first line.
func (c *Check) idOf(i int) diag.Span {
	s := c.scenario(i)
	if c.loaded.Node(&s.ID) != nil {
		at, _ := c.value(&s.ID)
		return at
	}
	at, _ := c.value(s)
	return at
}

// scenarios tells of those that never fire, each at the root of what keeps it from firing.
func (c *Check) scenarios(r *explore.Result) {
	hidden := map[int]int{} // by scenario that hides others: the finding
	for i := range r.Rules {
		rule := &r.Rules[i]
		if rule.Fires != explore.No {
			continue
		}
		s := c.scenario(i)
		if c.foldScenario(rule, i) || c.rooting.follows(i) {
			continue
		}
		if rule.Shadow >= 0 {
			if at, ok := hidden[rule.Shadow]; ok {
				d := &c.result.Findings[at]
				d.Related = append(d.Related, diag.Related{Span: c.idOf(i), Message: "this one it hides, too"})
				c.roots[i] = d.Span
				continue
			}
			hidden[rule.Shadow] = len(c.result.Findings)
			earlier := c.scenario(rule.Shadow)
			d := c.report("scenario-shadowed", c.idOf(i), "the scenario `"+s.ID+"` never fires: `"+earlier.ID+"`, which comes first, takes every line that it would take")
			d.Related = append(d.Related, diag.Related{Span: c.idOf(rule.Shadow), Message: "the scenario that takes them"})
			d.Witness = rule.Play
			c.roots[i] = d.Span
			continue
		}
		at, why, fix := c.idOf(i), "no line that can be typed meets its conditions", ""
		var near *diag.Fix
		switch {
		case rule.Guard >= 0:
			g := &s.When.State[rule.Guard]
			at, _ = c.value(&g.Path)
			if near = c.nearMiss(g); near != nil {
				at, _ = c.value(&g.Want)
			}
			why = "`" + g.Path + "` is never " + string(g.Want.AppendJSON(nil))
			if len(s.When.State) > 1 {
				why += " when the other conditions hold"
			}
		case s.When.Agent:
			why, fix = "no agent session is open when it could", "let a scenario that fires open a session in its terminal, or remove the scenario"
			if !c.sessions() {
				why, fix = "nothing opens an agent session", "let a scenario open one with `session`, or remove the scenario"
			}
		}
		code, message := diag.Code("scenario-unreachable"), "the scenario `"+s.ID+"` can never fire: "+why
		step, related := c.onlyWay(r, i)
		if step != "" {
			code, message = "step-unreachable", "the step `"+step+"` can never be completed: its scenario `"+s.ID+"` cannot fire, since "+why
		}
		d := c.report(code, at, message)
		switch {
		case near != nil:
			d.Fix = near
		case fix != "":
			d.Fix = &diag.Fix{Text: fix}
		}
		if step != "" {
			d.Related = append(d.Related, diag.Related{Span: related, Message: "the step"})
			c.stepTold[step] = true
		}
		d.Witness = rule.Play
		c.roots[i] = d.Span
	}
}

// sessions reports whether any scenario opens an agent session.
func (c *Check) sessions() bool {
	return slices.ContainsFunc(c.lab.Simulator.Scenarios, func(s lab.Scenario) bool { return s.Then.Session != nil })
}

// onlyWay is the step that a scenario completes, when no other that fires does.
func (c *Check) onlyWay(r *explore.Result, rule int) (step string, at diag.Span) {
	id := c.lab.Simulator.Scenarios[rule].Completes
	if id == "" {
		return "", at
	}
	for i := range r.Rules {
		if i != rule && c.lab.Simulator.Scenarios[i].Completes == id && (r.Rules[i].Fires != explore.No || i < rule && c.roots[i].Source != nil) {
			return "", at
		}
	}
	at, found := c.stepAt(id)
	if !found {
		return "", at
	}
	return id, at
}

// stepAt is where labspace.yaml has the step of an id.
func (c *Check) stepAt(id string) (at diag.Span, ok bool) {
	for i := range c.loaded.Lab.Sections {
		steps := c.loaded.Lab.Sections[i].Steps
		for j := range steps {
			if steps[j].ID == id {
				return c.stepPlace(&steps[j]), true
			}
		}
	}
	return at, false
}

// toldElsewhere reports whether that a scenario never fires is what another finding tells: nothing writes what it waits
// for, or its terminal does not exist.
func (c *Check) toldElsewhere(rule int) bool {
	s := &c.lab.Simulator.Scenarios[rule]
	return slices.ContainsFunc(s.When.State, func(g lab.Guard) bool { return c.unfixed[g.Path] || c.toggledTwice(g.Path) }) ||
		s.When.Terminal != "" && !slices.Contains(c.terminals(), s.When.Terminal)
}

// toggledTwice reports whether the control of a fact has the id of another one, so that it cannot be named.
func (c *Check) toggledTwice(path string) bool {
	controls := c.lab.Simulator.Controls
	for i := range controls {
		if controls[i].State == path && slices.IndexFunc(controls, func(o lab.Control) bool { return o.ID == controls[i].ID }) < i {
			return true
		}
	}
	return false
}

// follows reports whether that a scenario never fires follows from that another one never does.
func (c *Check) follows(r *explore.Result, rule int) bool {
	s := &c.lab.Simulator.Scenarios[rule]
	if c.unmet && r.Rules[rule].Guard >= 0 && isRun(s.When.State[r.Rules[rule].Guard].Path) {
		return true // nothing writes what the run requires
	}
	if s.When.Agent && r.Rules[rule].Guard < 0 && r.Rules[rule].Shadow < 0 && r.Rules[rule].After < 0 && c.agentsFold(r, rule) {
		return true
	}
	// A chain of scenarios that wait for each other is told where it ends, a circle at its first.
	least := rule
	seen := map[int]bool{rule: true}
	for at := r.Rules[rule].After; ; at = r.Rules[at].After {
		switch {
		case at < 0:
			return len(seen) > 1
		case at == rule:
			return least < rule
		case seen[at]:
			return true
		}
		seen[at] = true
		least = min(least, at)
	}
}

func isRun(path string) bool { return strings.HasPrefix(path, "ci.runs.") }

// agentsFold reports whether an earlier agent scenario is told of for the same reason: no session opens.
func (c *Check) agentsFold(r *explore.Result, rule int) bool {
	for i := range rule {
		if c.lab.Simulator.Scenarios[i].When.Agent && r.Rules[i].Fires == explore.No && r.Rules[i].Guard < 0 && r.Rules[i].Shadow < 0 {
			return true
		}
	}
	return false
}

// lines tells of lines of the sections that nothing takes in any state, and shows the way to those that come too early.
func (c *Check) lines(r *explore.Result) {
	for i := range c.played {
		p, line := &c.played[i], &r.Lines[i]
		at := slices.IndexFunc(c.result.Findings, func(d diag.Diagnostic) bool { return d.Code == "fence-too-early" && d.Span == p.at })
		if at < 0 {
			continue
		}
		d := &c.result.Findings[at]
		if line.Taken != explore.No {
			d.Witness, _ = c.explored.WayTo(p.before, i)
			continue
		}
		root, ok := c.rootOf(r, line.Rules)
		if !ok {
			root, ok = c.rooting.lineRoot(i)
		}
		if ok {
			c.result.Findings = slices.Delete(c.result.Findings, at, at+1)
			c.fold(root, p.at)
			continue
		}
		rule, _ := diag.RuleOf("fence-impossible")
		d.Code, d.Severity, d.Fix = rule.Code, rule.Severity, &diag.Fix{Text: rule.Fix}
		d.Message = strings.Replace(d.Message, " here: ", " in any state that can be reached: ", 1)
	}
}

// rootOf is the finding of the scenarios that would take a line, if none of them ever fires.
func (c *Check) rootOf(r *explore.Result, rules []int) (root diag.Span, ok bool) {
	for _, i := range rules {
		if r.Rules[i].Fires != explore.No {
			return root, false
		}
		for seen := 0; c.roots[i].Source == nil && r.Rules[i].After >= 0 && seen < len(r.Rules); seen++ {
			i = r.Rules[i].After
		}
		if c.roots[i].Source != nil {
			root, ok = c.roots[i], true
		}
	}
	return root, ok
}

// fold adds a line that is taken by nothing to the finding of the scenario that would have taken it. It is an error
// then, as for each line that nothing takes.
func (c *Check) fold(root, line diag.Span) {
	for i := range c.result.Findings {
		d := &c.result.Findings[i]
		is := func(r diag.Related) bool { return r.Span == root }
		if slices.Contains([]diag.Code{"scenario-shadowed", "scenario-unreachable", "step-unreachable", "effect-fails", "state-unwritten", "terminal-unknown", "step-not-completed"}, d.Code) &&
			(d.Span == root || slices.ContainsFunc(d.Related, is)) {
			d.Severity = diag.Error
			d.Related = append(d.Related, diag.Related{Span: line, Message: "nothing takes this line of the instructions"})
			return
		}
	}
}

// steps tells of dead ends, and of steps that cannot be completed though their scenarios fire.
func (c *Check) steps(r *explore.Result) {
	type end struct {
		cause explore.Cause
		early diag.Span // the line whose conditions are the reason, as is told there
		steps []string
		play  []string
	}
	var ends []end
	for _, s := range r.Steps {
		if s.Reachable == explore.No && !c.rooting.reaches(s.ID) && !c.stepTold[s.ID] && !c.explained(r, s.ID) {
			if at, ok := c.stepAt(s.ID); ok {
				c.report("step-unreachable", at, "the step `"+s.ID+"` cannot be completed, whatever the learner types")
			}
		}
		if !s.DeadEnd || c.rooting.leads(s.ID) {
			continue
		}
		early, _ := c.rooting.earlyRoot(&s)
		i := slices.IndexFunc(ends, func(e end) bool { return e.cause == s.Cause && e.early == early })
		if i < 0 {
			i = len(ends)
			ends = append(ends, end{cause: s.Cause, early: early, play: s.Play})
		}
		ends[i].steps = append(ends[i].steps, s.ID)
		if len(s.Play) < len(ends[i].play) {
			ends[i].play = s.Play
		}
	}
	for _, e := range ends {
		what := "the step " + listed(e.steps)
		if len(e.steps) > 1 {
			what = "the steps " + listed(e.steps)
		}
		at := c.causeAt(e.cause)
		if at.Source == nil {
			at, _ = c.stepAt(e.steps[0]) // no part of the lab by itself
		}
		message := "after this " + what + " may be impossible to complete"
		if e.early.Source != nil && c.foldEarly(e.early, at, message) {
			continue
		}
		d := c.report("dead-end", at, message)
		d.Witness = e.play
	}
}

// explained reports whether another finding tells why a step is never completed.
func (c *Check) explained(r *explore.Result, step string) bool {
	if len(c.failed) > 0 {
		return true // its scenarios fire when those effects are made possible
	}
	for i := range c.lab.Simulator.Scenarios {
		if c.lab.Simulator.Scenarios[i].Completes == step && (c.failed[i] || r.Rules[i].Fires == explore.No) {
			return true
		}
	}
	return false
}

// causeAt is the place of what leads into a dead end.
func (c *Check) causeAt(cause explore.Cause) diag.Span {
	var at diag.Span
	switch {
	case cause.Rule >= 0:
		return c.idOf(cause.Rule)
	case cause.Control >= 0:
		at, _ = c.value(&c.loaded.Lab.Simulator.Controls[cause.Control].ID)
	case cause.Save >= 0:
		n := cause.Save
		for i := range c.sections {
			s := &c.sections[i]
			for j := range s.content.Fences {
				if f := &s.content.Fences[j]; saves(f) {
					if n == 0 {
						return s.span(f.Start, f.End).FirstLine()
					}
					n--
				}
			}
		}
	}
	return at
}

// bound says that the search was not exhaustive, and how far it came.
func (c *Check) bound(r *explore.Result) {
	at, _ := c.value(&c.loaded.Lab.Simulator.Version)
	d := c.report("explore-bound", at.Sub(0, 0), "explored "+thousands(r.States)+" states ("+thousands(r.Transitions)+" transitions), not exhaustive: what was not found may still be there")
	d.Fix = &diag.Fix{Text: further(r.Bounds)}
}

// further is what lets a search see more, for each of the bounds that it hit.
func further(b explore.Bounds) string {
	var help []string
	add := func(hit bool, text string) {
		if hit {
			help = append(help, text)
		}
	}
	add(b.Ended, "let the check come to its end")
	add(b.Work, "run with `--explore full`, or give the lab fewer independent facts")
	add(b.Memory, "give the lab fewer independent facts: the search has filled the memory that it may take")
	add(b.Fact != "", "let `"+b.Fact+"` take fewer values: of one fact 255 are told apart, whatever `--explore` says")
	add(b.Question != "", "let the questions of `"+b.Question+"` be fewer, or conditions look for fewer of their answers: not all combinations are tried, whatever `--explore` says")
	return strings.Join(help, "; ")
}

// thousands writes a number with its digits in groups.
func thousands(n int) string {
	s := lab.Int(n).Text()
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// coverage tells where each scenario, step and line is played.
func (c *Check) coverage(r *explore.Result) {
	where := func(documented bool, a explore.Answer) Where {
		switch {
		case documented:
			return Documented
		case a == explore.Yes:
			return Reachable
		case a == explore.No:
			return Never
		}
		return Unknown
	}
	fired, completed := map[int]bool{}, map[string]bool{}
	out := &Coverage{}
	for i := range c.played {
		p := &c.played[i]
		out.Lines = append(out.Lines, Covered{Name: lineName(p.section, p.line), Where: where(!p.problem, r.Lines[i].Taken)})
		if p.problem {
			continue
		}
		for _, rule := range p.fired {
			fired[rule] = true
		}
		after := p.after
		if i == len(c.played)-1 {
			after = c.end
		}
		for _, section := range c.lab.Sections {
			for _, step := range section.Steps {
				// Before a line, and at the end, the questions are answered that came before.
				completed[step.ID] = completed[step.ID] || p.before.Done(step.ID) || after.Done(step.ID)
			}
		}
	}
	for i := range r.Rules {
		out.Scenarios = append(out.Scenarios, Covered{c.scenario(i).ID, where(fired[i], r.Rules[i].Fires)})
	}
	for _, section := range c.lab.Sections {
		for _, step := range section.Steps {
			answer := explore.No
			for _, s := range r.Steps {
				if s.ID == step.ID {
					answer = s.Reachable
				}
			}
			out.Steps = append(out.Steps, Covered{step.ID, where(completed[step.ID], answer)})
		}
	}
	c.result.Coverage = out
}

// lineName is what a table calls a line.
func lineName(s *section, l *content.Line) string {
	line, _ := s.source.Position(l.Start)
	text, _, _ := strings.Cut(l.Text, "\n")
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return s.Content + ":" + lab.Int(line).Text() + " " + text
}
