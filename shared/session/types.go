package session

import (
	"fmt"
	"strings"
	"unicode"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// wrongType reports a value of the wrong type, unless a syntax error lies in it.
func wrongType(r *yamldoc.Reader, n *yamldoc.Node, want string) bool {
	if !n.Broken {
		r.Report("wrong-type", n.Span.FirstLine(), "this should be "+want)
	}
	return false
}

// filled is a list of one entry at least.
func filled[T any](t yamldoc.Type[[]T]) yamldoc.Type[[]T] {
	t = yamldoc.Narrow(t, func(s *schema) { s.MinItems = 1 })
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]T) bool {
		if n.Kind == yamldoc.KindList && len(n.Items) == 0 && !n.Broken {
			r.Report("list-empty", n.Span, "the list is empty")
			return false
		}
		return t.Read(r, n, dst)
	})
}

// nowhere is the type of a key that is known and may not stand here: who reads the map around it says so.
func nowhere[T any]() yamldoc.Type[T] {
	return yamldoc.NewType("nothing", yamldoc.NoSchema, func(*yamldoc.Reader, *yamldoc.Node, *T) bool { return false })
}

// nameType reads a name: a text on one line, none of those that are reserved.
func nameType(what string, reserved ...string) yamldoc.Type[string] {
	return limitedName(what, 0, "", reserved...)
}

// childName reads the name of a child, which stands for its stream in expectations.
func childName() yamldoc.Type[string] { return nameType("a child's name", Main) }

// workflowName reads the name of a workflow. A file is named by it, twice.
func workflowName() yamldoc.Type[string] { return limitedName("a workflow's name", 100, "") }

// projectType reads the name of a directory.
func projectType() yamldoc.Type[string] {
	return limitedName("a project", 255, `/\`, ".", "..")
}

// limitedName reads a name of at most so many bytes (0 = any) without certain characters.
func limitedName(what string, most int, without string, reserved ...string) yamldoc.Type[string] {
	text := yamldoc.Text()
	narrow := yamldoc.Narrow(text, func(s *schema) { s.Pattern = namePattern(most, without, reserved) })
	return yamldoc.NewType(text.Name(), narrow.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool {
		if !text.Read(r, n, dst) {
			return false
		}
		refuse := func(at diag.Span, why, fix string) bool {
			r.Report("name-unusable", at, fmt.Sprintf("%s cannot be %s: %s", what, diag.Quoted(*dst), why)).Fix.Text = fix
			return false
		}
		for i, c := range *dst {
			at := n.SpanIn(i, i+len(string(c)))
			switch {
			case c == 0: // reported of every text
			case unicode.IsControl(c):
				return refuse(at, fmt.Sprintf("it holds the character U+%04X", c), "remove the character")
			case strings.ContainsRune(without, c):
				return refuse(at, "it names one directory, and `"+string(c)+"` separates two", "write `-` in place of `"+string(c)+"`")
			}
		}
		for _, word := range reserved {
			if *dst == word {
				return refuse(n.Span, reason(word), "choose another name")
			}
		}
		switch {
		case *dst == "":
			return refuse(n.Span, "it is empty", "write a name, or leave the key out")
		case most > 0 && len(*dst) > most:
			return refuse(n.Span.FirstLine(), fmt.Sprintf("a file is named by it, and it is longer than %d bytes", most), "write a shorter name")
		}
		return true
	})
}

// reason says why a word is no name.
func reason(word string) string {
	switch word {
	case Final:
		return "that is the end of the scenario"
	case Main:
		return "that is the stream of the session itself"
	}
	return "that is no name of a directory"
}
