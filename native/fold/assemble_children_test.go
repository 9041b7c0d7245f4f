package fold_test

import (
	"strings"
	"testing"

	"asz/native/fold"
)

// TestChildren: how a child is tied to the call that started it, and what is open when it is not.
func TestChildren(t *testing.T) {
	t.Parallel()
	const call = "= transcript main\ni run=c on=external input\nu ^i call=k +call:t:Agent +call:t2:Agent\n"
	const child = "= transcript a1\np run=d\n"
	const results = "tool_result t;tool_result t2"
	for name, c := range map[string]struct{ text, starts, reports, opens string }{
		"by a result": {call + "r ^u child=a1 +result:t\n" + child,
			"tool/t stream/a1 exact_unique 1/3", "", "tool_result t2"},
		"by one of two results": {call + "r ^u child=a1 tool=t2 +result:t +result:t2\n" + child,
			"tool/t2 stream/a1 exact_unique 1/3", "", ""},
		"by one result that says another": {call + "r ^u child=a1 tool=t2 +result:t\n" + child,
			"tool/t stream/a1 exact_unique 1/3", "", "tool_result t2"},
		"by one result in two blocks": {call + "r ^u child=a1 tool=t2 +result:t +result:t\n" + child,
			"tool/t stream/a1 exact_unique 1/3", "", "tool_result t;tool_result t2"},
		"by a record that names its call": {call + "r ^u child=a1 tool=t2\n" + child,
			"tool/t2 stream/a1 exact_unique 1/3", "", results},
		"main is started by nobody": {call + child + "v ^p call=k9 +call:t9:Agent\nr ^v child=main +result:t9\n",
			"", "", "spawn_of_child a1;" + results},
		"a batch without a result": {call + "r ^u batch=w\n", "", "", results},
		"by two results": {call + "r ^u child=a1 +result:t +result:t2\n" + child,
			"tool/t stream/a1 exact_ambiguous 1/3;tool/t2 stream/a1 exact_ambiguous 1/3", "", ""},
		"by two records": {call + "r ^u child=a1 +result:t\nr2 ^u child=a1 +result:t2\nr3 ^u child=a1 +result:t\n" + child,
			"tool/t stream/a1 exact_ambiguous 1/3;tool/t2 stream/a1 exact_ambiguous 1/4", "", "tool_result t"},
		"by a notification": {call + "n run=n on=notification tool=t child=a1\n" + child,
			"tool/t stream/a1 exact_unique 1/3", "notify/1/3 stream/a1 exact_unique 1/3", results},
		"by a result before a notification": {call + "n run=n on=notification tool=t child=a1\nr ^u child=a1 +result:t\n" + child,
			"tool/t stream/a1 exact_unique 1/4", "notify/1/3 stream/a1 exact_unique 1/3", "tool_result t2"},
		"by a journal": {call + "r ^u batch=w ack +result:t\n" + child + "= journal w\n- child=a1\n- child=a1 child_result\n",
			"tool/t stream/a1 strong_inference 3/1", "", "tool_result t2"},
		"by a result before a journal": {call + "r ^u batch=w child=a1 +result:t\n" + child + "= journal w\n- child=a1\n",
			"tool/t stream/a1 exact_unique 1/3", "", "tool_result t2"},
		"by the journal of another batch": {call + "r ^u batch=w +result:t\n" + child + "= journal v\n- child=a1\n",
			"", "", "spawn_call v;tool_result t2"},
		"by two launches of a batch": {call + "r ^u batch=w +result:t\nr2 ^u batch=w +result:t2\n" + child + "= journal w\n- child=a1\n",
			"tool/t stream/a1 exact_ambiguous 3/1;tool/t2 stream/a1 exact_ambiguous 3/1", "", ""},
		"reported through its call": {call + "r ^u child=a1 +result:t\nn run=n on=notification tool=t\n" + child,
			"tool/t stream/a1 exact_unique 1/3", "notify/1/4 stream/a1 strong_inference 1/4", "tool_result t2"},
		"reported, and by whom started unknown": {call + "n run=n on=notification child=a1\n" + child,
			"", "notify/1/3 stream/a1 exact_unique 1/3", "spawn_of_child a1;" + results},
		"by nothing":                   {call + child, "", "", "spawn_of_child a1;" + results},
		"by a record without a result": {call + "r ^u child=a1\n" + child, "", "", "spawn_of_child a1;" + results},
		"by a parent agent":            {call + child + "= agent_meta a1\n- child=a1 by=a0 label=L\n", "", "", results},
		"by itself":                    {child + "u ^p call=k +call:t:Agent\nr ^u child=a1 +result:t\n", "", "", "spawn_of_child a1"},
		"main is no child":             {call + "r ^u child=main +result:t\nn run=n on=notification child=main\n", "", "", "tool_result t2"},
		"the call is missing":          {"= transcript main\nr run=c child=a1 +result:t\n" + child, "", "", "spawn_call a1;tool_use t"},
		"the batch's call is missing": {"= transcript main\nr run=c batch=w +result:t\n" + child + "= journal w\n- child=a1\n",
			"", "", "spawn_call w;tool_use t"},
		"the batch is told of nowhere": {child + "= transcript a2\np2 run=d\n= journal w\n- child=a1\n- child=a2\n", "", "", "spawn_call w"},
		"a manifest alone":             {"= workflow_manifest w\n- label=L\n", "", "", "spawn_call w"},
		"missing, by a result":         {call + "r ^u child=a1 +result:t\n", "", "", "child_stream a1;tool_result t2"},
		"missing, by a journal":        {call + "r ^u batch=w +result:t\n= journal w\n- child=a1\n", "", "", "child_stream a1;tool_result t2"},
		"missing, by a notification":   {call + "n run=n on=notification child=a1 tool=t\n", "", "", "notified_child a1;" + results},
		"a lone meta file":             {call + "= agent_meta a1\n- child=a1 label=L\n", "", "", results},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := told(t, c.text)
			split := func(text string) []string {
				if text == "" {
					return nil
				}
				return strings.Split(text, ";")
			}
			a.related("starts", split(c.starts)...)
			a.related("reports", split(c.reports)...)
			a.opens(split(c.opens)...)
			for _, id := range []string{"tool/t", "tool/t2"} {
				if n := a.nodes[id]; n != nil && (n.Kind == fold.KindAgentCall) != strings.Contains(c.starts, id+" ") {
					t.Errorf("%s is a %s", id, n.Kind)
				}
			}
		})
	}
}

