package content_test

import (
	"strings"
	"testing"

	"asz/shared/content"
)

// TestColours asks for colours that fit, that do not, and for none.
func TestColours(t *testing.T) {
	for _, c := range []struct {
		name, want string
		colours    []content.Stretch
	}{
		{"fitting", `<span class="x">l</span>s`, []content.Stretch{{Class: "x", Size: 1}, {Size: 1}}},
		{"none", `>ls<`, nil},
		{"too short", `>ls<`, []content.Stretch{{Class: "x", Size: 1}}},
		{"too long", `>ls<`, []content.Stretch{{Class: "x", Size: 3}}},
		{"negative", `>ls<`, []content.Stretch{{Class: "x", Size: 3}, {Class: "x", Size: -1}}},
		{"hostile", `<span class="&quot;&gt;">ls</span>`, []content.Stretch{{Class: `">`, Size: 2}}},
	} {
		o := content.Options{Colours: func(language, text string) []content.Stretch {
			if language != "sh" || text != "ls" {
				t.Errorf("asked for %s %q", language, text)
			}
			return c.colours
		}}
		if got := content.Render([]byte("```sh\nls\n```\n"), o).HTML; !strings.Contains(got, c.want) {
			t.Errorf("%s: want %s in\n%s", c.name, c.want, got)
		}
	}
}
