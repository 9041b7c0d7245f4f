package guirun

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asz/shared/diag"
	"asz/shared/gui"
)

// laterClock stands still but for waits, which it passes over at once; what is due meanwhile happens.
type laterClock struct {
	now time.Time
	due []due
}

type due struct {
	at time.Time
	do func()
}

func (c *laterClock) Now() time.Time { return c.now }

func (c *laterClock) in(d time.Duration, do func()) { c.due = append(c.due, due{c.now.Add(d), do}) }

func (c *laterClock) Wait(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	for end := c.now.Add(d); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		select {
		case <-wake:
			return nil
		default:
		}
		first := -1
		for i := range c.due {
			if !c.due[i].at.After(end) && (first < 0 || c.due[i].at.Before(c.due[first].at)) {
				first = i
			}
		}
		if first < 0 {
			c.now = end
			return nil
		}
		next := c.due[first]
		c.due = append(c.due[:first], c.due[first+1:]...)
		c.now = next.at
		next.do()
	}
}

func (c *laterClock) Limit(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.in(d, func() { cancel(cause) })
	return ctx, func() { cancel(context.Canceled) }
}

// plainDesk has the windows that it is given, and notes what is typed.
type plainDesk struct {
	Desktop
	windows []Window
	focus   Window
	typed   []string
	refuse  error // of typing
	taken   Window
}

func (d *plainDesk) Windows(context.Context) ([]Window, error) { return d.windows, nil }
func (d *plainDesk) Changed() <-chan struct{}                  { return nil }
func (d *plainDesk) Focus(context.Context) (Window, error)     { return d.focus, nil }
func (d *plainDesk) Close() error                              { return nil }

func (d *plainDesk) Screenshot(context.Context) (*image.RGBA, error) {
	shot := image.NewRGBA(image.Rect(0, 0, 100, 80))
	for i := range shot.Pix {
		shot.Pix[i] = byte(len(d.typed)) // each text that is typed changes the screen
	}
	return shot, nil
}

func (d *plainDesk) Type(_ context.Context, text string) error {
	d.typed = append(d.typed, text)
	if d.refuse != nil {
		d.focus = d.taken
	}
	return d.refuse
}

// plainProcesses has those it is given, and starts nothing.
type plainProcesses struct {
	Processes
	list   []Process
	refuse error
	end    *Result // of what is started
}

func (p *plainProcesses) List() ([]Process, error) { return p.list, nil }

func (p *plainProcesses) Start(Command) (int, <-chan Result, error) {
	end := make(chan Result, 1)
	if p.end != nil {
		end <- *p.end
	}
	return 7, end, p.refuse
}

// played is a run of a scenario on fakes.
type played struct {
	clock     laterClock
	desk      plainDesk
	processes plainProcesses
	operator  *Operator
	env       map[string]string
	live      []Row
	seen      func(*Row) // with each row that is told
	html      func(io.Writer, *Report, string) error
	dir       string
}

func newPlayed(t *testing.T) *played {
	p := &played{clock: laterClock{now: time.Unix(1e9, 0)}, operator: DefaultOperator(), env: map[string]string{}, dir: t.TempDir()}
	p.operator.Logs = nil
	return p
}

func (p *played) play(t *testing.T, scenario string) *Report {
	t.Helper()
	s, findings := gui.Parse(diag.NewSource("t.yaml", scenario))
	if s == nil {
		t.Fatal(findings)
	}
	var environ []string
	for name, value := range p.env {
		environ = append(environ, name+"="+value)
	}
	secrets, err := NewSecrets(environ)
	if err != nil {
		t.Fatal(err)
	}
	return Run(t.Context(), s, Options{
		Scenario: ScenarioFile{Name: "t", File: "t.yaml"}, Dir: p.dir, Operator: p.operator, Secrets: secrets, Clock: &p.clock, Processes: &p.processes,
		Open:   func(context.Context) (Desktop, error) { return &p.desk, nil },
		HTML:   p.html,
		Lookup: func(name string) (string, bool) { v, ok := p.env[name]; return v, ok },
		Live: func(row *Row) {
			p.live = append(p.live, *row)
			if p.seen != nil {
				p.seen(row)
			}
		},
	})
}

func wantVerdict(t *testing.T, r *Report, verdict, reason string) {
	t.Helper()
	if r.Verdict != verdict || !strings.Contains(r.Reason, reason) {
		t.Errorf("verdict %s: %s\nwant %s: …%s…", r.Verdict, r.Reason, verdict, reason)
	}
}

func TestKeysWaitForAFocus(t *testing.T) {
	p := newPlayed(t)
	p.clock.in(time.Second, func() { p.desk.focus = Window{ID: 1, Title: "note"} })
	r := p.play(t, "desktop: true\nsettle_s: 0\nsteps:\n  - action: type \"abc\"\n")
	wantVerdict(t, r, Passed, "")
	if len(p.desk.typed) != 1 {
		t.Errorf("typed %q", p.desk.typed)
	}

	p = newPlayed(t)
	r = p.play(t, "desktop: true\nsettle_s: 0\nsteps:\n  - action: type \"abc\"\n")
	wantVerdict(t, r, Failed, "no window has the focus")
	if len(p.desk.typed) != 0 {
		t.Errorf("typed %q into nothing", p.desk.typed)
	}
}

