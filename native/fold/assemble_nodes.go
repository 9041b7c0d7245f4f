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

// marks are the kinds of steps that a flag makes of a whole record, by prefix; a notification is known by its trigger.
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
	{0, KindNotification, "notify/"},
	{store.ResetSummary, KindSummary, "summary/"},
}

// where is a part of a record.
type where struct{ record, block int32 }

// steps are the records and parts that become nodes, each list in the order of the ids.
type steps struct {
	whole          [len(marks)][]int32 // records
	said, thoughts []where
}

// name gives calls and tools their ids.
func (a *assembler) name() {
	for i := range a.call {
		a.call[i].id = a.texts.join("call/", a.calls.texts[i])
	}
	for i := range a.tool {
		if a.tool[i].requests > 0 {
			a.tool[i].id = a.texts.join("tool/", a.tools.texts[i])
		}
	}
}

// findSteps lists what becomes a node.
func (a *assembler) findSteps() steps {
	var out steps
	var any store.Flags
	for _, m := range marks {
		any |= m.flag
	}
	for _, n := range a.places(false) {
		r := &a.records[n]
		notified := r.trigger == statesNotification
		if !notified && r.flags&any == 0 {
			continue
		}
		for i, m := range marks {
			if r.flags&m.flag != 0 || m.flag == 0 && notified {
				out.whole[i] = append(out.whole[i], n)
			}
		}
	}
	out.said, out.thoughts = make([]where, 0, len(a.call)), make([]where, 0, len(a.call)/4)
	for _, n := range a.places(true) {
		if a.records[n].call == none {
			continue
		}
		parts := a.partsOf(n)
		add := func(block int) {
			switch parts[block].k {
			case partText:
				out.said = append(out.said, where{n, int32(block)})
			case partReasoning:
				out.thoughts = append(out.thoughts, where{n, int32(block)})
			}
		}
		if len(parts) == 1 {
			add(0)
		} else {
			decimals(0, len(parts), false, add)
		}
	}
	return out
}

// makeNodes makes all nodes in the order of their ids. The kinds come by their prefixes.
func (a *assembler) makeNodes(conversation string) {
	a.name()
	s := a.findSteps()
	total := 1 + len(a.stream) + len(a.epochs) + len(a.talks) + len(a.runs) + len(a.windows) + len(a.call) + len(a.tool) + len(s.said) + len(s.thoughts)
	for _, list := range s.whole {
		total += len(list)
	}
	for i := range a.stream {
		if a.stream[i].spoke != none && int32(i) != a.main {
			total++
		}
	}
	a.out.Nodes = make([]Node, 0, total)
	session := "session/" + conversation
	mark := 0
	through := func(prefix string) {
		for ; mark < len(marks) && marks[mark].prefix < prefix; mark++ {
			for _, n := range s.whole[mark] {
				a.wholeNode(n, marks[mark].kind, marks[mark].prefix)
			}
		}
	}
	through("call/")
	a.callNodes()
	through("epoch/")
	a.epochNodes()
	through("msg/")
	for _, w := range s.said {
		kind := KindAssistant
		if a.records[w.record].flags&store.Synthetic != 0 {
			kind = KindSynthetic
		}
		a.partNode(w, kind, "msg/")
	}
	through("output/")
	a.outputNodes(session)
	a.runNodes()
	a.segmentNodes(conversation)
	a.sessionNode(session)
	a.streamNodes(session)
	through("talk/")
	a.talkNodes()
	for _, w := range s.thoughts {
		a.partNode(w, KindThinking, "think/")
	}
	a.toolNodes()
}

// node adds a node.
func (a *assembler) node(n Node) {
	if IsStep(n.Kind) {
		a.out.Steps++
	}
	a.out.Nodes = append(a.out.Nodes, n)
}

// above is the parent of what a record says: its run, or else its epoch.
func (a *assembler) above(n int32) string {
	r := &a.records[n]
	if r.run != none {
		return a.runs[r.run].id
	}
	return a.epochs[r.epoch].id
}

func (a *assembler) sessionNode(id string) {
	var attrs []Attr
	if a.out.From != store.NoTime {
		attrs = append(attrs, Attr{"from_time", moment(a.out.From)}, Attr{"through_time", moment(a.out.Through)})
	}
	if a.title != "" {
		attrs = append(attrs, Attr{"title", a.title})
	}
	a.node(Node{ID: id, Kind: KindSession, Attrs: attrs})
}

