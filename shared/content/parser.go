package content

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Bounds on what is parsed, so that hostile text ends in time. What exceeds them is shown as plain text.
const (
	deepest       = 40       // block containers in each other; wasm dies of a few thousand
	longestInline = 8 << 10  // bytes of a paragraph, heading or table row that are searched for markup
	mostCells     = 20 << 10 // columns × rows of one table, which Markdown pads
	mostMarks     = 1500     // characters in it that may be markup
	mostBrackets  = 400      // of these `[`, each of which may be compared with all after it
)

// tooMuch tells whether a stretch of text is left as it is.
func tooMuch(s []byte) bool {
	if len(s) > longestInline {
		return true
	}
	marks, brackets := 0, 0
	for _, c := range s {
		switch c {
		case '[':
			brackets++
			marks++
		case '*', '_', '`', '<', '~', ':', '!', '$', ']':
			marks++
		}
	}
	return marks > mostMarks || brackets > mostBrackets
}

// newSectionParser parses sections: GFM, alerts, directives and variables.
func newSectionParser(known Variables) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(bounded{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(headingParser{parser.NewATXHeadingParser()}, 600),
			util.Prioritized(fenceParser{parser.NewFencedCodeBlockParser()}, 700),
			util.Prioritized(bounded{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(bounded{directiveBlockParser{}}, 850),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(append(inlineParsers(known),
			util.Prioritized(extension.NewTaskCheckBoxParser(), 50),
			util.Prioritized(directiveParser{}, 150),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		)...),
		parser.WithParagraphTransformers(
			util.Prioritized(alertTransformer{}, 50),
			util.Prioritized(referenceTransformer{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(tableTransformer{extension.NewTableParagraphTransformer()}, 200),
			util.Prioritized(longTransformer{}, 900),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
		),
	)
}

// newLabelParser parses the label of a directive, which goes into a button: no links, no HTML, no directives.
func newLabelParser(known Variables) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(inlineParsers(known)...),
		parser.WithParagraphTransformers(util.Prioritized(longTransformer{}, 900)),
	)
}

func inlineParsers(known Variables) []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(variableParser{known}, 90),
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	}
}

// bounded opens a container only where it is not too deep.
type bounded struct{ parser.BlockParser }

func (p bounded) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if depth++; depth > deepest {
			return nil, parser.NoChildren
		}
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// headingParser leaves lines that are too long for a heading to the paragraph.
type headingParser struct{ parser.BlockParser }

func (p headingParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); tooMuch(line) {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// fenceParser notes where a fence ends, which goldmark does not keep.
type fenceParser struct{ parser.BlockParser }

const fenceEnd = "end"

func (p fenceParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, segment := reader.PeekLine()
	state := p.BlockParser.Continue(node, reader, pc)
	if state == parser.Close {
		node.SetAttributeString(fenceEnd, segment.Start+len(bytes.TrimRight(line, " \t\n"))-segment.Padding)
	}
	return state
}

// referenceTransformer takes definitions only from paragraphs of bounded size, since each one is looked for in all that
// is left of the paragraph.
type referenceTransformer struct{ parser.ParagraphTransformer }

func (t referenceTransformer) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	size := 0
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		size += line.Len()
	}
	if size <= 2*longestInline {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// tableTransformer makes tables only of bounded size: a short row is padded to all columns, so that rows × columns can
// be far more than the text.
type tableTransformer struct{ parser.ParagraphTransformer }

func (t tableTransformer) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	columns := 0
	for i := range lines.Len() {
		line := lines.At(i)
		value := line.Value(reader.Source())
		if tooMuch(value) {
			return
		}
		columns = max(columns, bytes.Count(value, []byte{'|'}))
	}
	if columns*lines.Len() <= mostCells {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// longNode is a paragraph that is too long to be searched for markup.
type longNode struct{ ast.BaseBlock }

var kindLong = ast.NewNodeKind("Long")

func (n *longNode) Kind() ast.NodeKind { return kindLong }

func (n *longNode) IsRaw() bool { return true }

func (n *longNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type longTransformer struct{}

func (longTransformer) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	if !tooMuch(node.Lines().Value(reader.Source())) {
		return
	}
	long := &longNode{}
	long.SetLines(node.Lines())
	node.Parent().ReplaceChild(node.Parent(), node, long)
}

// alertTransformer finds the `[!NOTE]` line that makes an alert of a blockquote.
type alertTransformer struct{}

const alertKind = "alert"

var alertTitles = map[string]string{
	"note": "Note", "tip": "Tip", "important": "Important", "warning": "Warning", "caution": "Caution",
}

func (alertTransformer) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	quote, ok := node.Parent().(*ast.Blockquote)
	if !ok || quote.FirstChild() != node || node.Lines().Len() == 0 {
		return
	}
	first := node.Lines().At(0)
	marker := strings.TrimSpace(string(first.Value(reader.Source())))
	name, ok := strings.CutPrefix(marker, "[!")
	if !ok || !strings.HasSuffix(name, "]") {
		return
	}
	name = strings.ToLower(name[:len(name)-1])
	if _, known := alertTitles[name]; !known {
		return
	}
	quote.SetAttributeString(alertKind, name)
	rest := text.NewSegments()
	for i := 1; i < node.Lines().Len(); i++ {
		rest.Append(node.Lines().At(i))
	}
	if rest.Len() == 0 {
		quote.RemoveChild(quote, node)
		return
	}
	node.SetLines(rest)
}
