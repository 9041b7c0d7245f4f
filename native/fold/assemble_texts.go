package fold

import (
	"cmp"
	"encoding/binary"
	"slices"
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

// key is eight bytes of an id.
type key struct {
	bytes uint64
	i     int32
}

// sorted is the list in the order of the ids. It compares eight bytes at a time and skips what ids have in common.
func sorted[T any](list []T, id func(*T) string) []T {
	keys := make([]key, len(list))
	for i := range keys {
		keys[i].i = int32(i)
	}
	sortKeys(keys, 0, func(i int32) string { return id(&list[i]) })
	out := make([]T, len(list))
	for i, k := range keys {
		out[i] = list[k.i]
	}
	return out
}

func sortKeys(keys []key, depth int, id func(int32) string) {
	if len(keys) <= 24 {
		sortPlain(keys, id)
		return
	}
	first := id(keys[0].i)
	common := len(first)
	for _, k := range keys[1:] {
		text := id(k.i)
		n := depth
		for end := min(common, len(text)); n < end && text[n] == first[n]; n++ {
		}
		common = n
	}
	for i := range keys {
		var word [8]byte
		copy(word[:], id(keys[i].i)[common:])
		keys[i].bytes = binary.BigEndian.Uint64(word[:])
	}
	slices.SortFunc(keys, func(x, y key) int { return cmp.Or(cmp.Compare(x.bytes, y.bytes), cmp.Compare(x.i, y.i)) })
	for start := 0; start < len(keys); {
		end, short := start, false
		for ; end < len(keys) && keys[end].bytes == keys[start].bytes; end++ {
			short = short || len(id(keys[end].i)) < common+8
		}
		if group := keys[start:end]; short {
			sortPlain(group, id) // a zero byte in an id looks like the end of one
		} else {
			sortKeys(group, common+8, id)
		}
		start = end
	}
}

func sortPlain(keys []key, id func(int32) string) {
	if len(keys) > 1 {
		slices.SortFunc(keys, func(x, y key) int {
			return cmp.Or(strings.Compare(id(x.i), id(y.i)), cmp.Compare(x.i, y.i))
		})
	}
}
