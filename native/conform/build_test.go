package conform

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asz/native/store"
	"asz/shared/session"
)

const staged = `
session: 00000001-0000-4000-8000-0000000000fe
title: a <day> & night
steps:
  - input: begin
  - call: {text: Now., tool: {name: Bash, input: {command: "a && b > c"}, result: done}}
    checkpoint: one
  - call: {agent: {name: kid, prompt: look, notify: true, steps: [{call: {text: Looked.}}]}}
  - call: {workflow: {name: all, children: [{name: other, prompt: p, steps: [{call: {text: c}}]}]}}
    checkpoint: two
  - call: {text: All good.}
  - reset: {summary: short}
`

// options build a scenario in a new directory.
func options(t testing.TB, format Format) Options {
	return Options{Format: format, Out: filepath.Join(t.TempDir(), "out"), Times: Times{Base: base}, Version: "test", FS: Unsynced{store.Disk()}}
}

func build(t testing.TB, s *session.Scenario, o Options) []Built {
	t.Helper()
	built, err := tryBuild(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func tryBuild(s *session.Scenario, o Options) (built []Built, err error) {
	err = Build(s, o, func(b Built) error {
		built = append(built, b)
		return nil
	})
	return built, err
}

// tree reads all files below a directory, by their path in it.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return files
}

func sameTree(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if other, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if other != text {
			t.Errorf("%s is\n%s\nand not\n%s", name, other, text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is there too", name)
		}
	}
}

// TestSameBytes: two builds differ in the paths that asz.yaml names, and in nothing else.
func TestSameBytes(t *testing.T) {
	for _, format := range []Format{ClaudeCode, SessionData} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			s := scenarioOf(t, staged)
			a, b := options(t, format), options(t, format)
			a.Repeat, b.Repeat = 3, 3
			build(t, s, a)
			build(t, s, b)
			one, two := tree(t, a.Out), tree(t, b.Out)
			two["asz.yaml"] = strings.ReplaceAll(two["asz.yaml"], b.Out, a.Out)
			sameTree(t, two, one)
			if len(one) < 10 {
				t.Errorf("the build has %d files", len(one))
			}
		})
	}
}

// TestStagedSources: each stage makes files longer that the one before left, and the last leaves what one build does.
func TestStagedSources(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	o, whole := options(t, ClaudeCode), options(t, ClaudeCode)
	build(t, s, whole)
	before := map[string]string{}
	for _, stage := range []struct {
		through        string
		files, records int
	}{{"one", 1, 5}, {"one", 0, 5}, {"two", 7, 19}, {"", 1, 22}, {"final", 0, 22}} {
		o.Through = stage.through
		if b := build(t, s, o)[0]; b.Files != stage.files || b.Records != stage.records {
			t.Errorf("through %q %d files are written for %d records, not %d for %d", stage.through, b.Files, b.Records, stage.files, stage.records)
		}
		now := tree(t, o.Out)
		for name, text := range before {
			if !strings.HasPrefix(now[name], text) {
				t.Errorf("through %q %s does not go on from\n%s", stage.through, name, text)
			}
		}
		before = now
	}
	want := tree(t, whole.Out)
	want["asz.yaml"] = strings.ReplaceAll(want["asz.yaml"], whole.Out, o.Out)
	sameTree(t, before, want)
}

// TestUnchangedFilesStay: what has its content already is not written again.
func TestUnchangedFilesStay(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	o := options(t, ClaudeCode)
	build(t, s, o)
	inodes := func() map[string]uint64 {
		all := map[string]uint64{}
		for name := range tree(t, o.Out) {
			info, err := store.Disk().Stat(filepath.Join(o.Out, name))
			if err != nil {
				t.Fatal(err)
			}
			all[name] = info.Ino
		}
		return all
	}
	before := inodes()
	build(t, s, o)
	for name, ino := range inodes() {
		if before[name] != ino {
			t.Errorf("%s was written again", name)
		}
	}
}

