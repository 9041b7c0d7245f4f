package worldtest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"asz/native/guirun"
)

// Fake is a world without a machine: its time passes only in waits. Faults may be set by a case.
type Fake struct {
	OpenFault    error
	WindowsFault error
	ClickFault   error
	KeyFault     error // of Press and Type
	ShotFault    error
	ListFault    error // of processes
	StartFault   error
	StopFault    error
	CloseFault   error

	Signal    time.Duration // when the run is interrupted, as by a signal; negative: before it begins
	TakenBy   string        // the window that has the focus after a KeyFault
	Restless, // the whole screen changes all the time
	Blinking bool // a caret does
	Slow time.Duration // that a click, a key or a text takes

	Asked map[string]int // calls by name

	t         testing.TB
	dir       string
	clock     *clock
	windows   []*fakeWindow
	changed   chan struct{}
	received  map[string]*strings.Builder
	programs  map[string]*Program
	processes []*fakeProcess
	lastID    guirun.WindowID
	lastPID   int
	pictures  int
}

type fakeWindow struct {
	guirun.Window
	name string
	of   *fakeProcess
}

type fakeProcess struct {
	guirun.Process
	program *Program
	started bool // by launch or spawn: its output goes to a file
	forget  []func()
	output  strings.Builder
	gone    bool
	result  guirun.Result
	done    chan guirun.Result
}

// screen is small, as pictures of it are written all the time.
func screen() image.Rectangle { return image.Rect(0, 0, 320, 170) }

// NewFake makes an empty world.
func NewFake() *Fake {
	return &Fake{
		Asked: map[string]int{}, clock: newClock(), changed: make(chan struct{}), received: map[string]*strings.Builder{},
		programs: map[string]*Program{}, lastPID: 100,
	}
}

// At lets something happen a while after the run begins.
func (f *Fake) At(d time.Duration, do func()) { f.clock.in(d, do) }

// Elapsed is the time since the beginning.
func (f *Fake) Elapsed() time.Duration { return f.clock.now.Sub(f.clock.began) }

// Prepare implements World.
func (f *Fake) Prepare(t testing.TB, dir string, programs []Program) {
	f.t, f.dir = t, dir
	for i := range programs {
		f.programs[f.Command(programs[i].Name)] = &programs[i]
	}
	for i := range programs {
		if programs[i].Background {
			f.begin(f.Command(programs[i].Name), false)
		}
	}
}

// Name implements World.
func (f *Fake) Name(program string) string { return program }

// Command implements World.
func (f *Fake) Command(program string) string { return "/bin/" + program + " --new" }

// Home implements World.
func (f *Fake) Home() string { return f.dir }

// Open implements World.
func (f *Fake) Open(ctx context.Context) (guirun.Desktop, error) {
	f.Asked["Open"]++
	if err := orDone(ctx, f.OpenFault); err != nil {
		return nil, err
	}
	return fakeDesktop{f}, nil
}

// Processes implements World.
func (f *Fake) Processes() guirun.Processes { return fakeProcesses{f} }

// Clock implements World.
func (f *Fake) Clock() guirun.Clock { return f.clock }

// Received implements World.
func (f *Fake) Received(window string) string {
	if b := f.received[window]; b != nil {
		return b.String()
	}
	return ""
}

// Window is a window as it is, nil when it is not there.
func (f *Fake) Window(name string) *guirun.Window {
	for _, w := range f.windows {
		if w.name == name {
			return &w.Window
		}
	}
	return nil
}

// Show makes a window that belongs to no program of the case.
func (f *Fake) Show(w Window) {
	p := &Program{Name: w.Name, Acts: []Act{{Do: Show, Window: w}}}
	f.show(nil, p.Plan()[0].Window)
}

// Unfocus takes the focus away from all windows.
func (f *Fake) Unfocus() { f.focus(0) }

func (f *Fake) change() {
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *Fake) focus(id guirun.WindowID) {
	for _, w := range f.windows {
		w.Active = w.ID == id
		if w.Active {
			w.Minimised = false
		}
	}
	f.change()
}

func (f *Fake) show(p *fakeProcess, w Window) {
	f.lastID++
	frame := w.Area
	frame.Min.Y -= 20
	made := &fakeWindow{name: w.Name, of: p, Window: guirun.Window{ID: f.lastID, Title: w.Title, Class: w.Class, Area: w.Area, Frame: frame, Dialog: w.Dialog}}
	if p != nil {
		made.PID = p.PID
	}
	if owner := f.Window(w.For); owner != nil && w.For != "" {
		made.For = owner.ID
	}
	f.windows = append(f.windows, made)
	f.received[w.Name] = &strings.Builder{}
	f.focus(made.ID)
}

