package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"asz/native/store"
)

// show is a record in one line, without what every line has (ord, off, sha and bytes).
func show(rec *store.Record) string {
	var out []string
	add := func(name, value string) {
		if value != "" {
			out = append(out, name+"="+value)
		}
	}
	add("id", rec.ID)
	add("parent", rec.Parent)
	add("call", rec.Call)
	add("run", rec.Run)
	add("continues", rec.Continues)
	add("tool", rec.Tool)
	add("child", rec.Child)
	add("batch", rec.Batch)
	add("started_by", rec.StartedBy)
	add("label", rec.Label)
	add("from", string(rec.From))
	add("time", rec.Time)
	add("trigger", string(rec.Trigger))
	names := []string{
		"external_input", "injected", "finished", "synthetic", "reset_summary", "launch_ack", "child_result", "context_reset", "error",
		"turn_duration", "command", "notice", "sidechain",
	}
	var flags []string
	for i, name := range names {
		if rec.Flags>>i&1 == 1 {
			flags = append(flags, name)
		}
	}
	add("flags", strings.Join(flags, ","))
	if rec.Usage != nil {
		add("usage", fmt.Sprint(*rec.Usage))
	}
	for _, p := range rec.Parts {
		part := fmt.Sprintf("%s %s %d", p.K, p.State, p.Bytes)
		for _, f := range []struct{ name, value string }{
			{"id", p.ID}, {"name", p.Name}, {"of", p.Of}, {"media", p.MediaType}, {"text", string(p.Text)}, {"data", string(p.Data)}, {"source", p.Source},
		} {
			if f.value != "" {
				part += " " + f.name + "=" + f.value
			}
		}
		if p.Failed != nil {
			part += fmt.Sprintf(" failed=%t", *p.Failed)
		}
		out = append(out, "| "+part)
	}
	for _, d := range rec.Dropped {
		out = append(out, fmt.Sprintf("| dropped %s %d: %s", d.What, d.Bytes, d.Why))
	}
	return strings.Join(out, " ")
}

type row struct {
	name, line, want string
	odd              string // of the Reader, joined by "; "
}

func oddities(odd []store.Odd) string {
	var out []string
	for _, o := range odd {
		out = append(out, fmt.Sprintf("%s %d", o.What, o.Count))
	}
	return strings.Join(out, "; ")
}

