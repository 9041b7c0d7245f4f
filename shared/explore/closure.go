package explore

// event is one way to change a fact: an act, and which of its options (-1 = the act itself).
type event struct{ act, option int }

// makeWriters notes for each fact the events that may change it.
func (m *Model) makeWriters() {
	m.writers = make([][]event, len(m.facts))
	note := func(fact, act, option int) {
		m.writers[fact] = append(m.writers[fact], event{act, option})
	}
	effects := func(e *effect, act, option int) {
		if e == nil {
			return
		}
		for _, f := range e.writes {
			note(f, act, option)
		}
		if e.step >= 0 {
			note(e.step, act, option)
		}
	}
	for i, a := range m.acts {
		effects(a.effect, i, -1)
		for k := range a.count() {
			o := a.option(k)
			effects(o.effect, i, k)
			for _, t := range a.terminals {
				if o.session {
					note(m.sessions[t], i, k)
				}
				if o.pending > 0 {
					note(m.pendings[t], i, k)
				}
			}
		}
		for _, t := range a.terminals {
			switch a.kind {
			case leave:
				note(m.sessions[t], i, -1)
			case cancel, answer:
				note(m.pendings[t], i, -1)
			}
		}
		if a.kind == command && m.history >= 0 {
			note(m.history, i, -1)
		}
	}
}

// needs adds the facts on which it depends whether an event happens and what it comes to.
func (m *Model) needs(e event, add func(fact int)) {
	a := m.acts[e.act]
	reads := func(f *effect) {
		if f != nil {
			for _, n := range f.reads {
				add(n)
			}
		}
	}
	for k := 0; k <= e.option; k++ {
		for _, g := range a.option(k).guards {
			add(g.fact)
		}
		if k == e.option || e.option >= len(a.options) && a.option(k).once {
			reads(a.option(k).effect)
		}
	}
	reads(a.effect)
	for _, t := range a.terminals {
		switch a.kind {
		case prompt, leave:
			add(m.sessions[t])
		case answer, cancel:
			add(m.pendings[t])
		}
	}
}

// closure is the facts that decide over the given ones, in order.
func (m *Model) closure(from ...int) []int {
	in := make([]bool, len(m.facts))
	var queue []int
	add := func(n int) {
		if !in[n] {
			in[n] = true
			queue = append(queue, n)
		}
	}
	for _, n := range from {
		add(n)
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, e := range m.writers[n] {
			m.needs(e, add)
		}
	}
	m.addQuestions(in)
	var out []int
	for n, is := range in {
		if is {
			out = append(out, n)
		}
	}
	return out
}

// addQuestions adds the inputs that acts on the given facts open: they decide over nothing here, but a learner has to
// answer them, or to give them up, before going on.
func (m *Model) addQuestions(in []bool) {
	for n, events := range m.writers {
		if !in[n] {
			continue
		}
		for _, e := range events {
			if e.option < 0 || m.acts[e.act].option(e.option).pending == 0 {
				continue
			}
			for _, t := range m.acts[e.act].terminals {
				in[m.pendings[t]] = true
			}
		}
	}
}
