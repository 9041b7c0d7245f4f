package collect_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/store"
	"asz/native/store/crash"
)

// TestLostCursors takes cursors away, turns them back and spoils them: nothing is landed twice.
func TestLostCursors(t *testing.T) {
	for name, spoil := range map[string]func(b *bed, name, old string){
		"lost":    func(b *bed, name, _ string) { b.must(b.disk.Remove(name)) },
		"old":     func(b *bed, name, old string) { b.disk.WriteFile(name, old) },
		"empty":   func(b *bed, name, _ string) { b.disk.WriteFile(name, "") },
		"garbage": func(b *bed, name, _ string) { b.disk.WriteFile(name, strings.Repeat("\x00", 300)) },
		"cut off": func(b *bed, name, old string) { b.disk.WriteFile(name, old[:len(old)-3]) },
		"of the other kind": func(b *bed, name, old string) {
			b.disk.WriteFile(name, strings.Replace(old, "kind append", "kind snapshot", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.o.MaxDelta = 250
			b.write(mainRel, records("m", 1, 3))
			b.write(childRel, records("c", 1, 3))
			b.settle()
			old := map[string]string{}
			for _, name := range b.disk.Files() {
				if strings.HasSuffix(name, ".cursor") {
					old[name], _ = b.disk.ReadFile(name)
				}
			}
			b.append(mainRel, records("m", 4, 9))
			b.settle()
			for name, text := range old {
				spoil(b, name, text)
			}
			if r := b.settle(); r.Landed > 0 || r.Conflicts > 0 {
				t.Errorf("%+v", r)
			}
			b.whole()
			b.append(mainRel, record("m", 10))
			for name, text := range old {
				spoil(b, name, text)
			}
			if r := b.settle(); r.Records != 1 {
				t.Errorf("%+v", r)
			}
			b.whole()
		})
	}
}

// TestLostCursorOfAnotherSource has a source that is not what was landed, and no cursor to say so.
func TestLostCursorOfAnotherSource(t *testing.T) {
	b := newBed(t)
	b.write(mainRel, records("m", 1, 3))
	b.settle()
	b.edit(".cursor", func(name, _ string) { b.must(b.disk.Remove(name)) })
	b.write(mainRel, records("n", 1, 9))
	if r := b.settle(); r.Conflicts != 1 || r.Landed != 0 {
		t.Errorf("%+v", r)
	}
	if r := b.settle(); r.Conflicts != 1 || r.Landed != 0 {
		t.Errorf("%+v", r)
	}
}

// TestDamagedLandedFile needs a landed file that is not whole: it is named, and is no reason to give the source up.
func TestDamagedLandedFile(t *testing.T) {
	b := newBed(t)
	b.write(mainRel, records("m", 1, 3))
	b.settle()
	b.edit(".cursor", func(name, _ string) { b.must(b.disk.Remove(name)) })
	var whole string
	b.edit(".sd", func(name, text string) {
		whole = text
		b.must(b.disk.Remove(name))
		b.disk.WriteFile(name, strings.Replace(text, `"off":114`, `"off":113`, 1))
	})
	r := b.pass()
	if r.Conflicts > 0 || len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Text, ".sd") {
		t.Errorf("%+v", r)
	}
	b.edit(".sd", func(name, _ string) { b.disk.WriteFile(name, whole) })
	b.settle()
	b.whole()
}

