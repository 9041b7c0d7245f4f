package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"asz/native/collect"
	"asz/native/store"
)

// print prints a pass's line, and on standard error what the pass before did not tell already.
func (k *collecting) print(r *collect.Report) (exit int) {
	var odd int64
	for _, o := range r.Odd {
		odd += o.Count
	}
	exit = write(k.Call, fmt.Sprintf(
		"[%s] sessions=%d sources=%d landed=%d records=%d bytes=%d indexed=%d gone=%d conflicts=%d busy=%d pending=%d odd=%d errors=%d (%s)\n",
		k.options.Now().Format(time.TimeOnly), r.Sessions, r.Sources, r.Landed, r.Records, r.Bytes, r.Indexed,
		r.Gone, r.Conflicts, r.Busy, r.Pending, odd, len(r.Errors), r.Took.Round(time.Millisecond)))
	var b strings.Builder
	for _, e := range r.Errors {
		if !slices.Contains(k.before.Errors, e) {
			fmt.Fprintf(&b, "asz collect: %s\n", oneLine(e.String()))
		}
	}
	for _, n := range r.Notes {
		if !slices.Contains(k.before.Notes, n) {
			fmt.Fprintf(&b, "note: %s\n", oneLine(n.String()))
		}
	}
	for _, o := range r.Odd {
		if !slices.Contains(k.before.Odd, o) {
			fmt.Fprintf(&b, "odd: %s\n", oddity(o))
		}
	}
	fmt.Fprint(k.Stderr, b.String())
	return exit
}

// oddity is how one kind of what is odd is told.
func oddity(o store.Odd) string {
	text := fmt.Sprintf("%s: %d", o.What, o.Count)
	switch {
	case o.First == "":
	case o.Count == 1:
		text += ", at " + o.First
	default:
		text += ", the first at " + o.First
	}
	return oneLine(text)
}
