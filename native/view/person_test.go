package view

import (
	"math"
	"testing"

	"asz/native/store"
)

// TestTally: tokens that no number can hold stay at the largest, and never turn negative.
func TestTally(t *testing.T) {
	t.Parallel()
	much := &Node{Step: &Step{Usage: &store.Usage{In: math.MaxInt64, CacheRead: math.MaxInt64 - 1, CacheWrite: 5}}}
	var sum tally
	sum.add(&Node{Children: []*Node{much, much}})
	if got, want := sum.tokens(), "9223372036.9G in, 0 out, cache 9223372036.9G read 10 written"; got != want {
		t.Errorf("it is %q and not %q", got, want)
	}
}
