package view

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"asz/native/fold"
	"asz/native/store"
)

// want is a record, or a part of one, that a node stands on.
type want struct {
	seq, row int64
	node     int32
	block    int32
	role     uint8
}

// Roles of a record for a node.
const (
	first uint8 = iota // the node's own
	other
	tokens // what a call used
)

// fact is what a record gives a node. The facts of a file are kept until its digest has proved right.
type fact struct {
	want
	time     int64
	step     *Step
	tool     *Tool
	usage    *store.Usage
	duration int64
}

// wants are the records that nodes stand on, in their order on disk.
func (b *builder) wants() []want {
	var out []want
	for i := range b.nodes {
		n := &b.nodes[i]
		for k, r := range n.Refs {
			role := other
			if r == n.Ref && !slices.Contains(n.Refs[:k], r) {
				role = first
			}
			out = append(out, want{r.Seq, r.Row, int32(i), r.Block, role})
		}
		if !slices.Contains(n.Refs, n.Ref) && n.Ref.Seq != 0 {
			out = append(out, want{n.Ref.Seq, n.Ref.Row, int32(i), n.Ref.Block, first})
		}
		if r, ok := attr(n, "usage_at").(fold.Ref); ok {
			out = append(out, want{r.Seq, r.Row, int32(i), r.Block, tokens})
		}
	}
	slices.SortFunc(out, func(x, y want) int {
		return cmp.Or(cmp.Compare(x.seq, y.seq), cmp.Compare(x.row, y.row), cmp.Compare(x.node, y.node), cmp.Compare(x.role, y.role))
	})
	return out
}

// readLanded reads each landed file once. What a file that is damaged says is not taken.
func (b *builder) readLanded(root *store.Root, s *store.Session) error {
	landed, err := s.Landed()
	if err != nil {
		return err
	}
	b.landed = landed
	wants := b.wants()
	b.asked, b.answered, b.damagedFile = map[int32]int64{}, map[int32]int64{}, map[int64]bool{}
	for i := range landed {
		l := &landed[i]
		from, _ := slices.BinarySearchFunc(wants, l.Seq, func(w want, seq int64) int { return cmp.Compare(w.seq, seq) })
		to := from
		for to < len(wants) && wants[to].seq == l.Seq {
			to++
		}
		if i > 0 && landed[i-1].Seq == l.Seq {
			to = from // of two files with one seq the first is the one
		}
		file, facts, err := b.readFile(root, l, wants[from:to])
		if errors.Is(err, fs.ErrNotExist) {
			continue // it went away meanwhile: a round will miss it
		}
		if err != nil {
			return err
		}
		b.found = append(b.found, file)
		for k := range facts {
			b.take(&facts[k])
		}
	}
	return nil
}

// readFile reads a landed file; of a damaged one there are no facts.
func (b *builder) readFile(root *store.Root, l *store.Landed, wants []want) (File, []fact, error) {
	out := File{
		File: inRoot(root, l.Path), Format: "sd", Kind: string(l.Kind),
		Seq: l.Seq, Stream: l.Stream, Run: l.Batch, Bytes: l.Size,
	}
	f, err := store.OpenLanded(root.FS, l.Path)
	if errors.Is(err, store.ErrDamaged) {
		b.damagedFile[l.Seq] = true
		return out, nil, measure(root, l.Path, &out)
	}
	if err != nil {
		return out, nil, err
	}
	defer f.Close()
	var facts []fact
	var record store.Record
	all := noSpan()
	err = f.Each(func(row int, line []byte) error {
		if record.Read(line) != nil {
			for len(wants) > 0 && wants[0].row <= int64(row) {
				wants = wants[1:]
			}
			return nil
		}
		at := record.At()
		all.join(span{at, at})
		for len(wants) > 0 && wants[0].row <= int64(row) {
			if wants[0].row == int64(row) {
				facts = append(facts, b.factOf(wants[0], &record, at))
			}
			wants = wants[1:]
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return out, nil, err
	}
	if err != nil {
		b.damagedFile[l.Seq] = true
		return out, nil, measure(root, l.Path, &out)
	}
	out.Lines, out.Bytes, out.Digest = int64(f.Records())+2, f.Size(), f.SHA256()
	if all.from != store.NoTime {
		from, to := millis(all.from), millis(all.to)
		out.FromTime, out.ThroughTime = &from, &to
	}
	return out, facts, nil
}

// measure counts the lines of a file and digests it, whatever it holds.
func measure(root *store.Root, name string, out *File) error {
	f, err := root.FS.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	hash := sha256.New()
	var lines lineCount
	out.Bytes, err = io.Copy(io.MultiWriter(hash, &lines), io.NewSectionReader(f, 0, info.Size))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out.Lines, out.Digest = int64(lines), hex.EncodeToString(hash.Sum(nil))
	return nil
}

type lineCount int64

func (n *lineCount) Write(p []byte) (int, error) {
	*n += lineCount(strings.Count(string(p), "\n"))
	return len(p), nil
}

func (b *builder) factOf(w want, r *store.Record, at int64) fact {
	f := fact{want: w, time: at}
	n := &b.nodes[w.node]
	switch {
	case w.role == tokens:
		if r.Usage != nil {
			u := *r.Usage
			f.usage = &u
		}
	case w.role == first && n.Kind == fold.KindCall:
		// Its parts are its children.
	case w.role == first && fold.IsStep(n.Kind):
		f.step = stepOf(r, w.block, b.limit)
		if n.Kind == fold.KindDuration {
			f.duration = durationOf(r)
		}
	case w.role == other && (n.Kind == fold.KindTool || n.Kind == fold.KindAgentCall):
		f.tool = resultOf(r, w.block, b.limit)
	}
	return f
}

// take gives a node what a record says of it.
func (b *builder) take(f *fact) {
	n := &b.nodes[f.node]
	if f.role == tokens {
		if n.Step == nil {
			n.Step = &Step{}
		}
		n.Step.Usage = f.usage
		return
	}
	b.spans[f.node].join(span{f.time, f.time})
	if f.role == first {
		n.At = millis(f.time)
	}
	if f.step != nil {
		n.Step, n.Duration = f.step, f.duration
	}
	switch {
	case n.Tool == nil:
	case f.role == first:
		b.asked[f.node] = f.time
	case f.tool != nil:
		if _, had := b.answered[f.node]; !had {
			b.answered[f.node] = f.time
			t := n.Tool
			t.Failed, t.Result, t.ResultState, t.ResultBytes = f.tool.Failed, f.tool.Result, f.tool.ResultState, f.tool.ResultBytes
		}
	}
}

// waits says how long tools took: only of a result that is surely theirs.
func (b *builder) waits() {
	for i := range b.nodes {
		n := &b.nodes[i]
		if n.Tool == nil || text(n, "result_join") != "exact_unique" {
			continue
		}
		from, asked := b.asked[int32(i)]
		to, answered := b.answered[int32(i)]
		if asked && answered && from != store.NoTime && to >= from {
			n.Tool.Wait, n.Tool.Join = (to-from)/1e6, "exact_unique"
		}
	}
}
