package worldtest

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"asz/native/guirun"
)

// onDesktop is a scenario of steps without an app.
const onDesktop = "desktop: true\nsettle_s: 0\n"

// steps is a scenario with one action a step, in an editor that runs.
func steps(actions ...string) string {
	return "window: editor\nsettle_s: 0\nsteps:\n" + actionList(actions)
}

func actionList(actions []string) string {
	var b strings.Builder
	for _, a := range actions {
		fmt.Fprintf(&b, "  - action: %s\n", a)
	}
	return b.String()
}

// two are an editor and a newer window that has the focus.
func two() []Program {
	return []Program{started(), {Name: "other", Background: true, Acts: []Act{{At: 10 * time.Millisecond, Do: Show, Window: Window{Area: area(120)}}}}}
}

func inputCases() []Case {
	one := []Program{started()}
	return []Case{
		{
			Name: "keys and text", Scenario: steps(`type "Hé, $NAME ${NAME} $$ $1"`, `key "ctrl+s"`, `key "return"`, `key "shift+f1"`, `key "alt+left"`, `key "x"`), Programs: one,
			Env: map[string]string{"NAME": "wörld"}, Verdict: guirun.Passed, Reason: "6 steps done, 0 postconditions held, and the app was there at the end",
			Check: func(p *Played) {
				p.Want("received", p.World.Received("editor"), "Hé, wörld wörld $ $1<ctrl+s><return><shift+f1><alt+left>x")
				p.Want("the row names the window", p.Row(2).Result.Window, "editor")
				p.WantIn("resolved", p.Row(2).Resolved, `window "editor"`)
				p.Want("as written", p.Row(2).Action, `type "Hé, $NAME ${NAME} $$ $1"`)
				p.Want("no rung", p.Row(2).Rung, "")
			},
		},
		{
			Name: "typed and clicked", Scenario: steps(`type "Hello, wide world"`, `key "return"`, `click 0.25 0.75`, `click center`, `key "ctrl+s"`), Programs: one, Real: true,
			Verdict: guirun.Passed,
			Check: func(p *Played) {
				p.Want("received", p.World.Received("editor"), "Hello, wide world<return><click 0.25 0.75><click 0.50 0.50><ctrl+s>")
				row := p.Row(4)
				p.Want("rung", row.Rung, "literal")
				p.WantIn("resolved", row.Resolved, fmt.Sprintf(`%d, %d in window "editor"`, row.Click.X, row.Click.Y))
				p.Want("pictures", row.Screenshots.Before != "" && row.Screenshots.After != "", true)
			},
		},
		{
			Name: "a variable that is not set is never typed", Scenario: steps(`type "a $MISSING b"`), Programs: one,
			Verdict: guirun.Failed, Reason: `step 1 (case.yaml:4, type "a $MISSING b"): `, Rows: []string{"launch passed", "step failed unset", "final passed"},
			Check: func(p *Played) {
				p.WantIn("the error", p.Row(2).Error.Message, "MISSING")
				p.Want("typed", p.Fake.Asked["Type"], 0)
			},
		},
		{
			Name: "an empty variable counts as not set", Scenario: steps(`type "$EMPTY"`), Programs: one, Env: map[string]string{"EMPTY": ""},
			Verdict: guirun.Failed, Rows: []string{"launch passed", "step failed unset", "final passed"},
		},
		{
			Name: "a target is activated first", Scenario: steps("key \"f1\"\n    target: window \"other\"", "type \"x\"\n    target: window \"EDIT\"", `type "y"`), Real: true,
			Programs: []Program{started(), {Name: "other", Background: true, Acts: []Act{{Do: Show, Window: Window{Area: area(120)}}}}},
			Verdict:  guirun.Passed,
			Check: func(p *Played) {
				p.Want("the editor received", p.World.Received("editor"), "xy")
				p.Want("the other received", p.World.Received("other"), "<f1>")
				p.Want("target", p.Row(2).Target, `window "other"`)
			},
		},
		{
			Name: "a target is restored", Scenario: onDesktop + "steps:\n" + actionList([]string{"key \"f1\"\n    target: window \"editor\""}), Programs: two(),
			Fake:    func(f *Fake) { f.At(5*time.Millisecond, func() { f.Window("editor").Minimised = true }) },
			Verdict: guirun.Passed,
			Check: func(p *Played) {
				p.Want("minimised", p.Fake.Window("editor").Minimised, false)
				p.Want("received", p.World.Received("editor"), "<f1>")
			},
		},
		{
			Name: "without a target keys go to the focus", Scenario: onDesktop + "steps:\n" + actionList([]string{"wait 1", `key "a"`}), Programs: two(), Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("the newer one received", p.World.Received("other"), "a") },
		},
		{
			Name: "a focus is awaited", Scenario: onDesktop + "steps:\n" + actionList([]string{`type "abc"`}), Programs: []Program{{Name: "editor", Background: true, Acts: []Act{{At: 900 * time.Millisecond, Do: Show}}}}, Real: true,
			Verdict: guirun.Passed, Check: func(p *Played) { p.Want("received", p.World.Received("editor"), "abc") },
		},
		{
			Name: "no window has the focus", Scenario: steps(`type "abc"`), Programs: one, Fake: func(f *Fake) { f.Unfocus() },
			Verdict: guirun.Failed, Reason: "no window has the focus", Rows: []string{"launch passed", "step failed focus", "final passed"},
			Check: func(p *Played) {
				p.Want("typed", p.Fake.Asked["Type"], 0)
				p.Want("awaited", p.Row(2).DurationMS, 10000)
			},
		},
		{
			Name: "a focus that moves while typing", Scenario: steps(`type "abc"`, "wait 1"), Programs: one,
			Fake: func(f *Fake) {
				f.KeyFault = guirun.Faultf(guirun.ClassFocus, "the focus moved to %q after 2 characters", "popup")
			},
			Verdict: guirun.Failed, Reason: `step 1 (case.yaml:4, type "abc"): the focus moved to "popup"`, Rows: []string{"launch passed", "step failed focus", "step skipped", "final passed"},
		},
		{
			Name: "a key that the display cannot give", Scenario: steps(`key "ctrl+é"`), Programs: one, Fake: func(f *Fake) { f.KeyFault = guirun.Faultf(guirun.ClassKey, "no key gives é") },
			Verdict: guirun.Failed, Reason: "no key gives é", Rows: []string{"launch passed", "step failed key", "final passed"},
		},
		{
			Name: "a window that takes no keys", Scenario: steps(`key "a"`), Programs: one, Fake: func(f *Fake) { f.Slow = time.Minute },
			Verdict: guirun.Failed, Reason: "did not take the keys within", Rows: []string{"launch passed", "step failed timeout", "final passed"},
		},
		{
			Name: "a long text has longer", Scenario: steps(`type "` + strings.Repeat("long ", 20) + `"`), Programs: one, Fake: func(f *Fake) { f.Slow = 19 * second },
			Operator: func(o *guirun.Operator) { o.KeyDelay = 100 * time.Millisecond }, Verdict: guirun.Passed,
		},
		{
			Name: "a declared place", Scenario: steps(`click "ok"`) + "click_targets:\n  ok: [0.9, 0.1]\n", Programs: one, Real: true, Verdict: guirun.Passed,
			Check: func(p *Played) {
				p.Want("received", p.World.Received("editor"), "<click 0.90 0.10>")
				p.Want("rung", p.Row(2).Rung, "declared")
			},
		},
		{
			Name: "a click activates", Scenario: steps("click center\n    target: window \"editor\""), Real: true, Verdict: guirun.Passed,
			Programs: []Program{started(), {Name: "other", Background: true, Acts: []Act{{Do: Show, Window: Window{Area: area(20)}}}}},
			Check: func(p *Played) {
				p.Want("received", p.World.Received("editor"), "<click 0.50 0.50>")
				p.Want("rung", p.Row(2).Rung, "center")
				for _, w := range p.Report.Final.Windows {
					p.Want(w.Title+" is active", w.Active, w.Title == "editor")
				}
			},
		},
		{
			Name: "a window is awaited for a click", Scenario: steps("click center\n    target: window \"late\""), Real: true, Verdict: guirun.Passed,
			Programs: []Program{started(), {Name: "late", Background: true, Acts: []Act{{At: 1200 * time.Millisecond, Do: Show}}}},
			Check:    func(p *Played) { p.Want("received", p.World.Received("late"), "<click 0.50 0.50>") },
		},
		{
			Name: "a window that does not come for a click", Scenario: steps("click center\n    target: window \"never\""), Programs: one,
			Verdict: guirun.Failed, Reason: `no window has "never" in its title or class; there were window "editor"`, Rows: []string{"launch passed", "step failed absent", "final passed"},
			Check: func(p *Played) { p.Want("awaited", p.Row(2).DurationMS, 10000) },
		},
		{
			Name: "how long is the operator's to say", Scenario: steps("key \"a\"\n    target: window \"never\""), Programs: one, Operator: func(o *guirun.Operator) { o.ActionTimeout = 3 * second },
			Verdict: guirun.Failed, Check: func(p *Played) { p.Want("awaited", p.Row(2).DurationMS, 3000) },
		},
		{
			Name: "on a desktop a click means the active window", Scenario: onDesktop + "steps:\n" + actionList([]string{"click center"}), Programs: []Program{started()}, Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("received", p.World.Received("editor"), "<click 0.50 0.50>") },
		},
		{
			Name: "on a desktop without an active window", Scenario: onDesktop + "steps:\n" + actionList([]string{"click center"}),
			Verdict: guirun.Failed, Reason: "no window is active, and none is named: give the action a target; there were no windows", Rows: []string{"step failed absent", "final passed"},
		},
		{
			Name: "of several windows the active one", Scenario: steps("click 0 1"), Verdict: guirun.Passed,
			Programs: []Program{{Name: "first", Background: true, Acts: []Act{{Do: Show, Window: Window{Title: "editor 1"}}}}, {Name: "second", Background: true, Acts: []Act{{Do: Show, Window: Window{Title: "editor 2"}}}}},
			Fake:     func(f *Fake) { f.focus(f.Window("first").ID) },
			Check: func(p *Played) {
				p.Want("the active one received", p.World.Received("first"), "<click 0.00 1.00>")
			},
		},
		{
			Name: "of several windows else the newest", Scenario: steps("click 1 0"), Verdict: guirun.Passed,
			Programs: []Program{{Name: "first", Background: true, Acts: []Act{{Do: Show, Window: Window{Title: "editor 1"}}}}, {Name: "second", Background: true, Acts: []Act{{Do: Show, Window: Window{Title: "editor 2"}}}}, {Name: "other", Background: true}},
			Check: func(p *Played) {
				p.Want("the newest received", p.World.Received("second"), "<click 1.00 0.00>")
			},
		},
		{
			Name: "a covered place", Scenario: steps("click center"), Programs: one, Fake: func(f *Fake) { f.ClickFault = guirun.Faultf(guirun.ClassCovered, "window %q is there", "panel") },
			Verdict: guirun.Failed, Reason: `window "panel" is there`, Rows: []string{"launch passed", "step failed covered", "final passed"},
			Check: func(p *Played) {
				p.WantIn("resolved", p.Row(2).Resolved, `window "editor"`)
				p.Want("no click", p.Row(2).Click == nil, true)
			},
		},
		{
			Name: "a place off the screen", Scenario: steps("click 0.95 0.5"), Real: true, Verdict: guirun.Failed, Reason: "screen", Rows: []string{"launch passed", "step failed off_screen", "final passed"},
			Programs: []Program{{Name: "editor", Background: true, Acts: []Act{{Do: Show, Window: Window{Area: area(1180)}}}}},
		},
		{
			Name: "a click that takes too long", Scenario: steps("click center"), Programs: one, Fake: func(f *Fake) { f.Slow = time.Hour },
			Verdict: guirun.Failed, Reason: "it was not done within 10s", Rows: []string{"launch passed", "step failed timeout", "final passed"},
		},
		{
			Name: "the window is found anew for every action", Scenario: steps("click center", "wait 1", "click center"), Verdict: guirun.Passed, Real: true,
			Programs: []Program{{Name: "editor", Background: true, Acts: []Act{
				{Do: Show, Window: Window{Name: "first", Title: "editor 1"}}, {At: 900 * time.Millisecond, Do: Show, Window: Window{Name: "second", Title: "editor 2", Area: area(120)}},
				{At: 950 * time.Millisecond, Do: Close, Window: Window{Name: "first"}},
			}}},
			Check: func(p *Played) { p.Want("received", p.World.Received("second"), "<click 0.50 0.50>") },
		},
	}
}

