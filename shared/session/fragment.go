package session

import (
	"math"
	"time"

	"asz/shared/yamldoc"
)

func queuedType() yamldoc.Type[Queued] {
	t := yamldoc.Object("queued",
		yamldoc.Required("text", "what was typed or told", yamldoc.Text(), func(q *Queued) *string { return &q.Text }),
		yamldoc.Optional("mode", "who spoke: a person (`prompt`, the default) or the runtime", yamldoc.Word("a mode", ModePrompt, ModeNotification), func(q *Queued) *string { return &q.Mode }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Queued) bool {
		dst.Mode = ModePrompt
		return t.Read(r, n, dst)
	})
}

func injectType() yamldoc.Type[Inject] {
	return yamldoc.Object("inject",
		yamldoc.Required("type", "of the attachment", nameType("a type"), func(i *Inject) *string { return &i.Type }),
		yamldoc.Optional("text", "of the attachment", yamldoc.Text(), func(i *Inject) *string { return &i.Text }),
	)
}

func resultType() yamldoc.Type[Result] {
	return yamldoc.Object("result",
		yamldoc.Required("of", "id of the tool", nameType("a tool id"), func(s *Result) *string { return &s.Of }),
		yamldoc.Optional("text", "what the tool printed", yamldoc.Text(), func(s *Result) *string { return &s.Text }),
		yamldoc.Optional("after", "the gap before it", yamldoc.Ptr(yamldoc.Duration()), func(s *Result) **time.Duration { return &s.After }),
		yamldoc.Optional("failed", "the tool failed", yamldoc.Bool(), func(s *Result) *bool { return &s.Failed }),
		yamldoc.Optional("string", "the structured result is a bare string", yamldoc.Bool(), func(s *Result) *bool { return &s.String }),
	)
}

func resetType() yamldoc.Type[Reset] {
	return yamldoc.Object("reset",
		yamldoc.Required("summary", "what is kept of the conversation", yamldoc.Text(), func(s *Reset) *string { return &s.Summary }),
	)
}

func systemType() yamldoc.Type[System] {
	t := yamldoc.Object("system",
		yamldoc.Required("subtype", "of the record", nameType("a subtype"), func(s *System) *string { return &s.Subtype }),
		yamldoc.Optional("fields", "what else the record holds", fieldsType(), func(s *System) *[]byte { return &s.Fields }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *System) bool {
		dst.Fields = []byte("{}")
		return t.Read(r, n, dst)
	})
}

// thinkingType: one word stands for a text that is not there.
func thinkingType() yamldoc.Type[Thinking] {
	text := yamldoc.Text()
	return yamldoc.NewType(text.Name(), text.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Thinking) bool {
		if !text.Read(r, n, &dst.Text) {
			return false
		}
		if dst.Text == "unavailable" {
			*dst = Thinking{Unavailable: true}
		}
		return true
	})
}

func defaultUsage() *Usage { return &Usage{In: 2, Out: 10, CacheRead: 900, CacheWrite: 100} }

func usageType() yamldoc.Type[*Usage] {
	count := countType()
	return yamldoc.Object("usage",
		yamldoc.Optional("in", "tokens sent, 2 when left out", count, func(u **Usage) *int64 { return &(*u).In }),
		yamldoc.Optional("out", "tokens received, 10 when left out", count, func(u **Usage) *int64 { return &(*u).Out }),
		yamldoc.Optional("cache_read", "tokens taken from the cache, 900 when left out", count, func(u **Usage) *int64 { return &(*u).CacheRead }),
		yamldoc.Optional("cache_write", "tokens put into the cache, 100 when left out", count, func(u **Usage) *int64 { return &(*u).CacheWrite }),
	)
}

// countType reads a count.
func countType() yamldoc.Type[int64] {
	t := yamldoc.Int(0, math.MaxInt)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *int64) bool {
		var v int
		ok := t.Read(r, n, &v)
		*dst = int64(v)
		return ok
	})
}

func toolType() yamldoc.Type[Tool] {
	t := yamldoc.Object("a tool",
		yamldoc.Optional("id", "names the call; the step's name and `-tool` when left out", nameType("a tool id"), func(t *Tool) *string { return &t.ID }),
		yamldoc.Required("name", "of the tool", nameType("a tool's name"), func(t *Tool) *string { return &t.Name }),
		yamldoc.Optional("input", "what the tool is given", jsonObjectType(), func(t *Tool) *[]byte { return &t.Input }),
		yamldoc.Optional("result", "what it gave back; left out, the tool is unfinished", yamldoc.Ptr(toolResultType()), func(t *Tool) **ToolResult { return &t.Result }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Tool) bool {
		dst.Input = []byte("{}")
		return t.Read(r, n, dst)
	})
}

