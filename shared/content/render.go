package content

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
)

// renderer walks one section's tree.
type renderer struct {
	options Options
	source  []byte
	offsets original
	labels  parser.Parser
	section Section
	out     sink
	slugs   map[string]int
	named   map[string]bool
	budget  int  // bytes of variables' values that may still be filled in
	tags    int  // stretches of HTML that may still be read
	quiet   bool // in a label

	tagStart, tagEnd int // of the author's tag that is read
}

// tree renders a node and what is in it. It walks by the pointers of the tree and not by calling itself: emphasis may be
// nested thousands of times.
func (r *renderer) tree(root ast.Node) {
	var opened []int // of each node that we are in: how many elements it opened
	n := root
	for {
		elements, descend := r.enter(n)
		if descend && n.FirstChild() != nil {
			opened = append(opened, elements)
			n = n.FirstChild()
			continue
		}
		for {
			for range elements {
				r.out.close()
			}
			r.leave(n)
			if n == root {
				return
			}
			if n.NextSibling() != nil {
				n = n.NextSibling()
				break
			}
			n = n.Parent()
			elements = opened[len(opened)-1]
			opened = opened[:len(opened)-1]
		}
	}
}

// enter writes the beginning of a node: how many elements it opened, and whether its children come next.
func (r *renderer) enter(node ast.Node) (elements int, descend bool) {
	s := &r.out
	switch n := node.(type) {
	case *ast.Document:
		return 0, true
	case *ast.Paragraph:
		s.open("p")
		return 1 + r.task(n), true
	case *ast.TextBlock:
		return r.task(n), true
	case *longNode:
		s.open("p")
		pieces := r.pieces(string(n.Lines().Value(r.source)), n.Lines().At(0).Start)
		r.mention(pieces)
		r.show(pieces)
		return 1, false
	case *ast.Heading:
		r.heading(n)
		return 1, true
	case *ast.ThematicBreak:
		s.void("hr")
		s.line()
	case *ast.Blockquote:
		return r.quote(n), true
	case *ast.List:
		return r.list(n), true
	case *ast.ListItem:
		if isTask(n) {
			s.open("li", attribute{"class", "task"})
		} else {
			s.open("li")
		}
		return 1, true
	case *ast.CodeBlock:
		s.open("pre", attribute{"tabindex", "0"})
		s.open("code")
		pieces := r.linePieces(n.Lines())
		for _, line := range pieces {
			r.mention(line)
			r.show(line)
			s.text("\n")
		}
		return 2, false
	case *ast.FencedCodeBlock:
		r.fence(n)
	case *ast.HTMLBlock:
		html := string(n.Lines().Value(r.source))
		if n.HasClosure() {
			html += string(n.ClosureLine.Value(r.source))
		}
		r.authorHTML(html, n.Lines().At(0).Start)
		s.endSilence()
	case *directiveBlock:
		return r.directiveBlock(n), true
	case *extast.Table:
		s.open("div", attribute{"class", "table"}, attribute{"role", "region"}, attribute{"tabindex", "0"}, attribute{"aria-label", "Table"})
		s.open("table")
		return 2, true
	case *extast.TableHeader:
		s.open("thead")
		s.open("tr")
		return 2, true
	case *extast.TableRow:
		if n.PreviousSibling() != nil && n.PreviousSibling().Kind() == extast.KindTableHeader {
			s.open("tbody")
		}
		s.open("tr")
		return 1, true
	case *extast.TableCell:
		r.cell(n)
		return 1, true
	default:
		return r.inline(node)
	}
	return 0, false
}

// leave writes what follows a node.
func (r *renderer) leave(node ast.Node) {
	if node.Type() == ast.TypeBlock && node.Kind() != ast.KindTextBlock && node.Kind() != extast.KindTableCell && !r.quiet {
		r.out.line()
	}
	if node.Kind() == extast.KindTableRow && node.NextSibling() == nil {
		r.out.close() // tbody
	}
}

// notice adds an alert of our own.
func (r *renderer) notice(kind, message string) {
	r.openAlert(kind)
	r.out.open("p")
	r.out.text(message)
	r.out.close()
	r.out.close()
	r.out.line()
}

func (r *renderer) openAlert(kind string) {
	r.out.open("div", attribute{"class", "alert alert-" + kind}, attribute{"role", "note"})
	r.out.open("p", attribute{"class", "alert-title"})
	r.out.text(alertTitles[kind])
	r.out.close()
	r.out.line()
}

func (r *renderer) quote(n *ast.Blockquote) int {
	if kind, ok := n.AttributeString(alertKind); ok {
		r.openAlert(kind.(string))
		return 1
	}
	r.out.open("blockquote")
	return 1
}

func (r *renderer) list(n *ast.List) int {
	if !n.IsOrdered() {
		r.out.open("ul")
	} else if n.Start == 1 {
		r.out.open("ol")
	} else {
		r.out.open("ol", attribute{"start", strconv.Itoa(n.Start)})
	}
	return 1
}

// task opens the label of a task list's item, which holds the checkbox and the item's text.
func (r *renderer) task(n ast.Node) int {
	if first := n.FirstChild(); first == nil || first.Kind() != extast.KindTaskCheckBox {
		return 0
	}
	r.out.open("label")
	return 1
}

func isTask(n *ast.ListItem) bool {
	return n.FirstChild() != nil && n.FirstChild().FirstChild() != nil && n.FirstChild().FirstChild().Kind() == extast.KindTaskCheckBox
}

func (r *renderer) cell(n *extast.TableCell) {
	name := "td"
	var attrs []attribute
	if n.Parent().Kind() == extast.KindTableHeader {
		name = "th"
		attrs = append(attrs, attribute{"scope", "col"})
	}
	if n.Alignment != extast.AlignNone {
		attrs = append(attrs, attribute{"align", n.Alignment.String()})
	}
	r.out.open(name, attrs...)
}

func (r *renderer) heading(n *ast.Heading) {
	text := strings.Join(strings.Fields(plain(r.textOf(n))), " ")
	slug := slugOf(text)
	id := slug
	for number := r.slugs[slug]; number > 0; number++ {
		id = slug + "-" + strconv.Itoa(number)
		if r.slugs[id] == 0 {
			r.slugs[slug] = number
			break
		}
	}
	r.slugs[id]++
	if id != slug {
		r.slugs[slug]++
	}
	r.section.Headings = append(r.section.Headings, Heading{Level: n.Level, ID: r.prefix() + id, Text: text})
	r.out.open("h"+strconv.Itoa(n.Level), attribute{"id", r.prefix() + id})
}

// slugOf makes an id of a heading as GitHub does: letters, digits, `-` and `_` of any script, blanks as `-`.
func slugOf(text string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_':
			b.WriteRune(c)
		case c == ' ':
			b.WriteByte('-')
		}
		if b.Len() > 100 {
			break
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}
