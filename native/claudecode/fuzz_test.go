package claudecode

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"asz/native/store"
)

// fault is what is wrong with a record that was read from a line, whatever the line says.
func fault(line []byte, rec *store.Record) error {
	sum := sha256.Sum256(line)
	if rec.SHA != hex.EncodeToString(sum[:])[:12] || rec.Bytes != int64(len(line)) {
		return errors.New("sha or bytes")
	}
	for _, s := range []string{rec.ID, rec.Parent, rec.Call, rec.Run, rec.Continues, rec.Tool, rec.Child, rec.Batch, rec.StartedBy, rec.Label, rec.Time, string(rec.From)} {
		if !utf8.ValidString(s) {
			return errors.New("a name is no UTF-8")
		}
	}
	object := json.Valid(line) && strings.HasPrefix(strings.TrimLeft(string(line), " \t\r\n"), "{")
	if !object && (len(rec.Parts) != 1 || rec.Parts[0].K != store.PartUnknown || rec.Parts[0].Source != string(line)) {
		return errors.New("a line that is no object did not land as one unknown part")
	}
	for _, p := range rec.Parts {
		var text string
		if p.Text != "" && (json.Unmarshal([]byte(p.Text), &text) != nil || !utf8.ValidString(string(p.Text))) {
			return errors.New("text is no JSON string: " + string(p.Text))
		}
		if p.Data != "" {
			var b bytes.Buffer
			if json.Compact(&b, []byte(p.Data)) != nil || b.String() != string(p.Data) || !utf8.ValidString(string(p.Data)) {
				return errors.New("data is no JSON, or holds whitespace: " + string(p.Data))
			}
		}
		switch size := p.Bytes; {
		case p.K == store.PartUnknown && size != int64(len(p.Source)),
			p.K != store.PartUnknown && p.Text != "" && size != int64(len(text)),
			p.K != store.PartUnknown && p.K != store.PartMedia && p.Of == "" && p.Text == "" && p.Data != "" && p.K != store.PartResult && size != int64(len(p.Data)),
			size < 0:
			return errors.New("the size of a part")
		}
		if !utf8.ValidString(p.ID + p.Name + p.Of + p.MediaType) {
			return errors.New("a name in a part is no UTF-8")
		}
	}
	return nil
}

func kinds() []store.Source {
	return []store.Source{
		mainSource(),
		{Session: session, Kind: store.Transcript, Stream: "a123456"},
		{Session: session, Kind: store.Journal, Batch: "wf_1"},
		{Session: session, Kind: store.AgentMeta, Stream: "a123456"},
		{Session: session, Kind: store.Manifest, Batch: "wf_1"},
		{Session: session, Kind: store.Script, Batch: "wf_1"},
	}
}

