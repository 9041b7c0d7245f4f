package session_test

import (
	"fmt"
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/session"
)

// TestCanonical: what a session's id is made of does not depend on how the steps are written down, and on all they say.
func TestCanonical(t *testing.T) {
	const want = `[{"after":100000000,"input":"a <b>"},{"call":{"text":"c","tool":{"id":"s2-tool","input":{"x":1.0,"y":[2]},"name":"Bash"},` +
		`"usage":{"cache_read":900,"cache_write":100,"in":2,"out":10}},"checkpoint":"d"}]`
	for _, lines := range []string{
		"- {input: a <b>, after: 100ms}\n- {call: {text: c, tool: {name: Bash, input: {x: 1.0, y: [2]}}}, checkpoint: d}\n",
		"- after: 0.1s # soon\n  input: 'a <b>'\n- checkpoint: d\n  lost: false\n  call:\n    usage: {out: 10}\n    tool: {id: s2-tool, input: {y: [2], x: 1.0}, name: \"Bash\"}\n    text: |-\n      c\n",
	} {
		if got := string(steps(t, lines).Canonical()); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	// Every key counts: taking any out of the file that has all of them makes another text.
	src := file(t, "testdata/good/scenario.yaml")
	whole := string(scenario(t, src).Canonical())
	for _, change := range []string{
		"and the basil => and basil", "after: 0\n => after: 1s\n", "mode: task-notification => mode: prompt", "lost: true\n  - inject => lost: false\n  - inject",
		"skill_listing => listing", "skills: water => skills: feed", "thinking: unavailable => thinking: hm", "Opening the => Closing the", "out: 40 => out: 41",
		"id: valve-1 => id: valve-2", "name: Read => name: Write", "0x1f => 0x2f", "after: 1.5s => after: 1.6s", "string: true => string: false", "text: gone, lost: true => text: gone, lost: false",
		"checkpoint: watering => checkpoint: watered", "of: s8-tool => of: late", "text: closed => text: shut", "failed: true => failed: false", "after: 1m => after: 2m",
		"prompt: look at => prompt: see", "notify: true => notify: false", "after: 3s => after: 4s", "A leaf miner => A miner", "is this, lost: true => is this, lost: false",
		"name: prune => name: cut", "agent: pruner => agent: cutter", "Pruned => Cut", "& report => & tell", "name: north bed => name: northern bed", "look north => see north", "look south, lost: true => look south, lost: false",
		"the line is dead => no line", "replay: 4 => replay: 3", "turn_duration => other", "5200 => 5300", "everything was => all was",
	} {
		from, to, _ := strings.Cut(change, " => ")
		text := strings.Replace(src.Text, from, to, 1)
		if text == src.Text {
			t.Errorf("%q does not stand in the file", from)
		}
		if string(scenario(t, diag.NewSource("s", text)).Canonical()) == whole {
			t.Errorf("%s changes nothing", change)
		}
	}
	for _, change := range []string{"interval: 2s => interval: 3s", "title: a => title: the", "project: -home => project: -tmp"} {
		from, to, _ := strings.Cut(change, " => ")
		if string(scenario(t, diag.NewSource("s", strings.Replace(src.Text, from, to, 1))).Canonical()) != whole {
			t.Errorf("%s is not of the steps", change)
		}
	}
}

func TestRunID(t *testing.T) {
	for name, want := range map[string]string{"verify": "wf_verify", "<all> & report": "wf_run--all----report", "_x": "wf_run-_x", "à B9": "wf_run---B9", "9": "wf_9"} {
		if got := session.RunID(name); got != want {
			t.Errorf("%q: %s", name, got)
		}
	}
}

// TestInputJSON: what a tool is given stands in the record as it was written.
func TestInputJSON(t *testing.T) {
	for written, want := range map[string]string{
		`{b: 1, a: 2}`:               `{"b":1,"a":2}`,
		`{a: "<&>\u2028\u2029\x7f"}`: "{\"a\":\"<&>\u2028\u2029\x7f\"}",
		`{a: "\b\t\n\r\e\\\"/"}`:     `{"a":"\u0008\t\n\r\u001b\\\"/"}`,
		`{a: [+1, -0, 00.50, +.5e-3, 9007199254740993, 1e400, -007]}`: `{"a":[1,-0,0.50,0.5e-3,9007199254740993,1e400,-7]}`,
		`{a: 0xffffffffffffffff, "b c": {}, d: []}`:                   `{"a":18446744073709551615,"b c":{},"d":[]}`,
		`{a: 12:30:00, b: yes, c: ~, d: 5.e2}`:                        `{"a":"12:30:00","b":"yes","c":null,"d":5e2}`,
	} {
		s := steps(t, "- call: {tool: {name: Bash, input: "+written+"}}\n")
		if got := string(s.Steps[0].Call.Tool.Input); got != want {
			t.Errorf("%s: %s", written, got)
		}
	}
}

// TestRecords: what a step writes to its own stream, by which a replay is bounded.
func TestRecords(t *testing.T) {
	for line, want := range map[string]int{
		"input: a": 1, "error: a": 1, "reset: {summary: a}": 2, "system: {subtype: a}": 1, "inject: {type: a}": 1, "queued: {text: a}": 1,
		"call: {thinking: a, text: b}": 2, "call: {tool: {name: a}}": 1, "call: {tool: {name: a, result: {lost: true}}}": 2,
		"call: {text: a, agent: {name: a, steps: [{input: b}]}}": 3, "call: {agent: {name: a, notify: true}}": 3,
		"call: {skill: {name: a, agent: b}}": 2, "call: {workflow: {name: a, children: [{name: b}]}}": 2,
	} {
		s := steps(t, "- {"+line+"}\n")
		if got := s.Steps[0].Records(); got != want {
			t.Errorf("%s: %d", line, got)
		}
		for more := range 2 {
			src := diag.NewSource("s", fmt.Sprintf("steps:\n- {%s}\n- replay: %d\n", line, want+more))
			if _, findings := session.Parse(src); len(findings) != more {
				t.Errorf("%s %s", src.Text, text(findings))
			}
		}
	}
}
