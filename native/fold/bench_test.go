package fold_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"asz/native/claudecode"
	"asz/native/fold"
	"asz/native/store"
)

// madeRoot is a made history, landed on the disk of the test.
func madeRoot(b *testing.B, h claudecode.History) (*store.Root, int64) {
	b.Helper()
	source := b.TempDir()
	w, err := h.Write(store.Disk(), source)
	if err != nil {
		b.Fatal(err)
	}
	return historyRoot(b, store.Disk(), b.TempDir(), source), w.Bytes
}

func BenchmarkParse(b *testing.B) {
	root, size := madeRoot(b, claudecode.History{Seed: 2, Sessions: 1, Bytes: 50e6})
	ids, err := root.Sessions()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		b.StopTimer()
		removeChains(b, root)
		b.StartTimer()
		if _, err := fold.Parse(root, ids[0], fold.ParseOptions{MaxRoundBytes: -1}); err != nil {
			b.Fatal(err)
		}
	}
}

func removeChains(b *testing.B, root *store.Root) {
	b.Helper()
	if err := os.RemoveAll(root.Dir + "/_conversations"); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkParseGrowth is a parse after 1 MB has landed of a session that is parsed already.
func BenchmarkParseGrowth(b *testing.B) {
	for _, size := range []int64{50e6, 200e6} {
		b.Run(fmt.Sprint(size/1e6, "MB"), func(b *testing.B) {
			source := b.TempDir()
			h := claudecode.History{Seed: 2, Sessions: 1, Bytes: size}
			if _, err := h.Write(store.Disk(), source); err != nil {
				b.Fatal(err)
			}
			main, whole := cutMain(b, source, 1e6)
			root := historyRoot(b, store.Disk(), b.TempDir(), source)
			ids, err := root.Sessions()
			if err != nil {
				b.Fatal(err)
			}
			o := fold.ParseOptions{MaxRoundBytes: -1}
			began := time.Now()
			if _, err := fold.Parse(root, ids[0], o); err != nil {
				b.Fatal(err)
			}
			full := time.Since(began)
			if err := os.WriteFile(main, whole, 0o644); err != nil {
				b.Fatal(err)
			}
			historyRoot(b, store.Disk(), root.Dir, source)
			chain := root.Conversation(ids[0]).Dir()
			for b.Loop() {
				r, err := fold.Parse(root, ids[0], o)
				if err != nil || len(r.Written) != 1 {
					b.Fatal(r, err)
				}
				b.StopTimer()
				for _, name := range []string{r.Written[0].Path, chain + "/conversation.state"} {
					if err := os.Remove(name); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(full.Milliseconds()), "full-ms")
			b.ReportMetric(float64(full)*float64(b.N)/float64(b.Elapsed()), "full/growth")
		})
	}
}

// cutMain cuts the last so many bytes of lines off the largest transcript, and gives what it was.
func cutMain(b *testing.B, dir string, most int) (name string, whole []byte) {
	b.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, _ := d.Info(); info.Size() > int64(len(whole)) {
				name = path
				whole, err = os.ReadFile(path)
			}
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	cut := bytes.LastIndexByte(whole[:len(whole)-most], '\n') + 1
	if err := os.WriteFile(name, whole[:cut], 0o644); err != nil {
		b.Fatal(err)
	}
	return name, whole
}

func BenchmarkVerify(b *testing.B) {
	root, size := madeRoot(b, claudecode.History{Seed: 2, Sessions: 1, Bytes: 50e6})
	ids, err := root.Sessions()
	if err == nil {
		_, err = fold.Parse(root, ids[0], fold.ParseOptions{})
	}
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		if r, err := fold.Verify(root, ids[0]); err != nil || len(r.Problems) > 0 {
			b.Fatal(r, err)
		}
	}
}
