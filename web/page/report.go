package page

import (
	_ "embed"
	"fmt"

	"github.com/a-h/templ"
)

// Report is the page of one GUI scenario's report. The page needs no other file: pictures are data URLs.
type Report struct {
	Name, Verdict, Why string
	Flaky              bool
	Facts              []Fact
	Attempts           []ReportAttempt // all, when there was more than one
	Rows               []ReportRow
	Final              *ReportFinal
	Home               string // the list of all scenarios, "" when there is none
}

// Fact is a name and what it is.
type Fact struct{ Name, Value string }

// ReportAttempt is one attempt; Href is its own page, "" for the one that is shown.
type ReportAttempt struct{ Verdict, Why, Took, Href string }

// ReportRow is one row of the timeline. From and Width place its bar, in percent of the run.
type ReportRow struct {
	Index                       int
	Status, Phase, Action, Took string
	From, Width                 float64
	Facts                       []Fact
	Class, Error                string
	Postconditions              []ReportPostcondition
	Before, After               *Picture
	Output                      string
	Open                        bool // shown opened: what did not go well
}

// ReportPostcondition is what must be true afterwards, and whether it was: "yes", "no", "not judged".
type ReportPostcondition struct{ Kind, Want, Holds, Took, Last string }

// Picture is a screenshot. Mark, in percent of its size, is where was clicked.
type Picture struct {
	URL           templ.SafeURL
	Alt           string
	Width, Height int
	Mark          *Mark
}

// Mark is a place in a picture, in percent.
type Mark struct{ X, Y float64 }

// ReportFinal is what was there at the end.
type ReportFinal struct {
	Picture   *Picture
	Windows   []ReportWindow
	Processes []string
	Dialogs   []string
	Logs      []ReportLog
}

// ReportWindow is one window at the end.
type ReportWindow struct{ Title, Class, Place, State string }

// ReportLog is the end of a log; Fatal are its lines that failed the run.
type ReportLog struct {
	Path, Tail string
	Fatal      []string
}

// ReportIndex is the list of the scenarios of a run.
type ReportIndex struct {
	Title  string
	Counts []Fact
	Rows   []ReportEntry
}

// ReportEntry is one scenario in the list.
type ReportEntry struct {
	Name, Href, Verdict, Why, Took string
	Flaky                          bool
	NotJudged                      int
	Failing                        string // the row that did not go well
}

//go:embed report.css
var reportStyle string

func style() templ.Component { return templ.Raw("<style>" + reportStyle + "</style>") }

func (r ReportRow) bar() templ.SafeCSS {
	return templ.SafeCSS(fmt.Sprintf("margin-left:%.2f%%;width:%.2f%%", r.From, r.Width))
}

func (m Mark) place() templ.SafeCSS {
	return templ.SafeCSS(fmt.Sprintf("left:%.2f%%;top:%.2f%%", m.X, m.Y))
}
