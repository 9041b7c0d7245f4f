// Package claudecode knows one runtime: where Claude Code keeps its histories, what their lines say, and how to write such
// files. Discover finds the sources, a Reader turns their lines into landed records.
package claudecode

const (
	// Name is the adapter's name in asz.yaml; with the program's version it is the adapter of a landed file's header.
	Name = "claude-code-local"
	// Dialect is the dialect of a landed file's header.
	Dialect = "claude-code/1"
)
