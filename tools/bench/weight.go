package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/andybalholm/brotli"

	"asz/shared/labfile"
	"asz/shared/sim"
	"asz/web/site"
)

// weigh prints the size of the wasm modules, raw and packed.
func weigh(out io.Writer, files site.Files) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nmodule\traw KB\tgzip KB\tbrotli KB\t")
	for path, data := range files {
		if !strings.HasSuffix(path, ".wasm") {
			continue
		}
		var zip, br bytes.Buffer
		gz, _ := gzip.NewWriterLevel(&zip, gzip.BestCompression)
		packed := brotli.NewWriterOptions(&br, brotli.WriterOptions{Quality: 11, LGWin: 24})
		for _, w := range []io.WriteCloser{gz, packed} {
			if _, err := w.Write(data); err != nil {
				return err
			}
			if err := w.Close(); err != nil {
				return err
			}
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.1f\t\n", filepath.Base(path), float64(len(data))/1000, float64(zip.Len())/1000, float64(br.Len())/1000)
	}
	return t.Flush()
}

// snapshots plays each lab of the project over and over, keeps a mark after
// every line, and prints how many fit into a megabyte.
func snapshots(out io.Writer, root string) error {
	labs, err := filepath.Glob(filepath.Join(root, "labs", "*", "play.txtar"))
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, play := range labs {
		dir := filepath.Dir(play)
		loaded := labfile.Load(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
		if loaded.Lab == nil {
			return fmt.Errorf("%s does not load", dir)
		}
		engine, err := sim.New(loaded.Lab)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(play)
		if err != nil {
			return err
		}
		var lines []string
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "--") {
				lines = append(lines, strings.TrimRight(line, "\n"))
			}
			if strings.HasPrefix(line, "-- transcript") {
				break
			}
		}
		p := sim.NewPlayer(engine)
		terminal := loaded.Lab.Terminals[0].ID
		const marks = 10000
		before := heap()
		for i := range marks {
			p.Act("line", terminal, lines[i%len(lines)])
			p.Mark()
		}
		used := heap() - before
		fmt.Fprintf(out, "%s: %d snapshots, one after each line, take %.1f MB: %.0f in a megabyte\n",
			loaded.Lab.ID, marks, float64(used)/1e6, marks/(float64(used)/1e6))
		runtime.KeepAlive(p)
	}
	return nil
}

// heap is the memory in use after a collection, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC() // the second one frees what the first left to finalizers and pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
