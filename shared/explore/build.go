package explore

import "slices"

// newSlice prepares a search from an origin: a value for each fact. The steps are those whose dead ends are sought.
func (m *Model) newSlice(origin []uint8, facts []int, targets []*target, steps []int) *slice {
	s := &slice{m: m, facts: facts, width: len(facts), reached: -1, steps: steps}
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
	var acts []int
	for _, f := range append(slices.Clone(facts), steps...) {
		for _, e := range m.writers[f] {
			acts = append(acts, e.act)
		}
	}
	for at := range wanted {
		acts = append(acts, at[0])
	}
	slices.Sort(acts)
	for _, i := range slices.Compact(acts) {
		s.addAct(i, m.acts[i], wanted)
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

// decides reports whether all that an option depends on is in the slice. It is, where the option changes one of the
// slice's facts, but for questions that were added to it.
func (s *slice) decides(act, option int) bool {
	all := true
	s.m.needs(event{act, option}, func(fact int) { all = all && s.slot[fact] >= 0 })
	return all
}

func (s *slice) addAct(number int, a *act, wanted map[[2]int][]*target) {
	out := sliceAct{act: a}
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
		so := sliceOption{session: o.session && opens(s.m.sessions), once: o.once, step: -1}
		if o.effect != nil && o.effect.step >= 0 {
			so.step = int16(slices.Index(s.steps, o.effect.step))
		}
		for _, t := range wanted[[2]int{number, k}] {
			if t.fails {
				so.fails = t
			} else {
				so.fires = t
			}
		}
		if o.pending > 0 && opens(s.m.pendings) && s.decides(number, k) {
			so.pending = o.pending
		}
		if s.inSlice(o.effect) || so.fails != nil || so.session || so.pending > 0 || so.step >= 0 {
			so.effect = o.effect // also where it changes nothing here: when it fails, nothing is opened
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
		out.options, out.turn = out.options[:last+1], nil
	} else {
		out.turn = out.turn[:last+1-len(a.options)]
		for k := range out.options {
			if out.options[k].once {
				out.options[k].effect = a.options[k].effect
			}
		}
	}
	guards := func(options []sliceOption, from int) {
		for k := range options {
			for _, g := range a.option(from + k).guards {
				options[k].guards = append(options[k].guards, sliceGuard{s.slot[g.fact], g.test})
			}
		}
	}
	guards(out.options, 0)
	guards(out.turn, len(a.options))
	out.pre = a.kind == command && s.m.history >= 0 && s.slot[s.m.history] >= 0
	for _, t := range a.terminals {
		st := sliceTerminal{s.slot[s.m.sessions[t]], s.slot[s.m.pendings[t]]}
		out.terminals = append(out.terminals, st)
		counts = counts || a.kind == leave && st.session >= 0 || (a.kind == cancel || a.kind == answer) && st.pending >= 0
	}
	if counts || last >= 0 || out.pre {
		s.acts = append(s.acts, out)
	}
}
