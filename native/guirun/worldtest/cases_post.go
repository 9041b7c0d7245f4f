package worldtest

import (
	"errors"
	"time"

	"asz/native/guirun"
)

// waitThen is a step without effect and its postconditions, on a desktop.
func waitThen(post string) string {
	return onDesktop + "steps:\n  - action: wait 0\n    post:\n" + post
}

func postCases() []Case {
	one := []Program{started()}
	appearing := []Program{late(700 * time.Millisecond).inBackground()}
	leaving := []Program{{Name: "editor", Background: true, Acts: []Act{{Do: Show}, {At: 700 * time.Millisecond, Do: End}}}}
	failed := []string{"step failed postcondition", "final passed"}
	list := []Case{
		{Name: "window", Scenario: waitThen("      - window: EDIT\n"), Programs: appearing, Real: true, Verdict: guirun.Passed},
		{Name: "no window comes in time", Scenario: waitThen("      - window: other\n        timeout_s: 0.3\n"), Programs: one, Real: true, Verdict: guirun.Failed, Rows: failed,
			Reason: `step 1 (case.yaml:4, wait 0): no window "other" came within 0.3s; there were window "editor"`},
		{Name: "no_window", Scenario: waitThen("      - no_window: editor\n"), Programs: leaving, Real: true, Verdict: guirun.Passed},
		{Name: "a window does not go", Scenario: waitThen("      - no_window: editor\n        timeout_s: 0.3\n"), Programs: one, Real: true, Verdict: guirun.Failed, Rows: failed,
			Reason: `the window "editor" did not go within 0.3s; there was window "editor"`},
		{Name: "process", Scenario: onDesktop + "steps:\n  - action: spawn \"{editor}\"\n    post:\n      - process: \"{editor.name}\"\n", Programs: []Program{editor()}, Real: true, Verdict: guirun.Passed},
		{Name: "no process comes in time", Scenario: waitThen("      - process: never-there\n        timeout_s: 0.3\n"), Real: true, Verdict: guirun.Failed, Rows: failed,
			Reason: `no process "never-there" came within 0.3s; no such process runs`},
		{Name: "no_process", Scenario: waitThen("      - no_process: \"{editor.name}\"\n"), Programs: leaving, Real: true, Verdict: guirun.Passed},
		{Name: "a process does not end", Scenario: waitThen("      - no_process: \"{editor.name}\"\n        timeout_s: 0.3\n"), Programs: one, Real: true, Verdict: guirun.Failed, Rows: failed, Reason: "did not end within 0.3s; process "},
		{Name: "file", Scenario: waitThen("      - file: \"{dir}/out\"\n"), Real: true, Verdict: guirun.Passed,
			Programs: []Program{{Name: "editor", Background: true, Acts: []Act{{At: 300 * time.Millisecond, Do: Append, File: "out", Text: "x"}}}}},
		{Name: "a file does not appear", Scenario: waitThen("      - file: \"{dir}/out\"\n        timeout_s: 0.3\n"), Real: true, Verdict: guirun.Failed, Rows: failed, Reason: "did not appear within 0.3s; it does not exist"},
		{Name: "a file in the home", Scenario: waitThen("      - file: ~/out\n"), Files: map[string]string{"out": ""}, Verdict: guirun.Passed},
		{Name: "a folder is a path that exists, a pattern is none", Scenario: waitThen("      - file: \"{dir}\"\n      - file: \"{dir}/*\"\n        timeout_s: 0\n"), Files: map[string]string{"out": ""}, Verdict: guirun.Failed, Rows: failed, Reason: "/*\" did not appear when looked at once"},
		{Name: "screen is not judged", Scenario: waitThen("      - screen: it is blue\n"), Verdict: guirun.Passed, Rows: []string{"step passed", "final passed"}, Real: true,
			Check: func(p *Played) {
				post := p.Row(1).Postconditions[0]
				p.Want("kind, want, holds", []any{post.Kind, post.Want, post.Holds == nil}, []any{"screen", "it is blue", true})
				p.Want("not judged", p.Report.NotJudged, 1)
			}},
		{Name: "expect is not judged", Scenario: onDesktop + "steps:\n  - action: wait 0\n    expect: it is blue\n", Verdict: guirun.Passed, Rows: []string{"step passed", "final passed"}, Reason: "1 step done, 0 postconditions held",
			Check: func(p *Played) {
				p.Want("kind", p.Row(1).Postconditions[0].Kind, "expect")
				p.Want("not judged", p.Report.NotJudged, 1)
			}},
		{Name: "the order of what is judged", Scenario: onDesktop + "steps:\n  - action: wait 0\n    expect: e\n    post:\n      - screen: s\n      - window: editor\n      - no_window: x\n", Programs: one, Verdict: guirun.Passed, Reason: "2 postconditions held",
			Check: func(p *Played) {
				var kinds []string
				for _, post := range p.Row(1).Postconditions {
					kinds = append(kinds, post.Kind)
				}
				p.Want("kinds", kinds, "[window no_window screen expect]")
				p.Want("not judged", p.Report.NotJudged, 2)
			}},
		{Name: "what was not reached is not counted", Scenario: onDesktop + "steps:\n  - action: wait 0\n    expect: e\n    post:\n      - window: never\n        timeout_s: 0\n  - observe: x\n", Verdict: guirun.Failed, Rows: []string{"step failed postcondition", "step skipped", "final passed"},
			Check: func(p *Played) { p.Want("not judged", p.Report.NotJudged, 0) }},
		{Name: "observe is not judged", Scenario: onDesktop + "steps:\n  - observe: all is well\n  - action: wait 0\n", Verdict: guirun.Passed, Rows: []string{"step not-judged", "step passed", "final passed"}, Real: true,
			Check: func(p *Played) {
				p.Want("action", p.Row(1).Action, `observe "all is well"`)
				p.Want("not judged", p.Report.NotJudged, 1)
				p.Want("a picture", p.Row(1).Screenshots.After != "", true)
				p.Want("settled", len(p.Row(1).Notes), 0)
			}},
		{Name: "observe of a restless screen", Scenario: onDesktop + "steps:\n  - observe: x\n", Fake: func(f *Fake) { f.Restless = true }, Verdict: guirun.Passed,
			Check: func(p *Played) {
				p.Want("after", p.Row(1).DurationMS, 5000)
				p.WantIn("notes", p.Row(1).Notes[0], "unsettled")
			}},
		{Name: "a caret does not unsettle", Scenario: onDesktop + "steps:\n  - observe: x\n", Fake: func(f *Fake) { f.Blinking = true }, Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("after", p.Row(1).DurationMS, 250) }},
		{Name: "how long between two pictures is the operator's to say", Scenario: onDesktop + "steps:\n  - observe: x\n", Operator: func(o *guirun.Operator) { o.Settle = second }, Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("after", p.Row(1).DurationMS, 1000) }},

		{Name: "ten seconds when no time is given", Scenario: waitThen("      - window: never\n"), Verdict: guirun.Failed, Reason: "within 10s", Rows: failed,
			Check: func(p *Played) {
				post := p.Row(1).Postconditions[0]
				p.Want("holds, elapsed", []any{*post.Holds, post.ElapsedMS}, []any{false, 10000})
				p.Want("row", p.Row(1).DurationMS, 10000)
			}},
		{Name: "looked at once", Scenario: waitThen("      - window: editor\n        timeout_s: 0\n"), Programs: []Program{late(time.Millisecond).inBackground()}, Verdict: guirun.Failed, Reason: "when looked at once", Rows: failed,
			Check: func(p *Played) { p.Want("elapsed", p.Row(1).Postconditions[0].ElapsedMS, 0) }},
		{Name: "looked at once, and it is so", Scenario: waitThen("      - window: editor\n        timeout_s: 0\n"), Programs: one, Verdict: guirun.Passed},
		{Name: "how long it took, and the last value", Scenario: waitThen("      - window: editor\n      - no_process: x\n"), Programs: appearing, Verdict: guirun.Passed,
			Check: func(p *Played) {
				post := p.Row(1).Postconditions
				p.Want("elapsed", []any{post[0].ElapsedMS, post[1].ElapsedMS}, []any{700, 0}) // the window by its event
				p.Want("last", []any{post[0].Last, post[1].Last}, []any{`there was window "editor"`, "no such process runs"})
			}},
		{Name: "all at one moment", Verdict: guirun.Passed,
			Scenario: waitThen("      - window: first\n        timeout_s: 1\n      - window: second\n"),
			Programs: []Program{
				{Name: "first", Background: true, Acts: []Act{{Do: Show}, {At: 2 * second, Do: Close}, {At: 3 * second, Do: Show}}},
				{Name: "second", Background: true, Acts: []Act{{At: 2 * second, Do: Show}}},
			}},
		{Name: "each once, never all", Verdict: guirun.Failed, Reason: `no window "first" came within 1s`, Rows: failed,
			Scenario: waitThen("      - window: first\n        timeout_s: 1\n      - window: second\n"),
			Programs: []Program{
				{Name: "first", Background: true, Acts: []Act{{Do: Show}, {At: 2 * second, Do: Close}}},
				{Name: "second", Background: true, Acts: []Act{{At: 3 * second, Do: Show}}},
			}},
		{Name: "one fails at its own time", Verdict: guirun.Failed, Reason: `no window "late" came within 0.05s`, Rows: failed,
			Scenario: waitThen("      - window: late\n        timeout_s: 0.05\n      - window: never\n"),
			Programs: []Program{{Name: "late", Background: true, Acts: []Act{{At: 70 * time.Millisecond, Do: Show}}}},
			Check:    func(p *Played) { p.Want("row", p.Row(1).DurationMS, 50) }},
		{Name: "an event ends the wait between two looks", Scenario: waitThen("      - window: editor\n"), Programs: []Program{late(13 * time.Millisecond).inBackground()}, Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("row", p.Row(1).DurationMS, 13) }},
		{Name: "the clock starts at the action's end", Scenario: onDesktop + "steps:\n  - action: wait 5\n    post:\n      - window: editor\n        timeout_s: 2\n", Programs: []Program{late(6500 * time.Millisecond).inBackground()}, Verdict: guirun.Passed},
		{Name: "post of an action that failed is not looked at", Scenario: onDesktop + "steps:\n  - action: kill \"never\"\n    post:\n      - no_window: x\n", Verdict: guirun.Failed, Rows: []string{"step failed absent", "final passed"},
			Check: func(p *Played) { p.Want("postconditions", len(p.Row(1).Postconditions), 0) }},
		{Name: "processes that cannot be listed", Scenario: waitThen("      - process: x\n"), Fake: func(f *Fake) { f.ListFault = errors.New("no /proc") }, Verdict: guirun.RuntimeError, Reason: "the processes cannot be listed: no /proc",
			Rows: []string{"step error harness", "final error harness"}},
		{Name: "a state needs the bus", Scenario: onDesktop + "steps:\n  - action: wait 0\n    expect_state: Bold checked\n", Verdict: guirun.Failed, Rows: []string{"step failed unavailable", "final passed"}, Reason: "accessibility bus"},
	}
	return list
}

