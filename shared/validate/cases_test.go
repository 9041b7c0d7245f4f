package validate_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/diag"
	"asz/shared/validate"
)

// The documents of testdata carry their findings. A chunk `=== name` is one lab; `-- file --` begins a file of it. A
// line that ends in
//
//	# want: code `text` says `words`
//
// has one finding of that code; its place is text, exactly, when that is given, and words are in its message, its fix
// or what is related. Several may stand one after the other. Any finding without a marker fails, and so does any
// marker without a finding. Files that are not given:
//
//	labspace.yaml   the simulator and, when a.md is given, one section; its text is put after them
//	simulator.yaml  no scenarios; the version is put before it
//
// In explored.txt the states are searched, too.
var marker = regexp.MustCompile("[ \t]*# want: ([a-z-]+)(?: `([^`]+)`)?(?: says `([^`]+)`)?")

type want struct {
	file             string
	line             int
	code, text, says string
	seen             bool
}

func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, chunk := range strings.Split("\n"+string(data), "\n=== ")[1:] {
			head, body, _ := strings.Cut(chunk, "\n")
			t.Run(filepath.Base(file)+"/"+head, func(t *testing.T) { oneCase(t, body, filepath.Base(file) == "explored.txt") })
		}
	}
}

// lab makes the files of a case, and what is wanted of them.
func labOf(body string) (fstest.MapFS, []*want) {
	texts := map[string]string{"labspace.yaml": "", "simulator.yaml": "scenarios: []\n"}
	for _, part := range strings.Split("\n"+body, "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, " --\n")
		texts[name] = strings.TrimRight(text, "\n") + "\n"
	}
	if !strings.Contains(texts["simulator.yaml"], "version:") {
		texts["simulator.yaml"] = "version: \"2.0\"\n" + texts["simulator.yaml"]
	}
	space := "simulator: simulator.yaml\n"
	if _, ok := texts["a.md"]; ok && !strings.Contains(texts["labspace.yaml"], "sections:") {
		space += "sections: [{ title: A, contentPath: a.md }]\n"
	}
	texts["labspace.yaml"] = space + texts["labspace.yaml"]
	files := fstest.MapFS{}
	var wants []*want
	for name, text := range texts {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			at := marker.FindStringIndex(line)
			if at == nil {
				continue
			}
			for _, m := range marker.FindAllStringSubmatch(line, -1) {
				wants = append(wants, &want{file: "t/" + name, line: i + 1, code: m[1], text: m[2], says: m[3]})
			}
			lines[i] = line[:at[0]]
		}
		files["t/"+name] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
	}
	return files, wants
}

func oneCase(t *testing.T, body string, explored bool) {
	files, wants := labOf(body)
	options := validate.Options{Explore: validate.Off}
	if explored {
		options.Explore = validate.Full
	}
	c := validate.New(files, "t", options)
	for c.Step(1000) {
	}
next:
	for _, f := range c.Result().Findings {
		rule, ok := diag.RuleOf(f.Code)
		if !ok || f.Severity > rule.Severity || f.Message == "" || f.Fix == nil || f.Fix.Text == "" || f.Span.Source == nil {
			t.Errorf("an incomplete finding: %+v", f)
			continue
		}
		line, _ := f.Span.Source.Position(f.Span.Start)
		said := f.Severity.String() + ": " + f.Message + "\n" + f.Fix.Text
		for _, r := range f.Related {
			said += "\n" + r.Message + " " + r.Span.Text()
		}
		for _, e := range f.Fix.Edits {
			said += "\nedit " + e.Span.Text() + " to " + e.New
		}
		for _, w := range wants {
			if w.seen || w.line != line || f.Span.Source.Name != w.file || w.code != string(f.Code) {
				continue
			}
			w.seen = true
			if w.text != "" && w.text != f.Span.Text() {
				t.Errorf("%s:%d: %s is at %q, want %q", w.file, w.line, w.code, f.Span.Text(), w.text)
			}
			if !strings.Contains(said, w.says) {
				t.Errorf("%s:%d: %q does not say %q", w.file, w.line, said, w.says)
			}
			continue next
		}
		t.Errorf("%s:%d: unexpected %s at %q: %s", f.Span.Source.Name, line, f.Code, f.Span.Text(), f.Message)
	}
	for _, w := range wants {
		if !w.seen {
			t.Errorf("%s:%d: no %s at %q", w.file, w.line, w.code, w.text)
		}
	}
}
