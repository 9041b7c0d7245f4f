package worldtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asz/native/guirun"
	"asz/shared/diag"
	"asz/shared/gui"
)

// Case is a scenario, what it is played in, and what must come of it. In its texts {dir} is the case's folder, {home} the home
// of programs, {NAME} the command of a program and {NAME.name} what names it among the processes.
type Case struct {
	Name     string
	Scenario string
	Programs []Program
	Files    map[string]string // in the case's folder, before the run
	Env      map[string]string
	Before   []guirun.Attempt
	Operator func(*guirun.Operator)
	Fake     func(*Fake)                                      // what only a fake can do
	Cut      func(cancel context.CancelFunc, row *guirun.Row) // is told of rows, and may interrupt the run
	Options  func(*guirun.Options)
	Lost     bool // pictures that the report names may be missing
	Real     bool // it is quick enough for a real display, and needs nothing of a Fake

	Verdict string
	Reason  string   // is in the reason
	Rows    []string // phase, status and class of each row: "launch passed", "step failed timeout"; nil: not compared
	Check   func(p *Played)
}

// Played is what came of a case.
type Played struct {
	testing.TB
	World  World
	Fake   *Fake // nil over a real display
	Case   *Case
	Report *guirun.Report
	Dir    string // of the report
	Files  string // the case's folder
	Live   []guirun.Row

	schema Schema
}

// Row is a row of the report, from 1, or from the end with a number below 0.
func (p *Played) Row(n int) *guirun.Row {
	if n < 0 {
		n += len(p.Report.Rows) + 1
	}
	return &p.Report.Rows[n-1]
}

