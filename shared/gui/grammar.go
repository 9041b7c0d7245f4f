package gui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// fault is what is wrong with a text that has a grammar of its own. Offsets are bytes of the decoded text.
type fault struct {
	code       diag.Code
	start, end int
	message    string
	fix        string // "" = what the code's row says
	edit       string // what is to stand there instead; "" = that is not clear
}

// report tells of a fault of a value's text.
func (f *fault) report(r *yamldoc.Reader, n *yamldoc.Node) {
	at := n.SpanIn(f.start, f.end)
	if f.start == f.end {
		at = n.Span.FirstLine() // the quotes of a text in which there is nothing
	}
	d := r.Report(f.code, at, f.message)
	if f.fix != "" {
		d.Fix = &diag.Fix{Text: f.fix}
		if f.edit != "" && at.Text() == n.Text[f.start:f.end] { // not an alias, not across escapes
			d.Fix.Edits, d.Fix.Safe = []diag.Edit{{Span: at, New: f.edit}}, true
		}
	}
}

// The blanks between words. In a block scalar a line break is one.
const blanks = " \t\r\n"

// token is a word, or a text in quotes.
type token struct {
	start, end int    // with the quotes
	text       string // without them
	quoted     bool
}

// tokens cuts a text into words and texts in quotes. A text in quotes is verbatim: no character escapes another.
func tokens(text string) ([]token, *fault) {
	var list []token
	for i := 0; i < len(text); {
		if strings.IndexByte(blanks, text[i]) >= 0 {
			i++
			continue
		}
		if text[i] != '"' {
			n := strings.IndexAny(text[i:], blanks+`"`)
			if n < 0 {
				n = len(text) - i
			}
			list = append(list, token{i, i + n, text[i : i+n], false})
			i += n
			if i < len(text) && text[i] == '"' {
				return list, &fault{code: "action-form", start: i, end: i + 1, message: "a quote opens inside of a word", fix: "put a blank before the quote"}
			}
			continue
		}
		n := strings.IndexByte(text[i+1:], '"')
		if n < 0 {
			return list, &fault{code: "action-form", start: i, end: len(strings.TrimRight(text, blanks)), message: "the quote that opens here is not closed", fix: "add a `\"` behind the argument"}
		}
		end := i + 1 + n + 1
		list = append(list, token{i, end, text[i+1 : end-1], true})
		if end < len(text) && strings.IndexByte(blanks, text[end]) < 0 {
			return list, quoteInside(end-1, end, text[:end-1])
		}
		i = end
	}
	return list, nil
}

// quoteInside is the fault of a quote that seems to be meant as a part of an argument.
func quoteInside(start, end int, before string) *fault {
	f := &fault{code: "action-form", start: start, end: end, message: "an argument cannot hold a `\"`: this one ends it"}
	f.fix = "leave the quote out; a selector or script may use single quotes, as in `a[title='x']`"
	if strings.HasSuffix(before, `\`) {
		f.message = "an argument cannot hold a `\"`, and a `\\` escapes nothing: the argument ends here"
	}
	return f
}

// parseAction reads an action. Its place in the file is the caller's to add.
func parseAction(text string) (Action, []token, *fault) {
	list, broken := tokens(text)
	if len(list) == 0 && broken == nil {
		return Action{}, nil, &fault{code: "action-form", end: len(text), message: "the action is empty", fix: "write an action such as `click center`"}
	}
	if len(list) == 0 || list[0].quoted {
		return Action{}, nil, &fault{code: "action-form", start: strings.IndexByte(text, '"'), end: len(strings.TrimRight(text, blanks)), message: "an action begins with a word, not with a quote", fix: "write the word first, as in `type \"hello\"`"}
	}
	word, args := list[0], list[1:]
	first := -1
	for kind, row := range actionTable {
		if row.word == word.text {
			first = kind
			break
		}
	}
	if first < 0 {
		return Action{}, nil, unknownAction(word)
	}
	if broken != nil {
		return Action{}, nil, broken
	}
	kind := ActionKind(first)
	if kind == ClickCenter {
		var f *fault
		if kind, f = clickForm(word, args); f != nil {
			return Action{}, nil, f
		}
	}
	a := Action{Kind: kind, Written: strings.Trim(text, blanks)}
	if f := a.arguments(word, args); f != nil {
		return Action{}, nil, f
	}
	return a, args, nil
}

func unknownAction(word token) *fault {
	f := &fault{code: "action-unknown", start: word.start, end: word.end, message: "there is no action " + diag.Quoted(word.text)}
	f.edit = diag.Nearest(word.text, actionWords())
	f.fix = "write one of " + strings.Join(actionWords(), ", ")
	if f.edit != "" {
		f.fix = "write `" + f.edit + "`"
	}
	return f
}

// clickForm tells the three forms of click by what stands first.
func clickForm(word token, args []token) (ActionKind, *fault) {
	const forms = "write `click center`, `click \"name\"` with a name of click_targets, or two fractions as in `click 0.5 0.2`"
	switch {
	case len(args) == 0:
		return 0, &fault{code: "action-form", start: word.start, end: word.end, message: "`click` does not say where", fix: forms}
	case args[0].quoted:
		return ClickDeclared, nil
	case args[0].text == "center":
		return ClickCenter, nil
	case strings.ContainsAny(args[0].text[:1], "+-.0123456789"):
		return ClickAt, nil
	}
	return 0, &fault{code: "action-form", start: args[0].start, end: args[0].end, message: diag.Quoted(args[0].text) + " is no place to click", fix: forms}
}

