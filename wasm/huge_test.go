package wasm_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes files below a new folder and gives its path.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// huge is a lab with more states than anybody waits for, and with one finding that needs no search.
func huge() map[string]string {
	var state, all, scenarios strings.Builder
	for i := range 40 {
		fmt.Fprintf(&state, "s%d: false, ", i)
		fmt.Fprintf(&all, "s%d: true, ", i)
		for _, value := range []string{"true", "false"} {
			fmt.Fprintf(&scenarios, "  - { id: %s-%d, when: { command: set s%d %s }, then: { state: { s%d: %s } } }\n", value, i, i, value, i, value)
		}
	}
	return map[string]string{
		"huge/labspace.yaml":  "title: Huge\nsimulator: simulator.yaml\nsections: [{ title: A, contentPath: a.md }]\n",
		"huge/a.md":           "# A\n\n```bash\nnonsense\n```\n",
		"huge/simulator.yaml": "version: \"2.0\"\nstate: { " + state.String() + "}\nscenarios:\n" + scenarios.String() + "  - { id: all, when: { command: all, state: { " + all.String() + "} }, then: {} }\n",
	}
}
