package command

import (
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"asz/shared/diag"
	"asz/shared/play"
	"asz/shared/validate"
)

// report prints what was found in the format that is asked for; beside a solution, the text goes aside.
func (v *validation) report(out, aside io.Writer, results []checked, findings diag.List) {
	switch v.format {
	case "json":
		out.Write(v.json(results, findings))
	case "sarif":
		findings.WriteSARIF(out)
	case "github":
		findings.WriteGitHub(out)
		v.writeSummary(out, results, findings)
	default:
		text, color := out, v.Color && v.StdoutTerminal
		if v.options.Solution {
			v.writeSolutions(out, results)
			text, color = aside, v.Color && v.StderrTerminal
		}
		findings.WriteText(text, color)
		if v.options.Solution {
			v.writeNotes(results)
		}
		if v.options.Coverage {
			writeCoverage(text, results)
		}
		v.writeSummary(text, results, findings)
	}
}

// writeSummary says in a line for each lab what was not searched to its end, and
// in a last line how many findings there are.
func (v *validation) writeSummary(out io.Writer, results []checked, findings diag.List) {
	var b strings.Builder
	states, searched, bounded := 0, 0, 0
	for _, r := range results {
		if r.States == 0 {
			continue
		}
		searched++
		states += r.States
		if !r.Exhaustive {
			bounded++
			fmt.Fprintf(&b, "%s: explored %s, not exhaustive\n", r.name(), count(r.States, "state"))
		}
	}
	fmt.Fprintf(&b, "%s: %s", count(len(results), "lab"), tally(findings))
	switch {
	case searched == 0:
		b.WriteString(" (no states were searched)")
	case bounded > 0:
		fmt.Fprintf(&b, " (%s, not exhaustive in %s)", count(states, "state"), count(bounded, "lab"))
	case searched < len(results):
		fmt.Fprintf(&b, " (%s of %s, all looked at)", count(states, "state"), count(searched, "lab"))
	default:
		fmt.Fprintf(&b, " (%s, all looked at)", count(states, "state"))
	}
	io.WriteString(out, play.Printable(b.String())+"\n")
}

// tally is "2 errors, 1 warning, 3 notes"; what there is none of is left out.
func tally(findings diag.List) string {
	var parts []string
	for severity, word := range []string{diag.Error: "error", diag.Warning: "warning", diag.Info: "note"} {
		if n := findings.Count(diag.Severity(severity)); n > 0 {
			parts = append(parts, count(n, word))
		}
	}
	if len(parts) == 0 {
		return "nothing to correct"
	}
	return strings.Join(parts, ", ")
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return grouped(n) + " " + word + "s"
}

// grouped writes a number that is not negative with a comma at each thousand.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// writeSolutions prints the plays as scripts.
func (v *validation) writeSolutions(out io.Writer, results []checked) {
	for _, r := range results {
		if r.Solution == nil {
			continue
		}
		if len(v.labs) > 1 {
			fmt.Fprintf(out, "# %s\n", play.Printable(r.name()))
		}
		for _, line := range r.Solution.Lines {
			if v.StdoutTerminal {
				line = play.Printable(line) // a file gets what is to be typed, byte for byte
			}
			io.WriteString(out, line+"\n")
		}
	}
}

// writeNotes says what is to be known of the plays, behind the findings that explain
// it. It stands on standard error, so that standard output can be played.
func (v *validation) writeNotes(results []checked) {
	for _, r := range results {
		switch s := r.Solution; {
		case s == nil:
			v.Fail(0, "%s: no play is known", r.name())
		case len(s.Lines) == 0 && len(s.Missing) == 0:
			v.Fail(0, "%s: there is nothing to play: the lab has no steps", r.name())
		case len(s.Missing) > 0:
			v.Fail(0, "%s: the play does not complete %s", r.name(), strings.Join(s.Missing, ", "))
		case !s.Shortest:
			v.Fail(0, "%s: there may be a shorter play", r.name())
		}
	}
}

const coverageLegend = `where each scenario, step and line is played:
  documented  following the sections in order
  reachable   only by other commands
  never       by no commands
  unknown     not found before the search ended
`

// writeCoverage prints a table for each lab.
func writeCoverage(out io.Writer, results []checked) {
	var b strings.Builder
	for _, r := range results {
		if r.Coverage == nil {
			continue
		}
		if b.Len() == 0 {
			b.WriteString(coverageLegend)
		}
		fmt.Fprintf(&b, "%s:\n", r.name())
		for _, part := range []struct {
			name string
			rows []validate.Covered
		}{{"scenario", r.Coverage.Scenarios}, {"step", r.Coverage.Steps}, {"line", r.Coverage.Lines}} {
			for _, row := range part.rows {
				fmt.Fprintf(&b, "  %-10s  %-8s  %s\n", row.Where, part.name, strings.ReplaceAll(row.Name, "\n", "⏎"))
			}
		}
	}
	io.WriteString(out, play.Printable(b.String()))
}

// json is the report of labs.md 8.
func (v *validation) json(results []checked, findings diag.List) []byte {
	var labs []validate.Reported
	for i := range results {
		r := &results[i]
		labs = append(labs, validate.Reported{Result: &r.Result, Path: v.named(r.target, r.dir)})
	}
	return append(validate.AppendReport(nil, labs, findings), '\n')
}

// shownCatalog is how a person would name a folder's labs.json.
func (w whole) shownCatalog() string { return path.Join(path.Dir(w.shown), "labs.json") }
