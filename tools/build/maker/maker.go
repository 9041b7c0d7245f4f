// Package maker makes the site: it builds its parts side by side and builds again only the parts that changed.
package maker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"asz/shared/diag"
	"asz/web/site"
)

// Parts says which parts are to be built.
type Parts uint8

// The parts of a site that are built apart from each other.
const (
	Scripts Parts = 1 << iota // web/src
	Modules                   // wasm and what it is made of
	Labs                      // the folder of labs

	All = Scripts | Modules | Labs
)

// Maker makes the site of the labs in LabsDir with the sources of the project at Root. Dev makes pages reload
// themselves under the development server. It keeps each part until it is built again.
type Maker struct {
	Root, LabsDir string
	Dev           bool

	scripts  bundle
	modules  modules
	labs     []site.Lab
	findings diag.List
}

// Make builds these parts and composes the site from all of them. It makes no site, without an error, when a finding
// stops a lab. A part that fails keeps its earlier form.
func (m *Maker) Make(ctx context.Context, parts Parts) (site.Files, diag.List, error) {
	var running sync.WaitGroup
	var scriptErr, moduleErr, labErr error
	if parts&Scripts != 0 {
		running.Go(func() { scriptErr = keep(&m.scripts)(bundleScripts(m.Root, m.Dev)) })
	}
	if parts&Modules != 0 {
		running.Go(func() { moduleErr = keep(&m.modules)(buildModules(ctx, m.Root)) })
	}
	if parts&Labs != 0 {
		running.Go(func() { m.labs, m.findings, labErr = loadLabs(m.LabsDir) })
	}
	running.Wait()
	if err := errors.Join(scriptErr, moduleErr, labErr); err != nil {
		return nil, m.findings, err
	}
	if m.findings.Stops() {
		return nil, m.findings, nil
	}
	files, err := site.Compose(ctx, m.labs, m.assets())
	return files, m.findings, err
}

// loadLabs reads a folder of labs and nothing outside of it, links included.
func loadLabs(dir string) ([]site.Lab, diag.List, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	labs, findings, err := site.Load(root.FS())
	findings.Under(filepath.Base(dir))
	return labs, findings, err
}

// keep stores a value that came without an error.
func keep[T any](into *T) func(T, error) error {
	return func(value T, err error) error {
		if err == nil {
			*into = value
		}
		return err
	}
}

func (m *Maker) assets() site.Assets {
	files := site.Files{}
	for _, part := range []site.Files{m.scripts.files, m.modules.files} {
		for path, data := range part {
			files[path] = data
		}
	}
	return site.Assets{
		Files:    files,
		Style:    m.scripts.entries["page.css"],
		Head:     m.scripts.entries["head.js"],
		Script:   m.scripts.entries["lab.js"],
		Catalog:  m.scripts.entries["catalog.js"],
		Diagrams: m.scripts.entries["mermaid.js"],
		Live:     m.scripts.entries["live.js"],
		Runtime:  m.modules.paths["wasm_exec.js"],
		Player:   m.modules.paths["player.wasm"],
	}
}

// Generate runs templ over the page's components. Only files older than their sources are written.
func Generate(ctx context.Context, root string) error {
	_, err := goTool(ctx, root, nil, "tool", "templ", "generate", "-path", "web", "-lazy", "-log-level", "error")
	return err
}

// BuildTool builds this program anew into file.
func BuildTool(ctx context.Context, root, file string) error {
	_, err := goTool(ctx, root, nil, "build", "-o", file, "./tools/build")
	return err
}

// Root is the project's folder: the nearest one above dir, or dir itself, that holds the project's go.mod.
func Root(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		data, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module asz\n") {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", errors.New("this is not the project's folder, nor below it: there is no go.mod with `module asz`")
		}
	}
}
