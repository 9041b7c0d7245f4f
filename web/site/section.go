package site

import (
	"html"

	"asz/shared/lab"
)

func render(text []byte, l *lab.Lab, found *collector) Section {
	return Section{HTML: "<pre>" + html.EscapeString(string(text)) + "</pre>"}
}
