package conform

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"asz/native/store"
	"asz/shared/diag"
	"asz/shared/session"
)

var base = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// scenarioOf reads a scenario that has no finding.
func scenarioOf(t testing.TB, text string) *session.Scenario {
	t.Helper()
	s, findings := session.Parse(diag.NewSource("test.yaml", text))
	if s == nil || len(findings) > 0 {
		var b strings.Builder
		findings.WriteText(&b, false)
		t.Fatalf("the scenario has findings:\n%s", b.String())
	}
	return s
}

func planOf(t testing.TB, text string, times Times) *Plan {
	t.Helper()
	if times.Base.IsZero() {
		times.Base = base
	}
	p, err := NewPlan(scenarioOf(t, text), times, "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// outline shows the records of a plan, a line each: file, id, parent, cycle, seconds behind the base.
func outline(p *Plan) string {
	var b strings.Builder
	names := map[string]string{}
	for _, name := range []string{"kid", "other", "deep"} {
		names[AgentID(name)] = "@" + name
	}
	for _, f := range p.Files {
		name := f.Source.Stream
		if f.Batch != "" {
			name = f.Batch
		}
		for _, r := range f.Records {
			at := "-"
			if !r.Time.IsZero() {
				at = fmt.Sprintf("%.1f", r.Time.Sub(p.Base).Seconds())
			}
			fields := []string{f.Kind.FileName(), name, r.ID, r.Parent, r.Run, r.Call, at}
			if r.Lost {
				fields = append(fields, "lost")
			}
			for i, field := range fields {
				if field == "" {
					fields[i] = "-"
				}
			}
			b.WriteString(strings.Join(fields, " ") + "\n")
		}
	}
	out := b.String()
	for id, name := range names {
		out = strings.ReplaceAll(out, id, name)
	}
	return out
}

func wantOutline(t *testing.T, p *Plan, want string) {
	t.Helper()
	if got := outline(p); got != strings.TrimLeft(want, "\n") {
		t.Errorf("the plan is\n%s\nand not\n%s", got, want)
	}
}

const everything = `
title: a day
steps:
  - input: begin
  - inject: {type: listing, text: "one"}
    after: 100ms
  - call:
      thinking: unavailable
      text: Now.
      tool: {id: given, name: Bash, input: {command: ls}, result: {text: done, after: 800ms}}
    after: 900ms
  - call: {tool: {name: Read, result: read}}
  - call:
      agent: {name: kid, prompt: look, after: 1s, notify: true, steps: [{call: {text: Looked.}}]}
  - call: {text: All good.}
  - error: gone
  - reset: {summary: short}
`

// TestWorkedCheck is the worked check of the clock, with the ids and the chain of every record.
func TestWorkedCheck(t *testing.T) {
	wantOutline(t, planOf(t, everything, Times{}), `
transcript main - - - - -
transcript main s1-input - s1-cycle - 0.0
transcript main s2-inject s1-input - - 0.1
transcript main s3-think s2-inject - s3-call 1.0
transcript main s3-text s3-think - s3-call 1.1
transcript main s3-use s3-text - s3-call 1.2
transcript main s3-result s3-use s1-cycle - 2.0
transcript main s4-use s3-result - s4-call 3.0
transcript main s4-result s4-use s1-cycle - 4.0
transcript main s5-use s4-result - s5-call 5.0
transcript main s5-ack s5-use s1-cycle - 5.1
transcript main s5-notification s5-ack s5-cycle-notification - 8.1
transcript main s6-text s5-notification - s6-call 9.1
transcript main s7-synthetic s6-text - s7-synthetic-call 10.1
transcript main s8-boundary - - - 11.1
transcript main s8-summary s8-boundary s8-cycle-compact - 10.7
transcript @kid @kid-prompt - @kid-cycle - 6.1
transcript @kid kid-s1-text @kid-prompt - kid-s1-call 7.1
meta @kid - - - - -
`)
}

func TestClock(t *testing.T) {
	for name, c := range map[string]struct{ steps, want string }{
		"the first step has a gap of its own only when it says so": {`
  - input: a
    after: 5s
  - call: {text: b}`, `
transcript main s1-input - s1-cycle - 5.0
transcript main s2-text s1-input - s2-call 6.0
`},
		"a standalone result: its own gap, else that of its step, else the interval": {`
  - call: {tool: {id: a, name: A}}
  - result: {of: a, text: x, after: 7s}
    after: 3s
  - result: {of: a, text: x}
    after: 3s
  - result: {of: a, text: x}`, `
transcript main s1-use - - s1-call 0.0
transcript main s2-result s1-use - - 7.0
transcript main s3-result s2-result - - 10.0
transcript main s4-result s3-result - - 11.0
`},
		"a result has the cycle of its call": {`
  - input: a
  - call: {tool: {id: a, name: A}}
  - input: b
  - result: {of: a, text: x}
  - call: {text: c}`, `
transcript main s1-input - s1-cycle - 0.0
transcript main s2-use s1-input - s2-call 1.0
transcript main s3-input s2-use s3-cycle - 2.0
transcript main s4-result s3-input s1-cycle - 3.0
transcript main s5-text s4-result - s5-call 4.0
`},
		"an unfinished tool is followed from its call": {`
  - call: {text: a, tool: {name: A}}
  - queued: {text: b}`, `
transcript main s1-text - - s1-call 0.0
transcript main s1-use s1-text - s1-call 0.1
transcript main s2-queued s1-use - - 1.1
`},
		"without a notification main goes on from the acknowledgement": {`
  - call: {agent: {name: kid, prompt: p, steps: [{call: {text: a}}, {input: b}]}}
  - call: {text: b}`, `
transcript main s1-use - - s1-call 0.0
transcript main s1-ack s1-use - - 0.1
transcript main s2-text s1-ack - s2-call 1.1
transcript @kid @kid-prompt - @kid-cycle - 1.1
transcript @kid kid-s1-text @kid-prompt - kid-s1-call 2.1
transcript @kid kid-s2-input kid-s1-text kid-s2-cycle - 3.1
meta @kid - - - - -
`},
		"a skill's child begins behind the forked result": {`
  - call: {skill: {name: tidy, agent: kid, steps: [{call: {text: a}}]}}
  - system: {subtype: note, fields: {content: x}}`, `
transcript main s1-use - - s1-call 0.0
transcript main s1-ack s1-use - - 0.1
transcript main s2-system s1-ack - - 1.1
transcript @kid @kid-prompt - @kid-cycle - 1.1
transcript @kid kid-s1-text @kid-prompt - kid-s1-call 2.1
meta @kid - - - - -
`},
		"a workflow's children begin one after the other, and main waits for the last": {`
  - call: {workflow: {name: w, children: [{name: kid, prompt: p, steps: [{call: {text: a}}, {call: {text: b}}]}, {name: other, prompt: p, steps: [{call: {text: c}}]}]}}
  - call: {text: d}`, `
transcript main s1-use - - s1-call 0.0
transcript main s1-ack s1-use - - 0.1
transcript main s2-text s1-ack - s2-call 4.1
transcript @other @other-prompt - @other-cycle - 1.2
transcript @other other-s1-text @other-prompt - other-s1-call 2.2
transcript @kid @kid-prompt - @kid-cycle - 1.1
transcript @kid kid-s1-text @kid-prompt - kid-s1-call 2.1
transcript @kid kid-s2-text kid-s1-text - kid-s2-call 3.1
journal wf_w - - - - -
journal wf_w - - - - -
journal wf_w - - - - -
journal wf_w - - - - -
manifest wf_w - - - - -
script wf_w - - - - -
`},
		"a child of a child": {`
  - call: {agent: {name: kid, prompt: p, notify: true, steps: [{call: {agent: {name: deep, prompt: q, notify: true, steps: [{call: {text: a}}]}}}]}}`, `
transcript main s1-use - - s1-call 0.0
transcript main s1-ack s1-use - - 0.1
transcript main s1-notification s1-ack s1-cycle-notification - 6.2
transcript @kid @kid-prompt - @kid-cycle - 1.1
transcript @kid kid-s1-use @kid-prompt - kid-s1-call 2.1
transcript @kid kid-s1-ack kid-s1-use @kid-cycle - 2.2
transcript @kid kid-s1-notification kid-s1-ack kid-s1-cycle-notification - 5.2
transcript @deep @deep-prompt - @deep-cycle - 3.2
transcript @deep deep-s1-text @deep-prompt - deep-s1-call 4.2
meta @kid - - - - -
meta @deep - - - - -
`},
		"a reset is followed from the boundary, below the summary": {`
  - input: a
  - reset: {summary: b}
  - call: {text: c, tool: {id: t, name: T, result: r}}`, `
transcript main s1-input - s1-cycle - 0.0
transcript main s2-boundary - - - 1.0
transcript main s2-summary s2-boundary s2-cycle-compact - 0.6
transcript main s3-text s2-summary - s3-call 2.0
transcript main s3-use s3-text - s3-call 2.1
transcript main s3-result s3-use s2-cycle-compact - 3.1
`},
		"a replay keeps times and ids, and moves nothing": {`
  - input: a
  - call: {text: b}
  - replay: 2
  - call: {text: c}`, `
transcript main s1-input - s1-cycle - 0.0
transcript main s2-text s1-input - s2-call 1.0
transcript main s1-input - s3-replay-cycle - 0.0
transcript main s2-text s1-input - s2-call 1.0
transcript main s4-text s2-text - s4-call 2.0
`},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, "steps:"+c.steps, Times{})
			got := outline(p)
			// children stand by id: the order of the names does not matter here
			if sorted(got) != sorted(strings.TrimLeft(c.want, "\n")) {
				t.Errorf("the plan is\n%s\nand not\n%s", got, c.want)
			}
		})
	}
}

