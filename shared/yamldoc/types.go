package yamldoc

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"asz/shared/diag"
)

// Text reads text. An unquoted number or bool is text as written; nothing (null) is not. A value that
// lost its meaning for want of quotes gets a finding with the quotes as its fix.
func Text() Type[string] {
	return NewType("text", textSchema, func(r *Reader, n *Node, dst *string) bool {
		if raw, ok := n.unquoted(); ok {
			d := r.Report("yaml-quote-it", raw, "this is text only in quotes: "+lost(n))
			d.Fix = quoteFix(raw)
			return false
		}
		if n.Kind == KindNull || n.Kind >= KindMap || n.Tag != "" {
			return r.mismatch(n, "text")
		}
		*dst = n.Text
		return true
	})
}

// unquoted recognises text that YAML read as something else: a scalar with a local tag
// (`!docker ps`) or a one-line `key: value`. raw is the text as its author meant it.
func (n *Node) unquoted() (raw diag.Span, ok bool) {
	if n.Broken || n.alias {
		return diag.Span{}, false
	}
	raw = n.Span.Sub(-int(n.lead), n.Span.Len)
	oneLine := !strings.ContainsAny(raw.Text(), "\r\n")
	switch {
	case n.Tag != "" && n.Kind < KindMap:
		return raw, oneLine
	case n.Kind == KindMap && len(n.Pairs) == 1 && !strings.HasPrefix(raw.Text(), "{"):
		p := n.Pairs[0]
		return raw, oneLine && p.Value.Kind < KindMap && p.KeyNode.Span.Start == n.Span.Start
	}
	return diag.Span{}, false
}

// lost says what became of the text.
func lost(n *Node) string {
	if n.Tag != "" {
		return fmt.Sprintf("without them %q is a tag", n.Tag)
	}
	return fmt.Sprintf("without them it is a map with the key %q", n.Pairs[0].Key)
}

// quoteFix puts raw source text in single quotes.
func quoteFix(raw diag.Span) *diag.Fix {
	quoted := "'" + strings.ReplaceAll(raw.Text(), "'", "''") + "'"
	text := "put the text in quotes"
	if len(quoted) <= 60 {
		text = "write " + quoted
	}
	return &diag.Fix{Text: text, Edits: []diag.Edit{{Span: raw, New: quoted}}, Safe: true}
}

// Bool reads true or false.
func Bool() Type[bool] {
	const name = "true or false"
	return NewType(name, boolSchema, func(r *Reader, n *Node, dst *bool) bool {
		if n.Kind != KindBool {
			word := map[string]string{"yes": "true", "on": "true", "no": "false", "off": "false"}[strings.ToLower(n.Text)]
			if n.Kind != KindText || word == "" || n.Broken {
				return r.mismatch(n, name)
			}
			r.Report("wrong-type", head(n), mismatchMessage(n, name)).Fix = &diag.Fix{Text: "write " + word}
			return false
		}
		*dst = n.Bool
		return true
	})
}

// Int reads a whole number from min to max: decimal, 0o octal or 0x hexadecimal.
func Int(min, max int) Type[int] {
	name := fmt.Sprintf("a whole number from %d to %d", min, max)
	switch {
	case min == math.MinInt && max == math.MaxInt:
		name = "a whole number"
	case max == math.MaxInt:
		name = fmt.Sprintf("a whole number, %d or more", min)
	}
	schema := func() *Schema {
		s := &Schema{Types: types{"integer"}}
		if low := min; low != math.MinInt {
			s.Minimum = &low
		}
		if high := max; high != math.MaxInt {
			s.Maximum = &high
		}
		return s
	}
	return NewType(name, schema, func(r *Reader, n *Node, dst *int) bool {
		if n.Kind == KindNumber && isInt(n.Text) {
			base, digits := 10, n.Text
			if d, ok := strings.CutPrefix(digits, "0o"); ok {
				base, digits = 8, d
			} else if d, ok := strings.CutPrefix(digits, "0x"); ok {
				base, digits = 16, d
			}
			v, err := strconv.ParseInt(digits, base, strconv.IntSize)
			if err == nil && int(v) >= min && int(v) <= max {
				*dst = int(v)
				return true
			}
		}
		return r.mismatch(n, name)
	})
}

// Any keeps the node.
func Any() Type[*Node] {
	return NewType("a value", anySchema, func(r *Reader, n *Node, dst **Node) bool {
		*dst = n
		return true
	})
}

// List reads a list. The slice has its full length before the first element is read, so that the
// elements' addresses stay as they were placed.
func List[T any](t Type[T]) Type[[]T] {
	name := "a list, each entry " + t.name
	schema := func() *Schema { return &Schema{Types: types{"array"}, Items: t.schema()} }
	return NewType(name, schema, func(r *Reader, n *Node, dst *[]T) bool {
		if n.Kind != KindList {
			ok := r.mismatch(n, name)
			if n.Kind < KindMap && n.Kind != KindNull && !n.Broken {
				r.Report("wrong-type", head(n), mismatchMessage(n, name)).Fix = &diag.Fix{Text: "make it a list: " + listed(n)}
			}
			if n.Kind == KindMap && !n.Broken {
				r.Report("wrong-type", head(n), mismatchMessage(n, name)).Fix = &diag.Fix{Text: "make it a list: put a dash before each entry"}
			}
			return ok
		}
		*dst = make([]T, len(n.Items))
		ok := true
		for i, item := range n.Items {
			r.key = nil
			ok = t.Read(r, item, &(*dst)[i]) && ok
		}
		return ok
	})
}

// listed says how a scalar is made a list of one entry, in brackets where that is short and plain.
func listed(n *Node) string {
	if raw := n.Span.Text(); len(raw) <= 50 && n.Tag == "" && !strings.ContainsAny(raw, ",[]{}#:\r\n") {
		return "write [" + raw + "]"
	}
	return "put it on a line of its own below the key, after a dash"
}

// Ptr reads into a new value.
func Ptr[T any](t Type[T]) Type[*T] {
	return NewType(t.name, t.schema, func(r *Reader, n *Node, dst **T) bool {
		*dst = new(T)
		return t.Read(r, n, *dst)
	})
}
