package claudecode

import (
	"fmt"
	"strconv"
	"strings"

	"asz/native/store"
)

// oddKind orders oddities and says whether they carry a name.
type oddKind uint8

const (
	oddLine  oddKind = iota // a line that is no JSON object
	oddField                // a field of another type than it should be
	oddType                 // a record type that is not known
	oddBlock                // a content block type that is not known
	oddPlace                // discovery: a file or directory that was passed over
)

// maxOddities is how many different ones of a kind are told apart; a source can hold any number of unknown names.
const maxOddities = 32

// tally counts oddities.
type tally struct {
	rows []oddRow
	at   func() string // the place at hand
}

type oddRow struct {
	kind  oddKind
	what  string
	count int64
	first string
}

// count counts a phrase that lives as long as the program.
func (t *tally) count(kind oddKind, what string) {
	t.add(kind, what, false)
}

// named counts a name that was read from a source.
func (t *tally) named(kind oddKind, name string) {
	t.add(kind, name, true)
}

func (t *tally) add(kind oddKind, what string, clone bool) {
	if clone && len(what) > maxKey {
		what = strings.ToValidUTF8(what[:maxKey], "") + "…"
		clone = false
	}
	same := 0
	for i := range t.rows {
		row := &t.rows[i]
		if row.kind != kind {
			continue
		}
		if row.what == what {
			row.count++
			return
		}
		same++
	}
	if same >= maxOddities {
		what, clone = other, false
		for i := range t.rows {
			if t.rows[i].kind == kind && t.rows[i].what == other {
				t.rows[i].count++
				return
			}
		}
	}
	if clone {
		what = strings.Clone(what)
	}
	t.rows = append(t.rows, oddRow{kind, what, 1, t.at()})
}

const other = "\x00other"

// list is what was counted: by kind, then in the order in which they were met.
func (t *tally) list() []store.Odd {
	var out []store.Odd
	for kind := oddLine; kind <= oddPlace; kind++ {
		for _, row := range t.rows {
			if row.kind == kind {
				out = append(out, store.Odd{What: row.phrase(), Count: row.count, First: row.first})
			}
		}
	}
	return out
}

func (row oddRow) phrase() string {
	subject := ""
	switch row.kind {
	case oddType:
		subject = "record type"
	case oddBlock:
		subject = "content block type"
	default:
		if row.what == other {
			return "other oddities"
		}
		return row.what
	}
	switch row.what {
	case "":
		return "a " + subject + " is missing"
	case other:
		return fmt.Sprintf("more %ss that are not known", subject)
	}
	return fmt.Sprintf("the %s %s is not known", subject, strconv.Quote(row.what))
}

// Odd is what the Reader met so far that was not as it should be, by kind.
func (r *Reader) Odd() []store.Odd { return r.odd.list() }

// name counts a record type that is not known. Such records land all the same.
func (r *Reader) name(typ string) {
	switch typ {
	case "assistant", "user", "attachment", "system", "summary", "progress",
		"ai-title", "custom-title", "agent-name", "agent-color", "agent-setting", "last-prompt", "mode", "permission-mode",
		"queue-operation", "file-history-snapshot", "attribution-snapshot", "content-replacement", "tag", "task-summary", "pr-link",
		"worktree-state":
		return
	}
	r.odd.named(oddType, typ)
}
