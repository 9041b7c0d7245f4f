package wasm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRefresh: where the sources are, the module is built before its first use and after a change, and not otherwise;
// what is in the way is said.
func TestRefresh(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	root := write(t, map[string]string{
		"go.mod": "module x\n", "shared/a.go": "package a\n", "shared/a_test.go": "package a\n",
		"bin/go": "#!/bin/sh\necho \"$@\" >> \"$PWD/calls\"\nexit ${FAILS:-0}\n",
	})
	old := time.Now().Add(-time.Hour)
	age := func() {
		for _, name := range []string{"go.mod", "shared/a.go", "shared/a_test.go", "shared"} {
			if err := os.Chtimes(filepath.Join(root, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(filepath.Join(root, "bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	bridge, err := filepath.Abs("author/build.cjs")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	refresh := func(what string, builds int, says string, env ...string) {
		t.Helper()
		c := exec.Command(node, "--input-type=module", "-e", `
			import { refresh } from "`+filepath.ToSlash(bridge)+`";
			process.stdout.write(refresh(process.argv[1] + "/", process.argv[1] + "/dist"));`, root)
		c.Env = append([]string{"PATH=" + filepath.Join(root, "bin") + ":/bin:/usr/bin"}, env...)
		out, err := c.Output()
		if err != nil || string(out) != says {
			t.Errorf("%s: %v, %q", what, err, out)
		}
		data, _ := os.ReadFile(filepath.Join(root, "calls"))
		if n := strings.Count(string(data), "run ./tools/build -author "); n-calls != builds {
			t.Errorf("%s: built %d times", what, n-calls)
		} else {
			calls = n
		}
	}
	change := func(name string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte("package b\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(root, name), later, later); err != nil {
			t.Fatal(err)
		}
	}
	age()
	refresh("a build that fails", 1, "the module could not be built", "FAILS=1")
	refresh("the first use", 1, "")
	refresh("the next one", 0, "")
	change("shared/a_test.go")
	refresh("a test has changed", 0, "")
	change("shared/a.go")
	refresh("a source has changed", 1, "")
	if err := os.Remove(filepath.Join(root, "bin/go")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, "--input-type=module", "-e", `import { refresh } from "`+filepath.ToSlash(bridge)+`"; process.stdout.write(refresh(process.argv[1] + "/", process.argv[1] + "/none"));`, root)
	c.Env = []string{"PATH=" + filepath.Join(root, "bin")}
	if out, _ := c.Output(); !strings.Contains(string(out), "Go, which builds it, is not installed") {
		t.Errorf("without Go: %q", out)
	}
}
