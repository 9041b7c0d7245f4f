package fold_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asz/native/fold"
)

// TestOrder: nodes come in the order of their ids, as texts, however many digits a position has and however ids begin. That
// they do is checked for every assembly; here are those for which it is hard.
func TestOrder(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for seq := range 12 {
		b.WriteString("= transcript main\n")
		for row := range 112 {
			id := fmt.Sprint("r", seq, "-", row)
			if row%7 == 3 {
				id = "copy"
			}
			fmt.Fprintf(&b, "%s injected call=%s%s", id, strings.Repeat("k", 1+row%40), []string{"", "\x00", "\x00\x00", fmt.Sprintf("%d.%d", seq, row)}[row%4])
			for range []int{1, 2, 12, 0}[row%4] {
				b.WriteString(" +text +reasoning")
			}
			fmt.Fprintf(&b, " +call:toolu_0123456789%d:Bash +call:toolu_0123456789%d\x00:Bash\n", seq*row, row)
		}
	}
	a := told(t, b.String())
	said := 0
	for _, id := range a.ids(fold.KindAssistant) {
		if strings.HasPrefix(id, "msg/10/99:") {
			said++
		}
	}
	if want := (12*112 - 12*16) + 1; len(a.ids(fold.KindInjection)) != want || said != 12 {
		t.Errorf("%d records are injected, not %d; one of them says %d things", len(a.ids(fold.KindInjection)), want, said)
	}
	if ids := a.ids(fold.KindThinking); slices.Index(ids, "think/1/3:3") < slices.Index(ids, "think/1/3:21") || !slices.Contains(ids, "think/1/3:21") {
		t.Error("parts are not ordered by their digits")
	}
}

// TestManyNames: however many cycles there are, and however alike ids are, each is one.
func TestManyNames(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("= transcript main\n")
	for range 2 {
		for i := range 1000 {
			fmt.Fprintf(&b, "- run=c%d call=z%s%s\n", i, strings.Repeat("\x00", i%20), strings.Repeat("y", i/20))
		}
	}
	if a := told(t, b.String()); len(a.ids(fold.KindRun)) != 1000 || len(a.ids(fold.KindCall)) != 1000 {
		t.Errorf("%d runs and %d calls are made of a thousand", len(a.ids(fold.KindRun)), len(a.ids(fold.KindCall)))
	}
}
