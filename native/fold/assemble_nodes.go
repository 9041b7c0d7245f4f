package fold

import (
	"strings"

	"asz/native/store"
)

// Kinds of nodes.
const (
	KindSession      = "session"
	KindStream       = "stream"
	KindEpoch        = "epoch"
	KindTalk         = "talk"
	KindRun          = "run"
	KindSegment      = "segment"
	KindInput        = "message.external"
	KindInjection    = "context.injection"
	KindCall         = "llm.call"
	KindAssistant    = "message.assistant"
	KindSynthetic    = "message.synthetic"
	KindThinking     = "thinking"
	KindTool         = "tool"
	KindAgentCall    = "agent.call"
	KindLaunchAck    = "agent.launch_ack"
	KindNotification = "runtime.notification"
	KindOutput       = "agent.output"
	KindBoundary     = "epoch.boundary"
	KindSummary      = "epoch.summary"
	KindError        = "error.api"
	KindCommand      = "control.command"
	KindNotice       = "control.notice"
	KindDuration     = "turn.duration"
)

// IsStep tells whether a node of the kind is a step: something that happened, not a frame around it.
func IsStep(kind string) bool {
	switch kind {
	case KindSession, KindStream, KindEpoch, KindTalk, KindRun, KindSegment:
		return false
	}
	return true
}

// marks are the kinds of steps that a flag makes of a whole record.
var marks = [...]struct {
	flag         store.Flags
	kind, prefix string
}{
	{store.LaunchAck, KindLaunchAck, "ack/"},
	{store.ContextReset, KindBoundary, "boundary/"},
	{store.Command, KindCommand, "command/"},
	{store.TurnDuration, KindDuration, "duration/"},
	{store.ErrorFlag, KindError, "error/"},
	{store.Injected, KindInjection, "inject/"},
	{store.ExternalInput, KindInput, "input/"},
	{store.Notice, KindNotice, "notice/"},
	{store.ResetSummary, KindSummary, "summary/"},
}

func (a *assembler) node(n Node) { a.out.Nodes = append(a.out.Nodes, n) }

// above is the parent of what a record says: its run, or else its epoch.
func (a *assembler) above(n int32) string {
	r := &a.records[n]
	if r.run != none {
		return a.runs[r.run].id
	}
	return a.epochs[r.epoch].id
}

func (a *assembler) frames(session string) {
	var attrs []Attr
	if a.out.From != store.NoTime {
		attrs = append(attrs, Attr{"from_time", moment(a.out.From)}, Attr{"through_time", moment(a.out.Through)})
	}
	if a.title != "" {
		attrs = append(attrs, Attr{"title", a.title})
	}
	a.node(Node{ID: session, Kind: KindSession, Attrs: attrs})
	for i := range a.stream {
		s := &a.stream[i]
		if !s.landed {
			continue
		}
		a.out.Streams++
		a.node(Node{
			ID: "stream/" + a.streams.texts[i], Kind: KindStream, Parent: session, Stream: a.streams.texts[i],
			Ref: a.ref(s.first), Refs: a.spare.ref(a.ref(s.first)), Attrs: a.streamAttrs(int32(i)),
		})
	}
	for i := range a.epochs {
		e := &a.epochs[i]
		name := a.streams.texts[e.stream]
		a.node(Node{
			ID: e.id, Kind: KindEpoch, Parent: "stream/" + name, Stream: name, Ref: a.ref(e.first), Refs: a.spare.ref(a.ref(e.first)),
		})
	}
	for i := range a.talks {
		t := &a.talks[i]
		a.out.Talks++
		a.node(Node{
			ID: t.id, Kind: KindTalk, Parent: a.epochs[a.records[t.first].epoch].id, Stream: a.streams.texts[t.stream],
			Ref: a.ref(t.first), Refs: a.spare.ref(a.ref(t.first)),
			Attrs: a.spare.attr(Attr{"loops", t.runs}, Attr{"runs", t.runs}, Attr{"trigger", t.trigger}),
		})
	}
	for i := range a.runs {
		r := &a.runs[i]
		a.node(Node{
			ID: r.id, Kind: KindRun, Parent: a.talks[r.talk].id, Stream: a.streams.texts[r.cycle.stream],
			Ref: a.ref(r.first), Refs: a.spare.ref(a.ref(r.first)), Attrs: a.spare.attr(Attr{"trigger", r.trigger()}),
		})
	}
}

// streamAttrs: named_by says what names a child beside its own transcript.
func (a *assembler) streamAttrs(n int32) []Attr {
	s := &a.stream[n]
	var attrs []Attr
	if s.label != "" {
		attrs = append(attrs, Attr{"label", s.label})
	}
	var by []string
	if s.meta {
		by = append(by, "agent_meta")
	}
	if len(s.journals) > 0 {
		by = append(by, "journal")
	}
	if s.notified {
		by = append(by, "notification")
	}
	if s.result {
		by = append(by, "result")
	}
	if by != nil {
		attrs = append(attrs, Attr{"named_by", by})
	}
	role := "child"
	if n == a.main {
		role = "main"
	}
	attrs = append(attrs, Attr{"records", s.records}, Attr{"role", role})
	if s.startedBy != "" {
		attrs = append(attrs, Attr{"started_by", s.startedBy})
	}
	return attrs
}

