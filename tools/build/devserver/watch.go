package devserver

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"asz/tools/build/maker"

	"github.com/fsnotify/fsnotify"
)

// Change is what has to be done after files changed.
type Change struct {
	Parts     maker.Parts
	Templates bool // templ must generate code
	Tool      bool // Go code of this program's own changed
}

func (c Change) none() bool { return c == Change{} }

func (c Change) and(d Change) Change {
	return Change{c.Parts | d.Parts, c.Templates || d.Templates, c.Tool || d.Tool}
}

// changeOf says what a changed file, relative to the project's folder and with slashes, asks for.
func changeOf(file string) Change {
	top, _, _ := strings.Cut(file, "/")
	base := file[strings.LastIndexByte(file, '/')+1:]
	goFile := strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go")
	switch {
	case strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~"):
		return Change{}
	case strings.HasPrefix(file, "web/src/") || strings.HasPrefix(file, "wasm/player/bridge."):
		return Change{Parts: maker.Scripts}
	case strings.HasSuffix(base, ".templ"):
		return Change{Templates: true}
	case top == "wasm" && goFile:
		return Change{Parts: maker.Modules}
	case (top == "web" || top == "shared" || top == "tools") && goFile:
		return Change{Tool: true}
	}
	return Change{}
}

// settle is how long a burst of changes, such as an editor's save, is waited for.
const settle = 80 * time.Millisecond

// watch calls act after every burst of changes, one at a time, until ctx ends. Changes that happen while act runs are
// handled after it.
func watch(ctx context.Context, root, labs string, act func(Change)) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer watcher.Close()
	watchAll := func() error {
		for _, dir := range []string{labs, filepath.Join(root, "web"), filepath.Join(root, "shared"), filepath.Join(root, "wasm"), filepath.Join(root, "tools", "build")} {
			if err := addTree(watcher, dir); err != nil {
				return err
			}
		}
		return nil
	}
	if err := watchAll(); err != nil {
		return err
	}
	var pending Change
	var due <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-watcher.Errors:
			return err
		case event := <-watcher.Events:
			if event.Op == fsnotify.Chmod {
				continue
			}
			if event.Has(fsnotify.Create) {
				// A new folder; anything else that cannot be walked is a file that is gone again.
				_ = addTree(watcher, event.Name)
			}
			if change := changeAt(root, labs, event.Name); !change.none() {
				pending = pending.and(change)
				due = time.After(settle)
			}
		case <-due:
			change := pending
			pending, due = Change{}, nil
			// A renamed folder loses its watch a moment after it got one under its new name. What cannot be
			// walked is gone; a later change brings it back.
			_ = watchAll()
			act(change)
		}
	}
}

func changeAt(root, labs, file string) Change {
	if inside, err := filepath.Rel(labs, file); err == nil && !strings.HasPrefix(inside, "..") {
		if base := filepath.Base(file); strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") {
			return Change{}
		}
		return Change{Parts: maker.Labs}
	}
	inside, err := filepath.Rel(root, file)
	if err != nil {
		return Change{}
	}
	return changeOf(filepath.ToSlash(inside))
}

// addTree watches dir and all folders below it.
func addTree(watcher *fsnotify.Watcher, dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			return nil
		}
		if name := entry.Name(); name == "dist" || name == "node_modules" || (strings.HasPrefix(name, ".") && path != dir) {
			return filepath.SkipDir
		}
		return watcher.Add(path)
	})
}
