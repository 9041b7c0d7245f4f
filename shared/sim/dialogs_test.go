package sim_test

import (
	"slices"
	"strings"
	"testing"

	"asz/shared/sim"
)

const chatLab = `
state: {app: {hasHealth: false}}
workflows: [{id: w, steps: [{id: s}]}]
scenarios:
  - id: start
    when: {command: docker agent}
    completes: started
    then:
      output: ["Starting agent session..."]
      state: {agent.active: true}
      exit: 3
      session: {prompt: "agent> ", intro: [Ready., "Type /exit to quit."], outro: [Ended., Bye.]}
  - {id: other, when: {command: other}, then: {session: {prompt: "o> ", intro: [other in], outro: [other out]}}}
  - {id: plain, when: {command: plain}, then: {session: {}}}
  - id: health
    when: {agent: true, promptContains: [health, EndPoint], state: {app.hasHealth: false}}
    completes: healthy
    then:
      output: [adding]
      stderr: [careful]
      exit: 4
      files: [{append: app.js, content: health}]
      state: {app.hasHealth: true}
      mcp: [{tool: t, arguments: {}, result: r}]
      ci: {workflow: w}
  - {id: exact, when: {agent: true, prompt: "  what is up "}, then: {output: [up]}}
  - {id: asks, when: {agent: true, prompt: ask}, then: {input: {key: k, prompt: "k: ", then: {output: ["got {{ input.k }}"]}}}}
  - {id: words, when: {command: what is up}, then: {output: [as a command]}}
  - {id: ask, when: {command: ask}, then: {input: {key: k, prompt: "k: ", then: {output: ["shell {{ input.k }}"]}}}}
`

