package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"asz/shared/diag"
	"asz/shared/session"
)

func text(l diag.List) string {
	var b strings.Builder
	l.WriteText(&b, false)
	return b.String()
}

func file(t *testing.T, name string) *diag.Source {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return diag.NewSource(filepath.Base(name), string(data))
}

func scenario(t *testing.T, src *diag.Source) *session.Scenario {
	t.Helper()
	s, findings := session.Parse(src)
	if len(findings) > 0 || s == nil {
		t.Fatalf("%s\n%s", src.Text, text(findings))
	}
	return s
}

func expectation(t *testing.T, src *diag.Source, s *session.Scenario) *session.Expectation {
	t.Helper()
	e, findings := session.ParseExpectation(src, s)
	if len(findings) > 0 || e == nil {
		t.Fatalf("%s\n%s", src.Text, text(findings))
	}
	return e
}

func steps(t *testing.T, lines string) *session.Scenario {
	t.Helper()
	return scenario(t, diag.NewSource("scenario.yaml", "steps:\n"+lines))
}

func TestEveryKey(t *testing.T) {
	s := scenario(t, file(t, "testdata/good/scenario.yaml"))
	if s.Session != "7b0c1d52-43a1-4f8e-9a55-0d6f2f1c9a10" || s.Project != "-home-mara-garden" || s.Title != "a greenhouse that waters itself" ||
		s.Interval != 2*time.Second || len(s.Steps) != 16 || s.Source == nil {
		t.Errorf("%+v", s)
	}
	// Each step in JSON, without its place.
	want := []string{
		`{"Input":"water the tomatoes"}`,
		`{"After":0,"Queued":{"Text":"and the basil","Mode":"prompt"}}`,
		`{"Lost":true,"Queued":{"Text":"the valve task ended","Mode":"task-notification"}}`,
		`{"After":100000000,"Inject":{"Type":"skill_listing","Text":"skills: water, prune"}}`,
		``,
		`{"Call":{"Thinking":{"Text":"The basil is dry as well."},"Usage":{"In":2,"Out":10,"CacheRead":900,"CacheWrite":100},"Tool":{"ID":"s6-tool","Name":"Read","Input":"{}","Result":{"Text":"soil is dry"}}}}`,
		`{"Lost":true,"Call":{"Usage":{"In":2,"Out":10,"CacheRead":900,"CacheWrite":100},"Tool":{"ID":"late","Name":"Bash","Input":"{\"command\":\"sleep 60\"}","Result":{"Text":"gone","Lost":true}}}}`,
		`{"Call":{"Usage":{"In":2,"Out":10,"CacheRead":900,"CacheWrite":100},"Tool":{"ID":"s8-tool","Name":"Bash","Input":"{}"}}}`,
		`{"Result":{"Of":"s8-tool","Text":"closed","After":60000000000,"Failed":true}}`,
		``,
		`{"Call":{"Usage":{"In":2,"Out":10,"CacheRead":900,"CacheWrite":100},"Skill":{"Name":"prune","Agent":"pruner","Steps":[{"Call":{"Text":"Pruned.","Usage":{"In":2,"Out":10,"CacheRead":900,"CacheWrite":100}}}]}}}`,
		`{"Checkpoint":"all beds","Call":{"Usage":{"In":2,"Out":10,"CacheRead":900,"CacheWrite":100},"Workflow":{"Name":"\u003ccheck\u003e \u0026 report","Children":[{"Name":"north bed","Prompt":"look north","Steps":[{"Call":{"Text":"All green.","Usage":{"In":2,"Out":10,"CacheRead":900,"CacheWrite":100}}}]},{"Name":"south bed","Prompt":"look south","Lost":true}]}}}`,
		`{"Error":"API Error: the line is dead"}`,
		`{"Replay":4}`,
		`{"System":{"Subtype":"turn_duration","Fields":"{\"durationMs\":5200,\"by\":[\"clock\"]}"}}`,
		`{"Reset":{"Summary":"Summary: everything was watered."}}`,
	}
	for i, w := range want {
		if got := asJSON(t, s.Steps[i]); w != "" && got != w {
			t.Errorf("step %d:\n got %s\nwant %s", i+1, got, w)
		}
	}
	call := s.Steps[4].Call
	if !call.Thinking.Unavailable || call.Thinking.Text != "" || *call.Text != "Opening the valve." || *call.Usage != (session.Usage{In: 3, Out: 40, CacheRead: 1200}) ||
		string(call.Tool.Input) != `{"command":"valve open && echo \"<done>\"","nested":{"list":[1,31,15,-2.50,0.5,5,7,1e3],"yes":true,"nothing":null}}` ||
		*call.Tool.Result.After != 1500*time.Millisecond || !call.Tool.Result.String || call.Tool.Result.Text != "open\n" {
		t.Errorf("%s", asJSON(t, call))
	}
	agent := s.Steps[9].Call.Agent
	if agent.Name != "gardener" || agent.Prompt != "look at the leaves" || *agent.After != 3*time.Second || !agent.Notify || len(agent.Steps) != 4 ||
		!agent.Steps[0].Call.Agent.Lost || agent.Steps[3].Call.Usage.Out != 12 || agent.Steps[3].Call.Usage.In != 2 {
		t.Errorf("%s", asJSON(t, agent))
	}
	if line, column := s.Source.Position(s.Steps[1].At.Start); line != 8 || column != 5 {
		t.Errorf("the second step stands at %d:%d", line, column)
	}
	if got := fmt.Sprint(s.Checkpoints(), s.Through("watering"), s.Through("all beds"), s.Through("final"), s.Through(""), s.Through("dry")); got != "[watering all beds] 5 12 16 -1 -1" {
		t.Error(got)
	}
	if got := strings.Join(append(s.Children(), s.Workflows()...), ", "); got != "gardener, botanist, pruner, north bed, south bed, <check> & report" {
		t.Error(got)
	}
}

