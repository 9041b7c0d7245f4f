package gui

import (
	"fmt"
	"strings"
)

// Template is a text with references to the environment.
type Template struct {
	Written  string
	Segments []Segment // none for an empty text
}

// Segment is a part of a template: a text as it is, or a variable.
type Segment struct {
	Text string // "" when Name is set
	Name string // of a variable
}

// UnsetError is that a variable is not set, or empty: nothing is typed for it.
type UnsetError struct{ Name string }

func (e *UnsetError) Error() string {
	return fmt.Sprintf("the environment variable %s is not set", e.Name)
}

// Expand puts the values in. A variable that lookup does not have, or has as "", is an *UnsetError; then nothing of the
// text is given.
func (t Template) Expand(lookup func(name string) (value string, ok bool)) (string, error) {
	var b strings.Builder
	for _, s := range t.Segments {
		if s.Name == "" {
			b.WriteString(s.Text)
			continue
		}
		value, ok := lookup(s.Name)
		if !ok || value == "" {
			return "", &UnsetError{s.Name}
		}
		b.WriteString(value)
	}
	return b.String(), nil
}

// Names gives the variables in the order they are named, each once.
func (t Template) Names() []string {
	var names []string
	seen := map[string]bool{}
	for _, s := range t.Segments {
		if s.Name != "" && !seen[s.Name] {
			seen[s.Name] = true
			names = append(names, s.Name)
		}
	}
	return names
}

// parseTemplate reads `$NAME`, `${NAME}` and `$$`. A name is letters, digits and _, and does not begin with a digit. Any
// other `$` is itself.
func parseTemplate(text string) (Template, *fault) {
	t := Template{Written: text}
	var literal []byte
	flush := func() {
		if len(literal) > 0 {
			t.Segments = append(t.Segments, Segment{Text: string(literal)})
			literal = literal[:0]
		}
	}
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '$')
		if next < 0 {
			literal = append(literal, text[i:]...)
			break
		}
		literal = append(literal, text[i:i+next]...)
		i += next
		rest := text[i+1:]
		switch {
		case strings.HasPrefix(rest, "$"):
			literal = append(literal, '$')
			i += 2
		case strings.HasPrefix(rest, "{"):
			name, _, closed := strings.Cut(rest[1:], "}")
			if !closed {
				return Template{}, &fault{code: "env-reference", start: i, end: len(text), message: "the reference `${` is not closed", fix: "add the `}`, or write `$${` for the characters themselves"}
			}
			end := i + 3 + len(name)
			if n := nameLength(name); n != len(name) || n == 0 {
				message := "the reference `${}` names no variable"
				if name != "" {
					message = "a variable's name is letters, digits and `_`, which this one is not"
				}
				return Template{}, &fault{code: "env-reference", start: i, end: end, message: message, fix: "write the variable's name between the braces, or `$${` for the characters themselves"}
			}
			flush()
			t.Segments = append(t.Segments, Segment{Name: name})
			i = end
		default:
			n := nameLength(rest)
			if n == 0 {
				literal = append(literal, '$')
			} else {
				flush()
				t.Segments = append(t.Segments, Segment{Name: rest[:n]})
			}
			i += 1 + n
		}
	}
	flush()
	return t, nil
}

// nameLength is how many bytes of a text are a name: letters, digits and _, none of the digits first.
func nameLength(s string) int {
	n := 0
	for n < len(s) {
		c := s[n]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || n > 0 && c >= '0' && c <= '9') {
			break
		}
		n++
	}
	return n
}
