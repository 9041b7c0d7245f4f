package guirun

import (
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// typedTwice changes the screen twice, the second time in a step that fails.
const typedTwice = `
desktop: true
settle_s: 0
steps:
  - action: type "a"
  - action: wait 0
  - action: type "b"
    post:
      - window: never
        timeout_s: 0
`

func TestScreenshotsThatAreKept(t *testing.T) {
	for _, c := range []struct {
		keep  string
		names []string // before and after of each row, then of the end
		files int
	}{
		// A picture that is as the one before is not written again.
		{ScreenshotsAll, []string{"1 2", "2 2", "2 3", " 3", "3"}, 3},
		{ScreenshotsFailures, []string{" ", " ", "+ +", " ", ""}, 2},
		{ScreenshotsNone, []string{" ", " ", " ", " ", ""}, 0},
	} {
		t.Run(c.keep, func(t *testing.T) {
			p := newPlayed(t)
			p.operator.Screenshots = c.keep
			p.desk.focus = Window{ID: 1, Title: "note"}
			r := p.play(t, typedTwice)
			wantVerdict(t, r, Failed, "never")
			var got, named []string
			short := func(name string) string {
				if name == "" {
					return ""
				}
				if !slices.Contains(named, name) {
					named = append(named, name)
				}
				if c.keep == ScreenshotsFailures { // their numbers may have gaps
					return "+"
				}
				return fmt.Sprint(slices.Index(named, name) + 1)
			}
			for _, row := range r.Rows {
				got = append(got, short(row.Screenshots.Before)+" "+short(row.Screenshots.After))
			}
			got = append(got, short(r.Final.Shot))
			if !slices.Equal(got, c.names) {
				t.Errorf("pictures %q, want %q", got, c.names)
			}
			files, err := filepath.Glob(filepath.Join(p.dir, "screenshots", "*"))
			if err != nil || len(files) != c.files || len(named) != c.files {
				t.Errorf("%d files, %d are named, want %d", len(files), len(named), c.files)
			}
			for _, name := range named {
				f, err := os.Open(filepath.Join(p.dir, name))
				if err != nil {
					t.Fatal(err)
				}
				shot, err := png.Decode(f)
				f.Close()
				if err != nil || shot.Bounds().Dx() != 100 {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

// The page is written while the run goes on, and at its end, of the report that is without secrets.
func TestPageIsWrittenAsItGoes(t *testing.T) {
	const value = "open sesame"
	p := newPlayed(t)
	p.env[secretPrefix+"PASS"] = value
	p.desk.windows = []Window{{ID: 1, Title: value}}
	var pages []Report
	p.html = func(w io.Writer, r *Report, dir string) error {
		pages = append(pages, *r)
		if dir != p.dir {
			t.Errorf("pictures are sought in %s", dir)
		}
		_, err := fmt.Fprintf(w, "%+v %+v", r, r.Final)
		return err
	}
	p.play(t, "desktop: true\nsettle_s: 0\nsteps:\n  - action: wait 0\n  - action: wait 10\n")
	if n := len(pages); n < 2 || n > 3 || pages[0].Finished || !pages[n-1].Finished {
		t.Errorf("%d pages", n)
	}
	text, err := os.ReadFile(filepath.Join(p.dir, "report.html"))
	if err != nil || strings.Contains(string(text), value) || !strings.Contains(string(text), "[redacted:") {
		t.Errorf("%v %s", err, text)
	}
	if left, _ := filepath.Glob(filepath.Join(p.dir, ".tmp*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What cannot be written is a fault of the harness.
func TestReportThatCannotBeWritten(t *testing.T) {
	p := newPlayed(t)
	p.html = func(io.Writer, *Report, string) error { return errors.New("the disk is full") }
	wantVerdict(t, p.play(t, "desktop: true\nsettle_s: 0\n"), RuntimeError, "the disk is full")
	text, err := os.ReadFile(filepath.Join(p.dir, ReportFile))
	if err != nil || !strings.Contains(string(text), `"verdict": "runtime-error"`) {
		t.Errorf("the file does not tell what is returned: %v %s", err, text)
	}

	p = newPlayed(t)
	p.dir = filepath.Join(p.dir, "file")
	if err := os.WriteFile(p.dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r := p.play(t, "desktop: true\nsettle_s: 0\n")
	wantVerdict(t, r, RuntimeError, "cannot be written")
	if !r.Finished || r.Exit != ExitRuntime {
		t.Errorf("%+v", r)
	}
}
