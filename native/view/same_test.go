package view

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// For the tests outside.
var (
	Before = before
	Cells  = cells
)

// SameValues compares YAML with JSON: the same keys in the same order, the same values.
func SameValues(t testing.TB, yaml string, data []byte) {
	t.Helper()
	doc, findings := yamldoc.Parse(diag.NewSource("view.yaml", yaml), yamldoc.Options{Limits: yamldoc.Limits{Bytes: 1 << 30, Nodes: 1 << 24}})
	if len(findings) > 0 {
		var b strings.Builder
		findings.WriteText(&b, false)
		t.Fatal(b.String())
	}
	var b bytes.Buffer
	toJSON(&b, doc.Root)
	var want bytes.Buffer
	if err := json.Compact(&want, data); err != nil {
		t.Fatal(err)
	}
	if got, want := normal(t, b.Bytes()), normal(t, want.Bytes()); got != want {
		t.Errorf("as YAML it is another document: %s", FirstDifference(strings.ReplaceAll(want, `,"`, "\n"), strings.ReplaceAll(got, `,"`, "\n")))
	}
}

// normal writes the texts of JSON in one way.
func normal(t testing.TB, data []byte) string {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var b strings.Builder
	for {
		token, err := d.Token()
		if err != nil {
			return b.String()
		}
		text, err := json.Marshal(token)
		if delim, ok := token.(json.Delim); ok {
			text, err = []byte(delim.String()), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
		b.WriteByte(',')
	}
}

func toJSON(b *bytes.Buffer, n *yamldoc.Node) {
	text := func(s string) {
		data, _ := json.Marshal(s)
		b.Write(data)
	}
	switch n.Kind {
	case yamldoc.KindMap:
		b.WriteByte('{')
		for i, p := range n.Pairs {
			if i > 0 {
				b.WriteByte(',')
			}
			text(p.Key)
			b.WriteByte(':')
			toJSON(b, p.Value)
		}
		b.WriteByte('}')
	case yamldoc.KindList:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			toJSON(b, item)
		}
		b.WriteByte(']')
	case yamldoc.KindText:
		text(n.Text)
	default:
		b.WriteString(n.Text)
	}
}

func FirstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return "line " + strconv.Itoa(i+1) + "\n-" + w[i] + "\n+" + g[i]
		}
	}
	return "one is longer"
}
