package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/tools/txtar"
)

// scriptsOf reads the golden scripts of a folder of labs, by lab.
func scriptsOf(t *testing.T, labs string) map[string]string {
	t.Helper()
	goldens, err := filepath.Glob(filepath.Join(labs, "*", "play.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{}
	for _, golden := range goldens {
		archive, err := txtar.ParseFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			if file.Name == "script" {
				scripts[filepath.Base(filepath.Dir(golden))] = string(file.Data)
			}
		}
	}
	return scripts
}

func TestLabsPlayToTheirEnd(t *testing.T) {
	playAll(t, filepath.Join(project(t).Root, "labs"))
}

func playAll(t *testing.T, labs string) {
	scripts := scriptsOf(t, labs)
	if len(scripts) == 0 {
		t.Fatal("no lab has a play.txtar with a file named script")
	}
	address := serveSite(t, makeSite(t, labs))
	for id, script := range scripts {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			b := openBrowser(t)
			b.do("open the catalog", chromedp.Navigate(address))
			b.click(fmt.Sprintf(`.card a[href=%s]`, strconv.Quote("labs/"+id+"/index.html")))
			b.ready()
			b.click(".pane:not([hidden]) .screen")
			for number, line := range strings.Split(strings.TrimSuffix(script, "\n"), "\n") {
				b.play(number+1, line)
			}
			b.allDone()
			if got := b.text(`document.getElementById("page_problem").textContent`); got != "" {
				t.Errorf("the page tells of a problem: %s", got)
			}
			b.checkQuiet()
			if t.Failed() {
				t.Log(b.screen())
			}
		})
	}
}

// ready waits until the lab plays.
func (b *browser) ready() {
	b.t.Helper()
	b.wait("the lab has started", `document.readyState === "complete" && document.querySelector("#page_reset:enabled") !== null`)
}

func (b *browser) allDone() {
	b.t.Helper()
	b.wait("all steps are done", `document.querySelector("[data-step]") !== null && document.querySelector("[data-step]:not(.done)") === null`)
}

// play does one line of a script: types it, or acts when it begins with @.
func (b *browser) play(number int, line string) {
	b.t.Helper()
	if typed, ok := strings.CutPrefix(line, "@@"); ok {
		b.typeLine("@" + typed)
		return
	}
	action, ok := strings.CutPrefix(line, "@")
	if !ok {
		b.typeLine(line)
		return
	}
	verb, rest, _ := strings.Cut(action, " ")
	switch verb {
	case "expect": // what the engine answers is for `asz play` to hold
	case "terminal":
		b.showTerminal(strings.TrimSpace(rest))
	case "control":
		id, position, _ := strings.Cut(strings.TrimSpace(rest), " ")
		b.setControl(id, position == "on")
	case "undo", "reset":
		b.click("#page_" + verb)
	case "interrupt":
		b.interrupt()
	case "save":
		path, content, _ := strings.Cut(rest, " ")
		var text string
		if err := json.Unmarshal([]byte(content), &text); err != nil {
			b.t.Fatalf("script line %d: the content is no JSON text: %v", number, err)
		}
		b.save(path, text)
	case "rerun":
		terminal := b.text(`document.querySelector(".pane:not([hidden])").dataset.terminal`)
		b.click("#page_tab-ci")
		button := ".rerun"
		if run := strings.TrimSpace(rest); run != "" {
			button = fmt.Sprintf(`.run[aria-label$="#%s"] .rerun`, run)
		}
		if b.holds(`document.querySelector("` + strings.ReplaceAll(button, `"`, `\"`) + `") !== null`) { // nothing ran: there is nothing to press
			b.click(button)
		}
		b.showTerminal(terminal)
	default:
		b.t.Fatalf("script line %d: the page has nothing that does @%s", number, verb)
	}
}

func (b *browser) showTerminal(id string) {
	b.t.Helper()
	b.click("#" + b.text(fmt.Sprintf(`document.querySelector('.pane[data-terminal=%s]').getAttribute("aria-labelledby")`, strconv.Quote(id))))
}

// save presses the Save button of a file and checks what it saves.
func (b *browser) save(path, text string) {
	b.t.Helper()
	block := fmt.Sprintf(`[data-save=%s]`, strconv.Quote(path))
	b.do("show the block", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = document.querySelector(%s).closest(".section").id`, strconv.Quote(block))))
	if got := b.text(fmt.Sprintf(`document.querySelector(%s).querySelector("code").textContent`, strconv.Quote(block))); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(text, "\n") {
		b.t.Errorf("the block for %s holds %q, the script saves %q", path, got, text)
	}
	b.click(".section.current " + block + " .save")
	b.focus()
}

func (b *browser) setControl(id string, on bool) {
	b.t.Helper()
	box := fmt.Sprintf(`[data-control=%s]`, strconv.Quote(id))
	b.click("#page_settings-button")
	if b.text(fmt.Sprintf(`String(document.querySelector(%s).checked)`, strconv.Quote(box))) != strconv.FormatBool(on) {
		b.click(box)
	}
	b.click("#page_settings-button")
	b.focus()
}

// focus goes to the terminal that is shown.
func (b *browser) focus() {
	b.t.Helper()
	b.do("go to the terminal", chromedp.Evaluate[chromedp.Void](`document.querySelector(".pane:not([hidden]) textarea").focus()`))
}