// TestEachFailure lets one operation on the storage root fail after the other, and then all from one on. Errors are told, and the
// next pass makes it whole.
func TestEachFailure(t *testing.T) {
	t.Parallel()
	for _, forever := range []bool{false, true} {
		tried := 0
		for at := 0; ; at++ {
			disk := crash.New()
			history(disk)
			o := crashOptions(disk)
			faults := &crash.Faults{FS: disk, At: at, Err: syscall.ENOSPC}
			o.Root = &store.Root{FS: faults, Dir: "/data/root"}
			if forever {
				o.Root.FS = &full{FS: disk, left: at}
			}
			r := collect.Pass(context.Background(), o)
			if !forever && !faults.Failed() || forever && len(r.Errors) == 0 {
				break
			}
			tried++
			if len(r.Errors) > 2 || len(r.Errors) == 1 && r.Errors[0].Text == "" {
				t.Fatalf("failure %d: %v", at, r.Errors)
			}
			o.Root = &store.Root{FS: disk.Restart(), Dir: "/data/root"}
			all, err := wants(disk, o.Adapters[0].Discover().Sources)
			if err != nil {
				t.Fatal(err)
			}
			if err := sound(o.Root, sessionA, all); err != nil {
				t.Fatalf("failure %d: %v, after %v", at, err, r.Errors)
			}
			if _, err := settle(o); err != nil {
				t.Fatalf("failure %d: %v, after %v", at, err, r.Errors)
			}
			if err := whole(o.Root, sessionA, all); err != nil {
				t.Fatalf("failure %d: %v, after %v", at, err, r.Errors)
			}
		}
		if tried < 40 {
			t.Errorf("only %d failures", tried)
		}
		t.Log(tried, "failures, forever:", forever)
	}
}

// full is a disk that takes so many operations and then no more.
type full struct {
	store.FS
	left int
}

func (f *full) take() error {
	if f.left--; f.left < 0 {
		return syscall.ENOSPC
	}
	return nil
}

func (f *full) Create(name string) (store.Writer, error) {
	if err := f.take(); err != nil {
		return nil, err
	}
	w, err := f.FS.Create(name)
	return fullWriter{w, f}, err
}

func (f *full) Append(name string, from int64) (store.Writer, error) {
	w, err := f.FS.Append(name, from)
	return fullWriter{w, f}, err
}

func (f *full) Mkdir(name string) error { return errors.Join(f.take(), f.FS.Mkdir(name)) }

type fullWriter struct {
	store.Writer
	f *full
}

func (w fullWriter) Write(p []byte) (int, error) {
	if err := w.f.take(); err != nil {
		n, _ := w.Writer.Write(p[:len(p)/2])
		return n, err
	}
	return w.Writer.Write(p)
}

// TestFullDiskIsToldOnce has many sessions and a disk that takes nothing.
func TestFullDiskIsToldOnce(t *testing.T) {
	b := newBed(t)
	for n := range 100 {
		b.write(fmt.Sprintf("-work-p/0d4f1c52-0000-4000-8000-%012d.jsonl", n), records("m", 1, 2))
	}
	b.o.Root.FS = &full{FS: b.disk, left: 30}
	r := b.pass()
	if len(r.Errors) != 2 || r.Landed == 0 || !strings.Contains(r.Errors[0].Text, "wait for the next pass") {
		t.Errorf("%+v", r)
	}
	b.o.Root.FS = b.disk
	b.settle()
	b.whole()
}

// TestSessionThatCannotBeLocked costs only itself.
func TestSessionThatCannotBeLocked(t *testing.T) {
	b := newBed(t)
	b.write(mainRel, records("m", 1, 2))
	b.write(otherRel, records("o", 1, 2))
	b.disk.WriteFile("/root/"+sessionA+"/.lock/x", "")
	r := b.pass()
	if len(r.Errors) != 1 || r.Landed != 1 || r.Errors[0].Of != sessionA {
		t.Errorf("%+v", r)
	}
}

func TestRootThatIsNone(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{"a file": "/file", "below a file": "/file/root"} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.disk.WriteFile("/file", "mine")
			b.o.Root.Dir = dir
			b.write(mainRel, records("m", 1, 2))
			b.write(otherRel, records("m", 1, 2))
			r := b.pass()
			if text, _ := b.disk.ReadFile("/file"); text != "mine" || len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Text, "/file") {
				t.Errorf("%q, %+v", text, r)
			}
		})
	}
}

// noDirs is a disk on which nothing may be made.
type noDirs struct{ store.FS }

func (noDirs) Mkdir(name string) error {
	return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrPermission}
}

// TestRootThatCannotBeMade is told once, not once a session.
func TestRootThatCannotBeMade(t *testing.T) {
	b := newBed(t)
	b.o.Root.FS = noDirs{b.disk}
	b.write(mainRel, records("m", 1, 2))
	b.write(otherRel, records("m", 1, 2))
	if r := b.pass(); len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Text, "mkdir /root: permission denied") {
		t.Errorf("%+v", r)
	}
}

