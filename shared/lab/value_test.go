package lab_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"asz/shared/lab"
)

func text(v lab.Value) string { return string(v.AppendText(nil)) }
func js(v lab.Value) string   { return string(v.AppendJSON(nil)) }

func mapOf(pairs ...any) lab.Value {
	m := lab.EmptyMap()
	for i := 0; i < len(pairs); i += 2 {
		m = m.With(pairs[i].(string), pairs[i+1].(lab.Value))
	}
	return m
}

func TestEqual(t *testing.T) {
	var null lab.Value
	one := lab.Int(1)
	classes := [][]lab.Value{
		{null},
		{lab.Bool(true)},
		{lab.Bool(false)},
		{lab.Text("")},
		{lab.Text("1")},
		{lab.Text("true")},
		{lab.Int(0), lab.Number("0.0"), lab.Number("-0"), lab.Number("0e5"), lab.Number("0x0"), lab.Number("-0.0e-3")},
		{one, lab.Number("1.0"), lab.Number("1e0"), lab.Number("0x1"), lab.Number("+1"), lab.Number("10e-1"), lab.Number("0.1e1"), lab.Number("0o1"), lab.Number("1.")},
		{lab.Int(16), lab.Number("0x10"), lab.Number("16.0"), lab.Number("1.6e1"), lab.Number("160e-1"), lab.Number("0o20"), lab.Number("1.6E+1")},
		{lab.Int(-16), lab.Number("-16.00")},
		{lab.Number("1.5"), lab.Number("15e-1"), lab.Number("1.50")},
		{lab.Number(".5"), lab.Number("0.5"), lab.Number("5e-1")},
		{lab.Number("1000"), lab.Number("1e3"), lab.Number("1E3")},
		{lab.Number("123456789012345678901234567890"), lab.Number("123456789012345678901234567890.0"), lab.Number("12345678901234567890123456789e1")},
		{lab.Number("123456789012345678901234567891")},
		{lab.Number("9007199254740993")},
		{lab.Number("9007199254740992"), lab.Number("0x20000000000000")},
		{lab.Number("0.1")},
		{lab.Number("0.10000000000000001")},
		{lab.Number("1e400")},
		{lab.Number("1e401"), lab.Number("10e400")},
		{lab.Number(".inf"), lab.Number("+.inf"), lab.Number(".Inf"), lab.Number(".INF")},
		{lab.Number("-.inf")},
		{lab.EmptyMap()},
		{lab.ListOf()},
		{lab.ListOf(null)},
		{lab.ListOf(one), lab.ListOf(lab.Number("1.0"))},
		{lab.ListOf(one, lab.Int(2))},
		{lab.ListOf(lab.Int(2), one)},
		{mapOf("a", one), mapOf("a", lab.Number("1.0"))},
		{mapOf("a", null)},
		{mapOf("a", one, "b", null), mapOf("b", null, "a", one)},
		{mapOf("b", one)},
	}
	for i, class := range classes {
		for j, other := range classes {
			for _, v := range class {
				for _, w := range other {
					if lab.Equal(v, w) != (i == j) {
						t.Errorf("%s (%s) equals %s (%s): %v", js(v), v.Kind(), js(w), w.Kind(), i != j)
					}
				}
			}
		}
	}
}

