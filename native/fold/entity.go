// Package fold makes the structure of a session: what its landed records say, assembled into nodes, relations and what is
// unresolved, written as rounds, each of which holds only what has changed since the one before.
package fold

// Ref names a landed record, or one part of it.
type Ref struct {
	Seq, Row int64
	Block    int32 // part from 0, WholeRecord for the record itself
}

// WholeRecord is the block of a Ref that names no part.
const WholeRecord int32 = -1

// Node is one thing of a session: a stream, a talk, a call, a message.
type Node struct {
	ID     string
	Kind   string
	Parent string
	Stream string
	Ref    Ref    // the first record it stands on; zero for what stands on none
	Refs   []Ref  // all of them
	Attrs  []Attr // by key

	Revision int64 // round that wrote it; 0 in an assembly
}

// Attr is an attribute of a node.
type Attr struct {
	Key   string
	Value any // string, int64, bool, []string or Ref
}

// Relation says how two nodes belong together beside containment.
type Relation struct {
	ID       string
	Type     string
	From, To string
	Quality  string
	Via      string
	Evidence Ref

	Revision int64 // as of a node
}

// Unresolved is a reference to what has not landed, or not yet.
type Unresolved struct {
	ID     string
	Kind   string
	Ref    string
	Reason string
	State  string // open, resolved or terminal

	Revision int64 // as of a node
}

// Structure is all that a session holds, as of some round or assembly; each list is sorted by id.
type Structure struct {
	Nodes      []Node
	Relations  []Relation
	Unresolved []Unresolved
}
