package store

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Conversation is the part of a root that holds the chain of rounds of a session; their ids are the same. Reading needs no
// lock.
type Conversation struct {
	ID   string
	root *Root
	dir  string
}

// Conversation is the chain of an id, whether it is there or not.
func (r *Root) Conversation(id string) *Conversation {
	return &Conversation{ID: id, root: r, dir: path.Join(r.Dir, conversations, id)}
}

// Conversations are the ids of the chains in the root that have a directory of rounds, or cannot be looked into, sorted.
func (r *Root) Conversations() ([]string, error) {
	entries, err := r.FS.ReadDir(path.Join(r.Dir, conversations))
	if errors.Is(err, fs.ErrNotExist) {
		err = r.absent(path.Join(r.Dir, conversations))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the chains of the storage root: %w", err)
	}
	var ids []string
	for _, e := range entries {
		dir := path.Join(r.Dir, conversations)
		if !SafeID(e.Name) || !e.Dir && !r.FS.Nowhere(path.Join(dir, e.Name)) {
			continue
		}
		if _, err := r.FS.Stat(path.Join(dir, e.Name, roundsDir)); !e.Dir || !errors.Is(err, fs.ErrNotExist) || r.absent(path.Join(dir, e.Name, roundsDir)) != nil {
			ids = append(ids, e.Name)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Dir is the directory of the chain.
func (c *Conversation) Dir() string { return c.dir }

const (
	roundsDir         = "rounds"
	roundSuffix       = ".sf"
	roundSchema       = "sf/1"
	conversationState = "conversation.state"
	nameDigits        = 12 // of the digest, in the name
)

// RoundFile is a round on disk, as its name says it.
type RoundFile struct {
	Number int64
	Short  string // first 12 hex digits of the digest
	Name   string
	Path   string
	Size   int64
}

// Rounds lists the files that are named as rounds, by number, then name. others are further names that end as those of rounds do.
func (c *Conversation) Rounds() (rounds []RoundFile, others []string, err error) {
	if !SafeID(c.ID) {
		return nil, nil, fmt.Errorf("the id %q cannot name a directory", c.ID)
	}
	dir := path.Join(c.dir, roundsDir)
	entries, err := c.root.FS.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = c.root.absent(dir)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("session %s: reading its rounds: %w", c.ID, err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name)
		f, ok := parseRoundName(e.Name)
		if strings.HasPrefix(e.Name, tempPrefix) || !ok && !strings.HasSuffix(e.Name, roundSuffix) {
			continue
		}
		if !ok || !e.Regular {
			others = append(others, name)
			continue
		}
		info, err := c.root.FS.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		f.Path, f.Size = name, info.Size
		rounds = append(rounds, f)
	}
	slices.SortFunc(rounds, func(a, b RoundFile) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), strings.Compare(a.Name, b.Name))
	})
	return rounds, others, nil
}

func roundName(number int64, digest string) string {
	return fmt.Sprintf("r%06d-%s%s", number, digest[:nameDigits], roundSuffix)
}

// parseRoundName reads the name of a round; one that roundName does not give is not ours.
func parseRoundName(name string) (RoundFile, bool) {
	rest, ok := strings.CutSuffix(name, roundSuffix)
	digits, short, dash := strings.Cut(strings.TrimPrefix(rest, "r"), "-")
	number, err := strconv.ParseInt(digits, 10, 64)
	if !ok || !dash || err != nil || number < 1 || !hexText(short, nameDigits) || roundName(number, short) != name {
		return RoundFile{}, false
	}
	return RoundFile{Number: number, Short: short, Name: name}, true
}

// RoundHeader is the first line of a round. Times are RFC 3339 UTC; a text that is empty is not in the file.
type RoundHeader struct {
	Conversation, Session string
	Round                 int64
	Previous              string // digest of the round before; empty in the first
	FromSeq, ThroughSeq   int64
	InputDigest           string // chained over the files that were consumed
	Parser, Policy        string
	FromTime, ThroughTime string // of the records of the files consumed
	SessionFrom           string // of all records as of the round
	SessionThrough        string
	Title                 string
	Talks, Steps          int64
	Streams, Segments     int64
	Unresolved            int64 // open ones
}

