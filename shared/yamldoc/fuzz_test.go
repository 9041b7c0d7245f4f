package yamldoc

import (
	"strings"
	"testing"

	"asz/shared/diag"
)

// FuzzParse holds for any input: no panic, every span inside the source, bounded nodes and findings, and
// a place in the source for every part of every text; and goccy's parser is never needed for what is read without. The seeds are in testdata/fuzz.
func FuzzParse(f *testing.F) {
	f.Add(labText(1))
	f.Fuzz(func(t *testing.T, text string) {
		src := diag.NewSource("f.yaml", text)
		for _, o := range []Options{{AppendKeys: true}, {Limits: Limits{Bytes: 1 << 16, Depth: 5, Nodes: 20, AliasNodes: 10}}} {
			same(t, text, o)
			doc, findings := Parse(src, o)
			for _, d := range findings {
				inside(t, src, d.Span)
				for _, r := range d.Related {
					inside(t, src, r.Span)
				}
				if d.Fix != nil {
					for _, e := range d.Fix.Edits {
						inside(t, src, e.Span)
					}
				}
			}
			if len(findings) > maxFindings {
				t.Fatalf("%d findings", len(findings))
			}
			if err := findings.WriteText(&strings.Builder{}, false); err != nil {
				t.Fatal(err)
			}
			if doc.Root == nil {
				if len(findings) == 0 {
					t.Fatal("no root and no finding")
				}
				continue
			}
			l := o.Limits.withDefaults()
			budget := l.Nodes + l.AliasNodes
			check(t, src, doc.Root, l.Depth, &budget, map[*Node]bool{})
		}
	})
}

func check(t *testing.T, src *diag.Source, n *Node, depth int, budget *int, seen map[*Node]bool) {
	inside(t, src, n.Span)
	if *budget--; *budget < 0 {
		t.Fatal("more nodes than the limits allow")
	}
	if depth < 0 {
		t.Fatal("deeper than the limit allows")
	}
	if n.Kind < KindMap && len(n.Text) < 100 && !seen[n] {
		seen[n] = true
		for i := range len(n.Text) + 1 {
			inside(t, src, n.SpanIn(i, i))
			inside(t, src, n.SpanIn(i, len(n.Text)))
		}
	}
	for _, p := range n.Pairs {
		if p.KeyNode == nil || p.Value == nil {
			t.Fatal("a pair without key or value")
		}
		check(t, src, p.KeyNode, depth, budget, seen)
		check(t, src, p.Value, depth-1, budget, seen)
	}
	for _, item := range n.Items {
		check(t, src, item, depth-1, budget, seen)
	}
}

func inside(t *testing.T, src *diag.Source, s diag.Span) {
	t.Helper()
	if s.Source != src || s.Start < 0 || s.Len < 0 || s.End() > len(src.Text) {
		t.Fatalf("span %d+%d is outside the source of %d bytes", s.Start, s.Len, len(src.Text))
	}
}
