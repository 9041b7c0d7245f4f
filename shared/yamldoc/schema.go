package yamldoc

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Schema describes what a type accepts, in the words of JSON Schema draft-07. It cannot say everything
// a type checks (that ids are unique, for one), but it refuses nothing that the type accepts. The zero
// value is any value.
type Schema struct {
	Def   string `json:"-"` // its name among the definitions; "" = it is written where it is used
	Never bool   `json:"-"` // no value at all

	Draft       string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Ref         string `json:"$ref,omitempty"`

	Types     types    `json:"type,omitempty"` // null, boolean, integer, number, string, array, object
	Const     any      `json:"const,omitempty"`
	Enum      []string `json:"enum,omitempty"`
	Pattern   string   `json:"pattern,omitempty"` // of a text; what is no text fits
	MinLength int      `json:"minLength,omitempty"`
	Minimum   *int     `json:"minimum,omitempty"`
	Maximum   *int     `json:"maximum,omitempty"`
	Above     *int     `json:"exclusiveMinimum,omitempty"`
	Below     *int     `json:"exclusiveMaximum,omitempty"`

	Items    *Schema `json:"items,omitempty"`
	MinItems int     `json:"minItems,omitempty"`
	MaxItems int     `json:"maxItems,omitempty"`
	Unique   bool    `json:"uniqueItems,omitempty"`

	Properties Properties `json:"properties,omitempty"`
	Required   []string   `json:"required,omitempty"`
	Others     *Schema    `json:"additionalProperties,omitempty"`
	Keys       *Schema    `json:"propertyNames,omitempty"`
	MinKeys    int        `json:"minProperties,omitempty"`
	MaxKeys    int        `json:"maxProperties,omitempty"`

	AllOf []*Schema `json:"allOf,omitempty"`
	AnyOf []*Schema `json:"anyOf,omitempty"`
	OneOf []*Schema `json:"oneOf,omitempty"`
	Not   *Schema   `json:"not,omitempty"`
	If    *Schema   `json:"if,omitempty"`
	Then  *Schema   `json:"then,omitempty"`
	Else  *Schema   `json:"else,omitempty"`

	Definitions map[string]*Schema `json:"$defs,omitempty"`
}

type types []string

// Property is a key of a map with what may stand there.
type Property struct {
	Name   string
	Schema *Schema
}

// Properties stand in the order of the table they come from.
type Properties []Property

// Get gives the schema of a key, nil when there is none.
func (p Properties) Get(name string) *Schema {
	for i := range p {
		if p[i].Name == name {
			return p[i].Schema
		}
	}
	return nil
}

// NoSchema is that of a value that is always refused.
func NoSchema() *Schema { return &Schema{Never: true} }

// Without is a map in which none of the keys stands.
func Without(keys ...string) *Schema {
	s := &Schema{}
	for _, key := range keys {
		s.Properties = append(s.Properties, Property{key, NoSchema()})
	}
	return s
}

// Narrow is the same type with a schema that says more: what is checked once the value was read.
func Narrow[T any](t Type[T], more func(s *Schema)) Type[T] {
	plain := t.schema
	t.schema = func() *Schema {
		s := plain()
		more(s)
		return s
	}
	return t
}

// SchemaFile is the schema of the files that a type reads, as indented JSON.
func (t Type[T]) SchemaFile(title, description string) []byte {
	s := t.schema()
	s.Def, s.Title, s.Description = "", title, description
	s.Draft = "http://json-schema.org/draft-07/schema#"
	defs := map[string]*Schema{}
	s.refer(defs)
	s.Definitions = defs
	var b bytes.Buffer
	encoder := jsonEncoder(&b)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(s); err != nil {
		panic(err) // texts, numbers and lists always marshal
	}
	return b.Bytes()
}

// refer moves the named schemas below s to defs and leaves references.
func (s *Schema) refer(defs map[string]*Schema) {
	for _, at := range []**Schema{&s.Items, &s.Others, &s.Keys, &s.Not, &s.If, &s.Then, &s.Else} {
		*at = referred(*at, defs)
	}
	for _, list := range [][]*Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			list[i] = referred(list[i], defs)
		}
	}
	for i, p := range s.Properties {
		about := p.Schema.Description
		r := referred(p.Schema, defs)
		if r.Ref != "" && about != "" {
			// What stands beside a $ref does not count in draft-07.
			r = &Schema{Description: about, AllOf: []*Schema{r}}
		}
		s.Properties[i].Schema = r
	}
}

func referred(s *Schema, defs map[string]*Schema) *Schema {
	if s == nil {
		return nil
	}
	s.refer(defs)
	if s.Def == "" {
		return s
	}
	s.Description = "" // that of the place it is used at
	if other := defs[s.Def]; other != nil && !bytes.Equal(other.compact(), s.compact()) {
		panic("two schemas are named " + s.Def)
	}
	defs[s.Def] = s
	return &Schema{Ref: defRef(s.Def)}
}

func defRef(name string) string { return "#/$defs/" + name }

// Defined refers to a definition from inside of itself.
func Defined(name string) *Schema { return &Schema{Ref: defRef(name)} }

// defName makes the name of a definition of what messages call a type.
func defName(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "a "), "an ")
	return strings.NewReplacer(" ", "-", ".", "-", "`", "").Replace(name)
}

// textSchema is of what Text reads: a number or a bool is text as written.
func textSchema() *Schema { return &Schema{Types: types{"string", "number", "boolean"}} }

func boolSchema() *Schema { return &Schema{Types: types{"boolean"}} }

func anySchema() *Schema { return &Schema{} }

func objectSchema[T any](name string, fields []Field[T]) *Schema {
	s := &Schema{Def: defName(name), Types: types{"object"}, Others: NoSchema()}
	for _, f := range fields {
		p := f.schema()
		if p.Never {
			continue
		}
		p.Description = f.Doc
		s.Properties = append(s.Properties, Property{f.Name, p})
		if f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	if len(s.Required) == 0 {
		s.Types = append(s.Types, "null")
	}
	return s
}

func (s *Schema) compact() []byte {
	var b bytes.Buffer
	if err := jsonEncoder(&b).Encode(s); err != nil {
		panic(err) // as in SchemaFile
	}
	return b.Bytes()
}

// jsonEncoder leaves < and & as they are: patterns are for people too.
func jsonEncoder(b *bytes.Buffer) *json.Encoder {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e
}

// MarshalJSON writes what is always refused as false.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.Never {
		return []byte("false"), nil
	}
	type plain Schema // without this method
	var b bytes.Buffer
	err := jsonEncoder(&b).Encode((*plain)(s))
	return b.Bytes(), err
}

// MarshalJSON writes a single type as a word.
func (t types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// MarshalJSON writes an object with its keys in order.
func (p Properties) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, property := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(property.Name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		if err := jsonEncoder(b).Encode(property.Schema); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
