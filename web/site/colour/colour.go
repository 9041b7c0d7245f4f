// Package colour colours the code of sections for the site. It isolates chroma, whose lexers slow the start of every
// program that links them.
package colour

import (
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"asz/shared/content"
)

// languages are chroma's lexers by the names that authors write. The list is what
// was tried with hostile text: a few other lexers take seconds for a few KB.
var languages = map[string]string{
	"bash": "bash", "sh": "bash", "shell": "bash", "zsh": "bash", "console": "bash",
	"yaml": "yaml", "yml": "yaml", "json": "json", "toml": "toml", "ini": "ini",
	"docker": "docker", "dockerfile": "docker", "make": "make", "makefile": "make", "diff": "diff", "patch": "diff",
	"python": "python", "py": "python", "javascript": "javascript", "js": "javascript", "typescript": "typescript", "ts": "typescript",
	"rust": "rust", "rs": "rust", "c": "c", "sql": "sql", "html": "html", "css": "css", "xml": "xml",
	"powershell": "powershell", "ps1": "powershell",
}

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

// highlighter colours the code of one section.
type highlighter struct{ left int }

// Section returns what colours the code of one section, for content.Options.
func Section() func(language, text string) []content.Stretch {
	return (&highlighter{left: mostColouredSection}).colour
}

// colour colours a text, or gives nil: then it stays plain.
func (h *highlighter) colour(language, text string) []content.Stretch {
	name := languages[language]
	if name == "" || !h.colourable(text) {
		return nil
	}
	h.left -= len(text)
	if language == "console" && content.HasPrompt(strings.Split(text, "\n")) {
		return session(text)
	}
	return tokens(name, text)
}

func tokens(name, text string) []content.Stretch {
	lexer := lexers.Get(name)
	if lexer == nil {
		return nil
	}
	next, err := lexer.Tokenise(nil, text)
	if err != nil {
		return nil
	}
	var out []content.Stretch
	total := 0
	for token := next(); token != chroma.EOF; token = next() {
		size := min(len(token.Value), len(text)-total) // a lexer may end the text with a newline of its own
		if text[total:total+size] != token.Value[:size] {
			return nil
		}
		total += size
		class := classOf(token.Type)
		if last := len(out) - 1; last >= 0 && out[last].Class == class {
			out[last].Size += size
			continue
		}
		out = append(out, content.Stretch{Class: class, Size: size})
	}
	if total != len(text) {
		return nil
	}
	return out
}

// session colours a console block: prompts, commands, output.
func session(text string) []content.Stretch {
	var out []content.Stretch
	command := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		rest, prompted := strings.CutPrefix(line, "$ ")
		if prompted {
			out = append(out, content.Stretch{Class: "hl-gp", Size: 2})
		}
		if !prompted && !command {
			out = append(out, content.Stretch{Class: "hl-go", Size: len(line)})
			continue
		}
		command = content.Continues(strings.TrimSuffix(line, "\n"))
		coloured := tokens("bash", rest)
		if coloured == nil {
			coloured = []content.Stretch{{Size: len(rest)}}
		}
		out = append(out, coloured...)
	}
	return out
}

// classOf is the class of the nearest kind that has a colour.
func classOf(kind chroma.TokenType) string {
	for _, each := range []chroma.TokenType{kind, kind.SubCategory(), kind.Category()} {
		if class := chroma.StandardTypes[each]; class != "" && slices.ContainsFunc(palette, func(c shade) bool { return slices.Contains(strings.Fields(c.classes), class) }) {
			return classPrefix + class
		}
	}
	return ""
}
