package yamldoc

import (
	"fmt"
	"slices"
	"strings"

	"asz/shared/diag"
)

// Field is one key of an object: its name, what it is for, and where its value goes.
type Field[T any] struct {
	Name     string
	Doc      string
	Required bool

	schema func() *Schema
	read   func(r *Reader, n *Node, dst *T) bool
}

// Required makes a field that must be there; at gives the place of its value in the object.
func Required[T, F any](name, doc string, t Type[F], at func(*T) *F) Field[T] {
	f := Optional(name, doc, t, at)
	f.Required = true
	return f
}

// Optional makes a field that may be left out.
func Optional[T, F any](name, doc string, t Type[F], at func(*T) *F) Field[T] {
	return Field[T]{Name: name, Doc: doc, schema: t.schema, read: func(r *Reader, n *Node, dst *T) bool {
		return t.Read(r, n, at(dst))
	}}
}

// Object reads a map with the given keys. Unknown and missing keys are findings; an unknown key that
// is a near miss of a missing one is reported once, as unknown.
func Object[T any](name string, fields ...Field[T]) Type[T] {
	required := slices.ContainsFunc(fields, func(f Field[T]) bool { return f.Required })
	schema := func() *Schema { return objectSchema(name, fields) }
	return NewType("a map ("+name+")", schema, func(r *Reader, n *Node, dst *T) bool {
		key := r.key
		if n.Kind == KindNull && !n.Broken && !required {
			return true
		}
		if n.Kind != KindMap {
			return r.mismatch(n, "a map ("+name+")")
		}
		ok := true
		meant := map[string]bool{} // names that unknown keys come near
		for _, p := range n.Pairs {
			i := slices.IndexFunc(fields, func(f Field[T]) bool { return f.Name == p.Key })
			if i < 0 {
				ok = false
				meant[r.unknownKey(name, n, p, names(fields), meant)] = true
				continue
			}
			r.key = p.KeyNode
			ok = fields[i].read(r, p.Value, dst) && ok
		}
		r.key = key // a second file is read under no key of the first
		for _, f := range fields {
			if f.Required && !n.Broken && !meant[f.Name] && n.Get(f.Name) == nil {
				ok = false
				r.missingKey(name, n, key, f.Name)
			}
		}
		return ok
	})
}

func names[T any](fields []Field[T]) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.Name
	}
	return list
}

// unknownKey reports a key that is not in the table and gives the name it probably means, "" for none.
// A name that another unknown key was taken for already (meant) is not suggested twice.
func (r *Reader) unknownKey(object string, n *Node, p Pair, known []string, meant map[string]bool) string {
	d := r.Report("unknown-key", p.KeyNode.Span, fmt.Sprintf("unknown key %q in %s", p.Key, object))
	near := diag.Nearest(p.Key, known)
	taken := near != "" && meant[near]
	free := near != "" && !taken && n.Get(near) == nil
	switch {
	case free:
		d.Fix = &diag.Fix{
			Text:  fmt.Sprintf("write %q", near),
			Edits: []diag.Edit{{Span: p.KeyNode.Span, New: near}},
			Safe:  true,
		}
	case taken:
		d.Fix = &diag.Fix{Text: fmt.Sprintf("remove it: a key above stands for %q", near)}
	case near != "":
		d.Fix = &diag.Fix{Text: fmt.Sprintf("remove it: %q is there already", near)}
	case len(known) > 0:
		d.Fix = &diag.Fix{Text: "remove it, or use one of " + strings.Join(known, ", ")}
	}
	return near
}

// missingKey reports at the key the object stands under, else at the object's first key.
func (r *Reader) missingKey(object string, n, key *Node, name string) {
	at := head(n)
	switch {
	case key != nil:
		at = key.Span
	case len(n.Pairs) > 0 && !n.alias:
		at = n.Pairs[0].KeyNode.Span
	}
	d := r.Report("missing-key", at, fmt.Sprintf("%s needs the key %q", object, name))
	d.Fix = &diag.Fix{Text: fmt.Sprintf("add %q", name+":")}
}
