package conform

import "asz/native/store"

// Unsynced is a disk that does not wait for what it writes: syncing is what most of a check's time goes to, and no test of
// a check ends the machine. That everything is synced is proved by the tests of a crash.
type Unsynced struct{ store.FS }

type unsyncedWriter struct{ store.Writer }

func (unsyncedWriter) Sync() error { return nil }

func (Unsynced) SyncDir(string) error { return nil }

func (u Unsynced) Create(name string) (store.Writer, error) {
	w, err := u.FS.Create(name)
	return unsyncedWriter{w}, err
}

func (u Unsynced) Append(name string, from int64) (store.Writer, error) {
	w, err := u.FS.Append(name, from)
	return unsyncedWriter{w}, err
}
