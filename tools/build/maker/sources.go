package maker

import (
	"io/fs"
	"os"
	"path/filepath"
)

// NoteSources looks at every source file of the project at root. A test that
// builds in other processes calls it, so that Go's cache of test results knows
// what the result depends on.
func NoteSources(root string) error {
	for _, top := range []string{"labs", "native", "shared", "wasm", "web"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "dist" {
				return filepath.SkipDir
			}
			_, err = os.Stat(path)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