func check(t *testing.T, src store.Source, resumed bool, rows []row) {
	t.Helper()
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			r := NewReader(src, resumed)
			rec := store.Record{Ord: 7, Off: 70}
			if src.Kind.Snapshot() {
				r.ReadWhole([]byte(c.line), &rec)
			} else {
				r.Read([]byte(c.line), &rec)
			}
			if got := show(&rec); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
			}
			if got := oddities(r.Odd()); got != c.odd {
				t.Errorf("%s\n got odd %s\nwant odd %s", c.line, got, c.odd)
			}
			if rec.Ord != 7 || rec.Off != 70 || rec.Bytes != int64(len(c.line)) {
				t.Errorf("ord %d, off %d, bytes %d", rec.Ord, rec.Off, rec.Bytes)
			}
		})
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	const signed = " | dropped reasoning signature 3: it is of use to the provider only"
	check(t, mainSource(), false, []row{
		{name: "prompt", line: `{"uuid":"u2","parentUuid":"u1","promptId":"c1","requestId":"q","timestamp":"2026-01-02T03:04:05.678Z","type":"user","origin":{"kind":"human"},"message":{"role":"user","content":"run \"it\"\n"}}`,
			want: `id=u2 parent=u1 run=c1 from=external time=2026-01-02T03:04:05.678Z trigger=external flags=external_input | text available 9 text="run \"it\"\n"`},
		{name: "first record has no parent", line: `{"type":"user","uuid":"u","parentUuid":null,"promptId":"c","origin":{"kind":"human"},"message":{"content":"a"}}`,
			want: `id=u run=c from=external trigger=external flags=external_input | text available 1 text="a"`},
		{name: "human, but meta", line: `{"type":"user","uuid":"u","isMeta":true,"origin":{"kind":"human"},"message":{"content":"a"}}`,
			want: `id=u from=external trigger=external flags=injected | text available 1 text="a"`},
		{name: "meta", line: `{"type":"user","uuid":"u","isMeta":true,"message":{"content":[{"type":"text","text":"a"}]}}`,
			want: `id=u from=external flags=injected | text available 1 text="a"`},
		{name: "another origin", line: `{"type":"user","uuid":"u","promptId":"c","origin":{"kind":"hook"},"message":{"content":"a"}}`,
			want: `id=u run=c from=external trigger=unknown flags=injected | text available 1 text="a"`},
		{name: "a call's text", line: `{"type":"assistant","uuid":"u","requestId":"no","message":{"id":"m1","model":"big","stop_reason":null,"content":[{"type":"text","text":"Wörld"}],"usage":{"input_tokens":2,"output_tokens":50,"cache_read_input_tokens":900,"cache_creation_input_tokens":100,"service_tier":"x"}}}`,
			want: `id=u call=m1 from=agent usage={2 50 900 100} | text available 6 text="Wörld"`},
		{name: "a finished call", line: `{"type":"assistant","uuid":"u","message":{"id":"m1","stop_reason":"end_turn","content":[]}}`,
			want: `id=u call=m1 from=agent flags=finished`},
		{name: "reasoning", line: `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm","signature":"sig"}]}}`,
			want: `from=agent | reasoning available 2 text="hm"` + signed},
		{name: "reasoning without text", line: `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"","signature":"sig"}]}}`,
			want: `from=agent | reasoning unavailable 0` + signed},
		{name: "reasoning without signature", line: `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"}]}}`,
			want: `from=agent | reasoning available 2 text="hm"`},
		{name: "redacted reasoning", line: `{"type":"assistant","message":{"content":[{"type":"redacted_thinking","data":"abcd"}]}}`,
			want: `from=agent | reasoning redacted 4`},
		{name: "tool call", line: `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"a  b", "n": [1 , 2.0]}},{"type":"server_tool_use","id":"t2","name":"web_search","input":{}}]}}`,
			want: `from=agent | call available 30 id=t1 name=Bash data={"command":"a  b","n":[1,2.0]} | call available 2 id=t2 name=web_search data={}`},
		{name: "an error the client made", line: `{"type":"assistant","uuid":"u","message":{"id":"m","model":"<synthetic>","stop_reason":"stop_sequence","content":[{"type":"text","text":"API Error"}]}}`,
			want: `id=u call=m from=agent flags=finished,synthetic | text available 9 text="API Error"`},
		{name: "result", line: `{"type":"user","uuid":"u","promptId":"c","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"a\u00e9\n"}]},"toolUseResult":{"stdout":"a", "interrupted":false}}`,
			want: `id=u run=c from=external | result available 4 of=t1 text="a\u00e9\n" data={"stdout":"a","interrupted":false}`},
		{name: "failed result", line: `{"type":"user","message":{"content":[{"tool_use_id":"t1","type":"tool_result","content":"no","is_error":true}]},"toolUseResult":"Error: no"}`,
			want: `from=external | result available 2 of=t1 text="no" failed=true | dropped structured result 11: it repeats the text of the result`,
			odd:  `toolUseResult is a text 1`},
		{name: "result that did not fail", line: `{"type":"user","message":{"content":[{"tool_use_id":"t1","type":"tool_result","content":"ok","is_error":false}]},"toolUseResult":null}`,
			want: `from=external | result available 2 of=t1 text="ok" failed=false`},
		{name: "joined result", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a\""},{"type":"text","cache":{"a":[]},"text":""},{"text":"b","type":"text"}]}]},"toolUseResult":[{"type":"text"}]}`,
			want: `from=external | result available 5 of=t text="a\"\n\nb" | dropped structured result 17: it repeats the content of the result`,
			odd:  `toolUseResult is a list 1`},
		{name: "one block", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"}]}]},"toolUseResult":{"x":1}}`,
			want: `from=external | result available 1 of=t text="a" data={"x":1}`},
		{name: "result with a picture", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}, {"type":"image"}]}]},"toolUseResult":{"x":1}}`,
			want: `from=external | result available 72 of=t data=[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"image"}] | dropped structured result 7: the content of the result stands in its place`},
		{name: "two values with whitespace", line: `{"type":"user","message":{"content":[{"type":"tool_use","input":{"a": 1}},{"type":"tool_result","content":[{"type":"text","text":"a"}, {"type":"image"}]}]}}`,
			want: `from=external | call available 7 data={"a":1} | result available 45 data=[{"type":"text","text":"a"},{"type":"image"}]`},
		{name: "empty result", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t"}]},"toolUseResult":{"x":1}}`,
			want: `from=external | result available 7 of=t data={"x":1}`},
		{name: "list without blocks", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[]}]}}`,
			want: `from=external | result available 0 of=t text=""`},
		{name: "several results", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"a"},{"type":"tool_result","tool_use_id":"u","content":"b"}]},"toolUseResult":{"x":1}}`,
			want: `from=external | result available 1 of=t text="a" data={"x":1} | result available 1 of=u text="b"`},
		{name: "launch", line: `{"type":"user","promptId":"c","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"launched"}]},"toolUseResult":{"status":"async_launched","agentId":"a0a10ef0666c4dc7e"}}`,
			want: `run=c child=a0a10ef0666c4dc7e from=external flags=launch_ack | result available 8 of=t text="launched" data={"status":"async_launched","agentId":"a0a10ef0666c4dc7e"}`},
		{name: "workflow", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"launched"}]},"toolUseResult":{"status":"async_launched","runId":"wf_1","toolUseId":"t"}}`,
			want: `tool=t batch=wf_1 from=external flags=launch_ack | result available 8 of=t text="launched" data={"status":"async_launched","runId":"wf_1","toolUseId":"t"}`},
		{name: "child's result", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"toolUseResult":{"status":"completed","agentId":"a0a10ef0666c4dc7e"}}`,
			want: `child=a0a10ef0666c4dc7e from=external flags=child_result | result available 1 of=t text="x" data={"status":"completed","agentId":"a0a10ef0666c4dc7e"}`},
		{name: "completed without a child", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"toolUseResult":{"status":"completed"}}`,
			want: `from=external | result available 1 of=t text="x" data={"status":"completed"}`},
		{name: "forked", line: `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"toolUseResult":{"status":"forked","agentId":"a0a10ef0666c4dc7e"}}`,
			want: `child=a0a10ef0666c4dc7e from=external | result available 1 of=t text="x" data={"status":"forked","agentId":"a0a10ef0666c4dc7e"}`},
		{name: "notification", line: `{"type":"user","uuid":"u","promptId":"c","origin":{"kind":"task-notification"},"message":{"content":"<task-notification>\n<task-id>w8mi5</task-id>\n<task-id>a0a10ef0666c4dc7e</task-id>\n<tool-use-id>t1</tool-use-id>\n</task-notification>"}}`,
			want: `id=u run=c tool=t1 child=a0a10ef0666c4dc7e from=external trigger=notification | text available 132 text="<task-notification>\n<task-id>w8mi5</task-id>\n<task-id>a0a10ef0666c4dc7e</task-id>\n<tool-use-id>t1</tool-use-id>\n</task-notification>"`},
		{name: "notification in blocks names nothing", line: `{"type":"user","origin":{"kind":"task-notification"},"message":{"content":[{"type":"text","text":"<task-id>a0a10ef0666c4dc7e</task-id>"}]}}`,
			want: `from=external trigger=notification | text available 36 text="<task-id>a0a10ef0666c4dc7e</task-id>"`},
		{name: "picture", line: `{"type":"user","isMeta":true,"message":{"content":[{"type":"image","source":{"type":"base64","size":{"w":1},"media_type":"image/png","data":"aGk="}},{"type":"image","source":{"type":"url","url":"http://x/y"}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"h\n"}}]}}`,
			want: `from=external flags=injected | media available 2 media=image/png data="aGk=" | media unavailable 0 data={"type":"url","url":"http://x/y"} | media available 2 media=text/plain data="h\n"`},
		{name: "queued prompt", line: `{"type":"attachment","uuid":"u","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"more"}],"commandMode":"prompt"}}`,
			want: `id=u from=runtime flags=external_input | data available 89 data={"type":"queued_command","prompt":[{"type":"text","text":"more"}],"commandMode":"prompt"}`},
		{name: "queued notification", line: `{"type":"attachment","attachment":{"type":"queued_command","commandMode":"task-notification"}}`,
			want: `from=runtime flags=injected | data available 59 data={"type":"queued_command","commandMode":"task-notification"}`},
		{name: "queued notification with origin", line: `{"type":"attachment","attachment":{"type":"queued_command","commandMode":"task-notification","origin":{"kind":"task-notification"}}}`,
			want: `from=runtime trigger=notification | data available 97 data={"type":"queued_command","commandMode":"task-notification","origin":{"kind":"task-notification"}}`},
		{name: "injection with a text", line: `{"type":"attachment","attachment":{"type":"skill_listing","text":"skills: 1","content":"no"}}`,
			want: `from=runtime flags=injected | text available 9 text="skills: 1"`},
		{name: "injection with a content", line: `{"type":"attachment","attachment":{"type":"skill_listing","content":"skills"}}`,
			want: `from=runtime flags=injected | text available 6 text="skills"`},
		{name: "boundary", line: `{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"u9"}`,
			want: `id=b continues=u9 from=runtime flags=context_reset | data available 100 data={"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"u9"}`},
		{name: "only a boundary continues", line: `{"type":"system","subtype":"other","logicalParentUuid":"u9"}`,
			want: `from=runtime flags=notice | data available 60 data={"type":"system","subtype":"other","logicalParentUuid":"u9"}`},
		{name: "summary", line: `{"type":"user","uuid":"u","parentUuid":"b","promptId":"c","isCompactSummary":true,"message":{"content":"S"}}`,
			want: `id=u parent=b run=c from=external flags=reset_summary | text available 1 text="S"`},
		{name: "api error", line: `{"type":"system","subtype":"api_error"}`, want: `from=runtime flags=error | data available 39 data={"type":"system","subtype":"api_error"}`},
		{name: "duration", line: `{"type":"system","subtype":"turn_duration"}`, want: `from=runtime flags=turn_duration | data available 43 data={"type":"system","subtype":"turn_duration"}`},
		{name: "command", line: `{"type":"system","subtype":"local_command"}`, want: `from=runtime flags=command | data available 43 data={"type":"system","subtype":"local_command"}`},
		{name: "system without subtype", line: "\t{ \"type\" : \"system\" }\r", want: `from=runtime flags=notice | data available 17 data={"type":"system"}`},
		{name: "title", line: `{"type":"ai-title","aiTitle":"build \u0026 check"}`, want: `label=build & check from=runtime | data available 50 data={"type":"ai-title","aiTitle":"build \u0026 check"}`},
		{name: "unknown record", line: `{"type":"brand-new","uuid":"u","sessionKind":[1]}`,
			want: `id=u from=runtime | data available 49 data={"type":"brand-new","uuid":"u","sessionKind":[1]}`, odd: `the record type "brand-new" is not known 1`},
		{name: "no type", line: `{}`, want: `from=runtime | data available 2 data={}`, odd: `a record type is missing 1`},
		{name: "unknown block", line: `{"type":"assistant","message":{"content":[{"type":"text","text":"a"},{"type":"hologram", "x":1},7]}}`,
			want: `from=agent | text available 1 text="a" | unknown available 26 text="a content block of a type that is not known" source={"type":"hologram", "x":1} | unknown available 1 text="a content block that is no object" source=7`,
			odd:  `a content block that is no object 1; the content block type "hologram" is not known 1`},
	})
}

