package fold_test

import (
	"slices"
	"strings"
	"testing"

	"asz/native/fold"
)

// TestSegments: where windows begin, what they hold, and which gates they have not met.
func TestSegments(t *testing.T) {
	t.Parallel()
	const first = "= transcript main\ni run=c on=external input @0s\n"
	const second = "j run=d on=external input @1h\n"
	for name, c := range map[string]struct {
		text string
		want []string // ID STATE TALKS FROM TO GATES
	}{
		"one": {first, []string{"at_1_1 open 1 0s 0s activity_boundary,lateness_watermark"}},
		"a pause of ten minutes": {first + "j run=d on=external input @10m\n",
			[]string{"at_1_1 open 2 0s 10m0s activity_boundary,lateness_watermark"}},
		"a longer one": {first + "j run=d on=external input @10m1ms\n",
			[]string{"at_1_1 candidate 1 0s 0s ", "at_1_2 open 1 10m0.001s 10m0.001s activity_boundary,lateness_watermark"}},
		"a pause within a talk": {first + "x ^i @1h notice\nj run=d on=external input @1h5m\n",
			[]string{"at_1_1 open 2 0s 1h5m0s activity_boundary,lateness_watermark"}},
		"what reaches no run does not count": {first + "x ^lost @55m notice\n" + second,
			[]string{"at_1_1 candidate 1 0s 0s ", "at_1_3 open 1 1h0m0s 1h0m0s activity_boundary,lateness_watermark"}},
		"talks out of order": {"= transcript main\nj run=d on=external input @1h\ni run=c on=external input @0s\n",
			[]string{"at_1_1 open 1 1h0m0s 1h0m0s activity_boundary,lateness_watermark", "at_1_2 candidate 1 0s 0s "}},
		"a negative gap": {first + "x ^i @2h notice\n" + second,
			[]string{"at_1_1 open 2 0s 2h0m0s activity_boundary,lateness_watermark"}},
		"no times": {"= transcript main\ni run=c on=external input\nj run=d on=external input\n",
			[]string{"at_1_1 open 2 - - activity_boundary,lateness_watermark"}},
		"a talk without a time in the middle": {first + "k run=e on=external input\n" + second,
			[]string{"at_1_1 candidate 2 0s 0s ", "at_1_3 open 1 1h0m0s 1h0m0s activity_boundary,lateness_watermark"}},
		"no talk in main": {"= transcript a1\np run=d @0s\n", nil},
		"children": {first + "x ^i @1m notice\n" + second + "= transcript a1\np run=e @30s\nq ^p @40m\n= transcript a2\np2 run=e @20m\n= transcript a3\np3 run=e @61m\n",
			[]string{"at_1_1 candidate 3 0s 40m0s ", "at_1_3 open 2 1h0m0s 1h1m0s activity_boundary,lateness_watermark"}},
		"a child before all": {first + "= transcript a1\np run=e @-5m\n",
			[]string{"at_1_1 open 2 -5m0s 0s activity_boundary,lateness_watermark"}},
		"a call without a result": {first + "u ^i @1s call=k +call:t:Bash\n" + second,
			[]string{"at_1_1 candidate 1 0s 1s no_crossing_open_operation", "at_1_3 open 1 1h0m0s 1h0m0s activity_boundary,lateness_watermark"}},
		"a result in the window": {first + "u ^i @1s call=k +call:t:Bash\nr ^u @2s +result:t\n" + second,
			[]string{"at_1_1 candidate 1 0s 2s ", "at_1_4 open 1 1h0m0s 1h0m0s activity_boundary,lateness_watermark"}},
		"a result behind it": {first + "u ^i @1s call=k +call:t:Bash\n" + second + "r run=d @61m +result:t\n",
			[]string{"at_1_1 candidate 1 0s 1s no_crossing_open_operation", "at_1_3 open 1 1h0m0s 1h1m0s activity_boundary,lateness_watermark"}},
		"two results": {first + "u ^i @1s call=k +call:t:Bash\nr ^u @2s +result:t\nr2 ^u @2s +result:t\n" + second,
			[]string{"at_1_1 candidate 1 0s 2s no_crossing_open_operation", "at_1_5 open 1 1h0m0s 1h0m0s activity_boundary,lateness_watermark"}},
		"a result without a time": {first + "u ^i @1s call=k +call:t:Bash\nr ^u +result:t\n" + second,
			[]string{"at_1_1 candidate 1 0s 1s no_crossing_open_operation", "at_1_4 open 1 1h0m0s 1h0m0s activity_boundary,lateness_watermark"}},
		"a call without a time": {first + "u ^i call=k +call:t:Bash\n" + second,
			[]string{"at_1_1 candidate 1 0s 0s no_crossing_open_operation", "at_1_3 open 1 1h0m0s 1h0m0s activity_boundary,lateness_watermark"}},
		"a child that has not landed": {first + second + "n ^j on=notification @1h child=a1\n",
			[]string{"at_1_1 candidate 1 0s 0s no_crossing_open_operation",
				"at_1_2 open 1 1h0m0s 1h0m0s activity_boundary,no_crossing_open_operation,lateness_watermark"}},
		"an earlier talk outlasts the next one": {first + "x ^i @1h notice\nj run=d on=external input @5m\nk run=e on=external input @20m\n",
			[]string{"at_1_1 candidate 2 0s 1h0m0s lateness_watermark", "at_1_4 open 1 20m0s 20m0s activity_boundary,lateness_watermark"}},
		"a call in a talk that outlasts the next one": {first + "u ^i @45m call=k +call:t:Bash\nx ^i @1h notice\nj run=d on=external input @5m\nk run=e on=external input @20m\n",
			[]string{"at_1_1 candidate 2 0s 1h0m0s no_crossing_open_operation,lateness_watermark", "at_1_5 open 1 20m0s 20m0s activity_boundary,lateness_watermark"}},
		"talks are taken by their time": {first + "j run=d on=external input @11m\nk run=e on=external input @0s\n",
			[]string{"at_1_1 candidate 2 0s 0s ", "at_1_2 open 1 11m0s 11m0s activity_boundary,lateness_watermark"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := told(t, c.text)
			var got []string
			for _, id := range a.ids(fold.KindSegment) {
				at := map[string]string{"from": "-", "to": "-"}
				for _, x := range a.nodes[id].Attrs {
					at[x.Key] = value(x.Value)
				}
				if (at["committable"] == "true") != (at["gates_unmet"] == "") {
					t.Errorf("%s: %v", id, at)
				}
				got = append(got, strings.Join([]string{strings.TrimPrefix(id, "segment/"), at["state"], at["talks"], since(at["from"]), since(at["to"]), at["gates_unmet"]}, " "))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the segments are\n  %s\nnot\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
	a, err := fold.Assemble(land(t, first), 0, "")
	if err != nil || !slices.Contains(newAssembly(t, a).nodes["segment/at_1_1"].Attrs[2].Value.([]string), "conversation_identity") {
		t.Error("without a conversation a segment has its identity", err)
	}
}

// TestChildInSegment: a child's talk joins a window by inference.
func TestChildInSegment(t *testing.T) {
	t.Parallel()
	a := told(t, "= transcript main\ni run=c on=external input @0s\nj run=d on=external input @1h\n= transcript a1\np run=e @20m\n")
	a.related("in_segment",
		"talk/a1 segment/at_1_1 strong_inference 2/1", "talk/main/c segment/at_1_1 exact_unique 1/1", "talk/main/d segment/at_1_2 exact_unique 1/2")
}
