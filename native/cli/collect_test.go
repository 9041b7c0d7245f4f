package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asz/native/collect"
	"asz/native/store"
	"asz/shared/command"
)

const session1 = "00000001-0000-4000-8000-000000000001"

// history makes a source root with one session of a number of lines.
func history(t *testing.T, lines int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	file := filepath.Join(dir, "source", "-p", session1+".jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat(`{"type":"user","message":{"role":"user","content":"hi"}}`+"\n", lines)), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func collector(dir string, out, problems *bytes.Buffer) *collecting {
	conf := defaultConfig()
	conf.Storage.Root = filepath.Join(dir, "data")
	conf.Adapters[0].SourceRoot = filepath.Join(dir, "source")
	conf.Adapters[0].Collector = collectorConfig{Mode: "watch", Interval: time.Hour, MaxDelta: 1}
	adapters := conf.adapters()
	return &collecting{
		Call:     &command.Call{Host: &command.Host{Stdout: out, Stderr: problems}},
		adapters: adapters, how: adapters[0].conf.Collector,
		options: collect.Options{Root: conf.storageRoot(), Sources: store.Disk(), Adapters: []collect.Adapter{adapters[0].Adapter}, Now: time.Now},
	}
}

// TestCollectOnce: passes go on until nothing is pending; a file of the least size takes one line.
func TestCollectOnce(t *testing.T) {
	t.Parallel()
	var out, problems bytes.Buffer
	k := collector(history(t, 100), &out, &problems)
	if exit := k.once(t.Context()); exit != 0 || problems.Len() > 0 {
		t.Errorf("exit %d\n%s", exit, &problems)
	}
	if got := strings.Count(out.String(), "landed=65 records=65 ") + strings.Count(out.String(), "landed=35 records=35 "); got != 2 || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("got\n%s", &out)
	}
}

// TestCollectEnded: the signal that ends a watch is no failure, one that cuts -once short is.
func TestCollectEnded(t *testing.T) {
	t.Parallel()
	var out, problems bytes.Buffer
	k := collector(history(t, 1), &out, &problems)
	ended, end := context.WithCancel(t.Context())
	end()
	if exit := k.watch(ended); exit != 0 {
		t.Errorf("watch: exit %d", exit)
	}
	if exit := k.once(ended); exit != exitInterrupted {
		t.Errorf("once: exit %d", exit)
	}
}

// TestCollectErrors: an error of an earlier pass is one of -once.
func TestCollectErrors(t *testing.T) {
	t.Parallel()
	var out, problems bytes.Buffer
	k := collector(history(t, 100), &out, &problems)
	discover, passes := k.options.Adapters[0].Discover, 0
	k.options.Adapters[0].Discover = func() store.Found {
		found := discover()
		if passes++; passes == 1 {
			found.Errors = append(found.Errors, errors.New("one folder\x1b[2J cannot be read"))
		}
		return found
	}
	if exit := k.once(t.Context()); exit != exitFindings || passes != 2 || problems.String() != "asz collect: one folder[2J cannot be read\n" {
		t.Errorf("exit %d, %d passes\n%s", exit, passes, &problems)
	}
}

// TestCollectTellsOnce: what stays as it was is told by the first pass only.
func TestCollectTellsOnce(t *testing.T) {
	t.Parallel()
	dir := history(t, 1)
	stray := filepath.Join(dir, "source", "-p", "stray.jsonl")
	if err := os.WriteFile(stray, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var out, problems bytes.Buffer
	k := collector(dir, &out, &problems)
	discover := k.options.Adapters[0].Discover
	k.options.Adapters[0].Discover = func() store.Found {
		found := discover()
		found.Errors = append(found.Errors, &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission})
		return found
	}
	tell := func() string {
		problems.Reset()
		k.pass(t.Context())
		return problems.String()
	}
	if got := tell(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "/x") || !strings.Contains(got, "odd: a .jsonl file that is not named by a session id: 1, at "+stray) {
		t.Errorf("got\n%s", got)
	}
	if got := tell(); got != "" {
		t.Errorf("told again:\n%s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "source", "-p", "a.jsonl"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := tell(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "session id: 2, the first at ") {
		t.Errorf("what changed:\n%s", got)
	}
}

// TestWork: the line is for people, who have waited a second.
func TestWork(t *testing.T) {
	var b bytes.Buffer
	line := &command.Progress{Out: &b, Shown: true}
	w := &work{total: 10, totalDone: 2, bytes: 4e6, bytesDone: 1e6, began: time.Now()}
	w.show(line)
	if b.Len() > 0 {
		t.Errorf("at once: %q", &b)
	}
	w.began = time.Now().Add(-10 * time.Second)
	w.show(line)
	w.show(line)
	if got := b.String(); strings.Count(got, "\r") != 1 || !strings.Contains(got, "2 of 10 files, 1.0 MB of 4.0 MB, 1") || !strings.HasSuffix(got, " left") {
		t.Errorf("%q", got)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 9950: "10 kB", 999_499: "999 kB", 999_500: "1.0 MB", 1 << 30: "1.1 GB"} {
		if got := size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
