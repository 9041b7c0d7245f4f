package sim_test

import (
	"testing"

	"asz/shared/sim"
)

// The examples of simulator.md, played as they are written there.

func TestSimulator61Command(t *testing.T) {
	for _, when := range []string{"docker run", `"docker run"`, "[docker, run]"} {
		matches(t, "{command: "+when+"}", lines("docker run", "docker run -d x y"), lines("docker"))
	}
	matches(t, `{command: "kubectl apply -f"}`, lines("kubectl apply -f x.yaml"), lines("kubectl apply x.yaml"))
}

func TestSimulator62Args(t *testing.T) {
	for matcher, c := range map[string]struct{ yes, no []string }{
		`{--name: "web"}`:                        {lines("c --name web", "c --name=web"), lines("c", "c --name", "c --name db")},
		"{-d: true}":                             {lines("c -d"), lines("c", "c d")},
		"{--rm: false}":                          {lines("c", "c rm"), lines("c --rm")},
		"{--tag: {any: true}}":                   {lines("c --tag x", "c --tag=x"), lines("c", "c x")},
		`{0: {oneOf: ["nginx", "redis"]}}`:       {lines("c nginx", "c redis"), lines("c", "c mysql", "c x nginx")},
		"{name: web}":                            {lines("c --name web"), lines("c name web")},
		`{--name: "web", -d: true, --rm: false}`: {lines("c -d --name web"), lines("c -d --name web --rm", "c --name web")},
	} {
		t.Run(matcher, func(t *testing.T) { matches(t, "{command: c, args: "+matcher+"}", c.yes, c.no) })
	}
}

func TestSimulator63Prompt(t *testing.T) {
	matches(t, `{command: docker pull, prompt: "nginx:latest"}`, lines("docker pull nginx:latest"), lines("docker pull nginx", "docker pull"))
}

func TestSimulator65State(t *testing.T) {
	for seed, want := range map[string]string{
		"state: {docker: {running: false}}\n": "x", "state: {docker: {}}\n": "x", "state: {docker: null}\n": "x", "": "x",
		"state: {docker: {running: true}}\n": "-",
	} {
		p := player(t, seed+"scenarios: [{id: x, when: {command: c, state: {docker.running: false}}, then: {}}]")
		_, o := p.Act("line", "terminal", "c")
		if (o.Scenario() == "x") != (want == "x") {
			t.Errorf("%q: fired %q", seed, o.Scenario())
		}
	}
}

func TestSimulator7Order(t *testing.T) {
	play(t, `
scenarios:
  - id: x
    when: {command: c}
    then:
      exit: 3
      output: ["{{ state.v }}"]
      state: {v: new}
      files: [{create: f, content: "{{ state.v }}"}]
`, "$ c\n| new\n= x exit=3\n~ f \"new\"")
}

func TestSimulator72State(t *testing.T) {
	play(t, `
scenarios:
  - id: x
    when: {command: c}
    then:
      state:
        docker.running: true
        phase: running
        docker.events += "started"
`, "$ c\n? docker {\"running\":true,\"events\":[\"started\"]}\n? phase \"running\"\n$ c\n? docker.events [\"started\",\"started\"]")
}

func TestSimulator75Input(t *testing.T) {
	play(t, `
scenarios:
  - id: secret-set
    when:
      command: sbx secret set
      args: { 0: { any: true } }
    completes: secret
    then:
      output: ["Setting a value for secret '{{ args.0 }}'."]
      input:
        prompt: "Enter value: "
        key: value
        mask: true
        then:
          output: ["Secret '{{ args.0 }}' stored."]
          state:
            secrets.db-password: "{{ input.value }}"
  - id: login
    when: {command: login}
    then:
      input:
        steps:
          - { key: username, prompt: "Username: " }
          - { key: password, prompt: "Password: ", mask: true }
        then:
          output: ["Logged in as {{ input.username }}."]
          state: { auth.user: "{{ input.username }}" }
`, `
$ sbx secret set db
| Setting a value for secret 'db'.
= secret-set mode=input done=
$ s3cret
| Secret 'db' stored.
= secret-set mode=command done=secret
? secrets {"db-password":"s3cret"}
$ login
= login mode=input
$ ann
= - mode=input
$ pw
| Logged in as ann.
= login mode=command
? auth {"user":"ann"}`)
}

func TestSimulator8Defaults(t *testing.T) {
	play(t, `
defaults:
  unmatched:
    stderr:
      - "command not found — this command is not simulated in this lab."
    exit: 127
  unmatchedAgent:
    output:
      - "Agent: I'm not sure how to help with that in this lab."
  exit: 0
scenarios: [{id: chat, when: {command: chat}, then: {session: {}}}]
`, "$ nope\n= none\n$ ls\n= ls()\n$ chat\n| *\n$ hello\n| Agent: I'm not sure how to help with that in this lab.\n= -")
}

func TestSimulator10Builtins(t *testing.T) {
	const files = "files: {app/server.js: \"const express = require('express');\\napp.listen(3000);\\n\", app/utils.js: u, config.yaml: c}"
	play(t, "scenarios: []", `
$ ls
| app/
| config.yaml
$ ls app
| server.js
| utils.js
$ ls app/server.js
| app/server.js
$ cat app/server.js
| const express = require('express');
| app.listen(3000);
$ cat missing.txt
! cat: missing.txt: No such file or directory
= cat() exit=1`, files)
	play(t, "state: {locked: true}\nscenarios: [{id: gate, when: {command: cat, state: {locked: true}}, then: {stderr: [locked], exit: 1}}]",
		"$ cat config.yaml\n! locked\n= gate exit=1\n$ ls config.yaml\n| config.yaml", files)
}