func TestCompanions(t *testing.T) {
	t.Parallel()
	const child = "a0a10ef0666c4dc7e"
	check(t, store.Source{Session: session, Kind: store.AgentMeta, Stream: child}, false, []row{
		{name: "sidecar", line: "{\n  \"agentType\": \"x\",\n  \"description\": \"checker\",\n  \"parentAgentId\": \"a1\"\n}",
			want: `child=a0a10ef0666c4dc7e started_by=a1 label=checker from=runtime | data available 62 data={"agentType":"x","description":"checker","parentAgentId":"a1"}`},
		{name: "torn sidecar", line: `{"description":"che`,
			want: `child=a0a10ef0666c4dc7e from=runtime | unknown available 19 text="the JSON breaks off at the end of the line" source={"description":"che`,
			odd:  `the JSON breaks off at the end of the line 1`},
	})
	check(t, store.Source{Session: session, Kind: store.Journal, Batch: "wf_1"}, false, []row{
		{name: "started", line: `{"type":"started","agentId":"a1"}`, want: `child=a1 batch=wf_1 from=runtime | data available 33 data={"type":"started","agentId":"a1"}`},
		{name: "result", line: `{"type":"result","agentId":"a1","result":"ok","message":{"content":"x"}}`,
			want: `child=a1 batch=wf_1 from=runtime flags=child_result | data available 72 data={"type":"result","agentId":"a1","result":"ok","message":{"content":"x"}}`},
		{name: "empty", line: ``, want: `batch=wf_1 from=runtime | unknown available 0 text="the line is empty" data=""`, odd: `the line is empty 1`},
	})
	check(t, store.Source{Session: session, Kind: store.Manifest, Batch: "wf_1"}, false, []row{
		{name: "manifest", line: `{"runId":"wf_1","workflowName":"all","status":"completed"}`,
			want: `batch=wf_1 label=all from=runtime | data available 58 data={"runId":"wf_1","workflowName":"all","status":"completed"}`},
	})
	check(t, store.Source{Session: session, Kind: store.Script, Batch: "wf_1"}, false, []row{
		{name: "script", line: "run(1)\n{\"a\":1}", want: "batch=wf_1 from=runtime | unknown available 14 text=\"the program of a workflow\" source=run(1)\n{\"a\":1}"},
	})
}

