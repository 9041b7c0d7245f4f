package lab

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// Kind says what a Value is.
type Kind uint8

// The kinds of values: those of JSON.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindText
	KindList
	KindMap
)

// Value is one immutable state value. The zero Value is null.
type Value struct{ n *datum }

type datum struct {
	kind   Kind
	truth  bool
	digest uint64
	text   string // of text; of a number, as it was written
	number string // canonical form of a number: equal numbers have equal forms
	list   *List
	fields Tree[field]
}

// field is one entry of a map; place keeps the author's order.
type field struct {
	place int
	value Value
}

func (f field) Digest() uint64 { return mix(uint64(f.place), f.value.Digest()) }

func newValue(d datum, content uint64) Value {
	d.digest = mix(uint64(d.kind)+1, content)
	return Value{&d}
}

// Bool returns a truth value.
func Bool(b bool) Value {
	content := uint64(1)
	if b {
		content = 2
	}
	return newValue(datum{kind: KindBool, truth: b}, content)
}

// Text returns a text value.
func Text(s string) Value { return newValue(datum{kind: KindText, text: s}, HashText(s)) }

// Number returns a number from its text in YAML's core schema (`7`, `2.0`,
// `0x1F`, `.inf`) or JSON; it prints as written and compares by its value.
func Number(text string) Value {
	return newValue(datum{kind: KindNumber, text: text, number: canonical(text)}, HashText(text))
}

// Int returns a whole number.
func Int(i int) Value { return Number(strconv.Itoa(i)) }

// ListOf returns a list value.
func ListOf(vs ...Value) Value {
	var l List
	for _, v := range vs {
		l = l.Append(v)
	}
	return FromList(l)
}

// FromList returns l as a value.
func FromList(l List) Value { return newValue(datum{kind: KindList, list: &l}, l.Digest()) }

// EmptyMap returns a map without entries; With adds some.
func EmptyMap() Value { return newValue(datum{kind: KindMap}, 0) }

// With returns the map v (or an empty one) with value at key. A new key comes last.
func (v Value) With(key string, value Value) Value {
	var t Tree[field]
	if v.Kind() == KindMap {
		t = v.n.fields
	}
	place := t.Len()
	if old, ok := t.Get(key); ok {
		place = old.place
	}
	t = t.Set(key, field{place, value})
	return newValue(datum{kind: KindMap, fields: t}, t.Digest())
}

// Appended returns the list v (or an empty one) with one more element.
func (v Value) Appended(e Value) Value { return FromList(v.List().Append(e)) }

// WithAt returns the list v with element i, which must exist, replaced.
func (v Value) WithAt(i int, e Value) Value { return FromList(v.List().Set(i, e)) }

// Kind says what v is.
func (v Value) Kind() Kind {
	if v.n == nil {
		return KindNull
	}
	return v.n.kind
}

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.n == nil }

// Truth is the value of a bool, false for all else.
func (v Value) Truth() bool { return v.n != nil && v.n.truth }

// Text is the text of a text value, or a number as it was written.
func (v Value) Text() string {
	if v.n == nil {
		return ""
	}
	return v.n.text
}

// Int is the value of a whole number; ok is false for all else.
func (v Value) Int() (i int, ok bool) {
	if v.Kind() != KindNumber {
		return 0, false
	}
	return Atoi(v.n.text)
}

// List is the list of a list value, empty for all else.
func (v Value) List() List {
	if v.n == nil || v.n.list == nil {
		return List{}
	}
	return *v.n.list
}

// Get returns the map entry at key.
func (v Value) Get(key string) (Value, bool) {
	if v.n == nil {
		return Value{}, false
	}
	f, ok := v.n.fields.Get(key)
	return f.value, ok
}

// Entry is one key of a map with its value.
type Entry struct {
	Key   string
	Value Value
}

// Entries returns the entries of a map in the order in which they were made.
func (v Value) Entries() []Entry {
	if v.Kind() != KindMap {
		return nil
	}
	out := make([]Entry, v.n.fields.Len())
	v.n.fields.All(func(k string, f field) bool {
		out[f.place] = Entry{k, f.value}
		return true
	})
	return out
}

// Digest differs (but for one chance in 2^64) for values that could be told
// apart by printing them: 1 and 1.0 are equal and have different digests.
func (v Value) Digest() uint64 {
	if v.n == nil {
		return 0
	}
	return v.n.digest
}

// Equal is typed equality: "3" is not 3, 1 is 1.0, the order of a map's keys
// does not count.
func Equal(a, b Value) bool {
	if a.n == b.n {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case KindBool:
		return a.n.truth == b.n.truth
	case KindNumber:
		return a.n.number == b.n.number
	case KindText:
		return a.n.text == b.n.text
	case KindList:
		return a.n.list.Len() == b.n.list.Len() && slices.EqualFunc(a.n.list.Values(), b.n.list.Values(), Equal)
	}
	same := a.n.fields.Len() == b.n.fields.Len()
	a.n.fields.All(func(k string, f field) bool {
		g, ok := b.n.fields.Get(k)
		same = same && ok && Equal(f.value, g.value)
		return same
	})
	return same
}

// AppendText appends v as a template prints it: text as it is, numbers as
// written, null as nothing, lists and maps as compact JSON.
func (v Value) AppendText(dst []byte) []byte {
	switch v.Kind() {
	case KindNull:
		return dst
	case KindText, KindNumber:
		return append(dst, v.n.text...)
	}
	return v.AppendJSON(dst)
}

// AppendJSON appends v as compact JSON, maps in their own order, numbers as
// written where JSON allows that form.
func (v Value) AppendJSON(dst []byte) []byte { return v.appendJSON(dst, false) }

// AppendSortedJSON is AppendJSON with the keys of every map in byte order.
func (v Value) AppendSortedJSON(dst []byte) []byte { return v.appendJSON(dst, true) }

func (v Value) appendJSON(dst []byte, sorted bool) []byte {
	switch v.Kind() {
	case KindBool:
		return strconv.AppendBool(dst, v.n.truth)
	case KindNumber:
		return appendNumber(dst, v.n)
	case KindText:
		return AppendQuoted(dst, v.n.text)
	case KindList:
		dst = append(dst, '[')
		for i, e := range v.n.list.Values() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.appendJSON(dst, sorted)
		}
		return append(dst, ']')
	case KindMap:
		entries := v.Entries()
		if sorted {
			entries = entries[:0]
			v.n.fields.All(func(key string, f field) bool {
				entries = append(entries, Entry{key, f.value})
				return true
			})
		}
		dst = append(dst, '{')
		for i, e := range entries {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendQuoted(dst, e.Key), ':')
			dst = e.Value.appendJSON(dst, sorted)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// AppendQuoted appends s as a JSON string, escaping only what JSON requires;
// bytes that are not UTF-8 become U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[from:i]...), "\uFFFD"...)
				from = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}
