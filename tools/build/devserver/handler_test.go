package devserver

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"asz/web/site"
)

func get(t *testing.T, handler http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
	return recorder
}

func TestHandlerServesLikeAStaticHost(t *testing.T) {
	handler := NewHandler()
	handler.Show(site.Files{
		"index.html": []byte("catalog"), "labs/one/index.html": []byte("lab"), "assets/p.wasm": {0}, "assets/a.js": {}, "a.css": {}, "labs/one/lab.bin": {},
	}, "")
	for path, want := range map[string]struct {
		status int
		kind   string
	}{
		"/":                 {http.StatusOK, "text/html; charset=utf-8"},
		"/labs/one/":        {http.StatusOK, "text/html; charset=utf-8"},
		"/labs/one":         {http.StatusMovedPermanently, ""},
		"/assets/p.wasm":    {http.StatusOK, "application/wasm"},
		"/assets/a.js":      {http.StatusOK, "text/javascript; charset=utf-8"},
		"/a.css":            {http.StatusOK, "text/css; charset=utf-8"},
		"/labs/one/lab.bin": {http.StatusOK, "application/octet-stream"},
		"/nothing":          {http.StatusNotFound, ""},
	} {
		got := get(t, handler, path)
		if got.Code != want.status || want.kind != "" && got.Header().Get("Content-Type") != want.kind {
			t.Errorf("%s: %d %s, want %d %s", path, got.Code, got.Header().Get("Content-Type"), want.status, want.kind)
		}
	}
	if to := get(t, handler, "/labs/one").Header().Get("Location"); to != "/labs/one/" {
		t.Errorf("a folder without its slash leads to %q", to)
	}
}

func TestPreviousSiteStaysUp(t *testing.T) {
	handler := NewHandler()
	handler.Show(nil, "simulator.yaml:1:1: <bad>")
	if got := get(t, handler, "/"); got.Code != http.StatusServiceUnavailable || !strings.Contains(got.Body.String(), "&lt;bad&gt;") {
		t.Errorf("before there is a site: %d %s", got.Code, got.Body)
	}
	handler.Show(site.Files{"index.html": []byte("good")}, "")
	handler.Show(nil, "broken now")
	if got := get(t, handler, "/"); got.Body.String() != "good" {
		t.Errorf("after a failed build the page is %q", got.Body)
	}
}

func TestEventsTellOfEachChange(t *testing.T) {
	handler := NewHandler()
	handler.Show(site.Files{"index.html": []byte("1")}, "")
	server := httptest.NewServer(handler)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+EventsPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	next := func(event string) string {
		t.Helper()
		for lines.Scan() {
			if lines.Text() == "event: "+event && lines.Scan() {
				return strings.TrimPrefix(lines.Text(), "data: ")
			}
		}
		t.Fatalf("no event %s came: %v", event, lines.Err())
		return ""
	}
	first := next("site")
	if got := next("findings"); got != `""` {
		t.Errorf("findings are %s", got)
	}
	handler.Show(nil, "line\n\"two\"")
	if got := next("site"); got != first {
		t.Error("the version changed without the site")
	}
	if got := next("findings"); got != `"line\n\"two\""` {
		t.Errorf("findings are %s", got)
	}
	handler.Show(site.Files{"index.html": []byte("2")}, "")
	if got := next("site"); got == first {
		t.Error("the version did not change with the site")
	}
}