func TestOlderVersions(t *testing.T) {
	t.Parallel()
	user := func(content string) string { return `{"type":"user","uuid":"u","message":{"content":` + content + `}}` }
	rows := []row{
		{name: "prompt", line: user(`"do it"`), want: `id=u run=u from=external trigger=external flags=external_input | text available 5 text="do it"`},
		{name: "prompt in blocks", line: user(`[{"type":"image","source":{"type":"file","file_id":"f"}},{"type":"text","text":"do it"}]`),
			want: `id=u run=u from=external trigger=external flags=external_input | media unavailable 0 data={"type":"file","file_id":"f"} | text available 5 text="do it"`},
		{name: "its own cycle stays", line: `{"type":"user","uuid":"u","promptId":"c","message":{"content":"do it"}}`,
			want: `id=u run=c from=external trigger=external flags=external_input | text available 5 text="do it"`},
		{name: "notification", line: user(`"<task-notification>\n<task-id>a123456</task-id>\u003ctool-use-id>t</tool-use-id>"`),
			want: `id=u run=u tool=t child=a123456 from=external trigger=notification | text available 74 text="<task-notification>\n<task-id>a123456</task-id>\u003ctool-use-id>t</tool-use-id>"`},
		{name: "escaped beginning", line: user(`" \n\u003ccommand-name>"`),
			want: `id=u run=u from=external trigger=external flags=command | text available 16 text=" \n\u003ccommand-name>"`},
		{name: "an origin of an odd type is none", line: `{"type":"user","uuid":"u","origin":"human","message":{"content":"a"}}`,
			want: `id=u run=u from=external trigger=external flags=external_input | text available 1 text="a"`},
		{name: "meta", line: `{"type":"user","uuid":"u","isMeta":true,"message":{"content":"a"}}`, want: `id=u from=external flags=injected | text available 1 text="a"`},
		{name: "result", line: user(`[{"type":"tool_result","tool_use_id":"t","content":"a"}]`), want: `id=u from=external | result available 1 of=t text="a"`},
		{name: "summary", line: `{"type":"user","uuid":"u","isCompactSummary":true,"message":{"content":"a"}}`,
			want: `id=u run=u from=external flags=reset_summary | text available 1 text="a"`},
		{name: "sidechain", line: `{"type":"user","uuid":"u","isSidechain":true,"message":{"content":"a"}}`,
			want: `id=u from=external flags=sidechain | text available 1 text="a"`},
		{name: "sidechain call", line: `{"type":"assistant","uuid":"u","isSidechain":true,"message":{"content":[{"type":"text","text":"a"}]}}`,
			want: `id=u from=agent flags=sidechain | text available 1 text="a"`},
	}
	for _, begin := range []string{"<command-name>", "<command-message>", "<bash-input>"} {
		rows = append(rows, row{name: begin, line: user(`"` + begin + `"`),
			want: fmt.Sprintf(`id=u run=u from=external trigger=external flags=command | text available %d text="%s"`, len(begin), begin)})
	}
	for _, begin := range []string{"<local-command-stdout>", "<bash-stdout>", "<bash-stderr>", "<system-reminder>", "Caveat:", "[Request interrupted by user]"} {
		rows = append(rows, row{name: begin, line: user(`"` + begin + `"`),
			want: fmt.Sprintf(`id=u from=external | text available %d text="%s"`, len(begin), begin)})
	}
	check(t, mainSource(), false, rows)

	child := store.Source{Session: session, Kind: store.Transcript, Stream: "a123456"}
	first := `{"type":"user","uuid":"u","isSidechain":true,"message":{"content":"a"}}`
	check(t, child, false, []row{{name: "a child's first", line: first, want: `id=u run=u from=external | text available 1 text="a"`}})
	check(t, child, true, []row{{name: "a child's later", line: first, want: `id=u from=external | text available 1 text="a"`}})
	check(t, child, false, []row{{name: "a child's own cycle", line: `{"type":"user","uuid":"u","promptId":"c","message":{"content":"a"}}`,
		want: `id=u run=c from=external | text available 1 text="a"`}})

	r := NewReader(child, false)
	var runs []string
	for _, line := range []string{`{"type":"mode"}`, `not json`, `{"uuid":"u1","type":"user"}`, `{"uuid":"u2","type":"user"}`} {
		var rec store.Record
		r.Read([]byte(line), &rec)
		runs = append(runs, rec.Run)
	}
	if got := strings.Join(runs, ","); got != ",,u1," {
		t.Errorf("only the first record with a uuid opens a child's cycle: %s", got)
	}
}

