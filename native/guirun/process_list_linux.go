package guirun

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"syscall"
)

// entry is what /proc/PID/stat says of a process.
type entry struct {
	pid, parent, session int
	state                byte
	kernel               bool // a thread of the kernel
	started              uint64

	inode    uint64 // of /proc/PID, which no later process of that number has
	stranger bool   // was seen with another parent than this process
}

func (e *entry) ended() bool { return e.state == 'Z' || e.state == 'X' }

// procReader reads files of /proc. It goes past os.File, whose polling and finalizer cost more than the reading.
type procReader struct{ buf []byte }

func (r *procReader) read(path string) ([]byte, error) {
	fd, err := open(path)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	if r.buf == nil {
		r.buf = make([]byte, 16<<10)
	}
	n := 0
	for {
		k, err := syscall.Read(fd, r.buf[n:])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, err
		}
		if n += k; n < len(r.buf) { // /proc fills what it is given, as far as the text goes
			return r.buf[:n], nil
		}
		r.buf = slices.Grow(r.buf, n)[:2*n]
	}
}

func open(path string) (int, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err != syscall.EINTR {
			return fd, err
		}
	}
}

// stat reads the entry of a process.
func (r *procReader) stat(pid string) (entry, bool) {
	text, err := r.read("/proc/" + pid + "/stat")
	if err != nil {
		return entry{}, false
	}
	return parseStat(text)
}

// parseStat reads the fields that count here: see proc_pid_stat(5).
func parseStat(text []byte) (e entry, ok bool) {
	pid, rest, _ := bytes.Cut(text, []byte(" "))
	name := bytes.LastIndexByte(rest, ')') // the name may hold anything, brackets too
	if name < 0 {
		return e, false
	}
	e.pid, _ = strconv.Atoi(string(pid))
	rest = rest[name+1:]
	for field := 3; field <= 22; field++ {
		rest = bytes.TrimLeft(rest, " ")
		end := bytes.IndexByte(rest, ' ')
		if end <= 0 {
			return e, false
		}
		value := rest[:end]
		rest = rest[end:]
		switch field {
		case 3:
			e.state = value[0]
		case 4:
			e.parent, _ = strconv.Atoi(string(value))
		case 6:
			e.session, _ = strconv.Atoi(string(value))
		case 9:
			const kernelThread = 0x00200000
			flags, _ := strconv.ParseUint(string(value), 10, 64)
			e.kernel = flags&kernelThread != 0
		case 22:
			var err error
			e.started, err = strconv.ParseUint(string(value), 10, 64)
			return e, err == nil && e.pid > 0
		}
	}
	return e, false
}

// commandLine reads the command line of a process, a blank between words; "" when it has none or is gone.
func (r *procReader) commandLine(pid int) string {
	text, err := r.read("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return ""
	}
	text = bytes.TrimRight(text, "\x00")
	for i, c := range text {
		if c == 0 {
			text[i] = ' '
		}
	}
	return string(text)
}

// table is all that runs, by PID.
type table struct {
	entries []entry
	index   map[int]int
}

// table looks at all that runs. What an earlier table says of the same process is taken from there, as reading is dear:
// only the parent may have changed, when the earlier one has ended, and the state, which listing finds out.
func (p *processes) table(before *table) (*table, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	names, err := dir.Readdirnames(-1)
	dir.Close()
	if err != nil {
		return nil, err
	}
	t := &table{entries: make([]entry, 0, len(names)), index: make(map[int]int, len(names))}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		var info syscall.Stat_t
		if syscall.Lstat("/proc/"+name, &info) != nil {
			continue
		}
		if i, ok := before.index[pid]; ok && before.entries[i].inode == info.Ino {
			t.entries = append(t.entries, before.entries[i])
		} else if e, ok := p.reader.stat(name); ok {
			e.inode = info.Ino
			t.entries = append(t.entries, e)
		}
	}
	slices.SortFunc(t.entries, func(a, b entry) int { return a.pid - b.pid })
	for i := range t.entries {
		t.index[t.entries[i].pid] = i
	}
	for i := range t.entries {
		e := &t.entries[i]
		was, known := before.index[e.parent]
		if now, ok := t.index[e.parent]; e.parent != 0 && (!ok || known && t.entries[now].inode != before.entries[was].inode) {
			p.again(e)
		}
	}
	return t, nil
}

// again reads an entry anew, and notes that a process was a stranger's child.
func (p *processes) again(e *entry) {
	now, ok := p.reader.stat(strconv.Itoa(e.pid))
	if !ok || now.started != e.started {
		e.state = 'X'
		return
	}
	now.inode, now.stranger = e.inode, e.stranger || e.parent != p.self
	*e = now
}

// ancestors are a process and those above it.
func (t *table) ancestors(pid int) map[int]bool {
	out := map[int]bool{}
	for pid > 0 && !out[pid] {
		out[pid] = true
		i, ok := t.index[pid]
		if !ok {
			break
		}
		pid = t.entries[i].parent
	}
	return out
}

// below says for each entry whether it descends from a process.
func (t *table) below(pid int) []bool {
	const no, yes = 1, 2
	known := make([]uint8, len(t.entries))
	var way []int
	for i := range t.entries {
		way = way[:0]
		verdict := uint8(no)
		for at, steps := i, 0; steps <= len(t.entries); steps++ {
			if known[at] != 0 {
				verdict = known[at]
				break
			}
			way = append(way, at)
			if t.entries[at].parent == pid {
				verdict = yes
				break
			}
			next, ok := t.index[t.entries[at].parent]
			if !ok {
				break
			}
			at = next
		}
		for _, at := range way {
			known[at] = verdict
		}
	}
	out := make([]bool, len(known))
	for i, verdict := range known {
		out[i] = verdict == yes
	}
	return out
}

// List implements Processes.
func (p *processes) List() ([]Process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, err := p.table(&p.known)
	if err != nil {
		return nil, err
	}
	p.known = *t
	below, above := t.below(p.self), t.ancestors(p.self)
	out := make([]Process, 0, len(t.entries))
	for i := range t.entries {
		e := &t.entries[i]
		if e.kernel || above[e.pid] || p.Only && !below[i] {
			continue
		}
		command := p.reader.commandLine(e.pid)
		if command == "" { // it has ended
			p.again(e)
			if below[i] {
				p.reap(e)
			}
			continue
		}
		if slices.Contains(p.Hidden, e.pid) || below[i] && p.helper(command) {
			continue
		}
		if parent, ok := t.index[e.parent]; ok && t.entries[parent].ended() {
			p.again(e)
		}
		out = append(out, Process{PID: e.pid, Parent: e.parent, Started: e.started, Command: command})
	}
	return out, nil
}

// helper says that a descendant is a shell that runs a command of the run, or a child that has not begun its program yet.
// A shell may have become the program that it was told to run, which counts as a program.
func (p *processes) helper(command string) bool { return p.shells[command] || command == p.command }

// reap takes away an ended orphan, whose parent this process has become, and leaves alone the children that something here
// waits for: those have the session of this process or one of their own, by which an orphan can be told, or it was seen
// when it still had another parent.
func (p *processes) reap(e *entry) {
	if e.ended() && e.parent == p.self && (e.stranger || e.session != p.session && e.session != e.pid) {
		syscall.Wait4(e.pid, nil, syscall.WNOHANG, nil)
	}
}
