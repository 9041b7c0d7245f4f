package validate_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/diag"
	"asz/shared/marked"
	"asz/shared/validate"
)

// The documents of testdata carry their findings (see marked.Want): a case is one lab; `-- file --` begins a file of
// it. The place of a finding is the text, exactly, and the words are in its message, its fix or what is related. Any
// finding without a mark fails, and so does any mark without a finding. Files that are not given:
//
//	labspace.yaml   the simulator and, when a.md is given, one section; its text is put after them
//	simulator.yaml  no scenarios; the version is put before it
//
// In explored.txt the states are searched, too.
func TestCases(t *testing.T) {
	for _, c := range casesOf(t) {
		t.Run(c.File+"/"+c.Name, func(t *testing.T) { oneCase(t, c.Text, c.File == "explored.txt") })
	}
}

func casesOf(t *testing.T) []marked.Case {
	cases, err := marked.Cases("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// want is a finding of one of a case's files.
type want struct {
	*marked.Want
	file string
}

// lab makes the files of a case, and what is wanted of them.
func labOf(body string) (fstest.MapFS, []want) {
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
	var wants []want
	for name, text := range texts {
		plain, marks := marked.Wants(text)
		for _, m := range marks {
			wants = append(wants, want{m, "t/" + name})
		}
		files["t/"+name] = &fstest.MapFile{Data: []byte(plain)}
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
			if w.Seen || w.Line != line || f.Span.Source.Name != w.file || w.Code != string(f.Code) {
				continue
			}
			w.Seen = true
			if w.Text != "" && w.Text != f.Span.Text() {
				t.Errorf("%s:%d: %s is at %q, want %q", w.file, w.Line, w.Code, f.Span.Text(), w.Text)
			}
			if !strings.Contains(said, w.Says) {
				t.Errorf("%s:%d: %q does not say %q", w.file, w.Line, said, w.Says)
			}
			continue next
		}
		t.Errorf("%s:%d: unexpected %s at %q: %s", f.Span.Source.Name, line, f.Code, f.Span.Text(), f.Message)
	}
	for _, w := range wants {
		if !w.Seen {
			t.Errorf("%s:%d: no %s at %q", w.file, w.Line, w.Code, w.Text)
		}
	}
}