// remove takes windows away. The newest that is left gets the focus.
func (f *Fake) remove(which func(*fakeWindow) bool) {
	f.windows = slices.DeleteFunc(f.windows, which)
	if n := len(f.windows); n > 0 && !slices.ContainsFunc(f.windows, func(w *fakeWindow) bool { return w.Active }) {
		f.windows[n-1].Active = true
	}
	f.change()
}

// begin starts a command line: a program of the case, else there is no such command.
func (f *Fake) begin(line string, started bool) *fakeProcess {
	f.lastPID++
	p := &fakeProcess{Process: guirun.Process{PID: f.lastPID, Parent: 1, Started: uint64(f.lastPID), Command: line}, program: f.programs[line], started: started, done: make(chan guirun.Result, 1)}
	f.processes = append(f.processes, p)
	if p.program == nil {
		fmt.Fprintf(&p.output, "/bin/sh: 1: %s: not found\n", line)
		f.end(p, 127)
		return p
	}
	for _, a := range p.program.Plan() {
		if a.At == 0 {
			f.act(p, a)
			continue
		}
		p.forget = append(p.forget, f.clock.in(a.At, func() { f.act(p, a) }))
	}
	return p
}

func (f *Fake) act(p *fakeProcess, a Act) {
	if p.gone {
		return
	}
	named := func(w *fakeWindow) bool { return w.name == a.Window.Name }
	path := filepath.Join(f.dir, a.File)
	var err error
	switch a.Do {
	case Show:
		f.show(p, a.Window)
	case Close:
		f.remove(named)
	case Retitle:
		if w := f.Window(a.Window.Name); w != nil {
			w.Title = a.Text
			f.change()
		}
	case Say:
		p.output.WriteString(a.Text)
		if p.started {
			err = appendTo(filepath.Join(f.dir, ".xsession-errors"), a.Text)
		}
	case Append:
		err = appendTo(path, a.Text)
	case Remove:
		err = os.Remove(path)
	case End:
		f.end(p, a.Exit)
	}
	if err != nil {
		f.t.Error(err)
	}
}

func appendTo(name, text string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err == nil {
		_, err = file.WriteString(text)
		file.Close()
	}
	return err
}

// end ends a process, and its windows with it.
func (f *Fake) end(p *fakeProcess, exit int) {
	if p.gone {
		return
	}
	p.gone = true
	for _, forget := range p.forget {
		forget()
	}
	p.result = guirun.Result{Exit: exit, Output: p.output.String()}
	p.done <- p.result
	f.processes = slices.DeleteFunc(f.processes, func(other *fakeProcess) bool { return other == p })
	f.remove(func(w *fakeWindow) bool { return w.of == p })
}

// fakeDesktop is the display of a Fake.
type fakeDesktop struct{ *Fake }

func (d fakeDesktop) Windows(ctx context.Context) ([]guirun.Window, error) {
	d.Asked["Windows"]++
	if err := orDone(ctx, d.WindowsFault); err != nil {
		return nil, err
	}
	var out []guirun.Window
	for _, w := range d.windows {
		out = append(out, w.Window)
	}
	return out, nil
}

func orDone(ctx context.Context, fault error) error {
	if fault != nil {
		return fault
	}
	return ctx.Err()
}

func (d fakeDesktop) Changed() <-chan struct{} { return d.changed }

func (d fakeDesktop) find(id guirun.WindowID) *fakeWindow {
	for _, w := range d.windows {
		if w.ID == id {
			return w
		}
	}
	return nil
}

func (d fakeDesktop) Activate(ctx context.Context, id guirun.WindowID) error {
	d.Asked["Activate"]++
	if err := orDone(ctx, d.WindowsFault); err != nil {
		return err
	}
	if d.find(id) == nil {
		return guirun.Faultf(guirun.ClassAbsent, "the window went away")
	}
	d.focus(id)
	return nil
}

func (d fakeDesktop) Focus(ctx context.Context) (guirun.Window, error) {
	d.Asked["Focus"]++
	if err := orDone(ctx, d.WindowsFault); err != nil {
		return guirun.Window{}, err
	}
	for _, w := range d.windows {
		if w.Active {
			return w.Window, nil
		}
	}
	return guirun.Window{}, nil
}

