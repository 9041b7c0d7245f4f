package store

import (
	"io"
	"io/fs"
)

// ReadFS reads files. Names are absolute or relative to the working directory, with forward slashes; links are followed.
// Errors satisfy errors.Is with those of io/fs.
type ReadFS interface {
	// Open opens a file for reading. Opening what is no regular file is an error, and never waits (a FIFO).
	Open(name string) (File, error)
	Stat(name string) (Info, error)
	// ReadDir lists a directory by name.
	ReadDir(name string) ([]Entry, error)
}

// FS is all that the store does to a disk. What was written is on the disk only after Sync; that a name was made, given or
// taken away, only after SyncDir of its directory.
type FS interface {
	ReadFS
	// Nowhere tells a link that leads to nothing, as to a disk that is not mounted.
	Nowhere(name string) bool
	// Create makes a new file, for reading only once it is closed; a name that exists is fs.ErrExist.
	Create(name string) (Writer, error)
	// Append opens a file, made when missing, to write from an offset on: what lies behind it is cut off.
	Append(name string, from int64) (Writer, error)
	// Mkdir makes one directory; one that exists is fs.ErrExist.
	Mkdir(name string) error
	// Rename gives a file a new name and replaces what had that name.
	Rename(from, to string) error
	// Link gives a file a second name; a name that exists is fs.ErrExist.
	Link(from, to string) error
	Remove(name string) error
	SyncDir(name string) error
	// Lock takes a file, made when missing, for this process until it is closed; held by another it is ErrBusy.
	Lock(name string) (io.Closer, error)
}

// File is an open file that is read.
type File interface {
	io.ReaderAt
	io.Closer
	Stat() (Info, error)
}

// Writer is an open file that is written.
type Writer interface {
	io.Writer
	// Seal takes away the permission to write (0444).
	Seal() error
	Sync() error
	Close() error
}

// Info is what is known of a file.
type Info struct {
	Size  int64
	Mode  fs.FileMode // type and permissions
	MTime int64       // nanoseconds since 1970
	Dev   uint64
	Ino   uint64
}

// Entry is a name in a directory. Dir and Regular look through links, and neither is set for one that leads nowhere; Link
// says that it is a link.
type Entry struct {
	Name    string
	Dir     bool
	Regular bool
	Link    bool
}
