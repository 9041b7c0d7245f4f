package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"asz/tools/build/maker"
)

const authorPage = `<!doctype html>
<title>author</title>
<link rel="icon" href="data:,">
<button id="stop">Stop</button>
<script type="module">
import "./wasm_exec.js";
import { createAuthor } from "./bridge.mjs";
window.labs = await (await fetch("labs.json")).json();
window.worker = new Worker("worker.mjs", { type: "module" });
worker.onmessage = ({ data }) => { window.fromWorker = data; };
worker.postMessage(labs);

window.states = [];
const controller = new AbortController();
document.getElementById("stop").onclick = () => controller.abort();
const author = await createAuthor({ url: "author.wasm" });
author.files(labs);
const onProgress = (progress) => states.push(progress.states);
try {
	await author.check("huge", { explore: "full", signal: controller.signal, onProgress });
} catch (error) {
	window.stopped = error.name;
}
const slices = states.length;
window.report = await author.check("small");
window.late = states.length - slices;
author.close();
window.done = true;
</script>
`

const authorWorker = `import "./wasm_exec.js";
import { createAuthor } from "./bridge.mjs";
onmessage = async ({ data }) => {
	const author = await createAuthor({ url: "author.wasm" });
	author.files(data);
	const report = await author.check("small", { solution: true });
	const why = await author.why("small", { line: "open door" });
	const problem = await author.why("small", { script: ["@nothing"], line: "open door" }).catch((error) => error.message);
	postMessage({ report, why, problem });
};
`

// TestLabsAreCheckedInTheBrowser: with the author's module, in a page, which goes on working meanwhile, and in a worker.
func TestLabsAreCheckedInTheBrowser(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = maker.NoteSources(root)
	}
	dir := t.TempDir()
	if err == nil {
		err = maker.BuildModule(t.Context(), root, "author", dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	var flips, all []string
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		name := string(c)
		flips = append(flips,
			"  - { id: "+name+"-on, when: { command: "+name+" on }, then: { state: { "+name+"x: true } } }",
			"  - { id: "+name+"-off, when: { command: "+name+" off }, then: { state: { "+name+"x: false } } }")
		all = append(all, name+"x: true")
	}
	labs, err := json.Marshal(map[string]string{
		"small/labspace.yaml":  "title: Small\nsimulator: simulator.yaml\nsections: [{ title: A, contentPath: a.md }]\n",
		"small/a.md":           "# A\n\n```bash\nopen door\n```\n",
		"small/simulator.yaml": "version: \"2.0\"\nstate: { locked: true }\nscenarios:\n  - { id: unlock, when: { command: unlock }, then: { state: { locked: false } } }\n  - { id: open, when: { command: open door, state: { locked: false } }, then: {} }\n",
		"huge/labspace.yaml":   "title: Huge\nsimulator: simulator.yaml\n",
		"huge/simulator.yaml":  "version: \"2.0\"\nscenarios:\n" + strings.Join(flips, "\n") + "\n  - { id: all, when: { command: all, state: { " + strings.Join(all, ", ") + " } }, then: {} }\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	serve := func(name, kind string, data []byte) {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Write(data)
		})
	}
	read := func(name, kind, file string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		serve(name, kind, data)
	}
	serve("{$}", "text/html", []byte(authorPage))
	serve("worker.mjs", "text/javascript", []byte(authorWorker))
	serve("labs.json", "application/json", labs)
	read("module.mjs", "text/javascript", filepath.Join(root, "wasm", "module.mjs")) // ../module.mjs of the bridge
	read("bridge.mjs", "text/javascript", filepath.Join(root, "wasm", "author", "bridge.mjs"))
	read("wasm_exec.js", "text/javascript", filepath.Join(dir, "wasm_exec.js"))
	read("author.wasm", "application/wasm", filepath.Join(dir, "author.wasm"))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	b := openBrowser(t)
	b.do("open the page", chromedp.Navigate(server.URL))
	b.wait("the search goes on", `window.states?.length > 3`)
	b.click("#stop")
	b.wait("it has stopped and another lab is checked", `window.done === true`)
	b.equal("how it stopped", `stopped`, "AbortError")
	b.equal("what was told after that", `String(late)`, "0")
	b.equal("the states", `String(states.at(-1) > states[0] && states.every((n, i) => i === 0 || n >= states[i - 1]))`, "true")
	b.equal("the findings in the page", `report.findings.map((f) => f.code + " " + f.file + ":" + f.line).join()`, "fence-too-early small/a.md:4")

	b.wait("the worker has answered", `window.fromWorker !== undefined`)
	b.equal("the report of the worker", `String(JSON.stringify(fromWorker.report.findings) === JSON.stringify(report.findings) && fromWorker.report.labs[0].exhaustive)`, "true")
	b.equal("why", `JSON.stringify(fromWorker.why)`, "[{\"scenario\":\"open\",\"text\":\"the state `locked` must be false, and it is true\",\"commands\":[\"unlock\"]}]")
	b.equal("a script that cannot be played", `fromWorker.problem`, "line 1 of the script: unknown action @nothing; @@nothing types a line that begins with @")
	b.checkQuiet()
}
