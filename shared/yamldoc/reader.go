package yamldoc

import (
	"fmt"
	"strconv"
	"strings"

	"asz/shared/diag"
)

// Reader reads nodes into Go values, collects the findings and remembers where each value came from.
type Reader struct {
	Findings diag.List

	places   map[any]*Node
	reported map[finding]int // index in Findings: a value repeated by aliases is reported once
	key      *Node           // key of the value that is read next, nil for a list item
}

type finding struct {
	code    diag.Code
	at      diag.Span
	message string
}

// NewReader makes an empty reader.
func NewReader() *Reader {
	return &Reader{places: map[any]*Node{}, reported: map[finding]int{}}
}

// maxReported bounds the findings of one reading: a file that is wrong throughout says the same over and over.
const maxReported = 1000

// Report adds a finding, once for the same code, place and message. The result may be completed
// until the next Report.
func (r *Reader) Report(code diag.Code, at diag.Span, message string) *diag.Diagnostic {
	id := finding{code, at, message}
	if i, ok := r.reported[id]; ok {
		return &r.Findings[i]
	}
	switch len(r.Findings) {
	case maxReported:
		r.Findings.Add("too-many-findings", at, fmt.Sprintf("there is more to correct: only the first %d findings are shown", maxReported))
		fallthrough
	case maxReported + 1:
		return &diag.Diagnostic{Fix: &diag.Fix{}} // completed by the caller and dropped
	}
	r.reported[id] = len(r.Findings)
	return r.Findings.Add(code, at, message)
}

// Place remembers that the value at a pointer came from a node.
func (r *Reader) Place(dst any, n *Node) { r.places[dst] = n }

// NodeOf gives the node that the value at a pointer came from, nil when it is from no file.
func (r *Reader) NodeOf(ptr any) *Node { return r.places[ptr] }

// Type reads nodes into values of one Go type.
type Type[T any] struct {
	name   string
	schema func() *Schema // a new one for each call: whoever asked may change it
	read   func(r *Reader, n *Node, dst *T) bool
}

// NewType makes a type. The name completes "expected …" in messages ("text", "a list of lines"); schema
// describes what read accepts and is called only when a schema is asked for; read returns false when it
// made a finding, or when the node is broken and was reported already.
func NewType[T any](name string, schema func() *Schema, read func(r *Reader, n *Node, dst *T) bool) Type[T] {
	return Type[T]{name: name, schema: schema, read: read}
}

// Name is what messages call the type.
func (t Type[T]) Name() string { return t.name }

// Schema describes what the type accepts. It belongs to the caller.
func (t Type[T]) Schema() *Schema { return t.schema() }

// Read reads a node into dst and remembers the place, whether it fits or not. It returns false when
// a finding was made.
func (t Type[T]) Read(r *Reader, n *Node, dst *T) bool {
	r.Place(dst, n)
	return t.read(r, n, dst)
}

// mismatch reports a value of the wrong type, unless a syntax finding explains it.
func (r *Reader) mismatch(n *Node, want string) bool {
	if !n.Broken {
		r.Report("wrong-type", head(n), mismatchMessage(n, want))
	}
	return false
}

func mismatchMessage(n *Node, want string) string {
	return fmt.Sprintf("expected %s, but this is %s", want, describe(n))
}

// head is the place of a finding about a whole value: its first line.
func head(n *Node) diag.Span {
	text := n.Span.Text()
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		text = strings.TrimRight(text[:i], " \t")
	}
	return n.Span.Sub(0, len(text))
}

func describe(n *Node) string {
	switch n.Kind {
	case KindNull:
		if n.Text == "" {
			return "empty"
		}
		return "null"
	case KindBool:
		return n.Text
	case KindNumber:
		return "the number " + n.Text
	case KindMap:
		return "a map"
	case KindList:
		return "a list"
	}
	if len(n.Text) > 40 || strings.Contains(n.Text, "\n") {
		return "text"
	}
	return "the text " + strconv.Quote(n.Text)
}
