package validate

import (
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/lab"
	"asz/shared/sim"
)

// A step that no scenario completes is most often one whose scenario was left out. Other things come of that: what the
// scenario should have written is written by nothing, what it should have read is read by nothing, and its line of the
// instructions is taken by another scenario or by none. These are told with the step, each at its place.

// leftOut is the step whose scenario is missing.
type leftOut struct {
	finding diag.Span // of the step
	content string    // the text of its section
	waits   []lab.Guard
	stays   []lab.Guard // conditions of scenarios that hide others; they hold at the start, and nothing ends them
}

// seekLeftOut finds the one step that no scenario completes, and what nothing writes; nil when there is no such step, or
// more than one: then it is not known what comes of which.
func (c *Check) seekLeftOut() *leftOut {
	var a *leftOut
	for i := range c.loaded.Lab.Sections {
		section := &c.loaded.Lab.Sections[i]
		for j := range section.Steps {
			if at := c.stepPlace(&section.Steps[j]); c.reported[placeOf("step-not-completed", at)] {
				if a != nil {
					return nil
				}
				a = &leftOut{finding: at, content: section.Content}
			}
		}
	}
	if a == nil {
		return nil
	}
	for i := range c.lab.Simulator.Scenarios {
		for k := range c.lab.Simulator.Scenarios[i].When.State {
			g := c.lab.Simulator.Scenarios[i].When.State[k]
			if !has(a.waits, &g) && !c.holdsFirst(&g) && !c.brought(&g) && c.nearMiss(&c.scenario(i).When.State[k]) == nil {
				a.waits = append(a.waits, g)
			}
		}
	}
	return a
}

// seekMore finds what else the scenario that is missing may have ended: conditions for which others are always hidden.
func (r *rooting) seekMore() {
	for i := range r.first.Rules {
		rule := &r.first.Rules[i]
		if r.leftOut == nil || rule.Fires != explore.No || rule.Shadow < 0 {
			continue
		}
		own := r.lab.Simulator.Scenarios[i].When.State
		for _, g := range r.lab.Simulator.Scenarios[rule.Shadow].When.State {
			if !has(own, &g) && !has(r.leftOut.stays, &g) && r.holdsFirst(&g) && !r.ended(&g) {
				r.leftOut.stays = append(r.leftOut.stays, g)
			}
		}
	}
}

func has(list []lab.Guard, g *lab.Guard) bool {
	return slices.ContainsFunc(list, func(o lab.Guard) bool { return o.Path == g.Path && lab.Equal(o.Want, g.Want) })
}

// brought reports whether anything may make a condition hold that does not, or another finding tells that nothing does.
func (c *Check) brought(g *lab.Guard) bool {
	return c.unfixed[g.Path] || c.changed(g.Path, func(v lab.Value) bool { return sim.Holds(g.Want, v) })
}

// ended reports whether anything may end a condition.
func (c *Check) ended(g *lab.Guard) bool {
	return c.changed(g.Path, func(v lab.Value) bool { return !sim.Holds(g.Want, v) })
}

// holdsFirst reports whether a condition holds at the start.
func (c *Check) holdsFirst(g *lab.Guard) bool {
	return sim.Holds(g.Want, c.lab.Simulator.State.Lookup(strings.Split(g.Path, ".")))
}

// changed reports whether anything may write such a value at a path.
func (c *Check) changed(path string, such func(v lab.Value) bool) bool {
	if isHistory(path) || isRun(path) {
		return true
	}
	for i := range c.lab.Simulator.Controls {
		if t := &c.lab.Simulator.Controls[i]; related(t.State, path) {
			return true
		}
	}
	for i := range c.lab.Simulator.Scenarios {
		for _, e := range effects(&c.lab.Simulator.Scenarios[i]) {
			for k := range e.State {
				d := &e.State[k]
				if d.Path != path && related(d.Path, path) || d.Path == path && (d.Append || strings.Contains(d.Value.Text(), "{{") || such(d.Value)) {
					return true
				}
			}
		}
	}
	return false
}

