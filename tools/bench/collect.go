package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"text/tabwriter"
	"time"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/store"
)

// collecting prints what it takes to land histories: made ones of 1 GB in 1,000 sessions and of 200 MB in one, and those
// that lie beside the project.
func collecting(ctx context.Context, out io.Writer, root string) error {
	dir, err := os.MkdirTemp("", "asz-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	asz := filepath.Join(dir, "asz")
	if err := goTool(ctx, root, nil, "build", "-trimpath", "-o", asz, "./native"); err != nil {
		return err
	}
	histories := made()
	beside, err := filepath.Glob(filepath.Join(root, "..", "shared", "data", "claude-code", "*"))
	if err != nil {
		return err
	}
	for _, name := range beside {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			histories = append(histories, history{name: filepath.Base(name), dir: name})
		}
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\ncollect\tMB\tlines\tfiles\tone core MB/s\ts\tof it fsync s\tCPU s\ttwo cores MB/s\ts\tof it fsync s\tnothing new ms\tpeak MB\t")
	for i, h := range histories {
		if err := h.measure(ctx, t, asz, filepath.Join(dir, fmt.Sprint(i))); err != nil {
			return fmt.Errorf("%s: %w", h.name, err)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "\nMB of source with a warm cache; rates are of the time outside fsync; the peak is that of the whole program")
	return err
}

// made are the histories that are written for the measuring.
func made() []history {
	return []history{
		{name: "1 GB in 1,000 sessions", made: claudecode.History{Seed: 1, Sessions: 1000, Bytes: 1e9}},
		{name: "200 MB in one session", made: claudecode.History{Seed: 2, Sessions: 1, Bytes: 200e6}},
	}
}

// history is one to collect: one that is made, or one that is there.
type history struct {
	name string
	made claudecode.History
	dir  string // of projects, or of what is beside them
}

// measure leaves what it wrote: a file system that has just deleted thousands of files looks long for the place of new ones.
func (h history) measure(ctx context.Context, out io.Writer, asz, dir string) error {
	source := h.dir
	if source == "" {
		source = filepath.Join(dir, "source")
		if _, err := h.made.Write(store.Disk(), source); err != nil {
			return err
		}
	} else if projects := filepath.Join(source, "projects"); isDir(projects) {
		source = projects
	}
	syscall.Sync() // what the writing left is not to be the collector's
	if err := touch(3 * h.made.Bytes); err != nil {
		return err
	}
	one, err := h.passes(ctx, source, filepath.Join(dir, "one"), 1)
	if err != nil {
		return err
	}
	two, err := h.passes(ctx, source, filepath.Join(dir, "two"), 2)
	if err != nil {
		return err
	}
	conf := filepath.Join(dir, "asz.yaml")
	if err := settings(conf, filepath.Join(dir, "peak"), source); err != nil {
		return err
	}
	peak, err := peakOf(ctx, asz, "collect", "-once", "-config", conf)
	if err != nil {
		return err
	}
	mega := float64(one.report.Bytes) / 1e6
	fmt.Fprintf(out, "%s\t%.0f\t%d\t%d\t%.0f\t%.2f\t%.2f\t%.2f\t%.0f\t%.2f\t%.2f\t%.0f\t%.0f\t\n", h.name, mega, one.report.Records, one.report.Landed,
		mega/(one.took-one.synced).Seconds(), one.took.Seconds(), one.synced.Seconds(), one.worked.Seconds(),
		mega/(two.took-two.synced/2).Seconds(), two.took.Seconds(), two.synced.Seconds()/2,
		one.again.Seconds()*1000, float64(peak)/1000)
	return nil
}

// touch uses as much memory as the measuring will and gives it back: on a virtual machine a page that is used for the first
// time costs the host's time, more than the work on what is in it.
func touch(size int64) error {
	if size == 0 {
		return nil
	}
	pages, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return err
	}
	for i := 0; i < len(pages); i += os.Getpagesize() {
		pages[i] = 1
	}
	return syscall.Munmap(pages)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// collected is what landing a whole history took.
type collected struct {
	report collect.Report // of all passes
	took   time.Duration
	synced time.Duration // of all workers together
	worked time.Duration // of the processors; on a machine that has other work too this is what counts
	again  time.Duration // a pass with nothing new
}

func (h history) passes(ctx context.Context, source, dir string, cores int) (collected, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	disk := &syncTimer{FS: store.Disk()}
	o := collect.Options{
		Root: &store.Root{FS: disk, Dir: dir}, Sources: store.Disk(), Now: time.Now, Workers: cores,
		Adapters: []collect.Adapter{{
			Name: claudecode.Name + "/bench", Dialect: claudecode.Dialect,
			Discover: func() store.Found { return claudecode.Discover(store.Disk(), source, claudecode.Filter{}) },
			Open:     func(src store.Source, resumed bool) collect.Reader { return claudecode.NewReader(src, resumed) },
		}},
	}
	var out collected
	before := processorTime()
	for more := true; more; {
		r := collect.Pass(ctx, o)
		if len(r.Errors) > 0 {
			return out, errors.New(r.Errors[0].String())
		}
		out.took += r.Took
		out.report.Bytes += r.Bytes
		out.report.Records += r.Records
		out.report.Landed += r.Landed
		more = r.Pending > 0
	}
	out.worked = processorTime() - before
	out.synced = time.Duration(disk.took.Load())
	out.again = collect.Pass(ctx, o).Took
	return out, nil
}

// processorTime is what this process has used so far, in the kernel too.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// syncTimer counts the time in fsync.
type syncTimer struct {
	store.FS
	took atomic.Int64
}

func (s *syncTimer) time(sync func() error) error {
	began := time.Now()
	err := sync()
	s.took.Add(int64(time.Since(began)))
	return err
}

func (s *syncTimer) SyncDir(name string) error {
	return s.time(func() error { return s.FS.SyncDir(name) })
}

func (s *syncTimer) Create(name string) (store.Writer, error) {
	w, err := s.FS.Create(name)
	return timedWriter{w, s}, err
}

func (s *syncTimer) Append(name string, from int64) (store.Writer, error) {
	w, err := s.FS.Append(name, from)
	return timedWriter{w, s}, err
}

type timedWriter struct {
	store.Writer
	s *syncTimer
}

func (w timedWriter) Sync() error { return w.s.time(w.Writer.Sync) }

// settings writes an asz.yaml for a history and a root.
func settings(conf, root, source string) error {
	if err := os.MkdirAll(filepath.Dir(conf), 0o755); err != nil {
		return err
	}
	text := fmt.Sprintf("storage: { root: %q }\nadapters:\n  - { name: %s, source_root: %q }\n", root, claudecode.Name, source)
	return os.WriteFile(conf, []byte(text), 0o644)
}

// peakOf is the most memory in KB that the program has while a verb runs.
func peakOf(ctx context.Context, asz string, args ...string) (int64, error) {
	c := exec.CommandContext(ctx, asz, args...)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	// What the system tells of a process that has ended counts in the memory of the one that started it.
	var peak int64
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if _, text, ok := strings.Cut(string(status), "VmHWM:"); ok {
			fmt.Sscan(text, &peak)
		}
		select {
		case err := <-ended:
			if err != nil {
				return 0, fmt.Errorf("asz %s: %w\n%s", args[0], err, strings.TrimSpace(said.String()))
			}
			return peak, nil
		case <-time.After(5 * time.Millisecond):
		}
	}
}
