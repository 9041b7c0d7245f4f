//go:build js && wasm

// Command author is the author's module. Under Node it is asz without what needs
// a machine: it runs the verbs that work on labs.
package main

import (
	"fmt"
	"os"
	"syscall/js"
	"time"

	"asz/shared/command"
)

func main() {
	h := &command.Host{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	if tty := js.Global().Get("asz").Get("tty"); tty.Truthy() {
		h.Terminal = console{tty}
	}
	for _, v := range []*command.Command{command.Play(), command.Schema()} {
		if len(os.Args) > 1 && os.Args[1] == v.Name {
			os.Exit(v.Do(h, os.Args[2:]))
		}
	}
	fmt.Fprintln(os.Stderr, "asz: under Node the verbs are play and schema")
	os.Exit(64)
}

// console is Node's terminal: an object of the launcher with raw(on), columns()
// and rows().
type console struct{ tty js.Value }

func (c console) Open() (restore func(), err error) {
	c.tty.Call("raw", true)
	return func() { c.tty.Call("raw", false) }, nil
}

func (c console) Size() (width, height int) {
	return c.tty.Call("columns").Int(), c.tty.Call("rows").Int()
}

func (console) Wait(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }
