//go:build js && wasm

package main

import (
	"bytes"
	"encoding/json"

	"asz/shared/diag"
	"asz/shared/validate"
)

// report is what a check found, byte for byte as validate-lab prints it of a folder
// with just this lab.
func report(lab string, r *validate.Result) []byte {
	r.Findings.Sort()
	return validate.AppendReport(nil, []validate.Reported{{Result: r, Path: lab}}, r.Findings)
}

// explanation is the row of a code.
func explanation(r diag.Rule) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(struct {
		Code     diag.Code `json:"code"`
		Severity string    `json:"severity"`
		Title    string    `json:"title"`
		Fix      string    `json:"fix"`
		Explain  string    `json:"explain"`
	}{r.Code, r.Severity.String(), r.Title, r.Fix, r.Explain}); err != nil {
		panic(err) // texts always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
