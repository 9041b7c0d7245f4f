package content

import (
	"strings"

	"golang.org/x/net/html"
)

// The author's HTML. Elements and attributes are allowed by list; all else is left out, of some elements with what is in
// them. Tokens are read by the same rules as browsers read them, and written anew, so that nothing is passed on that was
// not understood.

var allowedElements = words("a abbr b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp section article aside small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr")

// silentElements are left out with their content.
var silentElements = words("script style iframe object applet noscript noembed noframes template textarea title xmp select math audio video canvas frameset head")

var allowedAttributes = map[string]map[string]bool{
	"*":          words("id title lang dir style align aria-label aria-hidden aria-labelledby aria-describedby role"),
	"a":          words("href"),
	"img":        words("src alt width height"),
	"td":         words("colspan rowspan valign headers"),
	"th":         words("colspan rowspan valign scope"),
	"col":        words("span width"),
	"colgroup":   words("span"),
	"table":      words("width"),
	"ol":         words("start reversed type"),
	"ul":         words("type"),
	"li":         words("value type"),
	"details":    words("open"),
	"time":       words("datetime"),
	"del":        words("datetime"),
	"ins":        words("datetime"),
	"blockquote": words("cite"),
	"q":          words("cite"),
}

var allowedRoles = words("img presentation none note figure group list listitem separator region")

// authorHTML passes a piece of the author's HTML through.
func (r *renderer) authorHTML(source string, start int) {
	if r.tags--; r.tags < 0 {
		r.out.text(source)
		return
	}
	z := html.NewTokenizer(strings.NewReader(source))
	for position := 0; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		at := start + position
		raw := z.Raw()
		position += len(raw)
		switch kind {
		case html.TextToken:
			r.authorText(string(raw), string(z.Text()), at)
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			element := string(name)
			var attrs []html.Attribute
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				attrs = append(attrs, html.Attribute{Key: string(key), Val: string(value)})
			}
			if r.out.inSVG() && element == "title" {
				z.NextIsNotRawText()
			}
			r.tagStart, r.tagEnd = at, at+len(raw)
			r.authorTag(element, attrs, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			r.out.closeAuthor(string(name))
		}
	}
}

// authorText prints text of the author's HTML, in which variables count as everywhere.
func (r *renderer) authorText(raw, text string, start int) {
	if r.out.silent > 0 || text == "" {
		return
	}
	pieces := r.pieces(text, start)
	if len(raw) != len(text) { // references were resolved: positions inside are not exact
		for i := range pieces {
			pieces[i].start, pieces[i].end = start, start+len(raw)
		}
	}
	r.mention(pieces)
	r.show(pieces)
}

func (r *renderer) authorTag(name string, given []html.Attribute, selfClosing bool) {
	s := &r.out
	if s.silent > 0 {
		if silentElements[name] && !selfClosing {
			s.openAuthor(frame{name: name, silent: true}, nil)
		}
		return
	}
	if s.inSVG() || name == "svg" {
		r.svgTag(name, given, selfClosing)
		return
	}
	if silentElements[name] {
		if !selfClosing || rawText[name] {
			s.openAuthor(frame{name: name, silent: true}, nil)
		}
		return
	}
	if !allowedElements[name] {
		return
	}
	attrs := r.authorAttributes(name, given)
	if voidElements[name] || selfClosing {
		if blockElements[name] {
			s.leavePhrasing()
		}
		s.emptyAuthor(name, false, attrs)
		return
	}
	s.openAuthor(frame{name: name}, attrs)
}

// rawText are elements whose content is no markup, so that a slash in their tag means nothing.
var rawText = words("script style iframe noscript noembed noframes textarea title xmp")

func (r *renderer) authorAttributes(element string, given []html.Attribute) []attribute {
	var out attributes
	seen := map[string]bool{}
	external := false
	for _, a := range given {
		if seen[a.Key] || !allowedAttributes["*"][a.Key] && !allowedAttributes[element][a.Key] {
			continue
		}
		seen[a.Key] = true
		switch a.Key {
		case "href":
			external, _ = r.fillURL(&out, "href", r.inTag(a.Val), linkURL)
		case "src":
			r.fillURL(&out, "src", r.inTag(a.Val), imageURL)
		case "cite":
			continue // no browser shows it
		case "alt", "title", "aria-label":
			out.fill(a.Key, r.inTag(a.Val))
		default:
			if value, ok := r.plainAttribute(a.Key, a.Val); ok {
				out.add(a.Key, value)
			}
		}
	}
	if element == "img" {
		out.add("loading", "lazy")
	}
	if external {
		out.add("target", "_blank").add("rel", "noopener noreferrer")
	}
	return out.all()
}

// inTag is the text of an attribute with its variables, which are recorded with the place of the tag.
func (r *renderer) inTag(value string) []piece {
	pieces := r.pieces(value, 0)
	for i := range pieces {
		pieces[i].start, pieces[i].end = r.tagStart, r.tagEnd
	}
	r.mention(pieces)
	return pieces
}

// plainAttribute checks the attributes that HTML and SVG share.
func (r *renderer) plainAttribute(key, value string) (string, bool) {
	switch key {
	case "id":
		return r.prefix() + value, isID(value)
	case "aria-labelledby", "aria-describedby", "headers":
		ids := strings.Fields(value)
		for i, id := range ids {
			if !isID(id) {
				return "", false
			}
			ids[i] = r.prefix() + id
		}
		return strings.Join(ids, " "), len(ids) > 0
	case "style":
		value = allowedStyle(value)
		return value, value != ""
	case "role":
		return value, allowedRoles[value]
	}
	return value, true
}

func isID(s string) bool {
	for _, c := range s {
		if !isName(string(c)) && c != '-' && c != '.' && c != ':' {
			return false
		}
	}
	return s != "" && len(s) <= 200
}
