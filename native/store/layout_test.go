package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asz/native/store"
	"asz/native/store/crash"
)

// TestLinksThatLeadNowhere: what stands behind one, as on a disk that is not mounted, is not taken for what is not there.
func TestLinksThatLeadNowhere(t *testing.T) {
	t.Parallel()
	for _, name := range []string{session, session + "/streams", session + "/streams/main", session + "/index", "_conversations", "_conversations/" + session, "_conversations/" + session + "/rounds"} {
		root := &store.Root{FS: store.Disk(), Dir: t.TempDir()}
		land(t, root, full())
		if err := os.MkdirAll(filepath.Join(root.Dir, "_conversations", session, "rounds"), 0o755); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(root.Dir, name)
		if err := errors.Join(os.RemoveAll(file), os.Symlink(filepath.Join(root.Dir, "not-mounted"), file)); err != nil {
			t.Fatal(err)
		}
		if name == session {
			ids, err := root.Sessions()
			if err != nil || !slices.Contains(ids, session) {
				t.Errorf("the sessions are %v, %v", ids, err)
			}
		}
		var err error
		switch {
		case name == "_conversations":
			_, err = root.Conversations()
		case strings.HasPrefix(name, "_"):
			var ids []string
			if ids, err = root.Conversations(); err != nil || !slices.Contains(ids, session) {
				t.Errorf("%s: the chains are %v, %v", name, ids, err)
			}
			_, _, err = root.Conversation(session).Rounds()
		default:
			_, err = root.Session(session).Landed()
		}
		if err == nil || !strings.Contains(err.Error(), name+" is a link that leads nowhere") {
			t.Errorf("%s: reading says %v", name, err)
		}
		p, err := root.Session(session).Lock()
		if err == nil {
			p.Begin(stamp)
			_, err = p.NextSeq()
			p.Close()
		}
		if err == nil || !strings.Contains(err.Error(), name+" is a link that leads nowhere") {
			t.Errorf("%s: the pass says %v", name, err)
		}
	}
}

// TestOddLandedFiles: names of landed files that are none are told, and not read.
func TestOddLandedFiles(t *testing.T) {
	t.Parallel()
	root := &store.Root{FS: store.Disk(), Dir: t.TempDir()}
	l := land(t, root, full())
	odd := strings.Replace(l.Path, "-000001", "-000002", 1)
	if err := os.Symlink("nothing", odd); err != nil {
		t.Fatal(err)
	}
	landed, others, err := root.Session(session).Listing()
	if err != nil || len(landed) != 1 || !slices.Equal(others, []string{odd}) {
		t.Errorf("%v and %v are listed, %v", landed, others, err)
	}
}

// closed is a disk on which nothing below a directory can be looked at.
type closed struct {
	store.FS
	dir string
}

func (c *closed) Stat(name string) (store.Info, error) {
	if strings.HasPrefix(name, c.dir+"/") {
		return store.Info{}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrPermission}
	}
	return c.FS.Stat(name)
}

// TestClosedSessions: a session and a chain that cannot be looked into are listed, so that who works on them says why it cannot.
func TestClosedSessions(t *testing.T) {
	t.Parallel()
	disk := crash.New()
	land(t, &store.Root{FS: disk, Dir: "/root"}, full())
	disk.WriteFile("/root/_conversations/"+session+"/rounds/x", "")
	for _, dir := range []string{session, "_conversations/" + session} {
		root := &store.Root{FS: &closed{disk, path.Join("/root", dir)}, Dir: "/root"}
		ids, err := root.Sessions()
		if dir != session {
			ids, err = root.Conversations()
		}
		if err != nil || !slices.Contains(ids, session) {
			t.Errorf("%s: %v is listed, %v", dir, ids, err)
		}
	}
}

// TestForeignLandedFile: a landed file of another session does not come into the index as one of this.
func TestForeignLandedFile(t *testing.T) {
	t.Parallel()
	root := memory()
	disk := root.FS.(*crash.Disk)
	l := land(t, root, full())
	text, _ := disk.ReadFile(l.Path)
	other := root.Session("other")
	disk.WriteFile(strings.Replace(l.Path, session, other.ID, 1), text)
	p, err := other.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Commit(); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "its header is that of session \""+session) || strings.Count(err.Error(), "session other: ") != 1 {
		t.Errorf("indexing says %v", err)
	}
	if x, err := other.Index(); err != nil || x.Records != 0 {
		t.Errorf("the index is %+v, %v", x, err)
	}
}

// TestNoSeqLeft: behind the largest number nothing lands under a name that nobody finds again.
func TestNoSeqLeft(t *testing.T) {
	t.Parallel()
	root := memory()
	l := land(t, root, full())
	root.FS.(*crash.Disk).WriteFile(strings.Replace(l.Path, "-000001", "-9223372036854775807", 1), "")
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Begin(stamp)
	landed, err := p.Land(header(sources()[0]), func(l *store.Landing) error { return l.Record(full()) })
	if err == nil || !strings.Contains(err.Error(), "no seq is left behind 9223372036854775807") {
		t.Errorf("%+v is landed, %v", landed, err)
	}
}
