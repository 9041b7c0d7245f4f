package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"asz/native/guirun"
	"asz/native/x11"
	"asz/shared/command"
	"asz/shared/gui"
	"asz/shared/play"
)

// playing is one scenario of an invocation.
type playing struct {
	scenario *gui.Scenario
	file     guirun.ScenarioFile
	report   *guirun.Report // nil until it was played
}

// runner plays scenarios one after the other.
type runner struct {
	*command.Call
	runSettings
	list []*playing
	line command.Progress
	exit int
	lock *os.File // the folder of reports, which one run at a time writes
}

func newRunner(c *command.Call, o runSettings, list []*playing) *runner {
	return &runner{Call: c, runSettings: o, list: list, line: command.Progress{Out: c.Stderr, Shown: c.StderrTerminal && !o.json}}
}

// prepare makes the folder and takes away what an earlier run left under the names of this one.
func (r *runner) prepare() error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return fmt.Errorf("the reports cannot be written: %w", err)
	}
	var err error
	if r.lock, err = os.Open(r.out); err != nil {
		return fmt.Errorf("the reports cannot be written: %w", err)
	}
	// Where the file system knows no locks, two runs in one folder are the user's to avoid.
	if err := syscall.Flock(int(r.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("another run is writing to %s: name another folder with --out", r.out)
	}
	for _, p := range r.list {
		if err := forget(r.folder(p)); err != nil {
			return err
		}
	}
	return r.overview()
}

// forget takes away what an earlier run left in a scenario's folder, and nothing else.
func forget(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the report cannot be written: %w", err)
	}
	reported := isReport(filepath.Join(dir, guirun.ReportFile)) || isReport(filepath.Join(dir, "attempt-1", guirun.ReportFile))
	for _, e := range entries {
		name := e.Name()
		left := strings.HasPrefix(name, ".tmp-") // by a run that was killed
		part := left || name == "screenshots" || name == "logs"
		if reported {
			part = part || name == guirun.ReportFile || name == "report.html" || name == "atspi.json" || name == "dom.html" || strings.HasPrefix(name, "attempt-")
		}
		if !part || !reported && !left && os.Remove(filepath.Join(dir, name)) != nil { // one that is killed at its begin leaves them empty
			return fmt.Errorf("%s holds %q, which is no part of a report: name another folder with --out", dir, name)
		}
	}
	return os.RemoveAll(dir)
}

func isReport(file string) bool {
	text, err := os.ReadFile(file)
	var r guirun.Report
	return err == nil && json.Unmarshal(text, &r) == nil && r.Scenario.Name != ""
}

func (r *runner) folder(p *playing) string { return filepath.Join(r.out, p.file.Name) }

// play plays a scenario, and again as often as it may while it does not pass.
func (r *runner) play(ctx context.Context, p *playing) {
	dir := r.folder(p)
	var attempts []guirun.Attempt
	for k := 1; ; k++ {
		report := r.attempt(ctx, p, dir, attempts)
		attempts = report.Attempts
		if report.Outcome() == guirun.Passed || k > r.retries || ctx.Err() != nil {
			p.report = report
			break
		}
		r.note(p, report, fmt.Sprintf("attempt %d of up to %d", k, r.retries+1))
		kept := fmt.Sprintf("attempt-%d", k)
		if err := r.setAside(report, dir, kept); err != nil {
			r.Fail(0, "%v", err)
			r.exit = max(r.exit, guirun.ExitRuntime)
			p.report = report
			break
		}
		attempts[k-1].Report = kept + "/" + guirun.ReportFile
	}
	r.exit = max(r.exit, guirun.ExitOf(p.report.Outcome()))
	r.note(p, p.report, "")
	if err := r.overview(); err != nil {
		r.Fail(0, "the overview cannot be written: %v", err)
		r.exit = max(r.exit, guirun.ExitRuntime)
	}
}