func (a *assembler) callNodes() {
	for i := range a.call {
		c := &a.call[i]
		c.id = a.texts.join("call/", a.calls.texts[i])
		refs := piece(&a.spare.refs, int(c.fragments))[:0]
		at := c.first
		for n := c.first; n != none; n = a.records[n].fragment {
			refs = append(refs, a.ref(n))
			if a.records[at].run == none {
				at = n // the parent is the first run that a fragment is in
			}
		}
		if a.records[at].run == none {
			at = c.first
		}
		var attrs []Attr
		if last := c.last; c.finished && a.records[last].usage {
			attrs = a.spare.attr(Attr{"fragments", c.fragments}, Attr{"usage", "observed_replayable"}, Attr{"usage_at", a.ref(last)},
				Attr{"usage_from", "last_fragment_in_line_order"})
		} else if c.finished {
			attrs = a.spare.attr(Attr{"fragments", c.fragments}, Attr{"usage", "unavailable"}, Attr{"usage_from", "last_fragment_in_line_order"})
		} else {
			attrs = a.spare.attr(Attr{"fragments", c.fragments}, Attr{"stop_reason", "unavailable"}, Attr{"usage", "unavailable"},
				Attr{"usage_from", "last_fragment_in_line_order"})
		}
		a.node(Node{
			ID: c.id, Kind: KindCall, Parent: a.above(at), Stream: a.streams.texts[a.records[c.first].stream], Ref: refs[0], Refs: refs, Attrs: attrs,
		})
	}
}

func (a *assembler) toolNodes() {
	for i := range a.tool {
		t := &a.tool[i]
		if t.requests == 0 {
			continue
		}
		t.id = a.texts.join("tool/", a.tools.texts[i])
		refs := piece(&a.spare.refs, int(t.requests+t.results))[:0]
		for u := t.first; u != none; u = a.uses[u].next {
			refs = append(refs, a.refAt(&a.uses[u]))
		}
		request := &a.uses[t.request]
		r := &a.records[request.record]
		n := Node{
			ID: t.id, Kind: KindTool, Stream: a.streams.texts[r.stream], Ref: a.refAt(request), Refs: refs,
		}
		if len(t.starts) > 0 {
			n.Kind = KindAgentCall
		}
		if r.call != none {
			n.Parent = a.call[r.call].id
		} else {
			n.Parent = a.above(request.record)
		}
		result, join := "available", "exact_unique"
		switch {
		case t.results == 0:
			result, join = "unavailable", "unresolved"
		case t.results > 1:
			join = "exact_ambiguous"
		}
		n.Attrs = a.spare.attr(Attr{"name", t.name}, Attr{"result", result}, Attr{"result_join", join}, Attr{"timing", "unavailable"})
		a.node(n)
	}
}

// recordNodes are the steps that stand on one record or on one part.
func (a *assembler) recordNodes() {
	var any store.Flags
	for _, m := range marks {
		any |= m.flag
	}
	for i := range a.records {
		r := &a.records[i]
		n := int32(i)
		if r.kind != kindTranscript {
			continue
		}
		name := a.streams.texts[r.stream]
		if r.trigger == statesNotification {
			a.whole(n, name, KindNotification, "notify/")
		}
		if r.flags&any != 0 {
			for _, m := range marks {
				if r.flags&m.flag != 0 {
					a.whole(n, name, m.kind, m.prefix)
				}
			}
		}
		if r.call == none {
			continue
		}
		for block, p := range a.partsOf(n) {
			if p.k != partText && p.k != partReasoning {
				continue
			}
			kind, prefix := KindThinking, "think/"
			if p.k == partText {
				kind, prefix = KindAssistant, "msg/"
				if r.flags&store.Synthetic != 0 {
					kind = KindSynthetic
				}
			}
			ref := Ref{Seq: r.seq, Row: r.row, Block: int32(block)}
			a.node(Node{ID: a.texts.at(prefix, ref), Kind: kind, Parent: a.call[r.call].id, Stream: name, Ref: ref, Refs: a.spare.ref(ref)})
		}
	}
}

// whole makes the step that stands on a whole record.
func (a *assembler) whole(n int32, stream, kind, prefix string) {
	ref := a.ref(n)
	out := Node{ID: a.texts.at(prefix, ref), Kind: kind, Parent: a.above(n), Stream: stream, Ref: ref, Refs: a.spare.ref(ref)}
	switch kind {
	case KindBoundary, KindSummary:
		out.Parent = a.epochs[a.records[n].epoch].id
	case KindError:
		out.Attrs = a.spare.attr(Attr{"retry_state", "unavailable"})
	}
	a.node(out)
}

// outputs are what children came to: the last response of each.
func (a *assembler) outputs(session string) {
	for i := range a.stream {
		s := &a.stream[i]
		if int32(i) == a.main || s.spoke == none {
			continue
		}
		name := a.streams.texts[i]
		out := Node{
			ID: "output/" + name, Kind: KindOutput, Parent: session, Stream: name, Ref: a.ref(s.spoke), Refs: []Ref{a.ref(s.spoke)},
		}
		if run := a.records[s.spoke].run; run != none {
			out.Parent = a.runs[run].id
		}
		value := "unavailable"
		if len(s.returned) > 0 {
			value = "observed_replayable"
		}
		for _, n := range s.returned {
			out.Refs = append(out.Refs, a.ref(n))
		}
		out.Attrs = a.spare.attr(Attr{"returned_value", value})
		a.node(out)
		a.relate(Relation{
			Type: "ends_with", From: "stream/" + name, To: out.ID, Quality: "exact_unique", Via: "the child's last response",
			Evidence: a.ref(s.spoke),
		})
	}
}

func (a *assembler) relate(r Relation) {
	r.ID = "rel/" + r.Type + "/" + strings.ReplaceAll(r.From, "/", "_") + "/" + strings.ReplaceAll(r.To, "/", "_")
	a.out.Relations = append(a.out.Relations, r)
}
