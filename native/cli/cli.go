// Package cli is the table of asz's verbs and their wiring to the machine.
package cli

import (
	"fmt"
	"io"

	"asz/shared/command"
)

// exitUnknown is the exit code for a verb that does not exist.
const exitUnknown = 64

func verbs() []*command.Command {
	return []*command.Command{command.Play(), command.Schema()}
}

// Main runs asz with its arguments and returns the exit code.
func Main(args []string, h *command.Host) int {
	if len(args) == 0 {
		help(h.Stderr)
		return exitUnknown
	}
	switch args[0] {
	case "help", "-h", "--help":
		help(h.Stdout)
		return 0
	}
	for _, v := range verbs() {
		if v.Name == args[0] {
			return v.Do(h, args[1:])
		}
	}
	fmt.Fprintf(h.Stderr, "asz: there is no verb %q\n\n", args[0])
	help(h.Stderr)
	return exitUnknown
}

func help(w io.Writer) {
	fmt.Fprint(w, "asz plays scenarios: files that say what happens and what must be true.\n\nusage: asz VERB …\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  %-10s %s\n", v.Name, v.Summary)
	}
	fmt.Fprint(w, "\n`asz VERB --help` tells more.\n")
}
