package play

import (
	"io"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/term"

	"asz/shared/sim"
)

// Terminal is a person's terminal.
type Terminal interface {
	// Open switches to raw mode; the function it returns switches back.
	Open() (restore func(), err error)
	// Size is in characters; zero when it is not known.
	Size() (width, height int)
	// Wait lets ms milliseconds pass.
	Wait(ms int)
}

// Interact plays a lab with the person at a terminal, until they leave. why, when
// not nil, explains lines that nothing takes.
func Interact(player *sim.Player, t Terminal, in io.Reader, out io.Writer, why Why) error {
	restore, err := t.Open()
	if err != nil {
		return err
	}
	defer restore()
	keys := listen(in, out)
	p := &person{stage: newStage(player, io.Discard, Options{Why: why}), keys: keys, term: t}
	p.editor = term.NewTerminal(keys, "")
	p.editor.History = &p.recall
	l := player.Engine().Lab()
	p.say(l.Title, "")
	if l.Description != "" {
		p.say(l.Description, "")
	}
	for _, t := range l.Terminals[1:] {
		p.say("Another terminal: type @terminal " + t.ID + " to go there.")
	}
	p.say("Ctrl-D ends; `asz play --help` lists what else @ can do.", "")
	for p.turn() {
	}
	return nil
}

// person is someone who plays in a terminal.
type person struct {
	*stage
	editor *term.Terminal
	recall recall
	keys   *keyboard
	term   Terminal
}

// say prints lines. The editor turns newlines into what a raw terminal needs.
func (p *person) say(lines ...string) {
	for _, l := range lines {
		io.WriteString(p.editor, Printable(l)+"\n")
	}
}

// turn takes one line and shows what it does; false = the person left.
func (p *person) turn() bool {
	mode, prompt, mask := p.player.Engine().Mode(p.player.State(), p.terminal)
	p.recall.off = mode == sim.ModeInput
	line, err := p.read(prompt, mask)
	if err != nil {
		return p.escape(mode)
	}
	a := action{line: line, text: line}
	if !mask {
		if problem := a.read(p.player.Engine().Lab()); problem != "" {
			p.say(problem)
			return true
		}
	}
	p.act(&a)
	return true
}

// escape is Ctrl-C, which gives up a line or an input, or Ctrl-D, which leaves
// what is open: a session, else the lab.
func (p *person) escape(mode sim.Mode) (stays bool) {
	interrupted := p.keys.interrupted.Swap(false)
	switch {
	case interrupted:
		p.say("^C")
	case p.keys.closed || mode == sim.ModeCommand:
		p.say("")
		return false
	case mode == sim.ModeSession:
		p.say("/exit")
		p.act(&action{line: "/exit", text: "/exit"})
		return true
	}
	p.act(&action{verb: verbAct, line: "@interrupt", kind: "interrupt"})
	return true
}

func (p *person) read(prompt string, mask bool) (string, error) {
	if width, height := p.term.Size(); width > 0 && height > 0 {
		p.editor.SetSize(width, height)
	}
	if mask {
		io.WriteString(p.keys, Printable(prompt))
		return p.keys.secret()
	}
	p.editor.SetPrompt(Printable(prompt))
	line, err := p.editor.ReadLine()
	if err == term.ErrPasteIndicator {
		err = nil
	}
	if err != nil {
		// The editor keeps the line that was given up; a new one does not.
		p.editor = term.NewTerminal(p.keys, "")
		p.editor.History = &p.recall
	}
	return line, err
}

// recall is what the cursor keys bring back: lines, but no answers to an input.
type recall struct {
	lines []string
	off   bool
}

func (r *recall) Add(line string) {
	if !r.off && line != "" {
		r.lines = append(r.lines, line)
	}
}

func (r *recall) Len() int { return len(r.lines) }

// At counts from the newest line on.
func (r *recall) At(i int) string { return r.lines[len(r.lines)-1-i] }

