package maker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asz/web/site"
)

func writeLab(t *testing.T, dir, title string) {
	t.Helper()
	for name, text := range map[string]string{
		"labspace.yaml":  "title: " + title + "\nsimulator: simulator.yaml\n",
		"simulator.yaml": "version: \"2.0\"\nscenarios: []\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, "one"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "one", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestALabEditBuildsNothingElse(t *testing.T) {
	// There are no sources at this root, so building scripts or modules would fail.
	m := &Maker{
		Root: t.TempDir(), LabsDir: t.TempDir(),
		scripts: bundle{files: site.Files{"assets/lab.js": nil}, entries: map[string]string{"lab.js": "assets/lab.js"}},
		modules: modules{files: site.Files{"assets/player.wasm": nil}, paths: map[string]string{"player.wasm": "assets/player.wasm"}},
	}
	writeLab(t, m.LabsDir, "Before")
	for _, title := range []string{"Before", "After"} {
		writeLab(t, m.LabsDir, title)
		files, findings, err := m.Make(t.Context(), Labs)
		if err != nil || len(findings) > 0 {
			t.Fatal(err, findings)
		}
		if !strings.Contains(string(files["labs/one/index.html"]), "<h1>"+title+"</h1>") {
			t.Errorf("the lab's page lacks its title %s", title)
		}
		if _, ok := files["assets/player.wasm"]; !ok {
			t.Error("the site lost a part that was not built again")
		}
	}
	writeLab(t, m.LabsDir, "[broken")
	if files, findings, err := m.Make(t.Context(), Labs); files != nil || err != nil || !findings.Stops() {
		t.Errorf("a broken lab gives files %v, error %v, findings %v", files != nil, err, findings)
	}
	if _, _, err := m.Make(t.Context(), Scripts); err == nil {
		t.Error("scripts without sources were built")
	}
}

func TestRootIsFoundFromBelow(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root, err := Root(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "..", "..", ".."); root != want {
		t.Errorf("got %s, want %s", root, want)
	}
	if _, err := Root(t.TempDir()); err == nil {
		t.Error("a folder outside of the project has a root")
	}
}
