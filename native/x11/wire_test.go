package x11

import (
	"net"
	"reflect"
	"slices"
	"testing"
)

// writes notes each write.
type writes struct {
	net.Conn
	sizes []int
}

func (w *writes) Write(b []byte) (int, error) {
	w.sizes = append(w.sizes, len(b))
	return len(b), nil
}

// What is sent together reaches the server in one piece, unless xgb itself waits for an answer in between.
func TestTogether(t *testing.T) {
	t.Parallel()
	under := &writes{}
	w := &wire{Conn: under, hello: make([]byte, 12)}
	flushes := 0
	w.flushed = func() { flushes++ }
	w.Write(make([]byte, 20)) // xgb's opening becomes ours
	w.Write(make([]byte, 8))
	w.together(func() {
		w.Write(make([]byte, 8))
		w.Write(make([]byte, 36))
	})
	w.together(func() {})
	w.together(func() {
		w.Write(make([]byte, 8))
		w.Write([]byte{43, 0, 1, 0})
		w.Write(make([]byte, 4))
	})
	if want := []int{12, 8, 44, 12, 4}; !slices.Equal(under.sizes, want) {
		t.Errorf("writes of %v bytes, want %v", under.sizes, want)
	}
	if flushes != 4 {
		t.Errorf("%d flushes", flushes)
	}
}

func TestAuthority(t *testing.T) {
	t.Parallel()
	entry := func(family byte, fields ...string) (b []byte) {
		b = []byte{0, family}
		if family == 255 {
			b[0] = 255
		}
		if family == 1 {
			b = []byte{1, 0} // local
		}
		for _, f := range fields {
			b = append(append(b, byte(len(f)>>8), byte(len(f))), f...)
		}
		return b
	}
	const cookie = "MIT-MAGIC-COOKIE-1"
	file := slices.Concat(
		entry(1, "elsewhere", "5", cookie, "no"),
		entry(1, "here", "5", "XDM-AUTHORIZATION-1", "no"),
		entry(1, "here", "5", cookie, "five"),
		entry(0, "\x7f\x00\x00\x01", "6", cookie, "six"),
		entry(255, "", "", cookie, "any"),
	)
	for _, c := range []struct{ host, number, want string }{
		{"", "5", "five"}, {"localhost", "5", "five"}, {"127.0.0.1", "6", "six"}, {"", "7", "any"}, {"elsewhere", "5", "no"},
	} {
		if _, got := findAuthority(file, c.host, "here", c.number); string(got) != c.want {
			t.Errorf("%s:%s: %q, want %q", c.host, c.number, got, c.want)
		}
	}
	if name, _ := findAuthority(file[:len(file)-30], "", "here", "7"); name != "" {
		t.Error("a file that is cut short gives", name)
	}
	if got := hello(cookie, []byte("0123456789abcdef")); len(got) != 12+20+16 || got[6] != 18 || got[8] != 16 {
		t.Errorf("hello is %q", got)
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	for _, r := range []record{
		{window: 7, pid: 8},
		{window: 0x200001, pid: 1 << 22, keys: []byte{9, 255}, buttons: []byte{1}, remaps: []remapped{{8, 0x0110ffff}, {9, 'é'}}},
		{window: 7, keys: []byte{9}, aside: &aside{255, 2, 1, 3, -1}},
	} {
		b := r.encode()
		var v []uint32
		for ; len(b) > 0; b = b[4:] {
			v = append(v, number(b))
		}
		got, ok := decodeRecord(v)
		if !ok || !reflect.DeepEqual(got, r) {
			t.Errorf("%+v became %+v", r, got)
		}
		for n := range v {
			if _, ok := decodeRecord(v[:n]); ok {
				t.Errorf("%+v: %d values of %d are taken for all", r, n, len(v))
			}
		}
	}
}

func TestKeysyms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sym keysym
		is  rune
	}{
		{'a', 'a'}, {0xe9, 'é'}, {0x1004f60, '你'}, {0x101f600, '😀'}, {0x6c1, 'а'}, {0x6e1, 'А'}, {0x6a3, 'ё'}, {0x6b3, 'Ё'},
		{0x6ff, 'Ъ'}, {0x7e1, 'α'}, {0x7d9, 'Ω'}, {0x7f3, 'ς'}, {0x20ac, '€'}, {0x1b1, 'ą'}, {0x1a3, 'Ł'}, {0x1ea, 'ę'},
		{0x1ff, '˙'}, {0x13bd, 'œ'}, {0xce0, 'א'}, {0x5c7, 'ا'}, {0xda1, 'ก'}, {0xff0d, 0}, {0xfe51, 0}, {0x7f, 0}, {0x1b3 + 0x8000, 0},
	} {
		if got := c.sym.character(); got != c.is {
			t.Errorf("%x is %q, want %q", c.sym, got, c.is)
		}
	}
}
