package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image/png"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/a-h/templ"

	"asz/native/guirun"
	"asz/web/page"
)

// reportPage writes the page of a report, whose pictures lie in the scenario's folder.
func reportPage(w io.Writer, r *guirun.Report, dir string) error { return reportPageAt(w, r, dir, "") }

// reportPageAt writes the page of a report that lies at up, such as "../", from the scenario's folder.
func reportPageAt(w io.Writer, r *guirun.Report, dir, up string) error {
	v := page.Report{
		Name: r.Scenario.Name, Verdict: r.Outcome(), Why: r.Why(), Flaky: r.Flaky, Home: up + "../index.html",
		Facts: []page.Fact{
			{Name: "file", Value: r.Scenario.File}, {Name: "SHA-256", Value: short(r.Scenario.SHA256)},
			{Name: "started", Value: r.Started.UTC().Format("2006-01-02 15:04:05 UTC")},
			{Name: "took", Value: took(float64(r.DurationMS))},
		},
	}
	v.Facts = addFacts(v.Facts, "window", r.App.Window, "process", r.App.Process)
	if r.NotJudged > 0 {
		v.Facts = append(v.Facts, page.Fact{Name: "not judged", Value: fmt.Sprint(r.NotJudged)})
	}
	if len(r.Attempts) > 1 {
		for i, a := range r.Attempts {
			entry := page.ReportAttempt{Verdict: a.Verdict, Why: a.Reason, Took: took(float64(a.DurationMS))}
			if i < len(r.Attempts)-1 {
				entry.Href = up + link(strings.TrimSuffix(a.Report, ".json")+".html")
			}
			v.Attempts = append(v.Attempts, entry)
		}
	}
	pictures := album{dir: dir, read: map[string]*page.Picture{}}
	for i := range r.Rows {
		v.Rows = append(v.Rows, reportRow(r, &r.Rows[i], &pictures))
	}
	if f := r.Final; f != nil {
		v.Final = reportFinal(f, &pictures)
	}
	return page.ReportPage(v).Render(context.Background(), w)
}

func reportRow(r *guirun.Report, row *guirun.Row, pictures *album) page.ReportRow {
	out := page.ReportRow{
		Index: row.Index, Status: row.Status, Phase: row.Phase, Action: row.Action, Took: took(row.DurationMS),
		Open: row.Status == guirun.StatusFailed || row.Status == guirun.StatusError,
	}
	if row.Status == guirun.StatusSkipped {
		out.Took = ""
	} else if whole := float64(r.DurationMS); whole > 0 {
		out.From = min(100, max(0, 100*float64(row.Started.Sub(r.Started).Milliseconds())/whole))
		out.Width = min(100-out.From, 100*row.DurationMS/whole)
	}
	out.Facts = addFacts(out.Facts, "from", row.Source, "target", row.Target, "rung", row.Rung, "resolved", row.Resolved)
	if row.Error != nil {
		out.Class, out.Error = row.Error.Class, row.Error.Message
	}
	for _, p := range row.Postconditions {
		holds := "not judged"
		if p.Holds != nil {
			holds = "no"
			if *p.Holds {
				holds = "yes"
			}
		}
		out.Postconditions = append(out.Postconditions, page.ReportPostcondition{
			Kind: p.Kind, Want: p.Want, Holds: holds, Took: took(p.ElapsedMS), Last: p.Last,
		})
	}
	if res := row.Result; res != nil {
		if res.Exit != nil {
			out.Facts = append(out.Facts, page.Fact{Name: "exit", Value: fmt.Sprint(*res.Exit)})
		}
		if len(res.PIDs) > 0 {
			out.Facts = append(out.Facts, page.Fact{Name: "processes", Value: strings.Trim(fmt.Sprint(res.PIDs), "[]")})
		}
		if res.ValueLength != nil {
			out.Facts = append(out.Facts, page.Fact{Name: "length", Value: fmt.Sprint(*res.ValueLength)})
		}
		out.Facts = addFacts(out.Facts, "window", res.Window, "URL", res.URL, "match", res.Match)
		out.Output = res.Output
	}
	if row.Model != nil {
		out.Facts = append(out.Facts, page.Fact{Name: "model", Value: fmt.Sprintf("%d calls, %d tokens", row.Model.Calls, row.Model.Tokens)})
	}
	for _, note := range row.Notes {
		out.Facts = append(out.Facts, page.Fact{Name: "note", Value: note})
	}
	out.Before = pictures.get(row.Screenshots.Before, "the screen before "+row.Action)
	out.After = pictures.get(row.Screenshots.After, "the screen after "+row.Action)
	if row.Click != nil {
		for _, p := range []**page.Picture{&out.Before, &out.After} {
			if *p != nil {
				marked := **p
				marked.Mark = &page.Mark{X: 100 * (float64(row.Click.X) + 0.5) / float64(marked.Width), Y: 100 * (float64(row.Click.Y) + 0.5) / float64(marked.Height)}
				*p = &marked
			}
		}
	}
	return out
}

