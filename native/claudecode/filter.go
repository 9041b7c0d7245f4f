package claudecode

import (
	"fmt"
	"path"
	"strings"
)

// Filter chooses sessions by their project directories. An entry that begins with `/` is a working directory, in which `**`
// stands for everything below; any other is a glob (path.Match) on the name of the project directory. An empty Include takes
// all.
type Filter struct {
	Include, Exclude []string
}

// Check names the first entry that is no pattern.
func (f Filter) Check() error {
	for _, list := range [...]struct {
		name    string
		entries []string
	}{{"include", f.Include}, {"exclude", f.Exclude}} {
		for _, entry := range list.entries {
			if _, err := path.Match(pattern(entry), ""); err != nil {
				return fmt.Errorf("%s entry %q is no pattern: close its brackets, or put a backslash before them", list.name, entry)
			}
		}
	}
	return nil
}

// takes is whether the filter takes a project directory.
func (f Filter) takes(project string) bool {
	return (len(f.Include) == 0 || anyMatch(f.Include, project)) && !anyMatch(f.Exclude, project)
}

func anyMatch(entries []string, project string) bool {
	for _, entry := range entries {
		if ok, err := path.Match(pattern(entry), project); err == nil && ok {
			return true
		}
	}
	return false
}

// pattern is an entry as a glob on project names. CHOICE: in a working directory only `*` is special, and one `*` means the
// same as two: a project name no longer shows where a directory began.
func pattern(entry string) string {
	if !strings.HasPrefix(entry, "/") {
		return entry
	}
	if len(entry) > 1 {
		entry = strings.TrimRight(entry, "/")
	}
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `?`, `\?`).Replace(ProjectName(entry))
}

// ProjectName is the name of the project directory of a working directory.
func ProjectName(dir string) string {
	return strings.NewReplacer("/", "-", ".", "-", " ", "-").Replace(dir)
}
