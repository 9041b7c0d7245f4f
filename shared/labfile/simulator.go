package labfile

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/yamldoc"
)

func simulatorType() yamldoc.Type[lab.Simulator] {
	type sim = lab.Simulator
	var ignored *yamldoc.Node
	anything := func(*sim) **yamldoc.Node { return &ignored }
	t := yamldoc.Object("simulator.yaml",
		yamldoc.Required("version", "schema version, \"2.0\"", schemaVersionType(), func(s *sim) *string { return &s.Version }),
		yamldoc.Optional("compatibility", "version hints, not enforced", yamldoc.Any(), anything),
		yamldoc.Optional("metadata", "for people and catalogs", metadataType(), func(s *sim) *string { return &s.Title }),
		yamldoc.Optional("objectives", "what the learner will be able to do", yamldoc.Any(), anything),
		yamldoc.Optional("state", "the state in which the lab begins", seedType(), func(s *sim) *lab.Value { return &s.State }),
		yamldoc.Optional("settings", "streaming and pacing", settingsType(), func(s *sim) *lab.Settings { return &s.Settings }),
		yamldoc.Optional("defaults", "what applies when nothing else does", defaultsType(), func(s *sim) *lab.Defaults { return &s.Defaults }),
		yamldoc.Optional("controls", "switches for the learner", yamldoc.List(controlType()), func(s *sim) *[]lab.Control { return &s.Controls }),
		yamldoc.Optional("workflows", "CI workflows", yamldoc.List(workflowType()), func(s *sim) *[]lab.Workflow { return &s.Workflows }),
		yamldoc.Required("scenarios", "the rules; the first that matches wins", yamldoc.List(scenarioType()), func(s *sim) *[]lab.Scenario { return &s.Scenarios }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *sim) bool {
		dst.State = lab.EmptyMap()
		dst.Settings = lab.Settings{Streaming: true, StreamDelay: 20, AgentThink: 700}
		return t.Read(r, n, dst)
	})
}

func schemaVersionType() yamldoc.Type[string] {
	version := versionType()
	return yamldoc.NewType(`the version "2.0"`, version2Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool {
		scalar := n.Kind == yamldoc.KindText || n.Kind == yamldoc.KindNumber || n.Kind == yamldoc.KindBool
		if major, _, _ := strings.Cut(n.Text, "."); scalar && !n.Broken && n.Tag == "" && major != "2" {
			r.Report("version-unknown", n.Span, "this is version "+n.Text+" of the schema; version 2 is the one that is played")
			return false
		}
		return version.Read(r, n, dst)
	})
}

// metadataType takes the title out of what is otherwise opaque.
func metadataType() yamldoc.Type[string] {
	return yamldoc.NewType("anything", anyValue, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool {
		if title := n.Get("title"); title != nil && title.Kind == yamldoc.KindText {
			*dst = title.Text
		}
		return true
	})
}

// seedType reads the initial state; dotted keys stand for nested maps.
func seedType() yamldoc.Type[lab.Value] {
	return yamldoc.NewType("a map", seedSchema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *lab.Value) bool {
		*dst = lab.EmptyMap()
		if n.Kind == yamldoc.KindNull {
			return true
		}
		if !expectMap(r, n, "a map") {
			return false
		}
		v, ok := readSeed(r, n, 0)
		*dst = v
		for _, p := range n.Pairs {
			if p.Key == "history" || strings.HasPrefix(p.Key, "history.") {
				r.Report("state-reserved", p.KeyNode.Span, "`history` is kept by the engine and may not be written")
			}
		}
		return ok
	})
}

