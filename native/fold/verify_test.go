package fold_test

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
)

// flipped is a disk on which one bit of one file is another.
type flipped struct {
	store.FS
	name string
	at   int64
	bit  int
}

func (f *flipped) Open(name string) (store.File, error) {
	file, err := f.FS.Open(name)
	if err != nil || path.Clean(name) != f.name {
		return file, err
	}
	return &flippedFile{file, f}, nil
}

type flippedFile struct {
	store.File
	f *flipped
}

func (r *flippedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.File.ReadAt(p, off)
	if i := r.f.at - off; i >= 0 && i < int64(n) {
		p[i] ^= 1 << r.f.bit
	}
	return n, err
}

// small has two landed files; with a child there are four, of three kinds.
const (
	small = `
session: 00000001-0000-4000-8000-000000000001
steps:
  - input: a
    checkpoint: one
`
	smallEnd = `
  - call: {text: t}
`
	smallChild = `
  - call: {agent: {name: k, prompt: p, steps: [{call: {text: t}}]}}
  - call: {workflow: {name: w, children: [{name: c, prompt: p, steps: [{call: {text: t}}]}]}}
`
)

// TestVerifyFindsEveryBit flips every bit of every landed file and every round. With -every-crash there are more files, which
// takes a minute.
func TestVerifyFindsEveryBit(t *testing.T) {
	t.Parallel()
	text, least := small+smallEnd, 4
	if *everyCrash {
		text, least = small+smallChild, 10
	}
	b := scenarioBed(t, crash.New(), "/root", text, "one")
	b.parse(0)
	b.build(text, "")
	b.parse(-1)
	b.sound("")
	var wait sync.WaitGroup
	files := 0
	for _, name := range b.disk().Files() {
		text, _ := b.disk().ReadFile(name)
		if !strings.HasSuffix(name, ".sd") && !strings.HasSuffix(name, ".sf") {
			continue
		}
		files++
		wait.Go(func() {
			for at := range len(text) {
				for bit := range 8 {
					root := &store.Root{FS: &flipped{b.root.FS, name, int64(at), bit}, Dir: b.root.Dir}
					r, err := fold.Verify(root, b.id)
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					if !slices.ContainsFunc(r.Problems, func(p fold.Problem) bool { return "/root/"+p.File == name }) {
						t.Errorf("bit %d of byte %d of %s (%q) is not found: %v", bit, at, name, text[max(0, at-10):min(len(text), at+10)], r.Problems)
						return
					}
				}
			}
		})
	}
	wait.Wait()
	if files < least {
		t.Errorf("there are only %d files", files)
	}
}

// problems are those that verify finds, a line each.
func (b *bed) problems() []string {
	b.Helper()
	r, err := fold.Verify(b.root, b.id)
	if err != nil {
		b.Fatal(err)
	}
	out := []string{}
	for i := range r.Problems {
		out = append(out, r.Problems[i].String())
	}
	return out
}

// files are those on disk whose name has a suffix, in order of their names.
func (b *bed) files(suffix string) []string {
	var out []string
	for _, name := range b.disk().Files() {
		if strings.HasSuffix(name, suffix) {
			out = append(out, name)
		}
	}
	return out
}

func (b *bed) landedFiles() []string {
	b.Helper()
	landed, err := b.root.Session(b.id).Landed()
	if err != nil {
		b.Fatal(err)
	}
	var out []string
	for _, l := range landed {
		out = append(out, l.Path)
	}
	return out
}

func (b *bed) remove(name string) {
	b.Helper()
	if err := b.root.FS.Remove(name); err != nil {
		b.Fatal(err)
	}
}

func (b *bed) rename(from, to string) {
	b.Helper()
	if err := b.root.FS.Rename(from, to); err != nil {
		b.Fatal(err)
	}
}

func (b *bed) read(name string) string {
	b.Helper()
	text, ok := b.disk().ReadFile(name)
	if !ok {
		b.Fatalf("%s is not there", name)
	}
	return text
}

// rewrite puts another file in the place of one.
func (b *bed) rewrite(name, text string) {
	b.Helper()
	b.remove(name)
	b.add(name, text)
}

