package yamldoc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asz/shared/diag"
)

// show writes a value on one line: texts quoted, numbers and bools as written, ~ for null.
func show(n *Node) string {
	if n == nil {
		return "nil"
	}
	var parts []string
	tag := ""
	if n.Tag != "" {
		tag = n.Tag + " "
	}
	switch n.Kind {
	case KindNull:
		return tag + "~"
	case KindBool:
		return tag + fmt.Sprint(n.Bool)
	case KindNumber:
		return tag + n.Text
	case KindText:
		return tag + fmt.Sprintf("%q", n.Text)
	case KindList:
		for _, item := range n.Items {
			parts = append(parts, show(item))
		}
		return tag + "[" + strings.Join(parts, " ") + "]"
	}
	for _, p := range n.Pairs {
		parts = append(parts, p.Key+":"+show(p.Value))
	}
	return tag + "{" + strings.Join(parts, " ") + "}"
}

func parse(t *testing.T, text string, o Options) *Node {
	t.Helper()
	doc, findings := Parse(diag.NewSource("f.yaml", text), o)
	for _, d := range findings {
		line, column := d.Span.Source.Position(d.Span.Start)
		t.Errorf("%.200q: %d:%d %s: %s", text, line, column, d.Code, d.Message)
	}
	return doc.Root
}

