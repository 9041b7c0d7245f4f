package guirun

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	secretPrefix = "KASM_RUNTIME_SECRET_"
	secretMin    = 4 // characters: less would be found everywhere
	secretLine   = 8 // characters: a line of a value with several that is found by itself, too
)

// Secrets takes secret values out of what leaves the run. A nil one knows none. It may be used at several places at once.
type Secrets struct {
	names    []string // variables, whose values are found; without value they are not here
	values   []string
	find     *finder
	patterns []*regexp.Regexp

	mu    sync.Mutex
	used  map[string]bool
	spare sync.Pool // of *scan
}

// NewSecrets takes the values of the variables KASM_RUNTIME_SECRET_* from an environment of NAME=value. Blanks and line
// ends around a value do not count; an empty one is not set. The error names a variable whose value is too short to be
// told from other text.
func NewSecrets(environ []string) (*Secrets, error) {
	byName := map[string]string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, secretPrefix) {
			byName[name] = value
		}
	}
	s := &Secrets{used: map[string]bool{}}
	for name, value := range byName {
		if value != "" {
			s.names = append(s.names, name)
		}
	}
	slices.Sort(s.names)
	for _, name := range s.names {
		value := strings.TrimSpace(byName[name])
		if utf8.RuneCountInString(value) < secretMin {
			return nil, fmt.Errorf("the value of %s has fewer than %d characters, so that it cannot be told from other text: give it a longer one, or unset it", name, secretMin)
		}
		s.values = append(s.values, value)
	}
	values, owners := slices.Clone(s.values), make([]int, len(s.values))
	for i, value := range s.values {
		owners[i] = i
		lines := strings.Split(value, "\n")
		for _, line := range lines {
			if line = strings.TrimSpace(line); len(lines) > 1 && utf8.RuneCountInString(line) >= secretLine {
				values, owners = append(values, line), append(owners, i)
			}
		}
	}
	s.find = newFinder(values, owners)
	return s, nil
}

// Redact adds patterns of the operator: what they match in a text or a line goes too. It is to be called before anything
// is read from s.
func (s *Secrets) Redact(patterns []*regexp.Regexp) {
	s.patterns = append(s.patterns, patterns...)
}

// Use notes that a step used a variable, and says whether it is a secret.
func (s *Secrets) Use(name string) bool {
	if s == nil || !slices.Contains(s.names, name) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[name] = true
	return true
}

// Used says whether a variable, or with "" any, was used.
func (s *Secrets) Used(name string) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used[name] || name == "" && len(s.used) > 0
}

// Any says whether there are secrets at all.
func (s *Secrets) Any() bool { return s != nil && len(s.values) > 0 }

// Holds says whether a text has a secret in it, in any form.
func (s *Secrets) Holds(text string) bool {
	if !s.Any() {
		return false
	}
	scan := s.scan()
	defer s.spare.Put(scan)
	for i := range len(text) {
		if scan.step(text[i]); len(scan.found) > 0 {
			return true
		}
	}
	return false
}

// mark is what stands for a secret. Nothing in it needs escaping anywhere.
func (s *Secrets) mark(secret int) string {
	return "[redacted:" + strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			return c
		}
		return '_'
	}, s.names[secret]) + "]"
}

// patternMark is what stands for what the operator's patterns match.
const patternMark = "[redacted]"

// Text is a text without secrets and without what the operator's patterns match.
func (s *Secrets) Text(text string) string {
	if s == nil {
		return text
	}
	found := s.all(text)
	if len(found) > 0 {
		var out strings.Builder
		at := 0
		for _, m := range found {
			out.WriteString(text[at:m.start])
			out.WriteString(s.mark(m.secret))
			at = int(m.end)
		}
		out.WriteString(text[at:])
		text = out.String()
	}
	for _, pattern := range s.patterns {
		text = pattern.ReplaceAllLiteralString(text, patternMark)
	}
	return text
}

// all finds the secrets of a text, in order, none over another.
func (s *Secrets) all(text string) []match {
	if len(s.values) == 0 {
		return nil
	}
	scan := s.scan()
	defer s.spare.Put(scan)
	for i := range len(text) {
		scan.step(text[i])
	}
	return slices.Clone(scan.found)
}

// Bytes is Text for bytes.
func (s *Secrets) Bytes(text []byte) []byte {
	if s == nil {
		return text
	}
	return []byte(s.Text(string(text)))
}

