package gui

import (
	"regexp"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// Primitive is what a declared tool does.
type Primitive uint8

// The primitives.
const (
	RunShell Primitive = iota
	RunWaitWhile
	RunLaunch
	primitiveCount
)

// primitiveTable: the conditions of on_error are those that the primitive can fail with.
var primitiveTable = [primitiveCount]struct {
	word       string
	conditions []string
}{
	RunShell:     {"shell", []string{"nonzero_exit", "missing_command", "timeout"}},
	RunWaitWhile: {"wait_while", []string{"timeout"}},
	RunLaunch:    {"launch", []string{"nonzero_exit"}},
}

// String is the primitive's word.
func (p Primitive) String() string { return primitiveTable[p].word }

// Conditions are the failures that on_error can give a class.
func (p Primitive) Conditions() []string { return primitiveTable[p].conditions }

// The classes of on_error.
const (
	ClassMalformed   = "malformed"
	ClassResolution  = "resolution"
	ClassEnvironment = "environment"
)

// Tool is a tool that the model may call.
type Tool struct {
	Name          string
	At            diag.Span // of the name
	Description   string
	Params        []Param // none for `{}`
	Run           Primitive
	Commands      []Pair // of RunShell: by value of the parameter `name`; none = the value names a command of shell
	Relaunch      bool   // then the app is launched again
	Prerequisites []Prerequisite
	SideEffects   bool
	Terminal      bool // a call that succeeds ends the loop
	Budget        int  // calls in a run, one at least
	OnError       []OnError
	Post          []Post
}

// Param is a parameter of a tool.
type Param struct {
	Name string
	Enum []string // its values: one at least, none twice
	At   diag.Span
}

// Prerequisite is a tool that must have been called, with success, before.
type Prerequisite struct {
	Tool     string
	MatchArg string // a parameter that had the same value; "" = none
	At       diag.Span
}

// OnError is the class of a failure.
type OnError struct {
	Condition, Class string
	At               diag.Span // of the condition
}

// Param finds a parameter.
func (t *Tool) Param(name string) (*Param, bool) {
	for i := range t.Params {
		if t.Params[i].Name == name {
			return &t.Params[i], true
		}
	}
	return nil, false
}

// Class gives the class of a failure, ClassResolution where on_error leaves it out.
func (t *Tool) Class(condition string) string {
	for _, e := range t.OnError {
		if e.Condition == condition {
			return e.Class
		}
	}
	return ClassResolution
}

// Rule offers a tool to the model when captured output matches.
type Rule struct {
	Match *regexp.Regexp
	Tool  string
	Name  string // the value of the tool's parameter `name`; "" = it has none
	At    diag.Span
}

func toolsType() yamldoc.Type[[]Tool] {
	return namedType("a tool", wordName, toolType(), func(t *Tool) (*string, *diag.Span, *Tool) { return &t.Name, &t.At, t })
}

func toolType() yamldoc.Type[Tool] {
	var words []string
	for _, p := range primitiveTable {
		words = append(words, p.word)
	}
	then := yamldoc.Word("what comes after", "relaunch")
	relaunch := yamldoc.NewType(then.Name(), then.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *bool) bool {
		var word string
		*dst = true
		return then.Read(r, n, &word)
	})
	t := yamldoc.Object("a tool",
		yamldoc.Required("description", "what the model is told", filledText(), func(t *Tool) *string { return &t.Description }),
		yamldoc.Required("params", "its parameters, each with the values it can have; `{}` for none", paramsType(), func(t *Tool) *[]Param { return &t.Params }),
		yamldoc.Required("run", "what it does", wordType[Primitive]("a primitive", words), func(t *Tool) *Primitive { return &t.Run }),
		yamldoc.Optional("commands", "of `run: shell`: one command per value of the parameter `name`", pairsType("a command", anyName, filledText()), func(t *Tool) *[]Pair { return &t.Commands }),
		yamldoc.Optional("then", "what comes after", relaunch, func(t *Tool) *bool { return &t.Relaunch }),
		yamldoc.Required("prerequisites", "tools that must have been called first; `[]` for none", yamldoc.List(prerequisiteType()), func(t *Tool) *[]Prerequisite { return &t.Prerequisites }),
		yamldoc.Required("side_effects", "whether a call changes anything", yamldoc.Bool(), func(t *Tool) *bool { return &t.SideEffects }),
		yamldoc.Optional("terminal", "a call that succeeds ends the loop", yamldoc.Bool(), func(t *Tool) *bool { return &t.Terminal }),
		yamldoc.Required("budget", "calls in a run", positive(), func(t *Tool) *int { return &t.Budget }),
		yamldoc.Required("on_error", "classes of its failures; `{}` for none", onErrorType(), func(t *Tool) *[]OnError { return &t.OnError }),
		yamldoc.Optional("post", "what must be true after a call", yamldoc.List(postType()), func(t *Tool) *[]Post { return &t.Post }),
	)
	t = yamldoc.Narrow(t, toolRules)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Tool) bool {
		before := len(r.Findings)
		t.Read(r, n, dst)
		run := n.Get("run")
		if run == nil || r.NodeOf(&dst.Run) == nil || primitiveTable[dst.Run].word != run.Text {
			return len(r.Findings) == before // which primitive it is, is not known
		}
		for i := range dst.OnError {
			yamldoc.KnownWord(r, r.NodeOf(&dst.OnError[i].Condition), "a failure of `run: "+dst.Run.String()+"`", dst.OnError[i].Condition, dst.Run.Conditions())
		}
		if dst.Run != RunShell && keyOf(n, "commands") != nil {
			conflict(r, n, "commands", "run", "`commands` goes with `run: shell`, and this tool has `run: "+dst.Run.String()+"`").Fix.Text = "remove `commands`, or write `run: shell`"
		}
		return len(r.Findings) == before
	})
}