func TestOddLines(t *testing.T) {
	t.Parallel()
	unknown := func(line, reason string) row {
		return row{name: reason, line: line, odd: reason + " 1",
			want: fmt.Sprintf(`from=runtime | unknown available %d text="%s" source=%s`, len(line), reason, line)}
	}
	check(t, mainSource(), false, []row{
		unknown(`{"type":"user","uuid":"u"}{"type":"user","uuid":"v"}`, "the line holds more than one JSON object"),
		unknown(`{"type":"user","uuid":"u"} x`, "the line goes on after its JSON object"),
		unknown(`{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"thinking","signature":"x"}],"uuid":"u`, "the JSON breaks off at the end of the line"),
		unknown(`[{"type":"user"}]`, "the line is JSON, but no object"),
		unknown(`hello`, "the line is not JSON"),
		unknown("{\"type\":\"a\tb\"}", "the line is not JSON"),
		unknown("  \t", "the line is empty"),
		unknown("\xef\xbb\xbf{}", "the line is not JSON"),
		{name: "not UTF-8", line: "{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":\"\xff\",\"promptId\":\"c\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"\xfe\"}]}}",
			want: "id=u run=c from=external | unknown available 137 text=\"the line is not UTF-8\" source={\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":\"\xff\",\"promptId\":\"c\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"\xfe\"}]}}",
			odd:  "the line is not UTF-8 1"},
		{name: "not UTF-8 and no JSON", line: "\xff", want: "from=runtime | unknown available 1 text=\"the line is not JSON\" source=\xff", odd: "the line is not JSON 1"},
	})
}

