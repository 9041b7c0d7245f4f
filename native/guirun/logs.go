package guirun

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// LogOptions say which logs are collected, and where to.
type LogOptions struct {
	Patterns []string // paths and globs, `~/` in front is Home
	Home     string
	Dir      string   // of the report; copies go to logs/ in it
	Appended bool     // only what is appended from now on counts, else whole files
	Secrets  *Secrets // taken out of all that is kept
}

// Bounds of what is kept of one log, and of their number.
const (
	logFiles     = 200
	logCopy      = 4 << 20  // bytes, both ends
	logTail      = 16 << 10 // bytes
	logTailLines = 100
	logLine      = 64 << 10 // bytes of a line that are looked at together,
	logOverlap   = 8 << 10  // and of them those that are looked at again with what follows
	logShown     = 1000     // bytes of a line that is shown, about
	logFatal     = 20       // lines that are shown
)

// Logs are the logs of a run: what they held at its beginning is known.
type Logs struct {
	LogOptions
	before []logBefore
	names  Names // of copies
}

// logBefore is a file at the beginning. Its last bytes tell whether it was emptied and filled again meanwhile.
type logBefore struct {
	info fs.FileInfo
	size int64
	last string
}

// BeginLogs notes where the logs end now. What cannot be read now is told at the end, if it still cannot.
func BeginLogs(o LogOptions) *Logs {
	l := &Logs{LogOptions: o}
	if !o.Appended {
		return l
	}
	for _, name := range l.files() {
		f, info, err := openLog(name)
		if err != nil {
			continue
		}
		before := logBefore{info: info, size: info.Size()}
		before.last, err = lastBytes(f, before.size)
		f.Close()
		if err == nil {
			l.before = append(l.before, before)
		}
	}
	return l
}

// lastBytes are those before a place.
func lastBytes(f *os.File, size int64) (string, error) {
	buf := make([]byte, min(size, 256))
	n, err := f.ReadAt(buf, size-int64(len(buf)))
	if n == len(buf) {
		err = nil
	}
	return string(buf[:n]), err
}

// openLog opens a regular file, and never waits for one that is something else.
func openLog(name string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, withoutPath(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		f.Close()
		return nil, nil, withoutPath(err)
	}
	return f, info, nil
}

