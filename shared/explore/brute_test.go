//go:build !js

// Not as wasm: it takes minutes there, and the other tests of the package hold that the two do the same.

package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"asz/shared/lab"
	"asz/shared/sim"
)

// randomLab makes a small lab of everything on which a search depends: facts, values that are captured, sessions,
// questions, files, CI runs, switches, terminals, steps.
func randomLab(r *rand.Rand) *lab.Lab {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	chance := func(percent int) bool { return r.IntN(100) < percent }
	l := &lab.Lab{ID: "random", Title: "Random", Terminals: []lab.Terminal{{ID: "one"}}}
	if chance(40) {
		l.Terminals = append(l.Terminals, lab.Terminal{ID: "two"})
	}
	l.Files = []lab.File{{Path: "f", Text: "red"}}
	l.Sections = []lab.Section{{ID: "s", Title: "S", Steps: []lab.Step{{ID: "first"}, {ID: "second"}}}}
	sim := &l.Simulator
	sim.State = lab.EmptyMap().With("p", lab.EmptyMap().With("a", lab.Bool(false)))
	values := []lab.Value{lab.Bool(true), lab.Bool(false), lab.Text("x"), lab.Text("y"), {}}
	paths := []string{"p.a", "p.b", "c", "d"}
	value := func() lab.Value { return values[r.IntN(len(values))] }
	if chance(30) {
		sim.Controls = append(sim.Controls, lab.Control{ID: "switch", Label: "Switch", State: pick(paths...), On: value(), Off: value()})
	}
	if chance(20) {
		sim.Workflows = append(sim.Workflows, lab.Workflow{ID: "w", Name: "w", Steps: []lab.WorkflowStep{{ID: "build"}, {ID: "push", Requires: pick(paths...)}}})
	}
	history := chance(6)
	effects := func(scope string, name string) lab.Effects {
		var e lab.Effects
		for range r.IntN(3) {
			d := lab.Delta{Path: pick(paths...), Value: value()}
			switch {
			case chance(25) && scope != "":
				d.Value = lab.Text(pick("{{ "+scope+"."+name+" }}", "{{ "+scope+"."+name+" }}", "x{{ "+scope+"."+name+" }}"))
			case chance(10):
				d.Value = lab.Text("{{ state." + pick(paths...) + " }}")
			case chance(4):
				d.Path = pick("p", "p.a.deep", "c.deep")
			case chance(4):
				d = lab.Delta{Path: pick("list", "c"), Append: true, Value: value()}
			}
			e.State = append(e.State, d)
		}
		if chance(15) {
			e.Files = append(e.Files, []lab.FileOp{
				{Verb: lab.FileReplace, Path: "f", Find: "red", Text: "blue"},
				{Verb: lab.FileReplace, Path: "f", Find: "blue", Text: "red"},
				{Verb: lab.FileCreate, Path: "f", Text: "red"},
				{Verb: lab.FileDelete, Path: "f"},
				{Verb: lab.FileCopy, Path: "f", Text: "g"},
				{Verb: lab.FileMkdir, Path: "g"},
				{Verb: lab.FileCreate, Path: "g/h", Text: "blue"},
			}[r.IntN(7)])
		}
		if len(sim.Workflows) > 0 && chance(30) {
			e.CI = &lab.CITrigger{Workflow: "w", Conclusion: pick("", "", "success", "failure")}
		}
		return e
	}
	guards := func() (out []lab.Guard) {
		for range r.IntN(3) {
			path := pick(paths...)
			if slices.ContainsFunc(out, func(g lab.Guard) bool { return g.Path == path }) {
				continue
			}
			out = append(out, lab.Guard{Path: path, Want: value()})
		}
		if len(sim.Workflows) > 0 && chance(20) {
			out = append(out, lab.Guard{Path: "ci.runs." + pick("0", "1") + ".conclusion", Want: lab.Text(pick("success", "failure"))})
		}
		if history && chance(25) {
			out = append(out, lab.Guard{Path: "history." + pick("0", "1"), Want: lab.Text(pick("go", "stop -d", "look"))})
		}
		return out
	}
	for i := range 3 + r.IntN(5) {
		s := lab.Scenario{ID: fmt.Sprint("s", i)}
		s.When.State = guards()
		if chance(35) {
			s.Completes = pick("first", "second")
		}
		if len(l.Terminals) > 1 && chance(20) {
			s.When.Terminal = pick("one", "two")
		}
		scope, name := "", ""
		if chance(20) {
			s.When.Agent = true
			if chance(70) {
				s.When.PromptContains = []string{pick("make", "test")}
			}
		} else {
			s.When.Command = strings.Fields(pick("go", "go up", "stop"))
			switch {
			case chance(30):
				s.When.Args = []lab.Arg{{Flag: "n", Matcher: lab.Matcher{Kind: lab.MatchAny}}}
				scope, name = "args", "n"
			case chance(20):
				s.When.Args = []lab.Arg{{Flag: "d", Matcher: lab.Matcher{Kind: []lab.MatchKind{lab.MatchPresent, lab.MatchAbsent}[r.IntN(2)]}}}
			case chance(20):
				s.When.Args = []lab.Arg{{Pos: 0, Matcher: lab.Matcher{Kind: lab.MatchEquals, Set: []string{"x"}}}}
			}
		}
		s.Then = effects(scope, name)
		switch {
		case chance(20) && !s.When.Agent:
			s.Then.Session = &lab.Session{Prompt: "> "}
		case chance(20):
			s.Then.Input = &lab.Input{Steps: []lab.InputStep{{Key: "k"}}}
			if chance(25) {
				s.Then.Input.Steps = append(s.Then.Input.Steps, lab.InputStep{Key: "m"})
			}
			s.Then.Input.Then = effects("input", pick("k", "m"))
		}
		sim.Scenarios = append(sim.Scenarios, s)
	}
	return l
}

