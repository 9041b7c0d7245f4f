package conform

import (
	"bytes"
	"crypto/sha256"
	"fmt"
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

// sound is the scenario as it is after its last stage, in all formats: each test works on a copy.
func sound(t *testing.T) *checker {
	t.Helper()
	s := scenarioOf(t, tampered)
	c := &checker{CheckOptions: checkOptions(t), scenario: s, expected: expecting(t, s, ""), agents: agentsOf(s)}
	for _, format := range []Format{ClaudeCode, SessionData} {
		one, err := c.trial(format)
		if err == nil {
			err = one.run()
		}
		must(t, err)
		c.trials = append(c.trials, one)
	}
	must(t, c.between())
	if len(c.Failures) > 0 {
		t.Fatal(c.Failures)
	}
	return c
}

func checkOptions(t *testing.T) CheckOptions {
	return CheckOptions{
		Out: filepath.ToSlash(t.TempDir()), Version: "test", FS: Unsynced{store.Disk()},
		Times: Times{Base: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Scale: 1},
	}
}

func expecting(t *testing.T, s *session.Scenario, text string) *session.Expectation {
	t.Helper()
	e, findings := session.ParseExpectation(diag.NewSource("test.expect.yaml", text), s)
	if e == nil {
		t.Fatal(findings)
	}
	return e
}

// copied is the same check over copies of the roots of some formats, for which all that is expected is given.
func (c *checker) copied(t *testing.T, expected string, formats ...Format) []*holding {
	t.Helper()
	again := &checker{CheckOptions: c.CheckOptions, scenario: c.scenario, expected: expecting(t, c.scenario, expected), agents: c.agents}
	again.Out = filepath.ToSlash(t.TempDir())
	var out []*holding
	for _, format := range formats {
		must(t, copyFiles(c.Out, again.Out, string(format), func(string) bool { return true }))
		one, err := again.trial(format)
		must(t, err)
		must(t, one.look())
		again.trials = append(again.trials, one)
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

// reseal changes the first such text of a landed file, and its closing line with it.
func reseal(t *testing.T, name, from, to string) {
	t.Helper()
	rewrite(t, name, func(s string) string {
		end := strings.LastIndex(s, `{"t":"end"`)
		before := strings.Replace(s[:end], from, to, 1)
		closing := s[end:]
		digest := func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
		return before + strings.Replace(closing, digest(s[:end]), digest(before), 1)
	})
}

// fickle is a disk on which the landed files of the second copy of a root read otherwise than they were copied.
type fickle struct{ store.FS }

func (f fickle) Open(name string) (store.File, error) {
	file, err := f.FS.Open(name)
	if err == nil && strings.Contains(name, "-2/") && strings.HasSuffix(name, ".sd") {
		file = altered{file}
	}
	return file, err
}

type altered struct{ store.File }

func (a altered) ReadAt(p []byte, off int64) (int, error) {
	n, err := a.File.ReadAt(p, off)
	copy(p[:n], bytes.ToUpper(p[:n]))
	return n, err
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
	all := sound(t)
	for _, c := range []struct {
		name     string
		property session.Property // -1: a further parse, which none of them asks for
		tamper   func(t *testing.T, h *holding)
		want     string
	}{
		{"view_covers rounds", session.ViewCoversTheSession, func(_ *testing.T, h *holding) { h.chain.Rounds = h.chain.Rounds[:1] }, "it lists 2 of 1 rounds"},
		{"view_covers round", session.ViewCoversTheSession, func(_ *testing.T, h *holding) { h.chain.Rounds[1].Digest = "0" }, "round 2 is not listed as it is"},
		{"view_covers digests", session.ViewCoversTheSession, func(_ *testing.T, h *holding) { h.report.Files[0].SHA256 = "0" }, "is not listed with its digest"},
		{"view_covers trees", session.ViewCoversTheSession, func(_ *testing.T, h *holding) {
			h.structure.Nodes = append(h.structure.Nodes, fold.Node{ID: "talk/other", Kind: fold.KindTalk})
		}, "the talk talk/other is in its trees 0 times"},
		{"view_covers range", session.ViewCoversTheSession, func(_ *testing.T, h *holding) {
			h.chain.Head().Header.SessionThrough = "2026-01-01T00:00:00Z"
		}, "its range is"},
		{"view_covers state", session.ViewCoversTheSession, func(t *testing.T, h *holding) {
			must(t, os.Remove(filepath.FromSlash(h.landed(t, store.Transcript))))
			clean := h.report
			must(t, h.look())
			clean.Files = h.report.Files
			h.report = clean
		}, "its state is incomplete"},
		{"view_covers twice", session.ViewCoversTheSession, func(_ *testing.T, h *holding) { h.doc.Talks = h.doc.Talks[1:] }, "made twice, the document is not the same"},

		{"immutable mode", session.ImmutableRounds, func(t *testing.T, h *holding) {
			must(t, os.Chmod(filepath.FromSlash(h.chain.Rounds[0].Path), 0o644))
		}, "can be written"},
		{"immutable bytes", session.ImmutableRounds, func(t *testing.T, h *holding) {
			rewrite(t, h.chain.Rounds[1].Path, func(s string) string { return strings.Replace(s, "tool", "toot", 1) })
			report, err := fold.Verify(h.root, h.id)
			must(t, err)
			h.report = report
		}, "round"},
		{"immutable links", session.ImmutableRounds, func(_ *testing.T, h *holding) { h.chain.Rounds[1].Header.Previous = "" }, "does not name the one before"},

		{"header title", session.HeaderMatchesFold, func(_ *testing.T, h *holding) { h.chain.Head().Header.Title = "other" }, "title"},
		{"header steps", session.HeaderMatchesFold, func(_ *testing.T, h *holding) { h.chain.Head().Header.Steps++ }, "steps"},
		{"header talks", session.HeaderMatchesFold, func(_ *testing.T, h *holding) { h.chain.Head().Header.Talks++ }, "talks"},
		{"header streams", session.HeaderMatchesFold, func(_ *testing.T, h *holding) { h.chain.Head().Header.Streams-- }, "streams"},
		{"header segments", session.HeaderMatchesFold, func(_ *testing.T, h *holding) { h.chain.Head().Header.Segments++ }, "segments"},
		{"header unresolved", session.HeaderMatchesFold, func(_ *testing.T, h *holding) { h.chain.Head().Header.Unresolved++ }, "unresolved"},
		{"header from", session.HeaderMatchesFold, func(_ *testing.T, h *holding) { h.chain.Head().Header.SessionFrom = "" }, "from"},
		{"header through", session.HeaderMatchesFold, func(_ *testing.T, h *holding) { h.chain.Head().Header.SessionThrough = "" }, "through"},

		{"fold nodes", session.FoldEqualsParse, func(_ *testing.T, h *holding) { h.structure.Nodes = h.structure.Nodes[1:] }, "the fold does not have what one assembly has: the node"},
		{"fold parents", session.FoldEqualsParse, func(_ *testing.T, h *holding) { h.structure.Nodes[0].Parent = "" }, "one assembly does not have what the fold has: the node"},
		{"fold relations", session.FoldEqualsParse, func(_ *testing.T, h *holding) { h.structure.Relations = h.structure.Relations[1:] }, "the fold does not have what one assembly has: the relation"},
		{"fold open", session.FoldEqualsParse, func(_ *testing.T, h *holding) {
			h.structure.Unresolved = append(h.structure.Unresolved, fold.Unresolved{ID: "unresolved/tool_use/x", State: session.StateOpen})
		}, "one assembly does not have what the fold has: the open reference unresolved/tool_use/x"},

		{"record field", session.RecordsWellFormed, func(t *testing.T, h *holding) {
			reseal(t, h.landed(t, store.Transcript), `"from":"external"`, `"from":"external","model":"m"`)
		}, `landed file 1, record 2: the record has a field "model"`},
		{"record digest", session.RecordsWellFormed, func(t *testing.T, h *holding) {
			rewrite(t, h.landed(t, store.Transcript), func(s string) string {
				return strings.Replace(s, `"from":"external"`, `"from":"external","model":"m"`, 1)
			})
		}, "its digest is not what its closing line says"},
		{"reproducible bytes", session.Reproducible, func(_ *testing.T, h *holding) { h.FS = fickle{h.FS} }, "of one parse is not in another one of the same landed files"},
		{"reproducible", session.Reproducible, func(t *testing.T, h *holding) {
			must(t, os.RemoveAll(filepath.FromSlash(path.Join(h.dir, h.id))))
		}, "there is no session"},
		{"bundle file", session.Bundle, func(t *testing.T, h *holding) {
			must(t, os.Remove(filepath.FromSlash(h.landed(t, store.AgentMeta))))
		}, "landed files and rounds alone do not verify"},
		{"bundle fold", session.Bundle, func(_ *testing.T, h *holding) { h.structure.Nodes = h.structure.Nodes[1:] }, "that of landed files and rounds alone has"},
		{"repack relations", session.RepackKeepsStructure, func(_ *testing.T, h *holding) { h.structure.Relations = h.structure.Relations[1:] }, "the root does not have what the repacked one has"},
		{"repack file", session.RepackKeepsStructure, func(t *testing.T, h *holding) {
			must(t, os.Remove(filepath.FromSlash(h.landed(t, store.Transcript))))
		}, "the root does not have what the repacked one has"},
		{"line added", session.EveryLineARecord, func(t *testing.T, h *holding) { rewrite(t, h.main(), longer) }, "the root does not have what the source has: the line at byte"},
		{"line changed", session.EveryLineARecord, func(t *testing.T, h *holding) {
			rewrite(t, h.main(), func(s string) string { return strings.Replace(s, "build it", "built it", 1) })
		}, "the line at byte"},
		{"meta changed", session.EveryLineARecord, func(t *testing.T, h *holding) {
			rewrite(t, h.source(t, store.AgentMeta), func(s string) string { return strings.Replace(s, "kid", "kit", 1) })
		}, "is not landed as it is"},
		{"source planted", session.DiscoveryIgnoresNoise, func(t *testing.T, h *holding) {
			other := strings.Replace(h.main(), "00000001-", "00000002-", 1)
			must(t, os.WriteFile(filepath.FromSlash(other), []byte("{}\n"), 0o644))
		}, "the session does not have what discovery has"},
		{"source hidden", session.DiscoveryIgnoresNoise, func(_ *testing.T, h *holding) { h.plan.Files[0].Rel = "./" + h.plan.Files[0].Rel }, "the session does not have what discovery has"},
		{"source cut", session.RecollectIdempotent, func(t *testing.T, h *holding) {
			rewrite(t, h.main(), func(s string) string { return s[:strings.LastIndex(s[:len(s)-1], "\n")+1] })
		}, "collect: 1 conflicts"},
		{"collected again", session.RecollectIdempotent, func(t *testing.T, h *holding) { rewrite(t, h.main(), longer) }, "a second collect landed 1 files"},
		{"parsed again", -1, func(t *testing.T, h *holding) {
			rewrite(t, h.main(), longer)
			_, err := h.collect()
			must(t, err)
		}, "it wrote 1 rounds, and nothing was new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := all.copied(t, "", ClaudeCode)[0]
			holds := h.parseAgain
			if c.property >= 0 {
				list := h.all()
				holds = list[slices.IndexFunc(list, func(p held) bool { return p.property == c.property })].holds
			}
			c.tamper(t, h)
			if err := holds(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, not %q", err, c.want)
			}
		})
	}
}

// TestToldProperties: each property that fails is told under its name with the place that asks for it; one that is switched
// off is not looked at.
func TestToldProperties(t *testing.T) {
	t.Parallel()
	root := sound(t)
	for _, on := range []bool{true, false} {
		expected := "properties:\n"
		for _, p := range (&holding{}).all() {
			expected += fmt.Sprintf("  %s: %v\n", p.property, on)
		}
		h := root.copied(t, expected, ClaudeCode)[0]
		h.FS = fickle{h.FS}
		h.chain.Rounds[1].Header.Previous = ""
		h.structure.Nodes = append(h.structure.Nodes[1:], fold.Node{ID: "talk/other", Kind: fold.KindTalk})
		reseal(t, h.landed(t, store.Transcript), `"from":"external"`, `"from":"external","model":"m"`)
		rewrite(t, h.main(), longer)
		h.plan.Files[0].Rel = "./" + h.plan.Files[0].Rel
		must(t, h.properties())
		var told, want []string
		for _, f := range h.Failures {
			told = append(told, f.Where)
			line := 0
			if f.At.Source != nil {
				line, _ = f.At.Source.Position(f.At.Start)
			}
			if f.Format != ClaudeCode || f.Got == "" || line != len(told)+1 && on && f.Where != "a further parse" {
				t.Errorf("%+v", f)
			}
		}
		if on {
			for _, p := range h.all() {
				want = append(want, p.property.String())
			}
			want = append(want, "a further parse")
		}
		if !slices.Equal(told, want) {
			t.Errorf("told are %q, and not %q", told, want)
		}
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
	all := sound(t)
	const expected = "properties:\n  records_match: true\n  cross_format: true\n"
	for _, c := range []struct {
		name, where, want string
		line              int
		tamper            func(t *testing.T, h *holding)
	}{
		{"record", "records_match", "records", 2, func(t *testing.T, h *holding) {
			must(t, os.Remove(filepath.FromSlash(h.landed(t, store.AgentMeta))))
		}},
		{"text", "records_match", "record 2 of the transcript", 2, func(t *testing.T, h *holding) {
			reseal(t, h.landed(t, store.Transcript), "build it", "built it")
		}},
		{"header", "records_match", "the headers of the transcript main differ", 2, func(t *testing.T, h *holding) {
			reseal(t, h.landed(t, store.Transcript), `"session":"00000001-`, `"session":"00000002-`)
		}},
		{"reference", "cross_format", "the open reference unresolved/tool_use/x", 3, func(_ *testing.T, h *holding) {
			h.structure.Unresolved = append(h.structure.Unresolved, fold.Unresolved{ID: "unresolved/tool_use/x", State: session.StateOpen})
		}},
		{"attribute", "cross_format", "the node tool/make", 3, func(_ *testing.T, h *holding) {
			n := &h.structure.Nodes[slices.IndexFunc(h.structure.Nodes, func(n fold.Node) bool { return n.Kind == fold.KindTool })]
			n.Attrs = append(slices.Clone(n.Attrs), fold.Attr{Key: "toot", Value: "x"})
		}},
		{"relation", "cross_format", "the relation", 3, func(_ *testing.T, h *holding) { h.structure.Relations = h.structure.Relations[1:] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			both := all.copied(t, expected, ClaudeCode, SessionData)
			k := both[1].checker
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
