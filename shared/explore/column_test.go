package explore

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Ways back of any length and shape are found, in few rounds or not.
func TestRevive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		n := 1 + r.IntN(200)
		next := make([][]int, n)
		for i := range next {
			if round%2 == 0 && i > 0 {
				next[i] = append(next[i], i-1) // a chain, the other way round than the search goes
			}
			for range r.IntN(3) {
				next[i] = append(next[i], r.IntN(n))
			}
		}
		if round%4 == 0 {
			order := r.Perm(n)
			for i := range next {
				next[order[i]] = []int{order[(i+1)%n]}
			}
		}
		var s slice
		for _, list := range next {
			for _, to := range list {
				s.edges.add(uint32(to))
			}
			s.edgeEnd.add(uint32(s.edges.n))
		}
		want := make([]bool, n)
		want[r.IntN(n)] = true
		got := slices.Clone(want)
		for changed := true; changed; {
			changed = false
			for i, list := range next {
				if !want[i] && slices.ContainsFunc(list, func(to int) bool { return want[to] }) {
					want[i], changed = true, true
				}
			}
		}
		if s.revive(got, 0); !slices.Equal(got, want) {
			t.Fatalf("of %v alive are %v, not %v", next, got, want)
		}
	}
}

// What is in a column stays where it is put.
func TestColumn(t *testing.T) {
	var c column[int]
	n := 3<<pieceBits + 5
	for i := range n {
		c.add(i)
	}
	for i := range n {
		if c.at(i) != i {
			t.Fatalf("element %d is %d", i, c.at(i))
		}
	}
	if c.n != n || c.room() > n+1<<pieceBits {
		t.Errorf("a column of %d has %d elements and room for %d", n, c.n, c.room())
	}
}
