package labfile

import (
	"strconv"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/yamldoc"
)

type diagCode = diag.Code

func related(at diag.Span, message string) diag.Related {
	return diag.Related{Span: at, Message: message}
}

// wrongType reports a value of the wrong type, once and not inside of a syntax error.
func wrongType(r *yamldoc.Reader, n *yamldoc.Node, want string) bool {
	if !n.Broken {
		r.Report("wrong-type", n.Span.FirstLine(), "this should be "+want)
	}
	return false
}

func expectMap(r *yamldoc.Reader, n *yamldoc.Node, want string) bool {
	return n.Kind == yamldoc.KindMap || wrongType(r, n, want)
}

// stateMap is what messages call conditions on the state and changes to it.
const stateMap = "a map from dot-path to value"

// entriesType reads a map whose keys are no fixed fields into a slice, in author
// order; nothing (null) is an empty map. A schema of the map says which keys and
// values entry takes.
func entriesType[T any](name string, keys, values func() *yamldoc.Schema, entry func(r *yamldoc.Reader, p yamldoc.Pair, dst *T) bool) yamldoc.Type[[]T] {
	schema := func() *yamldoc.Schema {
		return &yamldoc.Schema{Types: []string{"object", "null"}, Keys: keys(), Others: values()}
	}
	return yamldoc.NewType(name, schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]T) bool {
		if n.Kind == yamldoc.KindNull && !n.Broken {
			return true
		}
		if !expectMap(r, n, name) {
			return false
		}
		*dst = make([]T, len(n.Pairs)) // of full length at once: places point into it
		ok := true
		for i, p := range n.Pairs {
			ok = entry(r, p, &(*dst)[i]) && ok
		}
		return ok
	})
}

// oneOf reads a text that is one of a few words.
func oneOf(words ...string) yamldoc.Type[string] {
	name := "`" + strings.Join(words, "` or `") + "`"
	text := yamldoc.Text()
	schema := func() *yamldoc.Schema { return &yamldoc.Schema{Enum: words} }
	return yamldoc.NewType(name, schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool {
		if !text.Read(r, n, dst) {
			return false
		}
		for _, w := range words {
			if *dst == w {
				return true
			}
		}
		return wrongType(r, n, name)
	})
}

// versionType reads a version: text, so that 1.10 is not 1.1; a number is
// accepted as written, with a warning.
func versionType() yamldoc.Type[string] {
	text := yamldoc.Text()
	return yamldoc.NewType("a version in quotes", text.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool {
		if !text.Read(r, n, dst) {
			return false
		}
		if n.Kind == yamldoc.KindNumber {
			d := r.Report("version-unquoted", n.Span, "the version is a number; versions are text")
			quoted := `"` + n.Text + `"`
			d.Fix = &diag.Fix{Text: "write " + quoted, Edits: []diag.Edit{{Span: n.Span, New: quoted}}, Safe: true}
		}
		return true
	})
}

// valueType reads any YAML value as a state value.
func valueType() yamldoc.Type[lab.Value] {
	return yamldoc.NewType("a value", anyValue, func(r *yamldoc.Reader, n *yamldoc.Node, dst *lab.Value) bool {
		v, ok := readValue(r, n)
		*dst = v
		return ok
	})
}

// readValue makes a state value of a node. Text with a lost tag is reported by
// the text type, which knows how to mend it.
func readValue(r *yamldoc.Reader, n *yamldoc.Node) (v lab.Value, ok bool) {
	ok = !n.Broken
	switch n.Kind {
	case yamldoc.KindBool:
		v = lab.Bool(n.Bool)
	case yamldoc.KindNumber:
		v = lab.Number(n.Text)
	case yamldoc.KindText:
		v = lab.Text(n.Text)
	case yamldoc.KindList:
		list := make([]lab.Value, len(n.Items))
		for i, item := range n.Items {
			e, fine := readValue(r, item)
			list[i] = e
			ok = ok && fine
		}
		v = lab.ListOf(list...)
	case yamldoc.KindMap:
		v = lab.EmptyMap()
		for _, p := range n.Pairs {
			e, fine := readValue(r, p.Value)
			v = v.With(p.Key, e)
			ok = ok && fine
		}
	}
	if n.Tag != "" {
		var text string
		return v, yamldoc.Text().Read(r, n, &text)
	}
	return v, ok
}

// statePathType reads a dot-path.
func statePathType() yamldoc.Type[string] {
	text := yamldoc.Text()
	return yamldoc.NewType("a dot-path into the state", statePathSchema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool {
		return text.Read(r, n, dst) && checkPath(r, n, *dst)
	})
}

func checkPath(r *yamldoc.Reader, n *yamldoc.Node, path string) bool {
	parts, ok := lab.StatePath(path)
	if !ok {
		r.Report("state-path", n.Span, "`"+path+"` is no dot-path: a part of it is empty")
		return false
	}
	return checkDepth(r, n, len(parts))
}

// checkDepth bounds how far down a path leads.
func checkDepth(r *yamldoc.Reader, n *yamldoc.Node, parts int) bool {
	if parts <= lab.MaxDepth {
		return true
	}
	d := r.Report("yaml-too-deep", n.Span, "this path leads more than "+strconv.Itoa(lab.MaxDepth)+" levels down")
	d.Fix = &diag.Fix{Text: "write a shorter path"}
	return false
}
