package conform

import (
	"fmt"
	"strings"
	"time"

	"asz/native/claudecode"
	"asz/native/store"
	"asz/shared/session"
)

// launch plans a child agent: its acknowledgement, its stream and its meta file, and the notification.
func (s *stream) launch(a *session.Agent, tool string) {
	id := AgentID(a.Name)
	s.acknowledge(claudecode.Line{ID: s.name + "-ack", Tool: tool, Text: "launched", Status: "async_launched", Child: id})
	c := s.child(child{name: a.Name, prompt: a.Prompt, steps: a.Steps, lost: a.Lost}, s.clock.Add(s.gap(a.After)))
	s.sidecar(a.Name, "general-purpose", a.Lost)
	if !a.Notify {
		return
	}
	s.clock = c.clock.Add(s.interval)
	s.run = s.name + "-cycle-notification"
	text := "<task-notification>\n<task-id>" + id + "</task-id>\n<tool-use-id>" + tool + "</tool-use-id>\n<status>completed</status>\n</task-notification>"
	s.put(claudecode.Line{Type: claudecode.LineNotification, ID: s.name + "-notification", Run: s.run, Text: text})
}

// fork plans a skill: its child is named in the result alone.
func (s *stream) fork(k *session.Skill, tool string) {
	s.acknowledge(claudecode.Line{ID: s.name + "-ack", Tool: tool, Text: "forked", Status: "forked", Child: AgentID(k.Agent)})
	s.child(child{name: k.Agent, prompt: k.Name, steps: k.Steps, lost: k.Lost}, s.clock.Add(s.interval))
	s.sidecar(k.Agent, "skill", k.Lost)
}

// workflow plans a batch of children, with its journal, manifest and script. The stream goes on behind the last of them.
func (s *stream) workflow(w *session.Workflow, tool string) {
	batch := batchID(w.Name)
	if strings.Contains(batch, "-wf_") {
		s.fail("the run id %s of the workflow %q holds -wf_, by which the name of its script is cut apart: rename it", batch, w.Name)
	}
	s.acknowledge(claudecode.Line{ID: s.name + "-ack", Tool: tool, Text: "launched", Status: "async_launched", Batch: batch})
	journal := &File{Source: s.source(store.Journal, "", batch)}
	begin, end := s.clock.Add(s.interval), s.clock
	for i, c := range w.Children {
		id := AgentID(c.Name)
		start := begin.Add(s.scaled(time.Duration(i) * childStep))
		done := s.child(child{name: c.Name, prompt: c.Prompt, steps: c.Steps, lost: c.Lost, batch: batch}, start)
		if done.clock.After(end) {
			end = done.clock
		}
		s.add(journal, false, claudecode.Line{Type: claudecode.LineStarted, Child: id})
		s.add(journal, false, claudecode.Line{Type: claudecode.LineReturned, Child: id, Text: done.text})
	}
	s.clock = end
	manifest := &File{Source: s.source(store.Manifest, "", batch)}
	s.add(manifest, false, claudecode.Line{Type: claudecode.LineManifest, Batch: batch, Name: w.Name})
	script := &File{Source: s.source(store.Script, "", batch)}
	label := strings.TrimPrefix(batch, "wf_")
	script.Rel = claudecode.Place(s.planner.plan.Project, script.Source, "", label[:min(len(label), 40)])
	s.add(script, false, claudecode.Line{Type: claudecode.LineScript, Name: w.Name})
	s.batch = append(s.batch, journal, manifest, script)
}

// child is what a stream starts.
type child struct {
	name, prompt string
	steps        []session.Step
	lost         bool
	batch        string // of a workflow
}

// child plans the transcript of a child, from its prompt on.
func (s *stream) child(c child, start time.Time) *stream {
	id := AgentID(c.name)
	f := &File{Source: s.source(store.Transcript, id, "")}
	f.Rel = claudecode.Place(s.planner.plan.Project, f.Source, c.batch, "")
	own := &stream{planner: s.planner, file: f, agent: id, clock: start, run: id + "-cycle"}
	own.put(claudecode.Line{Type: claudecode.LinePrompt, ID: id + "-prompt", Run: own.run, Text: c.prompt})
	for i := range c.steps {
		if s.err != nil {
			return own
		}
		own.plan(&c.steps[i], fmt.Sprintf("%s-s%d", c.name, i+1))
	}
	for i := range f.Records {
		f.Records[i].Lost = f.Records[i].Lost || c.lost
	}
	s.children = append(s.children, f)
	return own
}

// sidecar plans the meta file of a child.
func (s *stream) sidecar(name, kind string, lost bool) {
	f := &File{Source: s.source(store.AgentMeta, AgentID(name), "")}
	s.add(f, lost, claudecode.Line{Type: claudecode.LineSidecar, Name: kind, Text: name})
	s.children = append(s.children, f)
}
