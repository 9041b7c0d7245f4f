package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"asz/native/store"
	"asz/native/store/crash"
)

// disks are the implementations of store.FS; what holds for one holds for all.
func disks(t *testing.T, test func(t *testing.T, disk store.FS, dir string)) {
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		test(t, store.Disk(), filepath.ToSlash(t.TempDir()))
	})
	t.Run("recording", func(t *testing.T) {
		t.Parallel()
		test(t, crash.New(), "/")
	})
}

func write(t *testing.T, disk store.FS, name, data string) {
	t.Helper()
	w, err := disk.Append(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Sync(), w.Close()); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, disk store.ReadFS, name string) string {
	t.Helper()
	f, err := disk.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, info.Size)
	if n, err := f.ReadAt(data, 0); n != len(data) {
		t.Fatal(err)
	}
	return string(data)
}

func wantIs(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", what, err, want)
	}
}

func TestDisksAgree(t *testing.T) {
	t.Parallel()
	disks(t, func(t *testing.T, disk store.FS, dir string) {
		at := func(name string) string { return dir + "/" + name }
		if err := disk.Mkdir(at("a")); err != nil {
			t.Fatal(err)
		}
		wantIs(t, "Mkdir of what is there", disk.Mkdir(at("a")), fs.ErrExist)
		wantIs(t, "Mkdir below nothing", disk.Mkdir(at("b/c")), fs.ErrNotExist)
		w, err := disk.Create(at("a/one"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = disk.Create(at("a/one"))
		wantIs(t, "Create of what is there", err, fs.ErrExist)
		_, err = disk.Create(at("b/one"))
		wantIs(t, "Create below nothing", err, fs.ErrNotExist)
		if _, err := w.Write([]byte("first")); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Seal(), w.Sync(), w.Close()); err != nil {
			t.Fatal(err)
		}
		info, err := disk.Stat(at("a/one"))
		if err != nil || info.Size != 5 || info.Mode != 0o444 {
			t.Errorf("sealed file: %+v, %v", info, err)
		}
		if os.Getuid() != 0 { // root may write everything
			_, err = disk.Append(at("a/one"), 0)
			wantIs(t, "Append to a sealed file", err, fs.ErrPermission)
		}
		wantIs(t, "Link from nothing", disk.Link(at("a/none"), at("a/x")), fs.ErrNotExist)
		if err := disk.Link(at("a/one"), at("a/two")); err != nil {
			t.Fatal(err)
		}
		wantIs(t, "Link to what is there", disk.Link(at("a/one"), at("a/two")), fs.ErrExist)
		one, _ := disk.Stat(at("a/one"))
		if two, err := disk.Stat(at("a/two")); err != nil || two != one {
			t.Errorf("linked file: %+v, %v, want %+v", two, err, one)
		}
		write(t, disk, at("a/three"), "third")
		if err := disk.Rename(at("a/three"), at("a/one")); err != nil {
			t.Fatal(err)
		}
		if got := read(t, disk, at("a/one")) + read(t, disk, at("a/two")); got != "thirdfirst" {
			t.Errorf("after the renaming: %q", got)
		}
		wantIs(t, "Rename of nothing", disk.Rename(at("a/three"), at("a/one")), fs.ErrNotExist)
		_, err = disk.Stat(at("a/three"))
		wantIs(t, "Stat of nothing", err, fs.ErrNotExist)
		_, err = disk.Open(at("a/three"))
		wantIs(t, "Open of nothing", err, fs.ErrNotExist)
		if _, err = disk.Open(at("a")); err == nil {
			t.Error("a directory was opened as a file")
		}
		_, err = disk.ReadDir(at("none"))
		wantIs(t, "ReadDir of nothing", err, fs.ErrNotExist)
		if _, err := disk.ReadDir(at("a/one")); err == nil {
			t.Error("a file was listed")
		}
		entries, err := disk.ReadDir(at("a"))
		if err != nil || len(entries) != 2 || entries[0] != (store.Entry{Name: "one", Regular: true}) {
			t.Errorf("entries: %v, %v", entries, err)
		}
		if entries, err := disk.ReadDir(dir); err != nil || len(entries) != 1 || entries[0] != (store.Entry{Name: "a", Dir: true}) {
			t.Errorf("entries: %v, %v", entries, err)
		}
		if err := disk.SyncDir(at("a")); err != nil {
			t.Error(err)
		}
		wantIs(t, "SyncDir of nothing", disk.SyncDir(at("none")), fs.ErrNotExist)
		if err := disk.Remove(at("a")); err == nil {
			t.Error("a directory with files was removed")
		}
		if err := disk.Remove(at("a/two")); err != nil {
			t.Error(err)
		}
		wantIs(t, "Remove of nothing", disk.Remove(at("a/two")), fs.ErrNotExist)
	})
}

func TestDisksAppend(t *testing.T) {
	t.Parallel()
	disks(t, func(t *testing.T, disk store.FS, dir string) {
		name := dir + "/log"
		appendAt := func(from int64, data string) {
			t.Helper()
			w, err := disk.Append(name, from)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(data)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err == nil {
				t.Error("closed twice")
			}
			if _, err := w.Write([]byte("x")); err == nil {
				t.Error("written after the closing")
			}
		}
		appendAt(0, "abcdef")
		appendAt(6, "gh")
		appendAt(3, "X")
		if got := read(t, disk, name); got != "abcX" {
			t.Errorf("got %q", got)
		}
		if _, err := disk.Append(name, 5); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("appended behind the end: %v", err)
		}
		f, err := disk.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		buf := make([]byte, 10)
		if n, err := f.ReadAt(buf, 2); n != 2 || err == nil {
			t.Errorf("read %d, %v at the end", n, err)
		}
	})
}

func TestDisksLock(t *testing.T) {
	t.Parallel()
	disks(t, func(t *testing.T, disk store.FS, dir string) {
		first, err := disk.Lock(dir + "/.lock")
		if err != nil {
			t.Fatal(err)
		}
		_, err = disk.Lock(dir + "/.lock")
		wantIs(t, "a held lock", err, store.ErrBusy)
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := disk.Lock(dir + "/.lock")
		if err != nil {
			t.Fatal(err)
		}
		again.Close()
		_, err = disk.Lock(dir + "/none/.lock")
		wantIs(t, "a lock in no directory", err, fs.ErrNotExist)
	})
}

func TestRealDiskFollowsLinksAndRefusesPipes(t *testing.T) {
	t.Parallel()
	dir := filepath.ToSlash(t.TempDir())
	disk := store.Disk()
	if err := syscall.Mkfifo(dir+"/pipe", 0o644); err != nil {
		t.Skip(err)
	}
	if _, err := disk.Open(dir + "/pipe"); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a pipe: %v", err)
	}
	write(t, disk, dir+"/file", "x")
	for from, to := range map[string]string{"toFile": "file", "toDir": ".", "toNothing": "none"} {
		if err := os.Symlink(to, dir+"/"+from); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := disk.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Entry{
		{Name: "file", Regular: true}, {Name: "pipe"}, {Name: "toDir", Dir: true, Link: true}, {Name: "toFile", Regular: true, Link: true}, {Name: "toNothing", Link: true},
	}
	if len(entries) != len(want) {
		t.Fatalf("got %v", entries)
	}
	for i := range want {
		if entries[i] != want[i] {
			t.Errorf("got %+v, want %+v", entries[i], want[i])
		}
	}
	if got := read(t, disk, dir+"/toFile"); got != "x" {
		t.Errorf("through the link: %q", got)
	}
}
