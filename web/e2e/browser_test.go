// Package e2e plays labs in a real browser, with real key events, on the site as a static host serves it.
package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds every single wait; a machine under load needs most of it only when something is wrong.
const patience = 30 * time.Second

// browser is one tab of a headless Chromium with a profile of its own.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string // what the page complained about
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is missing: `make test` installs it, and so does `apt-get install chromium`")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("headless", "new"),
		chromedp.Flag("no-sandbox", true), // the tests may run as root
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("no-first-run", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("window-size", "1280,800"),
		chromedp.Flag("force-prefers-reduced-motion", true), // the page then shows every answer at once
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		leave()
		stop()
	})
	b := &browser{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	return b
}

func (b *browser) listen(event any) {
	var problem string
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = "exception: " + asJSON(event.ExceptionDetails)
	case *runtime.EventConsoleAPICalled:
		switch event.Type {
		case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning, runtime.ConsoleAPICalledTypeAssert:
			problem = "console: " + asJSON(event.Args)
		}
	case *page.EventJavascriptDialogOpening:
		problem = "dialog: " + event.Message
	case *log.EventEntryAdded:
		if event.Entry.Level == log.EntryLevelError {
			problem = "log: " + event.Entry.Text + " " + event.Entry.URL
		}
	}
	if problem != "" {
		b.mu.Lock()
		b.problems = append(b.problems, problem)
		b.mu.Unlock()
	}
}

func asJSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}

// checkQuiet fails when the page complained about anything but what is expected.
func (b *browser) checkQuiet(expected ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, problem := range b.problems {
		if !slices.ContainsFunc(expected, func(part string) bool { return strings.Contains(problem, part) }) {
			b.t.Error("the page complained:", problem)
		}
	}
}

func (b *browser) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%s: %v\n%s", what, err, b.screen())
	}
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.do("click "+selector, chromedp.Click(chromedp.CSS(selector)))
}

// wait waits until a JavaScript expression holds. It goes on across navigations, during which nothing can be asked.
func (b *browser) wait(what, expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	for {
		holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		if err == nil && holds {
			return
		}
		select {
		case <-ctx.Done():
			b.t.Fatalf("waited in vain until %s (last error: %v)\n%s", what, err, b.screen())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// text evaluates a JavaScript expression that gives text.
func (b *browser) text(expression string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.t.Fatalf("evaluate %s: %v", expression, err)
	}
	return value
}

// screen is what the visible terminal shows, for messages.
func (b *browser) screen() string {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		`[...document.querySelectorAll(".pane:not([hidden]) .xterm-rows > div")].map(row => row.textContent).join("\n")`))
	if err != nil {
		return "(the page does not answer)"
	}
	return "the terminal shows:\n" + strings.TrimRight(text, "\n ")
}

// typeLine types a line and Enter, as key events. What no key types comes in as from an input method.
func (b *browser) typeLine(line string) {
	b.t.Helper()
	b.do("type "+line, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for _, char := range line {
			if char > '~' {
				if _, err := cdp.Call(ctx, target, input.InsertText, input.InsertTextParams{Text: string(char)}); err != nil {
					return err
				}
				continue
			}
			if err := press(ctx, target, input.DispatchKeyEventParams{Key: string(char), Text: string(char), UnmodifiedText: string(char)}); err != nil {
				return err
			}
		}
		return press(ctx, target, input.DispatchKeyEventParams{Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r", UnmodifiedText: "\r"})
	}))
}

func (b *browser) interrupt() {
	b.t.Helper()
	b.press(input.DispatchKeyEventParams{Key: "c", Code: "KeyC", WindowsVirtualKeyCode: 67, Modifiers: 2})
}

func (b *browser) press(key input.DispatchKeyEventParams) {
	b.t.Helper()
	b.do("press "+key.Key, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error { return press(ctx, target, key) }))
}

// press sends one keyDown, with the text it types, and one keyUp. (chromedp's own KeyEvent also sends a char event,
// which xterm.js takes for a second key.)
func press(ctx context.Context, target *chromedp.Target, key input.DispatchKeyEventParams) error {
	down, up := key, key
	down.Type = input.DispatchKeyEventTypeKeyDown
	if key.Text == "" {
		down.Type = input.DispatchKeyEventTypeRawKeyDown
	}
	up.Type, up.Text, up.UnmodifiedText = input.DispatchKeyEventTypeKeyUp, "", ""
	for _, event := range []input.DispatchKeyEventParams{down, up} {
		if _, err := cdp.Call(ctx, target, input.DispatchKeyEvent, event); err != nil {
			return err
		}
	}
	return nil
}
