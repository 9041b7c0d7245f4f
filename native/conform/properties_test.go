package conform

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"asz/native/fold"
	"asz/native/store"
	"asz/shared/diag"
	"asz/shared/session"
)

const tampered = `
title: a build
session: 00000001-0000-4000-8000-000000000001
steps:
  - input: build it
  - call: {text: Building., tool: {id: make, name: Bash, result: built}}
    checkpoint: built
  - call: {agent: {name: kid, prompt: look, notify: true, steps: [{call: {text: Looked.}}]}}
`

// tried is a scenario as it is after its last stage, all of it sound.
func tried(t *testing.T, expected string, formats ...Format) []*holding {
	t.Helper()
	s := scenarioOf(t, tampered)
	e, findings := session.ParseExpectation(diag.NewSource("test.expect.yaml", expected), s)
	if e == nil {
		t.Fatal(findings)
	}
	c := &checker{
		CheckOptions: CheckOptions{
			Out: filepath.ToSlash(t.TempDir()), Version: "test", FS: Unsynced{store.Disk()},
			Times: Times{Base: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Scale: 1},
		},
		scenario: s, expected: e, agents: map[string]string{"kid": AgentID("kid")},
	}
	var out []*holding
	for _, format := range formats {
		one, err := c.trial(format)
		if err == nil {
			err = one.run()
		}
		if err != nil || len(c.Failures) > 0 {
			t.Fatal(err, c.Failures)
		}
		c.trials = append(c.trials, one)
		out = append(out, &holding{trial: one, scratch: filepath.ToSlash(t.TempDir())})
	}
	return out
}

// must stops a test at an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rewrite changes a file, whatever its mode, and keeps the mode.
func rewrite(t *testing.T, name string, change func(string) string) {
	t.Helper()
	name = filepath.FromSlash(name)
	info, err := os.Stat(name)
	must(t, err)
	data, err := os.ReadFile(name)
	must(t, err)
	after := change(string(data))
	if after == string(data) {
		t.Fatalf("%s is not changed", name)
	}
	must(t, os.Remove(name))
	must(t, os.WriteFile(name, []byte(after), info.Mode().Perm()))
}

func (h *holding) landed(t *testing.T, kind store.Kind) string {
	t.Helper()
	landed, err := h.root.Session(h.id).Landed()
	must(t, err)
	i := slices.IndexFunc(landed, func(l store.Landed) bool { return l.Kind == kind })
	if i < 0 {
		t.Fatalf("no %s landed", kind)
	}
	return landed[i].Path
}

// main is the source file of the main stream.
func (h *holding) main() string { return path.Join(h.dir, Source, h.plan.Files[0].Rel) }

func longer(text string) string { return text + `{"type":"system","subtype":"hook"}` + "\n" }

