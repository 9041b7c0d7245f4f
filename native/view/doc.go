// Package view makes the document of a session: what its rounds say happened, with the texts of its landed files, as one
// tree. It only reads.
package view

import (
	"asz/native/fold"
	"asz/native/store"
)

// Format and Version are what a document says of itself.
const (
	Format  = "asz.view"
	Version = "1.0"
)

// TextLimit is the most bytes of a text, result, label or reply: the longest prefix of whole characters within it.
const TextLimit = 2000

// State says whether a document holds all that the rounds speak of.
type State string

const (
	Verified   State = "verified"
	Incomplete State = "incomplete" // a round or a landed file is missing
	Mismatch   State = "mismatch"   // a digest is wrong
)

// Doc is the document. Its times are unix milliseconds, floored; where none is known they are 0, or nil if they are pointers.
type Doc struct {
	Conversation string
	Sessions     []string
	Head         Head
	Parser       string
	Policy       string
	Summary      Summary
	Rounds       []Round
	Files        []File // landed files by seq, then rounds
	Streams      []Stream
	Segments     []Segment
	Talks        []*Node // by time
	Loose        []*Node // runs and steps in no talk
	Relations    []fold.Relation
	Unresolved   []fold.Unresolved
}

// Head is the round that the document reached.
type Head struct {
	Round  int64
	Digest string
}

// Summary is what the document comes to.
type Summary struct {
	Title    string
	State    State
	Problems []string // one line each, naming round and seq

	Talks, Steps, Streams, Segments, Rounds int
	Unresolved                              int // open ones

	From, To                      int64
	Kinds, RelationTypes, Quality map[string]int
}

// Round is one round of the chain.
type Round struct {
	Round                 int64
	Digest                string
	Previous              string // "" of the first
	FromSeq               int64
	ThroughSeq            int64
	InputDigest           string
	FromTime, ThroughTime *int64
	Verified              bool
}

// File is a landed file or a round on disk. What does not apply is zero, and null in JSON.
type File struct {
	File                  string // in the root, with forward slashes
	Format                string // sd or sf
	Kind                  string // of the header, or round
	Seq                   int64
	Round                 int64
	Stream, Run           string
	Lines                 int64
	Bytes                 int64
	Digest                string // SHA-256 of the file
	FromTime, ThroughTime *int64
}

// Stream is the main stream or a child's.
type Stream struct {
	ID, Name, Role, Label string
	Parent                string // name of the stream that started it, "" of main
	Records               int64
	Steps                 int    // inside its talks
	Talk                  string // its first one
	NamedBy               []string
	OpenedBy              []Opening
}

// Opening is a call that started a stream.
type Opening struct{ Step, Stream, Talk, Quality string }

// Segment is a window of activity.
type Segment struct {
	ID, State   string
	Committable bool
	Talks       int64
	From, To    int64 // span of the talks placed in it
}

// Node is a talk, run or step, with what it contains.
type Node struct {
	ID, Kind, Parent, Stream string
	At                       int64 // of the record that it stands on
	Ref                      fold.Ref
	Refs                     []fold.Ref
	Attrs                    []fold.Attr

	Talk     *Talk
	Step     *Step // nil also when its landed file is lost
	Tool     *Tool // of tools and agent calls
	Duration int64 // of a turn, in milliseconds

	Children []*Node
	Edges    []Edge
}

// Talk is what a node is as a talk.
type Talk struct {
	Label, Reply       string
	Runs, Steps, Tools int
	From, To           int64
	Child              bool // of a child stream
	Segment            string
}

// Step is what the record of a step says.
type Step struct {
	Text    string
	State   store.State
	Bytes   int64        // of the original
	Usage   *store.Usage // of a call
	Flags   []string     // not of a call, as are those below
	Dropped []store.Dropped
}

// Tool is what a tool was asked and what it gave.
type Tool struct {
	Name        string
	Failed      bool
	Result      string
	ResultState store.State
	ResultBytes int64
	Wait        int64  // from request to result, in milliseconds
	Join        string // "" when Wait is not known
}

// Edge is a relation as one of its ends sees it.
type Edge struct {
	Type, Other  string
	In           bool // the relation leads to this node
	Quality, Via string
}
