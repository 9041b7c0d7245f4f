package yamldoc

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"asz/shared/diag"
)

// maxFindings ends the reading of a file that is wrong throughout.
const maxFindings = 100

// parser holds the state of one Parse. All offsets are bytes of the source as written.
type parser struct {
	src        *diag.Source
	text       string
	end        int // where the document ends in text
	pos        int
	line       int // offset of the line that holds pos
	limits     Limits
	appendKeys bool
	never      bool // reads directly, for a test

	findings diag.List
	faults   []int // offsets of syntax findings: the values around them are broken
	stopped  bool  // a limit was hit: nothing more is read
	tabbed   int   // end of the last line left out for its tab, so that a run of them is one finding

	lexemes []lexeme
	tokens  tokens
	blocks  []block // open entries, outermost first
	pending *props  // tag and anchor that stand on a line above their value

	stray stray // the last list item that stands left of its list

	nodes, repeated int
	anchors         map[string]*Node // nil: the value is still being read
	missing         map[string]int   // by name of an anchor that is not there: its finding
}

// Parse reads the one document of a source. The findings are in file order. Root is nil when the file
// is not UTF-8 or goes beyond a limit; after other mistakes it holds what could be read.
func Parse(src *diag.Source, o Options) (*Document, diag.List) {
	return newParser(src, o).parse()
}

func newParser(src *diag.Source, o Options) *parser {
	return &parser{
		src: src, text: src.Text, end: len(src.Text), limits: o.Limits.withDefaults(),
		appendKeys: o.AppendKeys, tabbed: -1, anchors: map[string]*Node{},
		lexemes: make([]lexeme, 0, min(len(src.Text), 1<<20)/12), // most files have fewer
	}
}

func (p *parser) parse() (*Document, diag.List) {
	doc := &Document{Source: p.src}
	if p.readable() {
		p.frame()
		doc.Root = p.root()
		if doc.Root != nil && slices.ContainsFunc(p.findings, func(d diag.Diagnostic) bool { return d.Code == "yaml-second-document" }) {
			doc.Root.Broken = true // what is missing of it may stand there
		}
	}
	if p.stopped {
		doc.Root = nil
	}
	p.findings.Sort()
	return doc, p.findings
}

func (p *parser) span(start, end int) diag.Span {
	return diag.Span{Source: p.src, Start: start, Len: max(0, end-start)}
}

// report adds a finding, unless reading has stopped. The result is never nil.
func (p *parser) report(code diag.Code, start, end int, message string) *diag.Diagnostic {
	if p.stopped {
		return &diag.Diagnostic{}
	}
	d := p.findings.Add(code, p.span(start, end), message)
	if len(p.findings) >= maxFindings {
		p.stop()
	}
	return d
}

// fail reports a mistake in the structure: the values around it are broken.
func (p *parser) fail(start, end int, message, fix string) *diag.Diagnostic {
	d := p.broken("yaml-syntax", start, end, message)
	d.Fix = &diag.Fix{Text: fix}
	return d
}

// broken reports a mistake that leaves a value out.
func (p *parser) broken(code diag.Code, start, end int, message string) *diag.Diagnostic {
	p.faults = append(p.faults, start)
	return p.report(code, start, end, message)
}

// stop ends the reading: every loop finds the end of the document.
func (p *parser) stop() {
	p.stopped = true
	p.pos = p.end
}

