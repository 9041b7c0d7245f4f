package explore

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// slice is a search of the states that some of the facts can be in, with the acts that change them. The facts are
// closed: nothing outside decides over them, so what is found in a slice holds for the whole lab.
type slice struct {
	m     *Model
	facts []int
	slot  []int16 // by fact: its byte in a state, -1 = not in the slice
	acts  []sliceAct
	lost  []int // states of which not all acts were followed

	width       int
	states      [][]byte       // width bytes each, in pieces like those of a column
	parent      column[uint32] // by state
	via         column[uint32] // by state: the act that led there
	table       []uint32       // hash table of state numbers + 1
	zobrist     []uint64
	next        int // the state to expand
	act         int // its act that comes next
	transitions int
	bounds      Bounds // that were hit

	// For the dead ends of steps, which are no facts of the slice: the same states serve for all of them.
	steps     []int              // their facts
	edges     column[uint32]     // successors, of one state after the other, by acts that complete none of them
	edgeEnd   column[uint32]     // by state
	completed column[completion] // the other successors, in the order of the states
	now       []int16            // the steps that the last act completed

	open    []*group // questions that are not answered
	goal    []set    // stop at the first state in which all hold
	reached int      // that state, -1 = none
	all     bool     // go on to the last state in any case
}

// completion is an act that completes one of the steps, or two.
type completion struct {
	from, to uint32
	steps    [2]int16 // -1 = none
}

// sliceAct is an act with only what counts in the slice.
type sliceAct struct {
	*act
	options   []sliceOption
	turn      []sliceOption
	terminals []sliceTerminal
	effect    *effect
	pre       bool // it is noted in the history, which is in the slice
}

type sliceTerminal struct{ session, pending int16 } // slots, -1 = not in the slice

type sliceOption struct {
	guards  []sliceGuard
	effect  *effect
	session bool
	once    bool
	pending int
	step    int16   // which of the slice's steps it completes, -1 = none
	fires   *target // met when this option fires
	fails   *target // met when its effect fails
}

type sliceGuard struct {
	slot int16
	test *test
}

// target is something to be found: that an option of an act fires, or that its effect fails.
type target struct {
	act, option int
	fails       bool
	groups      []*group
	state       int // the first state in which it was met, -1 = not yet
	problem     string
}

// group is a question that any of several targets answers.
type group struct{ met bool }

// size is the number of states.
func (s *slice) size() int { return s.parent.n }

func (s *slice) vector(state int) []byte {
	at := state & (1<<pieceBits - 1) * s.width
	return s.states[state>>pieceBits][at : at+s.width]
}

func (s *slice) hash(v []byte) (h uint64) {
	for i, n := range v {
		h ^= s.zobrist[i<<8+int(n)]
	}
	return h
}

// enter finds a state or makes it.
func (s *slice) enter(v []byte, hash uint64, parent, via int) (state int, isNew bool) {
	mask := uint64(len(s.table) - 1)
	at := hash >> 7 & mask
	for s.table[at] != 0 {
		n := int(s.table[at] - 1)
		if bytes.Equal(s.vector(n), v) {
			return n, false
		}
		at = (at + 1) & mask
	}
	n := s.size()
	s.table[at] = uint32(n + 1)
	switch last := n >> pieceBits; {
	case last < len(s.states):
		s.states[last] = append(s.states[last], v...)
	case last == 0:
		s.states = append(s.states, slices.Clone(v))
	default:
		s.states = append(s.states, append(make([]byte, 0, s.width<<pieceBits), v...))
	}
	s.parent.add(uint32(parent))
	s.via.add(uint32(via))
	if 3*(n+1) > 2*len(s.table) {
		s.grow()
	}
	return n, true
}

func (s *slice) grow() {
	s.table = make([]uint32, 2*len(s.table))
	mask := uint64(len(s.table) - 1)
	for n := range s.size() {
		at := s.hash(s.vector(n)) >> 7 & mask
		for s.table[at] != 0 {
			at = (at + 1) & mask
		}
		s.table[at] = uint32(n + 1)
	}
}

