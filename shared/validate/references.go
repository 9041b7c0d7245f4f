package validate

import (
	"slices"
	"strconv"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
)

// correct makes the lab that is played: a copy in which the checks put right what they report, as its author probably
// meant it. So a mistake does not come up again as a line that nothing takes. Scenarios keep their indexes: places
// are those of the lab as it was loaded.
func (c *Check) correct() {
	l := *c.loaded.Labspace
	l.Simulator.Scenarios = slices.Clone(l.Simulator.Scenarios)
	l.Simulator.Workflows = slices.Clone(l.Simulator.Workflows)
	for i := range l.Simulator.Workflows {
		w := &l.Simulator.Workflows[i]
		w.Steps = slices.Clone(w.Steps)
	}
	// The engine knows controls by their ids: those that are given twice would look like switches that do nothing.
	l.Simulator.Controls = slices.Clone(l.Simulator.Controls)
	known := map[string]bool{}
	for i := range l.Simulator.Controls {
		id := &l.Simulator.Controls[i].ID
		for known[*id] {
			*id += "'"
		}
		known[*id] = true
	}
	for i := range l.Simulator.Scenarios {
		s := &l.Simulator.Scenarios[i]
		s.When.State = slices.Clone(s.When.State)
		then := &s.Then
		if then.Input != nil {
			input := *then.Input
			then.Input = &input
		}
	}
	c.lab = &l
}

// references checks the names by which scenarios mean parts of the lab.
func (c *Check) references() {
	l := c.loaded.Labspace
	terminals, paces := c.terminals(), []string{"short", "medium", "long"}
	for _, p := range l.Simulator.Settings.Pace {
		if !slices.Contains(paces, p.Name) {
			paces = append(paces, p.Name)
		}
	}
	for _, f := range []*lab.Fallback{l.Simulator.Defaults.Unmatched, l.Simulator.Defaults.UnmatchedAgent} {
		if f != nil {
			c.paces(paces, f.Output, f.Stderr)
		}
	}
	for i := range l.Simulator.Controls {
		if s := &l.Simulator.Controls[i].State; isHistory(*s) {
			at, _ := c.value(s)
			c.report("state-reserved", at, "`history` is kept by the engine; no control can write it")
		}
	}
	for i := range l.Simulator.Scenarios {
		s, fixed := &l.Simulator.Scenarios[i], &c.lab.Simulator.Scenarios[i]
		if name := s.When.Terminal; c.known.terminals && name != "" && !slices.Contains(terminals, name) {
			at, inner := c.value(&s.When.Terminal)
			fixed.When.Terminal = c.misnamed(group{"terminal-unknown", "", name}, at, inner, terminals, "there is no terminal `"+name+"`")
		}
		from, to := effects(s), effects(fixed)
		for j, e := range from {
			c.paces(paces, e.Output, e.Stderr)
			to[j].State = c.reserved(e.State)
			if e.CI != nil {
				to[j].CI = c.trigger(e.CI)
			}
		}
	}
	c.copied()
	c.completions()
	c.tabOfCI()
}

// copied takes a workflow whose id is given twice, and a run of one that is not there, for the two sides of one mistake
// when there is one of each.
func (c *Check) copied() {
	unknown, twice := -1, -1
	for i := range c.result.Findings {
		switch d := &c.result.Findings[i]; d.Code {
		case "workflow-unknown":
			if unknown >= 0 || d.Fix.Edits != nil {
				return
			}
			unknown = i
		case "duplicate-id":
			for j := range c.loaded.Labspace.Simulator.Workflows {
				if at, _ := c.value(&c.loaded.Labspace.Simulator.Workflows[j].ID); at == d.Span {
					twice = i
				}
			}
		}
	}
	if unknown < 0 || twice < 0 {
		return
	}
	d := &c.result.Findings[twice]
	d.Related = append(d.Related, diag.Related{Span: c.result.Findings[unknown].Span, Message: "there is no workflow of this name"})
	c.result.Findings = slices.Delete(c.result.Findings, unknown, unknown+1)
	for g, i := range c.groups {
		if i > unknown {
			c.groups[g]--
		}
	}
}

func isHistory(path string) bool { return path == "history" || strings.HasPrefix(path, "history.") }

// reserved reports changes of what the engine keeps, and leaves them out.
func (c *Check) reserved(deltas []lab.Delta) []lab.Delta {
	fine := deltas
	for i := range deltas {
		d := &deltas[i]
		if !isHistory(d.Path) {
			continue
		}
		at, _ := c.value(&d.Path)
		c.report("state-reserved", at, "`history` is kept by the engine and may not be written")
		if len(fine) == len(deltas) {
			fine = slices.Clone(deltas)
		}
		fine = slices.DeleteFunc(fine, func(d lab.Delta) bool { return isHistory(d.Path) })
	}
	return fine
}

func (c *Check) paces(names []string, outputs ...[]lab.Line) {
	if !c.known.paces {
		return
	}
	for _, lines := range outputs {
		for i := range lines {
			d := lines[i].Delay
			if d == nil || d.Pace == "" || slices.Contains(names, d.Pace) {
				continue
			}
			at, inner := c.value(d)
			message := "there is no pace `" + d.Pace + "`"
			if _, err := strconv.ParseFloat(strings.TrimSuffix(d.Pace, "ms"), 64); err == nil {
				message += "; milliseconds are a whole number without quotes"
			}
			c.misnamed(group{"pace-unknown", "", d.Pace}, at, inner, names, message)
		}
	}
}

