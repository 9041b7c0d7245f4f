package sim

import (
	"slices"
	"strconv"

	"asz/shared/lab"
)

// apply does the effects e of the rule as one transaction (labs.md E8): files
// and state deltas and CI run, in the order in which they can see each other.
// On a hard error the state comes back as it was and the result says what and
// where.
func (p *program) apply(s *State, rule int, e *lab.Effects, args, input []Capture) (*State, *Result) {
	after, changes, where, err := p.effects(s, e, args, input)
	id := p.rules[rule].ID
	if err != nil {
		r := failure(1, "lab error in scenario `"+id+"`: "+where+": "+err.Error())
		r.Scenario, r.hard = id, true
		return s, r
	}
	r := &Result{Exit: p.lab.Simulator.Defaults.Exit, Scenario: id, Changes: changes}
	if e.Exit != nil {
		r.Exit = *e.Exit
	}
	r.pieces = []piece{{output: e.Output, mcp: e.MCP, stderr: e.Stderr, scope: scope{args, input, after}}}
	return after, r
}

// effects returns the state after e; where names the effect that failed.
func (p *program) effects(s *State, e *lab.Effects, args, input []Capture) (after *State, c Changes, where string, err error) {
	after = s
	for i := range e.State {
		d := &e.State[i]
		sc := scope{args, input, after}
		value, err := sc.value(d.Value)
		if err == nil {
			after, err = after.set(d.Path, value, d.Append)
		}
		if err != nil {
			return s, c, "state `" + d.Path + "`", err
		}
		c.State = append(c.State, d.Path)
	}
	if e.CI != nil {
		if after, c.Run, err = p.trigger(after, e.CI); err != nil {
			return s, c, "ci", err
		}
		c.State = append(c.State, runsPath)
	}
	if len(e.Files) == 0 {
		return after, c, "", nil
	}
	sc, files := scope{args, input, after}, after.files
	for i := range e.Files {
		op := &e.Files[i]
		text := op.Text
		if op.Verb != lab.FileCopy {
			text, err = sc.expand(text)
		}
		if err == nil {
			files, err = files.apply(op, text)
		}
		if err != nil {
			return s, c, "files, " + op.Verb.String() + " `" + op.Path + "`", err
		}
		changed := op.Path
		if op.Verb == lab.FileCopy {
			changed = op.Text
		}
		if !slices.Contains(c.Files, changed) {
			c.Files = append(c.Files, changed)
		}
	}
	return after.withFiles(files), c, "", nil
}

// complete marks the rule's step, if it has one.
func (p *program) complete(s *State, rule int, r *Result) *State {
	step := p.rules[rule].Completes
	if step == "" {
		return s
	}
	r.Completed = append(r.Completed, step)
	if !s.Done(step) {
		next := *s
		next.done = s.done.Set(step, lab.Value{})
		return &next
	}
	return s
}

const runsPath = "ci.runs"

// trigger appends the CI run that a scenario starts (simulator.md 15.2).
func (p *program) trigger(s *State, t *lab.CITrigger) (*State, int, error) {
	w, ok := p.workflow(t.Workflow)
	if !ok {
		return s, 0, ciError("there is no workflow `" + t.Workflow + "`")
	}
	failed := -1
	if t.FailedStep != "" {
		failed = slices.IndexFunc(w.Steps, func(ws lab.WorkflowStep) bool { return ws.ID == t.FailedStep })
		if failed < 0 {
			return s, 0, ciError("workflow `" + w.ID + "` has no step `" + t.FailedStep + "`")
		}
	}
	switch t.Conclusion {
	case "success":
		failed = -1
	case "failure":
		if len(w.Steps) == 0 {
			return s, 0, ciError("workflow `" + w.ID + "` has no step that could fail")
		}
		if failed < 0 {
			failed = len(w.Steps) - 1
		}
	default:
		failed = s.failing(w)
	}
	commit := lab.Value{}
	if t.Commit != nil {
		commit = lab.Text(*t.Commit)
	}
	return s.appendRun(w, failed, commit, t.Steps, t.Error)
}

// rerun appends a run of the workflow of run number n (0 = the newest), with
// its commit and a conclusion derived from the state (simulator.md 15.4).
func (p *program) rerun(s *State, n int) (*State, int, error) {
	runs := s.tree.Lookup([]string{"ci", "runs"}).List()
	if runs.Len() == 0 {
		return s, 0, ciError("there is no CI run to run again")
	}
	if n == 0 {
		n = runs.Len()
	}
	run, ok := runs.At(n - 1)
	if !ok {
		return s, 0, ciError("there is no CI run " + strconv.Itoa(n))
	}
	id, _ := run.Get("workflowId")
	w, ok := p.workflow(id.Text())
	if !ok {
		return s, 0, ciError("there is no workflow `" + id.Text() + "`")
	}
	commit, _ := run.Get("commit")
	return s.appendRun(w, s.failing(w), commit, nil, nil)
}

type ciError string

func (e ciError) Error() string { return string(e) }

func (p *program) workflow(id string) (*lab.Workflow, bool) {
	i, ok := p.workflows[id]
	if !ok {
		return nil, false
	}
	return &p.lab.Simulator.Workflows[i], true
}

// failing is the first step whose requirement the state does not meet, or -1.
func (s *State) failing(w *lab.Workflow) int {
	return slices.IndexFunc(w.Steps, func(ws lab.WorkflowStep) bool {
		if ws.Requires == "" {
			return false
		}
		segments, _ := lab.StatePath(ws.Requires)
		return Holds(lab.Bool(false), s.Lookup(segments))
	})
}

// appendRun appends the record of a run in which step failed (-1 = none) fails
// and those after it are skipped; it returns the number of the run.
func (s *State) appendRun(w *lab.Workflow, failed int, commit lab.Value, overrides []lab.StepOverride, message *string) (*State, int, error) {
	var steps []lab.Value
	problem := lab.Value{}
	for i := range w.Steps {
		step := &w.Steps[i]
		name, logs := step.Name, step.Logs
		status := "success"
		switch {
		case failed >= 0 && i > failed:
			status, logs = "skipped", nil
		case i == failed:
			status = "failure"
			if step.Failure.Logs != nil {
				logs = step.Failure.Logs
			}
			if step.Failure.Error != nil {
				problem = lab.Text(*step.Failure.Error)
			}
			if message != nil {
				problem = lab.Text(*message)
			}
		}
		for _, o := range overrides {
			if o.ID != step.ID {
				continue
			}
			if o.Name != nil {
				name = *o.Name
			}
			if o.Logs != nil && status != "skipped" {
				logs = o.Logs
			}
		}
		lines := make([]lab.Value, len(logs))
		for j, l := range logs {
			lines[j] = lab.Text(l)
		}
		steps = append(steps, lab.EmptyMap().With("id", lab.Text(step.ID)).With("name", lab.Text(name)).
			With("status", lab.Text(status)).With("logs", lab.ListOf(lines...)))
	}
	conclusion := "success"
	if failed >= 0 {
		conclusion = "failure"
	}
	number := s.tree.Lookup([]string{"ci", "runs"}).List().Len() + 1
	run := lab.EmptyMap().With("id", lab.Int(number)).With("workflowId", lab.Text(w.ID)).
		With("workflow", lab.Text(w.Name)).With("event", lab.Text(w.On)).With("commit", commit).
		With("conclusion", lab.Text(conclusion)).With("error", problem).With("steps", lab.ListOf(steps...))
	s, err := s.set(runsPath, run, true)
	return s, number, err
}