// TestBrokenProperties: each property fails on a root or a fold that does not have it, and says what is wrong.
func TestBrokenProperties(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		holds  func(h *holding) error
		tamper func(t *testing.T, h *holding)
		want   string
	}{
		{"view_covers rounds", (*holding).viewCovers, func(_ *testing.T, h *holding) { h.chain.Rounds = h.chain.Rounds[:1] }, "it lists 2 of 1 rounds"},
		{"view_covers digests", (*holding).viewCovers, func(_ *testing.T, h *holding) { h.report.Files[0].SHA256 = "0" }, "is not listed with its digest"},
		{"view_covers trees", (*holding).viewCovers, func(_ *testing.T, h *holding) {
			h.structure.Nodes = append(h.structure.Nodes, fold.Node{ID: "talk/other", Kind: fold.KindTalk})
		}, "the talk talk/other is in its trees 0 times"},
		{"view_covers range", (*holding).viewCovers, func(_ *testing.T, h *holding) {
			h.chain.Head().Header.SessionThrough = "2026-01-01T00:00:00Z"
		}, "its range is"},
		{"view_covers state", (*holding).viewCovers, func(t *testing.T, h *holding) {
			must(t, os.Remove(filepath.FromSlash(h.landed(t, store.Transcript))))
			clean := h.report
			must(t, h.look())
			clean.Files = h.report.Files
			h.report = clean
		}, "is not listed as it is|its state is incomplete"},
		{"view_covers twice", (*holding).viewCovers, func(_ *testing.T, h *holding) { h.doc.Talks = h.doc.Talks[1:] }, "made twice, the document is not the same"},

		{"immutable mode", (*holding).immutable, func(t *testing.T, h *holding) {
			must(t, os.Chmod(filepath.FromSlash(h.chain.Rounds[0].Path), 0o644))
		}, "can be written"},
		{"immutable bytes", (*holding).immutable, func(t *testing.T, h *holding) {
			rewrite(t, h.chain.Rounds[1].Path, func(s string) string { return strings.Replace(s, "tool", "toot", 1) })
			report, err := fold.Verify(h.root, h.id)
			must(t, err)
			h.report = report
		}, "round"},
		{"immutable links", (*holding).immutable, func(_ *testing.T, h *holding) { h.chain.Rounds[1].Header.Previous = "" }, "does not name the one before"},

		{"header title", (*holding).headerMatches, func(_ *testing.T, h *holding) { h.chain.Head().Header.Title = "other" }, "title"},
		{"header steps", (*holding).headerMatches, func(_ *testing.T, h *holding) { h.chain.Head().Header.Steps++ }, "steps"},
		{"header talks", (*holding).headerMatches, func(_ *testing.T, h *holding) { h.chain.Head().Header.Talks++ }, "talks"},
		{"header streams", (*holding).headerMatches, func(_ *testing.T, h *holding) { h.chain.Head().Header.Streams-- }, "streams"},
		{"header segments", (*holding).headerMatches, func(_ *testing.T, h *holding) { h.chain.Head().Header.Segments++ }, "segments"},
		{"header unresolved", (*holding).headerMatches, func(_ *testing.T, h *holding) { h.chain.Head().Header.Unresolved++ }, "unresolved"},
		{"header from", (*holding).headerMatches, func(_ *testing.T, h *holding) { h.chain.Head().Header.SessionFrom = "" }, "from"},
		{"header through", (*holding).headerMatches, func(_ *testing.T, h *holding) { h.chain.Head().Header.SessionThrough = "" }, "through"},

		{"fold nodes", (*holding).foldEqualsParse, func(_ *testing.T, h *holding) { h.structure.Nodes = h.structure.Nodes[1:] }, "the fold does not have what one assembly has: the node"},
		{"fold parents", (*holding).foldEqualsParse, func(_ *testing.T, h *holding) { h.structure.Nodes[0].Parent = "" }, "one assembly does not have what the fold has: the node"},
		{"fold relations", (*holding).foldEqualsParse, func(_ *testing.T, h *holding) { h.structure.Relations = h.structure.Relations[1:] }, "the fold does not have what one assembly has: the relation"},
		{"fold open", (*holding).foldEqualsParse, func(_ *testing.T, h *holding) {
			h.structure.Unresolved = append(h.structure.Unresolved, fold.Unresolved{ID: "unresolved/tool_use/x", State: session.StateOpen})
		}, "one assembly does not have what the fold has: the open reference unresolved/tool_use/x"},

		{"records", (*holding).wellFormed, func(t *testing.T, h *holding) {
			rewrite(t, h.landed(t, store.Transcript), func(s string) string {
				return strings.Replace(s, `"from":"external"`, `"from":"external","model":"m"`, 1)
			})
		}, "its digest is not what its closing line says"},
		{"reproducible", (*holding).reproducible, func(t *testing.T, h *holding) {
			must(t, os.RemoveAll(filepath.FromSlash(path.Join(h.dir, h.id))))
		}, "there is no session"},
		{"bundle file", (*holding).bundle, func(t *testing.T, h *holding) {
			must(t, os.Remove(filepath.FromSlash(h.landed(t, store.AgentMeta))))
		}, "landed files and rounds alone do not verify"},
		{"bundle fold", (*holding).bundle, func(_ *testing.T, h *holding) { h.structure.Nodes = h.structure.Nodes[1:] }, "that of landed files and rounds alone has"},
		{"repack relations", (*holding).repack, func(_ *testing.T, h *holding) { h.structure.Relations = h.structure.Relations[1:] }, "the root does not have what the repacked one has"},
		{"repack file", (*holding).repack, func(t *testing.T, h *holding) {
			must(t, os.Remove(filepath.FromSlash(h.landed(t, store.Transcript))))
		}, ""},
		{"line added", (*holding).everyLine, func(t *testing.T, h *holding) { rewrite(t, h.main(), longer) }, "the root does not have what the source has: the line at byte"},
		{"line changed", (*holding).everyLine, func(t *testing.T, h *holding) {
			rewrite(t, h.main(), func(s string) string { return strings.Replace(s, "build it", "built it", 1) })
		}, "the line at byte"},
		{"meta changed", (*holding).everyLine, func(t *testing.T, h *holding) {
			rewrite(t, h.source(t, store.AgentMeta), func(s string) string { return strings.Replace(s, "kid", "kit", 1) })
		}, "is not landed as it is"},
		{"source planted", (*holding).discovery, func(t *testing.T, h *holding) {
			other := strings.Replace(h.main(), "00000001-", "00000002-", 1)
			must(t, os.WriteFile(filepath.FromSlash(other), []byte("{}\n"), 0o644))
		}, "the session does not have what discovery has"},
		{"source hidden", (*holding).discovery, func(_ *testing.T, h *holding) { h.plan.Files[0].Rel = "./" + h.plan.Files[0].Rel }, "the session does not have what discovery has"},
		{"collected again", (*holding).recollect, func(t *testing.T, h *holding) { rewrite(t, h.main(), longer) }, "a second collect landed 1 files"},
		{"parsed again", (*holding).parseAgain, func(t *testing.T, h *holding) {
			rewrite(t, h.main(), longer)
			_, err := h.collect()
			must(t, err)
		}, "it wrote 1 rounds, and nothing was new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := tried(t, "", ClaudeCode)[0]
			must(t, c.holds(h))
			must(t, h.look())
			h.scratch = filepath.ToSlash(t.TempDir())
			c.tamper(t, h)
			err := c.holds(h)
			if err == nil {
				t.Fatal("it holds")
			}
			if !slices.ContainsFunc(strings.Split(c.want, "|"), func(want string) bool { return strings.Contains(err.Error(), want) }) {
				t.Errorf("%v, not %q", err, c.want)
			}
		})
	}
}

