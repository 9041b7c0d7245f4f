package store

// Kind is what a landed file holds, as its header says it.
type Kind string

const (
	Transcript Kind = "transcript"
	AgentMeta  Kind = "agent_meta"
	Journal    Kind = "journal"
	Manifest   Kind = "workflow_manifest"
	Script     Kind = "workflow_script"
)

// Main is the stream of a session itself; every other stream is a child agent's and has its id.
const Main = "main"

// Snapshot says that a source is read whole whenever it changes; others grow by lines.
func (k Kind) Snapshot() bool { return k == AgentMeta || k == Manifest || k == Script }

// FileName is how the names of landed files of the kind begin.
func (k Kind) FileName() string {
	switch k {
	case AgentMeta:
		return "meta"
	case Manifest:
		return "manifest"
	case Script:
		return "script"
	}
	return string(k)
}

// Source is one file of a runtime that holds a part of a session. Either Stream or Batch is set.
type Source struct {
	Session string
	Kind    Kind
	Stream  string // Main or an agent id, of a transcript and its meta file
	Batch   string // workflow run id, of a journal, manifest and script
	Path    string // where it is read
	Rel     string // relative to the runtime's source root, forward slashes: src of the header
}
