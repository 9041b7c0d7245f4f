package labfile

import (
	"slices"
	"strings"

	"asz/shared/yamldoc"
)

// The schemas come from the tables that read the files. What a table does not
// know, because it is checked after reading or not by a table, is said here and
// held to the reader by a test of tools/docs.

// LabSchema is the JSON Schema of labspace.yaml.
func LabSchema() []byte {
	return labspaceType().SchemaFile("labspace.yaml", "What the learner sees of a lab.")
}

// SimulatorSchema is the JSON Schema of simulator.yaml.
func SimulatorSchema() []byte {
	return simulatorType().SchemaFile("simulator.yaml", "What the commands of a lab do.")
}

type schema = yamldoc.Schema

func anyValue() *schema { return &schema{} }

// anyKey says nothing about the keys of a map.
func anyKey() *schema { return nil }

// Patterns are for JavaScript.
const (
	relativePath = `^[^/]`
	// Not only `.` and `/`, and not upwards at once.
	filePath = `^(?!(\.?/)*(\.|\.\.(/[\s\S]*)?)?$)`
	dotPath  = `^[^.]+(\.[^.]+)*$`
	// The keys of `state:` in effects: a dot-path, and perhaps `+=` behind it, not before it or misspelt.
	deltaPath = `^(?![\s\S]*(^|\.)\s*\+=\s*$)(?!\s*\+=)(?![\s\S]*(\s\+|=\+|\+ =)\s*$)[^.]+(\.[^.]+)*$`
	// Elsewhere nothing is appended.
	plainPath = `^(?![\s\S]*\+=\s*$)[^.]+(\.[^.]+)*$`
	// The engine keeps history.
	seedPath = `^(?!history(\.|$))(?![\s\S]*\+=\s*$)[^.]+(\.[^.]+)*$`
	// A line `path += value` alone, which is a text to other readers of YAML.
	appendLine = `[^:]\s*\+=(\s|$)`
)

func keys(pattern string) *schema { return &schema{Pattern: pattern} }

func statePathKeys() *schema { return keys(plainPath) }
func deltaKeys() *schema     { return keys(deltaPath) }
func argKeys() *schema       { return keys(`[^-]`) }

func statePathSchema() *schema {
	s := yamldoc.Text().Schema()
	s.Pattern = dotPath
	return s
}

// unlessSlides: what is to be skipped may hold anything.
func unlessSlides(s *schema) {
	lab := *s
	lab.Def = "" // it stands here and nowhere else
	slides := &schema{
		Types: []string{"object"}, Required: []string{"kind"},
		Properties: yamldoc.Properties{{Name: "kind", Schema: &schema{Const: "slides"}}},
	}
	*s = schema{If: slides, Then: &schema{}, Else: &lab}
}

// stepSchema: a step has an id, or a title of which one can be made.
func stepSchema[T any](fields yamldoc.Type[T]) func() *schema {
	return func() *schema {
		s := fields.Schema()
		s.Types = []string{"object"}
		id, title := yamldoc.Text().Schema(), yamldoc.Text().Schema()
		id.MinLength, title.Pattern = 1, `[A-Za-z0-9\s-]`
		s.AnyOf = []*schema{
			{Required: []string{"title"}, Properties: yamldoc.Properties{{Name: "title", Schema: title}}},
			{Required: []string{"id"}, Properties: yamldoc.Properties{{Name: "id", Schema: id}}},
		}
		return s
	}
}

func filesSchema() *schema {
	return &schema{Types: []string{"object"}, Keys: keys(filePath), Others: yamldoc.Text().Schema()}
}

func textOrNothing() *schema {
	s := yamldoc.Text().Schema()
	s.Types = append(s.Types, "null")
	return s
}

// version2Schema: an unquoted 2.0 is a number, which the reader only warns of.
func version2Schema() *schema {
	two, three := 2, 3
	return &schema{Types: []string{"string", "number"}, Pattern: `^2(\.|$)`, Minimum: &two, Below: &three}
}

