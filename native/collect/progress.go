package collect

import "asz/native/store"

// Progress is how far a pass is with what is new: what it need not open is not counted.
type Progress struct {
	Sources, SourcesDone int
	Bytes, BytesDone     int64 // of source
}

// expect counts what a pass will read; only where somebody wants to see it, since it looks at every source.
func (c *pass) expect(sessions []session) {
	if c.Progress == nil {
		return
	}
	for _, s := range sessions {
		root := c.Root.Session(s.id)
		for i := range s.sources {
			src := &s.sources[i]
			info, err := c.Sources.Stat(src.Path)
			if err != nil {
				continue
			}
			cursor, known := root.Cursor(src.Source)
			if known && (cursor.State == store.Conflict || unchanged(cursor, info)) {
				continue
			}
			src.expected, src.todo = true, info.Size
			if !src.Kind.Snapshot() {
				src.todo = max(0, info.Size-cursor.Offset)
			}
			c.progress.Sources++
			c.progress.Bytes += src.todo
		}
	}
	c.Progress(c.progress)
}

// unchanged says that a source is what it was when its cursor was written.
func unchanged(c store.Cursor, now store.Info) bool {
	return c.State == store.Active && now.Size == c.Size && now.MTime == c.MTime && now.Ino == c.Ino
}

// advance counts bytes of the source at hand that are behind us; what it grew by since it was expected comes on top.
func (l *landing) advance(n int64) {
	l.counted += n
	grown := max(0, l.counted-l.todo)
	l.todo += grown
	l.tell(func(p *Progress) {
		p.BytesDone += n
		p.Bytes += grown
	})
}

// sourceDone counts the source at hand, whatever was not read of it included.
func (l *landing) sourceDone() {
	if !l.expected && l.counted == 0 {
		return
	}
	l.tell(func(p *Progress) {
		if !l.expected {
			p.Sources++
		}
		p.SourcesDone++
		p.BytesDone += l.todo - l.counted
	})
}

func (l *landing) tell(change func(*Progress)) {
	if l.Progress == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.progress)
	l.Progress(l.progress)
}
