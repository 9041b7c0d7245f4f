package session

import (
	"strconv"

	"asz/shared/yamldoc"
)

// The schemas come from the tables that read the files. What a table does not know is said here and held to the reader
// by a test of tools/docs.

// ScenarioSchema is the JSON Schema of a session scenario.
func ScenarioSchema() []byte {
	return scenarioType().SchemaFile("session scenario", "A conversation of a person and a model, and what it leaves behind.")
}

// ExpectationSchema is the JSON Schema of the expectations beside a scenario.
func ExpectationSchema() []byte {
	return expectationType().SchemaFile("session expectations", "What must come of a session scenario.")
}

type schema = yamldoc.Schema

// namePattern is for JavaScript. What it counts is characters, not bytes.
func namePattern(most int, without string, reserved []string) string {
	p := "^"
	for _, word := range reserved {
		p += "(?!" + escaped(word) + "$)"
	}
	p += `[^\u0000-\u001f\u007f-\u009f` + escaped(without) + "]"
	if most == 0 {
		return p + "+$"
	}
	return p + "{1," + strconv.Itoa(most) + "}$"
}

// escaped is a text as a part of a pattern.
func escaped(s string) string {
	out := ""
	for _, c := range s {
		if c == '.' || c == '/' || c == '\\' {
			out += `\`
		}
		out += string(c)
	}
	return out
}

// oneKind: a step has one of the kinds.
func oneKind(child bool) func(*schema) {
	return func(s *schema) {
		s.Types = []string{"object"}
		for _, kind := range stepKinds {
			if !child || kind != "replay" {
				s.OneOf = append(s.OneOf, &schema{Required: []string{kind}})
			}
		}
	}
}

// fragments: a call has one, and one at most of those that end it.
func fragments(s *schema) {
	s.Types = []string{"object"}
	plain := yamldoc.Without(lastFragments[:]...)
	plain.AnyOf = []*schema{{Required: []string{"thinking"}}, {Required: []string{"text"}}}
	s.OneOf = []*schema{plain}
	for _, last := range lastFragments {
		s.OneOf = append(s.OneOf, &schema{Required: []string{last}})
	}
}

func textOr[T any](t yamldoc.Type[T]) func() *schema {
	return func() *schema {
		s := t.Schema()
		s.Types = append(yamldoc.Text().Schema().Types, "object")
		return s
	}
}

// knownKeys: a map from names to values; a name that is not known may stand only with one value.
func knownKeys(s *schema, names []string, otherwise any) {
	value := s.Others
	for _, name := range names {
		s.Properties = append(s.Properties, yamldoc.Property{Name: name, Schema: value})
	}
	s.Others = &schema{Const: otherwise}
}

// absentAlone: nothing else is said of what is not there.
func absentAlone(s *schema) {
	s.If = &schema{
		Types: []string{"object"}, Required: []string{"absent"},
		Properties: yamldoc.Properties{{Name: "absent", Schema: &schema{Const: true}}},
	}
	s.Then = &schema{MaxKeys: 1}
}

// streamOrRun: a file belongs to one of the two, and its kind goes with it.
func streamOrRun(s *schema) {
	s.Types = []string{"object"}
	of := func(key, other string, kinds []string) *schema {
		one := yamldoc.Without(other)
		one.Required = []string{key}
		one.Properties = append(one.Properties, yamldoc.Property{Name: "kind", Schema: &schema{Enum: kinds}})
		return one
	}
	s.OneOf = []*schema{of("stream", "run", streamFiles), of("run", "stream", runFiles)}
}
