package x11

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is one that runs, as /proc tells.
type process struct {
	pid, parent, session int
	started              uint64 // clock ticks since boot: with pid, which process it is
	zombie               bool
}

type identity struct {
	pid     int
	started uint64
}

func (p process) identity() identity { return identity{p.pid, p.started} }

func readProcess(pid int) (p process, err error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, err
	}
	// The name, in parentheses, may hold anything.
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 20 {
		return p, errors.New("not understood")
	}
	p.pid = pid
	p.zombie = fields[0][0] == 'Z' || fields[0][0] == 'X'
	p.parent, _ = strconv.Atoi(string(fields[1]))
	p.session, _ = strconv.Atoi(string(fields[3]))
	p.started, _ = strconv.ParseUint(string(fields[19]), 10, 64)
	return p, nil
}

// processes are those that run, without zombies, by pid.
func processes() []process {
	entries, _ := os.ReadDir("/proc")
	var all []process
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if p, err := readProcess(pid); err == nil && !p.zombie {
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, func(a, b process) int { return a.pid - b.pid })
	return all
}

// owned is a process that ends with the run.
type owned struct {
	role    Role
	pid     int
	started uint64
}

// family is who belongs to a run.
type family struct {
	self, runtime int
	token         string
	owned         []owned
	seen          map[identity]Role // descendants of owned processes: some leave their parents and sessions
}

func (f *family) disown(pid int) {
	f.owned = slices.DeleteFunc(f.owned, func(o owned) bool { return o.pid == pid })
}

// look remembers the descendants of what is owned.
func (f *family) look() {
	if len(f.owned) == 0 {
		return
	}
	all := processes()
	roles := f.roles(all)
	f.seen = map[identity]Role{}
	for _, p := range all {
		if r := roles[p.pid]; r != "" {
			f.seen[p.identity()] = r
		}
	}
}

// members are the living processes of a role.
func (f *family) members(role Role) []process {
	all := processes()
	roles := f.roles(all)
	return slices.DeleteFunc(all, func(p process) bool { return roles[p.pid] != role })
}

// roles finds who belongs to the run: those owned, their sessions and descendants, also those that have left since they
// were seen, and as programs all that bear the mark.
func (f *family) roles(all []process) map[int]Role {
	in, sessions := map[int]Role{}, map[int]Role{}
	for _, p := range all {
		for _, o := range f.owned {
			if o.pid == p.pid && o.started == p.started {
				in[p.pid] = o.role
				if p.session == p.pid {
					sessions[p.pid] = o.role
				}
			}
		}
	}
	set := func(p process, r Role) bool {
		if r == "" || in[p.pid] != "" || p.pid == f.self || p.pid == f.runtime {
			return false
		}
		in[p.pid] = r
		return true
	}
	descend := func() {
		for grown := true; grown; {
			grown = false
			for _, p := range all {
				grown = set(p, in[p.parent]) || set(p, sessions[p.session]) || set(p, f.seen[p.identity()]) || grown
			}
		}
	}
	descend()
	for _, p := range all {
		if in[p.pid] == "" && f.marked(p.pid) {
			set(p, RoleProgram)
		}
	}
	descend()
	return in
}

func (f *family) marked(pid int) bool {
	if f.token == "" {
		return false
	}
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(environment, []byte("ASZ_RUN="+f.token))
}

// How long a process may take to end by itself, and how often it is looked at.
const (
	graceTime = 2 * time.Second
	// A window manager has nothing to save, and may be deaf for seconds: it takes all its keys anew after each change of the
	// keyboard map.
	managerGrace = 200 * time.Millisecond
	killTime     = 5 * time.Second // then it cannot be killed
)

// tearDown ends all that is owned, role by role.
func (f *family) tearDown() {
	if len(f.owned) == 0 {
		return
	}
	f.look()
	for _, role := range []Role{RoleProgram, RoleManager, RoleBus, RoleServer} {
		f.end(role)
	}
	f.owned = nil
}

// serverSockets is where X servers have their sockets, which one that is killed leaves behind.
const serverSockets = "/tmp/.X11-unix/X"

// discard removes a folder, or the socket of a server that has ended.
func discard(path string) error {
	if !strings.HasPrefix(path, serverSockets) {
		return os.RemoveAll(path)
	}
	// Whoever listens at the same name outside the file system has the number: no other server can come meanwhile.
	number, err := net.Listen("unix", "@"+path)
	if err != nil {
		return nil // another server has it already
	}
	defer number.Close()
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// end sends TERM to the top of each tree, and below only where the top has gone; KILL after the grace.
func (f *family) end(role Role) {
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	began, grace := time.Now(), graceTime
	if role == RoleManager {
		grace = managerGrace
	}
	told := map[identity]bool{}
	for {
		living := f.members(role)
		waited := time.Since(began)
		if len(living) == 0 || waited > grace+killTime {
			return
		}
		for _, p := range living {
			switch below := slices.ContainsFunc(living, func(q process) bool { return q.pid == p.parent }); {
			case waited > grace:
				syscall.Kill(p.pid, syscall.SIGKILL)
			case !below && !told[p.identity()]:
				told[p.identity()] = true
				syscall.Kill(p.pid, syscall.SIGTERM)
				syscall.Kill(p.pid, syscall.SIGCONT) // a stopped one could not hear it
			}
		}
		<-poll.C
	}
}
