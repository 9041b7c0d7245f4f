package explore

import (
	"bytes"
	"slices"
)

// slice is a search of the states that some of the facts can be in, with the acts that change them. The facts are
// closed: nothing outside decides over them, so what is found in a slice holds for the whole lab.
type slice struct {
	m     *Model
	facts []int
	slot  []int16 // by fact: its byte in a state, -1 = not in the slice
	acts  []sliceAct
	want  []*target

	options, turn []sliceOption // scratch of addAct

	width       int
	states      [][]byte       // width bytes each, in pieces like those of a column
	parent      column[uint32] // by state
	via         column[uint32] // by state: the act that led there
	table       []uint32       // hash table of state numbers + 1
	zobrist     []uint64
	next        int // the state to expand
	act         int // its act that comes next
	transitions int
	over        bool // a fact had more values than are looked at, or a bound was hit

	keepEdges bool
	edges     column[uint32] // successors, of one state after the other
	edgeEnd   column[uint32] // by state
	open      []*group       // questions that are not answered
	goal      []set          // stop at the first state in which all hold
	reached   int            // that state, -1 = none
}

// sliceAct is an act with only what counts in the slice.
type sliceAct struct {
	*act
	number    int
	options   []sliceOption
	turn      []sliceOption
	terminals []sliceTerminal
	effect    *effect
	pre       bool // it is noted in the history, which is in the slice
}

type sliceTerminal struct{ session, pending, number int16 } // slots, -1 = not in the slice

type sliceOption struct {
	guards  []sliceGuard
	effect  *effect
	session bool
	once    bool
	pending int
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

// newSlice prepares a search from an origin: a value for each fact.
func (m *Model) newSlice(origin []uint8, facts []int, targets []*target) *slice {
	s := &slice{m: m, facts: facts, width: len(facts), want: targets, reached: -1}
	s.slot = make([]int16, len(m.facts))
	for i := range s.slot {
		s.slot[i] = -1
	}
	for i, f := range facts {
		s.slot[f] = int16(i)
	}
	wanted := map[[2]int][]*target{}
	for _, t := range targets {
		t.state = -1
		open := false
		for _, g := range t.groups {
			if !g.met {
				open = true
				if !slices.Contains(s.open, g) {
					s.open = append(s.open, g)
				}
			}
		}
		if open {
			wanted[[2]int{t.act, t.option}] = append(wanted[[2]int{t.act, t.option}], t)
		}
	}
	for i, a := range m.acts {
		s.addAct(i, a, wanted)
	}
	s.zobrist = make([]uint64, s.width*(maxValues+1))
	x := uint64(0x9E3779B97F4A7C15)
	for i := range s.zobrist { // xorshift64*, Vigna 2016
		x ^= x >> 12
		x ^= x << 25
		x ^= x >> 27
		s.zobrist[i] = x * 0x2545F4914F6CDD1D
	}
	s.table = make([]uint32, 64)
	first := make([]byte, s.width)
	for i, f := range facts {
		first[i] = origin[f]
	}
	s.enter(first, s.hash(first), 0, 0)
	return s
}

// inSlice reports whether an effect changes anything that counts.
func (s *slice) inSlice(e *effect) bool {
	if e == nil {
		return false
	}
	if e.step >= 0 && s.slot[e.step] >= 0 {
		return true
	}
	for _, f := range e.writes {
		if s.slot[f] >= 0 {
			return true
		}
	}
	return false
}

func (s *slice) addAct(number int, a *act, wanted map[[2]int][]*target) {
	// Most acts do not count, so what may come to nothing takes no memory of its own.
	out := sliceAct{act: a, number: number, options: s.options[:0], turn: s.turn[:0]}
	defer func() { s.options, s.turn = out.options[:0], out.turn[:0] }()
	counts := false
	opens := func(facts []int) bool {
		for _, t := range a.terminals {
			if s.slot[facts[t]] >= 0 {
				return true
			}
		}
		return false
	}
	if s.inSlice(a.effect) {
		out.effect, counts = a.effect, true
	}
	last := -1
	for k := range a.count() {
		o := a.option(k)
		so := sliceOption{session: o.session && opens(s.m.sessions), once: o.once}
		for _, t := range wanted[[2]int{number, k}] {
			if t.fails {
				so.fails = t
			} else {
				so.fires = t
			}
		}
		if s.inSlice(o.effect) || so.fails != nil {
			so.effect = o.effect
		}
		if o.pending > 0 && opens(s.m.pendings) {
			so.pending = o.pending
		}
		if so.effect != nil || so.session || so.pending > 0 || so.fires != nil {
			last = k
		}
		if k < len(a.options) {
			out.options = append(out.options, so)
		} else {
			out.turn = append(out.turn, so)
		}
	}
	if last < len(a.options) {
		out.options, out.turn = out.options[:last+1], out.turn[:0]
	} else {
		out.turn = out.turn[:last+1-len(a.options)]
	}
	out.pre = a.kind == command && s.m.history >= 0 && s.slot[s.m.history] >= 0
	for _, t := range a.terminals {
		session, pending := s.slot[s.m.sessions[t]], s.slot[s.m.pendings[t]]
		counts = counts || a.kind == leave && session >= 0 || (a.kind == cancel || a.kind == answer) && pending >= 0
	}
	if !counts && last < 0 && !out.pre {
		return
	}
	kept := out
	kept.options, kept.turn = slices.Clone(out.options), slices.Clone(out.turn)
	guards := func(options []sliceOption, from int) {
		for k := range options {
			for _, g := range a.option(from + k).guards {
				options[k].guards = append(options[k].guards, sliceGuard{s.slot[g.fact], g.test})
			}
		}
	}
	guards(kept.options, 0)
	guards(kept.turn, len(a.options))
	for _, t := range a.terminals {
		kept.terminals = append(kept.terminals, sliceTerminal{s.slot[s.m.sessions[t]], s.slot[s.m.pendings[t]], int16(t)})
	}
	s.acts = append(s.acts, kept)
}

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
		if s.keepEdges {
			s.edgeEnd.add(uint32(s.edges.n))
		}
	}
	return false
}