func (a *assembler) streamNodes(session string) {
	for _, i := range ordered(a.streams.texts) {
		s, name := &a.stream[i], a.streams.texts[i]
		if !s.landed {
			continue
		}
		a.out.Streams++
		a.node(Node{
			ID: "stream/" + name, Kind: KindStream, Parent: session, Stream: name,
			Ref: a.ref(s.first), Refs: a.spare.ref(a.ref(s.first)), Attrs: a.streamAttrs(i),
		})
	}
}

// by are the numbers of a list in the order of the ids.
func by[T any](list []T, id func(*T) string) []int32 {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = id(&list[i])
	}
	return ordered(texts)
}

func (a *assembler) epochNodes() {
	for _, i := range by(a.epochs, func(e *epoch) string { return e.id }) {
		e := &a.epochs[i]
		name := a.streams.texts[e.stream]
		a.node(Node{
			ID: e.id, Kind: KindEpoch, Parent: "stream/" + name, Stream: name, Ref: a.ref(e.first), Refs: a.spare.ref(a.ref(e.first)),
		})
	}
}

func (a *assembler) talkNodes() {
	for _, i := range by(a.talks, func(t *talk) string { return t.id }) {
		t := &a.talks[i]
		a.out.Talks++
		a.node(Node{
			ID: t.id, Kind: KindTalk, Parent: a.epochs[a.records[t.first].epoch].id, Stream: a.streams.texts[t.stream],
			Ref: a.ref(t.first), Refs: a.spare.ref(a.ref(t.first)),
			Attrs: a.spare.attr(Attr{"loops", t.runs}, Attr{"runs", t.runs}, Attr{"trigger", t.trigger}),
		})
	}
}

func (a *assembler) runNodes() {
	for _, i := range by(a.runs, func(r *run) string { return r.id }) {
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
	for _, i := range ordered(a.calls.texts) {
		c := &a.call[i]
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

// toolState is all that the attributes of a tool say: tools of one state share them.
type toolState struct{ name, result, join string }

func (a *assembler) toolNodes() {
	shared := map[toolState][]Attr{}
	for _, i := range ordered(a.tools.texts) {
		t := &a.tool[i]
		if t.requests == 0 {
			continue
		}
		refs := piece(&a.spare.refs, int(t.requests+t.results))[:0]
		for u := t.first; u != none; u = a.uses[u].next {
			refs = append(refs, a.refAt(&a.uses[u]))
		}
		request := &a.uses[t.request]
		r := &a.records[request.record]
		n := Node{ID: t.id, Kind: KindTool, Stream: a.streams.texts[r.stream], Ref: a.refAt(request), Refs: refs}
		if len(t.starts) > 0 {
			n.Kind = KindAgentCall
		}
		if r.call != none {
			n.Parent = a.call[r.call].id
		} else {
			n.Parent = a.above(request.record)
		}
		state := toolState{t.name, "available", "exact_unique"}
		switch {
		case t.results == 0:
			state.result, state.join = "unavailable", "unresolved"
		case t.results > 1:
			state.join = "exact_ambiguous"
		}
		if n.Attrs = shared[state]; n.Attrs == nil {
			n.Attrs = []Attr{{"name", state.name}, {"result", state.result}, {"result_join", state.join}, {"timing", "unavailable"}}
			shared[state] = n.Attrs
		}
		a.node(n)
	}
}

// partNode makes the step that stands on a part of a call's record.
func (a *assembler) partNode(w where, kind, prefix string) {
	r := &a.records[w.record]
	ref := Ref{Seq: r.seq, Row: r.row, Block: w.block}
	a.node(Node{ID: a.texts.at(prefix, ref), Kind: kind, Parent: a.call[r.call].id, Stream: a.streams.texts[r.stream], Ref: ref, Refs: a.spare.ref(ref)})
}

// wholeNode makes the step that stands on a whole record.
func (a *assembler) wholeNode(n int32, kind, prefix string) {
	ref := a.ref(n)
	out := Node{ID: a.texts.at(prefix, ref), Kind: kind, Parent: a.above(n), Stream: a.streams.texts[a.records[n].stream], Ref: ref, Refs: a.spare.ref(ref)}
	switch kind {
	case KindBoundary, KindSummary:
		out.Parent = a.epochs[a.records[n].epoch].id
	case KindError:
		out.Attrs = a.spare.attr(Attr{"retry_state", "unavailable"})
	}
	a.node(out)
}

// outputNodes are what children came to: the last response of each.
func (a *assembler) outputNodes(session string) {
	for _, i := range ordered(a.streams.texts) {
		s := &a.stream[i]
		if i == a.main || s.spoke == none {
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
