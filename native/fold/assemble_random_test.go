package fold_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"asz/native/fold"
)

// invented tells files of records that the bytes choose, from so few names that they meet all the time.
func invented(data []byte) string {
	next := func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := int(data[0])
		data = data[1:]
		return b % n
	}
	one := func(of ...string) string { return of[next(len(of))] }
	var b strings.Builder
	for len(data) > 0 {
		fmt.Fprintf(&b, "= %s\n", one("transcript main", "transcript main", "transcript main", "transcript a1", "transcript main_c",
			"agent_meta a1", "journal w", "workflow_manifest v", "transcript a2"))
		for n := 1 + next(12); n > 0 && len(data) > 0; n-- {
			words := []string{one("-", "r1", "r2", "r3", "r4", "r5", "r6", "0", "a/b")}
			for n := next(6); n > 0; n-- {
				words = append(words, one("^r1", "^r2", "^r3", "^r4", "^r5", "^a/b", "^0", "^lost",
					"@0s", "@5m", "@30m", "@-1h", "@1000000h", "@-2000000h",
					"run=c", "run=d", "run=a/b", "run=a_b", "call=k", "call=l", "call=a/b",
					"on=external", "on=notification", "on=unknown", "continues=r1", "continues=gone",
					"tool=t", "tool=t/1", "child=a1", "child=a2", "child=main", "child=gone", "batch=w", "batch=u", "by=a1", "label=L",
					"input", "injected", "finished", "synthetic", "summary", "ack", "child_result", "reset", "reset", "error", "duration",
					"command", "notice", "sidechain", "usage",
					"+text", "+reasoning", "+data", "+call:t:Bash", "+call:t/1:Read", "+call:t_1:Agent", "+call::Nameless",
					"+result:t", "+result:t/1", "+result:t_1", "+result:gone", "+result:"))
			}
			fmt.Fprintln(&b, strings.Join(words, " "))
		}
	}
	return b.String()
}

// holds checks every prefix of what the bytes tell, and that it is assembled the same again.
func holds(t *testing.T, data []byte) {
	t.Helper()
	text := invented(data)
	x := land(t, text)
	for through := int64(0); through <= x.IndexedSeq; through++ {
		a := assemble(t, x, through)
		again, err := fold.Assemble(x, through, "x")
		if err != nil || !reflect.DeepEqual(a.Assembly, again) {
			t.Errorf("through %d it is assembled in two ways, %v", through, err)
		}
	}
	if t.Failed() {
		t.Fatalf("of:\n%s", text)
	}
}

// TestRandomRecords: whatever has landed, an assembly has unique ids, and all that it refers to.
func TestRandomRecords(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 7))
	for range 400 {
		data := make([]byte, 1+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		holds(t, data)
	}
}

func FuzzAssemble(f *testing.F) {
	for _, seed := range []string{"", "\x00\x05\x01\x03\x10", "a parent of a parent of a parent", strings.Repeat("\x00\x0b\x02\x05\x07\x11", 40)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 600 {
			t.Skip("longer than it needs to be")
		}
		holds(t, data)
	})
}
