package collect_test

import (
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"asz/native/claudecode"
	"asz/native/store"
)

// TestContents lands what no history should be made of: each line once, at a first pass and when the rest comes.
func TestContents(t *testing.T) {
	t.Parallel()
	for name, parts := range map[string][]string{
		"torn":                {records("m", 1, 2) + `{"uuid":`, `"m-3"}` + "\n"},
		"torn first line":     {`{"uuid":`, `"m`, `-1"}` + "\n"},
		"torn in a character": {"{\"uuid\":\"na\xc3", "\xafve\"}\n"},
		"glued":               {strings.TrimSuffix(record("m", 1), "\n") + record("m", 2), record("m", 3)},
		"no JSON":             {"Segmentation fault\n{\"a\":\n]\n", "{}\n"},
		"no UTF-8":            {"{\"uuid\":\"a\",\"type\":\"user\",\"message\":{\"content\":\"\xff\xfe\"}}\n\xff\xfe\n", "\xc3\n"},
		"empty":               {"", "", "\n"},
		"empty lines":         {"\n\n", "\n" + record("m", 1) + "\n"},
		"zeros":               {strings.Repeat("\x00", 5000) + "\n", "\x00"},
		"CRLF":                {"{}\r\n{}\r", "\n"},
		"byte order mark":     {"\ufeff{\"uuid\":\"a\"}\n", "{}\n"},
		"deep":                {strings.Repeat("[", 100_000) + "\n", strings.Repeat(`{"a":`, 100_000) + "\n"},
		"nothing new":         {records("m", 1, 3), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.o.MaxDelta = 100
			b.write(mainRel, "")
			for _, part := range parts {
				b.append(mainRel, part)
				b.settle()
				b.whole()
			}
			if r := b.settle(); r.Landed > 0 || r.Conflicts > 0 {
				t.Errorf("another pass: %+v", r)
			}
		})
	}
}

func TestOddLinesAreNamed(t *testing.T) {
	b := newBed(t)
	b.write(mainRel, "{}\nrubbish\n")
	r := b.settle()
	if len(r.Odd) != 2 || r.Odd[1].Count != 1 || r.Odd[1].First != b.name(mainRel)+":2" {
		t.Errorf("%+v", r.Odd)
	}
}

// TestLongLines takes lines longer than a landed file, the buffer and what one worker may hold alone.
func TestLongLines(t *testing.T) {
	for _, delta := range []int64{100, 0, 3 << 20, 1 << 40} {
		t.Run("", func(t *testing.T) {
			b := newBed(t)
			b.o.MaxDelta = delta
			long := func(n int) string { return `{"uuid":"x","message":"` + strings.Repeat("x", n) + "\"}\n" }
			escapes := `{"uuid":"e","type":"user","message":{"content":"` + strings.Repeat(`\\\"\n\u0041\\`, 60_000) + `"}}` + "\n"
			data := `{"uuid":"d","type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"n","input":` +
				strings.Repeat(`{"a":[1,"}]\\",`, 50_000) + "2" + strings.Repeat("]}", 50_000) + `}]}}` + "\n"
			control := strings.Repeat("\x01\"\\", 200_000) + "\n"
			text := records("m", 1, 3) + escapes + data + control + long(1<<20) + long(1<<20-25) + record("m", 4) + long(5<<20) + "\n" + long(3<<20) + long(700_000) + long(700_000)
			b.write(mainRel, text+strings.TrimSuffix(long(6<<20), "\"}\n"))
			b.settle()
			b.whole()
			b.append(mainRel, "\"}\n")
			b.settle()
			b.whole()
			for _, l := range b.files(mainSource()) {
				if delta > 100 && l.Size > 2*max(delta, 2<<20)+(6<<20) {
					t.Errorf("%s has %d bytes", l.Name, l.Size)
				}
			}
		})
	}
}

func (b *bed) files(src store.Source) (out []store.Landed) {
	b.Helper()
	all, err := b.o.Root.Session(src.Session).Landed()
	b.must(err)
	for _, l := range all {
		if l.Kind == src.Kind && l.Stream == src.Stream && l.Batch == src.Batch {
			out = append(out, l)
		}
	}
	return out
}

// TestFilesAreCut holds landed files to max_delta_bytes of source.
func TestFilesAreCut(t *testing.T) {
	b := newBed(t)
	b.o.MaxDelta = int64(len(records("m", 1, 4)))
	b.write(mainRel, records("m", 1, 9))
	b.settle()
	b.whole()
	var rows []int
	for _, l := range b.files(mainSource()) {
		f, err := store.OpenLanded(b.disk, l.Path)
		b.must(err)
		rows = append(rows, f.Records())
		f.Close()
	}
	if len(rows) != 3 || rows[0] != 4 || rows[1] != 4 || rows[2] != 1 {
		t.Errorf("records by file: %v", rows)
	}
}