func TestRepeat(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	for _, format := range []Format{ClaudeCode, SessionData} {
		o := options(t, format)
		o.Repeat = 3
		built := build(t, s, o)
		p, err := NewPlan(s, o.Times, "one")
		if err != nil {
			t.Fatal(err)
		}
		step := p.Latest.Sub(p.Base) + p.interval
		for k, b := range built {
			want := []string{"00000001-0000-4000-8000-0000000000fe", "00000001-0000-4000-8000-0000000000ff", "00000001-0000-4000-8000-000000000100"}[k]
			if b.Session != want || !b.Base.Equal(base.Add(step*time.Duration(k))) {
				t.Errorf("%s: session %d is %s at %v", format, k, b.Session, b.Base)
			}
		}
		if len(built) != 3 {
			t.Errorf("%d sessions are built", len(built))
		}
	}
}

// TestNoRoomForAll: when the last session cannot be built none is.
func TestNoRoomForAll(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		head string
		n    int64
		want string
	}{
		"years":  {"interval: 24h\n", 3_000_000, "the last session leaves the years"},
		"digits": {"session: 00000001-0000-4000-8000-ffffffffffff\n", 2, "cannot count to 2 sessions"},
	} {
		o := options(t, ClaudeCode)
		o.Repeat = c.n
		_, err := tryBuild(scenarioOf(t, c.head+"steps: [{input: a}]"), o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if files := tree(t, o.Out); len(files) > 0 {
			t.Errorf("%s: %d files are there", name, len(files))
		}
	}
	// the last one that fits: a session a day, from the first of 9999 on
	o := options(t, ClaudeCode)
	o.Base = base.AddDate(9999-2026, 11, 0)
	o.Repeat = 31
	s := scenarioOf(t, "interval: 24h\nsteps: [{input: a}]")
	if built := build(t, s, o); len(built) != 31 {
		t.Errorf("%d sessions are built", len(built))
	}
	o = options(t, ClaudeCode)
	o.Base = base.AddDate(9999-2026, 11, 0)
	o.Repeat = 32
	if _, err := tryBuild(s, o); err == nil {
		t.Error("a session of the year 10000 is built")
	}
}

// TestRefusedDirectories: a build that is refused changes nothing.
func TestRefusedDirectories(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	main := "_source/-asz-scenario/00000001-0000-4000-8000-0000000000ff.jsonl"
	for name, c := range map[string]struct {
		format Format
		files  map[string]string
		want   string
	}{
		"a configuration of a person": {ClaudeCode, map[string]string{"asz.yaml": "storage:\n  root: /data\n"}, "was not written by a build"},
		"an empty one":                {SessionData, map[string]string{"asz.yaml": ""}, "was not written by a build"},
		"no last line":                {ClaudeCode, map[string]string{"asz.yaml": configMarker + "\nstorage: {}\n"}, "has lost its line"},
		"a huge one":                  {ClaudeCode, map[string]string{"asz.yaml": strings.Repeat("#\n", 1<<20)}, "1 MiB"},
		"another source file":         {ClaudeCode, map[string]string{main: "{}\n"}, "is no earlier stage"},
		"another format":              {SessionData, map[string]string{main: "{}\n"}, "was built with --format claude-code"},
		"a landed file that is none":  {SessionData, map[string]string{"00000001-0000-4000-8000-0000000000ff/streams/main/transcript-20260101T000000.000000000Z-000001.sd": "no\n"}, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t, c.format)
			o.Repeat = 2 // the second session is the one that does not fit
			for file, text := range c.files {
				at := filepath.Join(o.Out, file)
				if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := tryBuild(s, o); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), o.Out) {
				t.Errorf("the build is refused with %v, not with %q", err, c.want)
			}
			sameTree(t, tree(t, o.Out), c.files)
		})
	}
	for name, out := range map[string]string{"is a file": "/dev/null", "not a directory": "/dev/null/out"} {
		o := options(t, ClaudeCode)
		o.Out = out
		if _, err := tryBuild(s, o); err == nil || !strings.Contains(err.Error(), name) {
			t.Error(err)
		}
	}
}

// TestOtherBuild: a session that another build made is not written over, in either format and whatever differs.
func TestOtherBuild(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	for _, first := range []Format{ClaudeCode, SessionData} {
		for name, change := range map[string]func(*Options) *session.Scenario{
			"an earlier stage": func(o *Options) *session.Scenario { o.Through = "one"; return s },
			"another time":     func(o *Options) *session.Scenario { o.Base = base.AddDate(0, 0, 1); return s },
			"other words":      func(*Options) *session.Scenario { return scenarioOf(t, strings.Replace(staged, "Looked", "Locked", 1)) },
			"the other format": func(o *Options) *session.Scenario {
				if o.Format == ClaudeCode {
					o.Format = SessionData
				} else {
					o.Format = ClaudeCode
				}
				return s
			},
		} {
			t.Run(string(first)+", "+name, func(t *testing.T) {
				t.Parallel()
				o := options(t, first)
				build(t, s, o)
				before := tree(t, o.Out)
				other := change(&o)
				if _, err := tryBuild(other, o); err == nil {
					t.Error("the build is not refused")
				}
				sameTree(t, tree(t, o.Out), before)
			})
		}
	}
}

