package validate_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/marked"
	"asz/shared/play"
	"asz/shared/sim"
	"asz/shared/validate"
)

// testdata/control is a lab without a single finding. testdata/defects.list is a list of single mistakes in it, made as
// authors make them. A chunk `=== name` is one mistake:
//
//	@ file                    what is edited; with (deleted), the file is gone
//	-text                     the text of these lines, in the file exactly once, …
//	+text                     … becomes this one
//	! severity code file:line `text`    the one finding; text is its place, exactly
//	~ words                   its message, fix or what is related says so; may stand several times
//	$ line                    its witness, line by line; with none given, it may have any that can be played
const control = "testdata/control"

type defect struct {
	name  string
	files fstest.MapFS
	want  string // severity code file:line `text`
	says  []string
	play  []string
	edits []string // as the list has them
}

// readTree reads the files of a folder as those of the folder t.
func readTree(t testing.TB, folder string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	files := os.DirFS(folder)
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		out[path.Join("t", name)] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readDefects(t testing.TB) []defect {
	t.Helper()
	cases, err := marked.Cases("testdata/defects.list")
	if err != nil {
		t.Fatal(err)
	}
	tree := readTree(t, control)
	var out []defect
	for _, c := range cases {
		name, body := c.Name, c.Text
		d := defect{name: name, files: fstest.MapFS{}}
		for file, data := range tree {
			d.files[file] = data
		}
		for _, part := range strings.Split("\n"+body, "\n@ ")[1:] {
			if problem := edit(d.files, part); problem != "" {
				t.Fatalf("%s: %s", name, problem)
			}
			d.edits = append(d.edits, part)
		}
		for _, line := range strings.Split(body, "\n") {
			switch {
			case strings.HasPrefix(line, "! "):
				d.want = line[2:]
			case strings.HasPrefix(line, "~ "):
				d.says = append(d.says, line[2:])
			case strings.HasPrefix(line, "$ "):
				d.play = append(d.play, line[2:])
			}
		}
		out = append(out, d)
	}
	return out
}

// edit makes one edit of the list in files, or says why it cannot.
func edit(files fstest.MapFS, text string) (problem string) {
	file, lines, _ := strings.Cut(text, "\n")
	name, deleted := strings.CutSuffix(file, " (deleted)")
	f := files["t/"+name]
	if f == nil {
		return "there is no file " + name
	}
	if deleted {
		delete(files, "t/"+name)
		return ""
	}
	var old, with []string
	for _, line := range strings.Split(lines, "\n") {
		if text, ok := strings.CutPrefix(line, "-"); ok {
			old = append(old, text)
		} else if text, ok := strings.CutPrefix(line, "+"); ok {
			with = append(with, text)
		}
	}
	from := strings.Join(old, "\n")
	if n := strings.Count(string(f.Data), from); n != 1 {
		return fmt.Sprintf("%q stands in %s %d times", from, name, n)
	}
	files["t/"+name] = &fstest.MapFile{Data: []byte(strings.Replace(string(f.Data), from, strings.Join(with, "\n"), 1))}
	return ""
}

func validated(files fs.FS, dir string, o validate.Options) *validate.Result {
	c := validate.New(files, dir, o)
	for c.Step(1 << 16) {
	}
	return c.Result()
}

func TestControl(t *testing.T) {
	t.Parallel()
	r := validated(readTree(t, control), "t", validate.Options{})
	if len(r.Findings) > 0 || !r.Exhaustive {
		t.Errorf("exhaustive: %v\n%s", r.Exhaustive, listing(r.Findings))
	}
}

func listing(l diag.List) string {
	var b strings.Builder
	l.WriteText(&b, false)
	return b.String()
}

var wanted = regexp.MustCompile("^(error|warning|info) ([a-z-]+) ([^ :]+):([0-9]+) `(.*)`$")

// elsewhere are the codes of which the list has no defect, and where one is seeded.
var elsewhere = map[diag.Code]string{
	"explore-bound":     "TestBounds: it takes a lab of very many states",
	"file-unreadable":   "diag's TestExamples and native's validate-hostile.txtar: it takes a folder in a file's place",
	"play-expectation":  "diag's TestExamples: of scripts",
	"play-script":       "diag's TestExamples: of scripts",
	"too-many-findings": "native's play.txtar: it takes a thousand mistakes",
	"yaml-encoding":     "diag's TestExamples: the list itself is UTF-8",
	"yaml-too-large":    "diag's TestExamples: it takes a large file",
}

func TestDefects(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for _, d := range readDefects(t) {
		m := wanted.FindStringSubmatch(d.want)
		if m == nil {
			t.Errorf("%s: unclear: %s", d.name, d.want)
			m = make([]string, 7)
		}
		counts[m[2]]++
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			r := validated(d.files, "t", validate.Options{})
			if len(r.Findings) != 1 {
				t.Fatalf("%d findings, want one: %s\n%s", len(r.Findings), d.want, listing(r.Findings))
			}
			f := &r.Findings[0]
			line, _ := f.Span.Source.Position(f.Span.Start)
			got := fmt.Sprintf("%v %s %s:%d `%s`", f.Severity, f.Code, strings.TrimPrefix(f.Span.Source.Name, "t/"), line, f.Span.Text())
			if got != d.want {
				t.Errorf("got  %s\nwant %s\n%s", got, d.want, listing(r.Findings))
			}
			said := f.Message + "\n"
			if f.Fix != nil {
				said += f.Fix.Text + "\n"
			}
			for _, r := range f.Related {
				said += r.Message + " " + r.Span.Text() + "\n"
			}
			for _, words := range d.says {
				if !strings.Contains(said, words) {
					t.Errorf("it does not say %q:\n%s", words, listing(r.Findings))
				}
			}
			if d.play != nil && strings.Join(d.play, "\n") != strings.Join(f.Witness, "\n") {
				t.Errorf("the witness is\n%s\nwant\n%s", strings.Join(f.Witness, "\n"), strings.Join(d.play, "\n"))
			}
			witnessed(t, r.Lab, f)
		})
	}
	for _, rule := range diag.Rules() {
		if rule.Example().Scenario() {
			continue // of scenarios, which have cases of their own
		}
		if (counts[string(rule.Code)] > 0) == (elsewhere[rule.Code] != "") {
			t.Errorf("%s: %d defects; elsewhere: %q", rule.Code, counts[string(rule.Code)], elsewhere[rule.Code])
		}
	}
}

// witnessed plays a finding's witness and checks that it shows what it claims.
func witnessed(t *testing.T, l *lab.Lab, f *diag.Diagnostic) {
	t.Helper()
	if f.Witness == nil {
		return
	}
	engine, err := sim.New(l)
	if err != nil {
		t.Fatal(err)
	}
	played(t, engine, f.Witness)
}

// played plays a script as `asz play --script` does.
func played(t *testing.T, engine *sim.Engine, lines []string) (*sim.Player, string) {
	t.Helper()
	player := sim.NewPlayer(engine)
	var out bytes.Buffer
	findings := play.Script(player, diag.NewSource("script", strings.Join(lines, "\n")+"\n"), io.MultiWriter(&out), play.Options{JSON: true})
	if len(findings) > 0 {
		t.Errorf("the script cannot be played:\n%s", listing(findings))
	}
	return player, out.String()
}
