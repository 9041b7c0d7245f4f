package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// violation is what axe-core finds wrong.
type violation struct {
	ID, Help string
	Nodes    []string
}

const runAxe = `axe.run(document, { resultTypes: ["violations"], iframes: false }).then(result => JSON.stringify(result.violations.map(v => (
	{ ID: v.id, Help: v.help, Nodes: v.nodes.map(n => n.target.join(" ") + ": " + n.html.slice(0, 160) + " " + (n.failureSummary ?? "").slice(0, 300)) }))))`

// checkAccess fails when axe-core finds anything wrong with the page. It comes in through the debugger, where the
// page's policy does not apply.
func (b *browser) checkAccess(when string) {
	b.t.Helper()
	source, err := os.ReadFile(filepath.Join(project(b.t).Root, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](string(source)+"\n;0")); err != nil {
		b.t.Fatal(err)
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[string](runAxe, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	var violations []violation
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range violations {
		b.t.Errorf("%s: %s (%s)", when, v.Help, v.ID)
		for _, node := range v.Nodes {
			b.t.Log("  ", node)
		}
	}
}

// prefer sets a media feature such as prefers-color-scheme.
func (b *browser) prefer(scheme string, width int) {
	b.t.Helper()
	b.do("prefer "+scheme, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		if err != nil {
			return err
		}
		_, err = cdp.Call(ctx, target, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: int64(width), Height: 800, DeviceScaleFactor: 1,
		})
		return err
	}))
}

func TestAxeFindsNothing(t *testing.T) {
	address := serveSite(t, makeSite(t, ""))
	for _, scheme := range []string{"light", "dark"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			b := openBrowser(t)
			width := map[string]int{"light": 1280, "dark": 390}[scheme]
			b.prefer(scheme, width)
			b.do("open the catalog", chromedp.Navigate(address))
			b.wait("the search is there", `document.getElementById("page_search").checkVisibility()`)
			b.checkAccess("the catalog")
			b.do("open the lab", chromedp.Navigate(address+"labs/release-desk/"))
			b.ready()
			b.checkAccess("the lab at rest")
			b.focus()
			b.typeLine("desk open release 1.4.0")
			b.typeLine("desk rehearse")
			b.wait("there is output", `document.querySelector(".log").textContent.includes("rehearsal failed")`)
			b.checkAccess("the lab after output")
			b.click("#page_settings-button")
			b.checkAccess("the settings")
			b.click("#page_settings-button")
			b.click("#page_tab-ci")
			b.checkAccess("the pipeline")
			b.click("#page_tab-service-0")
			b.wait("the board is there", `document.querySelector("iframe") !== null`)
			b.checkAccess("the board")
			for section := 2; section <= 5; section++ {
				b.do("go on", chromedp.Evaluate[chromedp.Void](`document.querySelector(".section.current .next").click()`))
				b.wait("the section is shown", fmt.Sprintf(`document.querySelector(".section.current").dataset.number === "%d"`, section))
				b.wait("its diagrams are drawn", `document.querySelectorAll(".section.current .mermaid").length === document.querySelectorAll(".section.current .mermaid img").length`)
				b.checkAccess(fmt.Sprintf("section %d", section))
			}
			b.wait("nothing is wider than the page", `[document.documentElement, document.getElementById("page_instructions"), document.querySelector(".workspace")].every(e => e.scrollWidth <= e.clientWidth)`)
			b.checkQuiet()
		})
	}
}