func TestPrinting(t *testing.T) {
	var null lab.Value
	for _, c := range []struct {
		v          lab.Value
		text, json string
	}{
		{null, "", "null"},
		{lab.Bool(true), "true", "true"},
		{lab.Bool(false), "false", "false"},
		{lab.Text("a\"b\\c\n\t<&>é🐋\x01"), "a\"b\\c\n\t<&>é🐋\x01", `"a\"b\\c\n\t<&>é🐋\u0001"`},
		{lab.Int(-7), "-7", "-7"},
		{lab.Number("2.0"), "2.0", "2.0"},
		{lab.Number("1.50"), "1.50", "1.50"},
		{lab.Number("1e3"), "1e3", "1e3"},
		{lab.Number("1E+3"), "1E+3", "1E+3"},
		{lab.Number("123456789012345678901234567890"), "123456789012345678901234567890", "123456789012345678901234567890"},
		{lab.Number("0x10"), "0x10", "16"},
		{lab.Number("0o17"), "0o17", "15"},
		{lab.Number("+5"), "+5", "5"},
		{lab.ListOf(), "[]", "[]"},
		{lab.EmptyMap(), "{}", "{}"},
		{lab.ListOf(null, lab.Int(1), lab.Text("a")), `[null,1,"a"]`, `[null,1,"a"]`},
		{mapOf("z", lab.Number("2.0"), "a", lab.ListOf(), "", null), `{"z":2.0,"a":[],"":null}`, `{"z":2.0,"a":[],"":null}`},
	} {
		if got := text(c.v); got != c.text {
			t.Errorf("text %q, want %q", got, c.text)
		}
		if got := js(c.v); got != c.json {
			t.Errorf("JSON %s, want %s", got, c.json)
		}
	}
	sorted := mapOf("z", mapOf("b", lab.Int(1), "a", lab.Int(2)), "A", null).AppendSortedJSON(nil)
	if string(sorted) != `{"A":null,"z":{"a":2,"b":1}}` {
		t.Errorf("sorted %s", sorted)
	}
}

func TestPrintsJSON(t *testing.T) {
	for _, number := range []string{"0x1F", "0o7", ".inf", "-.inf", ".nan", "+1", "1.", ".5", "-.5e3", "007", "1e3", "0x", "-0x1F", "1_000", "0xFFFFFFFFFFFFFFFFFFFF", "-0"} {
		if got := js(lab.ListOf(lab.Number(number))); !json.Valid([]byte(got)) {
			t.Errorf("%s gives %s, which is no JSON", number, got)
		}
	}
	var half float64
	if err := json.Unmarshal(lab.Number("-.5").AppendJSON(nil), &half); err != nil || half != -0.5 {
		t.Errorf("-.5 gives %v", half)
	}
	for _, s := range []string{"\xff", "a\x00b", "\u2028", "\ud7ff", "\x7f", `\`, `"`} {
		if got := lab.AppendQuoted(nil, s); !json.Valid(got) {
			t.Errorf("%q gives %s, which is no JSON", s, got)
		}
	}
	if got := lab.AppendQuoted(nil, "a\xffb"); string(got) != "\"a\ufffdb\"" {
		t.Errorf("%s", got)
	}
}

func TestMaps(t *testing.T) {
	m := mapOf("b", lab.Int(1), "a", lab.Int(2)).With("b", lab.Int(3))
	if got := js(m); got != `{"b":3,"a":2}` {
		t.Errorf("order of a set key: %s", got)
	}
	if got := js(m.With("c", lab.Int(4))); got != `{"b":3,"a":2,"c":4}` || js(m) != `{"b":3,"a":2}` {
		t.Errorf("a new key comes last: %s", got)
	}
	if v, ok := m.Get("a"); !ok || !lab.Equal(v, lab.Int(2)) {
		t.Error("get")
	}
	if _, ok := m.Get("zzz"); ok {
		t.Error("get of a missing key")
	}
	if e := m.Entries(); len(e) != 2 || e[0].Key != "b" || e[1].Key != "a" {
		t.Errorf("entries %v", e)
	}
	if _, ok := lab.Text("x").Get("a"); ok || len(lab.Text("x").Entries()) > 0 {
		t.Error("a text has entries")
	}
	var null lab.Value
	if got := js(null.With("a", lab.Int(1))); got != `{"a":1}` {
		t.Errorf("with on null: %s", got)
	}
	if got := js(null.Appended(lab.Int(1)).Appended(lab.Int(2))); got != `[1,2]` {
		t.Errorf("appended to null: %s", got)
	}
}

