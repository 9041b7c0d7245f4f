package guirun

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"asz/shared/gui"
)

// hold waits until all of the postconditions are true at once. Each clock starts now; one that is false at the end of its own
// fails them all.
func (r *run) hold(ctx context.Context, row *Row, list []gui.Post, d *deed) *Fault {
	if len(list) == 0 {
		return nil
	}
	began := r.Clock.Now()
	first := len(row.Postconditions)
	every := pollWindows
	var bounds []time.Duration // each once, the shortest first
	for _, p := range list {
		bounds = append(bounds, p.Timeout)
		switch p.Kind {
		case gui.PostFile:
			every = min(every, pollFiles)
		case gui.PostProcess, gui.PostNoProcess:
			every = min(every, pollProcesses)
		}
		row.Postconditions = append(row.Postconditions, Postcondition{Kind: p.Kind.String(), Want: want(&p), Holds: new(bool)})
	}
	slices.Sort(bounds)
	out := row.Postconditions[first:]
	look := func() (bool, error) {
		if f := d.ended(); f != nil {
			return false, f
		}
		seen := &sight{r: r, ctx: ctx}
		all := true
		for i := range list {
			holds, last, err := seen.check(&list[i])
			if err != nil {
				return false, err
			}
			out[i].Last = last
			if !holds || !*out[i].Holds {
				out[i].ElapsedMS = inMilliseconds(r.Clock.Now().Sub(began))
			}
			*out[i].Holds = holds
			all = all && holds
		}
		return all, nil
	}
	for _, bound := range slices.Compact(bounds) {
		held, err := r.until(ctx, bound-r.Clock.Now().Sub(began), every, look)
		if held || err != nil {
			return asFault(ctx, err)
		}
		for i := range list {
			if !*out[i].Holds && list[i].Timeout <= bound {
				return Faultf(ClassPostcondition, "%s; %s", unmet(&list[i]), out[i].Last)
			}
		}
	}
	return nil // never: at the end of the longest bound one was false
}

func want(p *gui.Post) string {
	if p.Kind == gui.PostState {
		return p.State.String()
	}
	return p.Text
}

// unmet says what did not become true.
func unmet(p *gui.Post) string {
	within := "when looked at once"
	if p.Timeout > 0 {
		within = "within " + seconded(p.Timeout)
	}
	switch p.Kind {
	case gui.PostWindow:
		return fmt.Sprintf("no window %q came %s", p.Text, within)
	case gui.PostNoWindow:
		return fmt.Sprintf("the window %q did not go %s", p.Text, within)
	case gui.PostProcess:
		return fmt.Sprintf("no process %q came %s", p.Text, within)
	case gui.PostNoProcess:
		return fmt.Sprintf("the process %q did not end %s", p.Text, within)
	case gui.PostFile:
		return fmt.Sprintf("the file %q did not appear %s", p.Text, within)
	}
	return fmt.Sprintf("%s %q was not true %s", p.Kind, want(p), within)
}

// sight is one look at everything: the windows and processes of one moment.
type sight struct {
	r         *run
	ctx       context.Context
	windows   []Window
	looked    bool
	processes []Process
	listed    bool
}

// check says whether a postcondition holds now, and what was seen.
func (s *sight) check(p *gui.Post) (holds bool, last string, err error) {
	switch p.Kind {
	case gui.PostWindow, gui.PostNoWindow:
		if !s.looked {
			if s.windows, err = s.r.desk.Windows(s.ctx); err != nil {
				return false, "", err
			}
			s.looked = true
		}
		found := pick(s.windows, p.Text)
		last = "there were " + titles(s.windows)
		if found != nil {
			last = "there was " + found.label()
		}
		return (found != nil) == (p.Kind == gui.PostWindow), last, nil
	case gui.PostProcess, gui.PostNoProcess:
		if !s.listed {
			if s.processes, err = s.r.processes(); err != nil {
				return false, "", err
			}
			s.listed = true
		}
		last = "no such process runs"
		found := matching(s.processes, p.Text)
		if len(found) > 0 {
			last = fmt.Sprintf("process %d runs: %s", found[0].PID, found[0].Command)
		}
		return (len(found) > 0) == (p.Kind == gui.PostProcess), last, nil
	case gui.PostFile:
		_, err := os.Stat(s.r.path(p.Text))
		switch {
		case err == nil:
			return true, "it exists", nil
		case errors.Is(err, fs.ErrNotExist):
			return false, "it does not exist", nil
		}
		return false, err.Error(), nil
	case gui.PostState:
		return false, "", Faultf(ClassUnavailable, "%q is asked over the accessibility bus, which this version does not use yet", p.State.String())
	}
	return false, "", Faultf(ClassUnavailable, "%s needs a browser, which this version cannot drive yet", p.Kind)
}

// path is a path of the scenario: as written, but for a leading ~/.
func (r *run) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && r.Home != "" {
		return filepath.Join(r.Home, rest)
	}
	return name
}

// waitWhile holds on a condition until enough samples were quiet.
func (r *run) waitWhile(ctx context.Context, row *Row, c *gui.WaitCondition) *Fault {
	end := r.Clock.Now().Add(c.Timeout)
	sample := func() (busy bool, said string, f *Fault) {
		all, err := r.processes()
		if err != nil {
			return false, "", asFault(ctx, err)
		}
		n := len(matching(all, c.Match))
		return n > 0, plural(n, "matching process"), nil
	}
	if c.Kind == gui.WaitGrowing {
		before := sizeOf(r.path(c.Path))
		sample = func() (bool, string, *Fault) {
			now := sizeOf(r.path(c.Path))
			grew := now > before
			before = now
			return grew, fmt.Sprintf("%d bytes", now), nil
		}
		if f := r.sampled(ctx, c.Poll, end); f != nil { // the first sample is what the next is compared with
			return f
		}
	}
	for quiet := 0; ; {
		busy, said, f := sample()
		if f != nil {
			return f
		}
		row.Resolved = said
		if quiet++; busy {
			quiet = 0
		}
		if quiet >= c.QuietPolls {
			return nil
		}
		if f := r.sampled(ctx, c.Poll, end); f != nil {
			if f.Class == ClassTimeout {
				f = Faultf(ClassTimeout, "%q did not come to rest within %s; last seen: %s", c.Name, seconded(c.Timeout), said)
			}
			return f
		}
	}
}

// sampled waits for the next sample.
func (r *run) sampled(ctx context.Context, poll time.Duration, end time.Time) *Fault {
	left := end.Sub(r.Clock.Now())
	if left <= 0 {
		return Faultf(ClassTimeout, "the hold took too long")
	}
	return asFault(ctx, r.Clock.Wait(ctx, min(poll, left), nil))
}

// sizeOf is the size of a file, or of all files in a folder; what is missing has none.
func sizeOf(name string) int64 {
	var sum int64
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	_ = filepath.WalkDir(name, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what goes away while it is looked at has no size
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
