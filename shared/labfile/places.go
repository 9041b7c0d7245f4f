package labfile

import (
	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// Text is one text of a lab with its place in the file.
type Text struct {
	Text string
	node *yamldoc.Node
}

// Span is the place of bytes [start,end) of the text: escapes and folded lines are mapped back.
func (t Text) Span(start, end int) diag.Span { return t.node.SpanIn(start, end) }

// Texts lists the texts in a value of the lab, given its address, in file order: the value itself, or those in its
// lists and maps.
func (l *Loaded) Texts(field any) []Text {
	var out []Text
	var walk func(n *yamldoc.Node)
	walk = func(n *yamldoc.Node) {
		switch {
		case n == nil:
		case n.Kind == yamldoc.KindText:
			out = append(out, Text{n.Text, n})
		default:
			for _, item := range n.Items {
				walk(item)
			}
			for _, p := range n.Pairs {
				walk(p.Value)
			}
		}
	}
	walk(l.Node(field))
	return out
}

// Fact is one leaf of the initial state: its dot-path, at the place of its key.
type Fact struct {
	Path string
	At   diag.Span
}

// Facts lists the leaves of the initial state in file order. Lists are leaves, and so are maps without entries.
func (l *Loaded) Facts() []Fact {
	if l.Lab == nil {
		return nil
	}
	var out []Fact
	var walk func(prefix string, n *yamldoc.Node)
	walk = func(prefix string, n *yamldoc.Node) {
		if n == nil {
			return
		}
		for _, p := range n.Pairs {
			if p.Value.Kind == yamldoc.KindMap && len(p.Value.Pairs) > 0 {
				walk(prefix+p.Key+".", p.Value)
			} else {
				out = append(out, Fact{prefix + p.Key, p.KeyNode.Span})
			}
		}
	}
	walk("", l.Node(&l.Lab.Simulator.State))
	return out
}
