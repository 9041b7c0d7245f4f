package view_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
	"asz/native/view"
)

const staged = `session: 00000006-0000-4000-8000-000000000002
steps:
  - input: ask
  - call: {text: looking, tool: {id: t, name: Look, result: seen}}
    checkpoint: first
  - call: {agent: {name: helper, prompt: help, steps: [{call: {text: helped}}], notify: true}}
  - call: {text: thanks}
    checkpoint: second
  - input: more
  - call: {text: no more}
`

// damaged is a disk with the three rounds of a session.
type damaged struct {
	*crash.Disk
	t    *testing.T
	root *store.Root
	id   string
}

func newDamaged(t *testing.T, text string) *damaged {
	d := &damaged{Disk: crash.New(), t: t}
	d.root = &store.Root{FS: d.Disk, Dir: "/root"}
	s := readScenario(t, text)
	for _, through := range []string{"first", "second", ""} {
		d.id = stage(t, d.root, s, through)
		parsed(t, d.root, d.id)
	}
	return d
}

// path is the nth file whose path holds a text.
func (d *damaged) path(part string, n int) string {
	var all []string
	for _, name := range d.Files() {
		if strings.Contains(name, part) && !strings.Contains(name, "index") {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	if n >= len(all) {
		d.t.Fatalf("%d files hold %q in their path", len(all), part)
	}
	return all[n]
}

func (d *damaged) remove(part string, n int) {
	if err := d.Remove(d.path(part, n)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *damaged) change(part string, n int, from, to string) {
	name := d.path(part, n)
	data, _ := d.ReadFile(name)
	changed := strings.Replace(data, from, to, 1)
	if changed == data {
		d.t.Fatalf("%s does not hold %q", name, from)
	}
	d.WriteFile(name, changed)
}

// texts of all steps, in the order of the trees.
func texts(d *view.Doc) string {
	var out []string
	var walk func(list []*view.Node)
	walk = func(list []*view.Node) {
		for _, n := range list {
			if n.Step != nil && n.Step.Text != "" {
				out = append(out, n.Step.Text)
			}
			walk(n.Children)
		}
	}
	walk(d.Talks)
	walk(d.Loose)
	return strings.Join(out, "|")
}

// TestDamage: what is missing or not what it was is told, once, and the rest is there.
func TestDamage(t *testing.T) {
	t.Parallel()
	const (
		whole  = `ask|looking|{}|{"description":"helper","prompt":"help"}|launched|NOTE|thanks|helped|helped|more|no more`
		second = "; what came after seq 1 is not in the document"
	)
	for _, c := range []struct {
		name     string
		harm     func(d *damaged)
		state    view.State
		problems []string
		verified string // of each round
		files    int
		texts    string
	}{
		{"nothing", func(d *damaged) {}, view.Verified, nil, "yyy", 8, whole},
		{"first file", func(d *damaged) { d.remove("streams/main/transcript", 0) }, view.Incomplete, []string{"round 1 consumed the landed file of seq 1, which is missing"}, "yyy", 7,
			`{"description":"helper","prompt":"help"}|launched|NOTE|thanks|helped|helped|more|no more`},
		{"child", func(d *damaged) { d.remove("streams/a", 1); d.remove("streams/a", 0) }, view.Incomplete,
			[]string{"round 2 consumed the landed file of seq 3, which is missing", "round 2 consumed the landed file of seq 4, which is missing"}, "yyy", 6,
			`ask|looking|{}|{"description":"helper","prompt":"help"}|launched|NOTE|thanks|more|no more`},
		{"a byte", func(d *damaged) { d.change("streams/main/transcript", 0, "looking", "booking") }, view.Mismatch, []string{"round 1: the landed files of seq 1 to 1 are not those that it consumed; that of seq 1 is damaged"}, "yyy", 8,
			`{"description":"helper","prompt":"help"}|launched|NOTE|thanks|helped|helped|more|no more`},
		{"closing line", func(d *damaged) { d.change("streams/main/transcript", 2, `{"t":"end"`, `{"t":"END"`) }, view.Mismatch, []string{"round 3: the landed files of seq 5 to 5 are not those that it consumed; that of seq 5 is damaged"}, "yyy", 8,
			`ask|looking|{}|{"description":"helper","prompt":"help"}|launched|NOTE|thanks|helped|helped`},
		{"both", func(d *damaged) { d.change("streams/main/transcript", 1, "thanks", "thinks"); d.remove("streams/a", 0) }, view.Mismatch,
			[]string{"round 2 consumed the landed file of seq 4, which is missing"}, "yyy", 7, `ask|looking|{}|helped|helped|more|no more`},
		{"another file", func(d *damaged) {
			other, _ := newDamaged(t, strings.Replace(staged, "input: ask", "input: tell", 1)).ReadFile(d.path("streams/main/transcript", 0))
			d.WriteFile(d.path("streams/main/transcript", 0), other)
		}, view.Mismatch, []string{"round 1: the landed files of seq 1 to 1 are not those that it consumed"}, "yyy", 8, strings.Replace(whole, "ask", "tell", 1)},
		{"round 2", func(d *damaged) { d.remove("r000002", 0) }, view.Incomplete, []string{"round 2 is missing" + second}, "yn", 7, `ask|looking|{}`},
		{"a byte of round 2", func(d *damaged) { d.change("r000002", 0, "launch_ack", "launch_adk") }, view.Mismatch, []string{"round 2: its digest is not what its commit line says" + second}, "ynn", 8, `ask|looking|{}`},
		{"commit of round 3", func(d *damaged) { d.change("r000003", 0, `"commit"`, `"Commit"`) }, view.Mismatch,
			[]string{"round 3: the commit line is missing or wrong; what came after seq 4 is not in the document"}, "yyn", 8, `ask|looking|{}|{"description":"helper","prompt":"help"}|launched|NOTE|thanks|helped|helped`},
		{"head", func(d *damaged) { d.remove("r000003", 0) }, view.Verified, nil, "yy", 7, `ask|looking|{}|{"description":"helper","prompt":"help"}|launched|NOTE|thanks|helped|helped`},
	} {
		d := newDamaged(t, staged)
		c.harm(d)
		doc, err := view.Document(d.root, d.id)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		verified := ""
		for _, r := range doc.Rounds {
			verified += map[bool]string{true: "y", false: "n"}[r.Verified]
		}
		report, err := fold.Verify(d.root, d.id)
		if err != nil {
			t.Fatal(err)
		}
		chained := 0
		for _, p := range report.Problems {
			if p.Chain() {
				chained++
			}
		}
		if chained != len(doc.Summary.Problems) {
			t.Errorf("%s: verify finds %d problems of the chain: %v", c.name, chained, report.Problems)
		}
		got := texts(doc)
		if from := strings.Index(got, "<task"); from >= 0 {
			got = got[:from] + "NOTE" + got[strings.LastIndex(got, ">")+1:]
		}
		if doc.Summary.State != c.state || !slices.Equal(doc.Summary.Problems, c.problems) || verified != c.verified || len(doc.Files) != c.files || got != c.texts {
			t.Errorf("%s:\n  %s %q %s, %d files, %s\nand not\n  %s %q %s, %d files, %s", c.name,
				doc.Summary.State, doc.Summary.Problems, verified, len(doc.Files), got, c.state, c.problems, c.verified, c.files, c.texts)
		}
		covers(t, d.root, d.id, doc)
		var text strings.Builder
		if err := doc.Print(&text, view.Shown{}); err != nil || strings.Contains(text.String(), "problem") != (c.problems != nil) {
			t.Errorf("%s is printed as\n%s", c.name, &text)
		}
	}
}

// TestLostDuration: what a turn took is not told as nothing where its record is lost.
func TestLostDuration(t *testing.T) {
	t.Parallel()
	d := newDamaged(t, strings.Replace(staged, "  - input: more", "  - system: {subtype: turn_duration, fields: {durationMs: 1200}}\n  - input: more", 1))
	for i, want := range []string{"took        1.2s\n", "took        (no text)\n"} {
		doc, err := view.Document(d.root, d.id)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := doc.Print(&text, view.Shown{}); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, &text)
		}
		for n := 2; n >= 0 && i == 0; n-- {
			d.remove("streams/main/transcript", n)
		}
	}
}

// TestNoRounds: without a round that can be read there is no document.
func TestNoRounds(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(d *damaged){
		"none":   func(d *damaged) { d.remove("rounds/r", 0); d.remove("rounds/r", 0); d.remove("rounds/r", 0) },
		"first":  func(d *damaged) { d.remove("r000001", 0) },
		"broken": func(d *damaged) { d.change("r000001", 0, "header", "Header") },
	} {
		d := newDamaged(t, staged)
		harm(d)
		if doc, err := view.Document(d.root, d.id); !errors.Is(err, view.ErrNoRounds) || doc != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	root := &store.Root{FS: crash.New(), Dir: "/root"}
	for _, id := range []string{"nothing", "..", "a/b", ""} {
		if _, err := view.Document(root, id); err == nil {
			t.Errorf("%q has a document", id)
		}
	}
}

// TestNotConsumed: a landed file that no round has consumed is listed and is no problem, whatever it holds.
func TestNotConsumed(t *testing.T) {
	t.Parallel()
	d := newDamaged(t, staged)
	d.remove("r000003", 0)
	d.change("streams/main/transcript", 2, "no more", "to more")
	doc, err := view.Document(d.root, d.id)
	if err != nil || doc.Summary.State != view.Verified || len(doc.Files) != 7 {
		t.Error(err, doc.Summary)
	}
}
