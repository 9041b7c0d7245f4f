package fold_test

import (
	"fmt"
	"testing"
	"time"

	"asz/native/fold"
	"asz/native/store"
)

const fixture = `
session: 00000001-0000-4000-8000-000000000011
title: build and check
steps:
  - input: run the build
  - inject: {type: skill_listing, text: "skills: 1"}
    after: 100ms
  - call:
      thinking: unavailable
      text: Building now.
      tool: {id: make, name: Bash, input: {command: make}, result: {text: built, after: 800ms}}
    after: 900ms
  - call: {tool: {id: search, name: WebSearch, result: results}}
  - call: {agent: {name: checker, prompt: check, after: 1s, notify: true, steps: [{call: {text: Tests pass.}}]}}
    checkpoint: delegated
  - call: {text: Build passed.}
  - error: "API Error"
  - reset: {summary: "Summary: built."}
`

// checker is the agent id of the child named checker.
const checker = "a0a10ef0666c4dc7e"

// TestFixture: a whole session, node by node.
func TestFixture(t *testing.T) {
	t.Parallel()
	a := built(t, fixture, "")
	if len(a.Nodes) != 35 || len(a.Relations) != 8 || counts(a.Assembly) != "talks=3 steps=21 streams=2 segments=1 open=0" || a.Title != "build and check" {
		t.Errorf("%d nodes, %d relations, %s, title %q", len(a.Nodes), len(a.Relations), counts(a.Assembly), a.Title)
	}
	if from, to := time.Unix(0, a.From), time.Unix(0, a.Through); !from.Equal(base) || !to.Equal(base.Add(11100*time.Millisecond)) {
		t.Errorf("the session takes from %v to %v", from, to)
	}
	const talk, run = "talk/main/s1-cycle", "run/talk_main_s1-cycle/s1-cycle"
	const later, compact = "run/talk_main_s1-cycle/s5-cycle-notification", "run/talk_main_s8-cycle-compact/s8-cycle-compact"
	const usage = " usage=observed_replayable usage_at=%s usage_from=last_fragment_in_line_order"
	child := "run/talk_" + checker + "/" + checker + "-cycle"
	a.is(map[string]string{
		"session/x":                  "session - - - from_time=2026-01-01T00:00:00Z through_time=2026-01-01T00:00:11.1Z title=build and check",
		"stream/main":                "stream main session/x 1/1 records=16 role=main",
		"stream/" + checker:          "stream " + checker + " session/x 2/1 label=checker named_by=agent_meta,notification,result records=3 role=child",
		"epoch/main/0":               "epoch main stream/main 1/1",
		"epoch/main/s8-boundary":     "epoch main stream/main 1/15",
		"epoch/" + checker + "/0":    "epoch " + checker + " stream/" + checker + " 2/1",
		talk:                         "talk main epoch/main/0 1/2 loops=2 runs=2 trigger=external",
		"talk/main/s8-cycle-compact": "talk main epoch/main/s8-boundary 1/16 loops=1 runs=1 trigger=external",
		"talk/" + checker:            "talk " + checker + " epoch/" + checker + "/0 2/1 loops=1 runs=1 trigger=unknown",
		run:                          "run main " + talk + " 1/2 trigger=external",
		later:                        "run main " + talk + " 1/12 trigger=notification",
		compact:                      "run main talk/main/s8-cycle-compact 1/16 trigger=external",
		child:                        "run " + checker + " talk/" + checker + " 2/1 trigger=external",
		"input/1/2":                  "message.external main " + run + " 1/2",
		"inject/1/3":                 "context.injection main " + run + " 1/3",
		"call/s3-call":               "llm.call main " + run + " 1/4,1/5,1/6 fragments=3" + fmt.Sprintf(usage, "1/6"),
		"think/1/4:0":                "thinking main call/s3-call 1/4:0",
		"msg/1/5:0":                  "message.assistant main call/s3-call 1/5:0",
		"tool/make":                  "tool main call/s3-call 1/6:0,1/7:0 name=Bash result=available result_join=exact_unique timing=unavailable",
		"tool/search":                "tool main call/s4-call 1/8:0,1/9:0 name=WebSearch result=available result_join=exact_unique timing=unavailable",
		"tool/s5-tool":               "agent.call main call/s5-call 1/10:0,1/11:0 name=Agent result=available result_join=exact_unique timing=unavailable",
		"ack/1/11":                   "agent.launch_ack main " + run + " 1/11",
		"notify/1/12":                "runtime.notification main " + later + " 1/12",
		"call/s6-call":               "llm.call main " + later + " 1/13 fragments=1" + fmt.Sprintf(usage, "1/13"),
		"msg/1/14:0":                 "message.synthetic main call/s7-synthetic-call 1/14:0",
		"boundary/1/15":              "epoch.boundary main epoch/main/s8-boundary 1/15",
		"summary/1/16":               "epoch.summary main epoch/main/s8-boundary 1/16",
		"output/" + checker:          "agent.output " + checker + " " + child + " 2/2 returned_value=unavailable",
		"input/2/1":                  "",
		"segment/at_1_2":             "segment - - 1/2 committable=false from=2026-01-01T00:00:00Z gates_unmet=activity_boundary,lateness_watermark state=open talks=3 to=2026-01-01T00:00:10.7Z",
	})
	a.related("starts", "tool/s5-tool stream/"+checker+" exact_unique 1/11")
	a.related("reports", "notify/1/12 stream/"+checker+" exact_unique 1/12")
	a.related("ends_with", "stream/"+checker+" output/"+checker+" exact_unique 2/2")
	a.related("follows", "epoch/main/s8-boundary epoch/main/0 exact_unique 1/15")
	a.related("summarizes", "summary/1/16 boundary/1/15 exact_unique 1/16")
	a.related("in_segment",
		"talk/"+checker+" segment/at_1_2 strong_inference 2/1",
		talk+" segment/at_1_2 exact_unique 1/2",
		"talk/main/s8-cycle-compact segment/at_1_2 exact_unique 1/16")
	for i := range a.Nodes {
		if a.Nodes[i].Parent == compact {
			t.Errorf("the summary's talk has the step %s", a.Nodes[i].ID)
		}
	}
}

// TestLostRecords: what is lost is told by what refers to it, and what hangs below it is in no talk.
func TestLostRecords(t *testing.T) {
	t.Parallel()
	a := built(t, `
session: 00000001-0000-4000-8000-000000000012
steps:
  - input: read it
  - call: {tool: {name: Read, result: {text: x, lost: true}}}
  - call: {tool: {name: Bash}}
    lost: true
  - result: {of: s3-tool, text: LISTEN}
  - call: {agent: {name: helper, prompt: read, lost: true, notify: true, steps: [{call: {text: Done.}}]}}
  - call: {agent: {name: checker, prompt: look, notify: true, steps: [{call: {text: Right.}}]}}
    lost: true
  - input: thanks
    lost: true
  - call: {text: Welcome.}
`, "")
	helper := a.Unresolved[0].Ref
	a.opens("child_stream "+helper, "notified_child "+helper, "spawn_of_child "+checker, "tool_result s2-tool", "tool_use s3-tool")
	a.is(map[string]string{
		"stream/" + helper: "",
		"tool/s3-tool":     "",
		"tool/s2-tool":     "tool main call/s2-call 1/2:0 name=Read result=unavailable result_join=unresolved timing=unavailable",
		"tool/s5-tool":     "tool main call/s5-call 1/4:0,1/5:0 name=Agent result=available result_join=exact_unique timing=unavailable",
		"call/s8-call":     "llm.call main epoch/main/0 1/7 fragments=1 usage=observed_replayable usage_at=1/7 usage_from=last_fragment_in_line_order",
	})
	a.related("reports")
}

// TestReplay: of a record that stands there again, with another cycle, only the first copy counts.
func TestReplay(t *testing.T) {
	t.Parallel()
	const steps = `
session: 00000001-0000-4000-8000-000000000013
steps:
  - input: go
  - call: {text: Going, tool: {name: Bash, result: done}}
  - call: {text: Gone.}
    checkpoint: before
  - replay: 4
`
	before, after := built(t, steps, "before"), built(t, steps, "")
	if len(before.Nodes) != len(after.Nodes) {
		t.Errorf("%d nodes become %d", len(before.Nodes), len(after.Nodes))
	}
	for id, n := range before.nodes {
		if m := after.nodes[id]; m == nil || line(n) != line(m) {
			t.Errorf("%s is %v after the replay", id, m)
		}
	}
}

