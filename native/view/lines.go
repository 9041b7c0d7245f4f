package view

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"asz/shared/play"
)

const (
	timeWidth = 10          // of the column of times
	noText    = "(no text)" // of a step that has none, or whose landed file is gone
)

// step prints a step that is a text of at most a number of lines.
func (p *person) step(n *Node, depth int, word, style, say string, lines int) {
	room := p.room(depth)
	if lines == 1 {
		p.put(n, depth, word, style, fit(cmp.Or(firstLine(say), noText), room), "", "")
		return
	}
	wrapped := wrapped(say, room, lines)
	if len(wrapped) == 0 {
		wrapped = []string{noText}
	}
	p.put(n, depth, word, style, wrapped[0], "", "")
	for _, more := range wrapped[1:] {
		p.out.WriteString(strings.Repeat(" ", p.width-room))
		p.styled(style, more)
		p.out.WriteByte('\n')
	}
}

// room is what is left of a line for what a step says.
func (p *person) room(depth int) int {
	return max(p.width-timeWidth-2*depth-wordWidth, 16)
}

// put writes the line of a step: time, word, text and a tail that says what came of it.
func (p *person) put(n *Node, depth int, word, style, say, tailStyle, tail string) {
	p.date(n.At)
	at := "        "
	if n.At != 0 {
		at = clockOf(n.At).Format(time.TimeOnly)
	}
	p.styled(dim, at)
	p.out.WriteString(strings.Repeat(" ", timeWidth-len(at)+2*depth))
	word = fit(word, wordWidth-1)
	p.styled(style, word)
	p.out.WriteString(strings.Repeat(" ", max(1, wordWidth-cells(word))))
	p.styled(style, say)
	p.styled(tailStyle, tail)
	p.out.WriteByte('\n')
}

// date tells the day when it is another one.
func (p *person) date(ms int64) {
	if ms == 0 {
		return
	}
	if day := clockOf(ms).Format(time.DateOnly); day != p.day {
		p.day = day
		p.styled(dim, "— "+day+" —")
		p.out.WriteByte('\n')
	}
}

// line writes a heading: a name and what it comes to.
func (p *person) line(depth int, style, name, rest string) {
	indent := strings.Repeat(" ", 2*depth)
	if depth > 0 {
		indent += strings.Repeat(" ", timeWidth-2)
	}
	room := max(p.width-len(indent), 16)
	if name != "" && rest != "" {
		name = fit(name, room/2)
		lines := wrapped(rest, max(room-cells(name)-2, 16), mostLines)
		p.out.WriteString(indent)
		p.styled(style, name)
		for i, l := range lines {
			if i > 0 {
				p.out.WriteString(indent + strings.Repeat(" ", cells(name)))
			}
			p.out.WriteString("  " + l + "\n")
		}
		return
	}
	p.out.WriteString(indent)
	p.styled(style, fit(name+rest, room))
	p.out.WriteByte('\n')
}

// wrap writes a text over several lines.
func (p *person) wrap(depth int, style, say string, lines int) {
	indent := strings.Repeat(" ", 2*depth)
	for _, l := range wrapped(say, max(p.width-len(indent), 16), lines) {
		p.out.WriteString(indent)
		p.styled(style, l)
		p.out.WriteByte('\n')
	}
}

func (p *person) styled(style, say string) {
	if !p.color || style == "" || say == "" {
		p.out.WriteString(say)
		return
	}
	p.out.WriteString("\x1b[" + style + "m" + say + "\x1b[0m")
}

// clean is a text that may stand in a line: one space for all blanks in a row, nothing that acts on a terminal.
func clean(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = play.Printable(s)
	if strings.IndexByte(s, '\x1b') < 0 {
		return s
	}
	// Style is the printer's own.
	var b strings.Builder
	for len(s) > 0 {
		i := strings.IndexByte(s, '\x1b')
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		if end := strings.IndexByte(s, 'm'); end >= 0 {
			s = s[end+1:]
		}
	}
	return b.String()
}

// firstLine is the first line that holds anything.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line := clean(line); line != "" {
			return line
		}
	}
	return ""
}

func cells(s string) int { return uniseg.StringWidth(s) }

// fit cuts a text to a number of cells, with an ellipsis for what is cut off.
func fit(s string, room int) string { return cutCells(clean(s), room) }

func cutCells(s string, room int) string {
	if cells(s) <= room {
		return s
	}
	var b strings.Builder
	used, state := 0, -1
	for rest := s; rest != ""; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+width > room-1 {
			break
		}
		used += width
		b.WriteString(cluster)
	}
	return strings.TrimRight(b.String(), " ") + "…"
}

