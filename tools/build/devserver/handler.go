// Package devserver serves a site from memory while it is worked on: it watches the sources, makes the site anew and
// tells open pages to reload.
package devserver

import (
	"encoding/json"
	"fmt"
	"html"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"asz/web/site"
)

// EventsPath is where pages listen; web/src/ui/live.ts knows it too.
const EventsPath = "/.dev/events"

// Handler serves the latest site. It may be used by several goroutines.
type Handler struct {
	mu       sync.Mutex
	files    site.Files
	version  string
	findings string
	changed  chan struct{} // closed at the next change
}

// NewHandler serves nothing until Show is called.
func NewHandler() *Handler { return &Handler{changed: make(chan struct{})} }

// Show replaces the site and what there is to say about it. With nil files the previous site stays up.
func (h *Handler) Show(files site.Files, findings string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if files != nil {
		h.files = files
		h.version = versionOf(files)
	}
	h.findings = findings
	close(h.changed)
	h.changed = make(chan struct{})
}

// ServeHTTP serves a file of the site, or the stream of events.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	if r.URL.Path == EventsPath {
		h.serveEvents(w, r)
		return
	}
	h.mu.Lock()
	files, findings := h.files, h.findings
	h.mu.Unlock()
	w.Header().Set("Cache-Control", "no-cache")
	if files == nil {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(w, "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=1><title>No site yet</title><pre>%s</pre>",
			html.EscapeString("There is no site yet.\n\n"+findings))
		return
	}
	serveFile(files, w, r)
}

// serveFile answers with the file of a site that a request asks for, as a static host would.
func serveFile(files site.Files, w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	data, found := files[name]
	if _, folder := files[name+"/index.html"]; folder {
		http.Redirect(w, r, url.PathEscape(path.Base(name))+"/", http.StatusMovedPermanently)
		return
	}
	if !found {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Write(data)
}

// contentType does not ask the system first: its tables differ, and wasm is only compiled while it streams in when
// its type is right.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".json":
		return "application/json"
	case ".wasm":
		return "application/wasm"
	}
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return "application/octet-stream"
}

// serveEvents sends the site's version and the findings, now and at each change, until the page goes away.
func (h *Handler) serveEvents(w http.ResponseWriter, r *http.Request) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "this server cannot stream", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprint(w, "retry: 300\n\n")
	for {
		h.mu.Lock()
		version, findings, changed := h.version, h.findings, h.changed
		h.mu.Unlock()
		quoted, err := json.Marshal(findings)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "event: site\ndata: %s\n\nevent: findings\ndata: %s\n\n", version, quoted)
		flusher.Flush()
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}
