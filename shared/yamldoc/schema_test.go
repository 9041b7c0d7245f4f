package yamldoc

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

type shape struct {
	Name string
	Size int
	Note *Node
	Sub  *shape
	Subs []shape
}

func inner() Type[shape] {
	return Object("an inner.part", Optional("name", "what <it> is called", Text(), func(s *shape) *string { return &s.Name }))
}

func outer() Type[shape] {
	never := NewType("nothing", NoSchema, func(*Reader, *Node, *string) bool { return false })
	return Object("outer",
		Required("size", "how large", Int(0, math.MaxInt), func(s *shape) *int { return &s.Size }),
		Optional("note", "", Any(), func(s *shape) **Node { return &s.Note }),
		Optional("never", "refused", never, func(s *shape) *string { return &s.Name }),
		Optional("sub", "one", Ptr(inner()), func(s *shape) **shape { return &s.Sub }),
		Optional("subs", "many", List(inner()), func(s *shape) *[]shape { return &s.Subs }),
	)
}

func TestSchemaFile(t *testing.T) {
	const want = `{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "a file",
  "description": "About it.",
  "type": "object",
  "properties": {
    "size": {
      "description": "how large",
      "type": "integer",
      "minimum": 0
    },
    "note": {},
    "sub": {
      "description": "one",
      "allOf": [
        {
          "$ref": "#/$defs/inner-part"
        }
      ]
    },
    "subs": {
      "description": "many",
      "type": "array",
      "items": {
        "$ref": "#/$defs/inner-part"
      }
    }
  },
  "required": [
    "size"
  ],
  "additionalProperties": false,
  "$defs": {
    "inner-part": {
      "type": [
        "object",
        "null"
      ],
      "properties": {
        "name": {
          "description": "what <it> is called",
          "type": [
            "string",
            "number",
            "boolean"
          ]
        }
      },
      "additionalProperties": false
    }
  }
}
`
	typ := outer()
	for range 2 {
		if got := string(typ.SchemaFile("a file", "About it.")); got != want {
			t.Errorf("the schema is\n%s", got)
		}
	}
}

func TestNarrow(t *testing.T) {
	plain := Int(1, 9)
	narrow := Narrow(plain, func(s *Schema) { *s.Maximum = 5; s.Description = "small" })
	if s := narrow.Schema(); *s.Maximum != 5 || *s.Minimum != 1 || s.Description != "small" {
		t.Errorf("narrowed: %+v", s)
	}
	if s := plain.Schema(); *s.Maximum != 9 || s.Description != "" {
		t.Errorf("the type itself: %+v", s)
	}
	if narrow.Name() != plain.Name() {
		t.Errorf("it is called %q", narrow.Name())
	}
	if _, r, ok := read(t, narrow, "7"); !ok {
		t.Errorf("it reads otherwise: %v", r.Findings)
	}
	text, err := json.Marshal(Without("a", "b"))
	if err != nil || string(text) != `{"properties":{"a":false,"b":false}}` {
		t.Errorf("%s %v", text, err)
	}
}

// Two types of one name would be one definition.
func TestSchemaNamesAreUnique(t *testing.T) {
	clash := Object("outer",
		Optional("sub", "", inner(), func(s *shape) *shape { return s }),
		Optional("subs", "", List(Narrow(inner(), func(s *Schema) { s.MinKeys = 1 })), func(s *shape) *[]shape { return &s.Subs }),
	)
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "inner-part") {
			t.Errorf("it says %q", said)
		}
	}()
	clash.SchemaFile("", "")
	t.Error("two definitions became one")
}
