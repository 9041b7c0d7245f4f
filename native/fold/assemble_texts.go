package fold

import (
	"strconv"
	"strings"
	"time"
)

// texts makes many short texts in few pieces of memory.
type texts struct {
	b     strings.Builder
	start int
}

const textsChunk = 64 << 10

// begin starts a text of at most size bytes.
func (t *texts) begin(size int) {
	if t.b.Cap()-t.b.Len() < size {
		t.b = strings.Builder{}
		t.b.Grow(max(textsChunk, size))
	}
	t.start = t.b.Len()
}

func (t *texts) end() string { return t.b.String()[t.start:] }

func (t *texts) join(prefix, text string) string {
	t.begin(len(prefix) + len(text))
	t.b.WriteString(prefix)
	t.b.WriteString(text)
	return t.end()
}

// at is prefix and the position of a record, and of a part of it.
func (t *texts) at(prefix string, r Ref) string {
	var digits [64]byte
	d := strconv.AppendInt(digits[:0], r.Seq, 10)
	d = append(d, '/')
	d = strconv.AppendInt(d, r.Row, 10)
	if r.Block != WholeRecord {
		d = append(d, ':')
		d = strconv.AppendInt(d, int64(r.Block), 10)
	}
	t.begin(len(prefix) + len(d))
	t.b.WriteString(prefix)
	t.b.Write(d)
	return t.end()
}

// spare gives short lists from few pieces of memory.
type spare struct {
	refs  []Ref
	attrs []Attr
}

const spareChunk = 1024

func piece[T any](from *[]T, n int) []T {
	if cap(*from)-len(*from) < n {
		*from = make([]T, 0, max(spareChunk, n))
	}
	start := len(*from)
	*from = (*from)[:start+n]
	return (*from)[start : start+n : start+n]
}

func (s *spare) ref(r Ref) []Ref {
	out := piece(&s.refs, 1)
	out[0] = r
	return out
}

func (s *spare) attr(attrs ...Attr) []Attr {
	out := piece(&s.attrs, len(attrs))
	copy(out, attrs)
	return out
}

func number(n int) string { return strconv.Itoa(n) }

// position is where a record stands, in an id.
func position(r *record) string {
	return "at_" + strconv.FormatInt(r.seq, 10) + "_" + strconv.FormatInt(r.row, 10)
}

// moment is a time as attributes give it: RFC 3339 in UTC.
func moment(at int64) string { return time.Unix(0, at).UTC().Format(time.RFC3339Nano) }
