package content

import (
	"embed"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
)

//go:embed lexers/*.xml
var lexerFiles embed.FS

// languageFiles are the lexers by the languages that authors write.
var languageFiles = map[string]string{
	"bash": "bash", "sh": "bash", "shell": "bash", "zsh": "bash", "console": "bash",
	"yaml": "yaml", "yml": "yaml", "json": "json", "toml": "toml", "ini": "ini",
	"docker": "docker", "dockerfile": "docker", "make": "makefile", "makefile": "makefile", "diff": "diff", "patch": "diff",
	"python": "python", "py": "python", "javascript": "javascript", "js": "javascript", "typescript": "typescript", "ts": "typescript",
	"rust": "rust", "rs": "rust", "c": "c", "sql": "sql", "html": "html", "css": "css", "xml": "xml",
	"powershell": "powershell", "ps1": "powershell",
}

// lexerNeeds are the lexers that others hand parts of their text to.
var lexerNeeds = map[string][]string{"docker": {"bash", "json"}, "makefile": {"bash"}, "html": {"javascript", "css"}}

// Colouring works by backtracking expressions, some of which take time by the square of a line's length. So that it ends
// in time, and always alike, what exceeds these stays plain.
const (
	mostColoured        = 4 << 10  // bytes of one block
	mostColouredSection = 16 << 10 // of all
	longestColoured     = 250      // of a line
)

// colourable tells whether a text is within the bounds; a heap of empty lines counts as a long one.
func (h *highlighter) colourable(text string) bool {
	if len(text) > min(mostColoured, h.left) || strings.Contains(text, "\n\n\n\n\n") {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > longestColoured {
			return false
		}
	}
	return true
}

// highlighter colours code; it reads a lexer when a section first needs it.
type highlighter struct {
	registry *chroma.LexerRegistry
	lexers   map[string]chroma.Lexer
	left     int
}

func newHighlighter() *highlighter {
	return &highlighter{registry: chroma.NewLexerRegistry(), lexers: map[string]chroma.Lexer{}, left: mostColouredSection}
}

func (h *highlighter) lexer(file string) chroma.Lexer {
	if lexer, ok := h.lexers[file]; ok {
		return lexer
	}
	h.lexers[file] = nil
	for _, other := range lexerNeeds[file] {
		h.lexer(other)
	}
	lexer, err := chroma.NewXMLLexer(lexerFiles, "lexers/"+file+".xml")
	if err != nil {
		return nil // a test reads them all
	}
	h.lexers[file] = h.registry.Register(lexer)
	return h.lexers[file]
}

// run is a stretch of code with one class, "" for plain.
type run struct {
	class string
	size  int
}

// runs colours a text. The sizes add up to it, or the answer is nil: then it stays plain.
func (h *highlighter) runs(language, text string) []run {
	file := languageFiles[language]
	if file == "" || !h.colourable(text) {
		return nil
	}
	h.left -= len(text)
	if language == "console" && hasPrompt(strings.Split(text, "\n")) {
		return h.session(text)
	}
	return h.tokens(file, text)
}

func (h *highlighter) tokens(file, text string) []run {
	lexer := h.lexer(file)
	if lexer == nil {
		return nil
	}
	next, err := lexer.Tokenise(nil, text)
	if err != nil {
		return nil
	}
	var out []run
	total := 0
	for token := next(); token != chroma.EOF; token = next() {
		size := min(len(token.Value), len(text)-total) // a lexer may end the text with a newline of its own
		if text[total:total+size] != token.Value[:size] {
			return nil
		}
		total += size
		class := classOf(token.Type)
		if last := len(out) - 1; last >= 0 && out[last].class == class {
			out[last].size += size
			continue
		}
		out = append(out, run{class, size})
	}
	if total != len(text) {
		return nil
	}
	return out
}

// session colours a console block: prompts, commands, output.
func (h *highlighter) session(text string) []run {
	var out []run
	command := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		rest, prompted := strings.CutPrefix(line, "$ ")
		if prompted {
			out = append(out, run{"hl-gp", 2})
		}
		if !prompted && !command {
			out = append(out, run{"hl-go", len(line)})
			continue
		}
		command = continues(strings.TrimSuffix(line, "\n"))
		coloured := h.tokens("bash", rest)
		if coloured == nil {
			coloured = []run{{"", len(rest)}}
		}
		out = append(out, coloured...)
	}
	return out
}

// classOf is the class of the nearest kind that has a colour.
func classOf(kind chroma.TokenType) string {
	for _, each := range []chroma.TokenType{kind, kind.SubCategory(), kind.Category()} {
		if class := chroma.StandardTypes[each]; class != "" && slices.ContainsFunc(palette, func(c colour) bool { return slices.Contains(strings.Fields(c.classes), class) }) {
			return classPrefix + class
		}
	}
	return ""
}

// code prints the lines of a block, coloured, with their variables.
func (r *renderer) code(f fenceParts, lines [][]piece) {
	s := &r.out
	runs := r.colours.runs(f.Language, strings.TrimSuffix(f.Text, "\n"))
	at := painter{s: s, runs: runs}
	for i, line := range lines {
		if i > 0 {
			s.text("\n")
			at.skip(1)
		}
		class := "line"
		if f.highlighted(i + 1) {
			class = "line highlighted"
		}
		s.open("span", attribute{"class", class})
		for _, p := range line {
			if p.variable == "" {
				at.paint(p.text)
				continue
			}
			class := at.class()
			if class != "" {
				s.open("span", attribute{"class", class})
			}
			s.variable(p.variable, p.text)
			if class != "" {
				s.close()
			}
			at.skip(len(p.text))
		}
		s.close()
	}
}

// painter walks along the runs as text is printed.
type painter struct {
	s    *sink
	runs []run
}

func (p *painter) class() string {
	for len(p.runs) > 0 && p.runs[0].size == 0 {
		p.runs = p.runs[1:]
	}
	if len(p.runs) == 0 {
		return ""
	}
	return p.runs[0].class
}

func (p *painter) skip(size int) {
	for size > 0 && len(p.runs) > 0 {
		n := min(size, p.runs[0].size)
		p.runs[0].size -= n
		size -= n
		if p.runs[0].size == 0 {
			p.runs = p.runs[1:]
		}
	}
}

func (p *painter) paint(text string) {
	for text != "" {
		class := p.class()
		n := len(text)
		if len(p.runs) > 0 {
			n = min(n, p.runs[0].size)
		}
		if class == "" || strings.TrimSpace(text[:n]) == "" {
			p.s.text(text[:n])
		} else {
			p.s.open("span", attribute{"class", class})
			p.s.text(text[:n])
			p.s.close()
		}
		p.skip(n)
		text = text[n:]
	}
}
