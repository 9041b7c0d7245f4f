package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"asz/web/site"
)

// visit is what one opening of a lab's page took.
type visit struct {
	textKB, promptKB float64 // bytes on the wire until then, in KB, compressed
	text, prompt     float64 // ms until the text was painted and the terminal was ready
}

// compressed serves a site as a good static host does, with brotli and caching.
func compressed(files site.Files) (http.Handler, error) {
	packed := site.Files{}
	for name, data := range files {
		var out bytes.Buffer
		w := brotli.NewWriterLevel(&out, brotli.BestCompression)
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		packed[name] = out.Bytes()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		data, ok := packed[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if path.Ext(name) == ".wasm" {
			kind = "application/wasm"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Encoding", "br")
		w.Header().Set("Cache-Control", "max-age=3600")
		w.Write(data)
	}), nil
}

// pages prints what opening a lab takes: bytes and time until its text can be
// read, and until the terminal takes a command.
func pages(ctx context.Context, out io.Writer, files site.Files) error {
	server, err := compressed(files)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	host := &http.Server{Handler: server}
	go host.Serve(listener)
	defer host.Close()
	address := "http://" + listener.Addr().String() + "/labs/containers/index.html"
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nlab page\ttext KB\tprompt KB\ttext ms\tprompt ms\t")
	for _, slow := range []bool{false, true} {
		var first, later []visit
		for range 3 {
			a, b, err := open(ctx, address, slow)
			if err != nil {
				return err
			}
			first, later = append(first, a), append(later, b)
		}
		name := "unthrottled"
		if slow {
			name = "1.6 Mbps, 150 ms, CPU 4×"
		}
		for i, v := range []visit{median(first), median(later)} {
			fmt.Fprintf(t, "%s, %s visit\t%.1f\t%.1f\t%.0f\t%.0f\t\n", name, [...]string{"first", "later"}[i], v.textKB, v.promptKB, v.text, v.prompt)
		}
	}
	return t.Flush()
}

// median takes each figure's median over the visits.
func median(visits []visit) visit {
	of := func(figure func(visit) float64) float64 {
		list := make([]float64, len(visits))
		for i, v := range visits {
			list[i] = figure(v)
		}
		slices.Sort(list)
		return list[len(list)/2]
	}
	return visit{
		of(func(v visit) float64 { return v.textKB }), of(func(v visit) float64 { return v.promptKB }),
		of(func(v visit) float64 { return v.text }), of(func(v visit) float64 { return v.prompt }),
	}
}

// noteReady keeps the moment at which the terminal takes a command.
const noteReady = `new MutationObserver((_, observer) => {
	if (document.querySelector("#page_reset:enabled") === null) return;
	globalThis.readyAt = performance.now();
	observer.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true });`

// readVisit waits for that moment and adds up what came until then, and until the
// first text was painted.
const readVisit = `new Promise((resolve) => {
	const look = () => {
		const paint = performance.getEntriesByName("first-contentful-paint")[0];
		if (globalThis.readyAt === undefined || paint === undefined) return setTimeout(look, 20);
		const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
		const until = (at) => entries.filter((e) => e.transferSize > 0 && e.responseEnd <= at).reduce((sum, e) => sum + e.encodedBodySize, 0);
		resolve([until(paint.startTime) / 1000, until(globalThis.readyAt) / 1000, paint.startTime, globalThis.readyAt]);
	};
	look();
})`

// open opens the page in a new browser, then once more with a filled cache.
func open(ctx context.Context, address string, slow bool) (first, later visit, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	ctx, cancelBrowser := chromedp.NewExecAllocator(ctx, browserOptions()...)
	defer cancelBrowser()
	ctx, cancelTab := chromedp.NewContext(ctx)
	defer cancelTab()
	prepare := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: noteReady}); err != nil || !slow {
			return err
		}
		_, err := cdp.Call(ctx, target, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Latency: 150, DownloadThroughput: 1.6e6 / 8, UploadThroughput: 0.75e6 / 8}},
		})
		if err == nil {
			_, err = cdp.Call(ctx, target, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
		}
		return err
	})
	if err := chromedp.Do(ctx, prepare); err != nil {
		return first, later, err
	}
	for _, v := range []*visit{&first, &later} {
		if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
			return first, later, err
		}
		figures, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](readVisit, chromedp.EvalAwaitPromise))
		if err != nil {
			return first, later, err
		}
		*v = visit{figures[0], figures[1], figures[2], figures[3]}
	}
	return first, later, nil
}
