package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"asz/native/fold"
	"asz/shared/diag"
	"asz/shared/session"
)

// comparison holds one checkpoint against its expectations.
type comparison struct {
	*trial
	name string
}

// compare holds what there is now against a checkpoint's expectations.
func (t *trial) compare(p *session.Checkpoint) {
	c := &comparison{t, p.Name}
	same(c, "rounds", p.Rounds, len(t.chain.Rounds))
	same(c, "written", p.Written, len(t.wrote) > 0)
	same(c, "delta", p.Delta, t.isDelta())
	c.counts("kinds", p.Kinds, func(kind string) int {
		return count(t.structure.Nodes, func(n *fold.Node) bool { return n.Kind == kind })
	})
	c.counts("relations", p.Relations, func(typ string) int {
		return count(t.structure.Relations, func(r *fold.Relation) bool { return r.Type == typ })
	})
	c.counts("talks_on", p.TalksOn, func(name string) int {
		stream := t.stream(name)
		return count(t.structure.Nodes, func(n *fold.Node) bool { return n.Kind == fold.KindTalk && n.Stream == stream })
	})
	c.counts("runs_in", p.RunsIn, func(talk string) int {
		id := t.nodeID(talk)
		return count(t.structure.Nodes, func(n *fold.Node) bool { return n.Kind == fold.KindRun && n.Parent == id })
	})
	for i := range p.Nodes {
		c.node(&p.Nodes[i])
	}
	open := count(t.structure.Unresolved, func(u *fold.Unresolved) bool { return u.State == session.StateOpen })
	same(c, "unresolved.open", p.Unresolved.Open, open)
	same(c, "unresolved.resolved", p.Unresolved.Resolved, count(t.structure.Unresolved, func(u *fold.Unresolved) bool { return u.State == session.StateResolved }))
	for _, s := range p.UnresolvedKinds {
		if got := c.stateOf(s.Name); got != s.Is {
			c.differs("unresolved_kinds."+s.Name, s.Is, got, s.At)
		}
	}
	c.session(p.Session)
	c.view(p.View)
	same(c, "verify.problems", p.Verify.Problems, len(t.report.Problems))
}

// isDelta tells whether the parse wrote rounds that go on from those before.
func (t *trial) isDelta() bool {
	for _, r := range t.wrote {
		if r.Number < 2 || int(r.Number) > len(t.chain.Rounds) {
			return false
		}
		before := t.chain.Rounds[r.Number-2]
		if r.Header.Previous != before.Digest || r.Header.FromSeq != before.Header.ThroughSeq+1 {
			return false
		}
	}
	return len(t.wrote) > 0
}

func (c *comparison) differs(what, want, got string, at diag.Span) {
	c.fail(Failure{Where: c.name, What: what, Want: want, Got: got, At: at})
}

func same[T comparable](c *comparison, what string, want session.Value[T], got T) {
	if want.Set && want.Is != got {
		c.differs(what, shown(want.Is), shown(got), want.At)
	}
}

func shown(v any) string {
	if text, ok := v.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprint(v)
}

func count[T any](list []T, is func(*T) bool) (n int) {
	for i := range list {
		if is(&list[i]) {
			n++
		}
	}
	return n
}

func (c *comparison) counts(what string, want []session.Count, got func(name string) int) {
	for _, w := range want {
		if n := got(w.Name); n != w.N {
			c.differs(what+"."+w.Name, strconv.Itoa(w.N), strconv.Itoa(n), w.At)
		}
	}
}

// stateOf is the state that all references of a kind are in: both when they are not in one.
func (c *comparison) stateOf(kind string) string {
	state := session.StateNone
	for i := range c.structure.Unresolved {
		switch u := &c.structure.Unresolved[i]; {
		case u.Kind != kind:
		case state == session.StateNone:
			state = u.State
		case state != u.State:
			return session.StateOpen + " and " + session.StateResolved
		}
	}
	return state
}

func (c *comparison) node(want *session.Node) {
	id := c.nodeID(want.ID)
	node := c.find(id)
	what := "nodes." + want.ID
	switch {
	case want.Absent.Set && want.Absent.Is && node != nil:
		c.differs(what, "no such node", "a "+node.Kind, want.Absent.At)
	case want.Absent.Is:
	case node == nil:
		c.differs(what, "a node", "there is none", want.At)
	default:
		same(c, what+".kind", want.Kind, node.Kind)
		same(c, what+".refs", want.Refs, len(node.Refs))
		same(c, what+".revision", want.Revision, int(node.Revision))
		if want.Stream.Set && c.stream(want.Stream.Is) != node.Stream {
			c.differs(what+".stream", shown(want.Stream.Is), shown(node.Stream), want.Stream.At)
		}
		if want.Parent.Set && c.nodeID(want.Parent.Is) != node.Parent {
			c.differs(what+".parent", shown(want.Parent.Is), shown(node.Parent), want.Parent.At)
		}
		for i := range want.Attrs {
			c.attr(what+".attrs.", &want.Attrs[i], node)
		}
	}
}

