// Package crash is a disk in memory that records what is done to it and gives back what a crash leaves at any moment.
//
// What was written to a file is durable once the file is synced, a name once its directory is. Of what is not, a loss of
// power keeps anything: of the bytes of a file none, half or all, and of the names any selection, in any order of the
// directories. A killed process loses nothing, but what it did not sync can still be lost later.
package crash

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"asz/native/store"
)

// Disk is a store.FS in memory.
type Disk struct {
	mu    sync.Mutex
	base  *tree // before the operations
	ops   []op
	begun int // operations of a process that was killed before
	now   *tree
	locks map[int]bool
}

// New is an empty disk with the directory `/`.
func New() *Disk {
	root := &tree{nodes: map[int]*node{1: {names: map[string]int{}}}, last: 1}
	return &Disk{base: root, now: root.clone(), locks: map[int]bool{}}
}

func (d *Disk) do(o op) {
	d.now.clock += 1e9
	o.clock = d.now.clock
	d.ops = append(d.ops, o)
	d.now.apply(&o)
}

func failed(operation, name string, err error) error {
	return &fs.PathError{Op: operation, Path: name, Err: err}
}

func (d *Disk) Open(name string) (store.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.now.find(name)
	if err == nil && d.now.nodes[ino].dir() {
		err = errIsDir
	}
	if err != nil {
		return nil, failed("open", name, err)
	}
	return &file{d, ino}, nil
}

func (d *Disk) Stat(name string) (store.Info, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.now.find(name)
	if err != nil {
		return store.Info{}, failed("stat", name, err)
	}
	return d.info(ino), nil
}

func (d *Disk) info(ino int) store.Info {
	n := d.now.nodes[ino]
	info := store.Info{Size: int64(len(n.data)), Mode: 0o644, MTime: n.mtime, Dev: 1, Ino: uint64(ino)}
	switch {
	case n.dir():
		info.Mode = fs.ModeDir | 0o755
	case n.sealed:
		info.Mode = 0o444
	}
	return info
}

func (d *Disk) ReadDir(name string) ([]store.Entry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.now.find(name)
	if err == nil && !d.now.nodes[ino].dir() {
		err = errNotDir
	}
	if err != nil {
		return nil, failed("open", name, err)
	}
	names := d.now.nodes[ino].names
	out := make([]store.Entry, 0, len(names))
	for name, child := range names {
		dir := d.now.nodes[child].dir()
		out = append(out, store.Entry{Name: name, Dir: dir, Regular: !dir})
	}
	slices.SortFunc(out, func(a, b store.Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// Nowhere is false: there are no links that could lead there.
func (d *Disk) Nowhere(string) bool { return false }

// make makes a file or directory under a new name.
func (d *Disk) make(k kind, operation, name string) (int, error) {
	dir, last, err := d.now.place(name)
	if err == nil && (last == "" || d.now.nodes[dir].names[last] != 0) {
		err = fs.ErrExist
	}
	if err != nil {
		return 0, failed(operation, name, err)
	}
	ino := d.now.last + 1
	d.do(op{kind: k, dir: dir, name: last, ino: ino})
	return ino, nil
}

func (d *Disk) Create(name string) (store.Writer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.make(create, "open", name)
	if err != nil {
		return nil, err
	}
	return &writer{d, ino, name, false}, nil
}

func (d *Disk) Append(name string, from int64) (store.Writer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.now.find(name)
	if errors.Is(err, fs.ErrNotExist) {
		ino, err = d.make(create, "open", name)
		if err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, failed("open", name, err)
	}
	n := d.now.nodes[ino]
	switch size := int64(len(n.data)); {
	case n.dir():
		return nil, failed("open", name, errIsDir)
	case n.sealed:
		return nil, failed("open", name, fs.ErrPermission)
	case size < from:
		return nil, failed("append", name, fs.ErrInvalid)
	case size > from:
		d.do(op{kind: cut, ino: ino, size: from})
	}
	return &writer{d, ino, name, false}, nil
}

func (d *Disk) Mkdir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, err := d.make(mkdir, "mkdir", name)
	return err
}

func (d *Disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	fromDir, fromName, err := d.now.place(from)
	if err != nil {
		return failed("rename", from, err)
	}
	ino := d.now.nodes[fromDir].names[fromName]
	if ino == 0 {
		return failed("rename", from, fs.ErrNotExist)
	}
	dir, name, err := d.now.place(to)
	if err != nil {
		return failed("rename", to, err)
	}
	if old := d.now.nodes[dir].names[name]; old != 0 && d.now.nodes[old].dir() {
		return failed("rename", to, fs.ErrExist)
	}
	d.do(op{kind: rename, fromDir: fromDir, from: fromName, dir: dir, name: name, ino: ino})
	return nil
}

func (d *Disk) Link(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.now.find(from)
	if err == nil && d.now.nodes[ino].dir() {
		err = errIsDir
	}
	if err != nil {
		return failed("link", from, err)
	}
	dir, name, err := d.now.place(to)
	if err == nil && d.now.nodes[dir].names[name] != 0 {
		err = fs.ErrExist
	}
	if err != nil {
		return failed("link", to, err)
	}
	d.do(op{kind: link, dir: dir, name: name, ino: ino})
	return nil
}

func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir, last, err := d.now.place(name)
	if err != nil {
		return failed("remove", name, err)
	}
	ino := d.now.nodes[dir].names[last]
	if ino == 0 {
		return failed("remove", name, fs.ErrNotExist)
	}
	if len(d.now.nodes[ino].names) > 0 {
		return failed("remove", name, errNotVoid)
	}
	d.do(op{kind: remove, dir: dir, name: last, ino: ino})
	return nil
}

func (d *Disk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.now.find(name)
	if err == nil && !d.now.nodes[ino].dir() {
		err = errNotDir
	}
	if err != nil {
		return failed("open", name, err)
	}
	d.do(op{kind: syncDir, dir: ino})
	return nil
}

func (d *Disk) Lock(name string) (io.Closer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.now.find(name)
	if errors.Is(err, fs.ErrNotExist) {
		ino, err = d.make(create, "open", name)
		if err != nil {
			return nil, err
		}
	}
	if err == nil && d.now.nodes[ino].dir() {
		err = errIsDir
	}
	if err == nil && d.locks[ino] {
		err = store.ErrBusy
	}
	if err != nil {
		return nil, failed("lock", name, err)
	}
	d.locks[ino] = true
	return &held{d, ino}, nil
}

type held struct {
	d   *Disk
	ino int
}

func (h *held) Close() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	delete(h.d.locks, h.ino)
	return nil
}

