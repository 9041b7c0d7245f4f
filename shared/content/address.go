package content

import (
	"net/url"
	"slices"
	"strings"

	"github.com/yuin/goldmark/util"
)

type urlKind int

const (
	linkURL  urlKind = iota // what a click follows
	imageURL                // what the browser loads at once
	tabURL                  // what a tab shows
)

// longestURL bounds a URL, which references can repeat.
const longestURL = 8 << 10

// longestImage bounds an image that stands in the text itself.
const longestImage = 512 << 10

// safeURL is a URL as it may stand in the HTML. It is refused when its scheme is not one of a few; without a scheme it is
// a place in this section, or a path that Asset knows.
func (r *renderer) safeURL(raw string, kind urlKind) (out string, external, ok bool) {
	if r.out.full {
		return "", false, false // nothing of it would be written
	}
	// Browsers drop these before they look at the scheme.
	s := strings.Map(func(c rune) rune {
		if c == '\t' || c == '\n' || c == '\r' {
			return -1
		}
		return c
	}, strings.TrimFunc(raw, func(c rune) bool { return c <= ' ' }))
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return "", false, false
	}
	scheme := ""
	if i := strings.IndexAny(s, ":/?#"); i >= 0 && s[i] == ':' {
		if scheme = strings.ToLower(s[:i]); scheme == "" {
			return "", false, false
		}
	}
	if scheme == "data" && kind == imageURL && len(s) <= longestImage && isDataImage(s) {
		return s, false, true
	}
	if len(s) > longestURL {
		return "", false, false
	}
	switch scheme {
	case "http", "https":
		return escapeURL(s), true, true
	case "mailto":
		return escapeURL(s), false, kind == linkURL
	case "":
	default:
		return "", false, false
	}
	slashed := strings.ReplaceAll(s[:min(len(s), 2)], `\`, "/")
	switch {
	case slashed == "//":
		return escapeURL("//" + s[2:]), true, true
	case s == "":
		return "", false, kind != imageURL
	case s[0] == '#':
		section := slices.Contains(r.options.Sections, s[1:])
		if kind == linkURL && len(s) > 1 && !section && !strings.HasPrefix(s, "#"+r.prefix()) {
			s = "#" + r.prefix() + s[1:]
		}
		return escapeURL(s), false, true
	case slashed[0] == '/' || s[0] == '?':
		return escapeURL(strings.Replace(s, `\`, "/", 1)), false, true
	}
	end := strings.IndexAny(s, "?#")
	if end < 0 {
		end = len(s)
	}
	if r.options.Asset != nil {
		path := s[:end]
		if decoded, err := url.PathUnescape(path); err == nil {
			path = decoded
		}
		if found := r.options.Asset(path); found != "" {
			return found + s[end:], false, true
		}
	}
	return escapeURL(s), false, true
}

func escapeURL(s string) string { return string(util.URLEscape([]byte(clean(s)), false)) }

func isDataImage(s string) bool {
	rest := strings.ToLower(s[len("data:"):min(len(s), 40)])
	for _, kind := range []string{"png", "jpeg", "gif", "webp", "avif", "bmp", "x-icon", "svg+xml"} {
		if after, ok := strings.CutPrefix(rest, "image/"+kind); ok && after != "" && (after[0] == ';' || after[0] == ',') {
			return true
		}
	}
	return false
}

// fillURL adds a URL whose text may have variables. The page may set it again only where no value can change what kind of
// URL it is: after `http://` or `https://`.
func (r *renderer) fillURL(a *attributes, key string, pieces []piece, kind urlKind) (external, ok bool) {
	value, external, ok := r.safeURL(plain(pieces), kind)
	if !ok {
		return false, false
	}
	if source, again := template(pieces); again {
		start := strings.ToLower(source)
		if strings.HasPrefix(start, "http://") || strings.HasPrefix(start, "https://") {
			a.fill(key, pieces)
			a.list[len(a.list)-1].value = value
			return external, true
		}
	}
	a.add(key, value)
	return external, true
}