func (h *RoundHeader) line() []byte {
	var out []byte
	text := func(key, v string) { out = AppendText(append(out, key...), v) }
	number := func(key string, n int64) { out = strconv.AppendInt(append(out, key...), n, 10) }
	text(`{"t":"header","schema":`, roundSchema)
	text(`,"conversation":`, h.Conversation)
	text(`,"session":`, h.Session)
	number(`,"round":`, h.Round)
	out = appendField(out, `,"previous":`, h.Previous)
	number(`,"from_seq":`, h.FromSeq)
	number(`,"through_seq":`, h.ThroughSeq)
	text(`,"input_digest":`, h.InputDigest)
	text(`,"parser":`, h.Parser)
	text(`,"policy":`, h.Policy)
	out = appendField(out, `,"from_time":`, h.FromTime)
	out = appendField(out, `,"through_time":`, h.ThroughTime)
	out = appendField(out, `,"session_from_time":`, h.SessionFrom)
	out = appendField(out, `,"session_through_time":`, h.SessionThrough)
	out = appendField(out, `,"title":`, h.Title)
	number(`,"talks":`, h.Talks)
	number(`,"steps":`, h.Steps)
	number(`,"streams":`, h.Streams)
	number(`,"segments":`, h.Segments)
	number(`,"unresolved":`, h.Unresolved)
	return append(out, "}\n"...)
}

// parseRoundHeader reads what line wrote, and nothing else.
func parseRoundHeader(line string) (RoundHeader, bool) {
	var h RoundHeader
	texts := map[string]*string{
		"conversation": &h.Conversation, "session": &h.Session, "previous": &h.Previous, "input_digest": &h.InputDigest,
		"parser": &h.Parser, "policy": &h.Policy, "from_time": &h.FromTime, "through_time": &h.ThroughTime,
		"session_from_time": &h.SessionFrom, "session_through_time": &h.SessionThrough, "title": &h.Title,
	}
	numbers := map[string]*int64{
		"round": &h.Round, "from_seq": &h.FromSeq, "through_seq": &h.ThroughSeq, "talks": &h.Talks, "steps": &h.Steps,
		"streams": &h.Streams, "segments": &h.Segments, "unresolved": &h.Unresolved,
	}
	c := jsonReader{s: line}
	ok := c.object(func(key string) bool {
		if v := texts[key]; v != nil {
			return c.text(v)
		}
		if n := numbers[key]; n != nil {
			return c.number(n)
		}
		return c.skip()
	})
	return h, ok && string(h.line()) == line
}

// Counts are the frames of a round.
type Counts struct{ Nodes, Relations, Unresolved int64 }

// of is the count of a kind of frame.
func (n *Counts) of(kind FrameKind) *int64 {
	return [...]*int64{&n.Nodes, &n.Relations, &n.Unresolved}[kind]
}

const longestCommit = 300

func commitLine(digest string, n Counts) string {
	return fmt.Sprintf("{\"t\":\"commit\",\"digest\":%q,\"counts\":{\"nodes\":%d,\"relations\":%d,\"unresolved\":%d}}\n",
		digest, n.Nodes, n.Relations, n.Unresolved)
}

// RoundSize is the size of a round in bytes.
func RoundSize(h *RoundHeader, frames []byte, n Counts) int64 {
	return int64(len(h.line())+len(frames)) + int64(len(commitLine(strings.Repeat("0", 2*sha256.Size), n)))
}

// FrameKind is what a frame holds, in the order of a round's groups.
type FrameKind int

const (
	NodeFrame FrameKind = iota
	RelationFrame
	UnresolvedFrame
)

var frameNames = [...]string{"node", "relation", "unresolved"}

func (k FrameKind) String() string { return frameNames[k] }

// Frame is what a round says of one entity.
type Frame struct {
	ID       string
	Revision int64  // number of the round
	Rest     string // of the frame's line behind the revision, with the closing brace
}

// Tombstone is Rest of an entity that is no more.
const Tombstone = `,"tombstone":true}`

// AppendFrameHead appends a frame's line up to the revision.
func AppendFrameHead(out []byte, k FrameKind, id string, revision int64) []byte {
	out = append(append(append(out, `{"t":"`...), frameNames[k]...), `","id":`...)
	out = append(AppendText(out, id), `,"revision":`...)
	return strconv.AppendInt(out, revision, 10)
}

// parseFrame reads the line of a frame, or its beginning up to the revision.
func parseFrame(line string) (k FrameKind, f Frame, ok bool) {
	rest, ok := strings.CutPrefix(line, `{"t":"`)
	if !ok {
		return 0, Frame{}, false
	}
	for k = range FrameKind(len(frameNames)) {
		if after, ok := strings.CutPrefix(rest, frameNames[k]); ok {
			rest, ok = strings.CutPrefix(after, `","id":`)
			if !ok {
				return 0, Frame{}, false
			}
			c := jsonReader{s: rest}
			if !c.text(&f.ID) {
				return 0, Frame{}, false
			}
			if rest, ok = strings.CutPrefix(rest[c.i:], `,"revision":`); !ok {
				return 0, Frame{}, false
			}
			n := 0
			for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
				n++
			}
			revision, err := strconv.ParseInt(rest[:n], 10, 64)
			f.Revision, f.Rest = revision, rest[n:]
			return k, f, err == nil && revision > 0
		}
	}
	return 0, Frame{}, false
}
