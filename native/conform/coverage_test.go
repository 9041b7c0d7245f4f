package conform_test

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asz/native/fold"
	"asz/native/store"
	"asz/shared/session"
)

// covered is all that our own scenarios bring about, each by a scenario that is there for it: what can stand in a scenario,
// what can be lost or deleted, and what can come of it. Not listed is what no scenario can have: an epoch_continuation that is
// resolved (the record stands ahead of its boundary in the same file, so it never lands later), and the qualities
// weak_inference, unresolved and conflict, which no relation is given.
var covered = map[string]string{
	"title": "turns", "small rounds": "small-rounds", "nothing written": "nothing-new",

	"step input": "turns", "step inject": "turns", "step call": "turns", "step result": "late-result", "step error": "runtime-events",
	"step reset": "reset-and-replay", "step replay": "reset-and-replay",
	"step queued prompt": "runtime-events", "step queued task-notification": "late-result",
	"step system compact_boundary": "bare-boundary", "step system api_error": "runtime-events", "step system turn_duration": "runtime-events",
	"step system local_command": "runtime-events", "step system of another subtype": "runtime-events",

	"child input": "child-steps", "child queued": "child-steps", "child inject": "child-steps", "child call": "child-steps",
	"child result": "child-steps", "child error": "child-steps", "child reset": "child-steps", "child system": "child-steps",

	"call thinking": "turns", "call thinking unavailable": "turns", "call text": "turns", "call tool": "turns",
	"call tool unfinished": "late-result", "call agent": "family", "call agent notify": "family", "call skill": "family", "call workflow": "family",
	"tool.result failed": "turns", "tool.result string": "string-results", "result failed": "string-results", "result string": "string-results",

	"lost input": "lost-input", "lost queued": "lost-events", "lost inject": "lost-events", "lost error": "lost-events",
	"lost system": "lost-events", "lost replay": "lost-events", "lost result": "lost-results", "lost reset": "gone",
	"lost call": "continued", "lost call of tool": "late-records", "lost call of agent": "lost-launches", "lost call of skill": "lost-launches",
	"lost call of workflow": "lost-launches", "lost in a child": "lost-in-child",
	"lost tool.result": "lost-results", "lost agent": "lost-children", "lost skill": "lost-children", "lost workflow child": "lost-children",

	"lose transcript": "lost-file", "lose agent_meta": "lost-kinds", "lose journal": "lost-kinds", "lose workflow_manifest": "lost-kinds",
	"lose workflow_script": "lost-kinds", "lose another of a kind": "lost-in-turn",

	fold.KindSession: "turns", fold.KindStream: "turns", fold.KindEpoch: "turns", fold.KindTalk: "turns", fold.KindRun: "turns",
	fold.KindSegment: "turns", fold.KindInput: "turns", fold.KindInjection: "turns", fold.KindCall: "turns", fold.KindAssistant: "turns",
	fold.KindSynthetic: "runtime-events", fold.KindThinking: "turns", fold.KindTool: "turns", fold.KindAgentCall: "family",
	fold.KindLaunchAck: "family", fold.KindNotification: "family", fold.KindOutput: "family", fold.KindBoundary: "bare-boundary",
	fold.KindSummary: "reset-and-replay", fold.KindError: "runtime-events", fold.KindCommand: "runtime-events",
	fold.KindNotice: "runtime-events", fold.KindDuration: "runtime-events",
	"result_join exact_unique": "turns", "result_join exact_ambiguous": "answered-twice", "result_join unresolved": "lost-results",
	"returned_value observed_replayable": "family", "returned_value unavailable": "family",
	"state open": "windows", "state candidate": "windows",

	"starts exact_unique": "family", "starts strong_inference": "family", "starts exact_ambiguous": "two-claims",
	"reports exact_unique": "family", "reports strong_inference": "told-by-call", "ends_with exact_unique": "family",
	"follows exact_unique": "reset-and-replay", "summarizes exact_unique": "reset-and-replay",
	"in_segment exact_unique": "windows", "in_segment strong_inference": "family",

	"tool_result open": "answered-twice", "tool_use open": "gone", "child_stream open": "lost-children", "notified_child open": "gone",
	"spawn_call open": "lost-launches", "spawn_of_child open": "lost-launches", "epoch_continuation open": "continued",
	"tool_result resolved": "late-result", "tool_use resolved": "files-in-order", "child_stream resolved": "files-in-order",
	"notified_child resolved": "files-in-order", "spawn_call resolved": "late-records", "spawn_of_child resolved": "files-in-order",
}

