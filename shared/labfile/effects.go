package labfile

import (
	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/yamldoc"
	"slices"
)

// inputType reads an input: one question in its own fields, or several in steps.
func inputType() yamldoc.Type[lab.Input] {
	type form struct {
		lab.InputStep
		input *lab.Input
	}
	text := yamldoc.Text()
	step := yamldoc.Object("a step of input",
		yamldoc.Required("key", "names the value", text, func(s *lab.InputStep) *string { return &s.Key }),
		yamldoc.Optional("prompt", "shown before the value", text, func(s *lab.InputStep) *string { return &s.Prompt }),
		yamldoc.Optional("mask", "hides what is typed", yamldoc.Bool(), func(s *lab.InputStep) *bool { return &s.Mask }),
	)
	t := yamldoc.Object("input",
		yamldoc.Optional("prompt", "shown before the value", text, func(f *form) *string { return &f.Prompt }),
		yamldoc.Optional("key", "names the value", text, func(f *form) *string { return &f.Key }),
		yamldoc.Optional("mask", "hides what is typed", yamldoc.Bool(), func(f *form) *bool { return &f.Mask }),
		yamldoc.Optional("steps", "several questions", yamldoc.List(step), func(f *form) *[]lab.InputStep { return &f.input.Steps }),
		yamldoc.Optional("then", "effects of the answers", effectsType(false), func(f *form) *lab.Effects { return &f.input.Then }),
	)
	return yamldoc.NewType(t.Name(), inputSchema(t), func(r *yamldoc.Reader, n *yamldoc.Node, dst *lab.Input) bool {
		f := &form{input: dst}
		ok := t.Read(r, n, f)
		single, several := n.Get("key"), n.Get("steps")
		if several == nil && single != nil {
			dst.Steps = []lab.InputStep{f.InputStep}
			r.Place(&dst.Steps[0], n)
			r.Place(&dst.Steps[0].Key, single)
		}
		switch {
		case !ok || n.Broken:
			return false
		case several == nil && single == nil:
			r.Report("missing-key", n.Span.FirstLine(), "input needs `key`, or `steps` with several questions")
			return false
		case several != nil && (single != nil || n.Get("prompt") != nil || n.Get("mask") != nil):
			r.Report("input-form", n.Pairs[slices.IndexFunc(n.Pairs, func(p yamldoc.Pair) bool { return p.Key == "steps" })].KeyNode.Span, "input takes either one question (`key`, `prompt`, `mask`) or `steps`, not both")
			return false
		case several != nil && len(dst.Steps) == 0:
			r.Report("input-form", several.Span, "`steps` asks nothing: it is empty")
			return false
		case several == nil:
			return true
		}
		return uniqueKeys(r, dst.Steps)
	})
}

func uniqueKeys(r *yamldoc.Reader, steps []lab.InputStep) bool {
	seen := map[string]*yamldoc.Node{}
	ok := true
	for i := range steps {
		at := r.NodeOf(&steps[i].Key)
		if first, dup := seen[steps[i].Key]; dup {
			d := r.Report("input-key-twice", at.Span, "the key `"+steps[i].Key+"` is asked for twice")
			d.Related = append(d.Related, related(first.Span, "first here"))
			ok = false
			continue
		}
		seen[steps[i].Key] = at
	}
	return ok
}

// fileVerbs are the operations with what their path is and the keys that go with
// them; a `!` marks those that must be there.
var fileVerbs = [...]struct {
	verb lab.FileVerb
	doc  string
	keys []string
}{
	{lab.FileMkdir, "a folder to make", nil},
	{lab.FileCreate, "a file to write, whether it is there or not", []string{"content"}},
	{lab.FileAppend, "a file to write to the end of", []string{"content!"}},
	{lab.FileReplace, "a file to change", []string{"find!", "with!"}},
	{lab.FileDelete, "a file or folder to remove", nil},
	{lab.FileCopy, "a file or folder to copy", []string{"to!"}},
}

