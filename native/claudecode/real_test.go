package claudecode

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"asz/native/store"
)

// realRoot is where recorded histories are, when they are: they are no part of the project.
const realRoot = "../../../shared/data/claude-code"

func TestRealHistories(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(realRoot); err != nil {
		t.Skip("skipped: there are no recorded histories beside this clone")
	}
	found := Discover(disk{}, realRoot, Filter{})
	if len(found.Errors)+len(found.Clashes)+len(found.Odd) > 0 {
		t.Errorf("%v", lines(found))
	}
	sessions := map[string]bool{}
	for _, src := range found.Sources {
		sessions[src.Session] = true
		content, err := os.ReadFile(src.Path)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(src, false)
		var rec store.Record
		counts := map[string]int{}
		read := func(line []byte) {
			if src.Kind.Snapshot() {
				r.ReadWhole(line, &rec)
			} else {
				r.Read(line, &rec)
			}
			if err := fault(line, &rec); err != nil {
				t.Errorf("%s: %v: %s", src.Rel, err, line)
			}
			summarise(counts, &rec)
		}
		if src.Kind.Snapshot() {
			read(bytes.TrimRight(content, "\n"))
		} else {
			for line := range bytes.Lines(content) {
				read(bytes.TrimSuffix(line, []byte("\n")))
			}
		}
		if counts["part unknown"] > 0 {
			t.Errorf("%s: %d unknown parts", src.Rel, counts["part unknown"])
		}
		var keys []string
		for k := range counts {
			keys = append(keys, fmt.Sprintf("%s %d", k, counts[k]))
		}
		slices.Sort(keys)
		t.Logf("%s\n   %s\n   odd: %s", src.Rel, strings.Join(keys, ", "), oddities(r.Odd()))
	}
	if len(sessions) != 7 {
		t.Errorf("%d sessions, want the seven", len(sessions))
	}
}

func summarise(counts map[string]int, rec *store.Record) {
	counts["records"]++
	for name, value := range map[string]string{"id": rec.ID, "time": rec.Time, "call": rec.Call, "run": rec.Run, "continues": rec.Continues, "tool": rec.Tool, "child": rec.Child, "batch": rec.Batch, "label": rec.Label, "started_by": rec.StartedBy} {
		if value != "" {
			counts[name]++
		}
	}
	counts["from "+string(rec.From)]++
	if rec.Trigger != "" {
		counts["trigger "+string(rec.Trigger)]++
	}
	if i := strings.Index(show(&store.Record{Flags: rec.Flags}), "flags="); i >= 0 {
		counts[show(&store.Record{Flags: rec.Flags})[i:]]++
	}
	for _, p := range rec.Parts {
		counts["part "+string(p.K)]++
		if p.State != store.Available {
			counts["part "+string(p.K)+" "+string(p.State)]++
		}
	}
	for _, d := range rec.Dropped {
		counts["dropped "+d.What]++
	}
}
