package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"path"
	"unsafe"
)

// NoTime is the time of an entry whose record states none, or none between the years 1678 and 2262.
const NoTime = math.MinInt64

// IndexEntry is what the index holds of a record: all that assembly needs, and no text.
type IndexEntry struct {
	Seq        int64
	Row        int64 // from 1
	Kind       Kind
	Stream     string // of the header
	Batch      string // of the header
	ID         string
	Parent     string
	Call       string
	Run        string
	Continues  string
	Tool       string
	Child      string
	BatchNamed string // the record's batch
	StartedBy  string
	Label      string
	From       From
	Time       int64 // nanoseconds since 1970, or NoTime
	Trigger    Trigger
	Flags      Flags
	HasUsage   bool
	Parts      []IndexPart
}

// IndexPart is what the index holds of a part.
type IndexPart struct {
	K    PartKind
	Tool string // call: its id; result: the call it answers
	Name string // call: the tool
}

// Index is the index of a session, as it was when it was read.
type Index struct {
	IndexedSeq int64 // every landed file up to it is in the index
	Files      int
	Records    int
	parts      int
	name       string
	data       string
}

// state of index/index.state: what entries.bin holds, and by which bytes. More bytes than that are what an interrupted
// holder appended.
type state struct {
	indexedSeq            int64
	files, records, parts int64
	length                int64
	crc                   uint32 // CRC-32C of the first length bytes
}

func (st *state) text() string {
	var f fields
	f.add("schema", "1")
	f.number("indexed_seq", st.indexedSeq)
	f.number("files", st.files)
	f.number("records", st.records)
	f.number("parts", st.parts)
	f.number("length", st.length)
	f.number("entries_crc32c", int64(st.crc))
	return f.checked()
}

func parseIndexState(text string) (state, bool) {
	f, ok := parseChecked(text, "schema", "indexed_seq", "files", "records", "parts", "length", "entries_crc32c")
	if !ok {
		return state{}, false
	}
	r := fieldReader{fields: f}
	r.expect("1")
	st := state{indexedSeq: r.count(), files: r.count(), records: r.count(), parts: r.count(), length: r.count()}
	crc := r.count()
	st.crc = uint32(crc)
	if r.bad || crc > math.MaxUint32 {
		return state{}, false
	}
	return st, true
}

// add accounts for blocks that were appended.
func (st *state) add(t *crc32.Table, blocks []byte) {
	st.length += int64(len(blocks))
	st.crc = crc32.Update(st.crc, t, blocks)
}

// readState reads index.state; it is not valid when it is absent or garbage.
func (s *Session) readState() (st state, text string, valid bool, err error) {
	text, err = readSmall(s.root.FS, path.Join(s.dir, indexDir, indexState))
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, "", false, nil
	}
	if errors.Is(err, ErrDamaged) {
		return state{}, "?", false, nil
	}
	if err != nil {
		return state{}, "", false, fmt.Errorf("session %s: reading its index: %w", s.ID, err)
	}
	st, valid = parseIndexState(text)
	return st, text, valid, nil
}

// Index reads the session's index. Without one it is empty; ErrDamaged means that it does not fit its checksum.
func (s *Session) Index() (*Index, error) {
	name := path.Join(s.dir, indexDir, entriesName)
	for before := ""; ; {
		st, text, valid, err := s.readState()
		if err != nil {
			return nil, err
		}
		if text == "" {
			return &Index{name: name}, nil
		}
		var data []byte
		damage := "index.state cannot be read"
		if valid {
			if data, damage, err = s.readEntries(name, st); err != nil {
				return nil, err
			}
		}
		if damage == "" {
			return &Index{
				IndexedSeq: st.indexedSeq, Files: int(st.files), Records: int(st.records), parts: int(st.parts),
				name: name, data: unsafe.String(unsafe.SliceData(data), len(data)),
			}, nil
		}
		// The holder of the lock may have put another index in its place meanwhile.
		if text == before {
			return nil, fmt.Errorf("%s: %w: %s", name, ErrDamaged, damage)
		}
		before = text
	}
}

// readEntries reads the bytes that st speaks of; damage says in what they do not fit.
func (s *Session) readEntries(name string, st state) (data []byte, damage string, err error) {
	if st.length == 0 {
		return nil, "", nil
	}
	f, err := s.root.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "it is missing", nil
	}
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, "", err
	}
	if info.Size < st.length {
		return nil, fmt.Sprintf("it has %d bytes of %d", info.Size, st.length), nil
	}
	data = make([]byte, st.length)
	if err := readAt(f, data, 0); err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	if crc32.Checksum(data, castagnoli()) != st.crc {
		return nil, "its checksum is wrong", nil
	}
	return data, "", nil
}

// indexFile is the index as a pass writes it.
type indexFile struct {
	read  bool
	valid bool  // state was readable
	state state // on disk
	now   state // with what was appended since
	w     Writer
	stuck error // why the index stays below what has landed
}

func (p *Pass) readIndexState() error {
	x := &p.index
	if x.read {
		return nil
	}
	st, _, valid, err := p.s.readState()
	if err != nil {
		return err
	}
	x.read, x.valid, x.state, x.now = true, valid, st, st
	return nil
}

