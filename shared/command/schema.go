package command

import (
	"fmt"
	"strings"

	"asz/shared/labfile"
)

// SchemaKind is a kind of files that have a schema.
type SchemaKind struct {
	Kind, File string // its name, and what such a file is called
	JSON       func() []byte
}

// Schema is `asz schema`. It knows the kinds of a lab's files; more are those of the program that runs it.
func Schema(more ...SchemaKind) *Command {
	kinds := append([]SchemaKind{
		{"lab", "labspace.yaml", labfile.LabSchema},
		{"simulator", "simulator.yaml", labfile.SimulatorSchema},
	}, more...)
	var help strings.Builder
	help.WriteString("The kinds:\n")
	for _, s := range kinds {
		fmt.Fprintf(&help, "  %-18s %s\n", s.Kind, s.File)
	}
	help.WriteString(`
With the schema in a file, this first line makes an editor with a YAML language
server complete and check what is typed below it:
  # yaml-language-server: $schema=simulator.schema.json
`)
	return &Command{
		Name: "schema", Args: "KIND", Misuse: exitUnusable,
		Summary: "print the JSON Schema of a kind of file, for editors",
		Help:    help.String(),
		Run:     func(c *Call) int { return runSchema(c, kinds) },
	}
}

func runSchema(c *Call, list []SchemaKind) int {
	kinds := "" // "a, b or c"
	for i, s := range list {
		if len(c.Operands) == 1 && c.Operands[0] == s.Kind {
			if _, err := c.Stdout.Write(s.JSON()); err != nil {
				return c.Fail(exitUnusable, "the output cannot be written: %v", err)
			}
			return 0
		}
		switch i {
		case 0:
		case len(list) - 1:
			kinds += " or "
		default:
			kinds += ", "
		}
		kinds += s.Kind
	}
	if len(c.Operands) == 1 {
		return c.Usage("there is no kind %q: name one kind of file: %s", c.Operands[0], kinds)
	}
	return c.Usage("name one kind of file: %s", kinds)
}
