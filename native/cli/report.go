package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"asz/native/guirun"
	"asz/shared/command"
)

const defaultReports = "asz-report"

func reportMerge() *command.Command {
	return &command.Command{
		Name: "report merge", Args: "DIR…", Misuse: guirun.ExitUsage,
		Summary: "join the reports of several runs, of shards for example",
		Flags: []command.Flag{
			{Name: "out", Value: "DIR", Summary: "a new or empty folder (default " + defaultReports + ")"},
			{Name: "junit", Value: "FILE", Summary: "write JUnit's XML there too"},
		},
		Help: `Each DIR is what a run wrote with --out. Their scenarios' folders are copied,
sorted by name; equal names get -2, -3. index.html and junit.xml are made over
all of them.

The exit code is the worst of all scenarios, as that of a run is; a report
that is not finished counts as 3.
`,
		Run: runReportMerge,
	}
}

func runReportMerge(c *command.Call) int {
	if len(c.Operands) == 0 {
		return c.Usage("name the folders that are to be merged")
	}
	out := defaultReports
	if c.Has("out") {
		out = c.Value("out")
	}
	merged, err := guirun.Merge(out, c.Operands)
	if err == nil {
		err = writeOverview(out, merged, c.Value("junit"))
	}
	if err != nil {
		return c.Fail(guirun.ExitRuntime, "%v", err)
	}
	counts := map[string]int{}
	exit := guirun.ExitPassed
	for _, m := range merged {
		counts[m.Report.Outcome()]++
		exit = max(exit, guirun.ExitOf(m.Report.Outcome()))
	}
	if failed := c.Print(tally(counts) + "\n" + filepath.Join(out, "index.html") + "\n"); failed != 0 {
		return guirun.ExitRuntime
	}
	return exit
}

// writeOverview writes what stands over all scenarios: index.html, junit.xml, and the latter once more where it is asked for.
func writeOverview(dir string, all []guirun.Merged, junit string) error {
	var page, xml bytes.Buffer
	reports := make([]*guirun.Report, 0, len(all))
	for _, m := range all {
		reports = append(reports, m.Report)
	}
	if err := errors.Join(indexPage(&page, dir, all), guirun.JUnit(&xml, reports)); err != nil {
		return err
	}
	err := errors.Join(
		guirun.WriteWhole(filepath.Join(dir, "index.html"), page.Bytes()),
		guirun.WriteWhole(filepath.Join(dir, "junit.xml"), xml.Bytes()),
	)
	if junit != "" {
		err = errors.Join(err, os.MkdirAll(filepath.Dir(junit), 0o755), guirun.WriteWhole(junit, xml.Bytes()))
	}
	return err
}

// tally is "2 passed, 1 failed".
func tally(counts map[string]int) string {
	text := ""
	for _, word := range []string{guirun.Passed, guirun.Failed, guirun.AppFailed, guirun.RuntimeError, guirun.Inconclusive, guirun.Unfinished} {
		if counts[word] == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", counts[word], word)
	}
	return text
}
