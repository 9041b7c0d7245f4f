package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// A block of entries.bin holds the entries of one landed file:
//
//	seq, kind, stream, batch, rows, size of the rows; then per row a mask, and what its bits say is there, in their order
//
// Numbers are varints, texts a length and their bytes. A record's parent, call and run are mostly those of the records before
// it, and then take a bit.
const (
	hasID = 1 << iota
	parentBefore
	callBefore
	runBefore
	hasTime
	hasParts
	hasUsage // low bits are the common ones, so that most masks take two bytes
	fromLow
	fromHigh
	hasCall
	hasRun
	hasFlags
	hasParent
	triggerLow
	triggerHigh
	hasTool
	hasChild
	hasBatch
	hasContinues
	hasStartedBy
	hasLabel
)

const (
	fromShift    = 7
	triggerShift = 13
)

var (
	froms    = [...]From{"", FromAgent, FromExternal, FromRuntime}
	triggers = [...]Trigger{"", TriggerExternal, TriggerNotification, TriggerUnknown}
	kinds    = [...]PartKind{"", PartText, PartReasoning, PartCall, PartResult, PartMedia, PartData, PartUnknown}
)

// Bits of a part, above the number of its kind.
const (
	partTool = 1 << 3
	partName = 1 << 4
)

// before is what the rows of a block refer to.
type before struct {
	id, call, run string
	time          int64
}

// blockWriter makes the block of one landed file.
type blockWriter struct {
	head   Header
	buf    []byte
	rows   int64
	parts  int64
	time   int64  // of the last row that has one
	lastID []byte // texts of a record live no longer than it
	lastCl []byte
	lastRn []byte
}

func (b *blockWriter) start(h *Header) {
	b.head = *h
	b.buf, b.rows, b.parts = b.buf[:0], 0, 0
	b.time = 0
	b.lastID, b.lastCl, b.lastRn = b.lastID[:0], b.lastCl[:0], b.lastRn[:0]
}

func number[T comparable](all []T, v T) uint64 { return uint64(max(0, slices.Index(all, v))) }

func (b *blockWriter) add(r *Record) {
	b.rows++
	id, parent, call, run := canonical(r.ID), canonical(r.Parent), canonical(r.Call), canonical(r.Run)
	at, timed := instant(r.Time)
	mask := number(froms[:], r.From)<<fromShift | number(triggers[:], r.Trigger)<<triggerShift
	set := func(bit uint64, on bool) {
		if on {
			mask |= bit
		}
	}
	set(hasID, id != "")
	same := func(v string, last []byte, beforeBit, hasBit uint64) {
		if v != "" && v == string(last) {
			mask |= beforeBit
		} else if v != "" {
			mask |= hasBit
		}
	}
	same(parent, b.lastID, parentBefore, hasParent)
	same(call, b.lastCl, callBefore, hasCall)
	same(run, b.lastRn, runBefore, hasRun)
	set(hasTime, timed)
	set(hasParts, len(r.Parts) > 0)
	set(hasUsage, r.Usage != nil)
	set(hasFlags, r.Flags != 0)
	rest := [...]struct {
		bit  uint64
		text string
	}{
		{hasTool, r.Tool}, {hasChild, r.Child}, {hasBatch, r.Batch}, {hasContinues, r.Continues},
		{hasStartedBy, r.StartedBy}, {hasLabel, r.Label},
	}
	for i := range rest {
		set(rest[i].bit, rest[i].text != "")
	}
	out := binary.AppendUvarint(b.buf, mask)
	if id != "" {
		out = appendText(out, id)
		b.lastID = append(b.lastID[:0], id...)
	}
	if timed {
		out = binary.AppendVarint(out, at-b.time)
		b.time = at
	}
	if mask&hasCall != 0 {
		out = appendText(out, call)
		b.lastCl = append(b.lastCl[:0], call...)
	}
	if mask&hasRun != 0 {
		out = appendText(out, run)
		b.lastRn = append(b.lastRn[:0], run...)
	}
	if mask&hasFlags != 0 {
		out = binary.AppendUvarint(out, uint64(r.Flags))
	}
	if mask&hasParent != 0 {
		out = appendText(out, parent)
	}
	for i := range rest {
		if rest[i].text != "" {
			out = appendText(out, canonical(rest[i].text))
		}
	}
	if len(r.Parts) > 0 {
		out = binary.AppendUvarint(out, uint64(len(r.Parts)))
		b.parts += int64(len(r.Parts))
		for i := range r.Parts {
			out = appendPart(out, &r.Parts[i])
		}
	}
	b.buf = out
}

func appendPart(out []byte, p *Part) []byte {
	tool := p.Of
	if p.K == PartCall {
		tool = p.ID
	}
	head := byte(number(kinds[:], p.K))
	if tool != "" {
		head |= partTool
	}
	if p.Name != "" {
		head |= partName
	}
	out = append(out, head)
	if tool != "" {
		out = appendText(out, canonical(tool))
	}
	if p.Name != "" {
		out = appendText(out, canonical(p.Name))
	}
	return out
}

func appendText(out []byte, v string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(v))), v...)
}

// close appends the block.
func (b *blockWriter) close(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(b.head.Seq))
	out = binary.AppendUvarint(out, uint64(slices.Index(allKinds[:], b.head.Kind)))
	out = appendText(out, canonical(b.head.Stream))
	out = appendText(out, canonical(b.head.Batch))
	out = binary.AppendUvarint(out, uint64(b.rows))
	out = binary.AppendUvarint(out, uint64(len(b.buf)))
	return append(out, b.buf...)
}