// related reports whether one path is a part of the other.
func related(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// inPlace are commands that do what the scenario that is missing should have done, each a part of it.
func (r *rooting) inPlace() []lab.Scenario {
	var out []lab.Scenario
	if r.leftOut == nil {
		return nil
	}
	set := func(path string, v lab.Value) {
		out = append(out, lab.Scenario{ID: "left out", Then: lab.Effects{State: []lab.Delta{{Path: path, Value: v}}}})
	}
	for _, g := range r.leftOut.waits {
		set(g.Path, g.Want)
	}
	for _, g := range r.leftOut.stays {
		for _, v := range r.others(g) {
			set(g.Path, v)
		}
	}
	return out
}

// foldScenario adds a scenario that never fires to the finding of the step whose scenario is missing, when it would fire
// if that one wrote what nothing writes; it reports whether it does.
func (c *Check) foldScenario(r *explore.Rule, i int) bool {
	if c.leftOut == nil {
		return false
	}
	s := c.scenario(i)
	if r.Shadow >= 0 {
		for k := range c.lab.Simulator.Scenarios[r.Shadow].When.State {
			if c.rooting.dropped[i] && has(c.leftOut.stays, &c.lab.Simulator.Scenarios[r.Shadow].When.State[k]) {
				g := &c.scenario(r.Shadow).When.State[k]
				c.roots[i] = c.tellLeftOut(c.idOf(i), "`"+s.ID+"` never fires: `"+c.scenario(r.Shadow).ID+"` comes first, since nothing changes `"+g.Path+"`")
				return true
			}
		}
		return false
	}
	for k := range s.When.State {
		own := &c.lab.Simulator.Scenarios[i].When.State[k]
		if waits := k == r.Guard && has(c.leftOut.waits, own); !waits && !(c.rooting.dropped[i] && has(c.leftOut.waits, own)) {
			continue
		}
		g := &s.When.State[k]
		at, _ := c.value(&g.Path)
		c.roots[i] = c.tellLeftOut(at, "nothing makes `"+g.Path+"` "+string(g.Want.AppendJSON(nil))+", for which `"+s.ID+"` waits")
		c.stepTold[s.Completes] = true
		return true
	}
	return false
}

// tellLeftOut adds to the finding of the step whose scenario is missing, and is that finding's place.
func (c *Check) tellLeftOut(at diag.Span, message string) diag.Span {
	for i := range c.result.Findings {
		if d := &c.result.Findings[i]; d.Code == "step-not-completed" && d.Span == c.leftOut.finding {
			if len(d.Related) < mostRelated {
				d.Related = append(d.Related, diag.Related{Span: at, Message: message})
			}
			return d.Span
		}
	}
	return diag.Span{}
}

// foldLeftOut folds into the finding of the step what else comes of its scenario being missing.
func (c *Check) foldLeftOut() {
	if c.leftOut == nil {
		return
	}
	var folded, rest diag.List
	worst := diag.Info
	for _, d := range c.result.Findings {
		switch {
		case d.Code == "state-unread" && !strings.HasPrefix(d.Message, "the control "),
			d.Code == "state-unwritten" && (d.Fix == nil || len(d.Fix.Edits) == 0):
			folded = append(folded, d)
		case slices.Contains([]diag.Code{"fence-impossible", "fence-too-early", "fence-repeats", "step-exit"}, d.Code) && c.leftOut.inSection(c, d.Span) && (d.Fix == nil || len(d.Fix.Edits) == 0):
			folded = append(folded, d)
		default:
			rest = append(rest, d)
		}
	}
	for _, d := range folded {
		worst = min(worst, d.Severity)
	}
	c.result.Findings = rest
	for i := range folded {
		c.tellLeftOut(folded[i].Span, folded[i].Message)
		for _, r := range folded[i].Related {
			c.tellLeftOut(r.Span, r.Message)
		}
	}
	for i := range c.result.Findings {
		if d := &c.result.Findings[i]; d.Code == "step-not-completed" {
			d.Severity = min(d.Severity, worst)
		}
	}
}

// inSection reports whether a place is in the text of the step's section.
func (a *leftOut) inSection(c *Check, at diag.Span) bool {
	return slices.ContainsFunc(c.sections, func(s section) bool { return s.Content == a.content && s.source == at.Source })
}
