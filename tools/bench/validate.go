package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"asz/tools/build/maker"
)

// validation prints what a run of validate-lab takes for the labs of the project and
// for those beside it, and how fast a warm module checks and searches.
func validation(ctx context.Context, out io.Writer, root string) error {
	dir, err := os.MkdirTemp("", "asz-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	asz := filepath.Join(dir, "asz")
	if err := goTool(ctx, root, nil, "build", "-trimpath", "-o", asz, "./native"); err != nil {
		return err
	}
	if err := maker.BuildModule(ctx, root, "author", dir); err != nil {
		return err
	}
	own, err := filepath.Glob(filepath.Join(root, "labs", "*", "labspace.yaml"))
	if err != nil {
		return err
	}
	published, err := filepath.Glob(filepath.Join(root, "..", "shared", "data", "labs", "*", "labspace.yaml"))
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nvalidate-lab\tnative ms\tNode ms\t")
	for _, file := range append(own, published...) {
		lab := filepath.Dir(file)
		native, err := runs(ctx, 9, asz, "validate-lab", lab)
		if err != nil {
			return err
		}
		node, err := runs(ctx, 5, "node", filepath.Join(root, "wasm", "author", "node.cjs"), dir, "validate-lab", lab)
		if err != nil {
			return err
		}
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t\n", filepath.Base(lab), native, node)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nwhole runs, the start of the process included; the median of several")
	return warm(ctx, out, root, dir)
}

// runs is the median time in ms of a program's runs; a lab with errors (exit 1) is as
// good as another.
func runs(ctx context.Context, n int, program string, args ...string) (float64, error) {
	var all []float64
	for range n {
		began := time.Now()
		err := exec.CommandContext(ctx, program, args...).Run()
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
			return 0, fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
		}
		all = append(all, time.Since(began).Seconds()*1000)
	}
	slices.Sort(all)
	return all[n/2], nil
}

// warm runs the benchmarks of whole checks and of the search, natively and as wasm
// under Node, and prints their last round: that of a warm module.
func warm(ctx context.Context, out io.Writer, root, dir string) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nonce warm\tnative\twasm\tunit\t")
	for _, b := range []struct {
		pkg, pattern string
		units        []string
	}{
		{"validate", "Check", []string{"ns/op"}},
		{"explore", "Search", []string{"transitions/s", "B/state", "edges/state"}},
	} {
		native, err := benchmark(ctx, root, dir, b.pkg, b.pattern, false)
		if err != nil {
			return err
		}
		wasm, err := benchmark(ctx, root, dir, b.pkg, b.pattern, true)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(native)) {
			for _, unit := range b.units {
				by, shown := 1.0, unit
				switch unit {
				case "ns/op":
					by, shown = 1e6, "ms"
				case "transitions/s":
					by, shown = 1e6, "million "+unit
				}
				fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%s\t\n", name, native[name][unit]/by, wasm[name][unit]/by, shown)
			}
		}
	}
	return t.Flush()
}

// benchmark runs the benchmarks of a package of shared and reads their figures by name
// and unit; of several rounds the last one stays.
func benchmark(ctx context.Context, root, dir, pkg, pattern string, wasm bool) (map[string]map[string]float64, error) {
	binary := filepath.Join(dir, pkg+".test")
	var env []string
	if wasm {
		binary += ".wasm"
		env = []string{"GOOS=js", "GOARCH=wasm"}
	}
	if err := goTool(ctx, root, env, "test", "-c", "-o", binary, "./shared/"+pkg); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, binary)
	if wasm {
		goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
		if err != nil {
			return nil, err
		}
		c = exec.CommandContext(ctx, filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "go_js_wasm_exec"), binary)
		// More than 8 KB of arguments and environment kill a Go program under Node. The author's module collects
		// garbage as rarely.
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "GOGC=400"}
	}
	c.Args = append(c.Args, "-test.run=^$", "-test.bench=Benchmark"+pattern+"$", "-test.count=3", "-test.cpu=1")
	c.Dir = filepath.Join(root, "shared", pkg)
	text, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(binary), err, text)
	}
	figures := map[string]map[string]float64{}
	for line := range strings.Lines(string(text)) {
		name, ok := strings.CutPrefix(line, "Benchmark")
		words := strings.Fields(name)
		if !ok || len(words) < 4 {
			continue
		}
		of := map[string]float64{}
		for i := 2; i+1 < len(words); i += 2 {
			if of[words[i+1]], err = strconv.ParseFloat(words[i], 64); err != nil {
				return nil, err
			}
		}
		figures[words[0]] = of
	}
	return figures, nil
}

// goTool runs the go command in root.
func goTool(ctx context.Context, root string, env []string, args ...string) error {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir, c.Env = root, append(os.Environ(), env...)
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return nil
}
