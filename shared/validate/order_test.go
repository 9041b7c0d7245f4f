package validate

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPlayed is what the search is told of the lines of the instructions.
func TestPlayed(t *testing.T) {
	files := fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\nterminals: [{ id: one }]\nsections: [{ title: A, contentPath: a.md }]\n")},
		"t/s.yaml": {Data: []byte(`version: "2.0"
state: { up: false, gone: "" }
scenarios:
  - { id: no, when: { command: ps, state: { up: odd } }, then: {} }
  - { id: ps, when: { command: ps, state: { up: true } }, then: {} }
  - { id: up, when: { command: up }, then: { state: { up: true } } }
  - { id: rm, when: { command: rm }, then: { input: { key: k, then: { state: { gone: "{{ input.k }}" } } } } }
`)},
		"t/a.md": {Data: []byte("```bash\nps\nps\nups\nrm\n```\n```bash\nls; up; ps\n```\n```bash terminal-id=nowhere\nlove\n```\n")},
	}
	c := New(files, "t", Options{Explore: Off})
	for range 2 { // the second time does nothing
		for c.Step(1) {
		}
	}
	var got []string
	for _, p := range c.played {
		got = append(got, fmt.Sprintf("%s up=%s→%s gone=%s fits=%v fired=%v problem=%t told=%t", p.at.Text(),
			p.before.Lookup([]string{"up"}).AppendText(nil), p.after.Lookup([]string{"up"}).AppendText(nil),
			p.before.Lookup([]string{"gone"}).AppendText(nil), p.fits, p.fired, p.problem, p.told))
	}
	want := []string{
		"ps up=false→true gone= fits=[0 1] fired=[] problem=true told=true",
		"ps up=true→true gone= fits=[] fired=[1] problem=false told=false",
		"ups up=true→true gone= fits=[] fired=[] problem=true told=true",
		"rm up=true→true gone= fits=[] fired=[3] problem=false told=false",
		"ls; up; ps up=true→true gone=example fits=[] fired=[2 1] problem=false told=false",
		"love up=true→true gone=example fits=[] fired=[] problem=true told=false",
	}
	if text := strings.Join(got, "\n"); text != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", text, strings.Join(want, "\n"))
	}
	if n := len(c.Result().Findings); n != 4 {
		t.Errorf("%d findings: %v", n, c.Result().Findings)
	}
}