// TestStreams: what a stream says of itself.
func TestStreams(t *testing.T) {
	t.Parallel()
	a := told(t, `
= agent_meta a1
- child=a1 label=Old by=a9
= transcript a1
p run=d
u ^p call=k +text
v ^u call=k2 synthetic +text
= agent_meta a1
- child=a1 label=New by=a0
= journal w
- child=a1
- child=a1 child_result
= agent_meta a2
- child=a2 label=L
= transcript a3
q ^lost call=k3 +text
`)
	a.is(map[string]string{
		"stream/a1":   "stream a1 session/x 2/1 label=New named_by=agent_meta,journal records=5 role=child started_by=a0",
		"stream/a2":   "",
		"stream/main": "",
		"output/a1":   "agent.output a1 run/talk_a1/d 2/2,4/2 returned_value=observed_replayable",
		"output/a3":   "agent.output a3 session/x 6/1 returned_value=unavailable",
		"talk/a3":     "",
	})
	a.related("ends_with", "stream/a1 output/a1 exact_unique 2/2", "stream/a3 output/a3 exact_unique 6/1")
	a.related("in_segment")
}

// TestRelationNames: relations whose ends come to one name stay two.
func TestRelationNames(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
i run=c on=external input
u ^i call=k +call:t/1:Agent +call:t_1:Agent
r ^u child=a1 +result:t/1 +result:t_1
= transcript a1
p run=d
`)
	if a.related("starts", "tool/t/1 stream/a1 exact_ambiguous 1/3", "tool/t_1 stream/a1 exact_ambiguous 1/3"); len(a.Relations) != 4 {
		t.Errorf("%d relations", len(a.Relations))
	}
}
