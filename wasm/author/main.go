//go:build js && wasm

// Command author is the author's module. Under Node it is asz without what needs
// a machine: launch.cjs runs a verb with it. In a page it checks labs: bridge.mjs
// calls what is in page.go.
package main

import (
	"fmt"

	"os"
	"runtime"
	"runtime/debug"
	"syscall/js"

	"asz/shared/command"
)

// verbs are those that run under Node.
func verbs() []*command.Command {
	return []*command.Command{command.Play(), command.Validate(), command.Schema()}
}

func main() {
	if os.Args[0] != "asz" {
		debug.SetGCPercent(400) // a check makes much garbage and keeps little
		select {}               // the exported functions are called while it waits
	}
	collectLate()
	told := js.Global().Get("asz")
	os.Exit(run(newHost(told), arguments(told)))
}

// collectLate lets garbage lie until there are 64 MB, which most runs never have:
// the collector's first round alone takes as long as reading a lab. From then on
// it works much as always.
func collectLate() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(64 << 20)
	runtime.AddCleanup(new([64]byte), func(int) {
		debug.SetGCPercent(200)
		debug.SetMemoryLimit(5 << 28) // above the 1 GB that a search may fill
	}, 0)
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