// typedLines is everything that is typed in the brute search: more than a search would.
func typedLines() (out []string) {
	for _, path := range []string{"go", "go up", "stop"} {
		for _, d := range []string{"", " -d"} {
			for _, n := range []string{"", " --n x", " --n y", " --n ''", " --n z"} {
				for _, word := range []string{"", " x", " y"} {
					out = append(out, path+d+n+word)
				}
			}
		}
	}
	return append(out, "look")
}

// brute is the whole machine of a lab, state by state.
type brute struct {
	engine *sim.Engine
	lines  []string
	once   []Line
	saves  []Save
	states []*sim.State
	depth  []int
	next   [][]int
	fires  map[string]bool
	fails  map[string]bool
	whole  bool
}

func newBrute(e *sim.Engine, from *sim.State, once []Line, saves []Save, most int) *brute {
	b := &brute{engine: e, lines: typedLines(), once: once, saves: saves, states: []*sim.State{from}, depth: []int{0}, fires: map[string]bool{}, fails: map[string]bool{}, whole: true}
	number := map[uint64]int{bruteKey(e, from): 0}
	for i := 0; i < len(b.states); i++ {
		if len(b.states) > most {
			b.whole = false
			return b
		}
		var next []int
		b.all(b.states[i], func(after *sim.State, o *sim.Outcome) {
			for _, r := range o.Results {
				for _, line := range o.Lines(sim.Stderr) {
					if rest, is := strings.CutPrefix(line, "lab error in scenario `"); is {
						id, _, _ := strings.Cut(rest, "`")
						b.fails[id] = true
					}
				}
				b.fires[r.Scenario], b.fires[r.Turn] = true, true
			}
			key := bruteKey(e, after)
			n, ok := number[key]
			if !ok {
				n = len(b.states)
				number[key] = n
				b.states = append(b.states, after)
				b.depth = append(b.depth, b.depth[i]+1)
			}
			if n != i {
				next = append(next, n)
			}
		})
		b.next = append(b.next, next)
	}
	return b
}

// bruteKey tells states apart but for what grows without an end: CI runs beyond the second, lists beyond three.
func bruteKey(e *sim.Engine, s *sim.State) uint64 {
	tree := s.Tree()
	for _, cut := range []struct {
		path []string
		most int
	}{{[]string{"ci", "runs"}, 2}, {[]string{"list"}, 3}, {[]string{"c"}, 3}} {
		if v := tree.Lookup(cut.path); v.Kind() == lab.KindList && v.List().Len() > cut.most {
			tree, _ = tree.Put(cut.path, lab.ListOf(v.List().Values()[:cut.most]...))
		}
	}
	key := tree.Digest()*31 + s.Files().Digest()
	for _, t := range e.Lab().Terminals {
		mode, prompt, _ := e.Mode(s, t.ID)
		key = key*31 + lab.HashText(fmt.Sprint(mode, prompt))
	}
	for _, step := range []string{"first", "second"} {
		if s.Done(step) {
			key = key*31 + lab.HashText(step)
		}
	}
	for _, sc := range e.Lab().Simulator.Scenarios {
		for _, g := range sc.When.State {
			if strings.HasPrefix(g.Path, "history.") {
				for _, line := range s.History()[:min(2, len(s.History()))] {
					key = key*31 + lab.HashText(line)
				}
			}
		}
	}
	// What is open, beyond its mode.
	return key*31 + s.Opened()
}

