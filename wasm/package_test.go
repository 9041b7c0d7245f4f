package wasm_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"asz/tools/build/maker"
)

// TestPackage packs what npm would publish, installs it in an empty folder without a network and runs it there without Go.
func TestPackage(t *testing.T) {
	root, err := filepath.Abs("..")
	if err == nil {
		err = maker.NoteSources(root)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"package.json", "tools/build/main.go"} { // the result depends on them too
		if _, err := os.ReadFile(filepath.Join(root, file)); err != nil {
			t.Fatal(err)
		}
	}
	home, packed := t.TempDir(), t.TempDir()
	npm := func(dir string, args ...string) {
		t.Helper()
		c := exec.Command("npm", append(args, "--offline", "--silent", "--no-audit", "--no-fund", "--no-update-notifier")...)
		c.Dir = dir
		c.Env = append(os.Environ(), "npm_config_cache="+filepath.Join(packed, "cache"))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("npm %s: %v\n%s", args[0], err, out)
		}
	}
	npm(root, "pack", "--pack-destination", packed)
	tarballs, _ := filepath.Glob(filepath.Join(packed, "asz-*.tgz"))
	if len(tarballs) != 1 {
		t.Fatalf("packed %q", tarballs)
	}
	npm(home, "install", "--prefix", home, tarballs[0])
	for _, unwanted := range []string{"mermaid", "@xterm", "typescript"} {
		if _, err := os.Stat(filepath.Join(home, "node_modules", unwanted)); err == nil {
			t.Errorf("%s is installed, which only the page needs", unwanted)
		}
	}

	lab := filepath.Join(root, "labs", "signing")
	golden, err := txtar.ParseFile(filepath.Join(lab, "play.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	settings := []string{"CI=1"} // nothing is made for later runs
	run := func(name string, args ...string) (out []byte, exit int) {
		c := exec.Command(filepath.Join(home, "node_modules", ".bin", name), args...)
		c.Dir = home
		c.Env = append([]string{"PATH=" + onlyNode(t)}, settings...)
		c.Stdin = bytes.NewReader(golden.Files[0].Data)
		out, _ = c.CombinedOutput()
		return out, c.ProcessState.ExitCode()
	}
	if out, exit := run("asz", "play", lab, "--script", "-"); exit != 0 || !bytes.Equal(out, golden.Files[1].Data) {
		t.Errorf("play ends with %d:\n%s", exit, out)
	}
	short, exit := run("validate-lab", "--help")
	long, same := run("asz", "validate-lab", "--help")
	if exit != same || !bytes.Equal(short, long) || len(short) == 0 {
		t.Errorf("validate-lab ends with %d and says\n%sbut asz validate-lab with %d\n%s", exit, short, same, long)
	}
	for _, c := range []struct {
		line string
		exit int
		says string
	}{
		{"", 2, "there is no folder labs here"},
		{lab + " --explore off", 0, "1 lab: "},
		{lab + " --explore off --format json", 0, `{"version":1,"labs":[{"id":"signing",`},
		{"--explain dead-end", 0, "dead-end (warning)"},
	} {
		if out, exit := run("validate-lab", strings.Fields(c.line)...); exit != c.exit || !strings.Contains(string(out), c.says) {
			t.Errorf("validate-lab %s ends with %d and says\n%s", c.line, exit, out)
		}
	}

	// A page takes the bridge from the package, with all that it imports.
	if out, err := exec.Command("node", filepath.Join(home, "node_modules", "asz", "wasm", "author", "bridge.mjs")).CombinedOutput(); err != nil {
		t.Errorf("the bridge: %v\n%s", err, out)
	}
	author := filepath.Join(home, "node_modules", "asz", "wasm", "author")
	keepsCode(t, author, func(cache string) string {
		settings = []string{"XDG_CACHE_HOME=" + cache}
		out, exit := run("validate-lab", lab, "--explore", "off")
		return fmt.Sprintf("%d\n%s", exit, out)
	})

	entries, err := os.ReadDir(author)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".go") {
			t.Errorf("%s is packed", entry.Name())
		}
	}
}

// keepsCode: after its first run the package makes machine code, which later runs find; here in a folder of the user's own,
// since there is no room for it beside the module.
func keepsCode(t *testing.T, author string, run func(cache string) string) {
	version, err := exec.Command("node", "-p", "process.versions.v8").Output()
	if err != nil {
		t.Fatal(err)
	}
	lock := "making-" + strings.TrimSpace(string(version))
	taken := filepath.Join(author, "dist", lock)
	if err = os.Mkdir(taken, 0o755); err == nil { // a folder, which is not removed as a file from long ago is
		err = os.Chtimes(taken, time.Time{}, time.Unix(1e9, 0))
	}
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	first := run(cache)
	own := filepath.Join(cache, "asz")
	if _, err := os.Stat(own); err != nil {
		if known, _ := exec.Command("node", "-p", "parseInt(process.versions.v8) <= 13").Output(); string(known) == "true\n" {
			t.Errorf("no code is made: %v", err)
		}
		return
	}
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(own, lock)); errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	code, err := filepath.Glob(filepath.Join(own, "*"))
	if err != nil || len(code) != 1 || !strings.HasSuffix(code[0], ".code") {
		t.Fatalf("what is kept is %q, %v", code, err)
	}
	if second := run(cache); second != first {
		t.Errorf("with code the package says\n%s\nand without\n%s", second, first)
	}
}

// onlyNode is a folder with the programs that the package may need.
func onlyNode(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"node", "env"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(dir, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
