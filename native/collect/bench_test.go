package collect_test

import (
	"context"
	"testing"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/store"
)

// unsynced is a disk that promises nothing: what is measured is the work, not the disk.
type unsynced struct{ store.FS }

type unsyncedWriter struct{ store.Writer }

func (unsyncedWriter) Sync() error { return nil }

func (unsynced) SyncDir(string) error { return nil }

func (u unsynced) Create(name string) (store.Writer, error) {
	w, err := u.FS.Create(name)
	return unsyncedWriter{w}, err
}

func (u unsynced) Append(name string, from int64) (store.Writer, error) {
	w, err := u.FS.Append(name, from)
	return unsyncedWriter{w}, err
}

// BenchmarkLanding lands a made history of 40 MB in 20 sessions.
func BenchmarkLanding(b *testing.B) {
	src := b.TempDir()
	written, err := claudecode.History{Seed: 1, Sessions: 20, Bytes: 40e6}.Write(store.Disk(), src)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(written.Bytes)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := settle(options(store.Disk(), src, unsynced{store.Disk()}, b.TempDir())); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNothingNew makes passes over 1,000 sessions that are landed.
func BenchmarkNothingNew(b *testing.B) {
	src := b.TempDir()
	if _, err := (claudecode.History{Seed: 1, Sessions: 1000, Bytes: 1}).Write(store.Disk(), src); err != nil {
		b.Fatal(err)
	}
	o := options(store.Disk(), src, unsynced{store.Disk()}, b.TempDir())
	if _, err := settle(o); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if r := collect.Pass(context.Background(), o); r.Landed > 0 || len(r.Errors) > 0 {
			b.Fatalf("%+v", r)
		}
	}
}
