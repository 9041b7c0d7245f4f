package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"asz/native/cli"
	"asz/shared/diag"
	"asz/shared/gui"
	"asz/shared/labfile"
	"asz/shared/marked"
	"asz/shared/session"
	"asz/shared/yamldoc"
)

// The schemas are judged by ajv and held to the readers: what the one refuses, the
// other refuses.

type yamlFile struct {
	name string
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// judge gives what is wrong with each file by its schema, "" for nothing.
func judge(t *testing.T, files []yamlFile) []string {
	t.Helper()
	if _, err := os.Stat("../../node_modules/ajv"); err != nil {
		t.Fatal("ajv is not installed: run npm ci")
	}
	in, err := json.Marshal(map[string]any{
		"schemas": map[string]json.RawMessage{
			"lab": labfile.LabSchema(), "simulator": labfile.SimulatorSchema(),
			"session": session.ScenarioSchema(), "expect": session.ExpectationSchema(), "gui": gui.Schema(), "config": cli.ConfigSchema(),
		},
		"files": files,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", "schema.mjs")
	c.Stdin, c.Stderr = bytes.NewReader(in), new(bytes.Buffer)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Stderr)
	}
	var verdicts []string
	if err := json.Unmarshal(out, &verdicts); err != nil || len(verdicts) != len(files) {
		t.Fatalf("%v: %s", err, out)
	}
	return verdicts
}

// findings are the reader's, of the errors among them; warnings refuse nothing.
func findings(f yamlFile) diag.List {
	var list diag.List
	switch f.Kind {
	case "session":
		_, list = session.Parse(diag.NewSource("scenario.yaml", f.Text))
	case "expect":
		_, list = session.ParseExpectation(diag.NewSource("scenario.expect.yaml", f.Text), nil)
	case "gui":
		_, list = gui.Parse(diag.NewSource("gui.yaml", f.Text))
	case "config":
		list = cli.ConfigFindings(diag.NewSource("asz.yaml", f.Text))
	default:
		list = labFindings(f)
	}
	return slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

func labFindings(f yamlFile) diag.List {
	lab, simulator := "simulator: simulator.yaml\n", "version: \"2.0\"\nscenarios: []\n"
	if f.Kind == "lab" {
		lab = f.Text
	} else {
		simulator = f.Text
	}
	return labfile.Load(fstest.MapFS{
		"t/labspace.yaml":  {Data: []byte(lab)},
		"t/simulator.yaml": {Data: []byte(simulator)},
		"t/a.md":           {Data: []byte("# A\n")},
	}, "t").Findings
}

// Findings that no schema can have: about other files and about two places at once.
var beyond = []diag.Code{
	"content-missing", "duplicate-id", "file-missing", "file-unreadable", "input-key-twice", "path-taken",
	"name-taken", "replay-range", "result-of", "scenario-too-long", "value-not-json",
	"name-undeclared", "pattern-form", "policy-placeholder", "tool-commands", "tool-cycle", "tool-reserved",
}

// Findings that a schema has or has not: about the form of one path, or about two; about a character in a text or a name;
// about keys of one map, or of two; about the names of keys, or how often they stand in a chord.
var partly = []diag.Code{"path-outside", "state-path", "text-nul", "key-requires", "key-conflict", "chord-form", "value-twice"}

// The good files of each kind in which every key stands, and the reader's bad ones.
var sampleFiles = []struct{ kind, good, bad string }{
	{"lab", "shared/labfile/testdata/good/labspace.yaml", "shared/labfile/testdata/bad/labspace.txt"},
	{"simulator", "shared/labfile/testdata/good/simulator.yaml", "shared/labfile/testdata/bad/simulator.txt"},
	{"session", "shared/session/testdata/good/scenario.yaml", "shared/session/testdata/bad/scenario.txt"},
	{"expect", "shared/session/testdata/good/scenario.expect.yaml", "shared/session/testdata/bad/expect.txt"},
	{"gui", "shared/gui/testdata/good/every-key.yaml", "shared/gui/testdata/bad/*.txt"},
	{"config", "native/cli/testdata/good/asz.yaml", "native/cli/testdata/bad/asz.txt"},
}

// disagree says how schema and reader differ over a file, "" when they do not.
func disagree(f yamlFile, verdict string) string {
	var list []string
	must, may := false, false
	for _, d := range findings(f) {
		list = append(list, fmt.Sprintf("%s [%s]", d.Message, d.Code))
		must = must || !slices.Contains(beyond, d.Code) && !slices.Contains(partly, d.Code)
		may = may || !slices.Contains(beyond, d.Code)
	}
	switch {
	case must && verdict == "":
		return "the schema accepts what the reader refuses: " + strings.Join(list, "; ")
	case !may && verdict != "":
		return "the schema refuses what the reader accepts:\n" + verdict
	}
	return ""
}

// plain makes the lines `path += value` what they stand for: beside other entries
// they are no YAML to an editor. Each key gets blanks of its number, for an editor
// takes no key twice.
func plain(text string) string {
	n := 0
	return regexp.MustCompile(`(?m)^\s+[\w.]+ \+= `).ReplaceAllStringFunc(text, func(line string) string {
		n++
		path := strings.TrimLeft(line, " ")
		return line[:len(line)-len(path)] + `"` + path + strings.Repeat(" ", n) + `": `
	})
}

func TestSchemasAcceptGoodFiles(t *testing.T) {
	var files []yamlFile
	add := func(name, kind string, text []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, yamlFile{name, kind, plain(string(text))})
	}
	for _, folder := range []string{"../../labs/*", "../../../shared/data/labs/*", "../../shared/labfile/testdata/good"} {
		for name, kind := range map[string]string{"labspace.yaml": "lab", "simulator.yaml": "simulator"} {
			paths, err := filepath.Glob(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				text, err := os.ReadFile(path)
				add(path, kind, text, err)
			}
		}
	}
	sessions, err := filepath.Glob("../../../shared/data/sessions/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(sessions, "../../shared/session/testdata/good/scenario.yaml", "../../shared/session/testdata/good/scenario.expect.yaml") {
		kind := "session"
		if strings.HasSuffix(path, ".expect.yaml") {
			kind = "expect"
		}
		text, err := os.ReadFile(path)
		add(path, kind, text, err)
	}
	runs, err := filepath.Glob("../../shared/gui/testdata/good/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range runs {
		text, err := os.ReadFile(path)
		add(path, "gui", text, err)
	}
	text, err := os.ReadFile("../../native/cli/testdata/good/asz.yaml")
	add("asz.yaml", "config", text, err)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(t, string(readme)) {
		folder, name := filepath.Split(b.attribute("file"))
		kind := map[string]string{"labspace.yaml": "lab", "simulator.yaml": "simulator"}[name]
		if kind != "" && folder != "broken/" {
			add("README: "+b.attribute("file"), kind, []byte(b.text), nil)
		}
	}
	if len(files) < 16 {
		t.Errorf("only %d files were found", len(files))
	}
	for i, verdict := range judge(t, files) {
		if verdict != "" {
			t.Errorf("%s:\n%s", files[i].name, verdict)
		}
	}
}

// quotesTell are mistakes that only the quotes, or the lines, of the source tell from what is right: a schema is asked
// about values.
var quotesTell = []string{"simulator: an append that sets", "simulator: an append in quotes", "simulator: an append below its map", "half a character", "a tag", "a second document"}

// The reader's own bad files.
func TestSchemasAgreeOnBadFiles(t *testing.T) {
	var files []yamlFile
	for _, sample := range sampleFiles {
		cases, err := marked.Cases("../../" + sample.bad)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if !slices.Contains(quotesTell, c.Name) {
				files = append(files, yamlFile{sample.kind + ": " + c.Name, sample.kind, c.Text})
			}
		}
	}
	agree(t, files)
}

