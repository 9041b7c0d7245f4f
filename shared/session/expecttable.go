package session

import (
	"math"
	"slices"
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// The words of what is expected.
const (
	StateOpen     = "open"
	StateResolved = "resolved"
	StateNone     = "none"
)

// nodeKinds are the kinds that a node can have.
var nodeKinds = []string{
	"session", "stream", "epoch", "talk", "run", "message.external", "context.injection", "llm.call", "message.assistant",
	"message.synthetic", "thinking", "tool", "agent.call", "agent.launch_ack", "runtime.notification", "agent.output",
	"epoch.boundary", "epoch.summary", "error.api", "control.command", "control.notice", "turn.duration", "segment",
}

// relationTypes are the types of relations. The last one is never written; that there is none may be expected.
var relationTypes = []string{"starts", "reports", "ends_with", "follows", "summarizes", "in_segment", "result_of"}

var unresolvedKinds = []string{
	"tool_result", "tool_use", "child_stream", "notified_child", "spawn_call", "spawn_of_child", "epoch_continuation",
}

// The kinds of landed files, by what they belong to.
var (
	streamFiles = []string{"transcript", "agent_meta"}
	runFiles    = []string{"journal", "workflow_manifest", "workflow_script"}
)

// FileKinds gives the words for the kinds of files that are pushed: landed ones and rounds.
func FileKinds() []string { return slices.Concat(streamFiles, runFiles, []string{"round"}) }

// valueOf remembers that a value was written, and where.
func valueOf[T any](t yamldoc.Type[T]) yamldoc.Type[Value[T]] {
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Value[T]) bool {
		dst.At, dst.Set = n.Span.FirstLine(), true
		return t.Read(r, n, &dst.Is)
	})
}

func number() yamldoc.Type[Value[int]]       { return valueOf(yamldoc.Int(0, math.MaxInt)) }
func yesNo() yamldoc.Type[Value[bool]]       { return valueOf(yamldoc.Bool()) }
func anyText() yamldoc.Type[Value[string]]   { return valueOf(yamldoc.Text()) }
func at() yamldoc.Type[Value[time.Duration]] { return valueOf(yamldoc.Offset()) }

func expectationType() yamldoc.Type[Expectation] {
	round := yamldoc.Object("parse",
		yamldoc.Optional("max_round_bytes", "the size that a round should not pass; 0 is the default", valueOf(countType()), func(e *Expectation) *Value[int64] { return &e.MaxRoundBytes }),
	)
	push := yamldoc.Object("push",
		yamldoc.Optional("kinds", "kinds of files that the push must carry", yamldoc.List(valueOf(yamldoc.Word("a kind of file", FileKinds()...))), func(e *Expectation) *[]Value[string] { return &e.PushKinds }),
	)
	self := func(e *Expectation) *Expectation { return e }
	return yamldoc.Object("session expectations",
		yamldoc.Optional("checkpoints", "what holds at each checkpoint of the scenario, and at `final`", checkpointsType(), func(e *Expectation) *[]Checkpoint { return &e.Checkpoints }),
		yamldoc.Optional("properties", "rules that every chain keeps; `false` switches one off", propertiesType(), self),
		yamldoc.Optional("parse", "settings of the parser", round, self),
		yamldoc.Optional("push", "what the push must carry", push, self),
	)
}

func propertiesType() yamldoc.Type[Expectation] {
	var fields []yamldoc.Field[Expectation]
	for p, row := range propertyTable {
		fields = append(fields, yamldoc.Optional(row.name, row.doc, yesNo(), func(e *Expectation) *Value[bool] { return &e.Properties[p] }))
	}
	return yamldoc.Object("properties", fields...)
}

func checkpointsType() yamldoc.Type[[]Checkpoint] {
	one := checkpointType()
	describe := func(s *schema) { s.Others = one.Schema() }
	return yamldoc.Entries("a map from checkpoint to what holds there", describe, func(r *yamldoc.Reader, p yamldoc.Pair, dst *Checkpoint) bool {
		dst.Name, dst.At = p.Key, p.KeyNode.Span
		return one.Read(r, p.Value, dst)
	})
}

