package content_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"asz/shared/content"
)

var update = flag.Bool("update", false, "write the HTML and facts of testdata/*.txtar anew")

// TestGolden renders each .md of testdata/*.txtar and compares its .html and .facts, which stand beside it.
func TestGolden(t *testing.T) {
	topics, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(topics) < 6 {
		t.Fatalf("found %d topics, %v", len(topics), err)
	}
	for _, file := range topics {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			golden, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			have := map[string][]byte{}
			for _, f := range golden.Files {
				have[f.Name] = f.Data
			}
			fresh := &txtar.Archive{Comment: golden.Comment}
			for _, f := range golden.Files {
				name, ok := strings.CutSuffix(f.Name, ".md")
				if !ok {
					continue
				}
				section := content.Render(f.Data, options())
				for _, problem := range inert(section.HTML) {
					t.Errorf("%s: %s", name, problem)
				}
				made := []txtar.File{{Name: name + ".html", Data: []byte(section.HTML)}, {Name: name + ".facts", Data: facts(f.Data, section)}}
				fresh.Files = append(append(fresh.Files, f), made...)
				for _, m := range made {
					if got := txtar.Parse(txtar.Format(&txtar.Archive{Files: []txtar.File{m}})).Files[0].Data; !*update && !bytes.Equal(got, have[m.Name]) {
						t.Errorf("%s is now\n%s", m.Name, got)
					}
					delete(have, m.Name)
				}
				delete(have, f.Name)
			}
			for name := range have {
				if !*update {
					t.Errorf("%s belongs to no .md", name)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(fresh), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// facts writes down what a section knows of itself; what stands at offsets is shown as the source has it.
func facts(source []byte, s content.Section) []byte {
	var b bytes.Buffer
	at := func(start, end int) string { return fmt.Sprintf("%q", source[start:end]) }
	for _, f := range s.Fences {
		fmt.Fprintf(&b, "fence language=%q terminal=%q save=%q filename=%q run=%t prompt=%t\n\tis %s\n\ttext %q\n", f.Language, f.Terminal, f.Save, f.Filename, f.Run, f.Prompt, at(f.Start, f.End), f.Text)
		for _, l := range f.Lines {
			fmt.Fprintf(&b, "\ttypes %q of %s\n", l.Text, at(l.Start, l.End))
		}
		for _, m := range f.Meta {
			fmt.Fprintf(&b, "\tmeta %s=%q of %s\n", m.Key, m.Value, at(m.Start, m.End))
		}
	}
	for _, l := range s.Links {
		fmt.Fprintf(&b, "link %s %q terminal=%q of %s\n", l.Kind, l.Target, l.Terminal, at(l.Start, l.End))
	}
	for _, u := range s.Uses {
		fmt.Fprintf(&b, "use %s %s of %s\n", u.Kind, u.Name, at(u.Start, u.End))
	}
	for _, h := range s.Headings {
		fmt.Fprintf(&b, "heading %d %s %q\n", h.Level, h.ID, h.Text)
	}
	if len(s.VariableNames) > 0 {
		fmt.Fprintf(&b, "names %s\n", strings.Join(s.VariableNames, ", "))
	}
	if s.Mermaid {
		fmt.Fprintln(&b, "mermaid")
	}
	return b.Bytes()
}
