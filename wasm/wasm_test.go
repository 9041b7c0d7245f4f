// Package wasm_test plays the project's labs with the compiled modules under
// Node and compares every outcome with the native engine's.
package wasm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"asz/native/cli"
	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/sim"
	"asz/tools/build/maker"
)

// built are the modules that are built already, for all tests: linking one takes seconds.
var built struct {
	sync.Mutex
	dirs map[string]string
}

// TestMain is asz itself where a test runs it so (see twins), else it runs the tests and removes what they built.
func TestMain(m *testing.M) {
	if os.Getenv("ASZ_NATIVE") != "" {
		os.Exit(cli.Main(os.Args[1:], cli.System()))
	}
	status := m.Run()
	for _, dir := range built.dirs {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// build compiles a module and returns the folder with it and its loader, which nobody changes.
func build(t *testing.T, name string) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if dir := built.dirs[name]; dir != "" {
		return dir
	}
	root, err := filepath.Abs("..")
	if err == nil {
		err = maker.NoteSources(root)
	}
	var dir string
	if err == nil {
		dir, err = os.MkdirTemp("", "asz-test-")
	}
	if err == nil {
		err = maker.BuildModule(context.Background(), root, name, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	if built.dirs == nil {
		built.dirs = map[string]string{}
	}
	built.dirs[name] = dir
	return dir
}

// plays returns the golden play-throughs by the folder of their lab.
func plays(t *testing.T) map[string]*txtar.Archive {
	files, err := filepath.Glob("../labs/*/play.txtar")
	if err != nil || len(files) < 2 {
		t.Fatalf("found %d labs, %v", len(files), err)
	}
	out := map[string]*txtar.Archive{}
	for _, file := range files {
		if out[filepath.Dir(file)], err = txtar.ParseFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestAuthorUnderNode runs `npm run play`'s program: the same bytes as natively.
func TestAuthorUnderNode(t *testing.T) {
	dir := build(t, "author")
	schema, err := exec.Command("node", "author/node.cjs", dir, "schema", "lab").Output()
	if err != nil || !bytes.Equal(schema, labfile.LabSchema()) {
		t.Errorf("schema: %v\n%s", err, schema)
	}
	for folder, golden := range plays(t) {
		c := exec.Command("node", "author/node.cjs", dir, "play", folder, "--script", "-")
		c.Stdin = bytes.NewReader(golden.Files[0].Data)
		out, err := c.CombinedOutput()
		if err != nil || !bytes.Equal(out, golden.Files[1].Data) {
			t.Errorf("%s: %v\n%s", folder, err, out)
		}
	}
	c := exec.Command("node", "author/node.cjs", dir, "play", "nowhere")
	out, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "there is no folder nowhere") {
		t.Errorf("a folder that is missing: %v\n%s", err, out)
	}
}

// TestPlayerUnderNode types each lab's script through the page's bridge.
func TestPlayerUnderNode(t *testing.T) {
	dir := build(t, "player")
	for folder, golden := range plays(t) {
		loaded := labfile.Load(os.DirFS(filepath.Dir(folder)), filepath.Base(folder))
		if loaded.Lab == nil {
			t.Fatalf("%s does not load", folder)
		}
		engine, err := sim.New(loaded.Lab)
		if err != nil {
			t.Fatal(err)
		}
		p := sim.NewPlayer(engine)
		want := []string{string(p.AppendBoot(nil))}
		var acts [][3]string
		terminal := loaded.Lab.Terminals[0].ID
		for line := range strings.Lines(string(golden.Files[0].Data)) {
			a := [3]string{"line", terminal, strings.TrimSuffix(line, "\n")}
			if rest, ok := strings.CutPrefix(a[2], "@"); ok {
				a[0], a[2], _ = strings.Cut(rest, " ")
			}
			switch a[0] {
			case "expect":
				continue
			case "terminal":
				terminal = a[2]
				continue
			case "save":
				path, quoted, _ := strings.Cut(a[2], " ")
				var text string
				if err := json.Unmarshal([]byte(quoted), &text); err != nil {
					t.Fatal(err)
				}
				a[2] = path + "\n" + text
			}
			acts = append(acts, a)
			id, o := p.Act(a[0], a[1], a[2])
			want = append(want, string(p.AppendOutcome(nil, id, o)))
		}
		input, err := json.Marshal(map[string]any{"lab": lab.Encode(loaded.Lab), "acts": acts})
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command("node", "testdata/player.mjs", dir)
		c.Stdin, c.Stderr = bytes.NewReader(input), os.Stderr
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			if i >= len(want) || line != want[i] {
				t.Fatalf("%s: outcome %d under Node is\n%s\nand natively\n%s", folder, i, line, want[min(i, len(want)-1)])
			}
		}
		if got := bytes.Count(out, []byte("\n")); got != len(want) {
			t.Errorf("%s: %d outcomes under Node, %d natively", folder, got, len(want))
		}
	}
}