// An entry's own time is over between two looks at the others, and it comes true after that and before the next.
func TestPostconditionEndsWithItsOwnTime(t *testing.T) {
	p := newPlayed(t)
	p.clock.in(70*time.Millisecond, func() { p.desk.windows = []Window{{ID: 1, Title: "late"}} })
	r := p.play(t, `
desktop: true
settle_s: 0
steps:
  - action: wait 0
    post:
      - window: late
        timeout_s: 0.05
      - window: never
`)
	wantVerdict(t, r, Failed, `no window "late" came within 0.05s`)
	if e := r.Rows[0].Postconditions[0].ElapsedMS; e != 50 {
		t.Errorf("the last look was after %v ms, want 50", e)
	}
}

// One that was true at its own time may be false for a while when the others have longer: all hold at one moment.
func TestPostconditionsHoldAtOneMoment(t *testing.T) {
	p := newPlayed(t)
	first, second := Window{ID: 1, Title: "first"}, Window{ID: 2, Title: "second"}
	p.desk.windows = []Window{first}
	p.clock.in(2*time.Second, func() { p.desk.windows = []Window{second} })
	p.clock.in(3*time.Second, func() { p.desk.windows = []Window{first, second} })
	const text = `
desktop: true
settle_s: 0
steps:
  - action: wait 0
    post:
      - window: first
        timeout_s: 1
      - window: second
`
	r := p.play(t, text)
	wantVerdict(t, r, Passed, "")

	p = newPlayed(t) // each is true once, never both
	p.desk.windows = []Window{first}
	p.clock.in(2*time.Second, func() { p.desk.windows = []Window{second} })
	wantVerdict(t, p.play(t, text), Failed, `"first"`)
}

func TestAppThatNeverCameIsNotGone(t *testing.T) {
	p := newPlayed(t)
	p.operator.Deadline, p.operator.Reserve = 30*time.Second, 5*time.Second
	r := p.play(t, "app: note\nlaunch:\n  cmd: note\n")
	wantVerdict(t, r, Inconclusive, "time was over")
	if final := r.Rows[len(r.Rows)-1]; final.Status != StatusPassed {
		t.Errorf("the end is judged by an app that was never there: %+v", final.Error)
	}

	p = newPlayed(t)
	p.desk.windows = []Window{{ID: 1, Title: "note"}}
	p.clock.in(time.Second, func() { p.desk.windows = nil })
	wantVerdict(t, p.play(t, "app: note\nprocess: x\nlaunch:\n  cmd: note\nlaunch_timeout_s: 2\n"), AppFailed, "no process")
}

func TestHarnessIsNotBlamedOnTheApp(t *testing.T) {
	p := newPlayed(t)
	p.processes.refuse = errors.New("HOME cannot be written")
	r := p.play(t, "app: note\nlaunch:\n  cmd: note\n")
	wantVerdict(t, r, RuntimeError, "HOME cannot be written")
	if r.Rows[0].Status != StatusError || r.Rows[0].Error.Class != ClassHarness || r.Exit != ExitRuntime {
		t.Errorf("row %+v, exit %d", r.Rows[0].Error, r.Exit)
	}
}

func TestReasonQuotesLittle(t *testing.T) {
	p := newPlayed(t)
	p.processes.end = &Result{Exit: 3, Output: strings.Repeat("é", 5000) + "\nlast words\n"}
	r := p.play(t, "app: note\nlaunch:\n  cmd: note\n")
	wantVerdict(t, r, AppFailed, "/ last words")
	if len(r.Reason) > 700 || strings.ContainsAny(r.Reason, "\n\uFFFD") {
		t.Errorf("%d bytes: %s", len(r.Reason), r.Reason)
	}
}

