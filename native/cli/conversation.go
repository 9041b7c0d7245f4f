package cli

import (
	"errors"
	"slices"

	"asz/native/view"
	"asz/shared/command"
)

const conversationHelp = `What happened in a session, from its rounds and landed files: its talks with
their runs and steps, each child agent below the call that started it. Times
are in UTC, tokens are counted once a call; what is unresolved and what is
wrong with the chain stands at the end.

  asz conversation 3f2c          the session whose id begins with 3f2c

With -json or -yaml the whole document (asz.view 1.0) is printed, with texts of
up to 2000 bytes; both have the same keys in the same order. A document is
"incomplete" when a round or a landed file is missing, a "mismatch" when one is
not what it was; landed files that no round has consumed are listed, and no
more.

Exit codes: 0; 1 there is no such session, or no round of it; 2 wrong usage or
settings.
`

func conversationVerb() *command.Command {
	return &command.Command{
		Name: "conversation", Args: "SESSION", Misuse: exitMisuse,
		Summary: "print what happened in a session",
		Flags: []command.Flag{
			jsonFlag,
			{Name: "yaml", Summary: "print the same as YAML"},
			configFlag,
		},
		Help: conversationHelp,
		Run:  runConversation,
	}
}

func runConversation(c *command.Call) int {
	switch {
	case len(c.Operands) != 1 || c.Operands[0] == "":
		return c.Usage("name one session; asz index lists them")
	case c.Has("json") && c.Has("yaml"):
		return c.Usage("choose one of --json and --yaml")
	}
	conf, exit := readConfig(c)
	if exit != 0 {
		return exit
	}
	root := conf.storageRoot()
	ids, err := root.Sessions()
	if err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	parsed, err := root.Conversations()
	if err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	ids = append(ids, parsed...)
	slices.Sort(ids)
	id, problem := findSession(slices.Compact(ids), c.Operands[0])
	if problem != "" {
		return c.Fail(exitFindings, "%s in the storage root %s; asz index lists all", problem, conf.Storage.Root)
	}
	document := view.Document
	people := !c.Has("json") && !c.Has("yaml")
	if people {
		document = view.Outline
	}
	d, err := document(root, id)
	switch {
	case errors.Is(err, view.ErrNoRounds) && !slices.Contains(parsed, id):
		return c.Fail(exitFindings, "session %s is not parsed yet: run asz parse %[1]s", id)
	case errors.Is(err, view.ErrNoRounds):
		return c.Fail(exitFindings, "%v; asz verify %s tells more", err, id)
	case err != nil:
		return c.Fail(exitFindings, "%v", err)
	}
	switch {
	case people:
		err = d.Print(c.Stdout, view.Shown{Width: screen(c), Color: c.Color})
	case c.Has("yaml"):
		err = d.WriteYAML(c.Stdout)
	default:
		if err = d.WriteJSON(c.Stdout); err == nil {
			_, err = c.Stdout.Write([]byte("\n"))
		}
	}
	if err != nil {
		return c.Fail(exitFindings, "the output cannot be written: %v", err)
	}
	return 0
}
