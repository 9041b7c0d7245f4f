package yamldoc

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"asz/shared/diag"
)

type when struct {
	Command string
	Args    []string
	Exit    int
	Quiet   bool
	Extra   *Node
}

type scenario struct {
	ID   string
	When *when
}

func whenType() Type[when] {
	return Object("when",
		Required("command", "", Text(), func(w *when) *string { return &w.Command }),
		Optional("args", "", List(Text()), func(w *when) *[]string { return &w.Args }),
		Optional("exit", "", Int(0, 255), func(w *when) *int { return &w.Exit }),
		Optional("quiet", "", Bool(), func(w *when) *bool { return &w.Quiet }),
		Optional("extra", "", Any(), func(w *when) **Node { return &w.Extra }),
	)
}

func scenarios() Type[[]scenario] {
	return List(Object("a scenario",
		Required("id", "", Text(), func(s *scenario) *string { return &s.ID }),
		Optional("when", "", Ptr(whenType()), func(s *scenario) **when { return &s.When }),
	))
}

func read[T any](t *testing.T, typ Type[T], text string) (v T, r *Reader, ok bool) {
	t.Helper()
	doc, findings := Parse(diag.NewSource("f", text), Options{})
	r = NewReader()
	ok = typ.Read(r, doc.Root, &v)
	if ok && len(r.Findings) > 0 {
		t.Errorf("%q: true in spite of findings", text)
	}
	r.Findings = slices.Concat(findings, r.Findings)
	r.Findings.Sort()
	return v, r, ok
}

func TestRead(t *testing.T) {
	v, r, ok := read(t, scenarios(), "- id: a\n  when: {command: docker run, args: [x, 1, true], exit: 0x10, quiet: true, extra: [1]}\n- id: 2.0\n")
	if !ok || len(r.Findings) > 0 || len(v) != 2 {
		t.Fatal(r.Findings)
	}
	w := v[0].When
	if w.Command != "docker run" || strings.Join(w.Args, " ") != "x 1 true" || w.Exit != 16 || !w.Quiet || show(w.Extra) != "[1]" || v[1].ID != "2.0" {
		t.Errorf("%+v %+v", v, w)
	}
	for ptr, want := range map[any]string{&v[0].ID: "a", &v[1].ID: "2.0", &w.Args[1]: "1", &w.Exit: "0x10", &w.Extra: "[1]"} {
		if n := r.NodeOf(ptr); n == nil || n.Span.Text() != want {
			t.Errorf("place of %s: %v", want, n)
		}
	}
	if r.NodeOf(new(int)) != nil {
		t.Error("a value from nowhere has a place")
	}
}