func checkpointType() yamldoc.Type[Checkpoint] {
	type C = Checkpoint
	unresolved := yamldoc.Object("unresolved",
		yamldoc.Optional("open", "references that are open", number(), func(u *Unresolved) *Value[int] { return &u.Open }),
		yamldoc.Optional("resolved", "references that were open before", number(), func(u *Unresolved) *Value[int] { return &u.Resolved }),
	)
	session := yamldoc.Object("session",
		yamldoc.Optional("from", "the first time, such as +0s", at(), func(s *Range) *Value[time.Duration] { return &s.From }),
		yamldoc.Optional("to", "the last time, such as +11.1s", at(), func(s *Range) *Value[time.Duration] { return &s.To }),
	)
	verify := yamldoc.Object("verify",
		yamldoc.Optional("problems", "how many are reported", number(), func(v *Verify) *Value[int] { return &v.Problems }),
	)
	return yamldoc.Object("a checkpoint's expectations",
		yamldoc.Optional("rounds", "rounds in the chain", number(), func(c *C) *Value[int] { return &c.Rounds }),
		yamldoc.Optional("written", "the parse here wrote a round", yesNo(), func(c *C) *Value[bool] { return &c.Written }),
		yamldoc.Optional("delta", "the round written here goes on from the one before", yesNo(), func(c *C) *Value[bool] { return &c.Delta }),
		yamldoc.Optional("kinds", "how many nodes of a kind there are", knownCounts("a kind of node", nodeKinds), func(c *C) *[]Count { return &c.Kinds }),
		yamldoc.Optional("relations", "how many relations of a type there are", knownCounts("a type of relation", relationTypes), func(c *C) *[]Count { return &c.Relations }),
		yamldoc.Optional("talks_on", "how many talks a stream has", counts("a map from stream to number"), func(c *C) *[]Count { return &c.TalksOn }),
		yamldoc.Optional("runs_in", "how many runs a talk has", counts("a map from talk to number"), func(c *C) *[]Count { return &c.RunsIn }),
		yamldoc.Optional("nodes", "what single nodes look like, by id", nodesType(), func(c *C) *[]Node { return &c.Nodes }),
		yamldoc.Optional("unresolved", "how many references are unresolved", unresolved, func(c *C) *Unresolved { return &c.Unresolved }),
		yamldoc.Optional("unresolved_kinds", "the state of the references of a kind", statesType(), func(c *C) *[]State { return &c.UnresolvedKinds }),
		yamldoc.Optional("session", "the time that the session covers", session, func(c *C) *Range { return &c.Session }),
		yamldoc.Optional("view", "what the document says", viewType(), func(c *C) *View { return &c.View }),
		yamldoc.Optional("verify", "what the check of the root reports", verify, func(c *C) *Verify { return &c.Verify }),
		yamldoc.Optional("lose", "landed files that are deleted here, before anything is compared", yamldoc.List(loseType()), func(c *C) *[]Lose { return &c.Lose }),
	)
}

func viewType() yamldoc.Type[View] {
	first := yamldoc.Object("first_talk",
		yamldoc.Optional("label", "what it began with", anyText(), func(f *FirstTalk) *Value[string] { return &f.Label }),
		yamldoc.Optional("reply", "what it ended with", anyText(), func(f *FirstTalk) *Value[string] { return &f.Reply }),
		yamldoc.Optional("runs", "its runs", number(), func(f *FirstTalk) *Value[int] { return &f.Runs }),
	)
	return yamldoc.Object("view",
		yamldoc.Optional("state", "of the document", valueOf(yamldoc.Word("a state of the document", "verified", "incomplete", "mismatch")), func(v *View) *Value[string] { return &v.State }),
		yamldoc.Optional("problems", "lines that tell of one", number(), func(v *View) *Value[int] { return &v.Problems }),
		yamldoc.Optional("talks", "all talks", number(), func(v *View) *Value[int] { return &v.Talks }),
		yamldoc.Optional("files", "landed files and rounds", number(), func(v *View) *Value[int] { return &v.Files }),
		yamldoc.Optional("rounds", "rounds in the chain", number(), func(v *View) *Value[int] { return &v.Rounds }),
		yamldoc.Optional("first_talk", "the first talk", first, func(v *View) *FirstTalk { return &v.FirstTalk }),
	)
}

// counts reads a map from name to number.
func counts(name string) yamldoc.Type[[]Count] {
	n := yamldoc.Int(0, math.MaxInt)
	return yamldoc.Entries(name, func(s *schema) { s.Others = n.Schema() }, func(r *yamldoc.Reader, p yamldoc.Pair, dst *Count) bool {
		dst.Name, dst.At = p.Key, p.Value.Span
		r.Place(&dst.Name, p.KeyNode)
		return n.Read(r, p.Value, &dst.N)
	})
}

// knownCounts reads numbers of what has one of the names. None of something unknown is always true, which is worth a
// warning and no more: the file may be for more than is known here.
func knownCounts(what string, names []string) yamldoc.Type[[]Count] {
	t := counts("a map from " + what + " to number")
	t = yamldoc.Narrow(t, func(s *schema) { knownKeys(s, names, 0) })
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]Count) bool {
		ok := t.Read(r, n, dst)
		for i, p := range n.Pairs {
			if i >= len(*dst) || slices.Contains(names, p.Key) {
				continue
			}
			if c := (*dst)[i]; p.Value.Kind == yamldoc.KindNumber && c.N == 0 {
				vain(r, p, what, names)
			} else {
				ok = yamldoc.KnownWord(r, p.KeyNode, what, p.Key, names)
			}
		}
		return ok
	})
}

// vain warns of an expectation that cannot fail.
func vain(r *yamldoc.Reader, p yamldoc.Pair, what string, names []string) {
	d := r.Report("expect-vain", p.KeyNode.Span, diag.Quoted(p.Key)+" is not "+what+", so there is none in any case")
	if near := diag.Nearest(p.Key, names); near != "" {
		d.Fix.Text = "write `" + near + "`, or remove it"
	}
}

