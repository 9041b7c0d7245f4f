package diag

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
)

// The parts of a SARIF 2.1.0 log that are written here, named as there.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               Code        `json:"id"`
		ShortDescription sarifText   `json:"shortDescription"`
		FullDescription  sarifText   `json:"fullDescription"`
		Help             sarifText   `json:"help"`
		Default          sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       Code              `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   region        `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  region    `json:"deletedRegion"`
		Inserted sarifText `json:"insertedContent"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

	// fingerprint names how the value is computed; another way needs another name.
	fingerprint = "aszCodeFileLine/v1"
)

// WriteSARIF prints the findings as a SARIF 2.1.0 log with one run.
func (l List) WriteSARIF(w io.Writer) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: make([]sarifResult, 0, len(l))}
	run.Tool.Driver = sarifDriver{Name: "asz", Rules: []sarifRule{}}
	var codes []Code
	for i := range l {
		codes = append(codes, l[i].Code)
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	for _, code := range codes {
		r, _ := RuleOf(code)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: code, ShortDescription: sarifMessage(r.Title), FullDescription: sarifMessage(r.Explain),
			Help: sarifMessage(r.help()), Default: sarifConfig{sarifLevel(r.Severity)},
		})
	}
	seen := map[string]int{}
	for i := range l {
		run.Results = append(run.Results, l[i].sarif(codes, seen))
	}
	log := sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}
	_, err := w.Write(append(appendJSON(nil, log), '\n'))
	return err
}

func sarifLevel(s Severity) string {
	return [...]string{Error: "error", Warning: "warning", Info: "note"}[s]
}

func (d *Diagnostic) sarif(codes []Code, seen map[string]int) sarifResult {
	index, _ := slices.BinarySearch(codes, d.Code)
	result := sarifResult{
		RuleID: d.Code, RuleIndex: index, Level: sarifLevel(d.Severity), Message: sarifMessage(d.body()),
		Fingerprints: map[string]string{fingerprint: d.fingerprint(seen)},
	}
	if d.Span.Source != nil {
		result.Locations = []sarifLocation{{Physical: physical(d.Span)}}
	}
	for _, r := range d.Related {
		if r.Span.Source != nil {
			message := sarifMessage(visible(r.Message))
			result.Related = append(result.Related, sarifLocation{Physical: physical(r.Span), Message: &message})
		}
	}
	if d.Fix != nil && len(d.Fix.Edits) > 0 {
		fix := sarifFix{Description: sarifMessage(visible(d.Fix.Text))}
		for _, e := range d.Fix.Edits {
			if e.Span.Source == nil {
				return result // a fix that cannot be told whole is not told
			}
			fix.add(e)
		}
		result.Fixes = []sarifFix{fix}
	}
	return result
}

// add puts an edit to the others of its file.
func (f *sarifFix) add(e Edit) {
	at := sarifArtifact{uri(e.Span.Source.Name)}
	i := slices.IndexFunc(f.Changes, func(c sarifChange) bool { return c.Artifact == at })
	if i < 0 {
		i = len(f.Changes)
		f.Changes = append(f.Changes, sarifChange{Artifact: at})
	}
	c := &f.Changes[i]
	c.Replacements = append(c.Replacements, sarifReplacement{regionOf(e.Span), sarifText{e.New}})
}

func physical(s Span) sarifPhysical {
	return sarifPhysical{sarifArtifact{uri(s.Source.Name)}, regionOf(s)}
}

// uri makes a relative reference of a file's name.
func uri(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// sarifMessage is plain text as a SARIF message, in which `[words](target)` would be a link and `{0}` a placeholder:
// only texts that hold one of these are escaped. SARIF would have every brace doubled, but its known readers show a
// message without arguments as it stands, and our messages are full of templates.
func sarifMessage(text string) sarifText {
	if strings.Contains(text, "](") {
		text = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(text)
	}
	if placeholder(text) {
		text = strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
	}
	return sarifText{text}
}

// placeholder reports whether a text holds `{digits}`.
func placeholder(text string) bool {
	for {
		_, after, ok := strings.Cut(text, "{")
		if !ok {
			return false
		}
		rest := strings.TrimLeft(after, "0123456789")
		if len(rest) < len(after) && strings.HasPrefix(rest, "}") {
			return true
		}
		text = after
	}
}

// fingerprint tells a finding from others by its code, file and line of text, never by the line's number, so that it
// is the same one after lines were added above. Equal ones are counted.
func (d *Diagnostic) fingerprint(seen map[string]int) string {
	hash := fnv.New64a()
	line := ""
	if s := d.Span.Source; s != nil {
		start, end := s.lineAt(d.Span.Start)
		line = strings.TrimSpace(s.Text[start:end])
	}
	fmt.Fprintf(hash, "%s\x00%s\x00%s", d.Code, d.Span.name(), line)
	key := fmt.Sprintf("%016x", hash.Sum64())
	seen[key]++
	return fmt.Sprintf("%s:%d", key, seen[key])
}