type file struct {
	d   *Disk
	ino int
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	data := f.d.now.nodes[f.ino].data
	if off >= int64(len(data)) {
		return 0, io.EOF
	}
	n := copy(p, data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Stat() (store.Info, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	return f.d.info(f.ino), nil
}

func (f *file) Close() error { return nil }

type writer struct {
	d      *Disk
	ino    int
	name   string
	closed bool
}

func (w *writer) op(operation string, o op) error {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	if w.closed {
		return failed(operation, w.name, fs.ErrClosed)
	}
	o.ino = w.ino
	w.d.do(o)
	return nil
}

func (w *writer) Write(p []byte) (int, error) {
	if err := w.op("write", op{kind: write, data: slices.Clone(p)}); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *writer) Seal() error { return w.op("chmod", op{kind: seal}) }
func (w *writer) Sync() error { return w.op("sync", op{kind: syncFile}) }

func (w *writer) Close() error {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	if w.closed {
		return failed("close", w.name, fs.ErrClosed)
	}
	w.closed = true
	return nil
}

// WriteFile puts a file, with its directories, as if it had been there for long.
func (d *Disk) WriteFile(name, data string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir := 1
	parts := strings.Split(clean(name)[1:], "/")
	for _, part := range parts[:len(parts)-1] {
		child := d.now.nodes[dir].names[part]
		if child == 0 {
			child = d.now.last + 1
			d.do(op{kind: mkdir, dir: dir, name: part, ino: child, durable: true})
		}
		dir = child
	}
	last := parts[len(parts)-1]
	ino := d.now.nodes[dir].names[last]
	if ino == 0 {
		ino = d.now.last + 1
		d.do(op{kind: create, dir: dir, name: last, ino: ino, durable: true})
	}
	d.do(op{kind: cut, ino: ino, durable: true})
	d.do(op{kind: write, ino: ino, data: []byte(data), durable: true})
}

// ReadFile is the content of a file; ok is false without one.
func (d *Disk) ReadFile(name string) (data string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ino, err := d.now.find(name)
	if err != nil || d.now.nodes[ino].dir() {
		return "", false
	}
	return string(d.now.nodes[ino].data), true
}

// Files are the names of all regular files, sorted.
func (d *Disk) Files() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	d.now.walk(1, "", func(name string, n *node) {
		if !n.dir() {
			out = append(out, name)
		}
	})
	return out
}
