package e2e

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// watch is in every document before its own scripts: it notes when lab content runs one.
const watch = `window.caught = []; window.canary = (what) => { window.caught.push(String(what)); };`

func TestAHostileLabDoesNothing(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	b.do("watch", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
		return err
	}))
	dir, err := filepath.Abs(filepath.Join("testdata", "hostile"))
	if err != nil {
		t.Fatal(err)
	}
	address := serveSite(t, makeSite(t, dir))
	b.do("open the catalog", chromedp.Navigate(address))
	b.wait("the search is there", `document.getElementById("page_search").checkVisibility()`)
	b.checkHarmless("the catalog", address)
	lab := address + "labs/bad/"
	b.do("open the lab", chromedp.Navigate(lab))
	b.ready()
	b.checkHarmless("the lab", lab)

	var all []button
	if err := json.Unmarshal([]byte(b.text(buttons)), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 12 {
		t.Errorf("the lab has only %d buttons", len(all))
	}
	for _, one := range all {
		b.do("press "+one.Selector, chromedp.Evaluate[chromedp.Void](`document.querySelector('`+one.Selector+`').click()`))
		b.checkHarmless("after "+one.Selector, lab)
	}
	b.wait("the second terminal talks", `document.querySelectorAll(".log")[1].textContent.includes("intro")`)
	b.wait("every tab was shown", `[...document.querySelectorAll('[role="tab"]')].every(tab => (tab.click(), tab.getAttribute("aria-selected") === "true"))`)
	b.wait("the run is there", `document.querySelectorAll(".run").length > 0`)
	b.do("open everything", chromedp.Evaluate[chromedp.Void](`
		document.getElementById("page_settings-button").click();
		document.querySelector("[data-control]").click();
		document.querySelectorAll(".rerun")[0].click();
		document.querySelectorAll("details").forEach(details => details.open = true);
		document.querySelectorAll(".text a").forEach(a => { if (a.target !== "_blank") a.click(); });
		document.querySelectorAll(".section *").forEach(e => ["mouseover", "click", "focus", "toggle", "load", "error"].forEach(type => { if (!e.matches("a")) e.dispatchEvent(new Event(type, { bubbles: true })); }));`))
	b.checkHarmless("after everything", lab)

	// The terminal is where it was, and takes typing.
	b.do("go to the terminal", chromedp.Evaluate[chromedp.Void](`document.getElementById("page_tab-terminal-0").click()`))
	b.wait("what came before is on the screen", `document.querySelector(".pane:not([hidden]) .xterm-rows").textContent.includes("$ attack")`)
	b.wait("no mouse tracking", `document.querySelector(".pane:not([hidden]) .xterm.enable-mouse-events") === null`)
	b.focus()
	b.typeLine("attack now")
	b.wait("the line is answered", `document.querySelector(".log").lastElementChild.textContent.includes("attack now")`)

	b.do("go to the diagrams", chromedp.Evaluate[chromedp.Void](`location.hash = document.querySelectorAll(".section")[1].id`))
	b.wait("the diagrams are drawn or left", `document.querySelectorAll(".section.current .mermaid img").length >= 1 && document.querySelectorAll(".section.current [data-drawn]").length === 3`)
	b.do("reload", chromedp.Reload())
	b.ready()
	b.checkHarmless("after a reload", lab)
	// Images that are not there may be missed; a frame that may not run scripts says so when it would have run one.
	b.checkQuiet("/labs/bad/x", "/labs/bad/evil.svg", "Blocked script execution")
}

// checkHarmless fails when lab content has run a script, moved the page, or stands where it could.
func (b *browser) checkHarmless(when, address string) {
	b.t.Helper()
	for what, expression := range map[string]string{
		"ran":        `JSON.stringify(window.caught)`,
		"went to":    `location.origin + location.pathname`,
		"has":        `JSON.stringify([...document.querySelectorAll("*")].flatMap(e => [...e.attributes].filter(a => /^on/i.test(a.name) || (/^(href|src|action|formaction|xlink:href|data)$/i.test(a.name) && /^\s*(javascript|vbscript|data:text)/i.test(a.value))).map(a => e.tagName + " " + a.name + "=" + a.value)))`,
		"holds":      `JSON.stringify([...document.querySelectorAll("base, object, embed, .section :is(script, iframe, style, link, meta, form, template, math), body > style")].map(e => e.outerHTML.slice(0, 99)))`,
		"frames":     `JSON.stringify([...document.querySelectorAll("iframe")].filter(e => e.getAttribute("sandbox") !== "").map(e => e.outerHTML))`,
		"clobbered":  `JSON.stringify([...document.querySelectorAll(".section [id^=page_], .section [name]")].map(e => e.outerHTML.slice(0, 99)))`,
		"is covered": `String([...document.querySelectorAll(".section *")].some(e => ["fixed", "sticky"].includes(getComputedStyle(e).position)))`,
	} {
		want := map[string]string{"went to": address, "is covered": "false"}[what]
		if want == "" {
			want = "[]"
		}
		if got := b.text(expression); got != want {
			b.t.Errorf("%s: the page %s %s", when, what, got)
		}
	}
}
