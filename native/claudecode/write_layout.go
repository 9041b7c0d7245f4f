package claudecode

import (
	"path"
	"strings"

	"asz/native/store"
)

// Place gives a source its path below the source root: Session, Kind, Stream and Batch are set; batch is the run of a
// workflow that a child belongs to ("" for others), label what the name of a script begins with.
func Place(project string, src store.Source, batch, label string) string {
	dir := path.Join(project, src.Session)
	agents := path.Join(dir, "subagents")
	if batch != "" {
		agents = path.Join(agents, "workflows", batch)
	}
	switch src.Kind {
	case store.AgentMeta:
		return path.Join(agents, "agent-"+src.Stream+".meta.json")
	case store.Journal:
		return path.Join(dir, "subagents", "workflows", src.Batch, "journal.jsonl")
	case store.Manifest:
		return path.Join(dir, "workflows", src.Batch+".json")
	case store.Script:
		return path.Join(dir, "workflows", "scripts", label+"-"+src.Batch+".js")
	}
	if src.Stream == store.Main {
		return dir + ".jsonl"
	}
	return path.Join(agents, "agent-"+src.Stream+".jsonl")
}

// WorkingDir is a working directory whose project directory is the one given.
func WorkingDir(project string) string {
	return "/" + strings.ReplaceAll(strings.TrimLeft(project, "-"), "-", "/")
}

// Noise is a file that the runtime keeps beside its sessions, which is no part of one.
type Noise struct{ Rel, Text string }

// NoiseBeside are the files that a build plants beside a session, so that a reader shows that it passes over them.
func NoiseBeside(project, session string) []Noise {
	at := func(parts ...string) string { return path.Join(append([]string{project}, parts...)...) }
	return []Noise{
		{at("memory", "MEMORY.md"), "# Memory\n"},
		{at("notes.jsonl"), "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"no session\"}}\n"},
		{at("sessions-index.json"), "{\"version\":1,\"entries\":[]}\n"},
		{at(session + ".jsonl.bak"), "{\"type\":\"ai-title\",\"aiTitle\":\"an older copy\"}\n"},
		{at(session, "tool-results", "1.txt"), "a result too long for the transcript\n"},
		{at(session, "subagents", "agent-not an id.jsonl"), "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"no child\"}}\n"},
	}
}
