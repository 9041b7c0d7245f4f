package validate_test

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/validate"
)

const published = "../../../shared/data/labs"

// BenchmarkCheck checks whole labs: the project's largest, and generated ones of so many scenarios.
func BenchmarkCheck(b *testing.B) {
	run := func(name string, files fs.FS, dir string) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			states := 0
			for b.Loop() {
				c := validate.New(files, dir, validate.Options{})
				for c.Step(1 << 16) {
				}
				states = c.Result().States
			}
			b.ReportMetric(float64(states), "states")
		})
	}
	run("signing", os.DirFS("../../labs"), "signing")
	if _, err := os.Stat(published + "/sbx-101"); err == nil {
		run("sbx-101", os.DirFS(published), "sbx-101")
	}
	for _, n := range []int{100, 1000} {
		run(fmt.Sprint(n), generated(n), "t")
	}
}

// generated is a lab of n scenarios in chains of five, each chain a step that a section's block plays.
func generated(n int) fs.FS {
	var space, sim, text strings.Builder
	space.WriteString("title: Generated\nsimulator: s.yaml\nsections:\n  - title: All\n    contentPath: all.md\n    steps:\n")
	sim.WriteString("version: \"2.0\"\nstate:\n")
	for i := range n / 5 {
		fmt.Fprintf(&sim, "  chain%d: { at: 0, name: \"\" }\n", i)
		fmt.Fprintf(&space, "      - id: step-%d\n", i)
	}
	sim.WriteString("scenarios:\n")
	for i := range n {
		chain, at := i/5, i%5
		fmt.Fprintf(&sim, "  - id: s%d\n    when:\n      command: tool%d verb%d\n      args: { --name: { any: true }, 0: item }\n      state: { chain%d.at: %d }\n", i, chain%30, i, chain, at)
		fmt.Fprintf(&sim, "    then:\n      state: { chain%d.at: %d, chain%d.name: \"{{ args.name }}\" }\n      output: [\"Started {{ args.name }}\", done]\n", chain, at+1, chain)
		if at == 4 {
			fmt.Fprintf(&sim, "    completes: step-%d\n", chain)
		}
		if at == 0 {
			fmt.Fprintf(&text, "Do **this** with `tool%d`:\n\n```bash\n", chain%30)
		}
		fmt.Fprintf(&text, "tool%d verb%d --name=web item\n", chain%30, i)
		if at == 4 {
			text.WriteString("```\n\n")
		}
	}
	return fstest.MapFS{
		"t/labspace.yaml": {Data: []byte(space.String())},
		"t/s.yaml":        {Data: []byte(sim.String())},
		"t/all.md":        {Data: []byte(text.String())},
	}
}
