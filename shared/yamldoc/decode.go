package yamldoc

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decoder turns the source of one scalar into its text. The same code decodes when the file is read
// and, with track set, finds the place of a part of the text later; so the two cannot disagree, and no
// map of positions is kept for the scalars nobody asks about.
type decoder struct {
	src   string
	out   []byte
	track bool
	marks []mark
	bad   func(start, end int, message string) // a wrong escape; nil: nobody listens
}

// mark says where a piece of the decoded text came from. The pieces follow one another.
type mark struct {
	text       int  // offset in the decoded text
	start, end int  // in the source
	same       bool // byte for byte, else the piece is one unit (an escape, a folded line break)
}

// copy takes source bytes as they are.
func (d *decoder) copy(start, end int) {
	if start < end {
		d.mark(start, end, true)
		d.out = append(d.out, d.src[start:end]...)
	}
}

// put writes text that stands for source bytes.
func (d *decoder) put(text string, start, end int) {
	d.mark(start, end, false)
	d.out = append(d.out, text...)
}

func (d *decoder) mark(start, end int, same bool) {
	if d.track {
		d.marks = append(d.marks, mark{len(d.out), start, end, same})
	}
}

// source gives the source offset of a byte of the decoded text, or the offset behind it.
func (d *decoder) source(at int, behind bool) int {
	i := sort.Search(len(d.marks), func(i int) bool { return d.marks[i].text > at }) - 1
	if i < 0 {
		return 0
	}
	m := d.marks[i]
	switch {
	case m.same && behind:
		return min(m.start+at-m.text+1, m.end)
	case m.same:
		return min(m.start+at-m.text, m.end)
	case behind || at == len(d.out):
		return m.end
	}
	return m.start
}

// scalar decodes the scalar whose value span is [start,end); indent is that of block scalars.
func (d *decoder) scalar(style Style, start, end, indent int) {
	d.mark(start, start, true) // so that an empty text has a place
	switch style {
	case Plain:
		d.plain(start, end)
	case Single:
		d.single(start+1, end-1)
	case Double:
		d.double(start+1, end-1)
	default:
		d.block(style == Folded, start, end, indent)
	}
}

func (d *decoder) plain(i, end int) {
	for i < end {
		next := d.run(i, end, "")
		d.copy(i, next)
		i = d.fold(next, end, false)
	}
}

func (d *decoder) single(i, end int) {
	d.marks = append(d.marks[:0], mark{0, i, i, true})
	for i < end {
		next := d.run(i, end, "'")
		d.copy(i, next)
		if next < end && d.src[next] == '\'' {
			d.put("'", next, next+2)
			i = next + 2
			continue
		}
		i = d.fold(next, end, false)
	}
}

