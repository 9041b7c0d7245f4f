package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Disk is the real disk.
func Disk() FS { return disk{} }

type disk struct{}

func (disk) Open(name string) (File, error) {
	// Opening a FIFO would wait for who writes to it.
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is no regular file")}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return diskFile{f}, nil
}

func (disk) Stat(name string) (Info, error) {
	info, err := os.Stat(name)
	if err != nil {
		return Info{}, err
	}
	return diskInfo(info), nil
}

func (disk) ReadDir(name string) ([]Entry, error) {
	list, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(list))
	for _, e := range list {
		mode := e.Type()
		link := mode&fs.ModeSymlink != 0
		if link {
			if info, err := os.Stat(name + "/" + e.Name()); err == nil {
				mode = info.Mode()
			}
		}
		entries = append(entries, Entry{Name: e.Name(), Dir: mode.IsDir(), Regular: mode.IsRegular(), Link: link})
	}
	return entries, nil
}

func (disk) Nowhere(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return false
	}
	_, err = os.Stat(name)
	return err != nil
}

func (disk) Create(name string) (Writer, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	return diskWriter{f}, nil
}

func (disk) Append(name string, from int64) (Writer, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return nil, err
	}
	err = cutAt(f, from)
	if err != nil {
		f.Close()
		return nil, err
	}
	return diskWriter{f}, nil
}

func cutAt(f *os.File, from int64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < from {
		return &fs.PathError{Op: "append", Path: f.Name(), Err: fmt.Errorf("it ends at byte %d, before %d: %w", info.Size(), from, fs.ErrInvalid)}
	}
	if info.Size() > from {
		if err := f.Truncate(from); err != nil {
			return err
		}
	}
	_, err = f.Seek(from, io.SeekStart)
	return err
}

func (disk) Mkdir(name string) error      { return os.Mkdir(name, 0o755) }
func (disk) Rename(from, to string) error { return os.Rename(from, to) }
func (disk) Link(from, to string) error   { return os.Link(from, to) }
func (disk) Remove(name string) error     { return os.Remove(name) }

func (disk) SyncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	// Some network filesystems have nothing to sync in a directory, and say so.
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

func (disk) Lock(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			break
		}
	}
	if err == nil {
		return f, nil
	}
	f.Close()
	if err == syscall.EWOULDBLOCK {
		err = ErrBusy
	}
	return nil, &fs.PathError{Op: "lock", Path: name, Err: err}
}

type diskFile struct{ *os.File }

func (f diskFile) Stat() (Info, error) {
	info, err := f.File.Stat()
	if err != nil {
		return Info{}, err
	}
	return diskInfo(info), nil
}

type diskWriter struct{ *os.File }

func (w diskWriter) Seal() error { return w.Chmod(0o444) }

func diskInfo(info fs.FileInfo) Info {
	out := Info{Size: info.Size(), Mode: info.Mode(), MTime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		out.Dev, out.Ino = uint64(st.Dev), uint64(st.Ino)
	}
	return out
}