func (b *bed) add(name, text string) {
	b.Helper()
	w, err := b.root.FS.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	io.WriteString(w, text)
	w.Close()
}

// finds expects problems, each by a part of its line.
func (b *bed) finds(want ...string) {
	b.Helper()
	got := b.problems()
	ok := len(got) == len(want)
	for i := range want {
		ok = ok && strings.Contains(got[i], want[i])
	}
	if !ok {
		b.Errorf("found is\n  %s\nand not\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestVerifyFinds(t *testing.T) {
	t.Parallel()
	whole := scenarioBed(t, crash.New(), "/root", grown, "one")
	whole.parse(0)
	whole.build(grown, "")
	whole.parse(1)
	files, rounds := whole.landedFiles(), whole.files(".sf")
	// Landed are 1 main, 2 main, 3 child, 4 child's meta; a round stands on each.
	if len(files) != 4 || len(rounds) != 4 {
		t.Fatalf("there are %q and %q", files, rounds)
	}
	for name, c := range map[string]struct {
		do   func(b *bed)
		want []string
	}{
		"nothing":         {func(b *bed) {}, nil},
		"a lost file":     {func(b *bed) { b.remove(files[2]) }, []string{"round 3 consumed the landed file of seq 3"}},
		"a lost start":    {func(b *bed) { b.remove(files[0]) }, []string{"round 1 consumed the landed file of seq 1"}},
		"two lost files":  {func(b *bed) { b.remove(files[0]); b.remove(files[3]) }, []string{"seq 1", "seq 4"}},
		"a lost round":    {func(b *bed) { b.remove(rounds[1]) }, []string{"round 2 is missing"}},
		"no first round":  {func(b *bed) { b.remove(rounds[0]) }, []string{"round 1 is missing"}},
		"two lost rounds": {func(b *bed) { b.remove(rounds[0]); b.remove(rounds[2]) }, []string{"round 1 is missing", "round 3 is missing"}},
		"a lost head":     {func(b *bed) { b.remove(rounds[3]) }, nil},
		"swapped files": {func(b *bed) {
			b.rename(files[0], "/x")
			b.rename(files[1], files[0])
			b.rename("/x", files[1])
		}, []string{"000001.sd: the seq of its header", "000002.sd: the seq of its header", "000001.sd: record 1 is line", "round 1", "round 2"}},
		"swapped rounds": {func(b *bed) {
			b.rename(rounds[1], "/x")
			b.rename(rounds[2], rounds[1])
			b.rename("/x", rounds[2])
		}, []string{"its header is that of round 3", "its header is that of round 2"}},
		"a renamed file":       {func(b *bed) { b.rename(files[1], strings.Replace(files[1], "-000002", "-000007", 1)) }, nil},
		"a renamed round":      {func(b *bed) { b.rename(rounds[1], strings.Replace(rounds[1], ".sf", "0.sf", 1)) }, []string{"round 2 is missing", "is not named as a round"}},
		"a renumbered round":   {func(b *bed) { b.rename(rounds[3], strings.Replace(rounds[3], "r000004", "r000009", 1)) }, nil},
		"a file of two names":  {func(b *bed) { b.add(strings.Replace(files[1], "Z-", "1Z-", 1), b.read(files[1])) }, []string{"is not named"}},
		"an empty file":        {func(b *bed) { b.rewrite(files[3], "") }, []string{"000004.sd", "round 4: the landed files of seq 4 to 4"}},
		"an empty round":       {func(b *bed) { b.rewrite(rounds[3], "") }, []string{"round 4: the commit line"}},
		"a truncated round":    {func(b *bed) { b.rewrite(rounds[2], b.read(rounds[2])[:200]) }, []string{"round 3: the commit line"}},
		"a longer round":       {func(b *bed) { b.rewrite(rounds[2], b.read(rounds[2])+"\n") }, []string{"round 3: the commit line"}},
		"a round without end":  {func(b *bed) { t := b.read(rounds[2]); b.rewrite(rounds[2], t[:len(t)-1]) }, []string{"round 3: the commit line"}},
		"spaces in the commit": {func(b *bed) { b.rewrite(rounds[2], strings.Replace(b.read(rounds[2]), `"counts":{`, `"counts": {`, 1)) }, []string{"round 3: the counts"}},
		"a foreign file":       {func(b *bed) { b.add(path.Dir(rounds[0])+"/README", "x") }, nil},
		"a directory":          {func(b *bed) { b.root.FS.Mkdir(path.Dir(rounds[0]) + "/r000009-0123456789ab.sf") }, []string{"r000009-0123456789ab.sf: it is not named"}},
		"a file in a wrong place": {func(b *bed) {
			b.rename(files[3], path.Dir(path.Dir(files[3]))+"/"+path.Base(files[3]))
		}, []string{"it is not named, or does not stand", "round 4 consumed the landed file of seq 4"}},
		"no session": {func(b *bed) {
			for _, f := range files {
				b.remove(f)
			}
		}, []string{"seq 1", "seq 2", "seq 3", "seq 4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := whole.on(whole.disk().Restart())
			b.TB = t
			c.do(b)
			if c.want != nil || name == "nothing" || name == "a lost head" || name == "a foreign file" {
				b.finds(c.want...)
			} else if len(b.problems()) == 0 {
				t.Error("nothing is found")
			}
		})
	}
}

// TestVerifyGaps: what is wrong between files that are each right for themselves.
func TestVerifyGaps(t *testing.T) {
	t.Parallel()
	const id = "00000001-0000-4000-8000-000000000001"
	type rec struct{ ord, off, bytes int64 }
	for name, c := range map[string]struct {
		files [][]rec
		want  []string
		twice int64
	}{
		"whole":           {[][]rec{{{1, 0, 9}, {2, 10, 4}}, {{3, 15, 9}}}, nil, 0},
		"no line 1":       {[][]rec{{{2, 10, 9}}}, []string{"000001.sd: record 1 is line 2"}, 0},
		"not at byte 0":   {[][]rec{{{1, 10, 9}}}, []string{"record 1 is at byte 10"}, 0},
		"a line is left":  {[][]rec{{{1, 0, 9}, {3, 20, 9}}}, []string{"record 2 is line 3 of its source, and line 2 comes next"}, 0},
		"bytes are left":  {[][]rec{{{1, 0, 9}, {2, 11, 9}}}, []string{"record 2 is at byte 11 of its source, and byte 10"}, 0},
		"between files":   {[][]rec{{{1, 0, 9}}, {{3, 20, 9}}}, []string{"000002.sd: record 1 is line 3"}, 0},
		"landed twice":    {[][]rec{{{1, 0, 9}, {2, 10, 4}}, {{2, 10, 4}, {3, 15, 9}}}, nil, 1},
		"half repeated":   {[][]rec{{{1, 0, 9}, {2, 10, 4}}, {{2, 12, 9}}}, []string{"record 1 is line 2"}, 0},
		"two gaps":        {[][]rec{{{2, 10, 9}}, {{4, 30, 9}}}, []string{"000001", "000002"}, 0},
		"a line too many": {[][]rec{{{1, 0, 9}, {3, 10, 9}}}, []string{"line 3"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bed{TB: t, root: &store.Root{FS: crash.New(), Dir: "/root"}, id: id}
			p, err := b.root.Session(id).Lock()
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			p.Begin(bedStart)
			for _, f := range c.files {
				_, err := p.Land(store.Header{Kind: store.Transcript, Adapter: "a/1", Dialect: "d/1", Src: "p/x", Stream: store.Main}, func(l *store.Landing) error {
					for _, r := range f {
						if err := l.Record(&store.Record{Ord: r.ord, Off: r.off, Bytes: r.bytes, SHA: "0123456789ab", ID: fmt.Sprint(r.ord)}); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			b.finds(c.want...)
			if r, _ := fold.Verify(b.root, id); r.Repeated != c.twice {
				t.Errorf("%d records are repeated, not %d", r.Repeated, c.twice)
			}
		})
	}
}
