package fold_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"asz/native/fold"
)

// Recorded histories and scenarios, when they are there: they are no part of the project.
const (
	realRoot     = "../../../shared/data/claude-code"
	scenarioRoot = "../../../shared/data/sessions"
)

// TestRealHistories assembles recorded histories and, with -v, writes them as trees.
func TestRealHistories(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(realRoot); err != nil {
		t.Skip("skipped: there are no recorded histories beside this clone")
	}
	root := collected(t, realRoot)
	ids, err := root.Sessions()
	if err != nil || len(ids) != 7 {
		t.Fatal(err, ids)
	}
	for _, id := range ids {
		x := index(t, root, id)
		for through := int64(1); through < x.IndexedSeq; through++ {
			assemble(t, x, through)
		}
		a := assemble(t, x, 0)
		if a.Talks == 0 || len(a.ids(fold.KindCall)) == 0 {
			t.Errorf("%s has %s", id, counts(a.Assembly))
		}
		t.Logf("%s %q: %s\n%s", id, a.Title, counts(a.Assembly), tree(a))
	}
}

// tree writes an assembly as a person reads it.
func tree(a *assembly) string {
	var b strings.Builder
	below := map[string][]*fold.Node{}
	for i := range a.Nodes {
		n := &a.Nodes[i]
		below[n.Parent] = append(below[n.Parent], n)
	}
	for _, list := range below {
		slices.SortStableFunc(list, func(x, y *fold.Node) int {
			return cmp.Or(cmp.Compare(x.Ref.Seq, y.Ref.Seq), cmp.Compare(x.Ref.Row, y.Ref.Row), cmp.Compare(x.Ref.Block, y.Ref.Block))
		})
	}
	var write func(n *fold.Node, indent string)
	write = func(n *fold.Node, indent string) {
		refs := ""
		if len(n.Refs) > 1 {
			refs = fmt.Sprintf(" (%d)", len(n.Refs))
		}
		fmt.Fprintf(&b, "%s%s %s%s", indent, n.Kind, n.ID, refs)
		for _, at := range n.Attrs {
			if !slices.Contains([]string{"loops", "usage", "usage_at", "usage_from", "timing", "fragments"}, at.Key) {
				fmt.Fprintf(&b, " %s=%s", at.Key, value(at.Value))
			}
		}
		b.WriteByte('\n')
		for _, c := range below[n.ID] {
			write(c, indent+"  ")
		}
	}
	for _, n := range below[""] {
		write(n, "")
	}
	for _, r := range a.Relations {
		fmt.Fprintf(&b, "%s %s -> %s %s (%s)\n", r.Type, r.From, r.To, r.Quality, r.Via)
	}
	for _, u := range a.Unresolved {
		fmt.Fprintf(&b, "open %s %s\n", u.Kind, u.Ref)
	}
	return b.String()
}
