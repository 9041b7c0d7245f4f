package cli

import (
	"strings"

	"github.com/rivo/uniseg"

	"asz/shared/command"
	"asz/shared/play"
)

// write prints a verb's result; output that does not arrive ends the verb.
func write(c *command.Call, text string) int {
	if _, err := c.Stdout.Write([]byte(text)); err != nil {
		return c.Fail(exitFindings, "the output cannot be written: %v", err)
	}
	return 0
}

// plain is a text of a history as a terminal may see it: without colours too, which could hide what it says.
func plain(text string) string {
	return play.Printable(strings.ReplaceAll(text, "\x1b", ""))
}

// oneLine is plain, with spaces for what would end the line or move on in it.
func oneLine(text string) string {
	return plain(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ", "\u2028", " ", "\u2029", " ").Replace(text))
}

// table is rows of texts in columns that stand below each other. The last column is cut where the terminal ends.
type table struct {
	columns []column
	rows    [][]string
}

type column struct {
	head  string
	right bool // numbers end below each other
	tail  bool // of a text that is cut, its end is shown
}

// row adds a row; an empty text is shown as `-`.
func (t *table) row(cells ...string) {
	for i := range cells {
		if cells[i] = oneLine(cells[i]); cells[i] == "" {
			cells[i] = "-"
		}
	}
	t.rows = append(t.rows, cells)
}

// text lays the table out in a width, 0 = any.
func (t *table) text(width int) string {
	heads := make([]string, len(t.columns))
	for i, c := range t.columns {
		heads[i] = c.head
	}
	rows := append([][]string{heads}, t.rows...)
	widths := make([]int, len(t.columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
	}
	left := width
	for _, w := range widths[:len(widths)-1] {
		left -= w + 2
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if i == len(row)-1 && width > 0 {
				cell = cut(cell, max(left, 10), t.columns[i].tail)
			}
			pad := strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(cell)))
			if t.columns[i].right {
				cell, pad = pad+cell, ""
			}
			line.WriteString(cell + pad + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// cut shortens a text to a number of cells, at its end or at its beginning.
func cut(text string, most int, tail bool) string {
	over := uniseg.StringWidth(text) - most
	if over <= 0 {
		return text
	}
	var b strings.Builder
	used, state := 0, -1
	for rest := text; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if tail {
			if used += w; used >= over+1 {
				return "…" + rest
			}
			continue
		}
		if used+w > most-1 {
			break
		}
		used += w
		b.WriteString(cluster)
	}
	return b.String() + "…"
}

// screen is the width of the terminal that standard output is, 0 when it is none.
func screen(c *command.Call) int {
	switch {
	case !c.StdoutTerminal:
		return 0
	case c.Terminal != nil:
		if width, _ := c.Terminal.Size(); width > 0 {
			return width
		}
	}
	return 80
}
