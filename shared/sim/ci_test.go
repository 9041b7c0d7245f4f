package sim_test

import (
	"testing"

	"asz/shared/sim"
)

const ciLab = `
state: {reg: {configured: false}}
workflows:
  - id: build
    name: Build and Sign
    steps:
      - {id: make, name: "Make it", logs: ["$ make", done]}
      - id: login
        requires: reg.configured
        logs: ["$ login", ok]
        failure: {error: "no credentials", logs: ["$ login", "Error"]}
      - {id: bare-failure, requires: reg.second, logs: [second log]}
      - {id: sign, name: Sign, logs: ["$ sign"]}
  - {id: plain, on: pull_request, steps: [{id: only}]}
  - {id: none}
scenarios:
  - {id: derived, when: {command: push, args: {0: false}}, then: {output: [pushed], ci: {workflow: build, commit: "Fix it"}}}
  - {id: plain, when: {command: push plain}, then: {ci: {workflow: plain}}}
  - {id: none, when: {command: push none}, then: {ci: {workflow: none}}}
  - {id: fail, when: {command: push fail}, then: {ci: {workflow: build, conclusion: failure}}}
  - {id: fail-at, when: {command: push at}, then: {ci: {workflow: build, conclusion: failure, failedStep: login, error: mine}}}
  - id: fail-over
    when: {command: push over}
    then:
      ci:
        workflow: build
        conclusion: failure
        failedStep: login
        steps: [{id: login, name: Log in, logs: [over]}, {id: make, logs: [other make]}, {id: sign, name: Late}]
  - {id: derived-over, when: {command: push derived-over}, then: {ci: {workflow: build, error: mine, steps: [{id: login, logs: [over]}]}}}
  - {id: pass, when: {command: push pass}, then: {ci: {workflow: build, conclusion: success, error: unseen}}}
  - {id: both, when: {command: "on"}, then: {state: {reg.configured: true, reg.second: true}}}
`

