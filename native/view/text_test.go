package view

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"asz/native/store"
)

// TestPrefix: the longest beginning of whole characters within a number of bytes, whatever way they are written.
func TestPrefix(t *testing.T) {
	for _, text := range []string{"", "plain", `a "b" \ / c`, "\b\f\n\r\t\x00\x1f", "é東京😀", "<&>\u2028", strings.Repeat("😀\n", 40), strings.Repeat("x", 100)} {
		plain, _ := json.Marshal(text)
		var escaped strings.Builder // every character as \u
		escaped.WriteByte('"')
		for _, r := range text {
			for _, unit := range units(r) {
				escaped.WriteString(`\u`)
				for shift := 12; shift >= 0; shift -= 4 {
					escaped.WriteByte("0123456789ABCDEF"[unit>>shift&15])
				}
			}
		}
		escaped.WriteByte('"')
		for limit := range len(text) + 3 {
			want := text
			for len(want) > limit {
				_, size := utf8.DecodeLastRuneInString(want)
				want = want[:len(want)-size]
			}
			for _, raw := range []string{string(plain), escaped.String()} {
				if got := prefix(store.Raw(raw), limit); got != want {
					t.Errorf("%d bytes of %s are %q and not %q", limit, raw, got, want)
				}
			}
		}
	}
	for raw, want := range map[string]string{
		`{"a":"é"}`: `{"a":"é"}`, `"\ud800"`: "\uFFFD", `"\ud800\u0041"`: "\uFFFDA", `"\udc00\ud800"`: "\uFFFD\uFFFD", `"a\ud83d\ude00b"`: "a😀b", `""`: "", ``: "",
		"\"a\xff\"": "a\uFFFD", `"a\`: "a", `"a\u12"`: "a",
	} {
		if got := prefix(store.Raw(raw), 100); got != want {
			t.Errorf("%s is %q and not %q", raw, got, want)
		}
	}
	// It reads no further than it must.
	long := store.Raw(`"` + strings.Repeat(`\n`, 1<<20) + `"`)
	if n := testing.AllocsPerRun(5, func() { prefix(long, 10) }); n > 3 {
		t.Errorf("%v allocations", n)
	}
}

func units(r rune) []rune {
	if r < 0x10000 {
		return []rune{r}
	}
	r -= 0x10000
	return []rune{0xD800 + r>>10, 0xDC00 + r&0x3FF}
}

// TestSteps: what records of several shapes say.
func TestSteps(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"k":"text","state":"available","bytes":1,"text":"a"}`:                                                                         "a",
		`{"k":"text","state":"available","bytes":1,"text":"a"},{"k":"text","state":"redacted","bytes":2,"text":"b"}`:                    "a\nb",
		`{"k":"text","state":"available","bytes":1,"text":""},{"k":"media","state":"available","bytes":9,"media_type":"x","data":"AA"}`: "",
		`{"k":"data","state":"available","bytes":1,"data":{"type":"queued_command","prompt":[{"type":"text","text":"go on"}]}}`:         "go on",
		`{"k":"data","state":"available","bytes":1,"data":{"type":"queued_command","prompt":"go"}}`:                                     "go",
		`{"k":"data","state":"available","bytes":1,"data":{"type":"queued_command","prompt":[{"type":"image"}]}}`:                       `{"type":"queued_command","prompt":[{"type":"image"}]}`,
		`{"k":"data","state":"available","bytes":1,"data":{"type":"other","prompt":"queued_command"}}`:                                  `{"type":"other","prompt":"queued_command"}`,
		`{"k":"call","state":"available","bytes":1,"id":"t","name":"n","data":{"b":1,"a":2}}`:                                           `{"b":1,"a":2}`,
		`{"k":"result","state":"available","bytes":1,"of":"t","text":"r","data":{"x":1}}`:                                               "r",
		`{"k":"result","state":"available","bytes":1,"of":"t","data":[{"x":1}]}`:                                                        `[{"x":1}]`,
		`{"k":"unknown","state":"available","bytes":1,"text":"why","data":"{\"half"}`:                                                   `{"half`,
		`{"k":"unknown","state":"omitted","bytes":1,"text":"why"}`:                                                                      "why",
		``: "",
	} {
		var r store.Record
		if err := r.Read([]byte(`{"ord":1,"off":0,"sha":"","bytes":1,"parts":[` + line + `]}`)); err != nil {
			t.Fatal(line, err)
		}
		if got := stepOf(&r, -1, 100); got.Text != want {
			t.Errorf("%s says %q and not %q", line, got.Text, want)
		}
		for block := range r.Parts {
			if got := stepOf(&r, int32(block), 100); got.Bytes != r.Parts[block].Bytes || got.State != r.Parts[block].State {
				t.Errorf("part %d of %s is %+v", block, line, got)
			}
		}
		if got := stepOf(&r, int32(len(r.Parts)), 100); got.Text != "" || got.State != "" {
			t.Errorf("a part that %s has not is %+v", line, got)
		}
	}
}

// TestDuration: what a turn took, from a number of any form.
func TestDuration(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]int64{
		`{"durationMs":5200}`: 5200, `{"durationMs":5200.9}`: 5200, `{"durationMs":5.2e3}`: 5200, `{"durationMs":"5200"}`: 5200, `{"durationMs":-5.5}`: 0, `{"durationMs":1e99}`: 0, `{"durationMs":null}`: 0, `{}`: 0, `[]`: 0,
	} {
		if got := durationOf(&store.Record{Parts: []store.Part{{Data: store.Raw(data)}}}); got != want {
			t.Errorf("%s is %d", data, got)
		}
	}
}
