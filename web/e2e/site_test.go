package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"asz/tools/build/maker"
	"asz/web/site"
)

// base is the project with its scripts and modules built; they are the same for every folder of labs.
var base = sync.OnceValues(func() (*maker.Maker, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	root, err := maker.Root(dir)
	if err != nil {
		return nil, err
	}
	if err := maker.NoteSources(root); err != nil {
		return nil, err
	}
	m := &maker.Maker{Root: root, LabsDir: filepath.Join(root, "labs")}
	_, _, err = m.Make(context.Background(), maker.All)
	return m, err
})

func project(t *testing.T) maker.Maker {
	t.Helper()
	m, err := base()
	if err != nil {
		t.Fatal(err)
	}
	return *m
}

// makeSite makes the site of a folder of labs; "" stands for the project's own.
func makeSite(t *testing.T, labs string) site.Files {
	t.Helper()
	m := project(t)
	if labs != "" {
		m.LabsDir = labs
	}
	files, findings, err := m.Make(t.Context(), maker.Labs)
	if err != nil {
		t.Fatal(err)
	}
	if files == nil {
		var text strings.Builder
		if err := findings.WriteText(&text, false); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("the labs have errors:\n%s", text.String())
	}
	return files
}

// serveSite serves a site the way a plain static host does. It returns the address of the catalog.
func serveSite(t *testing.T, files site.Files) string {
	t.Helper()
	out := t.TempDir()
	if err := files.WriteTo(out); err != nil {
		t.Fatal(err)
	}
	return serveFolder(t, out)
}

// serveFolder serves a folder below a path of its own, since a site may stand anywhere.
func serveFolder(t *testing.T, folder string) string {
	t.Helper()
	const below = "/some/where/"
	server := httptest.NewServer(http.StripPrefix(below, http.FileServer(http.Dir(folder))))
	t.Cleanup(server.Close)
	return server.URL + below
}
