package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

const (
	containersSteps = `document.getElementById("page_steps-count").textContent`
	shownSection    = `document.querySelector(".section.current").id`
	firstLog        = `document.querySelector(".log").textContent`
)

func (b *browser) equal(what, expression, want string) {
	b.t.Helper()
	b.wait(fmt.Sprintf("%s is %q", what, want), fmt.Sprintf(`%s === %s`, expression, asJSON(want)))
}

// play a step of the lab on containers.
func (b *browser) pullImage() {
	b.t.Helper()
	b.focus()
	b.typeLine("docker pull acme/shop:1.0")
	b.equal("the count", containersSteps, "1 of 13 steps")
}

func TestSessionAndProgressAreKeptApart(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	address := serveSite(t, makeSite(t, "")) + "labs/containers/"
	open := func() {
		t.Helper()
		b.do("open the lab", chromedp.Navigate("about:blank"), chromedp.Navigate(address))
		b.ready()
	}
	open()
	b.pullImage()
	open()
	b.wait("the session is there again", firstLog+`.includes("docker pull")`)
	b.focus()
	b.typeLine("docker images")
	b.wait("it goes on where it was", firstLog+`.includes("acme/shop")`)

	b.click("#page_reset")
	b.wait("the session is gone", firstLog+` === ""`)
	b.equal("the count", containersSteps, "1 of 13 steps")
	open()
	b.equal("the count", containersSteps, "1 of 13 steps")
	b.equal("the log", firstLog, "")

	b.click("#page_settings-button")
	b.click("#page_reset-progress")
	b.equal("the count", containersSteps, "0 of 13 steps")
	open()
	b.equal("the count", containersSteps, "0 of 13 steps")
	// The session stays, and its replay counts nothing.
	b.pullImage()
	b.click("#page_settings-button")
	b.click("#page_reset-progress")
	b.equal("the count", containersSteps, "0 of 13 steps")
	open()
	b.wait("the session is there", firstLog+`.includes("docker pull")`)
	b.equal("the count", containersSteps, "0 of 13 steps")
	b.checkQuiet()
}

func TestAChangedVersionClearsProgress(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	files, folder := makeSite(t, ""), t.TempDir()
	write := func() {
		t.Helper()
		if err := files.WriteTo(folder); err != nil {
			t.Fatal(err)
		}
	}
	write()
	b.do("open the lab", chromedp.Navigate(serveFolder(t, folder)+"labs/containers/"))
	b.ready()
	b.pullImage()
	b.do("reload", chromedp.Reload())
	b.ready()
	b.equal("the count", containersSteps, "1 of 13 steps")

	const lab = "labs/containers/index.html"
	changed := strings.Replace(string(files[lab]), `&#34;version&#34;:&#34;1&#34;`, `&#34;version&#34;:&#34;2&#34;`, 1)
	if changed == string(files[lab]) {
		t.Fatal("the page does not hold the lab's version")
	}
	files[lab] = []byte(changed)
	write()
	b.do("reload", chromedp.Reload())
	b.wait("the new version is there", `document.getElementById("page_lab").dataset.config.includes('"version":"2"')`)
	b.ready()
	b.equal("the count", containersSteps, "0 of 13 steps")
	b.equal("the log", firstLog, "")
	b.checkQuiet()
}

func TestStorageMayBeAnything(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	address := serveSite(t, makeSite(t, ""))
	b.do("open the lab", chromedp.Navigate(address+"labs/containers/"))
	b.ready()
	b.pullImage()
	for _, damage := range []string{
		`for (const key of Object.keys(localStorage)) localStorage[key] = "{"`,
		`for (const key of Object.keys(localStorage)) localStorage[key] = '{"version":"1","acts":[["line","gone","x"],["line","terminal","\\u001b[2Jls"],["rerun","terminal","-1"],["control","terminal",""]],"variables":{"__proto__":"x"},"done":["gone",7]}'`,
		`localStorage.clear(); localStorage.setItem("x".repeat(1000), "y".repeat(5 * 1024 * 1024 - 1100))`,
	} {
		b.wait("the session is stored", `JSON.stringify(localStorage).includes("docker pull")`)
		b.do("damage the storage", chromedp.Evaluate[chromedp.Void](damage), chromedp.Reload())
		b.ready()
		b.equal("the count", containersSteps, "0 of 13 steps")
		b.pullImage()
	}
	b.do("take the storage away", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } })`,
		})
		return err
	}), chromedp.Reload())
	b.ready()
	b.pullImage()
	b.do("open the catalog", chromedp.Navigate(address))
	b.wait("the catalog has its search", `document.getElementById("page_search").hidden === false`)
	b.checkQuiet()
}

func TestSectionsHaveLinksAndAWayBack(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	address := serveSite(t, makeSite(t, "")) + "labs/containers/"
	b.do("open a section", chromedp.Navigate(address+"#look-inside"))
	b.ready()
	b.equal("the section", shownSection, "look-inside")
	b.wait("only it is shown", `[...document.querySelectorAll(".section")].filter(section => section.checkVisibility()).length === 1`)
	b.click(`[data-section="build-your-own-image"]`)
	b.equal("the section", shownSection, "build-your-own-image")
	b.equal("the address", `location.hash`, "#build-your-own-image")
	b.wait("the list says so", `document.querySelector('[aria-current="true"]').dataset.section === "build-your-own-image"`)
	b.click(`.section.current .previous`)
	b.equal("the section", shownSection, "stop-start-remove")
	b.do("go back", chromedp.NavigateBack())
	b.equal("the section", shownSection, "build-your-own-image")
	b.do("go back", chromedp.NavigateBack())
	b.equal("the section", shownSection, "look-inside")
	heading := b.text(`document.querySelector('[id^="s-"]').id`)
	b.do("go to a heading", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = %s`, asJSON(heading))))
	b.wait("its section is shown", fmt.Sprintf(`document.getElementById(%s).checkVisibility()`, asJSON(heading)))
	b.do("go nowhere", chromedp.Evaluate[chromedp.Void](`location.hash = "%E0%A4%A"`))
	b.wait("a section is shown still", `document.querySelector(".section.current").checkVisibility()`)
	b.checkQuiet()
}

func TestCatalogSearch(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	b.do("open the catalog", chromedp.Navigate(serveSite(t, makeSite(t, ""))))
	b.wait("the search is there", `document.getElementById("page_search").checkVisibility()`)
	const shown = `[...document.querySelectorAll(".card")].filter(card => card.checkVisibility()).map(card => card.dataset.lab).join()`
	all := b.text(shown)
	search := func(query string) {
		t.Helper()
		b.do("search", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
			`(field => { field.value = %s; field.dispatchEvent(new Event("input")) })(document.getElementById("page_query"))`, asJSON(query))))
	}
	search("first CONT")
	b.equal("what is found", shown, "containers")
	search("nothing like that")
	b.equal("what is found", shown, "")
	b.equal("the count", `document.getElementById("page_found").textContent`, "No lab fits.")
	search("")
	b.equal("what is found", shown, all)
	b.checkQuiet()
}
