package gui

import (
	"math"
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// scenarioType is the table of the file's fields.
func scenarioType() yamldoc.Type[Scenario] {
	type S = Scenario
	text, name := filledText(), valueOf(filledText())
	checks := yamldoc.Object("checks",
		yamldoc.Optional("log_fatal", "texts that fail the run when the logs hold them", yamldoc.List(text), func(c *Checks) *[]string { return &c.LogFatal }),
	)
	t := yamldoc.Object("a GUI scenario",
		yamldoc.Optional("app", "the app under test; KASM_RUNTIME_APP when left out", name, func(s *S) *Value[string] { return &s.App }),
		yamldoc.Optional("window", "part of the title or class of the app's window; `app` when left out", name, func(s *S) *Value[string] { return &s.Window }),
		yamldoc.Optional("process", "part of the command line of the app's process; `app` when left out", name, func(s *S) *Value[string] { return &s.Process }),
		yamldoc.Optional("launch_timeout_s", "whole seconds to wait for window and process, 60 when left out", wholeSeconds(), func(s *S) *time.Duration { return &s.LaunchTimeout }),
		yamldoc.Optional("settle_s", "seconds to wait after launch, 5 when left out; 0 skips it", yamldoc.Seconds(false), func(s *S) *time.Duration { return &s.Settle }),
		yamldoc.Optional("launch", "a command that is run once, at the start", yamldoc.Ptr(launchType()), func(s *S) **Launch { return &s.Launch }),
		yamldoc.Optional("steps", "what is done, at most 40 entries", boundedList(stepType(false), 0, MaxSteps), func(s *S) *[]Step { return &s.Steps }),
		yamldoc.Optional("plan", "what is replayed after the steps, at most 40 entries; needs `goal`", boundedList(stepType(true), 0, MaxSteps), func(s *S) *[]Step { return &s.Plan }),
		yamldoc.Optional("goal", "what the agent loop is to reach", name, func(s *S) *Value[string] { return &s.Goal }),
		yamldoc.Optional("provides", "named values that the model may have typed, with $VAR expanded", namedType("a value", anyName, templateType(), func(p *Provided) (*string, *diag.Span, *Template) { return &p.Name, &p.At, &p.Text }), func(s *S) *[]Provided { return &s.Provides }),
		yamldoc.Optional("agentic_max_iterations", "the most model calls of the run", positive(), func(s *S) *int { return &s.AgenticMaxIterations }),
		yamldoc.Optional("checks", "what is looked for at the end", checks, func(s *S) *Checks { return &s.Checks }),
		yamldoc.Optional("desktop", "the image is a desktop of many tools: nothing is launched or waited for", yamldoc.Bool(), func(s *S) *bool { return &s.Desktop }),
		yamldoc.Optional("atspi", "the accessibility bus may be used, true when left out", yamldoc.Bool(), func(s *S) *bool { return &s.ATSPI }),
		yamldoc.Optional("cdp", "attach to a browser; turned on by what needs it in steps and plan", yamldoc.Bool(), func(s *S) *bool { return &s.CDP }),
		yamldoc.Optional("cdp_targets", "named CSS selectors that the model may use; needs `cdp`", pairsType("a selector", anyName, text), func(s *S) *[]Pair { return &s.CDPTargets }),
		yamldoc.Optional("cdp_waits", "named JavaScript predicates that the model may wait on; needs `cdp`", pairsType("a predicate", anyName, text), func(s *S) *[]Pair { return &s.CDPWaits }),
		yamldoc.Optional("click_targets", "named positions in the window: [x, y], each from 0 to 1", clickTargetsType(), func(s *S) *[]ClickTarget { return &s.ClickTargets }),
		yamldoc.Optional("wait_conditions", "named holds for `wait_while`", waitConditionsType(), func(s *S) *[]WaitCondition { return &s.WaitConditions }),
		yamldoc.Optional("shell", "named commands for `shell` and for tools", pairsType("a command", quotable, text), func(s *S) *[]Pair { return &s.Shell }),
		yamldoc.Optional("tools", "tools that the model may call; needs `goal`", toolsType(), func(s *S) *[]Tool { return &s.Tools }),
		yamldoc.Optional("rules", "what in captured output offers a tool to the model; needs `goal`", yamldoc.List(ruleType()), func(s *S) *[]Rule { return &s.Rules }),
		yamldoc.Optional("policy", "where the procedure of the agent loop comes from", yamldoc.Ptr(policyType()), func(s *S) **Policy { return &s.Policy }),
		yamldoc.Optional("grounding_audit", "measure how well the model finds controls, and click nothing", yamldoc.Bool(), func(s *S) *bool { return &s.GroundingAudit }),
		yamldoc.Optional("grounding_audit_describe", "how controls are described in an audit", yamldoc.Word("a way to describe controls", DescribeName, DescribeNameRole), func(s *S) *string { return &s.Describe }),
		yamldoc.Optional("needs", "requirements for a scheduler; ignored here", pairsType("a requirement", anyName, yamldoc.Text()), func(s *S) *[]Pair { return &s.Needs }),
	)
	t = yamldoc.Narrow(t, scenarioRules)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Scenario) bool {
		dst.LaunchTimeout, dst.Settle, dst.ATSPI, dst.Describe = DefaultLaunchTimeout, DefaultSettle, true, DescribeName
		return t.Read(r, n, dst)
	})
}

