package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

func (b *browser) openDesk(section string) {
	b.t.Helper()
	b.do("open the lab", chromedp.Navigate(serveSite(b.t, makeSite(b.t, ""))+"labs/release-desk/#"+section))
	b.ready()
}

func TestVariablesFillTheText(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	b.openDesk("write-with-the-agent")
	const code = `[...document.querySelectorAll(".section.current code")].find(code => code.textContent.includes("desk codename")).textContent`
	const background = `String([...document.querySelectorAll(".section.current [data-if]")][0].checkVisibility())`
	b.equal("the command", code, `desk codename "lantern"`)
	b.click(`.section.current .set-variables[data-set*="moon"]`)
	b.equal("the command", code, `desk codename "paper moon"`)
	b.equal("the field", `document.querySelector(".section.current [data-variable]").value`, "paper moon")
	b.click(`.section.current [data-variable]`)
	b.typeLine(`s <b>$$version$$</b>`)
	b.equal("the command", code, `desk codename "paper moons <b>$$version$$</b>"`)
	b.equal("the background", background, "false")
	b.do("ask for the background", chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("#meet-the-desk .set-variables")[1].click()`))
	b.equal("the background", background, "true")
	b.do("reload", chromedp.Reload())
	b.ready()
	b.equal("the command", code, `desk codename "paper moons <b>$$version$$</b>"`)
	b.equal("the background", background, "true")
	b.click(`.section.current .copy`)
	b.wait("the block is copied, or can be", `document.getElementById("page_said").textContent !== ""`)
	b.checkQuiet()
}

func TestServicesCloseAndOpenAgain(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	b.openDesk("meet-the-desk")
	const tabs = `[...document.querySelectorAll('[role="tab"]')].map(tab => tab.textContent + (tab.ariaSelected === "true" ? "*" : "")).join()`
	b.equal("the tabs", tabs, "Desk*,Agent,Pipeline,Board")
	b.click(".tab-link")
	b.equal("the tabs", tabs, "Desk,Agent,Pipeline,Board*")
	b.wait("the page is there", `document.querySelector("iframe").src.endsWith("/files/board.html") && document.querySelector("iframe").getAttribute("sandbox") === ""`)
	b.click(`[aria-label="Close Board"]`)
	b.equal("the tabs", tabs, "Desk,Agent,Pipeline*")
	b.wait("the keyboard is at the tab that is shown", `document.activeElement.id === "page_tab-ci"`)
	b.click(".tab-link")
	b.equal("the tabs", tabs, "Desk,Agent,Pipeline,Board*")
	b.click(".tab-link")
	b.equal("the tabs", tabs, "Desk,Agent,Pipeline,Board*")
	b.checkQuiet()
}

func TestTheSessionSurvivesTheEngine(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	b.openDesk("meet-the-desk")
	b.focus()
	b.typeLine("desk open release 1.4.0")
	b.wait("it is answered", firstLog+`.includes("is open")`)
	b.do("break the engine", chromedp.Evaluate[chromedp.Void](`asz.act = () => { throw new Error("The simulator stopped."); }`))
	b.typeLine("ls")
	b.wait("the page says so", `document.getElementById("page_problem").textContent.includes("started again")`)
	b.ready()
	b.focus()
	b.typeLine("desk status")
	b.wait("the session goes on", firstLog+`.includes("1.4.0 is open") && document.querySelector(".log").lastElementChild.textContent.startsWith("$ desk status")`)
	b.checkQuiet("The simulator stopped.")
}