func TestDigestsFollowPrinting(t *testing.T) {
	values := []lab.Value{{}, lab.Bool(false), lab.Int(0), lab.Text(""), lab.EmptyMap(), lab.ListOf(), lab.Int(1), lab.Number("1.0"), lab.Text("1"), lab.ListOf(lab.Int(1)), mapOf("a", lab.Int(1)), mapOf("a", lab.Text("1")), mapOf("a", lab.Int(1), "b", lab.Int(2)), mapOf("b", lab.Int(2), "a", lab.Int(1)), mapOf("a", mapOf("b", lab.Int(1))), mapOf("a", lab.Value{})}
	for i, v := range values {
		for j, w := range values {
			if (v.Digest() == w.Digest()) != (i == j) {
				t.Errorf("%s and %s", js(v), js(w))
			}
		}
	}
	a := mapOf("x", lab.Int(1)).With("y", lab.Int(2)).With("y", lab.Int(3))
	if a.Digest() != mapOf("x", lab.Int(1), "y", lab.Int(3)).Digest() {
		t.Error("a digest depends on history")
	}
}

func path(t *testing.T, s string) []string {
	t.Helper()
	segments, ok := lab.StatePath(s)
	if !ok {
		t.Fatalf("path %q", s)
	}
	return segments
}

func TestLookup(t *testing.T) {
	v := mapOf("a", mapOf("b", lab.Int(1), "0", lab.Text("zero")), "l", lab.ListOf(lab.Text("x"), mapOf("k", lab.Int(2))), "t", lab.Text("text"), "n", lab.Value{})
	for p, want := range map[string]string{
		"a.b": "1", "a": `{"b":1,"0":"zero"}`, "a.0": `"zero"`, "l.0": `"x"`, "l.1.k": "2", "t": `"text"`,
		"n": "null", "n.x": "null", "gone": "null", "a.b.c": "null", "t.x": "null", "l.2": "null", "l.-1": "null", "l.x": "null", "l.1.k.z": "null", "l.18446744073709551616": "null",
	} {
		if got := js(v.Lookup(path(t, p))); got != want {
			t.Errorf("%s is %s, want %s", p, got, want)
		}
	}
	if got := js(v.Lookup(nil)); got != js(v) {
		t.Errorf("no segments: %s", got)
	}
}

func TestPut(t *testing.T) {
	v := mapOf("a", mapOf("b", lab.Int(1)), "l", lab.ListOf(lab.Text("x"), mapOf("k", lab.Int(2))), "t", lab.Text("text"), "n", lab.Value{}, "f", lab.Bool(false), "e", lab.Text(""))
	for p, want := range map[string]string{
		"a.b": `{"a":{"b":9}`, "a.c": `{"a":{"b":1,"c":9}`, "a": `{"a":9`,
		"l.0": `[9,{"k":2}]`, "l.1.k": `["x",{"k":9}]`, "l.1.z.y": `["x",{"k":2,"z":{"y":9}}]`,
		"n.x.y": `"n":{"x":{"y":9}}`, "new.x": `"new":{"x":9}}`, "new.0": `"new":{"0":9}}`,
	} {
		got, err := v.Put(path(t, p), lab.Int(9))
		if err != nil || !strings.Contains(js(got), want) {
			t.Errorf("%s: %s, %v, want %s", p, js(got), err, want)
		}
		if !lab.Equal(got.Lookup(path(t, p)), lab.Int(9)) {
			t.Errorf("%s is not what was put", p)
		}
	}
	before := js(v)
	for _, p := range []string{"t.x", "a.b.c", "f.x", "e.x", "l.2", "l.9", "l.x", "l.-1", "l.0.x", "l.1.k.x"} {
		_, err := v.Put(path(t, p), lab.Int(9))
		var at *lab.PathError
		if !errors.As(err, &at) || at.At == "" || at.Error() == "" {
			t.Errorf("%s: error %v", p, err)
		}
	}
	if js(v) != before {
		t.Error("the old value changed")
	}
}

func TestStatePath(t *testing.T) {
	for p, want := range map[string][]string{"a": {"a"}, "a.b.c": {"a", "b", "c"}, "a-b.c d": {"a-b", "c d"}, "0.1": {"0", "1"}} {
		if got, ok := lab.StatePath(p); !ok || !slices.Equal(got, want) {
			t.Errorf("%q: %q %v", p, got, ok)
		}
	}
	for _, p := range []string{"", ".", "a.", ".a", "a..b"} {
		if got, ok := lab.StatePath(p); ok {
			t.Errorf("%q: %q", p, got)
		}
	}
}

