// Package guirun plays GUI scenarios: it runs their steps through the adapters it declares, judges what came of them,
// and writes the report.
package guirun

import (
	"context"
	"fmt"
	"image"
	"strings"
)

// WindowID is a window's number on its display; 0 is none.
type WindowID uint32

// Window is a top-level window as it was when it was listed.
type Window struct {
	ID        WindowID
	Title     string          // _NET_WM_NAME, else WM_NAME
	Class     string          // both words of WM_CLASS, a blank between
	PID       int             // of the client, 0 when it cannot be told
	Area      image.Rectangle // the client's own area in pixels of the screen, without decorations
	Frame     image.Rectangle // the same with its decorations
	Active    bool            // has the window manager's focus
	Minimised bool
	Dialog    bool     // of type dialog, or modal
	For       WindowID // the window it is transient for
}

// Has says whether the title or the class contains a text, in any case.
func (w *Window) Has(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(strings.ToLower(w.Title), text) || strings.Contains(strings.ToLower(w.Class), text)
}

// Desktop is the display that a run acts on. Its errors are *Fault, or say that the display itself is gone (ErrGone).
type Desktop interface {
	// Windows lists the windows that the window manager lists, oldest first, minimised ones too; without a window
	// manager the viewable children of the root that are not override-redirect.
	Windows(ctx context.Context) ([]Window, error)

	// Changed is closed at the next change of the list of windows, or of a title, class, state or focus.
	Changed() <-chan struct{}

	// Activate raises, restores and focuses a window, and returns when it has the focus.
	Activate(ctx context.Context, w WindowID) error

	// Focus is the window that receives keys; a zero Window when there is none.
	Focus(ctx context.Context) (Window, error)

	// ClickAt activates a window and clicks the place that lies at the fractions (0 to 1) of its width and height. The
	// place is found and clicked at one moment, so that a moving window is hit. It returns where, in pixels of the
	// screen. A place that is off the screen or covered is a Fault that names what is there.
	ClickAt(ctx context.Context, w WindowID, fx, fy float64) (image.Point, error)

	// ClickPoint is ClickAt for a place in pixels of the screen, which must belong to the window.
	ClickPoint(ctx context.Context, w WindowID, at image.Point) error

	// Press presses and releases a chord, in the window that has the focus.
	Press(ctx context.Context, chord Chord) error

	// Type types a text, whatever the layout can give; '\n' is Return, '\t' Tab. When it returns, the receiver has
	// read all keys, as far as that can be told.
	Type(ctx context.Context, text string) error

	// Screenshot takes the whole screen. The caller may keep the picture, or give it to Recycle.
	Screenshot(ctx context.Context) (*image.RGBA, error)

	// Recycle takes a picture back that nobody looks at any more: the next one costs less.
	Recycle(shot *image.RGBA)

	// Close puts back what was changed (keys up, the key map) and leaves the display.
	Close() error
}

// Chord is modifiers and one key.
type Chord struct {
	Modifiers []string // of ctrl, alt, shift, super
	Key       string   // one character, or the name of a key as the specification lists it: "return", "f1"
}

// Fault is why an action could not be done: the step's error.
type Fault struct {
	Class   string // of the Class… constants
	Message string // what, where, what to do; for people
}

func (f *Fault) Error() string { return f.Message }

// harness says whether the runtime itself could not work.
func (f *Fault) harness() bool { return f.Class == ClassDisplay || f.Class == ClassHarness }

// Faultf makes a Fault.
func Faultf(class, format string, args ...any) *Fault {
	return &Fault{class, fmt.Sprintf(format, args...)}
}

// Classes of faults, in the report's error.class.
const (
	ClassAbsent         = "absent"          // what the action needs (window, element, selector, tab) did not come
	ClassAmbiguous      = "ambiguous"       // several would do
	ClassCovered        = "covered"         // something else is at the place
	ClassOffScreen      = "off_screen"      // the place is not on the screen
	ClassFocus          = "focus"           // no window has the focus, or it moved while typing
	ClassKey            = "key"             // the display cannot give this key or character
	ClassUnset          = "unset"           // an environment variable is not set
	ClassTimeout        = "timeout"         // a bound was reached
	ClassDeadline       = "deadline"        // the run's time is over
	ClassNonzeroExit    = "nonzero_exit"    // a command failed
	ClassMissingCommand = "missing_command" // a command could not be found or run
	ClassNoModel        = "no_model"        // needs a model, and none is set
	ClassUnavailable    = "unavailable"     // needs a part that this run does not have: bus, browser
	ClassPostcondition  = "postcondition"   // something that must be true afterwards is not
	ClassNoEffect       = "no_effect"       // done, it was said, but nothing came of it
	ClassDisplay        = "display"         // the display is gone, or cannot be used: a fault of the harness
	ClassHarness        = "harness"         // another fault of the harness, never to blame on the app
)

// ErrGone says that the display itself is gone: nothing can be acted on or judged any more.
var ErrGone = &Fault{ClassDisplay, "the display is gone"}