func paramsType() yamldoc.Type[[]Param] {
	values := yamldoc.Narrow(boundedList(filledText(), 1, 0), func(s *schema) { s.Unique = true })
	enum := yamldoc.NewType(values.Name(), values.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]string) bool {
		if !values.Read(r, n, dst) {
			return false
		}
		ok := true
		first := map[string]int{}
		for i, v := range *dst {
			if j, twice := first[v]; twice {
				d := r.Report("value-twice", n.Items[i].Span, "the value "+diag.Quoted(v)+" stands here for the second time")
				d.Related = []diag.Related{{Span: n.Items[j].Span, Message: "first here"}}
				ok = false
				continue
			}
			first[v] = i
		}
		return ok
	})
	param := yamldoc.Object("a parameter",
		yamldoc.Required("enum", "the values it can have", enum, func(p *Param) *[]string { return &p.Enum }),
	)
	return namedType("a parameter", wordName, param, func(p *Param) (*string, *diag.Span, *Param) { return &p.Name, &p.At, p })
}

// prerequisiteType reads a bare name, or a map that says more.
func prerequisiteType() yamldoc.Type[Prerequisite] {
	text := filledText()
	t := yamldoc.Object("a prerequisite",
		yamldoc.Required("tool", "the tool that must have been called", text, func(p *Prerequisite) *string { return &p.Tool }),
		yamldoc.Required("match_arg", "the parameter that must have had the same value", text, func(p *Prerequisite) *string { return &p.MatchArg }),
	)
	name := "text, or " + t.Name()
	describe := func() *schema {
		s := t.Schema()
		s.Types, s.Pattern = append(yamldoc.Text().Schema().Types, "object"), filledPattern
		return s
	}
	return yamldoc.NewType(name, describe, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Prerequisite) bool {
		dst.At = n.Span.FirstLine()
		switch {
		case n.Kind == yamldoc.KindMap:
			return t.Read(r, n, dst)
		case n.Kind == yamldoc.KindNull || n.Kind == yamldoc.KindList:
			if !n.Broken {
				r.Report("wrong-type", dst.At, "this should be "+name)
			}
			return false
		}
		return text.Read(r, n, &dst.Tool)
	})
}

func onErrorType() yamldoc.Type[[]OnError] {
	class := yamldoc.Word("a class of failures", ClassMalformed, ClassResolution, ClassEnvironment)
	return namedType("the class of a failure", anyName, class, func(e *OnError) (*string, *diag.Span, *string) { return &e.Condition, &e.At, &e.Class })
}

func ruleType() yamldoc.Type[Rule] {
	match := grammarType("text (a regular expression)", func() string { return "" }, func(_ *yamldoc.Reader, n *yamldoc.Node, dst **regexp.Regexp) *fault {
		re, err := regexp.Compile(n.Text)
		switch {
		case err != nil:
			return patternFault(n.Text, err, "regular expression")
		case n.Text == "":
			return &fault{code: "text-empty", message: "the expression is empty, and matches everything"}
		}
		*dst = re
		return nil
	})
	match = yamldoc.Narrow(match, func(s *schema) { *s = *yamldoc.Text().Schema(); s.MinLength = 1 })
	offer := yamldoc.Object("an offer",
		yamldoc.Required("tool", "the tool that is offered", filledText(), func(t *Rule) *string { return &t.Tool }),
		yamldoc.Optional("name", "the value of its parameter `name`", filledText(), func(t *Rule) *string { return &t.Name }),
	)
	t := yamldoc.Object("a rule",
		yamldoc.Required("match", "a regular expression over captured output", match, func(t *Rule) **regexp.Regexp { return &t.Match }),
		yamldoc.Required("offer", "what the model is offered when it matches", offer, func(t *Rule) *Rule { return t }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Rule) bool {
		dst.At = n.Span.FirstLine()
		return t.Read(r, n, dst)
	})
}
