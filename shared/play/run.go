package play

import (
	"io"

	"asz/shared/diag"
	"asz/shared/sim"
)

// Help tells what the lines of a script can do.
const Help = `LAB is a folder with a labspace.yaml. Each line of a script is typed into the
current terminal; these act instead, in a terminal too:

  @terminal ID           go to another terminal of the lab
  @control ID on|off     flip a control
  @save PATH JSON-TEXT   write a file, as a Save button does
  @rerun                 run the newest CI run again
  @undo  @reset          go back a step; to the start
  @interrupt             Ctrl-C
  @expect WHAT           exit=N, out TEXT, err TEXT, scenario ID,
                         completed STEP, state PATH JSON, file PATH TEXT,
                         mode MODE
  @@TEXT                 type @TEXT

With --explain, a line that nothing takes is followed by the nearest scenarios,
what of them failed, and the commands, if there are any, that would change that.
With --json too, it is the key "why" of the line's object.

Exit codes: 0; 1 an expectation does not hold; 2 the lab or the script cannot be
played.
`

// ExpectationFailed is the code of the finding that ends a script.
const ExpectationFailed = diag.Code("play-expectation")

// Options say how a lab is played.
type Options struct {
	JSON bool // a JSON object for each line of a script, in place of the transcript
	Why  Why  // nil: nothing is said of lines that nothing takes
}

// Why tells what came near to taking a line in a state, the nearest first; nothing
// when a scenario took it.
type Why func(e *sim.Engine, before *sim.State, terminal, line string) []Reason

// Reason is one scenario that did not take a line.
type Reason struct {
	Scenario string
	Text     string   // what failed, in words
	Commands []string // after these it takes the line; none when that is not known
}

// Script types the lines of src and writes the transcript, or JSON objects
// (labs.md 8). It ends at the first expectation that does not hold, which is then
// the one finding; a script that cannot be understood is not played at all.
func Script(player *sim.Player, src *diag.Source, out io.Writer, o Options) diag.List {
	actions, findings := parse(src, player.Engine().Lab())
	if len(findings) > 0 {
		return findings
	}
	s := newStage(player, out, o)
	for i := range actions {
		if failed := s.do(&actions[i]); failed != "" {
			findings.Add(ExpectationFailed, actions[i].at, failed)
			return findings
		}
	}
	s.end()
	return nil
}

// After plays src as Script does, but without output and with what it leaves
// unfinished going on in the line: it tells what came near to taking that.
func After(player *sim.Player, src *diag.Source, line string, why Why) ([]Reason, diag.List) {
	actions, findings := parse(src, player.Engine().Lab())
	if len(findings) > 0 {
		return nil, findings
	}
	s := newStage(player, io.Discard, Options{})
	for i := range actions {
		if failed := s.do(&actions[i]); failed != "" {
			findings.Add(ExpectationFailed, actions[i].at, failed)
			return nil, findings
		}
	}
	s.options.Why = why
	s.do(&action{verb: verbType, text: line})
	return s.why, nil
}
