package content

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// directive is what both forms have: `:name[label]{options}`.
type directive struct {
	name       string // lower-case
	label      string // as it stands
	labelStart int
	options    options
	start, end int // in the source; of a container its opening line
}

var directiveNames = map[string]bool{
	"filelink": true, "tablink": true, "variabledefinition": true, "variablesetbutton": true, "conditionaldisplay": true,
}

const (
	longestLabel   = 1000
	longestOptions = 2000
	longestKnown   = len("variabledefinition")
)

// parseDirective reads a directive at the start of s, after its colons. An unknown name, or one without label and
// options where bare is not allowed, is none.
func parseDirective(s string, bare bool) (d directive, length int) {
	i := 0
	for i < len(s) && i <= longestKnown && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z') {
		i++
	}
	d.name = strings.ToLower(s[:i])
	if !directiveNames[d.name] {
		return d, 0
	}
	named := i
	if n := labelLength(s[i:]); n > 0 {
		inside := s[i+1 : i+n-1]
		d.label = strings.TrimSpace(inside)
		d.labelStart = i + 1 + strings.Index(inside, d.label)
		i += n
	}
	found, n := parseOptions(s[i:min(len(s), i+longestOptions)])
	d.options = found
	i += n
	if i == named && !bare {
		return d, 0
	}
	return d, i
}

// labelLength is how long the label in balanced brackets at the start of s is, 0 when there is none.
func labelLength(s string) int {
	if s == "" || s[0] != '[' {
		return 0
	}
	depth := 0
	for i := 0; i < min(len(s), longestLabel); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// directiveNode is a directive in text.
type directiveNode struct {
	ast.BaseInline
	directive
}

var kindDirective = ast.NewNodeKind("Directive")

func (n *directiveNode) Kind() ast.NodeKind { return kindDirective }

func (n *directiveNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// directiveParser finds `:name[…]{…}` in text, also `::name` when the line holds something else.
type directiveParser struct{}

func (directiveParser) Trigger() []byte { return []byte{':'} }

func (directiveParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	colons := countColons(line[:min(len(line), 3)])
	if colons > 2 || block.PrecendingCharacter() == ':' {
		return nil
	}
	n := 0
	for n < len(line)-colons && n <= longestKnown && line[colons+n] != '[' && line[colons+n] != '{' {
		n++
	}
	if !directiveNames[strings.ToLower(string(line[colons:colons+n]))] {
		return nil
	}
	// Label and options may go over the end of the line.
	startLine, startSegment := block.Position()
	var text bytes.Buffer
	for first := true; ; first = false {
		line, _ := block.PeekLine()
		if line == nil || text.Len() > longestLabel+longestOptions {
			break
		}
		if first {
			line = line[colons:]
		}
		text.Write(line[:min(len(line), longestLabel+longestOptions)])
		block.AdvanceLine()
	}
	block.SetPosition(startLine, startSegment)
	d, length := parseDirective(text.String(), false)
	if length == 0 {
		return nil
	}
	d.labelStart += segment.Start + colons
	d.start = segment.Start
	block.Advance(colons)
	for length > 0 {
		line, _ := block.PeekLine()
		if len(line) > length {
			block.Advance(length)
			break
		}
		length -= len(line)
		if length == 0 {
			_, last := block.Position()
			d.end = last.Stop
		}
		block.AdvanceLine()
	}
	if _, after := block.Position(); d.end == 0 {
		d.end = after.Start
	}
	return &directiveNode{directive: d}
}

// directiveBlock is a directive on lines of its own.
type directiveBlock struct {
	ast.BaseBlock
	directive
	colons int // of a container; a leaf has two and no children
}

var kindDirectiveBlock = ast.NewNodeKind("DirectiveBlock")

func (n *directiveBlock) Kind() ast.NodeKind { return kindDirectiveBlock }

func (n *directiveBlock) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// directiveBlockParser finds `::name[…]{…}` and `:::name{…}` … `:::`.
type directiveBlockParser struct{}

func (directiveBlockParser) Trigger() []byte { return []byte{':'} }

func (directiveBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	position := pc.BlockOffset()
	if position < 0 {
		return nil, parser.NoChildren
	}
	rest := line[position:]
	colons := countColons(rest)
	if colons < 2 || len(rest) > longestLabel+longestOptions {
		return nil, parser.NoChildren
	}
	d, length := parseDirective(string(rest[colons:]), true)
	if length == 0 || len(bytes.TrimSpace(rest[colons+length:])) > 0 {
		return nil, parser.NoChildren
	}
	if colons == 2 && d.name == "conditionaldisplay" && d.label == "" {
		return nil, parser.NoChildren // it would show nothing: let the author see why
	}
	d.start = segment.Start - segment.Padding + position
	d.labelStart += d.start + colons
	d.end = d.start + colons + length
	reader.AdvanceToEOL()
	node := &directiveBlock{directive: d, colons: colons}
	if colons == 2 {
		return node, parser.NoChildren
	}
	return node, parser.HasChildren
}

func (directiveBlockParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	n := node.(*directiveBlock)
	if n.colons == 2 {
		return parser.Close
	}
	line, _ := reader.PeekLine()
	indent, position := util.IndentWidth(line, reader.LineOffset())
	if indent < 4 {
		colons := countColons(line[position:])
		if colons >= 3 && len(bytes.TrimSpace(line[position+colons:])) == 0 && n.closedBy(colons, indent, pc.OpenedBlocks()) {
			reader.AdvanceToEOL()
			return parser.Close
		}
	}
	return parser.Continue | parser.HasChildren
}

// closedBy tells whether a closing line is for this container, and not for one inside it: the innermost with as many
// colons, else the innermost with fewer. A line in a code block, or that goes on a list item, is not for it.
func (n *directiveBlock) closedBy(colons, indent int, opened []parser.Block) bool {
	from := slices.IndexFunc(opened, func(block parser.Block) bool { return block.Node == ast.Node(n) })
	var best *directiveBlock
inside:
	for _, block := range opened[from:] {
		switch inner := block.Node.(type) {
		case *directiveBlock:
			if inner.colons == colons || inner.colons > 2 && inner.colons < colons && (best == nil || best.colons != colons) {
				best = inner
			}
		case *ast.List:
		case *ast.ListItem:
			if indent >= inner.Offset {
				return false
			}
			break inside
		case *ast.FencedCodeBlock:
			return false
		default:
			break inside
		}
	}
	return best == n
}

func (directiveBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

func (directiveBlockParser) CanInterruptParagraph() bool { return true }

func (directiveBlockParser) CanAcceptIndentedLine() bool { return false }

func countColons(s []byte) int {
	n := 0
	for n < len(s) && s[n] == ':' {
		n++
	}
	return n
}