// asJSON shows what is set.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(shown(reflect.ValueOf(v)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func shown(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Pointer:
		return shown(v.Elem())
	case v.Type() == reflect.TypeFor[[]byte]():
		return string(v.Bytes())
	case v.Kind() == reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, shown(v.Index(i)))
		}
		return list
	case v.Kind() == reflect.Struct:
		o := ordered{}
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() && v.Type().Field(i).Name != "At" {
				data, _ := json.Marshal(shown(f))
				o = append(o, fmt.Sprintf("%q:%s", v.Type().Field(i).Name, data))
			}
		}
		return o
	}
	return v.Interface()
}

type ordered []string

func (o ordered) MarshalJSON() ([]byte, error) { return []byte("{" + strings.Join(o, ",") + "}"), nil }

func TestDefaults(t *testing.T) {
	s := steps(t, "- call: {text: '', usage: }\n- queued: {text: a}\n- system: {subtype: b}\n")
	if s.Session != "" || s.Project != "-asz-scenario" || s.Interval != time.Second || *s.Steps[0].Call.Text != "" ||
		*s.Steps[0].Call.Usage != (session.Usage{In: 2, Out: 10, CacheRead: 900, CacheWrite: 100}) ||
		s.Steps[1].Queued.Mode != session.ModePrompt || string(s.Steps[2].System.Fields) != "{}" {
		t.Error(asJSON(t, s.Steps))
	}
}

