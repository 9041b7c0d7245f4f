package validate

import (
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/lab"
)

// What the engine says of effects that it cannot apply, as far as more can be said of what to do.
const (
	leavesRoot  = "the path leaves the lab's files"
	isRoot      = "the path is the lab's root"
	missingFile = "No such file or directory"
	isFolder    = "Is a directory"
	isFile      = "Not a directory"
	notFound    = "the text to find is not there: "
	noList      = ", so nothing can be appended"
	notBelow    = ", so nothing can be set below it"
)

// failing is an effect that fails, and why.
type failing struct {
	at, inner diag.Span // of what is at fault, and of its text without quotes
	reason    string
	op        *lab.FileOp // nil unless it changes a file
	path      string      // of that file, where the fault is
	related   *diag.Related
}

// failures tells of effects that fail in a state that can be reached.
func (c *Check) failures(r *explore.Result) {
	for _, f := range r.Failures {
		e, is := c.failing(c.scenario(f.Rule), f)
		if !is {
			continue
		}
		c.failed[f.Rule], c.roots[f.Rule] = true, e.at
		if c.reported[placeOf("effect-fails", e.at)] { // it fails in every state
			for i := range c.result.Findings {
				if d := &c.result.Findings[i]; d.Code == "effect-fails" && d.Span == e.at && d.Witness == nil {
					d.Witness = f.Play
				}
			}
			continue
		}
		d := c.report("effect-fails", e.at, "in a state that a learner can reach this fails: "+e.reason)
		d.Witness = f.Play
		if fix := c.possible(&e); fix != nil {
			d.Fix = fix
		}
		if e.related != nil {
			d.Related = append(d.Related, *e.related)
		}
	}
}

// failing finds the effect of which a failure tells; it is not ok when that is reported already.
func (c *Check) failing(s *lab.Scenario, f explore.Failure) (out failing, ok bool) {
	_, out.reason, _ = strings.Cut(f.Problem, ": ")
	for _, e := range effects(s) {
		if strings.HasPrefix(f.Problem, "ci: ") && e.CI != nil {
			at, _ := c.value(&e.CI.Workflow)
			out.at = at
			return out, !slices.ContainsFunc(c.result.Findings, func(d diag.Diagnostic) bool {
				return (d.Code == "workflow-unknown" || d.Code == "workflow-step-unknown") && d.Span.Source == at.Source &&
					(d.Span == at || slices.ContainsFunc(d.Related, func(r diag.Related) bool { return r.Span == at }))
			})
		}
		for i := range e.State {
			if d := &e.State[i]; strings.HasPrefix(f.Problem, "state `"+d.Path+"`: ") {
				out.at, out.inner = c.value(&d.Path)
				return out, true
			}
		}
		for i := range e.Files {
			op := &e.Files[i]
			reason, is := strings.CutPrefix(f.Problem, "files, "+op.Verb.String()+" `"+op.Path+"`: ")
			// Of several changes of one file, the one whose text is not there.
			find, named := strings.CutPrefix(reason, notFound)
			if !is || named && op.Find != "" && find != string(lab.AppendQuoted(nil, op.Find)) {
				continue
			}
			out.op, out.path = op, op.Path
			out.at, out.inner = c.value(&op.Path)
			if why, to := strings.CutPrefix(reason, "to `"+op.Text+"`: "); to {
				out.reason, out.path = why, op.Text
				out.at, out.inner = c.value(&op.Text)
			}
			return out, true
		}
	}
	out.at = c.idOf(f.Rule)
	return out, true
}

