package explore

import "testing"

// TestMemory: a state takes 200 bytes at the most, and an edge 4.
func TestMemory(t *testing.T) {
	in := bigSlice(t, 13)
	in.Full = true
	s := New(in)
	var last *slice
	for s.Step(1 << 14) {
		if j := s.jobs[min(s.next, len(s.jobs)-1)]; j.slice != nil {
			last = j.slice
		}
	}
	states, edges := last.size(), last.edges.n
	if states < 20_000 || last.bytes() > 200*states {
		t.Errorf("%d states take %d bytes", states, last.bytes())
	}
	if room := 4 * last.edges.room(); edges < 5*states || 4*edges > room || room > 4*edges+4<<pieceBits {
		t.Errorf("%d edges of %d states take %d bytes", edges, states, room)
	}
}
