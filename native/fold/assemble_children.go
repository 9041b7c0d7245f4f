package fold

import (
	"slices"

	"asz/native/store"
)

// claim is a record that ties a child or a batch to the tool call that started it.
type claim struct {
	tool, record int32
	how          uint8
}

// How a claim is made, the best first.
const (
	byResult uint8 = iota
	byNotification
	byJournal
)

// findChildren ties children and batches to the calls that started them.
func (a *assembler) findChildren() {
	for _, n := range a.named {
		r := &a.records[n]
		x := a.rares[r.rare]
		if r.trigger == statesNotification {
			if x.child != none {
				s := &a.stream[x.child]
				s.notified = true
				if x.tool != none {
					s.claims = append(s.claims, claim{x.tool, n, byNotification})
				}
			}
			continue
		}
		if x.child == none && x.batch == none {
			continue
		}
		for _, t := range a.answered(n, x.tool) {
			if x.child != none {
				s := &a.stream[x.child]
				s.result = true
				s.claims = append(s.claims, claim{t, n, byResult})
			}
			if x.batch != none {
				b := &a.batch[x.batch]
				b.known = true
				b.claims = append(b.claims, claim{t, n, byResult})
			}
		}
	}
	for i := range a.batch {
		b := &a.batch[i]
		b.started = slices.ContainsFunc(b.claims, func(c claim) bool { return a.tool[c.tool].requests > 0 })
	}
	told := map[[2]int32]bool{} // child and batch
	for _, n := range a.journal {
		r := &a.records[n]
		x := a.rares[r.rare]
		if x.child == none || x.batch == none {
			continue
		}
		s := &a.stream[x.child]
		if r.flags&store.ChildResult != 0 {
			s.returned = append(s.returned, n)
		}
		if key := [2]int32{x.child, x.batch}; told[key] {
			continue
		} else {
			told[key] = true
		}
		s.journals = append(s.journals, x.batch)
		for _, c := range a.batch[x.batch].claims {
			s.claims = append(s.claims, claim{c.tool, n, byJournal})
		}
	}
	for child := range a.stream {
		a.join(int32(child))
	}
}

// answered are the tools that a record is a result of. A record with several results says by its tool which of them it
// speaks about.
func (a *assembler) answered(n, named int32) []int32 {
	var tools []int32
	for _, p := range a.partsOf(n) {
		if p.k == partResult && p.tool != none && a.tool[p.tool].seen != n+1 {
			a.tool[p.tool].seen = n + 1
			tools = append(tools, p.tool)
		}
	}
	if len(tools) != 1 && named != none {
		return []int32{named}
	}
	return tools
}

// join keeps of the claims on a child those that hold, one for each tool, the best first, and tells the tools.
func (a *assembler) join(child int32) {
	s := &a.stream[child]
	if !s.landed || child == a.main {
		return
	}
	slices.SortStableFunc(s.claims, func(x, y claim) int { return int(x.how) - int(y.how) })
	seen := map[int32]bool{}
	for _, c := range s.claims {
		t := &a.tool[c.tool]
		// What a child calls cannot have started it.
		if t.requests == 0 || seen[c.tool] || a.records[a.uses[t.request].record].stream == child {
			continue
		}
		seen[c.tool] = true
		s.joined = append(s.joined, c)
		t.starts = append(t.starts, child)
	}
}

// findUnresolved lists what is referred to and has not landed.
func (a *assembler) findUnresolved() {
	for i := range a.tool {
		t, id := &a.tool[i], a.tools.texts[i]
		switch {
		case t.requests > 0 && t.results == 0:
			a.open("tool_result", id, "the call has no result")
		case t.requests > 0 && t.results > 1:
			a.open("tool_result", id, "the call has several results")
		case t.requests == 0 && t.results > 0:
			a.open("tool_use", id, "a result names a call that has not landed")
		}
	}
	for i := range a.batch {
		if b := &a.batch[i]; b.known && !b.started {
			a.open("spawn_call", a.batches.texts[i], "no call that has landed launched this workflow run")
		}
	}
	for i := range a.stream {
		a.openChild(int32(i))
	}
	for _, n := range a.bounds {
		r := &a.records[n]
		if r.rare == none {
			continue
		}
		if before := a.rares[r.rare].continues; before != none && a.recordOf[before] == none {
			a.open("epoch_continuation", a.ids.texts[before], "a boundary continues a record that has not landed")
		}
	}
}

func (a *assembler) openChild(child int32) {
	s, id := &a.stream[child], a.streams.texts[child]
	if child == a.main {
		return
	}
	if !s.landed {
		named := s.result || len(s.journals) > 0
		if named {
			a.open("child_stream", id, "a result or a journal names a child that has not landed")
		}
		if s.notified {
			a.open("notified_child", id, "a notification names a child that has not landed")
		}
		a.childOpen = a.childOpen || named || s.notified
		return
	}
	if len(s.joined) > 0 {
		return
	}
	missing := slices.ContainsFunc(s.claims, func(c claim) bool { return c.how != byJournal && a.tool[c.tool].requests == 0 })
	inBatch := slices.ContainsFunc(s.journals, func(b int32) bool { return !a.batch[b].started })
	switch {
	case missing:
		a.open("spawn_call", id, "the call that started this child has not landed")
	case inBatch || s.startedBy != "":
	default:
		a.open("spawn_of_child", id, "no record ties this child to a call")
	}
}

func (a *assembler) open(kind, ref, reason string) {
	id := "unresolved/" + kind + "/" + ref
	if last := len(a.out.Unresolved) - 1; last >= 0 && a.out.Unresolved[last].ID == id {
		return
	}
	a.out.Unresolved = append(a.out.Unresolved, Unresolved{ID: id, Kind: kind, Ref: ref, Reason: reason, State: "open"})
}
