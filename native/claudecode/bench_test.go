package claudecode

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"asz/native/store"
)

const session = "0b5c1f6e-4a57-4a39-9e6e-1f2d3c4b5a69"

// typical is a mix of what long sessions hold: prompts, thoughts, calls, and results of 2 to 50 KB that are there twice, as
// text and structured.
func typical() (lines [][]byte) {
	add := func(i int, typ string, fields map[string]any) {
		all := map[string]any{
			"uuid": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "parentUuid": fmt.Sprintf("00000000-0000-4000-8000-%012d", i-1),
			"sessionId": session, "timestamp": "2026-01-02T03:04:05.678Z", "type": typ, "isSidechain": false,
			"cwd": "/home/someone/work/project", "version": "2.1.156", "gitBranch": "main", "userType": "external",
		}
		for k, v := range fields {
			all[k] = v
		}
		line, err := json.Marshal(all)
		if err != nil {
			panic(err)
		}
		lines = append(lines, line)
	}
	message := func(blocks ...any) map[string]any {
		return map[string]any{"message": map[string]any{
			"id": "msg_01ABCDEFGHJKLMNPQRSTUVWX", "role": "assistant", "model": "a-model", "content": blocks, "stop_reason": "tool_use",
			"usage": map[string]any{"input_tokens": 2, "output_tokens": 312, "cache_read_input_tokens": 90210, "cache_creation_input_tokens": 1033},
		}}
	}
	for i := 0; len(lines) < 600; i++ {
		n := len(lines) + 1
		tool := fmt.Sprintf("toolu_01ABCDEFGHJKLMNP%04d", i)
		add(n, "assistant", message(map[string]any{"type": "thinking", "thinking": "", "signature": strings.Repeat("Eq9a", 120)}))
		add(n+1, "assistant", message(map[string]any{"type": "text", "text": strings.Repeat("The build is green again. ", 8)}))
		add(n+2, "assistant", message(map[string]any{
			"type": "tool_use", "id": tool, "name": "Bash", "input": map[string]any{"command": "make test", "description": "Run the tests"},
		}))
		text := strings.Repeat("ok  \tproject/package\t0.018s\n\tif err != nil { return \"x\" }\n", 40+i*37%900)
		if i%5 == 0 {
			text = strings.ReplaceAll(text, "return", "zurück →")
		}
		fields := map[string]any{
			"promptId": "one-cycle", "toolUseResult": map[string]any{"stdout": text, "stderr": "", "interrupted": false},
			"message": map[string]any{"role": "user", "content": []any{map[string]any{
				"type": "tool_result", "tool_use_id": tool, "content": text, "is_error": false,
			}}},
		}
		add(n+3, "user", fields)
		add(n+4, "system", map[string]any{"subtype": "turn_duration", "durationMs": 1200})
	}
	return lines
}

func mainSource() store.Source {
	return store.Source{Session: session, Kind: store.Transcript, Stream: store.Main, Path: "/root/p/" + session + ".jsonl", Rel: "p/" + session + ".jsonl"}
}

func size(lines [][]byte) (n int64) {
	for _, line := range lines {
		n += int64(len(line)) + 1
	}
	return n
}

func BenchmarkRead(b *testing.B) {
	lines := typical()
	b.SetBytes(size(lines))
	b.ReportAllocs()
	r := NewReader(mainSource(), false)
	var rec store.Record
	for b.Loop() {
		for _, line := range lines {
			r.Read(line, &rec)
		}
	}
}

func TestReadAllocatesNothing(t *testing.T) {
	lines := typical()
	r := NewReader(mainSource(), false)
	var rec store.Record
	read := func() {
		for _, line := range lines {
			r.Read(line, &rec)
		}
	}
	read()
	if n := testing.AllocsPerRun(5, read); n != 0 {
		t.Errorf("%v allocations in %d records, want none", n, len(lines))
	}
}
