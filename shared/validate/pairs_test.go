//go:build !js

// Not as wasm: it takes minutes there, and the other tests of the package hold that the two do the same.

package validate_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/validate"
)

// Two mistakes in one lab, the first of which stops it. Both are told, and nothing else, but for what these say.
var (
	// Mistakes for which much of the simulator is not read: they may hide any other.
	cutting = []string{
		"a colon forgotten after a key", "no simulator", "the simulator's file misspelt", "the simulator's file deleted",
		"a simulator outside", "an older labspace", "slides", "slides, in quotes", "a second document",
		"brackets in brackets in brackets",
	}
	// Codes that are told only of a lab that loads.
	wholeOnly = []diag.Code{
		"dead-end", "effect-fails", "fence-impossible", "fence-language", "fence-repeats", "fence-too-early", "flag-ambiguous",
		"scenario-shadowed", "scenario-unreachable", "state-unread", "state-unwritten", "step-exit", "step-not-completed", "step-unreachable",
	}
	// What a mistake leaves open: the codes that it may hide.
	hiding = map[string][]diag.Code{
		"a list item indented one blank too little": {"file-never"},
		"a list as a key":                             {"pace-unknown"},
		"a quote that is not closed":                  {"duplicate-id", "state-reserved", "file-never"}, // in the next scenario, and the same text
		"a bracket that is not closed":                {"missing-key", "duplicate-lab-id"},
		"a tab in the indentation":                    {"pace-unknown", "file-never"},
		"a tab for the steps of a section":            {"missing-key", "step-unknown", "duplicate-lab-id"},
		"a key of a scenario twice":                   {"file-never"},
		"Markdown's stars in a text without quotes":   {"file-never", "template-scope"}, // in the next scenario
		"a required key misspelt is not missing, too": {"file-never"},                   // it may take any line
		"a key of a condition in the wrong place":     {"file-never"},
		"a key of the labspace misspelt":              {"tab-missing"},
		"the text of a section under a wrong key":     {"step-unknown", "save-outside", "file-never", "variable-unset", "tab-missing"},
		"a key of a file operation misspelt":          {"file-never"},
		"a map where a list belongs":                  {"file-never"},
		"a replacement without the new text":          {"file-never"},
		"a service without an address":                {"tab-missing"},
		"a workflow run without a workflow":           {"file-never"},
		"a section without a title":                   {"tab-missing"},
		"a session that asks first":                   {"file-never"},
		"a question that opens a session":             {"template-input", "file-never"},
		"an agent that starts another":                {"file-never"},
		"a matcher of another tool":                   {"template-args"},
		"a set that is empty":                         {"template-args"},
		"a copy without a target":                     {"file-never", "file-operation"},
		"two operations in one entry":                 {"file-never", "missing-key"},
		"a question asked in two ways":                {"template-input", "file-never", "masked-value-shown", "input-key-twice"},
		"a key asked for twice":                       {"template-input", "masked-value-shown"},
		"a history that is written":                   {"yaml-syntax"},
	}
	// Two mistakes that are made in the same line, and so tell of another text.
	sameLine = []string{
		"a replacement without the new text + a file to replace in that is never made",
		"a workflow run without a workflow + no tab for the pipeline",
		"a copy without a target + a folder to copy that is not there",
		"a copy without a target + two operations in one entry",
		"two operations in one entry + a folder to copy that is not there",
		"a key asked for twice + a question asked in two ways",
	}
)

// told is a finding but for the line, which the other mistake may move.
func told(code diag.Code, file, text string) string {
	return fmt.Sprintf("%s %s `%s`", code, file, text)
}

// TestPairs: one run reports everything, and one mistake is one finding, also when a lab does not load.
func TestPairs(t *testing.T) {
	t.Parallel()
	all := readDefects(t)
	found := func(files map[string]bool, r *validate.Result) map[string]bool {
		for _, f := range r.Findings {
			files[told(f.Code, strings.TrimPrefix(f.Span.Source.Name, "t/"), f.Span.Text())] = true
		}
		return files
	}
	off := validate.Options{Explore: validate.Off}
	alone := make([]map[string]bool, len(all)) // what is found of one mistake
	pairs := 0
	for i, s := range all {
		m := wanted.FindStringSubmatch(s.want)
		first := told(diag.Code(m[2]), m[3], m[5])
		if rule, _ := diag.RuleOf(diag.Code(m[2])); !rule.Stops {
			continue
		}
		for j, d := range all {
			name := s.name + " + " + d.name
			// A sample, in which each mistake comes with a part of the others; the stride is prime to their number.
			if i == j || (i+j)%7 != 3 || slices.Contains(sameLine, name) {
				continue
			}
			m := wanted.FindStringSubmatch(d.want)
			code, second := diag.Code(m[2]), told(diag.Code(m[2]), m[3], m[5])
			files := maps.Clone(s.files)
			if slices.ContainsFunc(d.edits, func(e string) bool { return edit(files, e) != "" }) {
				continue // both are in the same lines
			}
			pairs++
			got := found(map[string]bool{}, validated(files, "t", off))
			cut := slices.Contains(cutting, s.name) || slices.Contains(cutting, d.name)
			if !got[first] && !cut && !slices.Contains(hiding[d.name], diag.Code(strings.Fields(first)[0])) && !slices.Contains(hiding[s.name], code) {
				t.Errorf("%s: no %s", name, first)
			}
			if !got[second] && !cut && !slices.Contains(wholeOnly, code) && !slices.Contains(hiding[s.name], code) {
				t.Errorf("%s: no %s", name, second)
			}
			if alone[j] == nil {
				alone[j] = found(map[string]bool{second: true}, validated(d.files, "t", off))
			}
			for f := range got {
				// A name that is wrong in several places is told at the first one that was read.
				moved := cut && strings.HasPrefix(f, m[2]+" ") && strings.HasSuffix(f, " `"+m[5]+"`")
				if f != first && !alone[j][f] && !moved {
					t.Errorf("%s: %s", name, f)
				}
			}
		}
	}
	if pairs < 500 {
		t.Errorf("only %d pairs", pairs)
	}
}
