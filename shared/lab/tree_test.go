package lab_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"asz/shared/lab"
)

type number int

func (n number) Digest() uint64 { return uint64(n) * 0x9E3779B97F4A7C15 }

func randomKey(r *rand.Rand) string {
	b := make([]byte, r.IntN(4))
	for i := range b {
		b[i] = "aAb/.\x00\xffz"[r.IntN(8)]
	}
	return string(b)
}

func holds(t *testing.T, tree lab.Tree[number], want map[string]number) {
	t.Helper()
	if tree.Len() != len(want) {
		t.Fatalf("%d keys, want %d", tree.Len(), len(want))
	}
	keys := slices.Sorted(maps.Keys(want))
	i := 0
	for k, v := range tree.All {
		if i >= len(keys) || k != keys[i] || v != want[k] {
			t.Fatalf("key %d is %q = %d", i, k, v)
		}
		i++
	}
	if i != len(keys) {
		t.Fatalf("%d of %d keys come", i, len(keys))
	}
}

// An old tree stays what it was, whatever is done to newer ones.
func TestTreeAgainstMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	type version struct {
		tree lab.Tree[number]
		want map[string]number
	}
	versions := []version{{}}
	for range 5_000 {
		from := versions[len(versions)-1]
		if r.IntN(20) == 0 {
			from = versions[r.IntN(len(versions))]
		}
		next := version{from.tree, maps.Clone(from.want)}
		if next.want == nil {
			next.want = map[string]number{}
		}
		k := randomKey(r)
		if r.IntN(3) == 0 {
			next.tree = next.tree.Delete(k)
			delete(next.want, k)
		} else {
			v := number(r.IntN(5))
			next.tree, next.want[k] = next.tree.Set(k, v), v
		}
		if v, ok := next.tree.Get(k); ok != (len(next.want) > 0 && hasKey(next.want, k)) || v != next.want[k] {
			t.Fatalf("get %q: %d %v", k, v, ok)
		}
		versions = append(versions, next)
		if len(versions) > 50 {
			i := r.IntN(len(versions))
			holds(t, versions[i].tree, versions[i].want)
			versions = slices.Delete(versions, i, i+1)
		}
	}
	for _, v := range versions {
		holds(t, v.tree, v.want)
	}
}

func hasKey(m map[string]number, k string) bool {
	_, ok := m[k]
	return ok
}

func TestTreeDigestIsIndependentOfHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	seen := map[uint64]map[string]number{}
	for range 3_000 {
		want := map[string]number{}
		for range r.IntN(8) {
			want[randomKey(r)] = number(r.IntN(3))
		}
		build := func() (tree lab.Tree[number]) {
			keys := slices.Sorted(maps.Keys(want))
			r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			var extra []string
			for range r.IntN(5) {
				k := randomKey(r)
				tree, extra = tree.Set(k, 99), append(extra, k)
			}
			for _, k := range keys {
				tree = tree.Set(k, 7).Set(k, want[k])
			}
			for _, k := range extra {
				if !hasKey(want, k) {
					tree = tree.Delete(k)
				}
			}
			return tree
		}
		a, b := build(), build()
		if a.Digest() != b.Digest() {
			t.Fatalf("two ways to %v have two digests", want)
		}
		if other, ok := seen[a.Digest()]; ok && !maps.Equal(other, want) {
			t.Fatalf("%v and %v have one digest", other, want)
		}
		seen[a.Digest()] = want
	}
}

func TestTreeStops(t *testing.T) {
	var tree lab.Tree[number]
	for _, k := range []string{"c", "a", "b"} {
		tree = tree.Set(k, 1)
	}
	n := 0
	for range tree.All {
		n++
		if n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d keys", n)
	}
}

func TestTreeEmpty(t *testing.T) {
	var tree lab.Tree[number]
	holds(t, tree, nil)
	holds(t, tree.Delete("x"), nil)
	if tree.Set("x", 1).Delete("x").Digest() != tree.Digest() {
		t.Error("an emptied tree is not the empty tree")
	}
}

func TestTreeStaysShallow(t *testing.T) {
	var tree lab.Tree[number]
	for i := range 100_000 {
		tree = tree.Set(string([]byte{byte(i >> 16), byte(i >> 8), byte(i)}), number(i))
	}
	if tree.Len() != 100_000 {
		t.Errorf("%d keys", tree.Len())
	}
}

func TestListAgainstSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	type version struct {
		list lab.List
		want []lab.Value
	}
	versions := []version{{}}
	check := func(v version) {
		t.Helper()
		if v.list.Len() != len(v.want) {
			t.Fatalf("%d elements, want %d", v.list.Len(), len(v.want))
		}
		for i, e := range v.list.Values() {
			if !lab.Equal(e, v.want[i]) {
				t.Fatalf("element %d", i)
			}
			if at, ok := v.list.At(i); !ok || !lab.Equal(at, v.want[i]) {
				t.Fatalf("at %d", i)
			}
		}
		for _, i := range []int{-1, len(v.want), len(v.want) + 100} {
			if _, ok := v.list.At(i); ok {
				t.Fatalf("there is an element %d of %d", i, len(v.want))
			}
		}
		var again lab.List
		for _, e := range v.want {
			again = again.Append(e)
		}
		if again.Digest() != v.list.Digest() {
			t.Fatal("two ways to one list have two digests")
		}
	}
	for i := range 3_000 {
		from := versions[r.IntN(len(versions))]
		next := version{from.list, slices.Clone(from.want)}
		if n := len(next.want); n > 0 && r.IntN(3) == 0 {
			at := r.IntN(n)
			next.list, next.want[at] = next.list.Set(at, lab.Int(i)), lab.Int(i)
		} else {
			next.list, next.want = next.list.Append(lab.Int(i)), append(next.want, lab.Int(i))
		}
		versions = append(versions, next)
		if len(versions) > 40 {
			at := r.IntN(20)
			check(versions[at])
			versions = slices.Delete(versions, at, at+1)
		}
	}
	for _, v := range versions {
		check(v)
	}
}

func TestListDigests(t *testing.T) {
	a, b := lab.Int(1), lab.Int(2)
	lists := []lab.Value{lab.ListOf(), lab.ListOf(a), lab.ListOf(b), lab.ListOf(a, b), lab.ListOf(b, a), lab.ListOf(a, a), lab.ListOf(lab.ListOf(a), b), lab.ListOf(lab.ListOf(a, b)), lab.ListOf(lab.ListOf())}
	for i, v := range lists {
		for j, w := range lists {
			if (v.Digest() == w.Digest()) != (i == j) {
				t.Errorf("%s and %s", v.AppendJSON(nil), w.AppendJSON(nil))
			}
		}
	}
}