// readSeed reads a value that stands below a number of keys of the state.
func readSeed(r *yamldoc.Reader, n *yamldoc.Node, depth int) (v lab.Value, ok bool) {
	switch n.Kind {
	case yamldoc.KindMap:
		v, ok = lab.EmptyMap(), !n.Broken
		for _, p := range n.Pairs {
			if !appendElsewhere(r, p, true) {
				ok = false
				continue
			}
			path, whole := lab.StatePath(p.Key)
			if !whole {
				r.Report("state-path", p.KeyNode.Span, "`"+p.Key+"` is no dot-path: a part of it is empty")
			}
			if !whole || !checkDepth(r, p.KeyNode, depth+len(path)) {
				ok = false
				continue
			}
			e, fine := readSeed(r, p.Value, depth+len(path))
			ok = ok && fine
			next, err := v.Put(path, e)
			if there := v.Lookup(path); err == nil && !there.IsNull() {
				// `a.b: 1` and `a: { c: 2 }` are one map, in either order.
				var joined bool
				if next, joined = join(there, e); joined {
					next, err = v.Put(path, next)
				} else {
					err = errTwice
				}
			}
			if err != nil {
				r.Report("state-path", p.KeyNode.Span, "`"+p.Key+"`: "+err.Error())
				ok = false
				continue
			}
			v = next
		}
		return v, ok
	case yamldoc.KindList:
		ok = !n.Broken
		list := make([]lab.Value, len(n.Items))
		for i, item := range n.Items {
			e, fine := readSeed(r, item, depth+1)
			list[i] = e
			ok = ok && fine
		}
		return lab.ListOf(list...), ok
	}
	return readValue(r, n)
}

var errTwice = errors.New("this part of the state is given twice")

// join makes one map of two; it is not ok when they give a key twice.
func join(a, b lab.Value) (joined lab.Value, ok bool) {
	if a.Kind() != lab.KindMap || b.Kind() != lab.KindMap {
		return a, false
	}
	for _, e := range b.Entries() {
		value := e.Value
		if old, there := a.Get(e.Key); there {
			if value, ok = join(old, e.Value); !ok {
				return a, false
			}
		}
		a = a.With(e.Key, value)
	}
	return a, true
}

func settingsType() yamldoc.Type[lab.Settings] {
	type set = lab.Settings
	ms := yamldoc.Int(0, math.MaxInt32)
	return yamldoc.Object("settings",
		yamldoc.Optional("streaming", "whether output appears line by line", yamldoc.Bool(), func(s *set) *bool { return &s.Streaming }),
		yamldoc.Optional("streamDelayMs", "ms before each line", ms, func(s *set) *int { return &s.StreamDelay }),
		yamldoc.Optional("agentThinkMs", "ms before an agent answers", ms, func(s *set) *int { return &s.AgentThink }),
		yamldoc.Optional("pace", "named delays in ms", paceType(), func(s *set) *[]lab.Pace { return &s.Pace }),
	)
}

func paceType() yamldoc.Type[[]lab.Pace] {
	ms := yamldoc.Int(0, math.MaxInt32)
	return entriesType("a map from name to milliseconds", anyKey, ms.Schema, func(r *yamldoc.Reader, p yamldoc.Pair, dst *lab.Pace) bool {
		dst.Name = p.Key
		return ms.Read(r, p.Value, &dst.MS)
	})
}

func defaultsType() yamldoc.Type[lab.Defaults] {
	type def = lab.Defaults
	lines := yamldoc.List(lineType())
	fallback := yamldoc.Object("a default",
		yamldoc.Optional("output", "lines of stdout", lines, func(f *lab.Fallback) *[]lab.Line { return &f.Output }),
		yamldoc.Optional("stderr", "lines of stderr", lines, func(f *lab.Fallback) *[]lab.Line { return &f.Stderr }),
		yamldoc.Optional("exit", "exit code", yamldoc.Ptr(exitType()), func(f *lab.Fallback) **int { return &f.Exit }),
	)
	return yamldoc.Object("defaults",
		yamldoc.Optional("unmatched", "for a command that nothing takes", yamldoc.Ptr(fallback), func(d *def) **lab.Fallback { return &d.Unmatched }),
		yamldoc.Optional("unmatchedAgent", "for a prompt that nothing takes", yamldoc.Ptr(fallback), func(d *def) **lab.Fallback { return &d.UnmatchedAgent }),
		yamldoc.Optional("exit", "exit code of scenarios that give none", exitType(), func(d *def) *int { return &d.Exit }),
	)
}

func exitType() yamldoc.Type[int] { return yamldoc.Int(0, 255) }

