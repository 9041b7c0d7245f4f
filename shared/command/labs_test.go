package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func found(ts *targets) string {
	var names []string
	for _, l := range ts.labs {
		names = append(names, l.name())
	}
	return strings.Join(names, " ")
}

func newTargets() *targets {
	return &targets{host: &Host{}, folders: map[string]*folder{}, seen: map[string]bool{}}
}

func TestTargets(t *testing.T) {
	dir := write(t, map[string]string{
		"labs/b/labspace.yaml": "", "labs/a/labspace.yaml": "", "labs/none/readme": "", "labs/.hidden/labspace.yaml": "", "labs/file": "",
		"labs/deep/er/labspace.yaml": "", "empty/readme": "",
	})
	t.Chdir(dir)
	for _, c := range []struct {
		named string
		want  string
	}{
		{"labs", "labs/a labs/b"},
		{"labs/", "labs/a labs/b"},
		{"./labs/../labs", "labs/a labs/b"},
		{"labs/b labs", "labs/b labs/a"},
		{"labs/b labs/b/labspace.yaml labs/../labs/b/", "labs/b"},
		{"labs/b/labspace.yaml", "labs/b"},
		{"labs/none/labspace.yaml", "labs/none"}, // its check says that the file is missing
		{"labs/deep", "labs/deep/er"},
	} {
		ts := newTargets()
		for _, named := range strings.Fields(c.named) {
			if err := ts.find(named); err != nil {
				t.Errorf("%s: %v", named, err)
			}
		}
		if got := found(ts); got != c.want {
			t.Errorf("%s: got %s", c.named, got)
		}
	}
	for named, want := range map[string]string{
		"nowhere":            "there is no folder nowhere",
		"labs/file":          "labs/file is not a folder; a lab is the folder that holds labspace.yaml",
		"labs/file/under":    "there is no folder labs/file/under",
		"empty":              "empty holds no lab: a lab is a folder with a labspace.yaml in it; name one, or the folder they lie in",
		"gone/labspace.yaml": "there is no folder gone",
	} {
		if err := newTargets().find(named); err == nil || err.Error() != want {
			t.Errorf("%s: got %v", named, err)
		}
	}

	// From inside, and by a link: names lead from where one is.
	t.Chdir("labs/a")
	ts := newTargets()
	if err := ts.find("."); err != nil || found(ts) != "../a" {
		t.Errorf("got %s, %v", found(ts), err)
	}
	ts = newTargets()
	if err := ts.find(".."); err != nil || found(ts) != "../a ../b" || ts.whole[0].catalog != filepath.Join(dir, "labs.json") {
		t.Errorf("got %s, %v", found(ts), err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "empty", "link")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "empty", "link", "labs"))
	ts = newTargets()
	if err := ts.find("../labs/a"); err != nil || found(ts) != "a" {
		t.Errorf("got %s, %v", found(ts), err)
	}
	ts = newTargets()
	if err := ts.find(dir + "/labs"); err != nil || !strings.HasSuffix(found(ts), filepath.ToSlash(dir)+"/labs/b") {
		t.Errorf("got %s, %v", found(ts), err)
	}
}

// TestUnreadable: a folder that may not be looked into. The user who may read everything sees labs instead.
func TestUnreadable(t *testing.T) {
	dir := write(t, map[string]string{"labs/a/labspace.yaml": "simulator: s.yaml\n", "closed/a/labspace.yaml": ""})
	lab, closed := filepath.Join(dir, "labs", "a"), filepath.Join(dir, "closed")
	for _, d := range []string{lab, closed} {
		if err := os.Chmod(d, 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(d, 0o755)
	}
	_, err := os.ReadDir(closed)
	all := err == nil
	ts := newTargets()
	if err := ts.find(closed); !all && (err == nil || err.Error() != closed+" cannot be read: permission denied") {
		t.Errorf("got %v", err)
	}
	h, out, _ := host()
	exit := Validate().Do(h, []string{filepath.Join(dir, "labs")})
	if want := "cannot be read: permission denied [file-unreadable]"; exit != 1 || strings.Contains(out.String(), want) == all {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

// TestReplace: a file is written anew only as it was read, whole, and in its own place.
func TestReplace(t *testing.T) {
	dir := write(t, map[string]string{"labs/a/s.yaml": "old\r\n", "labs/.s.asz0": "", "secret": "old\r\n"})
	root, err := os.OpenRoot(filepath.Join(dir, "labs"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f := &folder{root: root}
	for name, to := range map[string]string{"labs/link": "a/s.yaml", "labs/out": "../secret", "labs/far": filepath.Join(dir, "secret"), "labs/loop": "loop", "labs/a/up": "../a/s.yaml"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if err := f.replace("a/s.yaml", "other", "new"); err == nil || err.Error() != "it was changed by someone else in the meantime" || read("labs/a/s.yaml") != "old\r\n" {
		t.Error(err)
	}
	for _, name := range []string{"out", "far", "loop", "none"} {
		if err := f.replace(name, "old\r\n", "new"); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if read("secret") != "old\r\n" {
		t.Error("a file outside was written")
	}
	for i, name := range []string{"link", "a/up", "a/s.yaml"} {
		before, after := read("labs/a/s.yaml"), strings.Repeat("new", i+1)
		if err := f.replace(name, before, after); err != nil || read("labs/a/s.yaml") != after {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "labs", "link")); err != nil || info.Mode().IsRegular() {
		t.Error("the link was replaced", err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "labs", "a"))
	if err != nil || len(entries) != 2 {
		t.Error("something was left behind", entries, err)
	}
}
