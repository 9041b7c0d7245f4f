package validate

import (
	"errors"
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/labfile"
)

// read is one place that looks at the state.
type read struct {
	path     string
	at, edit func() diag.Span // computed only when they are shown
	fixed    *string          // where the path stands in the lab as it is played; nil for templates
	requires bool
}

// state checks that what is read is written, and that what is written is read.
func (c *Check) state() {
	c.facts, c.above, c.unfixed = map[string]bool{}, map[string]bool{}, map[string]bool{}
	var names []string
	add := func(path string, list bool) {
		if _, known := c.facts[path]; !known {
			names = append(names, path)
		}
		c.facts[path] = c.facts[path] || list
		for i := strings.LastIndexByte(path, '.'); i > 0; i = strings.LastIndexByte(path[:i], '.') {
			c.above[path[:i]] = true
		}
	}
	simulator := &c.loaded.Lab.Simulator
	seeds := c.loaded.Facts()
	for _, f := range seeds {
		add(f.Path, simulator.State.Lookup(strings.Split(f.Path, ".")).Kind() == lab.KindList)
	}
	for i := range simulator.Controls {
		t := &simulator.Controls[i]
		leaves(t.State, t.On, add)
		leaves(t.State, t.Off, add)
	}
	for i := range simulator.Scenarios {
		for _, e := range effects(&simulator.Scenarios[i]) {
			for _, d := range e.State {
				if d.Append {
					add(d.Path, true)
				} else {
					leaves(d.Path, d.Value, add)
				}
			}
		}
	}
	add("history", true)
	add("ci.runs", true)
	c.stuck()

	seen := reads{exact: map[string]bool{}, above: map[string]bool{}}
	for _, r := range c.reads() {
		if c.written(r.path) {
			seen.add(r.path)
			continue
		}
		if r.at == nil {
			continue
		}
		message := "nothing seeds, writes or toggles `" + r.path + "`"
		near := c.misnamed(group{"state-unwritten", "", r.path}, r.at(), r.edit(), names, message)
		seen.add(near) // what was probably meant is read, too: a misspelt name is one mistake
		switch {
		case r.fixed == nil:
		case near != "":
			*r.fixed = near
		default:
			c.unfixed[r.path] = true
		}
		c.unmet = c.unmet || r.requires
	}
	c.unread(seeds, &seen)
}

// leaves calls add for what a value writes at a path.
func leaves(path string, v lab.Value, add func(path string, list bool)) {
	entries := v.Entries()
	if len(entries) == 0 {
		add(path, v.Kind() == lab.KindList)
	}
	for _, e := range entries {
		leaves(path+"."+e.Key, e.Value, add)
	}
}

// written reports whether something can stand at a path: it is written itself, or something below it, or it leads
// into a list.
func (c *Check) written(path string) bool {
	if _, ok := c.facts[path]; ok || c.above[path] {
		return true
	}
	for i := strings.LastIndexByte(path, '.'); i > 0; i = strings.LastIndexByte(path[:i], '.') {
		if c.facts[path[:i]] {
			return true
		}
	}
	return false
}

// reads lists the places that look at the state.
func (c *Check) reads() []read {
	var out []read
	node := func(field, fixed *string) {
		out = append(out, read{
			path: *field, fixed: fixed,
			at:   func() diag.Span { at, _ := c.value(field); return at },
			edit: func() diag.Span { _, inner := c.value(field); return inner },
		})
	}
	simulator, fixed := &c.loaded.Lab.Simulator, &c.lab.Simulator
	for i := range simulator.Workflows {
		for j := range simulator.Workflows[i].Steps {
			if requires := &simulator.Workflows[i].Steps[j].Requires; *requires != "" {
				node(requires, &fixed.Workflows[i].Steps[j].Requires)
				out[len(out)-1].requires = true
			}
		}
	}
	next := 0
	template := func(scenario int) {
		for ; next < len(c.refs) && c.refs[next].scenario == scenario; next++ {
			r := &c.refs[next]
			switch {
			case r.Scope == "state":
				out = append(out, read{path: r.Name, at: r.at, edit: r.name})
			case diag.Nearest(r.Scope, scopes) == "state":
				out = append(out, read{path: r.Name}) // a misspelt scope is reported already
			}
		}
	}
	template(-1)
	for i := range simulator.Scenarios {
		for j := range simulator.Scenarios[i].When.State {
			node(&simulator.Scenarios[i].When.State[j].Path, &fixed.Scenarios[i].When.State[j].Path)
		}
		template(i)
	}
	return out
}

