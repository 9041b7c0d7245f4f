package site

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/lab"
)

func assets() Assets {
	return Assets{
		Files: Files{
			"assets/a.css": nil, "assets/a.js": nil, "assets/c.js": nil, "assets/go.js": nil,
			"assets/h.js": nil, "assets/m.js": nil, "assets/p.wasm": nil,
		},
		Style:    "assets/a.css",
		Head:     "assets/h.js",
		Script:   "assets/a.js",
		Catalog:  "assets/c.js",
		Diagrams: "assets/m.js",
		Runtime:  "assets/go.js",
		Player:   "assets/p.wasm",
	}
}

func twoLabs() []Lab {
	return []Lab{
		{
			Lab: &lab.Lab{
				ID: "second", Title: "Second <lab>", Description: `A "quoted" <script>alert(1)</script> one.`,
				Terminals: []lab.Terminal{{ID: "main", Title: "Shell"}, {ID: "log s", Title: "Logs"}},
				Sections: []lab.Section{
					{ID: "start", Title: "Start", Content: "s.md", Steps: []lab.Step{{ID: "run", Title: "Run it"}}},
					{ID: "end", Title: "End"},
				},
				Catalog: lab.Catalog{Order: 2, Minutes: 1, Tags: []string{"one"}},
			},
			Sections: []Section{{HTML: `<p>Text with <img src="files/a.png" alt=""></p>`, Mermaid: true}, {}},
			Files:    Files{"a.png": nil},
		},
		{Lab: &lab.Lab{ID: "first", Title: "First", Terminals: []lab.Terminal{{ID: "t", Title: "T"}}, Catalog: lab.Catalog{Order: 1}}},
	}
}

