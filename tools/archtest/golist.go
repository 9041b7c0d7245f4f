package archtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// List asks the go command for the packages of the project at root and all they import, as built for a system, such
// as "js/wasm"; "" is this machine's own.
func List(root, system string) (Graph, error) {
	command := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Imports,ImportMap", "./...")
	command.Dir = root
	command.Env = os.Environ()
	if goos, goarch, ok := strings.Cut(system, "/"); ok {
		command.Env = append(command.Env, "GOOS="+goos, "GOARCH="+goarch)
	}
	var complaint strings.Builder
	command.Stderr = &complaint
	printed, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	graph := Graph{}
	decoder := json.NewDecoder(printed)
	for {
		var listed struct {
			ImportPath string
			Imports    []string
			ImportMap  map[string]string // vendored packages of the standard library have another path than their import
		}
		if err := decoder.Decode(&listed); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read what go list prints: %w", err)
		}
		for i, imported := range listed.Imports {
			if real := listed.ImportMap[imported]; real != "" {
				listed.Imports[i] = real
			}
		}
		graph[listed.ImportPath] = listed.Imports
	}
	if err := command.Wait(); err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, complaint.String())
	}
	return graph, nil
}

// Join is all imports of several graphs: some packages exist on one system only.
func Join(graphs ...Graph) Graph {
	all := Graph{}
	for _, graph := range graphs {
		for path, imports := range graph {
			all[path] = append(all[path], imports...)
		}
	}
	for path, imports := range all {
		slices.Sort(imports)
		all[path] = slices.Compact(imports)
	}
	return all
}