// Single mistakes: each is refused by the reader and by the schema, and the file
// around it by neither.
func TestSchemasRefuseSingleMistakes(t *testing.T) {
	const labspace, simulator, scenario = "simulator: simulator.yaml\n", "version: \"2.0\"\nscenarios: []\n", "version: \"2.0\"\nscenarios: [{id: x, when: {command: a}, then: {}}]\n"
	var files []yamlFile
	add := func(kind, around, good string, bad ...string) {
		for i, mistake := range append([]string{good}, bad...) {
			text := around + mistake + "\n"
			if from, to, ok := strings.Cut(mistake, " => "); ok {
				if text = strings.Replace(around, from, to, 1); text == around {
					t.Fatalf("%q does not stand in the file", from)
				}
			}
			name := "good: " + mistake
			if i > 0 {
				name = "bad: " + mistake
			}
			files = append(files, yamlFile{name, kind, text})
		}
	}
	add("lab", labspace, "title: T", "titel: T", "title: [T]", "title:", "kind: lesson", "version: {a: b}", "tracking: 1\nmetadata: {}")
	add("lab", labspace, "terminals: [{id: a}]", "terminals: {id: a}", "terminals: [a]", "terminals: [{id: a, shell: b}]")
	add("lab", labspace, "files: {a/b: text, c: 1}", "files: {a: [text]}", "files: {../a: text}", "files: {a:}", "files:")
	add("lab", labspace, "sections: [{title: A, steps: [{title: B}]}]", "sections: [{contentPath: a.md}]", "sections: [{title: A, steps: [{}]}]", "sections: [{title: A, path: a.md}]")
	add("lab", labspace, "variables: {a: 1, b:}", "variables: {a: [1]}", "variables: [a]")
	add("lab", labspace, "services: [{url: a}]", "services: [{id: a}]")
	add("lab", labspace, "features: {ci: {title: T}}", "features: {cd: {}}", "features: {ci: {name: T}}")
	add("lab", labspace, "catalog: {order: -1, tags: [a]}", "catalog: {order: 1.5}", "catalog: {estimatedMinutes: -1}", "catalog: {tags: a}")
	add("lab", labspace, "simulator.yaml => ./simulator.yaml", "simulator => simulate", "simulator.yaml => /simulator.yaml", "simulator.yaml => ''")
	add("lab", "{kind: slides, deck: [a]}", "", "slides => lab")
	add("simulator", simulator, `"2.0" => 2.0`, `"2.0" => "1.0"`, `"2.0" => 3`, `"2.0" => "20"`, `"2.0" => [2]`, `version => versions`, `[] => {}`, `[] => `)
	add("simulator", simulator, "state: {a.b: {c.d: 1}}", "state: {history: []}", "state: {a..b: 1}", "state: {a: {b.: 1}}", "state: [a]")
	add("simulator", simulator, "settings: {streaming: false, pace: {a: 1}}", "settings: {streaming: maybe}", "settings: {streamDelayMs: -1}", "settings: {agentThinkMs: soon}", "settings: {pace: {a: -1}}")
	add("simulator", simulator, "defaults: {exit: 255}", "defaults: {exit: 256}", "defaults: {unmatched: {exit: -1}}", "defaults: {unmatchedAgent: {text: a}}")
	add("simulator", simulator, "controls: [{id: a, label: b, state: c.d, enabled: [1]}]", "controls: [{id: a, label: b}]", "controls: [{id: a, label: b, state: .c}]")
	add("simulator", simulator, "workflows: [{id: a, steps: [{id: b}]}]", "workflows: [{name: a}]", "workflows: [{id: a, steps: [{name: b}]}]", "workflows: [{id: a, steps: [{id: b, requires: c.}]}]", "workflows: [{id: a, steps: [{id: b, failure: {log: [c]}}]}]")
	add("simulator", scenario, "id: x => id: y", "id: x, => ", "id: x => id: ''", ", then: {} => ", "then: {} => then: []", "when: => wen:", "id: x => id: x, completes: [a]")
	when := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "{command: a} => " + bad[i]
		}
		add("simulator", scenario, "{command: a} => "+good, bad...)
	}
	when("{command: [a, 1], agent: false}", "{command: {a: b}}", "{command: [[a]]}", "{command:}", "{command: a, agent: true}", "{agent: yes}", "{terminal: [a]}")
	when("{agent: true, prompt: a, promptContains: [b]}", "{agent: true, promptContains: b}", "{agent: true, prompt: {a: b}}")
	when("{args: {--a: 1, b: true, 0: {any: true}, 1: {oneOf: [a, 2]}}}", "{args: {a: {any: false}}}", "{args: {a: {oneOf: []}}}", "{args: {a: {oneOf: a}}}", "{args: {a: {any: true, oneOf: [b]}}}", "{args: {a: {}}}", "{args: {a:}}", "{args: {a: [b]}}", "{args: {--: a}}", "{args: [a]}")
	when("{state: {a.b: [1]}}", "{state: {a..b: 1}}", "{state: a}")
	then := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "then: {} => then: " + bad[i]
		}
		add("simulator", scenario, "then: {} => then: "+good, bad...)
	}
	then("{exit: 255}", "{exit: 256}", "{exit: -1}", "{exit: 1.5}", "{exit: a}", "{exitcode: 1}")
	then("{output: [a, 1, true, {text: b, delay: 5}, {delay: short}]}", "{output: a}", "{output: [[a]]}", "{output: [null]}", "{output: [{text: a, delay: -5}]}", "{output: [{text: a, delay: true}]}", "{output: [{line: a}]}", "{stderr: {a: b}}")
	then(`{state: {a.b: 1, "c +=": 2}}`, "{state: {a..b: 1}}", `{state: {"+=": 1}}`, `{state: {"a. +=": 1}}`, "{state: [a]}", "{state: a}")
	then("{files: [{mkdir: a}, {create: b}, {append: b, content: c}, {replace: b, find: c, with: d}, {delete: a}, {copy: b, to: d}]}",
		"{files: [{touch: a}]}", "{files: [{}]}", "{files: [{append: a}]}", "{files: [{replace: a, find: b}]}", "{files: [{copy: a}]}", "{files: [{mkdir: a, content: b}]}", "{files: [{create: a, delete: b}]}", "{files: {mkdir: a}}", "{files: [a]}")
	then("{input: {key: a, prompt: b, mask: true}}", "{input: {prompt: b}}", "{input: {key: a, steps: [{key: b}]}}", "{input: {prompt: a, steps: [{key: b}]}}", "{input: {steps: []}}", "{input: {steps: [{prompt: a}]}}", "{input:}", "{input: {key: a, mask: b}}")
	then("{input: {key: a, then: {exit: 1}}}", "{input: {key: a, then: {input: {key: b}}}}", "{input: {key: a, then: {session: {}}}}", "{input: {key: a}, session: {}}")
	then("{session: {intro: [a]}}", "{session: {intro: a}}", "{session: {promt: a}}", "{session: a}")
	then("{mcp: [{tool: a, arguments: {b: [1]}}]}", "{mcp: [{result: a}]}", "{mcp: {tool: a}}")
	then("{ci: {workflow: a, conclusion: failure}}", "{ci: {commit: a}}", "{ci: {workflow: a, conclusion: maybe}}", "{ci: {workflow: a, steps: [{name: b}]}}")
	add("simulator", scenario, "{command: a}, then: {} => {agent: true}, then: {output: [a]}", "{command: a}, then: {} => {agent: true}, then: {session: {}}")
	singleSessionMistakes(add)
	singleGUIMistakes(add)
	singleConfigMistakes(add)
	for _, lines := range []string{"a.b += x", "a.b += \"x\"\n        c +=  1"} {
		text := strings.Replace(scenario, "[{id: x, when: {command: a}, then: {}}]", "\n  - id: x\n    then:\n      state:\n        "+lines, 1)
		files = append(files, yamlFile{"good: " + lines, "simulator", text})
	}
	mistakes := 0
	for i, verdict := range judge(t, files) {
		bad := strings.HasPrefix(files[i].name, "bad: ")
		if bad {
			mistakes++
		}
		if found := findings(files[i]); len(found) > 0 != bad || (verdict != "") != bad {
			t.Errorf("%s: the reader says %v; the schema says %q", files[i].name, found, verdict)
		}
	}
	if mistakes < 550 {
		t.Errorf("only %d mistakes", mistakes)
	}
}