func TestE12Sessions(t *testing.T) {
	t.Run("output, banner, intro, prompt", func(t *testing.T) {
		p := player(t, chatLab, "title: My Lab")
		_, o := p.Act("line", "terminal", "docker agent")
		out := o.Lines(sim.Stdout)
		n := len(out)
		if n < 5 || out[0] != "Starting agent session..." || !slices.Equal(out[n-2:], lines("Ready.", "Type /exit to quit.")) {
			t.Fatalf("output %q", out)
		}
		banner := strings.Join(out[1:n-2], "\n")
		if !strings.Contains(banner, "My Lab") {
			t.Errorf("the banner has no title: %s", banner)
		}
		if o.Prompt != "agent> " || o.Mode != sim.ModeSession || o.Exit() != 3 || o.Mask || o.Scenario() != "start" {
			t.Errorf("outcome %+v", o)
		}
	})
	t.Run("the default prompt", func(t *testing.T) {
		p := player(t, chatLab)
		if _, o := p.Act("line", "terminal", "plain"); o.Prompt != "> " {
			t.Errorf("prompt %q", o.Prompt)
		}
	})
	const open = "$ docker agent\n| *\n= start mode=session prompt=agent> exit=3 done=started\n"
	for name, transcript := range map[string]string{
		"/exit ends it":                          "$ /exit\n| Ended.\n| Bye.\n= - mode=command exit=0",
		"/quit ends it":                          "$ /quit\n| Ended.\n| Bye.\n= - mode=command exit=0",
		"and then lines are commands":            "$ /exit\n| *\n$ what is up\n| as a command\n= words",
		"state stays":                            "$ /exit\n| *\n? agent.active true",
		"promptContains, every one, in any case": "$ a HEALTH thing\n| *\n= -\n$ please add a Health Check ENDPOINTS\n| *\n! careful\n= health exit=4 done=healthy mode=session",
		"every effect": `
$ health endpoint
| adding
| → t {}
|   r
! careful
= health exit=4
? app.hasHealth true
? ci.runs.0.conclusion "success"
~ app.js "health"`,
		"state gates turns":                       "$ health endpoint\n| *\n! *\n= health exit=4\n$ health endpoint\n| *\n= -",
		"prompt is exact but trimmed":             "$   what is up  \n| up\n= exact\n$ What is up\n| *\n= -\n$ what  is up\n| *\n= -\n$ what is up?\n| *\n= -",
		"a bang runs a command":                   "$ !what is up\n| as a command\n= words mode=session prompt=agent>\n$ what is up\n| up\n= exact",
		"a bang and blanks":                       "$ ! what is up\n| as a command\n= words",
		"a bang runs builtins":                    "$ !ls\n= ls() mode=session\n$ !cat x\n! *\n= cat() exit=1",
		"a bang unmatched":                        "$ !nope\n! " + notSimulated + "\n= - exit=127 mode=session",
		"a command is no prompt":                  "$ ls\n| *\n= - mode=session",
		"a session opened by a bang replaces it":  "$ !other\n| *\n= other mode=session prompt=o>\n$ /exit\n| other out\n= - mode=command",
		"an input opened by a bang returns to it": "$ !ask\n= ask mode=input prompt=k:\n$ v\n| shell v\n= ask mode=session prompt=agent>\n$ /exit\n| Ended.\n| Bye.",
		"an input opened by a turn returns to it": "$ ask\n= asks mode=input prompt=k:\n$ v\n| got v\n= asks mode=session prompt=agent>",
		"an input given up returns to it":         "$ !ask\n= ask mode=input\n$ /exit\n| *\n! *\n= - exit=130 mode=session\n$ what is up\n| up",
		"prompts are not in history":              "$ what is up\n| up\n$ !ls\n= ls()\n? history [\"docker agent\",\"ls\"]",
		"quotes, hashes and operators are text":   "$ don't; # && \\\n| *\n= - mode=session",
	} {
		t.Run(name, func(t *testing.T) { play(t, chatLab, open+transcript) })
	}
	t.Run("belongs to one terminal, the rest is shared", func(t *testing.T) {
		play(t, chatLab, open+`
@ terminal two
$ what is up
| as a command
= words mode=command
$ docker agent
| *
= start mode=session exit=3
$ health endpoint
| *
! *
= health exit=4
$ !ask
= ask mode=input
@ terminal one
$ !cat app.js
| health
$ health endpoint
| *
= - mode=session
$ /exit
| *
= - mode=command
@ terminal two
$ v
| shell v
= ask mode=session
? history ["docker agent","what is up","docker agent","ask","cat app.js"]`, "terminals: [{id: one, title: A}, {id: two, title: B}]")
	})
	t.Run("one shot", func(t *testing.T) {
		for name, line := range map[string]string{
			"-p": "docker agent -p 'health endpoint'", "--prompt": `docker agent --prompt "health endpoint"`,
			"--prompt=": "docker agent --prompt='health endpoint'", "-p=": "docker agent -p='health endpoint'",
		} {
			t.Run(name, func(t *testing.T) {
				play(t, chatLab, "$ "+line+`
| Starting agent session...
| adding
| → t {}
|   r
! careful
= start exit=4 done=started,healthy mode=command
? agent.active true
? app.hasHealth true
$ what is up
| as a command`)
			})
		}
	})
	t.Run("one shot, unmatched", func(t *testing.T) {
		play(t, chatLab, "$ docker agent -p hm\n| Starting agent session...\n| Agent: I'm not sure how to help with that in this lab.\n= start exit=0 mode=command done=started")
	})
	t.Run("one shot opens nothing, so a list goes on", func(t *testing.T) {
		play(t, chatLab, "$ other -p 'what is up' && what is up\n| up\n| as a command\n= words mode=command")
	})
	t.Run("one shot within a session", func(t *testing.T) {
		play(t, chatLab, open+"$ !other -p 'what is up'\n| up\n= other mode=session prompt=agent>")
	})
	t.Run("-p of a command without a session is a flag", func(t *testing.T) {
		play(t, "scenarios: [{id: x, when: {command: c, args: {-p: {any: true}}}, then: {output: ['{{ args.p }}']}}]", "$ c -p text\n| text\n= x")
	})
	t.Run("a session in an agent scenario", func(t *testing.T) {
		rejects(t, "scenarios: [{id: x, when: {agent: true}, then: {session: {}}}]", "session-in-agent")
	})
	t.Run("reset ends it", func(t *testing.T) {
		play(t, chatLab, open+"@ reset\n| *\n! *\n= - mode=command\n$ what is up\n| as a command\n? agent null")
	})
}