// toolResultType reads a text, or a map that says more.
func toolResultType() yamldoc.Type[ToolResult] {
	text := yamldoc.Text()
	t := yamldoc.Object("a tool's result",
		yamldoc.Optional("text", "what the tool printed", text, func(s *ToolResult) *string { return &s.Text }),
		yamldoc.Optional("after", "how long the tool took", yamldoc.Ptr(yamldoc.Duration()), func(s *ToolResult) **time.Duration { return &s.After }),
		yamldoc.Optional("failed", "the tool failed", yamldoc.Bool(), func(s *ToolResult) *bool { return &s.Failed }),
		yamldoc.Optional("string", "the structured result is a bare string", yamldoc.Bool(), func(s *ToolResult) *bool { return &s.String }),
		yamldoc.Optional("lost", "the result never reached the file", yamldoc.Bool(), func(s *ToolResult) *bool { return &s.Lost }),
	)
	name := "text, or " + t.Name()
	return yamldoc.NewType(name, textOr(t), func(r *yamldoc.Reader, n *yamldoc.Node, dst *ToolResult) bool {
		switch n.Kind {
		case yamldoc.KindMap:
			return t.Read(r, n, dst)
		case yamldoc.KindNull, yamldoc.KindList:
			return wrongType(r, n, name)
		}
		return text.Read(r, n, &dst.Text)
	})
}

func agentType(steps yamldoc.Type[[]Step]) yamldoc.Type[Agent] {
	return yamldoc.Object("an agent",
		yamldoc.Required("name", "of the child", childName(), func(a *Agent) *string { return &a.Name }),
		yamldoc.Optional("prompt", "what the child is told", yamldoc.Text(), func(a *Agent) *string { return &a.Prompt }),
		yamldoc.Optional("after", "the gap before the child's first record", yamldoc.Ptr(yamldoc.Duration()), func(a *Agent) **time.Duration { return &a.After }),
		yamldoc.Optional("steps", "what happens in the child's stream", steps, func(a *Agent) *[]Step { return &a.Steps }),
		yamldoc.Optional("notify", "the runtime reports that the child finished", yamldoc.Bool(), func(a *Agent) *bool { return &a.Notify }),
		yamldoc.Optional("lost", "the child's files never reached the collector", yamldoc.Bool(), func(a *Agent) *bool { return &a.Lost }),
	)
}

func skillType(steps yamldoc.Type[[]Step]) yamldoc.Type[Skill] {
	return yamldoc.Object("a skill",
		yamldoc.Required("name", "of the skill", nameType("a skill's name"), func(s *Skill) *string { return &s.Name }),
		yamldoc.Required("agent", "name of the child", childName(), func(s *Skill) *string { return &s.Agent }),
		yamldoc.Optional("steps", "what happens in the child's stream", steps, func(s *Skill) *[]Step { return &s.Steps }),
		yamldoc.Optional("lost", "the child's files never reached the collector", yamldoc.Bool(), func(s *Skill) *bool { return &s.Lost }),
	)
}

func workflowType(steps yamldoc.Type[[]Step]) yamldoc.Type[Workflow] {
	child := yamldoc.Object("a child of a workflow",
		yamldoc.Required("name", "of the child", childName(), func(c *Child) *string { return &c.Name }),
		yamldoc.Optional("prompt", "what the child is told", yamldoc.Text(), func(c *Child) *string { return &c.Prompt }),
		yamldoc.Optional("steps", "what happens in the child's stream", steps, func(c *Child) *[]Step { return &c.Steps }),
		yamldoc.Optional("lost", "the child's file never reached the collector", yamldoc.Bool(), func(c *Child) *bool { return &c.Lost }),
	)
	return yamldoc.Object("a workflow",
		yamldoc.Required("name", "of the workflow", workflowName(), func(w *Workflow) *string { return &w.Name }),
		yamldoc.Required("children", "the streams it starts", filled(yamldoc.List(child)), func(w *Workflow) *[]Child { return &w.Children }),
	)
}
