package content_test

import (
	"strings"
	"testing"
)

// TestRules has a case for each sentence of labs.md 2 and of the page's contract. A want that starts with ! must not be
// in the HTML.
func TestRules(t *testing.T) {
	for _, c := range []struct{ rule, source, want string }{
		{"tables", "|a|\n|-|\n|b|\n", `<div class="table" role="region" tabindex="0" aria-label="Table"><table>`},
		{"task lists", "- [x] a\n", `<label><input type="checkbox" disabled checked> a</label>`},
		{"strikethrough", "~~a~~", `<del>a</del>`},
		{"autolinks", "www.a.example", `<a href="http://www.a.example" target="_blank" rel="noopener noreferrer">`},
		{"alerts", "> [!CAUTION]\n> a\n", `<div class="alert alert-caution" role="note"><p class="alert-title">Caution</p>`},
		{"images of the lab", "![a](images/b.png)", `<img src="/labs/x/images/b.png" alt="a" loading="lazy">`},
		{"images in the text", "![a](data:image/png;base64,AA==)", `src="data:image/png;base64,AA=="`},
		{"images elsewhere", "![a](../b.png)", `src="../b.png"`},
		{"mermaid", "~~~mermaid\na-->b\n~~~\n", `<figure class="block mermaid" data-mermaid><pre><code>a--&gt;b</code></pre></figure>`},
		{"backquote fences", "```bash\nls\n```\n", `<pre tabindex="0"><code class="language-bash"><span class="line">ls</span></code></pre>`},
		{"tilde fences", "~~~bash\nls\n~~~\n", `<code class="language-bash"><span class="line">ls</span></code>`},
		{"fences in lists", "- a\n  ```sh\n  ls\n  ```\n", `<span class="line">ls</span>`},
		{"fences in quotes", "> ```sh\n> ls\n> ```\n", `<span class="line">ls</span>`},
		{"terminal-id", "```sh terminal-id=second\nls\n```\n", `data-terminal="second" data-run>`},
		{"default terminal", "```sh\nls\n```\n", `data-terminal="main" data-run>`},
		{"save-as", "```text save-as=a/b.txt\nx\n```\n", `<button type="button" class="save" disabled aria-label="Save as a/b.txt">Save</button>`},
		{"no Run with save-as", "```sh save-as=a.sh\nx\n```\n", `!class="run"`},
		{"no-run-button", "```sh no-run-button\nx\n```\n", `!data-run`},
		{"no-copy-button", "```sh no-copy-button\nx\n```\n", `!class="copy"`},
		{"no buttons at all", "```text no-copy-button\nx\n```\n", `!block-actions`},
		{"filename", "```sh filename=a.sh\nx\n```\n", `<figcaption>a.sh</figcaption>`},
		{"highlight", "```text highlight=1-2,4\na\nb\nc\nd\n```\n", "<span class=\"line highlighted\">b</span>\n<span class=\"line\">c</span>\n<span class=\"line highlighted\">d</span>"},
		{"Run on bash", "```bash\nx\n```\n", `class="run" disabled aria-label="Run in main">Run<`},
		{"Run on sh", "```sh\nx\n```\n", `data-run`},
		{"Run on shell", "```shell\nx\n```\n", `data-run`},
		{"Run on console", "```console\nx\n```\n", `data-run`},
		{"Run on prompt", "```prompt\nx\n```\n", `data-run data-prompt`},
		{"no Run on others", "```zsh\nx\n```\n", `!data-run`},
		{"no Run without language", "```\nx\n```\n", `!data-run`},
		{"variable in text", "a $$ name $$", `<p>a <span data-var="name">web</span></p>`},
		{"unset variable", "$$other$$", `<span data-var="other">other</span>`},
		{"literal dollars", `\$\$name\$\$`, `<p>$$name$$</p>`},
		{"literal dollars in a fence", "```text\n\\$\\$name\\$\\$\n```\n", `<span class="line">$$name$$</span>`},
		{"dollars alone", "a $$ b; kill $$", `<p>a $$ b; kill $$</p>`},
		{"variable in a fence", "```text\n$$name$$\n```\n", `<span class="line"><span data-var="name">web</span></span>`},
		{"variable in meta", "```text save-as=$$ name $$.txt\nx\n```\n", `data-save="web.txt" data-vars="{&quot;data-save&quot;:&quot;$$name$$.txt&quot;}"`},
		{"literal dollars in a template", "```text save-as=$$name$$\\$\\$\nx\n```\n", `data-save="web$$" data-vars="{&quot;data-save&quot;:&quot;$$name$$\\$\\$&quot;}"`},
		{"fileLink", ":fileLink[l]{path=\"p\" terminal-id=t}", `<button type="button" class="file-link" data-path="p" data-terminal="t" disabled>l</button>`},
		{"fileLink as a block", "::filelink[l]{path=p}", `<p><button type="button" class="file-link" data-path="p" disabled>l</button></p>`},
		{"tabLink", ":TABLINK[l]{href=\"http://a\" title=T id=i icon=c}", `<button type="button" class="tab-link" data-href="http://a" data-title="T" data-id="i" data-icon="c">l</button>`},
		{"variableDefinition", "::variableDefinition[name]{prompt=\"P?\"}", `<label class="variable">P? <input type="text" data-variable="name" value="web"></label>`},
		{"variableSetButton", "::variableSetButton[l]{variables=\"a=1,b=2\"}", `<button type="button" class="set-variables" data-set="[[&quot;a&quot;,&quot;1&quot;],[&quot;b&quot;,&quot;2&quot;]]">l</button>`},
		{"condition that holds", ":::conditionalDisplay{variable=name requiredValue=web}\na\n:::\n", `<div data-if="{&quot;variable&quot;:&quot;name&quot;,&quot;requiredValue&quot;:&quot;web&quot;}"><p>a</p>`},
		{"condition that does not", ":::conditionalDisplay{variable=name requiredValue=x}\na\n:::\n", ` hidden><p>a</p>`},
		{"hasValue", ":::conditionalDisplay{variable=empty hasValue}\na\n:::\n", `&quot;hasValue&quot;:true}" hidden>`},
		{"hasNoValue", ":::conditionalDisplay{variable=empty hasNoValue}\na\n:::\n", `&quot;hasNoValue&quot;:true}"><p>`},
		{"os starts hidden", ":::conditionalDisplay{os=\"mac,unix\"}\na\n:::\n", `{&quot;os&quot;:[&quot;mac&quot;,&quot;unix&quot;]}" hidden>`},
		{"all conditions must hold", ":::conditionalDisplay{variable=name hasValue requiredValue=x}\na\n:::\n", ` hidden>`},
		{"nested conditions", ":::conditionalDisplay{variable=a}\n:::conditionalDisplay{variable=b}\nx\n:::\ny\n:::\nz\n", "<p>x</p>\n</div>\n<p>y</p>\n</div>\n<p>z</p>"},
		{"unknown directives", ":foo[a]{b}", `<p>:foo[a]{b}</p>`},
		{"a directive without quotes", "::fileLink[a]{path=\"b}", `data-path="b"`},
		{"Markdown in details", "<details>\n<summary>s</summary>\n\n*a*\n\n</details>\n", "<p><em>a</em></p>\n</details>"},
		{"unbalanced HTML", "<b>a\n\n</b></div></p>\n\nc", "<p><b>a</b></p>"},
		{"SVG keeps its case", "<svg viewBox=\"0 0 1 1\"><linearGradient gradientUnits=\"x\"/></svg>", `<svg viewBox="0 0 1 1"><linearGradient gradientUnits="x"/></svg>`},
		{"SVG without foreignObject", "<svg><foreignObject><p>a</p></foreignObject></svg>", `!a<`},
		{"heading ids", "# A b\n", `<h1 id="s-a-b">A b</h1>`},
		{"relative links", "[a](board.html#x)", `<a href="/labs/x/board.html#x">a</a>`},
		{"links in the section", "[a](#b)", `<a href="#s-b">`},
		{"a variable decides no scheme", "[a]($$name$$:b)", `!data-vars`},
		{"long paragraphs stay text", strings.Repeat("[*a* ", 3000) + "$$name$$", `!<em>`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := render(c.source).HTML
			unwanted, not := strings.CutPrefix(c.want, "!")
			if not && strings.Contains(got, unwanted) || !not && !strings.Contains(got, c.want) {
				t.Errorf("want %s in\n%s", c.want, got)
			}
			for _, problem := range inert(got) {
				t.Error(problem)
			}
		})
	}
}
