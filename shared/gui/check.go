package gui

import (
	"fmt"
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// checker compares what stands in different places of a file. Where a part has a finding of its own, what hangs on it is
// not judged: too much would seem to be missing.
type checker struct {
	*yamldoc.Reader
	s     *Scenario
	root  *yamldoc.Node
	vague bool // what seems to be missing at the top may stand under an unknown key, or where the YAML cannot be read
}

func check(r *yamldoc.Reader, s *Scenario, root *yamldoc.Node) {
	c := checker{Reader: r, s: s, root: root, vague: root.Broken}
	if root.Kind != yamldoc.KindMap {
		return
	}
	for _, p := range root.Pairs {
		c.vague = c.vague || slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Code == "unknown-key" && d.Span == p.KeyNode.Span })
	}
	c.browser()
	c.together()
	for _, list := range [][]Step{s.Steps, s.Plan} {
		for i := range list {
			c.step(&list[i])
		}
	}
	for i := range s.Tools {
		c.tool(&s.Tools[i])
	}
	c.cycles()
	for i := range s.Rules {
		c.rule(&s.Rules[i])
	}
	c.policy()
}

// has tells whether a key is written at the top.
func (c *checker) has(key string) bool { return keyOf(c.root, key) != nil }

// browser turns cdp on where something in steps or plan needs it.
func (c *checker) browser() {
	for _, step := range slices.Concat(c.s.Steps, c.s.Plan) {
		if step.Action != nil && step.Action.At.Source != nil && step.Action.Kind.CDP() {
			c.s.CDP = true
		}
		c.s.CDP = c.s.CDP || slices.ContainsFunc(step.Post, func(p Post) bool { return p.At.Source != nil && p.Kind.CDP() })
	}
}

// together holds the keys at the top to each other.
func (c *checker) together() {
	s := c.s
	for _, key := range []string{"plan", "tools", "rules"} {
		c.requires(key, "goal", "`"+key+"` needs `goal`: "+goalFor[key])
	}
	for _, key := range []string{"cdp_targets", "cdp_waits"} {
		if c.has(key) && !s.CDP && !c.vague {
			c.Report("key-requires", keyOf(c.root, key).Span, "`"+key+"` needs `cdp`: without a browser there is nothing to look at").Fix.Text = "add `cdp: true`"
		}
	}
	if s.Desktop && c.has("launch") {
		conflict(c.Reader, c.root, "launch", "desktop", "`launch` cannot stand beside `desktop: true`, which launches nothing").Fix.Text = "remove one of the two; `spawn` starts a program in the steps"
	}
	if s.GroundingAudit {
		for _, key := range []string{"goal", "steps", "plan"} {
			if c.has(key) {
				conflict(c.Reader, c.root, key, "grounding_audit", "`"+key+"` cannot stand beside `grounding_audit: true`, which clicks nothing").Fix.Text = "remove one of the two"
			}
		}
		if !s.ATSPI {
			conflict(c.Reader, c.root, "atspi", "grounding_audit", "an audit reads where controls are over AT-SPI, which `atspi: false` switches off").Fix.Text = "remove `atspi: false`"
		}
	}
	if c.has("grounding_audit_describe") && !s.GroundingAudit && !c.vague {
		c.Report("key-requires", keyOf(c.root, "grounding_audit_describe").Span, "`grounding_audit_describe` needs `grounding_audit: true`").Fix.Text = "add `grounding_audit: true`, or remove it"
	}
	c.launch()
}

// goalFor says what a key wants a goal for.
var goalFor = map[string]string{
	"plan":  "a plan that does not hold falls back to it",
	"tools": "only the agent loop calls tools",
	"rules": "only the agent loop is offered tools",
}

func (c *checker) requires(key, other, message string) {
	if c.has(key) && !c.has(other) && !c.vague {
		c.Report("key-requires", keyOf(c.root, key).Span, message).Fix.Text = "add `" + other + ":`, or remove `" + key + "`"
	}
}

func (c *checker) launch() {
	node := c.root.Get("launch")
	if node == nil || c.s.Launch == nil {
		return
	}
	for _, on := range []struct {
		key  string
		goes bool
	}{{"on_missing_window", c.s.Launch.ContinueOnMissingWindow}, {"on_error_dialog", c.s.Launch.ContinueOnErrorDialog}} {
		if !on.goes {
			continue
		}
		at := keyOf(node, on.key)
		if at == nil {
			continue
		}
		if !c.has("goal") && !c.vague {
			c.Report("key-requires", at.Span, "`"+on.key+": continue` needs `goal`: the agent loop starts in place of a failure").Fix.Text = "add `goal:`, or write `" + on.key + ": fail`"
		}
		if on.key == "on_missing_window" && c.s.CDP {
			d := c.Report("key-conflict", at.Span, "`on_missing_window: continue` cannot stand beside `cdp`: there would be no browser to attach to")
			d.Fix.Text = "write `on_missing_window: fail`, or do without the browser"
			if at := c.whyCDP(); at.Source != nil {
				d.Related = []diag.Related{{Span: at, Message: "this turns `cdp` on"}}
			}
		}
	}
}

