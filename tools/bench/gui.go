package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"asz/native/guirun"
)

// onDisplay prints what acting on a display takes, beside xdotool in the same run, and how long a verdict takes.
func onDisplay(ctx context.Context, out io.Writer, root string) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nacting\truns\tms each\t\t")
	// What is quick is done often; a run of the other tool takes more than a second.
	for _, group := range []struct{ benchmarks, runs string }{
		{"Type|Press|FindAndClick|Screenshot", "50x"}, {"Xdotool", "5x"}, {"KillRepair", "100x"}, {"StartDesktop", "5x"},
	} {
		lines, err := benchmarks(ctx, root, "./native/x11", group.benchmarks, group.runs)
		if err != nil {
			return err
		}
		for _, line := range lines {
			fmt.Fprintln(t, line)
		}
	}
	verdicts, err := verdictTimes(ctx, root, 10)
	if err != nil {
		return err
	}
	fmt.Fprintf(t, "verdict behind the window\t%d\t%.0f median\t%.0f worst\t\n", len(verdicts), verdicts[len(verdicts)/2], verdicts[len(verdicts)-1])
	return t.Flush()
}

// benchmarks runs benchmarks of a package and gives a line of the table for each.
func benchmarks(ctx context.Context, root, pkg, pattern, runs string) ([]string, error) {
	c := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", pattern, "-benchtime", runs, "-timeout", "10m", pkg)
	c.Dir = root
	text, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("benchmarks %s of %s: %w\n%s", pattern, pkg, err, text)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line) // name, runs, then values with their units
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(fields[0], "Benchmark"), "-")
		row := name + "\t" + fields[1]
		for i := 2; i+1 < len(fields); i += 2 {
			var value float64
			fmt.Sscan(fields[i], &value)
			switch unit := fields[i+1]; {
			case unit == "ns/op" && value > 0:
				row += fmt.Sprintf("\t%.2f", value/1e6)
			case strings.HasSuffix(unit, "-ms"):
				row += fmt.Sprintf("\t%.1f %s", value, strings.TrimSuffix(unit, "-ms"))
			}
		}
		out = append(out, row+"\t")
	}
	return out, nil
}

// verdictTimes are the milliseconds from the app's window to the verdict, sorted, of a scenario that asks for nothing else.
func verdictTimes(ctx context.Context, root string, runs int) ([]float64, error) {
	dir, err := os.MkdirTemp("", "asz-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	asz, file := filepath.Join(dir, "asz"), filepath.Join(dir, "window.yaml")
	if err := goTool(ctx, root, nil, "build", "-trimpath", "-o", asz, "./native"); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, []byte("app: mousepad\nlaunch: { cmd: mousepad }\nsettle_s: 0\n"), 0o644); err != nil {
		return nil, err
	}
	var took []float64
	for range runs {
		c := exec.CommandContext(ctx, asz, "run", "--xvfb", "--out", filepath.Join(dir, "report"), file)
		if text, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("asz run: %w\n%s", err, text)
		}
		text, err := os.ReadFile(filepath.Join(dir, "report", "window", guirun.ReportFile))
		if err != nil {
			return nil, err
		}
		var r guirun.Report
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, err
		}
		there := r.Rows[0].Started.Add(time.Duration(r.Rows[0].DurationMS * float64(time.Millisecond)))
		took = append(took, float64(r.DurationMS)-float64(there.Sub(r.Started).Milliseconds()))
	}
	slices.Sort(took)
	return took, nil
}
