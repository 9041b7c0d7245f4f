package collect_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"asz/native/claudecode"
	"asz/native/cli"
	"asz/native/store"
)

// TestMain lets the test's own binary be the processes that are killed: under the names of these programs it is them.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"asz":  func() { os.Exit(cli.Main(os.Args[1:], cli.System())) },
		"peak": peak,
		"dies": dies,
	})
}

// peak is asz that tells at the end how many KB of memory it had at most.
func peak() {
	exit := cli.Main(os.Args[1:], cli.System())
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			fmt.Print(line)
		}
	}
	os.Exit(exit)
}

// dies collects from one directory into another and is killed at a sync or rename: `dies N SOURCE ROOT`. An odd N kills it
// before the one of that number, an even one behind it.
func dies() {
	n, _ := strconv.Atoi(os.Args[1])
	o := options(store.Disk(), os.Args[2], &mortal{store.Disk(), n}, os.Args[3])
	o.MaxDelta = 250
	if _, err := settle(o); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// mortal is a disk that counts down to the end of the process.
type mortal struct {
	store.FS
	left int
}

func (m *mortal) at(do func() error) error {
	for range 2 {
		if m.left--; m.left == 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		if do != nil {
			if err := do(); err != nil {
				return err
			}
			do = nil
		}
	}
	return nil
}

func (m *mortal) Rename(from, to string) error {
	return m.at(func() error { return m.FS.Rename(from, to) })
}

func (m *mortal) SyncDir(name string) error {
	return m.at(func() error { return m.FS.SyncDir(name) })
}

func (m *mortal) Create(name string) (store.Writer, error) {
	w, err := m.FS.Create(name)
	return mortalWriter{w, m}, err
}

func (m *mortal) Append(name string, from int64) (store.Writer, error) {
	w, err := m.FS.Append(name, from)
	return mortalWriter{w, m}, err
}

type mortalWriter struct {
	store.Writer
	m *mortal
}

func (w mortalWriter) Sync() error { return w.m.at(w.Writer.Sync) }

// ground is a source root and a storage root on the real disk, with settings for the binary.
type ground struct {
	*testing.T
	dir, src, root string
}

func newGround(t *testing.T) *ground {
	t.Helper()
	t.Parallel()
	dir := t.TempDir()
	g := &ground{t, dir, filepath.Join(dir, "src"), filepath.Join(dir, "root")}
	g.must(os.Mkdir(g.src, 0o755))
	return g
}

func (g *ground) must(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

func (g *ground) write(rel, text string) {
	g.Helper()
	name := filepath.Join(g.src, rel)
	g.must(os.MkdirAll(filepath.Dir(name), 0o755))
	g.must(os.WriteFile(name, []byte(text), 0o644))
}

// settings writes asz.yaml.
func (g *ground) settings(delta int) {
	g.Helper()
	text := fmt.Sprintf("storage: { root: %q }\nadapters:\n  - { name: claude-code-local, source_root: %q, collector: { max_delta_bytes: %d } }\n", g.root, g.src, delta)
	g.must(os.WriteFile(filepath.Join(g.dir, "asz.yaml"), []byte(text), 0o644))
}

// program is the test's binary under another name.
func (g *ground) program(name string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	g.Helper()
	binary, err := os.Executable()
	g.must(err)
	out := new(bytes.Buffer)
	return &exec.Cmd{Path: binary, Args: append([]string{name}, args...), Dir: g.dir, Stdout: out, Stderr: out}, out
}

// collect runs the binary and checks its exit code.
func (g *ground) collect(exit int) string {
	g.Helper()
	c, out := g.program("asz", "collect", "-once")
	c.Run()
	if got := c.ProcessState.ExitCode(); got != exit {
		g.Fatalf("exit %d, not %d: %s", got, exit, out)
	}
	return out.String()
}

func (g *ground) whole(root string) {
	g.Helper()
	r := &store.Root{FS: store.Disk(), Dir: root}
	by := map[string][]want{}
	all, err := wants(store.Disk(), claudecode.Discover(store.Disk(), g.src, claudecode.Filter{}).Sources)
	g.must(err)
	for _, w := range all {
		by[w.Session] = append(by[w.Session], w)
	}
	if len(by) == 0 {
		g.Fatal("there is no session")
	}
	for id, of := range by {
		if err := whole(r, id, of); err != nil {
			g.Fatal(err)
		}
	}
	g.must(filepath.WalkDir(root, func(name string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(filepath.Base(name), ".tmp-") {
			err = errors.New(name + " is left")
		}
		return err
	}))
}

// TestKilledAtEverySync kills a process before and behind each sync and each rename.
func TestKilledAtEverySync(t *testing.T) {
	g := newGround(t)
	g.settings(250)
	g.write(mainRel, records("m", 1, 5)+"{")
	g.write(childRel, records("c", 1, 2))
	g.write(sideRel, `{"description":"one"}`)
	stride := 5 // odd: before and behind by turns
	if *everyCrash {
		stride = 1
	}
	kills := 0
	for n := 1; ; n += stride {
		g.must(os.RemoveAll(g.root))
		c, out := g.program("dies", strconv.Itoa(n), g.src, g.root)
		err := c.Run()
		var exit *exec.ExitError
		if err == nil {
			break
		}
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("%v: %s", err, out)
		}
		kills++
		g.collect(0)
		g.whole(g.root)
	}
	if kills < 12 {
		t.Errorf("only %d kills", kills)
	}
	t.Log(kills, "kills")
}

// TestKilledAtRandom kills the binary again and again until it comes to the end.
func TestKilledAtRandom(t *testing.T) {
	g := newGround(t)
	g.settings(50_000)
	if _, err := (claudecode.History{Seed: 3, Sessions: 8, Bytes: 3e6}).Write(store.Disk(), g.src); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for range 40 {
		c, out := g.program("asz", "collect", "-once")
		g.must(c.Start())
		timer := time.AfterFunc(time.Duration(5+random.IntN(60))*time.Millisecond, func() { c.Process.Kill() })
		err := c.Wait()
		if !timer.Stop() && err != nil {
			kills++
			continue
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		break
	}
	g.collect(0)
	g.whole(g.root)
	t.Log(kills, "kills")
}

// TestTwoProcesses has several on one root at once.
func TestTwoProcesses(t *testing.T) {
	g := newGround(t)
	g.settings(100_000)
	if _, err := (claudecode.History{Seed: 4, Sessions: 12, Bytes: 2e6}).Write(store.Disk(), g.src); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 3 {
		c, out := g.program("asz", "collect", "-once")
		g.must(c.Start())
		wait.Go(func() {
			c.Wait()
			if exit := c.ProcessState.ExitCode(); exit != 0 && (exit != 1 || !strings.Contains(out.String(), "another process works on it")) {
				t.Errorf("exit %d: %s", exit, out)
			}
		})
	}
	wait.Wait()
	g.collect(0)
	g.whole(g.root)
}

// TestBusy holds one session: the other lands.
func TestBusy(t *testing.T) {
	g := newGround(t)
	g.settings(1000)
	g.write(mainRel, records("m", 1, 2))
	g.write(otherRel, records("o", 1, 2))
	root := &store.Root{FS: store.Disk(), Dir: g.root}
	p, err := root.Session(sessionA).Lock()
	g.must(err)
	out := g.collect(1)
	if !strings.Contains(out, "landed=1 ") || !strings.Contains(out, "busy=1 ") || !strings.Contains(out, "note: "+sessionA) {
		t.Error(out)
	}
	g.must(p.Close())
	if out := g.collect(0); !strings.Contains(out, "landed=1 ") || !strings.Contains(out, "busy=0 ") {
		t.Error(out)
	}
	g.whole(g.root)
}

// TestMemory holds the binary to 64 MB and three times the longest line, with two sessions that have one at the same time.
func TestMemory(t *testing.T) {
	g := newGround(t)
	g.settings(2 << 20)
	const longest = 21e6
	long := `{"uuid":"x","type":"user","message":{"content":[ {"type":"text","text":"` + strings.Repeat(`x\n`, longest/3) + "\"} ]}}\n"
	g.write(mainRel, records("m", 1, 5000)+long+record("m", 2)+long+record("m", 3))
	g.write(otherRel, long+records("o", 1, 5000)+long)
	for _, lost := range []string{"", "*/streams/*/*.cursor", "*/index/*"} {
		if lost != "" {
			names, err := filepath.Glob(filepath.Join(g.root, lost))
			g.must(err)
			for _, name := range names {
				g.must(os.Remove(name))
			}
		}
		c, out := g.program("peak", "collect", "-once")
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		_, text, _ := strings.Cut(out.String(), "VmHWM:")
		var kb int64
		fmt.Sscan(text, &kb)
		if most := int64(64e3 + 3*longest/1e3); kb == 0 || kb > most {
			t.Errorf("without %q: %d KB of %d", lost, kb, most)
		}
	}
	g.whole(g.root)
}

// mounted runs a shell script in which filesystems may be mounted; nobody else sees them. $ASZ is the binary.
func (g *ground) mounted(script string) string {
	g.Helper()
	binary, err := os.Executable()
	g.must(err)
	asz := filepath.Join(g.dir, "asz")
	g.must(os.Symlink(binary, asz))
	g.must(os.Mkdir(g.root, 0o755))
	for _, flags := range []uintptr{syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER, syscall.CLONE_NEWNS} {
		c := exec.CommandContext(context.Background(), "sh", "-c", "mount -t tmpfs -o size=1m x "+g.root+" || exit 77\n"+script)
		c.Dir = g.dir
		c.Env = append(os.Environ(), "ASZ="+asz+" collect -once", "ROOT="+g.root)
		c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
		if flags&syscall.CLONE_NEWUSER != 0 {
			c.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
			c.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
		} else {
			c.SysProcAttr.Unshareflags = syscall.CLONE_NEWNS // makes the mounts private
		}
		out, err := c.CombinedOutput()
		if err == nil {
			return string(out)
		}
		g.Logf("%v: %s", err, out)
	}
	g.Skip("nothing can be mounted here")
	return ""
}

// TestFullDisk fills a small disk and goes on when there is room.
func TestFullDisk(t *testing.T) {
	g := newGround(t)
	g.settings(100_000)
	if _, err := (claudecode.History{Seed: 5, Sessions: 12, Bytes: 3e6}).Write(store.Disk(), g.src); err != nil {
		t.Fatal(err)
	}
	out := g.mounted(`$ASZ; echo exit=$?; cp -R $ROOT full; mount -o remount,size=64m $ROOT; $ASZ; echo exit=$?; cp -R $ROOT after`)
	first, second, _ := strings.Cut(out, "exit=1\n")
	if !strings.Contains(first, "no space left on device") || !strings.HasSuffix(second, "exit=0\n") || strings.Contains(first, "goroutine") || strings.Count(first, "\n") > 20 {
		t.Error(out)
	}
	all, err := wants(store.Disk(), claudecode.Discover(store.Disk(), g.src, claudecode.Filter{}).Sources)
	g.must(err)
	by := map[string][]want{}
	for _, w := range all {
		by[w.Session] = append(by[w.Session], w)
	}
	for id, of := range by {
		if err := sound(&store.Root{FS: store.Disk(), Dir: filepath.Join(g.dir, "full")}, id, of); err != nil {
			t.Error(err)
		}
	}
	g.whole(filepath.Join(g.dir, "after"))
}

// TestReadOnly has a root that was landed in part on a mount that nothing can be written to.
func TestReadOnly(t *testing.T) {
	g := newGround(t)
	g.settings(100_000)
	for n := range 12 {
		g.write(fmt.Sprintf("-work-p/0d4f1c52-0000-4000-8000-%012d.jsonl", n), records("m", 1, 3))
	}
	out := g.mounted(`mount -o remount,ro $ROOT; $ASZ; echo exit=$?; mount -o remount,rw $ROOT; $ASZ; echo exit=$?;
mount -o remount,ro $ROOT; $ASZ; echo exit=$?; cp -R $ROOT after`)
	parts := strings.Split(out, "exit=")
	if len(parts) != 4 || !strings.Contains(parts[0], "read-only file system") || strings.Count(parts[0], "\n") > 12 ||
		!strings.HasPrefix(parts[1], "1\n") || !strings.HasPrefix(parts[2], "0\n") || !strings.HasPrefix(parts[3], "1\n") {
		t.Error(out)
	}
	g.whole(filepath.Join(g.dir, "after"))
}
