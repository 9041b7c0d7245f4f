// Package marked reads the cases of tests that stand in files of text, with what is to be found in them. Only tests
// import it.
package marked

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Case is one case: what stands below the line `=== name`, to the next of these lines.
type Case struct{ File, Name, Text string }

// Cases reads all cases of the files that a pattern names; there is at least one.
func Cases(pattern string) ([]Case, error) {
	files, err := filepath.Glob(pattern)
	var out []Case
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, chunk := range strings.Split("\n"+string(data), "\n=== ")[1:] {
			name, text, _ := strings.Cut(chunk, "\n")
			out = append(out, Case{filepath.Base(file), name, text})
		}
	}
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("no cases in %s", pattern)
	}
	return out, err
}

// Want is one finding that a line has, which ends in
//
//	# want: code `text` says `words`
//
// Text and words may be missing, and several may stand one after the other.
type Want struct {
	Line             int // from 1
	Code, Text, Says string
	Seen             bool // for the test to note
}

// Wants takes the marks out of a text.
func Wants(text string) (plain string, wants []*Want) {
	mark := regexp.MustCompile("[ \t]*# want: ([a-z-]+)(?: `([^`]+)`)?(?: says `([^`]+)`)?")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		marks := mark.FindAllStringSubmatchIndex(line, -1)
		for k, m := range mark.FindAllStringSubmatch(line, -1) {
			if k == 0 {
				lines[i] = line[:marks[0][0]]
			}
			wants = append(wants, &Want{Line: i + 1, Code: m[1], Text: m[2], Says: m[3]})
		}
	}
	return strings.Join(lines, "\n"), wants
}
