package play_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"asz/shared/command"
	"asz/shared/diag"
	"asz/shared/labfile"
	"asz/shared/play"
	"asz/shared/sim"
)

func TestAfter(t *testing.T) {
	dir := folder(t, labspace, simulator+`  - {id: open, when: {command: open, args: {0: door}, state: {docker.running: true}}, then: {}}
`)
	loaded := labfile.Load(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	engine, err := sim.New(loaded.Lab)
	if err != nil {
		t.Fatal(err)
	}
	running := []play.Reason{{Scenario: "open", Text: "the state `docker.running` must be true, and it is false", Commands: []string{"set"}}}
	two := []play.Reason{{Scenario: "here", Text: "it works in the terminal `two` only, and this is `one`"}}
	for _, c := range []struct {
		script, line string
		want         []play.Reason
		problem      string
	}{
		{"", "open door", running, ""},
		{"say x", "open door", running, ""},
		{"set", "open door", nil, ""},
		{`open \`, "door", running, ""}, // a line goes on
		{"chat", "open door", nil, ""},
		{"", "where", two, ""},
		{"@terminal two", "where", nil, ""},
		{"", "pwd", nil, ""}, // built in
		{"@undo now", "where", nil, "@undo takes nothing after it"},
		{"set\n@expect exit=1", "where", nil, "this does not hold: got 0"},
	} {
		got, findings := play.After(sim.NewPlayer(engine), diag.NewSource("s", c.script), c.line, command.Explain)
		problem := ""
		if len(findings) > 0 {
			problem = findings[0].Message
		}
		if problem != c.problem || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q, %q: got %+v, %s", c.script, c.line, got, problem)
		}
	}
}
