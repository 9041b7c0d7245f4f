package conform

import (
	"errors"
	"fmt"
	"strings"

	"asz/native/claudecode"
	"asz/native/store"
)

const (
	// mockAdapter, with the program's version, is the adapter of what a build lands.
	mockAdapter = "mock"
	mockDialect = "mock/1"
	// landWindow is the most bytes of lines that one landed file takes, as a collector with its defaults cuts them; a longer
	// line has one of its own.
	landWindow = 2 << 20
)

// conversion makes the landed records of a file, by way of its source lines.
type conversion struct {
	records []Record
	through int
	whole   bool
	stream  claudecode.Stream
	reader  *claudecode.Reader
	line    []byte
	off     int64 // of the next line
	rec     store.Record
}

func (p *Plan) convert(f *File) *conversion {
	return &conversion{
		records: f.Records, through: p.Through, whole: f.Kind.Snapshot(),
		stream: p.Stream(f), reader: claudecode.NewReader(f.Source, false),
	}
}

// next is the next record of the stage, nil at the end. It lives until the next call.
func (c *conversion) next() *store.Record {
	for len(c.records) > 0 {
		r := &c.records[0]
		c.records = c.records[1:]
		if !r.in(c.through) {
			continue
		}
		c.line = c.stream.Append(c.line[:0], &r.Line)
		c.rec.Ord++
		c.rec.Off = c.off
		c.off += int64(len(c.line)) + 1
		if c.whole {
			c.reader.ReadWhole(c.line, &c.rec)
		} else {
			c.reader.Read(c.line, &c.rec)
		}
		return &c.rec
	}
	return nil
}

// place is a source without its path, to find the files that were landed from it.
func place(kind store.Kind, stream, batch string) store.Source {
	return store.Source{Kind: kind, Stream: stream, Batch: batch}
}

// position is where a planned record stands.
type position struct {
	ord, off, bytes int64
	sha             string
}

// landed counts the records of each source that were landed before. They have to be the first ones of the stage. Those of a
// landed file that a person deleted are known by the index, and are not landed again.
func (b *builder) landed(s *store.Session, p *Plan) (map[store.Source]int, error) {
	files, err := s.Landed()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be looked into: %w", s.Dir(), reason(err))
	}
	indexed := map[store.Source]int{}
	index, err := s.Index()
	if err == nil {
		err = index.Each(func(e *store.IndexEntry) error {
			indexed[place(e.Kind, e.Stream, e.Batch)]++
			return nil
		})
	}
	switch {
	case err != nil && !errors.Is(err, store.ErrDamaged):
		return nil, fmt.Errorf("%s cannot be looked into: %w", s.Dir(), reason(err))
	case len(files) == 0 && len(indexed) == 0:
		return nil, nil
	}
	planned := map[store.Source][]position{}
	for i := range p.Files {
		f := &p.Files[i]
		at, c := place(f.Kind, f.Source.Stream, f.Batch), p.convert(f)
		for r := c.next(); r != nil; r = c.next() {
			planned[at] = append(planned[at], position{r.Ord, r.Off, r.Bytes, strings.Clone(r.SHA)})
		}
	}
	have, there := map[store.Source]int{}, map[store.Source]int{}
	foreign := errors.New("it holds records that are not the first ones of this build: name another directory, or give the same file and --at as then")
	for _, l := range files {
		at := place(l.Kind, l.Stream, l.Batch)
		f, err := store.OpenLanded(b.FS, l.Path)
		if err == nil {
			if f.Header().Dialect != mockDialect {
				err = errors.New("it was not landed by a build: name another directory")
			} else {
				var rec store.Record
				err = f.Each(func(_ int, line []byte) error {
					if err := rec.Read(line); err != nil {
						return err
					}
					list, n := planned[at], int(rec.Ord)
					if n <= have[at] || n > len(list) || list[n-1] != (position{rec.Ord, rec.Off, rec.Bytes, rec.SHA}) {
						return foreign
					}
					have[at] = n
					there[at]++
					return nil
				})
			}
			f.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Path, reason(err))
		}
	}
	for at, n := range indexed {
		have[at] = max(have[at], n)
	}
	for at, n := range have {
		if n > len(planned[at]) || n-there[at] > indexed[at] {
			return nil, fmt.Errorf("%s: %w", s.Dir(), foreign)
		}
	}
	return have, nil
}

// fitsLanded refuses a session of which something else is there.
func (b *builder) fitsLanded(p *Plan) error {
	for i := range p.Files {
		name := b.at(Source, p.Files[i].Rel)
		if _, err := b.FS.Stat(name); err == nil {
			return fmt.Errorf("%s was built with --format %s: name another directory", name, ClaudeCode)
		}
	}
	_, err := b.landed(b.root().Session(p.Session), p)
	return err
}

func (b *builder) root() *store.Root { return &store.Root{FS: b.FS, Dir: b.Out} }

// land lands what the stage added to a session.
func (b *builder) land(p *Plan, built *Built) (err error) {
	s := b.root().Session(p.Session)
	pass, err := s.Lock()
	if err != nil {
		return fmt.Errorf("%s: %w", s.Dir(), reason(err))
	}
	defer func() { err = errors.Join(err, pass.Close()) }()
	have, err := b.landed(s, p)
	if err != nil {
		return err
	}
	pass.Begin(p.Base)
	for _, f := range p.Files { // what an interrupted build landed may not have come to the disk: this syncs it, before more lands
		if _, err := pass.LandedAfter(f.Source, 0); err != nil {
			return fmt.Errorf("%s cannot be synced: %w", s.Dir(), reason(err))
		}
	}
	for i := range p.Files {
		f := &p.Files[i]
		n, err := b.landFile(pass, p, f, have[place(f.Kind, f.Source.Stream, f.Batch)], built)
		if err != nil {
			return fmt.Errorf("%s cannot be landed: %w", s.Dir(), reason(err))
		}
		built.Records += n
	}
	if err := pass.Commit(); err != nil {
		return fmt.Errorf("%s cannot be indexed: %w", s.Dir(), reason(err))
	}
	return nil
}

// landFile lands the records of a source behind the first have, in as many files as a collector would make of them, and
// counts all that the stage holds.
func (b *builder) landFile(pass *store.Pass, p *Plan, f *File, have int, built *Built) (int, error) {
	c := p.convert(f)
	r := c.next()
	for range have {
		r = c.next()
	}
	header := store.Header{
		Kind: f.Kind, Adapter: mockAdapter + "/" + b.Version, Dialect: mockDialect, Src: f.Rel, Stream: f.Source.Stream, Batch: f.Batch,
	}
	for r != nil {
		landed, err := pass.Land(header, func(l *store.Landing) error {
			for size := int64(0); r != nil; r = c.next() {
				if size += r.Bytes + 1; size > landWindow && size > r.Bytes+1 {
					return nil
				}
				if err := l.Record(r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		built.Files++
		built.Bytes += landed.Size
	}
	return int(c.rec.Ord), nil
}
