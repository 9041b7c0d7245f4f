//go:build js && wasm

package main

import (
	"bytes"
	"encoding/json"

	"asz/shared/diag"
	"asz/shared/validate"
)

// report is what a check found, as the JSON of labs.md 8 with the solution and the
// coverage of the lab when they were asked for.
func report(lab string, r *validate.Result) []byte {
	type finding struct {
		File      string    `json:"file"`
		Line      int       `json:"line"`
		Column    int       `json:"column"`
		EndLine   int       `json:"endLine"`
		EndColumn int       `json:"endColumn"`
		Severity  string    `json:"severity"`
		Code      diag.Code `json:"code"`
		Message   string    `json:"message"`
		Fix       *string   `json:"fix"`
		Witness   []string  `json:"witness"`
	}
	type solution struct {
		Lines    []string `json:"lines"`
		Shortest bool     `json:"shortest"`
		Missing  []string `json:"missing"`
	}
	type covered struct {
		Name  string `json:"name"`
		Where string `json:"where"`
	}
	type coverage struct {
		Scenarios []covered `json:"scenarios"`
		Steps     []covered `json:"steps"`
		Lines     []covered `json:"lines"`
	}
	type checked struct {
		ID         string    `json:"id"`
		Path       string    `json:"path"`
		States     int       `json:"states"`
		Exhaustive bool      `json:"exhaustive"`
		Solution   *solution `json:"solution,omitempty"`
		Coverage   *coverage `json:"coverage,omitempty"`
	}
	rows := func(list []validate.Covered) []covered {
		words := [...]string{validate.Documented: "documented", validate.Reachable: "reachable", validate.Never: "never", validate.Unknown: "unknown"}
		out := make([]covered, len(list))
		for i, c := range list {
			out[i] = covered{c.Name, words[c.Where]}
		}
		return out
	}
	l := checked{ID: r.ID, Path: lab, States: r.States, Exhaustive: r.Exhaustive}
	if s := r.Solution; s != nil {
		l.Solution = &solution{append([]string{}, s.Lines...), s.Shortest, append([]string{}, s.Missing...)}
	}
	if c := r.Coverage; c != nil {
		l.Coverage = &coverage{rows(c.Scenarios), rows(c.Steps), rows(c.Lines)}
	}
	r.Findings.Sort()
	findings := make([]finding, len(r.Findings))
	for i, d := range r.Findings {
		f := finding{Line: 1, Column: 1, EndLine: 1, EndColumn: 1, Severity: d.Severity.String(), Code: d.Code, Message: d.Message, Witness: d.Witness}
		if s := d.Span; s.Source != nil {
			f.File = s.Source.Name
			f.Line, f.Column = s.Source.Position(s.Start)
			f.EndLine, f.EndColumn = s.Source.Position(s.End())
		}
		if d.Fix != nil && d.Fix.Text != "" {
			f.Fix = &d.Fix.Text
		}
		findings[i] = f
	}
	return encode(struct {
		Version  int       `json:"version"`
		Labs     []checked `json:"labs"`
		Findings []finding `json:"findings"`
	}{1, []checked{l}, findings})
}

// explanation is the row of a code.
func explanation(r diag.Rule) []byte {
	return encode(struct {
		Code     diag.Code `json:"code"`
		Severity string    `json:"severity"`
		Title    string    `json:"title"`
		Fix      string    `json:"fix"`
		Explain  string    `json:"explain"`
	}{r.Code, r.Severity.String(), r.Title, r.Fix, r.Explain})
}

func encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // texts and numbers always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
