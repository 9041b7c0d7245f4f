package cli

import (
	"fmt"
	"strings"

	"asz/native/fold"
	"asz/shared/command"
)

const verifyHelp = `Every landed file and every round of the storage root is read and compared with
what it says of itself, with its name and place, and with those before it:
digests, counts and closing lines, line numbers and offsets that go on without
a gap, rounds that name the one before them, and the landed files that each
round consumed. Nothing is written, and nothing else is read: the landed files
and the rounds are enough, wherever they are copied to. SESSION is an id or the
beginning of one.

A line for each problem names the file, or what is missing.

What leaves no trace cannot be found: rounds that are gone from the end of a
chain with none behind them, and a landed file that no round consumed yet. Who
must know keeps the digest of the head elsewhere, or sends the files on.

Records that repeat a range of a source that has landed before are counted: they
are no problem, what reads them passes over copies.

Exit codes: 0 all is intact; 1 there are problems; 2 wrong usage or settings.
`

func verifyVerb() *command.Command {
	return &command.Command{
		Name: "verify", Args: "[SESSION]", Misuse: exitMisuse,
		Summary: "check landed files and rounds",
		Flags:   []command.Flag{configFlag},
		Help:    verifyHelp,
		Run:     runVerify,
	}
}

func runVerify(c *command.Call) int {
	if len(c.Operands) > 1 || len(c.Operands) == 1 && c.Operands[0] == "" {
		return c.Usage("name one session, or none for all")
	}
	conf, exit := readConfig(c)
	if exit != 0 {
		return exit
	}
	root := conf.storageRoot()
	ids, err := fold.Verifiable(root)
	if err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	if len(c.Operands) == 1 {
		id, problem := findSession(ids, c.Operands[0])
		if problem != "" {
			return c.Fail(exitFindings, "%s in the storage root %s; asz index lists all", problem, conf.Storage.Root)
		}
		ids = []string{id}
	} else if len(ids) == 0 {
		c.Fail(0, "no session is landed in the storage root %s: asz collect lands some, and --config names other settings", conf.Storage.Root)
		return 0
	}
	type verified struct {
		report *fold.Report
		err    error
	}
	var problems strings.Builder
	var streams, chains, rounds, found int
	var records, repeated int64
	failed := false
	p := newSessionsProgress(c, root, ids)
	inOrder(len(ids), func(i int) verified {
		r, err := fold.Verify(root, ids[i])
		return verified{r, err}
	}, func(i int, a verified) {
		p.done(ids[i])
		if a.err != nil {
			failed = true
			p.line.Clear()
			c.Fail(0, "%s", oneLine(a.err.Error()))
			return
		}
		r := a.report
		streams += r.Streams
		records += r.Records
		repeated += r.Repeated
		rounds += len(r.Rounds)
		if len(r.Rounds) > 0 {
			chains++
		}
		found += len(r.Problems)
		for i := range r.Problems {
			problems.WriteString(oneLine(r.Problems[i].String()) + "\n")
		}
	})
	p.line.Clear()
	text := fmt.Sprintf("%s, %s, %s checked\n%s, %s checked\n",
		plural(len(ids), "session"), plural(streams, "stream"), plural(int(records), "record"), plural(chains, "chain"), plural(rounds, "round"))
	if repeated > 0 {
		text += fmt.Sprintf("%s what has landed before\n", plural(int(repeated), "record repeats", "records repeat"))
	}
	switch {
	case found > 0:
		text += problems.String() + plural(found, "problem") + "\n"
	case !failed:
		text += "all is intact\n"
	}
	if exit := write(c, text); exit != 0 {
		return exit
	}
	if failed || found > 0 {
		return exitFindings
	}
	return 0
}

// plural is a number with its noun; the plural is made with an s unless it is given.
func plural(n int, noun string, several ...string) string {
	if n == 1 {
		return "1 " + noun
	}
	if len(several) > 0 {
		return fmt.Sprintf("%d %s", n, several[0])
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
