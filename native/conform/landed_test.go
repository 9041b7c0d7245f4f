package conform

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"asz/native/claudecode"
	"asz/native/store"
)

// landedRecords are the record lines of a session by source, without their headers.
func landedRecords(t *testing.T, out, id string) map[string][]string {
	t.Helper()
	files, err := (&store.Root{FS: store.Disk(), Dir: out}).Session(id).Landed()
	if err != nil {
		t.Fatal(err)
	}
	records := map[string][]string{}
	for i, l := range files {
		f, err := store.OpenLanded(store.Disk(), l.Path)
		if err != nil {
			t.Fatal(err)
		}
		h := f.Header()
		if h.Seq != int64(i+1) || h.Adapter != "mock/test" || h.Dialect != "mock/1" || h.At != "2026-01-01T00:00:00.000000000Z" {
			t.Errorf("the header of %s is %+v", l.Name, h)
		}
		key := fmt.Sprintf("%s %s%s", l.Kind, l.Stream, l.Batch)
		if err := f.Each(func(_ int, line []byte) error {
			records[key] = append(records[key], string(line))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return records
}

// TestStagedLanding: each stage lands what it added, in files of its own, and all of them hold what one build lands.
func TestStagedLanding(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	o, whole := options(t, SessionData), options(t, SessionData)
	id := build(t, s, whole)[0].Session
	before := map[string]string{}
	for _, stage := range []struct {
		through        string
		files, records int
	}{{"one", 1, 5}, {"one", 0, 5}, {"two", 7, 19}, {"", 1, 22}, {"final", 0, 22}} {
		o.Through = stage.through
		if b := build(t, s, o)[0]; b.Files != stage.files || b.Records != stage.records {
			t.Errorf("through %q %d files are landed for %d records, not %d for %d", stage.through, b.Files, b.Records, stage.files, stage.records)
		}
		now := tree(t, o.Out)
		for name, text := range before {
			if strings.HasSuffix(name, ".sd") && now[name] != text {
				t.Errorf("through %q %s has changed", stage.through, name)
			}
		}
		before = now
	}
	got, want := landedRecords(t, o.Out, id), landedRecords(t, whole.Out, id)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the stages land\n%q\nand not\n%q", got, want)
	}
	index, err := (&store.Root{FS: store.Disk(), Dir: o.Out}).Session(id).Index()
	if err != nil || index.IndexedSeq != 9 {
		t.Errorf("the index is %+v, %v", index, err)
	}
	if names, _ := filepath.Glob(filepath.Join(o.Out, id, "*", "*", "*.cursor")); len(names) > 0 {
		t.Errorf("there are cursors: %s", names)
	}
}

// TestDeletedLanding: what a person deleted stays deleted, and the next stage goes on behind it.
func TestDeletedLanding(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	for _, deleted := range []string{"main/transcript-*-000001.sd", "main/transcript-*-000002.sd", AgentID("kid") + "/transcript-*.sd", "*/*.sd"} {
		o := options(t, SessionData)
		o.Through = "one"
		id := build(t, s, o)[0].Session
		o.Through = "two"
		build(t, s, o)
		names, err := filepath.Glob(filepath.Join(o.Out, id, "streams", deleted))
		if err != nil || len(names) == 0 {
			t.Fatal(err, names)
		}
		for _, name := range names {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		if b := build(t, s, o)[0]; b.Files != 0 {
			t.Errorf("%s deleted: %d files are landed again", deleted, b.Files)
		}
		o.Through = ""
		if b := build(t, s, o)[0]; b.Files != 1 || b.Records != 22 {
			t.Errorf("%s deleted: the last stage lands %d files", deleted, b.Files)
		}
	}
}

// TestFormatsAgree: reading the source files gives the records that are landed directly.
func TestFormatsAgree(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	sources, landed := options(t, ClaudeCode), options(t, SessionData)
	id := build(t, s, sources)[0].Session
	build(t, s, landed)
	want := landedRecords(t, landed.Out, id)

	root := filepath.Join(sources.Out, Source)
	found := claudecode.Discover(store.Disk(), root, claudecode.Filter{})
	if len(found.Clashes)+len(found.Errors) > 0 {
		t.Errorf("discovery finds %v and %v", found.Clashes, found.Errors)
	}
	files := tree(t, root)
	got := map[string][]position{}
	for _, src := range found.Sources {
		key := fmt.Sprintf("%s %s%s", src.Kind, src.Stream, src.Batch)
		reader, rec := claudecode.NewReader(src, false), store.Record{}
		if src.Kind.Snapshot() {
			reader.ReadWhole([]byte(strings.TrimRight(files[src.Rel], "\n")), &rec)
			got[key] = append(got[key], position{1, 0, rec.Bytes, strings.Clone(rec.SHA)})
			continue
		}
		for line := range strings.Lines(files[src.Rel]) {
			rec.Ord++
			reader.Read([]byte(strings.TrimSuffix(line, "\n")), &rec)
			got[key] = append(got[key], position{rec.Ord, rec.Off, rec.Bytes, strings.Clone(rec.SHA)})
			rec.Off += int64(len(line))
		}
	}
	for key, lines := range want {
		var list []position
		for _, line := range lines {
			var rec store.Record
			if err := rec.Read([]byte(line)); err != nil {
				t.Fatal(err)
			}
			list = append(list, position{rec.Ord, rec.Off, rec.Bytes, rec.SHA})
		}
		if !slices.Equal(got[key], list) {
			t.Errorf("%s is collected as %v and landed as %v", key, got[key], list)
		}
	}
	if len(got) != len(want) || len(want) != 7 {
		t.Errorf("%d sources are found, %d landed", len(got), len(want))
	}
}

// TestLandedLines are facts of the contract: a main stream of 18 lines, a child's of 4, its meta file of 3.
func TestLandedLines(t *testing.T) {
	t.Parallel()
	o := options(t, SessionData)
	id := build(t, scenarioOf(t, everything), o)[0].Session
	lines := map[string]int{}
	for name, text := range tree(t, filepath.Join(o.Out, id, "streams")) {
		lines[filepath.Base(name)] = strings.Count(text, "\n")
	}
	want := map[string]int{
		"transcript-20260101T000000.000000000Z-000001.sd": 18,
		"transcript-20260101T000000.000000000Z-000002.sd": 4,
		"meta-20260101T000000.000000000Z-000003.sd":       3,
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("the lines are %v", lines)
	}
}

// TestLandedWindows: a stage of more than two megabytes is landed in several files, cut as a collector cuts them.
func TestLandedWindows(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789abcdef", 900<<10/16)
	steps := "steps:\n" + strings.Repeat("  - input: "+text+"\n", 5) + "  - input: " + strings.Repeat(text, 3) + "\n  - input: end\n"
	o := options(t, SessionData)
	s := scenarioOf(t, steps)
	id := build(t, s, o)[0].Session
	files, err := (&store.Root{FS: store.Disk(), Dir: o.Out}).Session(id).Landed()
	if err != nil {
		t.Fatal(err)
	}
	var counts []int
	for _, l := range files {
		f, err := store.OpenLanded(store.Disk(), l.Path)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, f.Records())
		f.Close()
	}
	if !slices.Equal(counts, []int{2, 2, 1, 1, 1}) {
		t.Errorf("the files hold %v records", counts)
	}
	if b := build(t, s, o)[0]; b.Files != 0 {
		t.Errorf("the same build lands %d files more", b.Files)
	}
}

// TestHeldSession: a session that another process holds is not waited for.
func TestHeldSession(t *testing.T) {
	t.Parallel()
	o := options(t, SessionData)
	s := scenarioOf(t, staged)
	id := build(t, s, o)[0].Session
	pass, err := (&store.Root{FS: store.Disk(), Dir: o.Out}).Session(id).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer pass.Close()
	if _, err := tryBuild(s, o); err == nil || !strings.Contains(err.Error(), store.ErrBusy.Error()) {
		t.Error(err)
	}
}
