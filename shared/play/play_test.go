package play_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asz/shared/command"
	"asz/shared/play"
)

const simulator = `version: "2.0"
state: {n: 1, text: "3", docker: {running: false}}
controls: [{id: net, label: Net, state: net.on}]
workflows: [{id: w, steps: [{id: s, requires: net.on}]}]
defaults: {unmatched: {stderr: [what?], exit: 9}}
scenarios:
  - {id: say, when: {command: say, args: {0: {any: true}}}, completes: said, then: {output: ["said {{ args.0 }}", "line <&>"], stderr: [e1, e2]}}
  - {id: fail, when: {command: fail}, then: {exit: 3}}
  - {id: set, when: {command: set}, then: {state: {docker.running: true}, files: [{create: d/f, content: "hello\nworld\n"}]}}
  - {id: ci, when: {command: push}, then: {ci: {workflow: w}}}
  - {id: mcp, when: {command: mcp}, then: {output: [o], mcp: [{tool: t, arguments: {b: 1, a: 2}, result: "r1\nr2"}]}}
  - {id: chat, when: {command: chat}, then: {session: {prompt: "c> ", intro: [in], outro: [out]}}}
  - {id: turn, when: {agent: true, prompt: hi}, then: {output: [ho]}}
  - {id: at, when: {agent: true, prompt: "@hi"}, then: {output: [at]}}
  - {id: login, when: {command: login}, completes: logged, then: {input: {steps: [{key: u, prompt: "User: "}, {key: p, prompt: "Password: ", mask: true}], then: {output: ["hello {{ input.u }}"]}}}}
  - {id: here, when: {command: where, terminal: two}, then: {output: [two]}}
  - {id: pause, when: {command: pause}, then: {output: [a, {delay: 5}, b]}}
`

const labspace = `title: My Lab
simulator: simulator.yaml
terminals: [{id: one, title: One}, {id: two, title: Two}]
files: {seed.txt: seeded}
`

func folder(t *testing.T, labspace, simulator string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lab")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"labspace.yaml": labspace, "simulator.yaml": simulator} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

type played struct {
	exit     int
	out, err string
}

func run(t *testing.T, stdin string, args ...string) played {
	t.Helper()
	var out, err bytes.Buffer
	exit := command.Play().Do(&command.Host{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &err}, args)
	return played{exit, out.String(), err.String()}
}

func script(t *testing.T, lines ...string) played {
	t.Helper()
	return run(t, strings.Join(lines, "\n")+"\n", folder(t, labspace, simulator), "--script", "-")
}

func objects(t *testing.T, lines ...string) []string {
	t.Helper()
	p := run(t, strings.Join(lines, "\n")+"\n", folder(t, labspace, simulator), "--json", "--script=-")
	if p.exit != 0 || p.err != "" {
		t.Fatalf("exit %d, stderr %s", p.exit, p.err)
	}
	return strings.Split(strings.TrimSuffix(p.out, "\n"), "\n")
}

func equal(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("object %d is\n\t%s, want\n\t%s", i, g, w)
		}
	}
}