// source is the first source of a kind.
func (h *holding) source(t *testing.T, kind store.Kind) string {
	t.Helper()
	for _, src := range h.discover().Sources {
		if src.Kind == kind {
			return src.Path
		}
	}
	t.Fatalf("no source is a %s", kind)
	return ""
}

// TestBrokenBetween: formats that land or fold other things are told apart, with the place that asks for the property.
func TestBrokenBetween(t *testing.T) {
	t.Parallel()
	const expected = "properties:\n  records_match: true\n  cross_format: true\n"
	for _, c := range []struct {
		name, where, want string
		line              int
		tamper            func(t *testing.T, h *holding)
	}{
		{"record", "records_match", "records", 2, func(t *testing.T, h *holding) {
			must(t, os.Remove(filepath.FromSlash(h.landed(t, store.AgentMeta))))
		}},
		{"attribute", "cross_format", "the node tool/make", 3, func(_ *testing.T, h *holding) {
			n := &h.structure.Nodes[slices.IndexFunc(h.structure.Nodes, func(n fold.Node) bool { return n.Kind == fold.KindTool })]
			n.Attrs = append(slices.Clone(n.Attrs), fold.Attr{Key: "toot", Value: "x"})
		}},
		{"relation", "cross_format", "the relation", 3, func(_ *testing.T, h *holding) { h.structure.Relations = h.structure.Relations[1:] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			both := tried(t, expected, ClaudeCode, SessionData)
			k := both[1].checker
			must(t, k.between())
			if len(k.Failures) > 0 {
				t.Fatal(k.Failures)
			}
			c.tamper(t, both[1])
			must(t, k.between())
			i := slices.IndexFunc(k.Failures, func(f Failure) bool { return f.Where == c.where })
			if i < 0 {
				t.Fatalf("%+v", k.Failures)
			}
			f := k.Failures[i]
			if !strings.Contains(f.Got, c.want) || f.At.Source == nil {
				t.Fatalf("%+v", f)
			}
			if line, _ := f.At.Source.Position(f.At.Start); line != c.line {
				t.Errorf("it stands on line %d", line)
			}
		})
	}
}

// TestFormed: a record, its usage, its parts and what was dropped carry known fields only.
func TestFormed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{`{"ord":1,"parts":[{"k":"text","state":"available","bytes":1,"text":"a"}],"usage":{"in":1},"dropped":[{"what":"a","bytes":1,"why":"b"}]}`, ""},
		{`{"ord":1,"model":"m"}`, `the record has a field "model"`},
		{`{"usage":{"cost":1}}`, `the usage has a field "cost"`},
		{`{"parts":[{"k":"text","state":"available","bytes":1,"lang":"en"}]}`, `the part has a field "lang"`},
		{`{"parts":[{"k":"text","state":"available"}]}`, "a part lacks its kind, state or size"},
		{`{"dropped":[{"what":"a","data":"x"}]}`, `the dropped has a field "data"`},
		{`[]`, "cannot unmarshal"},
	} {
		err := formed(c.line)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.line, err)
		}
	}
}
