package archtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Ban forbids a package, and what lies below it when Tree is set.
type Ban struct {
	Path   string
	Tree   bool
	Reason string
}

func (b Ban) hits(path string) bool {
	return path == b.Path || b.Tree && strings.HasPrefix(path, b.Path+"/")
}

// sharedImports may not be imported by any package of shared/.
var sharedImports = []Ban{
	{Path: "math/rand", Tree: true, Reason: "the same inputs give the same outcome, byte for byte"},
	{Path: "crypto/rand", Reason: "the same inputs give the same outcome, byte for byte"},
}

// sharedClosure may not be reached from shared/ at all, when it is built for the browser.
var sharedClosure = []Ban{
	{Path: "os/exec", Reason: "the browser has no processes"},
	{Path: "net", Reason: "nothing in shared/ talks to anybody, and it is heavy"},
	{Path: "net/http", Tree: true, Reason: "1,500 KB of wasm, and nothing in shared/ talks to anybody"},
	{Path: "text/template", Reason: "500 KB of wasm"},
	{Path: "html/template", Reason: "500 KB of wasm"},
	{Path: "github.com/alecthomas/chroma", Tree: true, Reason: "its lexers cost every program 9 ms at its start"},
}

// playerClosure may not be reached from the learner's module, whose size every learner waits for.
var playerClosure = []Ban{
	{Path: "fmt", Reason: "130 KB: build text with append and strconv"},
	{Path: "regexp", Tree: true, Reason: "120 KB: matching is by words"},
	{Path: "encoding/json", Tree: true, Reason: "250 KB: outcomes have a small writer of their own"},
	{Path: "text/template", Tree: true, Reason: "500 KB"},
	{Path: "html/template", Reason: "500 KB"},
	{Path: "html", Reason: "a table of entities that only the author's module needs"},
	{Path: "net", Tree: true, Reason: "the player talks to nobody"},
	{Path: "os", Tree: true, Reason: "the player has no files and no environment"},
	{Path: "log", Tree: true, Reason: "brings fmt and os"},
	{Path: "time", Reason: "the page keeps time; the engine knows none"},
	{Path: "github.com/goccy/go-yaml", Tree: true, Reason: "labs arrive compiled"},
	{Path: "github.com/yuin/goldmark", Tree: true, Reason: "the site's build renders Markdown"},
	{Path: "github.com/alecthomas/chroma", Tree: true, Reason: "the site's build colours code"},
	{Path: "golang.org/x/net", Tree: true, Reason: "the site's build cleans HTML"},
	{Path: "github.com/rivo/uniseg", Tree: true, Reason: "only diagnostics count cells in Go"},
	{Path: Module + "/shared/diag", Reason: "findings are for authors"},
}

// heavy dependencies each have one package of ours that knows them, beside tools.
var heavy = []struct {
	ban    Ban
	owners []string
}{
	{Ban{Path: "github.com/goccy/go-yaml", Tree: true, Reason: "positions and limits come from one place"}, []string{"shared/yamldoc"}},
	{Ban{Path: "github.com/yuin/goldmark", Tree: true, Reason: "Markdown is read in one place"}, []string{"shared/content"}},
	{Ban{Path: "github.com/alecthomas/chroma", Tree: true, Reason: "code is coloured in one place, away from programs that must start at once"}, []string{"web/site/colour"}},
	{Ban{Path: "golang.org/x/net/html", Tree: true, Reason: "the author's HTML is cleaned in one place"}, []string{"shared/content"}},
	{Ban{Path: "github.com/chromedp", Tree: true, Reason: "an adapter isolates it"}, []string{"native/cdp", "tools/..."}},
	{Ban{Path: "github.com/jezek/xgb", Tree: true, Reason: "an adapter isolates it"}, []string{"native/x11"}},
	{Ban{Path: "github.com/godbus/dbus", Tree: true, Reason: "an adapter isolates it"}, []string{"native/atspi"}},
	{Ban{Path: "github.com/evanw/esbuild", Tree: true, Reason: "bundling is the build's"}, []string{"tools/build/maker"}},
}

// Imports checks the packages of ours below top against bans on what they import themselves.
func Imports(graph Graph, top string, bans []Ban) []string {
	var out []string
	for _, path := range slices.Sorted(maps.Keys(graph)) {
		if !matches(Module+"/"+top+"/...", path) {
			continue
		}
		for _, imported := range graph[path] {
			for _, ban := range bans {
				if ban.hits(imported) {
					out = append(out, fmt.Sprintf("%s imports %s: %s", path, imported, ban.Reason))
				}
			}
		}
	}
	return out
}

// Closure checks everything that is reached from the packages of ours below top, and says by which way.
func Closure(graph Graph, top string, bans []Ban) []string {
	var out []string
	cameFrom := map[string]string{}
	var queue []string
	for _, path := range slices.Sorted(maps.Keys(graph)) {
		if matches(Module+"/"+top+"/...", path) {
			cameFrom[path] = ""
			queue = append(queue, path)
		}
	}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		for _, imported := range graph[path] {
			if _, seen := cameFrom[imported]; seen {
				continue
			}
			cameFrom[imported] = path
			queue = append(queue, imported)
			for _, ban := range bans {
				if ban.hits(imported) {
					out = append(out, fmt.Sprintf("%s: %s", way(cameFrom, imported), ban.Reason))
				}
			}
		}
	}
	return out
}

func way(cameFrom map[string]string, to string) string {
	var steps []string
	for at := to; at != ""; at = cameFrom[at] {
		steps = append(steps, at)
	}
	slices.Reverse(steps)
	return strings.Join(steps, " → ")
}

// Heavy checks that a heavy dependency is imported by the one package that isolates it.
func Heavy(graph Graph) []string {
	var out []string
	for _, path := range slices.Sorted(maps.Keys(graph)) {
		name, ours := inModule(path)
		if !ours {
			continue
		}
		for _, imported := range graph[path] {
			for _, entry := range heavy {
				if entry.ban.hits(imported) && !matchesAny(entry.owners, name) {
					out = append(out, fmt.Sprintf("%s imports %s, which is for %s only: %s", name, imported, strings.Join(entry.owners, ", "), entry.ban.Reason))
				}
			}
		}
	}
	return out
}
