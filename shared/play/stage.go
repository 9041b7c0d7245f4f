package play

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"asz/shared/lab"
	"asz/shared/sim"
)

// stage is a lab that is being played: the player, its current terminal and
// where the transcript goes.
type stage struct {
	player   *sim.Player
	terminal string
	out      io.Writer
	options  Options
	last     *sim.Outcome
	why      []Reason // nothing took the last line, and these came near
	far      string   // … and nothing did: what was typed
}

func newStage(p *sim.Player, out io.Writer, o Options) *stage {
	return &stage{
		player: p, terminal: p.Engine().Lab().Terminals[0].ID, out: out, options: o,
		last: p.Here(p.Engine().Lab().Terminals[0].ID),
	}
}

// do performs an action and prints what came of it; failed tells of an
// expectation that does not hold, "" = none.
func (s *stage) do(a *action) (failed string) {
	_, prompt, mask := s.player.Engine().Mode(s.player.State(), s.terminal)
	in := a.line
	s.why, s.far = nil, ""
	switch a.verb {
	case verbExpect:
		if failed = s.check(a); failed != "" && s.options.JSON {
			line := lab.AppendQuoted([]byte(`{"in":`), a.line)
			line = lab.AppendQuoted(append(line, `,"failed":`...), failed)
			s.out.Write(append(line, "}\n"...))
		}
		return failed
	case verbTerminal:
		s.terminal, prompt = a.text, ""
		s.last = s.player.Here(s.terminal)
	case verbAct:
		prompt = ""
		_, s.last = s.player.Act(a.kind, s.terminal, a.text)
	case verbType:
		if in = a.text; mask {
			in = strings.Repeat("•", utf8.RuneCountInString(in))
		}
		before := s.player.State()
		_, s.last = s.player.Act("line", s.terminal, a.text)
		s.explain(before, a.text)
	}
	s.print(prompt, in)
	return ""
}

// explain finds out what came near to the line that was typed, if nothing took it.
func (s *stage) explain(before *sim.State, line string) {
	if s.options.Why == nil || s.last.Builtin() != "" {
		return
	}
	s.why = s.options.Why(s.player.Engine(), before, s.terminal, line)
	_, _, choices := s.player.Engine().Trace(before, s.terminal, line)
	if n := len(choices); len(s.why) == 0 && n > 0 && choices[n-1].Rule < 0 {
		if s.far = "line"; choices[n-1].Words() == nil {
			s.far = "prompt"
		}
	}
}

// reasons is what is to be said of a line that nothing took.
func (s *stage) reasons() []string {
	var lines []string
	for _, r := range s.why {
		lines = append(lines, "  ? "+r.Scenario+": "+r.Text)
		if len(r.Commands) > 0 {
			lines = append(lines, "    first: "+strings.Join(r.Commands, " ⏎ "))
		}
	}
	if s.far != "" {
		lines = append(lines, "  ? no scenario is near this "+s.far)
	}
	return lines
}

// end drops the commands that the last line left unfinished.
func (s *stage) end() {
	for _, t := range s.player.Engine().Lab().Terminals {
		if mode, _, _ := s.player.Engine().Mode(s.player.State(), t.ID); mode != sim.ModeContinuation {
			continue
		}
		s.terminal = t.ID
		s.why, s.far = nil, ""
		_, s.last = s.player.Act("end", t.ID, "")
		s.print("", "")
	}
}

// print shows the last outcome: one JSON object, or as a terminal shows it.
func (s *stage) print(prompt, in string) {
	if s.options.JSON {
		s.out.Write(s.object(in))
		return
	}
	var b strings.Builder
	if prompt != "" || in != "" {
		b.WriteString(strings.TrimRight(Printable(prompt+in), " ") + "\n")
	}
	for _, block := range s.last.Blocks() {
		if !block.Pause {
			b.WriteString(Printable(block.Text) + "\n")
		}
	}
	if exit := s.last.Exit(); exit != 0 {
		b.WriteString("[exit " + strconv.Itoa(exit) + "]\n")
	}
	for _, step := range s.last.Completed() {
		b.WriteString("[completed " + Printable(step) + "]\n")
	}
	for _, line := range s.reasons() {
		b.WriteString(Printable(line) + "\n")
	}
	io.WriteString(s.out, b.String())
}