func FuzzRead(f *testing.F) {
	for _, line := range typical()[:5] {
		f.Add(line)
	}
	for _, line := range []string{
		``, `{}`, `{"a":1}{"b":2}`, `[[[[`, `{"a":[{"b":"\ud83d\ude00\ud800\u00"}]}`, "{\"a\":\"\xff\"}", `{"message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"\n"},{"type":"text","text":"b" } ] }]}}`,
		`{"type":"user","message":{"content":"<task-notification><task-id>a123456</task-id>"},"toolUseResult":{ "a" : 1 }}`,
		`{"timestamp":"2026-01-01T00:00:00.5+01:00","attachment":{"content":"x"}}`, `{"n":-0.5e+10,"m":01}`, `{"message":{"content":[{"type":"image","source":{"type":"base64","data":"=="}}]}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, src := range kinds() {
			r := NewReader(src, false)
			var rec store.Record
			for range 2 { // the second time with used slices
				if src.Kind.Snapshot() {
					r.ReadWhole(line, &rec)
				} else {
					r.Read(line, &rec)
				}
				if src.Kind == store.Script {
					continue
				}
				if err := fault(line, &rec); err != nil {
					t.Fatalf("%s: %v", show(&rec), err)
				}
			}
		}
	})
}

// FuzzScan holds the scanner to encoding/json.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":null}],"c":"\u00e9\n"}`, `-1.5E-3`, `[]`, ` [ { } , true ] `, `"\ud83d\ude00"`, `tru`, `{"a" 1}`, `{,}`, `[1,]`, `{"a":1,}`, `1.`, `"\x"`, `1e5`, `1E+5`, `1e`, `"a b"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Count(s, "[")+strings.Count(s, "{") > 9000 {
			return // encoding/json stops at a depth of 10,000
		}
		var c scanner
		c.start(s)
		v := c.value()
		c.peek()
		ok := c.bad == "" && c.i == len(s)
		if ok != json.Valid([]byte(s)) {
			t.Fatalf("%q: ok is %t, bad is %q", s, ok, c.bad)
		}
		if !ok {
			return
		}
		var b bytes.Buffer
		if err := json.Compact(&b, []byte(s)); err != nil || b.String() != string(compact(nil, v.raw)) {
			t.Fatalf("%q: compact is %q", s, compact(nil, v.raw))
		}
		if v.spaced != (len(v.raw) != b.Len()) {
			t.Fatalf("%q: spaced is %t", s, v.spaced)
		}
		var want string
		if utf8.ValidString(s) && json.Unmarshal([]byte(s), &want) == nil && v.isString() && v.size <= maxName {
			if v.text() != want || v.size != len(want) {
				t.Fatalf("%q: text is %q, size %d, want %q", s, v.text(), v.size, want)
			}
		}
	})
}

func TestDepth(t *testing.T) {
	t.Parallel()
	r := NewReader(mainSource(), false)
	const n = 1 << 20
	for _, open := range []string{"[", `{"a":`} {
		close := map[string]string{"[": "]", `{"a":`: "}"}[open]
		whole := `{"uuid":"u","type":"mode","x":` + strings.Repeat(open, n) + "1" + strings.Repeat(close, n) + "}"
		for line, kind := range map[string]store.PartKind{whole: store.PartData, whole[:len(whole)/2]: store.PartUnknown, strings.Repeat(open, n): store.PartUnknown} {
			var rec store.Record
			r.Read([]byte(line), &rec)
			if len(rec.Parts) != 1 || rec.Parts[0].K != kind || (rec.ID == "u") != (kind == store.PartData) {
				t.Errorf("%s…: %d parts, id %q", line[:40], len(rec.Parts), rec.ID)
			}
		}
	}
}

// Memory that a line takes stays within its size and a fixed rest, however it is made.
func TestMemoryOfALine(t *testing.T) {
	const n = 8 << 20
	text := strings.Repeat(`one line \"of\" a text\n`, n/22)
	for name, line := range map[string]string{
		"long text":   `{"type":"user","uuid":"u","message":{"content":"` + text + `"}}`,
		"spaced":      `{"type":"user", "uuid":"u", "toolUseResult": {"a": "` + text + `"}, "message":{"content":[{"type":"tool_result","content":"x"}]}}`,
		"joined":      `{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"` + text + `"},{"type":"text","text":"b"}]}]}}`,
		"many blocks": `{"type":"user","uuid":"u","message":{"content":[` + strings.Repeat("1,", n/2) + `1]}}`,
		"many keys":   `{"type":"mode"` + strings.Repeat(`,"a":1`, n/6) + `}`,
		"deep":        strings.Repeat("[", n),
		"long names":  `{"type":"` + text + `","uuid":"` + text + `","subtype":"` + text + `"}`,
		"a long key":  `{"` + text + `":1}`,
		"told":        `{"type":"user","uuid":"u","message":{"content":"<task-notification>` + text + `"}}`,
	} {
		bytes := []byte(line)
		r := NewReader(mainSource(), false)
		var rec store.Record
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r.Read(bytes, &rec)
		runtime.ReadMemStats(&after)
		bound := uint64(len(line)) + 1<<20
		if name == "many blocks" {
			bound = 24 << 20 // of maxBlocks parts, whatever the line is
		}
		// all that was allocated, garbage of growing slices included
		if took := after.TotalAlloc - before.TotalAlloc; took > bound {
			t.Errorf("%s: a line of %d bytes took %d", name, len(line), took)
		}
	}
	// and it is given back
	r := NewReader(mainSource(), false)
	var rec store.Record
	r.Read([]byte(`{ "a": "`+text+`"}`), &rec)
	r.Read([]byte(strings.Repeat("[", n)), &rec)
	r.Read([]byte(`{}`), &rec)
	if cap(r.scratch) > maxKept || cap(r.scan.nest)*8 > maxKept {
		t.Errorf("%d and %d bytes are kept for the next line", cap(r.scratch), cap(r.scan.nest)*8)
	}
}

func TestCrowdedMessage(t *testing.T) {
	t.Parallel()
	blocks := strings.Repeat(`{"type":"thinking","signature":"s"},`, maxBlocks)
	var rec store.Record
	r := NewReader(mainSource(), false)
	r.Read([]byte(`{"uuid":"u","type":"assistant","message":{"content":[`+blocks+`null]}}`), &rec)
	if len(rec.Parts) != 1 || len(rec.Dropped) != 0 || rec.ID != "u" || rec.Parts[0].Source != "["+blocks+"null]" {
		t.Errorf("%d parts, %d dropped", len(rec.Parts), len(rec.Dropped))
	}
	r.Read([]byte(`{"uuid":"u","type":"assistant","message":{"content":[`+blocks[:len(blocks)-1]+`]}}`), &rec)
	if len(rec.Parts) != maxBlocks || len(rec.Dropped) != maxBlocks {
		t.Errorf("%d parts, %d dropped", len(rec.Parts), len(rec.Dropped))
	}
}

func TestTallyIsBounded(t *testing.T) {
	t.Parallel()
	r := NewReader(mainSource(), false)
	var rec store.Record
	for i := range 1000 {
		r.Read([]byte(`{"type":"t`+strings.Repeat("x", i)+`"}`), &rec)
	}
	var sum int64
	for _, o := range r.Odd() {
		sum += o.Count
	}
	odd := r.Odd()
	last := odd[len(odd)-1]
	if len(odd) != maxOddities+1 || sum != 1000 || last.What != "more record types that are not known" || last.Count != 1000-maxOddities {
		t.Errorf("%d oddities, %d counted, the last %v", len(odd), sum, last)
	}
}
