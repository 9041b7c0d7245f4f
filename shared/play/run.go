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
  @expect WHAT           exit=N, out TEXT, err TEXT, scenario ID, completed STEP,
                         state PATH JSON, file PATH TEXT, mode MODE
  @@TEXT                 type @TEXT

Exit codes: 0; 1 an expectation does not hold; 2 the lab or the script cannot be
played.
`

// ExpectationFailed is the code of the finding that ends a script.
const ExpectationFailed = diag.Code("play-expectation")

// Script types the lines of src and writes the transcript, or a JSON object for
// each line (labs.md 8). It ends at the first expectation that does not hold,
// which is then the one finding; a script that cannot be understood is not
// played at all.
func Script(player *sim.Player, src *diag.Source, out io.Writer, json bool) diag.List {
	actions, findings := parse(src, player.Engine().Lab())
	if len(findings) > 0 {
		return findings
	}
	s := newStage(player, out, json)
	for i := range actions {
		if failed := s.do(&actions[i]); failed != "" {
			findings.Add(ExpectationFailed, actions[i].at, failed)
			return findings
		}
	}
	s.end()
	return nil
}
