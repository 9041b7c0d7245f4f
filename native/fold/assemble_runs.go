package fold

import (
	"slices"
	"strings"

	"asz/native/store"
)

// span is the time that records take, nanoseconds since 1970; store.NoTime without any.
type span struct{ from, to int64 }

func emptySpan() span { return span{store.NoTime, store.NoTime} }

func (s *span) add(at int64) {
	if at == store.NoTime {
		return
	}
	if s.from == store.NoTime || at < s.from {
		s.from = at
	}
	s.to = max(s.to, at)
}

func (s *span) join(o span) {
	s.add(o.from)
	s.add(o.to)
}

// epoch is what a stream holds between two resets.
type epoch struct {
	stream   int32
	first    int32 // record that opens it
	boundary int32 // none of a stream that begins without
	before   int32 // epoch
	id       string
}

// run is what one cycle did in a stream.
type run struct {
	cycle  cycle
	first  int32 // record in landed order
	states uint8
	span   span
	talk   int32
	id     string
}

// trigger is what set a run off, by all that its records state.
func (r *run) trigger() string {
	switch {
	case r.states == 0 || r.states&statesExternal != 0:
		return "external"
	case r.states == statesNotification:
		return "notification"
	}
	return "unknown"
}

// talk is a person's turn with all that follows from it, or all that a child did.
type talk struct {
	stream  int32
	first   int32 // record
	runs    int64
	trigger string
	span    span
	window  int32
	id      string
}

// epochOf puts a record into its stream's epoch. What comes before a boundary that is the first record of the conversation
// belongs to the epoch that it opens.
func (a *assembler) epochOf(s *stream, r *record, n int32) {
	reset := r.flags&store.ContextReset != 0
	switch {
	case reset && s.epoch != none && !s.began:
		e := &a.epochs[s.epoch]
		e.first, e.boundary = n, n
	case reset || s.epoch == none:
		e := epoch{stream: r.stream, first: n, boundary: none, before: s.epoch}
		if reset {
			e.boundary = n
		}
		s.epoch = int32(len(a.epochs))
		a.epochs = append(a.epochs, e)
	}
	if reset {
		a.bounds = append(a.bounds, n)
	}
	s.began = s.began || reset || r.id != none
	r.epoch = s.epoch
}

// States of a record's run while its parents are walked.
const (
	walking int32 = -2
	noRun   int32 = -3
)

// findRuns gives each record without a cycle the run of the nearest parent that has one. The parents of a record stand in
// its stream: a run is a cycle within one.
func (a *assembler) findRuns() {
	var path []int32
	for n := range a.records {
		if r := &a.records[n]; r.run != none || r.kind != kindTranscript {
			continue
		}
		at, found := int32(n), noRun
		path = path[:0]
		for at != none {
			r := &a.records[at]
			if r.run != none {
				if r.run != walking { // or the parents go in a circle
					found = r.run
				}
				break
			}
			r.run = walking
			path = append(path, at)
			next := none
			if r.parent != none {
				next = a.recordOf[r.parent]
			}
			if next != none && a.records[next].stream != r.stream {
				next = none
			}
			at = next
		}
		for _, at := range path {
			a.records[at].run = found
		}
	}
	a.settleRuns()
}

// settleRuns lets what a side chain says beside the main one take the run that was in progress, and sums up the runs.
func (a *assembler) settleRuns() {
	for i := range a.stream {
		a.stream[i].run = none
	}
	for n := range a.records {
		r := &a.records[n]
		if r.kind != kindTranscript {
			r.run = none
			continue
		}
		if r.run == noRun {
			r.run = none
		}
		s := &a.stream[r.stream]
		if r.flags&store.Sidechain == 0 {
			if r.run != none {
				s.run = r.run
			}
		} else if r.run == none {
			r.run = s.run
		}
		if r.run == none {
			continue
		}
		k := &a.runs[r.run]
		if k.first == none {
			k.first = int32(n)
		}
		k.states |= r.trigger
		k.span.add(r.time)
	}
}

// findTalks makes talks of runs, in the order in which the runs begin.
func (a *assembler) findTalks() {
	order := make([]int32, len(a.runs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int { return int(a.runs[x].first) - int(a.runs[y].first) })
	for _, n := range order {
		r := &a.runs[n]
		s := &a.stream[r.cycle.stream]
		isMain := r.cycle.stream == a.main
		if s.talk == none || isMain && (r.states == 0 || r.states&statesExternal != 0) {
			t := talk{stream: r.cycle.stream, first: r.first, trigger: "unknown", span: emptySpan(), window: none}
			if isMain {
				t.trigger = r.trigger()
				t.id = "talk/main/" + a.cycles.texts[r.cycle.id]
			} else {
				t.id = "talk/" + a.streams.texts[r.cycle.stream]
			}
			s.talk = int32(len(a.talks))
			a.talks = append(a.talks, t)
		}
		r.talk = s.talk
		t := &a.talks[s.talk]
		t.runs++
		t.span.join(r.span)
		r.id = a.unique("run/" + strings.ReplaceAll(t.id, "/", "_") + "/" + a.cycles.texts[r.cycle.id])
	}
}

// nameEpochs gives epochs their ids.
func (a *assembler) nameEpochs() {
	for i := range a.epochs {
		e := &a.epochs[i]
		id := "0"
		if e.boundary != none {
			if r := &a.records[e.boundary]; r.id != none {
				id = a.ids.texts[r.id]
			} else {
				id = position(r)
			}
		}
		e.id = a.unique("epoch/" + a.streams.texts[e.stream] + "/" + id)
	}
}

// unique is the id, with a number when another run or epoch has it: cycles and boundaries can be named in ways that come to
// the same.
func (a *assembler) unique(id string) string {
	for free, n := id, 2; ; n++ {
		if !a.taken[free] {
			a.taken[free] = true
			return free
		}
		free = id + "~" + number(n)
	}
}
