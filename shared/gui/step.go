package gui

import (
	"strings"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// stepType reads an entry of steps, or of plan.
func stepType(plan bool) yamldoc.Type[Step] {
	name, least := "an entry of steps", 0
	observe := valueOf(filledText())
	if plan {
		name, least = "an entry of plan", 1
		observe = valueOf(yamldoc.NewType("nothing", yamldoc.NoSchema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool { return false }))
	}
	t := yamldoc.Object(name,
		yamldoc.Optional("action", "what is done: "+strings.Join(actionWords(), ", "), yamldoc.Ptr(actionType()), func(s *Step) **Action { return &s.Action }),
		yamldoc.Optional("observe", "a description that the model judges against a fresh screenshot", observe, func(s *Step) *Value[string] { return &s.Observe }),
		yamldoc.Optional("expect", "a description that must be true after the action, judged by the model", valueOf(filledText()), func(s *Step) *Value[string] { return &s.Expect }),
		yamldoc.Optional("expect_state", "a control and its state, as in `Bold not checked`", yamldoc.Ptr(stateType()), func(s *Step) **StateCheck { return &s.ExpectState }),
		yamldoc.Optional("post", "what must be true after the action", boundedList(postType(), least, 0), func(s *Step) *[]Post { return &s.Post }),
		yamldoc.Optional("target", "who receives the action: `window \"…\"` or `browser`", targetType(), func(s *Step) *Target { return &s.Target }),
	)
	t = yamldoc.Narrow(t, stepRules(plan))
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Step) bool {
		dst.At = n.Span.FirstLine()
		ok := t.Read(r, n, dst)
		if n.Kind != yamldoc.KindMap {
			if n.Kind == yamldoc.KindNull && !n.Broken {
				r.Report("entry-form", dst.At, "the entry does nothing")
			}
			return false
		}
		return checkStep(r, n, dst, plan) && ok
	})
}

// checkStep holds an entry to one action or one observation, and to what goes with it.
func checkStep(r *yamldoc.Reader, n *yamldoc.Node, s *Step, plan bool) bool {
	before := len(r.Findings)
	kinds, vague := kindsOf(n, []string{"action", "observe"}, "expect", "expect_state", "post", "target")
	observes := keyOf(n, "observe")
	switch {
	case plan && observes != nil:
		r.Report("entry-form", observes.Span, "an entry of `plan` observes nothing: it is replayed without a model").Fix.Text = "write an action with postconditions, or move the entry to `steps`"
		return false
	case len(kinds) > 1:
		return twoOf(r, "entry-form", "an entry has one of the two, and this one has", kinds)
	case len(kinds) == 0:
		if !vague && !n.Broken {
			d := r.Report("entry-form", n.Span.FirstLine(), "the entry has neither `action` nor `observe`")
			if plan {
				d.Fix.Text = "add an `action`"
			}
		}
		return false
	}
	if observes != nil {
		for _, key := range []string{"expect", "post", "target"} {
			if keyOf(n, key) != nil {
				conflict(r, n, key, "observe", "`"+key+"` goes with an action, and this entry has none").Fix.Text = "remove `" + key + "`, or write it on the entry of the action"
			}
		}
		return len(r.Findings) == before
	}
	if plan && keyOf(n, "post") == nil && !vague {
		r.Report("key-requires", keyOf(n, "action").Span, "an entry of `plan` needs `post`: its replay goes on only while what it promises holds").Fix.Text = "add `post:` with one postcondition at least"
	}
	a := s.Action
	if a == nil || a.At.Source == nil {
		return false // the action has a finding of its own
	}
	if a.Kind == ClickGrounded && keyOf(n, "expect") == nil && !vague {
		r.Report("key-requires", a.ArgAt, "`click_grounded` needs `expect`: the model points, and something must show that it pointed right").Fix.Text = "add `expect:` with a description of what is then on the screen"
	}
	target := keyOf(n, "target")
	switch {
	case s.Target.Kind == TargetBrowser && !a.Kind.CDP():
		d := r.Report("key-conflict", s.Target.At, "only `cdp_…` actions can have the target `browser`")
		d.Fix.Text = "remove `target`, or name a window"
		d.Related = []diag.Related{{Span: a.At, Message: "the action stands here"}}
	case s.Target.Kind == TargetWindow && a.Kind.CDP():
		d := r.Report("key-conflict", target.Span, "a `cdp_…` action goes to the browser's tab and cannot target a window")
		d.Fix.Text = "remove `target`"
		d.Related = []diag.Related{{Span: a.At, Message: "the action stands here"}}
	}
	return len(r.Findings) == before
}

func actionType() yamldoc.Type[Action] {
	return grammarType("text (an action)", actionPattern, func(_ *yamldoc.Reader, n *yamldoc.Node, dst *Action) *fault {
		a, args, f := parseAction(n.Text)
		if f != nil {
			return f
		}
		*dst = a
		dst.At = n.Span.FirstLine()
		dst.ArgAt = dst.At
		if len(args) > 0 && args[0].quoted {
			dst.ArgAt = n.SpanIn(args[0].start+1, args[0].end-1)
		}
		return nil
	})
}

func targetType() yamldoc.Type[Target] {
	return grammarType("text (a target)", func() string { return targetPattern }, func(_ *yamldoc.Reader, n *yamldoc.Node, dst *Target) *fault {
		t, f := parseTarget(n.Text)
		if f == nil {
			*dst = t
			dst.At = n.Span.FirstLine()
		}
		return f
	})
}

// parseTarget reads `window "<substring>"` or `browser`.
func parseTarget(text string) (Target, *fault) {
	refuse := func(t token, message string) (Target, *fault) {
		return Target{}, &fault{code: "target-form", start: t.start, end: t.end, message: message}
	}
	list, f := tokens(text)
	if f != nil {
		f.code = "target-form"
		return Target{}, f
	}
	switch {
	case len(list) == 0:
		return refuse(token{end: len(text)}, "the target is empty")
	case list[0].quoted || list[0].text != "window" && list[0].text != "browser":
		t, f := refuse(list[0], diag.Quoted(list[0].text)+" is no target")
		if near := diag.Nearest(list[0].text, []string{"window", "browser"}); near != "" && !list[0].quoted {
			f.fix, f.edit = "write `"+near+"`", near
		}
		return t, f
	case list[0].text == "browser" && len(list) > 1:
		return refuse(list[1], "`browser` takes nothing more: there is one tab that is attached")
	case list[0].text == "browser":
		return Target{Kind: TargetBrowser}, nil
	case len(list) == 1:
		return refuse(list[0], "`window` needs a part of the window's title or class")
	case !list[1].quoted:
		return refuse(list[1], "the part of a window's title or class stands in double quotes")
	case len(list) > 2:
		return refuse(list[2], "`window` takes one text")
	case strings.Trim(list[1].text, blanks) == "":
		return refuse(list[1], "the text is empty, and so part of every title")
	}
	return Target{Kind: TargetWindow, Window: list[1].text}, nil
}
