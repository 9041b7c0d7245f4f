package site

import (
	"strings"

	"asz/shared/content"
	"asz/shared/lab"
	"asz/web/site/colour"
)

// render makes the section of an id of its Markdown and takes the files that it refers to.
func render(text []byte, id string, l *lab.Lab, found *collector) Section {
	variables := content.Variables{}
	for _, variable := range l.Variables {
		variables[variable.Name] = variable.Text
	}
	terminals := make([]string, len(l.Terminals))
	for i, terminal := range l.Terminals {
		terminals[i] = terminal.ID
	}
	sections := make([]string, len(l.Sections))
	for i, section := range l.Sections {
		sections[i] = section.ID
	}
	rendered := content.Render(text, content.Options{
		Variables: variables, Terminals: terminals, Asset: found.take, Anchor: id + "-", Sections: sections, Colours: colour.Section(),
	})
	for _, link := range rendered.Links {
		if link.Kind == "tab" {
			found.take(link.Target)
		}
	}
	return Section{
		HTML:    rendered.HTML,
		Titled:  strings.HasPrefix(strings.TrimSpace(rendered.HTML), "<h1"),
		Mermaid: rendered.Mermaid,
	}
}
