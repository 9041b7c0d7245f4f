package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// names lists what the page offers to assistive technology, one "role name" a line. Other programs find the page's
// controls by these, so a change here is a change of a contract.
func (b *browser) names() []string {
	b.t.Helper()
	var out []string
	b.do("read the accessibility tree", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		tree, err := cdp.Call(ctx, target, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err != nil {
			return err
		}
		for _, node := range tree.Nodes {
			if node.Ignored || node.Role == nil || node.Name == nil {
				continue
			}
			if role := axText(node.Role); !strings.HasSuffix(role, "Text") && !strings.HasSuffix(role, "TextBox") {
				out = append(out, strings.Join(strings.Fields(role+" "+axText(node.Name)), " "))
			}
		}
		return nil
	}))
	return out
}

func axText(value *accessibility.Value) string {
	var text string
	if json.Unmarshal([]byte(value.Value), &text) != nil {
		return fmt.Sprint(value.Value)
	}
	return text
}

func (b *browser) expectNames(want ...string) {
	b.t.Helper()
	got := b.names()
	for _, name := range want {
		if !slices.Contains(got, name) {
			b.t.Errorf("the page has no %s", name)
		}
	}
	if b.t.Failed() {
		b.t.Log("it has:\n" + strings.Join(got, "\n"))
	}
}

func TestControlsHaveTheirNames(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	address := serveSite(t, makeSite(t, ""))
	b.do("open the catalog", chromedp.Navigate(address))
	b.wait("the search is there", `document.getElementById("page_search").checkVisibility()`)
	b.expectNames("main", "heading Labs", "searchbox Search the labs", "link Your first containers", "link The release desk", "list Tags")

	b.do("open the lab", chromedp.Navigate(address+"labs/release-desk/"))
	b.ready()
	b.focus()
	b.typeLine("desk open release 1.4.0")
	b.typeLine("desk rehearse")
	b.wait("there is output", firstLog+`.includes("rehearsal failed")`)
	b.click("#page_settings-button")
	b.expectNames(
		"banner", "main", "complementary Terminals", "navigation Sections", "link All labs", "heading The release desk",
		"progressbar 1 of 13 steps", "button Undo", "button Reset", "button Settings", "group Settings",
		"checkbox Give the pipeline the release key", "combobox Theme", "combobox Text size", "checkbox Print answers line by line", "button Reset progress",
		"link Meet the desk (done)", "link Ship it (0 of 5 steps)", "region Meet the desk", "group Steps of Meet the desk", "link Next Write with the agent",
		"button Run in Desk", "button Copy", "button changelog", "button Board", "button Just the steps",
		"tablist Terminals and tabs", "tab Desk", "tab Agent", "tab Pipeline", "tab Board", "tabpanel Desk",
		"textbox Desk: type a command", "log Output of Desk", "separator Width of the instructions",
	)
	b.click("#page_settings-button")
	b.click("#page_tab-ci")
	b.expectNames("tabpanel Pipeline", "article Rehearsal #1", "button Re-run jobs of Rehearsal #1")
	b.click("#page_tab-service-0")
	b.wait("the board is there", `document.querySelector("iframe") !== null`)
	b.expectNames("tabpanel Board", "button Close Board", "Iframe Board")
	b.do("go on", chromedp.Evaluate[chromedp.Void](`location.hash = "sign-in-and-sign-off"`))
	b.equal("the section", shownSection, "sign-in-and-sign-off")
	b.expectNames("button Save as notes/checklist.md", "link Previous Write with the agent")
	b.do("go back", chromedp.Evaluate[chromedp.Void](`location.hash = "write-with-the-agent"`))
	b.equal("the section", shownSection, "write-with-the-agent")
	b.expectNames("textbox Codename of this release", "button Run in Agent")
	b.checkQuiet()
}
