package guirun

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// finder finds secrets in any of their forms, in one pass. A pattern is a row of glyphs, and a glyph is one character with
// all ways to write it, so that a text which mixes them is found, too.
type finder struct {
	patterns []pattern
	begins   [256][]thread // the threads that a byte begins
	places   int
}

// pattern is one secret as text, or as base64 at one alignment.
type pattern struct {
	secret int
	glyphs []*glyph
	first  int // its glyphs are the places from here on
}

// glyph is a tree over the bytes of all ways to write a character; its root is node 0.
type glyph struct{ nodes []glyphNode }

type glyphNode struct {
	edges []glyphEdge
	end   bool // a way ends here; longer ones may go on
}

type glyphEdge struct {
	b  byte
	to int32
}

func newGlyph(ways []string) *glyph {
	g := &glyph{nodes: make([]glyphNode, 1)}
	for _, way := range ways {
		at := int32(0)
		for i := range len(way) {
			next := g.next(at, way[i])
			if next == 0 {
				next = int32(len(g.nodes))
				g.nodes = append(g.nodes, glyphNode{})
				g.nodes[at].edges = append(g.nodes[at].edges, glyphEdge{way[i], next})
			}
			at = next
		}
		g.nodes[at].end = true
	}
	return g
}

// next is the node behind a byte, 0 when there is none.
func (g *glyph) next(at int32, b byte) int32 {
	for _, e := range g.nodes[at].edges {
		if e.b == b {
			return e.to
		}
	}
	return 0
}

// newFinder looks for values; owners are the secrets that they belong to.
func newFinder(values []string, owners []int) *finder {
	f := &finder{}
	known := map[string]*glyph{} // by what they are: the characters of secrets repeat
	of := func(key string, ways func() []string) *glyph {
		if known[key] == nil {
			known[key] = newGlyph(ways())
		}
		return known[key]
	}
	for i, value := range values {
		secret := owners[i]
		var row []*glyph
		for rest := value; rest != ""; {
			_, size := utf8.DecodeRuneInString(rest)
			c := rest[:size]
			rest = rest[size:]
			row = append(row, of("text "+c, func() []string { return waysOf(c) }))
		}
		f.add(secret, row)
		for shift := range 3 {
			var row []*glyph
			for i, set := range base64Sets(value, shift) {
				inside := i > 1 // else most lines might be the beginning of one that goes on in the next, and would be held
				key := fmt.Sprintf("base64 %t %x", inside, set)
				row = append(row, of(key, func() []string { return base64Ways(set, inside) }))
			}
			f.add(secret, row)
			pad := of("pad", func() []string { return waysOf("=") })
			for range (3 - (shift+len(value))%3) % 3 {
				row = append(slices.Clip(row), pad)
				f.add(secret, row)
			}
		}
	}
	for i := range f.patterns {
		g := f.patterns[i].glyphs[0]
		for _, e := range g.nodes[0].edges {
			f.begins[e.b] = append(f.begins[e.b], thread{pattern: int32(i)})
		}
	}
	return f
}

func (f *finder) add(secret int, glyphs []*glyph) {
	f.patterns = append(f.patterns, pattern{secret, glyphs, f.places})
	f.places += len(glyphs)
}