func agree(t *testing.T, files []yamlFile) {
	t.Helper()
	for i, verdict := range judge(t, files) {
		if problem := disagree(files[i], verdict); problem != "" {
			t.Errorf("%s: %s\n%s", files[i].name, problem, files[i].Text)
		}
	}
}

// Each value of the files in which every field stands is replaced by values of
// every kind, each key is left out, and each map gets keys that do not belong.
func TestSchemasAgreeOnChangedFiles(t *testing.T) {
	values := []string{"null", "true", "7", "-1", "1.5", "300", `"x"`, `""`, `"a..b"`, "[]", "[null]", "[[]]", `["x"]`, "{}", `{"zzz": 1}`, `{"any": true}`, `{"id": "x"}`}
	keys := []string{"zzz", "", "--", "..", "a..b", "a. +=", " +=", "history", "../x"}
	for _, sample := range sampleFiles {
		name, kind := filepath.Base(sample.good), sample.kind
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../../" + sample.good)
			if err != nil {
				t.Fatal(err)
			}
			doc, found := yamldoc.Parse(diag.NewSource(name, string(text)), yamldoc.Options{})
			if len(found) > 0 {
				t.Fatal(found)
			}
			var files []yamlFile
			change := func(what string, at *yamldoc.Node, instead string) {
				line, column := at.Span.Source.Position(at.Span.Start)
				files = append(files, yamlFile{fmt.Sprintf("%s:%d:%d: %s", name, line, column, what), kind, asJSON(doc.Root, at, instead)})
			}
			each(doc.Root, func(n *yamldoc.Node) {
				for _, v := range values {
					change(v, n, v)
				}
				for i, p := range n.Pairs {
					less := *n
					less.Pairs = slices.Delete(slices.Clone(n.Pairs), i, i+1)
					change("without "+p.Key, n, asJSON(&less, nil, ""))
				}
				for _, key := range keys {
					if n.Kind == yamldoc.KindMap {
						more := *n
						more.Pairs = append(slices.Clone(n.Pairs), yamldoc.Pair{Key: key, Value: &yamldoc.Node{Kind: yamldoc.KindNumber, Text: "1"}})
						change(fmt.Sprintf("and %q", key), n, asJSON(&more, nil, ""))
					}
				}
			})
			if len(files) < 1000 {
				t.Errorf("only %d changes", len(files))
			}
			agree(t, files)
		})
	}
}

func each(n *yamldoc.Node, do func(*yamldoc.Node)) {
	do(n)
	for _, p := range n.Pairs {
		each(p.Value, do)
	}
	for _, item := range n.Items {
		each(item, do)
	}
}

// asJSON writes a value as JSON, which is YAML, with another text in place of one node.
func asJSON(n, at *yamldoc.Node, instead string) string {
	quote := func(s string) string {
		text, _ := json.Marshal(s)
		return string(text)
	}
	var parts []string
	switch {
	case n == at:
		return instead
	case n.Kind == yamldoc.KindNull:
		return "null"
	case n.Kind == yamldoc.KindMap:
		for _, p := range n.Pairs {
			parts = append(parts, quote(p.Key)+": "+asJSON(p.Value, at, instead))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n.Kind == yamldoc.KindList:
		for _, item := range n.Items {
			parts = append(parts, asJSON(item, at, instead))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case n.Kind == yamldoc.KindText:
		return quote(n.Text)
	case !json.Valid([]byte(n.Text)):
		return "1" // a number that only YAML writes so
	}
	return n.Text
}
