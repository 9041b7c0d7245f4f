package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"asz/native/claudecode"
	"asz/shared/command"
)

var jsonFlag = command.Flag{Name: "json", Summary: "for programs"}

func versionVerb() *command.Command {
	return &command.Command{
		Name: "version", Misuse: exitMisuse,
		Summary: "tell the version of asz and the formats it knows",
		Flags:   []command.Flag{jsonFlag},
		Help: `Formats are those of files that this version reads or writes: landed Session
Data (sd), rounds (sf), and the dialects of what lands.
`,
		Run: runVersion,
	}
}

func runVersion(c *command.Call) int {
	if len(c.Operands) > 0 {
		return c.Usage("it takes no operands")
	}
	formats := []string{"sd/1", "sf/1", claudecode.Dialect, "mock/1"}
	revision := revision()
	if c.Has("json") {
		return writeJSON(c, struct {
			Version  string   `json:"version"`
			Revision string   `json:"revision,omitempty"`
			Go       string   `json:"go"`
			OS       string   `json:"os"`
			Arch     string   `json:"arch"`
			Formats  []string `json:"formats"`
		}{version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH, formats})
	}
	text := "asz       " + version
	if revision != "" {
		text += fmt.Sprintf(" (%.12s)", revision)
	}
	return write(c, fmt.Sprintf("%s\ngo        %s %s/%s\nformats   %s\n", text, runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(formats, " ")))
}

// revision is the commit that the program was built from, where that is known.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
