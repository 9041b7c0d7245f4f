package session

import (
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// Expectation is what must come of a scenario. Only what is written is compared, so every value knows whether it was.
type Expectation struct {
	Source        *diag.Source
	Checkpoints   []Checkpoint // in author order
	Properties    [propertyCount]Value[bool]
	MaxRoundBytes Value[int64]    // 0 = the default
	PushKinds     []Value[string] // words of FileKinds
}

// Value is a value that may have been left out.
type Value[T any] struct {
	Is  T
	Set bool      // it was written
	At  diag.Span // where; its first line
}

// Checkpoint is what holds when the steps up to one are built, collected and parsed.
type Checkpoint struct {
	Name            string
	At              diag.Span
	Rounds          Value[int]
	Written, Delta  Value[bool]
	Kinds           []Count // kind of nodes → number
	Relations       []Count // type of relations → number
	TalksOn         []Count // Main, a child's name or an agent id → talks
	RunsIn          []Count // talk id → runs
	Nodes           []Node
	Unresolved      Unresolved
	UnresolvedKinds []State // kind → StateOpen, StateResolved or StateNone
	Session         Range
	View            View
	Verify          Verify
	Lose            []Lose // what is deleted first
}

// Count is how many there are of what is named.
type Count struct {
	Name string
	N    int
	At   diag.Span // of the number
}

// State is the state of what is named.
type State struct {
	Name, Is string
	At       diag.Span // of the state
}

// Node is what a node looks like, or that there is none. In its names the names of children may stand for agent ids.
type Node struct {
	ID                   string
	At                   diag.Span // of the id
	Kind, Stream, Parent Value[string]
	Refs, Revision       Value[int]
	Attrs                []Attr
	Absent               Value[bool]
}

// Attr is an attribute of a node.
type Attr struct {
	Name   string
	JSON   []byte // compact, keys in author order
	Text   string // of a text, number or bool, as written
	Absent bool   // it was written as null: there is no such attribute
	At     diag.Span
}

// Unresolved is how many references are open, and how many no longer.
type Unresolved struct{ Open, Resolved Value[int] }

// Range is the time of the session, counted from the base time before scaling; either may be negative.
type Range struct{ From, To Value[time.Duration] }

// View is what the document says.
type View struct {
	State                          Value[string] // verified, incomplete or mismatch
	Problems, Talks, Files, Rounds Value[int]
	FirstTalk                      FirstTalk
}

// FirstTalk is the first talk of the document.
type FirstTalk struct {
	Label, Reply Value[string]
	Runs         Value[int]
}

// Verify is what the check of the root reports.
type Verify struct{ Problems Value[int] }

// Lose names the first landed file of a stream or a run that is of a kind.
type Lose struct {
	Stream string // Main, a child's name or an agent id; "" when Run is set
	Run    string // a workflow's name or a run id; "" when Stream is set
	Kind   string
	At     diag.Span
}

// Property is a rule that every chain must keep.
type Property int

// The properties, in the order of their table.
const (
	Reproducible Property = iota
	FoldEqualsParse
	ImmutableRounds
	Bundle
	HeaderMatchesFold
	RecordsWellFormed
	RepackKeepsStructure
	RecollectIdempotent
	EveryLineARecord
	DiscoveryIgnoresNoise
	CrossFormat
	RecordsMatch
	PushFollowsTheWire
	ViewCoversTheSession
	propertyCount
)

// propertyTable gives each property its name, what holds, and whether only a runtime's format can have it.
var propertyTable = [propertyCount]struct {
	name, doc string
	runtime   bool
}{
	Reproducible:          {"reproducible", "two parses write the same rounds", false},
	FoldEqualsParse:       {"fold_equals_parse", "the fold of all rounds is one full parse", false},
	ImmutableRounds:       {"immutable_rounds", "rounds verify, link and are not writable", false},
	Bundle:                {"bundle", "landed files and rounds are enough", false},
	HeaderMatchesFold:     {"header_matches_fold", "the head's header says what the fold holds", false},
	RecordsWellFormed:     {"records_well_formed", "records hold known fields only", false},
	RepackKeepsStructure:  {"repack_keeps_structure", "the smallest repack keeps every record", false},
	RecollectIdempotent:   {"recollect_idempotent", "a second collect lands nothing", true},
	EveryLineARecord:      {"every_line_a_record", "each source line is one landed record", true},
	DiscoveryIgnoresNoise: {"discovery_ignores_noise", "discovery finds the session's sources only", true},
	CrossFormat:           {"cross_format", "the folds of the formats agree", false},
	RecordsMatch:          {"records_match", "the landed records of the formats agree", false},
	PushFollowsTheWire:    {"push_follows_the_wire", "what is pushed is as described", false},
	ViewCoversTheSession:  {"view_covers_the_session", "the document shows the whole session", false},
}

// String is the property's name.
func (p Property) String() string { return propertyTable[p].name }

// OfRuntime reports whether only the format of a runtime can have the property.
func (p Property) OfRuntime() bool { return propertyTable[p].runtime }

// On reports whether a property is to be held: unless it was switched off.
func (e *Expectation) On(p Property) bool {
	v := e.Properties[p]
	return !v.Set || v.Is
}

// ParseExpectation reads the expectations of a scenario. The findings are in file order; with an error among them the
// expectation is nil. Without a scenario (nil), names are not compared with it.
func ParseExpectation(src *diag.Source, scenario *Scenario) (*Expectation, diag.List) {
	e := &Expectation{Source: src}
	r := yamldoc.NewReader()
	read(r, src, expectationType(), e)
	if scenario != nil {
		checkNames(r, e, scenario)
	}
	r.Findings.Sort()
	if r.Findings.Errors() > 0 {
		return nil, r.Findings
	}
	return e, r.Findings
}