// shared reports whether the act is the same in each of its terminals, so that one that is free will do.
func (a *sliceAct) shared() bool { return a.kind == command && len(a.act.terminals) > 1 }

// try does an act in the state now, in a terminal.
func (s *slice) try(a *sliceAct, t *sliceTerminal, now, work []byte, hash uint64) {
	switch a.kind {
	case command:
		if !s.free(a, t, now) {
			return
		}
	case prompt:
		if t.session < 0 || now[t.session] == 0 || t.pending >= 0 && now[t.pending] != 0 {
			return
		}
	case leave:
		if t.session < 0 || now[t.session] == 0 || t.pending >= 0 && now[t.pending] != 0 {
			return
		}
	case cancel:
		if t.pending < 0 || now[t.pending] == 0 {
			return
		}
	case answer:
		if t.pending < 0 || int(now[t.pending]) != a.act.pending {
			return
		}
	}
	s.transitions++
	copy(work, now)
	h := hash
	put := func(slot int16, value uint8) {
		if slot >= 0 && work[slot] != value {
			h ^= s.zobrist[int(slot)<<8+int(work[slot])] ^ s.zobrist[int(slot)<<8+int(value)]
			work[slot] = value
		}
	}
	if a.pre {
		c := s.m.change(s.m.noted(a.act), func(f int) uint8 { return work[s.slot[f]] })
		s.over = s.over || c.over
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
		s.over = s.over || c.over
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
	if h == hash && bytes.Equal(work, now) {
		return
	}
	n, isNew := s.enter(work, h, s.next, s.act)
	if s.keepEdges {
		s.edges.add(uint32(n))
	}
	if isNew && s.goal != nil && s.met(work) {
		s.reached = n
	}
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
func (s *slice) answered() bool { return len(s.open) == 0 && !s.keepEdges && s.goal == nil }

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
	return !s.over && (s.next == s.size() || s.reached >= 0 || s.answered())
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
func (s *slice) edgeBytes() int { return 4 * (s.edges.room() + s.edgeEnd.room()) }
