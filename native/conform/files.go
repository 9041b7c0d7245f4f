package conform

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"asz/native/store"
)

// reason is an error of the disk without the names that its message would tell again.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// makeDirs makes a directory with its parents; with durable they are on the disk when it returns.
func makeDirs(disk store.FS, dir string, durable bool) error {
	info, err := disk.Stat(dir)
	if err == nil {
		if !info.Mode.IsDir() {
			return fmt.Errorf("%s is a file, and a directory is needed there", dir)
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be looked into: %w", dir, reason(err))
	}
	parent := path.Dir(dir)
	if parent != dir {
		if err := makeDirs(disk, parent, durable); err != nil {
			return err
		}
	}
	err = disk.Mkdir(dir)
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err == nil && durable {
		err = disk.SyncDir(parent)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be made: %w", dir, reason(err))
	}
	return nil
}

// write gives a file its content, all of it or nothing. With durable it is on the disk when write returns: what replaces
// a file has to be, what is new is made again by the same build.
func write(disk store.FS, name string, content []byte, durable bool) (err error) {
	dir := path.Dir(name)
	temporary := path.Join(dir, ".tmp-"+path.Base(name))
	w, err := disk.Create(temporary)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := makeDirs(disk, dir, durable); err != nil {
			return err
		}
		w, err = disk.Create(temporary)
	case errors.Is(err, fs.ErrExist): // an interrupted build left it
		if err = disk.Remove(temporary); err == nil {
			w, err = disk.Create(temporary)
		}
	}
	if err == nil {
		_, err = w.Write(content)
		if err == nil && durable {
			err = w.Sync()
		}
		err = errors.Join(err, w.Close())
		if err == nil {
			err = disk.Rename(temporary, name)
		}
		if err != nil {
			disk.Remove(temporary)
		}
	}
	if err == nil && durable {
		err = disk.SyncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, reason(err))
	}
	return nil
}

// standing tells how a file stands to the content it is to have.
type standing uint8

const (
	absent standing = iota
	equal
	shorter // it holds the beginning of the content
	other   // it holds something else
)

// compare reads a file in pieces. Only errors of the disk are errors.
func compare(disk store.ReadFS, name string, content []byte) (standing, error) {
	f, err := disk.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, nil
	}
	if err != nil {
		return other, fmt.Errorf("%s cannot be read: %w", name, reason(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return other, fmt.Errorf("%s cannot be read: %w", name, reason(err))
	}
	if info.Size > int64(len(content)) {
		return other, nil
	}
	piece := make([]byte, min(info.Size, 64<<10))
	for off := int64(0); off < info.Size; {
		n, err := f.ReadAt(piece[:min(int64(len(piece)), info.Size-off)], off)
		if !bytes.Equal(piece[:n], content[off:off+int64(n)]) {
			return other, nil
		}
		off += int64(n)
		if err != nil && (n == 0 || !errors.Is(err, io.EOF)) {
			return other, fmt.Errorf("%s cannot be read: %w", name, reason(err))
		}
	}
	if info.Size == int64(len(content)) {
		return equal, nil
	}
	return shorter, nil
}
