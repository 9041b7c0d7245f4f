package wasm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"asz/tools/build/maker"
)

// TestKeptCode: the module says the same with the machine code that is kept beside it, without, and when that is broken.
func TestKeptCode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() // of its own, since it changes
	if err := os.CopyFS(dir, os.DirFS(build(t, "author"))); err != nil {
		t.Fatal(err)
	}
	said := func() string {
		t.Helper()
		out, err := exec.Command("node", "author/node.cjs", dir, "validate-lab", "../labs", "--format", "json").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	want := said()
	root, err := filepath.Abs("..")
	if err == nil {
		err = maker.Practice(root, dir)
	}
	if err == nil {
		err = maker.KeepCode(t.Context(), root, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	if said() != want {
		t.Error("with kept code the module says something else")
	}
	files, err := filepath.Glob(dir + "/*.code")
	if known, _ := exec.Command("node", "-p", "parseInt(process.versions.v8) <= 13").Output(); string(known) != "true\n" && len(files) == 0 {
		return // a version of V8 of which it is not known how it keeps code
	}
	if err != nil || len(files) != 1 {
		t.Fatalf("the code is in %v, %v", files, err)
	}
	if err := os.Truncate(files[0], 100_000); err != nil {
		t.Fatal(err)
	}
	if said() != want {
		t.Error("with code that was cut short the module says something else")
	}
}
