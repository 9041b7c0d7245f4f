package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestTypingAsInATerminal: history, cursor keys, Ctrl-C and a paste of several lines.
func TestTypingAsInATerminal(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	b.do("open the lab", chromedp.Navigate(serveSite(t, makeSite(t, ""))+"labs/containers/"))
	b.ready()
	b.focus()
	const lines = `[...document.querySelector(".log").children].map(entry => entry.textContent.split("\n")[0]).join("|")`
	const last = `(document.querySelector(".log").lastElementChild?.textContent.split("\n")[0] ?? "")`
	key := func(name string, code int64) {
		t.Helper()
		b.press(input.DispatchKeyEventParams{Key: name, Code: name, WindowsVirtualKeyCode: code})
	}
	enter := func() {
		t.Helper()
		b.press(input.DispatchKeyEventParams{Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r", UnmodifiedText: "\r"})
	}
	b.typeLine("ls")
	b.equal("the line", last, "$ ls")
	b.typeLine("docker images")
	b.equal("the line", last, "$ docker images")
	key("ArrowUp", 38)
	key("ArrowUp", 38)
	enter()
	b.wait("the older line ran again", lines+`.endsWith("$ docker images|$ ls")`)
	key("ArrowUp", 38) // ls, which is made to `lsx` and back by cursor keys
	b.press(input.DispatchKeyEventParams{Key: "x", Text: "x", UnmodifiedText: "x"})
	key("Home", 36)
	key("Delete", 46)
	key("End", 35)
	key("Backspace", 8)
	key("ArrowLeft", 37)
	b.press(input.DispatchKeyEventParams{Key: "l", Text: "l", UnmodifiedText: "l"})
	enter()
	b.equal("the edited line", last, "$ ls")
	b.press(input.DispatchKeyEventParams{Key: "q", Text: "q", UnmodifiedText: "q"})
	b.interrupt()
	b.typeLine("docker ps")
	b.equal("what Ctrl-C gave up is gone", last, "$ docker ps")
	b.do("paste lines", chromedp.Evaluate[chromedp.Void](`(() => {
		const data = new DataTransfer();
		data.setData("text/plain", "cat Dockerfile\ndocker ps -a\n");
		document.querySelector(".pane:not([hidden]) textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
	})()`))
	b.wait("each line ran", lines+`.endsWith("$ cat Dockerfile|$ docker ps -a")`)
	b.checkQuiet()
}
