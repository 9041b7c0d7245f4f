package cli

import (
	"errors"
	"fmt"

	"asz/native/fold"
	"asz/native/store"
	"asz/shared/command"
)

const parseHelp = `What has landed of a session is assembled into streams, talks, runs, calls,
messages and tools, and what is new or has changed since the last round is
written as the next one. Rounds form a chain: each names the one before it and
the landed files it consumed, and is never written again. The landed files are
indexed first; while a collector holds a session, what it has indexed so far is
parsed.

  asz parse                         all sessions of the storage root

SESSION is an id or the beginning of one. A line for each session:

  ROUND, SEQ        rounds written, the last landed file of the chain; - and the
                    rest is left out when nothing new has landed
  NODES RELS UNRES  nodes, relations between them, and references to what is
                    not there: of the whole session
  TALKS RUNS STEPS  of the whole session
  TOOLS CHILDREN    tools with a result, children whose start is known, of how
                    many

A round is no larger than parse.max_round_bytes of the settings (2097152 unless
set, 0 = no bound) where it covers more than one landed file: else several are
written.

A chain that is damaged, or made by another version, is not continued: nothing
is written, and the message says what to do.

Exit codes: 0 all is parsed; 1 a session could not be; 2 wrong usage or
settings.
`

func parseVerb() *command.Command {
	return &command.Command{
		Name: "parse", Args: "[SESSION]", Misuse: exitMisuse,
		Summary: "write what has landed as rounds",
		Flags:   []command.Flag{configFlag},
		Help:    parseHelp,
		Run:     runParse,
	}
}

func runParse(c *command.Call) int {
	conf, ids, exit := chosenSessions(c)
	if exit != 0 {
		return exit
	}
	root := conf.storageRoot()
	most := int64(conf.Parse.MaxRound)
	if most == 0 {
		most = -1
	}
	type parsed struct {
		result *fold.ParseResult
		err    error
	}
	t := &table{columns: []column{
		{head: "SESSION"}, {head: "ROUND", right: true}, {head: "SEQ", right: true}, {head: "NODES", right: true},
		{head: "RELS", right: true}, {head: "UNRES", right: true}, {head: "TALKS", right: true}, {head: "RUNS", right: true},
		{head: "STEPS", right: true}, {head: "TOOLS", right: true}, {head: "CHILDREN", right: true},
	}}
	session := shortened(ids)
	written, failed := 0, false
	p := newSessionsProgress(c, root, ids)
	inOrder(len(ids), func(i int) parsed {
		r, err := fold.Parse(root, ids[i], fold.ParseOptions{MaxRoundBytes: most})
		return parsed{r, err}
	}, func(i int, a parsed) {
		p.done(ids[i])
		if a.err != nil {
			failed = true
			p.line.Clear()
			c.Fail(0, "%s", oneLine(parseProblem(ids[i], a.err)))
		}
		if a.result != nil {
			written += len(a.result.Written)
			parseRow(t, session(ids[i]), a.result, a.err)
		}
	})
	p.line.Clear()
	text := fmt.Sprintf("%d round(s) written\n", written)
	if len(t.rows) > 0 {
		text = t.text(screen(c)) + text
	}
	if exit := write(c, text); exit != 0 {
		return exit
	}
	if failed {
		return exitFindings
	}
	return 0
}

func parseProblem(id string, err error) string {
	if errors.Is(err, store.ErrBusy) {
		return fmt.Sprintf("session %s: another process parses it; try again when that is done", id)
	}
	return err.Error()
}

// parseRow is a session's line. A parse that failed after it had written rounds has counted nothing.
func parseRow(t *table, id string, r *fold.ParseResult, err error) {
	n := len(r.Written)
	rounds := "-"
	switch {
	case n == 1:
		rounds = fmt.Sprint(r.Written[0].Number)
	case n > 1:
		rounds = fmt.Sprintf("%d-%d", r.Written[0].Number, r.Written[n-1].Number)
	case err != nil:
		return // the message says it
	}
	cells := []string{id, rounds, fmt.Sprint(r.ThroughSeq)}
	if n == 0 || err != nil {
		cells = append(cells, "", "", "", "", "", "", "", "")
	} else {
		k := &r.Totals
		for _, n := range []int{k.Nodes, k.Relations, k.Unresolved, k.Talks, k.Runs, k.Steps} {
			cells = append(cells, fmt.Sprint(n))
		}
		cells = append(cells, fmt.Sprintf("%d/%d", k.ToolsJoined, k.Tools), fmt.Sprintf("%d/%d", k.ChildrenJoined, k.Children))
	}
	t.row(cells...)
}