func TestE14CI(t *testing.T) {
	const run = "? ci.runs.0."
	for name, transcript := range map[string]string{
		"a run's record": `
$ push
| pushed
= derived
? ci.runs.0.id 1
? ci.runs.0.workflowId "build"
? ci.runs.0.workflow "Build and Sign"
? ci.runs.0.event "push"
? ci.runs.0.commit "Fix it"
? ci.runs.0.conclusion "failure"
? ci.runs.0.error "no credentials"
? ci.runs.0.steps.0 {"id":"make","name":"Make it","status":"success","logs":["$ make","done"]}
? ci.runs.0.steps.1 {"id":"login","name":"login","status":"failure","logs":["$ login","Error"]}
? ci.runs.0.steps.2.status "skipped"
? ci.runs.0.steps.3.status "skipped"
? ci.runs.0.steps.3.name "Sign"
? ci.runs.0.steps.4 null`,
		"defaults": "$ push plain\n= plain\n? ci.runs [{\"id\":1,\"workflowId\":\"plain\",\"workflow\":\"plain\",\"event\":\"pull_request\",\"commit\":null,\"conclusion\":\"success\",\"error\":null,\"steps\":[{\"id\":\"only\",\"name\":\"only\",\"status\":\"success\",\"logs\":[]}]}]",
		"derived success": `
$ on
$ push
| *
? ci.runs.0.conclusion "success"
? ci.runs.0.error null
? ci.runs.0.steps.1 {"id":"login","name":"login","status":"success","logs":["$ login","ok"]}
? ci.runs.0.steps.3.status "success"`,
		"runs append":                       "$ push plain\n$ push plain\n? ci.runs.1.id 2\n? ci.runs.2 null",
		"without steps, derived, it passes": "$ push none\n" + run + "conclusion \"success\"\n" + run + "steps []",
		"scripted failure fails the last step": `
$ push fail
? ci.runs.0.conclusion "failure"
? ci.runs.0.steps.0.status "success"
? ci.runs.0.steps.1.status "success"
? ci.runs.0.steps.2.status "success"
? ci.runs.0.steps.3 {"id":"sign","name":"Sign","status":"failure","logs":["$ sign"]}
? ci.runs.0.error null`,
		"scripted failure at a step, the trigger's error, the step's failure logs": `
$ push at
? ci.runs.0.steps.0.status "success"
? ci.runs.0.steps.1 {"id":"login","name":"login","status":"failure","logs":["$ login","Error"]}
? ci.runs.0.steps.2.status "skipped"
? ci.runs.0.error "mine"`,
		"overrides before failure logs": `
$ push over
? ci.runs.0.steps.0 {"id":"make","name":"Make it","status":"success","logs":["other make"]}
? ci.runs.0.steps.1 {"id":"login","name":"Log in","status":"failure","logs":["over"]}
? ci.runs.0.steps.3.name "Late"
? ci.runs.0.error "no credentials"`,
		"overrides of a derived failure": `
$ push derived-over
? ci.runs.0.conclusion "failure"
? ci.runs.0.steps.1.logs ["over"]
? ci.runs.0.error "mine"`,
		"scripted success passes every step": `
$ push pass
? ci.runs.0.conclusion "success"
? ci.runs.0.steps.1 {"id":"login","name":"login","status":"success","logs":["$ login","ok"]}
? ci.runs.0.error null`,
	} {
		t.Run(name, func(t *testing.T) { play(t, ciLab, transcript) })
	}
	t.Run("the second unmet step fails with its logs", func(t *testing.T) {
		play(t, "workflows: [{id: w, steps: [{id: a, requires: x}, {id: b, requires: y, logs: [own]}, {id: c}]}]\nstate: {x: 1}\nscenarios: [{id: p, when: {command: p}, then: {ci: {workflow: w}}}]",
			"$ p\n? ci.runs.0.steps.0.status \"success\"\n? ci.runs.0.steps.1 {\"id\":\"b\",\"name\":\"b\",\"status\":\"failure\",\"logs\":[\"own\"]}\n? ci.runs.0.steps.2.status \"skipped\"\n? ci.runs.0.error null")
	})
	for value, passes := range map[string]bool{
		"false": false, "null": false,
		"true": true, "1": true, `"x"`: true, `"false"`: true, `"0"`: true, "[]": true, "{}": true, "-1": true,
	} {
		t.Run("requires "+value, func(t *testing.T) {
			want := `"failure"`
			if passes {
				want = `"success"`
			}
			play(t, "state: {v: "+value+"}\nworkflows: [{id: w, steps: [{id: s, requires: v}]}]\nscenarios: [{id: x, when: {command: c}, then: {ci: {workflow: w}}}]", "$ c\n? ci.runs.0.conclusion "+want)
		})
	}
	for name, ci := range map[string]string{
		"unknown workflow":      "{workflow: nope}",
		"unknown failed step":   "{workflow: plain, conclusion: failure, failedStep: nope}",
		"failure without steps": "{workflow: none, conclusion: failure}",
	} {
		t.Run("hard error: "+name, func(t *testing.T) {
			p := play(t, ciLab+"  - {id: x, when: {command: c}, completes: s, then: {state: {a: 1}, ci: "+ci+"}}\n", "$ c\n= x exit=1 done=\n! *\n| *\n? a null\n? ci null")
			_, o := p.Act("line", "terminal", "c")
			says(t, o, ci[len("{workflow: "):len("{workflow: ")+4])
		})
	}
	t.Run("output reads the run", func(t *testing.T) {
		play(t, "workflows: [{id: w, steps: [{id: s}]}]\nscenarios: [{id: x, when: {command: c}, then: {output: ['{{ state.ci.runs.0.conclusion }}'], ci: {workflow: w}}}]", "$ c\n| success")
	})
	t.Run("guards and reset", func(t *testing.T) {
		play(t, ciLab+"  - {id: red, when: {command: status, state: {ci.runs.0.conclusion: failure}}, then: {output: [red]}}\n  - {id: fine, when: {command: status}, then: {output: [fine]}}\n",
			"$ status\n| fine\n$ push\n| *\n$ status\n| red\n@ reset\n| *\n! *\n? ci null\n$ status\n| fine")
	})
}

func TestSimulator154Rerun(t *testing.T) {
	t.Run("the newest, derived anew, same commit", func(t *testing.T) {
		play(t, ciLab, `
$ push
| *
$ on
@ rerun
| *
? ci.runs.1.id 2
? ci.runs.1.workflowId "build"
? ci.runs.1.workflow "Build and Sign"
? ci.runs.1.event "push"
? ci.runs.1.commit "Fix it"
? ci.runs.1.conclusion "success"
? ci.runs.1.error null
? ci.runs.0.conclusion "failure"
? history ["push","on"]`)
	})
	t.Run("a scripted conclusion is not kept", func(t *testing.T) {
		play(t, ciLab, "$ push pass\n@ rerun\n| *\n? ci.runs.1.conclusion \"failure\"\n? ci.runs.1.error \"no credentials\"\n? ci.runs.1.commit null\n$ on\n$ push fail\n@ rerun\n| *\n? ci.runs.3.conclusion \"success\"")
	})
	t.Run("the newest or the named", func(t *testing.T) {
		play(t, ciLab, "$ push\n| *\n$ push plain\n@ rerun\n| *\n? ci.runs.2.workflowId \"plain\"\n? ci.runs.2.event \"pull_request\"\n@ rerun 1\n| *\n? ci.runs.3.workflowId \"build\"\n? ci.runs.3.commit \"Fix it\"\n? ci.runs.3.id 4")
	})
	t.Run("with nothing to run", func(t *testing.T) {
		p := player(t, ciLab)
		for _, n := range []string{"", "1", "-1", "99"} {
			if _, o := p.Act("rerun", "terminal", n); o.Exit() == 0 {
				t.Errorf("rerun %q succeeds", n)
			}
		}
		if p.State().Digest() != p.Engine().Start().Digest() {
			t.Error("something changed")
		}
		run(t, p, "$ push\n| *")
		if _, o := p.Act("rerun", "terminal", "7"); o.Exit() == 0 {
			t.Error("rerun of an unknown run succeeds")
		}
	})
	t.Run("after a control", func(t *testing.T) {
		play(t, ciLab+"controls: [{id: c, label: C, state: reg.configured}, {id: d, label: D, state: reg.second}]", "$ push\n| *\n@ control c on\n@ control d on\n@ rerun\n| *\n? ci.runs.1.conclusion \"success\"")
	})
}

