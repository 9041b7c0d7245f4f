package validate

import (
	"bytes"
	"encoding/json"

	"asz/shared/diag"
)

// Reported is a lab as a report tells of it.
type Reported struct {
	*Result
	Path string // what the report calls its folder
}

func (w Where) String() string {
	return [...]string{Documented: "documented", Reachable: "reachable", Never: "never", Unknown: "unknown"}[w]
}

// The JSON of labs.md 8, with keys of our own for what else is asked for.
type (
	reportJSON struct {
		Version  int             `json:"version"`
		Labs     []labJSON       `json:"labs"`
		Findings json.RawMessage `json:"findings"`
	}
	labJSON struct {
		ID         string        `json:"id"`
		Path       string        `json:"path"`
		States     int           `json:"states"`
		Exhaustive bool          `json:"exhaustive"`
		Solution   *solutionJSON `json:"solution,omitempty"`
		Coverage   *coverageJSON `json:"coverage,omitempty"`
	}
	solutionJSON struct {
		Lines    []string `json:"lines"`
		Shortest bool     `json:"shortest"`
		Missing  []string `json:"missing"`
	}
	coverageJSON struct {
		Scenarios []coveredJSON `json:"scenarios"`
		Steps     []coveredJSON `json:"steps"`
		Lines     []coveredJSON `json:"lines"`
	}
	coveredJSON struct {
		Name  string `json:"name"`
		Where string `json:"where"`
	}
)

// AppendReport appends the JSON of labs.md 8, which names files as the findings do.
func AppendReport(dst []byte, labs []Reported, findings diag.List) []byte {
	report := reportJSON{1, []labJSON{}, findings.AppendJSON(nil)}
	for _, r := range labs {
		l := labJSON{ID: r.ID, Path: r.Path, States: r.States, Exhaustive: r.Exhaustive}
		if s := r.Solution; s != nil {
			l.Solution = &solutionJSON{append([]string{}, s.Lines...), s.Shortest, append([]string{}, s.Missing...)}
		}
		if c := r.Coverage; c != nil {
			l.Coverage = &coverageJSON{coveredRows(c.Scenarios), coveredRows(c.Steps), coveredRows(c.Lines)}
		}
		report.Labs = append(report.Labs, l)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(report); err != nil {
		panic(err) // texts and numbers always encode
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

func coveredRows(rows []Covered) []coveredJSON {
	out := make([]coveredJSON, len(rows))
	for i, r := range rows {
		out[i] = coveredJSON{r.Name, r.Where.String()}
	}
	return out
}
