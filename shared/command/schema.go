package command

import (
	"fmt"
	"strings"

	"asz/shared/labfile"
)

// schemas is the table of the kinds of files that have a schema.
func schemas() []schemaOf {
	return []schemaOf{
		{"lab", "labspace.yaml", labfile.LabSchema},
		{"simulator", "simulator.yaml", labfile.SimulatorSchema},
	}
}

type schemaOf struct {
	kind, file string
	json       func() []byte
}

// Schema is `asz schema`.
func Schema() *Command {
	var help strings.Builder
	help.WriteString("The kinds:\n")
	for _, s := range schemas() {
		fmt.Fprintf(&help, "  %-18s %s\n", s.kind, s.file)
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
		Run:     runSchema,
	}
}

func runSchema(c *Call) int {
	var kinds []string
	for _, s := range schemas() {
		if len(c.Operands) == 1 && c.Operands[0] == s.kind {
			if _, err := c.Stdout.Write(s.json()); err != nil {
				return c.Fail(exitUnusable, "the output cannot be written: %v", err)
			}
			return 0
		}
		kinds = append(kinds, s.kind)
	}
	return c.Usage("name one kind of file: %s", strings.Join(kinds, " or "))
}
