package guirun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Unfinished is what a report without a verdict comes to: the run was killed, or still goes on.
const Unfinished = "unfinished"

// Exit codes of verdicts, and of a whole invocation the worst of its scenarios.
const (
	ExitPassed  = 0
	ExitFailed  = 1 // failed or inconclusive
	ExitApp     = 2
	ExitRuntime = 3  // also of a report that is not finished
	ExitUsage   = 64 // usage, or what does not load
)

// ExitOf is the exit code that a verdict stands for.
func ExitOf(verdict string) int {
	switch verdict {
	case Passed:
		return ExitPassed
	case Failed, Inconclusive:
		return ExitFailed
	case AppFailed:
		return ExitApp
	}
	return ExitRuntime
}

// Outcome is the verdict, or Unfinished.
func (r *Report) Outcome() string {
	if !r.Finished || r.Verdict == "" {
		return Unfinished
	}
	return r.Verdict
}

// Why is the reason, also of a report that has none.
func (r *Report) Why() string {
	if r.Outcome() == Unfinished {
		return "the run did not come to its end: it was killed, or it still goes on"
	}
	return r.Reason
}

// ReportFile is a report's name in its scenario's folder, indexFile the list of the scenarios' folders over them.
const (
	ReportFile = "report.json"
	indexFile  = "index.json"
)

// index is index.json: what belongs to a run, in its order, also what has not been played yet.
type index struct {
	Scenarios []indexEntry `json:"scenarios"`
}

type indexEntry struct {
	Folder string       `json:"folder"`
	File   ScenarioFile `json:"scenario"`
}

// WriteIndex writes which scenarios belong to the run whose folder this is.
func WriteIndex(dir string, all []Merged) error {
	x := index{Scenarios: []indexEntry{}}
	for _, m := range all {
		x.Scenarios = append(x.Scenarios, indexEntry{m.Folder, m.Report.Scenario})
	}
	text, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return err
	}
	return WriteWhole(filepath.Join(dir, indexFile), append(text, '\n'))
}

// ReadReports reads the reports in the folder that `asz run --out` wrote, in the run's order. A scenario that was not
// played is a report that is not finished.
func ReadReports(dir string) ([]Merged, error) {
	text, err := os.ReadFile(filepath.Join(dir, indexFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no %s in %s: name folders that `asz run --out` wrote", indexFile, dir)
	}
	var x index
	if err == nil {
		err = json.Unmarshal(text, &x)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, indexFile), err)
	}
	var all []Merged
	for _, e := range x.Scenarios {
		if !filepath.IsLocal(e.Folder) || filepath.Base(e.Folder) != e.Folder {
			return nil, fmt.Errorf("%s names the folder %q, which is none of its own", filepath.Join(dir, indexFile), e.Folder)
		}
		m := Merged{e.Folder, &Report{Scenario: e.File}}
		name := filepath.Join(dir, e.Folder, ReportFile)
		switch text, err := os.ReadFile(name); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			if err := json.Unmarshal(text, m.Report); err != nil {
				return nil, fmt.Errorf("%s is no report: %w", name, err)
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// Merged is one scenario of a merged folder.
type Merged struct {
	Folder string // in the merged folder
	Report *Report
}

// Merge copies the scenarios' folders of several runs, the shards of one for example, into a folder that is new or empty.
// Equal names get -2, -3. The result is sorted by name. Nothing is left behind when it fails.
func Merge(to string, dirs []string) (merged []Merged, err error) {
	if entries, err := os.ReadDir(to); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty: name a new folder with --out", to)
	}
	type source struct {
		from, folder string
		report       *Report
	}
	var sources []source
	for _, dir := range dirs {
		if same, err := inside(to, dir); err != nil {
			return nil, err
		} else if same {
			return nil, fmt.Errorf("%s lies in %s, which is to be merged", to, dir)
		}
		all, err := ReadReports(dir)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			sources = append(sources, source{filepath.Join(dir, m.Folder), m.Folder, m.Report})
		}
	}
	slices.SortStableFunc(sources, func(a, b source) int { return strings.Compare(a.folder, b.folder) })
	staging := filepath.Clean(to) + ".merging"
	if err := os.Mkdir(staging, 0o755); err != nil {
		return nil, fmt.Errorf("the merged folder is made as %s first: %w", staging, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(staging))
		}
	}()
	var names Names
	for _, s := range sources {
		folder := names.Take(s.folder)
		if err := copyTree(filepath.Join(staging, folder), s.from); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		merged = append(merged, Merged{folder, s.report})
	}
	if err := WriteIndex(staging, merged); err != nil {
		return nil, err
	}
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return merged, os.Rename(staging, to)
}

// inside says whether a path is a folder or lies in it.
func inside(path, dir string) (bool, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return false, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return false, err
	}
	return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator)), nil
}

// copyTree copies folders and regular files.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.Mkdir(target, 0o755)
		case e.Type().IsRegular():
			return copyFile(target, path)
		}
		return nil
	})
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// Names gives each of several scenarios a name of its own.
type Names struct{ taken map[string]bool }

// Take is the name, or the name with -2, -3, … when it is taken.
func (n *Names) Take(name string) string {
	if n.taken == nil {
		n.taken = map[string]bool{indexFile: true, "index.html": true, "junit.xml": true} // which lie beside them
	}
	free := name
	for i := 2; n.taken[free]; i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	n.taken[free] = true
	return free
}

// WriteWhole replaces a file: who reads it sees the old one or the new one, also after a kill.
func WriteWhole(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
