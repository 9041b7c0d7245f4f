package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"asz/native/conform"
	"asz/shared/command"
	"asz/shared/diag"
	"asz/shared/play"
	"asz/shared/session"
)

// checkBase is when a checked scenario begins that is not told otherwise, so that two runs are alike.
const checkBase = "2026-01-01T00:00:00Z"

const checkHelp = `FILE is a scenario, and what must come of it stands beside it:
hello.expect.yaml beside hello.yaml. In each format and at each of the
scenario's checkpoints it is built, collected and parsed, and compared with
what is expected there; at the end the properties that every chain has are
held, and the formats are compared with each other. Each failure is a line that
says what was expected, what came, and where the expectation stands.
asz schema expect has all that can be expected.

  asz scenario check hello.yaml

Exit codes: 0 all holds; 1 something does not, or a file has errors; 2 wrong
usage.
`

// scenarioCheck is `asz scenario check`.
func scenarioCheck() *command.Command {
	return &command.Command{
		Name: "scenario check", Args: "FILE", Misuse: exitMisuse,
		Summary: "prove that a scenario becomes what is expected of it",
		Flags: []command.Flag{
			{Name: "format", Value: "FORMAT", Summary: "claude-code, sd or all (default)"},
			{Name: "out", Value: "DIR", Summary: "keep what is made, in this directory, new or empty"},
			{Name: "at", Value: "TIME", Summary: "when it begins (default " + checkBase + ")"},
			{Name: "scale", Value: "FACTOR", Summary: "stretch every gap of time so many times"},
		},
		Help: checkHelp,
		Run:  runScenarioCheck,
	}
}

func runScenarioCheck(c *command.Call) int {
	if len(c.Operands) != 1 || c.Operands[0] == "" {
		return c.Usage("name one scenario file")
	}
	o, problem := checkOptions(c)
	if problem != "" {
		return c.Usage("%s", problem)
	}
	s, exit := readScenario(c, c.Operands[0])
	if s == nil {
		return exit
	}
	e, exit := readExpectation(c, c.Operands[0], s)
	if e == nil {
		return exit
	}
	remove := func() {}
	if o.Out == "" {
		dir, err := os.MkdirTemp("", "asz-scenario-")
		if err != nil {
			return c.Fail(exitFindings, "%v", err)
		}
		o.Out, remove = filepath.ToSlash(dir), func() { os.RemoveAll(dir) }
	} else if entries, err := os.ReadDir(o.Out); err == nil && len(entries) > 0 {
		return c.Fail(exitFindings, "%s is not empty: name a new directory", o.Out)
	}
	checked, err := conform.Check(s, e, o)
	remove()
	if err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	return reportChecked(c, checked)
}

func checkOptions(c *command.Call) (o conform.CheckOptions, problem string) {
	o = conform.CheckOptions{Version: version}
	switch format := c.Value("format"); {
	case !c.Has("format") || format == "all":
		o.Formats = []conform.Format{conform.ClaudeCode, conform.SessionData}
	case format == string(conform.ClaudeCode) || format == string(conform.SessionData):
		o.Formats = []conform.Format{conform.Format(format)}
	default:
		return o, fmt.Sprintf("--format takes claude-code, sd or all, not %q", format)
	}
	if c.Has("out") {
		if c.Value("out") == "" {
			return o, "--out needs a directory"
		}
		out, err := filepath.Abs(c.Value("out"))
		if err != nil {
			return o, fmt.Sprintf("--out %q: %v", c.Value("out"), err)
		}
		o.Out = filepath.ToSlash(out)
	}
	o.Base, _ = time.Parse(time.RFC3339, checkBase)
	problem = readTimes(c, &o.Times)
	return o, problem
}

// readExpectation reads what is expected of a scenario and shows the findings; without it, it returns the exit code.
func readExpectation(c *command.Call, scenario string, s *session.Scenario) (*session.Expectation, int) {
	name := strings.TrimSuffix(strings.TrimSuffix(scenario, ".yml"), ".yaml") + ".expect.yaml"
	text, err := readText(name, maxScenario)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, c.Fail(exitFindings, "there is no %s, which says what must come of the scenario: write it, at first with the line `checkpoints: {final: {unresolved: {open: 0}}}`", name)
	case err != nil:
		return nil, c.Fail(exitFindings, "the expectations %s cannot be read: %v", name, err)
	case !utf8.ValidString(text):
		return nil, c.Fail(exitFindings, "the expectations %s are not UTF-8 text", name)
	}
	e, findings := session.ParseExpectation(diag.NewSource(name, text), s)
	if err := findings.WriteText(c.Stderr, c.Color && c.StderrTerminal); err != nil || e == nil {
		return nil, exitFindings
	}
	return e, 0
}

// reportChecked prints a line for each failure, what was not looked at, and what the check came to.
func reportChecked(c *command.Call, checked *conform.Checked) int {
	var b strings.Builder
	for _, f := range checked.Failures {
		b.WriteString(failureLine(f) + "\n")
	}
	b.WriteString("push_follows_the_wire: not run\n")
	looked := counted(checked.Compared, "checkpoint") + " and " + fmt.Sprint(checked.Held) + " properties looked at"
	if n := len(checked.Failures); n > 0 {
		fmt.Fprintf(&b, "%s: %s\n", counted(n, "failure"), looked)
	} else {
		fmt.Fprintf(&b, "all holds: %s\n", looked)
	}
	if exit := c.Print(play.Printable(b.String())); exit != 0 {
		return exit
	}
	if len(checked.Failures) > 0 {
		return exitFindings
	}
	return 0
}

// failureLine says where, in which format, what was expected and what came.
func failureLine(f conform.Failure) string {
	var parts []string
	if f.At.Source != nil {
		line, column := f.At.Source.Position(f.At.Start)
		parts = append(parts, fmt.Sprintf("%s:%d:%d", f.At.Source.Name, line, column))
	}
	for _, part := range []string{string(f.Format), f.Where, f.What} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	said := f.Got
	if f.Want != "" {
		said = "expected " + f.Want + ", got " + f.Got
	}
	return strings.Join(append(parts, said), ": ")
}