// seedSchema: dotted keys stand at every depth of the state.
func seedSchema() *schema {
	below := &schema{
		Def: "state-value", Types: []string{"object", "array", "string", "number", "boolean", "null"},
		Keys: keys(plainPath), Others: yamldoc.Defined("state-value"), Items: yamldoc.Defined("state-value"),
	}
	return &schema{Types: []string{"object", "null"}, Keys: keys(seedPath), Others: below}
}

// scenarioSchema: a scenario without an id loads, but it is an error; an agent
// scenario opens no session.
func scenarioSchema(s *schema) {
	s.Required = append([]string{"id"}, s.Required...)
	s.Properties.Get("id").MinLength = 1
	effects := yamldoc.Without("session")
	effects.Types = []string{"object", "null"}
	s.If = &schema{Required: []string{"when"}, Properties: yamldoc.Properties{{Name: "when", Schema: ofAgent()}}}
	s.Then = &schema{Properties: yamldoc.Properties{{Name: "then", Schema: effects}}}
}

// whenSchema: an agent takes prompts and no commands.
func whenSchema(s *schema) {
	s.If, s.Then = ofAgent(), yamldoc.Without("command")
}

func ofAgent() *schema {
	return &schema{
		Types: []string{"object"}, Required: []string{"agent"},
		Properties: yamldoc.Properties{{Name: "agent", Schema: &schema{Const: true}}},
	}
}

func commandSchema() *schema {
	s := yamldoc.Text().Schema()
	s.Types = append(s.Types, "array")
	s.Items = yamldoc.Text().Schema()
	return s
}

func matcherSchema() *schema {
	set := yamldoc.List(yamldoc.Text()).Schema()
	set.MinItems = 1
	s := yamldoc.Text().Schema()
	s.Def = "matcher"
	s.Types = append(s.Types, "object")
	s.Properties = yamldoc.Properties{{Name: "any", Schema: &schema{Const: true}}, {Name: "oneOf", Schema: set}}
	s.Others, s.MinKeys, s.MaxKeys = yamldoc.NoSchema(), 1, 1
	return s
}

func inputOrSession(s *schema) {
	s.Not = &schema{Types: []string{"object"}, Required: []string{"input", "session"}}
}

func lineSchema[T any](entry yamldoc.Type[T]) func() *schema {
	return func() *schema {
		s := entry.Schema()
		s.Types = append(yamldoc.Text().Schema().Types, "object")
		return s
	}
}

func orAppendLine(s *schema) {
	s.Types = append(s.Types, "string")
	s.Pattern = appendLine
}

// inputSchema: one question or several.
func inputSchema[T any](t yamldoc.Type[T]) func() *schema {
	return func() *schema {
		s := t.Schema()
		s.Types = []string{"object"}
		s.Properties.Get("steps").MinItems = 1
		one, several := yamldoc.Without("steps"), yamldoc.Without("key", "prompt", "mask")
		one.Required, several.Required = []string{"key"}, []string{"steps"}
		s.OneOf = []*schema{one, several}
		return s
	}
}

// fileOpSchema: one operation with the keys that go with it.
func fileOpSchema[T any](t yamldoc.Type[T]) func() *schema {
	return func() *schema {
		s := &schema{Def: t.Schema().Def, Types: []string{"object"}}
		for _, v := range fileVerbs {
			one := t.Schema()
			one.Def, one.Types = "", nil
			names := []string{v.verb.String()}
			one.Required = []string{v.verb.String()}
			for _, key := range v.keys {
				name, required := strings.CutSuffix(key, "!")
				names = append(names, name)
				if required {
					one.Required = append(one.Required, name)
				}
			}
			one.Properties = slices.DeleteFunc(one.Properties, func(p yamldoc.Property) bool { return !slices.Contains(names, p.Name) })
			s.OneOf = append(s.OneOf, one)
		}
		return s
	}
}
