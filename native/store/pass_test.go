package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"asz/native/store"
	"asz/native/store/crash"
)

// TestEveryOperationFails lets each operation of the disk fail once: there is an error, what is in the root stays sound,
// and the next pass completes it.
func TestEveryOperationFails(t *testing.T) {
	t.Parallel()
	srcs := sources()
	early := sources()
	early[0].lines, early[2].lines = 1, 0
	silent := 0
	for at := 0; ; at++ {
		disk := crash.New()
		if err := collect(&store.Root{FS: disk, Dir: "/data"}, early); err != nil {
			t.Fatal(err)
		}
		faults := &crash.Faults{FS: disk, At: at, Err: syscall.ENOSPC}
		err := collect(&store.Root{FS: faults, Dir: "/data"}, srcs)
		if !faults.Failed() {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if err == nil {
			silent++ // reading a cursor, giving back the lock: nothing is lost by it
		} else if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), session) {
			t.Errorf("operation %d: %v", at, err)
		}
		root := &store.Root{FS: disk, Dir: "/data"}
		if err := sound(root, srcs); err != nil {
			t.Errorf("operation %d: %v", at, err)
		}
		if err := collect(root, srcs); err != nil {
			t.Errorf("operation %d, next pass: %v", at, err)
		}
		if err := whole(root, srcs); err != nil {
			t.Errorf("operation %d, next pass: %v", at, err)
		}
	}
	if silent > 15 {
		t.Errorf("%d failures of the disk were not told", silent)
	}
}

func TestAFailedPassDoesNothingMore(t *testing.T) {
	t.Parallel()
	faults := &crash.Faults{FS: crash.New(), At: -1, Err: syscall.EIO}
	root := &store.Root{FS: faults, Dir: "/data"}
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Begin(stamp)
	if _, err := p.NextSeq(); err != nil {
		t.Fatal(err)
	}
	faults.At = faults.Count + 3
	src := sources()[0]
	one := func(l *store.Landing) error { return l.Record(line(src, 1)) }
	if _, err := p.Land(header(src), one); !errors.Is(err, syscall.EIO) {
		t.Fatalf("got %v", err)
	}
	count := faults.Count
	_, landing := p.Land(header(src), one)
	_, after := p.LandedAfter(src.Source, 0)
	for what, err := range map[string]error{
		"Land": landing, "LandedAfter": after, "SetCursor": p.SetCursor(src.Source, store.Cursor{State: store.Active}), "Commit": p.Commit(), "Reindex": p.Reindex(),
	} {
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("%s after a failure: %v", what, err)
		}
	}
	if faults.Count != count {
		t.Error("the disk was touched after a failure")
	}
}

func TestCursorsRoundTrip(t *testing.T) {
	t.Parallel()
	root := memory()
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	sha := strings.Repeat("ab", 32)
	for _, path := range []string{"/a", "", " ", "  a  b ", "a\nstate active\n", "\\n", "\\", "a\r\n", "\xff\x00", "\\\\n\n"} {
		src := sources()[0]
		c := store.Cursor{
			Source: path, Dev: 1<<64 - 1, Ino: 2, Offset: 3, Ord: 4, LastUUID: path, Tail: sha, Size: 5, MTime: -6, LastSeq: 7,
			UpdatedAt: "2026-01-01T00:00:00Z", State: store.SourceGone,
		}
		if err := p.SetCursor(src.Source, c); err != nil {
			t.Fatal(err)
		}
		if back, ok := p.Cursor(src.Source); !ok || back != c {
			t.Errorf("got %+v, want %+v", back, c)
		}
		src = sources()[1]
		c = store.Cursor{Source: path, ContentSHA: sha, Size: 5, State: store.Conflict}
		if err := p.SetCursor(src.Source, c); err != nil {
			t.Fatal(err)
		}
		if back, ok := p.Cursor(src.Source); !ok || back != c {
			t.Errorf("got %+v, want %+v", back, c)
		}
	}
	text := read(t, root.FS, "/root/"+session+"/streams/main/transcript.cursor")
	var keys []string
	for line := range strings.Lines(text) {
		key, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		keys = append(keys, key)
	}
	want := strings.Fields("schema kind source dev ino offset ord last_uuid tail_sha256 size mtime last_seq updated_at state")
	if !reflect.DeepEqual(keys, want) {
		t.Errorf("keys %v, want %v", keys, want)
	}
	if err := p.SetCursor(sources()[0].Source, store.Cursor{State: "odd"}); err == nil {
		t.Error("a cursor that cannot be read was written")
	}
}

