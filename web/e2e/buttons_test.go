package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// answers are what the test types when a terminal asks, by a part of the prompt; to what is masked it is the secret.
var answers = map[string]string{"ccount": "ship-team", "sure": "yes"}

const secret = "s3cr3t-t0k3n-0f-the-test"

// after is what a lab's text asks for beyond its buttons, after a command: a control to switch on, and a re-run.
var after = map[string]string{"git push": "release-key"}

// button is one thing in a section that can be pressed, as the page has it.
type button struct {
	Selector string
	Text     string // of its block
}

// buttons lists what can be pressed in the section that is shown, in order.
const buttons = `JSON.stringify([...document.querySelectorAll(".section.current :is(.run, .save, .file-link, .tab-link, .set-variables, .copy, [data-variable])")]
	.map((e, i) => (e.dataset.test = location.hash.slice(1) + i, {
		Selector: '[data-test="' + e.dataset.test + '"]',
		Text: e.matches(".run") ? e.closest(".block").querySelector("code").textContent.trim() : "",
	})))`

// waiting is the first terminal that asks a question, whether the answer is masked, and its prompt; "" when none does.
const waiting = `([...document.querySelectorAll(".pane.terminal")].map(pane => [pane.dataset.terminal, JSON.parse(asz.restore(asz.mark(), pane.dataset.terminal))])
	.filter(([, w]) => w.mode === "input").map(([id, w]) => [id, w.mask, w.prompt].join("\n"))[0] ?? "")`

func TestLabsPlayByTheirButtons(t *testing.T) {
	address := serveSite(t, makeSite(t, ""))
	for id := range scriptsOf(t, filepath.Join(project(t).Root, "labs")) {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			b := openBrowser(t)
			b.do("open the lab", chromedp.Navigate(address+"labs/"+id+"/"))
			b.ready()
			for section := 1; ; section++ {
				b.wait(fmt.Sprintf("section %d is shown", section), fmt.Sprintf(`document.querySelector('.section.current').dataset.number === "%d"`, section))
				b.pressAll()
				if b.holds(`document.querySelector(".section.current .next") === null`) {
					break
				}
				if section == 3 {
					b.reloadMidway()
				}
				b.click(".section.current .next")
			}
			b.allDone()
			b.checkQuiet()
			if stored := b.text(`JSON.stringify(localStorage)`); strings.Contains(stored, secret) {
				t.Errorf("the secret is in storage: %s", stored)
			}
			if t.Failed() {
				t.Log(b.screen())
			}
		})
	}
}

// pressAll presses every button of the section that is shown, in order, and answers what the terminals ask.
func (b *browser) pressAll() {
	b.t.Helper()
	var all []button
	if err := json.Unmarshal([]byte(b.text(buttons)), &all); err != nil {
		b.t.Fatal(err)
	}
	for _, one := range all {
		if !b.holds(fmt.Sprintf(`document.querySelector('%s').checkVisibility()`, one.Selector)) {
			continue
		}
		b.click(one.Selector)
		b.rest()
		b.answer()
		if control := after[one.Text]; control != "" && b.holds(fmt.Sprintf(`document.querySelector('[data-control="%s"]') !== null`, control)) {
			b.setControl(control, true)
			b.click("#page_tab-ci")
			b.click(".rerun")
			b.wait("the re-run has succeeded", `document.querySelector(".run .badge").dataset.status === "success"`)
		}
	}
}

// rest waits until no terminal shows an answer any more.
func (b *browser) rest() {
	b.t.Helper()
	b.wait("the terminals are at rest", `document.querySelector('.pane.terminal[aria-busy="true"]') === null`)
}

// answer answers questions until none is open.
func (b *browser) answer() {
	b.t.Helper()
	for {
		open := b.text(waiting)
		question := strings.SplitN(open, "\n", 3)
		if len(question) < 3 {
			return
		}
		answer := "5"
		for part, known := range answers {
			if strings.Contains(question[2], part) {
				answer = known
			}
		}
		if question[1] == "true" {
			answer = secret
		}
		b.showTerminal(question[0])
		before := b.text(`document.querySelector(".pane:not([hidden]) .log").childElementCount + ""`)
		b.typeLine(answer)
		b.rest()
		b.wait("the answer to "+question[2]+" is taken", fmt.Sprintf(`document.querySelector(".pane:not([hidden]) .log").childElementCount + "" !== %q`, before))
	}
}

// reloadMidway reloads the page and checks that the session is there again, once masked answers were given again.
func (b *browser) reloadMidway() {
	b.t.Helper()
	const steps = `document.getElementById("page_steps-count").textContent`
	before, log := b.text(steps), b.text(`[...document.querySelectorAll(".log")].map(log => log.lastElementChild?.textContent).join()`)
	b.do("reload", chromedp.Reload())
	b.ready()
	if got := b.text(steps); got != before {
		b.t.Errorf("after a reload %s are done, before it were %s", got, before)
	}
	b.answer()
	b.wait("the last answers are there again", fmt.Sprintf(`[...document.querySelectorAll(".log")].map(log => log.lastElementChild?.textContent).join() === %s`, asJSON(log)))
}

// holds evaluates a JavaScript expression that is true or false.
func (b *browser) holds(expression string) bool {
	b.t.Helper()
	return b.text(fmt.Sprintf(`String(%s)`, expression)) == "true"
}
