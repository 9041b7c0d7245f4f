package content_test

import (
	"os"
	"testing"

	"asz/shared/content"
)

// BenchmarkRender renders a section as a check of labs does: without colours.
func BenchmarkRender(b *testing.B) {
	source, err := os.ReadFile("../../labs/signing/04-tampered.md")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		content.Render(source, content.Options{Terminals: []string{"desk"}})
	}
}
