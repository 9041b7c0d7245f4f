package guirun

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// The shapes of JUnit's XML that CI systems read: one suite for all, a test case for each scenario.
type (
	junitSuites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Time     string   `xml:"time,attr"`
		Suite    junitSuite
	}
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Time     string      `xml:"time,attr"`
		Stamp    string      `xml:"timestamp,attr,omitempty"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name       string          `xml:"name,attr"`
		Class      string          `xml:"classname,attr"`
		File       string          `xml:"file,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property,omitempty"`
		Failure    *junitProblem   `xml:"failure"`
		Error      *junitProblem   `xml:"error"`
		Flaky      []junitProblem  `xml:"flakyFailure"`
		Output     string          `xml:"system-out"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitProblem struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes reports as JUnit's XML. A scenario that failed, was inconclusive or whose app failed is a failure; a
// fault of the harness, or a report that is not finished, is an error. An attempt that did not pass before one that did
// is a flakyFailure.
func JUnit(w io.Writer, reports []*Report) error {
	suite := junitSuite{Name: "asz", Tests: len(reports)}
	var took time.Duration
	for _, r := range reports {
		c := junitCase{Name: r.Scenario.Name, Class: "asz", File: r.Scenario.File, Time: seconds(r.DurationMS), Output: timeline(r)}
		c.Properties = append(c.Properties, junitProperty{"verdict", r.Outcome()})
		if r.NotJudged > 0 {
			c.Properties = append(c.Properties, junitProperty{"not_judged", fmt.Sprint(r.NotJudged)})
		}
		problem := &junitProblem{Type: r.Outcome(), Message: r.Why(), Text: failures(r)}
		switch r.Outcome() {
		case Passed:
			if r.Flaky {
				for _, a := range r.Attempts[:len(r.Attempts)-1] {
					if a.Verdict != Passed {
						c.Flaky = append(c.Flaky, junitProblem{Type: a.Verdict, Message: a.Reason})
					}
				}
			}
		case RuntimeError, Unfinished:
			c.Error = problem
			suite.Errors++
		default:
			c.Failure = problem
			suite.Failures++
		}
		took += time.Duration(r.DurationMS) * time.Millisecond
		if stamp := r.Started.UTC().Format("2006-01-02T15:04:05"); !r.Started.IsZero() && (suite.Stamp == "" || stamp < suite.Stamp) {
			suite.Stamp = stamp
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Time = seconds(took.Milliseconds())
	all := junitSuites{Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Time: suite.Time, Suite: suite}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }

// failures tells what was not as it should be, a line each.
func failures(r *Report) string {
	var b strings.Builder
	for _, row := range r.Rows {
		if row.Error != nil {
			fmt.Fprintf(&b, "%s: %s: %s: %s\n", row.Source, row.Action, row.Error.Class, row.Error.Message)
		}
		for _, p := range row.Postconditions {
			if p.Holds != nil && !*p.Holds {
				fmt.Fprintf(&b, "%s: %s: %s %q does not hold after %.0f ms; last seen: %s\n", row.Source, row.Action, p.Kind, p.Want, p.ElapsedMS, p.Last)
			}
		}
	}
	if r.Final != nil {
		for _, l := range r.Final.Logs {
			for _, line := range l.Fatal {
				fmt.Fprintf(&b, "%s: %s\n", l.Path, line)
			}
		}
	}
	return printable(b.String())
}

// timeline tells every row, a line each.
func timeline(r *Report) string {
	var b strings.Builder
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "%-10s %8.0f ms  %s\n", row.Status, row.DurationMS, row.Action)
	}
	return printable(b.String())
}

// printable leaves out what XML cannot hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, s)
}