// whyCDP is the place of what turns cdp on.
func (c *checker) whyCDP() diag.Span {
	if n := c.root.Get("cdp"); n != nil && n.Bool {
		return keyOf(c.root, "cdp").Span
	}
	for _, step := range slices.Concat(c.s.Steps, c.s.Plan) {
		if step.Action != nil && step.Action.Kind.CDP() {
			return step.Action.At
		}
		for _, p := range step.Post {
			if p.Kind.CDP() {
				return p.At
			}
		}
	}
	return diag.Span{}
}

// step holds an entry of steps or plan to what is declared, and to the accessibility bus.
func (c *checker) step(step *Step) {
	if a := step.Action; a != nil && a.At.Source != nil {
		switch a.Kind {
		case ClickDeclared:
			c.declared(a.ArgAt, "click_targets", a.Arg)
		case WaitWhile:
			c.declared(a.ArgAt, "wait_conditions", a.Arg)
		case Shell:
			c.declared(a.ArgAt, "shell", a.Arg)
		}
		if a.Kind.ATSPI() {
			c.bus(a.At, "`"+a.Kind.Word()+"`")
		}
	}
	if step.ExpectState != nil && step.ExpectState.At.Source != nil {
		c.bus(step.ExpectState.At, "`expect_state`")
	}
	c.posts(step.Post)
}

func (c *checker) posts(posts []Post) {
	for _, p := range posts {
		if p.At.Source != nil && p.Kind == PostState && p.State.At.Source != nil {
			c.bus(p.At, "a `state` postcondition")
		}
	}
}

// bus reports what needs the accessibility bus where it is switched off.
func (c *checker) bus(at diag.Span, what string) {
	if c.s.ATSPI {
		return
	}
	d := c.Report("key-conflict", at, what+" asks the app over AT-SPI, which `atspi: false` switches off")
	d.Fix.Text = "remove `atspi: false`, or do without it"
	if k := keyOf(c.root, "atspi"); k != nil {
		d.Related = []diag.Related{{Span: k.Span, Message: "`atspi` stands here"}}
	}
}

// declared reports a name that a map at the top does not have.
func (c *checker) declared(at diag.Span, section, name string) bool {
	n := c.root.Get(section)
	if keyOf(n, name) != nil {
		return true
	}
	var names []string
	if n != nil {
		for _, p := range n.Pairs {
			names = append(names, p.Key)
		}
	}
	if n == nil && c.vague || n != nil && n.Broken {
		return false
	}
	c.undeclared(at, "`"+section+"` has no "+diag.Quoted(name), name, names, "add "+diag.Quoted(name+":")+" below `"+section+":`")
	return false
}

func (c *checker) undeclared(at diag.Span, message, name string, names []string, otherwise string) {
	d := c.Report("name-undeclared", at, message)
	d.Fix.Text = otherwise
	if near := diag.Nearest(name, names); near != "" {
		d.Fix.Text = "write `" + near + "`, or " + otherwise
	} else if len(names) > 0 && len(names) <= 8 {
		d.Fix.Text = "write one of " + strings.Join(names, ", ") + ", or " + otherwise
	}
}

func (c *checker) policy() {
	p := c.s.Policy
	if p == nil {
		return
	}
	given := c.s.Builtins()
	for i := range p.Tools {
		name, at := p.Tools[i], c.NodeOf(&p.Tools[i])
		if name == "" || slices.Contains(given, name) || keyOf(c.root.Get("tools"), name) != nil {
			continue
		}
		if j := slices.Index(BuiltinTools(), name); j >= 0 {
			c.Report("name-undeclared", at.Span, fmt.Sprintf("the built-in tool %s is not given: it needs %s", diag.Quoted(name), builtinTable[j].given.missing())).
				Fix.Text = "give what it needs, or remove the name"
			continue
		}
		names := slices.Clone(given)
		for j := range c.s.Tools {
			names = append(names, c.s.Tools[j].Name)
		}
		d := c.Report("name-undeclared", at.Span, "there is no tool "+diag.Quoted(name))
		d.Fix.Text = "declare it below `tools:`, or remove the name"
		if near := diag.Nearest(name, names); near != "" {
			d.Fix.Text = "write `" + near + "`"
		}
	}
}
