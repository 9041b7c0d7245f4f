package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"asz/native/collect"
	"asz/native/store"
	"asz/shared/command"
)

const (
	exitInterrupted = 130
	// mostWorkers bounds the memory of a pass; a disk has nothing to do for more.
	mostWorkers = 4
)

const collectHelp = `What agents have written is read where it lies, and each new line of it lands as
one record in the storage root. A pass goes over everything once and prints one
line; with -once passes are made until nothing is left to read, else there is
one every few seconds. It may be ended at any moment: the next one goes on with
nothing lost and nothing landed twice.

  asz collect -once            all histories of this person, into ./data
  asz sources                  what it would read

A pass's line: sessions and sources that were found, files landed with their
records and bytes of source, records indexed; sources that are gone, sources
that are not what was landed from them (conflicts, left alone), sessions that
another process holds (busy), sources with more to read (pending), lines and
names that are not what they should be (odd; lines land all the same), and
errors. What is behind these is told on standard error, once while it stays.

Settings in asz.yaml, with their defaults; a list of adapters replaces this one:

  storage:
    root: ./data               # relative to the working directory
  adapters:
    - name: claude-code-local
      enabled: true
      source_root: ""          # "" = the projects folder in CLAUDE_CONFIG_DIR,
                               # XDG_CONFIG_HOME/claude or ~/.claude
      include: []              # working directories: /home/me/shop/** takes all
                               # below shop, not shop itself; or globs on names
                               # of project directories
      exclude: [/private/tmp/**]
      collector:
        mode: watch            # or once
        interval: 5s           # between two passes; the first adapter's holds,
                               # and its mode
        max_delta_bytes: 2097152     # of source in a landed file
  parse:
    max_round_bytes: 2097152   # see asz parse --help

asz schema config has all keys. Neither ~ nor $NAME is expanded in a path.

Exit codes: 0 everything is landed, or a watch was ended; 1 something is pending
or busy, or there were errors; 2 wrong usage or settings; 130 -once was
interrupted. The file at hand is finished first; a second Ctrl-C ends at once.
`

func collectVerb() *command.Command {
	return &command.Command{
		Name: "collect", Misuse: exitMisuse,
		Summary: "land what agents wrote as Session Data",
		Flags: []command.Flag{
			{Name: "once", Summary: "end when nothing is left to read"},
			configFlag,
		},
		Help: collectHelp,
		Run:  runCollect,
	}
}

func runCollect(c *command.Call) int {
	if len(c.Operands) > 0 {
		return c.Usage("it takes no operands; what is collected is said by the settings")
	}
	conf, exit := readConfig(c)
	if exit != 0 {
		return exit
	}
	adapters := conf.adapters()
	if len(adapters) == 0 {
		return c.Fail(exitMisuse, "the settings switch no adapter on, so there is nothing to collect: list one under adapters, without `enabled: false`")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends at once
	// What is kept is small and what a line leaves behind may be large.
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(48 << 20)
	k := &collecting{
		Call: c, adapters: adapters, how: adapters[0].conf.Collector,
		show: collectProgress{line: command.Progress{Out: c.Stderr, Shown: c.StderrTerminal}},
		options: collect.Options{
			Root: conf.storageRoot(), Sources: store.Disk(), Now: time.Now, Workers: min(runtime.GOMAXPROCS(0), mostWorkers),
		},
	}
	for _, a := range adapters {
		k.options.Adapters = append(k.options.Adapters, a.Adapter)
	}
	if k.show.line.Shown {
		k.options.Progress = k.show.tell
	}
	if c.Has("once") || k.how.Mode == "once" {
		return k.once(ctx)
	}
	return k.watch(ctx)
}

// collecting is one run of `asz collect`.
type collecting struct {
	*command.Call
	adapters []adapter
	how      collectorConfig // the first adapter's: there is one loop for all
	options  collect.Options
	show     collectProgress
	before   collect.Report
}

// once makes passes until nothing is left to read, or nothing more can be read.
func (k *collecting) once(ctx context.Context) int {
	errors := 0
	for {
		r, exit := k.pass(ctx)
		errors += len(r.Errors)
		switch {
		case exit != 0:
			return exit
		case ctx.Err() != nil:
			return exitInterrupted
		case r.Pending > 0 && r.Landed > 0:
		case errors > 0 || !r.Settled():
			return exitFindings
		default:
			return 0
		}
	}
}

// watch makes passes until it is ended.
func (k *collecting) watch(ctx context.Context) int {
	for {
		if _, exit := k.pass(ctx); exit != 0 {
			return exit
		}
		select {
		case <-ctx.Done():
			return 0
		case <-time.After(k.how.Interval):
		}
	}
}

func (k *collecting) pass(ctx context.Context) (collect.Report, int) {
	k.show.began = time.Now()
	r := collect.Pass(ctx, k.options)
	k.show.line.Clear()
	if r.Sources == 0 && len(r.Errors) == 0 {
		for i := range k.adapters {
			r.Notes = append(r.Notes, collect.Note{Text: k.adapters[i].nothing()})
		}
	}
	exit := k.print(&r)
	k.before = r
	return r, exit
}
