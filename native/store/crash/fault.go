package crash

import (
	"io"

	"asz/native/store"
)

// Faults is a disk on which one operation fails: that of number At, counted from 0 over all calls. A write that fails leaves
// half of its bytes.
type Faults struct {
	store.FS
	At    int
	Err   error
	Count int // operations so far
}

func (f *Faults) fail() error {
	f.Count++
	if f.Count-1 == f.At {
		return f.Err
	}
	return nil
}

// Failed tells whether the operation that fails has been reached.
func (f *Faults) Failed() bool { return f.Count > f.At }

func (f *Faults) Open(name string) (store.File, error) {
	if err := f.fail(); err != nil {
		return nil, failed("open", name, err)
	}
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &faultyFile{file, f, name}, nil
}

func (f *Faults) Stat(name string) (store.Info, error) {
	if err := f.fail(); err != nil {
		return store.Info{}, failed("stat", name, err)
	}
	return f.FS.Stat(name)
}

func (f *Faults) ReadDir(name string) ([]store.Entry, error) {
	if err := f.fail(); err != nil {
		return nil, failed("open", name, err)
	}
	return f.FS.ReadDir(name)
}

func (f *Faults) Nowhere(name string) bool { return f.FS.Nowhere(name) }

func (f *Faults) Create(name string) (store.Writer, error) {
	if err := f.fail(); err != nil {
		return nil, failed("open", name, err)
	}
	w, err := f.FS.Create(name)
	return f.writer(w, name, err)
}

func (f *Faults) Append(name string, from int64) (store.Writer, error) {
	if err := f.fail(); err != nil {
		return nil, failed("open", name, err)
	}
	w, err := f.FS.Append(name, from)
	return f.writer(w, name, err)
}

func (f *Faults) writer(w store.Writer, name string, err error) (store.Writer, error) {
	if err != nil {
		return nil, err
	}
	return &faultyWriter{w, f, name}, nil
}

func (f *Faults) Mkdir(name string) error {
	if err := f.fail(); err != nil {
		return failed("mkdir", name, err)
	}
	return f.FS.Mkdir(name)
}

func (f *Faults) Rename(from, to string) error {
	if err := f.fail(); err != nil {
		return failed("rename", from, err)
	}
	return f.FS.Rename(from, to)
}

func (f *Faults) Link(from, to string) error {
	if err := f.fail(); err != nil {
		return failed("link", from, err)
	}
	return f.FS.Link(from, to)
}

func (f *Faults) Remove(name string) error {
	if err := f.fail(); err != nil {
		return failed("remove", name, err)
	}
	return f.FS.Remove(name)
}

func (f *Faults) SyncDir(name string) error {
	if err := f.fail(); err != nil {
		return failed("sync", name, err)
	}
	return f.FS.SyncDir(name)
}

func (f *Faults) Lock(name string) (io.Closer, error) {
	if err := f.fail(); err != nil {
		return nil, failed("lock", name, err)
	}
	return f.FS.Lock(name)
}

type faultyFile struct {
	store.File
	f    *Faults
	name string
}

func (r *faultyFile) ReadAt(p []byte, off int64) (int, error) {
	if err := r.f.fail(); err != nil {
		return 0, failed("read", r.name, err)
	}
	return r.File.ReadAt(p, off)
}

func (r *faultyFile) Stat() (store.Info, error) {
	if err := r.f.fail(); err != nil {
		return store.Info{}, failed("stat", r.name, err)
	}
	return r.File.Stat()
}

type faultyWriter struct {
	store.Writer
	f    *Faults
	name string
}

func (w *faultyWriter) Write(p []byte) (int, error) {
	if err := w.f.fail(); err != nil {
		n, _ := w.Writer.Write(p[:len(p)/2])
		return n, failed("write", w.name, err)
	}
	return w.Writer.Write(p)
}

func (w *faultyWriter) Seal() error {
	if err := w.f.fail(); err != nil {
		return failed("chmod", w.name, err)
	}
	return w.Writer.Seal()
}

func (w *faultyWriter) Sync() error {
	if err := w.f.fail(); err != nil {
		return failed("sync", w.name, err)
	}
	return w.Writer.Sync()
}

func (w *faultyWriter) Close() error {
	if err := w.f.fail(); err != nil {
		w.Writer.Close()
		return failed("close", w.name, err)
	}
	return w.Writer.Close()
}
