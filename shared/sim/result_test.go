package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asz/shared/sim"
)

func TestE11Result(t *testing.T) {
	t.Run("blocks in order, each with its delay", func(t *testing.T) {
		p := player(t, `
settings: {pace: {pull: 900, short: 150}}
scenarios:
  - id: x
    when: {command: c}
    then:
      stderr: [e1, {text: e2, delay: long}]
      mcp: [{tool: t.a, arguments: {b: 1, a: [2]}, result: "r1\nr2\n"}]
      output: [o1, {text: o2, delay: 5}, {delay: medium}, {text: o3, delay: pull}, {text: o4, delay: short}, {text: o5, delay: 0}]
`)
		_, o := p.Act("line", "terminal", "c")
		var got []string
		for _, b := range o.Blocks() {
			if b.Pause {
				b.Text = "(pause)"
			}
			got = append(got, fmt.Sprintf("%d %s %d", b.Stream, b.Text, b.Delay))
		}
		want := []string{"0 o1 -1", "0 o2 5", "0 (pause) 700", "0 o3 900", "0 o4 150", "0 o5 0", "", "", "1 e1 -1", "1 e2 1400"}
		if len(got) < 8 || !slices.Equal(got[:6], want[:6]) || !slices.Equal(got[len(got)-2:], want[8:]) {
			t.Errorf("blocks %q", got)
		}
		if out := o.Lines(sim.Stdout); !slices.Equal(out, lines("o1", "o2", "o3", "o4", "o5", `→ t.a {"a":[2],"b":1}`, "  r1", "  r2")) {
			t.Errorf("stdout %q", out)
		}
	})
	t.Run("exit", func(t *testing.T) {
		const text = `
scenarios:
  - {id: own, when: {command: own}, then: {exit: 4}}
  - {id: zero, when: {command: zero}, then: {exit: 0}}
  - {id: bare, when: {command: plain}, then: {}}
  - {id: chat, when: {command: chat}, then: {exit: 0, session: {}}}
  - {id: turn, when: {agent: true, prompt: a}, then: {}}
`
		play(t, text, "$ own\n= own exit=4\n$ zero\n= zero exit=0\n$ plain\n= bare exit=0\n$ chat\n| *\n$ a\n= turn exit=0")
		play(t, "defaults: {exit: 5}\n"+text, "$ own\n= own exit=4\n$ zero\n= zero exit=0\n$ plain\n= bare exit=5\n$ chat\n| *\n$ a\n= turn exit=5")
	})
	t.Run("scenario, builtin or neither", func(t *testing.T) {
		play(t, "scenarios: [{id: x, when: {command: c}, then: {}}]", "$ c\n= x\n$ ls\n= ls()\n$ nope\n= none")
	})
	t.Run("completed", func(t *testing.T) {
		p := play(t, "scenarios: [{id: x, when: {command: c}, completes: s, then: {exit: 1}}, {id: y, when: {command: d}, then: {}}]",
			"$ c\n= x exit=1 done=s\n$ d\n= y done=\n$ nope\n= none done=")
		if !p.State().Done("s") || p.State().Done("t") {
			t.Error("done")
		}
	})
	t.Run("changes", func(t *testing.T) {
		p := player(t, `
workflows: [{id: w, steps: [{id: s}]}]
scenarios:
  - {id: x, when: {command: c}, then: {state: {a.b: 1, "l +=": 2}, files: [{create: d/f, content: x}], ci: {workflow: w}}}
  - {id: y, when: {command: d}, then: {output: [x]}}
`)
		_, o := p.Act("line", "terminal", "c")
		ch := o.Changes()
		if !slices.Contains(ch.State, "a.b") || !slices.Contains(ch.State, "l") || !slices.Contains(ch.Files, "d/f") || ch.Run != 1 {
			t.Errorf("changes %+v", ch)
		}
		_, o = p.Act("line", "terminal", "d")
		if ch := o.Changes(); len(ch.State)+len(ch.Files)+ch.Run != 0 {
			t.Errorf("changes %+v", ch)
		}
	})
	t.Run("trace", func(t *testing.T) {
		p := player(t, `
state: {on: false}
scenarios:
  - {id: path, when: {command: docker ps}, then: {}}
  - {id: args, when: {command: docker run, args: {--name: web, -d: true}, state: {on: true}}, then: {}}
  - {id: prompt, when: {command: docker run, prompt: redis}, then: {}}
  - {id: terminal, when: {command: docker run, terminal: other}, then: {}}
  - {id: state, when: {command: docker run, state: {on: true}}, then: {}}
  - {id: hit, when: {command: docker run}, then: {}}
  - {id: after, when: {command: docker run}, then: {}}
`, "terminals: [{id: terminal, title: A}, {id: other, title: B}]")
		id, _ := p.Act("line", "terminal", "docker run --name db nginx")
		var got []string
		for _, m := range p.Explain(id) {
			got = append(got, strings.TrimSpace(m.Scenario+" "+m.Condition+" "+m.Name))
		}
		want := []string{"path command", "args args name", "prompt prompt", "terminal terminal", "state state on", "hit"}
		for i, w := range want {
			if i >= len(got) || got[i] != w && got[i] != strings.Replace(w, "args name", "args --name", 1) {
				t.Fatalf("trace %q, want %q", got, want)
			}
		}
		if len(got) != len(want) {
			t.Errorf("trace %q, want %q", got, want)
		}
	})
}

