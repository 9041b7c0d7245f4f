package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"asz/tools/build/maker"

	"github.com/chromedp/chromedp"
	"golang.org/x/tools/txtar"
)

// projectRoot is the project's folder.
func projectRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root, err := maker.Root(dir)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// serveSite builds the site of a folder of labs and serves it the way a plain static host does, below a path of its
// own, since a site may stand anywhere. It returns the address of the catalog.
func serveSite(t *testing.T, labs string) string {
	t.Helper()
	root := projectRoot(t)
	if err := maker.NoteSources(root); err != nil {
		t.Fatal(err)
	}
	m := &maker.Maker{Root: root, LabsDir: labs}
	files, findings, err := m.Make(t.Context(), maker.All)
	if err != nil {
		t.Fatal(err)
	}
	if files == nil {
		var text strings.Builder
		if err := findings.WriteText(&text, false); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("the labs have errors:\n%s", text.String())
	}
	out := t.TempDir()
	if err := files.WriteTo(out); err != nil {
		t.Fatal(err)
	}
	const below = "/some/where/"
	server := httptest.NewServer(http.StripPrefix(below, http.FileServer(http.Dir(out))))
	t.Cleanup(server.Close)
	return server.URL + below
}

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
	playAll(t, filepath.Join(projectRoot(t), "labs"))
}

func playAll(t *testing.T, labs string) {
	scripts := scriptsOf(t, labs)
	if len(scripts) == 0 {
		t.Fatal("no lab has a play.txtar with a file named script")
	}
	address := serveSite(t, labs)
	for id, script := range scripts {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			b := openBrowser(t)
			b.do("open the catalog", chromedp.Navigate(address))
			b.click(fmt.Sprintf(`.card a[href=%s]`, strconv.Quote("labs/"+id+"/index.html")))
			b.wait("the lab has started", `document.querySelector("#reset:enabled") !== null`)
			b.click(".pane:not([hidden])")
			for number, line := range strings.Split(strings.TrimSuffix(script, "\n"), "\n") {
				b.play(number+1, line)
			}
			b.wait("all steps are done", `document.querySelector("[data-step]") !== null && document.querySelector("[data-step]:not(.done)") === null`)
			if got := b.text(`document.getElementById("problem").textContent`); got != "" {
				t.Errorf("the page tells of a problem: %s", got)
			}
			b.checkQuiet()
			if t.Failed() {
				t.Log(b.screen())
			}
		})
	}
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
		b.click(fmt.Sprintf(`[role="tab"][data-terminal=%s]`, strconv.Quote(strings.TrimSpace(rest))))
	case "control":
		id, position, _ := strings.Cut(strings.TrimSpace(rest), " ")
		b.setControl(id, position == "on")
	case "undo", "reset":
		b.click("#" + verb)
	case "interrupt":
		b.interrupt()
	case "save":
		path, content, _ := strings.Cut(rest, " ")
		var text string
		if err := json.Unmarshal([]byte(content), &text); err != nil {
			b.t.Fatalf("script line %d: the content is no JSON text: %v", number, err)
		}
		b.act("save", path+"\n"+text)
	case "rerun":
		b.act("rerun", strings.TrimSpace(rest))
	default:
		b.t.Fatalf("script line %d: the page has nothing that does @%s", number, verb)
	}
}

// act asks the page's engine for what the page has no button for.
func (b *browser) act(kind, text string) {
	b.t.Helper()
	quoted, err := json.Marshal([]string{kind, text})
	if err != nil {
		b.t.Fatal(err)
	}
	b.text(fmt.Sprintf(`((kind, text) => asz.act(kind, document.querySelector(".pane:not([hidden])").dataset.terminal, text))(...%s)`, quoted))
}

func (b *browser) setControl(id string, on bool) {
	b.t.Helper()
	box := fmt.Sprintf(`[data-control=%s]`, strconv.Quote(id))
	if b.text(`String(document.getElementById("settings").open)`) != "true" {
		b.click("#settings summary")
	}
	if b.text(fmt.Sprintf(`String(document.querySelector(%s).checked)`, strconv.Quote(box))) != strconv.FormatBool(on) {
		b.click(box)
	}
	b.do("go back to the terminal", chromedp.Evaluate[chromedp.Void](`document.querySelector(".pane:not([hidden]) textarea").focus()`))
}