// TestClock turns the clock back between passes, and stops it.
func TestClock(t *testing.T) {
	b := newBed(t)
	b.write(mainRel, "")
	for n, at := range []time.Time{stamp, stamp, stamp.Add(-time.Hour), stamp.AddDate(-30, 0, 0), stamp.Add(time.Nanosecond), time.Unix(0, 0)} {
		b.o.Now = func() time.Time { return at }
		b.append(mainRel, record("m", n+1))
		b.write(sideRel, fmt.Sprint(n))
		if r := b.settle(); r.Landed != 2 {
			t.Errorf("%v: %+v", at, r)
		}
		b.whole()
	}
}

// TestTwoAdapters has two that find the same session: the first one's sources are read, and what only the second has.
func TestTwoAdapters(t *testing.T) {
	b := newBed(t)
	second := t.TempDir()
	b.o.Adapters = append(b.o.Adapters, adapter(store.Disk(), second, claudecode.Filter{}), b.o.Adapters[0])
	b.o.Workers = 3
	b.write(mainRel, records("m", 1, 3))
	first := b.src
	b.src = second
	b.write(mainRel, records("n", 1, 9))
	b.write(childRel, records("c", 1, 2))
	b.src = first
	for range 2 {
		if r := b.settle(); r.Conflicts != 1 || r.Busy > 0 || r.Gone > 0 || r.Sources != 2 || r.Sessions != 1 || len(r.Notes) != 1 {
			t.Errorf("%+v", r)
		}
	}
	b.write(mainRel, records("m", 1, 4))
	if r := b.settle(); r.Records != 1 {
		t.Errorf("%+v", r)
	}
	have, _, err := landed(b.o.Root, sessionA)
	b.must(err)
	if len(have) != 2 || len(have[mainSource()]) != 4 {
		t.Errorf("%v", have)
	}
}

// TestFilters changes them between passes.
func TestFilters(t *testing.T) {
	b := newBed(t)
	b.write(mainRel, records("m", 1, 3))
	b.settle()
	all := b.o.Adapters[0]
	b.o.Adapters[0] = adapter(store.Disk(), b.src, claudecode.Filter{Exclude: []string{"/work/**"}})
	b.append(mainRel, record("m", 4))
	if r := b.settle(); r.Sources != 0 || r.Landed != 0 || r.Gone != 0 {
		t.Errorf("%+v", r)
	}
	b.o.Adapters[0] = all
	if r := b.settle(); r.Records != 1 {
		t.Errorf("%+v", r)
	}
	b.whole()
}

