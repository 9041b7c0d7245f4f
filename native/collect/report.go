package collect

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"asz/native/store"
)

// Report says what a pass did.
type Report struct {
	Sessions  int
	Sources   int
	Landed    int   // files
	Records   int   // lines and whole sources
	Bytes     int64 // of source, newlines included
	Indexed   int   // records that came into an index
	Gone      int   // sources that were read once and are not there any more
	Conflicts int   // sources that are not what was landed from them, or a second one for the same
	Busy      int   // sessions that another process holds
	Pending   int   // sources with more to read
	Odd       []store.Odd
	Notes     []Note
	Errors    []Note
	Took      time.Duration

	firstGone string // by path
}

// Note is something to tell about a path or a session.
type Note struct {
	Of   string
	Text string
}

// Settled says that nothing is left that another pass would do.
func (r *Report) Settled() bool { return r.Pending == 0 && r.Busy == 0 && len(r.Errors) == 0 }

// gone counts a source that is not there any more. There may be thousands, so one note names the first.
func (r *Report) gone(path string) {
	r.Gone++
	if r.firstGone == "" || path < r.firstGone {
		r.firstGone = path
	}
}

func (r *Report) note(of, text string) { r.Notes = append(r.Notes, Note{of, text}) }

func (r *Report) fail(of string, err error) {
	text := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) && path.Path == of {
		text = path.Err.Error()
	}
	for { // the store says whose error it is, more than once perhaps, and so does of
		rest, ok := strings.CutPrefix(text, "session ")
		id, after, cut := strings.Cut(rest, ": ")
		if !ok || !cut || !strings.Contains(of, id) {
			break
		}
		text = after
	}
	r.Errors = append(r.Errors, Note{of, text})
}

// add takes in the report of a part of the pass.
func (r *Report) add(o Report) {
	r.Sessions += o.Sessions
	r.Sources += o.Sources
	r.Landed += o.Landed
	r.Records += o.Records
	r.Bytes += o.Bytes
	r.Indexed += o.Indexed
	if o.Gone > 0 {
		r.gone(o.firstGone)
		r.Gone += o.Gone - 1
	}
	r.Conflicts += o.Conflicts
	r.Busy += o.Busy
	r.Pending += o.Pending
	r.addOdd(o.Odd)
	r.Notes = append(r.Notes, o.Notes...)
	r.Errors = append(r.Errors, o.Errors...)
}

func (r *Report) addOdd(odd []store.Odd) {
	for _, o := range odd {
		i := slices.IndexFunc(r.Odd, func(have store.Odd) bool { return have.What == o.What })
		if i < 0 {
			r.Odd = append(r.Odd, o)
			continue
		}
		r.Odd[i].Count += o.Count
		if o.First != "" && (r.Odd[i].First == "" || o.First < r.Odd[i].First) {
			r.Odd[i].First = o.First
		}
	}
}

// settle puts what the workers told in an order that does not depend on who was faster.
func (r *Report) settle() {
	switch {
	case r.Gone == 1:
		r.note(r.firstGone, "it is gone; what was landed of it stays")
	case r.Gone > 1:
		r.note("", fmt.Sprintf("%d sources are gone, the first is %s; what was landed of them stays, and asz sources lists them", r.Gone, r.firstGone))
	}
	byOf := func(a, b Note) int {
		if c := strings.Compare(a.Of, b.Of); c != 0 {
			return c
		}
		return strings.Compare(a.Text, b.Text)
	}
	slices.SortStableFunc(r.Notes, byOf)
	slices.SortStableFunc(r.Errors, byOf)
	slices.SortStableFunc(r.Odd, func(a, b store.Odd) int { return strings.Compare(a.What, b.What) })
}

func (n Note) String() string {
	if n.Of == "" {
		return n.Text
	}
	return n.Of + ": " + n.Text
}
