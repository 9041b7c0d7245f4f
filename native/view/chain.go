package view

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"asz/native/fold"
	"asz/native/store"
)

// ErrNoRounds says that a session has no round that can be read: it is not parsed, or its chain is broken from the start.
var ErrNoRounds = errors.New("there is no round that can be read")

// Document makes the document of a session from its rounds and its landed files, each of which is read once. A chain that is
// broken gives the document of the rounds before; one without any usable round is ErrNoRounds. In memory are the structure
// and at most TextLimit bytes of each text, and while a landed file is read, what it says.
func Document(root *store.Root, id string) (*Doc, error) { return read(root, id, TextLimit) }

// Outline is a document to be printed: its texts are shorter.
func Outline(root *store.Root, id string) (*Doc, error) { return read(root, id, outlineLimit) }

func read(root *store.Root, id string, limit int) (*Doc, error) {
	from, err := fold.Read(root, id)
	if err != nil {
		return nil, err
	}
	head := from.Head()
	if head == nil {
		if from.Broken != nil {
			return nil, fmt.Errorf("session %s: %w: %w", id, ErrNoRounds, from.Broken)
		}
		return nil, fmt.Errorf("session %s: %w: it has not been parsed", id, ErrNoRounds)
	}
	s, err := from.Structure()
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	c := &chain{
		Structure: *s, head: Head{head.Number, head.Digest}, parser: head.Header.Parser, policy: head.Header.Policy,
		through: head.Header.ThroughSeq,
	}
	for _, r := range from.Rounds {
		c.roundFiles = append(c.roundFiles, r.RoundFile)
		c.list(root, r, true)
	}
	conversation := root.Conversation(id)
	for _, f := range from.Rest {
		c.roundFiles = append(c.roundFiles, f)
		r, err := conversation.Check(f)
		switch {
		case err == nil:
			c.list(root, r, false)
		case errors.Is(err, store.ErrDamaged):
			file := File{File: inRoot(root, f.Path), Format: "sf", Kind: "round", Round: f.Number}
			if err := measure(root, f.Path, &file); err != nil {
				return nil, err
			}
			c.files = append(c.files, file)
			c.rounds = append(c.rounds, Round{Round: f.Number})
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return build(root.Session(id), root, c, limit)
}

// list takes up a round that can be read.
func (c *chain) list(root *store.Root, r *store.Round, verified bool) {
	h := &r.Header
	from, through := timeOf(h.FromTime), timeOf(h.ThroughTime)
	c.rounds = append(c.rounds, Round{
		Round: r.Number, Digest: r.Digest, Previous: h.Previous, FromSeq: h.FromSeq, ThroughSeq: h.ThroughSeq, InputDigest: h.InputDigest,
		FromTime: from, ThroughTime: through, Verified: verified,
	})
	c.files = append(c.files, File{
		File: inRoot(root, r.Path), Format: "sf", Kind: "round", Round: r.Number, Lines: r.Lines, Bytes: r.Size, Digest: r.SHA256,
		FromTime: from, ThroughTime: through,
	})
}

// inRoot is a path below the root.
func inRoot(root *store.Root, name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, path.Clean(root.Dir)), "/")
}

func timeOf(text string) *int64 {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return nil
	}
	ms := at.UnixMilli()
	return &ms
}

// check takes up what fold finds wrong with the chain.
func (b *builder) check(root *store.Root) {
	s := &b.doc.Summary
	s.State = Verified
	sums := make(map[int64]string, len(b.found))
	var damaged []int64
	for i := range b.found {
		f := &b.found[i]
		if _, twice := sums[f.Seq]; !twice {
			sums[f.Seq] = f.Digest
		}
		if b.damagedFile[f.Seq] {
			damaged = append(damaged, f.Seq)
		}
	}
	for _, p := range fold.VerifyChain(root, b.doc.Conversation, b.roundFiles, b.landed, sums) {
		text := p.Text
		switch p.Kind {
		case fold.MissingFile, fold.MissingRound:
			if s.State == Verified {
				s.State = Incomplete
			}
		default:
			s.State = Mismatch
		}
		for _, seq := range damaged {
			if p.Kind == fold.ChangedFiles && seq >= p.From && seq <= p.To {
				text += fmt.Sprintf("; that of seq %d is damaged", seq)
			}
		}
		if p.Round == b.head.Round+1 && (p.Kind == fold.MissingRound || p.Kind == fold.DamagedRound) {
			text += fmt.Sprintf("; what came after seq %d is not in the document", b.through)
		}
		s.Problems = append(s.Problems, text)
	}
	// Where files are missing nobody can tell whether the others are those that a round consumed, but for what they say themselves.
	if len(damaged) > 0 && damaged[0] <= b.through && s.State == Incomplete {
		s.State = Mismatch
	}
}