func TestLost(t *testing.T) {
	p := planOf(t, `
steps:
  - input: a
    lost: true
  - call: {text: b, tool: {id: t, name: T, result: {text: r, lost: true}}}
  - call: {text: c, agent: {name: kid, prompt: p, notify: true, lost: true, steps: [{call: {agent: {name: deep, prompt: q, steps: [{call: {text: x}}]}}}]}}
  - call: {agent: {name: other, prompt: p, notify: true, steps: [{call: {text: y}, lost: true}]}}
    lost: true
  - replay: 2
  - reset: {summary: z}
`, Times{})
	var kept []string
	for i := range p.Files {
		f := &p.Files[i]
		for r := range p.Stage(f) {
			name := r.ID
			if name == "" {
				name = f.Kind.FileName()
			}
			kept = append(kept, f.Source.Stream+":"+name+"<"+r.Parent)
		}
	}
	got := strings.Join(kept, "\n")
	for _, name := range []string{"kid", "other", "deep"} {
		got = strings.ReplaceAll(got, AgentID(name), "@"+name)
	}
	want := `
main:s2-text<s1-input
main:s2-use<s2-text
main:s3-text<s2-result
main:s3-use<s3-text
main:s3-ack<s3-use
main:s3-notification<s3-ack
main:s6-boundary<
main:s6-summary<s6-boundary
@deep:@deep-prompt<
@deep:deep-s1-text<@deep-prompt
@deep:meta<
@other:@other-prompt<
@other:meta<`
	if sorted(got) != sorted(strings.TrimLeft(want, "\n")) {
		t.Errorf("kept is\n%s\nand not%s", got, want)
	}
	for _, r := range p.Files[0].Records {
		if r.ID == "s6-boundary" && r.Previous != "s4-notification" {
			t.Errorf("the boundary continues %q", r.Previous)
		}
	}
}

