package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"asz/native/guirun"
)

// TestGUI plays scenarios on real programs, as users do. Every report that a script leaves conforms to its schema, and
// nothing of a private desktop stays.
func TestGUI(t *testing.T) {
	work := t.TempDir()
	// Paths of sockets are short: what lies below this folder must not be too deep.
	temporary, err := os.MkdirTemp("", "gui")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(temporary); err != nil {
			t.Error(err)
		}
	})
	t.Run("scripts", func(t *testing.T) { playScripts(t, work, temporary) })
	conform(t, reportsBelow(t, work))
	left, err := os.ReadDir(temporary)
	if err != nil {
		t.Error(err)
	}
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "asz-") { // what programs forget is not ours
			t.Errorf("%s stayed in TMPDIR", e.Name())
		}
	}
}

func playScripts(t *testing.T, work, temporary string) {
	testscript.RunT(&atOnce{T: t, slots: make(chan struct{}, 2)}, testscript.Params{
		Dir: "testdata/gui", WorkdirRoot: work,
		Setup: func(e *testscript.Env) error {
			for _, name := range []string{"HOME", "XDG_RUNTIME_DIR"} {
				dir := filepath.Join(e.WorkDir, ".own", strings.ToLower(name))
				if err := os.MkdirAll(dir, 0o700); err != nil {
					return err
				}
				e.Setenv(name, dir)
			}
			e.Setenv("TMPDIR", temporary)
			e.Setenv("LANG", "C.UTF-8")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"secretfree": secretFree},
	})
}

// atOnce lets only so many scripts run at the same time: they start browsers' worth of programs each.
type atOnce struct {
	*testing.T
	slots chan struct{}
}

func (a *atOnce) Run(name string, f func(testscript.T)) {
	a.T.Run(name, func(t *testing.T) { f(&atOnce{t, a.slots}) })
}

func (a *atOnce) Parallel() {
	a.T.Parallel()
	a.slots <- struct{}{}
	a.T.Cleanup(func() { <-a.slots })
}

func (a *atOnce) Verbose() bool { return testing.Verbose() }

func reportsBelow(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == guirun.ReportFile {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// conform holds reports to the published schema.
func conform(t *testing.T, reports []string) {
	t.Helper()
	type file struct {
		Kind string `json:"kind"`
		Text string `json:"text"`
	}
	var files []file
	for _, path := range reports {
		text, err := os.ReadFile(path)
		var compact bytes.Buffer
		if err == nil {
			err = json.Compact(&compact, text)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		files = append(files, file{"report", compact.String()})
	}
	in, err := json.Marshal(map[string]any{"schemas": map[string]json.RawMessage{"report": guirun.ReportSchema()}, "files": files})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", "schema.mjs")
	c.Dir = "../tools/docs"
	c.Stdin, c.Stderr = bytes.NewReader(in), new(bytes.Buffer)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Stderr)
	}
	var verdicts []string
	if err := json.Unmarshal(out, &verdicts); err != nil || len(verdicts) != len(files) {
		t.Fatalf("%v: %s", err, out)
	}
	for i, verdict := range verdicts {
		if verdict != "" {
			t.Errorf("%s:\n%s", reports[i], verdict)
		}
	}
}

// secretFree fails when one of the folders or files named first holds the last argument, in any encoding.
func secretFree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: secretfree PATH… SECRET")
	}
	secret := args[len(args)-1]
	forms := encodings(secret)
	found, files := 0, 0
	for _, top := range args[:len(args)-1] {
		err := filepath.WalkDir(ts.MkAbs(top), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			text := []byte(path)
			if e.Type().IsRegular() {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				files++
				text = append(append(text, '\n'), data...)
			}
			for _, form := range forms {
				if i := bytes.Index(text, []byte(form)); i >= 0 {
					found++
					ts.Logf("%s: %q at %d: …%q…", path, form, i, text[max(0, i-60):min(len(text), i+len(form)+20)])
				}
			}
			return nil
		})
		ts.Check(err)
	}
	if found > 0 || files == 0 {
		ts.Fatalf("%d finds in %d files", found, files)
	}
}

func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
