package yamldoc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"asz/shared/diag"
)

// Word reads one of a few words; what is their kind, as in "a mode".
func Word(what string, words ...string) Type[string] {
	text := Text()
	name := words[len(words)-1]
	if len(words) > 1 {
		name = strings.Join(words[:len(words)-1], ", ") + " or " + name
	}
	enum := func() *Schema { return &Schema{Enum: words} }
	return NewType(name, enum, func(r *Reader, n *Node, dst *string) bool {
		if !text.Read(r, n, dst) {
			return false
		}
		return KnownWord(r, n, what, *dst, words)
	})
}

// KnownWord reports a word that is not one of a few.
func KnownWord(r *Reader, n *Node, what, word string, words []string) bool {
	for _, w := range words {
		if word == w {
			return true
		}
	}
	d := r.Report("unknown-word", n.Span, fmt.Sprintf("%s is not %s", diag.Quoted(word), what))
	d.Fix = &diag.Fix{Text: "write one of " + strings.Join(words, ", ")}
	if len(words) == 1 {
		d.Fix.Text = "write " + words[0]
	}
	if near := diag.Nearest(word, words); near != "" {
		d.Fix = &diag.Fix{Text: "write `" + near + "`", Edits: []diag.Edit{{Span: n.Span, New: near}}, Safe: true}
	}
	return false
}

const (
	durationPattern = `^\+?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`
	offsetPattern   = `^[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`
)

// Duration reads a gap of time, zero or more, in Go's form.
func Duration() Type[time.Duration] { return timeType(false) }

// Offset reads a distance from the beginning: `+11.1s`.
func Offset() Type[time.Duration] { return timeType(true) }

func timeType(signed bool) Type[time.Duration] {
	what, fix, pattern := "a duration", "write a number with its unit, such as 800ms, 1s or 1m30s", durationPattern
	if signed {
		what, fix, pattern = "a distance in time", "write a sign and a number with its unit, such as +0s or +11.1s", offsetPattern
	}
	describe := func() *Schema {
		zero := 0
		return &Schema{Types: []string{"string", "integer"}, Pattern: pattern, Minimum: &zero, Maximum: &zero}
	}
	return NewType(what, describe, func(r *Reader, n *Node, dst *time.Duration) bool {
		if n.Kind != KindText && n.Kind != KindNumber || n.Tag != "" {
			return r.mismatch(n, what+", such as 800ms")
		}
		if n.Broken {
			return false
		}
		at := n.Span.FirstLine()
		if n.Kind == KindNumber {
			if strings.Trim(n.Text, "+-0.xoeE") == "" {
				*dst = 0
				return true
			}
			d := r.Report("duration-form", at, "the number "+diag.Quoted(n.Text)+" is no duration: of what?")
			d.Fix.Text = "write the unit behind it, such as " + n.Text + "s or " + n.Text + "ms"
			return false
		}
		d, err := time.ParseDuration(n.Text)
		*dst = d
		switch {
		case err != nil:
			r.Report("duration-form", at, diag.Quoted(n.Text)+" cannot be read as "+what).Fix.Text = fix
			return false
		case d < 0 && !signed:
			r.Report("duration-form", at, "the duration "+diag.Quoted(n.Text)+" is negative: time goes on").Fix.Text = "write " + strings.TrimPrefix(n.Text, "-")
			return false
		}
		return true
	})
}

// Entries reads a map whose keys are names into a list in author order.
func Entries[T any](name string, describe func(*Schema), entry func(r *Reader, p Pair, dst *T) bool) Type[[]T] {
	mapped := func() *Schema {
		s := &Schema{Types: []string{"object"}}
		describe(s)
		return s
	}
	return NewType(name, mapped, func(r *Reader, n *Node, dst *[]T) bool {
		if n.Kind != KindMap {
			return r.mismatch(n, name)
		}
		*dst = make([]T, len(n.Pairs)) // of full length at once: places point into it
		key, ok := r.key, true
		for i, p := range n.Pairs {
			r.key = p.KeyNode
			ok = entry(r, p, &(*dst)[i]) && ok
		}
		r.key = key
		return ok
	})
}

// MostSeconds bounds seconds, so that every one of them is a time.Duration: about 30 years.
const MostSeconds = 1e9

// Seconds reads a number of seconds, with decimals; positive ones are more than zero.
func Seconds(positive bool) Type[time.Duration] {
	name := "a number of seconds, 0 or more"
	if positive {
		name = "a number of seconds, more than 0"
	}
	describe := func() *Schema {
		zero, most := 0, int(MostSeconds)
		s := &Schema{Types: []string{"number"}, Minimum: &zero, Maximum: &most}
		if positive {
			s.Minimum, s.Above = nil, &zero
		}
		return s
	}
	return NewType(name, describe, func(r *Reader, n *Node, dst *time.Duration) bool {
		v, ok := n.Float()
		if !ok || v < 0 || v > MostSeconds || positive && v == 0 {
			return r.mismatch(n, name)
		}
		*dst = time.Duration(math.Round(v * 1e9))
		if positive {
			*dst = max(*dst, 1)
		}
		return true
	})
}

// Fraction reads a number from 0 to 1.
func Fraction() Type[float64] {
	const name = "a number from 0 to 1"
	describe := func() *Schema {
		zero, one := 0, 1
		return &Schema{Types: []string{"number"}, Minimum: &zero, Maximum: &one}
	}
	return NewType(name, describe, func(r *Reader, n *Node, dst *float64) bool {
		v, ok := n.Float()
		if !ok || v < 0 || v > 1 {
			return r.mismatch(n, name)
		}
		*dst = v
		return true
	})
}

// Float is the value of a number, if the node is one that is finite.
func (n *Node) Float() (float64, bool) {
	if n.Kind != KindNumber || n.Broken {
		return 0, false
	}
	if strings.HasPrefix(n.Text, "0o") || strings.HasPrefix(n.Text, "0x") {
		v, err := strconv.ParseUint(n.Text, 0, 64)
		return float64(v), err == nil
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// RefuseNUL reports the one character that files, programs and receivers cut texts at. Others that cannot be seen are
// content.
func RefuseNUL(r *Reader, n *Node) {
	if i := strings.IndexByte(n.Text, 0); i >= 0 && n.Kind == KindText {
		r.Report("text-nul", n.SpanIn(i, i+1), "the text holds the character U+0000")
	}
	for _, p := range n.Pairs {
		RefuseNUL(r, p.KeyNode)
		RefuseNUL(r, p.Value)
	}
	for _, item := range n.Items {
		RefuseNUL(r, item)
	}
}
