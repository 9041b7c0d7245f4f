package fold

import (
	"fmt"
	"strconv"

	"asz/native/store"
)

// A frame's line is canonical: keys in one order, empty values left out. Two entities are the same when the bytes behind their
// revision are.

// appendNode appends what a node's frame holds behind its revision.
func appendNode(out []byte, n *Node) []byte {
	out = field(out, `,"kind":`, n.Kind)
	out = field(out, `,"parent":`, n.Parent)
	out = field(out, `,"stream":`, n.Stream)
	if n.Ref.Seq != 0 {
		out = appendRef(append(out, `,"ref":`...), n.Ref)
	}
	if len(n.Refs) > 0 {
		out = append(out, `,"refs":[`...)
		for i, r := range n.Refs {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendRef(out, r)
		}
		out = append(out, ']')
	}
	if len(n.Attrs) > 0 {
		out = append(out, `,"attrs":{`...)
		for i := range n.Attrs {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(store.AppendText(out, n.Attrs[i].Key), ':')
			out = appendValue(out, n.Attrs[i].Value)
		}
		out = append(out, '}')
	}
	return append(out, '}')
}

func appendRelation(out []byte, r *Relation) []byte {
	out = field(out, `,"type":`, r.Type)
	out = field(out, `,"from":`, r.From)
	out = field(out, `,"to":`, r.To)
	out = field(out, `,"quality":`, r.Quality)
	out = field(out, `,"via":`, r.Via)
	if r.Evidence.Seq != 0 {
		out = appendRef(append(out, `,"evidence":`...), r.Evidence)
	}
	return append(out, '}')
}

func appendUnresolved(out []byte, u *Unresolved) []byte {
	out = field(out, `,"kind":`, u.Kind)
	out = field(out, `,"ref":`, u.Ref)
	out = field(out, `,"reason":`, u.Reason)
	out = field(out, `,"state":`, u.State)
	return append(out, '}')
}

func field(out []byte, key, value string) []byte {
	if value == "" {
		return out
	}
	return store.AppendText(append(out, key...), value)
}

func appendRef(out []byte, r Ref) []byte {
	out = strconv.AppendInt(append(out, `{"seq":`...), r.Seq, 10)
	out = strconv.AppendInt(append(out, `,"row":`...), r.Row, 10)
	if r.Block != WholeRecord {
		out = strconv.AppendInt(append(out, `,"block":`...), int64(r.Block), 10)
	}
	return append(out, '}')
}

func appendValue(out []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return store.AppendText(out, v)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case bool:
		return strconv.AppendBool(out, v)
	case Ref:
		return appendRef(out, v)
	case []string:
		out = append(out, '[')
		for i, text := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = store.AppendText(out, text)
		}
		return append(out, ']')
	}
	panic(fmt.Sprintf("an attribute cannot be a %T", v)) // a mistake in the assembly
}

// unreadable is an entity of a round that is not ours: its digest is right all the same.
func unreadable(k store.FrameKind, f *store.Frame) error {
	return fmt.Errorf("%w: the %s %q of round %d cannot be read", store.ErrDamaged, k, f.ID, f.Revision)
}

// body reads Rest of a frame.
func body(f *store.Frame, visit func(j *store.JSON, key string) bool) bool {
	if f.Rest == "}" {
		return true
	}
	if f.Rest == "" || f.Rest[0] != ',' {
		return false
	}
	j := store.ReadJSON("{" + f.Rest[1:])
	return j.Object(func(key string) bool { return visit(j, key) }) && j.Next() == 0
}

func readNode(f *store.Frame) (Node, bool) {
	n := Node{ID: f.ID, Revision: f.Revision}
	ok := body(f, func(j *store.JSON, key string) bool {
		switch key {
		case "kind":
			return j.Text(&n.Kind)
		case "parent":
			return j.Text(&n.Parent)
		case "stream":
			return j.Text(&n.Stream)
		case "ref":
			return readRef(j, &n.Ref)
		case "refs":
			return j.Array(func() bool {
				n.Refs = append(n.Refs, Ref{})
				return readRef(j, &n.Refs[len(n.Refs)-1])
			})
		case "attrs":
			return j.Object(func(key string) bool {
				value, ok := readValue(j)
				n.Attrs = append(n.Attrs, Attr{key, value})
				return ok
			})
		}
		return j.Skip()
	})
	return n, ok
}

func readRelation(f *store.Frame) (Relation, bool) {
	r := Relation{ID: f.ID, Revision: f.Revision}
	ok := body(f, func(j *store.JSON, key string) bool {
		switch key {
		case "type":
			return j.Text(&r.Type)
		case "from":
			return j.Text(&r.From)
		case "to":
			return j.Text(&r.To)
		case "quality":
			return j.Text(&r.Quality)
		case "via":
			return j.Text(&r.Via)
		case "evidence":
			return readRef(j, &r.Evidence)
		}
		return j.Skip()
	})
	return r, ok
}

func readUnresolved(f *store.Frame) (Unresolved, bool) {
	u := Unresolved{ID: f.ID, Revision: f.Revision}
	ok := body(f, func(j *store.JSON, key string) bool {
		switch key {
		case "kind":
			return j.Text(&u.Kind)
		case "ref":
			return j.Text(&u.Ref)
		case "reason":
			return j.Text(&u.Reason)
		case "state":
			return j.Text(&u.State)
		}
		return j.Skip()
	})
	return u, ok
}

func readRef(j *store.JSON, r *Ref) bool {
	block := int64(WholeRecord)
	ok := j.Object(func(key string) bool {
		switch key {
		case "seq":
			return j.Number(&r.Seq)
		case "row":
			return j.Number(&r.Row)
		case "block":
			return j.Number(&block)
		}
		return j.Skip()
	})
	r.Block = int32(block)
	return ok && int64(r.Block) == block
}

func readValue(j *store.JSON) (any, bool) {
	switch c := j.Next(); {
	case c == '"':
		var v string
		ok := j.Text(&v)
		return v, ok
	case c == '{':
		var v Ref
		ok := readRef(j, &v)
		return v, ok
	case c == '[':
		v := []string{}
		ok := j.Array(func() bool {
			v = append(v, "")
			return j.Text(&v[len(v)-1])
		})
		return v, ok
	case c == 't' || c == 'f':
		return c == 't', j.Skip()
	}
	var v int64
	ok := j.Number(&v)
	return v, ok
}
