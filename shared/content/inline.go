package content

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// inline is enter for what stands in a line of text.
func (r *renderer) inline(node ast.Node) (elements int, descend bool) {
	s := &r.out
	switch n := node.(type) {
	case *ast.Text:
		s.text(r.textNode(n))
		if n.HardLineBreak() {
			s.void("br")
		}
		if n.HardLineBreak() || n.SoftLineBreak() {
			s.text("\n")
		}
	case *ast.String:
		s.text(string(n.Value))
	case *variableNode:
		piece := []piece{r.variablePiece(n)}
		r.mention(piece)
		r.show(piece)
	case *ast.Emphasis:
		s.open([]string{"em", "strong"}[min(n.Level, 2)-1])
		return 1, true
	case *extast.Strikethrough:
		s.open("del")
		return 1, true
	case *ast.CodeSpan:
		s.open("code")
		pieces := r.textOf(n)
		r.mention(pieces)
		r.show(pieces)
		return 1, false
	case *ast.Link:
		r.link(n)
		return 1, true
	case *ast.AutoLink:
		r.autoLink(n)
	case *ast.Image:
		r.image(n)
	case *ast.RawHTML:
		if n.Segments.Len() > 0 {
			r.authorHTML(string(n.Segments.Value(r.source)), n.Segments.At(0).Start)
		}
	case *extast.TaskCheckBox:
		attrs := []attribute{{"type", "checkbox"}, {"disabled", ""}}
		if n.IsChecked {
			attrs = append(attrs, attribute{"checked", ""})
		}
		s.void("input", attrs...)
		s.text(" ")
	case *directiveNode:
		return r.directive(&n.directive, false), false
	}
	return 0, false
}

func (r *renderer) textNode(n *ast.Text) string {
	value := string(n.Segment.Value(r.source))
	if n.IsRaw() {
		return value
	}
	return unmark(value)
}

func (r *renderer) variablePiece(n *variableNode) piece {
	return piece{text: r.value(n.name), variable: n.name, start: n.start, end: n.end}
}

// textOf is the text in a node without its markup.
func (r *renderer) textOf(root ast.Node) []piece {
	var out []piece
	add := func(text string, at int) {
		if last := len(out) - 1; last >= 0 && out[last].variable == "" {
			out[last].text += text
			return
		}
		out = append(out, piece{text: text, start: at, end: at})
	}
	code := root.Kind() == ast.KindCodeSpan
	n := root
	for {
		descend := true
		switch n := n.(type) {
		case *ast.Text:
			value := r.textNode(n)
			if code || n.Parent().Kind() == ast.KindCodeSpan {
				value = strings.TrimSuffix(string(n.Segment.Value(r.source)), "\n")
				out = append(out, r.pieces(value, n.Segment.Start)...)
				if len(value) < n.Segment.Len() {
					add(" ", n.Segment.Stop)
				}
			} else {
				add(value, n.Segment.Start)
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				add(" ", n.Segment.Stop)
			}
		case *ast.String:
			add(string(n.Value), 0)
		case *ast.AutoLink:
			out = append(out, r.pieces(string(n.Label(r.source)), n.Pos())...)
		case *variableNode:
			out = append(out, r.variablePiece(n))
		case *directiveNode:
			add(n.label, n.labelStart)
		}
		if descend && n.FirstChild() != nil {
			n = n.FirstChild()
			continue
		}
		for n != root && n.NextSibling() == nil {
			n = n.Parent()
		}
		if n == root {
			return out
		}
		n = n.NextSibling()
	}
}

// marked is text with escapes and variables in it, such as a link's title.
func (r *renderer) marked(s []byte) []piece {
	pieces := r.pieces(string(s), 0)
	for i, p := range pieces {
		if p.variable == "" {
			pieces[i].text = unmark(p.text)
		}
	}
	return pieces
}

// note records the variables of a link's or image's attribute. The parser keeps no place of it, so that each is sought
// after the node's.
func (r *renderer) note(pieces []piece, node ast.Node) {
	at := max(0, node.Pos())
	for i, p := range pieces {
		if p.variable == "" {
			continue
		}
		pieces[i].start, pieces[i].end = at, at
		near := string(r.source[at:min(len(r.source), at+longestURL)])
		for from := 0; ; from++ {
			next := strings.Index(near[from:], "$$")
			if next < 0 {
				break
			}
			from += next
			if name, n := variableAt(near, from, r.options.Variables); n > 0 && name == p.variable {
				pieces[i].start, pieces[i].end = at+from, at+from+n
				at += from + n
				break
			}
		}
	}
	r.mention(pieces)
}

func (r *renderer) link(n *ast.Link) {
	target, title := r.marked(n.Destination), r.marked(n.Title)
	r.note(target, n)
	r.note(title, n)
	r.openLink(target, title)
}

func (r *renderer) openLink(target, title []piece) {
	var out attributes
	external, _ := r.fillURL(&out, "href", target, linkURL)
	if text := plain(title); text != "" && len(text) <= longestURL {
		out.fill("title", title)
	}
	if external {
		out.add("target", "_blank").add("rel", "noopener noreferrer")
	}
	r.out.open("a", out.all()...)
}

func (r *renderer) autoLink(n *ast.AutoLink) {
	// The node's position is that of the bracket or the blank before it.
	text, at := string(n.Label(r.source)), max(n.Pos(), 0)
	at += max(0, bytes.Index(r.source[at:min(len(r.source), at+len(text)+10)], []byte(text)))
	label := r.pieces(text, at)
	target := r.pieces(string(n.URL(r.source)), at)
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(plain(target)), "mailto:") {
		target = append([]piece{{text: "mailto:"}}, target...)
	}
	r.mention(label)
	r.openLink(target, nil)
	r.show(label)
	r.out.close()
}

func (r *renderer) image(n *ast.Image) {
	target, title, alt := r.marked(n.Destination), r.marked(n.Title), r.textOf(n)
	r.note(target, n)
	r.note(title, n)
	r.mention(alt)
	var out attributes
	r.fillURL(&out, "src", target, imageURL)
	out.fill("alt", alt)
	if text := plain(title); text != "" && len(text) <= longestURL {
		out.fill("title", title)
	}
	r.out.void("img", out.add("loading", "lazy").all()...)
}
