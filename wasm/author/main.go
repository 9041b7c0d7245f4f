//go:build js && wasm

// Command author is the author's module. Under Node it is asz without what needs
// a machine: launch.mjs runs a verb with it. In a page it checks labs: bridge.mjs
// calls what is in page.go.
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
	return []*command.Command{command.Play()}
}

func main() {
	if os.Args[0] != "asz" {
		select {} // the exported functions are called while it waits
	}
	// A run is short and its garbage small; only a search that goes on for long
	// must not take all of the module's 4 GB.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(1 << 30)
	told := js.Global().Get("asz")
	os.Exit(run(newHost(told), arguments(told)))
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
