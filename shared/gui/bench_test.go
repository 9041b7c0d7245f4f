package gui_test

import (
	"os"
	"testing"

	"asz/shared/diag"
	"asz/shared/gui"
)

func BenchmarkParse(b *testing.B) {
	data, err := os.ReadFile("testdata/good/every-key.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if s, _ := gui.Parse(diag.NewSource("gui.yaml", string(data))); s == nil {
			b.Fatal("it is not read")
		}
	}
}