// act performs an action and shows its outcome at the lab's pace.
func (p *person) act(a *action) {
	failed := p.do(a)
	switch {
	case failed != "":
		p.say(failed)
		return
	case a.verb == verbExpect:
		p.say("(holds)")
		return
	}
	if p.last.Exit() == 0 && (a.kind == "undo" || a.kind == "reset") {
		p.say("(" + a.kind + " done)")
	}
	settings := &p.player.Engine().Lab().Simulator.Settings
	wait := func(ms int) {
		// In short turns, so that Ctrl-C shows the rest at once.
		for settings.Streaming && ms > 0 && !p.keys.interrupted.Load() {
			p.term.Wait(min(ms, 50))
			ms -= 50
		}
	}
	if p.last.Turn {
		wait(settings.AgentThink)
	}
	for _, b := range p.last.Blocks() {
		if b.Delay < 0 {
			b.Delay = settings.StreamDelay
		}
		wait(b.Delay)
		if !b.Pause {
			p.say(b.Text)
		}
	}
	if p.keys.interrupted.Load() {
		p.keys.drop()
	}
	p.say(p.reasons()...)
	for _, step := range p.last.Completed() {
		p.say("✔ " + p.title(step))
	}
}

// title is what the lab calls a step.
func (p *person) title(id string) string {
	for _, section := range p.player.Engine().Lab().Sections {
		for _, step := range section.Steps {
			if step.ID == id {
				return step.Title
			}
		}
	}
	return id
}

// keyboard hands keys to the line editor one at a time, so that what was typed
// ahead stays for whoever reads next. It listens all the time, to notice Ctrl-C
// while output is shown, and because the editor cannot tell it from the end.
type keyboard struct {
	typed       chan byte
	out         io.Writer
	interrupted atomic.Bool
	closed      bool // the end of input was read
}

const ctrlC, ctrlD, backspace, deleteKey = 0x03, 0x04, 0x08, 0x7f

func listen(in io.Reader, out io.Writer) *keyboard {
	k := &keyboard{typed: make(chan byte, 1<<16), out: out}
	go func() {
		defer close(k.typed)
		buffer := make([]byte, 256)
		for {
			n, err := in.Read(buffer)
			for _, c := range buffer[:n] {
				if c == ctrlC {
					k.interrupted.Store(true)
				}
				k.typed <- c
			}
			if err != nil {
				return
			}
		}
	}()
	return k
}

func (k *keyboard) Read(p []byte) (int, error) {
	c, err := k.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = c
	return 1, nil
}

// ReadByte waits for a key.
func (k *keyboard) ReadByte() (byte, error) {
	c, ok := <-k.typed
	if !ok {
		k.closed = true
		return 0, io.EOF
	}
	return c, nil
}

// drop forgets what was typed ahead, up to the last Ctrl-C.
func (k *keyboard) drop() {
	k.interrupted.Store(false)
	for len(k.typed) > 0 {
		<-k.typed
	}
}

func (k *keyboard) Write(p []byte) (int, error) { return k.out.Write(p) }

// secret reads a line and shows a dot for each character.
func (k *keyboard) secret() (string, error) {
	var line []byte
	for {
		c, err := k.ReadByte()
		switch {
		case err != nil:
			return "", err
		case c == ctrlC || c == ctrlD && len(line) == 0:
			return "", io.EOF
		case c == '\r' || c == '\n':
			io.WriteString(k.out, "\r\n")
			return string(line), nil
		case c == backspace || c == deleteKey:
			if len(line) > 0 {
				_, n := utf8.DecodeLastRune(line)
				line = line[:len(line)-n]
				io.WriteString(k.out, "\b \b")
			}
		case c == '\x1b':
			k.skipEscape()
		case c >= ' ':
			line = append(line, c)
			if r, _ := utf8.DecodeLastRune(line); r != utf8.RuneError { // the character is complete
				io.WriteString(k.out, "•")
			}
		}
	}
}

// skipEscape drops the rest of a key's escape sequence.
func (k *keyboard) skipEscape() {
	for len(k.typed) > 0 {
		if c := <-k.typed; c != '[' && c != 'O' && c != ';' && (c < '0' || c > '9') {
			return
		}
	}
}
