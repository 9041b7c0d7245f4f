package validate

import (
	"os"
	"testing"
)

// BenchmarkStatic is everything but the search, with what it takes to read the lab and its sections.
func BenchmarkStatic(b *testing.B) {
	folder, id := os.DirFS("../../../shared/data/labs"), "sbx-101"
	if _, err := os.Stat("../../../shared/data/labs/" + id); err != nil {
		folder, id = os.DirFS("../../labs"), "release-desk"
	}
	part := func(name string, run func(c *Check)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := New(folder, id, Options{})
				run(c)
			}
		})
	}
	part("load", func(*Check) {})
	part("load and render", func(c *Check) { c.readSections() })
	part("all", (*Check).static)
}
