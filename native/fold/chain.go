package fold

import (
	"fmt"
	"strings"

	"asz/native/store"
)

// Parser and Policy are what rounds are made by; a chain of others is not continued.
const (
	Parser = "v1"
	Policy = "v1+idle=10m0s"
)

// Chain is the fold of the rounds of a session: of all of them, or of those before the first that is missing or broken.
type Chain struct {
	ID     string
	Rounds []*store.Round    // that are folded, from 1, without their frames
	Rest   []store.RoundFile // on disk, and not folded
	Broken error             // why the fold stops before Rest; nil when it reaches the last round on disk
	state  frames
}

// frames are entities as frames, by id; none is a tombstone.
type frames [3][]store.Frame

// Read folds the rounds of a session. It fails only when they cannot be listed.
func Read(root *store.Root, id string) (*Chain, error) {
	c := root.Conversation(id)
	files, _, err := c.Rounds()
	if err != nil {
		return nil, err
	}
	out := &Chain{ID: id}
	var m merger
	for i, f := range files {
		if problem := out.misplaced(files, i); problem != "" {
			out.Broken = fmt.Errorf("%s", problem)
		} else if r, err := c.Load(f); err != nil {
			out.Broken = err
		} else if problem := misfit(out.Head(), r); problem != "" {
			out.Broken = fmt.Errorf("%s: %w: %s", f.Path, store.ErrDamaged, problem)
		} else {
			m.add(r.Frames)
			r.Frames = frames{}
			out.Rounds = append(out.Rounds, r)
			continue
		}
		out.Rest = files[i:]
		break
	}
	out.state = m.result()
	return out, nil
}

// misplaced says what is wrong with the number of a file among all.
func (c *Chain) misplaced(files []store.RoundFile, i int) string {
	f := files[i]
	switch want := int64(len(c.Rounds) + 1); {
	case f.Number != want:
		return fmt.Sprintf("round %d is missing", want)
	case i+1 < len(files) && files[i+1].Number == f.Number:
		return fmt.Sprintf("round %d is there twice: %s and %s", f.Number, f.Path, files[i+1].Path)
	}
	return ""
}

// misfit says in what a round does not follow the one before it, nil for the first.
func misfit(before, r *store.Round) string {
	h := &r.Header
	from, previous := int64(1), ""
	if before != nil {
		from, previous = before.Header.ThroughSeq+1, before.Digest
	}
	switch {
	case h.Previous != previous:
		return "previous is not the digest of the round before"
	case h.FromSeq != from:
		return fmt.Sprintf("it begins with seq %d, not with %d", h.FromSeq, from)
	case h.ThroughSeq < h.FromSeq:
		return fmt.Sprintf("it ends with seq %d, before it begins", h.ThroughSeq)
	case before != nil && (h.Parser != before.Header.Parser || h.Policy != before.Header.Policy):
		return fmt.Sprintf("it is made by %s, %s, the round before by %s, %s", h.Parser, h.Policy, before.Header.Parser, before.Header.Policy)
	}
	return ""
}

// Head is the last round that is folded, nil without one.
func (c *Chain) Head() *store.Round {
	if len(c.Rounds) == 0 {
		return nil
	}
	return c.Rounds[len(c.Rounds)-1]
}

// ThroughSeq is the last landed file that the folded rounds stand on, 0 without a round.
func (c *Chain) ThroughSeq() int64 {
	if h := c.Head(); h != nil {
		return h.Header.ThroughSeq
	}
	return 0
}

// Structure is what the rounds hold, each entity with its revision; resolved references are in it.
func (c *Chain) Structure() (*Structure, error) { return c.state.structure() }

func (f *frames) structure() (*Structure, error) {
	s := &Structure{}
	var err error
	if s.Nodes, err = entities(f, store.NodeFrame, readNode); err != nil {
		return nil, err
	}
	if s.Relations, err = entities(f, store.RelationFrame, readRelation); err != nil {
		return nil, err
	}
	s.Unresolved, err = entities(f, store.UnresolvedFrame, readUnresolved)
	return s, err
}

func entities[T any](f *frames, k store.FrameKind, read func(*store.Frame) (T, bool)) ([]T, error) {
	out := make([]T, len(f[k]))
	for i := range f[k] {
		var ok bool
		if out[i], ok = read(&f[k][i]); !ok {
			return nil, unreadable(k, &f[k][i])
		}
	}
	return out, nil
}

// merger folds rounds one after the other. It keeps pieces of the chain, each more than twice as long as the next, so that an entity
// is not moved once for each round.
type merger struct{ pieces []frames }

func (m *merger) add(f frames) {
	m.pieces = append(m.pieces, f)
	for n := len(m.pieces); n > 1 && m.pieces[n-2].size() <= 2*m.pieces[n-1].size(); n-- {
		m.join()
	}
}

func (m *merger) join() {
	n := len(m.pieces)
	for k := range m.pieces[n-2] {
		m.pieces[n-2][k] = later(m.pieces[n-2][k], m.pieces[n-1][k])
	}
	m.pieces = m.pieces[:n-1]
}

func (m *merger) result() frames {
	for len(m.pieces) > 1 {
		m.join()
	}
	if len(m.pieces) == 0 {
		return frames{}
	}
	out := m.pieces[0]
	for k := range out {
		out[k] = living(out[k])
	}
	return out
}

func (f *frames) size() int { return len(f[0]) + len(f[1]) + len(f[2]) }

// follow is the state after one more round.
func (f *frames) follow(next frames) frames {
	var out frames
	for k := range f {
		out[k] = living(later(f[k], next[k]))
	}
	return out
}

// later merges two lists; of an entity that is in both, the later frame stays.
func later(before, after []store.Frame) []store.Frame {
	if len(after) == 0 {
		return before
	}
	if len(before) == 0 {
		return after
	}
	out := make([]store.Frame, 0, len(before)+len(after))
	for len(before) > 0 && len(after) > 0 {
		switch order := strings.Compare(before[0].ID, after[0].ID); {
		case order < 0:
			out = append(out, before[0])
			before = before[1:]
		case order > 0:
			out = append(out, after[0])
			after = after[1:]
		default:
			out = append(out, after[0])
			before, after = before[1:], after[1:]
		}
	}
	return append(append(out, before...), after...)
}

// living leaves out tombstones.
func living(list []store.Frame) []store.Frame {
	out := list
	for i := range list {
		if list[i].Rest != store.Tombstone {
			continue
		}
		out = append([]store.Frame(nil), list[:i]...)
		for _, f := range list[i+1:] {
			if f.Rest != store.Tombstone {
				out = append(out, f)
			}
		}
		break
	}
	return out
}
