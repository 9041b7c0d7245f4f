package gui

import (
	"regexp"
	"strings"
	"time"

	"asz/shared/diag"
)

// ActionKind is what an action does. The forms of `click` are kinds of their own.
type ActionKind uint8

// The kinds, in the order of their table.
const (
	Key ActionKind = iota
	Type
	ClickCenter
	ClickDeclared
	ClickAt
	ClickElement
	ClickGrounded
	Wait
	WaitWhile
	Shell
	Spawn
	Kill
	CDPNavigate
	CDPAttach
	CDPQuery
	CDPClick
	CDPClickDescribed
	CDPFill
	CDPWait
	CDPURL
	actionCount
)

// Action is one action. Which of its fields are set follows from its kind.
type Action struct {
	Kind    ActionKind
	Written string    // the whole text, without outer blanks
	At      diag.Span // of the value in the file; its first line

	Arg   string    // the first text in quotes: a name, description, command, pattern, address, selector or predicate
	ArgAt diag.Span // of that text, without its quotes

	Chord   Chord          // of Key
	Text    Template       // of Type, and the value of CDPFill
	Pattern *regexp.Regexp // of Kill: Arg, compiled as POSIX
	X, Y    float64        // of ClickAt: fractions of the window's width and height, 0 to 1
	Seconds time.Duration  // of Wait, and of CDPWait where Timed
	Timed   bool           // CDPWait has seconds of its own
}

// String is the action for reports: as written, but for the value of CDPFill, of which nothing is shown.
func (a *Action) String() string {
	if a.Kind == CDPFill {
		return CDPFill.Word() + ` "` + a.Arg + `" "…"`
	}
	return a.Written
}

// Rung is how an action reaches the app, from the strongest kind to the weakest.
type Rung string

// The rungs.
const (
	RungNone     Rung = ""
	RungElement  Rung = "element"
	RungDeclared Rung = "declared"
	RungLiteral  Rung = "literal"
	RungCenter   Rung = "center"
	RungGrounded Rung = "grounded"
	RungDOM      Rung = "dom"
)

// ActionInfo is a row of the table of actions, for help.
type ActionInfo struct {
	Kind              ActionKind
	Word              string
	Usage             string // the word and its arguments: `cdp_wait "<predicate>" [seconds]`
	Doc               string
	Rung              Rung // that it asks for
	CDP, ATSPI, Model bool // what it needs
}

// Actions gives the table of actions in its order.
func Actions() []ActionInfo {
	var list []ActionInfo
	for i, row := range actionTable {
		list = append(list, ActionInfo{ActionKind(i), row.word, row.usage(), row.doc, row.rung, row.needs == needsCDP, row.needs == needsATSPI, row.needs == needsModel})
	}
	return list
}

// String is what such an action looks like: `click "<name>"`.
func (k ActionKind) String() string { return actionTable[k].usage() }

// Word is the word the action begins with.
func (k ActionKind) Word() string { return actionTable[k].word }

// Rung is the one that the action asks for.
func (k ActionKind) Rung() Rung { return actionTable[k].rung }

// CDP reports whether the action is done in a browser. Such an action turns cdp on, may have the target `browser` and
// no window as its target.
func (k ActionKind) CDP() bool { return actionTable[k].needs == needsCDP }

// ATSPI reports whether the action needs the accessibility bus.
func (k ActionKind) ATSPI() bool { return actionTable[k].needs == needsATSPI }

// Model reports whether the action needs a model.
func (k ActionKind) Model() bool { return actionTable[k].needs == needsModel }

// need is what an action cannot do without, besides the display.
type need uint8

const (
	needsNothing need = iota
	needsCDP
	needsATSPI
	needsModel
)

// argument is one argument of an action: what stands there is called name in messages.
type argument struct {
	name string
	kind argumentKind
}

type argumentKind uint8

const (
	argQuoted   argumentKind = iota // a text in quotes, not empty
	argChord                        // in quotes
	argTyped                        // in quotes, with references; may be empty
	argPattern                      // in quotes, a POSIX extended regular expression
	argCenter                       // the word itself
	argFraction                     // 0 to 1
	argSeconds                      // 0 or more
	argMaybe                        // seconds, or nothing
)

