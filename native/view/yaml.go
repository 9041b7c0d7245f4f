package view

import (
	"bufio"
	"strconv"
	"strings"
	"unicode/utf8"
)

// yamlNotation writes block YAML, two spaces a level. Texts that could be read as something else are quoted; those of
// several lines are literal blocks where that keeps every character.
type yamlNotation struct {
	out  *bufio.Writer
	open []yamlOpen
	due  due
}

// due is what stands before the next value.
type due uint8

const (
	nothing due = iota
	afterKey
	afterDash
)

type yamlOpen struct {
	list   bool
	some   bool // it has a value
	indent int
	behind due // what it stands behind
}

func (y *yamlNotation) margin(n int) {
	for ; n > 0; n-- {
		y.out.WriteByte(' ')
	}
}

// item starts a value of a list, or the place after a key.
func (y *yamlNotation) item() {
	if len(y.open) == 0 || y.due == afterKey {
		return
	}
	top := &y.open[len(y.open)-1]
	y.first(top)
	y.out.WriteString("- ")
	y.due = afterDash
}

// first goes to the line that a value of an open list or map starts on.
func (y *yamlNotation) first(top *yamlOpen) {
	switch {
	case !top.some && top.behind == afterKey:
		y.out.WriteByte('\n')
		y.margin(top.indent)
	case !top.some: // it goes on behind the dash, or at the start of all
	default:
		y.margin(top.indent)
	}
	top.some = true
}

func (y *yamlNotation) begin(list bool) {
	y.item()
	indent := 0
	if len(y.open) > 0 {
		indent = y.open[len(y.open)-1].indent + 2
	}
	y.open = append(y.open, yamlOpen{list: list, indent: indent, behind: y.due})
	y.due = nothing
}

func (y *yamlNotation) end() {
	top := y.open[len(y.open)-1]
	y.open = y.open[:len(y.open)-1]
	if top.some {
		return
	}
	if top.behind == afterKey {
		y.out.WriteByte(' ')
	}
	if top.list {
		y.out.WriteString("[]\n")
	} else {
		y.out.WriteString("{}\n")
	}
}

func (y *yamlNotation) key(name string) {
	y.first(&y.open[len(y.open)-1])
	y.out.WriteString(name)
	y.out.WriteByte(':')
	y.due = afterKey
}

func (y *yamlNotation) entry(name string) {
	y.first(&y.open[len(y.open)-1])
	if plain(name) {
		y.out.WriteString(name)
	} else {
		quote(y.out, name)
	}
	y.out.WriteByte(':')
	y.due = afterKey
}

// scalar writes a value that stands on one line.
func (y *yamlNotation) scalar(s string) {
	y.item()
	if y.due == afterKey {
		y.out.WriteByte(' ')
	}
	y.out.WriteString(s)
	y.out.WriteByte('\n')
	y.due = nothing
}

func (y *yamlNotation) number(n int64) { y.scalar(strconv.FormatInt(n, 10)) }
func (y *yamlNotation) flag(v bool)    { y.scalar(strconv.FormatBool(v)) }
func (y *yamlNotation) null()          { y.scalar("null") }

func (y *yamlNotation) text(s string) {
	switch {
	case plain(s):
		y.scalar(s)
		return
	case y.due == afterKey && literal(s):
		y.block(s)
		return
	}
	y.item()
	if y.due == afterKey {
		y.out.WriteByte(' ')
	}
	quote(y.out, s)
	y.out.WriteByte('\n')
	y.due = nothing
}

// block writes a text of several lines as it is.
func (y *yamlNotation) block(s string) {
	indent := y.open[len(y.open)-1].indent + 2
	if strings.HasSuffix(s, "\n") {
		y.out.WriteString(" |\n")
		s = s[:len(s)-1]
	} else {
		y.out.WriteString(" |-\n")
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" {
			y.margin(indent)
			y.out.WriteString(line)
		}
		y.out.WriteByte('\n')
	}
	y.due = nothing
}

// literal tells whether a text of several lines can stand as a literal block: no character needs an escape, the first line
// has no indent of its own, and at most one newline ends it.
func literal(s string) bool {
	if !strings.Contains(s, "\n") || s[0] == ' ' || s[0] == '\n' || strings.HasSuffix(s, "\n\n") || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < ' ' && r != '\n' || r == 0x7f || special(r) {
			return false
		}
	}
	// A last line of blanks alone would be taken for an empty one.
	last := s[strings.LastIndexByte(strings.TrimSuffix(s, "\n"), '\n')+1:]
	return strings.TrimSpace(last) != ""
}

// plain tells whether a text without quotes is read as that text: a word that begins with a letter, and none of those that
// YAML reads as something else.
func plain(s string) bool {
	if s == "" || len(s) > 200 {
		return false
	}
	if c := s[0] | 0x20; c < 'a' || c > 'z' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("_./-", c) >= 0 ||
			(c == ' ' || c == ',' || c == '(' || c == ')' || c == '\'') && i < len(s)-1) {
			return false
		}
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}
