package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/validate"
)

// host is a machine whose streams are kept.
func host() (h *Host, out, problems *bytes.Buffer) {
	out, problems = new(bytes.Buffer), new(bytes.Buffer)
	return &Host{Stdin: strings.NewReader(""), Stdout: out, Stderr: problems}, out, problems
}

// write makes files below a new folder and gives its path.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func newValidation(h *Host) *validation {
	return &validation{Call: &Call{Host: h, flags: map[string]string{}, command: Validate()}, format: "text", skip: map[string]bool{}}
}

func labNamed(dir string) target { return target{&folder{shown: "labs"}, dir} }

func TestSummary(t *testing.T) {
	found := diag.List{{Severity: diag.Error}, {Severity: diag.Error}, {Severity: diag.Warning}, {Severity: diag.Info}, {Severity: diag.Info}, {Severity: diag.Info}}
	lab := func(dir string, states int, exhaustive bool) checked {
		return checked{labNamed(dir), validate.Result{States: states, Exhaustive: exhaustive}}
	}
	for _, c := range []struct {
		results  []checked
		findings diag.List
		want     string
	}{
		{[]checked{lab("a", 12000, true), lab("b", 345, true)}, found, "2 labs: 2 errors, 1 warning, 3 notes (12,345 states, all looked at)\n"},
		{[]checked{lab("a", 7, true)}, nil, "1 lab: nothing to correct (7 states, all looked at)\n"},
		{[]checked{lab("a", 1, true)}, nil, "1 lab: nothing to correct (1 state, all looked at)\n"},
		{[]checked{lab("a", 7, true), lab("b", 0, false)}, found[:1], "2 labs: 1 error (7 states of 1 lab, all looked at)\n"},
		{[]checked{lab("a", 0, false)}, found[:1], "1 lab: 1 error (no states were searched)\n"},
		{
			[]checked{lab("a", 1234567, false), lab("b", 5, true)}, found[2:3],
			"labs/a: explored 1,234,567 states, not exhaustive\n2 labs: 1 warning (1,234,572 states, not exhaustive in 1 lab)\n",
		},
	} {
		var b bytes.Buffer
		newValidation(nil).writeSummary(&b, c.results, c.findings)
		if b.String() != c.want {
			t.Errorf("got  %q\nwant %q", b.String(), c.want)
		}
	}
}

// TestSolution: what is printed to standard output can be played, and nothing else stands there.
func TestSolution(t *testing.T) {
	a := checked{labNamed("a"), validate.Result{Solution: &validate.Solution{Lines: []string{"ls", "@control c on"}, Shortest: true}}}
	b := checked{labNamed("b"), validate.Result{Solution: &validate.Solution{Lines: []string{"cat x"}, Missing: []string{"one", "two"}}}}
	c := checked{labNamed("c"), validate.Result{Solution: &validate.Solution{}}}
	none := checked{labNamed("d"), validate.Result{}}
	c.Solution.Lines = []string{"ls"}
	stepless := checked{labNamed("e"), validate.Result{Solution: &validate.Solution{Shortest: true}}}
	for _, x := range []struct {
		results       []checked
		out, problems string
	}{
		{[]checked{stepless}, "", "asz validate-lab: labs/e: there is nothing to play: the lab has no steps\n1 lab: nothing to correct (no states were searched)\n"},
		{[]checked{a}, "ls\n@control c on\n", "1 lab: nothing to correct (no states were searched)\n"},
		{
			[]checked{a, b, c, none}, "# labs/a\nls\n@control c on\n# labs/b\ncat x\n# labs/c\nls\n",
			"asz validate-lab: labs/b: the play does not complete one, two\nasz validate-lab: labs/c: there may be a shorter play\nasz validate-lab: labs/d: no play is known\n4 labs: nothing to correct (no states were searched)\n",
		},
	} {
		h, out, problems := host()
		v := newValidation(h)
		v.options.Solution = true
		for _, r := range x.results {
			v.labs = append(v.labs, r.target)
		}
		v.report(out, v.Stderr, x.results, nil)
		if out.String() != x.out || problems.String() != x.problems {
			t.Errorf("got\n%s---\n%s", out, problems)
		}
	}
}

func TestCoverage(t *testing.T) {
	result := validate.Result{ID: "a", States: 3, Exhaustive: true, Coverage: &validate.Coverage{
		Scenarios: []validate.Covered{{Name: "hi", Where: validate.Documented}, {Name: "bye", Where: validate.Never}},
		Steps:     []validate.Covered{{Name: "greet", Where: validate.Reachable}},
		Lines:     []validate.Covered{{Name: "a \\\nb\x1b[2J", Where: validate.Unknown}},
	}, Solution: &validate.Solution{}}
	var b bytes.Buffer
	writeCoverage(&b, []checked{{labNamed("a"), result}, {labNamed("b"), validate.Result{}}})
	legend, rows, _ := strings.Cut(b.String(), "labs/a:\n")
	if !strings.Contains(legend, "\n  never ") {
		t.Errorf("the words are not explained: %q", legend)
	}
	if want := "  documented  scenario  hi\n  never       scenario  bye\n  reachable   step      greet\n  unknown     line      a \\⏎b[2J\n"; rows != want {
		t.Errorf("got\n%s", rows)
	}
	v := newValidation(nil)
	v.format, v.base = "json", "."
	got := string(v.json([]checked{{labNamed("a"), result}}, nil))
	want := `{"version":1,"labs":[{"id":"a","path":"a","states":3,"exhaustive":true,"solution":{"lines":[],"shortest":false,"missing":[]},` +
		`"coverage":{"scenarios":[{"name":"hi","where":"documented"},{"name":"bye","where":"never"}],"steps":[{"name":"greet","where":"reachable"}],` +
		`"lines":[{"name":"a \\\nb\u001b[2J","where":"unknown"}]}}],"findings":[]}` + "\n"
	if got != want || !json.Valid([]byte(got)) {
		t.Errorf("got\n%s", got)
	}
}

