package yamldoc

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"asz/shared/diag"
)

// labText is a simulator-like file of about 25 lines an entry.
func labText(entries int) string {
	var b strings.Builder
	b.WriteString("version: \"2.0\"\nscenarios:\n")
	for i := range entries {
		fmt.Fprintf(&b, `  - id: run-%d
    when:
      command: docker run
      args:
        --name: { any: true }
        0: nginx
      state:
        docker.running: true
    then:
      state:
        docker.count: %d
        docker.events += "started {{ args.0 }} # %d"
      files:
        - create: "logs/%d.txt"
          content: |
            first line
              second line

            last line
      output:
        - "Pulling image '{{ args.0 }}'..."
        - { text: "done", delay: short }   # cosmetic
        - plain text that runs
          over two lines
      exit: 0

`, i, i, i, i)
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := labText(100)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		doc, findings := Parse(diag.NewSource("lab.yaml", text), Options{AppendKeys: true})
		if doc.Root == nil || len(findings) > 0 {
			b.Fatal(findings)
		}
	}
}

// TestShapes reads inputs of shapes that make parsers slow. Times are printed, node counts asserted.
func TestShapes(t *testing.T) {
	size := 1 << 18
	if testing.Short() {
		size = 1 << 14
	}
	many := func(line string) string { return strings.Repeat(line, size/len(line)) }
	for name, text := range map[string]string{
		"keys":           many("key: v\n"),
		"list":           many("- item\n"),
		"maps":           many("- a: 1\n  b: 2\n"),
		"nulls":          many("-\n"),
		"keys of null":   many("- a:\n  b:\n"),
		"flow list":      "a: [" + many("1, ") + "]",
		"flow map":       "- {" + many("a, ") + "}",
		"open list":      many("[1, 2\n"),
		"open quotes":    many("- \"a\n"),
		"one quote":      "a: \"" + many("x\n "),
		"tabs":           "a: \"" + many("x\t") + "\"",
		"comments":       many("# c\n") + "a: 1",
		"long line":      "a: " + many("word "),
		"plain":          "a:\n" + many(" word\n"),
		"literal":        "a: |\n" + many(" word\n"),
		"folded":         "a: >\n" + many(" word\n\n"),
		"documents":      many("---\na: 1\n"),
		"anchors":        many("- &a x\n- *a\n"),
		"wrong lines":    "a: 1\n" + many("oops\nb: 2\n"),
		"wrong indent":   "a:\n" + many("  b: 1\n   c: 2\n"),
		"templates":      many("- {{ x }}\n"),
		"braces":         many("- {}}\n"),
		"colons":         many("- a: b: c\n"),
		"questions":      many("? a\n"),
		"dashes":         many("- "),
		"brackets":       many("["),
		"braces open":    many("{a: "),
		"tags":           many("- !t x\n"),
		"double escapes": "a: \"" + many(`\x41\u263a`) + "\"",
	} {
		start := time.Now()
		doc, findings := Parse(diag.NewSource("f", text), Options{})
		t.Logf("%-14s %8d bytes %10v %3d findings", name, len(text), time.Since(start).Round(time.Microsecond), len(findings))
		if n := count(doc.Root); n > 1<<20+1<<17 {
			t.Errorf("%s: %d nodes", name, n)
		}
		if len(findings) > maxFindings {
			t.Errorf("%s: %d findings", name, len(findings))
		}
	}
}

// count walks a value as readers do: through its aliases.
func count(n *Node) int {
	if n == nil {
		return 0
	}
	total := 1
	for _, p := range n.Pairs {
		total += 1 + count(p.Value)
	}
	for _, item := range n.Items {
		total += count(item)
	}
	return total
}
