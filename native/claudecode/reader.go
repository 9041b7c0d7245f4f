package claudecode

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"asz/native/store"
)

// Reader turns the lines of one source, in order, into landed records. What it puts into a record points into the line or
// into the Reader: it lives until the next Read, and what is to be kept longer has to be cloned. It is not for use by two at
// once.
type Reader struct {
	src     store.Source
	opening bool // of a child: no record with a record id has been seen yet

	ord   int64  // its number
	line  string // the line being read
	scan  scanner
	inner scanner // goes a second time over a small part of the line
	f     fields

	scratch []byte // what a record needs and the line does not hold: values without whitespace, joined texts
	sha     [shaDigits]byte
	head    [openerSize + len(`\ud83d\ude00`)]byte // the beginning of a prompt
	when    [len("2006-01-02T15:04:05.000000000Z")]byte
	usage   store.Usage
	answers [2]bool // false, true
	reasons []store.Raw
	odd     tally
}

const (
	shaDigits = 12
	// maxName is the length in bytes from which on an id or label is taken for none: names are kept in memory and in the
	// index, and no name is longer. The line keeps it.
	maxName = 4096
	// maxBlocks is from how many content blocks on the content lands as one part: a line of 100 MB can hold as many blocks as
	// would fill the memory a hundred times.
	maxBlocks = 1 << 14
	// maxKept is the size of a buffer that is kept for the next line.
	maxKept = 4 << 20
)

// NewReader reads a source; resumed says that a record with a record id has landed from it before.
func NewReader(src store.Source, resumed bool) *Reader {
	r := &Reader{
		src:     src,
		opening: src.Kind == store.Transcript && src.Stream != store.Main && !resumed,
		answers: [2]bool{false, true},
	}
	r.odd.at = func() string { return src.Path + ":" + strconv.FormatInt(r.ord, 10) }
	return r
}

// fields are the values of a line that a record is made of, as they were written. A later one of a name wins.
type fields struct {
	typ, uuid, parent, prompt, logical, time, subtype, title value
	agent, description, starter, workflow                    value
	meta, summary, sidechain                                 bool

	origin value // its kind

	message, content, call, stop, model, usage value
	said                                       value // the first text of the message
	results                                    int   // blocks of results
	crowded                                    bool  // more than maxBlocks

	structured                         value // toolUseResult
	status, childID, runID, answeredID value

	attachment                                value
	attached, attachedText, attachedContent   value // type, text, content
	attachedMode, attachedOrigin, attachedAny value // commandMode, kind of the origin
}

// Read fills rec, whose slices are used again, from one line without its newline. It never fails: a line that is no JSON
// object becomes one part of kind unknown that holds all of it and says why. Ord and Off are the caller's, set before. Every text in rec
// lives until the next Read, as long as line stays as it is.
func (r *Reader) Read(line []byte, rec *store.Record) {
	r.begin(line, rec)
	body := strings.Trim(r.line, " \t\r\n")
	reason := r.object(body, rec)
	if reason != "" {
		r.lost(rec, reason)
		return
	}
	r.fill(rec)
	r.finish(body, rec)
	if !r.scan.ascii() && !valid(r.line) {
		r.garbled(rec)
	}
}

// ReadWhole fills rec from the content of a source that is one record: a sidecar, manifest or script. Newlines at the end
// belong to the file and not to the content; they are cut off by the caller.
func (r *Reader) ReadWhole(content []byte, rec *store.Record) {
	if r.src.Kind != store.Script {
		r.Read(content, rec)
		return
	}
	r.begin(content, rec)
	rec.From = store.FromRuntime
	rec.Batch = r.src.Batch
	r.unknown(rec, r.line, "the program of a workflow")
}

