//go:build js && wasm

// Command author is the author's module. Under Node it is asz without what needs
// a machine: it runs the verbs that work on labs.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"syscall/js"

	"asz/shared/command"
)

// verbs are those that run under Node.
func verbs() []*command.Command {
	return []*command.Command{command.Play(), command.Schema(), command.Validate()}
}

func main() {
	host := js.Global().Get("asz")
	// A run is short and its garbage small; only a search that goes on for long
	// must not take all of the module's 4 GB.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(5 << 28) // above the 1 GB that a search may fill
	os.Exit(run(newHost(host), arguments(host)))
}

// run runs a verb and returns its exit code.
func run(h *command.Host, args []string) int {
	names := ""
	for _, v := range verbs() {
		if len(args) > 0 && args[0] == v.Name {
			return v.Do(h, args[1:])
		}
		names += " " + v.Name
	}
	fmt.Fprintf(h.Stderr, "asz: under Node the verbs are:%s\n", names)
	return 64
}
