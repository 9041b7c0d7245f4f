package diag

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// sample has each kind of thing that a printer must show.
func sample() List {
	src := NewSource("labs/a b/simulator.yaml", "version: \"2.0\"\nscenarios:\n  - id: é日x\n    comand: docker ps\n    then: |\n      a\n      b\n")
	at := func(text string) Span { return Span{src, strings.Index(src.Text, text), len(text)} }
	var l List
	d := l.Add("unknown-key", at("comand"), `unknown key "comand", 100%: in when`)
	d.Fix = &Fix{Text: `write "command"`, Safe: true, Edits: []Edit{{at("comand"), "command"}}}
	d.Related = []Related{{at("é日x"), "of this one"}, {Span{}, "nowhere"}}
	d = l.Add("dead-end", at("x"), "after this `{{ args.0 }}` is printed")
	d.Witness = []string{"docker run \\\n  -d x", "@control net on"}
	l.Add("state-unread", at("|\n      a\n      b\n"), "of three lines")
	l.Add("missing-key", Span{}, "no place").Fix = nil
	return l
}

// hostile has texts that try to get out of each format.
func hostile() List {
	evil := "a\x00\x1b[2J\x9b1m\u202eb\nc\r\n::error::d\xff%0A\u2028,:\"<{0}[x](1)\\\x7f"
	src := NewSource(evil, strings.Repeat(evil, 3)+strings.Repeat("日\t", 1<<16)+evil)
	var l List
	for i := 0; i < len(src.Text); i += 1 + i*i/7 {
		d := l.Add("wrong-type", Span{src, i, len(evil)}, evil)
		d.Fix = &Fix{Text: evil, Edits: []Edit{{Span{src, i, 1}, evil}}}
		d.Related = []Related{{Span{src, len(src.Text), 0}, evil}}
		d.Witness = []string{evil, ""}
	}
	l.Add("wrong-type", Span{src, len(src.Text) + 5, 7}, strings.Repeat("x", 1<<20))
	l.Add("wrong-type", Span{src, -3, 2}, "before")
	return l
}

var printers = map[string]func(List, io.Writer) error{
	"text": func(l List, w io.Writer) error { return l.WriteText(w, false) },
	"json": func(l List, w io.Writer) error {
		_, err := w.Write(l.AppendJSON(nil))
		return err
	},
	"sarif":  List.WriteSARIF,
	"github": List.WriteGitHub,
}