// Expand puts the names of the world into a text of the case.
func (p *Played) Expand(text string) string {
	pairs := []string{"{dir}", p.Files, "{home}", p.World.Home()}
	for _, program := range p.Case.Programs {
		pairs = append(pairs, "{"+program.Name+"}", p.World.Command(program.Name), "{"+program.Name+".name}", p.World.Name(program.Name))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Want compares.
func (p *Played) Want(what string, got, want any) {
	p.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// WantIn looks for a text in another.
func (p *Played) WantIn(what, got, want string) {
	p.Helper()
	if want = p.Expand(want); !strings.Contains(got, want) {
		p.Errorf("%s: got %q, want …%s…", what, got, want)
	}
}

// Picture is one of the report's.
func (p *Played) Picture(name string) image.Image {
	p.Helper()
	f, err := os.Open(filepath.Join(p.Dir, filepath.FromSlash(name)))
	if err != nil {
		p.Fatal(err)
	}
	defer f.Close()
	shot, err := png.Decode(f)
	if err != nil {
		p.Fatal(err)
	}
	return shot
}

func (p *Played) isPicture(name string) {
	f, err := os.Open(filepath.Join(p.Dir, filepath.FromSlash(name)))
	if err == nil {
		_, err = png.DecodeConfig(f)
		f.Close()
	}
	if err != nil {
		p.Errorf("%s: %v", name, err)
	}
}

// Pictures are the names of those that were written.
func (p *Played) Pictures() []string {
	names, err := filepath.Glob(filepath.Join(p.Dir, "screenshots", "*.png"))
	if err != nil {
		p.Fatal(err)
	}
	for i := range names {
		names[i] = "screenshots/" + filepath.Base(names[i])
	}
	return names
}

// Play plays a case in a world and checks what came of it.
func Play(t testing.TB, w World, c *Case) {
	t.Helper()
	scratch := t.TempDir()
	p := &Played{TB: t, World: w, Case: c, schema: ReadSchema(t), Dir: filepath.Join(scratch, "report"), Files: filepath.Join(scratch, "files")}
	p.Fake, _ = w.(*Fake)
	if err := os.Mkdir(p.Files, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range c.Files {
		if err := os.WriteFile(filepath.Join(p.Files, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.Prepare(t, p.Files, c.Programs)
	if c.Fake != nil {
		c.Fake(p.Fake)
	}
	s, findings := gui.Parse(diag.NewSource("case.yaml", p.Expand(c.Scenario)))
	if s == nil {
		t.Fatalf("the scenario does not load: %v", findings)
	}
	var environ []string
	for name, value := range c.Env {
		environ = append(environ, name+"="+value)
	}
	secrets, err := guirun.NewSecrets(environ)
	if err != nil {
		t.Fatal(err)
	}
	operator := guirun.DefaultOperator()
	if c.Operator != nil {
		c.Operator(operator)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if p.Fake != nil && p.Fake.Signal != 0 {
		var signal context.CancelCauseFunc
		ctx, signal = context.WithCancelCause(ctx)
		p.Fake.At(p.Fake.Signal, func() { signal(errors.New("terminated signal received")) })
		if p.Fake.Signal < 0 {
			signal(errors.New("terminated signal received"))
		}
	}
	o := guirun.Options{
		Scenario: guirun.ScenarioFile{Name: "case", File: "case.yaml"}, Dir: p.Dir, Before: c.Before, Operator: operator, Secrets: secrets,
		Clock: w.Clock(), Processes: w.Processes(), Open: w.Open, Home: w.Home(),
		Lookup: func(name string) (string, bool) { v, ok := c.Env[name]; return p.Expand(v), ok },
		Live: func(row *guirun.Row) {
			p.Live = append(p.Live, *row)
			if row.Status != "" {
				p.whileItRuns()
			}
			if c.Cut != nil {
				c.Cut(cancel, row)
			}
		},
	}
	if c.Options != nil {
		c.Options(&o)
	}
	p.Report = guirun.Run(ctx, s, o)
	p.checkReport(s)
	if p.Report.Verdict != c.Verdict {
		t.Errorf("the verdict is %s (%s), want %s", p.Report.Verdict, p.Report.Reason, c.Verdict)
	}
	p.WantIn("the reason", p.Report.Reason, c.Reason)
	if c.Rows != nil {
		var got []string
		for _, row := range p.Report.Rows {
			got = append(got, brief(&row))
		}
		if !slices.Equal(got, c.Rows) {
			t.Errorf("the rows are\n  %s\nwant\n  %s\n%s", strings.Join(got, "\n  "), strings.Join(c.Rows, "\n  "), messages(p.Report))
		}
	}
	if c.Check != nil && !t.Failed() {
		c.Check(p)
	}
	if p.Fake != nil && t.Failed() {
		t.Logf("after %v; asked: %s", p.Fake.Elapsed(), p.Fake.Calls())
	}
}

func brief(row *guirun.Row) string {
	text := row.Phase + " " + row.Status
	if row.Error != nil {
		text += " " + row.Error.Class
	}
	return text
}

func messages(r *guirun.Report) string {
	var out []string
	for _, row := range r.Rows {
		if row.Error != nil {
			out = append(out, fmt.Sprintf("%s: %s", row.Action, row.Error.Message))
		}
	}
	return strings.Join(out, "\n")
}

// whileItRuns checks the report as a kill would leave it now.
func (p *Played) whileItRuns() {
	text, err := os.ReadFile(filepath.Join(p.Dir, guirun.ReportFile))
	if err != nil {
		return // the folder cannot be written, which is for the case to judge
	}
	var r guirun.Report
	if err := json.Unmarshal(text, &r); err != nil || r.Finished || r.Verdict != "" {
		p.Errorf("the report of a run that goes on: %v, finished %v, verdict %q", err, r.Finished, r.Verdict)
	}
	for _, problem := range p.schema.Conforms(text) {
		p.Errorf("the report of a run that goes on: %s", problem)
	}
}

// checkReport holds what is true of every report.
func (p *Played) checkReport(s *gui.Scenario) {
	r := p.Report
	if !r.Finished || r.Exit != guirun.ExitOf(r.Verdict) {
		p.Errorf("finished %v, exit %d of %s", r.Finished, r.Exit, r.Verdict)
	}
	if n := len(r.Attempts); n != len(p.Case.Before)+1 || r.Attempts[n-1].Verdict != r.Verdict || r.Attempts[n-1].Reason != r.Reason {
		p.Errorf("the attempts are %+v", r.Attempts)
	}
	if r.Reason == "" || strings.ContainsAny(r.Reason, "\n\uFFFD") || len(r.Reason) > 1200 {
		p.Errorf("the reason is no sentence to read: %q", r.Reason)
	}
	count := map[string]int{}
	for i, row := range r.Rows {
		count[row.Phase]++
		if row.Index != i+1 || row.Status == "" || (row.Error != nil) != (row.Status == guirun.StatusFailed || row.Status == guirun.StatusError) {
			p.Errorf("row %d: %+v, error %+v", i, row, row.Error)
		}
		if row.Error != nil && row.Error.Message == "" {
			p.Errorf("row %d fails without a word", i)
		}
	}
	if count[guirun.PhaseStep] != len(s.Steps) || count[guirun.PhasePlan] != len(s.Plan) {
		p.Errorf("%d rows of %d steps, %d of %d of the plan", count[guirun.PhaseStep], len(s.Steps), count[guirun.PhasePlan], len(s.Plan))
	}
	text, err := os.ReadFile(filepath.Join(p.Dir, guirun.ReportFile))
	if err != nil {
		return // for the case to judge
	}
	var written guirun.Report
	if err := json.Unmarshal(text, &written); err != nil {
		p.Fatal(err)
	}
	a, _ := json.Marshal(written)
	b, _ := json.Marshal(r)
	if string(a) != string(b) {
		p.Errorf("the report that is returned is not the one that is written:\n%s\n%s", b, a)
	}
	for _, problem := range p.schema.Conforms(text) {
		p.Error(problem)
	}
	for name, value := range p.Case.Env {
		if strings.HasPrefix(name, "KASM_RUNTIME_SECRET_") && strings.Contains(string(text), value) {
			p.Errorf("the report tells %s", name)
		}
	}
	seen := map[string]bool{}
	for _, row := range r.Rows {
		if p.Case.Lost {
			break
		}
		for _, name := range []string{row.Screenshots.Before, row.Screenshots.After} {
			if name != "" && !seen[name] {
				seen[name] = true
				p.isPicture(name)
			}
		}
	}
}