// fileOpType reads one file operation: a verb with its path, and what goes with it.
func fileOpType() yamldoc.Type[lab.FileOp] {
	type form struct {
		paths             [len(fileVerbs)]string
		content, with, to string
		find              string
	}
	text := yamldoc.Text()
	var fields []yamldoc.Field[form]
	for i, v := range fileVerbs {
		fields = append(fields, yamldoc.Optional(v.verb.String(), v.doc, text, func(f *form) *string { return &f.paths[i] }))
	}
	fields = append(fields,
		yamldoc.Optional("content", "the text that is written", text, func(f *form) *string { return &f.content }),
		yamldoc.Optional("find", "the text that is replaced, each time it occurs", text, func(f *form) *string { return &f.find }),
		yamldoc.Optional("with", "what comes in its place", text, func(f *form) *string { return &f.with }),
		yamldoc.Optional("to", "the path of the copy", text, func(f *form) *string { return &f.to }),
	)
	t := yamldoc.Object("a file operation", fields...)
	return yamldoc.NewType(t.Name(), fileOpSchema(t), func(r *yamldoc.Reader, n *yamldoc.Node, dst *lab.FileOp) bool {
		f := new(form)
		if !t.Read(r, n, f) || n.Broken {
			return false
		}
		chosen := -1
		for i, v := range fileVerbs {
			at := n.Get(v.verb.String())
			if at == nil {
				continue
			}
			if chosen >= 0 {
				r.Report("file-operation", n.Span.FirstLine(), "one entry does one thing: it has `"+fileVerbs[chosen].verb.String()+"` and `"+v.verb.String()+"`")
				return false
			}
			chosen = i
			*dst = lab.FileOp{Verb: v.verb, Path: f.paths[i], Text: f.content + f.with + f.to, Find: f.find}
			r.Place(&dst.Path, at)
		}
		if chosen < 0 {
			r.Report("file-operation", n.Span.FirstLine(), "a file operation is one of mkdir, create, append, replace, delete, copy")
			return false
		}
		for _, path := range []*yamldoc.Node{n.Get(fileVerbs[chosen].verb.String()), n.Get("to")} {
			if path == nil {
				continue
			}
			if parts, _ := lab.CleanFile(path.Text); !checkDepth(r, path, len(parts)) {
				return false
			}
		}
		for key, field := range map[string]*string{"content": &dst.Text, "with": &dst.Text, "to": &dst.Text, "find": &dst.Find} {
			if at := n.Get(key); at != nil {
				r.Place(field, at)
			}
		}
		return checkFileKeys(r, n, chosen)
	})
}

// checkFileKeys finds keys that do not go with the verb, and such as are missing.
func checkFileKeys(r *yamldoc.Reader, n *yamldoc.Node, chosen int) bool {
	verb := fileVerbs[chosen]
	allowed := map[string]bool{verb.verb.String(): true}
	ok := true
	for _, key := range verb.keys {
		name, required := key, false
		if key[len(key)-1] == '!' {
			name, required = key[:len(key)-1], true
		}
		allowed[name] = true
		if required && n.Get(name) == nil {
			r.Report("missing-key", n.Span.FirstLine(), "`"+verb.verb.String()+"` needs the key `"+name+"`")
			ok = false
		}
	}
	for _, p := range n.Pairs {
		if !allowed[p.Key] {
			r.Report("file-operation", p.KeyNode.Span, "`"+p.Key+"` does not go with `"+verb.verb.String()+"`")
			ok = false
		}
	}
	return ok
}

// checkScenario finds conditions and effects that exclude each other.
func (r *reader) checkScenario(s *lab.Scenario) {
	n := r.NodeOf(s)
	if n == nil {
		return
	}
	when, then := n.Get("when"), n.Get("then")
	clash := func(code diag.Code, in *yamldoc.Node, a, b, message string) {
		if in.Get(a) == nil {
			return
		}
		for _, p := range in.Pairs {
			if p.Key == b {
				r.Report(code, p.KeyNode.Span, message)
			}
		}
	}
	if s.When.Agent {
		clash("command-and-agent", when, "agent", "command", "`command` and `agent` exclude each other: a scenario takes commands or prompts")
		clash("agent-args", when, "agent", "args", "`args` is not looked at in an agent scenario: a prompt is no command line")
		clash("session-in-agent", then, "session", "session", "an agent scenario cannot open a session: one is open already")
		return
	}
	clash("input-and-session", then, "input", "session", "`input` and `session` exclude each other: a command asks for values or opens a session")
}