// openIndex opens entries.bin behind what its state speaks of. When that is not there, everything is indexed anew. It stays
// closed, with what it says in stuck, when something would be forgotten.
func (p *Pass) openIndex(anew bool) error {
	if err := p.readIndexState(); err != nil {
		return err
	}
	x := &p.index
	if x.w != nil || x.stuck != nil {
		return nil
	}
	fits, err := p.entriesFit()
	if err != nil {
		return err
	}
	anew = anew || !fits
	above := x.state.indexedSeq
	if anew {
		above = 0
	}
	if x.stuck, err = p.forgets(above); x.stuck != nil || err != nil {
		return err
	}
	dir := path.Join(p.s.dir, indexDir)
	if err := p.ready(dir); err != nil {
		return err
	}
	if anew {
		// A state that outlives its entries would vouch for those that come in their place.
		if err := p.fs.Remove(path.Join(dir, indexState)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := p.fs.SyncDir(dir); err != nil {
			return err
		}
		x.valid, x.state, x.now = false, state{}, state{}
	}
	x.w, err = p.fs.Append(path.Join(dir, entriesName), x.now.length)
	return err
}

// entriesFit tells whether entries.bin has the bytes that its state speaks of. Whether they are the right ones shows when they
// are read.
func (p *Pass) entriesFit() (bool, error) {
	if !p.index.valid {
		return false, nil
	}
	info, err := p.fs.Stat(path.Join(p.s.dir, indexDir, entriesName))
	if errors.Is(err, fs.ErrNotExist) {
		return p.index.state.length == 0, nil
	}
	return err == nil && info.Size >= p.index.state.length, err
}

// flushIndex appends to entries.bin what is on disk and above the index, and then what the pass landed.
func (p *Pass) flushIndex() error {
	if err := p.openIndex(false); err != nil {
		return err
	}
	x := &p.index
	if x.w == nil {
		p.dropBlocks()
		return nil
	}
	table := castagnoli()
	write := func(blocks []byte) error {
		_, err := x.w.Write(blocks)
		x.now.add(table, blocks)
		return err
	}
	var blocks []byte
	var block blockWriter
	for _, l := range p.landed {
		if l.Seq <= x.now.indexedSeq {
			continue
		}
		if x.stuck != nil || len(p.unindexed) > 0 && l.Seq >= p.unindexed[0] {
			break
		}
		if err := p.settle([]Landed{l}); err != nil {
			return err
		}
		err := p.readBlock(&block, l)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if errors.Is(err, ErrDamaged) || errors.Is(err, errRecord) {
			x.stuck = fmt.Errorf("session %s: the index stays before seq %d: %w; restore that file, or take it away to go on without it", p.s.ID, l.Seq, err)
			break
		}
		if err != nil {
			return err
		}
		blocks = block.close(blocks)
		x.now.account(l.Seq, &block)
		p.indexed += block.rows
		if len(blocks) > mostPending {
			if err := write(blocks); err != nil {
				return err
			}
			blocks = blocks[:0]
		}
	}
	if err := write(blocks); err != nil {
		return err
	}
	if x.stuck == nil && len(p.unindexed) > 0 {
		if err := write(p.pending); err != nil {
			return err
		}
		x.now.indexedSeq = p.unindexed[len(p.unindexed)-1]
		x.now.files += int64(len(p.unindexed))
		x.now.records += p.pendingRecords
		p.indexed += p.pendingRecords
		x.now.parts += p.pendingParts
	}
	p.dropBlocks()
	return nil
}

// dropBlocks forgets what landed and is not yet in entries.bin.
func (p *Pass) dropBlocks() {
	p.pending, p.unindexed, p.pendingRecords, p.pendingParts = p.pending[:0], p.unindexed[:0], 0, 0
}

func (st *state) account(seq int64, b *blockWriter) {
	st.indexedSeq = seq
	st.files++
	st.records += b.rows
	st.parts += b.parts
}

// readBlock makes the block of a landed file from what is on disk.
func (p *Pass) readBlock(b *blockWriter, l Landed) error {
	f, err := p.s.Open(l)
	if err != nil {
		return err
	}
	defer f.Close()
	h := f.Header()
	b.start(&h)
	var r Record
	return f.outlines(func(row int, line []byte) error {
		if err := r.Read(line); err != nil {
			return fmt.Errorf("%s, record %d: %w", l.Path, row, err)
		}
		b.add(&r)
		return nil
	})
}

// commitIndex brings the index up to what is on disk. stuck is a landed file that cannot be indexed.
func (p *Pass) commitIndex(anew bool) (stuck, err error) {
	if err := p.readIndexState(); err != nil {
		return nil, err
	}
	x := &p.index
	if x.w == nil && !anew {
		last := int64(0)
		if n := len(p.landed); n > 0 {
			last = p.landed[n-1].Seq
		}
		fits, err := p.entriesFit()
		if err != nil || last <= x.state.indexedSeq && fits {
			return nil, err
		}
		if last == 0 && !x.valid { // nothing to index
			return p.forgets(0)
		}
	}
	if err := p.openIndex(anew); err != nil {
		return nil, err
	}
	if err := p.flushIndex(); err != nil {
		return nil, err
	}
	if x.w == nil {
		return x.stuck, nil
	}
	if err := x.w.Sync(); err != nil {
		return nil, err
	}
	w := x.w
	x.w = nil
	if err := w.Close(); err != nil {
		return nil, err
	}
	if x.valid && x.now == x.state {
		return x.stuck, nil
	}
	dir := path.Join(p.s.dir, indexDir)
	if err := p.fs.SyncDir(dir); err != nil { // entries.bin may be new
		return nil, err
	}
	if err := p.replace(dir, indexState, x.now.text()); err != nil {
		return nil, err
	}
	x.valid, x.state = true, x.now
	return x.stuck, nil
}

func (p *Pass) closeIndex() {
	if p.index.w != nil {
		p.index.w.Close()
		p.index.w = nil
	}
}

// Reindex builds the index anew from the landed files on disk.
func (p *Pass) Reindex() error {
	if p.err != nil {
		return p.err
	}
	p.closeIndex()
	p.index.stuck = nil
	p.dropBlocks() // what the pass landed is read again with the others
	stuck, err := p.commitIndex(true)
	if err != nil {
		return p.fail(err)
	}
	return stuck
}
