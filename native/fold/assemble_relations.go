package fold

import (
	"slices"
	"strings"

	"asz/native/store"
)

// relations are those between nodes that are there already.
func (a *assembler) relations() {
	for i := range a.stream {
		s := &a.stream[i]
		for _, c := range s.joined {
			r := Relation{Type: "starts", From: a.tool[c.tool].id, To: "stream/" + a.streams.texts[i], Evidence: a.ref(c.record)}
			switch c.how {
			case byResult:
				r.Quality, r.Via = "exact_unique", "the call's result names the child"
			case byNotification:
				r.Quality, r.Via = "exact_unique", "a notification names call and child"
			default:
				r.Quality, r.Via = "strong_inference", "the run's journal"
			}
			if len(s.joined) > 1 {
				r.Quality = "exact_ambiguous"
			}
			a.relate(r)
		}
	}
	for _, n := range a.named {
		if a.records[n].trigger == statesNotification {
			a.reports(n)
		}
	}
	for i := range a.epochs {
		if e := &a.epochs[i]; e.before != none {
			a.relate(Relation{
				Type: "follows", From: e.id, To: a.epochs[e.before].id, Quality: "exact_unique", Via: "the boundary between them",
				Evidence: a.ref(e.boundary),
			})
		}
	}
	for i := range a.records {
		r := &a.records[i]
		if r.flags&store.ResetSummary == 0 || r.kind != kindTranscript || r.parent == none {
			continue
		}
		parent := a.recordOf[r.parent]
		if parent == none || a.records[parent].kind != kindTranscript || a.records[parent].flags&store.ContextReset == 0 {
			continue
		}
		a.relate(Relation{
			Type: "summarizes", From: a.texts.at("summary/", a.ref(int32(i))), To: a.texts.at("boundary/", a.ref(parent)),
			Quality: "exact_unique", Via: "the summary's parent", Evidence: a.ref(int32(i)),
		})
	}
}

// reports says what children a notification speaks of: the one it names, or else those that the call it names has started.
func (a *assembler) reports(n int32) {
	x := a.rares[a.records[n].rare]
	r := Relation{Type: "reports", From: a.texts.at("notify/", a.ref(n)), Evidence: a.ref(n)}
	switch {
	case x.child != none:
		if !a.stream[x.child].landed || x.child == a.main {
			return
		}
		r.To, r.Quality, r.Via = "stream/"+a.streams.texts[x.child], "exact_unique", "the notification's task id"
		a.relate(r)
	case x.tool != none:
		for _, child := range a.tool[x.tool].starts {
			r.To, r.Quality, r.Via = "stream/"+a.streams.texts[child], "strong_inference", "the call that the notification names"
			a.relate(r)
		}
	}
}

// sortOut brings relations and references in the order of their ids.
func (a *assembler) sortOut() {
	out := &a.out.Structure
	slices.SortStableFunc(out.Relations, func(x, y Relation) int { return strings.Compare(x.ID, y.ID) })
	clash := false
	for i := 1; i < len(out.Relations); i++ {
		clash = clash || out.Relations[i].ID == out.Relations[i-1].ID
	}
	if clash {
		// Ends that differ only in / and _ come to one id.
		taken := map[string]bool{}
		for i := range out.Relations {
			r := &out.Relations[i]
			for id, n := r.ID, 2; taken[r.ID]; n++ {
				r.ID = id + "~" + number(n)
			}
			taken[r.ID] = true
		}
		slices.SortFunc(out.Relations, func(x, y Relation) int { return strings.Compare(x.ID, y.ID) })
	}
	slices.SortFunc(out.Unresolved, func(x, y Unresolved) int { return strings.Compare(x.ID, y.ID) })
	out.Unresolved = slices.CompactFunc(out.Unresolved, func(x, y Unresolved) bool { return x.ID == y.ID })
}
