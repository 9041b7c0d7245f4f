package worldtest

import (
	"context"
	"errors"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"time"

	"asz/native/guirun"
)

// brief30 gives a run 30 s, 5 of them in reserve.
func brief30(o *guirun.Operator) { o.Deadline, o.Reserve = 30*second, 5*second }

func verdictCases() []Case {
	one := []Program{started()}
	gone := Program{Name: "editor", Background: true, Acts: []Act{{Do: Show}, {At: 2 * second, Do: Close}}}
	return []Case{
		// Deadline and reserve.
		{Name: "a wait is cut by the deadline", Scenario: onDesktop + "steps:\n  - action: wait 100\n  - action: wait 1\n", Operator: brief30, Verdict: guirun.Inconclusive,
			Reason: "step 1 (case.yaml:4, wait 100): the run's time was over", Rows: []string{"step failed deadline", "step skipped", "final passed"},
			Check: func(p *Played) {
				p.Want("exit", p.Report.Exit, 1)
				p.Want("the reserve is kept", p.Fake.Elapsed(), 25*second)
				p.Want("pictures", p.Row(1).Screenshots.Before != "" && p.Row(1).Screenshots.After != "", true)
			}},
		{Name: "a hold is cut by the deadline", Scenario: onDesktop + growing(100, 1, 1000) + "steps:\n  - action: wait_while \"load\"\n", Operator: brief30, Verdict: guirun.Inconclusive, Rows: []string{"step failed deadline", "final passed"}},
		{Name: "a postcondition is cut by the deadline", Scenario: waitThen("      - window: x\n        timeout_s: 100\n"), Operator: brief30, Verdict: guirun.Inconclusive, Rows: []string{"step failed deadline", "final passed"}},
		{Name: "a command is cut by the deadline", Scenario: onDesktop + "shell:\n  say: \"{say}\"\nsteps:\n  - action: shell \"say\"\n", Programs: []Program{{Name: "say", Acts: []Act{{Do: Say, Text: "x"}}}}, Operator: brief30,
			Verdict: guirun.Inconclusive, Rows: []string{"step failed deadline", "final passed"}, Check: func(p *Played) { p.Want("processes left", len(p.Report.Final.Processes), 0) }},
		{Name: "a click is cut by the deadline", Scenario: steps("wait 24", "click center"), Programs: one, Fake: func(f *Fake) { f.Slow = time.Minute }, Operator: brief30, Verdict: guirun.Inconclusive,
			Rows: []string{"launch passed", "step passed", "step failed deadline", "final passed"}},
		{Name: "a kill is cut by the deadline", Scenario: onDesktop + "steps:\n  - action: wait 24\n  - action: kill \"editor\"\n", Programs: []Program{{Name: "editor", Background: true, Stubborn: true}}, Operator: brief30, Verdict: guirun.Inconclusive,
			Rows: []string{"step passed", "step failed deadline", "final passed"}},
		{Name: "a launch is cut by the deadline", Scenario: launched + "steps:\n  - action: wait 1\n", Programs: []Program{late(time.Hour)}, Operator: brief30, Verdict: guirun.Inconclusive, Reason: "the run's time was over",
			Rows: []string{"launch failed deadline", "step skipped", "final passed"}},
		{Name: "settling is cut by the deadline", Scenario: "desktop: true\nsettle_s: 100\n", Operator: brief30, Verdict: guirun.Inconclusive, Rows: []string{"settle failed deadline", "final passed"}},
		{Name: "a plan is cut by the deadline", Scenario: onDesktop + "goal: x\nplan:\n  - action: wait 100\n    post:\n      - window: x\n", Operator: brief30, Verdict: guirun.Inconclusive, Reason: "plan step 1", Rows: []string{"plan failed deadline", "final passed"}},
		{Name: "an observation is cut by the deadline", Scenario: onDesktop + "steps:\n  - action: wait 24.9\n  - observe: x\n", Fake: func(f *Fake) { f.Restless = true }, Operator: brief30, Verdict: guirun.Inconclusive, Rows: []string{"step passed", "step failed deadline", "final passed"}},
		{Name: "something false goes before the deadline", Scenario: steps("wait 100"), Programs: []Program{gone}, Operator: brief30, Verdict: guirun.AppFailed, Reason: "was gone at the end", Rows: []string{"launch passed", "step failed deadline", "final failed absent"}},
		{Name: "a log goes before the deadline", Scenario: onDesktop + "steps:\n  - action: wait 100\nchecks:\n  log_fatal: [Boom]\n", Files: map[string]string{".xsession-errors": "x\nBoom!\n"}, Operator: brief30, Verdict: guirun.Failed, Reason: "Boom!",
			Rows: []string{"step failed deadline", "final failed postcondition"}},
		{Name: "no reserve", Scenario: onDesktop + "steps:\n  - action: wait 100\n", Operator: func(o *guirun.Operator) { o.Deadline, o.Reserve = 3*second, 0 }, Verdict: guirun.Inconclusive, Reason: "step 1"},

		// The order of verdicts.
		{Name: "the app goes before a step", Scenario: steps("wait 3", `kill "never"`), Programs: []Program{gone}, Verdict: guirun.AppFailed, Reason: "was gone at the end", Rows: []string{"launch passed", "step passed", "step failed absent", "final failed absent"}},
		{Name: "a dialog goes before a step", Scenario: steps("wait 3", `kill "never"`), Programs: []Program{withDialog(second, "Error").inBackground()}, Verdict: guirun.AppFailed, Reason: "error dialog"},
		{Name: "the first false thing is the reason", Scenario: steps(`kill "never"`) + "checks:\n  log_fatal: [Boom]\n", Programs: one, Files: map[string]string{".xsession-errors": "Boom!\n"}, Verdict: guirun.Failed, Reason: "never",
			Rows: []string{"launch passed", "step failed absent", "final failed postcondition"}},
		{Name: "the harness goes before the app", Scenario: launched + "launch_timeout_s: 2\n", Programs: []Program{late(time.Hour)}, Fake: func(f *Fake) { f.CloseFault = errors.New("keys cannot be put back") }, Verdict: guirun.RuntimeError, Reason: "leaving the display: keys cannot be put back",
			Rows: []string{"launch failed timeout", "final passed"}},

		// The display.
		{Name: "no display", Scenario: launched + "steps:\n  - action: wait 1\n", Programs: []Program{editor()}, Fake: func(f *Fake) { f.OpenFault = guirun.Faultf(guirun.ClassDisplay, "nothing answers at :9") }, Verdict: guirun.RuntimeError,
			Reason: "there is no display to work on: nothing answers at :9", Rows: []string{"step skipped"}, Check: func(p *Played) { p.Want("nothing was begun", p.Fake.Asked["Start"], 0) }},
		{Name: "the display is lost in a wait for the app", Scenario: launched, Programs: []Program{late(time.Hour)}, Fake: lose(2 * second), Verdict: guirun.RuntimeError, Reason: "the display is gone", Rows: []string{"launch error display", "final error display"}},
		{Name: "the display is lost while settling", Scenario: "window: editor\n", Programs: one, Fake: lose(2 * second), Verdict: guirun.RuntimeError, Reason: "settle 5s: the display is gone", Rows: []string{"launch passed", "settle error display", "final error display"}},
		{Name: "the display is lost in a step", Scenario: steps("wait 3", "click center", "wait 1"), Programs: one, Fake: lose(2 * second), Verdict: guirun.RuntimeError, Reason: "step 2 (case.yaml:5, click center): the display is gone",
			Rows: []string{"launch passed", "step passed", "step error display", "step skipped", "final error display"}, Check: func(p *Played) { p.Want("exit", p.Report.Exit, 3) }},
		{Name: "the display is lost in an observation", Scenario: onDesktop + "steps:\n  - action: wait 3\n  - observe: x\n", Fake: lose(2 * second), Verdict: guirun.RuntimeError, Rows: []string{"step passed", "step error display", "final error display"}},
		{Name: "the display is lost in a postcondition", Scenario: waitThen("      - window: x\n"), Fake: lose(2 * second), Verdict: guirun.RuntimeError, Rows: []string{"step error display", "final error display"}},
		{Name: "the display is lost before the end", Scenario: onDesktop + "steps:\n  - action: wait 3\n", Fake: lose(2 * second), Verdict: guirun.RuntimeError, Reason: "observe the end: the display is gone", Rows: []string{"step passed", "final error display"},
			Check: func(p *Played) { p.Want("logs are collected all the same", len(p.Report.Final.Logs), 1) }, Files: map[string]string{".xsession-errors": "x\n"}},
		{Name: "a display that is lost goes before the deadline", Scenario: onDesktop + "steps:\n  - action: wait 100\n", Fake: lose(2 * second), Operator: brief30, Verdict: guirun.RuntimeError, Reason: "the display is gone", Rows: []string{"step failed deadline", "final error display"}},

		// Interruption.
		{Name: "interrupted in a step", Scenario: onDesktop + "steps:\n  - action: wait 5\n  - action: wait 6\n  - action: wait 7\n", Cut: func(cancel context.CancelFunc, row *guirun.Row) {
			if row.Action == "wait 6" {
				cancel()
			}
		}, Verdict: guirun.RuntimeError, Reason: "step 2 (case.yaml:5, wait 6): the run was interrupted", Rows: []string{"step passed", "step error harness", "step skipped"},
			Check: func(p *Played) {
				p.Want("no final observation", p.Report.Final == nil, true)
				p.Want("the display was left", p.Fake.Asked["Close"], 1)
			}},
		{Name: "interrupted between two rows", Scenario: onDesktop + "steps:\n  - action: wait 5\n", Cut: func(cancel context.CancelFunc, row *guirun.Row) {
			if row.Status == guirun.StatusPassed {
				cancel()
			}
		}, Verdict: guirun.RuntimeError, Reason: "the run was interrupted", Rows: []string{"step passed"}},
		{Name: "interrupted by a signal that says so", Scenario: onDesktop + "steps:\n  - action: wait 5\n", Fake: func(f *Fake) { f.Signal = 2 * second }, Verdict: guirun.RuntimeError, Reason: "the run was interrupted", Rows: []string{"step error harness"}},
		{Name: "interrupted before it begins", Scenario: onDesktop + "steps:\n  - action: wait 5\n", Fake: func(f *Fake) { f.Signal = -1 }, Verdict: guirun.RuntimeError, Reason: "interrupted", Rows: []string{"step skipped"}},
		{Name: "interrupted in a launch", Scenario: launched, Programs: []Program{late(time.Hour)}, Fake: func(f *Fake) { f.Signal = 2 * second }, Verdict: guirun.RuntimeError, Reason: "the run was interrupted", Rows: []string{"launch error harness"}},

		// The report's folder.
		{Name: "the report cannot be written", Scenario: onDesktop + "steps:\n  - action: wait 1\n", Options: func(o *guirun.Options) {
			if err := os.WriteFile(o.Dir, nil, 0o644); err != nil {
				panic(err)
			}
		}, Verdict: guirun.RuntimeError, Reason: "the report cannot be written", Rows: []string{"step skipped"}, Check: func(p *Played) { p.Want("nothing was begun", p.Fake.Calls(), "") }},
		{Name: "the report's folder goes away", Scenario: onDesktop + "steps:\n  - action: wait 1\n  - action: wait 2\n", Options: func(o *guirun.Options) {
			live, dir := o.Live, o.Dir
			o.Live = func(row *guirun.Row) {
				live(row)
				if row.Action == "wait 2" {
					os.RemoveAll(dir)
				}
			}
		}, Verdict: guirun.RuntimeError, Reason: "the report cannot be written", Rows: []string{"step passed", "step passed", "final passed"}},
		{Name: "pictures cannot be written", Scenario: onDesktop + "steps:\n  - action: wait 1\n", Options: func(o *guirun.Options) {
			live, dir := o.Live, o.Dir
			o.Live = func(row *guirun.Row) {
				live(row)
				os.RemoveAll(filepath.Join(dir, "screenshots"))
			}
			o.Operator.Screenshots = guirun.ScreenshotsAll
		}, Verdict: guirun.RuntimeError, Reason: "the report cannot be written", Lost: true},

		// log_fatal.
		{Name: "a log without its words", Scenario: onDesktop + "checks:\n  log_fatal: [Boom]\n", Files: map[string]string{".xsession-errors": "boom\n"}, Verdict: guirun.Passed},
		{Name: "a log with its words", Scenario: onDesktop + "checks:\n  log_fatal: [Bang, Boom]\n", Files: map[string]string{".xsession-errors": "first\na Boom here\n"}, Verdict: guirun.Failed, Reason: "a Boom here", Rows: []string{"final failed postcondition"},
			Check: func(p *Played) {
				log := p.Report.Final.Logs[0]
				p.Want("found", log.Fatal, "[a Boom here]")
				text, err := os.ReadFile(filepath.Join(p.Dir, log.Copy))
				p.Want("copy", string(text)+": "+errText(err), "first\na Boom here\n: ")
			}},
		{Name: "with launch only what was appended counts", Scenario: launched + "checks:\n  log_fatal: [Boom]\n", Programs: []Program{editor()}, Files: map[string]string{".xsession-errors": "old Boom\n"}, Verdict: guirun.Passed},
		{Name: "with launch what was appended counts", Scenario: launched + "checks:\n  log_fatal: [Boom]\n", Files: map[string]string{".xsession-errors": "old Boom\n"}, Verdict: guirun.Failed, Reason: "new Boom",
			Programs: []Program{{Name: "editor", Acts: []Act{{Do: Show}, {Do: Append, File: ".xsession-errors", Text: "new Boom\n"}}}}},
		{Name: "what a program says is in the log", Scenario: launched + "steps:\n  - action: wait 0.5\nchecks:\n  log_fatal: [Boom]\n", Real: true, Programs: []Program{{Name: "editor", Acts: []Act{{Do: Say, Text: "it went Boom\n"}, {Do: Show}}}}, Verdict: guirun.Failed, Reason: "it went Boom"},

		// Attempts.
		{Name: "flaky", Scenario: onDesktop, Before: []guirun.Attempt{{Verdict: guirun.Failed, Reason: "x", Report: "attempt-1/report.json"}}, Verdict: guirun.Passed, Check: func(p *Played) {
			p.Want("flaky", p.Report.Flaky, true)
			p.Want("attempts", []string{p.Report.Attempts[0].Report, p.Report.Attempts[1].Report}, "[attempt-1/report.json report.json]")
		}},
		{Name: "failed twice is not flaky", Scenario: onDesktop + "steps:\n  - action: kill \"never\"\n", Before: []guirun.Attempt{{Verdict: guirun.Failed, Reason: "x", Report: "attempt-1/report.json"}}, Verdict: guirun.Failed,
			Check: func(p *Played) { p.Want("flaky", p.Report.Flaky, false) }},
		{Name: "the first attempt is not flaky", Scenario: onDesktop, Verdict: guirun.Passed, Check: func(p *Played) { p.Want("flaky", p.Report.Flaky, false) }},
	}
}