func compose(t *testing.T, labs []Lab) Files {
	t.Helper()
	files, err := Compose(t.Context(), labs, assets())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEveryReferenceIsRelativeAndLeadsToAFile(t *testing.T) {
	files := compose(t, twoLabs())
	reference := regexp.MustCompile(`(?:href|src|data-bytes|data-player|data-diagrams)="([^"]*)"`)
	id := regexp.MustCompile(`id="([^"]*)"`)
	checked := 0
	for _, name := range []string{"index.html", "labs/first/index.html", "labs/second/index.html"} {
		var ids []string
		for _, found := range id.FindAllSubmatch(files[name], -1) {
			ids = append(ids, string(found[1]))
		}
		for _, found := range reference.FindAllSubmatch(files[name], -1) {
			to := string(found[1])
			if to == "data:," || to == "" {
				continue
			}
			checked++
			if fragment, ok := strings.CutPrefix(to, "#"); ok {
				if !strings.Contains(strings.Join(ids, "\n")+"\n", fragment+"\n") {
					t.Errorf("%s: %s leads to no element", name, to)
				}
				continue
			}
			to, _, _ = strings.Cut(to, "?")
			if _, ok := files[path.Join(path.Dir(name), to)]; !ok || path.IsAbs(to) {
				t.Errorf("%s: %s leads to no file of the site", name, to)
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d references were found", checked)
	}
}

func TestPagesHoldNoScriptOfTheirOwn(t *testing.T) {
	for name, data := range compose(t, twoLabs()) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		if !bytes.Contains(data, []byte(`http-equiv="Content-Security-Policy"`)) {
			t.Errorf("%s has no content security policy", name)
		}
		if found := regexp.MustCompile(`<script[^>]*>[^<]|\son[a-z]+=|javascript:`).Find(data); found != nil {
			t.Errorf("%s holds %q", name, found)
		}
	}
}

func TestCatalogIsInOrder(t *testing.T) {
	labs := twoLabs()
	index := string(compose(t, labs)["index.html"])
	if first, second := strings.Index(index, "labs/first/"), strings.Index(index, "labs/second/"); first < 0 || second < first {
		t.Errorf("the labs are not in the order of their catalog entries:\n%s", index)
	}
	if labs[0].ID != "second" {
		t.Error("Compose changed the order of its argument")
	}
	if !strings.Contains(index, "1 minute · 1 step ") {
		t.Errorf("minutes and steps are not counted:\n%s", index)
	}
}

func TestLabBytesAreNamedByTheirContent(t *testing.T) {
	labs := twoLabs()
	before := string(compose(t, labs)["labs/second/index.html"])
	labs[0].Title = "Renamed"
	after := string(compose(t, labs)["labs/second/index.html"])
	query := regexp.MustCompile(`lab\.bin\?([0-9a-f]+)`)
	if query.FindString(before) == "" || query.FindString(before) == query.FindString(after) {
		t.Error("a changed lab keeps the address of its bytes")
	}
}

func TestDiagramsAreOnlyWhereTheyAreNeeded(t *testing.T) {
	labs := twoLabs()
	with := compose(t, labs)
	if !bytes.Contains(with["labs/second/index.html"], []byte("assets/m.js")) || bytes.Contains(with["labs/first/index.html"], []byte("assets/m.js")) {
		t.Error("the pages with diagrams are not those that name the script")
	}
	without := compose(t, labs[1:])
	if _, ok := without["assets/m.js"]; ok {
		t.Error("a site without diagrams has the script that draws them")
	}
}

func TestLoadTakesFoldersWithALab(t *testing.T) {
	labs, findings, err := Load(fstest.MapFS{
		"README.md":             {Data: []byte("no lab")},
		"empty/notes.md":        {Data: []byte("no lab")},
		"one/labspace.yaml":     {Data: []byte("title: One\nsimulator: simulator.yaml\nsections:\n  - title: A\n    contentPath: a.md\n  - title: B\n")},
		"one/simulator.yaml":    {Data: []byte("version: \"2.0\"\nscenarios: []\n")},
		"one/a.md":              {Data: []byte("# A\n")},
		"broken/labspace.yaml":  {Data: []byte("title: [\n")},
		"broken/simulator.yaml": {Data: []byte("version: \"2.0\"\nscenarios: []\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(labs) != 1 || labs[0].ID != "one" || len(labs[0].Sections) != 2 || !strings.Contains(labs[0].Sections[0].HTML, "A") {
		t.Errorf("got %+v", labs)
	}
	if !findings.Stops() {
		t.Error("the broken lab has no finding that stops it")
	}
}

func TestWriteToRemovesWhatIsStale(t *testing.T) {
	dir := t.TempDir()
	write := func(files Files) {
		t.Helper()
		if err := files.WriteTo(dir); err != nil {
			t.Fatal(err)
		}
	}
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	if err := os.WriteFile(filepath.Join(dir, "placeholder.html"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	write(Files{"index.html": []byte("1"), "assets/a-1.js": []byte("a"), "labs/one/lab.bin": []byte("x"), "labs/two/lab.bin": []byte("y")})
	kept := filepath.Join(dir, "labs", "two", "lab.bin")
	if err := os.Chmod(kept, 0o444); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(kept)
	if err != nil {
		t.Fatal(err)
	}
	write(Files{"index.html": []byte("2"), "assets/a-2.js": []byte("b"), "labs/two/lab.bin": []byte("y")})
	for name, want := range map[string]bool{
		"placeholder.html": true, "assets/a-1.js": false, "assets/a-2.js": true, "labs/one": false, "labs/two/lab.bin": true,
	} {
		if exists(name) != want {
			t.Errorf("%s: exists = %v, want %v", name, !want, want)
		}
	}
	if after, err := os.Stat(kept); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Error("a file with the same content was written again")
	}
}

func TestFilesOfALabAreTakenWhenAPageShowsThem(t *testing.T) {
	const harmful = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	c := &collector{files: Files{}, lab: fstest.MapFS{
		"a b.png":        {Data: []byte("png")},
		"good.svg":       {Data: []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>`)},
		"script.svg":     {Data: []byte(harmful)},
		"prefix.svg":     {Data: []byte(`<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>1</s:script></s:svg>`)},
		"handler.svg":    {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" ONLOAD="alert(1)"/>`)},
		"link.svg":       {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><a href="java&#115;cript:alert(1)"/></svg>`)},
		"entity.svg":     {Data: []byte(`<!DOCTYPE svg [<!ENTITY x "y">]><svg/>`)},
		"broken.svg":     {Data: []byte(`<svg><script>`)},
		"secret.yaml":    {Data: []byte("no")},
		"app/index.html": {Data: []byte("<!DOCTYPE html><link rel=stylesheet href='s.css'><img src=\"../good.svg\"><script src='x.js'></script>")},
		"app/s.css":      {Data: []byte("body { background: url(b.gif) }")},
		"app/b.gif":      {Data: []byte("gif")},
		"app/x.js":       {Data: []byte("alert(1)")},
	}}
	for reference, want := range map[string]string{
		"a%20b.png": "files/a%20b.png", "./good.svg#part": "files/good.svg#part", "app/index.html?q=1": "files/app/index.html?q=1",
		"script.svg": "", "prefix.svg": "", "handler.svg": "", "link.svg": "", "entity.svg": "", "broken.svg": "", "secret.yaml": "",
		"../up.png": "", "/good.svg": "", "https://a.example/b.png": "", "//a.example/b.png": "", "none.png": "", "": "", "#x": "", "javascript:1": "",
	} {
		if got := c.take(reference); got != want {
			t.Errorf("%q became %q, want %q", reference, got, want)
		}
	}
	for _, name := range []string{"a b.png", "good.svg", "app/index.html", "app/s.css", "app/b.gif"} {
		if _, ok := c.files[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	if len(c.files) != 5 {
		t.Errorf("more was taken than what is shown: %d files", len(c.files))
	}
	if page := string(c.files["app/index.html"]); !strings.HasPrefix(page, "<!DOCTYPE html>"+noScripts) {
		t.Errorf("the lab's page may run scripts: %s", page)
	}
}

func TestWriteToTouchesNoFolderOfAnotherKind(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "labs", "mine", "labspace.yaml")
	if err := os.MkdirAll(filepath.Dir(mine), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("title: Mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	files := Files{"index.html": []byte("page")}
	if err := files.WriteTo(dir); err == nil || !strings.Contains(err.Error(), "no build has written") {
		t.Errorf("a folder with other files is taken: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err == nil {
		t.Error("the refused folder was changed")
	}
	// A list that names files outside removes none of them.
	outside := filepath.Join(dir, "outside")
	site := filepath.Join(dir, "site")
	if err := files.WriteTo(site); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(outside, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(site, Manifest), []byte("../outside\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := files.WriteTo(site); err == nil {
		t.Error("a list that names a file outside is believed")
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("a file outside of the site was removed")
	}
}

// A service may name a file of its lab by its address in the site, as published labs do.
func TestAServiceNamedFromTheSitesRoot(t *testing.T) {
	labs, findings, err := Load(fstest.MapFS{
		"one/labspace.yaml": {Data: []byte("simulator: s.yaml\nservices: [{ title: A, url: labs/one/page.html }, { title: B, url: labs/two/page.html }]\n")},
		"one/s.yaml":        {Data: []byte("version: \"2.0\"\nscenarios: []\n")},
		"one/page.html":     {Data: []byte("<p>here</p>")},
	})
	if err != nil || len(findings) > 0 || len(labs) != 1 {
		t.Fatal(labs, findings, err)
	}
	if _, taken := labs[0].Files["page.html"]; !taken || labs[0].Services[0].URL != "page.html" || labs[0].Services[1].URL != "labs/two/page.html" {
		t.Errorf("files %v, services %v", labs[0].Files, labs[0].Services)
	}
}

// Two sections may have the same headings, and link to each other.
func TestAnchorsOfSections(t *testing.T) {
	labs, _, err := Load(fstest.MapFS{
		"one/labspace.yaml": {Data: []byte("simulator: s.yaml\nsections: [{ title: First, contentPath: a.md }, { title: Second, contentPath: b.md }]\n")},
		"one/s.yaml":        {Data: []byte("version: \"2.0\"\nscenarios: []\n")},
		"one/a.md":          {Data: []byte("## Same\n")},
		"one/b.md":          {Data: []byte("## Same\n\n[up](#same) [back](#first)\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	first, second := labs[0].Sections[0].HTML, labs[0].Sections[1].HTML
	if !strings.Contains(first, `id="s-first-same"`) || !strings.Contains(second, `id="s-second-same"`) ||
		!strings.Contains(second, `href="#s-second-same"`) || !strings.Contains(second, `href="#first"`) {
		t.Errorf("%s\n%s", first, second)
	}
}
