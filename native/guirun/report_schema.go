package guirun

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// enums are the words that a field of a report may hold, by the field's place.
func enums() map[string][]string {
	return map[string][]string{
		"Report.Verdict":  {"", RuntimeError, AppFailed, Failed, Inconclusive, Passed},
		"Attempt.Verdict": {RuntimeError, AppFailed, Failed, Inconclusive, Passed},
		"Row.Phase":       {PhaseLaunch, PhaseSettle, PhaseStep, PhasePlan, PhaseLoop, PhaseFinal},
		"Row.Status":      {StatusPassed, StatusFailed, StatusSkipped, StatusNotJudged, StatusError},
		"Row.Rung":        {"element", "declared", "literal", "center", "grounded", "dom"},
		"RowError.Class":  Classes(),
	}
}

// Classes lists the classes of errors that a row can have.
func Classes() []string {
	return []string{
		ClassAbsent, ClassAmbiguous, ClassCovered, ClassOffScreen, ClassFocus, ClassKey, ClassUnset, ClassTimeout, ClassDeadline,
		ClassNonzeroExit, ClassMissingCommand, ClassNoModel, ClassUnavailable, ClassPostcondition, ClassNoEffect, ClassDisplay, ClassHarness,
	}
}

// ReportSchema is the JSON Schema of report.json, made of the types that are written: every key that is always there is
// required, and no other key is known.
func ReportSchema() []byte {
	b := schemaMaker{defs: map[string]any{}, enums: enums()}
	b.object(reflect.TypeFor[Report]())
	top := b.defs["Report"].(map[string]any)
	delete(b.defs, "Report")
	top["$schema"] = "http://json-schema.org/draft-07/schema#"
	top["title"] = "report.json of a GUI scenario"
	top["$defs"] = b.defs
	text, err := json.MarshalIndent(top, "", "  ")
	if err != nil {
		panic(err) // maps of texts always encode
	}
	return append(text, '\n')
}

type schemaMaker struct {
	defs  map[string]any
	enums map[string][]string
}

// object adds the definition of a struct.
func (b *schemaMaker) object(t reflect.Type) {
	if _, done := b.defs[t.Name()]; done {
		return
	}
	properties := map[string]any{}
	def := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	b.defs[t.Name()] = def
	required := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		value := b.value(f.Type)
		if words := b.enums[t.Name()+"."+f.Name]; words != nil {
			value["enum"] = words
		}
		properties[name] = value
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	def["required"] = required
}

func (b *schemaMaker) value(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case t.Kind() == reflect.Pointer:
		return map[string]any{"anyOf": []any{b.value(t.Elem()), map[string]any{"type": "null"}}}
	case t.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": b.value(t.Elem())}
	case t.Kind() == reflect.Struct:
		b.object(t)
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	case t.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case t.Kind() == reflect.Float64:
		return map[string]any{"type": "number"}
	case t.Kind() == reflect.String:
		return map[string]any{"type": "string"}
	}
	return map[string]any{"type": "integer"}
}
