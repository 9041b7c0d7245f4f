package labfile

import (
	"math"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/yamldoc"
)

func scenarioType() yamldoc.Type[lab.Scenario] {
	type sc = lab.Scenario
	text := yamldoc.Text()
	t := yamldoc.Object("a scenario",
		yamldoc.Optional("id", "unique; required", text, func(s *sc) *string { return &s.ID }),
		yamldoc.Optional("description", "a note of the author", text, func(s *sc) *string { return &s.Description }),
		yamldoc.Optional("completes", "the step that is done when this fires", text, func(s *sc) *string { return &s.Completes }),
		yamldoc.Optional("when", "the conditions; none = every command", whenType(), func(s *sc) *lab.When { return &s.When }),
		yamldoc.Required("then", "the effects", effectsType(true), func(s *sc) *lab.Effects { return &s.Then }),
	)
	return yamldoc.Narrow(t, scenarioSchema)
}

func whenType() yamldoc.Type[lab.When] {
	type when = lab.When
	text := yamldoc.Text()
	t := yamldoc.Object("when",
		yamldoc.Optional("command", "the leading words", commandType(), func(w *when) *[]string { return &w.Command }),
		yamldoc.Optional("args", "conditions on flags and positionals", argsType(), func(w *when) *[]lab.Arg { return &w.Args }),
		yamldoc.Optional("agent", "matches agent prompts", yamldoc.Bool(), func(w *when) *bool { return &w.Agent }),
		yamldoc.Optional("prompt", "the exact prompt", yamldoc.Ptr(text), func(w *when) **string { return &w.Prompt }),
		yamldoc.Optional("promptContains", "what the prompt contains, in any case", yamldoc.List(text), func(w *when) *[]string { return &w.PromptContains }),
		yamldoc.Optional("terminal", "only in this terminal", text, func(w *when) *string { return &w.Terminal }),
		yamldoc.Optional("state", "conditions on the state", guardsType(), func(w *when) *[]lab.Guard { return &w.State }),
	)
	return yamldoc.Narrow(t, whenSchema)
}

// commandType reads a path: a text that is split at blanks, or a list of words.
func commandType() yamldoc.Type[[]string] {
	text := yamldoc.Text()
	words := yamldoc.List(text)
	return yamldoc.NewType("text or a list of words", commandSchema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]string) bool {
		if n.Kind == yamldoc.KindList {
			return words.Read(r, n, dst)
		}
		var line string
		ok := text.Read(r, n, &line)
		*dst = strings.Fields(line)
		r.Place(dst, n)
		return ok
	})
}

// maxPosition bounds the positions that a condition may name: lines that fulfil it are written word for word.
const maxPosition = 1000

func argsType() yamldoc.Type[[]lab.Arg] {
	return entriesType("a map from flag or position to matcher", argKeys, matcherSchema, func(r *yamldoc.Reader, p yamldoc.Pair, a *lab.Arg) bool {
		r.Place(a, p.KeyNode)
		ok := true
		if pos, is := lab.Atoi(p.Key); is && pos >= 0 && p.Key[0] != '-' {
			a.Pos = pos
			if ok = pos < maxPosition; !ok {
				d := r.Report("matcher", p.KeyNode.Span, "no line has a word at position "+p.Key)
				d.Fix = &diag.Fix{Text: "count the words after those of `command`, from 0"}
			}
		} else if a.Flag = lab.FlagName(p.Key); a.Flag == "" {
			r.Report("matcher", p.KeyNode.Span, "`"+p.Key+"` names no flag and no position")
			ok = false
		}
		return readMatcher(r, p.Value, &a.Matcher) && ok
	})
}

// readMatcher reads one of the five matchers of simulator.md 6.2.
func readMatcher(r *yamldoc.Reader, n *yamldoc.Node, m *lab.Matcher) bool {
	r.Place(m, n)
	if n.Broken {
		return false
	}
	switch n.Kind {
	case yamldoc.KindText, yamldoc.KindNumber:
		var text string
		ok := yamldoc.Text().Read(r, n, &text)
		*m = lab.Matcher{Kind: lab.MatchEquals, Set: []string{text}}
		return ok
	case yamldoc.KindBool:
		m.Kind = lab.MatchAbsent
		if n.Bool {
			m.Kind = lab.MatchPresent
		}
		return true
	case yamldoc.KindMap:
		if len(n.Pairs) != 1 {
			break
		}
		switch p := n.Pairs[0]; p.Key {
		case "any":
			if p.Value.Kind == yamldoc.KindBool && p.Value.Bool {
				m.Kind = lab.MatchAny
				return true
			}
		case "oneOf":
			m.Kind = lab.MatchOneOf
			if p.Value.Kind == yamldoc.KindList && len(p.Value.Items) > 0 {
				return yamldoc.List(yamldoc.Text()).Read(r, p.Value, &m.Set)
			}
		}
	}
	r.Report("matcher", n.Span.FirstLine(), "a matcher is a text, a number, true, false, { any: true } or { oneOf: [a, b] }")
	return false
}

