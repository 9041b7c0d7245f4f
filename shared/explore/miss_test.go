package explore

import (
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/sim"
)

func engine(t *testing.T, scenarios string) *sim.Engine {
	t.Helper()
	loaded := labfile.Load(fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\nterminals: [{ id: one }, { id: two }]\n")},
		"t/s.yaml":        {Data: []byte("version: \"2.0\"\nstate: { up: false, name: web }\nscenarios:\n" + scenarios)},
	}, "t")
	if loaded.Lab == nil {
		t.Fatal(loaded.Findings)
	}
	e, err := sim.New(loaded.Lab)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const docker = `
  - { id: pull, when: { command: docker pull, prompt: "nginx:latest" }, then: {} }
  - { id: start, when: { command: docker start }, then: { state: { up: true } } }
  - { id: run, when: { command: docker run, args: { --name: { any: true }, -d: true, --rm: false, 0: { oneOf: [nginx, redis] } } }, then: {} }
  - { id: exec, when: { command: docker exec, args: { 0: web, --user: root } }, then: {} }
  - { id: ps, when: { command: docker ps, state: { up: true, name: web } }, then: {} }
  - { id: logs, when: { command: docker logs, state: { deep.fact: "yes" } }, then: {} }
  - { id: two, when: { command: docker info, terminal: two }, then: {} }
  - { id: commit, when: { command: git commit }, then: {} }
  - { id: push, when: { command: git push }, then: {} }
  - { id: chat, when: { command: chat }, then: { session: {} } }
  - { id: add, when: { agent: true, promptContains: [add, Health] }, then: {} }
  - { id: fix, when: { agent: true, prompt: "fix the roof now" }, then: {} }
  - { id: later, when: { agent: true, promptContains: [ship], state: { up: true } }, then: {} }
`

func TestNearest(t *testing.T) {
	e := engine(t, docker)
	for line, want := range map[string]string{
		"docker rum nginx":                        "run: the command is `docker run`",
		"dokcer strat":                            "start: the command is `docker start`",
		"docker":                                  "pull: the command is `docker pull` / start: the command is `docker start` / run: the command is `docker run`",
		"git -C dir comit -m x":                   "commit: the command is `git commit`",
		"docker run nginx":                        "run: the flag `--name` is missing",
		"docker run --name=x nginx":               "run: the flag `-d` is missing",
		"docker run --name=x -d --rm nginx":       "run: the flag `--rm` must not be there",
		"docker run --name=x -d apache":           "run: the first word after `docker run` must be `nginx` or `redis`, not `apache`",
		"docker run --name=x -d":                  "run: the first word after `docker run` is missing: it must be `nginx` or `redis`",
		"docker exec web":                         "exec: the flag `--user` is missing: it must have the value `root`",
		"docker exec web --user me":               "exec: the flag `--user` must have the value `root`, not `me`",
		"docker exec web --user=":                 "exec: the flag `--user` must have the value `root`, and it is empty",
		"docker pull redis":                       "pull: after `docker pull` must stand `nginx:latest`, not `redis`",
		"docker pull":                             "pull: after `docker pull` must stand `nginx:latest`, and there is nothing",
		"docker ps -a":                            "ps: the state `up` must be true, and it is false",
		"docker logs":                             "logs: the state `deep.fact` must be \"yes\", and it is not set",
		"docker info":                             "two: it works in the terminal `two` only, and this is `one`",
		"kubectl get pods":                        "",
		"docker start":                            "", // is taken
		"docker start && docker pss":              "ps: the command is `docker ps`",
		"docker start; docker run --name=x nginx": "run: the flag `-d` is missing",
		"":        "",
		"# note":  "",
		"'docker": "", // goes on
	} {
		if got := told(Nearest(e, e.Start(), "one", line)); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	s, _ := e.Type(e.Start(), "one", "chat")
	for line, want := range map[string]string{
		"please add an endpoint": "add: the text must contain `Health`",
		"fix the roof":           "fix: the prompt must be exactly `fix the roof now`",
		"ship it":                "later: the state `up` must be true, and it is false",
		"something else":         "",
		"add health":             "",
		"/exit":                  "",
		"!docker rum":            "run: the command is `docker run`",
	} {
		if got := told(Nearest(e, s, "one", line)); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
}

func told(near []Near) string {
	var all []string
	for _, n := range near {
		all = append(all, n.Scenario.ID+": "+n.Why())
	}
	return strings.Join(all, " / ")
}

// TestGoal: what must become true is all that the scenario asks of the state, and only when nothing else is missing.
func TestGoal(t *testing.T) {
	e := engine(t, docker)
	near := Nearest(e, e.Start(), "one", "docker ps")
	if len(near) != 1 || len(near[0].Goal()) != 2 || near[0].Goal()[0].Path != "up" || !lab.Equal(near[0].Goal()[0].Want, lab.Bool(true)) {
		t.Errorf("%+v", near)
	}
	if near := Nearest(e, e.Start(), "one", "docker pss"); len(near) != 1 || near[0].Goal() != nil {
		t.Errorf("%+v", near)
	}
}

// TestRanking: of scenarios for the same command the one that went furthest comes first, then author order.
func TestRanking(t *testing.T) {
	e := engine(t, `
  - { id: other, when: { command: docker run, args: { 0: a, 1: b } }, then: {} }
  - { id: closer, when: { command: docker run, args: { 0: x, 1: b } }, then: {} }
  - { id: unset, when: { command: docker run, state: { up: true } }, then: {} }
  - { id: again, when: { command: docker run, state: { up: true } }, then: {} }
  - { id: any, when: { state: { up: true } }, then: {} }
`)
	var ids []string
	for _, n := range Nearest(e, e.Start(), "one", "docker run x y") {
		ids = append(ids, n.Scenario.ID)
	}
	if got := strings.Join(ids, " "); got != "closer unset again" {
		t.Error(got)
	}
	if near := Nearest(e, e.Start(), "one", "anything"); len(near) != 1 || near[0].Scenario.ID != "any" {
		t.Errorf("%+v", near)
	}
	e = engine(t, `
  - { id: mixed, when: { command: bake mix, state: { up: true } }, then: { exit: 1 } }
  - { id: later, when: { command: bake mix, args: { --flour: { any: true } }, state: { up: true } }, then: {} }
  - { id: mix, when: { command: bake mix, args: { --flour: { any: true } } }, then: {} }
  - { id: help, when: { command: bake cake, args: { --help: true } }, then: {} }
  - { id: cake, completes: cake, when: { command: bake cake, state: { up: true } }, then: {} }
  - { id: pan, when: { command: bake pan, args: { --hot: true } }, then: {} }
  - { id: pancake, when: { command: bake pan, args: { 0: egg }, state: { up: true } }, then: {} }
`)
	// What can be typed at once is nearer than what waits for the state, unless that is what a learner is there for or
	// more of the line fits it.
	for line, want := range map[string]string{"bake mix": "mix mixed later", "bake cake": "cake help", "bake pan egg": "pancake pan", "bake pan": "pan pancake"} {
		var ids []string
		for _, n := range Nearest(e, e.Start(), "one", line) {
			ids = append(ids, n.Scenario.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	if got := quoted(strings.Repeat("ä", 100)); got != "`"+strings.Repeat("ä", 80)+"…`" {
		t.Error(got)
	}
}
