package diag

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// examples holds one archive for each code, read only when it is asked for. Its files stand below bad/, in which the
// code's finding is the only one, below good/, in which there is none, or below with/, which is part of both. They are a
// lab together with exampleBase; a file named script is played in it (`asz play --script`). Where scenario.yaml is among
// them they are a session scenario and its expectations instead, and where gui.yaml is, a GUI scenario. A finding that only a huge lab has is told, in
// description.txt.
//
//go:embed examples
var examples embed.FS

// exampleBase is the lab whose files an example replaces or adds to.
var exampleBase = []txtar.File{
	{Name: "labspace.yaml", Data: []byte(`title: Base
simulator: simulator.yaml
features: { ci: {} }
sections:
  - { title: Start, contentPath: start.md }
`)},
	{Name: "simulator.yaml", Data: []byte(`version: "2.0"
scenarios:
  - id: hello
    when: { command: hello }
    then: { output: [Hello.] }
`)},
	{Name: "start.md", Data: []byte("Welcome.\n")},
}

// The sides of an example.
const (
	exampleBad  = "bad"
	exampleGood = "good"
)

// exampleText is a side that is told in words.
const exampleText = "description.txt"

// The files that make an example a scenario and no lab.
const (
	exampleSession = "scenario.yaml"
	exampleGUI     = "gui.yaml"
)

// Example is a lab, a session scenario or a GUI scenario, in two versions: with one finding of a code, and without.
type Example struct {
	Bad, Good map[string]string // the texts of all of its files, by path
	Session   bool              // it is a session scenario
	GUI       bool              // it is a GUI scenario
	files     []txtar.File
}

// Example gives the example of the rule's code.
func (r Rule) Example() Example {
	data, _ := examples.ReadFile("examples/" + string(r.Code) + ".txtar") // there is one for each code: a test holds it
	e := Example{Bad: map[string]string{}, Good: map[string]string{}, files: txtar.Parse(data).Files}
	base := exampleBase
	e.Session, e.GUI = e.has(exampleSession), e.has(exampleGUI)
	if e.Scenario() {
		base = nil
	}
	for _, f := range base {
		e.Bad[f.Name], e.Good[f.Name] = string(f.Data), string(f.Data)
	}
	for _, f := range e.files {
		side, name, _ := strings.Cut(f.Name, "/")
		if side != exampleGood {
			e.Bad[name] = string(f.Data)
		}
		if side != exampleBad {
			e.Good[name] = string(f.Data)
		}
	}
	return e
}

// Scenario reports whether the example is no lab. No verb corrects such files.
func (e Example) Scenario() bool { return e.Session || e.GUI }

func (e Example) has(name string) bool {
	return slices.ContainsFunc(e.files, func(f txtar.File) bool { return strings.HasSuffix(f.Name, "/"+name) })
}

// WriteExplain tells what a person wants to know about a code: what it means, why it matters, what to do, and how that
// looks.
func (r Rule) WriteExplain(w io.Writer) error {
	out := bufio.NewWriter(w)
	example := r.Example()
	fmt.Fprintf(out, "%s (%s)\n%s\n\n%s\n%s\n", r.Code, r.Severity, wrap(r.Title), wrap(r.Explain), wrap("fix: "+r.Fix))
	if !example.Scenario() {
		fmt.Fprintf(out, "\n%s", r.mending())
	}
	example.write(out)
	return out.Flush()
}

// help is what a finding's place in another tool can tell besides the finding: what to do, and how that looks.
func (r Rule) help() string {
	var b strings.Builder
	b.WriteString(r.Fix + "\n")
	r.Example().write(&b)
	return strings.TrimRight(b.String(), "\n")
}

func (r Rule) mending() string {
	if r.Mends {
		return "`asz validate-lab --fix` corrects it wherever it is clear what was meant.\n"
	}
	return "`asz validate-lab --fix` leaves it to you.\n"
}

// write prints the files that make the example, indented.
func (e Example) write(w io.Writer) {
	for _, f := range e.files {
		side, name, _ := strings.Cut(f.Name, "/")
		if name == exampleText {
			fmt.Fprintf(w, "\n%s:\n\n", side)
		} else {
			fmt.Fprintf(w, "\n%s: %s\n\n", side, name)
		}
		for line := range strings.Lines(string(f.Data)) {
			// A tab is shown: where there is one, it is the point.
			fmt.Fprintf(w, "    %s\n", visible(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "→   ")))
		}
	}
}

// wrap breaks a text into lines of 80 characters at most.
func wrap(text string) string {
	const most = 80
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		size := utf8.RuneCountInString(word)
		switch {
		case i > 0 && width+1+size > most:
			b.WriteByte('\n')
			width = 0
		case i > 0:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += size
	}
	return b.String()
}