// TestScale multiplies every delta, the fixed ones too.
func TestScale(t *testing.T) {
	one := planOf(t, everything, Times{})
	for _, scale := range []float64{0.25, 60, 1e6} {
		many := planOf(t, everything, Times{Scale: scale})
		for i, f := range one.Files {
			for j, r := range f.Records {
				if r.Time.IsZero() {
					continue
				}
				want := time.Duration(float64(r.Time.Sub(base)) * scale)
				if got := many.Files[i].Records[j].Time.Sub(base); got != want {
					t.Errorf("at a scale of %v %s stands at %v and not at %v", scale, r.ID, got, want)
				}
			}
		}
	}
}

func TestInterval(t *testing.T) {
	d := 3 * time.Second
	p := planOf(t, "interval: 5s\nsteps: [{input: a}, {call: {text: b, tool: {name: T, result: r}}}]", Times{Interval: &d, Scale: 2})
	wantOutline(t, p, `
transcript main s1-input - s1-cycle - 0.0
transcript main s2-text s1-input - s2-call 6.0
transcript main s2-use s2-text - s2-call 6.2
transcript main s2-result s2-use s1-cycle - 12.2
`)
}

func TestRefusedPlans(t *testing.T) {
	year9999 := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	negative := -time.Second
	for name, c := range map[string]struct {
		steps string
		times Times
		want  string
	}{
		"negative scale":    {"[{input: a}]", Times{Scale: -1}, "above 0"},
		"no number":         {"[{input: a}]", Times{Scale: math.NaN()}, "above 0"},
		"infinite scale":    {"[{input: a}]", Times{Scale: math.Inf(1)}, "above 0"},
		"negative interval": {"[{input: a}]", Times{Interval: &negative}, "not negative"},
		"huge scale":        {"[{input: a}, {input: b}]", Times{Scale: 1e300}, "292 years"},
		"past year 9999":    {"[{input: a}, {input: b}]", Times{Base: year9999}, "test.yaml:1:21: the session leaves the years 0 to 9999"},
		"a run in a run":    {"[{call: {workflow: {name: a-wf_b, children: [{name: x, prompt: p, steps: [{call: {text: t}}]}]}}}]", Times{}, "-wf_"},
	} {
		t.Run(name, func(t *testing.T) {
			s := scenarioOf(t, "steps: "+c.steps)
			if c.times.Base.IsZero() {
				c.times.Base = base
			}
			if _, err := NewPlan(s, c.times, ""); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the plan is refused with %v, not with %q", err, c.want)
			}
		})
	}
	s := scenarioOf(t, "steps: [{input: a, checkpoint: here}]")
	if _, err := NewPlan(s, Times{Base: base}, "there"); err == nil || !strings.Contains(err.Error(), "here, final") {
		t.Error(err)
	}
}

