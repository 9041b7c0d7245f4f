// Package content turns a section's Markdown (labs.md 2) into static HTML that can do nothing by itself, and into facts
// about its fences, directives and variables for those who check labs.
//
// Two rules hold it together. Nothing reaches the HTML but through the sink, which escapes every text and keeps our own
// elements balanced whatever HTML the author mixes in; and the author's HTML passes lists of what is allowed, never of
// what is forbidden. All offsets are bytes of the section's text as it was given.
package content

import (
	"strings"

	"github.com/yuin/goldmark/text"
)

// Variables are the initial values of $$name$$.
type Variables map[string]string

// Options is what a section needs to know of its lab.
type Options struct {
	Variables Variables
	Terminals []string // ids; the first is the default target

	// Asset gives the URL under which the page finds what a relative path of an image, a link or a tabLink names. The
	// path comes percent-decoded and without query and fragment. "" leaves the path as the author wrote it.
	Asset func(path string) string

	// Colours gives the stretches of a fence's code that have a class of their own; their sizes add up to the text's.
	// nil, and where it returns nil: the code stays plain.
	Colours func(language, text string) []Stretch

	Anchor   string   // begins the ids of this section, so that they are unique in a page with several
	Sections []string // ids of the lab's sections: a link to `#id` leads to that section
}

// Section is a rendered section and what stands in it.
type Section struct {
	HTML          string
	Fences        []Fence
	Links         []Link
	VariableNames []string // each name once, in the order of its first mention
	Uses          []Use
	Mermaid       bool
	Headings      []Heading
}

// Fence is a fenced block.
type Fence struct {
	Language   string
	Terminal   string // where Run types; the default terminal when the fence names none
	Save       string // the path that Save writes, "" without a Save button
	Filename   string
	Run        bool // has a Run button
	Prompt     bool // Run sends the whole block as one prompt
	Text       string
	Start, End int    // from the opening marker to the end of the closing line
	Lines      []Line // what Run types
	Meta       []Meta // the words after the language
}

// Line is one entry that Run types, with the variables at their initial values. An entry of several lines joined by
// backslashes keeps the backslashes and newlines.
type Line struct {
	Text       string
	Start, End int
}

// Meta is one word of a fence's info string. Known words have the key and value that they mean.
type Meta struct {
	Key, Value string
	Start, End int
}

// Link is a directive that opens something: a file ("file", Target is its path) or a tab ("tab", Target is its href).
type Link struct {
	Kind       string
	Target     string
	Terminal   string // as the author gave it, "" when not
	ID         string // of a tab: its id, "" when the author gave none
	Start, End int
}

// Use is one mention of a variable: "text" prints it, "condition" asks for it, "input" and "button" set it.
type Use struct {
	Kind, Name string
	Start, End int
}

// Heading is a heading of the section; ID is unique in the section and starts with idPrefix and Options.Anchor.
type Heading struct {
	Level    int
	ID, Text string
}

const (
	// mostSource is how much of a section is read. The longest known one has 7 KB.
	mostSource = 1 << 20
	// mostOutput bounds what references and variables can blow up; beyond it the text is left out.
	mostOutput = 16 << 20

	// mostTags is how many stretches of the author's HTML are read; further ones are shown as text.
	mostTags = 50_000

	idPrefix = "s-"
)

// prefix begins each id of the section's HTML.
func (r *renderer) prefix() string { return idPrefix + r.options.Anchor }

// Render makes a section of its Markdown. It never fails: what it does not understand stays text.
func Render(source []byte, o Options) Section {
	src := normalise(source)
	r := &renderer{
		options: o,
		source:  src.text,
		offsets: src,
		labels:  newLabelParser(o.Variables),
		slugs:   map[string]int{},
		named:   map[string]bool{},
		budget:  mostOutput / 2,
		tags:    mostTags,
	}
	r.tree(newSectionParser(o.Variables).Parse(text.NewReader(src.text)))
	if src.cut {
		r.notice("warning", "This section is longer than 1 MB. The rest of it is not shown.")
	}
	r.section.HTML = r.out.finish()
	if r.out.full {
		r.out = sink{}
		r.notice("warning", "This section became too long when its variables and references were filled in. The rest of it is not shown.")
		r.section.HTML += r.out.finish()
	}
	return r.section
}

// original is the source before normalising, mapped by positions.
type original struct {
	text    []byte
	removed []int // position in text before which one byte was removed, ascending
	lead    int   // bytes before the text: a byte order mark
	size    int   // of the source as given
	cut     bool
}

// normalise makes the text that the parser reads: no byte order mark, lines end with LF, also the last.
func normalise(source []byte) original {
	out := original{size: len(source)}
	if len(source) >= 3 && string(source[:3]) == "\xef\xbb\xbf" {
		out.lead = 3
		source = source[3:]
	}
	if len(source) > mostSource {
		out.cut = true
		end := mostSource
		for end > 0 && source[end-1] != '\n' && end > mostSource-1000 {
			end--
		}
		if source[end-1] != '\n' { // no line end near: at least no half character
			end = mostSource
			for end > 0 && source[end]&0xC0 == 0x80 {
				end--
			}
		}
		source = source[:end]
	}
	text := make([]byte, 0, len(source)+1)
	for i, c := range source {
		if c == '\r' {
			if i+1 < len(source) && source[i+1] == '\n' {
				out.removed = append(out.removed, len(text))
				continue
			}
			c = '\n'
		}
		if c == 0 {
			c = ' '
		}
		text = append(text, c)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	out.text = text
	return out
}

// at is where a position of the text is in the source as given.
func (o original) at(position int) int {
	low, high := 0, len(o.removed)
	for low < high {
		if middle := (low + high) / 2; o.removed[middle] < position {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return max(0, min(position+low+o.lead, o.size))
}

func (r *renderer) span(start, end int) (int, int) {
	return r.offsets.at(start), r.offsets.at(max(start, end))
}

// clean makes valid text of what may hold broken characters.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