func (r *Reader) begin(line []byte, rec *store.Record) {
	*rec = store.Record{Parts: rec.Parts[:0], Dropped: rec.Dropped[:0], Ord: rec.Ord, Off: rec.Off}
	r.ord = rec.Ord
	r.line = unsafe.String(unsafe.SliceData(line), len(line))
	r.f = fields{}
	r.scratch = r.scratch[:0]
	if cap(r.scratch) > maxKept {
		r.scratch = nil
	}
	if len(r.scan.nest) > maxKept/8 {
		r.scan.nest = nil
	}
	sum := sha256.Sum256(line)
	hex.Encode(r.sha[:], sum[:shaDigits/2])
	rec.SHA = unsafe.String(&r.sha[0], shaDigits)
	rec.Bytes = int64(len(line))
}

// lost makes a record of a line that is no JSON object. What is known from the source itself stays.
func (r *Reader) lost(rec *store.Record, reason string) {
	r.odd.count(oddLine, reason)
	rec.Parts, rec.Dropped = rec.Parts[:0], rec.Dropped[:0]
	rec.From = store.FromRuntime
	r.identify(rec)
	r.unknown(rec, r.line, reason)
}

// garbled takes from a record what is no UTF-8. CHOICE: the record keeps its ids and flags, which are text, so that a bad
// byte in the output of a tool does not tear the thread; what it says lands as bytes.
func (r *Reader) garbled(rec *store.Record) {
	for _, text := range []*string{
		&rec.ID, &rec.Parent, &rec.Call, &rec.Run, &rec.Continues, &rec.Tool, &rec.Child, &rec.Batch, &rec.StartedBy, &rec.Label,
	} {
		if !utf8.ValidString(*text) {
			*text = ""
		}
	}
	rec.Parts, rec.Dropped = rec.Parts[:0], rec.Dropped[:0]
	r.odd.count(oddLine, notText)
	r.unknown(rec, r.line, notText)
}

const (
	notText   = "the line is not UTF-8"
	emptyLine = "the line is empty"
)

// unknown adds a part that keeps bytes as they are. The reason is a text of the program's own that JSON writes as it is.
// No bytes at all are an empty text, not an absent one.
func (r *Reader) unknown(rec *store.Record, source, reason string) {
	part := store.Part{
		K: store.PartUnknown, State: store.Available, Bytes: int64(len(source)), Text: r.quoted(reason), Source: source,
	}
	if source == "" {
		part.Data = `""`
	}
	rec.Parts = append(rec.Parts, part)
}

// quoted is a reason as a JSON string. There are only so many.
func (r *Reader) quoted(reason string) store.Raw {
	for _, raw := range r.reasons {
		if string(raw[1:len(raw)-1]) == reason {
			return raw
		}
	}
	raw := store.Raw(`"` + reason + `"`)
	r.reasons = append(r.reasons, raw)
	return raw
}

// data is a value without whitespace between tokens.
func (r *Reader) data(v value) store.Raw {
	if !v.spaced {
		return store.Raw(v.raw)
	}
	mark := r.room(len(v.raw))
	r.scratch = compact(r.scratch, v.raw)
	return r.made(mark)
}

// room makes room in scratch and is where the next text begins. When scratch grows, what was made before stays where it is.
func (r *Reader) room(n int) int {
	if cap(r.scratch)-len(r.scratch) < n {
		r.scratch = make([]byte, 0, max(n, min(2*cap(r.scratch), 1<<20), 4<<10))
	}
	return len(r.scratch)
}

func (r *Reader) made(mark int) store.Raw {
	return store.Raw(unsafe.String(unsafe.SliceData(r.scratch[mark:]), len(r.scratch)-mark))
}

// id is a name, "" for anything else.
func (r *Reader) id(v value) string {
	switch {
	case !v.given():
		return ""
	case !v.isString():
		r.odd.count(oddField, "an id or label is no text")
		return ""
	case v.size > maxName:
		r.odd.count(oddField, "an id or label is longer than 4096 bytes")
		return ""
	}
	return v.text()
}
