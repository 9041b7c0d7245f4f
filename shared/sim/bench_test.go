package sim_test

import (
	"fmt"
	"testing"

	"asz/shared/lab"
	"asz/shared/sim"
)

// wideLab has n scenarios over n/33 command words, each with flags, a
// positional, a guard, a delta and templated output.
func wideLab(n int) (*lab.Lab, []string) {
	l := &lab.Lab{Title: "Wide", Terminals: []lab.Terminal{{ID: "terminal"}}}
	l.Simulator.State = lab.EmptyMap().With("phase", lab.Text("start"))
	var lines []string
	text := func(s string) lab.Line { return lab.Line{Text: &s} }
	for i := range n {
		path := []string{fmt.Sprintf("tool%d", i%(n/33+1)), fmt.Sprintf("verb%d", i)}
		l.Simulator.Scenarios = append(l.Simulator.Scenarios, lab.Scenario{
			ID: fmt.Sprintf("scenario-%d", i),
			When: lab.When{
				Command: path,
				Args: []lab.Arg{
					{Flag: "name", Matcher: lab.Matcher{Kind: lab.MatchAny}},
					{Flag: "d", Matcher: lab.Matcher{Kind: lab.MatchPresent}},
					{Pos: 0, Matcher: lab.Matcher{Kind: lab.MatchOneOf, Set: []string{fmt.Sprintf("item%d", i), "other"}}},
				},
				State: []lab.Guard{{Path: "phase", Want: lab.Text("start")}},
			},
			Then: lab.Effects{
				State:  []lab.Delta{{Path: "last.name", Value: lab.Text("{{ args.name }}")}},
				Output: []lab.Line{text("Started {{ args.name }}"), text("done")},
			},
		})
		lines = append(lines, fmt.Sprintf("%s %s -d --name web%d item%d", path[0], path[1], i%7, i))
	}
	return l, lines
}

func BenchmarkAct(b *testing.B) {
	for _, n := range []int{10, 1000, 10000} {
		l, lines := wideLab(n)
		e, err := sim.New(l)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := sim.NewPlayer(e)
			var out []byte
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				id, o := p.Act("line", "terminal", lines[i%n])
				out = p.AppendOutcome(out[:0], id, o)
			}
		})
	}
}

func BenchmarkSelect(b *testing.B) {
	l, lines := wideLab(1000)
	e, err := sim.New(l)
	if err != nil {
		b.Fatal(err)
	}
	q := e.Prepare("terminal", lines[500])
	s := e.Start()
	b.ReportAllocs()
	for b.Loop() {
		if rule, _ := q.Select(s); rule != 500 {
			b.Fatal(rule)
		}
	}
}
