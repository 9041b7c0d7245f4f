package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"asz/native/guirun"
	"asz/shared/command"
)

// What an earlier run left in a scenario's folder goes; a folder that holds anything else stays as it is.
func TestForget(t *testing.T) {
	const report = `{"scenario": {"name": "notes"}}`
	for name, test := range map[string]struct {
		files map[string]string // a name that ends in / is a folder
		stays bool
	}{
		"report":                 {files: map[string]string{"report.json": report, "report.html": "", "screenshots/001.png": "", "logs/x": "", ".tmp-1": ""}},
		"set aside when killed":  {files: map[string]string{"attempt-1/report.json": report, "screenshots/": ""}},
		"killed at its begin":    {files: map[string]string{"screenshots/": "", "logs/": "", ".tmp-1": ""}},
		"no report":              {files: map[string]string{"precious": ""}, stays: true},
		"another's report.json":  {files: map[string]string{"report.json": "{}", "logs/x": ""}, stays: true},
		"a report and more":      {files: map[string]string{"report.json": report, "precious": ""}, stays: true},
		"folders called as ours": {files: map[string]string{"logs/precious": ""}, stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "notes")
			for file, text := range test.files {
				path := filepath.Join(dir, file)
				if strings.HasSuffix(file, "/") {
					os.MkdirAll(path, 0o755)
					continue
				}
				os.MkdirAll(filepath.Dir(path), 0o755)
				os.WriteFile(path, []byte(text), 0o644)
			}
			err := forget(dir)
			if (err != nil) != test.stays {
				t.Error(err)
			}
			for file := range test.files {
				if _, err := os.Stat(filepath.Join(dir, file)); (err == nil) != test.stays {
					t.Errorf("%s: %v", file, err)
				}
			}
		})
	}
}

// What is read never ends, is too large, or is a pipe that nobody writes to: each is told, and nobody waits.
func TestReadGUI(t *testing.T) {
	dir := t.TempDir()
	big, pipe := filepath.Join(dir, "big"), filepath.Join(dir, "pipe")
	os.WriteFile(big, make([]byte, maxGUI*mebi+1), 0o644)
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/dev/zero", big, ".", pipe} {
		if text, err := readText(name, maxGUI); err == nil {
			t.Errorf("%s: %d bytes", name, len(text))
		}
		var said strings.Builder
		exit := runVerb().Do(&command.Host{Stdout: &said, Stderr: &said}, []string{"--check", name})
		if exit != guirun.ExitUsage || !strings.Contains(said.String(), "cannot be read: it is") {
			t.Errorf("%s: exit %d, %s", name, exit, said.String())
		}
	}
}

func TestScenarioName(t *testing.T) {
	for file, want := range map[string]string{
		"a/notes.yaml": "notes", "x.yml": "x", ".yaml": "scenario", "/": "scenario", "a\npassed b\x1b[31m.yaml": "a_passed b_[31m", "\xff.yaml": "\ufffd",
	} {
		if got := scenarioName(file); got != want {
			t.Errorf("%q: %q, not %q", file, got, want)
		}
	}
}

// Wrong usage tells no secret, either.
func TestUsageWithoutSecrets(t *testing.T) {
	const secret = "open-sesame"
	t.Setenv("KASM_RUNTIME_SECRET_PW", secret)
	for _, args := range [][]string{{"run", "--" + secret}, {"run", "--format", secret, "x"}, {secret}, {"report", "merge", secret, "--out", t.TempDir() + "/new"}, {"report", "--" + secret}} {
		var out, errs strings.Builder
		Main(args, &command.Host{Stdout: &out, Stderr: &errs})
		if said := out.String() + errs.String(); strings.Contains(said, secret) || !strings.Contains(said, "redacted") && args[0] != "report" {
			t.Errorf("%q: %s", args, said)
		}
	}
}

func TestOneRunAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "empty.yaml")
	os.WriteFile(file, nil, 0o644)
	out := t.TempDir()
	run := func() string {
		var said strings.Builder
		Main([]string{"run", "--display", ":none", "--out", out, file}, &command.Host{Stdout: &said, Stderr: &said})
		return said.String()
	}
	const refused = "another run is writing"
	if said := run(); strings.Contains(said, refused) {
		t.Error(said)
	}
	r := newRunner(&command.Call{Host: &command.Host{}}, runSettings{out: out}, nil)
	if err := r.prepare(); err != nil {
		t.Fatal(err)
	}
	if said := run(); !strings.Contains(said, refused) {
		t.Error(said)
	}
	r.lock.Close()
	if said := run(); strings.Contains(said, refused) {
		t.Error(said)
	}
}

func TestMistakenFlags(t *testing.T) {
	for _, test := range []struct{ args, says string }{
		{"--out --xvfb x.yaml", "--out needs a value, and --xvfb is a flag"},
		{"--xvfb 800x600 x.yaml", "a size is part of the flag: --xvfb=800x600"},
		{"--retries -1 x.yaml", `not "-1"`},
		{"--out -", "name one or more"},
	} {
		var said strings.Builder
		if exit := Main(append([]string{"run"}, strings.Fields(test.args)...), &command.Host{Stdout: &said, Stderr: &said}); exit != 64 || !strings.Contains(said.String(), test.says) {
			t.Errorf("%s: %d, %s", test.args, exit, said.String())
		}
	}
}