func TestOddFields(t *testing.T) {
	t.Parallel()
	check(t, mainSource(), false, []row{
		{name: "numbers for ids", line: `{"uuid":1,"parentUuid":{},"promptId":"c","timestamp":12,"type":"assistant","message":{"id":[],"usage":"much","stop_reason":7,"content":[{"type":"text","text":"a"}]}}`,
			want: `run=c from=agent | text available 1 text="a"`,
			odd:  "usage is no object 1; an id or label is no text 3; a timestamp is no time 1"},
		{name: "message is a text", line: `{"uuid":"u","type":"user","promptId":"c","message":"hi"}`,
			want: `id=u run=c from=external | unknown available 4 text="a message that is no object" source="hi"`, odd: "a message that is no object 1"},
		{name: "message is null", line: `{"uuid":"u","type":"user","message":null}`, want: `id=u from=external | data available 41 data={"uuid":"u","type":"user","message":null}`},
		{name: "content is an object", line: `{"uuid":"u","type":"user","promptId":"c","message":{"content":{"a": null}}}`,
			want: `id=u run=c from=external | unknown available 11 text="a content that is neither text nor a list" source={"a": null}`, odd: "a content that is neither text nor a list 1"},
		{name: "no content", line: `{"uuid":"u","type":"assistant","message":{"id":"m","content":null}}`,
			want: `id=u call=m from=agent | unknown available 25 text="a message without content" source={"id":"m","content":null}`, odd: "a message without content 1"},
		{name: "attachment is a text", line: `{"uuid":"u","type":"attachment","attachment":"x"}`, want: `id=u from=runtime flags=injected | data available 3 data="x"`},
		{name: "the last of two wins", line: `{"uuid":"a","type":"user","uuid":"b","message":{"content":[{"type":"thinking","signature":"s"}]},"message":{"content":"x","content":"do"},"typ\u0065":"assistant"}`,
			want: `id=b from=agent | text available 2 text="do"`},
		{name: "escaped ids", line: `{"uuid":"\u0061\ud83d\ude00\ud800","type":"mode"}`, want: "id=a😀\ufffd from=runtime | data available 49 data={\"uuid\":\"\\u0061\\ud83d\\ude00\\ud800\",\"type\":\"mode\"}"},
		{name: "blocks of odd shape", line: `{"type":"assistant","message":{"content":[{"type":"text","text":5},{"type":"image"},{"type":"tool_use","id":5,"name":null},{"type":"tool_result","content":{"a": 1},"is_error":"yes"},{"type":"thinking"},null]}}`,
			want: `from=agent | unknown available 24 text="a text block without a text" source={"type":"text","text":5} | unknown available 16 text="a media block without a source" source={"type":"image"} | call available 0 | result available 7 data={"a":1} | reasoning unavailable 0 | unknown available 4 text="a content block that is no object" source=null`,
			odd:  "a text block without a text 1; a media block without a source 1; an id or label is no text 1; a content block that is no object 1"},
		{name: "toolUseResult of odd ids", line: `{"type":"user","uuid":"u","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"a"}]},"toolUseResult":{"agentId":"../x","runId":3,"status":{}}}`,
			want: `id=u from=external | result available 1 of=t text="a" data={"agentId":"../x","runId":3,"status":{}}`,
			odd:  "an agent id is not shaped like one 1; an id or label is no text 1"},
		{name: "toolUseResult is a number", line: `{"type":"assistant","message":{"content":[]},"toolUseResult":5}`, want: "from=agent | dropped structured result 1: it stands in no result",
			odd: "toolUseResult is neither object, text nor list 1"},
		{name: "an empty stop reason is none", line: `{"type":"assistant","message":{"stop_reason":"","content":[]}}`, want: "from=agent"},
		{name: "usage of odd numbers", line: `{"type":"assistant","message":{"content":[],"usage":{"input_tokens":"2","output_tokens":1.5,"cache_read_input_tokens":99999999999999999999,"cache_creation_input_tokens":4}}}`,
			want: "from=agent usage={0 0 0 4}"},
	})
}

