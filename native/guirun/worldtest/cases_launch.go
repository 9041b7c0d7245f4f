package worldtest

import (
	"errors"
	"image"
	"strings"
	"time"

	"asz/native/guirun"
)

const second = time.Second

// editor shows a window at once.
func editor() Program { return Program{Name: "editor"} }

// started is an editor that runs already.
func started() Program { return Program{Name: "editor", Background: true} }

// late shows its window after a while.
func late(d time.Duration) Program {
	return Program{Name: "editor", Acts: []Act{{At: d, Do: Show}}}
}

// withDialog shows a window and, after a while, a dialog for it.
func withDialog(after time.Duration, title string) Program {
	return Program{Name: "editor", Acts: []Act{{Do: Show}, {At: after, Do: Show, Window: Window{Name: "dialog", Title: title, Dialog: true, For: "editor"}}}}
}

// launched is a scenario that launches the editor and waits for both of what it is.
const launched = `
window: editor
process: "{editor.name}"
settle_s: 0
launch:
  cmd: "{editor}"
`

func launchCases() []Case {
	return []Case{
		{
			Name: "app gives both names", Scenario: "app: editor\nlaunch:\n  cmd: \"{editor}\"\n", Programs: []Program{editor()},
			Verdict: guirun.Passed, Reason: "it was there at the end", Rows: []string{"launch passed", "settle passed", "final passed"},
			Check: func(p *Played) {
				p.Want("the app", p.Report.App, guirun.App{Window: "editor", Process: "editor"})
				p.Want("the time of settling", p.Row(2).DurationMS, 5000)
				p.WantIn("what the launch came down to", p.Row(1).Resolved, `window "editor"`)
				p.Want("the launch's source", p.Row(1).Source, "case.yaml:3")
				p.Want("pids", len(p.Row(1).Result.PIDs), 1)
			},
		},
		{
			Name: "the environment names the app", Scenario: "settle_s: 0\n", Programs: []Program{started()}, Env: map[string]string{"KASM_RUNTIME_APP": "editor"},
			Verdict: guirun.Passed, Rows: []string{"launch passed", "final passed"},
			Check: func(p *Played) { p.Want("the app", p.Report.App, guirun.App{Window: "editor", Process: "editor"}) },
		},
		{
			Name: "what is written goes before the environment", Scenario: "window: other\nlaunch_timeout_s: 2\n", Programs: []Program{started()},
			Env: map[string]string{"KASM_RUNTIME_APP": "editor"}, Verdict: guirun.AppFailed, Reason: `no window "other" came within 2s`,
			Check: func(p *Played) { p.Want("the app", p.Report.App, guirun.App{Window: "other", Process: "editor"}) },
		},
		{
			Name: "the empty scenario asks for nothing", Scenario: "", Verdict: guirun.Passed, Rows: []string{"settle passed", "final passed"}, Reason: "nothing was asked for",
		},
		{
			Name: "what is unnamed is not checked", Scenario: "settle_s: 1\nsteps:\n  - action: kill \"editor\"\n", Programs: []Program{started()},
			Verdict: guirun.Passed, Rows: []string{"settle passed", "step passed", "final passed"},
		},
		{
			Name: "only the process is named", Scenario: "process: \"{editor.name}\"\nsettle_s: 0\nlaunch:\n  cmd: \"{editor}\"\n", Real: true,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Say, Text: "no window"}}}},
			Verdict:  guirun.Passed, Rows: []string{"launch passed", "final passed"},
		},
		{
			Name: "a class is as good as a title", Scenario: "window: XCLASSY\nsettle_s: 0\nlaunch:\n  cmd: \"{editor}\"\n", Real: true,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Show, Window: Window{Class: "thing Xclassy"}}}}}, Verdict: guirun.Passed,
		},
		{
			Name: "a desktop ignores the app", Scenario: "desktop: true\napp: editor\nsettle_s: 1\nsteps:\n  - action: wait 0\n", Verdict: guirun.Passed,
			Env: map[string]string{"KASM_RUNTIME_APP": "editor"}, Rows: []string{"settle passed", "step passed", "final passed"},
			Check: func(p *Played) { p.Want("the app", p.Report.App, guirun.App{}) },
		},
		{
			Name: "a desktop has no error dialogs", Scenario: "desktop: true\nsettle_s: 1\n", Verdict: guirun.Passed,
			Programs: []Program{{Name: "editor", Background: true, Acts: []Act{{Do: Show, Window: Window{Title: "error", Dialog: true}}}}},
		},
		{
			Name: "a window that comes late is awaited", Scenario: launched, Programs: []Program{late(700 * time.Millisecond)}, Real: true,
			Verdict: guirun.Passed, Rows: []string{"launch passed", "final passed"},
		},
		{
			Name: "a window comes with its title", Scenario: launched, Real: true, Verdict: guirun.Passed,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Show, Window: Window{Title: "loading"}}, {At: 500 * time.Millisecond, Do: Retitle, Text: "My Editor"}}}},
		},
		{
			Name: "no window comes", Scenario: launched + "launch_timeout_s: 1\nsteps:\n  - action: wait 1\n", Real: true,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Show, Window: Window{Title: "something else"}}}}},
			Verdict:  guirun.AppFailed, Reason: `no window "editor" came within 1s; there were window "something else"`,
			Rows: []string{"launch failed timeout", "step skipped", "final passed"},
			Check: func(p *Played) {
				p.Want("exit", p.Report.Exit, 2)
				p.Want("a skipped row has not begun", p.Row(2).Started.IsZero(), true)
			},
		},
		{
			Name: "no process comes", Scenario: "window: editor\nprocess: other-thing\nlaunch_timeout_s: 1\nlaunch:\n  cmd: \"{editor}\"\n", Programs: []Program{editor()}, Real: true,
			Verdict: guirun.AppFailed, Reason: `no process "other-thing" came within 1s`, Rows: []string{"launch failed timeout", "final passed"},
		},
		{
			Name: "nothing is launched and nothing comes", Scenario: "app: editor\n", Verdict: guirun.AppFailed,
			Reason: `no window "editor" and no process "editor" came within 60s; there were no windows`,
			Check: func(p *Played) {
				p.Want("after", p.Fake.Elapsed(), time.Minute)
				p.WantIn("the row", p.Row(1).Action, `wait for the window "editor" and the process "editor"`)
			},
		},
		{
			Name: "a command that fails ends the wait", Scenario: launched, Real: true,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Say, Text: "cannot open display\nusage: editor\n"}, {At: 300 * time.Millisecond, Do: End, Exit: 3}}}},
			Verdict:  guirun.AppFailed, Reason: "the app was not there yet, and its command ended with status 3; it said: cannot open display / usage: editor",
			Rows: []string{"launch failed nonzero_exit", "final passed"},
			Check: func(p *Played) {
				p.Want("a command that fails at once is not awaited", p.Report.DurationMS < 50000, true)
			},
		},
		{
			Name: "a command that is not there", Scenario: "window: editor\nlaunch:\n  cmd: /nowhere/editor\n", Real: true,
			Verdict: guirun.AppFailed, Reason: "could not be run (status 127); it said: ", Rows: []string{"launch failed missing_command", "final passed"},
		},
		{
			Name: "a command that ends well may leave its app behind", Scenario: "window: editor\nsettle_s: 0\nlaunch:\n  cmd: \"{starter}\"\n", Real: true,
			Programs: []Program{
				{Name: "starter", Acts: []Act{{Do: End}}},
				{Name: "editor", Background: true, Acts: []Act{{At: 600 * time.Millisecond, Do: Show}}},
			},
			Verdict: guirun.Passed,
		},
		{
			Name: "a command that ends well and leaves nothing", Scenario: "window: editor\nlaunch_timeout_s: 3\nlaunch:\n  cmd: \"{editor}\"\n",
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Say, Text: "already running\n"}, {Do: End}}}},
			Verdict:  guirun.AppFailed, Reason: `no window "editor" came within 3s; there were no windows; its command ended with status 0; it said: already running`,
		},
		{
			Name: "a command that fails while its process is there is awaited", Scenario: "window: editor\nprocess: other\nsettle_s: 0\nlaunch:\n  cmd: \"{starter}\"\n",
			Programs: []Program{
				{Name: "starter", Acts: []Act{{At: second, Do: End, Exit: 1}}},
				{Name: "other", Background: true, Acts: []Act{{At: 3 * second, Do: Show, Window: Window{Title: "editor"}}}},
			},
			Verdict: guirun.Passed,
		},
		{
			Name: "launch.env is as written", Scenario: launched + "  env:\n    MODE: $HOME x\n", Programs: []Program{editor()}, Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("environment", p.Fake.Asked["Env MODE=$HOME x"], 1) },
		},
		{
			Name: "a launch that the harness cannot do", Scenario: launched, Programs: []Program{editor()}, Fake: func(f *Fake) { f.StartFault = errors.New("HOME cannot be written") },
			Verdict: guirun.RuntimeError, Reason: "HOME cannot be written", Rows: []string{"launch error harness", "final passed"},
			Check: func(p *Played) { p.Want("exit", p.Report.Exit, 3) },
		},
		{
			Name: "the reason quotes little", Scenario: launched, Verdict: guirun.AppFailed, Reason: "/ last words",
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Say, Text: strings.Repeat("é", 5000) + "\nlast words\n"}, {Do: End, Exit: 3}}}},
			Check:    func(p *Played) { p.Want("it is short", len(p.Report.Reason) < 700, true) },
		},
		{
			Name: "the window is gone at the end", Scenario: launched + "steps:\n  - action: wait 1\n", Real: true,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Show}, {At: 800 * time.Millisecond, Do: Close}}}},
			Verdict:  guirun.AppFailed, Reason: `the app's window "editor" was gone at the end; there were no windows`, Rows: []string{"launch passed", "step passed", "final failed absent"},
		},
		{
			Name: "the process is gone at the end", Scenario: "process: \"{editor.name}\"\nsettle_s: 1\nlaunch:\n  cmd: \"{editor}\"\n", Real: true,
			Programs: []Program{{Name: "editor", Acts: []Act{{At: 500 * time.Millisecond, Do: End}}}},
			Verdict:  guirun.AppFailed, Reason: "was gone at the end", Rows: []string{"launch passed", "settle passed", "final failed absent"},
		},
		{
			Name: "a scenario that ends its app is one of a desktop", Scenario: "desktop: true\nsettle_s: 0\nsteps:\n  - action: kill \"{editor.name}\"\n    post:\n      - no_process: \"{editor.name}\"\n      - no_window: editor\n",
			Programs: []Program{started()}, Real: true, Verdict: guirun.Passed, Reason: "1 step done, 2 postconditions held",
		},
		{
			Name: "what is at the end is in the report", Scenario: launched, Real: true, Verdict: guirun.Passed,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Show, Window: Window{Area: image.Rect(50, 80, 150, 140)}}}}},
			Check: func(p *Played) {
				p.Want("windows", len(p.Report.Final.Windows), 1)
				w := p.Report.Final.Windows[0]
				p.Want("title and size", []any{w.Title, w.Width, w.Height}, []any{"editor", 100, 60})
				p.WantIn("processes", strings.Join(p.Report.Final.Processes, "\n"), "{editor.name}")
				p.Want("a picture", p.Report.Final.Shot != "" && p.Report.Final.Shot == p.Row(-1).Screenshots.After, true)
			},
		},
	}
}

