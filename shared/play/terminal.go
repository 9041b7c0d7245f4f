package play

import (
	"bufio"
	"io"
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

// Interact plays a lab with the person at a terminal, until they leave.
func Interact(player *sim.Player, t Terminal, in io.Reader, out io.Writer) error {
	restore, err := t.Open()
	if err != nil {
		return err
	}
	defer restore()
	keys := &keyboard{in: bufio.NewReaderSize(in, 16), out: out}
	p := &person{stage: newStage(player, io.Discard, false), keys: keys, term: t}
	p.editor = term.NewTerminal(keys, "")
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
	_, prompt, mask := p.player.Engine().Mode(p.player.State(), p.terminal)
	line, err := p.read(prompt, mask)
	if err != nil {
		if !p.keys.interrupted {
			p.say("")
			return false
		}
		p.keys.interrupted = false
		p.say("^C")
		p.act(&action{verb: verbAct, line: "@interrupt", kind: "interrupt"})
		return true
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

func (p *person) read(prompt string, mask bool) (string, error) {
	if width, height := p.term.Size(); width > 0 && height > 0 {
		p.editor.SetSize(width, height)
	}
	if mask {
		io.WriteString(p.keys, Printable(prompt))
		return p.keys.secret()
	}
	p.editor.SetPrompt(Printable(prompt))
	history := p.editor.History
	line, err := p.editor.ReadLine()
	if err != nil && p.keys.interrupted {
		// The editor keeps the line that Ctrl-C gave up; a new one does not.
		p.editor = term.NewTerminal(p.keys, "")
		p.editor.History = history
	}
	if err == term.ErrPasteIndicator {
		err = nil
	}
	return line, err
}

// act performs an action and shows its outcome at the lab's pace.
func (p *person) act(a *action) {
	if failed := p.do(a); failed != "" {
		p.say(failed)
		return
	}
	if p.last.Exit() == 0 && (a.kind == "undo" || a.kind == "reset") {
		p.say("(" + a.kind + " done)")
	}
	settings := &p.player.Engine().Lab().Simulator.Settings
	wait := func(ms int) {
		if settings.Streaming && ms > 0 {
			p.term.Wait(ms)
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
// ahead stays for whoever reads next, and notices Ctrl-C, which the editor
// cannot tell from the end of input.
type keyboard struct {
	in          *bufio.Reader
	out         io.Writer
	interrupted bool
}

const ctrlC, ctrlD, backspace, deleteKey = 0x03, 0x04, 0x08, 0x7f

func (k *keyboard) Read(p []byte) (int, error) {
	c, err := k.in.ReadByte()
	if err != nil {
		return 0, err
	}
	k.interrupted = c == ctrlC
	p[0] = c
	return 1, nil
}

func (k *keyboard) Write(p []byte) (int, error) { return k.out.Write(p) }

// secret reads a line and shows a dot for each character.
func (k *keyboard) secret() (string, error) {
	var line []rune
	for {
		r, _, err := k.in.ReadRune()
		switch {
		case err != nil:
			return "", err
		case r == ctrlC:
			k.interrupted = true
			return "", io.EOF
		case r == ctrlD && len(line) == 0:
			return "", io.EOF
		case r == '\r' || r == '\n':
			io.WriteString(k.out, "\r\n")
			return string(line), nil
		case r == backspace || r == deleteKey:
			if len(line) > 0 {
				line = line[:len(line)-1]
				io.WriteString(k.out, "\b \b")
			}
		case r == '\x1b':
			k.skipEscape()
		case r >= ' ' && r != utf8.RuneError:
			line = append(line, r)
			io.WriteString(k.out, "•")
		}
	}
}

// skipEscape drops the rest of a key's escape sequence.
func (k *keyboard) skipEscape() {
	if k.in.Buffered() == 0 {
		return
	}
	for {
		c, err := k.in.ReadByte()
		if err != nil || c != '[' && c != 'O' && c != ';' && (c < '0' || c > '9') {
			return
		}
	}
}
