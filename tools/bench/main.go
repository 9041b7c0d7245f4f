// Command bench measures the lab engine in one run: time for a command by the
// size of the lab, natively and in Chromium with the bridge included, the weight
// of the player's module, the memory of snapshots, the time from YAML to a lab
// that can be played, what validate-lab takes, and what opening a lab's page takes.
// `bench collect` measures landing histories, `bench parse` parsing and verifying
// what has landed, `bench gui` acting on a display, beside xdotool.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"text/tabwriter"
	"time"

	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/sim"
	"asz/tools/build/maker"
)

func main() {
	if err := run(context.Background(), os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// size is one lab to measure: so many scenarios over so many command words.
type size struct{ scenarios, words int }

func sizes() []size {
	return []size{{10, 1}, {100, 3}, {1000, 30}, {10000, 300}, {1000, 1}, {10000, 1}}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	root, err := maker.Root(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s %s/%s, %d processors\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if len(args) == 1 && args[0] == "collect" {
		return collecting(ctx, out, root)
	}
	if len(args) == 1 && args[0] == "parse" {
		return parsing(ctx, out, root)
	}
	if len(args) == 1 && args[0] == "gui" {
		return onDisplay(ctx, out, root)
	}
	if len(args) > 0 {
		return fmt.Errorf("it takes nothing, collect, parse or gui: %q", args)
	}
	labs := make([]benchLab, len(sizes()))
	for i, s := range sizes() {
		if labs[i], err = newBenchLab(s); err != nil {
			return err
		}
	}
	m := &maker.Maker{Root: root, LabsDir: root + "/labs"}
	files, _, err := m.Make(ctx, maker.All)
	if err != nil {
		return err
	}
	browser, err := inChromium(ctx, root, files, labs)
	if err != nil {
		return fmt.Errorf("Chromium: %w", err)
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "scenarios\tcommand words\tnative µs\tallocations\tChromium µs\tYAML to engine ms\tcompiled KB\t")
	for i, l := range labs {
		r := testing.Benchmark(l.act)
		fmt.Fprintf(t, "%d\t%d\t%.1f\t%d\t%.1f\t%.1f\t%.1f\t\n", l.scenarios, l.words,
			float64(r.T.Nanoseconds())/float64(r.N)/1000, r.AllocsPerOp(), browser[i], l.load.Seconds()*1000, float64(len(l.compiled))/1000)
	}
	t.Flush()
	fmt.Fprintln(out, "\none line typed and its outcome as JSON; the rows with one command word are the worst case")
	if err := weigh(out, files); err != nil {
		return err
	}
	if err := snapshots(out, root); err != nil {
		return err
	}
	if err := validation(ctx, out, root); err != nil {
		return err
	}
	if err := pages(ctx, out, files); err != nil {
		return err
	}
	return collecting(ctx, out, root)
}

// benchLab is a lab of a size with lines that reach each of its scenarios.
type benchLab struct {
	size
	engine   *sim.Engine
	compiled []byte
	lines    []string
	load     time.Duration
}

func newBenchLab(s size) (benchLab, error) {
	b := benchLab{size: s}
	var y strings.Builder
	y.WriteString("version: \"2.0\"\nstate: { phase: start, count: 0 }\nscenarios:\n")
	for i := range s.scenarios {
		word, verb := i%s.words, i/s.words
		path := fmt.Sprintf("tool%d verb%d", word, verb)
		args := fmt.Sprintf("0: { oneOf: [item%d, other] }", i)
		if s.words == 1 && s.scenarios > 10 {
			path = "tool0" // told apart by their arguments alone
		}
		fmt.Fprintf(&y, "  - id: scenario-%d\n    when:\n      command: %s\n      args: { --name: { any: true }, -d: true, %s }\n      state: { phase: start }\n", i, path, args)
		fmt.Fprintf(&y, "    then:\n      state: { last.name: \"{{ args.name }}\" }\n      output: [\"Started {{ args.name }}\", \"done\"]\n")
		line := fmt.Sprintf("%s -d --name web%d item%d", path, i%7, i)
		b.lines = append(b.lines, line)
	}
	files := fstest.MapFS{
		"bench/labspace.yaml":  {Data: []byte("title: Bench\nsimulator: simulator.yaml\n")},
		"bench/simulator.yaml": {Data: []byte(y.String())},
	}
	began := time.Now()
	loaded := labfile.Load(files, "bench")
	if loaded.Lab == nil {
		return b, fmt.Errorf("the lab of the benchmark has errors: %v", loaded.Findings[0].Message)
	}
	var err error
	b.engine, err = sim.New(loaded.Lab)
	b.load = time.Since(began)
	b.compiled = lab.Encode(loaded.Lab)
	return b, err
}

// act types the lab's lines in turn.
func (b *benchLab) act(tb *testing.B) {
	p := sim.NewPlayer(b.engine)
	var out []byte
	tb.ReportAllocs()
	for i := 0; tb.Loop(); i++ {
		id, o := p.Act("line", "terminal", b.lines[i%len(b.lines)])
		out = p.AppendOutcome(out[:0], id, o)
		if o.Exit() != 0 {
			tb.Fatalf("%s: %s", b.lines[i%len(b.lines)], out)
		}
	}
}
