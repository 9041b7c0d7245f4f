package sim_test

import (
	"strings"
	"testing"

	"asz/shared/sim"
)

// matches plays each line in a lab of one scenario `x` and compares the
// scenario with whether the line is expected to match.
func matches(t *testing.T, when string, yes, no []string) {
	t.Helper()
	p := player(t, "scenarios:\n  - {id: x, when: "+when+", then: {}}\n")
	for i, line := range append(yes[:len(yes):len(yes)], no...) {
		_, o := p.Act("line", "terminal", line)
		if got, want := o.Scenario() == "x", i < len(yes); got != want {
			t.Errorf("when %s: %q matches: %v, want %v", when, line, got, want)
		}
	}
}

func lines(s ...string) []string { return s }

func TestE3CommandPath(t *testing.T) {
	for _, c := range []struct {
		name, when string
		yes, no    []string
	}{
		{"leading words", "{command: docker run}",
			lines("docker run", "docker run nginx", "docker run -d --name x nginx", "docker  run"),
			lines("docker", "docker runs", "run docker", "docker ps run", "xdocker run", "Docker run")},
		{"one word", "{command: docker}", lines("docker", "docker run", "docker --help"), lines("dockerd", "sudo docker")},
		{"a list is the same", "{command: [git, commit]}", lines("git commit", "git commit -m x"), lines("git", "git push")},
		{"a flag in the path", "{command: kubectl apply -f}",
			lines("kubectl apply -f", "kubectl apply -f x.yaml"),
			lines("kubectl apply x.yaml", "kubectl -n x apply -f", "kubectl apply -n x -f y", "kubectl apply --f x", "kubectl apply -f=x")},
		{"a flag in a list", "{command: [ls, -la]}", lines("ls -la", "ls -la app"), lines("ls -l -a", "ls -al", "ls app -la")},
		{"flags before the path's end", "{command: git status}",
			lines("git -C dir status", "git --git-dir=x status", "git -C dir status -s", "git -C a -c b status"), lines("git dir status", "git -C dir")},
		{"a flag without value before the path's end", "{command: git status}",
			lines("git --no-pager status", "git --no-pager -v status", "git -- status"), nil},
		{"words compare after quoting", "{command: git status}",
			lines(`"git" status`, `g'it' sta"tus"`, `git st\atus`), lines(`"git status"`, `git\ status`)},
		{"a path word with a blank", `{command: ["my tool", go]}`, lines(`"my tool" go`, `my\ tool go x`), lines("my tool go")},
		{"a path string is split at blanks", `{command: "  a   b "}`, lines("a b", "a b c"), lines(`"a b"`)},
		{"quotes mean nothing in a path string", `{command: "say 'a b'"}`, lines(`say \'a b\'`, `say "'a" "b'"`), lines("say 'a b'")},
		{"an empty when", "{}", lines("anything", "any thing", "-x"), nil},
		{"an empty path", `{command: ""}`, lines("anything", "any thing"), nil},
		{"an empty list", `{command: []}`, lines("anything", "any thing"), nil},
		{"an empty path counts from the first word", "{args: {0: a, 1: b}}", lines("a b", "a b c"), lines("a", "b a")},
		{"longer than the line", "{command: a b c}", lines("a b c"), lines("a b", "a")},
		{"positionals count after the path", "{command: docker run, args: {0: nginx}}",
			lines("docker run nginx", "docker run nginx x"), lines("docker run", "docker run x nginx")},
		{"positionals count after a path with a flag", "{command: kubectl apply -f, args: {0: x, 1: y}}",
			lines("kubectl apply -f x y"), lines("kubectl apply -f y x", "kubectl apply -f x")},
		{"positionals count after flags in the path", "{command: git add, args: {0: f}}",
			lines("git -C dir add f", "git --no-pager add f"), lines("git -C f add")},
		{"a path of builtin words", "{command: ls app}", lines("ls app"), lines("ls", "ls lib")},
		{"case counts", "{command: Make}", lines("Make"), lines("make")},
		{"a comment is no word", "{command: a b}", lines("a b #c"), lines("a #b")},
	} {
		t.Run(c.name, func(t *testing.T) { matches(t, c.when, c.yes, c.no) })
	}
	t.Run("a missing when", func(t *testing.T) {
		play(t, "scenarios: [{id: all, then: {output: [all]}}]", "$ x y\n| all\n= all\n$ ls\n| all\n= all")
	})
	t.Run("not agent prompts", func(t *testing.T) {
		play(t, "scenarios: [{id: chat, when: {command: chat}, then: {session: {}}}, {id: all, when: {}, then: {}}]",
			"$ chat\n| *\n$ x\n| *\n= - mode=session")
	})
	t.Run("captures under flags before the path's end", func(t *testing.T) {
		play(t, "scenarios: [{id: x, when: {command: git add, args: {0: {any: true}, -C: {any: true}}}, then: {output: ['{{ args.0 }} {{ args.C }}']}}]",
			"$ git -C dir add f\n| f dir\n$ git add f -C dir\n| f dir\n$ git add -C dir f\n| f dir")
	})
}