func TestE15Snapshots(t *testing.T) {
	const text = `
scenarios:
  - {id: set, when: {command: set, args: {0: {any: true}}}, then: {state: {v: "{{ args.0 }}"}, output: ["{{ args.0 }}"]}}
  - {id: log, when: {command: log}, then: {state: {"l +=": x}}}
  - {id: write, when: {command: write}, then: {files: [{append: f, content: x}]}}
  - {id: step, when: {command: step}, completes: s, then: {}}
  - {id: chat, when: {command: chat}, then: {session: {}}}
  - {id: ask, when: {command: ask}, then: {input: {steps: [{key: a, prompt: "a: "}, {key: b, prompt: "b: "}], then: {output: ["{{ input.a }}{{ input.b }}"]}}}}
  - {id: say, when: {command: say}, then: {output: [said]}}
controls: [{id: c, label: C, state: on}]
`
	t.Run("restore is complete", func(t *testing.T) {
		p := player(t, text)
		type place struct {
			mark   int
			digest uint64
			mode   sim.Mode
			prompt string
		}
		var places []place
		for _, line := range lines("say", "set 1", "log", "write", "step", "say 'a", "b'", "ask", "one", "two", "chat", "!ask", "1", "2", "prompt", "/exit", "nope", "cat f") {
			p.Act("line", "terminal", line)
			o := p.Here("terminal")
			places = append(places, place{p.Mark(), p.State().Digest(), o.Mode, o.Prompt})
		}
		for _, i := range []int{3, 17, 8, 0, 12, 5, 10, 8} {
			if !p.Restore(places[i].mark) {
				t.Fatal("no such mark")
			}
			o := p.Here("terminal")
			if p.State().Digest() != places[i].digest || o.Mode != places[i].mode || o.Prompt != places[i].prompt {
				t.Errorf("place %d is not restored", i)
			}
		}
		run(t, p, "$ two\n| onetwo\n= ask mode=command")
		if p.Restore(-1) || p.Restore(1000) {
			t.Error("restored what was never marked")
		}
	})
	for name, transcript := range map[string]string{
		"undo goes back before the last change":    "$ set 1\n| 1\n$ set 2\n| 2\n@ undo\n| *\n? v \"1\"\n@ undo\n| *\n? v null",
		"it steps over lines that changed nothing": "$ set 1\n| 1\n$ set 2\n| 2\n$ say\n| said\n$ ls\n$ nope\n= none\n$ set 2\n| 2\n@ undo\n| *\n? v \"1\"",
		"history goes back with it":                "$ say\n| said\n$ set 1\n| 1\n$ say\n| said\n@ undo\n| *\n? history [\"say\"]",
		"files":                                    "$ write\n$ write\n@ undo\n| *\n~ f \"x\"\n@ undo\n| *\n~ f -",
		"a control":                                "@ control c on\n@ undo\n| *\n? on null",
		"a saved file":                             "@ save d/f text here\n~ d/f \"text here\"\n@ undo\n| *\n~ d/f -",
		"a session":                                "$ chat\n| *\n= chat mode=session\n@ undo\n| *\n= - mode=command",
		"a list is one line":                       "$ set 1; set 2; log\n| 1\n| 2\n@ undo\n| *\n? v null\n? l null",
		"and then on again":                        "$ set 1\n| 1\n@ undo\n| *\n$ set 3\n| 3\n? v \"3\"\n? history [\"set 3\"]",
	} {
		t.Run(name, func(t *testing.T) { play(t, text, transcript) })
	}
	t.Run("undo of progress", func(t *testing.T) {
		p := play(t, text, "$ step\n= step done=s\n@ undo\n| *")
		if p.State().Done("s") {
			t.Error("still done")
		}
	})
	t.Run("nothing to undo", func(t *testing.T) {
		p := player(t, text)
		before := p.State().Digest()
		p.Act("undo", "terminal", "")
		if p.State().Digest() != before {
			t.Error("something changed")
		}
	})
	t.Run("digests tell states apart and equal ones not", func(t *testing.T) {
		digest := func(acts ...string) uint64 {
			p := player(t, text)
			for _, a := range acts {
				p.Act("line", "terminal", a)
			}
			return p.State().Substance()
		}
		if digest("set 1", "log", "set 2") != digest("set 2", "log") && digest("log", "set 2") == digest("set 2") {
			t.Error("digest")
		}
		if digest("set 1", "set 2") != digest("set 2") || digest("say") != digest() || digest("write", "write") == digest("write") {
			t.Error("digest")
		}
		seen := map[uint64]string{}
		for _, line := range lines("", "set 1", "set '1 '", "log", "write", "step", "chat", "ask") {
			d := digest(line)
			if other, twice := seen[d]; twice {
				t.Errorf("%q and %q have one digest", line, other)
			}
			seen[d] = line
		}
	})
	t.Run("history counts in Digest, not in Substance", func(t *testing.T) {
		p := player(t, text)
		d, s := p.State().Digest(), p.State().Substance()
		p.Act("line", "terminal", "say")
		if p.State().Digest() == d || p.State().Substance() != s {
			t.Error("digest")
		}
	})
}

