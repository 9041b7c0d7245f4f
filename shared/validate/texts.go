package validate

import (
	"fmt"

	"asz/shared/content"
)

// Texts keeps what became of the texts of sections, for the checks to come: most are the same then. It belongs to one
// host, which hands it to each check, one at a time.
type Texts struct{ known map[string]rendered }

type rendered struct {
	text, options string
	content       content.Section
}

// render makes a section of a text, unless it is known. A nil Texts keeps nothing.
func (t *Texts) render(name, text string, o content.Options) content.Section {
	if t == nil {
		return content.Render([]byte(text), o)
	}
	options := fmt.Sprintf("%q", []any{o.Variables, o.Terminals, o.Sections}) // maps print in the order of their keys
	if r, ok := t.known[name]; ok && r.text == text && r.options == options {
		return r.content
	}
	r := rendered{text, options, content.Render([]byte(text), o)}
	if t.known == nil {
		t.known = map[string]rendered{}
	}
	t.known[name] = r
	return r.content
}
