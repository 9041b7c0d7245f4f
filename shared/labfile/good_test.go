package labfile_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/labfile"
)

func text(findings diag.List) string {
	var b strings.Builder
	findings.WriteText(&b, false)
	return b.String()
}

// good loads two files that must have no findings.
func good(t *testing.T, labspace, simulator string) *lab.Lab {
	t.Helper()
	loaded := load(labspace, simulator)
	if len(loaded.Findings) > 0 || loaded.Lab == nil {
		t.Fatalf("findings:\n%s", text(loaded.Findings))
	}
	return loaded.Lab
}

// sample is a file in which every field of the tables stands.
func sample(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/good/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is\n\t%+v, want\n\t%+v", what, got, want)
	}
}

func TestLabspace(t *testing.T) {
	l := good(t, sample(t, "labspace.yaml"), goodSimulator)
	same(t, "id", l.ID, "t")
	same(t, "title", l.Title, "My Lab")
	same(t, "description", l.Description, "About it.")
	same(t, "version", l.Version, "1.2")
	same(t, "terminals", l.Terminals, []lab.Terminal{{ID: "main", Title: "Main", Icon: "terminal"}, {ID: "the-second-one", Title: "The Second One!"}, {ID: "third", Title: l.Terminals[2].Title}})
	same(t, "files", l.Files, []lab.File{{Path: "app/a.txt", Text: "one\ntwo\n"}, {Path: "b.txt"}})
	same(t, "sections", l.Sections, []lab.Section{
		{ID: "getting-started", Title: "Getting Started", Content: "a.md", Steps: []lab.Step{{ID: "pull", Title: "Pull an image"}, {ID: "run-it", Title: "Run It"}, {ID: "bare", Title: "bare"}}},
		{ID: "second-last", Title: "Second & Last"},
	})
	same(t, "variables", l.Variables, []lab.Variable{{Name: "name", Text: "web"}, {Name: "port", Text: "8080"}, {Name: "on", Text: "true"}, {Name: "ratio", Text: "2.50"}})
	same(t, "services", l.Services, []lab.Service{{ID: "docs", Title: "Docs", Icon: "book", URL: "resources.html"}, {ID: "my-app", Title: "My App", URL: "http://localhost:3000"}})
	same(t, "CI", l.CI, &lab.CITab{Title: "Pipeline", Icon: "play"})
	same(t, "catalog", l.Catalog, lab.Catalog{Title: "Card", Description: "Short", Icon: "whale", Tags: []string{"docker", "ci"}, Minutes: 20, Order: 3})
}

