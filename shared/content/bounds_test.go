package content_test

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestBounds renders what is made to take long, as one text larger than what is read, and as paragraphs just short
// enough to be parsed.
func TestBounds(t *testing.T) {
	size := 8 << 20 // that it ends is the test; the time, usually 1 s at most, is told by -v
	if runtime.GOARCH == "wasm" || testing.Short() {
		size = 32 << 10
	}
	for _, part := range []string{
		"[", "*", "`", "<", "_", "![", "[a](", "a*b_", "<a b=\"", "<!--", "$$", ":fileLink[", ":fileLink[a]{", "> ", "- ", "| a ", "|a|\n|-|\n",
		"[a]: b\n", "[a][b]", ":::conditionalDisplay{a}\n", "<svg>", "<b>", "</b>", "<details>\n\n", "- [ ] ", "```sh\n", "a\n===\n", "https://a.b ",
	} {
		t.Run(part, func(t *testing.T) {
			start := time.Now()
			most := size
			if len(part) > 1 {
				most = min(size, 1<<20)
			}
			render(strings.Repeat(part, most/len(part)))
			paragraph := strings.Repeat(part, 1500/len(part)) + "\n\n"
			render(strings.Repeat(paragraph, min(size, 256<<10)/len(paragraph)))
			t.Logf("took %v", time.Since(start))
		})
	}
	t.Run("depth", func(t *testing.T) {
		for _, part := range []string{">", "> ", "- ", "1. ", "> - ", "*a _b ", "<div>", "<svg><g>"} {
			section := render(strings.Repeat(part, 100_000) + "end")
			if !strings.Contains(section.HTML, "end") {
				t.Errorf("%q: the text is lost", part)
			}
			if problems := inert(section.HTML); len(problems) > 0 {
				t.Errorf("%q: %s", part, problems[0])
			}
		}
	})
	t.Run("cut", func(t *testing.T) {
		section := render(strings.Repeat("a line of text\n", 100_000))
		if len(section.HTML) > 1<<20+1000 || !strings.Contains(section.HTML, "longer than 1 MB") {
			t.Error("no note that the rest is not shown")
		}
	})
	t.Run("references", func(t *testing.T) {
		section := render("[r]: https://x.example/" + strings.Repeat("y", 7000) + "\n\n" + strings.Repeat("[r] ", 200) + strings.Repeat("\n\n"+strings.Repeat("[r] ", 300), 100))
		if len(section.HTML) > 17<<20 || !strings.Contains(section.HTML, "too long") {
			t.Errorf("%d bytes", len(section.HTML))
		}
		if problems := inert(section.HTML); len(problems) > 0 {
			t.Error(problems[0])
		}
	})
}
