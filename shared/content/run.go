package content

import (
	"sort"
	"strings"
)

// typed is what Run types of a block (labs.md 2): the page does the same with the block's text as it then is.
func (r *renderer) typed(language string, lines [][]piece) []Line {
	texts := strings.Split(strings.TrimSuffix(textOfLines(lines), "\n"), "\n")
	where := newPlaces(lines)
	if language == "prompt" {
		whole := strings.Join(texts, "\n")
		trimmed := strings.TrimSpace(whole)
		if trimmed == "" {
			return nil
		}
		from := strings.Index(whole, trimmed)
		start, end := r.span(where.start(from), where.end(from+len(trimmed)))
		return []Line{{Text: trimmed, Start: start, End: end}}
	}
	var out []Line
	only := language == "console" && HasPrompt(texts)
	at := 0
	for i := 0; i < len(texts); i++ {
		first, from := texts[i], at
		at += len(first) + 1
		if language == "console" {
			command, prompted := strings.CutPrefix(first, "$ ")
			if only && !prompted {
				continue
			}
			from += len(first) - len(command)
			first = command
		}
		if trimmed := strings.TrimSpace(first); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		joined := []string{first}
		for Continues(joined[len(joined)-1]) && i+1 < len(texts) {
			i++
			joined = append(joined, texts[i])
			at += len(texts[i]) + 1
		}
		command := strings.Join(joined, "\n")
		start, end := r.span(where.start(from), where.end(from+len(command)))
		out = append(out, Line{Text: command, Start: start, End: end})
	}
	return out
}

// HasPrompt tells whether a console block marks its commands. A line after a backslash belongs to its command.
func HasPrompt(texts []string) bool {
	for _, text := range texts {
		if strings.HasPrefix(text, "$ ") {
			return true
		}
	}
	return false
}

// Continues tells whether a line goes on in the next: it ends with a backslash that is not itself escaped.
func Continues(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// places finds where the characters of a block's text, with variables filled in, stand in the source.
type places []place

type place struct {
	from, to   int // in the text
	start, end int // in the source
}

// literal tells whether the text is the source's, byte for byte.
func (p place) literal() bool { return p.to-p.from == p.end-p.start }

func newPlaces(lines [][]piece) places {
	var out places
	at := 0
	for _, line := range lines {
		for _, p := range line {
			out = append(out, place{at, at + len(p.text), p.start, p.end})
			at += len(p.text)
		}
		at++ // the end of the line
	}
	return out
}

// start is where a stretch begins that begins at a position of the text: a variable counts as a whole.
func (p places) start(position int) int {
	i := sort.Search(len(p), func(i int) bool { return position < p[i].to })
	if i == len(p) {
		return 0
	}
	if each := p[i]; each.literal() {
		return each.start + max(0, position-each.from)
	}
	return p[i].start
}

// end is where a stretch ends that ends at a position of the text.
func (p places) end(position int) int {
	i := sort.Search(len(p), func(i int) bool { return position <= p[i].from }) - 1
	if i < 0 {
		return 0
	}
	if each := p[i]; each.literal() && position < each.to {
		return each.start + position - each.from
	}
	return p[i].end
}