func TestLabspaceDefaults(t *testing.T) {
	l := good(t, "simulator: simulator.yaml\nfeatures: {ci: {}}\n", goodSimulator)
	same(t, "title", l.Title, "Labspace")
	same(t, "terminals", l.Terminals, []lab.Terminal{{ID: "terminal", Title: "Terminal"}})
	same(t, "CI", l.CI, &lab.CITab{Title: "CI"})
	if l := good(t, goodLabspace, goodSimulator); l.CI != nil || l.Description != "" || l.Version != "" || len(l.Files)+len(l.Sections)+len(l.Variables)+len(l.Services) > 0 {
		t.Errorf("defaults: %+v", l)
	}
	l = good(t, goodLabspace+"terminals: [{title: A B}, {icon: x}, {title: '!!!'}]\n", goodSimulator)
	same(t, "a slug", l.Terminals[0].ID, "a-b")
	for i, want := range []string{"terminal-1", "terminal-2"} {
		if got := l.Terminals[i+1].ID; got != want {
			t.Errorf("terminal id %q, want %q", got, want)
		}
	}
	loaded := load(goodLabspace+"sections: [{title: A b}, {title: a B}, {title: A  b}]\n", goodSimulator)
	var ids []string
	for _, s := range loaded.Lab.Sections {
		ids = append(ids, s.ID)
	}
	same(t, "section ids", ids, []string{"a-b", "a-b-2", "a-b-3"})
	same(t, "warnings", len(loaded.Findings), 2)
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Hello World": "hello-world", "A  b\tc": "a-b-c", "Don't!": "dont", "a-b": "a-b", "x86 & ARM": "x86-arm", "Größe 2": "gre-2", "": "", "!!!": "", "1. Intro": "1-intro",
	} {
		if got := labfile.Slug(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

func TestSimulator(t *testing.T) {
	l := good(t, goodLabspace, sample(t, "simulator.yaml"))
	s := &l.Simulator
	same(t, "version", s.Version, "2.0")
	same(t, "title", s.Title, "Title")
	same(t, "state", string(s.State.AppendJSON(nil)), `{"a":{"b":1},"c":{"d":["x",2.0,null,true]}}`)
	same(t, "streaming", []any{s.Settings.Streaming, s.Settings.StreamDelay, s.Settings.AgentThink}, []any{false, 5, 0})
	pace := map[string]int{}
	for _, p := range s.Settings.Pace {
		pace[p.Name] = p.MS
	}
	if pace["short"] != 1 || pace["pull"] != 900 {
		t.Errorf("pace %v", pace)
	}
	line := func(s string) lab.Line { return lab.Line{Text: &s} }
	exit := func(n int) *int { return &n }
	same(t, "unmatched", *s.Defaults.Unmatched, lab.Fallback{Output: []lab.Line{line("o")}, Stderr: []lab.Line{line("e")}, Exit: exit(3)})
	same(t, "unmatchedAgent", *s.Defaults.UnmatchedAgent, lab.Fallback{Output: []lab.Line{line("a")}, Exit: exit(0)})
	same(t, "exit", s.Defaults.Exit, 9)
	same(t, "controls", s.Controls, []lab.Control{
		{ID: "c", Label: "C", Description: "d", State: "a.b", On: lab.Text("pro")},
		{ID: "d", Label: "D", State: "x", On: lab.Bool(true), Off: lab.Bool(false)},
	})
	e := "e"
	same(t, "workflows", s.Workflows, []lab.Workflow{
		{ID: "w", Name: "W", On: "pull_request", Steps: []lab.WorkflowStep{
			{ID: "s", Name: "S", Logs: []string{"l"}, Requires: "a.b", Failure: lab.Failure{Logs: []string{"f"}, Error: &e}}, {ID: "t", Name: "t"}}},
		{ID: "bare", Name: "bare", On: "push"},
	})
	all := &s.Scenarios[0]
	same(t, "scenario", []string{all.ID, all.Description, all.Completes}, []string{"all", "note", "step"})
	same(t, "command", all.When.Command, []string{"docker", "run"})
	same(t, "args", all.When.Args, []lab.Arg{
		{Flag: "name", Matcher: lab.Matcher{Kind: lab.MatchEquals, Set: []string{"web"}}},
		{Flag: "d", Matcher: lab.Matcher{Kind: lab.MatchPresent}},
		{Flag: "rm", Matcher: lab.Matcher{Kind: lab.MatchAbsent}},
		{Flag: "tag", Matcher: lab.Matcher{Kind: lab.MatchAny}},
		{Pos: 0, Matcher: lab.Matcher{Kind: lab.MatchOneOf, Set: []string{"a", "1.0"}}},
		{Pos: 1, Matcher: lab.Matcher{Kind: lab.MatchEquals, Set: []string{"8080"}}},
	})
	same(t, "prompt and terminal", []string{*all.When.Prompt, all.When.Terminal}, []string{"p", "terminal"})
	same(t, "guards", all.When.State, []lab.Guard{{Path: "a.b", Want: lab.Number("1")}, {Path: "c"}})
	same(t, "files", all.Then.Files, []lab.FileOp{
		{Verb: lab.FileMkdir, Path: "m"}, {Verb: lab.FileCreate, Path: "c", Text: "cc"}, {Verb: lab.FileAppend, Path: "a", Text: "aa"},
		{Verb: lab.FileReplace, Path: "r", Find: "f", Text: "w"}, {Verb: lab.FileDelete, Path: "d"}, {Verb: lab.FileCopy, Path: "x", Text: "y"},
	})
	same(t, "deltas", all.Then.State, []lab.Delta{{Path: "a.b", Value: lab.Number("2")}, {Path: "l", Append: true, Value: lab.Text("x")}})
	same(t, "output", all.Then.Output, []lab.Line{line("text"), {Text: line("t").Text, Delay: &lab.Delay{Pace: "short"}}, {Delay: &lab.Delay{MS: 900}}, line("42"), line("true")})
	same(t, "stderr", all.Then.Stderr, []lab.Line{line("err")})
	same(t, "exit", all.Then.Exit, exit(4))
	same(t, "mcp", string(all.Then.MCP[0].Arguments.AppendJSON(nil)), `{"b":1,"a":2}`)
	same(t, "session", all.Then.Session, &lab.Session{Prompt: "> ", Intro: []string{"i"}, Outro: []string{"o"}})
	c, n := "c", "n"
	same(t, "ci", all.Then.CI, &lab.CITrigger{Workflow: "w", Commit: &c, Conclusion: "failure", FailedStep: "s", Steps: []lab.StepOverride{{ID: "s", Name: &n, Logs: []string{"l"}}}, Error: &e})
	same(t, "agent", s.Scenarios[1].When, lab.When{Agent: true, Prompt: all.When.Prompt, PromptContains: []string{"a", "b"}})
	same(t, "a path string", s.Scenarios[2].When.Command, []string{"a", "b"})
	same(t, "one question", s.Scenarios[2].Then.Input, &lab.Input{Steps: []lab.InputStep{{Key: "k", Prompt: "k: ", Mask: true}}, Then: lab.Effects{Exit: exit(1)}})
	same(t, "questions", s.Scenarios[3].Then.Input, &lab.Input{Steps: []lab.InputStep{{Key: "a", Prompt: "p"}, {Key: "b", Mask: true}}, Then: lab.Effects{Output: []lab.Line{line("x")}}})
}

func TestSimulatorDefaults(t *testing.T) {
	s := &good(t, goodLabspace, goodSimulator).Simulator
	if !s.Settings.Streaming || s.Settings.StreamDelay != 20 || s.Settings.AgentThink != 700 || s.Defaults.Unmatched != nil || s.Defaults.UnmatchedAgent != nil || s.Defaults.Exit != 0 {
		t.Errorf("defaults: %+v", s)
	}
}

func TestSimulatorElsewhere(t *testing.T) {
	files := fstest.MapFS{
		"a/labspace.yaml":        {Data: []byte("simulator: ../common/sim.yaml\n")},
		"b/labspace.yaml":        {Data: []byte("simulator: ./deep/sim.yaml\n")},
		"b/deep/sim.yaml":        {Data: []byte(goodSimulator)},
		"common/sim.yaml":        {Data: []byte(goodSimulator)},
		"group/c/labspace.yaml":  {Data: []byte("simulator: ../../common/sim.yaml\n")},
		"out/labspace.yaml":      {Data: []byte("simulator: ../../common/sim.yaml\n")},
		"slides/labspace.yaml":   {Data: []byte("kind: slides\ntitle: S\n")},
		"folder/labspace.yaml/x": {},
	}
	for dir, want := range map[string]string{"a": "", "b": "", "group/c": "", "out": "path-outside", "slides": "kind-skipped", "none": "file-missing", "folder": "file-unreadable"} {
		loaded := labfile.Load(files, dir)
		var got []string
		for _, f := range loaded.Findings {
			got = append(got, string(f.Code))
		}
		if strings.Join(got, " ") != want || (loaded.Lab != nil) != (want == "") || loaded.Skipped != (dir == "slides") {
			t.Errorf("%s: findings %v, want %s; loads: %v", dir, got, want, loaded.Lab != nil)
		}
	}
}

func TestTooLarge(t *testing.T) {
	loaded := load(goodLabspace, goodSimulator+"# "+strings.Repeat("x", 8<<20))
	if len(loaded.Findings) != 1 || loaded.Findings[0].Code != "yaml-too-large" || loaded.Lab != nil {
		t.Errorf("findings:\n%s", text(loaded.Findings))
	}
}

func TestNode(t *testing.T) {
	loaded := load(goodLabspace, "version: \"2.0\"\nscenarios:\n  - id: x\n    when: {command: a}\n    completes: step\n    then: {}\n")
	completes := loaded.Node(&loaded.Lab.Simulator.Scenarios[0].Completes)
	if completes == nil || completes.Span.Text() != "step" || completes.Span.Source.Name != "t/simulator.yaml" {
		t.Errorf("completes is at %+v", completes)
	}
	if loaded.Node(&loaded.Lab.Simulator.Scenarios[0].Description) != nil {
		t.Error("a value that no file wrote has a place")
	}
}

func TestCatalog(t *testing.T) {
	labs := []*lab.Lab{
		{ID: "b", Title: "B", Catalog: lab.Catalog{Order: 2}},
		{ID: "z", Title: "Z", Description: "about", Version: "1", Catalog: lab.Catalog{Order: 1, Title: "Card", Tags: []string{"t"}, Minutes: 5, Icon: "i"}, Sections: []lab.Section{{Steps: make([]lab.Step, 2)}, {Steps: make([]lab.Step, 1)}}},
		{ID: "a", Title: "A <&>", Catalog: lab.Catalog{Order: 2, Description: "card"}, Description: "lab"},
		{ID: "c", Title: "C"},
	}
	before := slices.Clone(labs)
	var got, want any
	if err := json.Unmarshal(labfile.Catalog(labs), &got); err != nil {
		t.Fatal(err)
	}
	json.Unmarshal([]byte(`{"version":1,"labs":[
		{"id":"c","path":"c","title":"C","description":"","icon":"","tags":[],"estimatedMinutes":0,"order":0,"version":"","steps":0},
		{"id":"z","path":"z","title":"Card","description":"about","icon":"i","tags":["t"],"estimatedMinutes":5,"order":1,"version":"1","steps":3},
		{"id":"a","path":"a","title":"A <&>","description":"card","icon":"","tags":[],"estimatedMinutes":0,"order":2,"version":"","steps":0},
		{"id":"b","path":"b","title":"B","description":"","icon":"","tags":[],"estimatedMinutes":0,"order":2,"version":"","steps":0}]}`), &want)
	same(t, "labs.json", got, want)
	same(t, "the argument", labs, before)
	if got := strings.TrimSpace(string(labfile.Catalog(nil))); !strings.Contains(got, `"labs": []`) && !strings.Contains(got, `"labs":[]`) {
		t.Errorf("no labs: %s", got)
	}
}

// The published labs are beside a checkout, not in it.
func TestPublishedLabs(t *testing.T) {
	const folder = "../../../shared/data/labs"
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Skipf("no published labs here: %v", err)
	}
	for _, e := range entries {
		loaded := labfile.Load(os.DirFS(folder), e.Name())
		if loaded.Findings.Errors() > 0 || loaded.Lab == nil {
			t.Errorf("%s:\n%s", e.Name(), text(loaded.Findings))
		}
	}
}

// metadata is opaque: of the wrong shape it says nothing and stops nothing.
func TestMetadataIsOpaque(t *testing.T) {
	for _, metadata := range []string{"{ title: [a, b] }", "5", "[1]", "text", "{ anything: { at: all } }"} {
		loaded := labfile.Load(fstest.MapFS{
			"t/labspace.yaml": {Data: []byte("simulator: s.yaml\n")},
			"t/s.yaml":        {Data: []byte("version: \"2.0\"\nmetadata: " + metadata + "\nscenarios: []\n")},
		}, "t")
		if loaded.Lab == nil || len(loaded.Findings) > 0 {
			t.Errorf("metadata: %s: %v", metadata, loaded.Findings)
		}
	}
}
