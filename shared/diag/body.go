package diag

import "strings"

// body is a finding as one text, for formats that have one field for it: the message, what to do, and a play that
// shows it.
func (d *Diagnostic) body() string {
	var b strings.Builder
	b.WriteString(visible(d.Message))
	if d.Fix != nil && d.Fix.Text != "" {
		b.WriteString("\nfix: " + visible(d.Fix.Text))
	}
	if len(d.Witness) > 0 {
		b.WriteString("\nplay:")
		for _, line := range d.witness() {
			b.WriteString("\n  " + line)
		}
	}
	return b.String()
}

// witness is the play's lines fit to be shown: an entry that its author continued over several lines is several lines
// of a script.
func (d *Diagnostic) witness() []string {
	var lines []string
	for _, entry := range d.Witness {
		for line := range strings.SplitSeq(entry, "\n") {
			lines = append(lines, copyable(line))
		}
	}
	return lines
}

// copyable is visible, but keeps tabs: what a person copies is what was meant.
func copyable(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = visible(parts[i])
	}
	return strings.Join(parts, "\t")
}
