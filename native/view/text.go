package view

import (
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"asz/native/store"
)

// prefix is the longest beginning of whole characters within limit bytes of a JSON string. It reads no further than that.
func prefix(raw store.Raw, limit int) string {
	if len(raw) < 2 || raw[0] != '"' {
		return cut(string(raw), limit)
	}
	s := string(raw[1 : len(raw)-1])
	if len(s) > 6*limit+12 { // no character takes more to write
		s = s[:6*limit+12]
	}
	if strings.IndexByte(s, '\\') < 0 {
		return cut(s, limit)
	}
	out := make([]byte, 0, min(len(s), limit+utf8.UTFMax))
	for len(s) > 0 && len(out) < limit {
		if s[0] != '\\' {
			n := strings.IndexByte(s, '\\')
			if n < 0 {
				n = len(s)
			}
			n = min(n, limit+utf8.UTFMax-len(out))
			out = append(out, s[:n]...)
			s = s[n:]
			continue
		}
		if len(s) < 2 {
			break
		}
		if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
			out = append(out, "\"\\/\b\f\n\r\t"[i])
			s = s[2:]
			continue
		}
		r, ok := unit(s)
		if !ok {
			break
		}
		s = s[6:]
		if utf16.IsSurrogate(r) {
			low, _ := unit(s)
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				s = s[6:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return cut(string(out), limit)
}

// unit reads \u and four hex digits.
func unit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	r := rune(0)
	for _, c := range []byte(s[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// cut is the longest beginning of whole characters, in memory of its own.
func cut(s string, limit int) string {
	if len(s) > limit {
		limit := limit
		for limit > 0 && !utf8.RuneStart(s[limit]) {
			limit--
		}
		s = s[:limit]
	}
	if !utf8.ValidString(s) {
		return cut(strings.ToValidUTF8(s, "\uFFFD"), limit)
	}
	return strings.Clone(s)
}

// partText is what a part says. Of what a call asks and of other data it is the JSON.
func partText(p *store.Part, limit int) string {
	switch {
	case p.K == store.PartMedia:
		return ""
	case p.K == store.PartUnknown && p.Data != "", p.Text == "":
		if p.Data == "" {
			return ""
		}
		if p.K != store.PartUnknown {
			return cut(string(p.Data[:min(len(p.Data), limit+utf8.UTFMax)]), limit)
		}
		return prefix(p.Data, limit)
	}
	return prefix(p.Text, limit)
}

// stepOf is what a record, or its part block, says as a step.
func stepOf(r *store.Record, block int32, limit int) *Step {
	s := &Step{Flags: r.Flags.Names()}
	for _, d := range r.Dropped {
		s.Dropped = append(s.Dropped, store.Dropped{What: strings.Clone(d.What), Bytes: d.Bytes, Why: strings.Clone(d.Why)})
	}
	if block >= 0 {
		if int(block) < len(r.Parts) {
			p := &r.Parts[block]
			s.Text, s.State, s.Bytes = partText(p, limit), state(p.State), p.Bytes
		}
		return s
	}
	var texts []string
	size := 0
	for i := range r.Parts {
		p := &r.Parts[i]
		s.Bytes += p.Bytes
		if s.State == "" || s.State == store.Available {
			s.State = state(p.State)
		}
		text := ""
		if p.K == store.PartData && strings.Contains(string(p.Data), `"queued_command"`) {
			text = queued(p.Data, limit)
		}
		if text == "" {
			text = partText(p, limit)
		}
		if text != "" && size < limit {
			texts = append(texts, text)
			size += len(text)
		}
	}
	if len(texts) == 1 {
		s.Text = texts[0]
	} else if len(texts) > 1 {
		s.Text = cut(strings.Join(texts, "\n"), limit)
	}
	return s
}

// state is one of the known states, so that no memory of the record's line is kept.
func state(s store.State) store.State {
	for _, known := range []store.State{store.Available, store.Truncated, store.Redacted, store.Omitted, store.Unavailable} {
		if s == known {
			return known
		}
	}
	return store.State(strings.Clone(string(s)))
}

// queued is the prompt that a queued_command attachment holds, "" when data is none.
func queued(data store.Raw, limit int) string {
	var a struct {
		Type   string          `json:"type"`
		Prompt json.RawMessage `json:"prompt"`
	}
	if json.Unmarshal([]byte(data), &a) != nil || a.Type != "queued_command" || len(a.Prompt) == 0 {
		return ""
	}
	if a.Prompt[0] == '"' {
		return prefix(store.Raw(a.Prompt), limit)
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(a.Prompt, &blocks) != nil {
		return ""
	}
	var texts []string
	for _, b := range blocks {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return cut(strings.Join(texts, "\n"), limit)
}

// durationOf is durationMs of a record's data, floored.
func durationOf(r *store.Record) int64 {
	for i := range r.Parts {
		var d struct {
			Ms json.Number `json:"durationMs"`
		}
		if json.Unmarshal([]byte(r.Parts[i].Data), &d) != nil {
			continue
		}
		if n, err := d.Ms.Int64(); err == nil {
			return n
		}
		if f, err := d.Ms.Float64(); err == nil && f >= 0 && f < 1<<53 {
			return int64(f)
		}
	}
	return 0
}

// resultOf is the first result part of a record that answers a tool, or the part block.
func resultOf(r *store.Record, block int32, limit int) *Tool {
	for i := range r.Parts {
		p := &r.Parts[i]
		if p.K == store.PartResult && (block < 0 || int(block) == i) {
			return &Tool{Failed: p.Failed != nil && *p.Failed, Result: partText(p, limit), ResultState: state(p.State), ResultBytes: p.Bytes}
		}
	}
	return nil
}
