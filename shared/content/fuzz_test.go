package content_test

import (
	"testing"
	"unicode/utf8"

	"asz/shared/content"
)

func FuzzRender(f *testing.F) {
	for _, seed := range []string{
		"# a $$name$$\n\n- [x] :fileLink[b]{path=c}\n\n| a |\n|---|\n| `$$x$$` |\n",
		":::conditionalDisplay{variable=a hasValue}\n> [!NOTE]\n> b\n:::\n",
		"```console highlight=1-2 save-as=$$ name $$\n$ a \\\n\tb\n```\r\n~~~mermaid\na\n~~~",
		"<details>\n<summary>a</summary>\n\n<svg viewBox='0 0 1 1'><text>$$name$$</text></svg>\n\n</details>",
		"<a href=java&Tab;script:x onclick=x>\n::variableSetButton[[a]]{variables=\"a=1,b}\n",
		"\xef\xbb\xbf- a\n\t- b\n\n\t\t~~~sh\n\t\t$$two words$$\n\t\t~~~\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		section := render(source)
		if !utf8.ValidString(section.HTML) {
			t.Error("broken characters")
		}
		for _, problem := range inert(section.HTML) {
			t.Errorf("%s\n%s", problem, section.HTML)
		}
		span := func(what string, start, end int) {
			if start < 0 || start > end || end > len(source) {
				t.Errorf("%s at %d to %d of %d", what, start, end, len(source))
			}
		}
		for _, fence := range section.Fences {
			span("fence", fence.Start, fence.End)
			for _, line := range fence.Lines {
				span("line "+line.Text, line.Start, line.End)
				if line.Start < fence.Start || line.End > fence.End {
					t.Errorf("line %q is outside of its fence", line.Text)
				}
			}
			for _, meta := range fence.Meta {
				span("meta", meta.Start, meta.End)
			}
		}
		for _, link := range section.Links {
			span("link", link.Start, link.End)
		}
		for _, use := range section.Uses {
			span("use of "+use.Name, use.Start, use.End)
		}
		if again := content.Render([]byte(source), options()); again.HTML != section.HTML {
			t.Error("twice is not the same")
		}
	})
}
