package command

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelp: what a verb tells of itself fits a terminal of 80 columns, and a wrong
// flag is answered with what may be meant.
func TestHelp(t *testing.T) {
	for _, cmd := range []*Command{Play(), Validate(), Schema()} {
		for line := range strings.Lines(cmd.help()) {
			if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > 80 {
				t.Errorf("%s: %d columns: %s", cmd.Name, width, line)
			}
		}
		for _, f := range cmd.Flags {
			if !strings.Contains(cmd.usage(), "[--"+f.Name) {
				t.Errorf("%s: the usage lacks --%s", cmd.Name, f.Name)
			}
		}
	}
	wide := &Command{Name: "x", Flags: []Flag{{Name: "the-longest-of-all", Value: "VALUE", Summary: "of one"}, {Name: "b", Summary: "of another"}}}
	if got := wide.help(); !strings.Contains(got, "  --the-longest-of-all VALUE of one\n  --b                        of another\n") {
		t.Errorf("the flags are no table:\n%s", got)
	}
	for args, want := range map[string]string{
		"--exlpain": "unknown flag --exlpain: did you mean --explain?\n",
		"--json":    "unknown flag --json\n",
		"--format":  "--format needs a value; --format FORMAT: text (default), json, sarif or github\n",
		"--strict=": "--strict takes no value\n",
	} {
		h, _, problems := host()
		if exit := Validate().Do(h, []string{args}); exit != exitUnusable || !strings.Contains(problems.String(), want) {
			t.Errorf("%s: %d %s", args, exit, problems)
		}
	}
}
