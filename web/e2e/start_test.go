package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

func TestTextIsReadAndLinesAreTypedBeforeTheEngineIsThere(t *testing.T) {
	t.Parallel()
	files := makeSite(t, "")
	arrived := make(chan struct{})
	release := sync.OnceFunc(func() { close(arrived) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if strings.HasSuffix(name, ".wasm") {
			<-arrived
		}
		http.ServeContent(w, r, name, time.Time{}, strings.NewReader(string(files[name])))
	}))
	t.Cleanup(server.Close)
	t.Cleanup(release)
	b := openBrowser(t)
	b.do("open the lab", chromedp.Navigate(server.URL+"/labs/containers/index.html"))
	b.wait("the text is there", `document.querySelector(".section.current .text").innerText.includes("A container is a program")`)
	b.wait("the terminal says that it starts", `document.querySelector(".xterm-rows")?.textContent.includes("Starting")`)
	if !b.holds(`document.querySelector(".run").disabled`) {
		t.Error("a block can be run before anything can run it")
	}
	b.click(".pane:not([hidden]) .screen")
	b.typeLine("docker pull acme/shop:1.0")
	b.wait("what is typed is shown", `document.querySelector(".xterm-rows").textContent.includes("docker pull")`)
	release()
	b.ready()
	b.equal("the count", containersSteps, "1 of 13 steps")

	// Esc, then Tab leaves the terminal.
	b.press(input.DispatchKeyEventParams{Key: "Escape", Code: "Escape", WindowsVirtualKeyCode: 27})
	b.press(input.DispatchKeyEventParams{Key: "Tab", Code: "Tab", WindowsVirtualKeyCode: 9})
	b.wait("the keyboard has left the terminal", `document.activeElement.closest(".terminal") === null`)
	b.checkQuiet()
}

func TestAnswersStreamAndRunsAreReplayed(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	b.do("allow motion", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}},
		})
		return err
	}))
	b.do("open the lab", chromedp.Navigate(serveSite(t, makeSite(t, ""))+"labs/release-desk/"))
	b.ready()
	// Everything that is shown, as it is shown.
	b.do("watch", chromedp.Evaluate[chromedp.Void](`
		window.seen = new Set();
		new MutationObserver(() => {
			const badge = document.querySelector("#page_pane-ci .badge");
			if (badge) seen.add(badge.textContent);
			for (const word of ["Evaluating", "rehearsal failed"])
				if (document.querySelector(".pane:not([hidden]) .xterm-rows")?.textContent.includes(word)) seen.add(word);
		}).observe(document.body, { subtree: true, childList: true, characterData: true });`))
	b.focus()
	b.typeLine("desk open release 1.4.0")
	b.typeLine("desk rehearse")
	for _, status := range []string{"Queued", "In progress", "Failure"} {
		b.wait("the run was "+status, fmt.Sprintf(`seen.has(%q)`, status))
	}
	if !b.holds(`document.getElementById("page_tab-ci").ariaSelected === "true"`) {
		t.Error("a run that is shown as it goes does not come forward")
	}
	b.showTerminal("desk")
	b.wait("it has failed", `seen.has("rehearsal failed")`)
	b.showTerminal("agent")
	b.typeLine("desk agent")
	b.typeLine("Write the release notes for 1.4.0.")
	b.wait("the agent has thought", `seen.has("Evaluating")`)
	b.wait("and written", `document.querySelectorAll(".log")[1].textContent.includes("Writing notes")`)
	b.click("#page_settings-button")
	b.click("#page_streaming")
	b.click("#page_settings-button")
	b.showTerminal("desk")
	b.typeLine("desk rehearse")
	b.wait("without streaming a run is shown at its end", `document.querySelectorAll("#page_pane-ci .run").length === 2 && document.querySelector("#page_pane-ci .badge").textContent === "Failure"`)
	b.wait("the tab says that there is a new run", `document.getElementById("page_tab-ci").classList.contains("news")`)
	b.checkQuiet()
}

func TestWithoutScriptsAllSectionsAreRead(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	b.do("switch scripts off", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	b.do("open the lab", chromedp.Navigate(serveSite(t, makeSite(t, ""))+"labs/containers/#look-inside"))
	b.wait("all sections are shown", `[...document.querySelectorAll(".section")].filter(section => section.checkVisibility()).length === 4`)
	b.wait("no dead button is", `[...document.querySelectorAll(".block button")].every(button => !button.checkVisibility())`)
}