func reportFinal(f *guirun.Final, pictures *album) *page.ReportFinal {
	out := &page.ReportFinal{
		Picture: pictures.get(f.Shot, "the screen at the end"), Processes: f.Processes, Dialogs: f.Dialogs,
	}
	for _, w := range f.Windows {
		var state []string
		if w.Active {
			state = append(state, "active")
		}
		if w.Minimised {
			state = append(state, "minimised")
		}
		out.Windows = append(out.Windows, page.ReportWindow{
			Title: w.Title, Class: w.Class, State: strings.Join(state, ", "),
			Place: fmt.Sprintf("%d×%d at %d, %d", w.Width, w.Height, w.X, w.Y),
		})
	}
	for _, l := range f.Logs {
		out.Logs = append(out.Logs, page.ReportLog{Path: l.Path, Tail: l.Tail, Fatal: l.Fatal})
	}
	return out
}

// addFacts adds those pairs of name and value that have a value.
func addFacts(to []page.Fact, pairs ...string) []page.Fact {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			to = append(to, page.Fact{Name: pairs[i], Value: pairs[i+1]})
		}
	}
	return to
}

func short(digest string) string { return digest[:min(len(digest), 12)] }

// took is a time in milliseconds as a person reads it.
func took(ms float64) string {
	switch d := time.Duration(ms * float64(time.Millisecond)); {
	case d == 0:
		return "0 ms"
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", ms)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", ms)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", ms/1000)
	default:
		return d.Round(time.Second).String()
	}
}

// link is a path as a relative URL.
func link(name string) string { return (&url.URL{Path: name}).EscapedPath() }

// album reads each picture of a report once.
type album struct {
	dir  string
	read map[string]*page.Picture
}

// get is nil when there is no such picture: one that is not written yet, or was lost.
func (a *album) get(name, alt string) *page.Picture {
	if name == "" || path.IsAbs(name) || !filepath.IsLocal(name) {
		return nil
	}
	p, done := a.read[name]
	if !done {
		if text, err := os.ReadFile(filepath.Join(a.dir, name)); err == nil {
			if conf, err := png.DecodeConfig(bytes.NewReader(text)); err == nil && conf.Width > 0 && conf.Height > 0 {
				p = &page.Picture{
					URL:   templ.SafeURL("data:image/png;base64," + base64.StdEncoding.EncodeToString(text)),
					Width: conf.Width, Height: conf.Height,
				}
			}
		}
		a.read[name] = p
	}
	if p == nil {
		return nil
	}
	named := *p
	named.Alt = alt
	return &named
}

// indexPage writes the list of a run's scenarios.
func indexPage(w io.Writer, dir string, all []guirun.Merged) error {
	counts := map[string]int{}
	v := page.ReportIndex{Title: "GUI scenarios"}
	var whole int64
	for _, m := range all {
		r := m.Report
		counts[r.Outcome()]++
		whole += r.DurationMS
		href := link(m.Folder + "/report.html")
		if _, err := os.Stat(filepath.Join(dir, m.Folder, "report.html")); err != nil {
			href = "" // it was not played
		}
		v.Rows = append(v.Rows, page.ReportEntry{
			Name: r.Scenario.Name, Href: href, Verdict: r.Outcome(), Why: r.Why(), Took: took(float64(r.DurationMS)),
			Flaky: r.Flaky, NotJudged: r.NotJudged, Failing: failing(r),
		})
		if r.Flaky {
			counts["flaky"]++
		}
	}
	for _, word := range []string{guirun.Passed, guirun.Failed, guirun.AppFailed, guirun.RuntimeError, guirun.Inconclusive, guirun.Unfinished, "flaky"} {
		if counts[word] > 0 {
			v.Counts = append(v.Counts, page.Fact{Name: word, Value: fmt.Sprint(counts[word])})
		}
	}
	v.Counts = append(v.Counts, page.Fact{Name: "took", Value: took(float64(whole))})
	return page.ReportIndexPage(v).Render(context.Background(), w)
}

// failing is the first row that did not go well.
func failing(r *guirun.Report) string {
	for _, row := range r.Rows {
		if row.Status == guirun.StatusFailed || row.Status == guirun.StatusError {
			return row.Source + ": " + row.Action
		}
	}
	return ""
}