func TestGarbageIsAbsent(t *testing.T) {
	t.Parallel()
	srcs := sources()
	disk := crash.New()
	root := &store.Root{FS: disk, Dir: "/data"}
	if err := collect(root, srcs); err != nil {
		t.Fatal(err)
	}
	for _, name := range disk.Files() {
		if strings.HasSuffix(name, ".sd") || strings.HasSuffix(name, ".lock") {
			continue
		}
		good, _ := disk.ReadFile(name)
		bads := []string{"", "\n", "garbage", "schema 2\n", good + good, good + "x", strings.Repeat("x", len(good)), strings.Repeat("y", 2<<20)}
		for n := range len(good) {
			bads = append(bads, good[:n])
		}
		for i, bad := range bads {
			disk.WriteFile(name, bad)
			if err := collect(root, srcs); err != nil {
				t.Fatalf("%s as garbage %d: %v", name, i, err)
			}
			if index, err := root.Session(session).Index(); errors.Is(err, store.ErrDamaged) {
				if !strings.HasSuffix(name, "entries.bin") {
					t.Fatalf("%s as garbage %d: %v", name, i, err)
				}
				// Only reading shows it; who reads then builds anew.
			} else if err != nil || index.Records != 6 {
				t.Fatalf("%s as garbage %d: %d records, %v", name, i, index.Records, err)
			}
			if err := whole(&store.Root{FS: healed(t, root), Dir: "/data"}, srcs); err != nil {
				t.Fatalf("%s as garbage %d: %v", name, i, err)
			}
		}
		disk.WriteFile(name, good)
		disk.Settle()
	}
}

// healed is the disk after a reader that meets a damaged index has built it anew.
func healed(t *testing.T, root *store.Root) *crash.Disk {
	t.Helper()
	if _, err := root.Session(session).Index(); err != nil {
		p, err := root.Session(session).Lock()
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if err := p.Reindex(); err != nil {
			t.Fatal(err)
		}
	}
	return root.FS.(*crash.Disk)
}

