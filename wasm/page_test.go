package wasm_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"asz/shared/command"
)

type reason struct {
	Scenario, Text string
	Commands       []string
}

type miss struct {
	Script   []string `json:"script,omitempty"`
	Terminal string   `json:"terminal,omitempty"`
	Line     string   `json:"line"`
}

// TestPageOfAnAuthor edits a lab through the page's bridge, stops long searches, and asks why nothing takes a line.
func TestPageOfAnAuthor(t *testing.T) {
	const lab = "small"
	files := map[string]string{
		"small/labspace.yaml": "title: Small\nsimulator: sim/simulator.yaml\nterminals: [{ id: one, title: One }, { id: two, title: Two }]\nsections: [{ title: A, contentPath: a.md }, { title: B, contentPath: b.md, steps: [{ id: in, title: In }] }]\n",
		"small/a.md":          "# A\n\n```bash\nunlock\n```\n",
		"small/b.md":          "# B\n\n```bash\nopen door\n```\n",
		"small/sim/simulator.yaml": "version: \"2.0\"\nstate: { door: { locked: true } }\nscenarios:\n  - { id: unlock, when: { command: unlock }, then: { state: { door.locked: false } } }\n" +
			"  - { id: open, when: { command: open, args: { 0: door }, state: { door.locked: false } }, completes: in, then: {} }\n  - { id: call, when: { command: call, terminal: two }, then: {} }\n",
		"broken/labspace.yaml": "title: Broken\nsimulator: none.yaml\n",
		"slides/labspace.yaml": "kind: slides\n",
	}
	edits := [][2]any{
		{"small/a.md", "# A\n"},
		{"small/b.md", "# B\n\n```bash\nopen dore\n```\n"},
		{"small/a.md", nil},
		{"small/a.md", "# " + strings.Repeat("A", 9<<20) + "\n"}, // too large, as the YAML's reader tells
		{"small/sim/simulator.yaml", strings.Replace(files["small/sim/simulator.yaml"], "locked: false } }, completes", "locked: fals } }, completes", 1)},
		{"small/sim/simulator.yaml", nil},
		{"small/labspace.yaml", files["small/labspace.yaml"] + "nonsense: 1\n"},
		{"small/more.md", "# More\n"},
	}
	misses := []struct {
		lab string
		miss
		problem string
	}{
		{lab, miss{Line: "open door"}, ""},
		{lab, miss{Script: []string{"unlock"}, Line: "open dore"}, ""},
		{lab, miss{Script: []string{"unlock"}, Line: "open door"}, ""},
		{lab, miss{Line: "call"}, ""},
		{lab, miss{Terminal: "two", Line: "call"}, ""},
		{lab, miss{Script: []string{"@terminal two"}, Line: "call"}, ""},
		{lab, miss{Line: "@@call"}, ""},
		{lab, miss{Line: "pwd"}, ""},
		{lab, miss{Line: ""}, ""},
		{lab, miss{Line: "a\nb"}, "why takes the folder of a lab, a script, a terminal and one line."},
		{lab, miss{Script: []string{"unlock", "@undoo"}, Line: "call"}, "line 2 of the script: unknown action @undoo; @@undoo types a line that begins with @"},
		{lab, miss{Script: []string{"unlock", "@expect exit=1"}, Line: "call"}, "line 2 of the script: this does not hold: got 0"},
		{lab, miss{Terminal: "three", Line: "call"}, `the lab has no terminal "three"`},
		{"broken", miss{Line: "call"}, "broken does not load: broken/labspace.yaml:2:12: there is no file `broken/none.yaml`"},
		{"slides", miss{Line: "call"}, "slides is not a lab that can be played"},
		{"nowhere", miss{Line: "call"}, "there is no folder nowhere"},
	}
	dir := write(t, files)
	input := map[string]any{"files": files, "lab": lab, "edits": edits}
	var asked [][2]any
	for _, m := range misses {
		asked = append(asked, [2]any{m.lab, m.miss})
	}
	maps.Copy(files, huge())
	input["misses"] = asked
	question, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", "testdata/page.mjs", build(t, "author"))
	c.Stdin, c.Stderr = bytes.NewReader(question), os.Stderr
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var got struct {
		Aborted, Left string
		Progress      []int
		Ticks, After  int
		Edited        []struct {
			Name string
			Same bool
			Got  string
		}
		Restored bool
		Why      []json.RawMessage
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}

	if n := len(got.Progress); n != 12 || !slices.IsSorted(got.Progress) || got.Progress[n-1] <= got.Progress[0] || got.Ticks == 0 {
		t.Errorf("a long search tells of %v states, and %d events happen", got.Progress, got.Ticks)
	}
	if got.Aborted != "AbortError: This operation was aborted" || got.Left != "Error: left" || got.After > 0 {
		t.Errorf("stopped: %q and %q; it went on for %d slices", got.Aborted, got.Left, got.After)
	}
	reports := map[string]bool{}
	for i, e := range got.Edited {
		if reports[e.Got] = true; !e.Same {
			t.Errorf("edit %d of %s is not checked as if it were new: %s", i, e.Name, e.Got)
		}
	}
	if len(got.Edited) != 2*len(edits) || len(reports) < len(edits) || !got.Restored {
		t.Errorf("%d edits, %d different reports, restored: %v", len(got.Edited), len(reports), got.Restored)
	}
	alone := write(t, map[string]string{"small/labspace.yaml": files["small/labspace.yaml"], "small/a.md": files["small/a.md"], "small/b.md": files["small/b.md"], "small/sim/simulator.yaml": files["small/sim/simulator.yaml"]})
	var out bytes.Buffer
	command.Validate().Do(&command.Host{Stdout: &out, Stderr: os.Stderr}, []string{alone, "--format", "json", "--solution", "--coverage"})
	if last := got.Edited[len(got.Edited)-1].Got + "\n"; last != out.String() {
		t.Errorf("the page's report is\n%sand natively it is\n%s", last, &out)
	}

	for i, m := range misses {
		if i == 0 && !strings.Contains(string(got.Why[0]), `"commands":["unlock"]`) {
			t.Errorf("what comes first is not told: %s", got.Why[0])
		}
		var reasons []reason
		var problem string
		json.Unmarshal(got.Why[i], &problem)
		json.Unmarshal(got.Why[i], &reasons)
		var want []reason
		if m.problem == "" {
			want = explained(t, dir+"/"+m.lab, m.miss)
		}
		if problem != m.problem || len(reasons) != len(want) || len(want) > 0 && !reflect.DeepEqual(reasons, want) {
			t.Errorf("%+v: got %s, want %+v", m, got.Why[i], want)
		}
	}
}

// explained is what `asz play --explain` says of a line.
func explained(t *testing.T, lab string, m miss) []reason {
	t.Helper()
	lines := m.Script
	if m.Terminal != "" {
		lines = append(lines, "@terminal "+m.Terminal)
	}
	line := m.Line
	if strings.HasPrefix(line, "@") {
		line = "@" + line
	}
	var out, problems bytes.Buffer
	h := &command.Host{Stdin: strings.NewReader(strings.Join(append(lines, line), "\n") + "\n"), Stdout: &out, Stderr: &problems}
	if exit := command.Play().Do(h, []string{lab, "--script", "-", "--json", "--explain"}); exit != 0 {
		t.Fatalf("play ends with %d: %s", exit, &problems)
	}
	objects := strings.Split(strings.TrimSpace(out.String()), "\n")
	var object struct{ Why []reason }
	if err := json.Unmarshal([]byte(objects[len(objects)-1]), &object); err != nil {
		t.Fatal(err)
	}
	return object.Why
}
