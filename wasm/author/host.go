//go:build js && wasm

package main

import (
	"io/fs"
	"os"
	"syscall/js"
	"time"

	"asz/shared/command"
)

// turn is how long the module works before it lets Node's events happen. A turn of
// the event loop costs a millisecond or two, and most runs are over before.
const turn = 200 * time.Millisecond

// newHost is Node as a command sees it: told is what launch.cjs tells of it.
func newHost(told js.Value) *command.Host {
	h := &command.Host{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		StdoutTerminal: told.Get("stdoutTerminal").Bool(),
		StderrTerminal: told.Get("stderrTerminal").Bool(),
		Color:          told.Get("color").Bool(),
		Interrupts:     func() (func() bool, func()) { return interrupts(told) },
		Folder:         func(full string, files fs.FS) fs.FS { return folder{files, full, told} },
	}
	if tty := told.Get("tty"); tty.Truthy() {
		h.Terminal = console{tty}
	}
	return h
}

func arguments(told js.Value) []string {
	list := told.Get("args")
	out := make([]string, list.Length())
	for i := range out {
		out[i] = list.Index(i).String()
	}
	return out
}

// interrupts notes Ctrl-C. Node learns of it only while the module rests.
func interrupts(told js.Value) (interrupted func() bool, stop func()) {
	told.Call("interrupts", true)
	last := time.Now()
	interrupted = func() bool {
		if time.Since(last) >= turn {
			time.Sleep(time.Millisecond)
			last = time.Now()
		}
		return told.Get("interrupted").Bool()
	}
	return interrupted, func() { told.Call("interrupts", false) }
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