// TestConfig: what a person wrote below the build's part stays, and what they wrote in it does not.
func TestConfig(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	o := options(t, ClaudeCode)
	build(t, s, o)
	name := filepath.Join(o.Out, "asz.yaml")
	read := func() string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := read()
	for _, want := range []string{"  root: \"" + o.Out + "\"\n", "    source_root: \"" + o.Out + "/_source\"\n", "    exclude: []\n", "# export:\n"} {
		if !strings.Contains(first, want) {
			t.Errorf("asz.yaml lacks %q:\n%s", want, first)
		}
	}
	mine := strings.Replace(first, "#     endpoint: 127.0.0.1:11800", "#     endpoint: 10.0.0.1:1", 1) + "export: {otlp: {endpoint: a:1}}\n"
	if err := os.WriteFile(name, []byte(strings.Replace(mine, o.Out+"\"", "/elsewhere\"", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	build(t, s, o)
	if got := read(); got != mine {
		t.Errorf("asz.yaml is\n%s\nand not\n%s", got, mine)
	}
}

// TestInterrupted: temporary files that a build left behind do not stop the next one, and are gone.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	s := scenarioOf(t, staged)
	o := options(t, ClaudeCode)
	build(t, s, o)
	want := tree(t, o.Out)
	victim := filepath.Join(o.Out, "_source/-asz-scenario/00000001-0000-4000-8000-0000000000fe.jsonl")
	for name, text := range map[string]string{victim: want["_source/-asz-scenario/00000001-0000-4000-8000-0000000000fe.jsonl"][:100], filepath.Join(filepath.Dir(victim), ".tmp-"+filepath.Base(victim)): "half"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build(t, s, o)
	sameTree(t, tree(t, o.Out), want)
}

// TestNoise: what is planted is there, and once.
func TestNoise(t *testing.T) {
	t.Parallel()
	o := options(t, ClaudeCode)
	o.Repeat = 2
	build(t, scenarioOf(t, staged), o)
	files := tree(t, filepath.Join(o.Out, Source, "-asz-scenario"))
	id := "00000001-0000-4000-8000-0000000000fe"
	for _, name := range []string{"memory/MEMORY.md", "notes.jsonl", "sessions-index.json", id + ".jsonl.bak", id + "/tool-results/1.txt", id + "/subagents/agent-not an id.jsonl"} {
		if files[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestEmptyFilesAreNone: a stream of which everything is lost has no file.
func TestEmptyFilesAreNone(t *testing.T) {
	t.Parallel()
	for _, format := range []Format{ClaudeCode, SessionData} {
		o := options(t, format)
		build(t, scenarioOf(t, "session: 00000001-0000-4000-8000-000000000001\nsteps: [{input: a, lost: true}, {call: {agent: {name: kid, prompt: p, steps: [{call: {text: t}}]}}, lost: true}]"), o)
		for name := range tree(t, o.Out) {
			if strings.Contains(name, "main") || strings.HasSuffix(name, "0001.jsonl") {
				t.Errorf("%s is there", name)
			}
		}
	}
}

// TestPublished builds every published scenario in both formats, stage by stage.
func TestPublished(t *testing.T) {
	names, _ := filepath.Glob("../../../shared/data/sessions/*.yaml")
	found := 0
	for _, name := range names {
		if strings.HasSuffix(name, ".expect.yaml") {
			continue
		}
		found++
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := scenarioOf(t, string(text))
		for _, format := range []Format{ClaudeCode, SessionData} {
			t.Run(filepath.Base(name)+", "+string(format), func(t *testing.T) {
				t.Parallel()
				o := options(t, format)
				for _, through := range append(s.Checkpoints(), session.Final) {
					o.Through = through
					build(t, s, o)
				}
			})
		}
	}
	if found == 0 {
		t.Skip("no published scenarios here")
	}
}