func TestSimulator64Agent(t *testing.T) {
	play(t, `
scenarios:
  - {id: chat, when: {command: chat}, then: {session: {}}}
  - {id: both, when: {agent: true, prompt: a b, promptContains: [a, b], terminal: terminal, state: {s: null}}, then: {}}
  - {id: first, when: {agent: true, promptContains: [x]}, then: {}}
  - {id: second, when: {agent: true, promptContains: [x, y]}, then: {}}
  - {id: all, when: {agent: true}, then: {}}
  - {id: command, when: {command: x}, then: {}}
`, "$ x\n= command\n$ anything\n= none\n$ chat\n| *\n$ x y\n= first\n$ y\n= all\n$ A B\n= all\n$ a b\n= both")
}

const asking = `
scenarios:
  - id: set
    when: {command: secret set, args: {0: {any: true}}}
    completes: stored
    then:
      output: ["Setting '{{ args.0 }}'."]
      state: {opened: true}
      exit: 2
      input:
        prompt: "Enter value: "
        key: value
        mask: true
        then:
          output: ["Secret '{{ args.0 }}' stored: {{ state.opened }}."]
          state: {secrets.db-password: "{{ input.value }}"}
          files: [{create: "f", content: "{{ args.0 }}={{ input.value }}"}]
  - id: login
    when: {command: login}
    completes: logged
    then:
      input:
        steps: [{key: username, prompt: "Username: "}, {key: password, prompt: "Password: ", mask: true}, {key: realm, prompt: "Realm: "}]
        then: {output: ["[{{ input.username }}][{{ input.realm }}]"], stderr: [e], exit: 5, state: {auth.user: "{{ input.username }}"}}
`

