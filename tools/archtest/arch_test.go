package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/go/packages"
)

const root = "../.."

func report(t *testing.T, violations []string) {
	t.Helper()
	for _, violation := range violations {
		t.Error(violation)
	}
}

func list(t *testing.T, system string) Graph {
	t.Helper()
	graph, err := List(root, system)
	if err != nil {
		t.Fatal(err)
	}
	return graph
}

func source(t *testing.T, dir, system string, patterns ...string) []*packages.Package {
	t.Helper()
	loaded, err := Source(dir, system, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func TestImports(t *testing.T) {
	browser := list(t, "js/wasm")
	all := Join(list(t, ""), browser)
	report(t, Arrows(all))
	report(t, Heavy(all))
	report(t, Imports(browser, "shared", sharedImports))
	report(t, Closure(browser, "shared", sharedClosure))
	report(t, Closure(browser, "wasm/player", playerClosure))
}

func TestSource(t *testing.T) {
	for _, p := range source(t, root, "js/wasm", "./shared/...", "./wasm/...") {
		if matches(Module+"/shared/...", p.PkgPath) {
			report(t, NoClock(p))
		}
		if !matches(Module+"/wasm/...", p.PkgPath) { // exported wasm functions have no receiver, so their state has no other place
			report(t, NoState(p))
		}
	}
	for _, p := range source(t, root, "", "./native/guirun/...", "./native/x11/...") {
		report(t, NoSleep(p))
	}
}

func TestTree(t *testing.T) {
	tree := os.DirFS(root)
	top, err := TopLevel(tree)
	if err != nil {
		t.Fatal(err)
	}
	report(t, top)
	tooLong, long, err := Sizes(tree)
	if err != nil {
		t.Fatal(err)
	}
	report(t, tooLong)
	for _, file := range long {
		t.Log("long:", file)
	}
	names, err := Names(tree)
	if err != nil {
		t.Fatal(err)
	}
	report(t, names)
	inits, err := NoInit(tree)
	if err != nil {
		t.Fatal(err)
	}
	report(t, inits)
}

// The tests below show each rule failing.

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d violations, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("violation %d is %q, want one with %q", i, got[i], want[i])
		}
	}
}

func TestImportRulesFail(t *testing.T) {
	expect(t, Arrows(Graph{
		"asz/shared/sim":   {"asz/shared/lab", "asz/shared/yamldoc", "strings"},
		"asz/shared/junk":  nil,
		"asz/web/page":     {"asz/shared/diag"},
		"asz/wasm/player":  {"asz/shared/sim", "asz/shared/diag"},
		"asz/native/cdp":   {"asz/native/guirun"},
		"asz/native/store": {"asz/native/fold"},
		"asz/tools/build":  {"asz/tools/build/maker", "asz/shared/lab"},
	}),
		"native/store imports native/fold",
		"shared/junk has no place",
		"shared/sim imports shared/yamldoc",
		"wasm/player imports shared/diag",
		"web/page imports shared/diag",
	)
	expect(t, Heavy(Graph{
		"asz/shared/labfile": {"github.com/goccy/go-yaml/ast"},
		"asz/shared/yamldoc": {"github.com/goccy/go-yaml/ast"},
		"asz/native/cli":     {"github.com/chromedp/chromedp"},
	}), "native/cli imports github.com/chromedp", "shared/labfile imports github.com/goccy")
	for _, ban := range sharedImports {
		expect(t, Imports(Graph{"asz/shared/sim": {ban.Path, "strings"}, "asz/native/cli": {ban.Path}}, "shared", sharedImports), ban.Reason)
	}
	for _, ban := range sharedClosure {
		graph := Graph{"asz/shared/sim": {"example.org/x"}, "example.org/x": {ban.Path, "strings"}, "asz/native/cli": {ban.Path}}
		expect(t, Closure(graph, "shared", sharedClosure), "asz/shared/sim → example.org/x → "+ban.Path)
	}
	for _, ban := range playerClosure {
		graph := Graph{"asz/wasm/player": {"asz/shared/sim"}, "asz/shared/sim": {"sort", ban.Path}, "asz/wasm/author": {ban.Path}}
		expect(t, Closure(graph, "wasm/player", playerClosure), "asz/wasm/player → asz/shared/sim → "+ban.Path)
	}
	if !(Ban{Path: "net/http", Tree: true}).hits("net/http/cookiejar") || (Ban{Path: "net"}).hits("net/url") {
		t.Error("a ban hits what lies below it when it says so, and only then")
	}
}

