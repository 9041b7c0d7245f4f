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
	near := nearest(p.Key, known)
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

// nearest gives the one name that a misspelt key comes nearest to, "" when none is near or two are
// equally near.
func nearest(key string, names []string) string {
	best, least, unique := "", 2+min(len(key), 12)/4, false
	for _, name := range names {
		d := distance(plainForm(key), plainForm(name))
		switch {
		case d >= len(name):
		case d < least:
			best, least, unique = name, d, true
		case d == least:
			unique = false
		}
	}
	if !unique {
		return ""
	}
	return best
}

// plainForm drops what people vary in keys: case, dashes, underscores.
func plainForm(s string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s))
}

// distance counts the edits (insert, delete, replace, swap neighbours) between two words, in bytes.
// Words too long to be misspelt keys are simply far apart.
func distance(a, b string) int {
	const longest = 64
	if a == b {
		return 0
	}
	if len(a) > longest || len(b) > longest {
		return longest
	}
	rows := [3][longest + 1]int{}
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur, prev, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