func TestE11ResultUnmatched(t *testing.T) {
	const chat = "scenarios: [{id: chat, when: {command: chat}, then: {session: {}}}]\n"
	t.Run("without defaults", func(t *testing.T) {
		play(t, chat, "$ nope\n! "+notSimulated+"\n= - exit=127\n$ chat\n| *\n$ hello\n| Agent: I'm not sure how to help with that in this lab.\n= - exit=0 mode=session")
	})
	t.Run("with defaults", func(t *testing.T) {
		play(t, chat+`
defaults:
  unmatched: {output: [o], stderr: ["not here"], exit: 1}
  unmatchedAgent: {output: [what], stderr: [hm], exit: 2}
`, "$ nope\n| o\n! not here\n= - exit=1\n$ chat\n| *\n$ hello\n| what\n! hm\n= - exit=2")
	})
	t.Run("only one of them", func(t *testing.T) {
		play(t, chat+"defaults: {unmatchedAgent: {output: [what]}}", "$ nope\n= none\n$ chat\n| *\n$ hello\n| what")
	})
	t.Run("with delays", func(t *testing.T) {
		p := player(t, chat+"defaults: {unmatched: {stderr: [{text: slow, delay: short}], exit: 1}}")
		_, o := p.Act("line", "terminal", "nope")
		if b := o.Blocks(); len(b) != 1 || b[0].Delay != 250 {
			t.Errorf("blocks %+v", b)
		}
	})
}