// object is the outcome as labs.md 8 has it, on one line.
func (s *stage) object(in string) []byte {
	o := s.last
	id := func(dst []byte, name, id string) []byte {
		dst = append(dst, `,"`+name+`":`...)
		if id == "" {
			return append(dst, "null"...)
		}
		return lab.AppendQuoted(dst, id)
	}
	dst := lab.AppendQuoted([]byte(`{"in":`), in)
	dst = lab.AppendQuoted(append(dst, `,"terminal":`...), s.terminal)
	dst = appendList(dst, "out", o.Lines(sim.Stdout))
	dst = appendList(dst, "err", o.Lines(sim.Stderr))
	dst = strconv.AppendInt(append(dst, `,"exit":`...), int64(o.Exit()), 10)
	dst = id(dst, "scenario", o.Scenario())
	dst = id(dst, "builtin", o.Builtin())
	dst = appendList(dst, "completed", o.Completed())
	dst = lab.AppendQuoted(append(dst, `,"mode":`...), o.Mode.String())
	if len(s.why) > 0 {
		dst = AppendReasons(append(dst, `,"why":`...), s.why)
	}
	return append(dst, "}\n"...)
}

// appendList appends a key after another one, with a list of texts.
func appendList(dst []byte, name string, texts []string) []byte {
	dst = append(dst, `,"`+name+`":[`...)
	for i, t := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = lab.AppendQuoted(dst, t)
	}
	return append(dst, ']')
}

// AppendReasons appends a JSON array with an object for each reason.
func AppendReasons(dst []byte, reasons []Reason) []byte {
	dst = append(dst, '[')
	for i, r := range reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = lab.AppendQuoted(append(dst, `{"scenario":`...), r.Scenario)
		dst = lab.AppendQuoted(append(dst, `,"text":`...), r.Text)
		dst = append(appendList(dst, "commands", r.Commands), '}')
	}
	return append(dst, ']')
}

// check compares an expectation with the last outcome or the present state.
func (s *stage) check(a *action) (failed string) {
	got, held := "", false
	switch o := s.last; a.kind {
	case "exit":
		got = strconv.Itoa(o.Exit())
		want, _ := lab.Atoi(a.text)
		held = want == o.Exit()
	case "out", "err":
		stream := sim.Stdout
		if a.kind == "err" {
			stream = sim.Stderr
		}
		got = strings.Join(o.Lines(stream), "\n")
		held = strings.Contains(got, a.text)
	case "scenario":
		got = o.Scenario()
		held = got == a.text
	case "completed":
		for _, step := range o.Completed() {
			held = held || step == a.text
		}
		got = strings.Join(o.Completed(), ", ")
	case "mode":
		mode, _, _ := s.player.Engine().Mode(s.player.State(), s.terminal)
		got = mode.String()
		held = got == a.text
	case "state":
		segments, _ := lab.StatePath(a.name)
		v := s.player.State().Lookup(segments)
		got = string(v.AppendJSON(nil))
		held = sim.Holds(a.want, v)
	case "file":
		text, err := s.player.State().Files().Read(a.name)
		if got = text; err != nil {
			got = err.Error()
		}
		held = err == nil && strings.Contains(text, a.text)
	}
	if held {
		return ""
	}
	if got == "" {
		return "this does not hold: there is none"
	}
	return fmt.Sprintf("this does not hold: got %s", shorten(got))
}

// shorten keeps a message readable.
func shorten(text string) string {
	const most = 600
	if len(text) <= most {
		return text
	}
	cut := most
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// Printable keeps of a text what may reach a terminal: printable characters but
// those that turn the order of others, tabs, newlines, and escape sequences that
// only set colour and style.
func Printable(text string) string {
	clean := true
	for i := 0; i < len(text) && clean; i++ {
		clean = text[i] >= ' ' && text[i] < 0x7f
	}
	if clean {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if n := styleSequence(text[i:]); n > 0 {
			b.WriteString(text[i : i+n])
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		reorders := r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		if r == '\t' || r == '\n' || r >= ' ' && (r < 0x7f || r > 0x9f) && !reorders {
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// styleSequence is the length of the SGR sequence that text begins with, or 0.
func styleSequence(text string) int {
	if !strings.HasPrefix(text, "\x1b[") {
		return 0
	}
	for i := 2; i < len(text) && i < 40; i++ {
		switch c := text[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}
