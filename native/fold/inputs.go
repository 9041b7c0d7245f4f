package fold

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"asz/native/store"
)

// inputs tells whether rounds still stand on what they consumed.
type inputs struct {
	root     *store.Root
	landed   map[int64]store.Landed // on disk, by seq
	seqs     []int64                // of them, sorted
	sums     map[int64]string       // SHA-256 of those that were read already
	previous string                 // input digest of the round before
}

func newInputs(root *store.Root, landed map[int64]store.Landed) *inputs {
	return &inputs{root: root, landed: landed, seqs: slices.Sorted(maps.Keys(landed)), sums: map[int64]string{}}
}

// mostMissing bounds what is told of one round.
const mostMissing = 10000

// check compares the input digest of a round, which is the next one when follows, with the files on disk. missing are the seqs
// of its range that are not there, at most mostMissing.
func (in *inputs) check(r *store.Round, follows bool) (match bool, missing []int64, err error) {
	h := &r.Header
	digest := store.NewInputDigest(in.previous)
	in.previous = h.InputDigest
	next := h.FromSeq
	absent := func(end int64) {
		for ; next < end && len(missing) < mostMissing; next++ {
			missing = append(missing, next)
		}
	}
	first, _ := slices.BinarySearch(in.seqs, h.FromSeq)
	for _, seq := range in.seqs[first:] {
		if seq > h.ThroughSeq {
			break
		}
		sum, known := in.sums[seq]
		if !known {
			sum, err = in.root.Sum(in.landed[seq])
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, nil, err
		}
		absent(seq)
		next = seq + 1
		digest.Add(seq, sum)
	}
	absent(h.ThroughSeq + 1)
	return follows && digest.Sum() == h.InputDigest, missing, nil
}