func TestListSeesThisPackage(t *testing.T) {
	graph := list(t, "")
	if len(graph["asz/tools/archtest"]) == 0 || len(graph["fmt"]) == 0 {
		t.Error("go list's answer lacks packages that are surely there")
	}
}

func TestSourceRulesFail(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.org/bad\n\ngo 1.26\n",
		"bad.go": `package bad

import (
	"slices"
	"sync"
	. "time"
	clock "time"
)

type thing struct{ n int }

func (t *thing) grow() { t.n++ }

var (
	table   = map[string]int{"fine": 1} // only read
	list    = []int{1}                  // only read
	cache   = map[string]int{}
	removed = map[string]int{}
	counter int
	sorted  = []int{2, 1}
	escaped int
	grown   thing
	lock    sync.Mutex
	pointer = &thing{}
	queue   = make(chan int)
)

func use() (int, *int) {
	cache["a"] = list[0]
	delete(removed, "a")
	counter++
	slices.Sort(sorted)
	grown.grow()
	local := 1
	local++
	_, _ = Now(), clock.Since
	Sleep(0)
	_ = clock.Time{}.After(clock.Time{})
	return table["fine"] + local, &escaped
}
`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bad := source(t, dir, "", ".")[0]
	expect(t, NoClock(bad), "time.Now", "time.Since", "time.Sleep")
	expect(t, NoSleep(bad), "time.Sleep")
	state := strings.Join(NoState(bad), "\n")
	for _, name := range []string{"cache", "removed", "counter", "sorted", "escaped", "grown", "lock", "pointer", "queue"} {
		if !strings.Contains(state, "variable "+name+" ") {
			t.Errorf("%s is not found to be state", name)
		}
	}
	for _, name := range []string{"table", "list"} {
		if strings.Contains(state, "variable "+name+" ") {
			t.Errorf("%s is only read, so it is no state", name)
		}
	}
}

func TestTreeRulesFail(t *testing.T) {
	file := func(lines int) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Repeat("\n", lines))}
	}
	tree := fstest.MapFS{
		"docs/x.md":               file(1),
		"Makefile":                file(1),
		".gitignore":              file(1),
		"labs.json":               file(1),
		"asz":                     file(1),
		"asz-0.1.0.tgz":           file(1),
		"native/main.go":          file(mainFileMost + 1),
		"shared/sim/long.go":      file(longFile + 1),
		"shared/sim/longer.go":    file(tooLongFile + 1),
		"web/page/lab_templ.go":   file(tooLongFile + 1),
		"shared/sim/util.go":      file(1),
		"shared/utils/x.ts":       file(1),
		"shared/sim/util_test.go": file(1),
		"node_modules/x/util.ts":  file(tooLongFile + 1),
	}
	top, err := TopLevel(tree)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, top, "docs")
	tooLong, long, err := Sizes(tree)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, tooLong, "native/main.go", "shared/sim/longer.go")
	expect(t, long, "shared/sim/long.go")
	names, err := Names(tree)
	if err != nil {
		t.Fatal(err)
	}
	inits, err := NoInit(fstest.MapFS{
		"a.go":      {Data: []byte("package a\n\ntype t int\n\nfunc (t) init() {}\n\nfunc initial() {}\n")},
		"a_test.go": {Data: []byte("package a\n\nfunc init() {}\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, inits, "a_test.go: init")
	expect(t, names, "shared/sim/util.go", "shared/sim/util_test.go", "shared/utils/x.ts")
}
