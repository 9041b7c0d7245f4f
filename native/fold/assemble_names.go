package fold

import "hash/maphash"

// none stands for a number that is not there.
const none int32 = -1

// names numbers texts in the order they are first met. Most texts of a session are met once or twice and there are many, so
// what counts is how often memory is waited for: a slot tells by its hash whether a text is worth a look.
type names struct {
	texts []string
	slots []slot // a power of two, at most three quarters taken
	seed  maphash.Seed
}

type slot struct {
	hash   uint32
	number int32 // from 1; 0 is free
}

// newNames has room for so many texts before it grows.
func newNames(room int) names {
	size := 16
	for size*3/4 < room {
		size *= 2
	}
	return names{texts: make([]string, 0, room), slots: make([]slot, size), seed: maphash.MakeSeed()}
}

// add is the number of a text, none for an empty one.
func (n *names) add(text string) int32 {
	if text == "" {
		return none
	}
	hash := uint32(maphash.String(n.seed, text))
	at := n.find(hash, text)
	if s := n.slots[at]; s.number != 0 {
		return s.number - 1
	}
	if len(n.texts) >= len(n.slots)*3/4 {
		n.grow()
		at = n.find(hash, text)
	}
	n.texts = append(n.texts, text)
	n.slots[at] = slot{hash, int32(len(n.texts))}
	return int32(len(n.texts)) - 1
}

// find is the slot of a text, or the free one that it would take.
func (n *names) find(hash uint32, text string) int {
	mask := len(n.slots) - 1
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		if s := n.slots[at]; s.number == 0 || s.hash == hash && n.texts[s.number-1] == text {
			return at
		}
	}
}

func (n *names) grow() {
	old := n.slots
	n.slots = make([]slot, 2*len(old))
	mask := len(n.slots) - 1
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := int(s.hash) & mask
		for n.slots[at].number != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = s
	}
}