// wrapped breaks a text into at most so many lines; the last one tells when more follows. Line breaks of the text stay.
func wrapped(s string, room, most int) []string {
	var out []string
	add := func(l string) bool {
		if len(out) == most {
			last := out[most-1]
			if cells(last) > room-2 {
				last = strings.TrimSuffix(cutCells(last, room-2), "…")
			}
			out[most-1] = strings.TrimRight(last, " ") + " …"
			return false
		}
		out = append(out, l)
		return true
	}
	for line := range strings.Lines(s) {
		// Lists and code lean on their indent.
		indent := min(len(strings.ReplaceAll(line, "\t", "  "))-len(strings.TrimLeft(strings.ReplaceAll(line, "\t", "  "), " ")), 8, room/4)
		line = clean(line)
		for line != "" {
			head, tail := breakAt(line, room-indent)
			if !add(strings.Repeat(" ", indent) + head) {
				return out
			}
			line = tail
		}
	}
	return out
}

// breakAt is what of a line has room, broken between words if it can be, and what is left.
func breakAt(line string, room int) (head, tail string) {
	used, state, at, space := 0, -1, 0, -1
	for rest := line; rest != ""; {
		cluster, next, width, s := uniseg.FirstGraphemeClusterInString(rest, state)
		if used+width > room {
			if cluster == " " {
				space = at
			}
			if space > 0 {
				return line[:space], line[space+1:]
			}
			if at == 0 { // one wider than the line
				at = len(cluster)
			}
			return line[:at], line[at:]
		}
		if cluster == " " {
			space = at
		}
		used, at, rest, state = used+width, at+len(cluster), next, s
	}
	return line, ""
}

// asked is what a tool was given, in a line: of the fields of its input the one that says most.
func asked(input string) string {
	for _, key := range []string{"command", "file_path", "notebook_path", "pattern", "query", "url", "skill", "description", "path", "prompt", "summary", "subject", "name"} {
		if v := field(input, key); v != "" {
			return firstLine(v)
		}
	}
	if input == "{}" {
		return ""
	}
	return firstLine(input)
}

// field is the text of a key at the top of a JSON object, whose end may be cut off.
func field(object, key string) string {
	depth, value := 0, false // value: what comes is one of the top object
	for i := 0; i < len(object); {
		switch object[i] {
		case '{', '[':
			depth++
			value = false
		case '}', ']':
			depth--
		case ':':
			value = depth == 1
		case ',':
			value = false
		case '"':
			end := closing(object, i)
			word := object[i:end]
			i = end
			if depth == 1 && !value && word == `"`+key+`"` && strings.HasPrefix(object[i:], ":") {
				if i++; i < len(object) && object[i] == '"' {
					return unquoted(object[i:closing(object, i)])
				}
				return ""
			}
			continue
		default:
			if depth == 0 {
				return ""
			}
		}
		i++
	}
	return ""
}

// closing is the place behind the JSON string that starts at i.
func closing(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func unquoted(s string) string {
	var out string
	if json.Unmarshal([]byte(s), &out) == nil {
		return out
	}
	for range 7 { // cut off, perhaps in an escape
		if json.Unmarshal([]byte(s+`"`), &out) == nil {
			return out
		}
		if s == "" {
			break
		}
		s = s[:len(s)-1]
	}
	return ""
}

// tag is what stands between <name> and </name>, or after <name> if it is cut off there.
func tag(s, name string) string {
	_, s, ok := strings.Cut(s, "<"+name+">")
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, "</"+name+">")
	return clean(s)
}

// notice is what tags of the runtime around a text leave of it.
func notice(s string) string {
	var words []string
	for s != "" {
		i := strings.IndexByte(s, '<')
		end := -1
		if i >= 0 {
			end = strings.IndexByte(s[i:], '>')
		}
		if end < 0 {
			words = append(words, s)
			break
		}
		words = append(words, s[:i])
		s = s[i+end+1:]
	}
	return clean(strings.Join(words, " "))
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// duration is a time span for people.
func duration(ms int64) string {
	switch d := time.Duration(ms) * time.Millisecond; {
	case d < time.Second:
		return fmt.Sprintf("%dms", ms)
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", ms/60000, ms/1000%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", ms/3600000, ms/60000%60)
	default:
		return fmt.Sprintf("%d days", ms/86400000)
	}
}

// short is a count for people: 950, 12.3k, 4.5M.
func short(n int64) string {
	value := float64(n)
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case value < 999_950:
		return fmt.Sprintf("%.1fk", value/1e3)
	case value < 999_950_000:
		return fmt.Sprintf("%.1fM", value/1e6)
	}
	return fmt.Sprintf("%.1fG", value/1e9)
}

func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	return short(n) + "B"
}