// TestFindings: each text with its findings as line:column code message, fix texts behind "=>".
func TestFindings(t *testing.T) {
	for text, want := range map[string][]string{
		"- id: a\n  wehn: {}\n": {`2:3 unknown-key unknown key "wehn" in a scenario => write "when"`},
		"- id: a\n  colour: x\n  size: y\n": {
			`2:3 unknown-key unknown key "colour" in a scenario => remove it, or use one of id, when`,
			`3:3 unknown-key unknown key "size" in a scenario => remove it, or use one of id, when`,
		},
		"- id: a\n  colour: x\n": {`2:3 unknown-key unknown key "colour" in a scenario => remove it, or use one of id, when`},
		"- id: a\n  ID: b\n":     {`2:3 unknown-key unknown key "ID" in a scenario => remove it: "id" is there already`},
		"- id: a\n  wehn: {}\n  whne: {}\n": {
			`2:3 unknown-key unknown key "wehn" in a scenario => write "when"`,
			`3:3 unknown-key unknown key "whne" in a scenario => remove it: a key above stands for "when"`,
		},
		"- when: {command: x}\n":           {`1:3 missing-key a scenario needs the key "id" => add "id:"`},
		"- id: a\n  when:\n    args: []\n": {`2:3 missing-key when needs the key "command" => add "command:"`},
		"- id: a\n  when: {comand: x}\n":   {`2:10 unknown-key unknown key "comand" in when => write "command"`},
		"- id: a\n  when:\n":               {`2:8 wrong-type expected a map (when), but this is empty => write a value of the expected type`},
		"- id: a\n  when: x\n":             {`2:9 wrong-type expected a map (when), but this is the text "x" => write a value of the expected type`},
		"id: a\n":                          {`1:1 wrong-type expected a list, each entry a map (a scenario), but this is a map => make it a list: put a dash before each entry`},
		"- id: [a]\n- id: ~\n- id:\n": {
			`1:7 wrong-type expected text, but this is a list => write a value of the expected type`,
			`2:7 wrong-type expected text, but this is null => write a value of the expected type`,
			`3:6 wrong-type expected text, but this is empty => write a value of the expected type`,
		},
		"- id: a\n  when: {command: x, exit: 256, quiet: yes}\n- id: b\n  when: {command: x, exit: 1.5, quiet: 1}\n": {
			`2:28 wrong-type expected a whole number from 0 to 255, but this is the number 256 => write a value of the expected type`,
			`2:40 wrong-type expected true or false, but this is the text "yes" => write true`,
			`4:28 wrong-type expected a whole number from 0 to 255, but this is the number 1.5 => write a value of the expected type`,
			`4:40 wrong-type expected true or false, but this is the number 1 => write a value of the expected type`,
		},
		"- id: a\n  when: {command: x, args: y}\n- id: b\n  when:\n    command: x\n    args: y, z\n": {
			`2:28 wrong-type expected a list, each entry text, but this is the text "y" => make it a list: write [y]`,
			`6:11 wrong-type expected a list, each entry text, but this is the text "y, z" => make it a list: put it on a line of its own below the key, after a dash`,
		},
		// What is text only in quotes.
		"- id: {{ x }}\n": {`1:7 yaml-quote-it this is text only in quotes: without them {{ … }} is a map => write '{{ x }}'`},
		"- id: a\n  when:\n    command: x\n    args:\n      - Status: it's ok # c\n      - !docker ps\n      - {{ x }} y\n": {
			`5:9 yaml-quote-it this is text only in quotes: without them it is a map with the key "Status" => write 'Status: it''s ok'`,
			`6:9 yaml-quote-it this is text only in quotes: without them "!docker" is a tag => write '!docker ps'`,
			`7:9 yaml-quote-it this is text only in quotes: without them {{ … }} is a map => write '{{ x }} y'`,
		},
		"- id:\n    a: b\n    c: d\n": {`2:5 wrong-type expected text, but this is a map => write a value of the expected type`},
		// One mistake, one finding: no missing key where a syntax finding lies, repeated values once.
		"- id: a\n  when: {comm and: x\n": {"2:9 yaml-syntax this { is not closed => write } at its end; further lines in it are indented deeper than the line it begins on"},
		// Keys at the column of the dash are one mistake.
		"- id: a\nwhen:\n  command: x\nother: 1\n- id: b\n  when: 1\n": {
			"2:1 yaml-syntax this key stands at the column of the dash, so it belongs to no list item => indent it like the keys of the item above, with all lines that belong to it; or write - before it if it begins an item",
			`6:9 wrong-type expected a map (when), but this is the number 1 => write a value of the expected type`,
		},
		"- id: a\nid\n": {"2:1 yaml-syntax a list item begins with a dash and a space => write - before it"},
		"- when: {command: x}\n   id: a\n": {
			`2:4 yaml-syntax the indentation of this line fits no line above => indent it like the lines it belongs with, or deeper below a key without a value`,
		},
		"- id: a\n  when: &w {command: x, exit: -1}\n- id: b\n  when: *w\n": {
			`2:31 wrong-type expected a whole number from 0 to 255, but this is the number -1 => write a value of the expected type`,
		},
	} {
		_, r, _ := read(t, scenarios(), text)
		var got []string
		for _, d := range r.Findings {
			line, column := d.Span.Source.Position(d.Span.Start)
			got = append(got, fmt.Sprintf("%d:%d %s %s => %s", line, column, d.Code, d.Message, d.Fix.Text))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q\n got %s\nwant %s", text, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

// TestFixes applies every safe edit; what comes out reads without findings.
func TestFixes(t *testing.T) {
	for text, want := range map[string]string{
		"- id: {{ x }} it's\n":                                  "- id: '{{ x }} it''s'\n",
		"- id: !docker ps # c\n":                                "- id: '!docker ps' # c\n",
		"- id: a\n  when:\n    comand: x\n":                     "- id: a\n  when:\n    command: x\n",
		"- id: a\n  when: {command: x, args: [{{ x }} y, b]}\n": "- id: a\n  when: {command: x, args: ['{{ x }} y', b]}\n",
		"- id: a\n  when: {command: x, args: [!t {{ x }}, !do it {{ y }}]}\n- id: !t {{ x }} y\n": "- id: a\n  when: {command: x, args: ['!t {{ x }}', '!do it {{ y }}']}\n- id: '!t {{ x }} y'\n",
		"- id: a\n  when: {command: x, args: [say {{ x }} to {{ y }} it's, b, c: d]}\n":           "- id: a\n  when: {command: x, args: ['say {{ x }} to {{ y }} it''s', b, 'c: d']}\n",
		"- id: a\n  when: {command: x}\n  wen: {command: x}\n":                                    "",
		"- id: a: b\n": "- id: 'a: b'\n",
		"- id: a\n  when:\n    command: x\n    args:\n      - Error: no such file: x # c\n      - b\n":  "- id: a\n  when:\n    command: x\n    args:\n      - 'Error: no such file: x' # c\n      - b\n",
		"- id: a\n  when:\n    command: x\n    args:\n      - it's wrong here: \"a\": b\n\n      # c\n": "- id: a\n  when:\n    command: x\n    args:\n      - 'it''s wrong here: \"a\": b'\n\n      # c\n",
		"- id: @a 'b' # c\n": "- id: '@a ''b''' # c\n",
		"- id: a\n  when:\n    command: x\n    args:\n    - k: v": "- id: a\n  when:\n    command: x\n    args:\n    - 'k: v'",
	} {
		_, r, _ := read(t, scenarios(), text)
		fixed := text
		for _, d := range slices.Backward(r.Findings) {
			if d.Fix != nil && d.Fix.Safe {
				for _, e := range d.Fix.Edits {
					fixed = fixed[:e.Span.Start] + e.New + fixed[e.Span.End():]
				}
			}
		}
		if want == "" {
			if fixed != text {
				t.Errorf("%q became %q", text, fixed)
			}
			continue
		}
		if _, r, ok := read(t, scenarios(), fixed); fixed != want || !ok || len(r.Findings) > 0 {
			t.Errorf("%q became %q, want %q: %v", text, fixed, want, r.Findings)
		}
	}
}

func TestTypes(t *testing.T) {
	if a, b := Int(math.MinInt, math.MaxInt).Name(), Int(0, math.MaxInt).Name(); a != "a whole number" || b != "a whole number, 0 or more" {
		t.Error(a, b)
	}
	allOptional := Object("options", Optional("a", "", Text(), func(w *when) *string { return &w.Command }))
	if _, r, ok := read(t, allOptional, ""); !ok || len(r.Findings) > 0 {
		t.Error(r.Findings)
	}
	f := Required("a", "doc", Text(), func(w *when) *string { return &w.Command })
	if f.Name != "a" || f.Doc != "doc" || !f.Required {
		t.Error(f)
	}
}

// TestCodes: every code that this package writes down is in the table.
func TestCodes(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no sources", err)
	}
	used := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(yaml-[a-z-]+|[a-z]+-(?:key|type))"`).FindAllStringSubmatch(string(data), -1) {
			used[m[1]] = true
		}
	}
	for code := range used {
		if _, ok := diag.RuleOf(diag.Code(code)); !ok {
			t.Errorf("no rule for %s", code)
		}
	}
	if len(used) < 15 {
		t.Errorf("only %d codes found", len(used))
	}
}