func TestTaskIDs(t *testing.T) {
	t.Parallel()
	hex := "0123456789abcdef"
	for id, want := range map[string]bool{
		"a" + hex: true, "a" + hex[:6]: true, "a" + hex[:5]: false, "a" + hex + "0": false, "b" + hex: false, "a12345g": false, "a12345F": false, "": false,
	} {
		if taskID(id) != want {
			t.Errorf("%q is a task id: %t", id, !want)
		}
	}
}

func TestLongNames(t *testing.T) {
	t.Parallel()
	r := NewReader(mainSource(), false)
	for size, want := range map[int]string{maxName: strings.Repeat("x", maxName), maxName + 1: ""} {
		var rec store.Record
		r.Read([]byte(`{"type":"mode","uuid":"`+strings.Repeat("x", size)+`"}`), &rec)
		if rec.ID != want {
			t.Errorf("an id of %d bytes: %d are left", size, len(rec.ID))
		}
	}
	if got := oddities(r.Odd()); got != "an id or label is longer than 4096 bytes 1" {
		t.Error(got)
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2026-01-02T03:04:05Z":                  "2026-01-02T03:04:05Z",
		"2026-01-02T03:04:05.120Z":              "2026-01-02T03:04:05.120Z",
		"2026-01-02t03:04:05.1z":                "2026-01-02T03:04:05.1Z",
		"2026-01-01T00:30:00.25+02:00":          "2025-12-31T22:30:00.25Z",
		"2026-12-31T23:30:00-01:45":             "2027-01-01T01:15:00Z",
		"2026-01-02T03:04:05.1234567890123Z":    "2026-01-02T03:04:05.123456789Z",
		"2024-02-29T00:00:00Z":                  "2024-02-29T00:00:00Z",
		"2026-02-29T00:00:00Z":                  "",
		"2026-13-01T00:00:00Z":                  "",
		"2026-01-02T24:00:00Z":                  "",
		"2026-01-02T03:04:60Z":                  "",
		"2026-01-02T03:04:05+0x:00":             "",
		"2026-01-02T03:04:05+01:x0":             "",
		"2026-01-02T03:04:05.1":                 "",
		"2026-01-02T03:04:05.Z":                 "",
		"2026-01-02T03:04:05":                   "",
		"2026-01-02 03:04:05Z":                  "",
		"2026-01-02":                            "",
		"0000-01-01T00:00:00+01:00":             "",
		"9999-12-31T23:59:59-00:01":             "",
		"yesterday, in the middle of the night": "",
		"":                                      "",
	} {
		var rec store.Record
		NewReader(mainSource(), false).Read([]byte(`{"type":"mode","timestamp":"`+in+`"}`), &rec)
		if rec.Time != want {
			t.Errorf("%q: got %q, want %q", in, rec.Time, want)
		}
	}
}
