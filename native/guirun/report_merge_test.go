package guirun

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shard writes a folder as a run leaves it. A verdict of "" is a scenario that was not played.
func shard(t *testing.T, verdicts ...string) string {
	t.Helper()
	dir := t.TempDir()
	var all []Merged
	for i, pair := range verdicts {
		name, verdict, _ := strings.Cut(pair, "=")
		r := &Report{Scenario: ScenarioFile{Name: name, File: name + ".yaml"}, Verdict: verdict, Reason: "because", Exit: ExitOf(verdict), Finished: verdict != "killed"}
		all = append(all, Merged{name, r})
		if verdict == "" {
			continue
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		for file, body := range map[string]string{ReportFile: string(text), "screenshots/a.png": string(rune('a' + i))} {
			full := filepath.Join(dir, name, file)
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := WriteIndex(dir, all); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestMerge(t *testing.T) {
	one := shard(t, "zoom=passed", "editor=failed")
	two := shard(t, "editor=passed", "left=", "dead=killed")
	stray := filepath.Join(one, "stray")
	if err := os.Mkdir(stray, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(stray, ReportFile), []byte("{}"), 0o644); err != nil {
		t.Fatal(err) // of an earlier run: it is not in the list
	}
	to := filepath.Join(t.TempDir(), "all")
	merged, err := Merge(to, []string{one, two})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range merged {
		got = append(got, m.Folder+" "+m.Report.Outcome())
	}
	want := []string{"dead unfinished", "editor failed", "editor-2 passed", "left unfinished", "zoom passed"}
	if !slices.Equal(got, want) {
		t.Errorf("merged %q, want %q", got, want)
	}
	if text, err := os.ReadFile(filepath.Join(to, "editor-2", "screenshots", "a.png")); err != nil || string(text) != "a" {
		t.Errorf("the evidence of the second shard's editor: %q, %v", text, err)
	}
	again, err := ReadReports(to)
	if err != nil || len(again) != len(want) {
		t.Errorf("a merged folder can be merged again: %d, %v", len(again), err)
	}
}

func TestMergeRefuses(t *testing.T) {
	good := shard(t, "a=passed")
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, indexFile), []byte(`{"scenarios":[{"folder":"../x"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	torn := shard(t, "a=passed")
	if err := os.WriteFile(filepath.Join(torn, "a", ReportFile), []byte(`{"verdict`), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		to   string
		dirs []string
		says string
	}{
		"a folder that is not empty":       {full, []string{good}, "is not empty"},
		"a folder without reports":         {filepath.Join(t.TempDir(), "x"), []string{t.TempDir()}, "there is no index.json"},
		"a result inside of what it joins": {filepath.Join(good, "x"), []string{good}, "lies in"},
		"folders outside":                  {filepath.Join(t.TempDir(), "x"), []string{outside}, "none of its own"},
		"a torn report":                    {filepath.Join(t.TempDir(), "x"), []string{good, torn}, "is no report"},
	} {
		if _, err := Merge(c.to, c.dirs); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(c.to + ".merging"); err == nil {
			t.Errorf("%s: something is left behind", name)
		}
	}
}

func TestNames(t *testing.T) {
	var n Names
	var got []string
	for _, name := range []string{"a", "a-2", "a", "a", "b"} {
		got = append(got, n.Take(name))
	}
	if want := []string{"a", "a-2", "a-3", "a-4", "b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestJUnit(t *testing.T) {
	no := false
	at := time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)
	report := func(verdict string) *Report {
		return &Report{Scenario: ScenarioFile{Name: verdict, File: "x.yaml"}, Verdict: verdict, Reason: "<because> \x01", Finished: true, DurationMS: 1500, Started: at}
	}
	failed := report(Failed)
	failed.Rows = []Row{{Source: "x.yaml:3", Action: `key "a"`, Status: StatusFailed, Error: &RowError{ClassFocus, "it moved"},
		Postconditions: []Postcondition{{Kind: "file", Want: "/x", Holds: &no, Last: "absent"}}}}
	flaky := report(Passed)
	flaky.Flaky = true
	flaky.Attempts = []Attempt{{Verdict: AppFailed, Reason: "no window"}, {Verdict: Passed}}
	var out bytes.Buffer
	if err := JUnit(&out, []*Report{failed, flaky, report(AppFailed), report(Inconclusive), report(RuntimeError), {Scenario: ScenarioFile{Name: "killed"}}}); err != nil {
		t.Fatal(err)
	}
	var read junitSuites
	if err := xml.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if s := read.Suite; s.Tests != 6 || s.Failures != 3 || s.Errors != 2 || s.Time != "7.500" || s.Stamp != "2026-06-01T09:00:00" {
		t.Errorf("the suite: %d tests, %d failures, %d errors, %s s, %s", s.Tests, s.Failures, s.Errors, s.Time, s.Stamp)
	}
	c := read.Suite.Cases
	for _, says := range []string{`x.yaml:3: key "a": focus: it moved`, `file "/x" does not hold`} {
		if c[0].Failure == nil || !strings.Contains(c[0].Failure.Text, says) {
			t.Errorf("the failure lacks %q: %+v", says, c[0].Failure)
		}
	}
	if c[0].Failure.Message != "<because> \uFFFD" {
		t.Errorf("the message: %q", c[0].Failure.Message)
	}
	if c[1].Failure != nil || len(c[1].Flaky) != 1 || c[1].Flaky[0].Message != "no window" {
		t.Errorf("the flaky one: %+v", c[1])
	}
	if c[4].Error == nil || c[5].Error == nil || c[5].Error.Type != Unfinished {
		t.Errorf("faults of the harness are errors: %+v, %+v", c[4], c[5])
	}
}

// TestReportSchema holds, among others, the list of classes in the schema to the constants.
func TestReportSchema(t *testing.T) {
	var s struct {
		Required []string
		Defs     map[string]struct {
			Properties map[string]struct{ Enum []string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(ReportSchema(), &s); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(s.Required, "verdict") || slices.Contains(s.Defs["Row"].Properties["status"].Enum, "") {
		t.Errorf("required %q, statuses %q", s.Required, s.Defs["Row"].Properties["status"].Enum)
	}
	source, err := os.ReadFile("desktop.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(source), "\n") {
		name, value, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok || !strings.HasPrefix(name, "Class") {
			continue
		}
		word := strings.Trim(strings.Fields(strings.SplitN(value, "//", 2)[0])[0], `"`)
		if !slices.Contains(s.Defs["RowError"].Properties["class"].Enum, word) {
			t.Errorf("the schema lacks the class %q", word)
		}
	}
}
