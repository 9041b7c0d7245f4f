package conform

import (
	"testing"

	"asz/native/view"
	"asz/shared/diag"
	"asz/shared/session"
)

// TestNoTalk: where there is no talk, whatever is expected of the first one is told once, with the place of what is asked.
func TestNoTalk(t *testing.T) {
	t.Parallel()
	at := diag.Span{Source: diag.NewSource("test.expect.yaml", "a text"), Start: 2, Len: 4}
	text, number := session.Value[string]{Is: "a", Set: true, At: at}, session.Value[int]{Is: 1, Set: true, At: at}
	for _, first := range []session.FirstTalk{{Label: text}, {Reply: text}, {Runs: number}, {Reply: text, Runs: number}} {
		c := &comparison{&trial{checker: &checker{}, doc: &view.Doc{}}, "middle"}
		c.view(session.View{FirstTalk: first})
		want := Failure{Where: "middle", What: "view.first_talk", Want: "a talk", Got: "there is none", At: at}
		if len(c.Failures) != 1 || c.Failures[0] != want {
			t.Errorf("%+v", c.Failures)
		}
	}
	c := &comparison{&trial{checker: &checker{}, doc: &view.Doc{}}, "middle"}
	if c.view(session.View{}); len(c.Failures) > 0 {
		t.Errorf("%+v", c.Failures)
	}
}
