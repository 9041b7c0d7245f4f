package site

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Files is a site: the bytes of each file by its path, with slashes, relative to the site's root.
type Files map[string][]byte

// built are the folders that a site owns entirely, so that what an earlier build left there may go.
var built = [...]string{"assets", "labs"}

// WriteTo writes the site into dir and removes what an earlier site left in the folders that sites own. A file that
// has its content already is not touched.
func (f Files) WriteTo(dir string) error {
	for _, path := range slices.Sorted(maps.Keys(f)) {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(path)), f[path]); err != nil {
			return fmt.Errorf("write the site: %w", err)
		}
	}
	for _, folder := range built {
		if err := f.removeStale(dir, filepath.Join(dir, folder)); err != nil {
			return fmt.Errorf("clean the site: %w", err)
		}
	}
	return nil
}

func writeFile(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == string(data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// removeStale removes the files below folder that the site does not have, and folders that this leaves empty.
func (f Files) removeStale(dir, folder string) error {
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	left := len(entries)
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if entry.IsDir() {
			if err := f.removeStale(dir, path); err != nil {
				return err
			}
			if _, err := os.Stat(path); os.IsNotExist(err) {
				left--
			}
			continue
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, kept := f[filepath.ToSlash(relative)]; kept {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		left--
	}
	if left == 0 {
		return os.Remove(folder)
	}
	return nil
}