func TestSimulator3Version(t *testing.T) {
	for version, want := range map[string]string{
		`"2.0"`: "", `"2.1"`: "", `"2"`: "", `'2.10'`: "", "2.0": "version-unquoted", "2": "version-unquoted",
		`"1.0"`: "version-unknown", `"3.0"`: "version-unknown", `"20.0"`: "version-unknown", `"0.2"`: "version-unknown", `"two"`: "version-unknown", `"v2.0"`: "version-unknown",
	} {
		t.Run(version, func(t *testing.T) {
			loaded := load(t, "version: "+version+"\nscenarios: []\n", "")
			var got []string
			for _, f := range loaded.Findings {
				got = append(got, string(f.Code))
			}
			if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) || (loaded.Lab == nil) != (want == "version-unknown") {
				t.Errorf("findings %q, want %q; loads: %v", got, want, loaded.Lab != nil)
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		rejects(t, "version:\nscenarios: []\n", "missing-key", "wrong-type", "version-unknown")
	})
	t.Run("opaque and informational keys", func(t *testing.T) {
		play(t, `
compatibility: {simulator: ">=9.0"}
metadata: {id: docker-basics, title: "Docker Basics", summary: s, authors: ["A N"]}
objectives: ["Pull", "Run"]
scenarios: [{id: x, description: d, when: {command: c}, then: {}}]
`, "$ c\n= x")
	})
	t.Run("scenarios are required", func(t *testing.T) { rejects(t, "state: {}\n", "missing-key") })
	for name, scenario := range map[string]string{
		"then": "{id: x, when: {command: c}}",
	} {
		t.Run(name+" is required", func(t *testing.T) { rejects(t, "scenarios: ["+scenario+"]", "missing-key") })
	}
	t.Run("ids are unique", func(t *testing.T) {
		rejects(t, "scenarios: [{id: x, when: {command: c}, then: {}}, {id: x, when: {command: d}, then: {}}]", "duplicate-id")
	})
	t.Run("without an id: an error, and a name", func(t *testing.T) {
		const text = "scenarios: [{id: a, when: {command: a}, then: {}}, {when: {command: c}, then: {}}]"
		rejects(t, text, "scenario-id")
		p := player(t, text)
		_, o := p.Act("line", "terminal", "c")
		if id := o.Scenario(); id != "scenario-1" && id != "scenario-2" {
			t.Errorf("scenario %q", id)
		}
	})
	t.Run("command and agent exclude each other", func(t *testing.T) {
		rejects(t, "scenarios: [{id: x, when: {command: c, agent: true}, then: {}}]", "command-and-agent")
	})
	t.Run("input and session exclude each other", func(t *testing.T) {
		rejects(t, "scenarios: [{id: x, when: {command: c}, then: {session: {}, input: {key: k, prompt: p, then: {}}}}]", "input-and-session")
	})
}

func TestSimulator51Completes(t *testing.T) {
	play(t, `
state: {on: false}
scenarios:
  - {id: a, when: {command: c, state: {on: true}}, completes: done-step, then: {}}
  - {id: b, when: {command: c}, then: {state: {on: true}}}
  - {id: chat, when: {command: chat}, completes: chatted, then: {session: {}}}
  - {id: turn, when: {agent: true, prompt: hi}, completes: said, then: {output: [ho]}}
`, "$ c\n= b done=\n$ c\n= a done=done-step\n$ c\n= a done=done-step\n$ chat\n| *\n= chat done=chatted\n$ hi\n| ho\n= turn done=said\n$ ho\n| *\n= - done=")
}

func TestSimulator73Pacing(t *testing.T) {
	const text = `
scenarios:
  - id: x
    when: {command: c}
    then:
      output: [a, {text: "{{ state.v }}b", delay: 900}, {delay: long}, c]
state: {v: V}
`
	play(t, text, "$ c\n| a\n| Vb\n| c")
	t.Run("streaming off changes no text", func(t *testing.T) {
		p := play(t, text+"settings: {streaming: false, streamDelayMs: 0, agentThinkMs: 0}\n", "$ c\n| a\n| Vb\n| c")
		if s := p.Engine().Lab().Simulator.Settings; s.Streaming || s.StreamDelay != 0 || s.AgentThink != 0 {
			t.Errorf("settings %+v", s)
		}
	})
	t.Run("default settings", func(t *testing.T) {
		s := player(t, text).Engine().Lab().Simulator.Settings
		if !s.Streaming || s.StreamDelay != 20 || s.AgentThink != 700 {
			t.Errorf("settings %+v", s)
		}
	})
}

func TestSimulator9MCP(t *testing.T) {
	play(t, `
state: {mcp: {enabled: true}}
scenarios:
  - {id: gated, when: {command: search, state: {mcp.enabled: false}}, then: {output: ["blocked by policy"]}}
  - id: search
    when: {command: search}
    then:
      output: [searching]
      mcp:
        - tool: "github.search"
          arguments:
            repo: "docker/<sandbox>"
            b: {z: 1, a: 2}
            a: 1.0
          result: |
            3 repositories found.
        - {tool: none, arguments: {}, result: ""}
  - {id: off, when: {command: "off"}, then: {state: {mcp.enabled: false}}}
`, `
$ search
| searching
| → github.search {"a":1.0,"b":{"a":2,"z":1},"repo":"docker/<sandbox>"}
|   3 repositories found.
| → none {}
$ off
$ search
| blocked by policy
= gated`)
}

func TestSimulator11Controls(t *testing.T) {
	const text = `
state: {network: {exampleDomainAllowed: false}, tier: pro, num: 1.0, phase: start}
controls:
  - {id: net, label: Net, description: d, state: network.exampleDomainAllowed, enabled: true, disabled: false}
  - {id: tier, label: Tier, state: tier, enabled: "pro", disabled: "free"}
  - {id: num, label: Num, state: num, enabled: 1, disabled: null}
  - {id: fresh, label: Fresh, state: a.b}
scenarios:
  - {id: allowed, when: {command: curl, state: {network.exampleDomainAllowed: true}}, then: {output: ["<!DOCTYPE html>..."]}}
  - {id: blocked, when: {command: curl}, then: {stderr: ["curl: (7) Failed to connect: network policy blocks this domain."], exit: 7}}
`
	const blocked = "! curl: (7) Failed to connect: network policy blocks this domain.\n= blocked exit=7\n"
	play(t, text, "$ curl\n"+blocked+`
@ control net on
? network.exampleDomainAllowed true
$ curl
| <!DOCTYPE html>...
= allowed
@ control net off
? network.exampleDomainAllowed false
$ curl
`+blocked+`
@ control tier off
? tier "free"
@ control tier on
? tier "pro"
@ control num off
? num null
@ control fresh on
? a {"b":true}
@ control fresh off
? a {"b":false}
? history ["curl","curl","curl"]
@ control net on
@ reset
| *
! *
$ curl
`+blocked)
	t.Run("on when equal", func(t *testing.T) {
		p := player(t, text)
		on := func() (ids string) {
			for i := range p.Controls() {
				if c := &p.Controls()[i]; p.Engine().ControlOn(p.State(), c) {
					ids += c.ID + " "
				}
			}
			return ids
		}
		if got := on(); got != "tier num " {
			t.Errorf("on: %s", got)
		}
		p.Act("control", "terminal", "net on")
		p.Act("control", "terminal", "tier off")
		if got := on(); got != "net num " {
			t.Errorf("on: %s", got)
		}
		p.Act("reset", "terminal", "")
		if got := on(); got != "tier num " {
			t.Errorf("on after reset: %s", got)
		}
	})
}

func TestE11ResultTraceOfPrompts(t *testing.T) {
	p := player(t, `
scenarios:
  - {id: chat, when: {command: chat}, then: {session: {}}}
  - {id: exact, when: {agent: true, prompt: hi}, then: {}}
  - {id: words, when: {agent: true, promptContains: [b, zebra]}, then: {}}
  - {id: hit, when: {agent: true, promptContains: [b]}, then: {}}
`)
	p.Act("line", "terminal", "chat")
	id, o := p.Act("line", "terminal", "a b")
	var got []string
	for _, m := range p.Explain(id) {
		got = append(got, m.Scenario+" "+m.Condition)
	}
	if want := lines("exact prompt", "words promptContains", "hit "); !slices.Equal(got, want) || !o.Turn {
		t.Errorf("trace %q, want %q; a turn: %v", got, want, o.Turn)
	}
	id, o = p.Act("line", "terminal", "!chat")
	if misses := p.Explain(id); len(misses) != 1 || misses[0].Scenario != "chat" || misses[0].Condition != "" || o.Turn {
		t.Errorf("trace %v", misses)
	}
}

func TestE11ResultOfOtherActs(t *testing.T) {
	p := player(t, "state: {text: t}\ncontrols: [{id: bad, label: B, state: text.below}]\nscenarios: []", "files: {d/f: x}")
	before := p.State().Digest()
	for _, c := range [][3]string{
		{"control", "terminal", "bad on"}, {"control", "terminal", "nope on"},
		{"save", "terminal", "../out\nx"}, {"save", "terminal", "d\nx"}, {"save", "terminal", "d/f/g\nx"}, {"save", "terminal", "\nx"},
		{"line", "nowhere", "ls"}, {"nonsense", "terminal", ""}, {"rerun", "terminal", ""}, {"undo", "terminal", ""},
	} {
		_, o := p.Act(c[0], c[1], c[2])
		if o.Exit() == 0 || len(o.Lines(sim.Stderr)) == 0 || p.State().Digest() != before {
			t.Errorf("%q: exit %d, stderr %q", c, o.Exit(), o.Lines(sim.Stderr))
		}
	}
	for _, act := range []string{"interrupt", "end"} {
		if _, o := p.Act(act, "terminal", ""); o.Mode != sim.ModeCommand || p.State().Digest() != before {
			t.Errorf("%s changed something", act)
		}
	}
}

func TestE11ResultTraceOfOldActs(t *testing.T) {
	p := player(t, "scenarios: [{id: x, when: {command: c}, then: {}}]")
	for _, id := range []int{-1, 0, 1, 1 << 40} {
		if p.Explain(id) != nil {
			t.Errorf("an explanation of act %d, before any", id)
		}
	}
	var ids []int
	for range 3_000 {
		id, _ := p.Act("line", "terminal", "c")
		ids = append(ids, id)
		p.Act("control", "terminal", "none on")
	}
	if last := p.Explain(ids[len(ids)-1]); len(last) != 1 || last[0].Scenario != "x" {
		t.Errorf("of the last line: %v", last)
	}
	if p.Explain(ids[len(ids)-1]+1) != nil || p.Explain(ids[0]) != nil || p.Explain(ids[len(ids)-1]+2) != nil {
		t.Error("an explanation of what is no line, too old or still to come")
	}
}
