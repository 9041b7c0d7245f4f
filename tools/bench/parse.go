package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"asz/native/claudecode"
	"asz/native/collect"
	"asz/native/fold"
	"asz/native/store"
)

// growth is how much lands between two parses.
const growth = 1e6

// parsing prints what it takes to parse and to verify what has landed: made histories of 1 GB in 1,000 sessions and of
// 200 MB in one, which then grows by 1 MB.
func parsing(ctx context.Context, out io.Writer, root string) error {
	dir, err := os.MkdirTemp("", "asz-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	asz := filepath.Join(dir, "asz")
	if err := goTool(ctx, root, nil, "build", "-trimpath", "-o", asz, "./native"); err != nil {
		return err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "parse\tMB\trounds\tone core MB/s\ts\tof it fsync s\tafter 1 MB s\tpart of a full one\tverify MB/s\tpeak of parse MB\tof verify MB\t")
	for i, h := range made() {
		if err := h.parse(ctx, t, asz, filepath.Join(dir, fmt.Sprint(i))); err != nil {
			return fmt.Errorf("%s: %w", h.name, err)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "\nMB of source; one round a session; rates of parsing are of the time outside fsync, those of verifying of landed bytes")
	return err
}

func (h history) parse(ctx context.Context, out io.Writer, asz, dir string) error {
	defer os.RemoveAll(dir)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	source := filepath.Join(dir, "source")
	written, err := h.made.Write(store.Disk(), source)
	if err != nil {
		return err
	}
	main, whole, err := cut(source, h.made.Sessions == 1)
	if err != nil {
		return err
	}
	disk := &syncTimer{FS: store.Disk()}
	root := &store.Root{FS: disk, Dir: filepath.Join(dir, "root")}
	if err := landAll(ctx, root, source); err != nil {
		return err
	}
	rounds, took, synced, err := parseAll(root, disk)
	if err != nil {
		return err
	}
	grown, part := "-", "-"
	if main != "" {
		if err := os.WriteFile(main, whole, 0o644); err != nil {
			return err
		}
		if err := landAll(ctx, root, source); err != nil {
			return err
		}
		_, again, againSynced, err := parseAll(root, disk)
		if err != nil {
			return err
		}
		grown = fmt.Sprintf("%.2f", (again - againSynced).Seconds())
		part = fmt.Sprintf("1/%.1f", (took-synced).Seconds()/(again-againSynced).Seconds())
	}
	began := time.Now()
	var verified int64
	ids, err := root.Sessions()
	for _, id := range ids {
		report, failed := fold.Verify(root, id)
		if failed == nil && len(report.Problems) > 0 {
			failed = errors.New(report.Problems[0].String())
		}
		if failed != nil {
			return failed
		}
		verified += report.Bytes
	}
	verifying := time.Since(began)
	if err != nil {
		return err
	}
	conf := filepath.Join(dir, "asz.yaml")
	if err := settings(conf, root.Dir, source); err != nil {
		return err
	}
	ofVerify, err := peakOf(ctx, asz, "verify", "-config", conf)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(root.Dir, "_conversations")); err != nil {
		return err
	}
	ofParse, err := peakOf(ctx, asz, "parse", "-config", conf)
	if err != nil {
		return err
	}
	mega := float64(written.Bytes) / 1e6
	fmt.Fprintf(out, "%s\t%.0f\t%d\t%.0f\t%.2f\t%.2f\t%s\t%s\t%.0f\t%.0f\t%.0f\t\n", h.name, mega, rounds, mega/(took-synced).Seconds(),
		took.Seconds(), synced.Seconds(), grown, part, float64(verified)/1e6/verifying.Seconds(), float64(ofParse)/1000, float64(ofVerify)/1000)
	return nil
}

// cut takes the last lines, about as many as the growth, from the largest file of a history, and gives it and its whole
// text. Where it is not to grow there is none.
func cut(source string, grows bool) (name string, whole []byte, err error) {
	if !grows {
		return "", nil, nil
	}
	most := int64(-1)
	err = filepath.WalkDir(source, func(at string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Size() > most {
			name, most = at, info.Size()
		}
		return err
	})
	if err != nil {
		return "", nil, err
	}
	if whole, err = os.ReadFile(name); err != nil {
		return "", nil, err
	}
	return name, whole, os.Truncate(name, most-growth) // within a line: its beginning waits for the rest
}

func landAll(ctx context.Context, root *store.Root, source string) error {
	for {
		r := collect.Pass(ctx, collect.Options{
			Root: root, Sources: store.Disk(), Now: time.Now, Workers: 1,
			Adapters: []collect.Adapter{{
				Name: claudecode.Name + "/bench", Dialect: claudecode.Dialect,
				Discover: func() store.Found { return claudecode.Discover(store.Disk(), source, claudecode.Filter{}) },
				Open:     func(src store.Source, resumed bool) collect.Reader { return claudecode.NewReader(src, resumed) },
			}},
		})
		if len(r.Errors) > 0 {
			return errors.New(r.Errors[0].String())
		}
		if r.Pending == 0 {
			return nil
		}
	}
}

// parseAll parses each session into one round.
func parseAll(root *store.Root, disk *syncTimer) (rounds int, took, synced time.Duration, err error) {
	ids, err := root.Sessions()
	before := disk.took.Load()
	began := time.Now()
	for _, id := range ids {
		r, failed := fold.Parse(root, id, fold.ParseOptions{MaxRoundBytes: -1})
		if failed != nil {
			return 0, 0, 0, failed
		}
		rounds += len(r.Written)
	}
	return rounds, time.Since(began), time.Duration(disk.took.Load() - before), err
}
