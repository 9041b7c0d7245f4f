package session

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// stepKinds are the keys of which a step has one.
var stepKinds = [...]string{"input", "queued", "inject", "call", "result", "error", "reset", "replay", "system"}

// lastFragments are the keys of which a call has one at most.
var lastFragments = [...]string{"tool", "agent", "skill", "workflow"}

func scenarioType() yamldoc.Type[Scenario] {
	text := yamldoc.Text()
	t := yamldoc.Object("a session scenario",
		yamldoc.Optional("session", "id of the session; made of the steps when left out", text, func(s *Scenario) *string { return &s.Session }),
		yamldoc.Optional("project", "name of the project directory", projectType(), func(s *Scenario) *string { return &s.Project }),
		yamldoc.Optional("title", "of the conversation", text, func(s *Scenario) *string { return &s.Title }),
		yamldoc.Optional("interval", "the gap between steps, such as 1s", yamldoc.Duration(), func(s *Scenario) *time.Duration { return &s.Interval }),
		yamldoc.Required("steps", "what happens in the main stream", stepsType(), func(s *Scenario) *[]Step { return &s.Steps }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Scenario) bool {
		dst.Project, dst.Interval = DefaultProject, time.Second
		return t.Read(r, n, dst)
	})
}

// stepsType reads the main stream. A call may start children whose steps hold calls again: there the type is the one
// read already, and the schema names it.
func stepsType() yamldoc.Type[[]Step] {
	var call yamldoc.Type[Call]
	again := yamldoc.NewType("a map (a call)", func() *schema {
		return &schema{AllOf: []*schema{yamldoc.Defined("call")}}
	}, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Call) bool { return call.Read(r, n, dst) })
	call = callType(filled(yamldoc.List(stepType(true, again))))
	return filled(yamldoc.List(stepType(false, call)))
}

func stepType(child bool, call yamldoc.Type[Call]) yamldoc.Type[Step] {
	name := "a step"
	checkpoint, replay := nameType("a checkpoint", Final), yamldoc.Int(1, math.MaxInt)
	if child {
		name = "a step of a child"
		checkpoint, replay = nowhere[string](), nowhere[int]()
	}
	text := yamldoc.Ptr(yamldoc.Text())
	t := yamldoc.Object(name,
		yamldoc.Optional("input", "a person's message", text, func(s *Step) **string { return &s.Input }),
		yamldoc.Optional("queued", "input that waited for its turn", yamldoc.Ptr(queuedType()), func(s *Step) **Queued { return &s.Queued }),
		yamldoc.Optional("inject", "an attachment that the runtime adds", yamldoc.Ptr(injectType()), func(s *Step) **Inject { return &s.Inject }),
		yamldoc.Optional("call", "one provider call, in fragments", yamldoc.Ptr(call), func(s *Step) **Call { return &s.Call }),
		yamldoc.Optional("result", "the result of a tool of an earlier step", yamldoc.Ptr(resultType()), func(s *Step) **Result { return &s.Result }),
		yamldoc.Optional("error", "an assistant's message that the client made", text, func(s *Step) **string { return &s.Error }),
		yamldoc.Optional("reset", "a context reset", yamldoc.Ptr(resetType()), func(s *Step) **Reset { return &s.Reset }),
		yamldoc.Optional("replay", "so many records of the main stream again", replay, func(s *Step) *int { return &s.Replay }),
		yamldoc.Optional("system", "a system record", yamldoc.Ptr(systemType()), func(s *Step) **System { return &s.System }),
		yamldoc.Optional("after", "the gap before the step, in place of the interval", yamldoc.Ptr(yamldoc.Duration()), func(s *Step) **time.Duration { return &s.After }),
		yamldoc.Optional("checkpoint", "a point that a check can stop at", checkpoint, func(s *Step) *string { return &s.Checkpoint }),
		yamldoc.Optional("lost", "the records never reached the file", yamldoc.Bool(), func(s *Step) *bool { return &s.Lost }),
	)
	t = yamldoc.Narrow(t, oneKind(child))
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Step) bool {
		dst.At = n.Span.FirstLine()
		ok := t.Read(r, n, dst)
		if n.Kind != yamldoc.KindMap {
			if n.Kind == yamldoc.KindNull && !n.Broken {
				r.Report("step-form", dst.At, "the step does nothing")
			}
			return false
		}
		return checkStep(r, n, child) && ok
	})
}

