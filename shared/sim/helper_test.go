package sim_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/sim"
)

const notSimulated = "command not found — this command is not simulated in this lab."

// load compiles a simulator and what a labspace says beside it. Warnings and
// errors about references may stand, as long as the lab loads.
func load(t testing.TB, simulator, labspace string) *labfile.Loaded {
	t.Helper()
	if !strings.Contains("\n"+simulator, "\nversion:") {
		simulator = "version: \"2.0\"\n" + simulator
	}
	if !strings.Contains("\n"+labspace, "\ntitle:") {
		labspace = "title: T\n" + labspace
	}
	return labfile.Load(fstest.MapFS{
		"t/labspace.yaml":  {Data: []byte("simulator: simulator.yaml\n" + labspace)},
		"t/simulator.yaml": {Data: []byte(simulator)},
	}, "t")
}

func player(t testing.TB, simulator string, labspace ...string) *sim.Player {
	t.Helper()
	loaded := load(t, simulator, strings.Join(labspace, "\n"))
	if loaded.Lab == nil {
		t.Fatalf("the lab does not load: %s", findings(loaded))
	}
	l, err := lab.Decode(lab.Encode(loaded.Lab))
	if err != nil {
		t.Fatalf("compiled form: %v", err)
	}
	e, err := sim.New(l)
	if err != nil {
		t.Fatal(err)
	}
	return sim.NewPlayer(e)
}

func findings(loaded *labfile.Loaded) string {
	var b strings.Builder
	loaded.Findings.WriteText(&b, false)
	return b.String()
}

// rejects asserts that a simulator has a finding of one of the codes.
func rejects(t *testing.T, simulator string, codes ...string) {
	t.Helper()
	loaded := load(t, simulator, "")
	for _, f := range loaded.Findings {
		if slices.Contains(codes, string(f.Code)) {
			return
		}
	}
	t.Errorf("want a finding %v, got:\n%s\n%s", codes, findings(loaded), simulator)
}

// play runs a transcript. Its lines:
//
//	$ line       typed in the current terminal
//	@ act text   another act of Player.Act; `@ terminal ID` goes to a terminal
//	| text       a line of stdout
//	! text       a line of stderr
//	= who k=v …  the scenario's id, `ls()` for a builtin, `-` for neither, `none`
//	             for unmatched with the engine's own message; exit, done, mode,
//	             prompt
//	? path json  the state at a dot-path
//	~ path text  a file's text, quoted; - when there is none
//
// Stdout, stderr and exit (0 unless given) of each act are compared exactly;
// `| *` and `! *` allow anything.
func play(t *testing.T, simulator, transcript string, labspace ...string) *sim.Player {
	t.Helper()
	p := player(t, simulator, labspace...)
	run(t, p, transcript)
	return p
}

func run(t *testing.T, p *sim.Player, transcript string) {
	t.Helper()
	c := &cursor{T: t, p: p, terminal: p.Engine().Lab().Terminals[0].ID}
	for n, line := range strings.Split(strings.TrimPrefix(transcript, "\n"), "\n") {
		line = strings.TrimLeft(line, "\t")
		if line == "" {
			continue
		}
		verb, rest := line[:1], strings.TrimPrefix(line[1:], " ")
		switch verb {
		case "$", "@":
			c.flush()
			c.at = fmt.Sprintf("line %d: %s", n+1, line)
			c.act(verb, rest)
		case "|":
			c.out = append(c.out, rest)
		case "!":
			c.err = append(c.err, rest)
		case "=":
			c.who = rest
		case "?":
			path, want, _ := strings.Cut(rest, " ")
			segments, ok := lab.StatePath(path)
			if !ok {
				t.Fatalf("%s: path", line)
			}
			if got := string(p.State().Lookup(segments).AppendJSON(nil)); got != want {
				t.Errorf("%s\nstate %s is %s, want %s", c.at, path, got, want)
			}
		case "~":
			path, want, _ := strings.Cut(rest, " ")
			got, err := p.State().Files().Read(path)
			got = strconv.Quote(got)
			if err != nil {
				got = "-"
			}
			if got != want {
				t.Errorf("%s\nfile %s is %s, want %s", c.at, path, got, want)
			}
		default:
			t.Fatalf("transcript: %q", line)
		}
	}
	c.flush()
}

type cursor struct {
	*testing.T
	p            *sim.Player
	terminal, at string
	o            *sim.Outcome
	out, err     []string
	who          string
}

func (c *cursor) act(verb, rest string) {
	kind, text := "line", rest
	if verb == "@" {
		kind, text, _ = strings.Cut(rest, " ")
		if kind == "terminal" {
			c.terminal = text
			return
		}
		if kind == "save" {
			text = strings.Replace(text, " ", "\n", 1)
		}
	}
	_, c.o = c.p.Act(kind, c.terminal, text)
}

func (c *cursor) flush() {
	c.Helper()
	if c.o == nil {
		return
	}
	o, who := c.o, strings.Fields(c.who)
	want := map[string]string{}
	if len(who) > 0 && who[0] == "none" {
		who[0], want["exit"], c.err = "-", "127", []string{notSimulated}
	}
	for _, w := range who[min(1, len(who)):] {
		k, v, _ := strings.Cut(w, "=")
		want[k] = v
	}
	if want["exit"] == "" {
		want["exit"] = "0"
	}
	same := func(what string, got, want []string) {
		c.Helper()
		if !slices.Equal(want, []string{"*"}) && !slices.Equal(got, want) {
			c.Errorf("%s\n%s is\n\t%q, want\n\t%q", c.at, what, got, want)
		}
	}
	same("stdout", o.Lines(sim.Stdout), c.out)
	same("stderr", o.Lines(sim.Stderr), c.err)
	got := map[string]string{
		"exit":   strconv.Itoa(o.Exit()),
		"done":   strings.Join(o.Completed(), ","),
		"mode":   o.Mode.String(),
		"prompt": strings.TrimSpace(o.Prompt),
	}
	for k, v := range want {
		if got[k] != v {
			c.Errorf("%s\n%s is %q, want %q", c.at, k, got[k], v)
		}
	}
	if len(who) > 0 {
		is := o.Scenario()
		if b := o.Builtin(); b != "" {
			is += b + "()"
		}
		if is == "" {
			is = "-"
		}
		if is != who[0] {
			c.Errorf("%s\nfired %s, want %s", c.at, is, who[0])
		}
	}
	c.o, c.out, c.err, c.who = nil, nil, nil, ""
}

// says asserts that stderr, or for an unknown workflow stdout, names something.
func says(t *testing.T, o *sim.Outcome, name string) {
	t.Helper()
	text := strings.Join(append(o.Lines(sim.Stderr), o.Lines(sim.Stdout)...), "\n")
	if !strings.Contains(text, name) {
		t.Errorf("%q does not name %q", text, name)
	}
}
