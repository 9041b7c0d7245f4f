package maker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"asz/web/site"
	"asz/web/site/colour"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle is what esbuild made of the entry points: files by site path, and each entry's path by its name.
type bundle struct {
	files   site.Files
	entries map[string]string
}

// bundleScripts bundles the page's scripts and style sheet into classic scripts with the hash of their content in
// their names, so that a static host may cache them for ever and a page opened from disk can load them.
func bundleScripts(root string, dev bool) (bundle, error) {
	ui := filepath.Join(root, "web", "src", "ui")
	entries := []string{
		filepath.Join(ui, "head.ts"), filepath.Join(ui, "lab.ts"), filepath.Join(ui, "catalog.ts"), filepath.Join(ui, "page.css"),
	}
	if dev {
		entries = append(entries, filepath.Join(ui, "live.ts"))
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     root,
		EntryPoints:       entries,
		Outdir:            filepath.Join(root, "assets"),
		EntryNames:        "[name]-[hash]",
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		Write:             false,
		Plugins:           []api.Plugin{codeColours()},
	})
	if err := messages(result.Errors); err != nil {
		return bundle{}, err
	}
	out := bundle{files: site.Files{}, entries: map[string]string{}}
	for _, file := range result.OutputFiles {
		base := filepath.Base(file.Path)
		path := "assets/" + base
		out.files[path] = file.Contents
		name, _, _ := strings.Cut(base, "-")
		out.entries[name+filepath.Ext(base)] = path
	}
	// mermaid bundles itself, and better than we could: its parts import each other at run time.
	diagrams, err := os.ReadFile(filepath.Join(root, "node_modules", "mermaid", "dist", "mermaid.min.js"))
	if err != nil {
		return bundle{}, fmt.Errorf("the diagrams' script is missing, run npm ci: %w", err)
	}
	path := "assets/mermaid-" + site.Hash(diagrams) + ".js"
	out.files[path] = diagrams
	out.entries["mermaid.js"] = path
	return out, nil
}

// codeColours gives style sheets what they import as asz:code: the colours of code, kept where its classes are made.
func codeColours() api.Plugin {
	const name = "asz:code"
	return api.Plugin{Name: name, Setup: func(build api.PluginBuild) {
		filter := api.OnResolveOptions{Filter: "^" + name + "$"}
		build.OnResolve(filter, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: name, Namespace: name}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: name}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			css := colour.StyleSheet()
			return api.OnLoadResult{Contents: &css, Loader: api.LoaderCSS}, nil
		})
	}}
}

// BundleTests bundles each test of the scripts' core into dir, as modules that Node's test runner loads.
func BundleTests(root, dir string) ([]string, error) {
	tests, err := filepath.Glob(filepath.Join(root, "web", "src", "core", "*.test.ts"))
	if err != nil {
		return nil, err
	}
	if len(tests) == 0 {
		return nil, errors.New("web/src/core has no *.test.ts")
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root,
		EntryPoints:   tests,
		Outdir:        dir,
		OutExtension:  map[string]string{".js": ".mjs"},
		Bundle:        true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformNode,
		Target:        api.ES2022,
		Sourcemap:     api.SourceMapInline,
		Write:         true,
	})
	if err := messages(result.Errors); err != nil {
		return nil, err
	}
	var paths []string
	for _, file := range result.OutputFiles {
		if _, err := os.Stat(file.Path); err != nil {
			return nil, fmt.Errorf("bundle the tests: %w", err)
		}
		paths = append(paths, file.Path)
	}
	return paths, nil
}

// messages is esbuild's findings as one error, nil when there is none.
func messages(found []api.Message) error {
	if len(found) == 0 {
		return nil
	}
	return errors.New(strings.TrimSpace(strings.Join(api.FormatMessages(found, api.FormatMessagesOptions{Kind: api.ErrorMessage}), "")))
}