func guardsType() yamldoc.Type[[]lab.Guard] {
	value := valueType()
	return entriesType(stateMap, statePathKeys, value.Schema, func(r *yamldoc.Reader, p yamldoc.Pair, g *lab.Guard) bool {
		g.Path = p.Key
		r.Place(&g.Path, p.KeyNode)
		ok := appendElsewhere(r, p, false) && checkPath(r, p.KeyNode, p.Key)
		return value.Read(r, p.Value, &g.Want) && ok
	})
}

// effectsType reads effects; those at the top of a scenario may also open a
// session or an input.
func effectsType(top bool) yamldoc.Type[lab.Effects] {
	type eff = lab.Effects
	lines := yamldoc.List(lineType())
	fields := []yamldoc.Field[eff]{
		yamldoc.Optional("files", "changes to the files", yamldoc.List(fileOpType()), func(e *eff) *[]lab.FileOp { return &e.Files }),
		yamldoc.Optional("state", "changes to the state", deltasType(), func(e *eff) *[]lab.Delta { return &e.State }),
		yamldoc.Optional("output", "lines of stdout", lines, func(e *eff) *[]lab.Line { return &e.Output }),
		yamldoc.Optional("stderr", "lines of stderr", lines, func(e *eff) *[]lab.Line { return &e.Stderr }),
		yamldoc.Optional("exit", "exit code", yamldoc.Ptr(exitType()), func(e *eff) **int { return &e.Exit }),
		yamldoc.Optional("mcp", "mocked tool calls", yamldoc.List(mcpType()), func(e *eff) *[]lab.MCPCall { return &e.MCP }),
		yamldoc.Optional("ci", "starts a CI run", yamldoc.Ptr(ciType()), func(e *eff) **lab.CITrigger { return &e.CI }),
	}
	if !top {
		fields = append(fields,
			yamldoc.Optional("session", "not here", nested[*lab.Session]("session"), func(e *eff) **lab.Session { return &e.Session }),
			yamldoc.Optional("input", "not here", nested[*lab.Input]("input"), func(e *eff) **lab.Input { return &e.Input }),
		)
		return yamldoc.Object("input.then", fields...)
	}
	fields = append(fields,
		yamldoc.Optional("session", "opens an agent session", yamldoc.Ptr(sessionType()), func(e *eff) **lab.Session { return &e.Session }),
		yamldoc.Optional("input", "asks for lines", yamldoc.Ptr(inputType()), func(e *eff) **lab.Input { return &e.Input }),
	)
	return yamldoc.Narrow(yamldoc.Object("then", fields...), inputOrSession)
}

// nested refuses a field of a scenario's `then` in an input's.
func nested[T any](name string) yamldoc.Type[T] {
	return yamldoc.NewType("nothing", yamldoc.NoSchema, func(r *yamldoc.Reader, n *yamldoc.Node, _ *T) bool {
		r.Report("input-nested", n.Span.FirstLine(), "`"+name+"` is not possible in an input's `then`")
		return false
	})
}

func lineType() yamldoc.Type[lab.Line] {
	text := yamldoc.Text()
	entry := yamldoc.Object("a line of output",
		yamldoc.Optional("text", "what is printed; none = a pause", yamldoc.Ptr(text), func(l *lab.Line) **string { return &l.Text }),
		yamldoc.Optional("delay", "wait before it: ms or the name of a pace", yamldoc.Ptr(delayType()), func(l *lab.Line) **lab.Delay { return &l.Delay }),
	)
	return yamldoc.NewType("text, or a map with text and delay", lineSchema(entry), func(r *yamldoc.Reader, n *yamldoc.Node, dst *lab.Line) bool {
		// A map of one other key and no brackets is text that lost its quotes, `- Status: ok`.
		lost := !strings.HasPrefix(n.Span.Text(), "{") && len(n.Pairs) == 1 && n.Get("text") == nil && n.Get("delay") == nil
		if n.Kind == yamldoc.KindMap && !lost {
			return entry.Read(r, n, dst)
		}
		dst.Text = new(string)
		return text.Read(r, n, dst.Text)
	})
}

