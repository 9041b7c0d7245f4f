package fold

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// Nodes are made in the order of their ids, kind by kind, so that they need not be sorted: there are as many of them as
// records, and each is large.

// places are the records of transcripts in the order of ids that end with a position: as decimal digits are ordered. Where a
// position goes on with a part, 10: comes before 1:, else 1 before 10.
func (a *assembler) places(parts bool) []int32 {
	type file struct {
		seq         string
		first, last int // records
	}
	var files []file
	for i := 0; i < len(a.records); {
		f := file{strconv.FormatInt(a.records[i].seq, 10), i, i}
		for f.last+1 < len(a.records) && a.records[f.last+1].seq == a.records[i].seq {
			f.last++
		}
		if a.records[i].kind == kindTranscript {
			files = append(files, f)
		}
		i = f.last + 1
	}
	slices.SortFunc(files, func(x, y file) int { return strings.Compare(x.seq, y.seq) })
	out := make([]int32, 0, len(a.records))
	var at []int32 // by row; copies are left out
	for _, f := range files {
		at = at[:0]
		for n := f.first; n <= f.last; n++ {
			for int64(len(at)) < a.records[n].row {
				at = append(at, none)
			}
			at = append(at, int32(n))
		}
		decimals(1, len(at), parts, func(row int) {
			if at[row] != none {
				out = append(out, at[row])
			}
		})
	}
	return out
}

// decimals visits the numbers from least (0 or 1) below end as their digits are ordered, a number before those that begin with
// it or, late, behind them.
func decimals(least, end int, late bool, visit func(int)) {
	var below func(n int)
	below = func(n int) {
		if n >= end {
			return
		}
		if !late {
			visit(n)
		}
		if n > 0 {
			for d := range 10 {
				below(10*n + d)
			}
		}
		if late {
			visit(n)
		}
	}
	for n := least; n < 10; n++ {
		below(n)
	}
}

// key is eight bytes of a text.
type key struct {
	bytes uint64
	i     int32
}

// ordered are the numbers of the texts in the order of the texts. It compares eight bytes at a time and skips what texts have
// in common.
func ordered(texts []string) []int32 {
	keys := make([]key, len(texts))
	for i := range keys {
		keys[i].i = int32(i)
	}
	order(keys, 0, texts)
	out := make([]int32, len(keys))
	for i, k := range keys {
		out[i] = k.i
	}
	return out
}

// order sorts keys whose texts have their first depth bytes in common.
func order(keys []key, depth int, texts []string) {
	if len(keys) <= 24 {
		orderPlain(keys, texts)
		return
	}
	first := texts[keys[0].i]
	common := len(first)
	for _, k := range keys[1:] {
		text := texts[k.i]
		n := depth
		for end := min(common, len(text)); n < end && text[n] == first[n]; n++ {
		}
		common = n
	}
	for i := range keys {
		rest := texts[keys[i].i][common:]
		if len(rest) >= 8 {
			keys[i].bytes = uint64(rest[7]) | uint64(rest[6])<<8 | uint64(rest[5])<<16 | uint64(rest[4])<<24 |
				uint64(rest[3])<<32 | uint64(rest[2])<<40 | uint64(rest[1])<<48 | uint64(rest[0])<<56
			continue
		}
		var word [8]byte
		copy(word[:], rest)
		keys[i].bytes = binary.BigEndian.Uint64(word[:])
	}
	slices.SortFunc(keys, func(x, y key) int { return cmp.Compare(x.bytes, y.bytes) })
	for start := 0; start < len(keys); {
		end, short := start, false
		for ; end < len(keys) && keys[end].bytes == keys[start].bytes; end++ {
			short = short || len(texts[keys[end].i]) < common+8
		}
		if group := keys[start:end]; short {
			orderPlain(group, texts) // a zero byte in a text looks like the end of one
		} else {
			order(group, common+8, texts)
		}
		start = end
	}
}

func orderPlain(keys []key, texts []string) {
	if len(keys) > 1 {
		slices.SortFunc(keys, func(x, y key) int { return strings.Compare(texts[x.i], texts[y.i]) })
	}
}