func (d fakeDesktop) ClickAt(ctx context.Context, id guirun.WindowID, fx, fy float64) (image.Point, error) {
	d.Asked["ClickAt"]++
	if err := d.take(ctx, d.ClickFault); err != nil {
		return image.Point{}, err
	}
	if err := d.Activate(ctx, id); err != nil {
		return image.Point{}, err
	}
	w := d.find(id)
	at := w.Area.Min.Add(image.Pt(int(fx*float64(w.Area.Dx())), int(fy*float64(w.Area.Dy()))))
	if !at.In(screen()) {
		return image.Point{}, guirun.Faultf(guirun.ClassOffScreen, "%v is not on the screen", at)
	}
	fmt.Fprintf(d.received[w.name], "<click %.2f %.2f>", fx, fy)
	return at, nil
}

func (d fakeDesktop) ClickPoint(ctx context.Context, id guirun.WindowID, at image.Point) error {
	return guirun.Faultf(guirun.ClassUnavailable, "the fake clicks no points")
}

// take lets the time pass that input takes.
func (d fakeDesktop) take(ctx context.Context, fault error) error {
	if d.Slow > 0 {
		if err := d.clock.Wait(ctx, d.Slow, nil); err != nil {
			return err
		}
	}
	return orDone(ctx, fault)
}

func (d fakeDesktop) receive(ctx context.Context, text string) error {
	if err := d.take(ctx, d.KeyFault); err != nil {
		if d.TakenBy != "" {
			d.focus(d.Window(d.TakenBy).ID)
		}
		return err
	}
	for _, w := range d.windows {
		if w.Active {
			d.received[w.name].WriteString(text)
		}
	}
	return nil
}

func (d fakeDesktop) Press(ctx context.Context, chord guirun.Chord) error {
	d.Asked["Press"]++
	text := strings.Join(append(slices.Clone(chord.Modifiers), chord.Key), "+")
	if len(chord.Modifiers) > 0 || len([]rune(chord.Key)) > 1 {
		text = "<" + text + ">"
	}
	return d.receive(ctx, text)
}

func (d fakeDesktop) Type(ctx context.Context, text string) error {
	d.Asked["Type"]++
	return d.receive(ctx, strings.NewReplacer("\n", "<return>", "\t", "<tab>").Replace(text))
}

// Screenshot paints every window in the colour of what it received, and its title bar in that of its title.
func (d fakeDesktop) Screenshot(ctx context.Context) (*image.RGBA, error) {
	d.Asked["Screenshot"]++
	if err := orDone(ctx, d.ShotFault); err != nil {
		return nil, err
	}
	d.pictures++
	shot := image.NewRGBA(screen())
	paint(shot, shot.Rect, "screen")
	for _, w := range d.windows {
		if !w.Minimised {
			paint(shot, w.Frame, "title "+w.Title)
			paint(shot, w.Area, "text "+d.Received(w.name))
		}
	}
	if d.Restless {
		paint(shot, image.Rect(0, 0, screen().Max.X, 100), fmt.Sprint(d.pictures))
	}
	if d.Blinking {
		paint(shot, image.Rect(50, 70, 60, 100), fmt.Sprint(d.pictures))
	}
	return shot, nil
}

// paint fills a rectangle with a colour that stands for a text, and is never what masks have.
func paint(shot *image.RGBA, area image.Rectangle, text string) {
	sum := uint32(2166136261)
	for _, c := range []byte(text) {
		sum = (sum ^ uint32(c)) * 16777619
	}
	area = area.Intersect(shot.Rect)
	line := bytes.Repeat([]byte{0x80 | byte(sum), byte(sum >> 8), byte(sum >> 16), 0xFF}, area.Dx())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		copy(shot.Pix[shot.PixOffset(area.Min.X, y):], line)
	}
}

func (d fakeDesktop) Close() error {
	d.Asked["Close"]++
	return d.CloseFault
}

// Calls are the names of all that was asked of the fakes, for messages.
func (f *Fake) Calls() string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(f.Asked)) {
		out = append(out, fmt.Sprintf("%s %d", name, f.Asked[name]))
	}
	return strings.Join(out, ", ")
}

// Recycle has no use for it.
func (fakeDesktop) Recycle(*image.RGBA) {}
