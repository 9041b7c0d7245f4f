package content

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

var runLanguages = words("bash sh shell console prompt")

// fence renders a fenced block and records it.
func (r *renderer) fence(n *ast.FencedCodeBlock) {
	f := r.readFence(n)
	lines := r.linePieces(n.Lines())
	for _, line := range lines {
		r.mention(line)
	}
	f.Text = textOfLines(lines)
	start := r.fenceStart(n.Pos())
	end := start
	if at, ok := n.AttributeString(fenceEnd); ok {
		end = at.(int)
	} else if n.Lines().Len() > 0 {
		last := n.Lines().At(n.Lines().Len() - 1)
		end = last.Stop - 1 // without the end of the line
	} else if n.Info != nil {
		end = n.Info.Segment.Stop
	}
	f.Start, f.End = r.span(start, end)
	if f.Run {
		f.Lines = r.typed(f.Language, lines)
	}
	r.section.Fences = append(r.section.Fences, f.Fence)
	if f.Language == "mermaid" {
		r.section.Mermaid = true
		r.mermaid(lines)
		return
	}
	r.figure(f, lines)
}

// fenceStart is where the marker of a fence begins. The parser's own position is off when a tab stands before it.
func (r *renderer) fenceStart(position int) int {
	position = max(0, min(position, len(r.source)))
	line := bytes.LastIndexByte(r.source[:position], '\n') + 1
	for i := line; i+3 <= len(r.source); i++ {
		if marker := string(r.source[i : i+3]); marker == "```" || marker == "~~~" {
			return i
		}
	}
	return position
}

// fenceParts is a fence with what only its HTML needs.
type fenceParts struct {
	Fence
	terminal, save, filename []piece
	copy                     bool
	highlight                []lineRange
}

type lineRange struct{ from, to int }

// readFence reads the info string: the language, then words in any order.
func (r *renderer) readFence(n *ast.FencedCodeBlock) fenceParts {
	f := fenceParts{copy: true}
	run := true
	var info string
	start := 0
	if n.Info != nil {
		info, start = string(n.Info.Segment.Value(r.source)), n.Info.Segment.Start
	}
	for i, word := range r.metaWords(info) {
		pieces := r.pieces(word.value, start+word.valueAt)
		meta := Meta{Key: word.key, Value: plain(pieces)}
		meta.Start, meta.End = r.span(start+word.from, start+word.to)
		known := true
		switch word.key {
		case "terminal-id":
			f.terminal = pieces
		case "save-as":
			f.save = pieces
		case "filename":
			f.filename = pieces
		case "highlight":
			f.highlight = lineRanges(plain(pieces))
		case "no-run-button":
			run = false
		case "no-copy-button":
			f.copy = false
		default:
			known = false
		}
		if i == 0 && !known {
			f.Language = clean(strings.ToLower(info[word.from:word.to]))
			continue
		}
		r.mention(pieces)
		f.Meta = append(f.Meta, meta)
	}
	if plain(f.terminal) == "" && len(r.options.Terminals) > 0 {
		f.terminal = []piece{{text: r.options.Terminals[0]}}
	}
	f.Terminal, f.Save, f.Filename = plain(f.terminal), plain(f.save), plain(f.filename)
	f.Run = run && runLanguages[f.Language] && f.Save == ""
	f.Prompt = f.Run && f.Language == "prompt"
	return f
}

// metaWord is a word of an info string, by positions in it.
type metaWord struct {
	key, value string
	valueAt    int
	from, to   int
}

