package content_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"asz/shared/content"
	"asz/web/site/colour"
)

// options are what the tests render with.
func options() content.Options {
	return content.Options{
		Variables: content.Variables{"name": "web", "empty": "", "version": "1.4.0", "two words": "both", "lines": "one\ntwo"},
		Terminals: []string{"main", "second"},
		Asset: func(path string) string {
			if strings.HasPrefix(path, "images/") || path == "board.html" {
				return "/labs/x/" + path
			}
			return ""
		},
		Colours: colour.Section(),
	}
}

func render(source string) content.Section { return content.Render([]byte(source), options()) }

func fields(list string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(list) {
		out[word] = true
	}
	return out
}

// The lists here are the tests' own: what the package allows must be among it.
var (
	inertElements = fields(`a abbr b bdi bdo blockquote br button caption center code col colgroup dd del details dfn div dl dt em figcaption figure
		h1 h2 h3 h4 h5 h6 hr i img input ins kbd label li mark ol p pre q rp rt ruby s samp section article aside small span strike
		strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`)
	inertSVG = fields(`svg g defs symbol use switch title desc path rect circle ellipse line polyline polygon text tspan textPath image marker
		linearGradient radialGradient stop pattern clipPath mask filter feGaussianBlur feOffset feMerge feMergeNode feBlend feFlood
		feColorMatrix feComposite animate set animateTransform animateMotion mpath`)
	inertClasses = fields(`block mermaid block-actions run save copy file-link tab-link variable set-variables alert alert-title alert-note
		alert-tip alert-important alert-warning alert-caution table task line highlighted`)
)

// inert parses HTML as a browser does and returns what could act by itself or reach out of its place.
func inert(text string) []string {
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(text), context)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.CommentNode, html.DoctypeNode:
			out = append(out, "a comment or doctype: "+n.Data)
		case html.ElementNode:
			if n.Namespace == "" && !inertElements[n.Data] || n.Namespace == "svg" && !inertSVG[n.Data] || n.Namespace == "math" {
				out = append(out, "element "+n.Data)
			}
			for _, a := range n.Attr {
				if problem := inertAttribute(n, a); problem != "" {
					out = append(out, n.Data+": "+problem)
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	for _, n := range nodes {
		walk(n)
	}
	return out
}

func inertAttribute(n *html.Node, a html.Attribute) string {
	whole := fmt.Sprintf("%s=%q", a.Key, a.Val)
	value := strings.ToLower(strings.Map(func(c rune) rune {
		if c <= ' ' {
			return -1
		}
		return c
	}, a.Val))
	switch a.Key {
	case "href", "src", "data-href":
		if strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://") || strings.HasPrefix(value, "mailto:") {
			if n.Namespace == "svg" && n.Data != "image" {
				return "leaves the document: " + whole
			}
			return ""
		}
		if strings.HasPrefix(value, "data:image/") && (n.Data == "img" || n.Data == "image") {
			return ""
		}
		if before, _, ok := strings.Cut(value, ":"); ok && !strings.ContainsAny(before, "/?#") {
			return "a scheme: " + whole
		}
		if n.Namespace == "svg" && n.Data != "image" && !strings.HasPrefix(value, "#s-") {
			return "refers to something else: " + whole
		}
		return ""
	case "id":
		if !strings.HasPrefix(a.Val, "s-") {
			return "may clash with the page: " + whole
		}
	case "class":
		for _, class := range strings.Fields(a.Val) {
			if !inertClasses[class] && !strings.HasPrefix(class, "hl-") && n.Data != "code" {
				return "unknown class: " + whole
			}
		}
	case "type":
		if n.Data == "button" && a.Val != "button" || n.Data == "input" && a.Val != "text" && a.Val != "checkbox" {
			return "acts on a form: " + whole
		}
	case "style":
		for _, bad := range []string{"url(", "position", "\\", "expression", "@", "/*", "content", "behavior", "binding", "transform", "z-index"} {
			if strings.Contains(value, bad) {
				return whole
			}
		}
	case "attributeName":
		if value == "href" || strings.HasPrefix(value, "on") || value == "xlink:href" || value == "style" {
			return "animates " + a.Val
		}
	case "data-vars":
		var vars map[string]string
		if json.Unmarshal([]byte(a.Val), &vars) != nil || len(vars) == 0 {
			return "not JSON: " + whole
		}
		for key, template := range vars {
			if slices.Contains([]string{"href", "src", "data-href"}, key) && !strings.HasPrefix(template, "http") {
				return "a variable decides what kind of URL it is: " + whole
			}
			if !slices.Contains([]string{"href", "src", "data-href", "data-path", "data-terminal", "data-save", "data-title", "data-id", "data-icon", "aria-label", "title", "alt"}, key) {
				return "sets " + key
			}
		}
	case "data-set", "data-if":
		if !json.Valid([]byte(a.Val)) {
			return "not JSON: " + whole
		}
	case "name", "action", "formaction", "form", "srcdoc", "ping", "background", "poster", "srcset", "xml:base", "autofocus", "contenteditable", "accesskey", "slot", "is", "part":
		return whole
	}
	if strings.HasPrefix(strings.ToLower(a.Key), "on") {
		return "a handler: " + whole
	}
	if n.Namespace == "svg" && strings.Contains(value, "url(") && !strings.HasPrefix(value, "url(#s-") {
		return "refers to something else: " + whole
	}
	return ""
}
