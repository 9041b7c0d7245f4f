package diag

import (
	"cmp"
	"path"
	"slices"
)

// Severity says how bad a finding is.
type Severity uint8

const (
	Error Severity = iota
	Warning
	Info
)

func (s Severity) String() string {
	return [...]string{"error", "warning", "info"}[s]
}

// Edit replaces the text under a span.
type Edit struct {
	Span Span
	New  string
}

// Fix says what to do about a finding. Safe edits may be applied without asking.
type Fix struct {
	Text  string
	Edits []Edit
	Safe  bool
}

// Related is another place that belongs to a finding.
type Related struct {
	Span    Span
	Message string
}

// Diagnostic is one finding about an author's file.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Span     Span
	Message  string
	Related  []Related
	Fix      *Fix
	Witness  []string // a play that shows it: lines for `asz play --script`
}

// List collects findings.
type List []Diagnostic

// Add appends a finding with the severity and the fix text of the code's table row. The result may
// be completed until the next Add. A code that is not in the table is a programming error: Add panics.
func (l *List) Add(code Code, at Span, message string) *Diagnostic {
	rule, ok := RuleOf(code)
	if !ok {
		panic("diag: no rule for code " + string(code))
	}
	d := Diagnostic{Code: code, Severity: rule.Severity, Span: at, Message: message}
	if rule.Fix != "" {
		d.Fix = &Fix{Text: rule.Fix}
	}
	*l = append(*l, d)
	return &(*l)[len(*l)-1]
}

// Sort orders by source name, offset, then code; equal ones keep their order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Span.name(), b.Span.name()),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Code, b.Code),
		)
	})
}

func (s Span) name() string {
	if s.Source == nil {
		return ""
	}
	return s.Source.Name
}

// Errors counts the findings of severity Error.
func (l List) Errors() int { return l.Count(Error) }

// Count counts the findings of one severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// Stops reports whether a finding keeps its file from being used at all.
func (l List) Stops() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool {
		rule, _ := RuleOf(d.Code)
		return rule.Stops
	})
}

// Under makes the names of the findings' files lead from where the reader is: dir is the folder that the names are
// relative to.
func (l List) Under(dir string) {
	l.Rename(func(name string) string { return path.Join(dir, name) })
}

// Rename gives the findings' files other names, each file once.
func (l List) Rename(to func(name string) string) {
	named := map[*Source]bool{}
	name := func(at Span) {
		if at.Source != nil && !named[at.Source] {
			named[at.Source] = true
			at.Source.Name = to(at.Source.Name)
		}
	}
	for _, d := range l {
		name(d.Span)
		for _, r := range d.Related {
			name(r.Span)
		}
	}
}
