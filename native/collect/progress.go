package collect

// Progress is how far a pass is.
type Progress struct {
	Sources, SourcesDone int
	Bytes, BytesDone     int64 // of source, what was landed before included
}

// expect counts what a pass will go through; only where somebody wants to see it, since it looks at every source.
func (c *pass) expect(sessions []session) {
	if c.Progress == nil {
		return
	}
	for _, s := range sessions {
		c.progress.Sources += len(s.sources)
		for _, src := range s.sources {
			if info, err := c.Sources.Stat(src.Path); err == nil {
				c.progress.Bytes += info.Size
			}
		}
	}
	c.Progress(c.progress)
}

// advance counts bytes of the source at hand that are behind us.
func (l *landing) advance(n int64) {
	l.counted += n
	l.tell(func(p *Progress) { p.BytesDone += n })
}

// sourceDone counts the source at hand, whatever was not read of it included.
func (l *landing) sourceDone() {
	if l.Progress == nil {
		return
	}
	var rest int64
	if info, err := l.Sources.Stat(l.src.Path); err == nil {
		rest = max(0, info.Size-l.counted)
	}
	l.tell(func(p *Progress) {
		p.SourcesDone++
		p.BytesDone += rest
		p.Bytes = max(p.Bytes, p.BytesDone)
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
