package validate

import (
	"reflect"
	"testing"

	"asz/shared/content"
)

// TestTexts: a section is rendered again when its text or what it needs to know of the lab is another, and only then;
// what is kept is what rendering gives.
func TestTexts(t *testing.T) {
	var texts Texts
	one := content.Options{Variables: content.Variables{"name": "a", "other": "b"}}
	two := content.Options{Variables: content.Variables{"name": "c", "other": "b"}}
	const first, second = "```bash\nrun $$name$$\n```\n", "```bash\nstop\n```\n"
	for _, c := range []struct {
		text string
		o    content.Options
		kept bool
	}{{first, one, false}, {first, one, true}, {first, two, false}, {second, two, false}, {second, two, true}, {first, one, false}} {
		before := texts.known["a.md"].content.Fences
		got := texts.render("a.md", c.text, c.o)
		if want := content.Render([]byte(c.text), c.o); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", c.text, got, want)
		}
		if kept := len(before) > 0 && &before[0] == &got.Fences[0]; kept != c.kept {
			t.Errorf("%q: kept %v, want %v", c.text, kept, c.kept)
		}
	}
}
