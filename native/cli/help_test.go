package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"asz/shared/command"
)

// TestHelp: what each verb tells of itself fits a terminal of 80 columns.
func TestHelp(t *testing.T) {
	for _, v := range verbs() {
		var out bytes.Buffer
		if exit := v.Do(&command.Host{Stdout: &out, Stderr: &out}, []string{"--help"}); exit != 0 {
			t.Errorf("%s: exit %d", v.Name, exit)
		}
		for line := range strings.Lines(out.String()) {
			if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > 80 {
				t.Errorf("%s: %d columns: %s", v.Name, width, line)
			}
		}
	}
}