// withoutPath leaves out the path, which stands beside the message.
func withoutPath(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// files are those that the patterns name now, in their order, each once. A path without a star is named even if it is not
// there.
func (l *Logs) files() []string {
	var out []string
	seen := map[string]bool{}
	for _, pattern := range l.Patterns {
		if rest, ok := strings.CutPrefix(pattern, "~/"); ok && l.Home != "" {
			pattern = filepath.Join(l.Home, rest)
		}
		found := []string{pattern}
		if glob := strings.ContainsAny(pattern, `*?[\`); glob {
			found, _ = filepath.Glob(pattern) // its form was checked when it was read
			found = slices.DeleteFunc(found, func(name string) bool {
				info, err := os.Stat(name)
				return err == nil && !info.Mode().IsRegular() // a glob may take in folders, pipes and sockets
			})
		}
		for _, name := range found {
			if !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// End copies the logs to the report and looks for lines that hold one of some texts, which are told from others by case.
// What cannot be read is told in the log's note. Logs that hold nothing that counts are left out.
func (l *Logs) End(ctx context.Context, fatal []string) []LogFile {
	out := []LogFile{}
	names := l.files()
	for i, name := range names {
		if len(out) == logFiles {
			out = append(out, LogFile{Path: name, Note: fmt.Sprintf("this and %d more logs were not collected: %d are the most", len(names)-i-1, logFiles)})
			break
		}
		if log := l.collect(ctx, name, fatal); log.Bytes > 0 || log.Note != "" {
			out = append(out, log)
		}
	}
	return out
}

// collect reads one log.
func (l *Logs) collect(ctx context.Context, name string, fatal []string) LogFile {
	log := LogFile{Path: l.Secrets.Text(name)}
	note := func(err error, what string) {
		if err != nil && log.Note == "" {
			log.Note = l.Secrets.Text(fmt.Sprintf("%s: %v", what, err))
		}
	}
	f, info, err := openLog(name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) || filepath.Base(name) != ".xsession-errors" { // which comes with the first command only
			note(err, "it cannot be read")
		}
		return log
	}
	defer f.Close()
	begin := l.begin(f, info)
	kept := newCapped(logCopy)
	found := &fatalLines{texts: fatal, secrets: l.Secrets}
	clean := l.Secrets.Writer(kept)
	read := &untilDone{ctx, io.NewSectionReader(f, begin, info.Size()-begin)}
	log.Bytes, err = io.Copy(io.MultiWriter(clean, found), read)
	note(err, "it was not read to its end")
	clean.Flush() // to memory
	found.end()
	text, _ := kept.text()
	log.Tail = tailLines(text)
	log.Fatal = found.shown
	if found.more > 0 {
		note(fmt.Errorf("%d more lines", found.more), "log_fatal found more than is shown")
	}
	if log.Bytes > 0 {
		log.Copy, err = l.keep(name, text)
		note(err, "it cannot be copied")
	}
	return log
}

// begin is where what counts of a file begins. A file that was not there, or is not what it was, counts whole; one that
// was only renamed is known by itself.
func (l *Logs) begin(f *os.File, info fs.FileInfo) int64 {
	for _, b := range l.before {
		if os.SameFile(b.info, info) && b.size <= info.Size() {
			if last, err := lastBytes(f, b.size); err == nil && last == b.last {
				return b.size
			}
		}
	}
	return 0
}

// keep writes a copy, and returns its name in the report's folder.
func (l *Logs) keep(name, text string) (string, error) {
	base := strings.TrimLeft(l.Secrets.Text(filepath.Base(name)), ".")
	if base == "" {
		base = "log"
	}
	dir := filepath.Join(l.Dir, "logs")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", withoutPath(err)
	}
	base = l.names.Take(base)
	if err := WriteWhole(filepath.Join(dir, base), []byte(text)); err != nil {
		return "", withoutPath(err)
	}
	return "logs/" + base, nil
}

// untilDone reads until ctx ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (u *untilDone) Read(b []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.Reader.Read(b)
}

// tailLines are the last lines of a text, as far as logTail and logTailLines go.
func tailLines(text string) string {
	begin := max(0, len(text)-logTail)
	if begin > 0 {
		if end := strings.IndexByte(text[begin:], '\n'); end >= 0 {
			begin += end + 1
		} else {
			begin += wholeStart([]byte(text[begin:]))
		}
	}
	at := len(strings.TrimSuffix(text, "\n"))
	for range logTailLines {
		at = strings.LastIndexByte(text[:max(at, 0)], '\n')
		if at < begin {
			return text[begin:]
		}
	}
	return text[at+1:]
}

// fatalLines are the lines written to it that hold one of some texts.
type fatalLines struct {
	texts   []string
	secrets *Secrets
	line    []byte // an unfinished one, its end when it is long
	hit     bool   // it is shown already
	shown   []string
	more    int // that are not shown
}

func (l *fatalLines) Write(b []byte) (int, error) {
	n := len(b)
	if len(l.texts) == 0 {
		return n, nil
	}
	for len(b) > 0 {
		advance, line, _ := bufio.ScanLines(b, false)
		if advance == 0 {
			l.line = append(l.line, b...)
			l.shorten()
			break
		}
		l.line = append(l.line, line...)
		l.shorten()
		l.end()
		b = b[advance:]
	}
	return n, nil
}

// shorten looks into a line that has become long and drops its beginning. What a text was found in is shown with what is
// around it: near the end that is left for the next time.
func (l *fatalLines) shorten() {
	if len(l.line) <= logLine {
		return
	}
	if at, _ := l.find(); at >= 0 && at < len(l.line)-logOverlap/2 && !l.hit {
		l.take()
		l.hit = true
	}
	l.line = append(l.line[:0], l.line[len(l.line)-logOverlap:]...)
}

// end ends a line.
func (l *fatalLines) end() {
	if at, _ := l.find(); at >= 0 && !l.hit {
		l.take()
	}
	l.line, l.hit = l.line[:0], false
}

// find is where the first of the texts that the line holds stands in it, -1 when it holds none.
func (l *fatalLines) find() (at int, text string) {
	for _, text := range l.texts {
		if at := bytes.Index(l.line, []byte(text)); at >= 0 {
			return at, text
		}
	}
	return -1, ""
}

// take shows the line, of a long one what is around the text. It is redacted before it is cut.
func (l *fatalLines) take() {
	if len(l.shown) == logFatal {
		l.more++
		return
	}
	_, text := l.find()
	line := l.secrets.Text(string(l.line))
	at := max(0, strings.Index(line, text)) // the text may be part of a secret
	head, tail := "", ""
	if end := at + logShown; end < len(line) {
		line, tail = line[:wholeEnd([]byte(line[:end]))], "…"
	}
	if begin := at - logShown/2; begin > 0 {
		line, head = line[begin+wholeStart([]byte(line[begin:])):], "…"
	}
	l.shown = append(l.shown, head+line+tail)
}
