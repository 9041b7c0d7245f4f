package diag_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"asz/shared/diag"
	"asz/shared/gui"
	"asz/shared/labfile"
	"asz/shared/play"
	"asz/shared/session"
	"asz/shared/sim"
	"asz/shared/validate"
)

// told are the codes whose example is told in words, and why.
var told = map[diag.Code]string{
	"explore-bound":     "takes a lab of very many states",
	"too-many-findings": "takes a file of more than a thousand mistakes",
}

// check gives the findings of a whole lab, and of its script when it has one; of a session scenario, and of its
// expectations when it has some; or of a GUI scenario.
func check(t *testing.T, lab map[string]string) diag.List {
	t.Helper()
	if text, ok := lab["scenario.yaml"]; ok {
		scenario, findings := session.Parse(diag.NewSource("scenario.yaml", text))
		if text, ok := lab["scenario.expect.yaml"]; ok && scenario != nil {
			_, more := session.ParseExpectation(diag.NewSource("scenario.expect.yaml", text), scenario)
			findings = append(findings, more...)
		}
		return findings
	}
	if text, ok := lab["gui.yaml"]; ok {
		_, findings := gui.Parse(diag.NewSource("gui.yaml", text))
		return findings
	}
	files := fstest.MapFS{}
	for name, text := range lab {
		files["lab/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	c := validate.New(files, "lab", validate.Options{})
	for c.Step(10_000) {
	}
	findings := c.Result().Findings
	if script, ok := lab["script"]; ok && len(findings) == 0 {
		engine, err := sim.New(labfile.Load(files, "lab").Lab)
		if err != nil {
			t.Fatal(err)
		}
		findings = play.Script(sim.NewPlayer(engine), diag.NewSource("script", script), io.Discard, play.Options{})
	}
	return findings
}

func text(l diag.List) string {
	var b strings.Builder
	l.WriteText(&b, false)
	return b.String()
}

// TestExamples: the bad side of each example has exactly one finding, of its code; the good side has none.
func TestExamples(t *testing.T) {
	for _, rule := range diag.Rules() {
		t.Run(string(rule.Code), func(t *testing.T) {
			e := rule.Example()
			if told[rule.Code] != "" {
				return
			}
			bad, good := check(t, e.Bad), check(t, e.Good)
			if len(bad) != 1 || bad[0].Code != rule.Code || len(good) != 0 {
				t.Fatalf("bad:\n%sgood:\n%s", text(bad), text(good))
			}
			// Whether --fix corrects it is said as it is, and what it makes of the bad side is the good one.
			if fix := bad[0].Fix; rule.Mends != (fix != nil && fix.Safe && len(fix.Edits) > 0) {
				t.Errorf("Mends is %v", rule.Mends)
			}
			files, _, _ := bad.Apply()
			for _, f := range files {
				if name := strings.TrimPrefix(f.Source.Name, "lab/"); f.Text != e.Good[name] {
					t.Errorf("%s became\n%s", name, f.Text)
				}
			}
		})
	}
}

// TestExampleFiles: each code has one file with what an example needs, and there is no other file.
func TestExampleFiles(t *testing.T) {
	entries, err := os.ReadDir("examples")
	if err != nil {
		t.Fatal(err)
	}
	var codes []diag.Code
	for _, entry := range entries {
		code, ok := strings.CutSuffix(entry.Name(), ".txtar")
		codes = append(codes, diag.Code(code))
		if _, known := diag.RuleOf(diag.Code(code)); !ok || !known {
			t.Errorf("examples/%s belongs to no code", entry.Name())
			continue
		}
		archive, err := txtar.ParseFile("examples/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		if len(archive.Comment) > 0 {
			t.Errorf("%s: text before the first file is not shown", code)
		}
		sides := map[string]int{}
		for _, f := range archive.Files {
			side, name, _ := strings.Cut(f.Name, "/")
			sides[side]++
			if side != "bad" && side != "good" && side != "with" || !fs.ValidPath(name) || name == "." {
				t.Errorf("%s: a file %s", code, f.Name)
			}
			if (path.Base(name) == "description.txt") != (told[diag.Code(code)] != "") {
				t.Errorf("%s: %s: an example is a lab, or told when it has to be", code, f.Name)
			}
			if lines := strings.Count(string(f.Data), "\n"); lines > 12 || lines == 0 {
				t.Errorf("%s: %s has %d lines; an example is short", code, f.Name, lines)
			}
		}
		if sides["bad"] == 0 || sides["good"] == 0 {
			t.Errorf("%s: an example has two sides", code)
		}
	}
	for _, rule := range diag.Rules() {
		if !slices.Contains(codes, rule.Code) {
			t.Errorf("%s has no example", rule.Code)
		}
	}
}

func TestWriteExplain(t *testing.T) {
	rule, _ := diag.RuleOf("yaml-tab")
	var b strings.Builder
	if err := rule.WriteExplain(&b); err != nil {
		t.Fatal(err)
	}
	want := `yaml-tab (error)
a tab in the indentation

YAML does not allow tabs in indentation, since their width is not fixed.
fix: indent with spaces

` + "`asz validate-lab --fix`" + ` leaves it to you.

bad: simulator.yaml

    version: "2.0"
    scenarios:
      - id: ps
        when: { command: docker ps }
    →   then: { output: [CONTAINER ID] }

good: simulator.yaml

    version: "2.0"
    scenarios:
      - id: ps
        when: { command: docker ps }
        then: { output: [CONTAINER ID] }
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	for _, rule := range diag.Rules() {
		b.Reset()
		if err := rule.WriteExplain(&b); err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(b.String()) || strings.ContainsFunc(b.String(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
			t.Errorf("%s: what is printed is no plain text", rule.Code)
		}
		prose, _, _ := strings.Cut(b.String(), ".yaml\n\n")
		for line := range strings.Lines(prose) {
			if utf8.RuneCountInString(line) > 81 {
				t.Errorf("%s: a long line: %s", rule.Code, line)
			}
		}
		if rule.Example().Scenario() {
			if strings.Contains(b.String(), "--fix") {
				t.Errorf("%s: --fix does not correct scenarios", rule.Code)
			}
		} else if rule.Mends != strings.Contains(prose, "--fix` corrects it") {
			t.Errorf("%s: --fix is not told of as it is", rule.Code)
		}
	}
	if rule.WriteExplain(fullDisk{}) == nil {
		t.Error("a full disk is not told of")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("full") }
