package claudecode

import (
	"strings"
	"unsafe"

	"asz/native/store"
)

// older applies what histories of older versions need: they state neither who wrote a prompt nor which cycle it opens
// (§5.5, rule 3).
func (r *Reader) older(rec *store.Record, typ string) {
	f := &r.f
	main := r.src.Stream == store.Main
	opens := main && typ == "user" && r.beginning(rec)
	if f.summary && !(main && f.sidechain) { // CHOICE: the summary of a child that is told in main opens nothing there
		opens = true
	}
	if r.opening && rec.ID != "" {
		r.opening = false
		opens = true
	}
	if opens && rec.Run == "" {
		rec.Run = rec.ID
	}
}

// beginning reads from how a user record of the main stream begins what it is, when nothing else says it. It is whether the
// record opens a cycle. CHOICE: whitespace before it does not count; of a list of blocks the first text does.
func (r *Reader) beginning(rec *store.Record) bool {
	f := &r.f
	if rec.Trigger != "" || f.meta || f.summary || f.sidechain || f.results > 0 || len(rec.Parts) == 0 || !f.content.given() {
		return false
	}
	text := r.opener()
	switch {
	case startsWith(text, "<task-notification>"):
		rec.Trigger = store.TriggerNotification
	case startsWith(text, "<command-name>", "<command-message>", "<bash-input>"):
		rec.Trigger = store.TriggerExternal
		rec.Flags |= store.Command
	case startsWith(text, "<local-command-", "<bash-stdout>", "<bash-stderr>", "<system-reminder>", "Caveat:", "[Request interrupted by user"):
		return false
	default:
		rec.Trigger = store.TriggerExternal
		rec.Flags |= store.ExternalInput
	}
	return true
}

// openerSize is longer than every beginning that has a meaning, with every character of it escaped and some whitespace.
const openerSize = 1024

// opener is the first bytes of the message's first text, decoded.
func (r *Reader) opener() string {
	v := r.f.said
	if !v.isString() {
		return ""
	}
	text := v.raw[1 : len(v.raw)-1]
	if v.size != len(text) {
		cut := 0 // between escapes
		for cut < len(text) && cut < openerSize {
			if text[cut] == '\\' {
				n, _ := escape(text[cut:])
				cut += n
			} else {
				cut++
			}
		}
		head := unescape(r.head[:0], text[:cut])
		text = unsafe.String(unsafe.SliceData(head), len(head))
	}
	return strings.TrimLeft(text, " \t\r\n")
}

func startsWith(text string, beginnings ...string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(text, b) {
			return true
		}
	}
	return false
}

// notification reads the ids that a notification names. They stand as tags in its text; only a plain text is read.
func (r *Reader) notification(rec *store.Record) {
	content := r.f.content
	if !content.isString() {
		return
	}
	text := content.raw[1 : len(content.raw)-1]
	if content.size != len(text) {
		mark := r.room(len(text))
		r.scratch = unescape(r.scratch, text)
		text = string(r.made(mark))
	}
	if rec.Tool == "" {
		rec.Tool, _ = tagged(text, "tool-use-id")
	}
	for rest := text; rec.Child == ""; {
		var id string
		if id, rest = tagged(rest, "task-id"); rest == "" {
			return
		}
		if taskID(id) {
			rec.Child = id
		}
	}
}

// tagged is what stands between the first pair of tags of a name, and the text behind them, "" when there is none.
func tagged(text, name string) (inner, rest string) {
	for {
		i := strings.Index(text, name)
		if i < 0 {
			return "", ""
		}
		opens := i > 0 && text[i-1] == '<'
		text = text[i+len(name):]
		if !opens || !strings.HasPrefix(text, ">") {
			continue
		}
		end := strings.Index(text, "</")
		if end < 0 {
			return "", ""
		}
		inner, rest = strings.TrimSpace(text[1:end]), text[end:]
		if strings.HasPrefix(rest[2:], name) && len(inner) <= maxName {
			return inner, rest
		}
		text = rest
	}
}

// taskID is whether a task id in a notification is that of an agent: ^a[0-9a-f]{6,16}$.
func taskID(id string) bool {
	if len(id) < 7 || len(id) > 17 || id[0] != 'a' {
		return false
	}
	for i := 1; i < len(id); i++ {
		if b := id[i]; (b < '0' || b > '9') && (b < 'a' || b > 'f') {
			return false
		}
	}
	return true
}

// agentID is whether a name can be a child agent's: ^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$, but not that of the main stream.
func agentID(id string) bool {
	if id == "" || len(id) > 64 || id == store.Main || id[0] == '_' || id[0] == '-' {
		return false
	}
	for i := range len(id) {
		if !alphanumeric(id[i]) && id[i] != '_' && id[i] != '-' {
			return false
		}
	}
	return true
}

func alphanumeric(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

// time is a timestamp in UTC, "" for what is none. Its fraction is kept, to the nanosecond.
func (r *Reader) time(v value) string {
	if !v.given() {
		return ""
	}
	at, ok := utc(r.when[:0], v.text())
	switch {
	case !ok:
		r.odd.count(oddField, "a timestamp is no time")
		return ""
	case at == nil:
		return v.text()
	}
	return unsafe.String(unsafe.SliceData(at), len(at))
}
