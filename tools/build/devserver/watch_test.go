package devserver

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"asz/tools/build/maker"
)

func TestChangeOf(t *testing.T) {
	for file, want := range map[string]Change{
		"web/src/ui/lab.ts":         {Parts: maker.Scripts},
		"web/src/ui/page.css":       {Parts: maker.Scripts},
		"web/page/lab.templ":        {Templates: true},
		"web/page/lab_templ.go":     {Tool: true},
		"web/site/site_test.go":     {},
		"web/dist/index.html":       {},
		"shared/sim/engine.go":      {Tool: true},
		"wasm/player/main.go":       {Parts: maker.Modules},
		"tools/build/main.go":       {Tool: true},
		"web/src/ui/.lab.ts.swp":    {},
		"shared/sim/engine.go~":     {},
		"shared/sim/.#engine.go":    {},
		"native/cli/main.go":        {},
		"shared/sim/testdata/x.txt": {},
	} {
		if got := changeOf(file); got != want {
			t.Errorf("%s asks for %+v, want %+v", file, got, want)
		}
	}
}

func TestWatchFollowsAFolderOfLabs(t *testing.T) {
	root := t.TempDir()
	labs := filepath.Join(root, "elsewhere")
	for _, dir := range []string{labs, filepath.Join(root, "web"), filepath.Join(root, "shared"), filepath.Join(root, "wasm"), filepath.Join(root, "tools", "build")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	changes := make(chan Change, 10)
	ended := make(chan error, 1)
	go func() { ended <- watch(ctx, root, labs, func(change Change) { changes <- change }) }()

	// The watch may not stand yet when the first file is written, so it is written until it is seen.
	deadline := time.After(15 * time.Second)
	wait := func(file string, want Change) {
		t.Helper()
		for {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(time.Now().String()), 0o644); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-changes:
				if got == want {
					return
				}
			case <-time.After(500 * time.Millisecond):
			case <-deadline:
				t.Fatalf("no change was seen of %s", file)
			}
		}
	}
	wait(filepath.Join(labs, "new", "sections", "one.md"), Change{Parts: maker.Labs})
	wait(filepath.Join(root, "web", "src", "a.ts"), Change{Parts: maker.Scripts})
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestListenTakesTheNextFreePort(t *testing.T) {
	first, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	a, b := first.Addr().(*net.TCPAddr), second.Addr().(*net.TCPAddr)
	if !a.IP.IsLoopback() || b.Port <= a.Port {
		t.Errorf("got %v, then %v", a, b)
	}
}
