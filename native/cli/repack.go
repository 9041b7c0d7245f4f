package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"asz/native/fold"
	"asz/native/store"
	"asz/shared/command"
)

const repackHelp = `The landed files of the storage root are written into DEST, cut anew: no file
holds more of a source than collector.max_delta_bytes of the settings, or than
--max-delta-bytes, unless one record alone does. Record lines come over byte
for byte and in order; the files have new numbers (seq). Cursors come along, so
that collect can go on in DEST; the index and the rounds are made anew.

  asz repack copy --max-delta-bytes 1      one record in each file

DEST must be new or empty. The storage root is left as it is. A line is printed
for each session: landed files before and after, records, and bytes written.

Exit codes: 0 done; 1 something could not be read or written, and DEST is to be
removed; 2 wrong usage or settings.
`

func repackVerb() *command.Command {
	return &command.Command{
		Name: "repack", Args: "DEST [SESSION]", Misuse: exitMisuse,
		Summary: "write landed files into another root, cut anew",
		Flags: []command.Flag{
			{Name: "max-delta-bytes", Value: "N", Summary: "of source in a landed file"},
			configFlag,
		},
		Help: repackHelp,
		Run:  runRepack,
	}
}

func runRepack(c *command.Call) int {
	if len(c.Operands) == 0 || c.Operands[0] == "" {
		return c.Usage("name a new or empty directory, DEST")
	}
	dest := c.Operands[0]
	c.Operands = c.Operands[1:]
	budget := int64(0)
	if c.Has("max-delta-bytes") {
		n, err := strconv.ParseInt(c.Value("max-delta-bytes"), 10, 64)
		if err != nil || n < 1 {
			return c.Usage("--max-delta-bytes is a number of bytes, from 1")
		}
		budget = n
	}
	conf, ids, exit := chosenSessions(c)
	if exit != 0 || len(ids) == 0 {
		return exit
	}
	from, to, err := repackRoots(conf.Storage.Root, dest)
	if err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	if budget == 0 {
		budget = conf.maxDelta()
	}
	rounds := int64(conf.Parse.MaxRound)
	if rounds == 0 {
		rounds = -1
	}
	t := &table{columns: []column{
		{head: "SESSION"}, {head: "FILES IN", right: true}, {head: "FILES OUT", right: true}, {head: "RECORDS", right: true}, {head: "BYTES", right: true},
	}}
	session := shortened(ids)
	p := newSessionsProgress(c, from, ids)
	o := fold.RepackOptions{MaxDeltaBytes: budget, MaxRoundBytes: rounds, At: time.Now()}
	err = fold.Repack(from, to, ids, o, func(r *fold.Repacked) error {
		p.done(r.Session)
		if n := len(r.Lost); n > 0 {
			p.line.Clear()
			fmt.Fprintf(c.Stderr, "note: session %s: %s in the index and not on disk, from seq %d: what was in there is not in %s\n",
				oneLine(r.Session), plural(n, "landed file is", "landed files are"), r.Lost[0], oneLine(dest))
		}
		t.row(session(r.Session), fmt.Sprint(r.FilesIn), fmt.Sprint(r.FilesOut), fmt.Sprint(r.Records), fmt.Sprint(r.Bytes))
		return nil
	})
	p.line.Clear()
	if len(t.rows) > 0 {
		exit = write(c, t.text(screen(c)))
	}
	if err != nil {
		return c.Fail(exitFindings, "%s", oneLine(err.Error()))
	}
	return exit
}

// repackRoots are the storage root and the one to write, by their full paths, so that one in the other is seen.
func repackRoots(root, dest string) (from, to *store.Root, err error) {
	if root, err = filepath.Abs(root); err == nil {
		dest, err = filepath.Abs(dest)
	}
	if err != nil {
		return nil, nil, err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(dest)); err == nil {
		dest = filepath.Join(real, filepath.Base(dest))
	}
	return &store.Root{FS: store.Disk(), Dir: root}, &store.Root{FS: store.Disk(), Dir: dest}, nil
}

// maxDelta is the bound of landed files: that of the first adapter, or the default one.
func (c *config) maxDelta() int64 {
	if len(c.Adapters) == 0 {
		return int64(defaultAdapter().Collector.MaxDelta)
	}
	return int64(c.Adapters[0].Collector.MaxDelta)
}