func delayType() yamldoc.Type[lab.Delay] {
	const name = "a number of milliseconds or the name of a pace"
	ms, text := yamldoc.Int(0, math.MaxInt32), yamldoc.Text()
	schema := func() *yamldoc.Schema {
		s := ms.Schema()
		s.Types = append(s.Types, "string")
		return s
	}
	return yamldoc.NewType(name, schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *lab.Delay) bool {
		if n.Kind == yamldoc.KindText {
			return text.Read(r, n, &dst.Pace)
		}
		return ms.Read(r, n, &dst.MS)
	})
}

func deltasType() yamldoc.Type[[]lab.Delta] {
	value := valueType()
	t := entriesType(stateMap, deltaKeys, value.Schema, func(r *yamldoc.Reader, p yamldoc.Pair, d *lab.Delta) bool {
		d.Path = p.Key
		if path, appends := strings.CutSuffix(strings.TrimSpace(p.Key), "+="); appends {
			d.Path, d.Append = strings.TrimSpace(path), true
		}
		r.Place(&d.Path, p.KeyNode)
		ok := appendEntry(r, p) && checkPath(r, p.KeyNode, d.Path)
		return value.Read(r, p.Value, &d.Value) && ok
	})
	lines := yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]lab.Delta) bool {
		return appendAlone(r, n) && appendList(r, n) && t.Read(r, n, dst)
	})
	return yamldoc.Narrow(lines, orAppendLine)
}

func mcpType() yamldoc.Type[lab.MCPCall] {
	type call = lab.MCPCall
	text := yamldoc.Text()
	return yamldoc.Object("an mcp call",
		yamldoc.Required("tool", "name of the tool", text, func(c *call) *string { return &c.Tool }),
		yamldoc.Optional("arguments", "shown as JSON", valueType(), func(c *call) *lab.Value { return &c.Arguments }),
		yamldoc.Optional("result", "shown below", text, func(c *call) *string { return &c.Result }),
	)
}

func sessionType() yamldoc.Type[lab.Session] {
	type ses = lab.Session
	text := yamldoc.Text()
	lines := yamldoc.List(text)
	t := yamldoc.Object("session",
		yamldoc.Optional("prompt", "of the session", text, func(s *ses) *string { return &s.Prompt }),
		yamldoc.Optional("intro", "printed at the start", lines, func(s *ses) *[]string { return &s.Intro }),
		yamldoc.Optional("outro", "printed at the end", lines, func(s *ses) *[]string { return &s.Outro }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *ses) bool {
		dst.Prompt = "> "
		return t.Read(r, n, dst)
	})
}

func ciType() yamldoc.Type[lab.CITrigger] {
	type ci = lab.CITrigger
	text := yamldoc.Text()
	type over = lab.StepOverride
	step := yamldoc.Object("a step of ci",
		yamldoc.Required("id", "the workflow's step", text, func(s *over) *string { return &s.ID }),
		yamldoc.Optional("name", "shown instead", yamldoc.Ptr(text), func(s *over) **string { return &s.Name }),
		yamldoc.Optional("logs", "shown instead", yamldoc.List(text), func(s *over) *[]string { return &s.Logs }),
	)
	return yamldoc.Object("ci",
		yamldoc.Required("workflow", "id of the workflow", text, func(c *ci) *string { return &c.Workflow }),
		yamldoc.Optional("commit", "label of the run", yamldoc.Ptr(text), func(c *ci) **string { return &c.Commit }),
		yamldoc.Optional("conclusion", "`success` or `failure`; none = by the state", oneOf("success", "failure"), func(c *ci) *string { return &c.Conclusion }),
		yamldoc.Optional("failedStep", "the step that fails", text, func(c *ci) *string { return &c.FailedStep }),
		yamldoc.Optional("steps", "what this run shows otherwise", yamldoc.List(step), func(c *ci) *[]over { return &c.Steps }),
		yamldoc.Optional("error", "what the failed run shows", yamldoc.Ptr(text), func(c *ci) **string { return &c.Error }),
	)
}
