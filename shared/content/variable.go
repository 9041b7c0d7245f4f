package content

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// piece is a stretch of text: literal, or a variable.
type piece struct {
	text       string // what is shown; of a variable its initial value
	variable   string // its name, "" for a literal
	start, end int    // in the source
}

// longestName bounds how far the end of a $$name$$ is sought.
const longestName = 100

// variableAt is the variable that starts at s[i]: its name and its length in s, 0 when there is none. A name is made of
// letters, digits, `_`, `-` and `.`, so that `kill $$; echo $$` is none; a name that the lab defines may be anything.
func variableAt(s string, i int, known Variables) (name string, length int) {
	if !strings.HasPrefix(s[i:], "$$") {
		return "", 0
	}
	rest := s[i+2 : min(len(s), i+2+longestName)]
	end := strings.Index(rest, "$$")
	if end < 0 {
		return "", 0
	}
	name = strings.Trim(rest[:end], " \t")
	if strings.ContainsAny(name, "\n") {
		return "", 0
	}
	if _, defined := known[name]; name == "" || !defined && !isName(name) {
		return "", 0
	}
	return name, end + 4
}

func isName(name string) bool {
	for i, c := range name {
		if c == utf8.RuneError || !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && (i == 0 || c != '-' && c != '.') {
			return false
		}
	}
	return name != ""
}

// pieces splits text that starts at a position of the source: $$name$$ becomes a variable, \$\$ a literal $$.
func (r *renderer) pieces(s string, start int) []piece {
	var out []piece
	from := 0
	flush := func(to int) {
		if to > from {
			out = append(out, piece{text: clean(s[from:to]), start: start + from, end: start + to})
		}
	}
	for i := 0; i < len(s); {
		next := strings.IndexAny(s[i:], `$\`)
		if next < 0 {
			break
		}
		i += next
		if strings.HasPrefix(s[i:], `\$\$`) {
			flush(i)
			out = append(out, piece{text: "$$", start: start + i, end: start + i + 4})
			i += 4
			from = i
		} else if name, n := variableAt(s, i, r.options.Variables); n > 0 {
			flush(i)
			out = append(out, piece{text: r.value(name), variable: name, start: start + i, end: start + i + n})
			i += n
			from = i
		} else {
			i++
		}
	}
	flush(len(s))
	return out
}

// value is what a variable shows at first: its value, or its name while it has none.
func (r *renderer) value(name string) string {
	value, ok := r.options.Variables[name]
	if !ok || len(value) > r.budget {
		return name
	}
	r.budget -= len(value)
	return clean(value)
}

// plain joins pieces as they show at first.
func plain(pieces []piece) string {
	if len(pieces) == 1 {
		return pieces[0].text
	}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// template writes pieces so that the page can fill them in again; ok is false when there is no variable in them.
func template(pieces []piece) (text string, ok bool) {
	var b strings.Builder
	for _, p := range pieces {
		if p.variable != "" {
			ok = true
			b.WriteString("$$" + p.variable + "$$")
		} else {
			b.WriteString(strings.ReplaceAll(p.text, "$$", `\$\$`))
		}
	}
	return b.String(), ok
}

// show prints pieces, each variable in an element that the page fills in again.
func (r *renderer) show(pieces []piece) {
	for _, p := range pieces {
		if p.variable == "" {
			r.out.text(p.text)
			continue
		}
		r.out.variable(p.variable, p.text)
	}
}

// mention records that the pieces print variables.
func (r *renderer) mention(pieces []piece) {
	for _, p := range pieces {
		if p.variable != "" {
			r.use("text", p.variable, p.start, p.end)
		}
	}
}

func (r *renderer) use(kind, name string, start, end int) {
	start, end = r.span(start, end)
	r.section.Uses = append(r.section.Uses, Use{Kind: kind, Name: name, Start: start, End: end})
	if !r.named[name] {
		r.named[name] = true
		r.section.VariableNames = append(r.section.VariableNames, name)
	}
}

// variableNode is a $$name$$ in text.
type variableNode struct {
	ast.BaseInline
	name       string
	start, end int
}

var kindVariable = ast.NewNodeKind("Variable")

func (n *variableNode) Kind() ast.NodeKind { return kindVariable }

func (n *variableNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// variableParser finds variables before emphasis can take the name apart.
type variableParser struct{ known Variables }

func (variableParser) Trigger() []byte { return []byte{'$'} }

func (p variableParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	line = line[:min(len(line), longestName+4)]
	if !bytes.HasPrefix(line, []byte("$$")) {
		return nil
	}
	name, n := variableAt(string(line), 0, p.known)
	if n == 0 {
		return nil
	}
	block.Advance(n)
	return &variableNode{name: name, start: segment.Start, end: segment.Start + n}
}
