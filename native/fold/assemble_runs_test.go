package fold_test

import (
	"slices"
	"testing"

	"asz/native/fold"
)

// TestEpochs: only a boundary cuts, in landed order, each stream for itself.
func TestEpochs(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
i run=c on=external input @9s
b1 reset continues=i @1s
s1 ^b1 summary run=e
s2 ^s1 summary run=e
b2 reset continues=lost
- ^b2 reset
= transcript a1
- label=x
b3 reset
p ^b3 run=d
`)
	a.is(map[string]string{
		"epoch/main/0":      "epoch main stream/main 1/1",
		"epoch/main/b1":     "epoch main stream/main 1/2",
		"epoch/main/b2":     "epoch main stream/main 1/5",
		"epoch/main/at_1_6": "epoch main stream/main 1/6",
		"epoch/a1/0":        "",
		"epoch/a1/b3":       "epoch a1 stream/a1 2/2",
		"boundary/1/2":      "epoch.boundary main epoch/main/b1 1/2",
		"summary/1/4":       "epoch.summary main epoch/main/b1 1/4",
		"talk/main/e":       "talk main epoch/main/b1 1/3 loops=1 runs=1 trigger=external",
		"talk/a1":           "talk a1 epoch/a1/b3 2/3 loops=1 runs=1 trigger=unknown",
	})
	a.related("follows",
		"epoch/main/at_1_6 epoch/main/b2 exact_unique 1/6", "epoch/main/b1 epoch/main/0 exact_unique 1/2", "epoch/main/b2 epoch/main/b1 exact_unique 1/5")
	a.related("summarizes", "summary/1/3 boundary/1/2 exact_unique 1/3")
	a.opens("epoch_continuation lost", "spawn_of_child a1")
}

// TestEpochNames: a boundary that is named like a stream's first epoch does not take its place.
func TestEpochNames(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
i run=c
0 ^i reset
`)
	if got := a.ids(fold.KindEpoch); !slices.Equal(got, []string{"epoch/main/0", "epoch/main/0~2"}) {
		t.Errorf("the epochs are %q", got)
	}
}

// TestTalks: a run opens a talk or goes on with the one in progress, by all that its records state.
func TestTalks(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
n0 run=n0 on=notification
i1 run=c1 on=unknown
x1 ^i1 on=external
n1 run=n1 on=notification
u1 run=u1 on=unknown
m1 run=m1 on=notification
m2 ^m1 on=unknown
q1 run=q1
= transcript a1
p run=d1
n2 run=n2 on=notification
= transcript a2
o notice
`)
	a.is(map[string]string{
		"talk/main/n0":        "talk main epoch/main/0 1/1 loops=1 runs=1 trigger=notification",
		"talk/main/c1":        "talk main epoch/main/0 1/2 loops=4 runs=4 trigger=external",
		"run/talk_main_c1/c1": "run main talk/main/c1 1/2 trigger=external",
		"run/talk_main_c1/n1": "run main talk/main/c1 1/4 trigger=notification",
		"run/talk_main_c1/u1": "run main talk/main/c1 1/5 trigger=unknown",
		"run/talk_main_c1/m1": "run main talk/main/c1 1/6 trigger=unknown",
		"talk/main/q1":        "talk main epoch/main/0 1/8 loops=1 runs=1 trigger=external",
		"talk/a1":             "talk a1 epoch/a1/0 2/1 loops=2 runs=2 trigger=unknown",
		"run/talk_a1/d1":      "run a1 talk/a1 2/1 trigger=external",
		"run/talk_a1/n2":      "run a1 talk/a1 2/2 trigger=notification",
	})
	if got := a.ids(fold.KindTalk); len(got) != 4 {
		t.Errorf("the talks are %q: a stream without a run has none", got)
	}
	if n := a.nodes["notice/3/1"]; n.Parent != "epoch/a2/0" {
		t.Errorf("a step outside all runs stands below %s", n.Parent)
	}
}

// TestParentWalk: a record without a cycle has the run of the nearest parent with one, through records of all kinds, whichever
// lands first; circles and other streams end the walk.
func TestParentWalk(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
early ^mid notice
i run=c on=external input
mid ^d1
d1 ^i duration
far ^early notice
r run=c2 ^far on=external input
w ^r notice
o1 ^o2 notice
o2 ^o3 notice
o3 ^o2 notice
self ^self notice
= transcript a1
p ^i notice
`)
	for id, parent := range map[string]string{
		"notice/1/1": "run/talk_main_c/c", "notice/1/5": "run/talk_main_c/c", "notice/1/7": "run/talk_main_c2/c2",
		"notice/1/8": "epoch/main/0", "notice/1/9": "epoch/main/0", "notice/1/11": "epoch/main/0", "notice/2/1": "epoch/a1/0",
		"talk/main/c": "epoch/main/0",
	} {
		if n := a.nodes[id]; n == nil || n.Parent != parent {
			t.Errorf("%s: %v, want below %s", id, n, parent)
		}
	}
	if n := a.nodes["talk/main/c"]; n.Ref.Row != 1 {
		t.Errorf("a talk stands on row %d: it begins with the first record that reaches it", n.Ref.Row)
	}
}

// TestSidechain: what an older version told of a child in the main transcript belongs to the run in progress.
func TestSidechain(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
s0 sidechain notice
i run=c on=external input
x ^lost notice
s1 sidechain notice
s2 ^s1 sidechain call=k +text
s3 ^s1 sidechain run=c9 notice
s4 sidechain notice
plain notice
`)
	for id, parent := range map[string]string{
		"notice/1/1": "epoch/main/0", "notice/1/3": "epoch/main/0", "notice/1/4": "run/talk_main_c/c", "call/k": "run/talk_main_c/c",
		"notice/1/6": "run/talk_main_c9/c9", "notice/1/7": "run/talk_main_c/c", "notice/1/8": "epoch/main/0",
	} {
		if n := a.nodes[id]; n == nil || n.Parent != parent {
			t.Errorf("%s: %v, want below %s", id, n, parent)
		}
	}
}

// TestRunNames: cycles that come to one name stay two runs.
func TestRunNames(t *testing.T) {
	t.Parallel()
	a := told(t, `
= transcript main
i run=x on=external input
= transcript main_x
p run=x
`)
	if got := a.ids(fold.KindRun); !slices.Equal(got, []string{"run/talk_main_x/x", "run/talk_main_x/x~2"}) {
		t.Errorf("the runs are %q", got)
	}
}
