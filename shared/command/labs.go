package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"asz/shared/labfile"
)

const labspaceFile = "labspace.yaml"

// openLab opens the folder of labs around a lab's folder, for reading only what
// is inside of it; dir is the lab's folder there.
func (h *Host) openLab(lab string) (f *folder, dir string, err error) {
	full, err := resolve(lab)
	if err != nil {
		return nil, "", err
	}
	if full == filepath.Dir(full) {
		return nil, "", fmt.Errorf("%s is no lab: a lab is a folder in a folder of labs", lab)
	}
	if f, err = h.folder(filepath.Dir(full), shownAs(filepath.Dir(full), lab)); err != nil {
		return nil, "", unreadable(filepath.Dir(lab), err)
	}
	return f, filepath.Base(full), nil
}

// resolve finds the folder that a person named, or whose labspace.yaml they
// named. The folder may be a link; what it holds may not lead out of it.
func resolve(named string) (full string, err error) {
	if filepath.Base(named) == labspaceFile {
		named = filepath.Dir(named)
	}
	full, err = filepath.Abs(named)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", fmt.Errorf("there is no folder %s", named)
	case err != nil:
		return "", unreadable(named, err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is not a folder; a lab is the folder that holds %s", named, labspaceFile)
	}
	if resolved, err := filepath.EvalSymlinks(full); err == nil {
		full = resolved
	}
	return full, nil
}

func isMissing(named string) bool {
	_, err := os.Stat(named)
	return errors.Is(err, fs.ErrNotExist)
}

// shownAs is how a person who named something so would name the folder full.
func shownAs(full, named string) string {
	if filepath.IsAbs(named) {
		return filepath.ToSlash(full)
	}
	here, err := os.Getwd()
	if err != nil {
		return filepath.ToSlash(full)
	}
	if resolved, err := filepath.EvalSymlinks(here); err == nil {
		here = resolved // `..` leads from where one is, not from the link that led there
	}
	if relative, err := filepath.Rel(here, full); err == nil {
		full = relative
	}
	return filepath.ToSlash(full)
}

func unreadable(named string, err error) error {
	return errors.New(named + " cannot be read: " + labfile.Reason(err))
}

// folder is a folder of labs that is open.
type folder struct {
	root  *os.Root
	files fs.FS
	full  string
	shown string // as a person would name it, with slashes
}

// name is how a person would name a file of the folder.
func (f *folder) name(file string) string {
	if f.shown == ".." || strings.HasPrefix(f.shown, "../") { // they may be in the very lab
		return shownAs(filepath.Join(f.full, filepath.FromSlash(file)), ".")
	}
	return path.Join(f.shown, file)
}

// target is one lab to check.
type target struct {
	*folder
	dir string // the lab's folder in the folder of labs
}

// name is how a person would name the lab's folder.
func (t target) name() string { return path.Join(t.shown, t.dir) }

// targets are the labs that a person named.
type targets struct {
	host    *Host
	folders map[string]*folder // by full path
	seen    map[string]bool    // full paths of labs
	labs    []target           // each once, in the order named
	whole   []whole            // folders of labs that were named themselves
	base    string             // the folder that was named, in its folder of labs; "." = that one itself
}

// whole is a folder of labs that is checked as a whole.
type whole struct {
	*folder
	catalog string // full path of its labs.json
}

// find adds what a path names: a lab's folder, a labspace.yaml, or a folder of labs.
func (ts *targets) find(named string) error {
	full, err := resolve(named)
	if err != nil {
		return err
	}
	_, err = os.Lstat(filepath.Join(full, labspaceFile))
	isLab := err == nil || filepath.Base(named) == labspaceFile
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unreadable(named, err)
	}
	if isLab {
		if full == filepath.Dir(full) {
			return fmt.Errorf("%s is no lab: a lab is a folder in a folder of labs", named)
		}
		f, err := ts.open(filepath.Dir(full), named)
		if err != nil {
			return err
		}
		ts.add(target{f, filepath.Base(full)})
		ts.base = filepath.Base(full)
		return nil
	}
	f, err := ts.open(full, named)
	if err != nil {
		return err
	}
	dirs, err := f.labs()
	if err != nil {
		return unreadable(named, err)
	}
	if len(dirs) == 0 {
		return fmt.Errorf("%s holds no lab: a lab is a folder with a %s in it; name one, or the folder they lie in", named, labspaceFile)
	}
	for _, dir := range dirs {
		ts.add(target{f, dir})
	}
	ts.base = "."
	for _, w := range ts.whole {
		if w.folder == f {
			return nil
		}
	}
	unresolved, err := filepath.Abs(named)
	if err != nil {
		return err
	}
	ts.whole = append(ts.whole, whole{f, filepath.Join(filepath.Dir(unresolved), "labs.json")})
	return nil
}

func (ts *targets) add(t target) {
	if full := filepath.Join(t.full, t.dir); !ts.seen[full] {
		ts.seen[full] = true
		ts.labs = append(ts.labs, t)
	}
}

func (ts *targets) open(full, named string) (*folder, error) {
	if f := ts.folders[full]; f != nil {
		return f, nil
	}
	f, err := ts.host.folder(full, shownAs(full, named))
	if err != nil {
		return nil, unreadable(named, err)
	}
	ts.folders[full] = f
	return f, nil
}

// labs lists the folders in a folder of labs that are labs, and what may be one
// but cannot be looked into: its check says why, so that no lab is left out silently.
func (f *folder) labs() ([]string, error) {
	entries, err := fs.ReadDir(f.files, ".")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, ".") || !entry.IsDir() && entry.Type()&fs.ModeSymlink == 0 {
			continue
		}
		if !entry.IsDir() {
			// Where a link leads is only asked for: what lies outside is not read.
			info, err := os.Stat(filepath.Join(f.full, name))
			if err == nil && !info.IsDir() {
				continue
			}
			if err == nil {
				_, err = os.Lstat(filepath.Join(f.full, name, labspaceFile))
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
			}
		} else if _, err := f.root.Lstat(name + "/" + labspaceFile); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		dirs = append(dirs, name)
	}
	slices.Sort(dirs)
	return dirs, nil
}
