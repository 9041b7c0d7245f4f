package lab_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"asz/shared/lab"
	"asz/shared/sim"
)

// fill gives every field of a value a text or number of its own. Effects hold
// an input that holds effects: two levels of that are enough.
func fill(v reflect.Value, n *int, inputs int) {
	*n++
	if v.Type() == reflect.TypeFor[*lab.Input]() {
		if inputs == 2 {
			return
		}
		inputs++
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[lab.Value]() {
			v.Set(reflect.ValueOf(mapOf(fmt.Sprintf("k%d", *n), lab.ListOf(lab.Number(fmt.Sprintf("%d.0", *n)), lab.Text("é"), lab.Bool(*n%2 == 0), lab.Value{}))))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), n, inputs)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n, inputs)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n, inputs)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("text%d\x00é", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(*n) * 1_000_003)
	case reflect.Uint8:
		v.SetUint(uint64(*n % 5))
	}
}

// differences lists the paths of the fields in which a and b differ.
func differences(at string, a, b reflect.Value, out *[]string) {
	if v, ok := a.Interface().(lab.Value); ok {
		if w := b.Interface().(lab.Value); v.Digest() != w.Digest() || js(v) != js(w) {
			*out = append(*out, at)
		}
		return
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			differences(at+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i), out)
		}
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				*out = append(*out, at)
			}
			return
		}
		differences(at, a.Elem(), b.Elem(), out)
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			*out = append(*out, at)
			return
		}
		for i := range a.Len() {
			differences(at, a.Index(i), b.Index(i), out)
		}
	default:
		if !a.Equal(b) {
			*out = append(*out, at)
		}
	}
}