func commandCases() []Case {
	return []Case{
		{
			Name: "wait is waited in full", Scenario: onDesktop + "steps:\n" + actionList([]string{"wait 1.5", "wait 0"}), Verdict: guirun.Passed,
			Check: func(p *Played) {
				p.Want("the first", p.Row(1).DurationMS, 1500)
				p.Want("the second", p.Row(2).DurationMS, 0)
			},
		},
		{
			Name: "shell", Scenario: onDesktop + "shell:\n  say: \"{say}\"\nsteps:\n" + actionList([]string{`shell "say"`}), Real: true,
			Programs: []Program{{Name: "say", Acts: []Act{{Do: Say, Text: "hello\n"}, {At: 100 * time.Millisecond, Do: End}}}},
			Verdict:  guirun.Passed, Check: func(p *Played) {
				p.Want("result", []any{*p.Row(1).Result.Exit, p.Row(1).Result.Output}, []any{0, "hello\n"})
			},
		},
		{
			Name: "shell that fails", Scenario: onDesktop + "shell:\n  say: \"{say}\"\nsteps:\n" + actionList([]string{`shell "say"`, "wait 0"}), Real: true,
			Programs: []Program{{Name: "say", Acts: []Act{{Do: Say, Text: "no space left\n"}, {Do: End, Exit: 4}}}},
			Verdict:  guirun.Failed, Reason: `step 1 (case.yaml:6, shell "say"): the command "say" ended with status 4; it said: no space left`, Rows: []string{"step failed nonzero_exit", "step skipped", "final passed"},
			Check: func(p *Played) { p.Want("exit", *p.Row(1).Result.Exit, 4) },
		},
		{
			Name: "shell without its command", Scenario: onDesktop + "shell:\n  say: /nowhere/x\nsteps:\n" + actionList([]string{`shell "say"`}), Real: true,
			Verdict: guirun.Failed, Reason: "could not be run (status 127)", Rows: []string{"step failed missing_command", "final passed"},
		},
		{
			Name: "shell with what cannot be run", Scenario: onDesktop + "shell:\n  say: \"{say}\"\nsteps:\n" + actionList([]string{`shell "say"`}), Programs: []Program{{Name: "say", Acts: []Act{{Do: End, Exit: 126}}}}, Real: true,
			Verdict: guirun.Failed, Reason: "could not be run (status 126)", Rows: []string{"step failed missing_command", "final passed"},
		},
		{
			Name: "shell that does not end", Scenario: onDesktop + "shell:\n  say: \"{say}\"\nsteps:\n" + actionList([]string{`shell "say"`}), Programs: []Program{{Name: "say", Acts: []Act{{Do: Say, Text: "begun\n"}}}}, Real: true,
			Operator: func(o *guirun.Operator) { o.ShellTimeout = second },
			Verdict:  guirun.Failed, Reason: "did not end within 1s", Rows: []string{"step failed timeout", "final passed"},
			Check: func(p *Played) {
				p.Want("what it said", p.Row(1).Result.Output, "begun\n")
				p.Want("no exit", p.Row(1).Result.Exit == nil, true)
				p.Want("it was ended", strings.Contains(strings.Join(p.Report.Final.Processes, "\n"), p.Expand("{say.name}")), false)
			},
		},
		{
			Name: "output is cut", Scenario: onDesktop + "shell:\n  say: \"{say}\"\nsteps:\n" + actionList([]string{`shell "say"`}), Programs: []Program{{Name: "say", Acts: []Act{{Do: Say, Text: "begin" + strings.Repeat("x", 5000) + "end"}, {Do: End}}}}, Real: true,
			Operator: func(o *guirun.Operator) { o.ShellOutput = 1000 }, Verdict: guirun.Passed,
			Check: func(p *Played) {
				r := p.Row(1).Result
				p.Want("both ends, and what is missing", strings.HasPrefix(r.Output, "begin") && strings.HasSuffix(r.Output, "end") && r.CutBytes > 3000 && r.CutBytes < 5000, true)
			},
		},
		{
			Name: "spawn", Scenario: onDesktop + "steps:\n" + actionList([]string{"spawn \"{editor}\"\n    post:\n      - window: editor\n      - process: \"{editor.name}\""}), Programs: []Program{editor()}, Real: true,
			Verdict: guirun.Passed, Check: func(p *Played) { p.Want("pids", len(p.Row(1).Result.PIDs), 1) },
		},
		{
			Name: "spawn that fails before its postconditions hold", Scenario: onDesktop + "steps:\n" + actionList([]string{"spawn \"{editor}\"\n    post:\n      - window: editor"}), Real: true,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Say, Text: "no display\n"}, {At: 300 * time.Millisecond, Do: End, Exit: 2}}}},
			Verdict:  guirun.Failed, Reason: "ended with status 2; it said: no display", Rows: []string{"step failed nonzero_exit", "final passed"},
		},
		{
			Name: "spawn that ends well before its postconditions hold", Scenario: onDesktop + "steps:\n" + actionList([]string{"spawn \"{starter}\"\n    post:\n      - window: editor"}), Real: true,
			Programs: []Program{{Name: "starter", Acts: []Act{{Do: End}}}, late(700 * time.Millisecond).inBackground()}, Verdict: guirun.Passed,
		},
		{
			Name: "spawn of nothing", Scenario: onDesktop + "steps:\n" + actionList([]string{"spawn \"/nowhere/x\"\n    post:\n      - window: editor"}), Real: true,
			Verdict: guirun.Failed, Reason: "could not be run (status 127)", Rows: []string{"step failed missing_command", "final passed"},
		},
		{
			Name: "spawn that the harness cannot do", Scenario: onDesktop + "steps:\n" + actionList([]string{"spawn \"x\""}), Fake: func(f *Fake) { f.StartFault = errors.New("HOME cannot be written") },
			Verdict: guirun.RuntimeError, Reason: "HOME cannot be written", Rows: []string{"step error harness", "final passed"},
		},
		{
			Name: "kill", Scenario: onDesktop + "steps:\n" + actionList([]string{"kill \"{editor.name}.*\"\n    post:\n      - no_window: editor\n      - no_process: \"{editor.name}\"\n        timeout_s: 0"}), Real: true,
			Programs: []Program{started(), {Name: "other", Background: true}}, Verdict: guirun.Passed,
			Check: func(p *Played) {
				p.Want("windows left", p.Report.Final.Windows[0].Title, "other")
				p.WantIn("resolved", p.Row(1).Resolved, "{editor.name}")
				p.Want("pids", len(p.Row(1).Result.PIDs), 1)
			},
		},
		{
			Name: "kill of what does not listen", Scenario: onDesktop + "steps:\n" + actionList([]string{"kill \"^/bin/(editor|other) \""}),
			Programs: []Program{{Name: "editor", Background: true, Stubborn: true}, {Name: "other", Background: true}}, Verdict: guirun.Passed,
			Check: func(p *Played) {
				p.Want("windows left", len(p.Report.Final.Windows), 0)
				p.Want("after the grace", p.Row(1).DurationMS, 5000)
			},
		},
		{
			Name: "kill finds none", Scenario: onDesktop + "steps:\n" + actionList([]string{`kill "never-there"`}), Real: true,
			Verdict: guirun.Failed, Reason: `no process has a command line that matches "never-there"`, Rows: []string{"step failed absent", "final passed"},
		},
		{
			Name: "a target is activated for a shell too", Scenario: onDesktop + "shell:\n  say: \"{say}\"\nsteps:\n" + actionList([]string{"shell \"say\"\n    target: window \"editor\""}),
			Programs: []Program{started(), {Name: "other", Background: true}, {Name: "say", Acts: []Act{{Do: End}}}}, Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("the editor is active", p.Fake.Window("editor").Active, true) },
		},
		{
			Name: "growing: released when it rests", Scenario: onDesktop + growing(20, 1, 2) + "steps:\n" + actionList([]string{`wait_while "load"`}), Verdict: guirun.Passed, Files: map[string]string{"data": "1234567890"},
			Programs: []Program{{Name: "load", Background: true, Acts: []Act{{At: 500 * time.Millisecond, Do: Append, File: "data", Text: "x"}, {At: 1500 * time.Millisecond, Do: Append, File: "data", Text: "x"}, {At: 3500 * time.Millisecond, Do: Append, File: "data", Text: "x"}}}},
			// samples: 0 s 10 (baseline), 1 s 11, 2 s 12, 3 s 12 quiet, 4 s 13, 5 s quiet, 6 s quiet
			Check: func(p *Played) {
				p.Want("held", p.Row(1).DurationMS, 6000)
				p.WantIn("resolved", p.Row(1).Resolved, "13 bytes")
			},
		},
		{
			Name: "growing: a missing path is of size 0 and quiet", Scenario: onDesktop + growing(20, 1, 3) + "steps:\n" + actionList([]string{`wait_while "load"`}), Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("held", p.Row(1).DurationMS, 3000) },
		},
		{
			Name: "growing: what shrinks is quiet", Scenario: onDesktop + growing(20, 1, 1) + "steps:\n" + actionList([]string{`wait_while "load"`}), Verdict: guirun.Passed, Files: map[string]string{"data": "12"},
			Programs: []Program{{Name: "load", Background: true, Acts: []Act{{At: 500 * time.Millisecond, Do: Remove, File: "data"}}}},
			Check:    func(p *Played) { p.Want("held", p.Row(1).DurationMS, 1000) },
		},
		{
			Name: "growing: a folder is the sum of its files", Scenario: onDesktop + strings.Replace(growing(3, 1, 2), "/data", "", 1) + "steps:\n" + actionList([]string{`wait_while "load"`}), Files: map[string]string{"a": "1", "b": "2"},
			Programs: []Program{{Name: "load", Background: true, Acts: []Act{{At: 500 * time.Millisecond, Do: Append, File: "c", Text: "x"}, {At: 1500 * time.Millisecond, Do: Append, File: "d", Text: "x"}, {At: 2500 * time.Millisecond, Do: Append, File: "e", Text: "x"}}}},
			Verdict:  guirun.Failed, Reason: `"load" did not come to rest within 3s; last seen: 5 bytes`, Rows: []string{"step failed timeout", "final passed"},
		},
		{
			Name: "growing: it rests, really", Scenario: onDesktop + growing(20, 0.2, 2) + "steps:\n" + actionList([]string{`wait_while "load"`}), Verdict: guirun.Passed, Real: true,
			Programs: []Program{{Name: "load", Background: true, Acts: []Act{{At: 100 * time.Millisecond, Do: Append, File: "data", Text: "x"}, {At: 300 * time.Millisecond, Do: Append, File: "data", Text: "x"}}}},
		},
		{
			Name: "process: held while it runs", Scenario: onDesktop + "wait_conditions:\n  busy: {kind: process, match: \"{editor.name}\", timeout_s: 30, poll_s: 0.5, quiet_polls: 2}\nsteps:\n" + actionList([]string{`wait_while "busy"`}), Verdict: guirun.Passed,
			Programs: []Program{{Name: "editor", Background: true, Acts: []Act{{At: 1700 * time.Millisecond, Do: End}}}},
			Check:    func(p *Played) { p.Want("held", p.Row(1).DurationMS, 2500) }, // quiet at 2 s and 2.5 s
		},
		{
			Name: "process: does not end", Scenario: onDesktop + "wait_conditions:\n  busy: {kind: process, match: \"{editor.name}\", timeout_s: 1, poll_s: 0.4, quiet_polls: 1}\nsteps:\n" + actionList([]string{`wait_while "busy"`}),
			Programs: []Program{started()}, Verdict: guirun.Failed, Reason: `"busy" did not come to rest within 1s; last seen: 1 matching process`, Rows: []string{"step failed timeout", "final passed"}, Real: true,
		},
		{
			Name: "what needs a model fails without one", Scenario: steps("click_grounded \"the big button\"\n    expect: it is pressed"), Programs: []Program{started()},
			Verdict: guirun.Failed, Reason: "no model is set: set model.provider", Rows: []string{"launch passed", "step failed no_model", "final passed"},
			Check: func(p *Played) { p.Want("not judged", p.Report.NotJudged, 0) },
		},
	}
}

func growing(timeout, poll float64, quiet int) string {
	return fmt.Sprintf("wait_conditions:\n  load: {kind: growing, path: \"{dir}/data\", timeout_s: %g, poll_s: %g, quiet_polls: %d}\n", timeout, poll, quiet)
}
