package claudecode

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"asz/native/store"
)

// LineType is what a line of a written history is.
type LineType uint8

const (
	LineTitle        LineType = iota + 1 // Text; it has no id and no time
	LineInput                            // Text that a person typed
	LinePrompt                           // Text that opens a child's stream
	LineNotification                     // Text with which the runtime reports a child
	LineSummary                          // Text that takes the place of what came before a boundary
	LineInject                           // an attachment of type Name with a Text
	LineQueued                           // a queued Text; Name is its mode
	LineThinking                         // Text, "" for one that is not shown
	LineText                             // Text
	LineUse                              // the call Tool of the tool Name with Input
	LineSynthetic                        // Text that the client wrote in the model's name
	LineResult                           // Text that answers Tool; Status, Child and Batch when it started something
	LineBoundary                         // a reset of the context behind the record Previous
	LineSystem                           // a system record of subtype Name, with Fields
	LineSidecar                          // the file beside a child's: Text describes it
	LineStarted                          // journal: Child was started
	LineReturned                         // journal: Child returned Text
	LineManifest                         // the workflow Name, whose run is Batch
	LineScript                           // the program of the workflow Name; no JSON
)

// Line is one line of a history to be written, under the names of its roles. What a line of its type does not hold stays
// zero.
type Line struct {
	Type   LineType
	ID     string
	Parent string // "" = none
	Run    string
	Call   string
	Time   time.Time

	Name     string
	Text     string
	Tool     string
	Child    string
	Batch    string
	Status   string
	Previous string
	Stop     string // why the call ended, on its last fragment
	Input    []byte // JSON
	Fields   []byte // a JSON object, whose members take the place of the record's own
	Usage    *store.Usage
	Failed   bool
	Bare     bool // the structured result is the text alone
}

// Stream is what all lines of one transcript have in common.
type Stream struct {
	Session string
	Agent   string // "" in the main transcript
	Dir     string // working directory
}

const (
	// runtimeVersion is the version of the runtime whose shapes are written.
	runtimeVersion = "2.1.114"
	// signature is what stands for the signature of a reasoning text.
	signature = "sig"
	model     = "scenario"
)

// Append writes a line without its newline. The bytes follow from the arguments alone.
func (s Stream) Append(dst []byte, l *Line) []byte {
	w := writer{dst: dst}
	switch l.Type {
	case LineTitle:
		w.open()
		w.text("type", "ai-title")
		w.text("aiTitle", l.Text)
		w.text("sessionId", s.Session)
		w.shut()
	case LineSidecar:
		w.open()
		w.text("agentType", l.Name)
		w.text("description", l.Text)
		w.shut()
	case LineStarted:
		w.open()
		w.text("type", "started")
		w.text("agentId", l.Child)
		w.shut()
	case LineReturned:
		w.open()
		w.text("type", "result")
		w.text("agentId", l.Child)
		w.text("result", l.Text)
		w.shut()
	case LineManifest:
		w.open()
		w.text("runId", l.Batch)
		w.text("workflowName", l.Name)
		w.text("status", "completed")
		w.shut()
	case LineScript:
		w.dst = append(w.dst, "export const name = "...)
		w.dst = appendString(w.dst, l.Name)
		w.dst = append(w.dst, ";\n\nexport default async function run({ phase }) {\n  await phase(name);\n}"...)
	default:
		s.record(&w, l)
	}
	return w.dst
}