func TestSimulator13Pace(t *testing.T) {
	delays := func(settings string) (got []int) {
		p := player(t, settings+"scenarios: [{id: x, when: {command: c}, then: {output: [{text: a, delay: short}, {text: b, delay: medium}, {text: c, delay: long}, d]}}]")
		_, o := p.Act("line", "terminal", "c")
		for _, b := range o.Blocks() {
			got = append(got, b.Delay)
		}
		return got
	}
	for settings, want := range map[string][4]int{
		"": {250, 700, 1400, -1},
		"settings: {pace: {short: 150, pull: 900}}\n": {150, 700, 1400, -1},
		"settings: {streamDelayMs: 5}\n":              {250, 700, 1400, -1},
	} {
		if got := delays(settings); len(got) != 4 || [4]int(got) != want {
			t.Errorf("%q: delays %v, want %v", settings, got, want)
		}
	}
}

func TestSimulator14Sessions(t *testing.T) {
	play(t, `
state: {container: {running: true}, app: {hasHealth: false}}
scenarios:
  - id: agent-start
    when:
      command: docker agent
    then:
      output: ["Starting agent session..."]
      state: { agent.active: true }
      session:
        prompt: "agent> "
        intro:
          - "Agent ready. Ask me to modify the app. Type /exit to quit."
        outro:
          - "Agent session ended."
  - id: add-health
    when:
      agent: true
      promptContains: [health, endpoint]
      state: { app.hasHealth: false }
    then:
      output:
        - "Adding a /health endpoint..."
      files:
        - append: "app/server.js"
          content: "\napp.get('/health', (_, res) => res.sendStatus(200));\n"
      state: { app.hasHealth: true }
  - id: docker-ps-in-session
    when:
      command: docker ps
      state: { container.running: true }
    then:
      output:
        - "CONTAINER ID   IMAGE   COMMAND   STATUS          NAMES"
        - "a1b2c3d4e5f6   nginx   nginx     Up 5 seconds    web"
`, `
$ docker agent
| *
= agent-start mode=session prompt=agent>
? agent.active true
$ Add a HEALTH endpoint please
| Adding a /health endpoint...
= add-health mode=session
$ !docker ps
| CONTAINER ID   IMAGE   COMMAND   STATUS          NAMES
| a1b2c3d4e5f6   nginx   nginx     Up 5 seconds    web
= docker-ps-in-session mode=session
$ !ls app
| server.js
= ls() mode=session
$ !cat app/server.js
| const x = 1;
| app.get('/health', (_, res) => res.sendStatus(200));
= cat()
$ /exit
| Agent session ended.
= - mode=command
$ docker agent -p "add a health endpoint"
| *
= agent-start mode=command`, "files: {app/server.js: 'const x = 1;'}")
}

func TestSimulator15Workflows(t *testing.T) {
	p := play(t, `
state: {signing: {configured: false}}
controls: [{id: reg, label: Registry, state: registry.configured}]
workflows:
  - id: build-and-sign
    name: "Build and Sign"
    on: push
    steps:
      - id: build
        name: "Build image"
        logs:
          - "$ docker build -t app ."
          - "=> exporting to image ... done"
      - id: login
        name: "Log in to the registry"
        requires: registry.configured
        logs:
          - "$ docker login"
          - "Login Succeeded"
        failure:
          error: "Login failed — no registry credentials configured."
          logs:
            - "$ docker login"
            - "Error: credentials are not set"
      - id: sign
        name: "Sign image with cosign"
        logs:
          - "$ cosign sign app@sha256:9f8e7d6c"
          - "Pushed signature to registry"
scenarios:
  - id: push-unsigned
    when:
      command: git push
      state: { signing.configured: false }
    then:
      output: ["To github.com:acme/app.git", "   a1b2c3d..e4f5a6b  main -> main"]
      ci:
        workflow: build-and-sign
        commit: "Add signing workflow"
        conclusion: failure
        failedStep: sign
        steps:
          - id: sign
            logs:
              - "$ cosign sign app@sha256:9f8e7d6c"
              - "Error: no signing key configured"
        error: "Image signing failed — no signing key is configured."
`, `
$ git push
| To github.com:acme/app.git
|    a1b2c3d..e4f5a6b  main -> main
? ci.runs.0.error "Image signing failed — no signing key is configured."
? ci.runs.0.steps.1.status "success"
? ci.runs.0.steps.2 {"id":"sign","name":"Sign image with cosign","status":"failure","logs":["$ cosign sign app@sha256:9f8e7d6c","Error: no signing key configured"]}
@ rerun
| *
? ci.runs.1.conclusion "failure"
? ci.runs.1.error "Login failed — no registry credentials configured."
@ control reg on
@ rerun
| *
? ci.runs.2.conclusion "success"
? ci.runs.2.commit "Add signing workflow"`)
	if got := len(p.State().Lookup([]string{"ci", "runs"}).List().Values()); got != 3 {
		t.Errorf("%d runs", got)
	}
	if _, o := p.Act("rerun", "terminal", ""); o.Changes().Run != 4 || o.Builtin() != "" || o.Scenario() != "" || o.Mode != sim.ModeCommand {
		t.Error("a re-run is no command")
	}
}