// checkStep holds a step to one kind, and one of a child to what a child may do.
func checkStep(r *yamldoc.Reader, n *yamldoc.Node, child bool) bool {
	ok, misspelt := true, false
	var kinds []*yamldoc.Node
	for _, p := range n.Pairs {
		switch {
		case slices.Contains(stepKinds[:], p.Key):
			kinds = append(kinds, p.KeyNode)
		case p.Key != "after" && p.Key != "checkpoint" && p.Key != "lost":
			misspelt = true // an unknown key, reported as such: it may be the kind
		}
		if child && (p.Key == "checkpoint" || p.Key == "replay") {
			d := r.Report("main-only", p.KeyNode.Span, "`"+p.Key+"` stands in the steps of a child")
			if p.Key == "replay" {
				d.Fix.Text = "move the step to the main stream, or remove it"
			}
			ok = false
		}
	}
	switch {
	case len(kinds) == 0 && !misspelt && !n.Broken:
		r.Report("step-form", n.Span.FirstLine(), "the step does nothing: it has none of "+strings.Join(stepKinds[:], ", "))
		ok = false
	case len(kinds) > 1:
		ok = twoOf(r, "step-form", "a step does one thing, and this one has", kinds)
	}
	return ok
}

// twoOf reports the second of two keys of which one may stand.
func twoOf(r *yamldoc.Reader, code diag.Code, what string, keys []*yamldoc.Node) bool {
	first, second := keys[0], keys[1]
	d := r.Report(code, second.Span, fmt.Sprintf("%s `%s` and `%s`", what, first.Text, second.Text))
	d.Related = []diag.Related{{Span: first.Span, Message: "`" + first.Text + "` stands here"}}
	return false
}

func callType(steps yamldoc.Type[[]Step]) yamldoc.Type[Call] {
	t := yamldoc.Object("a call",
		yamldoc.Optional("thinking", "the reasoning; `unavailable` is one without a text", yamldoc.Ptr(thinkingType()), func(c *Call) **Thinking { return &c.Thinking }),
		yamldoc.Optional("text", "what the model says", yamldoc.Ptr(yamldoc.Text()), func(c *Call) **string { return &c.Text }),
		yamldoc.Optional("usage", "tokens counted", usageType(), func(c *Call) **Usage { return &c.Usage }),
		yamldoc.Optional("tool", "a tool call", yamldoc.Ptr(toolType()), func(c *Call) **Tool { return &c.Tool }),
		yamldoc.Optional("agent", "a child agent", yamldoc.Ptr(agentType(steps)), func(c *Call) **Agent { return &c.Agent }),
		yamldoc.Optional("skill", "a skill that runs in a fork", yamldoc.Ptr(skillType(steps)), func(c *Call) **Skill { return &c.Skill }),
		yamldoc.Optional("workflow", "children started as one batch", yamldoc.Ptr(workflowType(steps)), func(c *Call) **Workflow { return &c.Workflow }),
	)
	t = yamldoc.Narrow(t, fragments)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Call) bool {
		dst.Usage = defaultUsage()
		ok := t.Read(r, n, dst)
		return checkCall(r, n) && ok
	})
}

// checkCall holds a call to its fragments. What is said of the whole step stands beside the call, not in it.
func checkCall(r *yamldoc.Reader, n *yamldoc.Node) bool {
	says := false // or may say, under a key that is misspelt
	var last []*yamldoc.Node
	for _, p := range n.Pairs {
		says = says || p.Key != "usage"
		switch {
		case slices.Contains(lastFragments[:], p.Key):
			last = append(last, p.KeyNode)
		case p.Key == "after" || p.Key == "checkpoint" || p.Key == "lost":
			d := r.Report("unknown-key", p.KeyNode.Span, fmt.Sprintf("unknown key %q in a call", p.Key)) // completes the one that is there
			d.Fix = &diag.Fix{Text: fmt.Sprintf("write %q on the step, beside `call:`", p.Key+":")}
		}
	}
	if !says && !n.Broken && (n.Kind == yamldoc.KindMap || n.Kind == yamldoc.KindNull) {
		r.Report("call-form", n.Span.FirstLine(), "the call says and asks nothing")
		return false
	}
	return len(last) < 2 || twoOf(r, "call-form", "a call ends in one thing, and this one has", last)
}
