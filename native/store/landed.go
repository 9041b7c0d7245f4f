package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
)

// LandedFile is an open landed file. Its header and its closing line are as they should be; whether the digest is right shows
// when it has been read.
type LandedFile struct {
	file    File
	path    string
	header  Header
	first   int64 // offset of the first record
	body    int64 // offset of the closing line
	records int64
	digest  string
	sum     string // of the whole file, once it is read
}

// longestHeader is more than any header can have: a path and ids of at most 4096 bytes each.
const longestHeader = 1 << 20

// closing is the last line of a landed file.
func closing(records int64, digest string) string {
	return fmt.Sprintf("{\"t\":\"end\",\"records\":%d,\"digest\":%q}\n", records, digest)
}

const longestClosing = 160

// OpenLanded opens a landed file. A header without what it needs and a closing line that is missing or not well formed
// are ErrDamaged.
func OpenLanded(fs ReadFS, path string) (*LandedFile, error) {
	file, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	f := &LandedFile{file: file, path: path}
	if err := f.open(); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

// Open opens a landed file of the session. One whose header is that of another is ErrDamaged: what it holds would come in here as
// this session's.
func (s *Session) Open(l Landed) (*LandedFile, error) {
	f, err := OpenLanded(s.root.FS, l.Path)
	if err != nil {
		return nil, err
	}
	h := f.Header()
	switch {
	case h.Session != s.ID:
		err = f.damaged("its header is that of session %q", h.Session)
	case h.Kind != l.Kind || h.Seq != l.Seq || h.Stream != l.Stream || h.Batch != l.Batch:
		err = f.damaged("its header is that of another file")
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

func (f *LandedFile) damaged(format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", f.path, ErrDamaged, fmt.Sprintf(format, args...))
}

func (f *LandedFile) open() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	end, err := f.read(max(0, info.Size-longestClosing), info.Size)
	if err != nil {
		return err
	}
	end = end[bytes.LastIndexByte(bytes.TrimSuffix(end, []byte("\n")), '\n')+1:]
	f.body = info.Size - int64(len(end))
	count, rest, _ := strings.Cut(strings.TrimPrefix(string(end), `{"t":"end","records":`), ",")
	f.records, _ = strconv.ParseInt(count, 10, 64)
	if rest, ok := strings.CutPrefix(rest, `"digest":"`); ok && len(rest) >= 2*sha256.Size {
		f.digest = rest[:2*sha256.Size]
	}
	if strings.Trim(f.digest, hexDigits) != "" || closing(f.records, f.digest) != string(end) {
		return f.damaged("the closing line is missing or wrong")
	}
	head, err := firstLine(f.file, f.body, longestHeader)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	if head == nil {
		return f.damaged("the header is missing")
	}
	f.first = int64(len(head))
	return f.parseHeader(head)
}

func (f *LandedFile) parseHeader(head []byte) error {
	var h struct {
		H       int    `json:"h"`
		Schema  string `json:"schema"`
		Seq     int64  `json:"seq"`
		At      string `json:"at"`
		Kind    Kind   `json:"kind"`
		Adapter string `json:"adapter"`
		Dialect string `json:"dialect"`
		Src     string `json:"src"`
		Session string `json:"session"`
		Stream  string `json:"stream"`
		Batch   string `json:"batch"`
	}
	if err := json.Unmarshal(head, &h); err != nil {
		return f.damaged("the header is no JSON object of the right form")
	}
	for _, field := range []struct {
		name string
		ok   bool
	}{
		{"h", h.H == 1}, {"schema", h.Schema == "sd/1"}, {"kind", h.Kind.known()},
		{"session", h.Session != ""}, {"src", h.Src != ""}, {"dialect", h.Dialect != ""},
	} {
		if !field.ok {
			return f.damaged("the header has no %s, or one that is not known", field.name)
		}
	}
	f.header = Header{h.Seq, h.At, h.Kind, h.Adapter, h.Dialect, h.Src, h.Session, h.Stream, h.Batch}
	return nil
}

// read reads from one offset to another.
func (f *LandedFile) read(from, to int64) ([]byte, error) {
	data := make([]byte, to-from)
	if err := readAt(f.file, data, from); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return data, nil
}

// readAt fills data; a file that has become shorter is an error.
func readAt(file io.ReaderAt, data []byte, from int64) error {
	n, err := file.ReadAt(data, from)
	if n == len(data) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// firstLine is the first line of a file with its newline, or nil when there is none within limit.
func firstLine(file io.ReaderAt, size, limit int64) ([]byte, error) {
	size = min(size, limit)
	for n := min(size, 4096); ; n = min(size, 4*n) {
		data := make([]byte, n)
		if err := readAt(file, data, 0); err != nil {
			return nil, err
		}
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return data[:i+1], nil
		}
		if n == size {
			return nil, nil
		}
	}
}

// Header is the file's first line.
func (f *LandedFile) Header() Header { return f.header }

// Records is the number of records that the closing line states.
func (f *LandedFile) Records() int { return int(f.records) }

// Size is the number of its bytes.
func (f *LandedFile) Size() int64 { return f.body + int64(len(closing(f.records, f.digest))) }

// SHA256 is the digest of the whole file in hex, once Each has read all of it, with or without damage found; else "".
func (f *LandedFile) SHA256() string { return f.sum }

// Close closes the file.
func (f *LandedFile) Close() error { return f.file.Close() }

// Each reads the record lines in order, without newline and with rows from 1; a line lives until the call returns. At the
// end it compares count and digest: when they are wrong it is ErrDamaged, and what was read is not to be trusted. Memory
// is bounded by the longest line.
func (f *LandedFile) Each(visit func(row int, line []byte) error) error {
	var (
		buf        = make([]byte, min(f.body, bufferSize))
		start, end int   // of what is not yet visited, in buf
		at         int64 // offset of what is not yet read
		searched   int   // in buf: no newline before it
		row        = -1  // the header
		hash       = sha256.New()
	)
	for at < f.body {
		switch {
		case start == end:
			start, end, searched = 0, 0, 0
		case end == len(buf) && start > 0:
			end = copy(buf, buf[start:end])
			searched -= start
			start = 0
		case end == len(buf):
			// Looking for the end first costs less than buffers that double.
			newline, err := f.newline(at)
			if err != nil {
				return err
			}
			grown := make([]byte, end+int(newline+1-at))
			copy(grown, buf)
			buf = grown
		}
		n := int(min(int64(len(buf)-end), f.body-at))
		if err := readAt(f.file, buf[end:end+n], at); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		hash.Write(buf[end : end+n])
		end += n
		at += int64(n)
		for {
			i := bytes.IndexByte(buf[searched:end], '\n')
			if i < 0 {
				searched = end
				break
			}
			line := buf[start : searched+i]
			start = searched + i + 1
			searched = start
			if row++; row > 0 {
				if err := visit(row, line); err != nil {
					return err
				}
			}
		}
	}
	return f.complete(start < end, row, hash)
}

// Positions reads where the records stand, in order, and compares count and digest at the end as Each does. Memory does not
// depend on how long they are.
func (f *LandedFile) Positions(visit func(RecordPos) error) error {
	const most = 64 << 10 // of a line: what comes before its parts is shorter
	var (
		buf  = make([]byte, min(f.body, bufferSize))
		head = make([]byte, 0, 1<<10)
		row  = -1 // the header
		hash = sha256.New()
	)
	for at := int64(0); at < f.body; {
		data := buf[:min(int64(len(buf)), f.body-at)]
		if err := readAt(f.file, data, at); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		at += int64(len(data))
		hash.Write(data)
		for {
			line, rest, ended := bytes.Cut(data, []byte("\n"))
			head = append(head, line[:min(len(line), most-len(head))]...)
			if !ended {
				break
			}
			if row++; row > 0 {
				pos, ok := position(string(head))
				if !ok {
					return f.damaged("record %d cannot be read", row)
				}
				if err := visit(pos); err != nil {
					return err
				}
			}
			head, data = head[:0], rest
		}
	}
	return f.complete(len(head) > 0, row, hash)
}

// complete compares what was read with what the closing line says.
func (f *LandedFile) complete(open bool, row int, hash hash.Hash) error {
	digest := hex.EncodeToString(hash.Sum(nil))
	io.WriteString(hash, closing(f.records, f.digest))
	f.sum = hex.EncodeToString(hash.Sum(nil))
	if open {
		return f.damaged("a record has no end")
	}
	if int64(row) != f.records {
		return f.damaged("it has %d records, its closing line says %d", row, f.records)
	}
	if digest != f.digest {
		return f.damaged("its digest is not what its closing line says")
	}
	return nil
}

// newline is the offset of the next newline from an offset on, or of the last byte before the closing line.
func (f *LandedFile) newline(at int64) (int64, error) {
	data := make([]byte, bufferSize)
	for at < f.body {
		data = data[:min(int64(len(data)), f.body-at)]
		if err := readAt(f.file, data, at); err != nil {
			return 0, fmt.Errorf("%s: %w", f.path, err)
		}
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return at + int64(i), nil
		}
		at += int64(len(data))
	}
	return f.body - 1, nil
}

// tail reads where the last record stands.
func (f *LandedFile) tail() (RecordPos, error) {
	const window = 64 << 10
	end := f.body - 1 // the newline of the last record
	start := end
	buf := make([]byte, window)
	for start > f.first {
		from := max(f.first, start-window)
		data := buf[:start-from]
		if err := readAt(f.file, data, from); err != nil {
			return RecordPos{}, fmt.Errorf("%s: %w", f.path, err)
		}
		i := bytes.LastIndexByte(data, '\n')
		start = from + int64(i) + 1
		if i >= 0 {
			break
		}
	}
	if start >= end {
		return RecordPos{}, f.damaged("it has no record")
	}
	for n := min(end-start, window); ; n = end - start {
		head, err := f.read(start, start+n)
		if err != nil {
			return RecordPos{}, err
		}
		if pos, ok := position(string(head)); ok {
			return pos, nil
		}
		if n == end-start {
			return RecordPos{}, f.damaged("its last record cannot be read")
		}
	}
}
