package yamldoc

import (
	"errors"
	"slices"

	"github.com/goccy/go-yaml/ast"
	goccy "github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"asz/shared/diag"
)

// maxAttempts bounds how often a batch is parsed anew after a piece of it was blanked out.
const maxAttempts = 20

// structure gives the batch to goccy's parser. Where that stops, the smallest entry around the mistake
// is blanked out and the rest is parsed again. The result is nil when nothing usable is left.
func (b *batch) structure() ast.Node {
	blanked := -1 // where what follows the last piece blanked out begins
	for range maxAttempts {
		if len(b.lexemes) == 0 || b.p.stopped {
			return nil
		}
		tree, at := b.p.tokens.parse(b.lexemes)
		if at < 0 {
			return tree
		}
		if l := b.lexemes[at]; !l.cut && int(b.lexemes[b.lineStart(at)].start) != blanked {
			b.explain(at)
		}
		blanked = b.blank(at)
	}
	return nil
}

// tokens is what goccy's parser gets. All batches use the same memory: a tree is walked before the next is made.
type tokens struct {
	list      token.Tokens
	tokens    []token.Token
	positions []token.Position
}

// parse runs goccy's parser. at is the index of the lexeme it stopped at, -1 when it did not.
func (s *tokens) parse(lexemes []lexeme) (tree ast.Node, at int) {
	defer func() {
		if recover() != nil {
			tree, at = nil, 0 // it gives no better place
		}
	}()
	if n := len(lexemes); n > len(s.list) {
		n = max(n, 2*len(s.list))
		*s = tokens{make(token.Tokens, n), make([]token.Token, n), make([]token.Position, n)}
	}
	for i := range lexemes {
		l := &lexemes[i]
		// Offset carries the index of the lexeme through the tree.
		s.positions[i] = token.Position{Line: int(l.line) + 1, Column: int(l.column) + 1, Offset: i}
		s.tokens[i] = token.Token{Type: l.typ, Position: &s.positions[i]}
		s.list[i] = &s.tokens[i]
	}
	file, err := goccy.Parse(s.list[:len(lexemes)], 0, goccy.AllowDuplicateMapKey())
	if err != nil {
		var where interface{ GetToken() *token.Token }
		if errors.As(err, &where) && where.GetToken() != nil {
			return nil, index(where.GetToken())
		}
		return nil, 0
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, 0
	}
	return file.Docs[0].Body, -1
}

func index(t *token.Token) int { return t.Position.Offset }

// explain reports what is wrong at the lexeme goccy stopped at.
func (b *batch) explain(at int) {
	p, l := b.p, b.lexemes[at]
	if l.inner {
		p.fail(int(l.start), int(max(l.end, l.start+1)), "a comma is missing before this", "write a comma, or put text with special characters in quotes")
		return
	}
	p.misplaced(int(b.lexemes[b.lineStart(at)].start))
}

// misplaced reports a line that no line above has a place for.
func (p *parser) misplaced(start int) {
	next := p.lineAfter(start)
	p.findings = slices.DeleteFunc(p.findings, func(d diag.Diagnostic) bool {
		return d.Code == "yaml-syntax" && d.Span.Start >= next && d.Span.Start < p.lineAfter(next) // it belongs to this line
	})
	p.fail(start, p.contentEnd(start), "the indentation of this line fits no line above",
		"indent it like the lines it belongs with, or deeper below a key without a value")
}

// lineStart is the index of the first lexeme on the line of a lexeme.
func (b *batch) lineStart(at int) int {
	for at > 0 && !b.lexemes[at].fresh {
		at--
	}
	return at
}

// blank takes the smallest entry around a lexeme out of the batch: within a line the value behind its
// last colon or dash, else the whole entry. It gives the offset where what follows the piece begins.
func (b *batch) blank(at int) int {
	first := b.lineStart(at)
	end := b.entryEnd(first)
	from := first
	for i := at - 1; i >= first; i-- {
		if l := b.lexemes[i]; !l.inner && (l.typ == token.MappingValueType || l.typ == token.SequenceEntryType) {
			from = i + 1
			break
		}
	}
	after := b.after
	if end < len(b.lexemes) {
		after = int(b.lexemes[end].start)
	}
	piece := b.lexemes[from]
	b.p.faults = append(b.p.faults, int(piece.start))
	rest := b.lexemes[end:]
	if from > first && !piece.cut {
		n := b.p.empty(int(piece.start))
		n.Broken = true
		b.lexemes = append(b.lexemes[:from:from], lexeme{
			typ: token.StringType, start: piece.start, end: piece.start, line: piece.line, column: piece.column, scalar: n, cut: true,
		})
	} else {
		b.lexemes = b.lexemes[:first:first]
	}
	b.lexemes = append(b.lexemes, rest...)
	return after
}
