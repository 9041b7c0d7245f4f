package guirun

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func testProcesses(t *testing.T, o ProcessOptions) *processes {
	t.Helper()
	if o.Env == nil {
		o.Env = append(os.Environ(), "HOME="+t.TempDir())
	}
	return NewProcesses(o).(*processes)
}

// eventually polls for something that a process of the test does.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	end := time.Now().Add(20 * time.Second)
	for !holds() {
		if time.Now().After(end) {
			t.Fatalf("it never came true that %s", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func list(t *testing.T, p Processes) []Process {
	t.Helper()
	all, err := p.List()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// having are the listed processes whose command line holds a text.
func having(t *testing.T, p Processes, text string) []Process {
	t.Helper()
	return slices.DeleteFunc(list(t, p), func(x Process) bool { return !strings.Contains(x.Command, text) })
}

// start starts a command and ends what it leaves.
func start(t *testing.T, p *processes, line string) (int, <-chan Result) {
	t.Helper()
	pid, done, err := p.Start(Command{Line: line})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(-pid, syscall.SIGKILL) })
	return pid, done
}

// longSleep makes a number of seconds that no other test uses, to know its process by.
func longSleep(t *testing.T, n int) string {
	return fmt.Sprintf("%d.%d", 1000+n, os.Getpid())
}

func TestListShowsProgramsAndNotTheRuntime(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	sleep := "sleep " + longSleep(t, 1)
	pid, _ := start(t, p, sleep+"; true") // two commands: the shell stays beside the program
	eventually(t, "the program is listed", func() bool { return len(having(t, p, sleep)) > 0 })
	found := having(t, p, sleep)
	if len(found) != 1 || found[0].Command != sleep || found[0].Parent != pid || found[0].Started == 0 {
		t.Errorf("want only the program below the shell %d, got %+v", pid, found)
	}
	all := list(t, p)
	if !slices.IsSortedFunc(all, func(a, b Process) int { return a.PID - b.PID }) {
		t.Error("the list is not in the order of PIDs")
	}
	above := []int{os.Getpid(), os.Getppid(), pid}
	for _, x := range all {
		if slices.Contains(above, x.PID) {
			t.Errorf("%d is the runtime, its parent or its shell, and is listed: %s", x.PID, x.Command)
		}
		if x.Command == "" {
			t.Errorf("%d has no command line, and is listed", x.PID)
		}
	}
}

func TestListShowsAShellThatBecameTheProgram(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	sleep := "sleep " + longSleep(t, 2)
	pid, _ := start(t, p, "exec "+sleep)
	eventually(t, "the program is listed", func() bool {
		found := having(t, p, sleep)
		return len(found) == 1 && found[0].PID == pid
	})
}

func TestListHidesSubshellsOfACommand(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	sleep := "sleep " + longSleep(t, 3)
	start(t, p, "("+sleep+"; true) & ("+sleep+"; true)")
	eventually(t, "both programs are listed", func() bool { return len(having(t, p, sleep)) == 2 })
	for _, x := range having(t, p, sleep) {
		if x.Command != sleep {
			t.Errorf("a subshell is listed: %s", x.Command)
		}
	}
}

func TestListHidesHelpers(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	sleep := "sleep " + longSleep(t, 4)
	pid, _ := start(t, p, "exec "+sleep)
	eventually(t, "the program is listed", func() bool { return len(having(t, p, sleep)) == 1 })
	p.Hidden = []int{pid}
	if found := having(t, p, sleep); len(found) != 0 {
		t.Errorf("a hidden process is listed: %+v", found)
	}
}

func TestListOfDescendantsFollowsOrphans(t *testing.T) {
	p := testProcesses(t, ProcessOptions{Only: true})
	sleep := "sleep " + longSleep(t, 5)
	_, done := start(t, p, "setsid sh -c '"+sleep+" & '")
	<-done
	eventually(t, "the orphan is listed", func() bool { return len(having(t, p, sleep)) == 1 })
	orphan := having(t, p, sleep)[0]
	t.Cleanup(func() { syscall.Kill(orphan.PID, syscall.SIGKILL) })
	if orphan.Parent != os.Getpid() {
		t.Errorf("the orphan fell to %d", orphan.Parent)
	}
}

func TestListOfDescendantsHasNoOthers(t *testing.T) {
	p := testProcesses(t, ProcessOptions{Only: true})
	mine, other := "sleep "+longSleep(t, 8), "sleep "+longSleep(t, 9)
	pid, _ := start(t, p, "sh -c '"+mine+"; true'; true")
	start(t, p, other)
	eventually(t, "both programs are listed", func() bool {
		return slices.ContainsFunc(list(t, p), func(x Process) bool { return x.Command == mine }) && len(having(t, p, other)) == 1
	})
	p = testProcesses(t, ProcessOptions{Only: true})
	p.self = pid // as if the shell were the runtime
	if all := list(t, p); len(all) != 2 || all[1].Command != mine || all[1].Parent != all[0].PID || all[0].Parent != pid {
		t.Errorf("got %+v", all)
	}
}

func TestOrphansAreReapedAndOwnChildrenAreNot(t *testing.T) {
	p := testProcesses(t, ProcessOptions{Only: true})
	mine := exec.Command("sh", "-c", "exit 7")
	apart := exec.Command("sh", "-c", "exit 8")
	apart.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	for _, cmd := range []*exec.Cmd{mine, apart} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	note := filepath.Join(t.TempDir(), "pid")
	_, done := start(t, p, "sh -c 'sleep 0 & echo $! >"+note+"'")
	<-done
	text, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	orphan := strings.TrimSpace(string(text))
	state := func(pid string) byte {
		var r procReader
		e, _ := r.stat(pid)
		return e.state
	}
	for _, cmd := range []*exec.Cmd{mine, apart} {
		eventually(t, "a child has ended", func() bool { return state(strconv.Itoa(cmd.Process.Pid)) == 'Z' })
	}
	eventually(t, "the orphan is reaped", func() bool { list(t, p); return state(orphan) == 0 })
	for want, cmd := range map[int]*exec.Cmd{7: mine, 8: apart} {
		if cmd.Wait(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Errorf("the status of a child was stolen: %v", cmd.ProcessState)
		}
	}
}

func TestParseStat(t *testing.T) {
	e, ok := parseStat([]byte("42 (a) b (c) S 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 99 1\n"))
	if want := (entry{pid: 42, parent: 7, session: 9, state: 'S', started: 12345}); !ok || e != want {
		t.Errorf("got %+v, want %+v", e, want)
	}
	e, ok = parseStat([]byte("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 3 0 0\n"))
	if !ok || !e.kernel {
		t.Errorf("a kernel thread is not told: %+v", e)
	}
	for _, bad := range []string{"", "1", "1 (a", "1 (a)", "1 (a) S 1", "x (a) S 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 "} {
		if e, ok := parseStat([]byte(bad)); ok {
			t.Errorf("%q was read as %+v", bad, e)
		}
	}
}

func TestStartTellsTheEnd(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	name := filepath.Join(variable(p.Env, "HOME"), ".xsession-errors")
	if err := os.WriteFile(name, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, done := start(t, p, "echo out; echo err >&2; exit 3")
	r := <-done
	if r.Exit != 3 || r.Output != "out\nerr\n" || r.Cut != 0 {
		t.Errorf("got %+v", r)
	}
	if text, _ := os.ReadFile(name); string(text) != "before\nout\nerr\n" {
		t.Errorf("the file holds %q", text)
	}
	_, done = start(t, p, "kill -9 $$")
	if r := <-done; r.Exit != 128+9 || r.Output != "" {
		t.Errorf("got %+v", r)
	}
	_, done = start(t, p, "i=0; while [ $i -lt 2000 ]; do echo 0123456789é; i=$((i+1)); done")
	if r := <-done; len(r.Output) > startTail || len(r.Output) < startTail-4 || r.Cut != 2000*13-startTail || !strings.HasSuffix(r.Output, "9é\n") {
		t.Errorf("got %d bytes, %d cut", len(r.Output), r.Cut)
	}
}

func TestStartGivesASessionAndTheEnvironment(t *testing.T) {
	p := testProcesses(t, ProcessOptions{Errors: filepath.Join(t.TempDir(), "errors")})
	p.Env = append(p.Env, "A=run", "B=run")
	pid, done, err := p.Start(Command{Line: `echo $A $B; cut -d' ' -f6 /proc/$$/stat`, Env: []string{"B=own"}})
	if err != nil {
		t.Fatal(err)
	}
	if r := <-done; r.Output != fmt.Sprintf("run own\n%d\n", pid) {
		t.Errorf("got %q", r.Output)
	}
}

func TestStartWithoutAPlaceForOutput(t *testing.T) {
	for _, env := range [][]string{{"HOME="}, {"HOME=/proc/nowhere"}} {
		_, _, err := testProcesses(t, ProcessOptions{Env: env}).Start(Command{Line: "true"})
		if err == nil || !strings.Contains(err.Error(), "set HOME") {
			t.Errorf("%v: got %v", env, err)
		}
	}
}

func TestRun(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	for _, c := range []struct {
		line, output string
		exit         int
	}{
		{"echo a; echo b >&2", "a\nb\n", 0},
		{"exit 5", "", 5},
		{"kill -TERM $$", "", 128 + 15},
		{"exec /nowhere/at-all 2>/dev/null", "", 127},
		{"exec /etc/passwd 2>/dev/null", "", 126},
		{"cat", "", 0}, // there is nothing to read
	} {
		r, err := p.Run(t.Context(), Command{Line: c.line, Limit: 100}, time.Minute)
		if err != nil || r.Exit != c.exit || r.Output != c.output || r.Cut != 0 {
			t.Errorf("%s: got %+v, %v", c.line, r, err)
		}
	}
	r, err := p.Run(t.Context(), Command{Line: "echo kept"}, 0)
	text, _ := os.ReadFile(filepath.Join(variable(p.Env, "HOME"), ".xsession-errors"))
	if err != nil || r.Output != "kept\n" || string(text) != "kept\n" {
		t.Errorf("without a limit of bytes: %+v, %v, the file holds %q", r, err, text)
	}
}

func TestRunEndsWithItsCommand(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	dir := t.TempDir()
	// What stays behind holds the pipe, and must not be ended by writing into it.
	line := "(read x <" + dir + "/go; echo late; echo on >" + dir + "/on) & echo $!; i=0; while [ $i -lt 3000 ]; do echo 0123456789; i=$((i+1)); done"
	if err := syscall.Mkfifo(dir+"/go", 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(t.Context(), Command{Line: line, Limit: 1 << 20}, time.Minute)
	if err != nil || r.Exit != 0 || strings.Count(r.Output, "0123456789\n") != 3000 || strings.Contains(r.Output, "late") {
		t.Fatalf("exit %d, %d bytes, %v", r.Exit, len(r.Output), err)
	}
	if err := os.WriteFile(dir+"/go", []byte("\n"), 0); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what stayed behind goes on", func() bool { _, err := os.Stat(dir + "/on"); return err == nil })
}

func TestRunKeepsBothEnds(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	r, err := p.Run(t.Context(), Command{Line: "echo begin; head -c 300000 /dev/zero | tr '\\0' x; echo; echo end", Limit: 1000}, time.Minute)
	if err != nil || !strings.HasPrefix(r.Output, "begin\nxxx") || !strings.HasSuffix(r.Output, "xxx\nend\n") {
		t.Fatalf("got %q, %v", r.Output, err)
	}
	if r.Cut != 6+300001+4-1000 || !strings.Contains(r.Output, fmt.Sprintf("\n… %d bytes cut …\n", r.Cut)) {
		t.Errorf("%d bytes cut: %q", r.Cut, r.Output)
	}
}

func TestOutputIsRedactedBeforeItIsCut(t *testing.T) {
	p := testProcesses(t, ProcessOptions{Secrets: newSecrets(t, secret("hunter22-tiger44"))})
	const line = "i=0; while [ $i -lt 2000 ]; do printf hunter22-tiger44; i=$((i+1)); done"
	for limit := 100; limit < 116; limit++ {
		r, err := p.Run(t.Context(), Command{Line: line, Limit: limit}, 0)
		if err != nil || strings.Contains(r.Output, "hunt") || strings.Contains(r.Output, "r44") || r.Cut == 0 {
			t.Fatalf("got %+v, %v", r, err)
		}
	}
	_, done := start(t, p, line)
	if r := <-done; strings.Contains(r.Output, "hunt") || strings.Contains(r.Output, "r44") || len(r.Output) != startTail || r.Cut == 0 {
		t.Fatalf("got %+v", r)
	}
	if r, err := p.Run(t.Context(), Command{Line: "printf hunter22", Limit: 100}, 0); err != nil || r.Output != "hunter22" {
		t.Errorf("what was no secret in the end is %q", r.Output)
	}
}

func TestRunIsKilledWithAllItStarted(t *testing.T) {
	p := testProcesses(t, ProcessOptions{Only: true})
	sleep := "sleep " + longSleep(t, 6)
	line := "echo begun; " + sleep + " & " + sleep
	r, err := p.Run(t.Context(), Command{Line: line, Limit: 100}, 200*time.Millisecond)
	var fault *Fault
	if !errors.As(err, &fault) || fault.Class != ClassTimeout || r.Exit != 128+9 {
		t.Errorf("got %+v, %v", r, err)
	}
	eventually(t, "nothing is left", func() bool { return len(having(t, p, sleep)) == 0 })

	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		for all := 0; all < 2; {
			<-time.After(5 * time.Millisecond)
			found, _ := p.List()
			all = len(slices.DeleteFunc(found, func(x Process) bool { return x.Command != sleep }))
		}
		cancel(errors.New("time is over"))
	}()
	r, err = p.Run(ctx, Command{Line: line, Limit: 100}, time.Minute)
	if !errors.As(err, &fault) || fault.Class != ClassDeadline || !strings.Contains(err.Error(), "time is over") || r.Output != "begun\n" {
		t.Errorf("got %+v, %v", r, err)
	}
	eventually(t, "nothing is left", func() bool { return len(having(t, p, sleep)) == 0 })

	cause := Faultf(ClassFocus, "own cause")
	stopped, stop := context.WithCancelCause(t.Context())
	stop(cause)
	if _, err := p.Run(stopped, Command{Line: "echo", Limit: 1}, 0); err != error(cause) {
		t.Errorf("got %v", err)
	}
}

func TestStop(t *testing.T) {
	p := testProcesses(t, ProcessOptions{Only: true})
	soft := "sleep " + longSleep(t, 7)
	start(t, p, "exec "+soft)
	eventually(t, "it runs", func() bool { return len(having(t, p, soft)) == 1 })
	if err := p.Stop(t.Context(), having(t, p, soft), time.Minute); err != nil {
		t.Fatal(err)
	}
	if left := having(t, p, soft); len(left) != 0 {
		t.Errorf("still there: %+v", left)
	}
}

func TestStopKillsWhatDoesNotHeed(t *testing.T) {
	p := testProcesses(t, ProcessOptions{Only: true})
	cmd := exec.Command("sh", "-c", "trap '' TERM; echo ready; while :; do read x; done")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, _ := cmd.StdoutPipe()
	in, _ := cmd.StdinPipe()
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	bufio.NewReader(out).ReadString('\n')
	which := slices.DeleteFunc(list(t, p), func(x Process) bool { return x.PID != cmd.Process.Pid })
	if len(which) != 1 {
		t.Fatalf("got %+v", which)
	}
	other := which[0]
	other.Started++
	if err := p.Stop(t.Context(), []Process{other}, 0); err != nil {
		t.Errorf("a process whose number was given anew: %v", err)
	}
	if left := list(t, p); !slices.Contains(left, which[0]) {
		t.Fatal("another process than the one meant was hit")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var fault *Fault
	if err := p.Stop(ctx, which, time.Minute); !errors.As(err, &fault) || fault.Class != ClassDeadline || !strings.Contains(err.Error(), strconv.Itoa(other.PID)) {
		t.Errorf("with the time over: %v", err)
	}
	if err := p.Stop(t.Context(), which, 20*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if left := list(t, p); slices.Contains(left, which[0]) {
		t.Error("it is still there")
	}
}

func TestStopOfNothing(t *testing.T) {
	p := testProcesses(t, ProcessOptions{})
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(t.Context(), []Process{{PID: gone.Process.Pid, Started: 1}}, time.Minute); err != nil {
		t.Error(err)
	}
	if err := p.Stop(t.Context(), nil, time.Minute); err != nil {
		t.Error(err)
	}
}

func BenchmarkList(b *testing.B) {
	p := NewProcesses(ProcessOptions{Env: []string{"HOME=" + b.TempDir()}})
	for range 300 {
		cmd := exec.Command("sleep", "1000")
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	}
	b.ReportAllocs()
	for b.Loop() {
		all, err := p.List()
		if err != nil || len(all) < 300 {
			b.Fatal(len(all), err)
		}
	}
}
