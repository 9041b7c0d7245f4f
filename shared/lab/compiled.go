package lab

import (
	"errors"
	"strings"
)

// The compiled form: magic, format version, table of strings, then the fields
// of a Lab in the order of codec.lab as varints that count or point into the
// table. It is made and loaded by the same version of asz, so another format
// version is refused, never guessed at.
const (
	compiledMagic   = "aszlab"
	compiledVersion = 1
	maxDepth        = 128 // of nested values and effects
)

// Encode returns the compiled form of l. Catalog texts, icons and the author's
// own notes are left out: the page is built with them, the player needs none.
func Encode(l *Lab) []byte {
	c := &codec{writing: true, index: map[string]int{}}
	c.lab(l)
	out := append([]byte(compiledMagic), compiledVersion)
	out = appendUvarint(out, uint64(len(c.table)))
	for _, s := range c.table {
		out = appendUvarint(out, uint64(len(s)))
	}
	for _, s := range c.table {
		out = append(out, s...)
	}
	return append(out, c.body...)
}

// Decode reads the compiled form. It fails on anything that Encode did not write.
func Decode(data []byte) (*Lab, error) {
	if len(data) <= len(compiledMagic) || string(data[:len(compiledMagic)]) != compiledMagic {
		return nil, errors.New("not a compiled lab")
	}
	if data[len(compiledMagic)] != compiledVersion {
		return nil, errors.New("the compiled lab has another format version: build the site again")
	}
	c := &codec{body: data[len(compiledMagic)+1:]}
	n := c.count()
	lengths := make([]int, n)
	total := 0
	for i := range lengths {
		lengths[i] = c.count()
		total += lengths[i]
	}
	if c.err != nil || total > len(c.body) {
		return nil, errDamaged
	}
	all := string(c.body[:total])
	c.body = c.body[total:]
	c.table = make([]string, n)
	for i, size := range lengths {
		c.table[i], all = all[:size], all[size:]
	}
	l := new(Lab)
	c.lab(l)
	if c.err != nil {
		return nil, c.err
	}
	if len(c.body) > 0 {
		return nil, errDamaged
	}
	return l, nil
}

var errDamaged = errors.New("the compiled lab is damaged: build the site again")

// codec walks a lab in both directions, so that what is written and what is
// read cannot drift apart.
type codec struct {
	writing bool
	body    []byte
	table   []string
	index   map[string]int // writing: text → place in table
	depth   int
	err     error
}

func (c *codec) fail() {
	c.err = errDamaged
	c.body = nil
}

// check fails on a value that no lab has.
func (c *codec) check(ok bool) {
	if !ok {
		c.fail()
	}
}

// number codes a non-negative number.
func (c *codec) number(n *uint64) {
	if c.writing {
		c.body = appendUvarint(c.body, *n)
		return
	}
	v, size := uvarint(c.body)
	if size <= 0 {
		c.fail()
		return
	}
	*n, c.body = v, c.body[size:]
}

// count reads a number of things that take at least a byte each.
func (c *codec) count() int {
	var n uint64
	c.number(&n)
	if n > uint64(len(c.body)) {
		c.fail()
		return 0
	}
	return int(n)
}

func (c *codec) int(i *int) {
	n := uint64(*i)<<1 ^ uint64(*i>>63) // zigzag
	c.number(&n)
	*i = int(n>>1) ^ -int(n&1)
}

func (c *codec) byte(b *uint8) {
	n := uint64(*b)
	c.number(&n)
	*b = uint8(n)
}

func (c *codec) bool(b *bool) {
	var n uint64
	if *b {
		n = 1
	}
	c.number(&n)
	*b = n != 0
}

func (c *codec) text(s *string) {
	var n uint64
	if c.writing {
		i, ok := c.index[*s]
		if !ok {
			i = len(c.table)
			c.index[*s] = i
			c.table = append(c.table, strings.Clone(*s))
		}
		n = uint64(i)
	}
	c.number(&n)
	if c.writing {
		return
	}
	if n >= uint64(len(c.table)) {
		c.fail()
		return
	}
	*s = c.table[n]
}

// list codes a slice; nil and empty stay apart.
func list[T any](c *codec, s *[]T, each func(*codec, *T)) {
	n := c.length(len(*s), *s == nil)
	if !c.writing && n >= 0 {
		*s = make([]T, n)
	}
	for i := range *s {
		each(c, &(*s)[i])
	}
}

// length codes the length of a list, -1 for nil. Each element takes a byte at
// least, so a length beyond the data is a fault and not an allocation.
func (c *codec) length(n int, isNil bool) int {
	count := uint64(n) + 1
	if isNil {
		count = 0
	}
	c.number(&count)
	if !c.writing && count > uint64(len(c.body))+1 {
		c.fail()
		return -1
	}
	return int(count) - 1
}

// option codes a pointer that may be nil.
func option[T any](c *codec, p **T, value func(*codec, *T)) {
	has := *p != nil
	c.bool(&has)
	if !has || c.err != nil {
		return
	}
	if c.depth++; c.depth > maxDepth {
		c.fail()
		return
	}
	if !c.writing {
		*p = new(T)
	}
	value(c, *p)
	c.depth--
}

func (c *codec) value(v *Value) {
	kind := uint8(v.Kind())
	c.byte(&kind)
	if c.depth++; c.depth > maxDepth {
		c.fail()
	}
	defer func() { c.depth-- }()
	switch Kind(kind) {
	case KindNull:
	case KindBool:
		b := v.Truth()
		c.bool(&b)
		*v = Bool(b)
	case KindText, KindNumber:
		s := v.Text()
		c.text(&s)
		if Kind(kind) == KindText {
			*v = Text(s)
		} else {
			*v = Number(s)
		}
	case KindList:
		vs := v.List().Values()
		list(c, &vs, (*codec).value)
		*v = ListOf(vs...)
	case KindMap:
		entries := v.Entries()
		list(c, &entries, func(c *codec, e *Entry) {
			c.text(&e.Key)
			c.value(&e.Value)
		})
		m := EmptyMap()
		for _, e := range entries {
			m = m.With(e.Key, e.Value)
		}
		*v = m
	default:
		c.fail()
	}
}

// appendUvarint and uvarint are the varints of encoding/binary, which brings
// reflection into a module that has no other use for it.
func appendUvarint(dst []byte, n uint64) []byte {
	for n >= 0x80 {
		dst = append(dst, byte(n)|0x80)
		n >>= 7
	}
	return append(dst, byte(n))
}

// uvarint returns the number at the start of data and how many bytes it takes,
// 0 when there is none.
func uvarint(data []byte) (n uint64, size int) {
	for i, b := range data {
		if i == 10 {
			break
		}
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}
