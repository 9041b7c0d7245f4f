package view_test

import (
	"io"
	"os"
	"testing"

	"asz/native/claudecode"
	"asz/native/store"
	"asz/native/view"
)

// BenchmarkDocument makes the document of a made history of 20 MB, writes it and prints it.
func BenchmarkDocument(b *testing.B) {
	dir := b.TempDir()
	if err := os.MkdirAll(dir+"/src", 0o755); err != nil {
		b.Fatal(err)
	}
	if _, err := (claudecode.History{Seed: 2, Sessions: 1, Bytes: 20e6}).Write(store.Disk(), dir+"/src"); err != nil {
		b.Fatal(err)
	}
	root := collected(b, dir+"/src")
	ids, err := root.Sessions()
	if err != nil || len(ids) != 1 {
		b.Fatal(err, ids)
	}
	parsed(b, root, ids[0])
	d, err := view.Document(root, ids[0])
	if err != nil {
		b.Fatal(err)
	}
	for name, run := range map[string]func() error{
		"make":  func() error { _, err := view.Document(root, ids[0]); return err },
		"json":  func() error { return d.WriteJSON(io.Discard) },
		"yaml":  func() error { return d.WriteYAML(io.Discard) },
		"print": func() error { return d.Print(io.Discard, view.Shown{}) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(20e6)
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