// statesType reads the states of unresolved references by kind.
func statesType() yamldoc.Type[[]State] {
	word := yamldoc.Word("a state of references", StateOpen, StateResolved, StateNone)
	const what = "a kind of reference"
	describe := func(s *schema) { s.Others = word.Schema(); knownKeys(s, unresolvedKinds, StateNone) }
	return yamldoc.Entries("a map from kind to state", describe, func(r *yamldoc.Reader, p yamldoc.Pair, dst *State) bool {
		dst.Name, dst.At = p.Key, p.Value.Span
		if !word.Read(r, p.Value, &dst.Is) {
			return false
		}
		if dst.Is == StateNone && !slices.Contains(unresolvedKinds, p.Key) {
			vain(r, p, what, unresolvedKinds)
			return true
		}
		return yamldoc.KnownWord(r, p.KeyNode, what, p.Key, unresolvedKinds)
	})
}

// nodesType reads what nodes look like by id.
func nodesType() yamldoc.Type[[]Node] {
	one := yamldoc.Object("a node",
		yamldoc.Optional("kind", "of the node", valueOf(yamldoc.Word("a kind of node", nodeKinds...)), func(d *Node) *Value[string] { return &d.Kind }),
		yamldoc.Optional("stream", "the stream it is in", anyText(), func(d *Node) *Value[string] { return &d.Stream }),
		yamldoc.Optional("parent", "id of the node it is in", anyText(), func(d *Node) *Value[string] { return &d.Parent }),
		yamldoc.Optional("refs", "how many records it stands on", number(), func(d *Node) *Value[int] { return &d.Refs }),
		yamldoc.Optional("revision", "the round that wrote it last", number(), func(d *Node) *Value[int] { return &d.Revision }),
		yamldoc.Optional("attrs", "attributes; null stands for none of that name", attrsType(), func(d *Node) *[]Attr { return &d.Attrs }),
		yamldoc.Optional("absent", "there is no such node", yesNo(), func(d *Node) *Value[bool] { return &d.Absent }),
	)
	one = yamldoc.Narrow(one, absentAlone)
	describe := func(s *schema) { s.Others = one.Schema() }
	return yamldoc.Entries("a map from id to node", describe, func(r *yamldoc.Reader, p yamldoc.Pair, dst *Node) bool {
		dst.ID, dst.At = p.Key, p.KeyNode.Span
		r.Place(&dst.ID, p.KeyNode)
		ok := one.Read(r, p.Value, dst)
		if dst.Absent.Is {
			for _, other := range p.Value.Pairs {
				if other.Key != "absent" {
					r.Report("expect-absent", other.KeyNode.Span, "a node that is absent has no `"+other.Key+"`")
					return false
				}
			}
		}
		return ok
	})
}

func attrsType() yamldoc.Type[[]Attr] {
	return yamldoc.Entries("a map from attribute to value", func(*schema) {}, func(r *yamldoc.Reader, p yamldoc.Pair, dst *Attr) bool {
		*dst = Attr{Name: p.Key, Absent: p.Value.Kind == yamldoc.KindNull, Text: p.Value.Text, At: p.Value.Span.FirstLine()}
		var ok bool
		dst.JSON, ok = appendJSON(nil, r, p.Value)
		return ok
	})
}

func loseType() yamldoc.Type[Lose] {
	t := yamldoc.Object("a lost file",
		yamldoc.Optional("stream", "the stream whose file it is", nameType("a stream"), func(l *Lose) *string { return &l.Stream }),
		yamldoc.Optional("run", "the workflow whose file it is", nameType("a run"), func(l *Lose) *string { return &l.Run }),
		yamldoc.Required("kind", "of the file", yamldoc.Word("a kind of landed file", slices.Concat(streamFiles, runFiles)...), func(l *Lose) *string { return &l.Kind }),
	)
	t = yamldoc.Narrow(t, streamOrRun)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Lose) bool {
		dst.At = n.Span.FirstLine()
		if !t.Read(r, n, dst) || n.Broken {
			return false
		}
		switch {
		case dst.Stream == "" && dst.Run == "":
			r.Report("expect-lose", dst.At, "the file belongs to nothing: neither `stream` nor `run` is named")
		case dst.Stream != "" && dst.Run != "":
			keys := slices.DeleteFunc(slices.Clone(n.Pairs), func(p yamldoc.Pair) bool { return p.Key == "kind" })
			return twoOf(r, "expect-lose", "a file belongs to one thing, and this one has", []*yamldoc.Node{keys[0].KeyNode, keys[1].KeyNode})
		case dst.Stream != "" && !slices.Contains(streamFiles, dst.Kind):
			r.Report("expect-lose", r.NodeOf(&dst.Kind).Span, "a "+dst.Kind+" belongs to a run, not to a stream").Fix.Text = "name the workflow with `run:`"
		case dst.Run != "" && !slices.Contains(runFiles, dst.Kind):
			r.Report("expect-lose", r.NodeOf(&dst.Kind).Span, "the file "+diag.Quoted(dst.Kind)+" belongs to a stream, not to a run").Fix.Text = "name the child with `stream:`"
		default:
			return true
		}
		return false
	})
}