func roundTrip(t *testing.T, l *lab.Lab) *lab.Lab {
	t.Helper()
	got, err := lab.Decode(lab.Encode(l))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestCompiledKeepsEveryField(t *testing.T) {
	l, n := &lab.Lab{}, 0
	fill(reflect.ValueOf(l).Elem(), &n, 0)
	var lost []string
	differences("", reflect.ValueOf(*l), reflect.ValueOf(*roundTrip(t, l)), &lost)
	slices.Sort(lost)
	// What the page is built with, and authors' notes.
	want := []string{
		".CI", ".Catalog.Description", ".Catalog.Icon", ".Catalog.Minutes", ".Catalog.Order", ".Catalog.Tags", ".Catalog.Title",
		".Description", ".Sections.Content", ".Services", ".Simulator.Scenarios.Description", ".Simulator.Title", ".Simulator.Version",
		".Terminals.Icon", ".Variables",
	}
	if got := slices.Compact(lost); !slices.Equal(got, want) {
		t.Errorf("left out: %q, want %q", got, want)
	}
}

func TestCompiledKeepsAbsence(t *testing.T) {
	empty, negative := "", -1
	l := &lab.Lab{Terminals: []lab.Terminal{{ID: "t"}}, Simulator: lab.Simulator{
		Workflows: []lab.Workflow{{Steps: []lab.WorkflowStep{{}, {Failure: lab.Failure{Logs: []string{}, Error: &empty}}}}},
		Scenarios: []lab.Scenario{
			{},
			{When: lab.When{Prompt: &empty}, Then: lab.Effects{Exit: &negative, Session: &lab.Session{}, Output: []lab.Line{{}, {Text: &empty}, {Delay: &lab.Delay{}}}}},
			{Then: lab.Effects{CI: &lab.CITrigger{}, Input: &lab.Input{Steps: []lab.InputStep{{}}}}},
			{Then: lab.Effects{CI: &lab.CITrigger{Commit: &empty, Error: &empty, Steps: []lab.StepOverride{{}, {Name: &empty, Logs: []string{}}}}}},
		},
	}}
	got := roundTrip(t, l)
	var lost []string
	for i := range l.Simulator.Scenarios {
		differences("scenario", reflect.ValueOf(l.Simulator.Scenarios[i].Then), reflect.ValueOf(got.Simulator.Scenarios[i].Then), &lost)
		if (l.Simulator.Scenarios[i].When.Prompt == nil) != (got.Simulator.Scenarios[i].When.Prompt == nil) {
			lost = append(lost, "prompt")
		}
	}
	steps, gotSteps := l.Simulator.Workflows[0].Steps, got.Simulator.Workflows[0].Steps
	for i := range steps {
		differences("step", reflect.ValueOf(steps[i].Failure), reflect.ValueOf(gotSteps[i].Failure), &lost)
	}
	if len(lost) > 0 {
		t.Errorf("lost: %q", lost)
	}
}

func TestCompiledIsStable(t *testing.T) {
	l, n := &lab.Lab{}, 0
	fill(reflect.ValueOf(l).Elem(), &n, 0)
	once := lab.Encode(l)
	if !bytes.Equal(once, lab.Encode(l)) || !bytes.Equal(once, lab.Encode(roundTrip(t, l))) {
		t.Error("two forms of one lab")
	}
}

// small is a playable lab with a bit of everything.
func small() *lab.Lab {
	text, one := "hello {{ args.0 }} {{ state.a }}", 1
	return &lab.Lab{
		ID: "small", Title: "Small", Terminals: []lab.Terminal{{ID: "t", Title: "T"}},
		Files: []lab.File{{Path: "d/f", Text: "x"}},
		Simulator: lab.Simulator{
			State:     mapOf("a", lab.Int(1), "l", lab.ListOf(lab.Text("x"))),
			Controls:  []lab.Control{{ID: "c", State: "a", On: lab.Bool(true)}},
			Workflows: []lab.Workflow{{ID: "w", Name: "W", On: "push", Steps: []lab.WorkflowStep{{ID: "s", Requires: "a"}}}},
			Scenarios: []lab.Scenario{
				{ID: "x", When: lab.When{Command: []string{"say"}, Args: []lab.Arg{{Matcher: lab.Matcher{Kind: lab.MatchAny}}}, State: []lab.Guard{{Path: "a", Want: lab.Int(1)}}},
					Then: lab.Effects{Output: []lab.Line{{Text: &text}}, State: []lab.Delta{{Path: "l", Append: true, Value: lab.Text("y")}}, Files: []lab.FileOp{{Verb: lab.FileAppend, Path: "d/f", Text: "y"}}, CI: &lab.CITrigger{Workflow: "w"}, Exit: &one}},
				{ID: "chat", When: lab.When{Command: []string{"chat"}}, Then: lab.Effects{Session: &lab.Session{Prompt: "> "}}},
				{ID: "ask", When: lab.When{Command: []string{"ask"}}, Then: lab.Effects{Input: &lab.Input{Steps: []lab.InputStep{{Key: "k"}}}}},
				{ID: "turn", When: lab.When{Agent: true, PromptContains: []string{"hi"}}},
			},
		},
	}
}

// playable decodes data and, when that works, plays what came of it.
func playable(data []byte) {
	l, err := lab.Decode(data)
	if err != nil {
		return
	}
	e, err := sim.New(l)
	if err != nil || len(l.Terminals) == 0 {
		return
	}
	p := sim.NewPlayer(e)
	for _, line := range []string{"say a", "say -x b", "ls", "cat d/f", "chat", "hi", "!say b", "/exit", "ask", "v", "nope"} {
		id, o := p.Act("line", l.Terminals[0].ID, line)
		p.AppendOutcome(nil, id, o)
		p.Explain(id)
	}
	p.Act("rerun", l.Terminals[0].ID, "")
	p.Act("control", l.Terminals[0].ID, "c on")
	p.AppendBoot(nil)
}

func TestCompiledTruncated(t *testing.T) {
	data := lab.Encode(small())
	playable(data)
	for n := range data {
		if _, err := lab.Decode(data[:n]); err == nil {
			t.Errorf("the first %d of %d bytes decode", n, len(data))
		}
	}
	if _, err := lab.Decode(append(data[:len(data):len(data)], 0)); err == nil {
		t.Error("a byte too many decodes")
	}
}

func TestCompiledDamaged(t *testing.T) {
	data := lab.Encode(small())
	for i := range data {
		for bit := range 8 {
			damaged := bytes.Clone(data)
			damaged[i] ^= 1 << bit
			playable(damaged)
		}
		for _, b := range []byte{0, 0x7f, 0x80, 0xff} {
			damaged := bytes.Clone(data)
			damaged[i] = b
			playable(damaged)
		}
	}
	r := rand.New(rand.NewPCG(9, 9))
	for range 2_000 {
		damaged := bytes.Clone(data)
		for range 1 + r.IntN(6) {
			damaged[r.IntN(len(damaged))] = byte(r.Uint32())
		}
		playable(damaged)
	}
}

func TestCompiledRefuses(t *testing.T) {
	data := lab.Encode(small())
	other := bytes.Clone(data)
	other[len("aszlab")]++
	for name, data := range map[string][]byte{"nothing": nil, "text": []byte("title: x\n"), "another version": other, "a huge table": append(bytes.Clone(data[:7]), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)} {
		if _, err := lab.Decode(data); err == nil {
			t.Errorf("%s decodes", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	full, n := &lab.Lab{}, 0
	fill(reflect.ValueOf(full).Elem(), &n, 0)
	for _, l := range []*lab.Lab{{}, small(), full} {
		f.Add(lab.Encode(l))
	}
	f.Add([]byte("aszlab"))
	f.Fuzz(func(t *testing.T, data []byte) { playable(data) })
}
