package fold_test

import (
	"fmt"
	"testing"
	"time"

	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
)

// long lands a session of n records as a runtime writes them: a turn of a prompt, four calls with a tool each, their results
// and an answer. Ids are of the usual lengths.
func long(t testing.TB, n int) *store.Index {
	t.Helper()
	root := &store.Root{FS: crash.New(), Dir: "/root"}
	p, err := root.Session(sessionID).Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Begin(base)
	h := store.Header{Kind: store.Transcript, Adapter: "mock/1", Dialect: "mock/1", Src: "p/x", Stream: store.Main}
	last, run := "", ""
	for i := 0; i < n; {
		if _, err := p.Land(h, func(l *store.Landing) error {
			for end := min(n, i+1500); i < end; i++ {
				r := &store.Record{Ord: int64(i + 1), SHA: "0123456789ab", Bytes: 9, ID: fmt.Sprintf("%08x-7a2b-4c3d-9e8f-%012x", i*2654435761&0xffffffff, i), Parent: last}
				last = r.ID
				r.Time = base.Add(time.Duration(i) * time.Second).Format("2006-01-02T15:04:05.000Z")
				turn, at := i/14, i%14
				call := func(c int) {
					r.From, r.Call = store.FromAgent, fmt.Sprintf("msg_01%08x%014x", turn*2654435761&0xffffffff, turn*5+c)
				}
				tool := fmt.Sprintf("toolu_01%08x%012x", turn*2654435761&0xffffffff, turn*4+(at-1)/3)
				switch {
				case at == 0:
					run = fmt.Sprintf("%08x-1111-4c3d-9e8f-%012x", turn, turn)
					r.Run, r.Trigger, r.Flags = run, store.TriggerExternal, store.ExternalInput
				case at == 13:
					call(4)
					r.Flags = store.Finished
					r.Usage = &store.Usage{Out: 1}
					r.Parts = []store.Part{{K: store.PartText, State: store.Available, Text: `"x"`}}
				case at%3 == 1:
					call((at - 1) / 3)
					r.Usage = &store.Usage{Out: 1}
					r.Parts = []store.Part{{K: store.PartText, State: store.Available, Text: `"x"`}}
				case at%3 == 2:
					call((at - 1) / 3)
					r.Flags = store.Finished
					r.Usage = &store.Usage{Out: 1}
					r.Parts = []store.Part{{K: store.PartCall, State: store.Available, ID: tool, Name: "Bash", Data: `{}`}}
				default:
					r.Run = run
					r.Parts = []store.Part{{K: store.PartResult, State: store.Available, Of: tool, Text: `"x"`}}
				}
				if err := l.Record(r); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	return index(t, root, sessionID)
}

func BenchmarkAssemble(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := long(b, n)
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				if _, err := fold.Assemble(x, 0, "x"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