func (b *brute) all(s *sim.State, f func(*sim.State, *sim.Outcome)) {
	e := b.engine
	for _, t := range e.Lab().Terminals {
		mode, _, _ := e.Mode(s, t.ID)
		var typed []string
		switch mode {
		case sim.ModeCommand:
			typed = b.lines
		case sim.ModeSession:
			typed = append(typed, "make", "test", "make test", "hello", "/exit")
			for _, line := range b.lines {
				typed = append(typed, "!"+line)
			}
		case sim.ModeInput:
			typed = []string{"x", "y", "", "z", "/cancel"}
		}
		for _, l := range b.once {
			if l.Terminal == t.ID && mode == sim.ModeCommand {
				typed = append(typed[:len(typed):len(typed)], l.Text)
			} else if l.Terminal == t.ID && mode == sim.ModeSession {
				typed = append(typed, "!"+l.Text)
			}
		}
		for _, line := range typed {
			f(e.Type(s, t.ID, line))
		}
	}
	for i := range e.Lab().Simulator.Controls {
		f(e.SetControl(s, "one", e.Lab().Simulator.Controls[i].ID, true))
		f(e.SetControl(s, "one", e.Lab().Simulator.Controls[i].ID, false))
	}
	for _, b := range b.saves {
		f(e.Save(s, "one", b.Path, b.Text))
	}
	f(e.Rerun(s, "one", 0))
}

// alive reports for each state whether a step can still be completed from it.
func (b *brute) alive(step string) []bool {
	out := make([]bool, len(b.states))
	for i, s := range b.states {
		out[i] = s.Done(step)
	}
	for changed := true; changed; {
		changed = false
		for i := len(out) - 1; i >= 0; i-- {
			if !out[i] && slices.ContainsFunc(b.next[i], func(n int) bool { return out[n] }) {
				out[i], changed = true, true
			}
		}
	}
	return out
}

// acts counts the lines of a script that do something.
func acts(script []string) int {
	return len(slices.DeleteFunc(slices.Clone(script), func(line string) bool { return strings.HasPrefix(line, "@terminal ") }))
}

// replay plays a script and returns the state that it leads to.
func replay(t *testing.T, e *sim.Engine, script []string) *sim.State {
	t.Helper()
	p := sim.NewPlayer(e)
	terminal := e.Lab().Terminals[0].ID
	for _, line := range script {
		switch {
		case strings.HasPrefix(line, "@terminal "):
			terminal = line[len("@terminal "):]
		case strings.HasPrefix(line, "@control "):
			p.Act("control", terminal, line[len("@control "):])
		case line == "@rerun":
			p.Act("rerun", terminal, "")
		case strings.HasPrefix(line, "@save "):
			path, text, _ := strings.Cut(line[len("@save "):], " ")
			p.Act("save", terminal, path+"\n"+strings.Trim(text, `"`))
		default:
			p.Act("line", terminal, line)
		}
	}
	return p.State()
}

