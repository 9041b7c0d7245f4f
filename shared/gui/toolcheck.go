package gui

import (
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// nameParam is the parameter whose value the primitives take.
const nameParam = "name"

// tool holds a declared tool to the rest of the file.
func (c *checker) tool(t *Tool) {
	key := c.NodeOf(&t.Name)
	if slices.Contains(BuiltinTools(), t.Name) {
		c.Report("tool-reserved", key.Span, "a tool that is built in is named "+diag.Quoted(t.Name))
	}
	node := c.root.Get("tools").Get(t.Name)
	c.posts(t.Post)
	for _, p := range t.Post {
		if p.At.Source != nil && p.Kind.CDP() && !c.s.CDP && !c.vague {
			c.Report("key-requires", p.At, "a tool with a `"+p.Kind.String()+"` postcondition needs `cdp`").Fix.Text = "add `cdp: true`"
		}
	}
	if then := keyOf(node, "then"); then != nil && t.Relaunch && !c.has("launch") && !c.vague {
		c.Report("key-requires", then.Span, "`then: relaunch` needs `launch`: there is nothing to launch again").Fix.Text = "add `launch:`, or remove `then`"
	}
	if run := node.Get("run"); run != nil && run.Text == t.Run.String() {
		c.primitive(t, node, run)
	}
	for i := range t.Prerequisites {
		c.prerequisite(t, &t.Prerequisites[i])
	}
}

// primitive holds a tool to what it runs.
func (c *checker) primitive(t *Tool, node, run *yamldoc.Node) {
	param, has := t.Param(nameParam)
	params := node.Get("params")
	if params == nil || params.Kind != yamldoc.KindMap || params.Broken {
		return
	}
	switch {
	case t.Run == RunLaunch:
		if !c.has("launch") && !c.vague {
			c.Report("key-requires", run.Span, "`run: launch` needs `launch`: there is nothing to run").Fix.Text = "add `launch:`"
		}
	case !has:
		what := "`run: wait_while` needs the parameter `name`: its values are names of `wait_conditions`"
		if t.Run == RunShell {
			what = "`run: shell` needs the parameter `name`: its values choose the command, from `commands` or from `shell`"
		}
		c.Report("key-requires", run.Span, what).Fix.Text = "add `name: { enum: […] }` below `params:`"
	case t.Run == RunWaitWhile:
		c.values(param, "wait_conditions")
	case keyOf(node, "commands") == nil:
		c.values(param, "shell")
	default:
		c.commands(t, param, node)
	}
}

// values holds the values of a parameter to a map at the top.
func (c *checker) values(p *Param, section string) {
	for i := range p.Enum {
		if n := c.NodeOf(&p.Enum[i]); n != nil && p.Enum[i] != "" {
			c.declared(n.Span.FirstLine(), section, p.Enum[i])
		}
	}
}

// commands: one for each value of the parameter, and none besides.
func (c *checker) commands(t *Tool, p *Param, node *yamldoc.Node) {
	commands := node.Get("commands")
	if commands.Kind != yamldoc.KindMap || commands.Broken {
		return
	}
	for i, value := range p.Enum {
		if n := c.NodeOf(&p.Enum[i]); n != nil && value != "" && keyOf(commands, value) == nil {
			d := c.Report("tool-commands", n.Span.FirstLine(), "the value "+diag.Quoted(value)+" has no command")
			d.Fix.Text = "add " + diag.Quoted(value+":") + " below `commands:`"
			d.Related = []diag.Related{{Span: keyOf(node, "commands").Span, Message: "the commands stand here"}}
		}
	}
	for i := range t.Commands {
		command := &t.Commands[i]
		if command.Name == "" || slices.Contains(p.Enum, command.Name) {
			continue
		}
		d := c.Report("tool-commands", command.At, "the parameter `name` has no value "+diag.Quoted(command.Name)+", so this command is never run")
		d.Fix.Text = "add it to the values of `name`, or remove it"
		if near := diag.Nearest(command.Name, p.Enum); near != "" {
			d.Fix.Text = "write `" + near + "`, or " + d.Fix.Text
		}
	}
}

// prerequisite holds it to the tools there are.
func (c *checker) prerequisite(t *Tool, p *Prerequisite) {
	if p.Tool == "" {
		return
	}
	at := c.NodeOf(&p.Tool).Span.FirstLine()
	other, ok := c.s.Tool(p.Tool)
	if !ok {
		c.declared(at, "tools", p.Tool)
		return
	}
	if p.MatchArg == "" {
		return
	}
	match := c.NodeOf(&p.MatchArg).Span.FirstLine()
	for _, tool := range []*Tool{t, other} {
		if _, ok := tool.Param(p.MatchArg); !ok && c.NodeOf(&tool.Params) != nil {
			var names []string
			for _, param := range tool.Params {
				names = append(names, param.Name)
			}
			c.undeclared(match, "the tool "+diag.Quoted(tool.Name)+" has no parameter "+diag.Quoted(p.MatchArg), p.MatchArg, names, "declare the parameter in both tools")
			return
		}
	}
}

// cycles reports tools that wait for each other: none of them could ever be called.
func (c *checker) cycles() {
	const (
		unseen = iota
		open
		done
	)
	state := map[string]int{}
	var path []string
	var visit func(t *Tool)
	visit = func(t *Tool) {
		state[t.Name] = open
		path = append(path, t.Name)
		for i := range t.Prerequisites {
			p := &t.Prerequisites[i]
			other, ok := c.s.Tool(p.Tool)
			if !ok {
				continue
			}
			switch state[other.Name] {
			case unseen:
				visit(other)
			case open:
				circle := append(slices.Clone(path[slices.Index(path, other.Name):]), other.Name)
				message := "the tool " + diag.Quoted(t.Name) + " is its own prerequisite"
				if len(circle) > 2 {
					if len(circle) > 8 {
						circle = append(circle[:7:7], "…", other.Name)
					}
					message = "these tools wait for each other: " + strings.Join(circle, " → ")
				}
				c.Report("tool-cycle", c.NodeOf(&p.Tool).Span.FirstLine(), message)
			}
		}
		path = path[:len(path)-1]
		state[t.Name] = done
	}
	for i := range c.s.Tools {
		if state[c.s.Tools[i].Name] == unseen {
			visit(&c.s.Tools[i])
		}
	}
}

// rule holds an offer to its tool.
func (c *checker) rule(rule *Rule) {
	if rule.Tool == "" {
		return
	}
	at := c.NodeOf(&rule.Tool)
	t, ok := c.s.Tool(rule.Tool)
	if !ok {
		c.declared(at.Span.FirstLine(), "tools", rule.Tool)
		return
	}
	param, has := t.Param(nameParam)
	name := c.NodeOf(&rule.Name)
	switch {
	case has && name == nil:
		c.Report("key-requires", at.Span, "the tool "+diag.Quoted(t.Name)+" has a parameter `name`, and the offer says no value of it").Fix.Text = "add `name:` with one of " + strings.Join(param.Enum, ", ")
	case !has && name != nil && c.NodeOf(&t.Params) != nil:
		d := c.Report("key-conflict", name.Span.FirstLine(), "the tool "+diag.Quoted(t.Name)+" has no parameter `name`, so an offer has none")
		d.Fix.Text = "remove `name`"
	case has && rule.Name != "" && !slices.Contains(param.Enum, rule.Name):
		c.undeclared(name.Span.FirstLine(), "the parameter `name` of "+diag.Quoted(t.Name)+" has no value "+diag.Quoted(rule.Name), rule.Name, param.Enum, "add it to the values")
	}
}
