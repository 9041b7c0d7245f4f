package command

import (
	"io"
	"os"
	"unicode/utf8"

	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/labfile"
	"asz/shared/play"
	"asz/shared/sim"
)

// Exit codes of play.
const (
	exitExpectation = 1 // an expectation of the script does not hold
	exitUnusable    = 2 // the lab or the script cannot be played, or wrong usage
)

// Play is `asz play`.
func Play() *Command {
	return &Command{
		Name: "play", Args: "LAB", Misuse: exitUnusable,
		Summary: "play a lab, in this terminal or by a script",
		Flags: []Flag{
			{Name: "script", Value: "FILE", Summary: "type the lines of FILE (- = standard input) instead"},
			{Name: "json", Summary: "print one JSON object for each line typed or acted"},
			{Name: "explain", Summary: "tell of a line that nothing takes what came near"},
		},
		Help: play.Help,
		Run:  runPlay,
	}
}

func runPlay(c *Call) int {
	if len(c.Operands) != 1 {
		return c.Usage("name one lab")
	}
	player, exit := openPlayer(c, c.Operands[0])
	if player == nil {
		return exit
	}
	o := play.Options{JSON: c.Has("json")}
	if c.Has("explain") {
		o.Why = Explain
	}
	name := c.Value("script")
	if c.Has("script") && name == "" {
		return c.Usage("--script needs the name of a file, or - for standard input")
	}
	if name == "" && c.Terminal != nil && !c.Has("json") {
		if err := play.Interact(player, c.Terminal, c.Stdin, c.Stdout, o.Why); err != nil {
			return c.Fail(exitUnusable, "%v", err)
		}
		return 0
	}
	if name == "" {
		name = "-"
	}
	text, err := readScript(c, name)
	switch {
	case err != nil:
		return c.Fail(exitUnusable, "the script cannot be read: %v", err)
	case !utf8.ValidString(text):
		return c.Fail(exitUnusable, "the script %s is not UTF-8 text", name)
	}
	out := &checkedWriter{Writer: c.Stdout}
	findings := play.Script(player, diag.NewSource(name, text), out, o)
	findings.WriteText(c.Stderr, false)
	switch {
	case out.err != nil:
		return c.Fail(exitUnusable, "the output cannot be written: %v", out.err)
	case len(findings) == 0:
		return 0
	case findings[0].Code == play.ExpectationFailed:
		return exitExpectation
	}
	return exitUnusable
}

// openPlayer loads a lab and shows its findings; without a player it returns the
// exit code.
func openPlayer(c *Call, lab string) (*sim.Player, int) {
	folder, dir, err := c.openLab(lab)
	if err != nil {
		return nil, c.Fail(exitUnusable, "%v", err)
	}
	loaded := labfile.Load(folder.files, dir)
	loaded.Findings.Rename(folder.name)
	if err := loaded.Findings.WriteText(c.Stderr, false); err != nil {
		return nil, exitUnusable
	}
	switch {
	case loaded.Skipped:
		return nil, c.Fail(exitUnusable, "%s is not a lab that can be played", lab)
	case loaded.Lab == nil:
		return nil, c.Fail(exitUnusable, "%s does not load: correct the errors above", lab)
	}
	engine, err := sim.New(loaded.Lab)
	if err != nil {
		return nil, c.Fail(exitUnusable, "%v", err)
	}
	return sim.NewPlayer(engine), 0
}

// Explain is a play.Why: it explains lines that nothing takes. The commands are sought for the nearest scenario only:
// a search takes a moment, and the person waits.
func Explain(e *sim.Engine, before *sim.State, terminal, line string) []play.Reason {
	var out []play.Reason
	for i, n := range explore.Nearest(e, before, terminal, line) {
		r := play.Reason{Scenario: n.Scenario.ID, Text: n.Why()}
		if goal := n.Goal(); i == 0 && goal != nil {
			r.Commands, _ = explore.Way(e, nil, before, goal)
		}
		out = append(out, r)
	}
	return out
}

func readScript(c *Call, name string) (string, error) {
	if name != "-" {
		data, err := os.ReadFile(name)
		return string(data), err
	}
	data, err := io.ReadAll(c.Stdin)
	return string(data), err
}

// checkedWriter remembers the first error, so that a full disk is not silent.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return len(p), nil
	}
	_, w.err = w.Writer.Write(p)
	return len(p), nil
}
