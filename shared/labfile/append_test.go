package labfile_test

import "testing"

// TestAppendForms: what --fix makes of each way to write an append that YAML takes for something else.
func TestAppendForms(t *testing.T) {
	const head = "version: \"2.0\"\nscenarios:\n  - id: a\n    when: { command: a }\n    then:\n      state:"
	for _, one := range []struct{ bad, good string }{
		{"\n        a.b: += \"x\" # c\n", "\n        a.b += \"x\" # c\n"},
		{"\n        a.b  :   +=   x\n", "\n        a.b += x\n"},
		{"\n        += a.b: x # c\n", "\n        a.b += x # c\n"},
		{"\n        a.b +: x\n", "\n        a.b +=: x\n"},
		{"\n        a.b =+: x\n        c: 1\n", "\n        a.b +=: x\n        c: 1\n"},
		{"\n        a.b +=\"x\"\n", "\n        a.b += \"x\"\n"},
		{"\n        c: 1\n        a.b +=\"x\"\n", "\n        c: 1\n        a.b += \"x\"\n"},
		{"\n        'a.b += \"x\"' # c\n", "\n        a.b += \"x\" # c\n"},
		{"\n        \"a.b\" += x\n", "\n        a.b += x\n"},
		{" a.b += \"x\" # c\n", " { \"a.b +=\": \"x\" } # c\n"},
		{"\n        a:\n          b += \"x\"\n        c: 1\n", "\n        a.b += \"x\"\n        c: 1\n"},
		{"\n        - a.b += \"x\" # c\n        -   a.b += y\n", "\n          a.b += \"x\" # c\n          a.b += y\n"},
		// What was meant is not sure, or cannot be written so.
		{"\n        a.b: += x, y\n", ""},
		{"\n        a.b +=\n", ""},
		{"\n        - a.b += \"x\"\n        - c: 1\n", ""},
		{"\n        \"a.b += it's: x\"\n", ""},
	} {
		loaded := load("title: T\nsimulator: simulator.yaml\n", head+one.bad)
		if len(loaded.Findings) != 1 || loaded.Findings[0].Code != "append-form" {
			t.Errorf("%s: %v", one.bad, loaded.Findings)
			continue
		}
		files, _, _ := loaded.Findings.Apply()
		switch {
		case one.good == "" && len(files) > 0:
			t.Errorf("%s became\n%s", one.bad, files[0].Text)
		case one.good != "" && (len(files) != 1 || files[0].Text != head+one.good):
			t.Errorf("%s became %v", one.bad, files)
		case one.good != "":
			if l := load("title: T\nsimulator: simulator.yaml\n", files[0].Text); len(l.Findings) > 0 {
				t.Errorf("%s: %v", one.good, l.Findings)
			} else if d := l.Lab.Simulator.Scenarios[0].Then.State; d[0].Path == "c" {
				continue // what follows it is the change
			} else if d := d[0]; d.Path != "a.b" || !d.Append || d.Value.Text() != "x" {
				t.Errorf("%s: %+v", one.good, d)
			}
		}
	}
}