func planCases() []Case {
	plan := func(steps, plan string) string {
		return onDesktop + "goal: all is saved\n" + steps + "plan:\n" + plan
	}
	holds := "  - action: wait 0\n    post:\n      - no_window: x\n"
	fails := "  - action: wait 0\n    post:\n      - window: x\n        timeout_s: 0\n"
	return []Case{
		{Name: "a plan that holds needs no model", Scenario: plan("steps:\n  - action: wait 0\n", holds+holds), Verdict: guirun.Passed, Rows: []string{"step passed", "plan passed", "plan passed", "final passed"}, Reason: "3 steps done, 2 postconditions held"},
		{Name: "a plan that falls back without a model", Scenario: plan("", holds+fails+holds), Verdict: guirun.Failed, Rows: []string{"plan passed", "plan failed postcondition", "plan skipped", "final passed"},
			Reason: `plan step 2 (case.yaml:8, wait 0): no window "x" came when looked at once; there were no windows; the goal could take over from there, but no model is set: set model.provider`},
		{Name: "a plan whose action fails", Scenario: plan("", "  - action: kill \"never\"\n    post:\n      - no_window: x\n"), Verdict: guirun.Failed, Rows: []string{"plan failed absent", "final passed"}, Reason: "plan step 1 (case.yaml:5, kill \"never\"): no process"},
		{Name: "a failed step ends the plan too", Scenario: plan("steps:\n  - action: kill \"never\"\n  - action: wait 0\n", holds), Verdict: guirun.Failed, Rows: []string{"step failed absent", "step skipped", "plan skipped", "final passed"}, Reason: "step 1 ("},
		{Name: "a plan's screen is not judged", Scenario: plan("", "  - action: wait 0\n    post:\n      - screen: blue\n"), Verdict: guirun.Passed, Rows: []string{"plan passed", "final passed"}},
		{Name: "a goal without plan needs a model", Scenario: "app: editor\nlaunch:\n  cmd: \"{editor}\"\ngoal: save it\nsteps:\n  - action: wait 0\n", Programs: []Program{editor()}, Verdict: guirun.RuntimeError, Reason: "set model.provider in the operator file, or give a plan",
			Rows: []string{"step skipped"}, Check: func(p *Played) {
				p.Want("exit", p.Report.Exit, 3)
				p.Want("nothing was begun", p.Fake.Calls(), "")
			}},
		{Name: "an audit needs a model", Scenario: "app: editor\ngrounding_audit: true\n", Verdict: guirun.RuntimeError, Reason: "grounding_audit asks a model", Check: func(p *Played) { p.Want("nothing was begun", p.Fake.Calls(), "") }},
		{Name: "a model that this version cannot ask", Scenario: "goal: save it\n", Operator: func(o *guirun.Operator) { o.Model.Provider = guirun.ProviderOpenAI }, Verdict: guirun.RuntimeError, Reason: "cannot ask the one that is set"},
		{Name: "a browser is not driven yet", Scenario: onDesktop + "steps:\n  - action: cdp_url\n", Verdict: guirun.Failed, Rows: []string{"step failed unavailable", "final passed"}, Reason: "browser"},
		{Name: "an app is played up to what needs a browser", Scenario: "app: editor\nsettle_s: 0\nsteps:\n  - action: cdp_url\n", Programs: []Program{started()}, Verdict: guirun.Failed, Rows: []string{"launch passed", "step failed unavailable", "final passed"}, Reason: "browser"},
		{Name: "elements are not clicked yet", Scenario: onDesktop + "steps:\n  - action: click_element \"OK\"\n", Verdict: guirun.Failed, Rows: []string{"step failed unavailable", "final passed"}, Reason: "accessibility bus",
			Check: func(p *Played) { p.Want("rung", p.Row(1).Rung, "element") }},
	}
}
