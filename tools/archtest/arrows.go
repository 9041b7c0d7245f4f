// Package archtest holds the rules of the project's architecture as code. Each rule takes what it judges as values and
// returns a line for each violation, so that its test can show it failing.
package archtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Module is the project's module path.
const Module = "asz"

// Graph is which package imports which, by import path: the imports of a package's own code, not of its tests.
type Graph map[string][]string

// importers mirrors the list of arrows in the architecture: each package of ours, and who may import it. A name that
// ends with /... stands for every package below it. A package may not exist yet; one that is not here has no place.
var importers = map[string][]string{
	"shared/diag":             {"shared/...", "web/site", "wasm/author", "native/...", "tools/..."},
	"shared/yamldoc":          stage("shared/labfile", "shared/gui", "shared/session", "native/guirun"),
	"shared/lab":              stage("shared/labfile", "shared/sim", "shared/content", "shared/play", "shared/explore", "shared/validate", "shared/command", "web/site", "wasm/player"),
	"shared/labfile":          stage("shared/validate", "shared/command", "web/site"),
	"shared/content":          stage("shared/validate", "web/site", "web/site/colour"),
	"shared/sim":              stage("shared/explore", "shared/play", "shared/validate", "shared/command", "wasm/player"),
	"shared/play":             stage("shared/validate", "shared/command", "native/view"),
	"shared/command":          stage(), // the verbs that the binary and the author's module share
	"shared/explore":          stage("shared/validate", "shared/command"),
	"shared/validate":         stage("shared/command"),
	"shared/marked":           {"tools/..."}, // only tests import it
	"shared/gui":              stage("native/guirun", "native/guirun/worldtest"),
	"shared/session":          stage("native/conform"),
	"web/page":                {"web/site", "native/cli"}, // cli hands guirun the writer of its pages
	"web/site":                {"native/cli", "tools/..."},
	"web/site/colour":         {"web/site", "tools/..."}, // isolates chroma
	"native/guirun":           stage("native/guirun/worldtest", "native/x11", "native/atspi", "native/cdp", "native/model"),
	"native/guirun/worldtest": stage(), // only tests
	"native/x11":              stage(),
	"native/atspi":            stage(),
	"native/cdp":              stage(),
	"native/model":            stage(),
	"native/store":            stage("native/store/crash", "native/collect", "native/claudecode", "native/fold", "native/view", "native/otlp", "native/conform"),
	"native/store/crash":      stage(), // only tests
	"native/collect":          stage("native/conform"),
	"native/claudecode":       stage("native/conform"),
	"native/fold":             stage("native/view", "native/conform"),
	"native/view":             stage("native/conform"),
	"native/otlp":             stage("native/conform"),
	"native/conform":          stage(),
	"native/cli":              {"native", "tools/..."},
	"native":                  {},
	"wasm/player":             {},
	"wasm/author":             {},
	"wasm":                    {},                          // only tests
	"web/e2e":                 {},                          // only tests
	"web":                     {"native/cli", "tools/..."}, // embeds web/dist
	"tools/...":               {"tools/..."},
}

// stage is who may import a stage: these, and everything that may import any stage.
func stage(others ...string) []string {
	return append([]string{"wasm/author", "native/cli", "tools/..."}, others...)
}

// Arrows checks every import between packages of ours.
func Arrows(graph Graph) []string {
	var out []string
	for _, importer := range slices.Sorted(maps.Keys(graph)) {
		from, ours := inModule(importer)
		if !ours {
			continue
		}
		if _, known := allowed(from); !known {
			out = append(out, from+" has no place in the architecture: put the code where it belongs, or name the package there and in importers")
		}
		for _, imported := range graph[importer] {
			to, ours := inModule(imported)
			if !ours {
				continue
			}
			if may, known := allowed(to); known && !matchesAny(may, from) {
				out = append(out, fmt.Sprintf("%s imports %s, which only these may import: %s", from, to, strings.Join(may, ", ")))
			}
		}
	}
	return out
}

// allowed is who may import a package, and whether the package has a place at all.
func allowed(name string) ([]string, bool) {
	for pattern, may := range importers {
		if matches(pattern, name) {
			return may, true
		}
	}
	return nil, false
}

func inModule(path string) (string, bool) {
	return strings.CutPrefix(path, Module+"/")
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, name) })
}

func matches(pattern, name string) bool {
	below, ok := strings.CutSuffix(pattern, "/...")
	if !ok {
		return pattern == name
	}
	return name == below || strings.HasPrefix(name, below+"/")
}
