package labfile_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/labfile"
)

// BenchmarkLoad reads a lab of a thousand scenarios.
func BenchmarkLoad(b *testing.B) {
	var y strings.Builder
	y.WriteString("version: \"2.0\"\nscenarios:\n")
	for i := range 1000 {
		fmt.Fprintf(&y, "  - id: scenario-%d\n    when:\n      command: tool verb%d\n      args: { --name: { any: true }, 0: item }\n      state: { phase: start }\n    then:\n      state: { last.name: \"{{ args.name }}\" }\n      output: [\"Started {{ args.name }}\", done]\n", i, i)
	}
	files := fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\n")},
		"t/s.yaml":        {Data: []byte(y.String())},
	}
	b.SetBytes(int64(y.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if labfile.Load(files, "t").Lab == nil {
			b.Fatal("the lab does not load")
		}
	}
}