// TestBrute holds searches of random labs against a search of all their states, one by one, without facts and slices.
func TestBrute(t *testing.T) {
	const most = 200
	compared, ends, endless := 0, 0, 0
	for seed := uint64(1); compared < most; seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		l := randomLab(r)
		saves := []Save{}
		if r.IntN(5) == 0 {
			saves = append(saves, Save{"f", "red"}, Save{"g", "blue"})
		}
		var once []Line // prompts that are said at once
		if r.IntN(3) == 0 {
			for _, text := range []string{"go -p make", "go -p 'make test'", "go up -p test", "stop -p hello", "go -p hello", "stop -p make"} {
				once = append(once, Line{Terminal: "one", Text: text}, Line{Terminal: "two", Text: text})
			}
		}
		e, err := sim.New(l)
		if err != nil {
			t.Fatal(err)
		}
		b := newBrute(e, e.Start(), once, saves, 300)
		if !b.whole {
			continue
		}
		compared++
		s := New(Input{Engine: e, Lines: once, Saves: saves, Steps: true, Solve: true})
		for s.Step(1000) {
		}
		got := s.Result()
		if !got.Exhaustive {
			endless++ // a list that grows is printed into a fact
			continue
		}
		ends += compare(t, fmt.Sprint("seed ", seed), b, got)
		if t.Failed() {
			t.Logf("%+v", l.Simulator.Controls)
			for _, sc := range l.Simulator.Scenarios {
				t.Logf("%s %v completes=%s terminal=%s agent=%v %v args=%v guards=%s", sc.ID, sc.When.Command, sc.Completes, sc.When.Terminal, sc.When.Agent, sc.When.PromptContains, sc.When.Args, showGuards(sc.When.State))
				t.Logf("    %s", showEffects(&sc.Then))
			}
			return
		}
	}
	if endless > most/20 {
		t.Errorf("%d searches were not exhaustive", endless)
	}
	if ends < 10 {
		t.Errorf("only %d dead ends among the labs: the test shows little", ends)
	}
}

func compare(t *testing.T, name string, b *brute, got *Result) (ends int) {
	e := b.engine
	for i, sc := range e.Lab().Simulator.Scenarios {
		if fires := got.Rules[i].Fires == Yes; fires != b.fires[sc.ID] {
			t.Errorf("%s: the scenario %s fires: %v, should be %v", name, sc.ID, fires, b.fires[sc.ID])
		}
		fails := slices.IndexFunc(got.Failures, func(f Failure) bool { return f.Rule == i })
		if fails >= 0 != b.fails[sc.ID] {
			t.Errorf("%s: the scenario %s fails: %v, should be %v", name, sc.ID, fails >= 0, b.fails[sc.ID])
		}
	}
	reachable := map[string]bool{}
	for _, step := range []string{"first", "second"} {
		alive := b.alive(step)
		known := slices.IndexFunc(got.Steps, func(s Step) bool { return s.ID == step })
		reachable[step] = alive[0]
		if known < 0 {
			if alive[0] {
				t.Errorf("%s: nothing is known of the step %s, which can be completed", name, step)
			}
			continue
		}
		found := got.Steps[known]
		if found.Reachable == Yes != alive[0] {
			t.Errorf("%s: the step %s can be completed: %v, should be %v", name, step, found.Reachable, alive[0])
		}
		dead := slices.Index(alive, false)
		if found.DeadEnd != (dead > 0) {
			t.Errorf("%s: the step %s has a dead end: %v, should be %v", name, step, found.DeadEnd, dead > 0)
			continue
		}
		if dead <= 0 {
			continue
		}
		ends++
		if n := acts(found.Play); n != b.depth[dead] {
			t.Errorf("%s: the way into the dead end of %s takes %d, the shortest %d: %q", name, step, n, b.depth[dead], found.Play)
		}
		if after := newBrute(e, replay(t, e, found.Play), b.once, b.saves, 2000); after.alive(step)[0] {
			t.Errorf("%s: the play does not lead into a dead end of %s: %q", name, step, found.Play)
		}
	}
	shortest := slices.IndexFunc(b.states, func(s *sim.State) bool {
		return (!reachable["first"] || s.Done("first")) && (!reachable["second"] || s.Done("second"))
	})
	switch sol := got.Solution; {
	case shortest < 0 && len(sol.Missing) == 0:
		t.Errorf("%s: there is no solution, but one is given: %q", name, sol.Play)
	case shortest >= 0 && acts(sol.Play) != b.depth[shortest]:
		t.Errorf("%s: the solution takes %d, the shortest %d: %q", name, acts(sol.Play), b.depth[shortest], sol.Play)
	}
	return ends
}

func showGuards(list []lab.Guard) (out string) {
	for _, g := range list {
		out += g.Path + "=" + string(g.Want.AppendJSON(nil)) + " "
	}
	return out
}

func showEffects(e *lab.Effects) (out string) {
	for _, d := range e.State {
		out += fmt.Sprintf("%s(%v)=%s ", d.Path, d.Append, d.Value.AppendJSON(nil))
	}
	out += fmt.Sprint(e.Files, e.CI != nil, " session=", e.Session != nil)
	if e.Input != nil {
		out += fmt.Sprint(" input ", e.Input.Steps, " ", showEffects(&e.Input.Then))
	}
	return out
}
