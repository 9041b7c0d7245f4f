package claudecode

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"asz/native/store"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 123_456_789, time.UTC)

// TestWrittenLines reads each type of line back: its roles come through, and it is compact JSON on one line.
func TestWrittenLines(t *testing.T) {
	usage := &store.Usage{In: 1, Out: 2, CacheRead: 3, CacheWrite: 4}
	yes := true
	main := Stream{Session: "s", Dir: "/w"}
	common := func(from store.From, parts ...store.Part) store.Record {
		return store.Record{ID: "i", Parent: "p", Time: "2026-01-01T12:00:00.123Z", From: from, Parts: parts}
	}
	text := func(s string) store.Part {
		return store.Part{K: store.PartText, State: store.Available, Bytes: int64(len(s)), Text: store.Raw(appendString(nil, s))}
	}
	for name, c := range map[string]struct {
		line Line
		want store.Record
		edit func(*store.Record)
	}{
		"input": {Line{Type: LineInput, Run: "r", Text: "a"}, common(store.FromExternal, text("a")), func(r *store.Record) {
			r.Run, r.Trigger, r.Flags = "r", store.TriggerExternal, store.ExternalInput
		}},
		"notification": {Line{Type: LineNotification, Run: "r", Text: "<task-id>a0123456789abcdef</task-id><tool-use-id>t</tool-use-id>"},
			common(store.FromExternal, text("<task-id>a0123456789abcdef</task-id><tool-use-id>t</tool-use-id>")), func(r *store.Record) {
				r.Run, r.Trigger, r.Tool, r.Child = "r", store.TriggerNotification, "t", "a0123456789abcdef"
			}},
		"summary": {Line{Type: LineSummary, Run: "r", Text: "a"}, common(store.FromExternal, text("a")), func(r *store.Record) {
			r.Run, r.Flags = "r", store.ResetSummary
		}},
		"inject": {Line{Type: LineInject, Name: "x", Text: "a"}, common(store.FromRuntime, text("a")), func(r *store.Record) { r.Flags = store.Injected }},
		"queued": {Line{Type: LineQueued, Name: "prompt", Text: "a"}, common(store.FromRuntime, store.Part{
			K: store.PartData, State: store.Available, Bytes: 87, Data: `{"type":"queued_command","prompt":[{"type":"text","text":"a"}],"commandMode":"prompt"}`,
		}), func(r *store.Record) { r.Flags = store.ExternalInput; r.Parts[0].Bytes = int64(len(r.Parts[0].Data)) }},
		"queued notification": {Line{Type: LineQueued, Name: "task-notification", Text: "a"}, common(store.FromRuntime, store.Part{
			K: store.PartData, State: store.Available, Data: `{"type":"queued_command","prompt":[{"type":"text","text":"a"}],"commandMode":"task-notification"}`,
		}), func(r *store.Record) { r.Flags = store.Injected; r.Parts[0].Bytes = int64(len(r.Parts[0].Data)) }},
		"text": {Line{Type: LineText, Call: "c", Usage: usage, Text: "a"}, common(store.FromAgent, text("a")), func(r *store.Record) { r.Call, r.Usage = "c", usage }},
		"last text": {Line{Type: LineText, Call: "c", Usage: usage, Text: "a", Stop: "end_turn"}, common(store.FromAgent, text("a")), func(r *store.Record) {
			r.Call, r.Usage, r.Flags = "c", usage, store.Finished
		}},
		"use": {Line{Type: LineUse, Call: "c", Tool: "t", Name: "N", Input: []byte("{ \"a\": \"x  y\",\n \"b\": [1, 2] }"), Stop: "tool_use"}, common(store.FromAgent, store.Part{
			K: store.PartCall, State: store.Available, Bytes: 24, ID: "t", Name: "N", Data: `{"a":"x  y","b":[1,2]}`,
		}), func(r *store.Record) {
			r.Call, r.Flags = "c", store.Finished
			r.Parts[0].Bytes = int64(len(r.Parts[0].Data))
		}},
		"synthetic": {Line{Type: LineSynthetic, Call: "c", Text: "a"}, common(store.FromAgent, text("a")), func(r *store.Record) { r.Call, r.Flags = "c", store.Synthetic }},
		"result": {Line{Type: LineResult, Run: "r", Tool: "t", Text: "a"}, common(store.FromExternal, store.Part{
			K: store.PartResult, State: store.Available, Bytes: 1, Of: "t", Text: `"a"`, Data: `{"stdout":"a","stderr":"","interrupted":false}`,
		}), func(r *store.Record) { r.Run = "r" }},
		"failed bare result": {Line{Type: LineResult, Run: "r", Tool: "t", Text: "a", Failed: true, Bare: true}, common(store.FromExternal, store.Part{
			K: store.PartResult, State: store.Available, Bytes: 1, Of: "t", Text: `"a"`, Failed: &yes,
		}), func(r *store.Record) {
			r.Run, r.Dropped = "r", []store.Dropped{{What: "structured result", Bytes: 3, Why: "it repeats the text of the result"}}
		}},
		"launch": {Line{Type: LineResult, Run: "r", Tool: "t", Text: "launched", Status: "async_launched", Child: "a0123456789abcdef"}, common(store.FromExternal, store.Part{
			K: store.PartResult, State: store.Available, Bytes: 8, Of: "t", Text: `"launched"`, Data: `{"status":"async_launched","agentId":"a0123456789abcdef"}`,
		}), func(r *store.Record) { r.Run, r.Child, r.Flags = "r", "a0123456789abcdef", store.LaunchAck }},
		"fork": {Line{Type: LineResult, Tool: "t", Text: "forked", Status: "forked", Child: "a0123456789abcdef"}, common(store.FromExternal, store.Part{
			K: store.PartResult, State: store.Available, Bytes: 6, Of: "t", Text: `"forked"`, Data: `{"status":"forked","agentId":"a0123456789abcdef"}`,
		}), func(r *store.Record) { r.Child = "a0123456789abcdef" }},
		"batch": {Line{Type: LineResult, Tool: "t", Text: "launched", Status: "async_launched", Batch: "wf_x"}, common(store.FromExternal, store.Part{
			K: store.PartResult, State: store.Available, Bytes: 8, Of: "t", Text: `"launched"`, Data: `{"status":"async_launched","runId":"wf_x"}`,
		}), func(r *store.Record) { r.Batch, r.Flags = "wf_x", store.LaunchAck }},
	} {
		t.Run(name, func(t *testing.T) {
			c.line.ID, c.line.Parent, c.line.Time = "i", "p", noon
			line := main.Append(nil, &c.line)
			if !json.Valid(line) || strings.Contains(string(line), "\n") {
				t.Fatalf("the line is\n%s", line)
			}
			var got store.Record
			NewReader(store.Source{Session: "s", Kind: store.Transcript, Stream: store.Main}, false).Read(line, &got)
			got.SHA, got.Bytes = "", 0
			c.edit(&c.want)
			if len(got.Dropped) == 0 {
				got.Dropped = nil
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("the line\n%s\nis read as\n%+v\nand not\n%+v", line, got, c.want)
			}
		})
	}
}