func controlType() yamldoc.Type[lab.Control] {
	type con = lab.Control
	text := yamldoc.Text()
	t := yamldoc.Object("a control",
		yamldoc.Required("id", "names the control", text, func(c *con) *string { return &c.ID }),
		yamldoc.Required("label", "what the learner reads", text, func(c *con) *string { return &c.Label }),
		yamldoc.Optional("description", "more to read", text, func(c *con) *string { return &c.Description }),
		yamldoc.Required("state", "the path it writes", statePathType(), func(c *con) *string { return &c.State }),
		yamldoc.Optional("enabled", "value when on", valueType(), func(c *con) *lab.Value { return &c.On }),
		yamldoc.Optional("disabled", "value when off", valueType(), func(c *con) *lab.Value { return &c.Off }),
	)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *con) bool {
		dst.On, dst.Off = lab.Bool(true), lab.Bool(false)
		return t.Read(r, n, dst)
	})
}

func workflowType() yamldoc.Type[lab.Workflow] {
	text := yamldoc.Text()
	type failing = lab.Failure
	failure := yamldoc.Object("failure",
		yamldoc.Optional("error", "what the run shows", yamldoc.Ptr(text), func(f *failing) **string { return &f.Error }),
		yamldoc.Optional("logs", "shown instead of the step's own", yamldoc.List(text), func(f *failing) *[]string { return &f.Logs }),
	)
	type st = lab.WorkflowStep
	step := yamldoc.Object("a workflow step",
		yamldoc.Required("id", "unique in the workflow", text, func(s *st) *string { return &s.ID }),
		yamldoc.Optional("name", "what is shown", text, func(s *st) *string { return &s.Name }),
		yamldoc.Optional("logs", "shown when it succeeds", yamldoc.List(text), func(s *st) *[]string { return &s.Logs }),
		yamldoc.Optional("requires", "state path that must be truthy", statePathType(), func(s *st) *string { return &s.Requires }),
		yamldoc.Optional("failure", "shown when that is unmet", failure, func(s *st) *failing { return &s.Failure }),
	)
	type wf = lab.Workflow
	return yamldoc.Object("a workflow",
		yamldoc.Required("id", "what `then.ci` names", text, func(w *wf) *string { return &w.ID }),
		yamldoc.Optional("name", "what is shown", text, func(w *wf) *string { return &w.Name }),
		yamldoc.Optional("on", "the label of the trigger", text, func(w *wf) *string { return &w.On }),
		yamldoc.Optional("steps", "in order", yamldoc.List(step), func(w *wf) *[]st { return &w.Steps }),
	)
}

// completeSimulator fills in defaults and finds what is said twice.
func (r *reader) completeSimulator(s *lab.Simulator) {
	controls := ids{r: r, what: "control", code: "duplicate-id"}
	for i := range s.Controls {
		controls.add(&s.Controls[i], s.Controls[i].ID, &s.Controls[i].ID)
	}
	workflows := ids{r: r, what: "workflow", code: "duplicate-id"}
	for i := range s.Workflows {
		w := &s.Workflows[i]
		workflows.add(w, w.ID, &w.ID)
		if w.Name == "" {
			w.Name = w.ID
		}
		if w.On == "" {
			w.On = "push"
		}
		steps := ids{r: r, what: "workflow step", code: "duplicate-id"}
		for j := range w.Steps {
			step := &w.Steps[j]
			steps.add(step, step.ID, &step.ID)
			if step.Name == "" {
				step.Name = step.ID
			}
		}
	}
	scenarios := ids{r: r, what: "scenario", code: "duplicate-id"}
	for i := range s.Scenarios {
		sc := &s.Scenarios[i]
		if sc.ID == "" {
			sc.ID = "scenario-" + strconv.Itoa(i)
			if n := r.NodeOf(sc); n != nil && n.Kind == yamldoc.KindMap && !n.Broken && !r.hasID(sc, n) {
				r.Report("scenario-id", n.Span.FirstLine(), "the scenario has no `id`; it is called `"+sc.ID+"`")
			}
		}
		scenarios.add(sc, sc.ID, &sc.ID)
		r.checkScenario(sc)
	}
}

// hasID reports whether a scenario has an id that a mistake keeps from being read.
func (r *reader) hasID(s *lab.Scenario, n *yamldoc.Node) bool {
	return !r.faults.sure(r.NodeOf(&s.ID), 0) || slices.ContainsFunc(n.Pairs, func(p yamldoc.Pair) bool {
		return p.Key != "id" && diag.Nearest(p.Key, []string{"id", "description", "completes", "when", "then"}) == "id"
	})
}
