package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteGitHub prints the findings as workflow commands, which GitHub shows beside the lines of a change.
func (l List) WriteGitHub(w io.Writer) error {
	// A command is one line: what would end a line, a property or the list of them is percent-encoded.
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	out := bufio.NewWriter(w)
	for i := range l {
		d := &l[i]
		fmt.Fprintf(out, "::%s ", [...]string{Error: "error", Warning: "warning", Info: "notice"}[d.Severity])
		if d.Span.Source != nil {
			r := regionOf(d.Span)
			fmt.Fprintf(out, "file=%s,line=%d,", property.Replace(visible(d.Span.Source.Name)), r.StartLine)
			if r.EndLine == r.StartLine { // GitHub knows columns only within one line
				fmt.Fprintf(out, "col=%d,endColumn=%d,", r.StartColumn, r.EndColumn)
			} else {
				fmt.Fprintf(out, "endLine=%d,", r.EndLine)
			}
		}
		fmt.Fprintf(out, "title=%s::%s\n", property.Replace(string(d.Code)), message.Replace(d.body()))
	}
	return out.Flush()
}