func TestNearCodes(t *testing.T) {
	codes := []string{"fence-impossible", "fence-language", "unknown-key", "yaml-key", "yaml-tab"}
	for code, want := range map[string]string{
		"yaml-tb": "yaml-tab", "Unknown-Key": "unknown-key", "fence": "fence-impossible fence-language", "yaml-kab": "yaml-tab yaml-key", "zzz": "", "": "",
	} {
		if got := strings.Join(nearCodes(code, codes), " "); got != want {
			t.Errorf("%q: got %q", code, got)
		}
	}
}

// TestInterrupted: what was found so far is told, and that it is not all.
func TestInterrupted(t *testing.T) {
	dir := write(t, map[string]string{"labs/a/labspace.yaml": "nonsense: 1\n"})
	h, out, problems := host()
	stopped := false
	h.Interrupts = func() (func() bool, func()) { return func() bool { return true }, func() { stopped = true } }
	exit := Validate().Do(h, []string{filepath.Join(dir, "labs")})
	if exit != 130 || !stopped || problems.String() != "asz validate-lab: interrupted in lab 1 of 1; what was found until then is shown\n" || !strings.HasPrefix(out.String(), "0 labs") {
		t.Errorf("exit %d, stopped %v\n%s%s", exit, stopped, out, problems)
	}
	if _, err := os.Stat(filepath.Join(dir, "labs.json")); err == nil {
		t.Error("labs.json was written")
	}
}

// TestProgress: the line is seen by people only and is gone before anything else is printed.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := Progress{Out: &b}
	p.Show("%d", 1)
	p.Clear()
	if b.Len() > 0 {
		t.Errorf("%q", b.String())
	}
	p.Shown = true
	p.Clear()
	p.Show("%s", "a\x1b[2J")
	p.Show("b")
	p.Clear()
	p.Clear()
	if got := b.String(); got != "\r\x1b[Ka[2J\r\x1b[Kb\r\x1b[K" {
		t.Errorf("%q", got)
	}
	b.Reset()
	p.Show("%s: 5 states", strings.Repeat("é", 200))
	if got, want := b.String(), "\r\x1b[K…"+strings.Repeat("é", 68)+": 5 states"; got != want {
		t.Errorf("a long line: %q", got)
	}
}

// TestColor: only where a person reads.
func TestColor(t *testing.T) {
	dir := write(t, map[string]string{"labs/a/labspace.yaml": "nonsense: 1\n"})
	for _, c := range []struct{ color, terminal, want bool }{{true, true, true}, {true, false, false}, {false, true, false}} {
		h, out, _ := host()
		h.Color, h.StdoutTerminal = c.color, c.terminal
		Validate().Do(h, []string{filepath.Join(dir, "labs")})
		if got := strings.Contains(out.String(), "\x1b["); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// TestCorrectionThatDoesNotHelp: a correction whose finding comes back where it was is made once, also when others
// above it move it.
func TestCorrectionThatDoesNotHelp(t *testing.T) {
	dir := write(t, map[string]string{"a/x.yaml": "top\nkey: a\n"})
	h, _, problems := host()
	v := newValidation(h)
	ts := targets{host: &Host{}, folders: map[string]*folder{}, seen: map[string]bool{}}
	f, err := ts.open(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	f.shown = "labs"
	found := func(code diag.Code, word string) diag.Diagnostic {
		data, err := os.ReadFile(filepath.Join(dir, "a/x.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		at := diag.Span{Source: diag.NewSource("a/x.yaml", string(data)), Start: strings.Index(string(data), word), Len: len(word)}
		return diag.Diagnostic{Code: code, Span: at, Fix: &diag.Fix{Edits: []diag.Edit{{Span: at, New: "[" + word + "]"}}, Safe: true}}
	}
	apply := func(findings ...diag.Diagnostic) bool {
		for i := range findings {
			findings[i].Span.Source = findings[0].Span.Source
			findings[i].Fix.Edits[0].Span.Source = findings[0].Span.Source
		}
		return v.applyFixes([]checked{{target{f, "a"}, validate.Result{Findings: findings}}})
	}
	if !apply(found("unknown-key", "top"), found("yaml-tag", "a")) {
		t.Error("nothing is corrected")
	}
	if !apply(found("yaml-tag", "a"), found("yaml-tab", "key")) { // within the brackets that were made of it
		t.Error("another code is not corrected")
	}
	if apply(found("yaml-tag", "a")) || apply(found("yaml-tag", "[a]")) {
		t.Error("the correction is made again")
	}
	data, _ := os.ReadFile(filepath.Join(dir, "a/x.yaml"))
	if string(data) != "[top]\n[key]: [a]\n" {
		t.Errorf("%q", data)
	}
	want := "labs/a/x.yaml: 2 corrections made\nlabs/a/x.yaml:2:7: the correction did not help; make one by hand [yaml-tag]\nlabs/a/x.yaml: 1 correction made\n"
	if problems.String() != want {
		t.Errorf("got %q", problems)
	}
}

// TestNoPlay: that no play is known stands behind the findings that explain it.
func TestNoPlay(t *testing.T) {
	dir := write(t, map[string]string{"labs/a/labspace.yaml": "nonsense: 1\n"})
	h, _, problems := host()
	Validate().Do(h, []string{"--solution", filepath.Join(dir, "labs")})
	finding, note := strings.Index(problems.String(), "[unknown-key]"), strings.Index(problems.String(), "no play is known")
	if finding < 0 || note < finding {
		t.Errorf("got\n%s", problems)
	}
}
