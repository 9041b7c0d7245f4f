package colour

import "strings"

const classPrefix = "hl-"

// shade is how some of chroma's classes look on a light and on a dark ground.
type shade struct {
	classes     string // without the prefix
	light, dark string
	extra       string
}

// palette has at least 4.5:1 on the grounds that the page gives code, and on highlighted lines.
var palette = []shade{
	{"k kc kd kr kt nt", "#8a1f7a", "#e29bff", ""},
	{"s se si ld", "#1b5e35", "#8fdca4", ""},
	{"m", "#8a4500", "#ffbd7a", ""},
	{"c cp", "#535c68", "#aab4c2", "font-style:italic"},
	{"nf nb nd", "#1f4fae", "#9cc2ff", ""},
	{"na nv nc nn no", "#0b5a70", "#86d7ea", ""},
	{"gi", "#1b5e35", "#8fdca4", ""},
	{"gd", "#9c1c16", "#ffb0a8", ""},
	{"gp", "#535c68", "#aab4c2", "user-select:none"},
	{"go", "#3c4653", "#c6ceda", ""},
	{"gh gu", "#1f4fae", "#9cc2ff", "font-weight:bold"},
}

// StyleSheet is the CSS of the classes that colour code, for light and dark, after the page's `color-scheme`.
func StyleSheet() string {
	var b strings.Builder
	for _, c := range palette {
		for i, class := range strings.Fields(c.classes) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString("." + classPrefix + class)
		}
		b.WriteString("{color:" + c.light + ";color:light-dark(" + c.light + "," + c.dark + ")")
		if c.extra != "" {
			b.WriteString(";" + c.extra)
		}
		b.WriteString("}\n")
	}
	return b.String()
}
