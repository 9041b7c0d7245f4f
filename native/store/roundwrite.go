package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Chain is the work of one holder of a chain's lock.
type Chain struct {
	c    *Conversation
	dirs *Pass // its directory work: no session is locked by it
	lock io.Closer
	head RoundFile // zero without a round
}

// Lock takes the chain's lock; held by another it is ErrBusy. What an interrupted holder left half-written is removed.
func (c *Conversation) Lock() (*Chain, error) {
	if !SafeID(c.ID) {
		return nil, fmt.Errorf("the id %q cannot name a directory", c.ID)
	}
	dirs := &Pass{s: c.root.Session(c.ID), fs: c.root.FS, made: map[string]bool{}, synced: map[string]bool{}}
	_, err := c.root.FS.Stat(c.dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = dirs.ready(c.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("the directory of the rounds of session %s: %w", c.ID, err)
	}
	lock, err := c.root.FS.Lock(path.Join(c.dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("the rounds of session %s: %w", c.ID, err)
	}
	l := &Chain{c: c, dirs: dirs, lock: lock}
	err = l.clean()
	if err == nil {
		err = l.readHead()
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return l, nil
}

func (l *Chain) clean() error {
	for _, dir := range []string{l.c.dir, path.Join(l.c.dir, roundsDir)} {
		entries, err := l.c.root.FS.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("session %s: reading its rounds: %w", l.c.ID, err)
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name, tempPrefix) || !e.Regular {
				continue
			}
			if err := l.c.root.FS.Remove(path.Join(dir, e.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("session %s: removing what an interrupted parse left: %w", l.c.ID, err)
			}
		}
	}
	return nil
}

func (l *Chain) readHead() error {
	rounds, _, err := l.c.Rounds()
	if n := len(rounds); err == nil && n > 0 {
		l.head = rounds[n-1]
	}
	return err
}

// Head is the last round on disk, zero without one.
func (l *Chain) Head() RoundFile { return l.head }

// Close gives the lock back.
func (l *Chain) Close() error { return l.lock.Close() }

// Publish writes a round: its header, the lines of its frames and their counts. consumed are the landed files that it stands
// on, which are made durable before it. A round that does not follow the head is refused, and one that is there is never
// replaced.
func (l *Chain) Publish(h RoundHeader, frames []byte, n Counts, consumed []Landed) (*Round, error) {
	if err := l.follows(&h); err != nil {
		return nil, err
	}
	r, err := l.publish(h, frames, n, consumed)
	if err != nil {
		return nil, fmt.Errorf("session %s: publishing round %d: %w", l.c.ID, h.Round, err)
	}
	l.head = r.RoundFile
	return r, nil
}

func (l *Chain) follows(h *RoundHeader) error {
	head := l.head
	if err := l.readHead(); err != nil {
		return err
	}
	previous := ""
	if len(h.Previous) == 2*sha256.Size {
		previous = h.Previous[:nameDigits]
	}
	if l.head != head || h.Round != l.head.Number+1 || previous != l.head.Short {
		return fmt.Errorf("session %s: round %d does not follow the head, which is %d: nothing is written", l.c.ID, h.Round, l.head.Number)
	}
	return nil
}

func (l *Chain) publish(h RoundHeader, frames []byte, n Counts, consumed []Landed) (*Round, error) {
	if err := l.dirs.settle(consumed); err != nil {
		return nil, err
	}
	dir := path.Join(l.c.dir, roundsDir)
	if err := l.dirs.ready(dir); err != nil {
		return nil, err
	}
	if !l.dirs.synced[dir] { // who published the head may have been killed before it came to that
		if err := l.dirs.syncDir(dir); err != nil {
			return nil, err
		}
	}
	head := h.line()
	hash := sha256.New()
	hash.Write(head)
	hash.Write(frames)
	digest := hex.EncodeToString(hash.Sum(nil))
	commit := commitLine(digest, n)
	hash.Write([]byte(commit))
	r := &Round{Header: h, Counts: n, Digest: digest, SHA256: hex.EncodeToString(hash.Sum(nil)), Lines: 2 + n.Nodes + n.Relations + n.Unresolved}
	name := roundName(h.Round, digest)
	r.RoundFile = RoundFile{Number: h.Round, Short: digest[:nameDigits], Name: name, Path: path.Join(dir, name)}
	r.Size = int64(len(head)+len(frames)) + int64(len(commit))
	temp := path.Join(dir, tempPrefix+name)
	if err := l.write(temp, head, frames, []byte(commit)); err != nil {
		_ = l.c.root.FS.Remove(temp) // the next holder of the lock comes back to it
		return nil, err
	}
	err := l.c.root.FS.Link(temp, r.Path)
	if err == nil {
		err = l.c.root.FS.SyncDir(dir)
	}
	if removed := l.c.root.FS.Remove(temp); err == nil && removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = removed
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (l *Chain) write(name string, pieces ...[]byte) error {
	w, err := l.c.root.FS.Create(name)
	if err != nil {
		return err
	}
	for _, piece := range pieces {
		if err == nil && len(piece) > 0 {
			_, err = w.Write(piece)
		}
	}
	if err == nil {
		err = w.Seal()
	}
	if err == nil {
		err = w.Sync()
	}
	if closed := w.Close(); err == nil {
		err = closed
	}
	return err
}

// ChainState is conversation.state: what the chain's head says, so that it need not be read when nothing is new. It is
// to be discarded when it disagrees with the rounds on disk.
type ChainState struct {
	Head           int64 // number of the last round
	Digest         string
	ThroughSeq     int64
	InputDigest    string
	Parser, Policy string
	Time           string // session_through_time of the head
}

// StateOf is the state that a head gives.
func StateOf(digest string, h *RoundHeader) ChainState {
	return ChainState{h.Round, digest, h.ThroughSeq, h.InputDigest, h.Parser, h.Policy, h.SessionThrough}
}

func (st ChainState) text() string {
	var f fields
	f.add("schema", "1")
	f.number("head", st.Head)
	f.add("digest", st.Digest)
	f.number("through_seq", st.ThroughSeq)
	f.add("input_digest", st.InputDigest)
	f.add("parser", st.Parser)
	f.add("policy", st.Policy)
	f.add("time", st.Time)
	return f.checked()
}

// State reads conversation.state; unreadable or absent it is zero, and so it is when its head is not the last round on disk.
func (l *Chain) State() ChainState {
	text, err := readSmall(l.c.root.FS, path.Join(l.c.dir, conversationState))
	if err != nil {
		return ChainState{}
	}
	f, ok := parseChecked(text, "schema", "head", "digest", "through_seq", "input_digest", "parser", "policy", "time")
	if !ok {
		return ChainState{}
	}
	r := fieldReader{fields: f}
	r.expect("1")
	st := ChainState{Head: r.count(), Digest: r.digest(), ThroughSeq: r.count(), InputDigest: r.digest(), Parser: r.text(), Policy: r.text(), Time: r.text()}
	if r.bad || st.Digest == "" || st.Head != l.head.Number || st.Digest[:nameDigits] != l.head.Short {
		return ChainState{}
	}
	return st
}

// SetState writes conversation.state unless it is there already.
func (l *Chain) SetState(st ChainState) error {
	if l.State() == st {
		return nil
	}
	if err := l.dirs.replace(l.c.dir, conversationState, st.text()); err != nil {
		return fmt.Errorf("session %s: writing %s: %w", l.c.ID, conversationState, err)
	}
	return nil
}

// InputDigest is the digest of what a round consumed: that of the round before, "" for the first, then the files by seq.
type InputDigest struct{ text []byte }

// NewInputDigest begins with the digest of the round before.
func NewInputDigest(previous string) *InputDigest {
	return &InputDigest{append([]byte(previous), '\n')}
}

// Add adds a file: its SHA-256 in hex.
func (d *InputDigest) Add(seq int64, sum string) {
	d.text = append(fmt.Appendf(d.text, "%d ", seq), sum...)
	d.text = append(d.text, '\n')
}

// Sum is the digest in hex.
func (d *InputDigest) Sum() string {
	sum := sha256.Sum256(d.text)
	return hex.EncodeToString(sum[:])
}

// Sum is the SHA-256 of a landed file, in hex.
func (r *Root) Sum(l Landed) (string, error) {
	f, err := r.FS.Open(l.Path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	buf := make([]byte, min(max(info.Size, 1), bufferSize))
	for at := int64(0); at < info.Size; {
		data := buf[:min(int64(len(buf)), info.Size-at)]
		if err := readAt(f, data, at); err != nil {
			return "", fmt.Errorf("%s: %w", l.Path, err)
		}
		hash.Write(data)
		at += int64(len(data))
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