func printed(t *testing.T, print func(List, io.Writer) error, l List) string {
	t.Helper()
	var b strings.Builder
	if err := print(l, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPrintersAreSafe(t *testing.T) {
	for name, print := range printers {
		out := printed(t, print, hostile())
		if !utf8.ValidString(out) {
			t.Errorf("%s: invalid UTF-8", name)
		}
		for _, r := range out {
			if hidden(r) && r != '\n' {
				t.Errorf("%s: %U is printed", name, r)
				break
			}
		}
		if again := printed(t, print, hostile()); again != out {
			t.Errorf("%s: two runs differ", name)
		}
		for _, l := range []List{nil, {}} {
			if out := printed(t, print, l); name == "json" && out != "[]" || (name == "text" || name == "github") && out != "" {
				t.Errorf("%s: no findings give %q", name, out)
			}
		}
	}
	for line := range strings.Lines(printed(t, List.WriteGitHub, hostile())) {
		if !strings.HasPrefix(line, "::error file=") || strings.Count(line, "::") < 2 {
			t.Fatalf("a line of its own: %.80q", line)
		}
		for i := range line {
			if line[i] == '%' && !strings.HasPrefix(line[i:], "%25") && !strings.HasPrefix(line[i:], "%0A") &&
				!strings.HasPrefix(line[i:], "%3A") && !strings.HasPrefix(line[i:], "%2C") {
				t.Fatalf("a bare %% in %.80q", line)
			}
		}
	}
	var back []finding
	if err := json.Unmarshal(hostile().AppendJSON(nil), &back); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(hostile()[0].Message, "\uFFFD"); back[0].Message != want || back[0].Witness[0] != want {
		t.Errorf("the message came back as %q", back[0].Message)
	}
}

// full is a disk without room.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestPrintersTellOfAFullDisk(t *testing.T) {
	for name, print := range printers {
		if print(sample(), &full{100}) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestTextWitness(t *testing.T) {
	l := sample()[1:2]
	l[0].Witness = append(l[0].Witness, "a\tb\x1b")
	want := `labs/a b/simulator.yaml:3:11: warning: after this ` + "`{{ args.0 }}`" + ` is printed [dead-end]
    3 |   - id: é日x
      |            ^
      = fix: let a scenario lead back, or keep this one from firing too early with a condition on the state
      = play:
          docker run \
            -d x
          @control net on
          a` + "\tb\uFFFD\n"
	if got := printed(t, printers["text"], l); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	want := []string{
		`{"file":"labs/a b/simulator.yaml","line":4,"column":5,"endLine":4,"endColumn":11,"severity":"error","code":"unknown-key","message":"unknown key \"comand\", 100%: in when","fix":"write \"command\"","witness":null}`,
		`{"file":"labs/a b/simulator.yaml","line":3,"column":11,"endLine":3,"endColumn":12,"severity":"warning","code":"dead-end","message":"after this ` + "`{{ args.0 }}`" + ` is printed","fix":"let a scenario lead back, or keep this one from firing too early with a condition on the state","witness":["docker run \\\n  -d x","@control net on"]}`,
		`{"file":"labs/a b/simulator.yaml","line":5,"column":11,"endLine":8,"endColumn":1,"severity":"info","code":"state-unread","message":"of three lines","fix":"remove it, or use it in a condition or template","witness":null}`,
		`{"file":"","line":1,"column":1,"endLine":1,"endColumn":1,"severity":"error","code":"missing-key","message":"no place","fix":null,"witness":null}`,
	}
	if got := string(sample().AppendJSON([]byte("x"))); got != "x["+strings.Join(want, ",")+"]" {
		t.Errorf("got %s", got)
	}
}

func TestGitHub(t *testing.T) {
	want := `::error file=labs/a b/simulator.yaml,line=4,col=5,endColumn=11,title=unknown-key::unknown key "comand", 100%25: in when%0Afix: write "command"
::warning file=labs/a b/simulator.yaml,line=3,col=11,endColumn=12,title=dead-end::after this ` + "`{{ args.0 }}`" + ` is printed%0Afix: let a scenario lead back, or keep this one from firing too early with a condition on the state%0Aplay:%0A  docker run \%0A    -d x%0A  @control net on
::notice file=labs/a b/simulator.yaml,line=5,endLine=8,title=state-unread::of three lines%0Afix: remove it, or use it in a condition or template
::error title=missing-key::no place
`
	if got := printed(t, List.WriteGitHub, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	l := List{{Code: "wrong-type", Span: Span{NewSource("a,b:c%\n.yaml", "x"), 0, 1}, Message: "m"}}
	if got := printed(t, List.WriteGitHub, l); !strings.Contains(got, "file=a%2Cb%3Ac%25\uFFFD.yaml,line=1,") {
		t.Errorf("properties: %s", got)
	}
}

func TestByteOrderMark(t *testing.T) {
	src := NewSource("f", "\uFEFFab\ncd")
	for _, c := range []struct{ off, line, col int }{{0, 1, 1}, {3, 1, 1}, {4, 1, 2}, {6, 2, 1}} {
		if line, col := src.Position(c.off); line != c.line || col != c.col {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", c.off, line, col, c.line, c.col)
		}
	}
	var l List
	l.Add("wrong-type", Span{src, 4, 1}, "m").Fix = nil
	l.Add("wrong-type", Span{src, 0, 4}, "m").Fix = nil
	want := "f:1:2: error: m [wrong-type]\n    1 | ab\n      |  ^\nf:1:1: error: m [wrong-type]\n    1 | ab\n      | ^\n"
	if got := printed(t, printers["text"], l); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHiddenIsComplete(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		if unicode.Is(unicode.Bidi_Control, r) && r != 0x200E && r != 0x200F && r != 0x061C && !hidden(r) {
			t.Errorf("%U turns the text around", r)
		}
	}
}
