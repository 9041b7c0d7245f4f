// Package cli is the table of asz's verbs and their wiring to the machine.
package cli

import (
	"fmt"
	"io"
	"runtime/debug"

	"asz/shared/command"
)

const (
	exitUnwritten = 2  // help could not be printed
	exitUnknown   = 64 // the verb does not exist
)

func verbs() []*command.Command {
	return []*command.Command{command.Play(), command.Validate(), command.Schema()}
}

// Main runs asz with its arguments and returns the exit code.
func Main(args []string, h *command.Host) int {
	// Most runs are short and their garbage small; only one that grows must not take several times what it holds.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(5 << 28) // above the 1 GB that a search may fill
	if len(args) == 0 {
		help(h.Stderr)
		return exitUnknown
	}
	switch args[0] {
	case "help", "-h", "--help":
		if help(h.Stdout) != nil {
			fmt.Fprintln(h.Stderr, "asz: the output cannot be written")
			return exitUnwritten
		}
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

func help(w io.Writer) error {
	text := "asz plays scenarios: files that say what happens and what must be true.\n\nusage: asz VERB …\n\n"
	for _, v := range verbs() {
		text += fmt.Sprintf("  %-13s %s\n", v.Name, v.Summary)
	}
	_, err := io.WriteString(w, text+"\n`asz VERB --help` tells more.\n")
	return err
}