// wholeSeconds reads a positive whole number of seconds.
func wholeSeconds() yamldoc.Type[time.Duration] {
	t := yamldoc.Int(1, yamldoc.MostSeconds)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *time.Duration) bool {
		var v int
		ok := t.Read(r, n, &v)
		*dst = time.Duration(v) * time.Second
		return ok
	})
}

func launchType() yamldoc.Type[Launch] {
	// onEvent reads what happens then: fail, or go on.
	onEvent := func() yamldoc.Type[bool] {
		word := yamldoc.Word("a way to go on", "fail", "continue")
		return yamldoc.NewType(word.Name(), word.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *bool) bool {
			var s string
			ok := word.Read(r, n, &s)
			*dst = s == "continue"
			return ok
		})
	}
	t := yamldoc.Object("launch",
		yamldoc.Required("cmd", "the command", filledText(), func(l *Launch) *string { return &l.Cmd }),
		yamldoc.Optional("env", "more environment for the command, as written", pairsType("a variable", envName, yamldoc.Text()), func(l *Launch) *[]Pair { return &l.Env }),
		yamldoc.Optional("on_missing_window", "when no window comes: fail (default), or continue with the agent loop; needs `goal`", onEvent(), func(l *Launch) *bool { return &l.ContinueOnMissingWindow }),
		yamldoc.Optional("on_error_dialog", "when an error dialog comes: fail (default), or continue with the agent loop; needs `goal`", onEvent(), func(l *Launch) *bool { return &l.ContinueOnErrorDialog }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Launch) bool {
		dst.At = n.Span.FirstLine()
		return t.Read(r, n, dst)
	})
}

func clickTargetsType() yamldoc.Type[[]ClickTarget] {
	type point struct{ x, y float64 }
	list := yamldoc.List(yamldoc.Fraction())
	position := yamldoc.NewType("a position [x, y]", func() *schema {
		s := list.Schema()
		s.MinItems, s.MaxItems = 2, 2
		return s
	}, func(r *yamldoc.Reader, n *yamldoc.Node, dst *point) bool {
		var v []float64
		if !list.Read(r, n, &v) {
			return false
		}
		if len(v) != 2 {
			d := r.Report("wrong-type", n.Span.FirstLine(), "a position is two numbers, [x, y]")
			d.Fix.Text = "write two fractions of the window's width and height, as in [0.5, 0.2]"
			return false
		}
		dst.x, dst.y = v[0], v[1]
		return true
	})
	type named struct {
		name  string
		at    diag.Span
		point point
	}
	t := namedType("a position", quotable, position, func(c *named) (*string, *diag.Span, *point) { return &c.name, &c.at, &c.point })
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]ClickTarget) bool {
		var list []named
		ok := t.Read(r, n, &list)
		for _, c := range list {
			*dst = append(*dst, ClickTarget{c.name, c.point.x, c.point.y, c.at})
		}
		return ok
	})
}

func waitConditionsType() yamldoc.Type[[]WaitCondition] {
	return namedType("a wait condition", quotable, waitConditionType(), func(w *WaitCondition) (*string, *diag.Span, *WaitCondition) { return &w.Name, &w.At, w })
}

func waitConditionType() yamldoc.Type[WaitCondition] {
	type W = WaitCondition
	t := yamldoc.Object("a wait condition",
		yamldoc.Required("kind", "what is watched: the size of a path (growing) or a process", wordType[WaitKind]("a kind of wait condition", waitKinds[:]), func(w *W) *WaitKind { return &w.Kind }),
		yamldoc.Optional("path", "of growing: the file or folder", filledText(), func(w *W) *string { return &w.Path }),
		yamldoc.Optional("match", "of process: part of a command line", filledText(), func(w *W) *string { return &w.Match }),
		yamldoc.Required("timeout_s", "the most seconds that it holds", yamldoc.Seconds(true), func(w *W) *time.Duration { return &w.Timeout }),
		yamldoc.Required("poll_s", "seconds between samples", yamldoc.Seconds(true), func(w *W) *time.Duration { return &w.Poll }),
		yamldoc.Required("quiet_polls", "quiet samples in a row that release it", yamldoc.Int(1, math.MaxInt32), func(w *W) *int { return &w.QuietPolls }),
	)
	t = yamldoc.Narrow(t, waitRules)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *WaitCondition) bool {
		before := len(r.Findings)
		t.Read(r, n, dst)
		kind := n.Get("kind")
		if kind == nil || kind.Text != dst.Kind.String() {
			return len(r.Findings) == before
		}
		mine, other := "path", "match"
		if dst.Kind == WaitProcess {
			mine, other = other, mine
		}
		_, vague := kindsOf(n, []string{"kind", "path", "match"}, "timeout_s", "poll_s", "quiet_polls")
		if keyOf(n, other) != nil {
			conflict(r, n, other, "kind", "`"+other+"` does not go with `kind: "+dst.Kind.String()+"`").Fix.Text = "write `" + mine + "` in its place, or another kind"
		} else if keyOf(n, mine) == nil && !vague && !n.Broken {
			r.Report("missing-key", keyOf(n, "kind").Span, "a wait condition of `kind: "+dst.Kind.String()+"` needs the key \""+mine+"\"").Fix.Text = "add \"" + mine + ":\""
		}
		return len(r.Findings) == before
	})
}