func TestSeqGoesOnFromWhateverIsKnown(t *testing.T) {
	t.Parallel()
	next := func(disk *crash.Disk) int64 {
		p, err := (&store.Root{FS: disk, Dir: "/root"}).Session(session).Lock()
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		n, err := p.NextSeq()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	dir := "/root/" + session
	for _, keep := range []string{".sd", "session.state", "index/index.state"} {
		root := memory()
		disk := root.FS.(*crash.Disk)
		for range 3 {
			land(t, root, full())
		}
		for _, name := range disk.Files() {
			if !strings.HasSuffix(name, keep) && !strings.HasSuffix(name, ".lock") {
				if err := disk.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := next(disk); got != 4 {
			t.Errorf("with only %s the next seq is %d, want 4", keep, got)
		}
	}
	disk := crash.New()
	disk.WriteFile("/root/_conversations/"+session+"/rounds/r000002-0123456789ab.sf", `{"t":"header","through_seq":9}`+"\n")
	disk.WriteFile("/root/_conversations/"+session+"/rounds/r000001-0123456789ab.sf", `{"t":"header","through_seq":5}`+"\n")
	disk.WriteFile("/root/_conversations/"+session+"/rounds/r000009-0123456789ab.sf", "garbage")
	disk.WriteFile("/root/_conversations/"+session+"/rounds/note.txt", "garbage")
	if got := next(disk); got != 10 {
		t.Errorf("with only a chain the next seq is %d, want 10", got)
	}
	disk = crash.New()
	disk.WriteFile(dir+"/streams/main/transcript-20260102T030405.000000006Z-1234567.sd", "")
	if got := next(disk); got != 1234568 {
		t.Errorf("after a seq of seven digits comes %d", got)
	}
}

func TestNamesThatAreNotOursArePassedOver(t *testing.T) {
	t.Parallel()
	disk := crash.New()
	good := "transcript-20260102T030405.000000006Z-000001.sd"
	for _, name := range []string{
		good + ".bak", "x" + good, "transcript-000001.sd", "transcript-20260102T030405Z-000001.sd", "transcript-20261302T030405.000000006Z-000001.sd",
		"transcript-20260102T030405.000000006Z-1.sd", "transcript-20260102T030405.000000006Z-0000001.sd", "transcript-20260102T030405.000000006Z-000000.sd",
		"transcript-20260102T030405.000000006Z-99999999999999999999.sd", "transcript-20260102T030405.000000006Z--00001.sd", "transcript-20260102T030405.000000006Z-+00001.sd",
		"journal-20260102T030405.000000006Z-000001.sd", "Transcript-20260102T030405.000000006Z-000001.sd", ".sd", "-.sd", "transcript.cursor", "transcript-20260102T030405.000000006Z-000002.sd/inside",
	} {
		disk.WriteFile("/root/"+session+"/streams/main/"+name, "x")
	}
	disk.WriteFile("/root/"+session+"/streams/.hidden/"+good, "x")
	disk.WriteFile("/root/"+session+"/streams/"+good, "x")
	disk.WriteFile("/root/"+session+"/runs/wf_x/"+good, "x")
	disk.WriteFile("/root/"+session+"/streams/main/"+good, "right")
	disk.WriteFile("/root/_conversations/x/streams/main/"+good, "x")
	disk.WriteFile("/root/notes/text", "x")
	disk.WriteFile("/root/push.state", "x")
	root := &store.Root{FS: disk, Dir: "/root"}
	got, err := root.Session(session).Landed()
	want := []store.Landed{{
		Seq: 1, Kind: store.Transcript, Stream: "main", Name: good, Path: "/root/" + session + "/streams/main/" + good, Stamp: "20260102T030405.000000006Z", Size: 5,
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if ids, err := root.Sessions(); err != nil || !reflect.DeepEqual(ids, []string{session}) {
		t.Errorf("sessions %q, %v", ids, err)
	}
	if ids, err := (&store.Root{FS: disk, Dir: "/none"}).Sessions(); err != nil || ids != nil {
		t.Errorf("a missing root has %q, %v", ids, err)
	}
	// A directory that cannot be looked into may be a session: were it passed over, a root would seem whole without it.
	root.FS = shut{disk, "/root/notes/"}
	if ids, err := root.Sessions(); err != nil || !reflect.DeepEqual(ids, []string{session, "notes"}) {
		t.Errorf("sessions %q, %v", ids, err)
	}
}

// shut is a disk on which nothing below a directory may be looked at.
type shut struct {
	store.FS
	dir string
}

func (c shut) Stat(name string) (store.Info, error) {
	if strings.HasPrefix(name, c.dir) {
		return store.Info{}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrPermission}
	}
	return c.FS.Stat(name)
}

func TestIdsThatCannotNameADirectory(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", ".", "..", "a/b", "../x", "_conversations", ".lock", "a\\b", "a\nb", "a\x00", "\xff", strings.Repeat("x", 300)} {
		root := memory()
		if _, err := root.Session(id).Lock(); err == nil {
			t.Errorf("session %q was locked", id)
		}
		p, err := root.Session(session).Lock()
		if err != nil {
			t.Fatal(err)
		}
		p.Begin(stamp)
		h := header(sources()[0])
		h.Stream = id
		if l, err := p.Land(h, func(l *store.Landing) error { return l.Record(full()) }); err == nil {
			t.Errorf("landed as %s", l.Path)
		}
		p.Close()
	}
}

func TestLeftoversAreRemovedAndLocksHold(t *testing.T) {
	t.Parallel()
	root := memory()
	disk := root.FS.(*crash.Disk)
	land(t, root, full())
	var left []string
	for _, dir := range []string{"", "/streams/main", "/index", "/streams"} {
		left = append(left, "/root/"+session+dir+"/.tmp-x")
		disk.WriteFile(left[len(left)-1], "x")
	}
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if _, ok := disk.ReadFile(name); ok {
			t.Errorf("%s is left", name)
		}
	}
	_, err = root.Session(session).Lock()
	wantIs(t, "a session that is held", err, store.ErrBusy)
	p.Close()
	p, err = root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
}

func TestRealRoot(t *testing.T) {
	t.Parallel()
	dir := filepath.ToSlash(t.TempDir())
	root := &store.Root{FS: store.Disk(), Dir: dir + "/a/b/root"}
	elsewhere := dir + "/elsewhere"
	for _, name := range []string{elsewhere, root.Dir + "/" + session + "/streams"} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, root.Dir+"/"+session+"/streams/main"); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if l := land(t, root, full()); l.Seq != int64(n+1) {
			t.Errorf("seq %d, want %d", l.Seq, n+1)
		}
	}
	landed, err := root.Session(session).Landed()
	if err != nil || len(landed) != 3 {
		t.Errorf("landed through a link: %v, %v", landed, err)
	}
	sameIndexAnew(t, root)
	other := &store.Root{FS: store.Disk(), Dir: dir + "/new/deep/root"}
	land(t, other, full())
	if os.Getuid() == 0 {
		return // root may write everything
	}
	if err := os.Chmod(elsewhere, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(elsewhere, 0o755)
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Begin(stamp)
	_, err = p.Land(header(sources()[0]), func(l *store.Landing) error { return l.Record(full()) })
	if !errors.Is(err, os.ErrPermission) || !strings.Contains(fmt.Sprint(err), "main") {
		t.Errorf("landing in a directory that may not be written: %v", err)
	}
}
