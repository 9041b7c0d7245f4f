package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unsafe"
)

// Round is a round that has been read: it is what its commit line and its name say.
type Round struct {
	RoundFile
	Header RoundHeader
	Counts Counts
	Digest string // of all before the commit line, hex
	SHA256 string // of the whole file, hex
	Lines  int64
	Frames [3][]Frame // by FrameKind, each by id; empty after Check
}

// Load reads a round whole. ErrDamaged says that it is not what it should be.
func (c *Conversation) Load(f RoundFile) (*Round, error) {
	return c.readRound(f, true)
}

// Check reads a round without keeping its frames, in memory that does not depend on its size.
func (c *Conversation) Check(f RoundFile) (*Round, error) {
	return c.readRound(f, false)
}

func (c *Conversation) readRound(f RoundFile, keep bool) (*Round, error) {
	file, err := c.root.FS.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	f.Size = info.Size
	r := &roundReader{Round: Round{RoundFile: f}, file: file}
	if err := r.ends(); err != nil {
		return nil, err
	}
	if r.Header.Conversation != c.ID || r.Header.Session != c.ID {
		return nil, r.damaged("its header is that of session %s", r.Header.Session)
	}
	if keep {
		err = r.whole()
	} else {
		err = r.stream()
	}
	if err != nil {
		return nil, err
	}
	r.Lines = 2 + r.Counts.Nodes + r.Counts.Relations + r.Counts.Unresolved
	out := r.Round
	return &out, nil
}

// roundReader reads one round.
type roundReader struct {
	Round
	file   File
	first  int64 // offset behind the header
	body   int64 // offset of the commit line
	commit string
	kind   FrameKind
	last   string // id of the frame before
	any    bool   // there was one of this kind
	keep   bool
}

func (r *roundReader) damaged(format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", r.Path, ErrDamaged, fmt.Sprintf(format, args...))
}

// ends reads the header and the commit line.
func (r *roundReader) ends() error {
	tail := make([]byte, min(r.Size, longestCommit))
	if err := readAt(r.file, tail, r.Size-int64(len(tail))); err != nil {
		return fmt.Errorf("%s: %w", r.Path, err)
	}
	tail = tail[bytes.LastIndexByte(bytes.TrimSuffix(tail, []byte("\n")), '\n')+1:]
	if !bytes.HasPrefix(tail, []byte(`{"t":"commit",`)) || tail[len(tail)-1] != '\n' {
		return r.damaged("the commit line is missing or wrong")
	}
	r.commit, r.body = string(tail), r.Size-int64(len(tail))
	head, err := firstLine(r.file, r.body, r.body)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Path, err)
	}
	h, ok := parseRoundHeader(string(head))
	if !ok {
		return r.damaged("the header is missing or wrong")
	}
	r.Header, r.first = h, int64(len(head))
	if h.Round != r.Number {
		return r.damaged("its header is that of round %d", h.Round)
	}
	return nil
}

// whole reads the file into memory, where the frames stay.
func (r *roundReader) whole() error {
	data := make([]byte, r.Size)
	if err := readAt(r.file, data, 0); err != nil {
		return fmt.Errorf("%s: %w", r.Path, err)
	}
	hash := sha256.New()
	hash.Write(data[:r.body])
	digest := hex.EncodeToString(hash.Sum(nil))
	hash.Write(data[r.body:])
	r.SHA256 = hex.EncodeToString(hash.Sum(nil))
	r.keep = true
	text := unsafe.String(unsafe.SliceData(data), len(data))[r.first:r.body]
	for text != "" {
		line, rest, ended := strings.Cut(text, "\n")
		if !ended {
			return r.damaged("a frame has no end")
		}
		if err := r.frame(line); err != nil {
			return r.closed(digest, err)
		}
		text = rest
	}
	return r.closed(digest, nil)
}

// longestHead is how much of a frame is looked at when it is not kept. A frame whose id is longer is known by the digest
// alone.
const longestHead = 1 << 20

// stream reads the file in pieces.
func (r *roundReader) stream() error {
	hash := sha256.New()
	buf := make([]byte, min(max(r.body, 1), bufferSize))
	var head []byte // of a frame that began in an earlier piece
	var wrong error
	for at := int64(0); at < r.body; {
		data := buf[:min(int64(len(buf)), r.body-at)]
		if err := readAt(r.file, data, at); err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
		hash.Write(data)
		start := min(max(0, r.first-at), int64(len(data)))
		at += int64(len(data))
		data = data[start:]
		for wrong == nil && len(data) > 0 {
			line, rest, ended := bytes.Cut(data, []byte("\n"))
			if !ended || len(head) > 0 {
				head = append(head, line[:min(len(line), longestHead-len(head))]...)
				line = head
			}
			if !ended {
				break
			}
			wrong = r.frame(unsafe.String(unsafe.SliceData(line), len(line)))
			head, data = head[:0], rest
		}
	}
	digest := hex.EncodeToString(hash.Sum(nil))
	hash.Write([]byte(r.commit))
	r.SHA256 = hex.EncodeToString(hash.Sum(nil))
	if wrong == nil && len(head) > 0 {
		wrong = r.damaged("a frame has no end")
	}
	return r.closed(digest, wrong)
}

// frame takes the next frame; they are grouped by kind and sorted by id.
func (r *roundReader) frame(line string) error {
	k, f, ok := parseFrame(line)
	number := r.Counts.Nodes + r.Counts.Relations + r.Counts.Unresolved + 1
	switch {
	case !ok && !r.keep && len(line) >= longestHead:
		*r.Counts.of(r.kind)++
		return nil
	case !ok || f.Rest == "" || f.Rest[len(f.Rest)-1] != '}' && len(line) < longestHead:
		return r.damaged("frame %d cannot be read", number)
	case f.Revision != r.Number:
		return r.damaged("frame %d is one of round %d", number, f.Revision)
	case k < r.kind || k == r.kind && r.any && f.ID <= r.last:
		return r.damaged("frame %d is out of order", number)
	}
	*r.Counts.of(k)++
	r.kind, r.any = k, true
	if r.keep {
		r.last = f.ID
		r.Frames[k] = append(r.Frames[k], f)
	} else {
		r.last = strings.Clone(f.ID)
	}
	return nil
}

// closed compares what was read with the commit line and the name. wrong is what was wrong with a frame; when the digest is too,
// that says more.
func (r *roundReader) closed(digest string, wrong error) error {
	r.Digest = digest
	stated, _, _ := strings.Cut(strings.TrimPrefix(r.commit, `{"t":"commit","digest":"`), `"`)
	switch {
	case stated != digest:
		return r.damaged("its digest is not what its commit line says")
	case wrong != nil:
		return wrong
	case r.commit != commitLine(digest, r.Counts):
		return r.damaged("the counts of its commit line are wrong")
	case digest[:nameDigits] != r.Short:
		return r.damaged("its name is not that of its digest")
	}
	return nil
}