func dialogCases() []Case {
	return []Case{
		{
			Name: "an error dialog during the launch", Scenario: "window: editor 2\nlaunch:\n  cmd: \"{editor}\"\n", Programs: []Program{withDialog(300*time.Millisecond, "Fatal: no licence")}, Real: true,
			Verdict: guirun.AppFailed, Reason: `an error dialog came up: window "Fatal: no licence" (it says "fatal")`, Rows: []string{"launch failed absent", "final failed absent"},
		},
		{
			Name: "an error dialog cuts settling", Scenario: strings.Replace(launched, "settle_s: 0", "settle_s: 9", 1) + "steps:\n  - action: wait 1\n", Programs: []Program{withDialog(second, "Error")}, Real: true,
			Verdict: guirun.AppFailed, Reason: "an error dialog came up", Rows: []string{"launch passed", "settle failed absent", "step skipped", "final failed absent"},
			Check: func(p *Played) {
				p.Want("settling was cut", p.Row(2).DurationMS < 5000, true)
				p.Want("dialogs", len(p.Report.Final.Dialogs), 1)
			},
		},
		{
			Name: "an error dialog at the end", Scenario: launched + "steps:\n  - action: wait 1\n", Programs: []Program{withDialog(700*time.Millisecond, "It crashed")}, Real: true,
			Verdict: guirun.AppFailed, Reason: `an error dialog was up at the end: window "It crashed" (it says "crashed")`, Rows: []string{"launch passed", "step passed", "final failed absent"},
		},
		{
			Name: "an error dialog that came and went does not count", Scenario: launched + "steps:\n  - action: wait 3\n", Verdict: guirun.Passed,
			Programs: []Program{{Name: "editor", Acts: []Act{
				{Do: Show}, {At: second, Do: Show, Window: Window{Name: "dialog", Title: "Error", Dialog: true, For: "editor"}}, {At: 2 * second, Do: Close, Window: Window{Name: "dialog"}},
			}}},
		},
		{
			Name: "words count whole", Scenario: strings.Replace(launched, "settle_s: 0", "settle_s: 1", 1), Programs: []Program{withDialog(0, "Terror of errors, uncrash 2fatal fatal2")}, Verdict: guirun.Passed, Real: true,
		},
		{
			Name: "words in any case, beside signs", Scenario: launched, Programs: []Program{withDialog(0, "é(COULD NOT)…")}, Verdict: guirun.AppFailed, Reason: `it says "could not"`,
		},
		{
			Name: "the operator's words", Scenario: launched, Programs: []Program{withDialog(0, "Kaputt")}, Operator: func(o *guirun.Operator) { o.ErrorWords = []string{"kaputt"} },
			Verdict: guirun.AppFailed, Reason: "Kaputt",
		},
		{
			Name: "the operator's words replace the others", Scenario: launched, Programs: []Program{withDialog(0, "Error")}, Operator: func(o *guirun.Operator) { o.ErrorWords = []string{"kaputt"} },
			Verdict: guirun.Passed,
		},
		{
			Name: "a dialog of another app does not count", Scenario: strings.Replace(launched, "settle_s: 0", "settle_s: 1", 1), Verdict: guirun.Passed, Real: true,
			Programs: []Program{editor(), {Name: "other", Background: true, Acts: []Act{{Do: Show, Window: Window{Title: "Error", Dialog: true}}}}},
		},
		{
			Name: "a window that is no dialog does not count", Scenario: launched, Verdict: guirun.Passed,
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Show}, {Do: Show, Window: Window{Name: "log", Title: "Error log"}}}}},
		},
		{
			Name: "a dialog of the app's process counts", Scenario: launched, Verdict: guirun.AppFailed, Reason: "Failed to load",
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Show}, {Do: Show, Window: Window{Name: "dialog", Title: "Failed to load", Dialog: true}}}}},
		},
		{
			Name: "a dialog of another process for the app's window counts", Scenario: launched + "steps:\n  - action: wait 2\n", Programs: []Program{editor()}, Verdict: guirun.AppFailed, Reason: "Crash report",
			Fake: func(f *Fake) {
				f.At(second, func() { f.Show(Window{Name: "dialog", Title: "Crash report: crash", Dialog: true, For: "editor"}) })
			},
		},
		{
			Name: "a dialog counts without launch", Scenario: "window: editor\nsettle_s: 1\n", Verdict: guirun.AppFailed, Reason: "error dialog",
			Programs: []Program{{Name: "editor", Background: true, Acts: []Act{{Do: Show}, {At: 500 * time.Millisecond, Do: Show, Window: Window{Name: "dialog", Title: "Error", Dialog: true}}}}},
		},
		{
			Name: "on_error_dialog: continue without a model is fail", Verdict: guirun.AppFailed, Reason: "an error dialog came up", Programs: []Program{withDialog(0, "Error")},
			Scenario: launched + "  on_error_dialog: continue\ngoal: close it\nplan:\n  - action: wait 1\n    post:\n      - window: x\n",
			Rows:     []string{"launch failed absent", "plan skipped", "final failed absent"},
		},
		{
			Name: "on_missing_window: continue without a model is fail", Verdict: guirun.AppFailed, Reason: "came within 60s",
			Scenario: "app: editor\nlaunch:\n  cmd: \"{idle}\"\n  on_missing_window: continue\ngoal: close it\nplan:\n  - action: wait 1\n    post:\n      - window: x\n",
			Programs: []Program{{Name: "idle", Acts: []Act{{Do: Say}}}}, Rows: []string{"launch failed timeout", "plan skipped", "final passed"},
		},
	}
}