func TestWindows(t *testing.T) {
	b := newBed(t)
	b.o.MaxDelta = 1
	b.write(mainRel, records("m", 1, 150))
	b.write(otherRel, records("o", 1, 1))
	for n, want := range []struct{ landed, pending int }{{66, 1}, {65, 1}, {20, 0}, {0, 0}} {
		if r := b.clean(); r.Landed != want.landed || r.Pending != want.pending {
			t.Fatalf("pass %d: landed=%d pending=%d", n, r.Landed, r.Pending)
		}
	}
	b.whole()
}

// TestReplaced changes what was landed.
func TestReplaced(t *testing.T) {
	ten := records("m", 1, 10)
	for name, c := range map[string]struct {
		change   func(b *bed)
		conflict bool
	}{
		"new inode":          {func(b *bed) { b.must(os.Remove(b.name(mainRel))); b.write(mainRel, ten) }, false},
		"new inode and more": {func(b *bed) { b.must(os.Remove(b.name(mainRel))); b.write(mainRel, records("m", 1, 12)) }, false},
		"written anew":       {func(b *bed) { b.write(mainRel, ten+"{") }, false},
		"cut off":            {func(b *bed) { b.must(os.Truncate(b.name(mainRel), 50)) }, true},
		"emptied":            {func(b *bed) { b.must(os.Truncate(b.name(mainRel), 0)) }, true},
		"another beginning":  {func(b *bed) { b.write(mainRel, strings.Replace(ten, "m-1", "n-1", 1)) }, true},
		"another end":        {func(b *bed) { b.write(mainRel, records("m", 1, 9)+record("n", 10)) }, true},
		"cut off and longer": {func(b *bed) { b.write(mainRel, records("n", 1, 20)) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.write(mainRel, ten)
			b.write(childRel, records("c", 1, 2))
			b.settle()
			c.change(b)
			r := b.settle()
			if !c.conflict {
				if r.Conflicts > 0 {
					t.Errorf("%+v", r)
				}
				b.whole()
				return
			}
			if r.Conflicts != 1 || r.Landed > 0 || len(r.Notes) != 1 {
				t.Errorf("%+v", r)
			}
			// It is passed over for good, and told by every pass, since there may be another program behind it; the others are not.
			b.write(mainRel, records("m", 1, 11))
			b.append(childRel, record("c", 3))
			r = b.settle()
			if r.Conflicts != 1 || r.Landed != 1 || len(r.Notes) != 1 || r.Notes[0].Of != b.name(mainRel) {
				t.Errorf("%+v", r)
			}
			if c := b.cursor(mainSource()); c.State != store.Conflict || c.Ord != 10 {
				t.Errorf("%+v", c)
			}
		})
	}
}

// TestGone takes sources away in every way, and brings them back.
func TestGone(t *testing.T) {
	dir := "-work-p/" + sessionA
	for name, take := range map[string]func(b *bed){
		"removed":                    func(b *bed) { b.must(os.Remove(b.name(childRel))) },
		"a directory in its place":   func(b *bed) { b.must(os.Remove(b.name(childRel))); b.must(os.Mkdir(b.name(childRel), 0o755)) },
		"a file in place of its own": func(b *bed) { b.must(os.RemoveAll(b.name(dir))); b.write(dir, "") },
		"links in a circle": func(b *bed) {
			b.must(os.Remove(b.name(childRel)))
			b.must(os.Symlink(b.name(childRel), b.name(childRel)))
		},
		"a link to nothing":           func(b *bed) { b.must(os.Remove(b.name(childRel))); b.must(os.Symlink("nothing", b.name(childRel))) },
		"its directory was taken":     func(b *bed) { b.must(os.RemoveAll(b.name(dir))) },
		"all that there was is taken": func(b *bed) { b.must(os.RemoveAll(b.src)); b.must(os.Mkdir(b.src, 0o755)) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			child := store.Source{Session: sessionA, Kind: store.Transcript, Stream: "a0a10ef0666c4dc7e"}
			b.write(childRel, records("c", 1, 2))
			b.settle()
			take(b)
			for range 2 {
				if r := b.settle(); r.Gone != 1 || r.Landed > 0 || len(r.Notes) != 1 || r.Notes[0].Of != b.name(childRel) {
					t.Errorf("%+v", r)
				}
			}
			if c := b.cursor(child); c.State != store.SourceGone || c.Ord != 2 {
				t.Errorf("%+v", c)
			}
			b.must(os.RemoveAll(b.name(dir)))
			b.write(childRel, records("c", 1, 3))
			if r := b.settle(); r.Gone != 0 || r.Landed != 1 || r.Records != 1 {
				t.Errorf("%+v", r)
			}
			b.whole()
		})
	}
}