func (d *decoder) double(i, end int) {
	d.marks = append(d.marks[:0], mark{0, i, i, true})
	for i < end {
		next := d.run(i, end, `\`)
		d.copy(i, next)
		if next < end && d.src[next] == '\\' {
			i = d.escape(next, end)
			continue
		}
		i = d.fold(next, end, false)
	}
}

// run finds the end of the text that is copied as it is: before a special byte, or before a line break
// and the blanks in front of it.
func (d *decoder) run(i, end int, special string) int {
	for i < end {
		c := d.src[i]
		if isBreak(c) || special != "" && c == special[0] {
			return i
		}
		if isBlank(c) {
			j := i + span(d.src[i:end], isBlank)
			if j < end && isBreak(d.src[j]) {
				return i
			}
			i = j
			continue
		}
		i++
	}
	return i
}

// fold reads line breaks with the blanks around them: one break is a space (nothing after an escaped
// one), each further break a newline. Where no break stands it does nothing.
func (d *decoder) fold(i, end int, escaped bool) int {
	start := i
	i += span(d.src[i:end], isBlank)
	breaks := 0
	for i < end && isBreak(d.src[i]) {
		from := i
		i = breakEnd(d.src, i)
		i += span(d.src[i:end], isBlank)
		if breaks++; breaks > 1 {
			d.put("\n", from, i)
		}
	}
	switch {
	case breaks == 0:
		return start
	case breaks == 1 && !escaped:
		d.put(" ", start, i)
	}
	return i
}

// escape decodes the escape at i and gives the offset behind it. A wrong one is reported and kept as written.
func (d *decoder) escape(i, end int) int {
	if i+1 >= end {
		d.copy(i, end)
		return end
	}
	c := d.src[i+1]
	if isBreak(c) {
		return d.fold(i+1, end, true)
	}
	if k := strings.IndexByte("0abt\tnvfre \"/\\N_LP", c); k >= 0 {
		text := [...]string{"\x00", "\a", "\b", "\t", "\t", "\n", "\v", "\f", "\r", "\x1b", " ", "\"", "/", "\\",
			"\u0085", "\u00a0", "\u2028", "\u2029"}[k]
		d.put(text, i, i+2)
		return i + 2
	}
	size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if size == 0 {
		_, n := utf8.DecodeRuneInString(d.src[i+1 : end])
		return d.wrong(i, i+1+n, "this escape does not exist")
	}
	r, next := d.hex(i+2, end, size)
	if utf16.IsSurrogate(r) && c == 'u' && strings.HasPrefix(d.src[next:end], `\u`) {
		if low, after := d.hex(next+2, end, size); utf16.DecodeRune(r, low) != utf8.RuneError {
			r, next = utf16.DecodeRune(r, low), after
		}
	}
	if next < i+2+size || !utf8.ValidRune(r) {
		return d.wrong(i, next, "this escape is no character: after \\"+string(c)+" come exactly "+
			strconv.Itoa(size)+" hexadecimal digits")
	}
	d.put(string(r), i, next)
	return next
}

// hex reads up to size hexadecimal digits.
func (d *decoder) hex(i, end, size int) (r rune, next int) {
	n := span(d.src[i:min(end, i+size)], isHex)
	v, _ := strconv.ParseUint(d.src[i:i+n], 16, 32)
	return rune(v), i + n
}

func (d *decoder) wrong(start, end int, message string) int {
	if d.bad != nil {
		d.bad(start, end, message)
	}
	d.copy(start, end)
	return end
}

// block decodes a literal or folded scalar from its header at start. Blank lines behind the last line
// of text are outside its span, but count when its header says so (+).
func (d *decoder) block(folded bool, start, end, indent int) {
	header := d.src[start:lineEnd(d.src, start)]
	header, _, _ = strings.Cut(header, " ")
	keep, strip := strings.Contains(header, "+"), strings.Contains(header, "-")

	var breaks []int // line breaks not yet written
	first, spaced := true, false
	i := lineEnd(d.src, start)
	for i < end {
		breaks = append(breaks, i)
		i = breakEnd(d.src, i)
		from := i + min(indent, span(d.src[i:end], isSpace))
		i = lineEnd(d.src, i)
		if from >= i {
			continue
		}
		more := isBlank(d.src[from])
		if first {
			breaks = breaks[1:] // that of the header
		}
		d.breaks(breaks, folded && !first && !more && !spaced)
		d.copy(from, i)
		breaks, first, spaced = breaks[:0], false, more
	}
	if strip || first && !keep {
		return
	}
	// Trailing breaks: of the last line and, kept, of the blank lines behind it.
	for i < len(d.src) && isBreak(d.src[i]) {
		if next := breakEnd(d.src, i); !first {
			d.put("\n", i, next)
		}
		if !keep {
			return
		}
		first = false
		i = breakEnd(d.src, i)
		blank := span(d.src[i:], isSpace)
		if i+blank < len(d.src) && !isBreak(d.src[i+blank]) {
			return
		}
		i += blank
	}
}

// breaks writes line breaks between two lines of a block scalar; folded, a single one is a space and
// the first of several is dropped.
func (d *decoder) breaks(at []int, folded bool) {
	if folded && len(at) == 1 {
		d.put(" ", at[0], breakEnd(d.src, at[0]))
		return
	}
	if folded && len(at) > 0 {
		at = at[1:]
	}
	for _, i := range at {
		d.put("\n", i, breakEnd(d.src, i))
	}
}

func isSpace(c byte) bool { return c == ' ' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// breakEnd is the offset behind the line break at i: LF, CRLF or CR.
func breakEnd(s string, i int) int {
	if i+1 < len(s) && s[i] == '\r' && s[i+1] == '\n' {
		return i + 2
	}
	return min(i+1, len(s))
}

// lineEnd is the offset of the line break that ends the line at i, or the end of the text.
func lineEnd(s string, i int) int {
	for i < len(s) && !isBreak(s[i]) {
		i++
	}
	return i
}