// trigger checks what a CI run refers to, and returns it put right.
func (c *Check) trigger(t *lab.CITrigger) *lab.CITrigger {
	simulator := &c.lab.Simulator
	find := func(id string) int {
		return slices.IndexFunc(simulator.Workflows, func(w lab.Workflow) bool { return w.ID == id })
	}
	fixed := *t
	i := find(t.Workflow)
	if i < 0 && !c.known.workflows {
		return &fixed
	}
	if i < 0 {
		var names []string
		for _, w := range c.loaded.Labspace.Simulator.Workflows {
			names = append(names, w.ID)
		}
		at, inner := c.value(&t.Workflow)
		near := c.misnamed(group{"workflow-unknown", "", t.Workflow}, at, inner, names, "there is no workflow `"+t.Workflow+"`")
		if near == "" {
			// A run is recorded all the same, so that conditions on it can hold.
			failed := t.FailedStep
			if failed == "" {
				failed = "step"
			}
			steps := []lab.WorkflowStep{{ID: failed, Name: failed}}
			simulator.Workflows = append(simulator.Workflows, lab.Workflow{ID: t.Workflow, Name: t.Workflow, On: "push", Steps: steps})
			return &fixed
		}
		fixed.Workflow, i = near, find(near)
	} else if i >= len(c.loaded.Labspace.Simulator.Workflows) {
		at, _ := c.value(&t.Workflow)
		c.once(group{"workflow-unknown", "", t.Workflow}, at, "")
		return &fixed // added above: nothing is known of its steps
	}
	if !c.stepsKnown(i) {
		return &fixed
	}
	w := &simulator.Workflows[i]
	var names []string
	for _, s := range w.Steps {
		names = append(names, s.ID)
	}
	unknown := func(field *string, id string) string {
		at, inner := c.value(field)
		return c.misnamed(group{"workflow-step-unknown", w.ID, id}, at, inner, names, "workflow `"+w.ID+"` has no step `"+id+"`")
	}
	if t.FailedStep != "" && !slices.Contains(names, t.FailedStep) {
		fixed.FailedStep = unknown(&t.FailedStep, t.FailedStep)
	}
	for j := range t.Steps {
		if id := &t.Steps[j].ID; !slices.Contains(names, *id) {
			unknown(id, *id)
		}
	}
	return &fixed
}

// completions checks that `completes` names steps, and that each step is named.
func (c *Check) completions() {
	l := c.loaded.Labspace
	var names []string
	completed := map[string]bool{}
	for _, section := range l.Sections {
		for _, step := range section.Steps {
			names = append(names, step.ID)
		}
	}
	far := map[string]*diag.Diagnostic{} // unknown ids that are like no step's
	for i := range l.Simulator.Scenarios {
		s := &l.Simulator.Scenarios[i]
		if s.Completes == "" || slices.Contains(names, s.Completes) {
			completed[s.Completes] = true
			continue
		}
		if !c.known.steps {
			continue
		}
		at, inner := c.value(&s.Completes)
		near := c.misnamed(group{"step-unknown", "", s.Completes}, at, inner, names, "no section has a step `"+s.Completes+"`")
		c.lab.Simulator.Scenarios[i].Completes = near
		completed[near] = true
		if near == "" {
			far[s.Completes] = nil
		}
	}
	if !c.known.all {
		return // a scenario that could not be read may complete the others
	}
	var missing []*lab.Step
	for i := range l.Sections {
		for j := range l.Sections[i].Steps {
			if step := &l.Sections[i].Steps[j]; !completed[step.ID] {
				completed[step.ID] = true // a second step of the same id is reported by the reader
				missing = append(missing, step)
			}
		}
	}
	if len(far) == 1 && len(missing) == 1 {
		c.pair(far, missing[0])
		return
	}
	for _, step := range missing {
		c.report("step-not-completed", c.stepPlace(step), "no scenario completes the step `"+step.ID+"`")
	}
}

// pair takes the only unknown step and the only one that nothing completes for the two sides of one mistake.
func (c *Check) pair(unknown map[string]*diag.Diagnostic, step *lab.Step) {
	for i := range c.lab.Simulator.Scenarios {
		s := &c.loaded.Labspace.Simulator.Scenarios[i]
		if _, ok := unknown[s.Completes]; !ok {
			continue
		}
		c.lab.Simulator.Scenarios[i].Completes = step.ID
		d := &c.result.Findings[c.groups[group{"step-unknown", "", s.Completes}]]
		d.Fix.Text = "did you mean `" + step.ID + "`, which no scenario completes?"
		if len(d.Related) == 0 {
			d.Related = append(d.Related, diag.Related{Span: c.stepPlace(step), Message: "this step is completed by no scenario"})
		}
	}
}

// stepPlace is where a step gets its id from.
func (c *Check) stepPlace(step *lab.Step) diag.Span {
	for _, field := range []any{&step.ID, &step.Title} {
		if at, _ := c.value(field); at.Source != nil {
			return at
		}
	}
	at, _ := c.value(step)
	return at
}

// tabOfCI tells of the first CI run when the lab has no tab for it.
func (c *Check) tabOfCI() {
	if c.loaded.Labspace.CI != nil || !c.known.ci {
		return
	}
	for i := range c.loaded.Labspace.Simulator.Scenarios {
		for _, e := range effects(&c.loaded.Labspace.Simulator.Scenarios[i]) {
			if e.CI != nil {
				at, _ := c.value(e.CI)
				if !c.loaded.Clear(at) {
					continue
				}
				c.report("ci-without-tab", at, "a CI run starts here, and the lab has no CI tab that shows it")
				return
			}
		}
	}
}