// JSON is Text for the texts of a JSON document, which stays one: its keys and numbers are left, as a secret may be no more
// than a number.
func (s *Secrets) JSON(document []byte) []byte {
	if s == nil {
		return document
	}
	out := make([]byte, 0, len(document))
	for i := 0; i < len(document); {
		if document[i] != '"' {
			out = append(out, document[i])
			i++
			continue
		}
		end := i + 1
		for end < len(document) && document[end] != '"' {
			if document[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(document))
		literal := document[i:end]
		i = end
		after := bytes.TrimLeft(document[end:], " \t\r\n")
		var text string
		if len(after) > 0 && after[0] == ':' || json.Unmarshal(literal, &text) != nil {
			out = append(out, literal...)
			continue
		}
		if clean := s.Text(text); clean == text {
			out = append(out, literal...)
		} else {
			literal, _ = json.Marshal(clean) // a text always encodes
			out = append(out, literal...)
		}
	}
	return out
}

// scan gives a scan from the beginning.
func (s *Secrets) scan() *scan {
	if old, ok := s.spare.Get().(*scan); ok {
		old.reset()
		return old
	}
	return s.find.scan()
}

// Redactor writes to another writer what has no secrets in it. What may be the beginning of one is held until it is known,
// the operator's patterns hold line by line. It may be used by several at once.
type Redactor struct {
	secrets *Secrets
	to      io.Writer

	mu      sync.Mutex
	scan    *scan
	pending []byte // read and not passed on; the first of them is at base
	base    int64
	line    []byte // an unfinished line without secrets, when there are patterns
	err     error
}

// Writer is a writer through which no secret gets. Its Flush is to be called at the end.
func (s *Secrets) Writer(w io.Writer) *Redactor {
	if s == nil {
		s = &Secrets{find: newFinder(nil, nil)}
	}
	return &Redactor{secrets: s, to: w, scan: s.find.scan()}
}

func (r *Redactor) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range b {
		r.scan.step(c)
	}
	r.pending = append(r.pending, b...)
	r.pass(r.scan.settled())
	if r.err != nil {
		return 0, r.err
	}
	return len(b), nil
}

// Flush passes on what was held: nothing comes after it.
func (r *Redactor) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pass(r.base + int64(len(r.pending)))
	r.scan.reset()
	r.base = 0
	if len(r.line) > 0 {
		r.put([]byte(r.patterns(string(r.line))))
		r.line = r.line[:0]
	}
	return r.err
}

// pass passes on what lies before a place.
func (r *Redactor) pass(until int64) {
	var out []byte
	drop := 0
	for _, m := range r.scan.found {
		if m.end > until {
			until = min(until, m.start)
			break
		}
		out = append(out, r.pending[:m.start-r.base]...)
		out = append(out, r.secrets.mark(m.secret)...)
		r.skip(m.end)
		drop++
	}
	r.scan.found = slices.Delete(r.scan.found, 0, drop)
	if until > r.base {
		out = append(out, r.pending[:until-r.base]...)
		r.skip(until)
	}
	if len(out) > 0 {
		r.lines(out)
	}
}

func (r *Redactor) skip(until int64) {
	r.pending = append(r.pending[:0], r.pending[until-r.base:]...)
	r.base = until
}

// lines holds the operator's patterns against whole lines; a line of more than longLine counts as several.
func (r *Redactor) lines(text []byte) {
	if len(r.secrets.patterns) == 0 {
		r.put(text)
		return
	}
	const longLine = 64 << 10
	r.line = append(r.line, text...)
	end := bytes.LastIndexAny(r.line, "\r\n") + 1
	if end == 0 && len(r.line) > longLine {
		end = len(r.line)
	}
	if end == 0 {
		return
	}
	var out strings.Builder
	for line := range strings.SplitAfterSeq(string(r.line[:end]), "\n") {
		body := strings.TrimRight(line, "\r\n")
		out.WriteString(r.patterns(body))
		out.WriteString(line[len(body):])
	}
	r.line = append(r.line[:0], r.line[end:]...)
	r.put([]byte(out.String()))
}

func (r *Redactor) patterns(text string) string {
	for _, pattern := range r.secrets.patterns {
		text = pattern.ReplaceAllLiteralString(text, patternMark)
	}
	return text
}

func (r *Redactor) put(text []byte) {
	if r.err == nil {
		_, r.err = r.to.Write(text)
	}
}

// match is where a secret, or several over each other, stand.
type match struct {
	start, end int64
	secret     int   // the one with the longest form here
	length     int64 // of that form
}

// add takes a match in. Those that lie over each other become one: nothing of any may be left.
func add(found []match, m match) []match {
	i := len(found)
	for i > 0 && found[i-1].end > m.start {
		i--
	}
	j := i
	for ; j < len(found) && found[j].start < m.end; j++ {
		o := found[j]
		if cmp.Or(-cmp.Compare(o.length, m.length), cmp.Compare(o.start, m.start), cmp.Compare(o.secret, m.secret)) < 0 {
			m.secret, m.length = o.secret, o.length
		}
		m.start, m.end = min(m.start, o.start), max(m.end, o.end)
	}
	return slices.Replace(found, i, j, m)
}
