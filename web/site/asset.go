package site

import (
	"bytes"
	"encoding/xml"
	"io"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// filesDir is where a lab's own files stand, relative to its page.
const filesDir = "files/"

// maxAsset bounds a file that is copied for a lab, in bytes.
const maxAsset = 16 << 20

// collector gathers the files of a lab that its sections and services refer to.
type collector struct {
	lab   fs.FS
	files Files
}

// take makes a file of the lab part of the site and returns its address relative to the lab's page. It returns ""
// for what is no such file: other addresses, files that are not there, and kinds that no page shows.
func (c *collector) take(reference string) string {
	address, err := url.Parse(reference)
	if err != nil || address.IsAbs() || address.Host != "" || address.Path == "" || strings.HasPrefix(address.Path, "/") {
		return ""
	}
	name := path.Clean(address.Path)
	kind, shown := kinds[strings.ToLower(path.Ext(name))]
	if !shown || !fs.ValidPath(name) {
		return ""
	}
	if _, taken := c.files[name]; !taken {
		info, err := fs.Stat(c.lab, name)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxAsset {
			return ""
		}
		data, err := fs.ReadFile(c.lab, name)
		if err != nil || kind == drawing && !harmless(data) {
			return ""
		}
		if kind == document {
			data = withoutScripts(data)
		}
		c.files[name] = data
		if kind == document || kind == style {
			c.follow(path.Dir(name), data)
		}
	}
	address.Path = filesDir + name
	return address.String()
}

// Kinds of files that differ in what they could do if somebody opened them by themselves.
const (
	picture = iota
	drawing
	document
	style
)

var kinds = map[string]int{
	".png": picture, ".jpg": picture, ".jpeg": picture, ".gif": picture, ".webp": picture, ".avif": picture, ".ico": picture,
	".svg": drawing, ".html": document, ".htm": document, ".css": style, ".txt": style,
}

var references = regexp.MustCompile(`(?i)(?:src|href)\s*=\s*["']([^"'#]+)["']|url\(\s*["']?([^"')#]+)`)

// follow takes the files that a page or a style sheet of the lab names.
func (c *collector) follow(dir string, data []byte) {
	for _, found := range references.FindAllSubmatch(data, -1) {
		reference := string(found[1]) + string(found[2])
		if !strings.Contains(reference, ":") {
			c.take(path.Join(dir, reference))
		}
	}
}

// noScripts stands before everything in a lab's own page. The frame that shows it is sandboxed; this holds also when
// the page is opened by itself.
const noScripts = `<meta http-equiv="Content-Security-Policy" content="script-src 'none'; object-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'">`

var doctype = regexp.MustCompile(`(?i)^\s*<!doctype[^>]*>`)

func withoutScripts(html []byte) []byte {
	html = bytes.TrimPrefix(html, []byte("\ufeff"))
	at := len(doctype.Find(html))
	return bytes.Join([][]byte{html[:at], []byte(noScripts), html[at:]}, nil)
}

// harmless reports whether an SVG file only draws: it might be opened by itself, where the page's policy does not reach.
func harmless(svg []byte) bool {
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return true
		}
		if err != nil {
			return false
		}
		switch token := token.(type) {
		case xml.ProcInst:
			if token.Target != "xml" {
				return false
			}
		case xml.Directive:
			if bytes.Contains(token, []byte("[")) {
				return false // entities
			}
		case xml.StartElement:
			switch strings.ToLower(token.Name.Local) {
			case "script", "foreignobject", "iframe", "embed", "object", "handler", "listener":
				return false
			}
			for _, attribute := range token.Attr {
				value := strings.ToLower(strings.Join(strings.Fields(attribute.Value), ""))
				if strings.HasPrefix(strings.ToLower(attribute.Name.Local), "on") || strings.Contains(value, "javascript:") || strings.Contains(value, "data:text") {
					return false
				}
			}
		}
	}
}
