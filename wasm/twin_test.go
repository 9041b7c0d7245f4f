package wasm_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// twin is asz, natively or under Node.
type twin struct {
	name    string
	command func(args ...string) *exec.Cmd
}

func twins(t *testing.T) [2]twin {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	node, err := filepath.Abs("author/node.cjs")
	if err != nil {
		t.Fatal(err)
	}
	dist := build(t, "author")
	return [2]twin{
		{"natively", func(args ...string) *exec.Cmd {
			c := exec.Command(self, args...)
			c.Env = append(os.Environ(), "ASZ_NATIVE=1")
			return c
		}},
		{"under Node", func(args ...string) *exec.Cmd {
			return exec.Command("node", append([]string{node, dist}, args...)...)
		}},
	}
}

// TestTwinsPrintTheSame: every format, of our labs and of labs with mistakes, byte for byte.
func TestTwinsPrintTheSame(t *testing.T) {
	both := twins(t)
	home := write(t, map[string]string{
		"broken/form/labspace.yaml":   "title: Form\nsimulator: simulator.yaml\ntilte: again\n",
		"broken/form/simulator.yaml":  "version: \"2.0\"\nscenarios:\n  - { id: hi, wen: { command: hi }, when: { command: hi }, then: {} }\n",
		"broken/mind/labspace.yaml":   "title: Mind\nsimulator: simulator.yaml\nsections: [{ title: Ä <A>, contentPath: a.md, steps: [{ id: end, title: End }, { id: never, title: Never }] }]\n",
		"broken/mind/a.md":            "# Ä <A>\n\n```bash\nöffnen \u202eX\nburn\ngo\n```\n\n$$nothing$$\n",
		"broken/mind/simulator.yaml":  "version: \"2.0\"\nstate: { bridge: true }\nscenarios:\n  - { id: burn, when: { command: burn }, then: { state: { bridge: false } } }\n  - { id: go, when: { command: go, state: { bridge: true } }, completes: end, then: { exit: 3 } }\n  - { id: lost, when: { command: lost, state: { bridge: maybe } }, completes: never, then: {} }\n",
		"broken/slides/labspace.yaml": "kind: slides\n",
		"broken/empty/labspace.yaml":  "",
		"links/lab/labspace.yaml":     "title: Links\nsimulator: s.yaml\nsections: [{ title: A, contentPath: a.md }, { title: B, contentPath: out.md }, { title: C, contentPath: away/c.md }, { title: D, contentPath: folder }, { title: E, contentPath: in.md }, { title: F, contentPath: a.md/f.md }, { title: G, contentPath: \"x\\\\y:z.md\" }, { title: H, contentPath: none.md }]\n",
		"links/lab/s.yaml":            "version: \"2.0\"\nscenarios: []\n",
		"links/lab/a.md":              "$$a$$",
		"links/lab/x\\y:z.md":         "$$g$$",
		"links/lab/folder/d.md":       "",
		"outside/c.md":                "$$c$$",
	})
	for name, to := range map[string]string{"out.md": "../../outside/c.md", "away": "../../outside", "in.md": "a.md"} {
		if err := os.Symlink(to, filepath.Join(home, "links", "lab", name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.CopyFS(filepath.Join(home, "labs"), os.DirFS("../labs")); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"labs --explore off",
		"labs --solution --coverage --format json",
		"labs --explore off --format sarif",
		"labs --explore off --format github",
		"labs/signing/labspace.yaml broken --explore off --format json",
		"broken", "broken --strict", "broken --solution", "broken --coverage", "broken --format json", "broken --format json --solution --coverage",
		"broken --format sarif", "broken --format github", "broken/mind --explore full --format json", "links/lab", "nowhere", "--explain dead-end", "--explain dead",
	} {
		var want []string
		for i, program := range both {
			catalog := filepath.Join(home, "labs.json")
			os.Remove(catalog)
			var out, problems bytes.Buffer
			c := program.command(append([]string{"validate-lab"}, strings.Fields(line)...)...)
			c.Dir, c.Stdout, c.Stderr = home, &out, &problems
			c.Run()
			written, _ := os.ReadFile(catalog)
			got := []string{c.ProcessState.String(), out.String(), problems.String(), string(written)}
			if i == 0 {
				want = got
				continue
			}
			for k, what := range []string{"end", "standard output", "standard error", "labs.json"} {
				if got[k] != want[k] {
					t.Errorf("%s: its %s %s is\n%s\nand %s\n%s", line, what, both[0].name, want[k], program.name, got[k])
				}
			}
		}
		if broken := strings.HasPrefix(line, "broken"); broken && want[0] != "exit status 1" || strings.HasPrefix(line, "labs ") && (want[0] != "exit status 0" || want[3] == "") {
			t.Errorf("%s: %q", line, want)
		}
	}
}