// TestScenarios: each of our own scenarios is what its expectations say, in both formats; together they bring about all
// that can be, and none is there for nothing.
func TestScenarios(t *testing.T) {
	t.Parallel()
	type brought struct {
		scenario string
		about    map[string]bool
	}
	own := scenarios(t, "testdata/scenarios/*.yaml")
	all := make(chan brought, len(own))
	t.Run("each", func(t *testing.T) {
		for _, name := range own {
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				s, e := readChecked(t, name, as)
				for _, f := range checked(t, s, e, dir).Failures {
					t.Errorf("%+v", f)
				}
				about := standsIn(s, e)
				comesOf(t, dir, about)
				all <- brought{strings.TrimSuffix(filepath.Base(name), ".yaml"), about}
			})
		}
	})
	close(all)
	by := map[string]map[string]bool{}
	for b := range all {
		by[b.scenario] = b.about
		for thing := range b.about {
			if _, ok := covered[thing]; !ok {
				t.Errorf("%s brings about %q, which is not listed", b.scenario, thing)
			}
		}
	}
	needed := map[string]bool{}
	for _, thing := range slices.Sorted(maps.Keys(covered)) {
		scenario := covered[thing]
		needed[scenario] = true
		if !by[scenario][thing] {
			t.Errorf("%s does not bring about %q", scenario, thing)
		}
	}
	for scenario := range by {
		if !needed[scenario] {
			t.Errorf("%s is there for nothing", scenario)
		}
	}
}

// standsIn is what stands in a scenario and its expectations, in the words of covered.
func standsIn(s *session.Scenario, e *session.Expectation) map[string]bool {
	w := words{}
	w.when(s.Title != "", "title")
	w.when(e.MaxRoundBytes.Is > 0, "small rounds")
	lost := map[session.Lose]bool{}
	for _, c := range e.Checkpoints {
		w.when(c.Written.Set && !c.Written.Is, "nothing written")
		for _, l := range c.Lose {
			place := session.Lose{Stream: l.Stream, Run: l.Run, Kind: l.Kind}
			w.when(lost[place], "lose another of a kind")
			lost[place], w["lose "+l.Kind] = true, true
		}
	}
	w.steps(s.Steps, false)
	return w
}

type words map[string]bool

func (w words) when(is bool, word string) {
	if is {
		w[word] = true
	}
}

func (w words) steps(steps []session.Step, child bool) {
	for i := range steps {
		s := &steps[i]
		w.when(s.Lost && child, "lost in a child")
		kind, more := "", ""
		switch {
		case s.Input != nil:
			kind = "input"
		case s.Queued != nil:
			kind, more = "queued", " "+s.Queued.Mode
		case s.Inject != nil:
			kind = "inject"
		case s.Call != nil:
			kind = "call"
			w.call(s.Call, s.Lost)
		case s.Result != nil:
			kind = "result"
			w.when(s.Result.Failed, "result failed")
			w.when(s.Result.String, "result string")
		case s.Error != nil:
			kind = "error"
		case s.Reset != nil:
			kind = "reset"
		case s.Replay > 0:
			kind = "replay"
		case s.System != nil:
			kind, more = "system", " of another subtype"
			if slices.Contains([]string{"compact_boundary", "api_error", "turn_duration", "local_command"}, s.System.Subtype) {
				more = " " + s.System.Subtype
			}
		}
		w["step "+kind+more] = true
		w.when(child, "child "+kind)
		w.when(s.Lost, "lost "+kind)
	}
}

func (w words) call(c *session.Call, lost bool) {
	last := func(kind string) {
		w["call "+kind] = true
		w.when(lost, "lost call of "+kind)
	}
	if t := c.Thinking; t != nil {
		w["call thinking"+map[bool]string{true: " unavailable"}[t.Unavailable]] = true
	}
	w.when(c.Text != nil, "call text")
	if t := c.Tool; t != nil {
		last("tool")
		w.when(t.Result == nil, "call tool unfinished")
		if r := t.Result; r != nil {
			w.when(r.Failed, "tool.result failed")
			w.when(r.String, "tool.result string")
			w.when(r.Lost, "lost tool.result")
		}
	}
	if a := c.Agent; a != nil {
		last("agent")
		w.when(a.Notify, "call agent notify")
		w.when(a.Lost, "lost agent")
		w.steps(a.Steps, true)
	}
	if k := c.Skill; k != nil {
		last("skill")
		w.when(k.Lost, "lost skill")
		w.steps(k.Steps, true)
	}
	if f := c.Workflow; f != nil {
		last("workflow")
		for i := range f.Children {
			w.when(f.Children[i].Lost, "lost workflow child")
			w.steps(f.Children[i].Steps, true)
		}
	}
}

// comesOf adds what the chains below a directory hold.
func comesOf(t *testing.T, dir string, about map[string]bool) {
	t.Helper()
	for _, format := range formats {
		root := &store.Root{FS: store.Disk(), Dir: filepath.ToSlash(filepath.Join(dir, string(format)))}
		ids, err := root.Sessions()
		if err != nil || len(ids) != 1 {
			t.Fatal(ids, err)
		}
		chain, err := fold.Read(root, ids[0])
		if err != nil {
			t.Fatal(err)
		}
		s, err := chain.Structure()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range s.Nodes {
			about[n.Kind] = true
			for _, a := range n.Attrs {
				if slices.Contains([]string{"result_join", "returned_value", "state"}, a.Key) {
					about[fmt.Sprint(a.Key, " ", a.Value)] = true
				}
			}
		}
		for _, r := range s.Relations {
			about[r.Type+" "+r.Quality] = true
		}
		for _, u := range s.Unresolved {
			about[u.Kind+" "+cmp.Or(u.State, "without a state")] = true
		}
	}
}
