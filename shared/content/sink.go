package content

import "strings"

// sink writes HTML. Elements of ours are opened and closed in pairs; elements of the author may be opened and closed in
// any order, and end at the latest with the element of ours that they are in. What comes out is always balanced.
type sink struct {
	b      strings.Builder
	stack  []frame
	silent int  // frames whose content is left out
	full   bool // the bound on output is reached
}

type frame struct {
	name   string
	author bool // opened by the author's HTML
	shown  bool // the tag was written
	silent bool // content is left out
	svg    bool // an SVG element
}

// mostNested bounds elements in each other; browsers give up on some hundreds.
const mostNested = 150

var blockElements = words("div p figure figcaption table thead tbody tr th td ul ol li blockquote pre hr h1 h2 h3 h4 h5 h6 details section article aside dl dt dd center header footer nav main address")

var voidElements = words("br hr img input wbr col source area")

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(list) {
		out[word] = true
	}
	return out
}

// open starts an element of ours.
func (s *sink) open(name string, attrs ...attribute) {
	if blockElements[name] {
		s.leavePhrasing()
	}
	shown := s.silent == 0 && !s.inSVG() && len(s.stack) < mostNested
	if shown {
		s.tag(name, attrs, false)
	}
	s.stack = append(s.stack, frame{name: name, shown: shown})
}

// close ends the innermost element of ours, and what the author left open in it.
func (s *sink) close() {
	for {
		top := s.stack[len(s.stack)-1]
		s.pop()
		if !top.author {
			return
		}
	}
}

// void writes an element of ours without content.
func (s *sink) void(name string, attrs ...attribute) {
	if blockElements[name] {
		s.leavePhrasing()
	}
	if s.silent == 0 && !s.inSVG() {
		s.tag(name, attrs, false)
	}
}

func (s *sink) text(text string) {
	if s.silent == 0 {
		s.write(text)
	}
}

// variable writes a value that the page can set again. In SVG only text elements can hold it.
func (s *sink) variable(name, value string) {
	element := "span"
	if s.inSVG() {
		if top := s.stack[len(s.stack)-1].name; top != "text" && top != "tspan" {
			s.text(value)
			return
		}
		element = "tspan"
	}
	if s.silent > 0 {
		return
	}
	s.tag(element, []attribute{{"data-var", name}}, false)
	s.write(value)
	s.raw("</" + element + ">")
}

// leavePhrasing ends what of the author's cannot hold a block: a paragraph and anything of SVG.
func (s *sink) leavePhrasing() {
	for i := len(s.stack) - 1; i >= 0 && s.stack[i].author; i-- {
		if s.stack[i].svg && !(i > 0 && s.stack[i-1].svg) || s.stack[i].name == "p" {
			s.popTo(i)
		}
	}
}

// openAuthor starts an element of the author's; its name and attributes have passed the lists.
func (s *sink) openAuthor(f frame, attrs []attribute) {
	if len(s.stack) >= mostNested {
		return
	}
	if blockElements[f.name] && !f.svg {
		s.leavePhrasing()
	}
	f.author = true
	f.shown = s.silent == 0 && !f.silent
	if f.shown {
		s.tag(f.name, attrs, false)
	}
	if f.silent {
		s.silent++
	}
	s.stack = append(s.stack, f)
}

// emptyAuthor writes an element of the author's without content.
func (s *sink) emptyAuthor(name string, svg bool, attrs []attribute) {
	if s.silent > 0 {
		return
	}
	s.tag(name, attrs, svg)
	if !svg && !voidElements[name] {
		s.raw("</" + name + ">")
	}
}

// closeAuthor ends the author's innermost element of a name, if it is open in our innermost element.
func (s *sink) closeAuthor(name string) {
	for i := len(s.stack) - 1; i >= 0 && s.stack[i].author; i-- {
		if strings.EqualFold(s.stack[i].name, name) {
			s.popTo(i)
			return
		}
	}
}

// endSilence ends what the author left out in one piece of HTML, so that an element that is not closed cannot swallow
// the rest of the section.
func (s *sink) endSilence() {
	for i := len(s.stack) - 1; i >= 0 && s.stack[i].author; i-- {
		if s.stack[i].silent {
			s.popTo(i)
		}
	}
}

func (s *sink) popTo(i int) {
	for len(s.stack) > i {
		s.pop()
	}
}

func (s *sink) pop() {
	top := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	if top.silent {
		s.silent--
	}
	if top.shown {
		s.b.WriteString("</" + top.name + ">")
	}
}

// inSVG tells whether the innermost element is SVG.
func (s *sink) inSVG() bool { return len(s.stack) > 0 && s.stack[len(s.stack)-1].svg }

func (s *sink) tag(name string, attrs []attribute, selfClosing bool) {
	if !s.room() {
		return
	}
	s.b.WriteString("<" + name)
	for _, a := range attrs {
		s.b.WriteString(" " + a.key)
		if a.value != "" || !bareAttributes[a.key] {
			s.b.WriteString(`="`)
			s.escape(a.value)
			s.b.WriteString(`"`)
		}
	}
	if selfClosing {
		s.b.WriteString("/")
	}
	s.b.WriteString(">")
}

var bareAttributes = words("hidden disabled checked data-run data-prompt data-mermaid open reversed")

// line ends a line of the HTML, for those who read it; nothing depends on it.
func (s *sink) line() {
	if s.silent == 0 && !s.inSVG() {
		s.b.WriteByte('\n')
	}
}

func (s *sink) raw(text string) {
	if s.room() {
		s.b.WriteString(text)
	}
}

func (s *sink) write(text string) {
	if s.room() {
		s.escape(text)
	}
}

// room tells whether there is still room; ends of elements are always written.
func (s *sink) room() bool {
	if s.b.Len() > mostOutput {
		s.full = true
		s.silent++
	}
	return !s.full
}

func (s *sink) escape(text string) {
	text = clean(text)
	from := 0
	for i := 0; i < len(text); i++ {
		var to string
		switch text[i] {
		case '&':
			to = "&amp;"
		case '<':
			to = "&lt;"
		case '>':
			to = "&gt;"
		case '"':
			to = "&quot;"
		case 0:
			to = "\uFFFD"
		default:
			continue
		}
		s.b.WriteString(text[from:i])
		s.b.WriteString(to)
		from = i + 1
	}
	s.b.WriteString(text[from:])
}

func (s *sink) finish() string {
	s.popTo(0)
	return s.b.String()
}
