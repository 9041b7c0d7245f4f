//go:build js && wasm

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"asz/shared/command"
	"asz/shared/diag"
	"asz/shared/labfile"
	"asz/shared/play"
	"asz/shared/sim"
)

// loading is a lab as it was loaded, with what that depends on: the files that were
// read, and for others that they are there. An author mostly changes texts, which
// are read anew by each check, and then the YAML need not be.
type loading struct {
	*labfile.Loaded
	lab    string
	shapes int
	read   map[string][]byte
}

// current reports whether the lab would be loaded just so again.
func (l *loading) current(lab string) bool {
	if l.Loaded == nil || l.lab != lab || l.shapes != shapes {
		return false
	}
	for path, data := range l.read {
		if !bytes.Equal(files[path], data) {
			return false
		}
	}
	return true
}

// load loads a lab of the files as they are now.
func load(lab string) (fs.FS, *labfile.Loaded, error) {
	snapshot := &txtar.Archive{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		snapshot.Files = append(snapshot.Files, txtar.File{Name: path, Data: files[path]})
	}
	folder, err := txtar.FS(snapshot)
	if err != nil {
		return nil, nil, err
	}
	if info, err := fs.Stat(folder, lab); err != nil || !info.IsDir() {
		return nil, nil, errors.New("there is no folder " + lab)
	}
	if !recent.current(lab) {
		noted := noting{folder, map[string][]byte{}}
		recent = loading{labfile.Load(noted, lab), lab, shapes, noted.read}
	}
	return folder, recent.Loaded, nil
}

// noting notes which files are read.
type noting struct {
	fs.FS
	read map[string][]byte
}

func (n noting) Open(name string) (fs.File, error) {
	n.read[name] = files[name]
	return n.FS.Open(name)
}

// Stat reads no file.
func (n noting) Stat(name string) (fs.FileInfo, error) { return fs.Stat(n.FS, name) }

// explainLine plays a script and tells what came near to a line after it.
func explainLine(lab, terminal, line, script string) ([]play.Reason, error) {
	_, loaded, err := load(lab)
	switch {
	case err != nil:
		return nil, err
	case loaded.Skipped:
		return nil, errors.New(lab + " is not a lab that can be played")
	case loaded.Lab == nil:
		return nil, fmt.Errorf("%s does not load: %s", lab, firstError(loaded.Findings))
	}
	engine, err := sim.New(loaded.Lab)
	if err != nil {
		return nil, err
	}
	src := diag.NewSource("script", script)
	end := len(script)
	if terminal != "" {
		src.Text += "\n@terminal " + terminal
	}
	reasons, findings := play.After(sim.NewPlayer(engine), src, line, command.Explain)
	if len(findings) == 0 {
		return reasons, nil
	}
	d := findings[0]
	if d.Span.Start > end {
		return nil, errors.New(d.Message)
	}
	n, _ := src.Position(d.Span.Start)
	return nil, fmt.Errorf("line %d of the script: %s", n, d.Message)
}

// firstError is what a person is told who did not ask for findings.
func firstError(findings diag.List) string {
	var b strings.Builder
	for _, d := range findings {
		if d.Severity != diag.Error {
			continue
		}
		if s := d.Span.Source; s != nil {
			line, column := s.Position(d.Span.Start)
			fmt.Fprintf(&b, "%s:%d:%d: ", s.Name, line, column)
		}
		return b.String() + d.Message
	}
	return ""
}
