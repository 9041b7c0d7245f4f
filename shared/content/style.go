package content

import "strings"

// allowedProperties are those that change how a thing looks in its place. None of them moves it over the page.
var allowedProperties = words(`color background-color text-align text-decoration font-weight font-style font-size font-family line-height
	vertical-align white-space width max-width min-width height max-height margin margin-top margin-right margin-bottom margin-left
	padding padding-top padding-right padding-bottom padding-left border border-top border-right border-bottom border-left
	border-color border-width border-style border-radius border-collapse opacity list-style-type display gap
	fill stroke stroke-width stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin fill-opacity stroke-opacity fill-rule
	stop-color stop-opacity text-anchor dominant-baseline`)

// allowedStyle keeps the declarations that only change looks.
func allowedStyle(style string) string {
	var out []string
	for _, declaration := range strings.Split(style, ";") {
		name, value, ok := strings.Cut(declaration, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		value = strings.TrimSpace(value)
		if ok && allowedProperties[name] && isPlainValue(value) && !isNegative(value) {
			out = append(out, name+": "+value)
		}
	}
	return strings.Join(out, "; ")
}

var colourFunctions = words("rgb rgba hsl hsla var light-dark")

// isPlainValue tells whether a CSS value has only words, numbers and colours: no escapes, no quotes, no other function.
func isPlainValue(value string) bool {
	for _, c := range value {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(" #%.,()-+/", c)) {
			return false
		}
	}
	return value != "" && len(value) <= 200 && onlyFunctions(value, colourFunctions)
}

// onlyFunctions tells whether every `name(` of a value is in a list.
func onlyFunctions(value string, allowed map[string]bool) bool {
	for i := 0; i < len(value); i++ {
		if value[i] != '(' {
			continue
		}
		from := i
		for from > 0 && (value[from-1] == '-' || value[from-1] == '_' || isName(value[from-1:from])) {
			from--
		}
		if !allowed[strings.ToLower(value[from:i])] {
			return false
		}
	}
	return true
}

// isNegative finds negative lengths, which would pull a thing out of its place.
func isNegative(value string) bool {
	for i := 0; i+1 < len(value); i++ {
		if value[i] == '-' && (value[i+1] >= '0' && value[i+1] <= '9' || value[i+1] == '.') && (i == 0 || strings.IndexByte(" ,(", value[i-1]) >= 0) {
			return true
		}
	}
	return false
}
