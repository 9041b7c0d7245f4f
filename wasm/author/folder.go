//go:build js && wasm

package main

import (
	"bytes"
	"io/fs"
	"path"
	"syscall/js"
	"time"
)

// folder reads the plain files of a folder in one call to Node for each: by way of
// package os a file takes ten, each of which costs as much as reading it. Whatever
// is no plain file, or cannot be read, is left to the folder that knows about links
// and errors.
type folder struct {
	fs.FS
	full string
	told js.Value // see launch.cjs
}

// Stat tells of a file; its times and permissions are not known.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	if fs.ValidPath(name) {
		if size := f.told.Call("size", f.full, name); size.Type() == js.TypeNumber {
			return info{path.Base(name), int64(size.Float())}, nil
		}
	}
	return fs.Stat(f.FS, name)
}

// plain is what a plain file holds.
func (f folder) plain(name string) (data []byte, ok bool) {
	if !fs.ValidPath(name) {
		return nil, false
	}
	read := f.told.Call("read", f.full, name)
	if read.Type() != js.TypeObject {
		return nil, false
	}
	data = make([]byte, read.Length())
	js.CopyBytesToGo(data, read)
	return data, true
}

func (f folder) ReadFile(name string) ([]byte, error) {
	if data, ok := f.plain(name); ok {
		return data, nil
	}
	return fs.ReadFile(f.FS, name)
}

func (f folder) Open(name string) (fs.File, error) {
	if data, ok := f.plain(name); ok {
		return file{bytes.NewReader(data), info{path.Base(name), int64(len(data))}}, nil
	}
	return f.FS.Open(name)
}

func (f folder) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.FS, name) }
func (f folder) Lstat(name string) (fs.FileInfo, error)     { return fs.Lstat(f.FS, name) }
func (f folder) ReadLink(name string) (string, error)       { return fs.ReadLink(f.FS, name) }

// file is a file that was read.
type file struct {
	*bytes.Reader
	info
}

func (f file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (file) Close() error                 { return nil }

// Size is the reader's and the info's.
func (f file) Size() int64 { return f.info.size }

// info tells of a plain file.
type info struct {
	name string
	size int64
}

func (i info) Name() string     { return i.name }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o444 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
