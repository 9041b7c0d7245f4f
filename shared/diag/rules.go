package diag

import (
	"slices"
	"strings"
)

// Code is the stable kebab-case name of a kind of finding.
type Code string

// Rule is the row of the one table that describes a code.
type Rule struct {
	Code     Code
	Severity Severity
	Mends    bool   // --fix can correct it where it is clear what was meant
	Stops    bool   // the file cannot be used: a lab with such a finding does not load
	Title    string // what, in one line
	Fix      string // what to do, in one line: the default text of the "fix:" line
	Explain  string // why it matters, a few sentences
}

// Rules gives the table, sorted by code. Callers do not change it.
func Rules() []Rule { return rules }

// RuleOf finds the row of a code.
func RuleOf(code Code) (Rule, bool) {
	i, ok := slices.BinarySearchFunc(rules, code, func(r Rule, c Code) int {
		return strings.Compare(string(r.Code), string(c))
	})
	if !ok {
		return Rule{}, false
	}
	return rules[i], true
}

// rules is read-only and sorted by code. Its rows stand in a file for each kind of author files.
var rules = slices.SortedFunc(
	slices.Values(slices.Concat(fileRules, labRules, sessionRules, guiRules)),
	func(a, b Rule) int { return strings.Compare(string(a.Code), string(b.Code)) },
)
