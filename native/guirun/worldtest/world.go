// Package worldtest is the suite of the interpreter of GUI scenarios: cases that are played in a World, over fakes with a
// time of their own or over a real display.
package worldtest

import (
	"context"
	"image"
	"testing"
	"time"

	"asz/native/guirun"
)

// World is where a scenario is played.
type World interface {
	// Prepare makes the programs of a case runnable, and begins those in the background when the run begins. Files lie in dir.
	Prepare(t testing.TB, dir string, programs []Program)

	// Name is what a program's command line, and so nothing else's, contains.
	Name(program string) string

	// Command is the command line that runs a program.
	Command(program string) string

	// Home is the home of programs.
	Home() string

	// Open, Processes and Clock are what the run works with.
	Open(ctx context.Context) (guirun.Desktop, error)
	Processes() guirun.Processes
	Clock() guirun.Clock

	// Received is what was typed, pressed and clicked in a window: characters as they are, <return>, <ctrl+s>,
	// <click 0.50 0.25> in fractions of its size.
	Received(window string) string
}

// Program is one that a case's scenario runs. Without acts it shows a window with its name and stays until it is stopped.
type Program struct {
	Name       string
	Background bool // runs from the beginning, and not through the scenario
	Stubborn   bool // does not end when it is told to
	Acts       []Act
}

// Act is what a program does a while after its start.
type Act struct {
	At     time.Duration
	Do     Verb
	Window Window // of Show; its Name of Close, Retitle and Raise
	Text   string // a new title, what is said, what is appended to a file
	File   string // in the case's folder
	Exit   int
}

// Verb is what an act does.
type Verb string

// Verbs.
const (
	Show    Verb = "show"
	Close   Verb = "close"
	Retitle Verb = "retitle"
	Say     Verb = "say"    // on its output
	Append  Verb = "append" // to a file
	Remove  Verb = "remove" // a file
	End     Verb = "end"    // with status Exit
)

// Window is one that a program shows.
type Window struct {
	Name   string // within the case; the program's when it is empty
	Title  string // the name when it is empty
	Class  string
	Area   image.Rectangle
	Dialog bool
	For    string // name of the window it is transient for
}

// Plan is what a program does, with all that is left out, in the order in which it is written.
func (p *Program) Plan() []Act {
	list := p.Acts
	if len(list) == 0 {
		list = []Act{{Do: Show}}
	}
	out := make([]Act, len(list))
	for i, a := range list {
		if a.Window.Name == "" {
			a.Window.Name = p.Name
		}
		if a.Window.Title == "" {
			a.Window.Title = a.Window.Name
		}
		if a.Window.Class == "" {
			a.Window.Class = "client Client"
		}
		if a.Window.Area.Empty() {
			a.Window.Area = image.Rect(40, 60, 240, 160)
		}
		out[i] = a
	}
	return out
}

// inBackground is the program as it runs from the beginning.
func (p Program) inBackground() Program {
	p.Background = true
	return p
}

// area is one for a window, so far from the left that windows differ.
func area(x int) image.Rectangle { return image.Rect(x, 60, x+150, 160) }