// arguments reads what stands behind the word.
func (a *Action) arguments(word token, args []token) *fault {
	row := actionTable[a.Kind]
	for i, want := range row.args {
		if i >= len(args) {
			if want.kind == argMaybe {
				return nil
			}
			return &fault{code: "action-form", start: word.start, end: max(word.end, lastEnd(args)), message: fmt.Sprintf("`%s` needs its %s", row.word, want.name), fix: "write " + shown(row.usage())}
		}
		got := args[i]
		if f := want.form(got, row); f != nil {
			if !got.quoted && len(row.args) == 1 {
				f.fix = "write " + diag.Quoted(row.word+` "`+joined(args)+`"`)
			}
			return f
		}
		if f := a.argument(i, want, got); f != nil {
			return f
		}
	}
	if len(args) > len(row.args) {
		extra := args[len(row.args)]
		f := &fault{code: "action-form", start: extra.start, end: extra.end, message: fmt.Sprintf("`%s` takes nothing more here", row.word), fix: "write " + shown(row.usage())}
		if extra.quoted || len(args[0].text) > 0 && args[0].quoted {
			f.fix += "; an argument cannot hold a `\"`"
		}
		return f
	}
	return nil
}

// joined is what the arguments say, without quotes of any kind.
func joined(args []token) string {
	var words []string
	for _, a := range args {
		words = append(words, a.text)
	}
	text := strings.Join(words, " ")
	if inner, ok := strings.CutPrefix(text, "'"); ok && strings.HasSuffix(inner, "'") {
		return inner[:len(inner)-1]
	}
	return text
}

func lastEnd(args []token) int {
	if len(args) == 0 {
		return 0
	}
	return args[len(args)-1].end
}

// shown is a usage in a message: quotes and all.
func shown(usage string) string { return "`" + usage + "`" }

// form holds a token to quotes or none.
func (want argument) form(got token, row actionRow) *fault {
	bare := want.kind == argCenter || want.kind == argFraction || want.kind == argSeconds || want.kind == argMaybe
	switch {
	case bare && got.quoted:
		return &fault{code: "action-form", start: got.start, end: got.end, message: fmt.Sprintf("the %s of `%s` stand without quotes", want.plural(), row.word), fix: "write " + shown(row.usage())}
	case !bare && !got.quoted:
		return &fault{code: "action-form", start: got.start, end: got.end, message: fmt.Sprintf("the %s of `%s` stands in double quotes", want.name, row.word), fix: "write " + shown(row.usage())}
	case got.quoted && strings.Trim(got.text, blanks) == "" && want.kind != argTyped && want.kind != argChord:
		return &fault{code: "action-form", start: got.start, end: got.end, message: fmt.Sprintf("the %s of `%s` is empty", want.name, row.word), fix: "write " + shown(row.usage())}
	}
	return nil
}

func (want argument) plural() string {
	switch want.kind {
	case argFraction:
		return "fractions"
	case argSeconds, argMaybe:
		return "seconds"
	}
	return "words"
}

// argument takes one argument into the action.
func (a *Action) argument(i int, want argument, got token) *fault {
	inside := func(f *fault) *fault { // offsets behind the opening quote
		if f != nil {
			f.start, f.end = f.start+got.start+1, f.end+got.start+1
		}
		return f
	}
	var f *fault
	switch want.kind {
	case argQuoted:
		a.Arg = got.text
	case argPattern:
		a.Arg = got.text
		a.Pattern, f = parsePOSIX(got.text)
		return inside(f)
	case argChord:
		a.Chord, f = parseChord(got.text)
		a.Arg = got.text
		return inside(f)
	case argTyped:
		a.Text, f = parseTemplate(got.text)
		if i == 0 {
			a.Arg = got.text
		}
		return inside(f)
	case argFraction:
		v, ok := decimal(got.text)
		if !ok || v > 1 {
			return &fault{code: "action-form", start: got.start, end: got.end, message: diag.Quoted(got.text) + " is no fraction from 0 to 1", fix: "write " + shown(actionTable[a.Kind].usage()) + " with fractions of the window, as in `click 0.5 0.2`"}
		}
		if i == 0 {
			a.X = v
		} else {
			a.Y = v
		}
	case argSeconds, argMaybe:
		v, ok := decimal(got.text)
		if !ok || v > yamldoc.MostSeconds {
			return &fault{code: "action-form", start: got.start, end: got.end, message: diag.Quoted(got.text) + " is no number of seconds", fix: "write the seconds as a number, as in `" + actionTable[a.Kind].example() + "`"}
		}
		a.Seconds, a.Timed = time.Duration(math.Round(v*1e9)), want.kind == argMaybe
	}
	return nil
}

// example is the row with numbers in it.
func (row actionRow) example() string {
	return strings.NewReplacer("<seconds>", "1.5", "[seconds]", "1.5").Replace(row.usage())
}

// decimal reads digits with a point at most.
func decimal(s string) (float64, bool) {
	if strings.Trim(s, "0123456789.") != "" || strings.Trim(s, ".") == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