// TestDuplicates: the first copy wins wherever it stands, and records without an id are no copies.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
i run=c on=external input @0s
- ^i call=k +text
- ^i call=k +text
= transcript a1
i run=d on=external input @9h
p run=d @1s
`)
	a.is(map[string]string{
		"stream/main": "stream main session/x 1/1 records=3 role=main",
		"stream/a1":   "stream a1 session/x 2/2 records=1 role=child",
		"input/2/1":   "",
		"call/k":      "llm.call main run/talk_main_c/c 1/2,1/3 fragments=2 stop_reason=unavailable usage=unavailable usage_from=last_fragment_in_line_order",
	})
	if time.Unix(0, a.Through).Sub(base) != 9*time.Hour {
		t.Error("the time of a copy does not count")
	}
}

// TestCalls: fragments are grouped over the session; usage is that of the last one.
func TestCalls(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
i run=c on=external input
x1 ^lost call=k usage finished +reasoning
x2 ^i call=other +text
x3 ^i call=k usage +text +call:t:Bash +text
y ^i call=dry finished +text
e ^i call=made synthetic +text
- ^i +call:free:Bash
- call=lost +text
b reset
- call=lost +text
= transcript a1
p run=d
q ^p call=k +text
`)
	a.is(map[string]string{
		"call/k":      "llm.call main run/talk_main_c/c 1/2,1/4,2/2 fragments=3 usage=unavailable usage_from=last_fragment_in_line_order",
		"call/other":  "llm.call main run/talk_main_c/c 1/3 fragments=1 stop_reason=unavailable usage=unavailable usage_from=last_fragment_in_line_order",
		"call/dry":    "llm.call main run/talk_main_c/c 1/5 fragments=1 usage=unavailable usage_from=last_fragment_in_line_order",
		"think/1/2:0": "thinking main call/k 1/2:0",
		"msg/1/4:0":   "message.assistant main call/k 1/4:0",
		"msg/1/4:2":   "message.assistant main call/k 1/4:2",
		"msg/2/2:0":   "message.assistant a1 call/k 2/2:0",
		"msg/1/6:0":   "message.synthetic main call/made 1/6:0",
		"output/a1":   "agent.output a1 run/talk_a1/d 2/2 returned_value=unavailable",
		"tool/t":      "tool main call/k 1/4:1 name=Bash result=unavailable result_join=unresolved timing=unavailable",
		"call/lost":   "llm.call main epoch/main/0 1/8,1/10 fragments=2 stop_reason=unavailable usage=unavailable usage_from=last_fragment_in_line_order",
		"tool/free":   "tool main run/talk_main_c/c 1/7:0 name=Bash result=unavailable result_join=unresolved timing=unavailable",
	})
}

// TestTools: calls and results find each other by id, over all streams and in any order.
func TestTools(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
i run=c on=external input
r1 ^i +result:late
u1 ^i call=k +call:late:Bash +call:twice:Read
r2 ^u1 +result:twice
= transcript a1
p run=d
r3 ^p +result:twice +result:gone +text
u3 ^p call=k3 +call:late:Again
`)
	a.is(map[string]string{
		"tool/late":  "tool main call/k 1/2:0,1/3:0,2/3:0 name=Bash result=available result_join=exact_unique timing=unavailable",
		"tool/twice": "tool main call/k 1/3:1,1/4:0,2/2:0 name=Read result=available result_join=exact_ambiguous timing=unavailable",
		"tool/gone":  "",
		"msg/2/2:2":  "",
	})
	if n := a.nodes["tool/late"]; n.Ref != (fold.Ref{Seq: 1, Row: 3, Block: 0}) {
		t.Errorf("a tool stands on %v", n.Ref)
	}
	a.opens("spawn_of_child a1", "tool_result twice", "tool_use gone")
}

// TestRecordSteps: what a flag or a trigger makes of a record.
func TestRecordSteps(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
i run=c on=external input
n1 ^i on=notification
c1 ^n1 command
e1 ^c1 error
d1 ^e1 duration
o1 ^d1 notice
j1 ^o1 injected
u1 ^j1
z ^nowhere notice
- label=T1
- label=T2
- label=T3 @5s
= transcript a1
- label=T4
`)
	const run = " main run/talk_main_c/c "
	a.is(map[string]string{
		"input/1/1":    "message.external" + run + "1/1",
		"notify/1/2":   "runtime.notification" + run + "1/2",
		"command/1/3":  "control.command" + run + "1/3",
		"error/1/4":    "error.api" + run + "1/4 retry_state=unavailable",
		"duration/1/5": "turn.duration" + run + "1/5",
		"notice/1/6":   "control.notice" + run + "1/6",
		"inject/1/7":   "context.injection" + run + "1/7",
		"notice/1/9":   "control.notice main epoch/main/0 1/9",
	})
	if a.Steps != 8 || a.Title != "T3" {
		t.Errorf("%d steps, title %q", a.Steps, a.Title)
	}
}

// TestThrough: what landed later is as if it were not there.
func TestThrough(t *testing.T) {
	t.Parallel()
	x := land(t, `
= transcript main
i run=c on=external input @0s
u ^i call=k +call:t:Bash
= transcript main
r ^u @1h run=c2 on=external +result:t
= transcript a1
p run=d
`)
	for through, want := range []string{
		"talks=3 steps=3 streams=2 segments=2 open=1", "talks=1 steps=3 streams=1 segments=1 open=1", "talks=2 steps=3 streams=1 segments=2 open=0",
		"talks=3 steps=3 streams=2 segments=2 open=1", "talks=3 steps=3 streams=2 segments=2 open=1",
	} {
		if a := assemble(t, x, int64(through)); counts(a.Assembly) != want {
			t.Errorf("through %d there is %s, not %s", through, counts(a.Assembly), want)
		}
	}
	if a := told(t, ""); len(a.Nodes) != 1 || a.From != store.NoTime || a.Through != store.NoTime {
		t.Errorf("nothing is assembled to %+v", a.Assembly)
	}
}
