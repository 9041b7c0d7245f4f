package diag

import (
	"cmp"
	"slices"
	"strings"
)

// Changed is the new text of a file after fixes.
type Changed struct {
	Source *Source
	Text   string
}

// Apply makes the edits of all safe fixes; what lies outside of them stays as it is, byte for byte. Of two fixes that
// touch the same characters the first one wins, and the other is left for another run. A fix is applied whole or not at
// all. Sources of one name and text are one file, as when two labs share it; files come in the order of their first
// fixed finding.
func (l List) Apply() (files []Changed, fixed, left List) {
	p := patch{}
	for _, d := range l {
		if d.Fix != nil && d.Fix.Safe && p.take(d.Fix.Edits) {
			fixed = append(fixed, d)
		} else {
			left = append(left, d)
		}
	}
	for _, f := range p {
		files = append(files, Changed{f.source, f.text()})
	}
	return files, fixed, left
}

// patch is what is to be changed, file by file.
type patch []*patched

// patched is one file with its edits, which do not overlap, sorted by place.
type patched struct {
	source *Source
	edits  []Edit
}

// take adds the edits of one fix if all of them can be made.
func (p *patch) take(edits []Edit) bool {
	own := patch{} // the edits of one fix may not overlap either
	for _, e := range edits {
		s := e.Span
		if s.Source == nil || s.Start < 0 || s.Len < 0 || s.End() > len(s.Source.Text) {
			return false
		}
		if f := p.file(s.Source); f != nil && (f.source.Text != s.Source.Text || f.clash(e) && !slices.ContainsFunc(f.edits, e.same)) {
			return false
		}
		f := own.file(s.Source)
		if f == nil {
			f = &patched{source: s.Source}
			own = append(own, f)
		}
		if f.source.Text != s.Source.Text || f.clash(e) {
			return false
		}
		f.edits = append(f.edits, e)
	}
	for _, mine := range own {
		f := p.file(mine.source)
		if f == nil {
			f = &patched{source: mine.source}
			*p = append(*p, f)
		}
		for _, e := range mine.edits {
			if !slices.ContainsFunc(f.edits, e.same) { // the same finding of another lab that uses the file
				f.edits = append(f.edits, e)
			}
		}
	}
	return len(edits) > 0
}

func (p patch) file(s *Source) *patched {
	for _, f := range p {
		if f.source == s || f.source.Name == s.Name {
			return f
		}
	}
	return nil
}

// clash reports whether an edit touches what another one touches; two insertions at one place would have no order.
func (f *patched) clash(e Edit) bool {
	return slices.ContainsFunc(f.edits, func(o Edit) bool {
		return e.Span.Start == o.Span.Start || e.Span.Start < o.Span.End() && o.Span.Start < e.Span.End()
	})
}

func (e Edit) same(o Edit) bool {
	return e.Span.Start == o.Span.Start && e.Span.Len == o.Span.Len && e.New == o.New
}

// text is the file after its edits.
func (f *patched) text() string {
	slices.SortFunc(f.edits, func(a, b Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	var b strings.Builder
	at := 0
	for _, e := range f.edits {
		b.WriteString(f.source.Text[at:e.Span.Start])
		b.WriteString(e.New)
		at = e.Span.End()
	}
	b.WriteString(f.source.Text[at:])
	return b.String()
}
