package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// forgets says why the index may not go on above a seq, 0 when it is made anew, with the landed files that are on disk: the
// rounds stand on one that is not there, and an index without it would take its part out of the session. nil when nothing is lost.
func (p *Pass) forgets(above int64) (refused, err error) {
	through, err := p.s.headThrough()
	if err != nil || above > 0 && through <= above {
		return nil, err
	}
	chain := p.s.root.Conversation(p.s.ID)
	rounds, _, err := chain.Rounds()
	if err != nil {
		return nil, err
	}
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("session %s: its index cannot be brought up to date: %s: restore the file, or remove %s to have the rounds made anew without it; nothing is changed", p.s.ID, fmt.Sprintf(format, args...), chain.dir)
	}
	next, previous := int64(1), "" // seq and input digest behind the round before
	for i, f := range rounds {
		r, err := chain.Check(f)
		if want := int64(i + 1); f.Number != want {
			err = fmt.Errorf("round %d is missing", want)
		} else if err == nil && r.Header.FromSeq != next {
			err = fmt.Errorf("%s does not follow the round before", f.Path)
		}
		if err != nil {
			if seq := p.absent(max(next, above+1), through); seq > 0 {
				return refuse("landed file %d is not on disk, and whether a round stands on it cannot be told: %v", seq, err), nil
			}
			return nil, nil
		}
		h := &r.Header
		if h.ThroughSeq > above {
			same, err := p.consumed(previous, h)
			if err != nil {
				return nil, err
			}
			seq := p.absent(max(next, above+1), h.ThroughSeq)
			switch {
			case same:
			case seq > 0:
				return refuse("landed file %d is not on disk, and round %d stands on it", seq, r.Number), nil
			case next > above:
				return refuse("the landed files %d to %d are not those that round %d stands on", next, h.ThroughSeq, r.Number), nil
			}
		}
		next, previous = h.ThroughSeq+1, h.InputDigest
	}
	return nil, nil
}

// consumed tells whether the landed files on disk are those that a round consumed.
func (p *Pass) consumed(previous string, h *RoundHeader) (bool, error) {
	digest := NewInputDigest(previous)
	last := int64(0)
	for _, l := range p.landed {
		if l.Seq < h.FromSeq || l.Seq > h.ThroughSeq || l.Seq == last {
			continue
		}
		last = l.Seq // of two with one seq the first is indexed
		sum, err := p.s.root.Sum(l)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, fmt.Errorf("session %s: %w", p.s.ID, err)
		}
		digest.Add(l.Seq, sum)
	}
	return digest.Sum() == h.InputDigest, nil
}

// absent is the first seq of a range that is not on disk, 0 when all are.
func (p *Pass) absent(from, to int64) int64 {
	i := slices.IndexFunc(p.landed, func(l Landed) bool { return l.Seq >= from })
	for ; i >= 0 && i < len(p.landed) && p.landed[i].Seq <= from && from <= to; i++ {
		if p.landed[i].Seq == from {
			from++
		}
	}
	if from > to {
		return 0
	}
	return from
}