func TestE13Input(t *testing.T) {
	const open = "$ secret set db\n| Setting 'db'.\n= set mode=input exit=2 done= prompt=Enter.value:\n"
	ask := strings.Replace(open, " prompt=Enter.value:", "", 1)
	for name, transcript := range map[string]string{
		"the value": ask + "? opened true\n$ s3cret\n| Secret 'db' stored: true.\n= set mode=command exit=0 done=stored\n? secrets.db-password \"s3cret\"\n~ f \"db=s3cret\"",
		"one line a step": `
$ login
= login mode=input prompt=Username: done=
$ ann
= - mode=input prompt=Password: done=
$ pw
= - mode=input prompt=Realm: done=
$ home
| [ann][home]
! e
= login mode=command exit=5 done=logged
? auth.user "ann"`,
		"values keep their blanks":        "$ login\n= login\n$   a  b  \n$ pw\n$ \t\n| [  a  b  ][\t]\n! e\n= login exit=5",
		"values may be empty":             "$ login\n= login\n$ \n$ \n$ \n| [][]\n! e\n= login exit=5 done=logged",
		"values are no commands":          "$ login\n= login\n$ !ls; # \"x\n$ a && b\\\n$ {{ state.x }}\n| [!ls; # \"x][{{ state.x }}]\n! e\n= login exit=5",
		"values are not in history":       "$ login\n= login\n$ a\n$ b\n$ c\n| *\n! *\n= login exit=5\n? history [\"login\"]",
		"nothing happens before the last": "$ login\n= login\n$ a\n$ b\n? auth null\n@ interrupt\n! *\n| *\n= - exit=130",
	} {
		t.Run(name, func(t *testing.T) { play(t, asking, transcript) })
	}
	for _, word := range []string{"/cancel", "/exit", "/quit", "  /cancel ", "\t/exit"} {
		for _, before := range []int{0, 1, 2} {
			t.Run("given up by "+word, func(t *testing.T) {
				play(t, asking, "$ login\n= login\n"+strings.Repeat("$ x\n= - exit=0\n", before)+"$ "+word+"\n| *\n! *\n= - exit=130 mode=command done=\n? auth null")
			})
		}
	}
	t.Run("the opening effects stay", func(t *testing.T) {
		p := play(t, asking, ask+"$ /cancel\n| *\n! *\n= - exit=130 mode=command done=\n? opened true\n? secrets null\n~ f -")
		if p.State().Done("stored") {
			t.Error("done")
		}
	})
	t.Run("given up by Ctrl-C", func(t *testing.T) {
		play(t, asking, ask+"@ interrupt\n| *\n! *\n= - exit=130 mode=command done=\n? opened true\n? secrets null")
	})
	t.Run("these words within a value", func(t *testing.T) {
		play(t, asking, "$ login\n= login\n$ /exit now\n= - mode=input\n$ /Quit\n= - mode=input\n$ cancel\n| [/exit now][cancel]\n! e\n= login exit=5")
	})
	t.Run("prompt and mask of each step", func(t *testing.T) {
		p := player(t, asking)
		for i, c := range []struct {
			line, prompt string
			mask         bool
		}{{"login", "Username: ", false}, {"a", "Password: ", true}, {"b", "Realm: ", false}} {
			_, o := p.Act("line", "terminal", c.line)
			if o.Prompt != c.prompt || o.Mask != c.mask || o.Mode != sim.ModeInput {
				t.Errorf("step %d: prompt %q mask %v mode %v", i, o.Prompt, o.Mask, o.Mode)
			}
		}
		_, o := p.Act("line", "terminal", "c")
		if o.Mask || o.Mode != sim.ModeCommand {
			t.Error("still asking")
		}
	})
	t.Run("a masked value is nowhere", func(t *testing.T) {
		p := player(t, asking)
		p.Act("line", "terminal", "login")
		for _, line := range []string{"ann", "hunter2", "home"} {
			id, o := p.Act("line", "terminal", line)
			seen := string(p.AppendOutcome(nil, id, o)) + string(sim.AppendMisses(nil, p.Explain(id))) +
				strings.Join(p.State().History(), "\n") + string(p.State().Tree().AppendJSON(nil)) + string(p.AppendBoot(nil))
			if strings.Contains(seen, "hunter2") {
				t.Errorf("after %q: %s", line, seen)
			}
		}
	})
	t.Run("belongs to its terminal", func(t *testing.T) {
		play(t, asking, "$ login\n= login mode=input\n@ terminal two\n$ ls\n= ls() mode=command\n$ login\n= login mode=input\n$ two\n= - mode=input\n@ terminal one\n$ one\n$ b\n$ c\n| [one][c]\n! e\n= login exit=5\n@ terminal two\n$ b\n$ d\n| [two][d]\n! e\n= login exit=5",
			"terminals: [{id: one, title: A}, {id: two, title: B}]")
	})
	t.Run("reads the state as it is then", func(t *testing.T) {
		play(t, `
scenarios:
  - {id: x, when: {command: c}, then: {input: {key: k, prompt: p, then: {output: ["{{ state.v }}"]}}}}
  - {id: s, when: {command: s}, then: {state: {v: later}}}
`, "$ c\n= x\n@ terminal two\n$ s\n@ terminal one\n$ a\n| later", "terminals: [{id: one, title: A}, {id: two, title: B}]")
	})
	t.Run("every effect", func(t *testing.T) {
		play(t, "workflows: [{id: w, steps: [{id: s}]}]\nscenarios: [{id: x, when: {command: c}, then: {input: {key: k, prompt: p, then: {ci: {workflow: w}, mcp: [{tool: t, arguments: {}, result: r}], files: [{create: f, content: '{{ input.k }}'}]}}}}]",
			"$ c\n= x\n$ v\n| → t {}\n|   r\n= x\n? ci.runs.0.id 1\n~ f \"v\"")
	})
	for name, c := range map[string][2]string{
		"an input in an input":  {"{key: k, prompt: p, then: {input: {key: l, prompt: p, then: {}}}}", "input-nested"},
		"a session in an input": {"{key: k, prompt: p, then: {session: {}}}", "input-nested"},
		"a repeated key":        {"{steps: [{key: k, prompt: p}, {key: k, prompt: q}], then: {}}", "input-key-twice"},
		"two forms at once":     {"{key: k, prompt: p, steps: [{key: l, prompt: p}], then: {}}", "input-form"},
	} {
		t.Run("error: "+name, func(t *testing.T) {
			rejects(t, "scenarios: [{id: x, when: {command: c}, then: {input: "+c[0]+"}}]", c[1])
		})
	}
}