func TestSimulator12WorkedExample(t *testing.T) {
	play(t, `
version: "2.0"

metadata:
  id: docker-basics
  title: "Docker Basics"
  summary: "Pull, run, and inspect a Docker container."

state:
  container:
    running: false
  phase: start

defaults:
  unmatched:
    stderr: ["That command isn't part of this lab."]
    exit: 1

scenarios:
  # docker pull
  - id: pull-nginx
    when:
      command: docker pull
      args:
        0: { any: true }
    then:
      output:
        - "Using default tag: latest"
        - "latest: Pulling from library/{{ args.0 }}"
        - "Status: Downloaded newer image for {{ args.0 }}:latest"

  # docker run
  - id: run-container
    when:
      command: docker run
      args:
        --name: { any: true }
        -d: true
      state: { container.running: false }
    then:
      state:
        container.running: true
        container.name: "{{ args.--name }}"
      output:
        - "a1b2c3d4e5f6g7h8i9j0"

  - id: run-already-running
    when:
      command: docker run
      state: { container.running: true }
    then:
      stderr: ["docker: Error — container is already running."]
      exit: 1

  # docker ps
  - id: ps-running
    when:
      command: docker ps
      state: { container.running: true }
    then:
      output:
        - "CONTAINER ID   IMAGE   COMMAND   STATUS          NAMES"
        - "a1b2c3d4e5f6   nginx   nginx     Up 2 seconds    {{ state.container.name }}"

  - id: ps-empty
    when:
      command: docker ps
      state: { container.running: false }
    then:
      output: ["CONTAINER ID   IMAGE   COMMAND   STATUS   NAMES"]

  # docker stop
  - id: stop-container
    when:
      command: docker stop
      state: { container.running: true }
    then:
      state:
        container.running: false
      output: ["{{ state.container.name }}"]
`, `
$ docker ps
| CONTAINER ID   IMAGE   COMMAND   STATUS   NAMES
= ps-empty
$ docker pull nginx
| Using default tag: latest
| latest: Pulling from library/nginx
| Status: Downloaded newer image for nginx:latest
= pull-nginx
$ docker stop web
! That command isn't part of this lab.
= - exit=1
$ docker run nginx
! That command isn't part of this lab.
= - exit=1
$ docker run -d --name web nginx
| a1b2c3d4e5f6g7h8i9j0
= run-container
? container {"running":true,"name":"web"}
$ docker run --name other -d nginx
! docker: Error — container is already running.
= run-already-running exit=1
$ docker ps
| CONTAINER ID   IMAGE   COMMAND   STATUS          NAMES
| a1b2c3d4e5f6   nginx   nginx     Up 2 seconds    web
= ps-running
$ docker stop web
| web
= stop-container
$ docker ps
| CONTAINER ID   IMAGE   COMMAND   STATUS   NAMES
= ps-empty
$ docker run -dit --name=again nginx
| a1b2c3d4e5f6g7h8i9j0
? container.name "again"
? phase "start"`)
}

func TestRunsCrossTheBridge(t *testing.T) {
	p := player(t, ciLab)
	if got := string(p.AppendRuns(nil)); got != "[]" {
		t.Errorf("before any run: %s", got)
	}
	run(t, p, "$ push\n| *")
	if got, want := string(p.AppendRuns(nil)), string(p.State().Lookup([]string{"ci", "runs"}).AppendJSON(nil)); got != want || len(got) < 10 {
		t.Errorf("got %s, want %s", got, want)
	}
}