// canonical is the text as it comes back from the file, so that the index is the same whether it is made when a record
// lands or from the file.
func canonical(v string) string {
	if utf8.ValidString(v) {
		return v
	}
	var s stream
	s.buf = make([]byte, 0, 6*len(v)+8)
	s.quoted(v)
	out := string(s.buf[1 : len(s.buf)-1])
	unescape(&out)
	return out
}

// instant is a record's time in nanoseconds since 1970.
func instant(text string) (int64, bool) {
	if text == "" {
		return 0, false
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, false
	}
	ns := at.UnixNano()
	return ns, time.Unix(0, ns).Equal(at)
}

// blockReader reads entries; bad is a place where there is none.
type blockReader struct {
	s   string
	i   int
	bad bool
}

func (b *blockReader) number() uint64 {
	if b.i < len(b.s) && b.s[b.i] < 0x80 {
		b.i++
		return uint64(b.s[b.i-1])
	}
	var n uint64
	for shift := 0; shift < 64 && b.i < len(b.s); shift += 7 {
		c := b.s[b.i]
		b.i++
		n |= uint64(c&0x7F) << shift
		if c < 0x80 {
			return n
		}
	}
	b.bad = true
	return 0
}

func (b *blockReader) signed() int64 {
	n := b.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (b *blockReader) text() string {
	n := b.number()
	if n > uint64(len(b.s)-b.i) {
		b.bad = true
		return ""
	}
	v := b.s[b.i : b.i+int(n)]
	b.i += int(n)
	return v
}

// Each visits the entries by seq and row. The entry and its Parts are used again for the next one; the texts live as long
// as the index.
func (x *Index) Each(visit func(*IndexEntry) error) error {
	return x.each(visit, func(e *IndexEntry, n int) { e.Parts = slices.Grow(e.Parts[:0], n)[:n] })
}

// Entries are all entries by seq and row.
func (x *Index) Entries() ([]IndexEntry, error) {
	out := make([]IndexEntry, 0, x.Records)
	parts := make([]IndexPart, 0, x.parts)
	err := x.each(func(e *IndexEntry) error {
		out = append(out, *e)
		return nil
	}, func(e *IndexEntry, n int) {
		start := len(parts)
		parts = slices.Grow(parts, n)[:start+n]
		e.Parts = parts[start : start+n : start+n]
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// each gives an entry its parts by room.
func (x *Index) each(visit func(*IndexEntry) error, room func(e *IndexEntry, n int)) error {
	b := blockReader{s: x.data}
	var e IndexEntry
	records := 0
	for b.i < len(b.s) && !b.bad {
		seq, kind := b.number(), b.number()
		stream, batch := b.text(), b.text()
		rows, size := b.number(), b.number()
		if b.bad || kind >= uint64(len(allKinds)) || size > uint64(len(b.s)-b.i) {
			b.bad = true
			break
		}
		end := b.i + int(size)
		var last before
		for row := uint64(1); row <= rows && !b.bad; row++ {
			parts := e.Parts
			e = IndexEntry{Seq: int64(seq), Row: int64(row), Kind: allKinds[kind], Stream: stream, Batch: batch, Time: NoTime, Parts: parts[:0]}
			b.entry(&e, &last, room)
			if b.bad {
				break
			}
			records++
			if err := visit(&e); err != nil {
				return err
			}
		}
		b.bad = b.bad || b.i != end
	}
	if b.bad || records != x.Records {
		return fmt.Errorf("%s: %w: its entries cannot be read", x.name, ErrDamaged)
	}
	return nil
}

func (b *blockReader) entry(e *IndexEntry, last *before, room func(e *IndexEntry, n int)) {
	mask := b.number()
	e.From = froms[mask>>fromShift&3]
	e.Trigger = triggers[mask>>triggerShift&3]
	e.HasUsage = mask&hasUsage != 0
	previous := last.id
	if mask&hasID != 0 {
		e.ID = b.text()
		last.id = e.ID
	}
	if mask&hasTime != 0 {
		last.time += b.signed()
		e.Time = last.time
	}
	if mask&hasCall != 0 {
		last.call = b.text()
	}
	if mask&(hasCall|callBefore) != 0 {
		e.Call = last.call
	}
	if mask&hasRun != 0 {
		last.run = b.text()
	}
	if mask&(hasRun|runBefore) != 0 {
		e.Run = last.run
	}
	if mask&hasFlags != 0 {
		e.Flags = Flags(b.number())
	}
	if mask&hasParent != 0 {
		e.Parent = b.text()
	} else if mask&parentBefore != 0 {
		e.Parent = previous
	}
	if mask&^(hasTool-1) != 0 {
		b.rare(e, mask)
	}
	if mask&hasParts == 0 {
		return
	}
	n := b.number()
	if n > uint64(len(b.s)-b.i) {
		b.bad = true
		return
	}
	room(e, int(n))
	for i := range e.Parts {
		p := &e.Parts[i]
		if b.i >= len(b.s) {
			b.bad = true
			return
		}
		head := b.s[b.i]
		b.i++
		*p = IndexPart{K: kinds[head&7]}
		if head&partTool != 0 {
			p.Tool = b.text()
		}
		if head&partName != 0 {
			p.Name = b.text()
		}
	}
}

// rare reads what few records have.
func (b *blockReader) rare(e *IndexEntry, mask uint64) {
	for _, field := range [...]struct {
		bit  uint64
		text *string
	}{
		{hasTool, &e.Tool}, {hasChild, &e.Child}, {hasBatch, &e.BatchNamed}, {hasContinues, &e.Continues},
		{hasStartedBy, &e.StartedBy}, {hasLabel, &e.Label},
	} {
		if mask&field.bit != 0 {
			*field.text = b.text()
		}
	}
}
