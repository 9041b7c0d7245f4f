package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"asz/shared/diag"
	"asz/shared/labfile"
	"asz/shared/play"
)

// maxFixRounds bounds how often corrections are made that earlier ones brought to light.
const maxFixRounds = 10

// tried is a correction that was made: where its finding would stand if it came back.
type tried struct {
	code     diag.Code
	from, to int // the bytes at which it may begin
	told     bool
}

// helpless reports whether a finding came back after it was corrected: another round would only make the same
// change once more.
func (v *validation) helpless(f *folder, d *diag.Diagnostic) bool {
	if d.Fix == nil || !d.Fix.Safe || d.Span.Source == nil {
		return false
	}
	for _, t := range v.tried[f.path(d.Span.Source)] {
		if t.code != d.Code || d.Span.Start < t.from || d.Span.Start > t.to {
			continue
		}
		if !t.told {
			line, column := d.Span.Source.Position(d.Span.Start)
			fmt.Fprintf(v.Stderr, "%s:%d:%d: the correction did not help; make one by hand [%s]\n", play.Printable(f.name(d.Span.Source.Name)), line, column, d.Code)
			t.told = true
		}
		return true
	}
	return false
}

// remember notes the corrections that were made in a file.
func (v *validation) remember(f *folder, file *diag.Source, fixed diag.List) {
	var edits []diag.Edit
	for _, d := range fixed {
		for _, e := range d.Fix.Edits {
			if e.Span.Source.Name == file.Name && !slices.ContainsFunc(edits, func(o diag.Edit) bool { return o.Span.Start == e.Span.Start }) {
				edits = append(edits, e)
			}
		}
	}
	slices.SortFunc(edits, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
	name := f.path(file)
	for _, d := range fixed {
		if d.Span.Source != nil && d.Span.Source.Name == file.Name {
			if v.tried == nil {
				v.tried = map[string][]*tried{}
			}
			v.tried[name] = append(v.tried[name], &tried{code: d.Code, from: d.Span.Start, to: d.Span.Start})
		}
	}
	for _, t := range v.tried[name] {
		t.from, t.to = moved(t.from, edits, false), moved(t.to, edits, true)
	}
}

// moved is where a place of a file is after some edits; behind those that begin there, or before them.
func moved(at int, edits []diag.Edit, behind bool) int {
	shift := 0
	for _, e := range edits {
		switch grown := len(e.New) - e.Span.Len; {
		case e.Span.Start > at || e.Span.Start == at && !behind:
			return at + shift
		case e.Span.Start < at && e.Span.End() <= at:
			shift += grown
		case behind:
			return e.Span.Start + shift + len(e.New)
		default:
			return e.Span.Start + shift
		}
	}
	return at + shift
}

// path is the full path of a file of the folder.
func (f *folder) path(file *diag.Source) string { return filepath.Join(f.full, file.Name) }

// applyFixes writes the safe corrections of what was found, says which files were
// changed, and reports whether any was.
func (v *validation) applyFixes(results []checked) (changed bool) {
	byFolder := map[*folder]diag.List{}
	var folders []*folder
	for _, r := range results {
		if !slices.Contains(folders, r.folder) {
			folders = append(folders, r.folder)
		}
		for _, d := range r.Findings {
			if !v.helpless(r.folder, &d) {
				byFolder[r.folder] = append(byFolder[r.folder], d)
			}
		}
	}
	for _, f := range folders {
		files, fixed, _ := byFolder[f].Apply()
		for _, file := range files {
			shown, full := f.name(file.Source.Name), f.path(file.Source)
			if v.skip[full] || file.Text == file.Source.Text {
				continue
			}
			err := f.replace(file.Source.Name, file.Source.Text, file.Text)
			if v.again == nil {
				v.again = map[string]int{}
			}
			if err == errChanged && v.again[full] < mostAgain {
				// An editor, or another --fix: what it wrote is looked at anew, and may need no correction.
				v.again[full]++
				changed = true
				continue
			}
			if err != nil {
				v.exit = v.Fail(exitUnusable, "%s is not corrected: %v", shown, labfile.Reason(err))
				v.skip[full] = true
				continue
			}
			changed = true
			v.remember(f, file.Source, fixed)
			n := 0
			seen := map[diag.Span]bool{}
			for _, d := range fixed {
				at := d.Span
				at.Source = nil // two labs that share a file have it twice
				if d.Span.Source != nil && d.Fix.Edits[0].Span.Source.Name == file.Source.Name && !seen[at] {
					seen[at] = true
					n++
				}
			}
			fmt.Fprintf(v.Stderr, "%s: %s made\n", play.Printable(shown), count(n, "correction"))
		}
	}
	return changed
}

// mostAgain is how often a file is read again that somebody else writes while it is corrected.
const mostAgain = 3

var errChanged = errors.New("it was changed by someone else in the meantime")

// replace writes a file of the folder anew if it still holds the text before. It
// is whole at every moment, keeps its permissions, and is no file outside.
func (f *folder) replace(name, before, after string) error {
	target, err := f.behind(name)
	if err != nil {
		return err
	}
	info, err := f.root.Stat(target)
	if err != nil {
		return err
	}
	return swap(f.root, target, info.Mode().Perm(), after, func() error {
		now, err := f.root.ReadFile(target)
		if err == nil && string(now) != before {
			err = errChanged
		}
		return err
	})
}

// behind is the file that a name stands for when it is a link within the folder,
// so that the file is corrected and the link stays.
func (f *folder) behind(name string) (string, error) {
	target := name
	for range 40 {
		info, err := f.root.Lstat(target)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			there, err := f.root.Stat(name)
			if err != nil {
				return "", err
			}
			if !os.SameFile(info, there) {
				break
			}
			return target, nil
		}
		link, err := f.root.Readlink(target)
		if err != nil {
			return "", err
		}
		if link = filepath.ToSlash(link); path.IsAbs(link) {
			break
		}
		target = path.Join(path.Dir(target), link)
	}
	return "", errors.New("it is a link; correct the file that it leads to")
}

// swap puts a text in a file's place: it writes another file beside it and renames
// that, if still is content then.
func swap(root *os.Root, name string, mode fs.FileMode, text string, still func() error) (err error) {
	file, temporary, err := besides(root, name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			root.Remove(temporary)
		}
	}()
	_, err = file.WriteString(text)
	if err == nil {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil && still != nil {
		err = still()
	}
	if err == nil {
		err = root.Rename(temporary, name)
	}
	return err
}

// besides makes a new file beside another one.
func besides(root *os.Root, name string) (*os.File, string, error) {
	for n := 0; ; n++ {
		temporary := path.Join(path.Dir(name), "."+path.Base(name)+".asz"+strconv.Itoa(n))
		file, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil || n == 100 || !errors.Is(err, fs.ErrExist) {
			return file, temporary, err
		}
	}
}

// write writes labs.json, unless it says the same already.
func (w whole) write(text []byte) error {
	dir, name := filepath.Split(w.catalog)
	if filepath.Dir(w.full) == w.full {
		return errors.New("nothing lies beside the root of the file system")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	mode := fs.FileMode(0o644)
	if info, err := root.Lstat(name); err == nil {
		if !info.Mode().IsRegular() {
			return errors.New("it is no regular file")
		}
		if now, err := root.ReadFile(name); err == nil && string(now) == string(text) {
			return nil
		}
		mode = info.Mode().Perm()
	}
	return swap(root, name, mode, string(text), nil)
}