// TestRootInSources puts the storage root where sources are looked for, and in their very place.
func TestRootInSources(t *testing.T) {
	for _, dir := range []string{"", "data", "-work-p", "-work-p/data", "-work-p/" + sessionA, "-work-p/" + sessionA + "/subagents"} {
		t.Run(dir, func(t *testing.T) {
			b := newBed(t)
			b.write(mainRel, records("m", 1, 3))
			b.write(childRel, records("c", 1, 3))
			b.write(sideRel, `{}`)
			b.o.Root = &store.Root{FS: store.Disk(), Dir: strings.TrimSuffix(b.name(dir), "/")}
			if r := b.settle(); r.Records != 7 || r.Conflicts > 0 {
				t.Errorf("%+v", r)
			}
			b.whole()
			if r := b.settle(); r.Landed > 0 || r.Sources != 3 || r.Gone > 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestNames has projects whose names are anything a disk takes.
func TestNames(t *testing.T) {
	b := newBed(t)
	for n, project := range []string{"a\nb", `"quoted"`, `back\slash`, "\xff\xfe", " ", "-", "\x1b[31m", strings.Repeat("x", 250), "é", "..."} {
		b.write(fmt.Sprintf("%s/0d4f1c52-0000-4000-8000-%012d.jsonl", project, n), records("m", 1, 2))
	}
	b.settle()
	b.whole()
	if r := b.settle(); r.Landed > 0 {
		t.Errorf("%+v", r)
	}
	b.must(os.RemoveAll(b.src))
	b.must(os.Mkdir(b.src, 0o755))
	if r := b.settle(); r.Gone != 10 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, "10 sources are gone, the first is ") {
		t.Errorf("%+v", r)
	}
}

// TestManySources has a session with many children.
func TestManySources(t *testing.T) {
	b := newBed(t)
	b.o.Workers = 4
	for n := range 600 {
		b.write(fmt.Sprintf("-work-p/%s/subagents/agent-a%016x.jsonl", sessionA, n), record("c", n))
		b.write(fmt.Sprintf("-work-p/%s/subagents/agent-a%016x.meta.json", sessionA, n), "{}")
	}
	if r := b.settle(); r.Records != 1200 {
		t.Errorf("%+v", r)
	}
	b.whole()
}

// TestWorkersAgree has the same result however many there are.
func TestWorkersAgree(t *testing.T) {
	t.Parallel()
	src := t.TempDir()
	if _, err := (claudecode.History{Seed: 6, Sessions: 10, Bytes: 1e6}).Write(store.Disk(), src); err != nil {
		t.Fatal(err)
	}
	var roots []map[string]string
	var reports []collect.Report
	for _, workers := range []int{1, 7} {
		disk := crash.New()
		o := options(store.Disk(), src, disk, "/root")
		o.Workers = workers
		r, err := settle(o)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, name := range disk.Files() {
			files[name], _ = disk.ReadFile(name)
		}
		roots, reports = append(roots, files), append(reports, r)
	}
	if !reflect.DeepEqual(roots[0], roots[1]) || !reflect.DeepEqual(reports[0], reports[1]) {
		t.Errorf("%+v\n%+v", reports[0], reports[1])
	}
}

// TestInterrupted ends a pass early: what is landed by then is whole, and the rest comes later.
func TestInterrupted(t *testing.T) {
	b := newBed(t)
	b.o.MaxDelta = 1
	b.write(mainRel, records("m", 1, 20))
	b.write(otherRel, records("o", 1, 20))
	ctx, stop := context.WithCancel(context.Background())
	told := 0
	b.o.Progress = func(p collect.Progress) {
		if told++; told == 8 {
			stop()
		}
	}
	r := collect.Pass(ctx, b.o)
	if len(r.Errors) > 0 || r.Landed == 0 || r.Landed >= 20 || r.Pending != 1 {
		t.Errorf("%+v", r)
	}
	b.settle()
	b.whole()
}

// TestProgress counts up to what is new: what was landed before is no work, neither as a file nor as bytes.
func TestProgress(t *testing.T) {
	b := newBed(t)
	main := records("m", 1, 20)
	for _, pass := range []struct {
		main, side string
		want       collect.Progress
	}{
		{main + "{", "{}\n", collect.Progress{Sources: 2, Bytes: int64(len(main)) + 4}},
		{main + "{", "{}\n", collect.Progress{}},
		{main + "{}\n{}\n", "{}\n", collect.Progress{Sources: 1, Bytes: 6}},
		{"short", "{}\n{", collect.Progress{Sources: 2, Bytes: 4}}, // what is not what it was has nothing to read; a snapshot is read whole
		{"shorter", "{}\n{", collect.Progress{}},
	} {
		for rel, text := range map[string]string{mainRel: pass.main, sideRel: pass.side} {
			if old, _ := os.ReadFile(b.name(rel)); string(old) != text {
				b.write(rel, text)
			}
		}
		var last collect.Progress
		b.o.Progress = func(p collect.Progress) {
			if p.BytesDone < last.BytesDone || p.BytesDone > p.Bytes || p.SourcesDone > p.Sources {
				t.Errorf("%+v after %+v", p, last)
			}
			last = p
		}
		b.settle()
		pass.want.SourcesDone, pass.want.BytesDone = pass.want.Sources, pass.want.Bytes
		if last != pass.want {
			t.Errorf("%+v, want %+v", last, pass.want)
		}
	}
}