func (c *comparison) find(id string) *fold.Node {
	for i := range c.structure.Nodes {
		if n := &c.structure.Nodes[i]; n.ID == id {
			return n
		}
	}
	return nil
}

func (c *comparison) attr(what string, want *session.Attr, node *fold.Node) {
	got, has := attrOf(node, want.Name)
	switch {
	case want.Absent && has:
		c.differs(what+want.Name, "no such attribute", attrJSON(got), want.At)
	case want.Absent:
	case !has:
		c.differs(what+want.Name, string(want.JSON), "there is none", want.At)
	default:
		if text, ok := got.(string); ok && want.Text != "" && (text == want.Text || text == c.stream(want.Text)) {
			return
		}
		var a, b any
		gotJSON := attrJSON(got)
		if json.Unmarshal(want.JSON, &a) != nil || json.Unmarshal([]byte(gotJSON), &b) != nil || !reflect.DeepEqual(a, b) {
			c.differs(what+want.Name, string(want.JSON), gotJSON, want.At)
		}
	}
}

func attrOf(n *fold.Node, key string) (any, bool) {
	for _, a := range n.Attrs {
		if a.Key == key {
			return a.Value, true
		}
	}
	return nil, false
}

// attrJSON is an attribute's value as JSON, for people and to compare.
func attrJSON(v any) string {
	if ref, ok := v.(fold.Ref); ok {
		if ref.Block != fold.WholeRecord {
			return fmt.Sprintf(`{"seq":%d,"row":%d,"block":%d}`, ref.Seq, ref.Row, ref.Block)
		}
		return fmt.Sprintf(`{"seq":%d,"row":%d}`, ref.Seq, ref.Row)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // texts, numbers, truth values and lists of texts
	return strings.TrimSpace(b.String())
}

// session compares the range of the session node with distances from the base time.
func (c *comparison) session(want session.Range) {
	node := c.find(fold.KindSession + "/" + c.id)
	for _, side := range []struct {
		name, key string
		want      session.Value[time.Duration]
	}{{"from", "from_time", want.From}, {"to", "through_time", want.To}} {
		if !side.want.Set {
			continue
		}
		got := "none"
		if node != nil {
			if v, ok := attrOf(node, side.key); ok {
				got = fmt.Sprint(v)
			}
		}
		at := c.plan.Base.Add(scaledBy(side.want.Is, c.Scale))
		if when, err := time.Parse(time.RFC3339Nano, got); err != nil || !when.Truncate(time.Millisecond).Equal(at.Truncate(time.Millisecond)) {
			if err == nil {
				got = offset(when.Sub(c.plan.Base))
			}
			c.differs("session."+side.name, offset(at.Sub(c.plan.Base)), got, side.want.At)
		}
	}
}

func offset(d time.Duration) string {
	if d < 0 {
		return d.String()
	}
	return "+" + d.String()
}

func scaledBy(d time.Duration, scale float64) time.Duration {
	if scale == 0 || scale == 1 {
		return d
	}
	return time.Duration(float64(d) * scale)
}

func (c *comparison) view(want session.View) {
	same(c, "view.state", want.State, string(c.doc.Summary.State))
	same(c, "view.problems", want.Problems, len(c.doc.Summary.Problems))
	same(c, "view.talks", want.Talks, c.doc.Summary.Talks)
	same(c, "view.files", want.Files, len(c.doc.Files))
	same(c, "view.rounds", want.Rounds, len(c.doc.Rounds))
	first := want.FirstTalk
	if !first.Label.Set && !first.Reply.Set && !first.Runs.Set {
		return
	}
	if len(c.doc.Talks) == 0 || c.doc.Talks[0].Talk == nil {
		at := first.Label.At
		for _, set := range []diag.Span{first.Reply.At, first.Runs.At} {
			if at.Source == nil {
				at = set
			}
		}
		c.differs("view.first_talk", "a talk", "there is none", at)
		return
	}
	talk := c.doc.Talks[0].Talk
	same(c, "view.first_talk.label", first.Label, talk.Label)
	same(c, "view.first_talk.reply", first.Reply, talk.Reply)
	same(c, "view.first_talk.runs", first.Runs, talk.Runs)
}

// nodeID is the id of a node in which names of children stand for their agent ids.
func (c *checker) nodeID(id string) string {
	parts := strings.Split(id, "/")
	for i, part := range parts {
		if i == 0 {
			continue
		}
		if agent, ok := c.agents[part]; ok {
			parts[i] = agent
			continue
		}
		for _, around := range []struct{ before, after string }{{"talk_", ""}, {"", "-cycle"}} {
			name, ok := strings.CutPrefix(part, around.before)
			if ok {
				name, ok = strings.CutSuffix(name, around.after)
			}
			if agent, child := c.agents[name]; ok && child && parts[0] == fold.KindRun {
				parts[i] = around.before + agent + around.after
			}
		}
	}
	return strings.Join(parts, "/")
}
