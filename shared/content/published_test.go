package content_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"asz/shared/content"
)

// leftovers are signs of something that was not understood, outside of code.
var leftovers = regexp.MustCompile(`:::|::?[A-Za-z]+\[|\{variable|requiredValue|\[!|\$\$[a-z]|\*\*|` + "```|~~~" + `|<[a-z]`)

func checkLab(t *testing.T, pattern string) int {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		section := content.Render(source, content.Options{Terminals: []string{"desk"}})
		for _, problem := range inert(section.HTML) {
			t.Errorf("%s: %s", file, problem)
		}
		text := textOutsideCode(section.HTML)
		if found := leftovers.FindStringIndex(strings.ReplaceAll(text, "$$codename$$", "")); found != nil {
			t.Errorf("%s: %q is left", file, text[max(0, found[0]-20):min(len(text), found[1]+20)])
		}
		fences := regexp.MustCompile("(?m)^[ >]*(```|~~~)").FindAllIndex(source, -1)
		if len(section.Fences) != len(fences)/2 {
			t.Errorf("%s: %d fences, want %d", file, len(section.Fences), len(fences)/2)
		}
		for _, f := range section.Fences {
			if f.Run && len(f.Lines) == 0 {
				t.Errorf("%s: nothing to run in %q", file, f.Text)
			}
			for _, line := range f.Lines {
				if got := string(source[line.Start:line.End]); got != line.Text && !strings.Contains(got, "$$") && !strings.Contains(got, "\n") {
					t.Errorf("%s: the place of %q has %q", file, line.Text, got)
				}
			}
		}
	}
	return len(files)
}

func textOutsideCode(text string) string {
	var b strings.Builder
	depth := 0
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken:
			if name, _ := z.TagName(); string(name) == "code" {
				depth++
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "code" {
				depth--
			}
		case html.TextToken:
			if depth == 0 {
				b.Write(z.Text())
			}
		}
	}
}

func TestOurLabs(t *testing.T) {
	if n := checkLab(t, "../../labs/*/*.md"); n < 9 {
		t.Errorf("%d sections", n)
	}
}

func TestPublishedLabs(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "data", "labs")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the folder with published labs is not here: ", err)
	}
	if n := checkLab(t, filepath.Join(root, "*", "*.md")); n < 14 {
		t.Errorf("%d sections", n)
	}
}