// TestReplayBound: what doubles with every step ends before it fills the memory.
func TestReplayBound(t *testing.T) {
	s := &session.Scenario{Project: "p", Session: "x", Steps: []session.Step{{Input: new(string)}}}
	for i := range 60 {
		s.Steps = append(s.Steps, session.Step{Replay: 1 << min(i, 40)})
	}
	p := &planner{scenario: s, runs: map[string]string{}, limit: 1000}
	if _, err := p.make("x", Times{Base: base}, ""); err == nil || !strings.Contains(err.Error(), "more than 1000 records") {
		t.Error(err)
	}
	s.Steps = []session.Step{{Input: new(string)}, {Replay: 2}}
	if _, err := NewPlan(s, Times{Base: base}, ""); err == nil || !strings.Contains(err.Error(), "replays 2 records, and 1") {
		t.Error(err)
	}
}

func TestStages(t *testing.T) {
	s := scenarioOf(t, `
title: t
steps:
  - input: a
  - call: {agent: {name: kid, prompt: p, steps: [{call: {text: x}}]}}
    checkpoint: one
  - input: b
    checkpoint: two
  - call: {text: c}
`)
	for through, want := range map[string][]int{"one": {4, 2, 1}, "two": {5, 2, 1}, "final": {6, 2, 1}, "": {6, 2, 1}} {
		p, err := NewPlan(s, Times{Base: base}, through)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Files {
			n := 0
			for range p.Stage(&p.Files[i]) {
				n++
			}
			if n != want[i] {
				t.Errorf("through %q %s holds %d records and not %d", through, p.Files[i].Rel, n, want[i])
			}
		}
		if p.Latest != base.Add(3100*time.Millisecond) {
			t.Errorf("through %q the scenario ends at %v", through, p.Latest)
		}
	}
}

// TestOrder: main, then children by id with transcript before meta, then runs by id.
func TestOrder(t *testing.T) {
	p := planOf(t, `
steps:
  - call: {workflow: {name: z, children: [{name: a, prompt: p, steps: [{call: {text: t}}]}]}}
  - call: {workflow: {name: b, children: [{name: c, prompt: p, steps: [{call: {text: t}}]}]}}
  - call: {agent: {name: d, prompt: p, steps: [{call: {text: t}}]}}
`, Times{})
	var last string
	rank := map[store.Kind]int{store.Transcript: 0, store.AgentMeta: 1, store.Journal: 2, store.Manifest: 3, store.Script: 4}
	for i, f := range p.Files {
		key := fmt.Sprintf("%v%s%s%d", f.Batch != "", f.Source.Stream, f.Batch, rank[f.Kind])
		if i == 0 {
			if f.Source.Stream != store.Main {
				t.Error("main is not the first")
			}
			continue
		}
		if key <= last {
			t.Errorf("%s comes behind %s", key, last)
		}
		last = key
	}
	if len(p.Files) != 1+4+6 {
		t.Errorf("there are %d files", len(p.Files))
	}
}
