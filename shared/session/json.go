package session

import (
	"strconv"
	"strings"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// jsonObjectType reads a map as compact JSON, keys in author order.
func jsonObjectType() yamldoc.Type[[]byte] {
	const name = "a map"
	object := func() *schema { return &schema{Types: []string{"object"}} }
	return yamldoc.NewType(name, object, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]byte) bool {
		if n.Kind != yamldoc.KindMap {
			return wrongType(r, n, name)
		}
		var ok bool
		*dst, ok = appendJSON(nil, r, n)
		return ok
	})
}

// recordKeys are the keys that make a record a record of this session.
var recordKeys = [...]string{"type", "subtype", "uuid", "parentUuid", "sessionId", "timestamp"}

// fieldsType reads what a system record holds besides.
func fieldsType() yamldoc.Type[[]byte] {
	t := jsonObjectType()
	t = yamldoc.Narrow(t, func(s *schema) { *s = *yamldoc.Without(recordKeys[:]...); s.Types = []string{"object"} })
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]byte) bool {
		ok := t.Read(r, n, dst)
		for _, p := range n.Pairs {
			for _, key := range recordKeys {
				if p.Key == key {
					r.Report("system-field", p.KeyNode.Span, "every record has `"+key+"` of its own")
					ok = false
				}
			}
		}
		return ok
	})
}

// appendJSON writes a value as JSON. It returns false when a finding was made.
func appendJSON(b []byte, r *yamldoc.Reader, n *yamldoc.Node) (out []byte, ok bool) {
	if n.Broken {
		return b, false
	}
	if n.Tag != "" {
		var text string
		return b, yamldoc.Text().Read(r, n, &text) // which knows how to mend it
	}
	ok = true
	switch n.Kind {
	case yamldoc.KindNull:
		b = append(b, "null"...)
	case yamldoc.KindBool:
		b = strconv.AppendBool(b, n.Bool)
	case yamldoc.KindNumber:
		number, fine := jsonNumber(n.Text)
		if !fine {
			r.Report("value-not-json", n.Span, "JSON has no number "+diag.Quoted(n.Text))
		}
		return append(b, number...), fine
	case yamldoc.KindText:
		b = appendText(b, n.Text)
	case yamldoc.KindMap:
		b = append(b, '{')
		for i, p := range n.Pairs {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, p.Key), ':')
			var fine bool
			b, fine = appendJSON(b, r, p.Value)
			ok = ok && fine
		}
		b = append(b, '}')
	case yamldoc.KindList:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			var fine bool
			b, fine = appendJSON(b, r, item)
			ok = ok && fine
		}
		b = append(b, ']')
	}
	return b, ok
}

// jsonNumber writes a YAML number as JSON does: digits are kept, only what JSON does not know is written otherwise.
func jsonNumber(s string) (string, bool) {
	if strings.HasPrefix(s, "0o") || strings.HasPrefix(s, "0x") {
		v, err := strconv.ParseUint(s, 0, 64)
		return strconv.FormatUint(v, 10), err == nil
	}
	sign := ""
	if s[0] == '-' || s[0] == '+' {
		sign, s = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	whole := strings.IndexFunc(s, func(c rune) bool { return c < '0' || c > '9' })
	if whole < 0 {
		whole = len(s)
	}
	digits, rest := strings.TrimLeft(s[:whole], "0"), s[whole:]
	if digits == "" {
		digits = "0"
	}
	if strings.HasPrefix(rest, ".") && (len(rest) == 1 || rest[1] < '0' || rest[1] > '9') {
		if whole == 0 {
			return "", false // .inf, .nan
		}
		rest = rest[1:] // "5." and "5.e3"
	}
	return sign + digits + rest, true
}

// appendText writes a JSON string with as few escapes as JSON allows.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c < ' ':
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