// record writes a record of a conversation.
func (s Stream) record(w *writer, l *Line) {
	own := objectKeys(l.Fields)
	w.skip = own
	w.open()
	switch {
	case l.Parent == "" || l.Type == LineBoundary:
		w.raw("parentUuid", "null")
	default:
		w.text("parentUuid", l.Parent)
	}
	if l.Type == LineBoundary && l.Previous != "" {
		w.text("logicalParentUuid", l.Previous)
	}
	w.flag("isSidechain", s.Agent != "")
	w.optional("promptId", l.Run)
	w.optional("agentId", s.Agent)
	s.body(w, l)
	w.text("uuid", l.ID)
	w.text("timestamp", l.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	w.text("cwd", s.Dir)
	w.text("sessionId", s.Session)
	w.text("version", runtimeVersion)
	if own != nil {
		w.skip = nil
		inner := bytes.TrimSpace(l.Fields)
		w.comma()
		w.dst = compact(w.dst, string(inner[1:len(inner)-1]))
	}
	w.shut()
}

// body writes the members that tell the record's type.
func (s Stream) body(w *writer, l *Line) {
	switch l.Type {
	case LineInput, LinePrompt, LineNotification, LineSummary:
		w.text("type", "user")
		w.key("message")
		w.open()
		w.text("role", "user")
		w.text("content", l.Text)
		w.shut()
		switch l.Type {
		case LineInput:
			w.raw("origin", `{"kind":"human"}`)
		case LineNotification:
			w.raw("origin", `{"kind":"task-notification"}`)
		case LineSummary:
			w.flag("isVisibleInTranscriptOnly", true)
			w.flag("isCompactSummary", true)
		}
	case LineResult:
		s.result(w, l)
	case LineInject, LineQueued:
		w.text("type", "attachment")
		w.key("attachment")
		w.open()
		if l.Type == LineInject {
			w.text("type", l.Name)
			w.text("content", l.Text)
		} else {
			w.text("type", "queued_command")
			w.key("prompt")
			w.dst = append(w.dst, '[')
			w.block("text", l.Text)
			w.dst = append(w.dst, ']')
			w.text("commandMode", l.Name)
		}
		w.shut()
	case LineBoundary:
		w.text("type", "system")
		w.text("subtype", "compact_boundary")
		w.text("content", "Conversation compacted")
		w.key("compactMetadata")
		w.open()
		w.text("trigger", "auto")
		if l.Previous != "" {
			w.key("preservedMessages")
			w.open()
			w.key("allUuids")
			w.dst = append(w.dst, '[')
			w.dst = appendString(w.dst, l.Previous)
			w.dst = append(w.dst, ']')
			w.shut()
		}
		w.shut()
	case LineSystem:
		w.text("type", "system")
		w.text("subtype", l.Name)
	default:
		s.fragment(w, l)
	}
}

// fragment writes one block of a call.
func (s Stream) fragment(w *writer, l *Line) {
	w.text("type", "assistant")
	w.key("message")
	w.open()
	w.text("id", l.Call)
	w.text("type", "message")
	w.text("role", "assistant")
	if l.Type == LineSynthetic {
		w.text("model", "<synthetic>")
	} else {
		w.text("model", model)
	}
	w.key("content")
	w.dst = append(w.dst, '[')
	switch l.Type {
	case LineThinking:
		w.open()
		w.text("type", "thinking")
		w.text("thinking", l.Text)
		w.text("signature", signature)
		w.shut()
	case LineUse:
		w.open()
		w.text("type", "tool_use")
		w.text("id", l.Tool)
		w.text("name", l.Name)
		w.key("input")
		w.dst = compact(w.dst, string(l.Input))
		w.shut()
	default:
		w.block("text", l.Text)
	}
	w.dst = append(w.dst, ']')
	if l.Stop == "" {
		w.raw("stop_reason", "null")
	} else {
		w.text("stop_reason", l.Stop)
	}
	if u := l.Usage; u != nil {
		w.key("usage")
		w.open()
		w.number("input_tokens", u.In)
		w.number("cache_creation_input_tokens", u.CacheWrite)
		w.number("cache_read_input_tokens", u.CacheRead)
		w.number("output_tokens", u.Out)
		w.shut()
	}
	w.shut()
}

// result writes what answers a tool call: the block that the model sees, and the structured result beside it.
func (s Stream) result(w *writer, l *Line) {
	w.text("type", "user")
	w.key("message")
	w.open()
	w.text("role", "user")
	w.key("content")
	w.dst = append(w.dst, '[')
	w.open()
	w.text("tool_use_id", l.Tool)
	w.text("type", "tool_result")
	w.text("content", l.Text)
	if l.Failed {
		w.flag("is_error", true)
	}
	w.shut()
	w.dst = append(w.dst, ']')
	w.shut()
	if l.Bare {
		w.text("toolUseResult", l.Text)
		return
	}
	w.key("toolUseResult")
	w.open()
	if l.Status == "" {
		w.text("stdout", l.Text)
		w.text("stderr", "")
		w.flag("interrupted", false)
	} else {
		w.text("status", l.Status)
		w.optional("agentId", l.Child)
		w.optional("runId", l.Batch)
	}
	w.shut()
}

// objectKeys are the keys of a JSON object, nil when it has none.
func objectKeys(object []byte) map[string]bool {
	if len(object) == 0 {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || len(members) == 0 {
		return nil
	}
	keys := make(map[string]bool, len(members))
	for k := range members {
		keys[k] = true
	}
	return keys
}

// writer appends JSON members; skip holds those of the outermost object that are left out.
type writer struct {
	dst   []byte
	depth int
	skip  map[string]bool
}

func (w *writer) open() {
	w.dst = append(w.dst, '{')
	w.depth++
}

func (w *writer) shut() {
	w.dst = append(w.dst, '}')
	w.depth--
}

func (w *writer) comma() {
	if n := len(w.dst); w.dst[n-1] != '{' {
		w.dst = append(w.dst, ',')
	}
}

func (w *writer) key(name string) {
	w.comma()
	w.dst = appendString(w.dst, name)
	w.dst = append(w.dst, ':')
}

// block is a block of content that holds a text.
func (w *writer) block(kind, text string) {
	w.open()
	w.text("type", kind)
	w.text("text", text)
	w.shut()
}

func (w *writer) left(name string) bool { return w.depth == 1 && w.skip[name] }

func (w *writer) text(name, value string) {
	if !w.left(name) {
		w.key(name)
		w.dst = appendString(w.dst, value)
	}
}

func (w *writer) optional(name, value string) {
	if value != "" {
		w.text(name, value)
	}
}

func (w *writer) raw(name, value string) {
	if !w.left(name) {
		w.key(name)
		w.dst = append(w.dst, value...)
	}
}

func (w *writer) flag(name string, value bool) { w.raw(name, strconv.FormatBool(value)) }

func (w *writer) number(name string, value int64) { w.raw(name, strconv.FormatInt(value, 10)) }
