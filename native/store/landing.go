package store

import (
	"fmt"
	"path"
	"time"
)

// Header is the first line of a landed file.
type Header struct {
	Seq     int64
	At      string // the pass's stamp, RFC 3339 UTC with nine digits
	Kind    Kind
	Adapter string
	Dialect string
	Src     string // the source, relative to the source root
	Session string
	Stream  string // either Stream or Batch is set
	Batch   string
}

// Landing is a file that is being landed.
type Landing struct {
	p      *Pass
	header Header
	dir    string
	temp   string // empty until the first record
	out    stream
	block  blockWriter
}

// Record writes one record. Long values go to the file in pieces and are never copied whole. A record that would break the
// file is refused before any of it is written.
func (l *Landing) Record(r *Record) error {
	if err := r.fits(); err != nil {
		return fmt.Errorf("session %s, %s, line %d: %w", l.header.Session, l.header.Src, r.Ord, err)
	}
	if err := l.open(); err != nil {
		return err
	}
	l.out.record(r)
	l.block.add(r)
	return l.out.err
}

// Line writes a record line of another landed file, without newline, as it is.
func (l *Landing) Line(line []byte) error {
	var r Record
	if err := r.Read(line); err != nil {
		return err
	}
	if err := l.open(); err != nil {
		return err
	}
	l.out.bytes(line)
	l.out.text("\n")
	l.block.add(&r)
	return l.out.err
}

// open makes the file when the first record comes: what has none leaves no trace.
func (l *Landing) open() error {
	if l.temp != "" || l.out.err != nil {
		return l.out.err
	}
	if err := l.p.ready(l.dir); err != nil {
		l.out.err = err
		return err
	}
	temp := path.Join(l.dir, tempPrefix+landedName(l.header.Kind, l.p.stamp, l.header.Seq))
	w, err := l.p.fs.Create(temp)
	if err != nil {
		l.out.err = err
		return err
	}
	l.temp = temp
	l.out.start(w)
	l.out.header(&l.header)
	return nil
}

func (s *stream) header(h *Header) {
	s.text(`{"h":1,"schema":"sd/1","seq":`)
	s.number(h.Seq)
	s.text(`,"at":`)
	s.quoted(h.At)
	s.text(`,"kind":`)
	s.quoted(string(h.Kind))
	s.text(`,"adapter":`)
	s.quoted(h.Adapter)
	s.text(`,"dialect":`)
	s.quoted(h.Dialect)
	s.text(`,"src":`)
	s.quoted(h.Src)
	s.text(`,"session":`)
	s.quoted(h.Session)
	s.field(`,"stream":`, h.Stream)
	s.field(`,"batch":`, h.Batch)
	s.text("}\n")
}

// seal writes the closing line and gives the file its name. Before all of this is on the disk, nothing may build on it.
func (l *Landing) seal(to string) error {
	if l.out.err != nil {
		return l.out.err
	}
	digest := l.out.digest()
	l.out.text(closing(l.block.rows, digest))
	l.out.flush()
	if l.out.err != nil {
		return l.out.err
	}
	w := l.out.w
	if err := w.Seal(); err != nil {
		return err
	}
	if err := w.Sync(); err != nil {
		return err
	}
	l.out.w = nil
	if err := w.Close(); err != nil {
		return err
	}
	if err := l.p.fs.Rename(l.temp, to); err != nil {
		return err
	}
	l.temp = ""
	return l.p.syncDir(l.dir)
}

// discard takes away what there is of the file.
func (l *Landing) discard() {
	if l.out.w != nil {
		l.out.w.Close()
		l.out.w = nil
	}
	if l.temp != "" {
		_ = l.p.fs.Remove(l.temp) // the next holder of the lock comes back to it
		l.temp = ""
	}
}

// Land lands a file: the records that more hands to Landing.Record. Seq, At and Session of the header are the pass's.
// Without records nothing is landed, and the answer is zero. An error that more makes itself is returned as it is: nothing
// is landed, and the pass goes on.
func (p *Pass) Land(h Header, more func(*Landing) error) (Landed, error) {
	if p.err != nil {
		return Landed{}, p.err
	}
	if p.stamp == "" {
		return Landed{}, fmt.Errorf("session %s: nothing can be landed before the pass has a stamp", p.s.ID)
	}
	dir, err := p.s.place(h.Kind, h.Stream, h.Batch)
	if err == nil && (h.Src == "" || h.Dialect == "") {
		err = fmt.Errorf("session %s: a landed file needs a source and a dialect", p.s.ID)
	}
	if err != nil {
		return Landed{}, err
	}
	seq, err := p.NextSeq()
	if err != nil {
		return Landed{}, err
	}
	h.Seq, h.At, h.Session = seq, p.at.Format(AtLayout), p.s.ID
	l := &p.landing
	l.p, l.header, l.dir, l.temp, l.out.w, l.out.err = p, h, dir, "", nil, nil
	l.block.start(&h)
	if err := more(l); err != nil || l.temp == "" && l.out.err == nil {
		disk := l.out.err
		l.discard()
		if disk != nil {
			return Landed{}, p.fail(disk)
		}
		return Landed{}, err
	}
	landed := Landed{Seq: seq, Kind: h.Kind, Stream: h.Stream, Batch: h.Batch, Name: landedName(h.Kind, p.stamp, seq), Stamp: p.stamp}
	landed.Path = path.Join(dir, landed.Name)
	if err := l.seal(landed.Path); err != nil {
		l.discard()
		return Landed{}, p.fail(err)
	}
	landed.Size = l.out.total
	p.landed = append(p.landed, landed)
	p.next++
	p.pending = l.block.close(p.pending)
	p.unindexed = append(p.unindexed, seq)
	p.pendingRecords += l.block.rows
	p.pendingParts += l.block.parts
	if len(p.pending) > mostPending {
		if err := p.flushIndex(); err != nil {
			return landed, p.fail(err)
		}
	}
	return landed, nil
}

// Begin sets the stamp of what the pass lands.
func (p *Pass) Begin(stamp time.Time) {
	p.at = stamp.UTC()
	p.stamp = p.at.Format(StampLayout)
}