func TestCleanFile(t *testing.T) {
	for p, want := range map[string]string{"a": "a", "/a": "a", "a/": "a", "./a": "a", "a/b": "a/b", "a//b": "a/b", "a/./b": "a/b", "a/../b": "b", "/": "", ".": "", "": "", "a/..": "", "//a": "a", "..a/b..": "..a/b..", "a b/c": "a b/c"} {
		got, ok := lab.CleanFile(p)
		if !ok || strings.Join(got, "/") != want {
			t.Errorf("%q: %q %v", p, got, ok)
		}
	}
	for _, p := range []string{"..", "../a", "a/../..", "/..", "/../a", "a/../../b", "./.."} {
		if got, ok := lab.CleanFile(p); ok {
			t.Errorf("%q leaves the root: %q", p, got)
		}
	}
}

func TestNextRef(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{{ args.0 }}", "args 0 0-12"},
		{"{{args.0}}", "args 0 0-10"},
		{"x {{  state.a.b  }} y", "state a.b 2-19"},
		{"{{ args.--name }}", "args --name 0-17"},
		{"{{ input.dry-run }}", "input dry-run 0-19"},
		{"{{ env.HOME }}", "env HOME 0-14"},
		{"{{ {{ state.a }}", "state a 3-16"},
		{"{{.Names}} {{ args.0 }}", "args 0 11-23"},
		{"{{ a | b.c }} {{ x.y }}", "x y 14-23"},
		{"é {{ a.b }}", "a b 3-12"},
	} {
		ref, ok := lab.NextRef(c.text, 0)
		got := ref.Scope + " " + ref.Name + " " + digits(ref.Start) + "-" + digits(ref.End)
		if !ok || got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
	for _, s := range []string{"", "{{", "{{ }}", "{{}}", "{{.Names}}", "{{ .a.b }}", "{{ args }}", "{{ args. }}", "{{ args.0 }", "{ args.0 }", "{{ a b.c }}", "{{ args.0 | x }}", "{{json .}}", "args.0 }}"} {
		if ref, ok := lab.NextRef(s, 0); ok {
			t.Errorf("%q: %+v", s, ref)
		}
	}
	ref, ok := lab.NextRef("{{ a.b }}{{ c.d }}", 1)
	if !ok || ref.Scope != "c" || ref.Start != 9 {
		t.Errorf("from 1: %+v", ref)
	}
	if _, ok := lab.NextRef("{{ a.b }}", 9); ok {
		t.Error("from the end")
	}
}

func digits(n int) string { return string(lab.Int(n).AppendText(nil)) }

func TestWords(t *testing.T) {
	for word, want := range map[string]bool{"-x": true, "--x": true, "-1": true, "-": false, "": false, "x-": false, "x": false} {
		if lab.IsFlag(word) != want {
			t.Errorf("IsFlag(%q)", word)
		}
	}
	for name, want := range map[string]string{"--name": "name", "-n": "n", "name": "name", "--dry-run": "dry-run", "---x": "x"} {
		if got := lab.FlagName(name); got != want {
			t.Errorf("FlagName(%q) = %q", name, got)
		}
	}
	for s, want := range map[string]int{"0": 0, "7": 7, "-12": -12, "123456": 123456} {
		if n, ok := lab.Atoi(s); !ok || n != want {
			t.Errorf("Atoi(%q) = %d %v", s, n, ok)
		}
	}
	for _, s := range []string{"", "-", "x", "1x", "1.0", " 1", "0x1", "99999999999999999999999"} {
		if n, ok := lab.Atoi(s); ok {
			t.Errorf("Atoi(%q) = %d", s, n)
		}
	}
	if lab.HashText("a") == lab.HashText("b") || lab.HashText("") == lab.HashText("\x00") || lab.HashText("ab") == lab.HashText("ba") {
		t.Error("HashText")
	}
	for _, k := range []lab.MatchKind{lab.MatchEquals, lab.MatchAny, lab.MatchOneOf, lab.MatchPresent, lab.MatchAbsent} {
		if k.ByValue() != (k != lab.MatchPresent && k != lab.MatchAbsent) {
			t.Errorf("ByValue of %d", k)
		}
	}
}