// lose takes the display away after a while.
func lose(after time.Duration) func(*Fake) {
	return func(f *Fake) {
		f.At(after, func() {
			f.WindowsFault, f.ClickFault, f.KeyFault, f.ShotFault = guirun.ErrGone, guirun.ErrGone, guirun.ErrGone, guirun.ErrGone
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func evidenceCases() []Case {
	one := []Program{started()}
	const secret = "KASM_RUNTIME_SECRET_PASS"
	env := map[string]string{secret: "open sesame"}
	only := func(mode string) func(*guirun.Operator) { return func(o *guirun.Operator) { o.Screenshots = mode } }
	return []Case{
		{Name: "all pictures, the same one once", Scenario: steps("wait 1", `key "a"`, "wait 1"), Programs: one, Verdict: guirun.Passed, Check: func(p *Played) {
			var names []string
			for _, row := range p.Report.Rows {
				names = append(names, row.Screenshots.Before+">"+row.Screenshots.After)
			}
			a, b := "screenshots/001.png", "screenshots/002.png"
			p.Want("names", names, []string{">" + a, a + ">" + a, a + ">" + b, b + ">" + b, ">" + b})
			p.Want("written", p.Pictures(), []string{a, b})
			p.Want("what is shown", p.Picture(a).At(100, 100) != p.Picture(b).At(100, 100), true)
		}},
		{Name: "no pictures", Scenario: onDesktop + "steps:\n  - observe: x\n  - action: kill \"never\"\n", Operator: only(guirun.ScreenshotsNone), Verdict: guirun.Failed, Check: func(p *Played) {
			p.Want("written", len(p.Pictures()), 0)
			p.Want("named", p.Row(1).Screenshots.After+p.Row(2).Screenshots.Before+p.Report.Final.Shot, "")
		}},
		{Name: "pictures of failures", Scenario: steps(`key "a"`, "wait 1", `kill "never"`), Programs: one, Operator: only(guirun.ScreenshotsFailures), Verdict: guirun.Failed, Check: func(p *Played) {
			p.Want("passed rows", p.Row(1).Screenshots.After+p.Row(2).Screenshots.Before+p.Row(3).Screenshots.After+p.Row(5).Screenshots.After+p.Report.Final.Shot, "")
			p.Want("the failed row", p.Row(4).Screenshots.Before != "" && p.Row(4).Screenshots.After != "", true)
			p.Want("written", p.Pictures(), []string{p.Row(4).Screenshots.Before})
		}},
		{Name: "pictures of failures when none fails", Scenario: steps("wait 1"), Programs: one, Operator: only(guirun.ScreenshotsFailures), Verdict: guirun.Passed, Check: func(p *Played) { p.Want("written", len(p.Pictures()), 0) }},
		{Name: "a picture that cannot be taken", Scenario: steps("wait 1"), Programs: one, Fake: func(f *Fake) { f.ShotFault = guirun.Faultf(guirun.ClassTimeout, "x") }, Verdict: guirun.Passed,
			Check: func(p *Played) { p.Want("written", len(p.Pictures()), 0) }},
		{Name: "a row is told when it begins and when it ends", Scenario: onDesktop + "steps:\n  - action: wait 1\n  - action: kill \"never\"\n  - action: wait 2\n", Verdict: guirun.Failed, Check: func(p *Played) {
			var told []string
			for _, row := range p.Live {
				told = append(told, row.Action+":"+row.Status)
			}
			p.Want("told", strings.Join(told, ", "), `wait 1:, wait 1:passed, kill "never":, kill "never":failed, wait 2:skipped, observe the end:, observe the end:passed`)
		}},
		{Name: "times", Scenario: onDesktop + "steps:\n  - action: wait 1\n  - action: wait 2\n", Verdict: guirun.Passed, Check: func(p *Played) {
			p.Want("the run", p.Report.DurationMS, 3000)
			p.Want("the second row began", p.Row(2).Started.Sub(p.Report.Started), second)
		}},
		{Name: "secrets do not leave the run", Scenario: onDesktop + "steps:\n  - action: type \"x$" + secret + "\"\n  - action: click \"x\"\n    target: window \"sesame\"\nclick_targets:\n  x: [0.5, 0.5]\n", Env: env, Verdict: guirun.Failed,
			Programs: []Program{{Name: "editor", Background: true, Acts: []Act{{Do: Show, Window: Window{Title: "note of open sesame"}}}}},
			Fake:     func(f *Fake) { f.ClickFault = guirun.Faultf(guirun.ClassCovered, "%q is there", "b3BlbiBzZXNhbWU=") },
			Reason:   "step 2 (case.yaml:5, click \"x\"): \"[redacted:" + secret + "]",
			Check: func(p *Played) {
				p.Want("typed", p.World.Received("editor"), "xopen sesame")
				p.WantIn("the window", p.Report.Final.Windows[0].Title, "note of [redacted:"+secret+"]")
				for _, row := range p.Live {
					p.Want("a row that is told has it", strings.Contains(row.Resolved, "open sesame"), false)
				}
			}},
		{Name: "secrets are masked in pictures", Scenario: steps("wait 1", `type "$`+secret+`"`), Programs: two(), Env: env, Verdict: guirun.Passed, Check: func(p *Played) {
			// The second step typed into the other window, which says nothing of what it shows.
			last := p.Picture(p.Report.Final.Shot)
			p.Want("the window", gray(last.At(150, 100)), true)
			p.Want("its title bar", gray(last.At(150, 50)), true)
			p.Want("the editor", gray(last.At(50, 100)), false)
			p.Want("before", gray(p.Picture(p.Row(2).Screenshots.After).At(150, 100)), false)
		}},
		{Name: "a window with a secret title", Scenario: onDesktop, Env: env, Verdict: guirun.Passed,
			Programs: []Program{{Name: "editor", Background: true, Acts: []Act{{Do: Show, Window: Window{Title: "open sesame"}}}}},
			Check: func(p *Played) {
				last := p.Picture(p.Report.Final.Shot)
				p.Want("the title bar", gray(last.At(50, 50)), true)
				p.Want("the window", gray(last.At(50, 100)), false)
			}},
		{Name: "a window that took the focus from a secret", Scenario: steps(`type "$` + secret + `"`), Env: env, Verdict: guirun.Failed, Reason: "the focus moved",
			Programs: []Program{started(), {Name: "popup", Background: true, Acts: []Act{{Do: Show, Window: Window{Area: area(160)}}}}},
			Fake: func(f *Fake) {
				f.focus(f.Window("editor").ID)
				f.KeyFault, f.TakenBy = guirun.Faultf(guirun.ClassFocus, "the focus moved"), "popup"
			},
			Check: func(p *Played) {
				last := p.Picture(p.Report.Final.Shot)
				p.Want("both are masked", gray(last.At(50, 100)) && gray(last.At(250, 100)), true)
			}},
	}
}

// gray says whether a place of a picture is masked.
func gray(c color.Color) bool {
	return color.RGBAModel.Convert(c) == color.RGBA{0x60, 0x60, 0x60, 0xFF}
}
