package sim_test

import (
	"slices"
	"testing"

	"asz/shared/sim"
)

// TestE3FlagFirst: a line may begin with a flag; the leading positionals decide.
func TestE3FlagFirst(t *testing.T) {
	play(t, `
scenarios:
  - { id: by-value, when: { command: tool get, args: { --as: { any: true } } }, then: { output: ["{{ args.as }}"] } }
  - { id: foo, when: { command: foo }, then: {} }
  - { id: dashed, when: { command: "-x" }, then: {} }
  - { id: status, when: { command: git status, args: { -C: { any: true } } }, then: { output: ["{{ args.C }}"] } }
`, `
		$ -v foo
		= foo
		$ -- foo
		= foo
		$ --as me tool get
		| me
		= by-value
		$ -x
		= dashed
		$ -C dir git status
		| dir
		= status
		$ -v bar
		= none
	`)
}

// TestE6SeedsJoin: dotted and nested keys of the seed make one map.
func TestE6SeedsJoin(t *testing.T) {
	for _, state := range []string{
		`{ docker.running: true, docker: { name: x } }`,
		`{ docker: { name: x }, docker.running: true }`,
		`{ docker: { running: true }, docker.name: x }`,
	} {
		p := player(t, "state: "+state+"\nscenarios: []")
		docker := p.State().Lookup([]string{"docker"})
		running, _ := docker.Get("running")
		if name, _ := docker.Get("name"); name.Text() != "x" || !running.Truth() {
			t.Errorf("%s gives %s", state, docker.AppendJSON(nil))
		}
	}
	rejects(t, "state: { a.b: 1, a: { b: 2 } }\nscenarios: []", "state-path")
	rejects(t, "state: { a: { b: 2 }, a.b: 1 }\nscenarios: []", "state-path")
}

// TestE11TraceOfLists: what is explained is the command that decided the line,
// in the state that it met.
func TestE11TraceOfLists(t *testing.T) {
	p := player(t, `
scenarios:
  - { id: ok, when: { command: ok }, then: { state: { ready: true } } }
  - { id: first, when: { command: x, state: { history.0: x } }, then: {} }
  - { id: later, when: { command: x }, then: {} }
  - { id: ready, when: { command: go, state: { ready: false } }, then: {} }
`)
	explain := func(line string) []sim.Miss {
		id, _ := p.Act("line", "terminal", line)
		return p.Explain(id)
	}
	matched := func(m sim.Miss) bool { return m.Condition == "" }
	if misses := explain("x"); !slices.ContainsFunc(misses, func(m sim.Miss) bool { return m.Scenario == "first" && matched(m) }) {
		t.Errorf("a guard on history sees the line itself: %v", misses)
	}
	if misses := explain("ok && nope"); slices.ContainsFunc(misses, matched) || len(misses) != 4 {
		t.Errorf("nothing takes the last command: %v", misses)
	}
	misses := explain("ok; go")
	if last := misses[len(misses)-1]; last.Scenario != "ready" || last.Condition != "state" || last.Got != "true" {
		t.Errorf("the state is that after the first command: %v", misses)
	}
}

// TestE15UndoOfAContinuedLine: the lines of one command are one line.
func TestE15UndoOfAContinuedLine(t *testing.T) {
	play(t, "scenarios: [{ id: set, when: { command: set a }, then: { state: { v: 1 } } }]", `
		$ set \
		= - mode=continuation
		$  a
		= set
		? v 1
		@ undo
		= - mode=command
		? v null
	`)
}

// TestE12OneShotThinks: an agent is spoken to, in a session and by -p.
func TestE12OneShotThinks(t *testing.T) {
	p := player(t, `
scenarios:
  - { id: chat, when: { command: chat }, then: { session: { prompt: "a> " } } }
  - { id: any, when: { agent: true }, then: { output: [yes] } }
`)
	for line, turn := range map[string]bool{"chat -p hello": true, "ls": false, "chat": false} {
		if _, o := p.Act("line", "terminal", line); o.Turn != turn {
			t.Errorf("%s: turn is %v", line, o.Turn)
		}
		p.Act("reset", "terminal", "")
	}
}