// waysOf are the ways to write a character: as it is, escaped for JSON, HTML or a URL, and one such form escaped again.
func waysOf(c string) []string {
	ways := []string{c, percent(c, "%%%02X"), percent(c, "%%%02x")}
	r, size := utf8.DecodeRuneInString(c)
	if r == utf8.RuneError && size == 1 {
		return append(ways, percent(ways[1], "%%%02X"), percent(ways[2], "%%%02x"))
	}
	switch r {
	case ' ':
		ways = append(ways, "+")
	case '\n':
		ways = append(ways, "\r\n", `\n`, `\r\n`)
	case '\r', '\t', '\b', '\f':
		ways = append(ways, map[rune]string{'\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}[r])
	case '"', '\\', '/', '\'', '$', '`', '!':
		ways = append(ways, `\`+c)
	}
	for _, digits := range []string{"%04x", "%04X"} {
		unit := `\u` + digits
		if r > 0xffff {
			high, low := utf16.EncodeRune(r)
			ways = append(ways, fmt.Sprintf(unit+unit, high, low))
		} else {
			ways = append(ways, fmt.Sprintf(unit, r))
		}
	}
	if r < utf8.RuneSelf {
		ways = append(ways, fmt.Sprintf(`\x%02x`, r), fmt.Sprintf(`\x%02X`, r))
	}
	for _, form := range []string{"&#%d;", "&#%03d;", "&#x%x;", "&#x%X;", "&#X%X;", "&#x%02x;", "&#x%02X;", "&#x%04x;", "&#x%04X;"} {
		ways = append(ways, fmt.Sprintf(form, r))
	}
	if name, ok := map[rune]string{'"': "quot", '\'': "apos", '<': "lt", '>': "gt", '&': "amp", '\u00a0': "nbsp"}[r]; ok {
		ways = append(ways, "&"+name+";")
	}
	for _, way := range slices.Clone(ways) {
		ways = append(ways,
			strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(way),
			strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", `\u0026`, "<", `\u003c`, ">", `\u003e`).Replace(way),
			html.EscapeString(way),
			strings.NewReplacer("&", "&amp;", `"`, "&quot;", "'", "&#x27;").Replace(way),
			percent(way, "%%%02X"), percent(way, "%%%02x"))
	}
	slices.Sort(ways)
	return slices.Compact(ways)
}

// percent escapes for a URL what is not a letter or a digit; of a single one, that too.
func percent(text, form string) string {
	var out strings.Builder
	for i := range len(text) {
		c := text[i]
		if len(text) > 1 && (c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') {
			out.WriteByte(c)
		} else {
			fmt.Fprintf(&out, form, c)
		}
	}
	return out.String()
}

// base64Sets are, for each character that base64 makes of a value and of what stands around it, the numbers (0 to 63, as
// bits) that it may be: one, but for the ends, which are in part the neighbours'. shift is the place of the value's first
// byte among the three that base64 takes together.
func base64Sets(value string, shift int) []uint64 {
	begin, end := 8*shift, 8*(shift+len(value))
	var sets []uint64
	for at := begin / 6 * 6; at < end; at += 6 {
		mask, known := 0, 0
		for bit := at; bit < at+6; bit++ {
			mask, known = mask<<1, known<<1
			if bit >= begin && bit < end {
				k := bit - begin
				mask |= 1
				known |= int(value[k/8]>>(7-k%8)) & 1
			}
		}
		var set uint64
		for v := range 64 {
			if v&mask == known {
				set |= 1 << v
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// base64Ways are the ways to write such a character, in both alphabets; inside of a text a line may end before it.
func base64Ways(set uint64, inside bool) []string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var ways []string
	for v := range 64 {
		if set>>v&1 == 0 {
			continue
		}
		switch c := alphabet[v : v+1]; c {
		case "+":
			ways = append(append(ways, waysOf(c)...), "-")
		case "/":
			ways = append(append(ways, waysOf(c)...), "_")
		default:
			ways = append(ways, c)
		}
	}
	if inside {
		for _, way := range slices.Clone(ways) {
			for _, end := range []string{"\n", "\r\n", `\n`, `\r\n`} {
				ways = append(ways, end+way)
			}
		}
	}
	return ways
}

// scan is a pass over a text.
type scan struct {
	*finder
	at      int64
	threads []thread // by start
	next    []thread
	reached []int64 // for each place, when a thread last came to it
	tick    int64
	found   []match // that are not passed on yet, in order
}

// thread is a beginning of a pattern that was read: where it is now.
type thread struct {
	pattern int32
	glyph   int32
	node    int32
	start   int64
}

func (f *finder) scan() *scan { return &scan{finder: f, reached: make([]int64, f.places)} }

func (s *scan) reset() {
	s.at, s.threads, s.found = 0, s.threads[:0], s.found[:0]
}

// step reads a byte.
func (s *scan) step(b byte) {
	begins := s.begins[b]
	if len(s.threads) == 0 && len(begins) == 0 {
		s.at++
		return
	}
	s.tick++
	s.next = s.next[:0]
	for _, t := range s.threads {
		s.move(t, b)
	}
	for _, t := range begins {
		t.start = s.at
		s.move(t, b)
	}
	s.threads, s.next = s.next, s.threads
	s.at++
}

// move follows a thread over a byte. Threads of a later start that come to the same place are dropped: what they find lies
// in what the first finds. Within a glyph they cannot meet, as a tree has one way to each node.
func (s *scan) move(t thread, b byte) {
	p := &s.patterns[t.pattern]
	g := p.glyphs[t.glyph]
	t.node = g.next(t.node, b)
	if t.node == 0 {
		return
	}
	node := &g.nodes[t.node]
	if len(node.edges) > 0 {
		s.next = append(s.next, t)
	}
	if !node.end {
		return
	}
	t.glyph, t.node = t.glyph+1, 0
	if int(t.glyph) == len(p.glyphs) {
		s.found = add(s.found, match{t.start, s.at + 1, p.secret, s.at + 1 - t.start})
		return
	}
	if place := p.first + int(t.glyph); s.reached[place] != s.tick {
		s.reached[place] = s.tick
		s.next = append(s.next, t)
	}
}

// settled is the place before which no more can be found.
func (s *scan) settled() int64 {
	if len(s.threads) > 0 {
		return s.threads[0].start
	}
	return s.at
}
