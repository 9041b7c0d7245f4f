// Command build makes the site of labs, or serves it while it is worked on.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"asz/tools/build/devserver"
	"asz/tools/build/maker"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", filepath.Join("web", "dist"), "folder for the site")
	labs := flags.String("labs", "labs", "folder of labs")
	serve := flags.Bool("serve", false, "serve the labs instead of writing them, and follow every change")
	addr := flags.String("addr", "", "address to serve on (default 127.0.0.1:8080 or the next free port)")
	sizes := flags.Bool("sizes", false, "print what the site's parts weigh instead of writing it")
	author := flags.String("author", "", "build the author's module into this folder instead")
	scriptTests := flags.Bool("ts-tests", false, "run the tests of the page's scripts under Node")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return 2
	}
	root, err := projectRoot()
	if err != nil {
		return fail(stderr, err)
	}
	m := &maker.Maker{Root: root, LabsDir: within(root, *labs), Dev: *serve}
	switch {
	case *serve:
		err = (&devserver.Server{Maker: m, Addr: *addr, Out: stdout}).Run(ctx)
	case *author != "":
		dir := within(root, *author)
		if err = maker.BuildModule(ctx, root, "author", dir); err == nil {
			if err = maker.Practice(root, dir); err == nil {
				if slow := maker.KeepCode(ctx, root, dir); slow != nil {
					fmt.Fprintf(stderr, "the module will start slowly: %v\n", slow)
				}
			}
		}
	case *scriptTests:
		err = runScriptTests(ctx, root, stdout, stderr)
	case *sizes:
		err = printSizes(ctx, m, stdout)
	default:
		err = write(ctx, m, within(root, *out), stdout, stderr)
	}
	if err != nil {
		return fail(stderr, err)
	}
	return 0
}

func projectRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return maker.Root(dir)
}

func within(root, dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(root, dir)
}

func fail(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "build:", err)
	return 1
}

// write makes the site and writes it into dir.
func write(ctx context.Context, m *maker.Maker, dir string, stdout, stderr io.Writer) error {
	start := time.Now()
	files, findings, err := m.Make(ctx, maker.All)
	if printErr := findings.WriteText(stderr, false); printErr != nil {
		return printErr
	}
	if err != nil {
		return err
	}
	if files == nil {
		return fmt.Errorf("no site was made: %d of the findings above are errors", findings.Errors())
	}
	if err := files.WriteTo(dir); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "built %d files into %s in %.1f s\n", len(files), dir, time.Since(start).Seconds())
	return nil
}

// runScriptTests runs the tests of web/src/core under Node's own test runner.
func runScriptTests(ctx context.Context, root string, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "asz-ts-tests-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tests, err := maker.BundleTests(root, dir)
	if err != nil {
		return err
	}
	node := exec.CommandContext(ctx, "node", append([]string{"--enable-source-maps", "--test", "--test-reporter=spec"}, tests...)...)
	node.Stdout, node.Stderr = stdout, stderr
	return node.Run()
}