func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		// The core schema.
		"[null, Null, NULL, ~, nULL]":                                                        `[~ ~ ~ ~ "nULL"]`,
		"[true, True, TRUE, false, False, FALSE, tRUE]":                                      `[true true true false false false "tRUE"]`,
		"[1, -1, +1, 007, 0o17, 0xfF, 0o8, 0x, 0b1]":                                         `[1 -1 +1 007 0o17 0xfF "0o8" "0x" "0b1"]`,
		"[1.5, .5, 1., 1e3, -1.5E-3, 2.0, 1e, ., e3, 1.1.1]":                                 `[1.5 .5 1. 1e3 -1.5E-3 2.0 "1e" "." "e3" "1.1.1"]`,
		"[.inf, -.Inf, +.INF, .nan, .NaN, .NAN, -.nan]":                                      `[.inf -.Inf +.INF .nan .NaN .NAN "-.nan"]`,
		"[on, yes, no, off, y, 1_000, 12:30:00, 2001-01-01]":                                 `["on" "yes" "no" "off" "y" "1_000" "12:30:00" "2001-01-01"]`,
		`["1", 'true', "null", '']`:                                                          `["1" "true" "null" ""]`,
		"on: 1\n0: a\ntrue: b\n1.0: c\n~: d":                                                 `{on:1 0:"a" true:"b" 1.0:"c" ~:"d"}`,
		"a: !!str 5\nb: !!int \"5\"\nc: !!float 5\nd: !!bool \"true\"\ne: !!null ''\nf: ! 5": `{a:"5" b:5 c:5 d:true e:~ f:"5"}`,
		"a: !!map {}\nb: !!seq\n- 1\nc: !<tag:yaml.org,2002:str> 1":                          `{a:{} b:[1] c:"1"}`,
		"- !docker ps\n- !x {a: 1}\n- !y 5":                                                  `[!docker "ps" !x {a:1} !y "5"]`,
		"a: |\n  5\nb: >-\n  true":                                                           `{a:"5\n" b:"true"}`,
		// Structure.
		"":                                      `~`,
		"# c\n":                                 `~`,
		"---\n":                                 `~`,
		"\ufeffa: 1\n":                          `{a:1}`,
		"%YAML 1.2\n# c\n---\na: 1\n...\n# d\n": `{a:1}`,
		"--- text\n":                            `"text"`,
		"--- |\n text\n":                        `"text\n"`,
		"a:\n- b\n- c\nd:\n":                    `{a:["b" "c"] d:~}`,
		"a:\n  - b: 1\n    c: 2\n  -\n    - x\n  - - y\n    - z\n": `{a:[{b:1 c:2} ["x"] ["y" "z"]]}`,
		"-\n-\n- a\n-": `[~ ~ "a" ~]`,
		"{a: 1, b, \"c\":2, 'd': [x: y, z], e: {}}":        `{a:1 b:~ c:2 d:[{x:"y"} "z"] e:{}}`,
		"a: http://x:80/y#z\nb: [http://x/y, a:b]\nc: x#y": `{a:"http://x:80/y#z" b:["http://x/y" "a:b"] c:"x#y"}`,
		"a: b # c\nd: e\t# f":                              `{a:"b" d:"e"}`,
		"a b c: d\n\"x: y\": z\n'#': 1":                    `{a b c:"d" x: y:"z" #:1}`,
		"a:\r\n  - b\r\n  - |\r\n    x\r\n    y\r\n":       `{a:["b" "x\ny\n"]}`,
		"a: 1\rb: 2":                  `{a:1 b:2}`,
		"a: -x\nb: :x\nc: ?x\nd: x -": `{a:"-x" b:":x" c:"?x" d:"x -"}`,
		// Scalars over lines.
		"a: b\n  c\n\n  d\ne: f":                      `{a:"b c\nd" e:"f"}`,
		"a: \"b  \n  c\\\n  d\\\n\n  \\ e\\n \"":      `{a:"b cd\n e\n "}`,
		"a: 'b''c\n\n\n  d'":                          `{a:"b'c\n\nd"}`,
		"a: [b\n  c, d # x\n  ]":                      `{a:["b c" "d"]}`,
		"a: |\n  x\n   y\n\n  z\n\nb: 1":              `{a:"x\n y\n\nz\n" b:1}`,
		"a: |-\n  x\n\n":                              `{a:"x"}`,
		"a: |+\n  x\n\n\nb: 1":                        `{a:"x\n\n\n" b:1}`,
		"a: |\n  x":                                   `{a:"x"}`,
		"a: |1\n  x\n y\n":                            `{a:" x\ny\n"}`,
		"a: |1-\n  x\nb: |-1\n  y\n":                  `{a:" x" b:" y"}`,
		"a: |\nb: >\nc: |+\n\nd: 1":                   `{a:"" b:"" c:"\n" d:1}`,
		"a: >\n  b\n  c\n\n  d\n   e\n  f\n\n\n  g\n": `{a:"b c\nd\n e\nf\n\ng\n"}`,
		"a: | # c\n  # text\n":                        `{a:"# text\n"}`,
		"- |\n  x\n- y":                               `["x\n" "y"]`,
		// Anchors.
		"a: &x 1\nb: *x\nc: &x 2\nd: *x":                                  `{a:1 b:1 c:2 d:2}`,
		"a: &x\n  k: [1]\nb: *x\nc: &y\nd: *y":                            `{a:{k:[1]} b:{k:[1]} c:~ d:~}`,
		"- &x !t v\n- !t &y w\n- *y":                                      `[!t "v" !t "w" !t "w"]`,
		"&k a: &v b\nc: [*k, *v]":                                         `{a:"b" c:["a" "b"]}`,
		"a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], z: 3}": `{a:{x:1 y:1} b:{y:2 z:2} c:{x:1 y:1 z:3}}`,
		"a: &a {x: 1, y: 1}\nb:\n  x: 2\n  <<: *a\n  w: 0":                `{a:{x:1 y:1} b:{x:2 y:1 w:0}}`,
		"a: &a {x: 1}\nb:\n  <<: *a\n  x: 2\nc: {\"<<\": 1}":              `{a:{x:1} b:{x:2} c:{<<:1}}`,
	} {
		if got := show(parse(t, text, Options{})); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestAppend(t *testing.T) {
	o := Options{AppendKeys: true}
	for text, want := range map[string]string{
		"state:\n  docker.events += \"started # x\"":                                       `{state:{docker.events +=:"started # x"}}`,
		"state: # x\n  a += 1\n  a += b # c\n  c: d\n  a += [x, y: z]":                     `{state:{a +=:1 a +=:"b" c:"d" a +=:["x" {y:"z"}]}}`,
		"- state:\n    a.b  +=   'x: y'\n    c: 1":                                         `[{state:{a.b +=:"x: y" c:1}}]`,
		"state:\n\n  # c\n  a +=\n    b: 1\n    c: {d: 2}\n  e +=":                         `{state:{a +=:{b:1 c:{d:2}} e +=:~}}`,
		"state:\n  a += |\n    b += 1\n    c\n  d: \"e\n    f += g\"\n  h: [\n    i += j]": `{state:{a +=:"b += 1\nc\n" d:"e f += g" h:["i += j"]}}`,
		"state:\n  \"a +=\": 1\n  a +=: 2\n  a += 3\n  'b +=': 1\n  \"b +=\": 2":           `{state:{a +=:1 a +=:2 a +=:3 b +=:1 b +=:2}}`,
		"state: { \"a +=\": 1, 'a +=': 2 }":                                                `{state:{a +=:1 a +=:2}}`,
		"state:\n  a: b += c\n  d: e+=f\nother: a += 1":                                    `{state:{a:"b += c" d:"e+=f"} other:"a += 1"}`,
	} {
		if got := show(parse(t, text, o)); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
	root := parse(t, "state: # x\n  a += 1\n  a += b # c\n  c: d\n  a += [x, y: z]", o)
	if key := root.Get("state").Pairs[1].KeyNode; key.Span.Text() != "a +=" || root.Get("state").Pairs[1].Value.Span.Text() != "b" {
		t.Errorf("spans %q %q", key.Span.Text(), root.Get("state").Pairs[1].Value.Span.Text())
	}
	if _, findings := Parse(diag.NewSource("f", "x: {\"a +=\": 1, \"a +=\": 2}\nstate:\n  y: {\"a +=\": 1, \"a +=\": 2}"), o); len(findings) != 2 {
		t.Errorf("repeated keys that do not stand directly below state: are duplicates: %v", findings)
	}
}

// TestSpans: the span of a value is exactly its source text, SpanIn that of a part of its decoded text.
func TestSpans(t *testing.T) {
	for _, c := range []struct{ text, part, want string }{
		{"a: plain text # c", "text", "text"},
		{"a: plain\n   text", "n t", "n\n   t"},
		{"a: plain\n   text", "text", "text"},
		{"a: plain\n\n   text", "\n", "\n   "},
		{"a: 'it''s it'", "s it", "s it"},
		{"a: 'it''s it'", "'", "''"},
		{"a: 'it\r\n  is'", "t i", "t\r\n  i"},
		{`a: "x\ty"`, "\ty", `\ty`},
		{`a: "\x41\u263a\U0001F433z"`, "☺", `\u263a`},
		{`a: "\x41\u263a\U0001F433z"`, "🐳z", `\U0001F433z`},
		{`a: "\ud83d\udc33z"`, "🐳", `\ud83d\udc33`},
		{"a: \"x \\\n   y z\"", "y", "y"},
		{"a: \"x \\\n   y z\"", "x y", "x \\\n   y"},
		{"a: |\n  one\n    two\n\n  three\n", "two\n\nth", "two\n\n  th"},
		{"a: |\n  one\n    two\n", "  two", "  two"},
		{"- a: >-\n    one\n    two\n\n    three", "two\nt", "two\n\n    t"},
		{"a: >\r\n  one\r\n  two\r\n", "e t", "e\r\n  t"},
		{"a: |2\n    x\n  y\n", "  x", "  x"},
		{"a: 日本語 語", "本", "本"},
	} {
		n := parse(t, c.text, Options{})
		for n.Kind >= KindMap {
			if n.Kind == KindList {
				n = n.Items[0]
			} else {
				n = n.Pairs[0].Value
			}
		}
		at := strings.Index(n.Text, c.part)
		if at < 0 {
			t.Fatalf("%q is not in %q", c.part, n.Text)
		}
		if got := n.SpanIn(at, at+len(c.part)).Text(); got != c.want {
			t.Errorf("%q: SpanIn of %q is %q, want %q", c.text, c.part, got, c.want)
		}
		if got := n.SpanIn(at, at); got.Len != 0 || !strings.HasPrefix(c.text[got.Start:], c.want[:1]) {
			t.Errorf("%q: empty SpanIn at %q is %d+%d", c.text, c.part, got.Start, got.Len)
		}
	}
	root := parse(t, "# c\na: &x !t  [1, {b: 2}] # c\nd: |\n  x\n\n  y\n\ne: *x\nf:\n  - 1\n\n# end\n", Options{})
	for key, want := range map[string]string{"a": "[1, {b: 2}]", "d": "|\n  x\n\n  y", "e": "*x", "f": "- 1"} {
		if got := root.Get(key).Span.Text(); got != want {
			t.Errorf("span of %s is %q, want %q", key, got, want)
		}
	}
}

// TestBroken: what encloses a mistake is broken, its neighbours are not.
func TestBroken(t *testing.T) {
	doc, findings := Parse(diag.NewSource("f", "a:\n  x: 1\n   y: 2\nb:\n\tc: 1\nd:\n- e: [1\n- f: 2\ng:\n  h: 1\n"), Options{})
	root := doc.Root
	if len(findings) != 3 || !root.Broken {
		t.Fatal(findings, root.Broken)
	}
	for key, want := range map[string]bool{"a": true, "b": true, "d": true, "g": false} {
		if got := root.Get(key).Broken; got != want {
			t.Errorf("%s broken: %v", key, got)
		}
	}
	if items := root.Get("d").Items; len(items) != 2 || !items[0].Broken || items[1].Broken {
		t.Errorf("items %s", show(root.Get("d")))
	}
}

func TestEncoding(t *testing.T) {
	for _, c := range []struct {
		text    string
		start   int
		message string
	}{
		{"a: \xff", 3, "the byte 0xFF is not UTF-8"},
		{"é: \xc3", 4, "the byte 0xC3 is not UTF-8"},
		{"\xff\xfea\x00", 0, "the file is UTF-16, not UTF-8"},
		{"\xfe\xff\x00a", 0, "the file is UTF-16, not UTF-8"},
	} {
		doc, findings := Parse(diag.NewSource("f", c.text), Options{})
		if doc.Root != nil || len(findings) != 1 || findings[0].Code != "yaml-encoding" || findings[0].Span.Start != c.start || findings[0].Message != c.message {
			t.Errorf("%q: %v", c.text, findings)
		}
	}
}

// TestLimits: what would exhaust the reader ends in one finding.
func TestLimits(t *testing.T) {
	var bomb, chain strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	chain.WriteString("a0: &a0 [x]\n")
	merges := "m0: &m0 {"
	for i := range 200 {
		merges += fmt.Sprintf("k%d: 1, ", i)
	}
	merges += "}\n"
	for i := 1; i < 300; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
		fmt.Fprintf(&chain, "a%d: &a%d [*a%d]\n", i, i, i-1)
		merges += fmt.Sprintf("m%d: &m%d {<<: [*m%d, *m%d]}\n", i, i, i-1, i-1)
	}
	deep := func(open string) string { return strings.Repeat(open, 5000) }
	nested := ""
	for i := range 200 {
		nested += strings.Repeat(" ", i) + "a:\n"
	}
	for name, c := range map[string]struct {
		text   string
		limits Limits
		code   diag.Code
	}{
		"bytes":      {"a: 12345", Limits{Bytes: 7}, "yaml-too-large"},
		"nodes":      {"[1, 2, 3]", Limits{Nodes: 3}, "yaml-too-large"},
		"full flow":  {strings.Repeat("- {}\n", 7) + "- [", Limits{Nodes: 10}, "yaml-too-large"}, // before the end is looked at
		"one flow":   {"[{}, {}, {}, {}, {}]", Limits{Nodes: 20}, "yaml-too-large"},
		"brackets":   {deep("["), Limits{}, "yaml-too-deep"},
		"braces":     {deep("{a: "), Limits{}, "yaml-too-deep"},
		"dashes":     {deep("- "), Limits{}, "yaml-too-deep"},
		"keys":       {nested, Limits{}, "yaml-too-deep"},
		"bomb":       {bomb.String(), Limits{}, "yaml-too-large"},
		"chain":      {chain.String(), Limits{}, "yaml-too-deep"},
		"merge bomb": {merges, Limits{}, "yaml-too-large"},
	} {
		doc, findings := Parse(diag.NewSource("f", c.text), Options{Limits: c.limits})
		if doc.Root != nil || len(findings) != 1 || findings[0].Code != c.code {
			t.Errorf("%s: %v", name, findings)
		}
	}
	if n := parse(t, strings.Repeat("- ", 99)+"a", Options{}); count(n) != 100 {
		t.Errorf("99 levels: %d nodes", count(n))
	}
}

// TestLong reads maps and lists that are read in batches; the result is that of short ones.
func TestLong(t *testing.T) {
	var b strings.Builder
	b.WriteString("base: &base {x: 1}\nmap: &map\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "  k%d: {v: %d}\n", i, i)
	}
	b.WriteString("  <<: *base\nlist: !l\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "- n: %d\n  <<: *base\n", i)
	}
	b.WriteString("last: *map\n")
	root := parse(t, b.String(), Options{})
	if got := len(root.Get("map").Pairs); got != 3001 || show(root.Get("map").Get("k2999")) != "{v:2999}" || show(root.Get("map").Get("x")) != "1" {
		t.Errorf("map: %d pairs", got)
	}
	list := root.Get("list")
	if len(list.Items) != 3000 || list.Tag != "!l" || show(list.Items[2999]) != "{n:2999 x:1}" {
		t.Errorf("list: %d items, tag %q", len(list.Items), list.Tag)
	}
	if len(root.Get("last").Pairs) != 3001 {
		t.Error("alias of a long map")
	}
	text := strings.Replace(b.String(), "  k1500: {v: 1500}", "  k1500: {v: 1500\n   oops: 1\n  k1: 2", 1)
	doc, findings := Parse(diag.NewSource("f", text), Options{})
	if len(findings) != 2 || len(doc.Root.Get("list").Items) != 3000 || !doc.Root.Get("map").Broken || doc.Root.Get("list").Broken {
		t.Errorf("mistakes in a long map: %v", findings)
	}
}

// TestLabs parses the labs of the shared data folder, where that is there.
func TestLabs(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/labs/*/*.yaml")
	if len(files) == 0 {
		t.Skip("no folder of shared labs beside the repository")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if root := parse(t, string(data), Options{AppendKeys: true}); root.Kind != KindMap {
			t.Errorf("%s: %v", file, root.Kind)
		}
	}
}

// TestMissingAnchor: one anchor that is missing is one finding, which lists the aliases.
func TestMissingAnchor(t *testing.T) {
	_, findings := Parse(diag.NewSource("a.yaml", "a: *x\nb: [*x, *x]\n"), Options{})
	if len(findings) != 1 || len(findings[0].Related) != 2 || findings[0].Related[1].Span.Start != 14 {
		t.Errorf("%+v", findings)
	}
}