// search goes on for n transitions; it returns false when there is nothing more to do.
func (s *slice) search(n int) (more bool) {
	if s.answered() {
		return false
	}
	now := make([]byte, s.width)
	work := make([]byte, s.width)
	for s.next < s.size() {
		copy(now, s.vector(s.next))
		hash := s.hash(now)
		for ; s.act < len(s.acts); s.act++ {
			if n--; n < 0 {
				return true
			}
			a := &s.acts[s.act]
			for t := range a.terminals {
				s.try(a, &a.terminals[t], now, work, hash)
				if a.shared() {
					break
				}
			}
			if len(a.terminals) == 0 {
				s.try(a, nil, now, work, hash)
			}
			if s.reached >= 0 || s.answered() {
				return false
			}
		}
		s.next++
		s.act = 0
		if len(s.steps) > 0 {
			s.edgeEnd.add(uint32(s.edges.n))
		}
	}
	return false
}

// shared reports whether the act is the same in each of its terminals, so that one that is free will do.
func (a *sliceAct) shared() bool { return a.kind == command && len(a.act.terminals) > 1 }

// try does an act in the state that is expanded, in a terminal.
func (s *slice) try(a *sliceAct, t *sliceTerminal, now, work []byte, hash uint64) {
	h, possible := s.do(a, t, now, work, hash)
	if !possible {
		return
	}
	s.transitions++
	n, isNew := s.next, false
	if same := h == hash && bytes.Equal(work, now); !same {
		n, isNew = s.enter(work, h, s.next, s.act)
	} else if len(s.now) == 0 {
		return
	}
	switch len(s.now) {
	case 0:
		if len(s.steps) > 0 {
			s.edges.add(uint32(n))
		}
	case 1:
		s.completed.add(completion{uint32(s.next), uint32(n), [2]int16{s.now[0], -1}})
	default:
		s.completed.add(completion{uint32(s.next), uint32(n), [2]int16{s.now[0], s.now[1]}})
	}
	if isNew && s.goal != nil && s.met(work) {
		s.reached = n
	}
}

// do makes of the state now what an act makes of it, in work, and gives its hash. It is not possible where the act is
// none that can be done.
func (s *slice) do(a *sliceAct, t *sliceTerminal, now, work []byte, hash uint64) (h uint64, possible bool) {
	s.now = s.now[:0]
	switch a.kind {
	case command:
		if !s.free(a, t, now) {
			return hash, false
		}
	case prompt:
		if t.session < 0 || now[t.session] == 0 || t.pending >= 0 && now[t.pending] != 0 {
			return hash, false
		}
	case leave:
		if t.session < 0 || now[t.session] == 0 || t.pending >= 0 && now[t.pending] != 0 {
			return hash, false
		}
	case cancel:
		if t.pending < 0 || now[t.pending] == 0 {
			return hash, false
		}
	case answer:
		if t.pending < 0 || int(now[t.pending]) != a.act.pending {
			return hash, false
		}
	}
	copy(work, now)
	h = hash
	put := func(slot int16, value uint8) {
		if slot >= 0 && work[slot] != value {
			h ^= s.zobrist[int(slot)<<8+int(work[slot])] ^ s.zobrist[int(slot)<<8+int(value)]
			work[slot] = value
		}
	}
	if a.pre {
		c := s.m.change(s.m.noted(a.act), func(f int) uint8 { return work[s.slot[f]] })
		s.lose(a.act, c)
		for _, w := range c.sets {
			put(s.slot[w.fact], w.value)
		}
	}
	// apply does an effect; it reports whether it was possible.
	apply := func(e *effect, o *sliceOption) bool {
		if e == nil {
			return true
		}
		var c *change
		if len(e.reads) == 0 && len(e.one) == 1 {
			c = e.one[0]
		} else {
			c = s.m.change(e, func(f int) uint8 { return work[s.slot[f]] })
		}
		s.lose(a.act, c)
		if c.problem != "" && o != nil && o.fails != nil && o.fails.state < 0 {
			o.fails.problem = c.problem
			s.meet(o.fails)
		}
		for i := range c.sets {
			put(s.slot[c.sets[i].fact], c.sets[i].value)
		}
		return c.problem == "" && !c.over
	}
	// fire lets the first option whose guards hold happen.
	fire := func(options []sliceOption) *sliceOption {
		for k := range options {
			o := &options[k]
			if !holds(o.guards, work) {
				continue
			}
			if o.fires != nil && o.fires.state < 0 {
				s.meet(o.fires)
			}
			if !apply(o.effect, o) {
				return nil
			}
			if o.step >= 0 {
				s.now = append(s.now, o.step)
			}
			if o.session {
				put(t.session, 1)
			}
			if o.pending > 0 {
				put(t.pending, uint8(o.pending))
			}
			return o
		}
		return nil
	}
	switch a.kind {
	case leave:
		put(t.session, 0)
	case cancel:
		put(t.pending, 0)
	case control, save, rerun:
		apply(a.effect, nil)
	default:
		if o := fire(a.options); o != nil && o.once {
			fire(a.turn)
		}
	}
	if a.kind == answer {
		put(t.pending, uint8(a.act.next))
	}
	return h, true
}

