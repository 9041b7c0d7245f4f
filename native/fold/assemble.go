package fold

import "asz/native/store"

// Assembly is what the landed records of a session say, up to some landed file.
type Assembly struct {
	Structure
	Title         string // "" without one
	Talks         int
	Steps         int // nodes for which IsStep holds
	Streams       int
	Segments      int
	Open          int   // unresolved entries; an assembly has no others
	From, Through int64 // earliest and latest record, nanoseconds since 1970, or store.NoTime
}

// Assemble makes the structure of a session from its index: all of it up to the landed file through, 0 for the whole index.
// The session node has the id of the conversation. It fails only when the index cannot be read. What it gives follows from
// its arguments alone.
func Assemble(x *store.Index, through int64, conversation string) (*Assembly, error) {
	out := &Assembly{From: store.NoTime, Through: store.NoTime}
	a := &assembler{out: out, taken: map[string]bool{}}
	if err := a.read(x, through); err != nil {
		return nil, err
	}
	a.findRuns()
	a.nameEpochs()
	a.findTalks()
	a.findChildren()
	a.findUnresolved()
	a.findWindows()

	a.makeNodes(conversation)
	a.placeTalks()
	a.relations()
	a.sortOut()
	out.Title, out.Open = a.title, len(out.Unresolved)
	return out, nil
}
