package cli

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"time"
	"unicode/utf8"

	"asz/native/conform"
	"asz/native/store"
	"asz/shared/command"
	"asz/shared/diag"
	"asz/shared/play"
	"asz/shared/session"
)

// Exit codes of the session verbs.
const (
	exitFindings = 1 // something was found, refused or not done
	exitMisuse   = 2
)

const buildHelp = `FILE is a scenario: a short YAML description of a conversation. The build writes
what a real session would leave, and DIR/asz.yaml for the verbs that go on:

  asz scenario build hello.yaml --format claude-code --out demo
  asz collect -once -config demo/asz.yaml

claude-code writes the runtime's own files below DIR/_source, to be collected;
sd lands the Session Data in DIR itself. --repeat builds more sessions, each
behind the one before it on the clock. With a fixed --at every file is the same
on every run.

The same build with a later checkpoint goes on where the earlier one ended. A
session that holds anything else is not touched, nor is an asz.yaml that no
build wrote. What you write in asz.yaml below its line "# Yours" is kept.
asz schema session has all that a scenario can say.

Exit codes: 0 built; 1 the scenario has errors, or the build is refused or
fails; 2 wrong usage.
`

// scenarioBuild is `asz scenario build`.
func scenarioBuild() *command.Command {
	return &command.Command{
		Name: "scenario build", Args: "FILE", Misuse: exitMisuse,
		Summary: "make the files of a session out of a scenario",
		Flags: []command.Flag{
			{Name: "format", Value: "FORMAT", Summary: "claude-code or sd"},
			{Name: "out", Value: "DIR", Summary: "the directory to build in"},
			{Name: "at", Value: "TIME", Summary: "when it begins: 2026-06-01T09:00:00Z, or now (default)"},
			{Name: "scale", Value: "FACTOR", Summary: "stretch every gap of time so many times"},
			{Name: "interval", Value: "GAP", Summary: "the gap between steps, such as 1s, in place of the file's"},
			{Name: "repeat", Value: "N", Summary: "so many sessions, one after the other"},
			{Name: "through", Value: "CHECKPOINT", Summary: "end the build behind this step"},
		},
		Help: buildHelp,
		Run:  runScenarioBuild,
	}
}

func runScenarioBuild(c *command.Call) int {
	if len(c.Operands) != 1 || c.Operands[0] == "" {
		return c.Usage("name one scenario file")
	}
	o, problem := buildOptions(c)
	if problem != "" {
		return c.Usage("%s", problem)
	}
	s, exit := readScenario(c, c.Operands[0])
	if s == nil {
		return exit
	}
	unwritten := errors.New("the output cannot be written")
	err := conform.Build(s, o, func(b conform.Built) error {
		line := fmt.Sprintf("%s  %s  %s, %s, %d bytes", b.Session, b.Base.Format("2006-01-02T15:04:05Z"), counted(b.Records, "record"), counted(b.Files, "file"), b.Bytes)
		if b.Files == 0 {
			line = fmt.Sprintf("%s  %s  %s, built before", b.Session, b.Base.Format("2006-01-02T15:04:05Z"), counted(b.Records, "record"))
		}
		if _, err := fmt.Fprintln(c.Stdout, line); err != nil {
			return fmt.Errorf("%w: %w", unwritten, err)
		}
		return nil
	})
	if err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	return 0
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// buildOptions reads the flags.
func buildOptions(c *command.Call) (o conform.Options, problem string) {
	o = conform.Options{Format: conform.Format(c.Value("format")), Through: c.Value("through"), Repeat: 1, Version: version, FS: store.Disk()}
	o.Base = time.Now()
	switch {
	case !c.Has("format"):
		return o, "--format is needed: claude-code or sd"
	case o.Format != conform.ClaudeCode && o.Format != conform.SessionData:
		return o, fmt.Sprintf("--format takes claude-code or sd, not %q", o.Format)
	case c.Value("out") == "":
		return o, "--out is needed: the directory to build in"
	case c.Has("through") && o.Through == "":
		return o, "--through needs the name of a checkpoint"
	}
	out, err := filepath.Abs(c.Value("out"))
	if err != nil {
		return o, fmt.Sprintf("--out %q: %v", c.Value("out"), err)
	}
	o.Out = filepath.ToSlash(out)
	if problem := readTimes(c, &o.Times); problem != "" {
		return o, problem
	}
	if c.Has("interval") {
		d, err := time.ParseDuration(c.Value("interval"))
		if err != nil || d < 0 {
			return o, fmt.Sprintf("--interval takes a gap of time such as 1s or 500ms, not %q", c.Value("interval"))
		}
		o.Interval = &d
	}
	if c.Has("repeat") {
		n, err := strconv.ParseInt(c.Value("repeat"), 10, 64)
		if err != nil || n < 1 {
			return o, fmt.Sprintf("--repeat takes a number of sessions from 1 on, not %q", c.Value("repeat"))
		}
		o.Repeat = n
	}
	return o, ""
}

// readTimes reads --at and --scale.
func readTimes(c *command.Call, t *conform.Times) (problem string) {
	t.Scale = 1
	if c.Value("at") == "now" {
		t.Base = time.Now()
	} else if c.Has("at") {
		at, err := time.Parse(time.RFC3339, c.Value("at"))
		if err != nil {
			return fmt.Sprintf("--at takes a time such as 2026-06-01T09:00:00Z, or now, not %q", c.Value("at"))
		}
		t.Base = at
	}
	if c.Has("scale") {
		scale, err := strconv.ParseFloat(c.Value("scale"), 64)
		if err != nil || !(scale > 0) || math.IsInf(scale, 0) {
			return fmt.Sprintf("--scale takes a number above 0, such as 60 or 0.5, not %q", c.Value("scale"))
		}
		t.Scale = scale
	}
	return ""
}

// maxScenario is the most MiB that a scenario file has, or its expectations.
const maxScenario = 64

// readScenario reads a scenario and shows its findings; without one it returns the exit code.
func readScenario(c *command.Call, name string) (*session.Scenario, int) {
	text, err := readText(name, maxScenario)
	switch {
	case err != nil:
		return nil, c.Fail(exitFindings, "the scenario %s cannot be read: %v", play.Printable(name), err)
	case !utf8.ValidString(text):
		return nil, c.Fail(exitFindings, "the scenario %s is not UTF-8 text", play.Printable(name))
	}
	s, findings := session.Parse(diag.NewSource(name, text))
	if err := findings.WriteText(c.Stderr, c.Color && c.StderrTerminal); err != nil || s == nil {
		return nil, exitFindings
	}
	return s, 0
}
