package worldtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"asz/native/guirun"
)

// Schema is the report's, read.
type Schema map[string]any

// ReadSchema reads the schema that the interpreter gives.
func ReadSchema(t testing.TB) Schema {
	var s Schema
	if err := json.Unmarshal(guirun.ReportSchema(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Conforms says how a report is not as its schema says. It knows what that schema uses, and no more.
func (s Schema) Conforms(report []byte) []string {
	var document any
	if err := json.Unmarshal(report, &document); err != nil {
		return []string{err.Error()}
	}
	k := conformer{defs: s["$defs"].(map[string]any)}
	k.check("report", document, s)
	return k.problems
}

type conformer struct {
	defs     map[string]any
	problems []string
}

func (k *conformer) check(at string, v any, schema map[string]any) {
	say := func(format string, args ...any) {
		k.problems = append(k.problems, at+": "+fmt.Sprintf(format, args...))
	}
	known := []string{"$ref", "$defs", "$schema", "title", "anyOf", "enum", "type", "format", "items", "properties", "required", "additionalProperties"}
	for key := range schema {
		if !slices.Contains(known, key) {
			say("the schema uses %s, which is not checked", key)
		}
	}
	if ref, ok := schema["$ref"].(string); ok {
		k.check(at, v, k.defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any))
		return
	}
	if choices, ok := schema["anyOf"].([]any); ok {
		for _, one := range choices {
			inner := conformer{defs: k.defs}
			if inner.check(at, v, one.(map[string]any)); len(inner.problems) == 0 {
				return
			}
		}
		say("%v is none of what it may be", v)
		return
	}
	if words, ok := schema["enum"].([]any); ok && !slices.Contains(words, v) {
		say("%v is none of %v", v, words)
	}
	switch schema["type"] {
	case "object":
		object, ok := v.(map[string]any)
		if !ok {
			say("is no object")
			return
		}
		properties := schema["properties"].(map[string]any)
		for _, name := range schema["required"].([]any) {
			if _, ok := object[name.(string)]; !ok {
				say("has no %s", name)
			}
		}
		for name, inner := range object {
			if property, ok := properties[name].(map[string]any); ok {
				k.check(at+"."+name, inner, property)
			} else {
				say("has %s, which is not known", name)
			}
		}
	case "array":
		list, ok := v.([]any)
		if !ok {
			say("is no array")
		}
		for i, one := range list {
			k.check(fmt.Sprintf("%s[%d]", at, i), one, schema["items"].(map[string]any))
		}
	case "string":
		text, ok := v.(string)
		if !ok {
			say("is no string")
		} else if schema["format"] == "date-time" {
			if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
				say("%v", err)
			}
		}
	case "boolean":
		if _, ok := v.(bool); !ok {
			say("is no boolean")
		}
	case "integer", "number":
		if n, ok := v.(float64); !ok || schema["type"] == "integer" && n != float64(int64(n)) {
			say("%v is no %s", v, schema["type"])
		}
	case "null":
		if v != nil {
			say("is not null")
		}
	default:
		say("the schema has type %v, which is not checked", schema["type"])
	}
}