func TestWrittenShapes(t *testing.T) {
	for name, c := range map[string]struct {
		stream Stream
		line   Line
		want   string
	}{
		"title": {Stream{Session: "s"}, Line{Type: LineTitle, Text: "a"}, `{"type":"ai-title","aiTitle":"a","sessionId":"s"}`},
		"prompt of a child": {Stream{Session: "s", Agent: "x", Dir: "/w"}, Line{Type: LinePrompt, ID: "i", Run: "r", Text: "a", Time: noon},
			`{"parentUuid":null,"isSidechain":true,"promptId":"r","agentId":"x","type":"user","message":{"role":"user","content":"a"},"uuid":"i","timestamp":"2026-01-01T12:00:00.123Z","cwd":"/w","sessionId":"s","version":"2.1.114"}`},
		"thinking": {Stream{Session: "s"}, Line{Type: LineThinking, ID: "i", Call: "c", Time: noon},
			`{"parentUuid":null,"isSidechain":false,"type":"assistant","message":{"id":"c","type":"message","role":"assistant","model":"scenario","content":[{"type":"thinking","thinking":"","signature":"sig"}],"stop_reason":null},"uuid":"i","timestamp":"2026-01-01T12:00:00.123Z","cwd":"","sessionId":"s","version":"2.1.114"}`},
		"boundary": {Stream{Session: "s"}, Line{Type: LineBoundary, ID: "i", Parent: "p", Previous: "q", Time: noon},
			`{"parentUuid":null,"logicalParentUuid":"q","isSidechain":false,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preservedMessages":{"allUuids":["q"]}},"uuid":"i","timestamp":"2026-01-01T12:00:00.123Z","cwd":"","sessionId":"s","version":"2.1.114"}`},
		"boundary of nothing": {Stream{Session: "s"}, Line{Type: LineBoundary, ID: "i", Time: noon},
			`{"parentUuid":null,"isSidechain":false,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto"},"uuid":"i","timestamp":"2026-01-01T12:00:00.123Z","cwd":"","sessionId":"s","version":"2.1.114"}`},
		"system": {Stream{Session: "s"}, Line{Type: LineSystem, ID: "i", Name: "n", Fields: []byte(`{ "a": {"uuid": 1}, "cwd": "x  y", "parentUuid": "z" }`), Time: noon},
			`{"isSidechain":false,"type":"system","subtype":"n","uuid":"i","timestamp":"2026-01-01T12:00:00.123Z","sessionId":"s","version":"2.1.114","a":{"uuid":1},"cwd":"x  y","parentUuid":"z"}`},
		"system without fields": {Stream{Session: "s"}, Line{Type: LineSystem, ID: "i", Name: "n", Fields: []byte(`{}`), Time: noon},
			`{"parentUuid":null,"isSidechain":false,"type":"system","subtype":"n","uuid":"i","timestamp":"2026-01-01T12:00:00.123Z","cwd":"","sessionId":"s","version":"2.1.114"}`},
		"sidecar":  {Stream{}, Line{Type: LineSidecar, Name: "n", Text: "a"}, `{"agentType":"n","description":"a"}`},
		"started":  {Stream{}, Line{Type: LineStarted, Child: "x"}, `{"type":"started","agentId":"x"}`},
		"returned": {Stream{}, Line{Type: LineReturned, Child: "x", Text: ""}, `{"type":"result","agentId":"x","result":""}`},
		"manifest": {Stream{}, Line{Type: LineManifest, Batch: "wf_x", Name: "n"}, `{"runId":"wf_x","workflowName":"n","status":"completed"}`},
		"strings": {Stream{Session: "s"}, Line{Type: LineTitle, Text: "<a> & \u2028\u2029 \" \\ \n\r\t\x00\x1f\x7f é \xff日"},
			"{\"type\":\"ai-title\",\"aiTitle\":\"<a> & \u2028\u2029 \\\" \\\\ \\n\\r\\t\\u0000\\u001f\x7f é \uFFFD日\",\"sessionId\":\"s\"}"},
	} {
		if got := string(c.stream.Append(nil, &c.line)); got != c.want {
			t.Errorf("%s is\n%s\nand not\n%s", name, got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	at := func(kind store.Kind, stream, run, batch, label string) string {
		return Place("-p", store.Source{Session: "S", Kind: kind, Stream: stream, Batch: run}, batch, label)
	}
	for got, want := range map[string]string{
		at(store.Transcript, store.Main, "", "", ""):    "-p/S.jsonl",
		at(store.Transcript, "a1", "", "", ""):          "-p/S/subagents/agent-a1.jsonl",
		at(store.AgentMeta, "a1", "", "", ""):           "-p/S/subagents/agent-a1.meta.json",
		at(store.Transcript, "a1", "", "wf_x", ""):      "-p/S/subagents/workflows/wf_x/agent-a1.jsonl",
		at(store.Journal, "", "wf_x", "", ""):           "-p/S/subagents/workflows/wf_x/journal.jsonl",
		at(store.Manifest, "", "wf_x", "", ""):          "-p/S/workflows/wf_x.json",
		at(store.Script, "", "wf_x", "", "the-program"): "-p/S/workflows/scripts/the-program-wf_x.js",
		WorkingDir("-Users-a-b"):                        "/Users/a/b",
	} {
		if got != want {
			t.Errorf("%s is not %s", got, want)
		}
	}
}

// TestHistory: the same seed gives the same bytes, another one others, and every line is what it should be.
func TestHistory(t *testing.T) {
	t.Parallel()
	write := func(h History) (map[string]string, Written) {
		t.Helper()
		dir, files := t.TempDir(), map[string]string{}
		w, err := h.Write(store.Disk(), dir)
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				data, err := os.ReadFile(name)
				files[strings.TrimPrefix(name, dir)] = string(data)
				return err
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files, w
	}
	h := History{Seed: 7, Sessions: 30, Bytes: 3 << 20}
	one, w := write(h)
	two, _ := write(h)
	if !reflect.DeepEqual(one, two) {
		t.Error("two histories of one seed differ")
	}
	h.Seed++
	if other, _ := write(h); reflect.DeepEqual(one, other) {
		t.Error("two seeds give one history")
	}
	var bytes int64
	lines, sessions := 0, 0
	for name, text := range one {
		bytes += int64(len(text))
		lines += strings.Count(text, "\n")
		if strings.Count(name, "/") == 2 {
			sessions++
		}
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%s holds %q", name, line)
			}
		}
	}
	if want := (Written{len(one), lines, bytes}); w != want || sessions != 30 {
		t.Errorf("%+v is written and not %+v, %d sessions", w, want, sessions)
	}
	if w.Bytes < h.Bytes || w.Bytes > h.Bytes*3/2 {
		t.Errorf("%d bytes are written for %d", w.Bytes, h.Bytes)
	}
}

func BenchmarkWriteLines(b *testing.B) {
	l := Line{Type: LineResult, ID: "i", Parent: "p", Run: "r", Tool: "t", Text: strings.Repeat("some output\n", 400), Time: noon}
	s := Stream{Session: "s", Dir: "/w"}
	var dst []byte
	for b.Loop() {
		dst = s.Append(dst[:0], &l)
	}
	b.SetBytes(int64(len(dst)))
}
