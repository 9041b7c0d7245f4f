package view_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"asz/native/view"
)

var update = flag.Bool("update", false, "write the documents of testdata/*.txtar anew")

// TestDocument: a document is written with these keys, in this order, and reads like this.
func TestDocument(t *testing.T) {
	t.Parallel()
	const name = "testdata/greenhouse.txtar"
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	root, id := scenario(t, string(archive.Files[0].Data))
	d := document(t, root, id)
	var yaml, text bytes.Buffer
	if err := d.WriteYAML(&yaml); err != nil {
		t.Fatal(err)
	}
	if err := d.Print(&text, view.Shown{}); err != nil {
		t.Fatal(err)
	}
	got := []txtar.File{archive.Files[0], {Name: "view.yaml", Data: yaml.Bytes()}, {Name: "view.txt", Data: text.Bytes()}}
	if *update {
		archive.Files = got
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(archive.Files) != len(got) {
		t.Fatalf("%s has %d files; run with -update", name, len(archive.Files))
	}
	for i, f := range got {
		if want := archive.Files[i]; f.Name != want.Name || !bytes.Equal(f.Data, want.Data) {
			t.Errorf("%s differs; run with -update and see what has changed:\n%s", f.Name, view.FirstDifference(string(want.Data), string(f.Data)))
		}
	}
	if again := document(t, root, id); !bytes.Equal(again.AppendJSON(nil), d.AppendJSON(nil)) {
		t.Error("built twice, it differs")
	}
	view.SameValues(t, yaml.String(), d.AppendJSON(nil))
}

// TestYAML: texts of every kind come back as they were.
func TestYAML(t *testing.T) {
	t.Parallel()
	texts := []string{
		"", " ", "a", "a b", "true", "Null", "no", "~", "-", "- a", "a: b", "a #b", "#a", "'a'", `"a"`, "a'b", "1", "0x1f", "1e3", "12:30", ".5", "a,b", "[a]", "{a}",
		"&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "?", "a\nb", "a\nb\n", "a\nb\n\n", "\na", " a\nb", "\ta\nb", "a\n b\n", "a\n\n\nb", "a\n\tb", "a\tb\nc\td\n",
		"a\n ", "a\n \nb", "a\nb ", "a\r\nb", "a\rb", "\u0085a\nb", "\u2028a\nb", "\u202ea\nb", "\ufeffa", "a\ufeff\nb", "\x00\x1b[31m", "\x7f\nb", "é\n東京", "😀\n😀", "\\n", "a\\\n\"b",
		"---", "---\na", "a\n---\nb", "...\nb\n", "a: |\n  b", "# a\nb", "- a\n- b", "<<", "=", "a:", "a: ", "a:\nb", strings.Repeat("long ", 100), "\n", "\n\n", "x" + strings.Repeat(" ", 90) + "\ny",
		"\xff\nb", "\xed\xa0\x80",
	}
	d := &view.Doc{Sessions: texts, Summary: view.Summary{Kinds: map[string]int{}}}
	for _, s := range texts {
		d.Unresolved = append(d.Unresolved, unresolved(s))
		d.Summary.Kinds[strings.ToValidUTF8(s, "?")] = len(s)
	}
	d.Talks = []*view.Node{{ID: "a\nb", Talk: &view.Talk{Label: "x\n  y"}, Children: []*view.Node{{ID: "b", Step: &view.Step{Text: "deep\n text\n"}}}}}
	var b strings.Builder
	if err := d.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	view.SameValues(t, b.String(), d.AppendJSON(nil))
	if !json.Valid(d.AppendJSON(nil)) {
		t.Error("it is no JSON")
	}
}