// meet notes that a target was met in the state that is expanded.
func (s *slice) meet(t *target) {
	t.state = s.next
	for _, g := range t.groups {
		if !g.met {
			g.met = true
			s.open = slices.DeleteFunc(s.open, func(o *group) bool { return o == g })
		}
	}
}

// answered reports whether nothing is left to be found.
func (s *slice) answered() bool {
	return len(s.open) == 0 && len(s.steps) == 0 && s.goal == nil && !s.all
}

// free reports whether a command can be typed in a terminal, for one that is the same in several in any of these.
func (s *slice) free(a *sliceAct, t *sliceTerminal, now []byte) bool {
	if !a.shared() {
		return t == nil || t.pending < 0 || now[t.pending] == 0
	}
	for i := range a.terminals {
		if p := a.terminals[i].pending; p < 0 || now[p] == 0 {
			return true
		}
	}
	return false
}

func holds(guards []sliceGuard, v []byte) bool {
	for i := range guards {
		g := &guards[i]
		if n := v[g.slot]; int(n) < len(g.test.known) && g.test.known[n] != 0 {
			if g.test.known[n] == 2 {
				return false
			}
		} else if !g.test.holds(n) {
			return false
		}
	}
	return true
}

// met reports whether the goal holds.
func (s *slice) met(v []byte) bool {
	for _, g := range s.goal {
		if v[s.slot[g.fact]] != g.value {
			return false
		}
	}
	return true
}

// complete reports whether all states were looked at, or as many as were needed.
func (s *slice) complete() bool {
	return s.bounds == Bounds{} && (s.next == s.size() || s.reached >= 0 || s.answered())
}

// lose notes what a change that an act makes of the state that is expanded leads to, and is not looked at.
func (s *slice) lose(a *act, c *change) {
	if c.over && s.bounds.Fact == "" {
		f := s.m.facts[c.fact]
		s.bounds.Fact = cmp.Or(strings.Join(f.file, "/"), f.name)
	}
	if (c.over || a.cut) && (len(s.lost) == 0 || s.lost[len(s.lost)-1] != s.next) {
		s.lost = append(s.lost, s.next)
	}
}

// cut notes the answers that were left out and might lead further than all states that were found.
func (s *slice) cut() {
	i := slices.IndexFunc(s.acts, func(a sliceAct) bool { return a.act.cut })
	if i >= 0 && s.reached < 0 && !s.answered() {
		s.bounds.Question = s.m.lab.Simulator.Scenarios[s.acts[i].act.options[0].rule].ID
	}
}

// way is the acts that lead to a state, first to last.
func (s *slice) way(state int) []*act {
	var out []*act
	for ; state != 0; state = int(s.parent.at(state)) {
		out = append(out, s.acts[s.via.at(state)].act)
	}
	slices.Reverse(out)
	return out
}

// bytes is the memory that the states take, without the edges.
func (s *slice) bytes() (n int) {
	for _, p := range s.states {
		n += cap(p)
	}
	return n + 4*(s.parent.room()+s.via.room()+len(s.table))
}

// edgeBytes is the memory that the edges take.
func (s *slice) edgeBytes() int { return 4*(s.edges.room()+s.edgeEnd.room()) + 12*s.completed.room() }
