package fold_test

import (
	"reflect"
	"testing"

	"asz/native/fold"
	"asz/native/store/crash"
)

// folded is what a chain holds as an assembly says it: no revisions, and only what is open.
func (b *bed) folded() *fold.Structure {
	b.Helper()
	s, err := b.chain().Structure()
	if err != nil {
		b.Fatal(err)
	}
	out := &fold.Structure{Nodes: s.Nodes, Relations: s.Relations}
	for i := range out.Nodes {
		out.Nodes[i].Revision = 0
	}
	for i := range out.Relations {
		out.Relations[i].Revision = 0
	}
	for _, u := range s.Unresolved {
		if u.State == "open" {
			u.Revision = 0
			out.Unresolved = append(out.Unresolved, u)
		}
	}
	return out
}

// foldsAsAssembled checks that the fold is what one assembly up to its end gives.
func (b *bed) foldsAsAssembled() {
	b.Helper()
	x, err := b.root.Session(b.id).Index()
	if err != nil {
		b.Fatal(err)
	}
	a, err := fold.Assemble(x, b.chain().ThroughSeq(), b.id)
	if err != nil {
		b.Fatal(err)
	}
	got := b.folded()
	want := a.Structure
	if len(want.Unresolved) == 0 {
		want.Unresolved = nil
	}
	if len(want.Relations) == 0 {
		want.Relations = got.Relations[:0]
	}
	if !reflect.DeepEqual(*got, want) {
		b.Errorf("the fold is\n%+v\nand the assembly\n%+v", *got, want)
	}
}

func TestParseHistories(t *testing.T) {
	t.Parallel()
	source := histories(t)
	root := historyRoot(t, crash.New(), "/root", source)
	ids, err := root.Sessions()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		b := &bed{TB: t, root: root, id: id}
		r := b.parse(50000)
		if len(r.Written) == 0 {
			t.Errorf("%s: no round is written", id)
		}
		b.foldsAsAssembled()
		if again := b.parse(0); len(again.Written) != 0 {
			t.Errorf("%s: a second parse writes", id)
		}
	}
}
