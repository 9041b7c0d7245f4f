// Package store keeps Session Data: landed files, their cursors and index, rounds, and the locks around them. Landed files
// and rounds are written once, carry their own digest and never change. The disk is touched only through FS, so that a
// recording one can replay what a crash leaves.
package store

import "errors"

var (
	// ErrBusy says that another process holds a lock.
	ErrBusy = errors.New("another process works on it")
	// ErrDamaged says that a file is not what its closing line or checksum says.
	ErrDamaged = errors.New("the file is damaged")
)