func TestPrepare(t *testing.T) {
	p := player(t, "scenarios: [{id: x, when: {command: a, args: {0: {any: true}}}, then: {}}]")
	for line, want := range map[string]bool{"a": true, "a b": true, "a ';' b": true, "nope": true, "": false, "# a": false, "a; a": false, "a && b": false, "a 'b": false, "; a": false, `a \`: false} {
		if q := p.Engine().Prepare("terminal", line); (q != nil) != want {
			t.Errorf("%q is prepared: %v", line, q != nil)
		}
	}
	rule, captures := p.Engine().Prepare("terminal", "a b").Select(p.State())
	if rule != 0 || len(captures) != 1 || captures[0] != (sim.Capture{Name: "0", Value: "b"}) {
		t.Errorf("rule %d, captures %v", rule, captures)
	}
	if rule, _ := p.Engine().Prepare("terminal", "b a").Select(p.State()); rule != -1 {
		t.Errorf("rule %d", rule)
	}
}

func TestSimulator5First(t *testing.T) {
	const lab = `
scenarios:
  - {id: special, when: {command: a, args: {0: b}}, then: {}}
  - {id: general, when: {command: a}, then: {}}
  - {id: later, when: {command: a, args: {0: c}}, then: {}}
  - {id: own-ls, when: {command: ls, args: {0: x}}, then: {output: [mine]}}
`
	for name, transcript := range map[string]string{
		"first match wins":           "$ a b\n= special\n$ a c\n= general\n$ a\n= general",
		"scenarios before builtins":  "$ ls x\n| mine\n= own-ls\n$ ls\n= ls()",
		"builtins before unmatched":  "$ cat x\n! *\n= cat() exit=1\n$ cats\n= none",
		"builtins need their word":   "$ /bin/ls\n= none\n$ LS\n= none",
		"a quoted builtin is itself": "$ \"ls\"\n= ls()",
	} {
		t.Run(name, func(t *testing.T) { play(t, lab, transcript) })
	}
	t.Run("state gates", func(t *testing.T) {
		play(t, `
scenarios:
  - {id: off, when: {command: flip, state: {on: false}}, then: {state: {on: true}}}
  - {id: on, when: {command: flip, state: {on: true}}, then: {state: {on: false}}}
`, strings.Repeat("$ flip\n= off\n$ flip\n= on\n", 3))
	})
	t.Run("all conditions hold together", func(t *testing.T) {
		play(t, `
state: {s: 1}
scenarios:
  - {id: x, when: {command: a, args: {-f: true, 0: b}, terminal: two, state: {s: 1}}, then: {}}
`, `
$ a b -f
= none
@ terminal two
$ a b -f
= x
$ a -f
= none
$ a b
= none
$ b a -f
= none`, "terminals: [{id: one, title: A}, {id: two, title: B}]")
	})
}

func TestSimulator6Terminal(t *testing.T) {
	const two = "terminals: [{id: one, title: A}, {id: agent, title: B}]"
	play(t, `
scenarios:
  - {id: scoped, when: {command: x, terminal: agent}, then: {state: {by: agent}, files: [{create: f, content: hi}]}}
  - {id: open, when: {command: x}, then: {}}
  - {id: chat, when: {command: chat}, then: {session: {}}}
  - {id: here, when: {agent: true, terminal: agent}, then: {}}
  - {id: there, when: {agent: true}, then: {}}
`, `
$ x
= open
@ terminal agent
$ x
= scoped
@ terminal one
? by "agent"
$ cat f
| hi
$ chat
| *
$ hello
= there
@ terminal agent
$ chat
| *
$ hello
= here`, two)
}