func TestJSON(t *testing.T) {
	for name, c := range map[string]struct{ lines, want []string }{
		"a command": {[]string{"say 'a\"b'"}, []string{
			`{"in":"say 'a\"b'","terminal":"one","out":["said a\"b","line <&>"],"err":["e1","e2"],"exit":0,"scenario":"say","builtin":null,"completed":["said"],"mode":"command"}`}},
		"a builtin": {[]string{"cat seed.txt"}, []string{
			`{"in":"cat seed.txt","terminal":"one","out":["seeded"],"err":[],"exit":0,"scenario":null,"builtin":"cat","completed":[],"mode":"command"}`}},
		"unmatched": {[]string{"nope"}, []string{
			`{"in":"nope","terminal":"one","out":[],"err":["what?"],"exit":9,"scenario":null,"builtin":null,"completed":[],"mode":"command"}`}},
		"nothing": {[]string{"", "# note", "fail"}, []string{
			`{"in":"","terminal":"one","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"command"}`,
			`{"in":"# note","terminal":"one","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"command"}`,
			`{"in":"fail","terminal":"one","out":[],"err":[],"exit":3,"scenario":"fail","builtin":null,"completed":[],"mode":"command"}`}},
		"mcp is out": {[]string{"mcp"}, []string{
			`{"in":"mcp","terminal":"one","out":["o","→ t {\"a\":2,\"b\":1}","  r1","  r2"],"err":[],"exit":0,"scenario":"mcp","builtin":null,"completed":[],"mode":"command"}`}},
		"pauses are no lines": {[]string{"pause"}, []string{
			`{"in":"pause","terminal":"one","out":["a","b"],"err":[],"exit":0,"scenario":"pause","builtin":null,"completed":[],"mode":"command"}`}},
		"masked input": {[]string{"login", "ann", "sécret 🐋", "fail"}, []string{
			`{"in":"login","terminal":"one","out":[],"err":[],"exit":0,"scenario":"login","builtin":null,"completed":[],"mode":"input"}`,
			`{"in":"ann","terminal":"one","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"input"}`,
			`{"in":"••••••••","terminal":"one","out":["hello ann"],"err":[],"exit":0,"scenario":"login","builtin":null,"completed":["logged"],"mode":"command"}`,
			`{"in":"fail","terminal":"one","out":[],"err":[],"exit":3,"scenario":"fail","builtin":null,"completed":[],"mode":"command"}`}},
		"lines that act": {[]string{"@terminal two", "where", "@control net on", `@save a/b "x\ny"`, "cat a/b", "@undo", "cat a/b", "@reset"}, []string{
			`{"in":"@terminal two","terminal":"two","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"command"}`,
			`{"in":"where","terminal":"two","out":["two"],"err":[],"exit":0,"scenario":"here","builtin":null,"completed":[],"mode":"command"}`,
			`{"in":"@control net on","terminal":"two","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"command"}`,
			`{"in":"@save a/b \"x\\ny\"","terminal":"two","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"command"}`,
			`{"in":"cat a/b","terminal":"two","out":["x","y"],"err":[],"exit":0,"scenario":null,"builtin":"cat","completed":[],"mode":"command"}`,
			`{"in":"@undo","terminal":"two","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"command"}`,
			`{"in":"cat a/b","terminal":"two","out":[],"err":["cat: a/b: No such file or directory"],"exit":1,"scenario":null,"builtin":"cat","completed":[],"mode":"command"}`,
			`{"in":"@reset","terminal":"two","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"command"}`}},
		"an at sign": {[]string{"chat", "@@hi"}, []string{
			"", `{"in":"@hi","terminal":"one","out":["at"],"err":[],"exit":0,"scenario":"at","builtin":null,"completed":[],"mode":"session"}`}},
		"a list": {[]string{"say a && fail"}, []string{
			`{"in":"say a && fail","terminal":"one","out":["said a","line <&>"],"err":["e1","e2"],"exit":3,"scenario":"fail","builtin":null,"completed":["said"],"mode":"command"}`}},
		"expectations print nothing": {[]string{"fail", "@expect exit=3", "@expect mode command"}, []string{
			`{"in":"fail","terminal":"one","out":[],"err":[],"exit":3,"scenario":"fail","builtin":null,"completed":[],"mode":"command"}`}},
		"a continuation": {[]string{`say "a`, `b"`}, []string{
			`{"in":"say \"a","terminal":"one","out":[],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"continuation"}`,
			`{"in":"b\"","terminal":"one","out":["said a","b","line <&>"],"err":["e1","e2"],"exit":0,"scenario":"say","builtin":null,"completed":["said"],"mode":"command"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			got := objects(t, c.lines...)
			for i, w := range c.want {
				if w == "" && i < len(got) {
					c.want[i] = got[i]
				}
			}
			equal(t, got, c.want)
		})
	}
	t.Run("banner, intro and outro are out", func(t *testing.T) {
		got := objects(t, "chat", "hi", "/exit")
		if len(got) != 3 || !strings.Contains(got[0], "My Lab") || !strings.Contains(got[0], `"in"],"err":[],"exit":0,"scenario":"chat"`) || !strings.Contains(got[0], `"mode":"session"`) ||
			got[2] != `{"in":"/exit","terminal":"one","out":["out"],"err":[],"exit":0,"scenario":null,"builtin":null,"completed":[],"mode":"command"}` {
			t.Errorf("got %s", strings.Join(got, "\n"))
		}
	})
	t.Run("interrupt and rerun", func(t *testing.T) {
		got := objects(t, "login", "@interrupt", "push", "@control net on", "@rerun", "@expect state ci.runs.1.conclusion \"success\"")
		if len(got) != 5 || !strings.Contains(got[1], `"in":"@interrupt"`) || !strings.Contains(got[1], `"exit":130`) || !strings.Contains(got[1], `"mode":"command"`) || !strings.Contains(got[4], `{"in":"@rerun","terminal":"one",`) {
			t.Errorf("got %s", strings.Join(got, "\n"))
		}
	})
	t.Run("an expectation that fails prints one", func(t *testing.T) {
		p := run(t, "fail\n@expect exit=0\nsay a\n", folder(t, labspace, simulator), "--json", "--script", "-")
		lines := strings.Split(strings.TrimSuffix(p.out, "\n"), "\n")
		if p.exit != 1 || len(lines) != 2 || !strings.HasPrefix(lines[1], `{"in":"@expect exit=0"`) {
			t.Errorf("exit %d, %s", p.exit, p.out)
		}
	})
}

func TestExpect(t *testing.T) {
	for _, c := range []struct {
		lines, holds, fails string
	}{
		{"fail", "exit=3", "exit=0"},
		{"say a", "exit=0", "exit=1"},
		{"say a", "out said a", "out said b"},
		{"say a", "out aid a\n@expect out line <", "out e1"},
		{"say a", "err e2", "err said"},
		{"nope", "err what?", "err e"},
		{"say 'a  b '", "out a  b ", "out a b"},
		{"say a", "scenario say", "scenario sa"},
		{"ls", "exit=0", "scenario ls"},
		{"say a", "completed said", "completed sai"},
		{"fail", "exit=3", "completed said"},
		{"set", "state docker.running true", "state docker.running false"},
		{"set", `state docker {"running": true}`, `state docker {}`},
		{"", "state n 1", "state n 2"},
		{"", "state n 1.0", `state n "1"`},
		{"", `state text "3"`, "state text 3"},
		{"", "state gone null", "state gone 1"},
		{"say a", `state history ["say a"]`, "state history []"},
		{"set", "file d/f hello", "file d/f bye"},
		{"set", "file /d/f world", "file d hello"},
		{"", "file seed.txt seeded", "file gone x"},
		{"", "mode command", "mode session"},
		{"chat", "mode session", "mode command"},
		{"login", "mode input", "mode command"},
		{"login\nann\npw", "completed logged", "mode input"},
		{`say "a`, "mode continuation", "mode command"},
		{"chat\nhi", "scenario turn", "scenario chat"},
		{"chat\n!say a", "completed said", "scenario turn"},
		{"chat\n/exit", "out out", "mode session"},
		{"say a\nfail", "exit=3", "out said"},
	} {
		if p := script(t, c.lines, "@expect "+c.holds); p.exit != 0 {
			t.Errorf("after %q: %s does not hold: %s", c.lines, c.holds, p.err)
		}
		p := script(t, c.lines, "@expect "+c.fails, "@expect exit=77")
		line := strings.Count(c.lines, "\n") + 2
		if p.exit != 1 || !strings.Contains(p.err, "@expect "+c.fails) || !strings.Contains(p.err, ":"+string(rune('0'+line))) || strings.Contains(p.err, "exit=77") {
			t.Errorf("after %q: %s holds, or its line is not said: exit %d, %s", c.lines, c.fails, p.exit, p.err)
		}
	}
}

func TestExpectAfterActing(t *testing.T) {
	p := script(t,
		"@control net on", "@expect state net.on true", "@control net off", "@expect state net.on false",
		`@save f.txt "a\nb"`, "@expect file f.txt a", "cat f.txt", "@expect out a", "@expect out b",
		"push", "@expect state ci.runs.0.conclusion \"failure\"", "@control net on", "@rerun", "@expect state ci.runs.1.conclusion \"success\"",
		"set", "@undo", "@expect state docker.running false", "@expect file f.txt b",
		"login", "@interrupt", "@expect exit=130", "@expect mode command",
		"@terminal two", "@expect mode command", "where", "@expect out two", "@terminal one", "where", "@expect exit=9",
		"@reset", "@expect state net null", "@expect state history []",
	)
	if p.exit != 0 {
		t.Errorf("exit %d: %s", p.exit, p.err)
	}
}

func TestMaskedInput(t *testing.T) {
	for _, json := range []string{"--json", ""} {
		args := []string{folder(t, labspace, simulator), "--script", "-"}
		if json != "" {
			args = append(args, json)
		}
		p := run(t, "login\nann\nhunter2\nls\n", args...)
		if p.exit != 0 || strings.Contains(p.out+p.err, "hunter2") || !strings.Contains(p.out, "•••••••") || strings.Contains(p.out, "••••••••") {
			t.Errorf("%s: exit %d\n%s%s", json, p.exit, p.out, p.err)
		}
	}
}

func TestEndInContinuation(t *testing.T) {
	for _, line := range []string{`say "a`, "say 'a", `say a\`} {
		p := run(t, line+"\n", folder(t, labspace, simulator), "--json", "--script", "-")
		lines := strings.Split(strings.TrimSuffix(p.out, "\n"), "\n")
		last := lines[len(lines)-1]
		if !strings.Contains(last, `"exit":2,"scenario":null`) || strings.Contains(last, `"err":[]`) || !strings.Contains(last, `"mode":"command"`) {
			t.Errorf("%s: %s", line, p.out)
		}
	}
}

func TestText(t *testing.T) {
	p := script(t, "say a", "fail", "chat", "hi", "/exit")
	at := 0
	for _, want := range []string{"say a", "said a", "line <&>", "e1", "e2", "fail", "3", "chat", "My Lab", "in", "hi", "ho", "/exit", "out"} {
		i := strings.Index(p.out[at:], want)
		if i < 0 {
			t.Fatalf("no %q in\n%s", want, p.out[at:])
		}
		at += i + len(want)
	}
}

func TestScripts(t *testing.T) {
	lab := folder(t, labspace, simulator)
	file := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(file, []byte("say a\r\n@expect scenario say\r\nfail\r\n@expect exit=3"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		stdin string
		args  []string
		exit  int
	}{
		"a file, carriage returns, no last newline": {"", []string{lab, "--script", file}, 0},
		"flags first":                     {"", []string{"--script", file, lab}, 0},
		"a flag with =":                   {"", []string{"--script=" + file, lab}, 0},
		"standard input":                  {"fail\n@expect exit=3\n", []string{lab, "--script", "-"}, 0},
		"empty":                           {"", []string{lab, "--script", "-"}, 0},
		"a failing command is no failure": {"fail\nnope\n", []string{lab, "--script", "-"}, 0},
		"a script that is not there":      {"", []string{lab, "--script", file + "-gone"}, 2},
		"no lab":                          {"", []string{filepath.Join(lab, "gone"), "--script", "-"}, 2},
		"no operand":                      {"", []string{"--script", "-"}, 2},
		"two operands":                    {"", []string{lab, lab, "--script", "-"}, 2},
		"an unknown flag":                 {"", []string{lab, "--scrpt", "-"}, 2},
		"not UTF-8":                       {"say \xff\n", []string{lab, "--script", "-"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			p := run(t, c.stdin, c.args...)
			if p.exit != c.exit || (p.exit != 0) != (p.err != "") {
				t.Errorf("exit %d, want %d\n%s%s", p.exit, c.exit, p.out, p.err)
			}
		})
	}
}

func TestBadScripts(t *testing.T) {
	for _, line := range []string{
		"@", "@nope", "@Terminal one", "@terminal", "@terminal three", "@control", "@control net", "@control net maybe", "@control other on", "@control net on now",
		"@save", "@save f", "@save f text", "@save f {}", "@undo 2", "@reset now", "@rerun x",
		"@expect", "@expect nothing", "@expect exit", "@expect exit=x", "@expect exit 3", "@expect scenario", "@expect completed", "@expect mode", "@expect mode idle",
		"@expect state", "@expect state a", "@expect state a {", "@expect state a..b 1", "@expect state a 1 2", "@expect file",
	} {
		p := script(t, "say a", line)
		if p.exit != 2 || !strings.Contains(p.err, line) || !strings.Contains(p.err, ":2:") {
			t.Errorf("%s: exit %d, %s", line, p.exit, p.err)
		}
		if p.out != "" {
			t.Errorf("%s: half played", line)
		}
	}
}

func TestLoading(t *testing.T) {
	for name, c := range map[string]struct {
		labspace, simulator string
		exit                int
	}{
		"a lab that does not parse":       {labspace, "version: \"2.0\"\nscenarios: [\n", 2},
		"a lab that is not of the schema": {labspace, "version: \"2.0\"\nscenaris: []\n", 2},
		"a simulator that is not there":   {"simulator: gone.yaml\n", "", 2},
		"another version":                 {labspace, "version: \"1.0\"\nscenarios: []\n", 2},
		"slides":                          {"kind: slides\n", "", 2},
		"findings about references": {labspace, `version: "2.0"
scenarios:
  - {id: x, when: {command: x, terminal: nowhere}, completes: no-step, then: {output: [{text: "{{ args.9 }}", delay: nopace}], ci: {workflow: none}}}
  - {id: x, when: {command: y}, then: {}}
  - {when: {command: z}, then: {}}
`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := run(t, "y\n", folder(t, c.labspace, c.simulator), "--script", "-")
			if p.exit != c.exit {
				t.Errorf("exit %d, want %d: %s", p.exit, c.exit, p.err)
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                "plain",
		"a\tb":                 "a\tb",
		"\x1b[1;31mred\x1b[0m": "\x1b[1;31mred\x1b[0m",
		"\x1b[38;5;12mx\x1b[m": "\x1b[38;5;12mx\x1b[m",
		"é 🐋 \u4e2d":           "é 🐋 \u4e2d",
		"bell\a\b\x00":         "bell",
		"carriage\rreturn":     "carriagereturn",
	} {
		if got := play.Printable(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"\x1b[2J", "\x1b[?1049h", "\x1b]0;title\a", "\x1b[6n", "\x1bc", "\u009b31m", "\x1b[1A", "\x1bP1$r\x1b\\", "\x1b[31\x1b[2Jm"} {
		if got := play.Printable(text); strings.ContainsAny(got, "\x1b\u009b\a") {
			t.Errorf("%q gives %q", text, got)
		}
	}
}