// What a step is called in a sentence is short, and no part of a secret is left where it is cut.
func TestReasonNamesStepsBriefly(t *testing.T) {
	p := newPlayed(t)
	p.env["KASM_RUNTIME_SECRET_PW"] = "open-sesame-now"
	const shown = 80 - len(`type "`) - 5
	r := p.play(t, "desktop: true\nsettle_s: 0\nsteps:\n  - action: type \"$UNSET "+strings.Repeat("x", shown-7)+"open-sesame-now"+strings.Repeat("y", 9000)+"\"\n")
	if r.Verdict != Failed || len(r.Reason) > 400 || strings.Contains(r.Reason, "open") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func TestReasonsOfAnAppThatDoesNotCome(t *testing.T) {
	p := newPlayed(t)
	wantVerdict(t, p.play(t, "app: note\nlaunch_timeout_s: 1\n"), AppFailed, "the scenario has no `launch`")

	p = newPlayed(t)
	p.desk.windows, p.processes.list = []Window{{ID: 1, Title: "Note"}}, []Process{{PID: 2, Command: "/bin/note"}}
	wantVerdict(t, p.play(t, "app: Note\nlaunch: { cmd: note }\nlaunch_timeout_s: 1\n"), AppFailed, `the case of letters counts, and there was the process "/bin/note"`)

	p = newPlayed(t)
	p.desk.windows = []Window{{ID: 1, Title: "note"}}
	p.clock.in(2*time.Second, func() { p.desk.windows = nil })
	wantVerdict(t, p.play(t, "window: note\nlaunch: { cmd: note }\n"), AppFailed, "ends its app on purpose says `desktop: true`")
}

func TestNothingSecretLeavesARun(t *testing.T) {
	const value = "open sesame"
	p := newPlayed(t)
	p.env[secretPrefix+"PASS"] = value
	p.desk.focus = Window{ID: 1, Title: "note of " + value}
	p.desk.windows = []Window{p.desk.focus}
	p.desk.refuse, p.desk.taken = Faultf(ClassFocus, "the focus moved to %q", value), Window{ID: 2}
	r := p.play(t, "desktop: true\nsettle_s: 0\nsteps:\n  - action: type \"$"+secretPrefix+"PASS\"\n  - action: wait 0\n")
	if p.desk.typed[0] != value {
		t.Errorf("typed %q", p.desk.typed)
	}
	mark := "[redacted:" + secretPrefix + "PASS]"
	wantVerdict(t, r, Failed, mark)
	if text := r.Rows[0].Resolved + r.Rows[0].Error.Message + r.Final.Windows[0].Title; strings.Contains(text, value) || !strings.Contains(text, mark) {
		t.Error("the report that is returned tells the secret:", text)
	}
	if len(p.live) == 0 {
		t.Error("nothing was told")
	}
	for _, row := range p.live {
		if strings.Contains(row.Resolved, value) || row.Error != nil && strings.Contains(row.Error.Message, value) {
			t.Errorf("a row that is told has the secret: %+v", row)
		}
	}
	text, err := os.ReadFile(filepath.Join(p.dir, ReportFile))
	if err != nil || strings.Contains(string(text), value) || !strings.Contains(string(text), mark) {
		t.Errorf("the report that is written tells the secret: %v %s", err, text)
	}
}

// A part of a secret may have gone to the window that took the focus.
func TestWindowThatTookTheFocusIsMasked(t *testing.T) {
	p := newPlayed(t)
	p.env[secretPrefix+"PASS"] = "open sesame"
	p.desk.focus = Window{ID: 1, Title: "note"}
	p.desk.refuse, p.desk.taken = Faultf(ClassFocus, "the focus moved"), Window{ID: 2}
	secrets, _ := NewSecrets([]string{secretPrefix + "PASS=open sesame"})
	s, _ := gui.Parse(diag.NewSource("t.yaml", "steps:\n  - action: type \"$"+secretPrefix+"PASS\"\n"))
	r := &run{
		Options: Options{Operator: p.operator, Secrets: secrets, Clock: &p.clock, Lookup: func(string) (string, bool) { return "open sesame", true }},
		s:       s, desk: &p.desk, secretIn: map[WindowID]bool{},
	}
	if f := r.act(t.Context(), &Row{}, &s.Steps[0], &deed{}); f == nil || f.Class != ClassFocus {
		t.Fatal(f)
	}
	if !r.secretIn[1] || !r.secretIn[2] {
		t.Errorf("masked are %v, want both windows", r.secretIn)
	}
}

// A run may be killed at any moment: what it has written then is a report that says so.
func TestReportOfAKilledRun(t *testing.T) {
	p := newPlayed(t)
	p.desk.focus = Window{ID: 1, Title: "note"}
	looks := 0
	p.seen = func(*Row) {
		looks++
		text, err := os.ReadFile(filepath.Join(p.dir, ReportFile))
		var r Report
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil || r.Finished || r.Verdict != "" || r.Outcome() != Unfinished || r.Exit != ExitRuntime {
			t.Errorf("at look %d: %v, report %+v", looks, err, r)
		}
		for _, row := range r.Rows {
			if row.Status == "" {
				t.Errorf("at look %d there is a row without a status", looks)
			}
			for _, name := range []string{row.Screenshots.Before, row.Screenshots.After} {
				if _, err := os.Stat(filepath.Join(p.dir, name)); err != nil {
					t.Errorf("at look %d the report names a picture that is not there: %v", looks, err)
				}
			}
		}
	}
	r := p.play(t, "desktop: true\nsteps:\n  - action: type \"abc\"\n  - action: wait 1\n")
	wantVerdict(t, r, Passed, "")
	if looks < 6 || !r.Finished || r.Exit != 0 {
		t.Errorf("%d looks, report %+v", looks, r)
	}
}

func TestNoModelSaysWhy(t *testing.T) {
	p := newPlayed(t)
	wantVerdict(t, p.play(t, "goal: save the note\n"), RuntimeError, "set model.provider")
	p = newPlayed(t)
	p.operator.Model.Provider = ProviderOpenAI
	wantVerdict(t, p.play(t, "goal: save the note\n"), RuntimeError, "cannot ask the one that is set")
}

func (d *plainDesk) Recycle(*image.RGBA) {}
