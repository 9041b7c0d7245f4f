package x11

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// When a runtime dies, its programs go first, tops of trees before what is below, then manager, buses and server.
func TestTeardown(t *testing.T) {
	t.Parallel()
	k := &desk{t: t, ctx: t.Context(), home: t.TempDir(), env: os.Environ()}
	g, err := StartGuardian(t.Context(), GuardCommand())
	if err != nil {
		t.Fatal(err)
	}
	log := k.file("ended", "")
	// Each notes its end; a child of the program leaves its session, another has no parent any more, one ignores TERM.
	say := func(name, rest string) string {
		return fmt.Sprintf(`trap 'echo %s >> ended; kill $! 2>/dev/null; exit' TERM; echo ready >&3; %s sleep 100 & wait`, name, rest)
	}
	start := func(name, script string, env ...string) int {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		c := exec.Command("sh", "-c", script)
		c.ExtraFiles, c.Env = []*os.File{w}, env
		k.runSession(c)
		w.Close()
		if line, err := bufio.NewReader(r).ReadString('\n'); err != nil || line != "ready\n" {
			t.Fatal(name, line, err)
		}
		return c.Process.Pid
	}
	server := start("server", say("server", ""))
	bus := start("bus", say("bus", ""))
	manager := start("manager", say("manager", ""))
	program := start("program", `setsid sh -c 'trap "echo below >> ended; exit" TERM; echo $$ > below.pid; sleep 100 & wait' & while ! test -s below.pid; do sleep 0.01; done; trap 'echo program >> ended; exit' TERM; echo ready >&3; wait`)
	stray := start("stray", `trap '' TERM; echo ready >&3; while :; do sleep 100; done`, "ASZ_RUN="+g.Token(), "PATH="+os.Getenv("PATH"))
	other := start("other", say("other", ""))
	for _, o := range []struct {
		role Role
		pid  int
	}{{RoleServer, server}, {RoleBus, bus}, {RoleManager, manager}, {RoleProgram, program}, {RoleProgram, other}} {
		if err := g.Own(o.role, o.pid); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Disown(other); err != nil {
		t.Fatal(err)
	}
	below, err := strconv.Atoi(strings.TrimSpace(read(t, k.home+"/below.pid")))
	if err != nil {
		t.Fatal(err)
	}
	g.to.Close() // as the kernel does it for a runtime that was killed
	g.process.Wait()

	for _, pid := range []int{server, bus, manager, program, stray, below} {
		if p, err := readProcess(pid); err == nil && !p.zombie {
			t.Errorf("process %d lives", pid)
		}
	}
	if p, err := readProcess(other); err != nil || p.zombie {
		t.Error("a process that was disowned has ended")
	}
	want := []string{"program", "below", "manager", "bus", "server"}
	if got := strings.Fields(read(t, log)); !slices.Equal(got, want) {
		t.Errorf("ended: %v, want %v", got, want)
	}
}

// runSession starts a program in a session of its own, and reaps it.
func (k *desk) runSession(c *exec.Cmd) {
	k.t.Helper()
	c.Dir = k.home
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() {
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
	})
}

// A guardian keeps nothing open that it was not given, so that pipes of the runtime's parents end.
func TestGuardianClosesInherited(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := exec.Command(os.Args[0], "guard")
	c.ExtraFiles = []*os.File{w}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Error("the pipe goes on")
	}
	in.Close()
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}