// readable checks size, encoding and control characters.
func (p *parser) readable() bool {
	if len(p.text) > p.limits.Bytes {
		p.report("yaml-too-large", 0, 0, fmt.Sprintf("the file has %d bytes; %d are the most that are read", len(p.text), p.limits.Bytes))
		return false
	}
	if strings.HasPrefix(p.text, "\xff\xfe") || strings.HasPrefix(p.text, "\xfe\xff") {
		p.report("yaml-encoding", 0, 2, "the file is UTF-16, not UTF-8")
		return false
	}
	const bom = "\uFEFF"
	if strings.HasPrefix(p.text, bom) {
		p.pos, p.line = len(bom), len(bom)
	}
	for i := p.pos; i < len(p.text); {
		c := p.text[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(p.text[i:])
		if r == utf8.RuneError && n == 1 {
			p.report("yaml-encoding", i, i+1, fmt.Sprintf("the byte 0x%02X is not UTF-8", c))
			return false
		}
		if r < ' ' || r >= 0x7f && r <= 0x9f && r != 0x85 || r == 0xFFFE || r == 0xFFFF {
			p.report("yaml-control-character", i, i+n, fmt.Sprintf("the control character U+%04X may not stand in a YAML file", r))
		}
		i += n
	}
	return !p.stopped
}

// frame finds where the document begins and ends: behind directives and `---`, before the next marker.
// A marker ends the document wherever it stands at the start of a line, so this needs no parsing.
func (p *parser) frame() {
	directive := -1
	for i := p.pos; i < len(p.text); i = p.lineAfter(i) {
		if p.marker(i, "---") {
			p.line, p.pos, directive = i, i+3, -1
			break
		}
		c := p.firstOf(i)
		if p.text[i] == '%' {
			p.directive(i)
			directive = i
		} else if c != 0 && c != '#' && !p.marker(i, "...") {
			break
		} else if directive < 0 {
			p.pos, p.line = i, i
		}
	}
	if directive >= 0 {
		p.fail(directive, lineEnd(p.text, directive), "a line that begins with % is a directive, but no --- line follows it",
			"remove the line, or begin the document with ---")
		p.pos = p.lineAfter(directive)
		p.line = p.pos
	}
	first := p.pos
	if p.line < p.pos && p.text[p.line] == '-' {
		first = p.lineAfter(p.pos)
	}
	ended := false
	for i := first; i < len(p.text); i = p.lineAfter(i) {
		c := p.firstOf(i)
		switch {
		case p.marker(i, "---"):
			p.report("yaml-second-document", i, i+3, "a second document begins here; only the first one is read")
		case !ended && p.marker(i, "..."):
			ended = true
			if rest := i + 3 + span(p.text[i+3:], isBlank); !isBreak(p.at(rest)) && p.text[rest] != '#' {
				p.fail(rest, lineEnd(p.text, rest), "this stands behind the end of the document (...) and is not read", "remove it")
			}
			p.end = i
			continue
		case ended && c != 0 && c != '#' && !p.marker(i, "..."):
			p.report("yaml-second-document", i, lineEnd(p.text, i), "this stands behind the end of the document (...) and is not read").
				Fix.Text = "remove the ... line or what follows it"
		default:
			continue
		}
		if !ended {
			p.end = i
		}
		return
	}
}

func (p *parser) directive(i int) {
	if strings.HasPrefix(p.text[i:], "%TAG") {
		p.report("yaml-tag", i, lineEnd(p.text, i), "%TAG lines are not supported").Fix.Text = "remove the line and write tags in full"
	}
}

// marker reports whether the line at i is a document marker.
func (p *parser) marker(i int, marker string) bool {
	return strings.HasPrefix(p.text[i:], marker) && (i+3 == len(p.text) || isBlank(p.text[i+3]) || isBreak(p.text[i+3]))
}

// firstOf is the first byte of the line at i that is no blank, 0 for an empty line.
func (p *parser) firstOf(i int) byte {
	i += span(p.text[i:], isBlank)
	if i == len(p.text) || isBreak(p.text[i]) {
		return 0
	}
	return p.text[i]
}

func (p *parser) lineAfter(i int) int {
	return breakEnd(p.text, lineEnd(p.text, i))
}

// root reads the document's value.
func (p *parser) root() *Node {
	at := p.pos
	p.scan(p.line < p.pos && p.text[p.line] == '-')
	if len(p.lexemes) == 0 {
		n := p.empty(at)
		n.Broken = len(p.faults) > 0
		return n
	}
	b := batch{p: p, lexemes: p.lexemes, after: p.end}
	if n := b.direct(false); n != nil {
		return n
	}
	return b.build(false)
}
