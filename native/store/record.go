package store

// Record is one landed record: what one line of a source says, under the names of its roles. A text that the source does
// not give is empty and is left out of the file; nothing is inferred. Texts may point into the line they were read from:
// they live as long as it does.
type Record struct {
	Ord   int64  // line number in the source, from 1
	Off   int64  // byte offset of the line
	SHA   string // first 12 hex digits of the line's SHA-256, without newline
	Bytes int64  // size of the line without newline

	ID        string
	Parent    string
	Call      string // provider call
	Run       string // cycle
	Continues string // on a boundary: the record before it
	Tool      string // call named outside content
	Child     string // child stream named
	Batch     string // workflow run
	StartedBy string // parent agent of a nested child
	Label     string
	From      From
	Time      string // RFC 3339 UTC
	Trigger   Trigger
	Flags     Flags
	Usage     *Usage
	Parts     []Part
	Dropped   []Dropped
}

// From says who made a record.
type From string

const (
	FromAgent    From = "agent"
	FromExternal From = "external"
	FromRuntime  From = "runtime"
)

// Trigger says what a record states to have set it off.
type Trigger string

const (
	TriggerExternal     Trigger = "external"
	TriggerNotification Trigger = "notification"
	TriggerUnknown      Trigger = "unknown"
)

// Flags is a set of facts about a record; it is written as a list of their names, in the order below.
type Flags uint16

const (
	ExternalInput Flags = 1 << iota
	Injected
	Finished
	Synthetic
	ResetSummary
	LaunchAck
	ChildResult
	ContextReset
	ErrorFlag
	TurnDuration
	Command
	Notice
	Sidechain
)

// flagNames are the names of the flags, by bit.
var flagNames = [...]string{
	"external_input", "injected", "finished", "synthetic", "reset_summary", "launch_ack", "child_result",
	"context_reset", "error", "turn_duration", "command", "notice", "sidechain",
}

// Names are those of the facts in the set, in their order.
func (f Flags) Names() []string {
	var out []string
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// At is the record's time in nanoseconds since 1970, or NoTime.
func (r *Record) At() int64 {
	at, ok := instant(r.Time)
	if !ok {
		return NoTime
	}
	return at
}

// Usage counts tokens.
type Usage struct {
	In         int64 `json:"in"`
	Out        int64 `json:"out"`
	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
}

// PartKind is k of a part.
type PartKind string

const (
	PartText      PartKind = "text"
	PartReasoning PartKind = "reasoning"
	PartCall      PartKind = "call"
	PartResult    PartKind = "result"
	PartMedia     PartKind = "media"
	PartData      PartKind = "data"
	PartUnknown   PartKind = "unknown"
)

// State says how much of a part's original is there.
type State string

const (
	Available   State = "available"
	Truncated   State = "truncated"
	Redacted    State = "redacted"
	Omitted     State = "omitted"
	Unavailable State = "unavailable"
)

// Part is one block of a record's content.
type Part struct {
	K         PartKind
	State     State
	Bytes     int64  // size of the original
	ID        string // call: the tool call
	Name      string // call: the tool
	Of        string // result: the tool call it answers
	Failed    *bool  // result: the block's error field, nil without one
	MediaType string // media
	Text      Raw    // a JSON string; empty = none
	Data      Raw    // any JSON value without whitespace between tokens; empty = none
	Source    string // bytes to be written as one JSON string in data, as base64 and with `encoding` when they are no UTF-8 text
}

// Raw is a JSON value as it is written in the file. What the source wrote is copied, never decoded and written anew.
type Raw string

// Dropped names what of a record was not landed.
type Dropped struct {
	What  string
	Bytes int64
	Why   string
}
