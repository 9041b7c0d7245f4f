package site

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files is a site: the bytes of each file by its path, with slashes, relative to the site's root.
type Files map[string][]byte

// Manifest is the file in a site's folder that lists what the last build wrote there, so that the next one removes
// its own files and no others.
const Manifest = ".asz-site"

// placeholder stands in the folder of a fresh clone.
const placeholder = "placeholder.html"

// WriteTo writes the site into dir and removes what the last build wrote there and this one does not. A file that has
// its content already is not touched. A folder that holds anything else, and no manifest, is refused unchanged.
func (f Files) WriteTo(dir string) error {
	before, err := written(dir)
	if err != nil {
		return err
	}
	list := slices.Sorted(maps.Keys(f))
	for _, path := range list {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(path)), f[path]); err != nil {
			return fmt.Errorf("write the site: %w", err)
		}
	}
	if err := writeFile(filepath.Join(dir, Manifest), []byte(strings.Join(list, "\n")+"\n")); err != nil {
		return fmt.Errorf("write the site: %w", err)
	}
	for _, path := range before {
		if _, kept := f[path]; !kept {
			if err := removeFile(dir, filepath.FromSlash(path)); err != nil {
				return fmt.Errorf("clean the site: %w", err)
			}
		}
	}
	return nil
}

// written is what the last build wrote into dir.
func written(dir string) ([]string, error) {
	list, err := os.ReadFile(filepath.Join(dir, Manifest))
	if err == nil {
		return strings.Split(strings.TrimSuffix(string(list), "\n"), "\n"), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		if entry.Name() != placeholder {
			return nil, fmt.Errorf("%s holds %s, which no build has written: name an empty folder for the site", dir, entry.Name())
		}
	}
	return nil, nil
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

// removeFile removes a file below dir, and the folders that this leaves empty.
func removeFile(dir, path string) error {
	if !filepath.IsLocal(path) {
		return fmt.Errorf("the list of files names %s, which lies outside", path)
	}
	if err := os.Remove(filepath.Join(dir, path)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for folder := filepath.Dir(path); folder != "."; folder = filepath.Dir(folder) {
		if os.Remove(filepath.Join(dir, folder)) != nil {
			break // not empty
		}
	}
	return nil
}
