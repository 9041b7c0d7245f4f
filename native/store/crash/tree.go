package crash

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// tree is the content of a disk.
type tree struct {
	nodes map[int]*node // by inode number; 1 is the root
	last  int           // inode number
	clock int64
}

type node struct {
	names  map[string]int // of a directory
	data   []byte
	sealed bool
	mtime  int64
}

func (n *node) dir() bool { return n.names != nil }

func (t *tree) clone() *tree {
	out := &tree{nodes: make(map[int]*node, len(t.nodes)), last: t.last, clock: t.clock}
	for ino, n := range t.nodes {
		c := *n
		c.data = n.data[:len(n.data):len(n.data)]
		if n.dir() {
			c.names = make(map[string]int, len(n.names))
			for name, child := range n.names {
				c.names[name] = child
			}
		}
		out.nodes[ino] = &c
	}
	return out
}

// find is the inode of a path.
func (t *tree) find(name string) (int, error) {
	ino := 1
	for _, part := range strings.Split(clean(name)[1:], "/") {
		if part == "" {
			continue
		}
		n := t.nodes[ino]
		if !n.dir() {
			return 0, errNotDir
		}
		child, ok := n.names[part]
		if !ok {
			return 0, fs.ErrNotExist
		}
		ino = child
	}
	return ino, nil
}

var (
	errNotDir  = errors.New("not a directory")
	errIsDir   = errors.New("it is no regular file")
	errNotVoid = errors.New("directory not empty")
)

func clean(name string) string { return path.Clean("/" + name) }

// place is the directory that a path's last name stands in.
func (t *tree) place(name string) (dir int, last string, err error) {
	parent, last := path.Split(clean(name))
	dir, err = t.find(parent)
	if err == nil && !t.nodes[dir].dir() {
		err = errNotDir
	}
	return dir, last, err
}

// op is one thing done to the disk.
type op struct {
	kind    kind
	ino     int
	dir     int // whose names change, or that is synced
	name    string
	fromDir int
	from    string
	data    []byte
	size    int64
	clock   int64
	durable bool // it was there all along
}

type kind uint8

const (
	mkdir    kind = iota // dir, name, ino
	create               // dir, name, ino
	rename               // fromDir, from, dir, name, ino
	link                 // dir, name, ino
	remove               // dir, name, ino
	write                // ino, data: at the end
	cut                  // ino, size
	seal                 // ino
	syncFile             // ino
	syncDir              // dir
)

func (k kind) naming() bool { return k <= remove }

// apply does what an operation did. A name that an operation takes away may not be there, when a crash lost the operation
// that gave it.
func (t *tree) apply(o *op) {
	t.clock = max(t.clock, o.clock)
	t.last = max(t.last, o.ino)
	switch o.kind {
	case mkdir, create:
		t.born(o)
		t.nodes[o.dir].names[o.name] = o.ino
	case rename:
		if from := t.nodes[o.fromDir].names; from[o.from] == o.ino {
			delete(from, o.from)
		}
		t.nodes[o.dir].names[o.name] = o.ino
	case link:
		t.nodes[o.dir].names[o.name] = o.ino
	case remove:
		if names := t.nodes[o.dir].names; names[o.name] == o.ino {
			delete(names, o.name)
		}
	case write:
		n := t.nodes[o.ino]
		n.data, n.mtime = append(n.data, o.data...), o.clock
	case cut:
		n := t.nodes[o.ino]
		size := min(o.size, int64(len(n.data)))
		n.data, n.mtime = n.data[:size:size], o.clock // other disks may hold what is behind it
	case seal:
		t.nodes[o.ino].sealed = true
	}
}

// born makes the inode that an operation made, whether its name lasted or not.
func (t *tree) born(o *op) {
	if t.nodes[o.ino] != nil {
		return
	}
	n := &node{mtime: o.clock}
	if o.kind == mkdir {
		n.names = map[string]int{}
	}
	t.nodes[o.ino] = n
}

func (t *tree) walk(ino int, at string, visit func(name string, n *node)) {
	n := t.nodes[ino]
	visit(at, n)
	names := make([]string, 0, len(n.names))
	for name := range n.names {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.walk(n.names[name], at+"/"+name, visit)
	}
}