// metaWords splits an info string at blanks, but not in quotes nor in $$ name $$.
func (r *renderer) metaWords(info string) []metaWord {
	var out []metaWord
	for i := 0; i < len(info); {
		if isBlank(info[i]) {
			i++
			continue
		}
		from, valueAt := i, -1
		quote := byte(0)
		for i < len(info) && (quote != 0 || !isBlank(info[i])) {
			c := info[i]
			if _, n := variableAt(info, i, r.options.Variables); n > 0 {
				i += n
				continue
			}
			switch {
			case c == '=' && valueAt < 0:
				valueAt = i + 1
			case quote != 0 && c == quote:
				quote = 0
			case (c == '"' || c == '\'') && i == valueAt && strings.IndexByte(info[i+1:], c) >= 0:
				quote = c
			}
			i++
		}
		word := metaWord{key: strings.ToLower(info[from:i]), valueAt: i, from: from, to: i}
		if valueAt >= 0 {
			word.key, word.value, word.valueAt = strings.ToLower(info[from:valueAt-1]), info[valueAt:i], valueAt
			if v := word.value; len(v) >= 2 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0] {
				word.value = v[1 : len(v)-1]
				word.valueAt++
			}
		}
		out = append(out, word)
	}
	return out
}

// lineRanges reads `1-2,5`, also in braces.
func lineRanges(s string) []lineRange {
	var out []lineRange
	for _, part := range strings.Split(strings.Trim(s, "{}"), ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(last)
		}
		if err == nil && len(out) < 100 {
			out = append(out, lineRange{from, to})
		}
	}
	return out
}

func (f *fenceParts) highlighted(line int) bool {
	for _, span := range f.highlight {
		if span.from <= line && line <= span.to {
			return true
		}
	}
	return false
}

// linePieces splits each line of a block, without its end, at its variables.
func (r *renderer) linePieces(segments *text.Segments) [][]piece {
	out := make([][]piece, 0, segments.Len())
	for i := range segments.Len() {
		segment := segments.At(i)
		line := strings.TrimSuffix(string(r.source[segment.Start:segment.Stop]), "\n")
		pieces := r.pieces(line, segment.Start)
		if segment.Padding > 0 { // the rest of a tab
			pieces = append([]piece{{text: strings.Repeat(" ", segment.Padding), start: segment.Start, end: segment.Start}}, pieces...)
		}
		out = append(out, pieces)
	}
	return out
}

func textOfLines(lines [][]piece) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(plain(line))
		b.WriteByte('\n')
	}
	return b.String()
}

func (r *renderer) mermaid(lines [][]piece) {
	s := &r.out
	s.open("figure", attribute{"class", "block mermaid"}, attribute{"data-mermaid", ""})
	s.open("pre")
	s.open("code")
	for i, line := range lines {
		if i > 0 {
			s.text("\n")
		}
		r.show(line)
	}
	s.close()
	s.close()
	s.close()
}

func (r *renderer) figure(f fenceParts, lines [][]piece) {
	s := &r.out
	var out attributes
	out.add("class", "block").add("data-language", f.Language).fill("data-terminal", f.terminal)
	if f.Run {
		out.add("data-run", "")
	}
	if f.Prompt {
		out.add("data-prompt", "")
	}
	if f.Save != "" {
		out.fill("data-save", f.save)
	}
	s.open("figure", out.all()...)
	if f.Filename != "" {
		s.open("figcaption")
		r.show(f.filename)
		s.close()
	}
	if f.Run || f.Save != "" || f.copy {
		s.open("div", attribute{"class", "block-actions"})
		if f.Run {
			r.action("run", "Run", labelled("Run in ", f.terminal), true)
		}
		if f.Save != "" {
			r.action("save", "Save", labelled("Save as ", f.save), true)
		}
		if f.copy {
			r.action("copy", "Copy", labelled("Copy", nil), false)
		}
		s.close()
	}
	s.open("pre", attribute{"tabindex", "0"})
	if f.Language == "" {
		s.open("code")
	} else {
		s.open("code", attribute{"class", "language-" + f.Language})
	}
	r.code(f, lines)
	s.close()
	s.close()
	s.close()
}

func labelled(prefix string, rest []piece) []piece {
	return append([]piece{{text: prefix}}, rest...)
}

// action is a button of a block; those that need the engine are disabled until it is there.
func (r *renderer) action(class, label string, spoken []piece, disabled bool) {
	var out attributes
	out.add("type", "button").add("class", class)
	if disabled {
		out.add("disabled", "")
	}
	r.out.open("button", out.fill("aria-label", spoken).all()...)
	r.out.text(label)
	r.out.close()
}
