package sim

import (
	"errors"
	"strings"

	"asz/shared/lab"
)

// Files is the virtual filesystem: an immutable tree. The zero Files is empty.
type Files struct{ root *file }

// file is a file or a directory.
type file struct {
	dir     bool
	text    string
	entries lab.Tree[*file]
	digest  uint64
}

func (f *file) Digest() uint64 { return f.digest }

func newText(text string) *file { return &file{text: text, digest: lab.HashText(text)} }

func newDir(entries lab.Tree[*file]) *file {
	return &file{dir: true, entries: entries, digest: ^entries.Digest()}
}

var (
	errOutside = errors.New("the path leaves the lab's files")
	errTooDeep = errors.New("the path leads through too many folders")
	errRoot    = errors.New("the path is the lab's root")
	errMissing = errors.New("No such file or directory")
	errIsDir   = errors.New("Is a directory")
	errNotDir  = errors.New("Not a directory")
)

// Digest is equal for equal trees of files.
func (f Files) Digest() uint64 {
	if f.root == nil {
		return ^uint64(0)
	}
	return f.root.digest
}

// Read returns the text of the file at path.
func (f Files) Read(path string) (string, error) {
	parts, ok := lab.CleanFile(path)
	if !ok {
		return "", errOutside
	}
	at, err := f.find(parts)
	switch {
	case err != nil:
		return "", err
	case at.dir:
		return "", errIsDir
	}
	return at.text, nil
}

// find returns the file or directory at the segments.
func (f Files) find(parts []string) (*file, error) {
	at := f.root
	if at == nil {
		at = newDir(lab.Tree[*file]{})
	}
	for _, p := range parts {
		if !at.dir {
			return nil, errNotDir
		}
		next, ok := at.entries.Get(p)
		if !ok {
			return nil, errMissing
		}
		at = next
	}
	return at, nil
}

// change returns the files with what edit makes of the file at path, nil where
// there is none; directories on the way are made. An edit that returns nil
// leaves nothing there.
func (f Files) change(path string, edit func(old *file) (*file, error)) (Files, error) {
	parts, ok := lab.CleanFile(path)
	switch {
	case !ok:
		return f, errOutside
	case len(parts) == 0:
		return f, errRoot
	case len(parts) > lab.MaxDepth:
		return f, errTooDeep
	}
	root, err := f.root.change(parts, edit)
	return Files{root}, err
}

func (at *file) change(parts []string, edit func(*file) (*file, error)) (*file, error) {
	if len(parts) == 0 {
		return edit(at)
	}
	var entries lab.Tree[*file]
	if at != nil {
		if !at.dir {
			return nil, errNotDir
		}
		entries = at.entries
	}
	old, _ := entries.Get(parts[0])
	changed, err := old.change(parts[1:], edit)
	switch {
	case err != nil:
		return nil, err
	case changed != nil:
		entries = entries.Set(parts[0], changed)
	default:
		entries = entries.Delete(parts[0])
	}
	return newDir(entries), nil
}

// Write creates or overwrites the file at path.
func (f Files) Write(path, text string) (Files, error) {
	return f.change(path, func(old *file) (*file, error) {
		if old != nil && old.dir {
			return nil, errIsDir
		}
		return newText(text), nil
	})
}

// apply does one operation with its templated text expanded.
func (f Files) apply(op *lab.FileOp, text string) (Files, error) {
	switch op.Verb {
	case lab.FileMkdir:
		if parts, ok := lab.CleanFile(op.Path); ok && len(parts) == 0 {
			return f, nil // the root is always there
		}
		return f.change(op.Path, func(old *file) (*file, error) {
			if old == nil {
				return newDir(lab.Tree[*file]{}), nil
			}
			if !old.dir {
				return nil, errNotDir
			}
			return old, nil
		})
	case lab.FileCreate:
		return f.Write(op.Path, text)
	case lab.FileAppend:
		return f.change(op.Path, func(old *file) (*file, error) {
			switch {
			case old == nil:
				return newText(text), nil
			case old.dir:
				return nil, errIsDir
			case len(old.text)+len(text) > maxText:
				return nil, errTooLong
			}
			return newText(old.text + text), nil
		})
	case lab.FileReplace:
		return f.replace(op, text)
	case lab.FileDelete:
		return f.delete(op.Path)
	}
	return f.copy(op.Path, op.Text)
}

func (f Files) replace(op *lab.FileOp, text string) (Files, error) {
	old, err := f.Read(op.Path)
	if err != nil {
		return f, err
	}
	n := 0
	if op.Find != "" {
		n = strings.Count(old, op.Find)
	}
	switch {
	case n == 0:
		return f, errors.New("the text to find is not there: " + string(lab.AppendQuoted(nil, op.Find)))
	case len(old)+n*(len(text)-len(op.Find)) > maxText:
		return f, errTooLong
	}
	return f.Write(op.Path, strings.ReplaceAll(old, op.Find, text))
}

func (f Files) delete(path string) (Files, error) {
	parts, ok := lab.CleanFile(path)
	if !ok {
		return f, errOutside
	}
	if _, err := f.find(parts); err != nil && len(parts) > 0 {
		return f, nil // missing: nothing to do
	}
	return f.change(path, func(*file) (*file, error) { return nil, nil })
}

// copy copies a file or a tree; a tree onto a directory is merged into it.
func (f Files) copy(from, to string) (Files, error) {
	parts, ok := lab.CleanFile(from)
	if !ok {
		return f, errOutside
	}
	source, err := f.find(parts)
	if err != nil {
		return f, err
	}
	left := maxMerged
	copied, err := f.change(to, func(old *file) (*file, error) { return merge(old, source, &left) })
	if err != nil && err != errTooMany {
		err = errors.New("to `" + to + "`: " + err.Error())
	}
	if err != nil {
		return f, err
	}
	return copied, nil
}

// maxMerged bounds the files and folders that one copy goes through: a folder that
// is copied into itself again and again doubles each time.
const maxMerged = 100_000

var errTooMany = errors.New("there are more than 100,000 files to copy")

func merge(old, source *file, left *int) (*file, error) {
	if *left--; *left < 0 {
		return nil, errTooMany
	}
	switch {
	case old == nil || !old.dir && !source.dir:
		return source, nil
	case !source.dir:
		return nil, errIsDir
	case !old.dir:
		return nil, errNotDir
	}
	entries := old.entries
	var err error
	source.entries.All(func(name string, f *file) bool {
		under, _ := entries.Get(name)
		if f, err = merge(under, f, left); err == nil {
			entries = entries.Set(name, f)
		}
		return err == nil
	})
	return newDir(entries), err
}

// list returns what `ls` shows of path: the names in a directory, those of
// directories with a slash, or path itself when it is a file.
func (f Files) list(path string) (lines []string, dir bool, err error) {
	parts, ok := lab.CleanFile(path)
	if !ok {
		return nil, false, errMissing
	}
	at, err := f.find(parts)
	switch {
	case err != nil:
		return nil, false, err
	case !at.dir:
		return []string{path}, false, nil
	}
	at.entries.All(func(name string, e *file) bool {
		if e.dir {
			name += "/"
		}
		lines = append(lines, name)
		return true
	})
	return lines, true, nil
}
