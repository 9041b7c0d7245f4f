package gui

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// valueOf remembers that a value was written, and where.
func valueOf[T any](t yamldoc.Type[T]) yamldoc.Type[Value[T]] {
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Value[T]) bool {
		dst.At, dst.Set = n.Span.FirstLine(), true
		return t.Read(r, n, &dst.Is)
	})
}

// filledText reads a text that is not blank: part of every title, or a question about nothing, holds always.
func filledText() yamldoc.Type[string] {
	text := yamldoc.Text()
	t := yamldoc.Narrow(text, func(s *schema) { s.Pattern = filledPattern })
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool {
		if !text.Read(r, n, dst) {
			return false
		}
		if n.Kind == yamldoc.KindText && strings.Trim(*dst, blanks) == "" {
			r.Report("text-empty", n.Span.FirstLine(), "the text is empty")
			*dst = ""
			return false
		}
		return true
	})
}

// grammarType reads a text that has a grammar of its own.
func grammarType[T any](name string, pattern func() string, parse func(r *yamldoc.Reader, n *yamldoc.Node, dst *T) *fault) yamldoc.Type[T] {
	text := yamldoc.Text()
	describe := func() *schema { return &schema{Types: []string{"string"}, Pattern: pattern()} }
	return yamldoc.NewType(name, describe, func(r *yamldoc.Reader, n *yamldoc.Node, dst *T) bool {
		var s string
		if !text.Read(r, n, &s) || n.Broken {
			return false
		}
		if f := parse(r, n, dst); f != nil {
			f.report(r, n)
			return false
		}
		return true
	})
}

// templateType reads a text with references to the environment.
func templateType() yamldoc.Type[Template] {
	text := yamldoc.Text()
	t := yamldoc.Narrow(text, func(s *schema) { s.Pattern = templatePattern("") })
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *Template) bool {
		var s string
		if !text.Read(r, n, &s) || n.Broken {
			return false
		}
		parsed, f := parseTemplate(s)
		*dst = parsed
		if f != nil {
			f.report(r, n)
			return false
		}
		return true
	})
}

// nameRule says which names a map takes.
type nameRule uint8

const (
	anyName  nameRule = iota // a text on one line
	quotable                 // one that an action can hold in quotes
	wordName                 // what providers of models take as the name of a tool or parameter
	envName                  // a variable of the environment
)

// mostWord is how long a wordName is at most, in bytes.
const mostWord = 64

// checkName reports a name that the rule does not take.
func (rule nameRule) check(r *yamldoc.Reader, key *yamldoc.Node, what string) bool {
	refuse := func(at diag.Span, why, fix string) bool {
		r.Report("name-unusable", at, fmt.Sprintf("%s cannot be named %s: %s", what, diag.Quoted(key.Text), why)).Fix.Text = fix
		return false
	}
	name := key.Text
	if strings.Trim(name, blanks) == "" {
		return refuse(key.Span, "the name is empty", "write a name")
	}
	for i, c := range name {
		at := key.SpanIn(i, i+len(string(c)))
		switch {
		case c == 0: // reported of every text
		case unicode.IsControl(c):
			return refuse(at, fmt.Sprintf("it holds the character U+%04X", c), "remove the character")
		case rule == quotable && c == '"':
			return refuse(at, "an action names it in double quotes", "leave the quote out")
		case rule == envName && c == '=':
			return refuse(at, "`=` separates a variable from its value", "leave the `=` out")
		case rule == wordName && !wordByte(c):
			return refuse(at, "providers of models take letters, digits, `_` and `-` only", "write `_` in its place")
		}
	}
	if rule == wordName && len(name) > mostWord {
		return refuse(key.Span, fmt.Sprintf("providers of models take %d characters at most", mostWord), "write a shorter name")
	}
	return true
}

func wordByte(c rune) bool {
	return c == '_' || c == '-' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// pairsType reads a map of texts.
func pairsType(what string, rule nameRule, text yamldoc.Type[string]) yamldoc.Type[[]Pair] {
	return namedType(what, rule, text, func(p *Pair) (*string, *diag.Span, *string) { return &p.Name, &p.At, &p.Text })
}

// namedType reads a map of named values in author order; what is one of them, as in "a command".
func namedType[T, V any](what string, rule nameRule, value yamldoc.Type[V], at func(*T) (name *string, place *diag.Span, value *V)) yamldoc.Type[[]T] {
	describe := func(s *schema) {
		s.Others = value.Schema()
		s.Keys = &schema{Pattern: rule.pattern()}
	}
	return yamldoc.Entries("a map, each entry "+what, describe, func(r *yamldoc.Reader, p yamldoc.Pair, dst *T) bool {
		name, place, v := at(dst)
		*name, *place = p.Key, p.KeyNode.Span
		r.Place(name, p.KeyNode)
		named := rule.check(r, p.KeyNode, what)
		return value.Read(r, p.Value, v) && named
	})
}

// positive reads a whole number of one at least.
func positive() yamldoc.Type[int] { return yamldoc.Int(1, math.MaxInt32) }

// wordType reads a word that stands for a value of its own.
func wordType[T ~uint8](what string, words []string) yamldoc.Type[T] {
	t := yamldoc.Word(what, words...)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *T) bool {
		var word string
		ok := t.Read(r, n, &word)
		for i, w := range words {
			if w == word {
				*dst = T(i)
			}
		}
		return ok
	})
}

// boundedList reads a list of some entries; most 0 is any number of them.
func boundedList[T any](t yamldoc.Type[T], least, most int) yamldoc.Type[[]T] {
	list := yamldoc.Narrow(yamldoc.List(t), func(s *schema) { s.MinItems, s.MaxItems = least, most })
	return yamldoc.NewType(list.Name(), list.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]T) bool {
		if n.Kind == yamldoc.KindList && len(n.Items) < least && !n.Broken {
			r.Report("list-empty", n.Span.FirstLine(), "the list is empty").Fix.Text = "add an entry"
			return false
		}
		ok := list.Read(r, n, dst)
		if most > 0 && len(n.Items) > most {
			r.Report("steps-too-many", n.Items[most].Span.FirstLine(), fmt.Sprintf("this is entry %d of a list that has %d, and %d are the most", most+1, len(n.Items), most))
			return false
		}
		return ok
	})
}
