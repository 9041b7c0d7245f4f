package guirun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// logTest is a home with logs, and a folder for the report.
type logTest struct {
	*testing.T
	home, dir string
}

func newLogTest(t *testing.T) *logTest {
	return &logTest{T: t, home: t.TempDir(), dir: t.TempDir()}
}

func (t *logTest) begin(o LogOptions, patterns ...string) *Logs {
	o.Patterns, o.Home, o.Dir = patterns, t.home, t.dir
	return BeginLogs(o)
}

func (t *logTest) write(name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(t.home, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (t *logTest) add(name, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(t.home, name), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// copy is what the copy of a log holds.
func (t *logTest) copy(log LogFile) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(t.dir, log.Copy))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLogsAreCopiedWhole(t *testing.T) {
	l := newLogTest(t)
	l.write("app.log", "old\n")
	l.write("b.txt", "")
	l.write(".xsession-errors", "x\n")
	logs := l.begin(LogOptions{}, "~/*.log", "~/app.log", "~/b.txt", "~/.xsession-errors")
	l.add("app.log", "new FATAL\nfatal\n")
	got := logs.End(t.Context(), []string{"FATAL"})
	want := []LogFile{
		{Path: l.home + "/app.log", Copy: "logs/app.log", Bytes: 20, Tail: "old\nnew FATAL\nfatal\n", Fatal: []string{"new FATAL"}},
		{Path: l.home + "/.xsession-errors", Copy: "logs/xsession-errors", Bytes: 2, Tail: "x\n"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if text := l.copy(got[0]); text != got[0].Tail {
		t.Errorf("the copy holds %q", text)
	}
}

func TestOnlyWhatIsAppendedCounts(t *testing.T) {
	l := newLogTest(t)
	for _, name := range []string{"same", "grown", "emptied", "refilled", "replaced", "renamed"} {
		l.write(name+".log", "old FATAL line\n")
	}
	logs := l.begin(LogOptions{Appended: true}, "~/*.log*")
	l.add("grown.log", "more\n")
	l.write("emptied.log", "x\n")
	l.write("refilled.log", "another beginning, and longer than before\n")
	l.write("new", "new\n")
	if err := os.Rename(l.home+"/new", l.home+"/replaced.log"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(l.home+"/renamed.log", l.home+"/renamed.log.1"); err != nil {
		t.Fatal(err)
	}
	l.add("renamed.log.1", "last\n")
	l.write("renamed.log", "first\n")
	l.write("late.log", "late FATAL\n")
	tails, fatal := map[string]string{}, 0
	for _, log := range logs.End(t.Context(), []string{"FATAL"}) {
		tails[filepath.Base(log.Path)] = log.Tail
		fatal += len(log.Fatal)
	}
	want := map[string]string{
		"grown.log": "more\n", "emptied.log": "x\n", "refilled.log": "another beginning, and longer than before\n", "replaced.log": "new\n",
		"renamed.log": "first\n", "renamed.log.1": "last\n", "late.log": "late FATAL\n",
	}
	if !reflect.DeepEqual(tails, want) || fatal != 1 {
		t.Errorf("%d fatal lines, %v", fatal, tails)
	}
}

func TestLogsThatCannotBeReadAreTold(t *testing.T) {
	l := newLogTest(t)
	if err := syscall.Mkfifo(l.home+"/pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	logs := l.begin(LogOptions{Appended: true}, "~/.xsession-errors", "~/none.log", "~/pipe", "~/p*", l.home)
	got := logs.End(t.Context(), []string{"x"})
	notes := map[string]string{}
	for _, log := range got {
		notes[log.Path] = log.Note
	}
	want := map[string]string{
		l.home + "/none.log": "it cannot be read: no such file or directory",
		l.home + "/pipe":     "it cannot be read: it is no regular file",
		l.home:               "it cannot be read: it is no regular file",
	}
	if !reflect.DeepEqual(notes, want) {
		t.Errorf("got %v", notes)
	}

	l.write("a.log", "text FATAL\n")
	l.write("logs", "in the way")
	logs = l.begin(LogOptions{}, "~/a.log")
	logs.Dir = l.home
	got = logs.End(t.Context(), []string{"FATAL"})
	if len(got) != 1 || got[0].Copy != "" || !strings.HasPrefix(got[0].Note, "it cannot be copied: ") || len(got[0].Fatal) != 1 {
		t.Errorf("got %+v", got)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(Faultf(ClassDeadline, "time is over"))
	if got := l.begin(LogOptions{}, "~/a.log").End(ctx, nil); len(got) != 1 || got[0].Note != "it was not read to its end: time is over" {
		t.Errorf("got %+v", got)
	}
}

func TestLogsAreRedacted(t *testing.T) {
	l := newLogTest(t)
	l.write("hunter22.log", "a hunter22 b\nFATAL aHVudGVyMjI= end\nhunter22\n")
	logs := l.begin(LogOptions{Secrets: newSecrets(t, secret("hunter22"))}, "~/*.log")
	got := logs.End(t.Context(), []string{"FATAL", "ter22"})
	want := []LogFile{{
		Path: l.home + "/" + markA + ".log", Copy: "logs/" + markA + ".log", Bytes: 45,
		Tail: "a " + markA + " b\nFATAL " + markA + " end\n" + markA + "\n", Fatal: []string{"a " + markA + " b", "FATAL " + markA + " end", markA},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if text := l.copy(got[0]); text != got[0].Tail {
		t.Errorf("the copy holds %q", text)
	}
}

func TestLongLogs(t *testing.T) {
	l := newLogTest(t)
	var text strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	l.write("long.log", "FATAL begin\n"+text.String()+"FATAL end")
	got := l.begin(LogOptions{}, "~/long.log").End(t.Context(), []string{"FATAL"})[0]
	lines := strings.Split(got.Tail, "\n")
	if len(lines) != logTailLines || lines[0] != "line 999901" || lines[99] != "FATAL end" || !slices.Equal(got.Fatal, []string{"FATAL begin", "FATAL end"}) {
		t.Errorf("%d lines from %q, fatal %q", len(lines), lines[0], got.Fatal)
	}
	if text := l.copy(got); len(text) > logCopy+100 || !strings.HasPrefix(text, "FATAL begin\nline 0\n") || !strings.Contains(text, "bytes cut") || !strings.HasSuffix(text, got.Tail) {
		t.Errorf("the copy has %d bytes", len(text))
	}
	l.write("many.log", strings.Repeat("FATAL\n", logFatal+7))
	got = l.begin(LogOptions{}, "~/many.log").End(t.Context(), []string{"FATAL"})[0]
	if len(got.Fatal) != logFatal || !strings.Contains(got.Note, "7 more lines") {
		t.Errorf("%d shown, %q", len(got.Fatal), got.Note)
	}
}

func TestLongLines(t *testing.T) {
	s := newSecrets(t, secret("hunter22"))
	for at := logLine - 70; at < logLine+30; at++ {
		l := &fatalLines{texts: []string{"FATAL", "second"}, secrets: s}
		line := strings.Repeat("é", at/2) + strings.Repeat("x", at%2) + "hunter22 FATAL hunter22" + strings.Repeat("y", logLine) + "second"
		for piece := range slices.Chunk([]byte(line+"\nFATAL\n"), 32<<10) {
			l.Write(piece)
		}
		l.end()
		if len(l.shown) != 2 || !strings.Contains(l.shown[0], "é") || !strings.Contains(l.shown[0], markA+" FATAL "+markA+"y") || len(l.shown[0]) > 2*logShown || l.shown[1] != "FATAL" {
			t.Fatalf("at %d: %q", at, l.shown)
		}
	}
}

func TestManyLogs(t *testing.T) {
	l := newLogTest(t)
	for i := range logFiles + 5 {
		l.write(fmt.Sprintf("%03d.log", i), "x")
	}
	got := l.begin(LogOptions{}, "~/*.log").End(t.Context(), nil)
	if len(got) != logFiles+1 || !strings.Contains(got[logFiles].Note, "4 more logs") || got[logFiles].Copy != "" {
		t.Errorf("%d logs, %+v", len(got), got[len(got)-1])
	}
}

func TestTailLines(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "a\n": "a\n", "\n\n": "\n\n",
		strings.Repeat("l\n", 150):                           strings.Repeat("l\n", 100),
		strings.Repeat("l\n", 150) + "m":                     strings.Repeat("l\n", 99) + "m",
		strings.Repeat("é", logTail):                         strings.Repeat("é", logTail/2),
		"x" + strings.Repeat("é", logTail):                   strings.Repeat("é", logTail/2),
		strings.Repeat("é", logTail) + "x":                   strings.Repeat("é", logTail/2-1) + "x",
		strings.Repeat(strings.Repeat("w", 1000)+"\n", 1000): strings.Repeat(strings.Repeat("w", 1000)+"\n", 16),
	} {
		if got := tailLines(text); got != want {
			t.Errorf("%d bytes gave %d: %.60q, want %d", len(text), len(got), got, len(want))
		}
	}
}

func BenchmarkLogs(b *testing.B) {
	home := b.TempDir()
	text := strings.Repeat("2026-11-30T12:00:00Z [info] opened https://example.test/?q=a%20b in 12 ms\n", 10_000)
	if err := os.WriteFile(home+"/a.log", []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	logs := BeginLogs(LogOptions{Patterns: []string{"~/a.log"}, Home: home, Dir: b.TempDir(), Secrets: newSecrets(b, secret("hunter22"))})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		logs.End(b.Context(), []string{"FATAL", "crashed"})
	}
}