func TestExpectationEveryKey(t *testing.T) {
	s := scenario(t, file(t, "testdata/good/scenario.yaml"))
	e := expectation(t, file(t, "testdata/good/scenario.expect.yaml"), s)
	if len(e.Checkpoints) != 3 || e.Checkpoints[1].Name != "all beds" || e.Checkpoints[1].Rounds.Set || len(e.PushKinds) != 6 || e.MaxRoundBytes.Is != 4096 {
		t.Errorf("%+v", e)
	}
	var off []string
	for p := range e.Properties {
		p := session.Property(p)
		if !e.Properties[p].Set {
			t.Errorf("%s is not read", p)
		}
		if !e.On(p) {
			off = append(off, p.String())
		}
	}
	if got := fmt.Sprint(off); got != "[bundle repack_keeps_structure every_line_a_record]" {
		t.Error(got)
	}
	first, last := e.Checkpoints[0], e.Checkpoints[2]
	if !first.Delta.Set || first.Delta.Is || !first.Written.Is || first.View.State.Is != "verified" || first.View.FirstTalk.Reply.Is != "Opening the valve." ||
		first.Session.To.Is != 4100*time.Millisecond || !first.Session.From.Set || last.Session.From.Is != -400*time.Millisecond || last.Session.To.Set ||
		first.Unresolved.Resolved != (session.Value[int]{Set: true, At: first.Unresolved.Resolved.At}) || last.Unresolved.Open.Set || !first.Verify.Problems.Set {
		t.Errorf("%+v\n%+v", first, last)
	}
	if got := fmt.Sprint(names(first.Kinds), names(first.Relations), names(last.TalksOn), names(last.RunsIn)); got !=
		"[tool=1 llm.call=1 segment=1] [starts=0 result_of=0] [main=3 gardener=1 north bed=1 a0123456789abcdef=0] [talk/main/s1-cycle=2]" {
		t.Error(got)
	}
	node := last.Nodes[0]
	var attrs []string
	for _, a := range node.Attrs {
		attrs = append(attrs, fmt.Sprintf("%s=%s %q %v", a.Name, a.JSON, a.Text, a.Absent))
	}
	if got := strings.Join(attrs, "; "); got != `name="Bash" "Bash" false; result="available" "available" false; count=3 "3" false; gone=null "null" true; list=["a",{"b":1}] "" false` {
		t.Error(got)
	}
	if node.ID != "tool/valve-1" || node.Kind.Is != "tool" || node.Parent.Is != "call/s5-call" || node.Refs.Is != 2 || node.Revision.Is != 1 || node.Absent.Set ||
		!last.Nodes[1].Absent.Is || !last.Nodes[2].Absent.Set || last.Nodes[3].Kind.Set {
		t.Errorf("%+v", last.Nodes)
	}
	if l := last.Lose; len(l) != 5 || l[0].Stream != "gardener" || l[0].Run != "" || l[3].Run != "wf_run--check----report" || l[4].Kind != "workflow_script" {
		t.Errorf("%+v", l)
	}
	// A comparison that fails names the place of the value.
	for want, at := range map[string]diag.Span{
		"4:13 1":            first.Rounds.At,
		"7:19 1":            first.Kinds[0].At,
		"10:37 none":        first.UnresolvedKinds[0].At,
		"11:30 +4.1s":       first.Session.To.At,
		"21:7 tool/valve-1": node.At,
		"21:106 Bash":       node.Attrs[0].At,
		"27:9 {stream: gardener, kind: transcript}": last.Lose[0].At,
	} {
		line, column := at.Source.Position(at.Start)
		if got := fmt.Sprintf("%d:%d %s", line, column, at.Text()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if e := expectation(t, diag.NewSource("e", ""), s); !e.On(session.Bundle) || e.MaxRoundBytes.Set {
		t.Errorf("%+v", e)
	}
	if !session.RecollectIdempotent.OfRuntime() || session.CrossFormat.OfRuntime() {
		t.Error("properties of a runtime")
	}
}

func names(list []session.Count) []string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s=%d", c.Name, c.N))
	}
	return out
}

// TestPublished: the scenarios that are published are read without a finding.
func TestPublished(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/sessions/*.expect.yaml")
	if len(files) == 0 {
		t.Skip("the published scenarios are not here")
	}
	for _, name := range files {
		s := scenario(t, file(t, strings.TrimSuffix(name, ".expect.yaml")+".yaml"))
		expectation(t, file(t, name), s)
	}
}
