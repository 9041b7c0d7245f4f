package validate_test

import (
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/diag"
	"asz/shared/validate"
)

// mistakes are what is done to our own labs: the first group of the pattern is misspelt, or left out.
var mistakes = []struct {
	name, file, pattern string
	omit                bool // leave it out
	always              bool // it is always found; the others may do no harm
}{
	{"terminal of a block", ".md", "(?m)^ *```.*terminal-id=([a-z-]+)", false, true},
	{"first word of a line", ".md", "(?m)^```bash.*\n([a-z]{3,})", false, true},
	{"path of a link", ".md", `fileLink.*path="([a-z./]+)"`, false, true},
	{"a whole block", ".md", "(?m)^(```[a-z]+ .*\n(?:[^`\n]+\n)+```)$", true, false},
	{"completes", "simulator.yaml", `completes: ([a-z-]+)`, false, true},
	{"condition", "simulator.yaml", `when: .*state: \{ ([a-zA-Z.]+):`, false, true},
	{"change", "simulator.yaml", `(?m)^        ([a-zA-Z.]+): (?:true|false|[a-z]+)$`, false, false},
	{"all changes", "simulator.yaml", `(?m)^( {6,8}state: \{.*\})$`, true, false},
	{"scope of a template", "simulator.yaml", `\{\{ (args)\.`, false, true},
	{"argument of a template", "simulator.yaml", `\{\{ args\.([a-z0-9]+)`, false, true},
	{"fact of a template", "simulator.yaml", `\{\{ state\.([a-zA-Z.]+)`, false, true},
	{"pace", "simulator.yaml", `delay: ([a-z]+)`, false, true},
	{"workflow", "simulator.yaml", `workflow: ([a-z-]+)`, false, true},
	{"failed step", "simulator.yaml", `failedStep: ([a-z-]+)`, false, true},
	{"terminal of a scenario", "simulator.yaml", `terminal: ([a-z-]+)`, false, true},
	{"requirement", "simulator.yaml", `requires: ([a-zA-Z.]+)`, false, true},
	{"a terminal", "labspace.yaml", `- id: ([a-z-]+)\n    title`, false, false},
	{"text of a section", "labspace.yaml", `contentPath: (.*\.md)`, false, true},
}

// TestOneMistakeIsOneFinding spoils our own labs in one place at a time.
func TestOneMistakeIsOneFinding(t *testing.T) {
	const folder = "../../labs"
	for _, id := range labsIn(t, folder) {
		files := fstest.MapFS{}
		var names []string
		err := fs.WalkDir(os.DirFS(folder), id, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(folder + "/" + name)
			files[name] = &fstest.MapFile{Data: data}
			names = append(names, name)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mistakes {
			pattern, seen := regexp.MustCompile(m.pattern), 0
			for _, name := range names {
				if !strings.HasSuffix(name, m.file) {
					continue
				}
				text := string(files[name].Data)
				for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
					if seen++; seen%5 != 1 { // a sample
						continue
					}
					word := text[at[2]:at[3]]
					bad := misspell(word)
					if m.omit {
						bad = ""
					}
					spoilt := fstest.MapFS{}
					for other, file := range files {
						spoilt[other] = file
					}
					spoilt[name] = &fstest.MapFile{Data: []byte(text[:at[2]] + bad + text[at[3]:])}
					c := validate.New(spoilt, id, validate.Options{Explore: validate.Off})
					for c.Step(1000) {
					}
					found := []string{}
					for _, f := range c.Result().Findings {
						if f.Severity != diag.Info {
							line, _ := f.Span.Source.Position(f.Span.Start)
							found = append(found, f.Span.Source.Name+":"+strconv.Itoa(line)+": "+f.Message)
						}
					}
					if len(found) > 1 || m.always && len(found) == 0 {
						t.Errorf("%s in %s:%d, %q → %q: %d findings\n%s", m.name, name, 1+strings.Count(text[:at[2]], "\n"), word, bad, len(found), strings.Join(found, "\n"))
					}
				}
			}
		}
	}
}

// misspell swaps two letters of a long word and lengthens a short one.
func misspell(word string) string {
	if len(word) > 3 && word[1] != word[2] {
		return word[:1] + word[2:3] + word[1:2] + word[3:]
	}
	return word + "zq"
}
