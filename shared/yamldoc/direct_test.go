package yamldoc

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"asz/shared/diag"
)

// same holds that a text gives the same nodes and findings with goccy's parser and without; it tells whether that parser
// was needed.
func same(t *testing.T, text string, o Options) (needed bool) {
	t.Helper()
	src := diag.NewSource("f.yaml", text)
	p := newParser(src, o)
	got, findings := p.parse()
	slow := newParser(src, o)
	slow.never = true
	want, told := slow.parse()
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(findings, told) {
		t.Fatalf("read directly it is something else:\n%s", text)
	}
	return len(p.tokens.list) > 0
}

// files are the texts of all YAML files below folders, those in archives included.
func files(t *testing.T, folders ...string) []string {
	var texts []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if os.IsNotExist(err) && path == folder {
				return nil
			}
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			archive := &txtar.Archive{Files: []txtar.File{{Name: path, Data: text}}}
			if filepath.Ext(path) == ".txtar" {
				archive = txtar.Parse(text)
			}
			for _, f := range archive.Files {
				if filepath.Ext(f.Name) == ".yaml" {
					texts = append(texts, string(f.Data))
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// TestDirect: the files of labs are read without goccy's parser, and all are read as with it, however they are changed.
func TestDirect(t *testing.T) {
	labs := files(t, "../../labs", "../../../shared/data/labs")
	for _, text := range append(labs, labText(30)) {
		if same(t, text, Options{AppendKeys: true}) {
			t.Errorf("goccy's parser read\n%.200s", text)
		}
	}
	texts := append(files(t, "testdata", "../labfile/testdata", "../validate/testdata", "../diag/examples"), labText(3), strange)
	for _, lab := range labs {
		texts = append(texts, lab[:min(len(lab), 4000)])
	}
	r := rand.New(rand.NewPCG(1, 2))
	direct := 0
	for _, text := range texts {
		for range max(5, 4_000/(len(text)+100)) {
			for _, o := range []Options{{AppendKeys: true}, {Limits: Limits{Depth: 6, Nodes: 60, AliasNodes: 30}}} {
				if !same(t, text, o) {
					direct++
				}
			}
			text = mutated(r, text)
		}
	}
	if direct < 300 {
		t.Errorf("only %d of the changed texts were read directly", direct)
	}
}

// mutated changes a text at one place: what a typing author leaves, and pieces of YAML.
func mutated(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := r.IntN(len(lines))
	line := lines[at]
	rest := strings.TrimLeft(line, " ")
	switch r.IntN(8) {
	case 0:
		line = ""
	case 1:
		line += line
	case 2:
		line = " " + line
	case 3:
		line = strings.TrimPrefix(line, " ")
	case 4:
		line = line[:len(line)-len(rest)] + "- " + rest
	case 5:
		line = line[:len(line)-len(rest)] + strings.TrimPrefix(rest, "- ")
	default:
		pieces := []string{":", ": ", "- ", "\n", "\n  ", " ", "[", "]", "{", "}", ", ", "&a ", "*a", "!t ", "<<: *a", "'", "\"", " #", "|", "x", "~", "a: b", "[a: b]", "{a}", "state: {x += 1}", "null"}
		i := r.IntN(len(line) + 1)
		line = line[:i] + pieces[r.IntN(len(pieces))] + line[i:]
	}
	lines[at] = line
	return strings.Join(lines, "")
}

// strange has what YAML allows and labs hardly use.
var strange = string(bytes.TrimSpace([]byte(`
a: &one
  b: [1, {c: d, e}, [], {}, [x: y]]
  ? 
list:
- &two x
- - nested
  - - deeper
    - {<<: *one}
-
- !t
  k: v
  state:
    path += 3
    other: *two
- "quoted": |
    text

    more
  'single':
    folded
    plain
state: &s
  <<: [*one]
  x:
y: !!str
z: "end"
`)))