// possible is what to do about an effect that fails, nil where nothing more than usual can be said.
func (c *Check) possible(e *failing) *diag.Fix {
	text := ""
	switch at, _, _ := strings.Cut(strings.TrimPrefix(e.reason, "`"), "`"); {
	case e.op == nil && strings.HasSuffix(e.reason, noList):
		text = "let it be a list from the start, `" + at + ": []` in `state:`, or set it without `+=`"
		c.standing(e, at)
	case e.op == nil && strings.HasSuffix(e.reason, notBelow):
		text = "let `" + at + "` be a map, or set another path"
		c.standing(e, at)
	case e.op == nil:
		return nil
	case e.reason == leavesRoot:
		text = "use a path inside the lab's files"
	case e.reason == isRoot:
		text = "name a file or folder in the lab's files"
	case e.reason == isFolder, e.reason == isFile:
		text = "a file and a folder cannot share a path: use another path"
	case strings.HasPrefix(e.reason, notFound):
		text = "`replace` must find its text whenever the scenario fires: add a condition on the state that holds while it is there, or write the file first"
	case e.reason == missingFile:
		return c.absent(e)
	default:
		return nil
	}
	return &diag.Fix{Text: text}
}

// absent is what to do about a file that is not there.
func (c *Check) absent(e *failing) *diag.Fix {
	made := c.made()
	if slices.ContainsFunc(made, func(name string) bool { return name == tidy(e.path) || strings.HasPrefix(name, tidy(e.path)+"/") }) {
		return &diag.Fix{Text: "seed it under `files:` in labspace.yaml, or let a condition on the state say that it is there"}
	}
	if near := diag.Nearest(tidy(e.path), made); near != "" {
		return &diag.Fix{Text: "did you mean `" + near + "`?", Edits: []diag.Edit{{Span: e.inner, New: near}}}
	}
	return &diag.Fix{Text: "nothing makes this file: seed it under `files:` in labspace.yaml, or correct the path"}
}

// made are the files that are there at the start, and those that a Save button or a scenario makes.
func (c *Check) made() []string {
	var out []string
	var copies []lab.FileOp
	for _, f := range c.lab.Files {
		out = append(out, tidy(f.Path))
	}
	for i := range c.sections {
		for _, f := range c.sections[i].content.Fences {
			if saves(&f) {
				out = append(out, tidy(f.Save))
			}
		}
	}
	for i := range c.lab.Simulator.Scenarios {
		for _, e := range effects(&c.lab.Simulator.Scenarios[i]) {
			for _, op := range e.Files {
				switch op.Verb {
				case lab.FileMkdir, lab.FileCreate, lab.FileAppend:
					out = append(out, tidy(op.Path))
				case lab.FileCopy:
					out, copies = append(out, tidy(op.Text)), append(copies, op)
				}
			}
		}
	}
	const most = 2000 // a folder that is copied into itself has no end
	for _, op := range copies {
		for _, name := range out {
			if rest, below := strings.CutPrefix(name, tidy(op.Path)+"/"); below && len(out) < most {
				out = append(out, tidy(op.Text)+"/"+rest)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tidy is a path of the lab's files as all that mean the same are written.
func tidy(name string) string {
	parts, _ := lab.CleanFile(name)
	return strings.Join(parts, "/")
}

// standing points to what puts the value at a path that is in the way of a change.
func (c *Check) standing(e *failing, path string) {
	for _, w := range c.writers(path) {
		if k := w.value.Kind(); k != lab.KindNull && k != lab.KindMap && w.at.Source != nil && w.at != e.at {
			e.related = &diag.Related{Span: w.at, Message: "this makes `" + path + "` " + string(w.value.AppendJSON(nil))}
			return
		}
	}
}

// outside tells of paths that no state makes possible.
func (c *Check) outside() {
	check := func(field *string, rootToo bool) {
		parts, inside := lab.CleanFile(*field)
		e := failing{op: new(lab.FileOp), reason: leavesRoot}
		if inside {
			e.reason = isRoot
		}
		if inside && (len(parts) > 0 || !rootToo) {
			return
		}
		at, _ := c.value(field)
		if d, first, _ := c.once(group{"effect-fails", "path", *field}, at, "this always fails: "+e.reason); first {
			d.Fix = c.possible(&e)
		}
	}
	for i := range c.loaded.Lab.Simulator.Scenarios {
		for _, e := range effects(&c.loaded.Lab.Simulator.Scenarios[i]) {
			for j := range e.Files {
				op := &e.Files[j]
				check(&op.Path, op.Verb != lab.FileMkdir && op.Verb != lab.FileCopy)
				if op.Verb == lab.FileCopy {
					check(&op.Text, true)
				}
			}
		}
	}
}
