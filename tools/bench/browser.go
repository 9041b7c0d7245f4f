package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"asz/web/site"
)

//go:embed bench.js
var script string

// inChromium types the lines of each lab through the page's bridge and returns
// the median µs for one, of five rounds once the module is warm.
func inChromium(ctx context.Context, root string, files site.Files, labs []benchLab) ([]float64, error) {
	bridge, err := os.ReadFile(filepath.Join(root, "wasm", "player", "bridge.mjs"))
	if err != nil {
		return nil, err
	}
	module, err := os.ReadFile(filepath.Join(root, "wasm", "module.mjs"))
	if err != nil {
		return nil, err
	}
	parts := map[string][]byte{"bench.js": []byte(script), "bridge.mjs": bridge, "module.mjs": module}
	for path, data := range files {
		for _, name := range []string{"player", "wasm_exec"} {
			if base := path[strings.LastIndexByte(path, '/')+1:]; strings.HasPrefix(base, name) {
				parts[name] = data
			}
		}
	}
	for i, l := range labs {
		parts[fmt.Sprintf("lab%d", i)] = l.compiled
		lines, err := json.Marshal(l.lines)
		if err != nil {
			return nil, err
		}
		parts[fmt.Sprintf("lines%d", i)] = lines
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		switch data, ok := parts[name]; {
		case name == "":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><script src=wasm_exec></script><script type=module src=bench.js></script>")
		case ok && name == "player":
			w.Header().Set("Content-Type", "application/wasm")
			w.Write(data)
		case ok:
			w.Header().Set("Content-Type", "text/javascript")
			w.Write(data)
		default:
			http.NotFound(w, r)
		}
	})}
	go server.Serve(listener)
	defer server.Close()
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	ctx, cancelBrowser := chromedp.NewExecAllocator(ctx, browserOptions()...)
	defer cancelBrowser()
	ctx, cancelTab := chromedp.NewContext(ctx)
	defer cancelTab()
	if _, err := chromedp.Run(ctx, chromedp.Navigate("http://"+listener.Addr().String()+"/")); err != nil {
		return nil, err
	}
	return chromedp.Run(ctx, chromedp.Evaluate[[]float64](fmt.Sprintf("measure(%d)", len(labs)), chromedp.EvalAwaitPromise))
}

func browserOptions() []chromedp.ExecAllocatorOption {
	return append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-sync", true))
}