// actionRow says what one kind of action looks like, takes and needs. The reader, the schema and the help come from it.
type actionRow struct {
	word  string
	args  []argument
	rung  Rung
	needs need
	doc   string
}

var actionTable = [actionCount]actionRow{
	Key:               {"key", []argument{{"chord", argChord}}, RungNone, needsNothing, "presses a key or chord"},
	Type:              {"type", []argument{{"text", argTyped}}, RungNone, needsNothing, "types the text, with $VAR expanded"},
	ClickCenter:       {"click", []argument{{"center", argCenter}}, RungCenter, needsNothing, "clicks the middle of the window"},
	ClickDeclared:     {"click", []argument{{"name", argQuoted}}, RungDeclared, needsNothing, "clicks a position of click_targets"},
	ClickAt:           {"click", []argument{{"fx", argFraction}, {"fy", argFraction}}, RungLiteral, needsNothing, "clicks at fractions of the window"},
	ClickElement:      {"click_element", []argument{{"name", argQuoted}}, RungElement, needsATSPI, "clicks a control by its name"},
	ClickGrounded:     {"click_grounded", []argument{{"description", argQuoted}}, RungGrounded, needsModel, "clicks where the model says that it is"},
	Wait:              {"wait", []argument{{"seconds", argSeconds}}, RungNone, needsNothing, "waits"},
	WaitWhile:         {"wait_while", []argument{{"name", argQuoted}}, RungNone, needsNothing, "holds on a condition of wait_conditions"},
	Shell:             {"shell", []argument{{"name", argQuoted}}, RungNone, needsNothing, "runs a command of shell"},
	Spawn:             {"spawn", []argument{{"cmd", argQuoted}}, RungNone, needsNothing, "starts a program"},
	Kill:              {"kill", []argument{{"pattern", argPattern}}, RungNone, needsNothing, "stops processes by their command line"},
	CDPNavigate:       {"cdp_navigate", []argument{{"url", argQuoted}}, RungDOM, needsCDP, "loads a URL in the tab"},
	CDPAttach:         {"cdp_attach", []argument{{"substring", argQuoted}}, RungDOM, needsCDP, "attaches to a tab by its URL or title"},
	CDPQuery:          {"cdp_query", []argument{{"selector", argQuoted}}, RungDOM, needsCDP, "checks that a selector matches"},
	CDPClick:          {"cdp_click", []argument{{"selector", argQuoted}}, RungDOM, needsCDP, "clicks an element by selector"},
	CDPClickDescribed: {"cdp_click_described", []argument{{"name", argQuoted}}, RungDOM, needsCDP, "clicks an element by accessible name or handle"},
	CDPFill:           {"cdp_fill", []argument{{"selector", argQuoted}, {"value", argTyped}}, RungDOM, needsCDP, "fills a field, with $VAR expanded"},
	CDPWait:           {"cdp_wait", []argument{{"predicate", argQuoted}, {"seconds", argMaybe}}, RungDOM, needsCDP, "waits for a JavaScript expression to be true"},
	CDPURL:            {"cdp_url", nil, RungDOM, needsCDP, "records the tab's URL"},
}

// usage is the row as a person writes it.
func (row actionRow) usage() string {
	var b strings.Builder
	b.WriteString(row.word)
	for _, a := range row.args {
		switch a.kind {
		case argCenter:
			b.WriteString(" " + a.name)
		case argFraction, argSeconds:
			b.WriteString(" <" + a.name + ">")
		case argMaybe:
			b.WriteString(" [" + a.name + "]")
		default:
			b.WriteString(` "<` + a.name + `>"`)
		}
	}
	return b.String()
}

// actionWords are the words of the table, each once.
func actionWords() []string {
	var words []string
	for i, row := range actionTable {
		if i == 0 || row.word != actionTable[i-1].word {
			words = append(words, row.word)
		}
	}
	return words
}
