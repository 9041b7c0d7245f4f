package view

import (
	"bufio"
	"bytes"
	"io"

	"asz/native/fold"
	"asz/native/store"
)

// notation is a way to write values: JSON or YAML. Each value in a map comes after its key.
type notation interface {
	begin(list bool)
	end()
	key(name string)   // plain: letters, digits, _
	entry(name string) // a key that may be any text
	text(s string)
	number(n int64)
	flag(v bool)
	null()
}

// WriteJSON writes the document as JSON. Memory does not grow with it.
func (d *Doc) WriteJSON(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	d.write(&jsonNotation{out: out})
	return out.Flush()
}

// WriteYAML writes the same keys and values in the same order as YAML.
func (d *Doc) WriteYAML(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	d.write(&yamlNotation{out: out})
	return out.Flush()
}

// AppendJSON appends the document as JSON.
func (d *Doc) AppendJSON(dst []byte) []byte {
	b := bytes.NewBuffer(dst)
	d.WriteJSON(b) // a buffer takes everything
	return b.Bytes()
}

// MarshalJSON is the document as JSON, its keys in the order of the format.
func (d *Doc) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// writer writes a document in some notation.
type writer struct{ notation }

func (d *Doc) write(n notation) {
	w := writer{n}
	w.begin(false)
	w.str("format", Format)
	w.str("version", Version)
	w.str("conversation", d.Conversation)
	w.texts("sessions", d.Sessions)
	w.key("head")
	w.begin(false)
	w.int("round", d.Head.Round)
	w.str("digest", d.Head.Digest)
	w.end()
	w.str("parser", d.Parser)
	w.str("policy", d.Policy)
	w.summary(&d.Summary)
	list(w, "rounds", d.Rounds, w.round)
	list(w, "files", d.Files, w.file)
	list(w, "streams", d.Streams, w.stream)
	list(w, "segments", d.Segments, w.segment)
	list(w, "talks", d.Talks, func(n **Node) { w.node(*n) })
	list(w, "loose", d.Loose, func(n **Node) { w.node(*n) })
	list(w, "relations", d.Relations, w.relation)
	list(w, "unresolved", d.Unresolved, w.unresolved)
	w.end()
}

func list[T any](w writer, key string, items []T, write func(*T)) {
	w.key(key)
	w.begin(true)
	for i := range items {
		write(&items[i])
	}
	w.end()
}

func (w writer) str(key, value string)        { w.key(key); w.text(value) }
func (w writer) int(key string, n int64)      { w.key(key); w.number(n) }
func (w writer) bool(key string, v bool)      { w.key(key); w.flag(v) }
func (w writer) texts(key string, v []string) { list(w, key, v, func(s *string) { w.text(*s) }) }

// orNull writes what does not apply as null.
func (w writer) orNull(key string, n *int64) {
	w.key(key)
	if n == nil {
		w.null()
		return
	}
	w.number(*n)
}

func (w writer) strOrNull(key, value string) {
	w.key(key)
	if value == "" {
		w.null()
		return
	}
	w.text(value)
}

func (w writer) intOrNull(key string, n int64) {
	w.key(key)
	if n == 0 {
		w.null()
		return
	}
	w.number(n)
}

// Those below write nothing for what is empty.

func (w writer) some(key, value string) {
	if value != "" {
		w.str(key, value)
	}
}

func (w writer) positive(key string, n int64) {
	if n != 0 {
		w.int(key, n)
	}
}

func (w writer) yes(key string, v bool) {
	if v {
		w.bool(key, true)
	}
}

func (w writer) counts(key string, m map[string]int) {
	w.key(key)
	w.begin(false)
	for _, name := range sortedKeys(m) {
		w.entry(name)
		w.number(int64(m[name]))
	}
	w.end()
}

func (w writer) summary(s *Summary) {
	w.key("summary")
	w.begin(false)
	w.str("title", s.Title)
	w.str("state", string(s.State))
	w.texts("problems", s.Problems)
	w.int("talks", int64(s.Talks))
	w.int("steps", int64(s.Steps))
	w.int("streams", int64(s.Streams))
	w.int("segments", int64(s.Segments))
	w.int("rounds", int64(s.Rounds))
	w.int("unresolved", int64(s.Unresolved))
	w.int("from", s.From)
	w.int("to", s.To)
	w.counts("kinds", s.Kinds)
	w.counts("relation_types", s.RelationTypes)
	w.counts("quality", s.Quality)
	w.end()
}

func (w writer) round(r *Round) {
	w.begin(false)
	w.int("round", r.Round)
	w.str("digest", r.Digest)
	w.strOrNull("previous", r.Previous)
	w.int("from_seq", r.FromSeq)
	w.int("through_seq", r.ThroughSeq)
	w.str("input_digest", r.InputDigest)
	w.orNull("from_time", r.FromTime)
	w.orNull("through_time", r.ThroughTime)
	w.bool("verified", r.Verified)
	w.end()
}

func (w writer) file(f *File) {
	w.begin(false)
	w.str("file", f.File)
	w.str("format", f.Format)
	w.str("kind", f.Kind)
	w.intOrNull("seq", f.Seq)
	w.intOrNull("round", f.Round)
	w.strOrNull("stream", f.Stream)
	w.strOrNull("run", f.Run)
	w.int("lines", f.Lines)
	w.int("bytes", f.Bytes)
	w.str("digest", f.Digest)
	w.orNull("from_time", f.FromTime)
	w.orNull("through_time", f.ThroughTime)
	w.end()
}