// setAside moves what an attempt left into a folder beside the next one, where its page finds the others from.
func (r *runner) setAside(report *guirun.Report, dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	to := filepath.Join(dir, name)
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "attempt-") {
			continue
		}
		if err := os.Rename(filepath.Join(dir, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	var page bytes.Buffer
	if err := reportPageAt(&page, report, to, "../"); err != nil {
		return err
	}
	return guirun.WriteWhole(filepath.Join(to, "report.html"), []byte(r.secrets.Text(page.String())))
}

// attempt plays a scenario once; before are the attempts that came before.
func (r *runner) attempt(ctx context.Context, p *playing, dir string, before []guirun.Attempt) *guirun.Report {
	o := guirun.Options{
		Scenario: p.file, Dir: dir, Before: before, Operator: r.operator, Secrets: r.secrets, Clock: guirun.RealClock(), HTML: reportPage,
		Live: func(row *guirun.Row) { r.live(p, row) },
	}
	display, env := r.display, append(os.Environ(), "DISPLAY="+r.display)
	options := x11.Options{KeyDelay: r.operator.KeyDelay, Guard: x11.GuardCommand()}
	process := guirun.ProcessOptions{Secrets: r.secrets}
	if r.xvfb {
		private, err := x11.StartDesktop(ctx, x11.DesktopOptions{Width: r.width, Height: r.height, Accessibility: p.scenario.ATSPI, Environ: env})
		if err != nil {
			o.Open = func(context.Context) (guirun.Desktop, error) { return nil, err }
		} else {
			defer func() {
				if err := private.Close(); err != nil {
					r.Fail(0, "taking the private display down: %v", err)
				}
			}()
			display, env = private.Display, private.Env
			process.Only, process.Hidden = true, private.PIDs()
			options.Guardian = private.Guardian()
		}
	}
	process.Env = env
	o.Processes = guirun.NewProcesses(process)
	o.Lookup = lookupIn(env)
	o.Home, _ = o.Lookup("HOME")
	if o.Open == nil {
		o.Open = func(ctx context.Context) (guirun.Desktop, error) {
			return x11.Open(ctx, display, options)
		}
	}
	return guirun.Run(ctx, p.scenario, o)
}

// lookupIn finds variables in an environment, whose later entries win.
func lookupIn(env []string) func(string) (string, bool) {
	values := map[string]string{}
	for _, entry := range env {
		if name, value, ok := strings.Cut(entry, "="); ok {
			values[name] = value
		}
	}
	return func(name string) (string, bool) { value, ok := values[name]; return value, ok }
}

// live tells a person of each row as it ends, and of the one that goes on.
func (r *runner) live(p *playing, row *guirun.Row) {
	if !r.line.Shown {
		return
	}
	if row.Status == "" {
		r.line.Show("  … %s: %s", p.file.Name, row.Action)
		return
	}
	r.line.Clear()
	if row.Status == guirun.StatusSkipped {
		return
	}
	mark := map[string]string{guirun.StatusPassed: "✓", guirun.StatusNotJudged: "?"}[row.Status]
	if mark == "" {
		mark = "✗"
	}
	text := fmt.Sprintf("  %s %s  %s", mark, row.Action, took(row.DurationMS))
	if row.Error != nil {
		text += "\n      " + row.Error.Class + ": " + row.Error.Message
	}
	io.WriteString(r.Stderr, play.Printable(text)+"\n")
}

// note tells how a scenario, or an attempt that is not the last, ended.
func (r *runner) note(p *playing, report *guirun.Report, attempt string) {
	r.line.Clear()
	page := filepath.Join(r.folder(p), "report.html")
	if r.json {
		if attempt != "" {
			return
		}
		r.printJSON(struct {
			Scenario   string `json:"scenario"`
			File       string `json:"file"`
			Verdict    string `json:"verdict"`
			Reason     string `json:"reason"`
			Exit       int    `json:"exit"`
			Flaky      bool   `json:"flaky"`
			Attempts   int    `json:"attempts"`
			NotJudged  int    `json:"not_judged"`
			DurationMS int64  `json:"duration_ms"`
			Report     string `json:"report"`
		}{
			p.file.Name, p.file.File, report.Outcome(), report.Why(), report.Exit, report.Flaky, len(report.Attempts), report.NotJudged,
			report.DurationMS, filepath.Join(r.folder(p), guirun.ReportFile),
		})
		return
	}
	text := fmt.Sprintf("%-13s %s  %s", report.Outcome(), p.file.Name, took(float64(report.DurationMS)))
	if report.Flaky {
		text += "  flaky"
	}
	if report.NotJudged > 0 {
		text += fmt.Sprintf("  %d not judged", report.NotJudged)
	}
	if attempt != "" {
		text += "  " + attempt
	}
	text += "\n"
	if report.Outcome() != guirun.Passed {
		text += "              " + report.Why() + "\n"
		if attempt == "" {
			text += "              " + page + "\n"
		}
	}
	r.print(play.Printable(text))
}

func (r *runner) print(text string) {
	if r.Print(text) != 0 {
		r.exit = max(r.exit, guirun.ExitRuntime)
	}
}

func (r *runner) printJSON(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		r.exit = max(r.exit, r.Fail(guirun.ExitRuntime, "%v", err))
		return
	}
	r.print(string(text) + "\n")
}

// overview writes what stands over the scenarios that were played so far; the others are in it as not finished.
func (r *runner) overview() error {
	all := make([]guirun.Merged, 0, len(r.list))
	for _, p := range r.list {
		report := p.report
		if report == nil {
			report = &guirun.Report{Scenario: p.file, Started: time.Now()}
		}
		all = append(all, guirun.Merged{Folder: p.file.Name, Report: report})
	}
	return errors.Join(guirun.WriteIndex(r.out, all), writeOverview(r.out, all, r.junit))
}

// finish tells what all came to.
func (r *runner) finish(ctx context.Context) int {
	counts, flaky, left := map[string]int{}, 0, 0
	for _, p := range r.list {
		switch {
		case p.report == nil:
			left++
		case p.report.Flaky:
			flaky++
			fallthrough
		default:
			counts[p.report.Outcome()]++
		}
	}
	if !r.json && len(r.list) > 1 {
		text := tally(counts)
		if flaky > 0 {
			text += fmt.Sprintf(" (%d flaky)", flaky)
		}
		if left > 0 {
			text += fmt.Sprintf(", %d not played", left)
		}
		r.print(strings.TrimPrefix(text, ", ") + "\n")
	}
	if !r.json {
		r.print(filepath.Join(r.out, "index.html") + "\n")
	}
	if ctx.Err() != nil {
		r.exit = max(r.exit, r.Fail(guirun.ExitRuntime, "interrupted"))
	}
	return r.exit
}
