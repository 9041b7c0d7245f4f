package guirun

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func newSecrets(t testing.TB, environ ...string) *Secrets {
	t.Helper()
	s, err := NewSecrets(environ)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func secret(value string) string { return secretPrefix + "A=" + value }

const markA = "[redacted:KASM_RUNTIME_SECRET_A]"

func TestSecretsAreTakenFromTheEnvironment(t *testing.T) {
	s := newSecrets(t, "PATH=/bin", "KASM_RUNTIME_SECRET_B=hunter22", "KASM_RUNTIME_SECRET_EMPTY=", secret(" first value\n"), "KASM_RUNTIME_SECRET_C-D=dash!dash")
	if got, want := s.Text("hunter22 first value /bin dash!dash"), "[redacted:KASM_RUNTIME_SECRET_B] "+markA+" /bin [redacted:KASM_RUNTIME_SECRET_C_D]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s = newSecrets(t, secret("oldvalue"), secret("newvalue"))
	if got := s.Text("oldvalue newvalue"); got != "oldvalue "+markA {
		t.Errorf("the last of two entries counts: %q", got)
	}
	for _, short := range []string{"a", "abc", "äöü", " abc ", "    ", "\n"} {
		if _, err := NewSecrets([]string{secret(short)}); err == nil || !strings.Contains(err.Error(), secretPrefix+"A") || strings.Contains(err.Error(), "abc") {
			t.Errorf("%q: got %v", short, err)
		}
	}
	newSecrets(t, secret("äöüß"))
}

// awkward are values with what encodings escape.
var awkward = []string{
	"hunter22", "p@ss word", `a"b\c/d'e`, "<&>&amp;%41", "Grüße 你好 😀", "line one\nline two\ttab", "100%+safe=", "~!@#$%^&*()_+{}|:\"<>?`-=[]\\;',./",
	"aaaa", "----", "\xff\xfe\xfd\xfc", "ab\u2028cd", `\\\\`, "++//++//", "0000",
}

// encodings are what programs make of a value.
func encodings(value string) map[string]string {
	encoded := map[string]string{"as is": value}
	ascii := func(upper bool) string {
		form := `\u%04x`
		if upper {
			form = `\u%04X`
		}
		var out strings.Builder
		for _, unit := range utf16.Encode([]rune(value)) {
			fmt.Fprintf(&out, form, unit)
		}
		return out.String()
	}
	if strings.ToValidUTF8(value, "") == value {
		inJSON, _ := json.Marshal(value)
		encoded["JSON"] = string(inJSON[1 : len(inJSON)-1])
		var plain bytes.Buffer
		e := json.NewEncoder(&plain)
		e.SetEscapeHTML(false)
		e.Encode(value)
		encoded["JSON without HTML"] = plain.String()[1 : plain.Len()-2]
		encoded["JSON in JSON"] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(encoded["JSON"])
		encoded["JSON with slashes"] = strings.ReplaceAll(encoded["JSON"], "/", `\/`)
		encoded["JSON, all escaped"], encoded["JSON, all escaped, upper"] = ascii(false), ascii(true)
		var decimal, hex strings.Builder
		for _, r := range value {
			fmt.Fprintf(&decimal, "&#%d;", r)
			fmt.Fprintf(&hex, "&#x%X;", r)
		}
		encoded["HTML, decimal"], encoded["HTML, hexadecimal"] = decimal.String(), hex.String()
		encoded["HTML in JSON"] = strings.ReplaceAll(html.EscapeString(value), "&", `\u0026`)
		encoded["HTML in JSON"] = strings.NewReplacer(`\u0026`, `\u0026`, `\`, `\\`, "\n", `\n`, "\t", `\t`).Replace(encoded["HTML in JSON"])
	}
	encoded["HTML"] = html.EscapeString(value)
	encoded["HTML, named"] = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace(value)
	encoded["HTML, Python"] = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;").Replace(value)
	encoded["HTML twice"] = html.EscapeString(html.EscapeString(value))
	encoded["query"], encoded["path"] = url.QueryEscape(value), url.PathEscape(value)
	lower := func(text string) string { return regexpPercent().ReplaceAllStringFunc(text, strings.ToLower) }
	encoded["query, lower"], encoded["path, lower"] = lower(encoded["query"]), lower(encoded["path"])
	encoded["query twice"] = url.QueryEscape(encoded["query"])
	var all strings.Builder
	for i := range len(value) {
		fmt.Fprintf(&all, "%%%02X", value[i])
	}
	encoded["all percent"] = all.String()
	return encoded
}

func regexpPercent() *regexp.Regexp { return regexp.MustCompile("%[0-9A-F]{2}") }

func TestEveryEncodingIsFound(t *testing.T) {
	for _, value := range awkward {
		s := newSecrets(t, secret(value))
		for name, text := range encodings(value) {
			if got := s.Text("x " + text + " y"); got != "x "+markA+" y" {
				t.Errorf("%q as %s: %q became %q", value, name, text, got)
			}
			if !s.Holds("(" + text + ")") {
				t.Errorf("%q as %s is not held", value, name)
			}
		}
	}
}

func TestBase64IsFoundAtEveryAlignment(t *testing.T) {
	alphabets := map[string]*base64.Encoding{"std": base64.StdEncoding, "url": base64.URLEncoding, "raw std": base64.RawStdEncoding, "raw url": base64.RawURLEncoding}
	for _, value := range awkward {
		s := newSecrets(t, secret(value))
		for name, encoding := range alphabets {
			for before := range 6 {
				for after := range 4 {
					for _, fill := range []byte{0, 'x', 0xff} {
						data := slices.Concat(bytes.Repeat([]byte{fill}, before), []byte(value), bytes.Repeat([]byte{fill}, after))
						text := encoding.EncodeToString(data)
						got := s.Text(": " + text + " .")
						head, tail, found := strings.Cut(got, markA)
						if !found {
							t.Fatalf("%q, %s, %d before, %d after: %q became %q", value, name, before, after, text, got)
						}
						// What is left are the characters that hold nothing of the value.
						if want := 2 + 8*before/6; len(head) != want {
							t.Errorf("%q, %s, %d before: %q is left of %q", value, name, before, head, text)
						}
						if after == 0 && tail != " ." {
							t.Errorf("%q, %s: %q is left at the end of %q", value, name, tail, text)
						}
						if escaped := url.QueryEscape(text); !s.Holds(escaped) {
							t.Errorf("%q, %s: not found in %q", value, name, escaped)
						}
					}
				}
			}
		}
	}
	value := strings.Repeat("long secret ", 20)
	s := newSecrets(t, secret(value))
	text := base64.StdEncoding.EncodeToString([]byte("xy" + value))
	for _, end := range []string{"\n", "\r\n", `\n`} {
		if got := s.Text(text[:76] + end + text[76:152] + end + text[152:]); !strings.HasPrefix(got, "eH"+markA) {
			t.Errorf("with lines: %q", got)
		}
	}
}

func TestLinesOfASecretAreFoundByThemselves(t *testing.T) {
	s := newSecrets(t, secret("-----BEGIN-----\nabcdefghij\nxyz\nklmnopqrst\n"))
	if got, want := s.Text("1: abcdefghij\n2: xyz\n3: klmnopqrst"), "1: "+markA+"\n2: xyz\n3: "+markA; got != want {
		t.Errorf("got %q", got)
	}
	if got := s.Text("-----BEGIN-----\r\nabcdefghij\r\nxyz\r\nklmnopqrst"); got != markA {
		t.Errorf("got %q", got)
	}
}

func TestOverlappingSecrets(t *testing.T) {
	s := newSecrets(t, secret("secret"), "KASM_RUNTIME_SECRET_B=secret-and-more", "KASM_RUNTIME_SECRET_C=more-still", "KASM_RUNTIME_SECRET_D=secret")
	b, c := "[redacted:KASM_RUNTIME_SECRET_B]", "[redacted:KASM_RUNTIME_SECRET_C]"
	for text, want := range map[string]string{
		"a secret b":                  "a " + markA + " b",
		"secret-and-more":             b,
		"secret-and-mor":              markA + "-and-mor",
		"secret-and-more-still.":      b + ".",
		"more-still-secret-and-more":  c + "-" + b,
		"secretsecret":                markA + markA,
		"secret-and-secret-and-more.": markA + "-and-" + b + ".",
	} {
		if got := s.Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if got := written(t, s, text, 1); got != want {
			t.Errorf("%q was written as %q, want %q", text, got, want)
		}
	}
	s = newSecrets(t, secret("abab"))
	if got := s.Text("xababababy"); strings.Contains(got, "ab") {
		t.Errorf("got %q", got)
	}
}

// written is what comes out of the writer for pieces of a size.
func written(t testing.TB, s *Secrets, text string, size int) string {
	t.Helper()
	var out bytes.Buffer
	w := s.Writer(&out)
	for piece := range slices.Chunk([]byte(text), size) {
		if n, err := w.Write(piece); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWriterFindsWhatIsCut(t *testing.T) {
	for _, value := range awkward {
		s := newSecrets(t, secret(value))
		for _, text := range encodings(value) {
			text = "one " + text + " two " + text + "\nand the end" + text[:len(text)/2]
			want := s.Text(text)
			for size := 1; size < 12; size++ {
				if got := written(t, s, text, size); got != want {
					t.Fatalf("in pieces of %d: %q, want %q", size, got, want)
				}
			}
		}
	}
}

func TestWriterHoldsNoMoreThanItMust(t *testing.T) {
	s := newSecrets(t, secret("hunter22"), "KASM_RUNTIME_SECRET_B=two\nlines")
	var out bytes.Buffer
	w := s.Writer(&out)
	for _, step := range []struct{ in, out string }{
		{"a line\n", "a line\n"},
		{"progress 10 %\r", "progress 10 %\r"},
		{"hunt", ""},
		{"ing\n", "hunting\n"},
		{"hunter", ""},
		{"22\n", markA + "\n"},
		{"two\n", ""},
		{"three\n", "two\nthree\n"},
		{"no", "no"},
	} {
		out.Reset()
		io.WriteString(w, step.in)
		if out.String() != step.out {
			t.Errorf("%q gave %q, want %q", step.in, out.String(), step.out)
		}
	}
}

func TestWriterReportsErrors(t *testing.T) {
	s := newSecrets(t)
	full := errors.New("full")
	if _, err := s.Writer(failing{full}).Write([]byte("text")); err != full {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPatternsOfTheOperator(t *testing.T) {
	s := newSecrets(t, secret("hunter22"))
	s.Redact([]*regexp.Regexp{regexp.MustCompile(`token=\w+`), regexp.MustCompile(`(?i)card \d+$`)})
	text := "token=abc hunter22 x\r\nCard 12\ncard 12 no\ntoken=zz"
	want := "[redacted] " + markA + " x\r\n[redacted]\ncard 12 no\n[redacted]"
	for size := 1; size <= len(text); size++ {
		if got := written(t, s, text, size); got != want {
			t.Fatalf("in pieces of %d: %q, want %q", size, got, want)
		}
	}
	if got := s.Text("a token=abc"); got != "a [redacted]" {
		t.Errorf("got %q", got)
	}
}

func TestJSONStaysJSON(t *testing.T) {
	type document struct {
		Status string         `json:"1234"`
		Count  int            `json:"count"`
		Texts  []string       `json:"texts"`
		Map    map[string]any `json:"map"`
	}
	for _, value := range append(slices.Clone(awkward), "1234", "true", "null", "npass", `", "`, "u00e9", "0041x", `"}]}`) {
		s := newSecrets(t, secret(value))
		var texts []string
		for _, text := range encodings(value) {
			texts = append(texts, "before "+text+" after", text, "\n"+text+"\n", `C:\`+text, "é"+text)
		}
		slices.Sort(texts)
		if strings.ToValidUTF8(value, "") != value {
			texts = []string{"none"}
		}
		text, err := json.MarshalIndent(document{"fine", 1234, texts, map[string]any{"t": true, "n": nil, "x": 1234.5}}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		var got document
		if err := json.Unmarshal(s.JSON(text), &got); err != nil {
			t.Fatalf("%q: %v in\n%s", value, err, s.JSON(text))
		}
		if got.Status != "fine" || got.Count != 1234 || len(got.Texts) != len(texts) || got.Map["t"] != true {
			t.Errorf("%q: got %+v", value, got)
		}
		for i, text := range got.Texts {
			if s.Holds(text) && !strings.Contains(value, "redacted") {
				t.Errorf("%q: %q became %q", value, texts[i], text)
			}
		}
	}
}

func TestUseOfSecrets(t *testing.T) {
	s := newSecrets(t, secret("hunter22"))
	if s.Used("") || s.Use("HOME") || s.Used("") {
		t.Error("what is no secret counts as used")
	}
	if !s.Use(secretPrefix+"A") || !s.Used(secretPrefix+"A") || !s.Used("") || s.Used(secretPrefix+"B") {
		t.Error("a used secret is not known as such")
	}
	var none *Secrets
	if none.Use("A") || none.Used("") || none.Holds("a") || none.Text("a") != "a" || string(none.Bytes([]byte("a"))) != "a" || string(none.JSON([]byte("1"))) != "1" {
		t.Error("no secrets change something")
	}
}

func TestSecretsAreSharedBetweenGoroutines(t *testing.T) {
	s := newSecrets(t, secret("hunter22"))
	w := s.Writer(io.Discard)
	done := make(chan bool)
	for range 4 {
		go func() {
			defer func() { done <- true }()
			for range 50 {
				s.Text("a hunter22")
				s.Holds("hunter")
				fmt.Fprintln(w, "hunter22")
				s.Use(secretPrefix + "A")
			}
		}()
	}
	for range 4 {
		<-done
	}
}

func FuzzSecrets(f *testing.F) {
	f.Add("hunter22", "a hunter22 b", uint8(3))
	f.Add(`a"b\c`, `{"a":"a\"b\\c"}`, uint8(1))
	f.Add("abab", "ababab&#97;bab%61", uint8(2))
	f.Fuzz(func(t *testing.T, value, text string, size uint8) {
		s, err := NewSecrets([]string{secret(value), "KASM_RUNTIME_SECRET_B=x" + value + "y"})
		if err != nil || value == "" {
			t.Skip()
		}
		trimmed := strings.TrimSpace(value)
		for _, text := range []string{text, text + trimmed + text, text + base64.StdEncoding.EncodeToString([]byte(text+trimmed)), text + url.QueryEscape(trimmed), text + html.EscapeString(trimmed)} {
			want := s.Text(text)
			if len(text) > len(want) && strings.Contains(text, trimmed) && strings.Contains(strings.NewReplacer(markA, "\x00", "[redacted:KASM_RUNTIME_SECRET_B]", "\x00").Replace(want), trimmed) {
				t.Fatalf("%q is left in %q", trimmed, want)
			}
			if got := written(t, s, text, int(size)+1); got != want {
				t.Fatalf("written as %q, want %q", got, want)
			}
		}
		if document, err := json.Marshal([]string{text, trimmed, text + trimmed}); err == nil && !json.Valid(s.JSON(document)) {
			t.Fatalf("%s became %s", document, s.JSON(document))
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	s := newSecrets(b, secret("correct horse battery staple"), "KASM_RUNTIME_SECRET_B=hunter22", "KASM_RUNTIME_SECRET_C=0a1b2c3d4e5f")
	line := `2026-11-30T12:00:00Z [info] {"message": "opened https://example.test/?q=a%20b", "status": "passed", "took_ms": 12}` + "\n"
	text := []byte(strings.Repeat(line, 1000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s.Writer(io.Discard).Write(text)
	}
}

func BenchmarkNewSecrets(b *testing.B) {
	environ := []string{secret("correct horse battery staple"), "KASM_RUNTIME_SECRET_B=hunter22", "KASM_RUNTIME_SECRET_C=0a1b2c3d4e5f"}
	b.ReportAllocs()
	for b.Loop() {
		newSecrets(b, environ...)
	}
}
