package store_test

import (
	"fmt"
	"strings"
	"testing"

	"asz/native/store"
)

// void is a disk that keeps nothing of what is written, so that only the store is measured.
type void struct{ store.FS }

type voidWriter struct{ store.Writer }

func (v void) Create(name string) (store.Writer, error) {
	w, err := v.FS.Create(name)
	return voidWriter{w}, err
}

func (voidWriter) Write(p []byte) (int, error) { return len(p), nil }

func begin(t testing.TB, disk store.FS, dir string) (*store.Root, *store.Pass) {
	t.Helper()
	root := &store.Root{FS: disk, Dir: dir}
	p, err := root.Session(session).Lock()
	if err != nil {
		t.Fatal(err)
	}
	p.Begin(stamp)
	return root, p
}

func large(size int) *store.Record {
	return &store.Record{
		Ord: 1, SHA: "0123456789ab", Bytes: int64(size), ID: "0d4f1c52-0000-4000-8000-000000000001", From: store.FromAgent,
		Parts: []store.Part{{K: store.PartText, State: store.Available, Bytes: int64(size), Text: store.Raw(`"` + strings.Repeat("all work and no play\\n", size/22) + `"`)}},
	}
}

func BenchmarkRecord(b *testing.B) {
	for _, size := range []int{0, 1 << 10, 64 << 10, 4 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			r := large(size)
			_, p := begin(b, void{store.Disk()}, b.TempDir())
			defer p.Close()
			b.ReportAllocs()
			l, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
				for b.Loop() {
					if err := l.Record(r); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(l.Size / int64(b.N))
		})
	}
}

func BenchmarkSource(b *testing.B) {
	r := large(0)
	r.Parts[0].Text, r.Parts[0].Source = "", strings.Repeat("all work \"and\" no play\n", 1<<16)
	_, p := begin(b, void{store.Disk()}, b.TempDir())
	defer p.Close()
	b.SetBytes(int64(len(r.Parts[0].Source)))
	_, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
		for b.Loop() {
			if err := l.Record(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkEach(b *testing.B) {
	for _, size := range []int{1 << 10, 4 << 20} {
		for _, parse := range []bool{false, true} {
			b.Run(fmt.Sprint(size, "/read=", parse), func(b *testing.B) {
				root, p := begin(b, store.Disk(), b.TempDir())
				l, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
					r := large(size)
					for range 32 << 20 / size {
						if err := l.Record(r); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				p.Close()
				b.SetBytes(l.Size)
				b.ReportAllocs()
				var r store.Record
				for b.Loop() {
					f, err := store.OpenLanded(root.FS, l.Path)
					if err != nil {
						b.Fatal(err)
					}
					err = f.Each(func(_ int, line []byte) error {
						if parse {
							return r.Read(line)
						}
						return nil
					})
					f.Close()
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

const many = 1_000_000

func manyEntries(b *testing.B) *store.Root {
	root, p := begin(b, store.Disk(), b.TempDir())
	defer p.Close()
	for ord := int64(0); ord < many; {
		_, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
			for range many / 10 {
				ord++
				if err := l.Record(common(ord)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := p.Commit(); err != nil {
		b.Fatal(err)
	}
	return root
}

func BenchmarkIndex(b *testing.B) {
	root := manyEntries(b)
	info, err := root.FS.Stat(root.Dir + "/" + session + "/index/entries.bin")
	if err != nil {
		b.Fatal(err)
	}
	per := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/many, "ns/entry")
		b.ReportMetric(float64(info.Size)/many, "bytes/entry")
	}
	b.Run("load", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := root.Session(session).Index(); err != nil {
				b.Fatal(err)
			}
		}
		per(b)
	})
	b.Run("each", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			index, err := root.Session(session).Index()
			if err == nil {
				err = index.Each(func(*store.IndexEntry) error { return nil })
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		per(b)
	})
	b.Run("entries", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			index, err := root.Session(session).Index()
			if err == nil {
				_, err = index.Entries()
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		per(b)
	})
	b.Run("rebuild", func(b *testing.B) {
		for b.Loop() {
			p, err := root.Session(session).Lock()
			if err == nil {
				err = p.Reindex()
			}
			if err != nil {
				b.Fatal(err)
			}
			p.Close()
		}
		per(b)
	})
}

func TestRecordDoesNotAllocate(t *testing.T) {
	_, p := begin(t, void{store.Disk()}, t.TempDir())
	defer p.Close()
	small, big := common(1), large(1<<20)
	big.Parts = append(big.Parts, store.Part{K: store.PartUnknown, Source: strings.Repeat("\n\xff", 1<<10)}, store.Part{K: store.PartUnknown, Source: strings.Repeat("\n", 1<<10)})
	_, err := p.Land(header(sources()[0]), func(l *store.Landing) error {
		for range 2000 { // room for the index entries
			if err := l.Record(small); err != nil {
				return err
			}
		}
		if n := testing.AllocsPerRun(100, func() {
			_ = l.Record(small)
			_ = l.Record(big)
		}); n > 0 {
			t.Errorf("%v allocations per two records", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var r store.Record
	line := []byte(`{"ord":1,"off":0,"sha":"0","bytes":1,"id":"x","flags":["error"],"parts":[{"k":"text","state":"available","bytes":1,"text":"a\nb"}]}`)
	if n := testing.AllocsPerRun(100, func() { _ = r.Read(line) }); n > 0 {
		t.Errorf("%v allocations per record read", n)
	}
}