func (w writer) stream(s *Stream) {
	w.begin(false)
	w.str("id", s.ID)
	w.str("name", s.Name)
	w.str("role", s.Role)
	w.str("label", s.Label)
	w.str("parent", s.Parent)
	w.int("records", s.Records)
	w.int("steps", int64(s.Steps))
	w.str("talk", s.Talk)
	w.texts("named_by", s.NamedBy)
	list(w, "opened_by", s.OpenedBy, func(o *Opening) {
		w.begin(false)
		w.str("step", o.Step)
		w.str("stream", o.Stream)
		w.str("talk", o.Talk)
		w.str("quality", o.Quality)
		w.end()
	})
	w.end()
}

func (w writer) segment(s *Segment) {
	w.begin(false)
	w.str("id", s.ID)
	w.str("state", s.State)
	w.bool("committable", s.Committable)
	w.int("talks", s.Talks)
	w.int("from", s.From)
	w.int("to", s.To)
	w.end()
}

func (w writer) relation(r *fold.Relation) {
	w.begin(false)
	w.str("id", r.ID)
	w.str("type", r.Type)
	w.str("from", r.From)
	w.str("to", r.To)
	w.str("quality", r.Quality)
	w.str("via", r.Via)
	w.key("evidence")
	w.ref(&r.Evidence)
	w.end()
}

func (w writer) unresolved(u *fold.Unresolved) {
	w.begin(false)
	w.str("id", u.ID)
	w.str("kind", u.Kind)
	w.str("ref", u.Ref)
	w.str("reason", u.Reason)
	w.str("state", u.State)
	w.end()
}

func (w writer) ref(r *fold.Ref) {
	w.begin(false)
	w.int("seq", r.Seq)
	w.int("row", r.Row)
	if r.Block != fold.WholeRecord {
		w.int("block", int64(r.Block))
	}
	w.end()
}

func (w writer) node(n *Node) {
	w.begin(false)
	w.str("id", n.ID)
	w.str("kind", n.Kind)
	w.some("parent", n.Parent)
	w.some("stream", n.Stream)
	w.int("at", n.At)
	if n.Ref.Seq != 0 {
		w.key("ref")
		w.ref(&n.Ref)
	}
	if len(n.Refs) > 0 {
		list(w, "refs", n.Refs, w.ref)
	}
	if len(n.Attrs) > 0 {
		w.key("attrs")
		w.begin(false)
		for i := range n.Attrs {
			w.attr(&n.Attrs[i])
		}
		w.end()
	}
	if n.Talk != nil {
		w.talk(n.Talk)
	}
	if n.Step != nil {
		w.step(n.Step)
	}
	if n.Tool != nil {
		w.tool(n.Tool)
	}
	if n.Duration != 0 {
		w.int("duration_ms", n.Duration)
		w.str("duration_measured_by", "runtime")
	}
	if len(n.Children) > 0 {
		list(w, "children", n.Children, func(c **Node) { w.node(*c) })
	}
	if len(n.Edges) > 0 {
		list(w, "edges", n.Edges, w.edge)
	}
	w.end()
}

func (w writer) attr(a *fold.Attr) {
	w.entry(a.Key)
	switch v := a.Value.(type) {
	case string:
		w.text(v)
	case int64:
		w.number(v)
	case bool:
		w.flag(v)
	case fold.Ref:
		w.ref(&v)
	case []string:
		w.begin(true)
		for _, s := range v {
			w.text(s)
		}
		w.end()
	default:
		w.null()
	}
}

func (w writer) talk(t *Talk) {
	w.some("label", t.Label)
	w.some("reply", t.Reply)
	w.positive("runs", int64(t.Runs))
	w.positive("steps", int64(t.Steps))
	w.positive("tools", int64(t.Tools))
	w.positive("from", t.From)
	w.positive("to", t.To)
	w.yes("child", t.Child)
	w.some("segment", t.Segment)
}

func (w writer) step(s *Step) {
	w.some("text", s.Text)
	w.some("state", string(s.State))
	w.positive("bytes", s.Bytes)
	if s.Usage != nil {
		w.key("usage")
		w.begin(false)
		w.int("in", s.Usage.In)
		w.int("out", s.Usage.Out)
		w.int("cache_read", s.Usage.CacheRead)
		w.int("cache_write", s.Usage.CacheWrite)
		w.end()
	}
	if len(s.Flags) > 0 {
		w.texts("flags", s.Flags)
	}
	if len(s.Dropped) > 0 {
		list(w, "dropped", s.Dropped, func(d *store.Dropped) {
			w.begin(false)
			w.str("what", d.What)
			w.int("bytes", d.Bytes)
			w.some("why", d.Why)
			w.end()
		})
	}
}

func (w writer) tool(t *Tool) {
	w.some("name", t.Name)
	w.yes("failed", t.Failed)
	w.some("result", t.Result)
	w.some("result_state", string(t.ResultState))
	w.positive("result_bytes", t.ResultBytes)
	w.positive("request_to_result_ms", t.Wait)
	w.some("request_to_result_join", t.Join)
}

func (w writer) edge(e *Edge) {
	w.begin(false)
	w.str("type", e.Type)
	w.str("other", e.Other)
	if e.In {
		w.str("dir", "in")
	} else {
		w.str("dir", "out")
	}
	w.str("quality", e.Quality)
	w.str("via", e.Via)
	w.end()
}
