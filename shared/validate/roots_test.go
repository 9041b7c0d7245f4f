package validate

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestRootsAreBounded: looking for roots ends when it has taken its share, whatever is still open, and the same is found
// however the work is sliced.
func TestRootsAreBounded(t *testing.T) {
	lab, err := os.ReadFile("../../labs/signing/simulator.yaml")
	if err != nil {
		t.Fatal(err)
	}
	// A step's scenario is left out, and with it much that others wait for.
	from := strings.Index(string(lab), "  - id: set-key\n")
	to := from + strings.Index(string(lab)[from:], "  - id: set-key-public\n")
	space, err := os.ReadFile("../../labs/signing/labspace.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{
		"t/labspace.yaml":  {Data: space},
		"t/simulator.yaml": {Data: append(lab[:from:from], lab[to:]...)},
	}
	check := func(slice, budget int) (c *Check, findings string) {
		c = New(files, "t", Options{})
		for c.phase != sorting {
			c.Step(slice)
		}
		if budget > 0 {
			c.rooting.budget = budget
		}
		for c.Step(slice) {
		}
		for _, f := range c.Result().Findings {
			findings += fmt.Sprintln(f.Code, f.Span.Start, f.Message)
		}
		return c, findings
	}
	c, all := check(1000, 0)
	if c.rooting.final == nil {
		t.Error("it did not come to its end")
	}
	if _, again := check(12345, 0); all != again {
		t.Errorf("it depends on the slices:\n%s\n%s", all, again)
	}
	const slice, budget = 1000, 20_000
	c, _ = check(slice, budget)
	if c.rooting.final != nil || c.rooting.budget < -2*slice {
		t.Errorf("it went on to %d transitions over its share", -c.rooting.budget)
	}
}