// TestGrowing appends pieces of lines while passes are made.
func TestGrowing(t *testing.T) {
	b := newBed(t)
	b.o.MaxDelta = 300
	b.o.Workers = 2
	b.write(mainRel, "")
	b.write(otherRel, "")
	text := records("m", 1, 300)
	var wait sync.WaitGroup
	for _, rel := range []string{mainRel, otherRel} {
		wait.Go(func() {
			for at, n := 0, 1; at < len(text); n = n*7%251 + 1 {
				end := min(len(text), at+n)
				b.append(rel, text[at:end])
				at = end
			}
		})
	}
	done := make(chan bool)
	go func() { wait.Wait(); close(done) }()
	for {
		r := b.clean()
		if r.Conflicts > 0 {
			t.Fatalf("%+v", r)
		}
		select {
		case <-done:
			b.settle()
			b.whole()
			return
		default:
		}
	}
}

func TestLinks(t *testing.T) {
	b := newBed(t)
	away := t.TempDir()
	b.must(os.WriteFile(away+"/one.jsonl", []byte(records("m", 1, 2)), 0o644))
	b.must(os.MkdirAll(away+"/project", 0o755))
	b.must(os.WriteFile(away+"/project/"+sessionB+".jsonl", []byte(records("o", 1, 2)), 0o644))
	b.must(os.Mkdir(b.name("-work-p"), 0o755))
	b.must(os.Symlink(away+"/one.jsonl", b.name(mainRel)))
	b.must(os.Symlink(away+"/project", b.name("-work-q")))
	if r := b.settle(); r.Sources != 2 || r.Records != 4 {
		t.Errorf("%+v", r)
	}
	b.whole()
}

// TestCopiedHistory has a session that begins with what another one holds, as resuming one does.
func TestCopiedHistory(t *testing.T) {
	b := newBed(t)
	b.write(mainRel, records("m", 1, 5))
	b.write("-work-p/"+sessionB+".jsonl", records("m", 1, 5)+records("n", 6, 7))
	b.settle()
	b.whole()
}

func TestSnapshots(t *testing.T) {
	b := newBed(t)
	for _, step := range []struct {
		text   string
		landed int
	}{
		{"", 0}, {"{\"description\":\"a\"}\n", 1}, {"{\"description\":\"a\"}\n\n", 0}, {"{\"description\":\"b\"}", 1}, {"", 0}, {"\n", 0},
		{"{\"description\":\"b\"}\n", 0}, {"{\"description\":\"a\"}", 1}, {"rubbish", 1}, {"\xff", 1}, {strings.Repeat("x", 5<<20), 1},
	} {
		b.write(sideRel, step.text)
		if r := b.settle(); r.Landed != step.landed {
			t.Errorf("%.30q: landed=%d", step.text, r.Landed)
		}
		if strings.Trim(step.text, "\n") != "" {
			b.whole()
		}
		b.edit("meta.cursor", func(name, _ string) { b.must(b.disk.Remove(name)) })
		if r := b.settle(); r.Landed > 0 {
			t.Errorf("%.30q: landed again without a cursor", step.text)
		}
	}
}

// denied is a disk on which some names cannot be read.
type denied struct {
	store.ReadFS
	name string
}

func (d *denied) refuse(name string) error {
	if d.name != "" && (name == d.name || strings.HasPrefix(name, d.name+"/")) {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return nil
}

func (d *denied) Open(name string) (store.File, error) {
	if err := d.refuse(name); err != nil {
		return nil, err
	}
	return d.ReadFS.Open(name)
}

func (d *denied) ReadDir(name string) ([]store.Entry, error) {
	if err := d.refuse(name); err != nil {
		return nil, err
	}
	return d.ReadFS.ReadDir(name)
}

func (d *denied) Stat(name string) (store.Info, error) {
	if err := d.refuse(name); err != nil && name != d.name {
		return store.Info{}, err
	}
	return d.ReadFS.Stat(name)
}

// TestUnreadable has a file and a folder that cannot be read: they are named, the rest lands, and nothing is taken for gone.
func TestUnreadable(t *testing.T) {
	for _, rel := range []string{mainRel, "-work-p", "-work-p/" + sessionA + "/subagents", ""} {
		t.Run(rel, func(t *testing.T) {
			b := newBed(t)
			disk := &denied{ReadFS: store.Disk()}
			b.o.Sources = disk
			b.o.Adapters[0] = adapter(disk, b.src, claudecode.Filter{})
			b.write(mainRel, records("m", 1, 2))
			b.write(childRel, records("c", 1, 2))
			b.write(otherRel, records("o", 1, 2))
			b.settle()
			b.append(mainRel, record("m", 3))
			b.append(childRel, record("c", 3))
			b.append(otherRel, record("o", 3))
			disk.name = strings.TrimSuffix(b.name(rel), "/")
			r := b.pass()
			if len(r.Errors) != 1 || r.Gone > 0 || r.Conflicts > 0 || !strings.Contains(r.Errors[0].String(), disk.name) {
				t.Errorf("%+v", r)
			}
			if rel != "" && r.Records < 1 {
				t.Errorf("nothing else was landed: %+v", r)
			}
			disk.name = ""
			b.settle()
			b.whole()
		})
	}
}
