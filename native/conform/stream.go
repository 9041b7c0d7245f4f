package conform

import (
	"time"

	"asz/native/claudecode"
	"asz/native/store"
	"asz/shared/session"
)

// stream plans the steps of the main stream or of a child.
type stream struct {
	*planner
	file  *File
	agent string // id of a child

	clock   time.Time // of the record that the next step follows
	begun   bool      // a record with a time was planned
	last    string    // id of the record planned last
	run     string    // cycle in progress
	text    string    // what the model said last
	current *session.Step
	name    string // of the current step
}

// plan plans one step.
func (s *stream) plan(step *session.Step, name string) {
	s.current, s.name = step, name
	switch {
	case step.Input != nil:
		s.run = name + "-cycle"
		s.advance(s.gap(step.After))
		s.put(claudecode.Line{Type: claudecode.LineInput, ID: name + "-input", Run: s.run, Text: *step.Input})
	case step.Queued != nil:
		s.advance(s.gap(step.After))
		s.put(claudecode.Line{Type: claudecode.LineQueued, ID: name + "-queued", Name: step.Queued.Mode, Text: step.Queued.Text})
	case step.Inject != nil:
		s.advance(s.gap(step.After))
		s.put(claudecode.Line{Type: claudecode.LineInject, ID: name + "-inject", Name: step.Inject.Type, Text: step.Inject.Text})
	case step.Call != nil:
		s.advance(s.gap(step.After))
		s.call(step.Call)
	case step.Result != nil:
		r := step.Result
		if r.After != nil { // a gap of its own, as that of the first step is
			s.clock = s.clock.Add(s.gap(r.After))
		} else {
			s.advance(s.gap(step.After))
		}
		run, known := s.runs[r.Of]
		if !known {
			run = s.run
		}
		s.put(claudecode.Line{Type: claudecode.LineResult, ID: name + "-result", Run: run, Tool: r.Of, Text: r.Text, Failed: r.Failed, Bare: r.String})
	case step.Error != nil:
		s.advance(s.gap(step.After))
		s.put(claudecode.Line{Type: claudecode.LineSynthetic, ID: name + "-synthetic", Call: name + "-synthetic-call", Text: *step.Error})
	case step.Reset != nil:
		s.advance(s.gap(step.After))
		s.reset(step.Reset)
	case step.Replay > 0:
		s.replay(step.Replay)
	case step.System != nil:
		s.advance(s.gap(step.After))
		s.put(claudecode.Line{Type: claudecode.LineSystem, ID: name + "-system", Name: step.System.Subtype, Fields: step.System.Fields})
	}
}

// advance moves the clock by the gap before a step. Nothing stands before the first record but a gap of its own.
func (s *stream) advance(gap time.Duration) {
	if s.begun || s.current.After != nil {
		s.clock = s.clock.Add(gap)
	}
}

// put plans a record at the time of the clock, below the one before it.
func (s *stream) put(l claudecode.Line) { s.putAt(l, s.clock, false) }

// putAt plans a record; lost says that it is left out even when its step is not.
func (s *stream) putAt(l claudecode.Line, at time.Time, lost bool) {
	l.Time = at
	if l.Type != claudecode.LineBoundary {
		l.Parent = s.last
	}
	s.latest(at)
	s.add(s.file, lost || s.current != nil && s.current.Lost, l)
	s.last, s.begun = l.ID, true
}

// call plans the fragments of a call, and what the last one causes.
func (s *stream) call(c *session.Call) {
	usage := &store.Usage{In: c.Usage.In, Out: c.Usage.Out, CacheRead: c.Usage.CacheRead, CacheWrite: c.Usage.CacheWrite}
	var fragments []claudecode.Line
	if t := c.Thinking; t != nil {
		fragments = append(fragments, claudecode.Line{Type: claudecode.LineThinking, ID: s.name + "-think", Text: t.Text})
	}
	if c.Text != nil {
		s.text = *c.Text
		fragments = append(fragments, claudecode.Line{Type: claudecode.LineText, ID: s.name + "-text", Text: *c.Text})
	}
	use := claudecode.Line{Type: claudecode.LineUse, ID: s.name + "-use", Tool: s.name + "-tool"}
	object := func(pairs ...string) []byte { return claudecode.AppendObject(nil, pairs...) }
	switch {
	case c.Tool != nil:
		use.Tool, use.Name, use.Input = c.Tool.ID, c.Tool.Name, c.Tool.Input
	case c.Agent != nil:
		use.Name, use.Input = "Agent", object("description", c.Agent.Name, "prompt", c.Agent.Prompt)
	case c.Skill != nil:
		use.Name, use.Input = "Skill", object("skill", c.Skill.Name)
	case c.Workflow != nil:
		use.Name, use.Input = "Workflow", object("name", c.Workflow.Name)
	}
	stop := "end_turn"
	if use.Name != "" || c.Tool != nil {
		stop = "tool_use"
		s.runs[use.Tool] = s.run
		fragments = append(fragments, use)
	}
	for i, l := range fragments {
		if i > 0 {
			s.clock = s.clock.Add(s.scaled(fragmentGap))
		}
		if i == len(fragments)-1 {
			l.Stop = stop
		}
		l.Call, l.Usage = s.name+"-call", usage
		s.put(l)
	}
	switch {
	case c.Tool != nil && c.Tool.Result != nil:
		r := c.Tool.Result
		s.clock = s.clock.Add(s.gap(r.After))
		s.putAt(claudecode.Line{
			Type: claudecode.LineResult, ID: s.name + "-result", Run: s.run, Tool: use.Tool, Text: r.Text, Failed: r.Failed, Bare: r.String,
		}, s.clock, r.Lost)
	case c.Agent != nil:
		s.launch(c.Agent, use.Tool)
	case c.Skill != nil:
		s.fork(c.Skill, use.Tool)
	case c.Workflow != nil:
		s.workflow(c.Workflow, use.Tool)
	}
}

// acknowledge plans the result that says that something was started.
func (s *stream) acknowledge(l claudecode.Line) {
	s.clock = s.clock.Add(s.scaled(fragmentGap))
	l.Type, l.Run = claudecode.LineResult, s.run
	s.put(l)
}

// reset plans a boundary and its summary, which is stamped first and written last.
func (s *stream) reset(r *session.Reset) {
	boundary := s.clock
	s.put(claudecode.Line{Type: claudecode.LineBoundary, ID: s.name + "-boundary", Previous: s.last})
	s.run = s.name + "-cycle-compact"
	s.putAt(claudecode.Line{Type: claudecode.LineSummary, ID: s.name + "-summary", Run: s.run, Text: r.Summary}, boundary.Add(-s.scaled(summaryLead)), false)
}

// replay plans the last n records of the stream again. Copies of what is left out are left out.
func (s *stream) replay(n int) {
	there := len(s.file.Records)
	if n > there {
		s.fail("the step replays %d records, and %d stand before it", n, there)
		return
	}
	if n > s.limit-s.records { // before they are copied
		s.tooMany()
		return
	}
	for _, r := range s.file.Records[there-n:] {
		if r.Run != "" {
			r.Run = s.name + "-replay-cycle"
		}
		s.add(s.file, r.Lost || s.current.Lost, r.Line)
		if s.err != nil {
			return
		}
	}
}
