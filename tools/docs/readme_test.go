// Package docs runs what README shows: its files are written, its commands and
// lab transcripts are played, and what they print must be what README says. It also
// holds the schemas of files to the readers of those files.
package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asz/shared/content"
	"asz/shared/labfile"
	"asz/shared/sim"
	"asz/tools/build/maker"
)

// block is one fenced block of README.
type block struct {
	line int    // of its first line
	info string // what stands after the opening fence
	text string
}

// attribute returns what follows `name=` in the block's info string.
func (b block) attribute(name string) string {
	for _, word := range strings.Fields(b.info) {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			return value
		}
	}
	return ""
}

func blocks(t *testing.T, text string) []block {
	var out []block
	var open *block
	var marks string // of the open block: three backquotes, or more around a block that shows some
	for i, line := range strings.Split(text, "\n") {
		info := strings.TrimLeft(line, "`")
		fence := len(line)-len(info) >= 3
		switch {
		case fence && open == nil:
			open, marks = &block{line: i + 2, info: info}, line[:len(line)-len(info)]
		case open != nil && line == marks:
			out = append(out, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Fatalf("README:%d: the block is not closed", open.line)
	}
	return out
}

func TestReadme(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := maker.NoteSources(root); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	bin, work := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "asz"), "./native")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	ran := 0
	for _, b := range blocks(t, string(readme)) {
		problem := ""
		switch language, _, _ := strings.Cut(b.info, " "); {
		case b.attribute("file") != "":
			problem = write(filepath.Join(work, b.attribute("file")), b.text)
		case language == "sh":
			problem = checkMake(b.text, string(makefile))
		case b.attribute("lab") != "":
			problem = playTranscript(work, b.attribute("lab"), b.text)
		case language == "console":
			problem = runConsole(work, b.text)
		default:
			problem = "nothing here knows how to run this block: give it file=, lab=, or the language console or sh"
		}
		if ran++; problem != "" {
			t.Errorf("README:%d: %s", b.line, problem)
		}
	}
	for _, problem := range checkSection(filepath.Join(work, "tour", "start.md")) {
		t.Error(problem)
	}
	if problem := runSteps(work, ".github/workflows/labs.yaml"); problem != "" {
		t.Error(problem)
	}
	if ran < 10 {
		t.Errorf("only %d blocks were found", ran)
	}
}

func write(file, text string) string {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err.Error()
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err.Error()
	}
	return ""
}

// checkMake looks for each `make TARGET`: the targets cannot run inside of one.
func checkMake(text, makefile string) string {
	for line := range strings.Lines(text) {
		target, ok := strings.CutPrefix(strings.TrimSpace(line), "make ")
		if !ok || !regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(target)+`:`).MatchString(makefile) {
			return fmt.Sprintf("%q names no target of the Makefile", line)
		}
	}
	return ""
}

// checkSection renders the section that shows everything: every directive and
// block of it has become what the page knows.
func checkSection(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return []string{err.Error()}
	}
	var problems []string
	section := content.Render(text, content.Options{})
	for _, want := range []string{`class="file-link"`, `class="tab-link"`, `data-variable=`, `class="set-variables"`, `data-if=`, `class="run"`, `class="save"`, `class="line highlighted"`, `class="alert alert-tip"`, `data-mermaid`, `<figcaption>`} {
		if !strings.Contains(section.HTML, want) {
			problems = append(problems, fmt.Sprintf("%s: its HTML has no %s", filepath.Base(file), want))
		}
	}
	if left := regexp.MustCompile(`:{1,3}(fileLink|tabLink|variable|conditional)`).FindString(section.HTML); left != "" {
		problems = append(problems, fmt.Sprintf("%s: %s is left as text", filepath.Base(file), left))
	}
	return problems
}

// runSteps runs the steps of a workflow that are asz: with the labs of README, of
// which one is broken, they report errors.
func runSteps(work, workflow string) string {
	text, err := os.ReadFile(filepath.Join(work, workflow))
	if err == nil {
		err = os.Symlink(work, filepath.Join(work, "labs"))
	}
	if err != nil {
		return err.Error()
	}
	steps := regexp.MustCompile(`(?m)^ *- run: npx (asz .*)$`).FindAllStringSubmatch(string(text), -1)
	if len(steps) == 0 {
		return workflow + " runs no asz"
	}
	for _, step := range steps {
		c := exec.Command("sh", "-c", step[1])
		c.Dir = work
		out, _ := c.CombinedOutput()
		if code := c.ProcessState.ExitCode(); code != 1 || !strings.HasPrefix(string(out), "::error file=broken/simulator.yaml,line=5,") {
			return fmt.Sprintf("%s: %s ends with %d and prints\n%s", workflow, step[1], code, out)
		}
	}
	return ""
}

// runConsole runs the lines after `$ asz` and compares what they print.
func runConsole(dir, text string) string {
	var command, want string
	var problems []string
	finish := func() {
		if command == "" {
			return
		}
		c := exec.Command("sh", "-c", command)
		c.Dir = dir
		got, err := c.CombinedOutput()
		if _, failed := err.(*exec.ExitError); err != nil && !failed {
			problems = append(problems, err.Error())
		}
		if anyTime(string(got)) != anyTime(want) {
			problems = append(problems, fmt.Sprintf("%s\nprints\n%s\nand not\n%s", command, got, want))
		}
	}
	for line := range strings.Lines(text) {
		if next, ok := strings.CutPrefix(line, "$ asz "); ok {
			finish()
			command, want = "asz "+strings.TrimSpace(next), ""
			continue
		}
		want += line
	}
	finish()
	return strings.Join(problems, "\n")
}

// anyTime leaves out how long something took.
func anyTime(text string) string {
	return regexp.MustCompile(`\b[0-9.]+ (ms|s)\b`).ReplaceAllString(text, "…")
}

// playTranscript types the lines of a transcript that stand after the terminal's
// prompt, and compares what lies between them. Dots typed into a masked input
// are typed as they are.
func playTranscript(dir, lab, text string) string {
	loaded := labfile.Load(os.DirFS(dir), lab)
	if loaded.Lab == nil {
		var b strings.Builder
		loaded.Findings.WriteText(&b, false)
		return b.String()
	}
	engine, err := sim.New(loaded.Lab)
	if err != nil {
		return err.Error()
	}
	player := sim.NewPlayer(engine)
	terminal := loaded.Lab.Terminals[0].ID
	var script strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		_, prompt, _ := engine.Mode(player.State(), terminal)
		typed, ok := strings.CutPrefix(line, prompt)
		switch {
		case ok:
			player.Act("line", terminal, typed)
			script.WriteString(typed + "\n")
		case strings.HasPrefix(line, "@"):
			if id, ok := strings.CutPrefix(line, "@terminal "); ok {
				terminal = id
			}
			script.WriteString(line + "\n")
		}
	}
	c := exec.Command("asz", "play", lab, "--script", "-")
	c.Dir, c.Stdin = dir, strings.NewReader(script.String())
	got, err := c.CombinedOutput()
	var want strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "@expect") {
			want.WriteString(line)
		}
	}
	if err != nil || string(got) != want.String() {
		return fmt.Sprintf("the lab %s prints (%v)\n%s", lab, err, got)
	}
	return ""
}
