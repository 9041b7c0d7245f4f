package sim

import (
	"strings"

	"asz/shared/lab"
)

// Stream names where a block is printed.
type Stream uint8

// The two streams.
const (
	Stdout Stream = iota
	Stderr
)

// Block is one line of output, or a pause.
type Block struct {
	Stream Stream
	Text   string // one line or more, without the newline at the end
	Pause  bool   // wait Delay, print nothing
	Delay  int    // ms before the block; -1 = the lab's default pace
}

// Changes tells what a command changed.
type Changes struct {
	State []string // dot-paths
	Files []string // paths
	Run   int      // number of the CI run that it started, 0 = none
}

// Result is the outcome of one command, prompt or other action.
type Result struct {
	Exit      int
	Scenario  string // id of the scenario that fired, "" = none
	Builtin   string // name of the builtin that ran, "" = none
	Turn      string // id of the agent scenario of a one-shot turn, "" = none
	Completed []string
	Changes   Changes

	hard   bool // an effect was a hard error: nothing changed
	said   bool // an agent was spoken to
	size   int  // bytes of output that are rendered already, and a few for each line
	pieces []piece
}

// piece is a part of the output, rendered when asked for: searching a lab's
// states needs no text.
type piece struct {
	blocks         []Block
	output, stderr []lab.Line
	mcp            []lab.MCPCall
	scope          scope
}

func (r *Result) say(stream Stream, lines ...string) {
	blocks := make([]Block, len(lines))
	for i, l := range lines {
		blocks[i] = Block{Stream: stream, Text: l, Delay: -1}
		r.size += len(l) + lineCost
	}
	r.pieces = append(r.pieces, piece{blocks: blocks})
}

// join adds up what two parts of one command changed.
func join(a, b Changes) Changes {
	return Changes{append(a.State, b.State...), append(a.Files, b.Files...), max(a.Run, b.Run)}
}

// failure is a command that only says what went wrong.
func failure(exit int, lines ...string) *Result {
	r := &Result{Exit: exit}
	r.say(Stderr, lines...)
	return r
}

// Mode says what a terminal takes next.
type Mode uint8

// The modes of a terminal.
const (
	ModeCommand Mode = iota
	ModeSession
	ModeInput
	ModeContinuation
)

// String is the mode's name in machine output.
func (m Mode) String() string {
	return [...]string{"command", "session", "input", "continuation"}[m]
}

// Outcome is what a typed line, or another action, came to.
type Outcome struct {
	Results []*Result // of the commands that ran, in order; empty when none did
	Mode    Mode      // of the terminal, afterwards
	Prompt  string    // what the terminal shows before the next line
	Mask    bool      // the next line is secret
	Turn    bool      // the line was said to an agent

	prog *program
}

// last is the result that stands for the whole line.
func (o *Outcome) last() *Result {
	if len(o.Results) == 0 {
		return &Result{}
	}
	return o.Results[len(o.Results)-1]
}

// Exit is the exit code of the last command that ran, 0 when none did.
func (o *Outcome) Exit() int { return o.last().Exit }

// Scenario is the id of the scenario that the last command fired, or "".
func (o *Outcome) Scenario() string { return o.last().Scenario }

// Builtin is the builtin that the last command was, or "".
func (o *Outcome) Builtin() string { return o.last().Builtin }

// Completed lists the steps that the line completed, in order.
func (o *Outcome) Completed() []string {
	var out []string
	for i := range o.Results {
		out = append(out, o.Results[i].Completed...)
	}
	return out
}

// Changes joins what the commands changed.
func (o *Outcome) Changes() Changes {
	var out Changes
	for i := range o.Results {
		out = join(out, o.Results[i].Changes)
	}
	return out
}

// Blocks renders the output: of each command its stdout lines, mcp blocks and
// stderr lines. Templated texts are bounded together; what is beyond says so.
func (o *Outcome) Blocks() []Block {
	var out []Block
	budget := maxText
	for i := range o.Results {
		for j := range o.Results[i].pieces {
			out = o.prog.render(out, &o.Results[i].pieces[j], &budget)
		}
	}
	return out
}

// Lines returns the lines of one stream, without pauses.
func (o *Outcome) Lines(stream Stream) []string {
	lines := []string{}
	for _, b := range o.Blocks() {
		if b.Stream == stream && !b.Pause {
			lines = append(lines, strings.Split(b.Text, "\n")...)
		}
	}
	return lines
}

func (p *program) render(out []Block, e *piece, budget *int) []Block {
	out = append(out, e.blocks...)
	for i := range e.output {
		out = p.renderLine(out, Stdout, &e.output[i], &e.scope, budget)
	}
	for i := range e.mcp {
		call := &e.mcp[i]
		args := call.Arguments
		if args.IsNull() {
			args = lab.EmptyMap()
		}
		head := args.AppendSortedJSON([]byte("→ " + call.Tool + " "))
		out = append(out, Block{Text: string(head), Delay: -1})
		if result := strings.TrimRight(call.Result, "\n"); result != "" {
			for line := range strings.SplitSeq(result, "\n") {
				out = append(out, Block{Text: "  " + line, Delay: -1})
			}
		}
	}
	for i := range e.stderr {
		out = p.renderLine(out, Stderr, &e.stderr[i], &e.scope, budget)
	}
	return out
}

// renderLine appends one entry of output and takes its length off the budget.
func (p *program) renderLine(out []Block, stream Stream, l *lab.Line, sc *scope, budget *int) []Block {
	b := Block{Stream: stream, Delay: -1}
	if l.Delay != nil {
		b.Delay = l.Delay.MS
		if l.Delay.Pace != "" {
			b.Delay = -1
			if ms, ok := p.pace[l.Delay.Pace]; ok {
				b.Delay = ms
			}
		}
	}
	if l.Text == nil {
		b.Pause = true
		return append(out, b)
	}
	text, err := sc.expand(*l.Text)
	if *budget -= len(text); err != nil || *budget < 0 {
		text = "[" + errTooLong.Error() + "]"
	}
	b.Text = text
	return append(out, b)
}