// reads is what is looked at: these paths, and those that have some of them below.
type reads struct{ exact, above map[string]bool }

func (r *reads) add(path string) {
	r.exact[path] = true
	for i := strings.LastIndexByte(path, '.'); i > 0; i = strings.LastIndexByte(path[:i], '.') {
		r.above[path[:i]] = true
	}
}

// has reports whether a path is looked at: itself, a part of it, or all that it is a part of.
func (r *reads) has(path string) bool {
	if r.exact[path] || r.above[path] {
		return true
	}
	for i := strings.LastIndexByte(path, '.'); i > 0; i = strings.LastIndexByte(path[:i], '.') {
		if r.exact[path[:i]] {
			return true
		}
	}
	return false
}

// unread tells of controls and seeds that nothing reads; what a control writes is told of at the control.
func (c *Check) unread(seeds []labfile.Fact, seen *reads) {
	simulator := &c.loaded.Lab.Simulator
	toggled := map[string]bool{}
	for i := range simulator.Controls {
		t := &simulator.Controls[i]
		toggled[t.State] = true
		at, _ := c.value(&t.State)
		if !seen.has(t.State) && !isHistory(t.State) && !c.reported[placeOf("state-path", at)] {
			c.report("state-unread", at, "the control `"+t.ID+"` does nothing: nothing reads `"+t.State+"`")
		}
	}
	for _, f := range seeds {
		if !toggled[f.Path] && !seen.has(f.Path) {
			c.report("state-unread", f.At, "nothing reads `"+f.Path+"`")
		}
	}
}

// stuck tells of controls that can never be flipped: what the initial state has above their paths is no map.
func (c *Check) stuck() {
	simulator, known := &c.loaded.Lab.Simulator, map[group]bool{}
	for i := range simulator.Controls {
		t := &simulator.Controls[i]
		_, err := simulator.State.Put(strings.Split(t.State, "."), t.On)
		var in *lab.PathError
		if !errors.As(err, &in) || isHistory(t.State) || c.overwritten(in.At) {
			continue
		}
		at, _ := c.value(&t.State)
		d := c.report("state-path", at, "the control `"+t.ID+"` can never be flipped: "+in.Error())
		d.Fix = &diag.Fix{Text: "correct the path, or let `" + in.At + "` be a map"}
		for _, w := range c.writers(in.At) {
			if w.at.Source != nil {
				d.Related = append(d.Related, diag.Related{Span: w.at, Message: "what is there"})
			}
		}
		if g := (group{"state-unwritten", "", t.State}); !known[g] {
			known[g] = true
			c.groups[g] = len(c.result.Findings) - 1
			c.unfixed[t.State] = true
		}
	}
}

// overwritten reports whether something changes all that stands at a path.
func (c *Check) overwritten(path string) bool {
	above := func(written string) bool { return written == path || strings.HasPrefix(path, written+".") }
	for i := range c.loaded.Lab.Simulator.Scenarios {
		for _, e := range effects(&c.loaded.Lab.Simulator.Scenarios[i]) {
			if slices.ContainsFunc(e.State, func(d lab.Delta) bool { return above(d.Path) }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.loaded.Lab.Simulator.Controls, func(t lab.Control) bool { return above(t.State) })
}
