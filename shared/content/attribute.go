package content

import (
	"encoding/json"
	"strings"
)

// attribute is one of an element.
type attribute struct{ key, value string }

// attributes collects those of one element, and what the page needs to set those with variables again.
type attributes struct {
	list []attribute
	vars map[string]string // attribute → template
}

func (a *attributes) add(key, value string) *attributes {
	a.list = append(a.list, attribute{key, value})
	return a
}

// fill adds an attribute whose text may have variables.
func (a *attributes) fill(key string, pieces []piece) *attributes {
	if source, ok := template(pieces); ok {
		if a.vars == nil {
			a.vars = map[string]string{}
		}
		a.vars[key] = source
	}
	return a.add(key, plain(pieces))
}

func (a *attributes) all() []attribute {
	if a.vars != nil {
		a.add("data-vars", jsonText(a.vars))
		a.vars = nil
	}
	return a.list
}

// jsonText writes a value as JSON, maps by sorted keys.
func jsonText(value any) string {
	out, err := json.Marshal(value)
	if err != nil {
		return "null" // texts, lists and maps of texts always marshal
	}
	return string(out)
}

// option is an attribute as it stands in a directive.
type option struct {
	key, value string
	bare       bool // without a value
}

// options are those of a directive; the last of a name counts, as in HTML editors that append.
type options []option

func (o options) get(key string) (option, bool) {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return o[i], true
		}
	}
	return option{}, false
}

func (o options) text(key string) string {
	found, _ := o.get(key)
	return found.value
}

// flag is whether a bare word is there. `hasValue="true"` means the same, `hasValue="false"` the opposite.
func (o options) flag(key string) bool {
	found, ok := o.get(key)
	return ok && !strings.EqualFold(found.value, "false")
}

// parseOptions reads `{a="b" c='d' e=f g}` at the start of s; length is 0 when it is not closed. A quote that is not
// closed ends its value at the brace.
func parseOptions(s string) (out options, length int) {
	if s == "" || s[0] != '{' {
		return nil, 0
	}
	for i := 1; i < len(s); {
		switch c := s[i]; {
		case isBlank(c) || c == ',':
			i++
		case c == '}':
			return out, i + 1
		default:
			from := i
			for i < len(s) && !isBlank(s[i]) && s[i] != '=' && s[i] != '}' && s[i] != ',' {
				i++
			}
			key := strings.ToLower(s[from:i])
			after := i
			for after < len(s) && isBlank(s[after]) {
				after++
			}
			if after == len(s) || s[after] != '=' {
				if key == "" {
					i++
				}
				out = append(out, option{key: key, bare: true})
				continue
			}
			after++
			for after < len(s) && isBlank(s[after]) {
				after++
			}
			var value string
			value, i = optionValue(s, after)
			if i < 0 {
				return nil, 0
			}
			out = append(out, option{key: key, value: value})
		}
	}
	return nil, 0
}

// optionValue reads the value at s[i], and where it ends, -1 when it never does.
func optionValue(s string, i int) (string, int) {
	if i == len(s) {
		return "", -1
	}
	quote := s[i]
	if quote != '"' && quote != '\'' {
		from := i
		for i < len(s) && !isBlank(s[i]) && s[i] != '}' {
			i++
		}
		return unescape(s[from:i]), i
	}
	for end := i + 1; end < len(s); end++ {
		switch {
		case s[end] == '\\':
			end++
		case s[end] == quote:
			return unescape(unslash(s[i+1 : end])), end + 1
		}
	}
	end := strings.IndexByte(s[i:], '}')
	if end < 0 {
		return "", -1
	}
	return unescape(unslash(strings.TrimRight(s[i+1:i+end], " \t"))), i + end
}

// unslash resolves the backslashes that quotes and table cells need; others stay, as in Windows paths and \$\$.
func unslash(s string) string {
	return strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\|`, `|`).Replace(s)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }
