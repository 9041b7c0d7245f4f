package session

import (
	"bytes"
	"encoding/json"
	"time"
)

// Canonical is the steps as JSON with sorted keys and defaults filled in: the same for every way to write them down. A
// session that is given no id has one made of it.
func (s *Scenario) Canonical() []byte { return marshal(canonicalSteps(s.Steps)) }

type object = map[string]any

func canonicalSteps(steps []Step) []any {
	list := make([]any, len(steps))
	for i := range steps {
		list[i] = canonicalStep(&steps[i])
	}
	return list
}

func canonicalStep(s *Step) object {
	o := object{}
	put(o, "after", s.After)
	set(o, "lost", s.Lost)
	if s.Checkpoint != "" {
		o["checkpoint"] = s.Checkpoint
	}
	switch {
	case s.Input != nil:
		o["input"] = *s.Input
	case s.Queued != nil:
		o["queued"] = object{"text": s.Queued.Text, "mode": s.Queued.Mode}
	case s.Inject != nil:
		o["inject"] = object{"type": s.Inject.Type, "text": s.Inject.Text}
	case s.Call != nil:
		o["call"] = canonicalCall(s.Call)
	case s.Result != nil:
		r := object{"of": s.Result.Of, "text": s.Result.Text}
		put(r, "after", s.Result.After)
		set(r, "failed", s.Result.Failed)
		set(r, "string", s.Result.String)
		o["result"] = r
	case s.Error != nil:
		o["error"] = *s.Error
	case s.Reset != nil:
		o["reset"] = object{"summary": s.Reset.Summary}
	case s.Replay > 0:
		o["replay"] = s.Replay
	case s.System != nil:
		o["system"] = object{"subtype": s.System.Subtype, "fields": sorted(s.System.Fields)}
	}
	return o
}

func canonicalCall(c *Call) object {
	u := c.Usage
	o := object{"usage": object{"in": u.In, "out": u.Out, "cache_read": u.CacheRead, "cache_write": u.CacheWrite}}
	if t := c.Thinking; t != nil {
		o["thinking"] = object{"unavailable": t.Unavailable, "text": t.Text}
	}
	put(o, "text", c.Text)
	if t := c.Tool; t != nil {
		tool := object{"id": t.ID, "name": t.Name, "input": sorted(t.Input)}
		if r := t.Result; r != nil {
			result := object{"text": r.Text}
			put(result, "after", r.After)
			set(result, "failed", r.Failed)
			set(result, "string", r.String)
			set(result, "lost", r.Lost)
			tool["result"] = result
		}
		o["tool"] = tool
	}
	if a := c.Agent; a != nil {
		agent := object{"name": a.Name, "prompt": a.Prompt, "steps": canonicalSteps(a.Steps)}
		put(agent, "after", a.After)
		set(agent, "notify", a.Notify)
		set(agent, "lost", a.Lost)
		o["agent"] = agent
	}
	if s := c.Skill; s != nil {
		skill := object{"name": s.Name, "agent": s.Agent, "steps": canonicalSteps(s.Steps)}
		set(skill, "lost", s.Lost)
		o["skill"] = skill
	}
	if w := c.Workflow; w != nil {
		children := make([]any, len(w.Children))
		for i := range w.Children {
			c := &w.Children[i]
			child := object{"name": c.Name, "prompt": c.Prompt, "steps": canonicalSteps(c.Steps)}
			set(child, "lost", c.Lost)
			children[i] = child
		}
		o["workflow"] = object{"name": w.Name, "children": children}
	}
	return o
}

// put writes a value that was written: a duration as its nanoseconds.
func put[T string | time.Duration](o object, key string, v *T) {
	if v != nil {
		o[key] = *v
	}
}

func set(o object, key string, v bool) {
	if v {
		o[key] = true
	}
}

// sorted reads JSON of ours again, so that its keys come sorted; numbers keep their digits.
func sorted(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(err) // it was written here
	}
	return v
}

func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // maps, lists, texts and numbers always marshal
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
