package lab

import "strings"

// Ref is one `{{ scope.name }}` of a text; Start and End are byte offsets.
type Ref struct {
	Scope, Name string
	Start, End  int
}

// maxRef bounds the bytes between the braces, so that a text full of opening
// braces costs no more than its length.
const maxRef = 512

// NextRef finds the first `{{ word.name }}` in text at or after from; scope is
// whatever word stands there. Anything else in braces is text.
func NextRef(text string, from int) (ref Ref, ok bool) {
	for {
		i := strings.Index(text[from:], "{{")
		if i < 0 {
			return Ref{}, false
		}
		start := from + i
		if ref, ok = refAt(text, start); ok {
			return ref, true
		}
		from = start + 1
	}
}

func refAt(text string, start int) (Ref, bool) {
	inner := text[start+2:]
	if len(inner) > maxRef {
		inner = inner[:maxRef]
	}
	end := strings.Index(inner, "}}")
	if end < 0 {
		return Ref{}, false
	}
	scope, name, ok := strings.Cut(strings.Trim(inner[:end], " \t"), ".")
	if !ok || scope == "" || name == "" || strings.ContainsAny(scope, " \t\n{}") || strings.ContainsAny(name, " \t\n{}") {
		return Ref{}, false
	}
	return Ref{scope, name, start, start + 2 + end + 2}, true
}
