package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const (
	tabStop  = 4
	maxCells = 71 // longer source lines are cut around the caret, so that a terminal of 80 columns shows each as one
	leadIn   = 30 // cells kept before the caret of a line cut on its left
	window   = 4 * maxCells * utf8.UTFMax
)

// WriteText prints the findings as text: place, message and code, then the source line with carets,
// the fix, the related places and the play that shows it. It prints in list order and returns the writer's error.
func (l List) WriteText(w io.Writer, color bool) error {
	p := printer{w: bufio.NewWriter(w), color: color}
	for i := range l {
		p.diagnostic(&l[i])
	}
	return p.w.Flush()
}

// printer keeps the writer; bufio remembers the first error, Flush returns it.
type printer struct {
	w     *bufio.Writer
	color bool
}

func (p *printer) diagnostic(d *Diagnostic) {
	paint := [...]string{Error: "\x1b[1;31m", Warning: "\x1b[1;33m", Info: "\x1b[1;36m"}[d.Severity]
	fmt.Fprintf(p.w, "%s%s: %s [%s]\n", place(d.Span), p.paint(paint, d.Severity.String()), visible(d.Message), d.Code)
	gutter := "      "
	if d.Span.Source != nil {
		line, _ := d.Span.Source.Position(d.Span.Start)
		number := fmt.Sprintf("%5d ", line)
		gutter = strings.Repeat(" ", len(number))
		text, before, carets := excerpt(d.Span)
		fmt.Fprintf(p.w, "%s\n", strings.TrimRight(number+"| "+text, " "))
		fmt.Fprintf(p.w, "%s| %s%s\n", gutter, strings.Repeat(" ", before), p.paint(paint, strings.Repeat("^", carets)))
	}
	if d.Fix != nil && d.Fix.Text != "" {
		fmt.Fprintf(p.w, "%s= fix: %s\n", gutter, visible(d.Fix.Text))
	}
	for _, r := range d.Related {
		fmt.Fprintf(p.w, "%s= see %s%s\n", gutter, place(r.Span), visible(r.Message))
	}
	if len(d.Witness) > 0 {
		fmt.Fprintf(p.w, "%s= play:\n", gutter)
	}
	for _, line := range d.witness() {
		fmt.Fprintf(p.w, "%s    %s\n", gutter, line)
	}
}

func (p *printer) paint(paint, text string) string {
	if !p.color {
		return text
	}
	return paint + text + "\x1b[0m"
}

// place is "file:line:col: ", or nothing for a span without a source.
func place(s Span) string {
	if s.Source == nil {
		return ""
	}
	line, col := s.Source.Position(s.Start)
	return fmt.Sprintf("%s:%d:%d: ", visible(s.Source.Name), line, col)
}

// cell is one character as a reader sees it: its text on the terminal, its bytes in the source, its width.
type cell struct {
	text       string
	start, end int
	width      int
}

// excerpt lays out the first line of a span: the text to show, the cells before the carets, and how
// many carets (at least one).
func excerpt(s Span) (text string, before, carets int) {
	lineStart, lineEnd := s.Source.lineAt(s.Start)
	at := min(s.Start, lineEnd)
	end := max(at, min(s.End(), lineEnd))
	from, to := windowOf(s.Source.Text, lineStart, at, lineEnd)
	cells := layout(s.Source.Text[from:to], from)

	// The cell the carets begin under, and the width of what stands before it.
	first, lead, total := len(cells), 0, 0
	for i, c := range cells {
		if first == len(cells) && at < c.end {
			first, lead = i, total
		}
		total += c.width
	}
	if first == len(cells) {
		lead = total
	}

	left := 0
	cutLeft := from > lineStart
	if cutLeft || total > maxCells && lead > maxCells-leadIn/2 {
		for left < first && lead > leadIn {
			lead -= cells[left].width
			total -= cells[left].width
			left++
			cutLeft = true
		}
	}
	var b strings.Builder
	used := 0
	if cutLeft {
		b.WriteString("…")
		lead, used = lead+1, 1
	}
	for i, c := range cells[left:] {
		if used+c.width > maxCells {
			cells, to = cells[:left+i], 0
			break
		}
		b.WriteString(c.text)
		used += c.width
	}
	if to < lineEnd {
		b.WriteString("…")
	}
	for _, c := range cells[min(first, len(cells)):] {
		if c.start < end {
			carets += c.width
		}
	}
	return b.String(), lead, max(carets, 1)
}

// windowOf bounds the part of a line that is laid out, so that a finding in a huge line stays cheap.
func windowOf(text string, lineStart, at, lineEnd int) (from, to int) {
	from, to = max(lineStart, at-window), min(lineEnd, at+window)
	for from > lineStart && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < lineEnd && !utf8.RuneStart(text[to]) {
		to++
	}
	return from, to
}

// layout splits a piece of a line, which begins at offset base of its source, into terminal cells.
func layout(line string, base int) []cell {
	var cells []cell
	column, state := 0, -1
	for off := 0; off < len(line); {
		cluster, _, width, next := uniseg.FirstGraphemeClusterInString(line[off:], state)
		state = next
		shown := visible(cluster)
		switch {
		case cluster == "\t":
			width = tabStop - column%tabStop
			shown = strings.Repeat(" ", width)
		case shown != cluster:
			width = utf8.RuneCountInString(shown)
		}
		cells = append(cells, cell{text: shown, start: base + off, end: base + off + len(cluster), width: width})
		column += width
		off += len(cluster)
	}
	return cells
}

// visible replaces what could act on a terminal or hide: control characters, direction overrides,
// bytes that are no character.
func visible(s string) string {
	clean := true
	for i, r := range s {
		if hidden(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

func hidden(r rune) bool {
	return unicode.IsControl(r) || r == 0xFEFF || r == 0x2028 || r == 0x2029 ||
		r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}
