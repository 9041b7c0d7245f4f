package fold_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
)

// lines are the record lines of each source, in order, and how many files hold them.
func (b *bed) lines() (lines map[string][]string, files int) {
	b.Helper()
	lines = map[string][]string{}
	landed, err := b.root.Session(b.id).Landed()
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range landed {
		f, err := store.OpenLanded(b.root.FS, l.Path)
		if err == nil {
			err = f.Each(func(_ int, line []byte) error {
				key := string(l.Kind) + " " + l.Stream + l.Batch
				lines[key] = append(lines[key], string(line))
				return nil
			})
			f.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return lines, len(landed)
}

func TestRepack(t *testing.T) {
	t.Parallel()
	root := historyRoot(t, crash.New(), "/root", histories(t))
	ids, err := root.Sessions()
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int64{1, 5000, 1 << 40} {
		to := &store.Root{FS: crash.New(), Dir: "/new/root"}
		o := fold.RepackOptions{MaxDeltaBytes: most, MaxRoundBytes: -1, At: bedStart}
		err := fold.Repack(root, to, ids, o, func(r *fold.Repacked) error {
			old, now := &bed{TB: t, root: root, id: r.Session}, &bed{TB: t, root: to, id: r.Session}
			want, before := old.lines()
			got, after := now.lines()
			records := 0
			for key := range want {
				records += len(want[key])
				if !slices.Equal(got[key], want[key]) {
					t.Errorf("%s at %d: the lines of %s are others", r.Session, most, key)
				}
			}
			if r.FilesIn != before || r.FilesOut != after || r.Records != int64(records) || most == 1 && after != records || len(r.Lost) > 0 {
				t.Errorf("%s at %d: %d files became %d: %+v", r.Session, most, before, after, r)
			}
			now.finds()
			now.foldsAsAssembled()
			was, err := old.root.Session(old.id).Cursors()
			if err != nil {
				t.Fatal(err)
			}
			is, err := now.root.Session(now.id).Cursors()
			if err != nil || len(is) != len(was) {
				t.Fatalf("%d of %d cursors: %v", len(is), len(was), err)
			}
			landed, _ := now.root.Session(now.id).Landed()
			for i := range is {
				var last int64
				for _, l := range landed {
					if l.Kind == is[i].Source.Kind && l.Stream == is[i].Source.Stream && l.Batch == is[i].Source.Batch {
						last = l.Seq
					}
				}
				if is[i].Cursor.LastSeq != last || is[i].Cursor.Offset != was[i].Cursor.Offset || is[i].Cursor.Tail != was[i].Cursor.Tail {
					t.Errorf("%s at %d: the cursor %+v became %+v", r.Session, most, was[i], is[i])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRepackRefuses(t *testing.T) {
	t.Parallel()
	b := scenarioBed(t, crash.New(), "/root", grown, "")
	o := fold.RepackOptions{MaxDeltaBytes: 1, At: bedStart}
	none := func(*fold.Repacked) error { return nil }
	for _, dir := range []string{"/root", "/root/new"} {
		if err := fold.Repack(b.root, &store.Root{FS: b.root.FS, Dir: dir}, []string{b.id}, o, none); err == nil || !strings.Contains(err.Error(), "lie in each other") {
			t.Errorf("%s: %v", dir, err)
		}
	}
	other := crash.New()
	other.WriteFile("/other/x", "")
	if err := fold.Repack(b.root, &store.Root{FS: other, Dir: "/other"}, []string{b.id}, o, none); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Error(err)
	}
	name := b.landedFiles()[0]
	b.rewrite(name, strings.Replace(b.read(name), "begin", "began", 1))
	if err := fold.Repack(b.root, &store.Root{FS: crash.New(), Dir: "/new"}, []string{b.id}, o, none); !errors.Is(err, store.ErrDamaged) {
		t.Error(err)
	}
}

// TestParseRefuses: chains that are held by another parse or are not what they should be.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	whole := scenarioBed(t, crash.New(), "/root", grown, "one")
	whole.parse(0)
	whole.build(grown, "")
	parse := func(b *bed, want string) {
		t.Helper()
		before := shown(b.disk())
		_, err := fold.Parse(b.root, b.id, fold.ParseOptions{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the parse says %v and not %q", err, want)
		}
		if shown(b.disk()) != before {
			t.Error("the rounds are changed")
		}
	}
	held := whole.on(whole.disk().Restart())
	lock, err := held.root.Conversation(held.id).Lock()
	if err != nil {
		t.Fatal(err)
	}
	parse(held, store.ErrBusy.Error())
	lock.Close()

	broken := whole.on(whole.disk().Restart())
	rounds := broken.files(".sf")
	broken.rewrite(rounds[0], strings.Replace(broken.read(rounds[0]), "begin", "began", 1)+" ")
	parse(broken, "cannot be continued")

	stray := whole.on(whole.disk().Restart())
	stray.add(strings.Replace(rounds[0], "r000001", "r000003", 1), "garbage")
	parse(stray, "round 2 is missing")

	// While a collector holds the session, its index is taken as it stands.
	collected := whole.on(whole.disk().Restart())
	pass, err := collected.root.Session(collected.id).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer pass.Close()
	if r := collected.parse(0); len(r.Written) != 1 {
		t.Errorf("%d rounds are written", len(r.Written))
	}
	collected.foldsAsAssembled()
}

// TestRepackForeignFile: a landed file of another session does not become one of this.
func TestRepackForeignFile(t *testing.T) {
	t.Parallel()
	b := scenarioBed(t, crash.New(), "/root", grown, "")
	other := strings.Replace(b.id, "1", "2", 1)
	for _, name := range b.landedFiles() {
		b.disk().WriteFile(strings.Replace(name, b.id, other, 1), b.read(name))
	}
	to := &store.Root{FS: crash.New(), Dir: "/new"}
	err := fold.Repack(b.root, to, []string{other}, fold.RepackOptions{MaxDeltaBytes: 1, At: bedStart}, func(*fold.Repacked) error { return nil })
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "that of session \""+b.id) {
		t.Errorf("repacking says %v", err)
	}
}
