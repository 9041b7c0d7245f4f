package fold

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"asz/native/store"
)

// idleGap is the longest pause within a segment. It is part of the policy that rounds name.
const idleGap = 10 * time.Minute

// idle tells whether more than the gap lies between two times.
func idle(from, to int64) bool {
	return from != store.NoTime && to > from && uint64(to)-uint64(from) > uint64(idleGap)
}

// window is a segment: talks with no long pause between them.
type window struct {
	first  int32 // talk
	talks  int64
	span   span // of its main talks
	placed span // of all its talks
	latest int  // window up to this one that ends last
	unmet  bool // a tool call was asked for and has no result in it
	id     string
}

// findWindows puts talks into windows: those of main by the pauses between them, those of children by when they begin.
func (a *assembler) findWindows() {
	var mains, children []int32
	start := make([]int64, len(a.talks)) // of talks that state no time: that of the talk before
	last := int64(store.NoTime)
	for i := range a.talks {
		t := &a.talks[i]
		if t.stream != a.main {
			children = append(children, int32(i))
			continue
		}
		mains = append(mains, int32(i))
		if t.span.from != store.NoTime {
			last = t.span.from
		}
		start[i] = last
	}
	slices.SortStableFunc(mains, func(x, y int32) int { return cmp.Compare(start[x], start[y]) })
	end := int64(store.NoTime)
	for _, n := range mains {
		t := &a.talks[n]
		if len(a.windows) == 0 || idle(end, t.span.from) {
			a.windows = append(a.windows, window{
				first: n, span: emptySpan(), placed: emptySpan(), id: "segment/" + position(&a.records[t.first]),
			})
		}
		if t.span.to != store.NoTime {
			end = t.span.to
		}
		w := &a.windows[len(a.windows)-1]
		w.span.join(t.span)
		a.place(n, len(a.windows)-1)
	}
	latest := 0
	for i := range a.windows {
		if a.windows[i].span.to >= a.windows[latest].span.to {
			latest = i
		}
		a.windows[i].latest = latest
	}
	for _, n := range children {
		if len(a.windows) > 0 {
			at, _ := a.windowAt(a.talks[n].span.from)
			a.place(n, at)
		}
	}
	a.checkTools()
}

func (a *assembler) place(n int32, at int) {
	w, t := &a.windows[at], &a.talks[n]
	t.window = int32(at)
	w.talks++
	w.placed.join(t.span)
}

// windowAt is the window whose range holds a time, or else the last one that began before it.
func (a *assembler) windowAt(at int64) (n int, holds bool) {
	begun := sort.Search(len(a.windows), func(i int) bool { return a.windows[i].span.from > at }) - 1
	if begun < 0 {
		return 0, false
	}
	// Windows overlap when a talk outlasts the next one: what the last one does not hold, the longest may.
	for _, i := range [...]int{begun, a.windows[begun].latest} {
		if a.windows[i].span.to >= at {
			return i, at != store.NoTime
		}
	}
	return begun, false
}

// checkTools finds the windows with a tool call that was asked for in them and has not exactly one result, in them as well. A
// call without a time is asked for in the window of its talk.
func (a *assembler) checkTools() {
	if len(a.windows) == 0 {
		return
	}
	for i := range a.tool {
		t := &a.tool[i]
		if t.requests == 0 {
			continue
		}
		r := &a.records[a.uses[t.request].record]
		at, holds := a.windowAt(r.time)
		if r.time == store.NoTime && r.run != none {
			at, holds = int(a.talks[a.runs[r.run].talk].window), true
		}
		if !holds {
			continue
		}
		w := &a.windows[at]
		met := t.results == 1
		for u := t.first; met && u != none; u = a.uses[u].next {
			if a.uses[u].result {
				at := a.records[a.uses[u].record].time
				met = at != store.NoTime && at >= w.span.from && at <= w.span.to
			}
		}
		w.unmet = w.unmet || !met
	}
}

// segmentNodes are the nodes of windows.
func (a *assembler) segmentNodes(conversation string) {
	for _, i := range by(a.windows, func(w *window) string { return w.id }) {
		w := &a.windows[i]
		last := int(i) == len(a.windows)-1
		state := "candidate"
		if last {
			state = "open"
		}
		var unmet []string
		gate := func(name string, met bool) {
			if !met {
				unmet = append(unmet, name)
			}
		}
		gate("activity_boundary", !last)
		gate("no_crossing_open_operation", !w.unmet && !a.childOpen)
		gate("lateness_watermark", !last && idle(w.span.to, a.stream[a.main].last))
		gate("conversation_identity", conversation != "")
		attrs := []Attr{{"committable", unmet == nil}}
		if w.placed.from != store.NoTime {
			attrs = append(attrs, Attr{"from", moment(w.placed.from)})
		}
		if unmet != nil {
			attrs = append(attrs, Attr{"gates_unmet", unmet})
		}
		attrs = append(attrs, Attr{"state", state}, Attr{"talks", w.talks})
		if w.placed.to != store.NoTime {
			attrs = append(attrs, Attr{"to", moment(w.placed.to)})
		}
		first := a.ref(a.talks[w.first].first)
		a.node(Node{ID: w.id, Kind: KindSegment, Ref: first, Refs: []Ref{first}, Attrs: attrs})
		a.out.Segments++
	}
}

// placeTalks ties talks to their segments.
func (a *assembler) placeTalks() {
	for i := range a.talks {
		t := &a.talks[i]
		if t.window == none {
			continue
		}
		quality := "exact_unique"
		if t.stream != a.main {
			quality = "strong_inference"
		}
		a.relate(Relation{
			Type: "in_segment", From: t.id, To: a.windows[t.window].id, Quality: quality, Via: "activity window", Evidence: a.ref(t.first),
		})
	}
}
