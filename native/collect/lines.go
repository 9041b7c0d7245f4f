package collect

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"asz/native/store"
)

const (
	tailSize   = 1 << 20 // bytes before the offset of a cursor whose digest it keeps
	bufferSize = 1 << 20 // what a worker reads at a time, whatever the size of a landed file
	longLine   = 4 << 20 // longer ones are in memory one at a time, whatever the number of workers
	hugeLine   = 16 << 20
)

// lines lands the complete lines behind the cursor, in windows.
func (l *landing) lines(file store.File, info store.Info, behind []store.Landed) error {
	if info.Size < l.cursor.Offset {
		return errChanged
	}
	err := l.readTail(file)
	if err != nil {
		return err
	}
	if l.known && l.cursor.Offset > 0 && l.tailSum() != l.cursor.Tail {
		return errChanged
	}
	if len(behind) > 0 {
		if err := l.catchUp(file, behind); err != nil {
			return err
		}
	}
	l.cursor.State = store.Active
	l.advance(l.cursor.Offset - l.old.Offset) // landed before, behind a lost cursor
	reader := l.adapter.Open(l.src, l.cursor.LastUUID != "")
	defer func() {
		l.report.addOdd(reader.Odd())
		l.record = store.Record{} // it points into what the reader made
	}()
	n, more := 0, true
	for ; err == nil && more && n < maxWindows && l.ctx.Err() == nil; n++ {
		more, err = l.window(file, info.Size, reader)
	}
	if n > 0 {
		l.cursor.Tail = l.tailSum()
	}
	if err == nil && more {
		l.report.Pending++
	}
	if l.pass.Err() != nil {
		return err
	}
	// What the source was when it was opened: growth since then is seen by the next pass. While there is more to read its
	// size is not that of a source that is read.
	if more || err != nil {
		info.Size = l.cursor.Offset
	}
	// One cursor for all windows: behind a crash catchUp finds the files that came before it.
	return cmp.Or(err, l.save(info))
}

// place is how far a source has been read.
type place struct {
	ord, offset int64
	id          string // of the last record that has one; empty = as before
}

// window lands the next lines up to a size as one file and moves the cursor behind them; more says that there may be others
// behind them. An unterminated last line waits for its end.
func (l *landing) window(file store.File, size int64, reader Reader) (more bool, err error) {
	at := place{ord: l.cursor.Ord, offset: l.cursor.Offset}
	limit := size
	if most := cmp.Or(max(l.adapter.MaxDelta, 0), l.MaxDelta); size-at.offset > most {
		limit = at.offset + most
	}
	went := onward
	landed, err := l.pass.Land(l.header(), func(out *store.Landing) (err error) {
		for err == nil && went == onward && at.offset < limit {
			went, err = l.chunk(file, &at, limit, size, reader, out)
		}
		return err
	})
	if err != nil || landed.Seq == 0 {
		return false, err
	}
	read := at.offset - l.cursor.Offset
	l.report.Landed++
	l.report.Records += int(at.ord - l.cursor.Ord)
	l.report.Bytes += read
	if at.id != "" {
		l.cursor.LastUUID = at.id
	}
	l.cursor.Ord, l.cursor.Offset, l.cursor.LastSeq = at.ord, at.offset, landed.Seq
	l.advance(read)
	return went != torn && at.offset < size, nil
}

// step is how it goes on behind a chunk.
type step int

const (
	onward step = iota
	full        // the next line waits for another file
	torn        // the next line has no end yet
)

// chunk lands the next lines that fit into the buffer, or one that is longer. Only the first line of a file may go over its
// limit.
func (l *landing) chunk(file store.File, at *place, limit, size int64, reader Reader, out *store.Landing) (step, error) {
	n := min(limit-at.offset, bufferSize)
	data, err := readAt(file, l.room(n), at.offset)
	if err != nil {
		return torn, err
	}
	if cut := bytes.LastIndexByte(data, '\n') + 1; cut > 0 {
		return onward, l.landLines(reader, out, data[:cut], at)
	}
	if int64(len(data)) < n {
		return torn, nil // it was cut off meanwhile
	}
	end, err := l.lineEnd(file, at.offset+n, size)
	if err != nil || end < 0 {
		return torn, err
	}
	if end > limit && at.offset > l.cursor.Offset {
		return full, nil
	}
	length := end - at.offset
	if length > longLine {
		l.long.Lock()
		defer l.long.Unlock()
		defer l.dropLong(length)
	}
	data, err = readAt(file, l.longBuffer(length), at.offset)
	// What was written anew meanwhile is seen by the next pass.
	if err != nil || int64(len(data)) < length || bytes.IndexByte(data, '\n') != len(data)-1 {
		return torn, err
	}
	return onward, l.landLines(reader, out, data, at)
}

// room is a buffer of at most bufferSize bytes.
func (l *landing) room(n int64) []byte {
	if int64(len(l.worker.buffer)) < n {
		l.worker.buffer = make([]byte, max(n, 64<<10))
	}
	return l.worker.buffer[:n]
}

// longBuffer gives room for a line that is longer than the buffer. Above longLine it is one for all workers, who hold the
// lock.
func (l *landing) longBuffer(length int64) []byte {
	if length > longLine {
		return make([]byte, length)
	}
	if int64(cap(l.worker.longer)) < length {
		l.worker.longer = make([]byte, length)
	}
	return l.worker.longer[:length]
}

// dropLong lets go of a very long line. The memory of the longest is given back at once: with that of the next one there would
// be two.
func (l *landing) dropLong(length int64) {
	l.record = store.Record{}
	if length > hugeLine {
		debug.FreeOSMemory()
	}
}

// lineEnd looks for the end of a line without keeping it: the offset behind the next newline, -1 when there is none.
func (l *landing) lineEnd(file store.File, from, size int64) (int64, error) {
	for at := from; at < size && l.ctx.Err() == nil; {
		data, err := readAt(file, l.room(min(bufferSize, size-at)), at)
		if err != nil {
			return -1, err
		}
		if len(data) == 0 {
			break
		}
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
		at += int64(len(data))
	}
	return -1, nil
}

// readAt reads what there is of a range: less than asked for only at the end of the file.
func readAt(file store.File, into []byte, at int64) ([]byte, error) {
	n, err := file.ReadAt(into, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return into[:n], err
}

// landLines lands complete lines and moves on behind them.
func (l *landing) landLines(reader Reader, out *store.Landing, data []byte, at *place) error {
	id := ""
	for rest := data; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		at.ord++
		l.record.Ord, l.record.Off = at.ord, at.offset
		reader.Read(rest[:end], &l.record)
		if err := out.Record(&l.record); err != nil {
			return err
		}
		if l.record.ID != "" {
			id = l.record.ID
		}
		at.offset += int64(end) + 1
		rest = rest[end+1:]
	}
	if id != "" {
		at.id = strings.Clone(id) // it lies in the buffer
	}
	l.moveTail(data)
	return nil
}

func (l *landing) header() store.Header {
	src := l.src
	return store.Header{
		Kind: src.Kind, Adapter: l.adapter.Name, Dialect: l.adapter.Dialect, Src: src.Rel,
		Session: src.Session, Stream: src.Stream, Batch: src.Batch,
	}
}

// catchUp brings a cursor forward over files that were landed after it: a crash came between a file and its cursor, or
// the cursor was lost. The source must still be what they hold.
func (l *landing) catchUp(file store.File, behind []store.Landed) error {
	for _, landed := range behind {
		in, err := store.OpenLanded(l.Root.FS, landed.Path)
		if err != nil {
			return err
		}
		same := true // only a file that proves whole may say otherwise
		err = in.Positions(func(r store.RecordPos) (err error) {
			if same, err = l.isLine(file, r, same); err != nil || !same {
				return err
			}
			l.cursor.Ord, l.cursor.Offset = r.Ord, r.Off+r.Bytes+1
			if r.UUID != "" {
				l.cursor.LastUUID = r.UUID
			}
			return nil
		})
		if closing := in.Close(); err == nil {
			err = closing
		}
		if err == nil && !same {
			err = errChanged
		}
		if err != nil {
			return err
		}
		l.cursor.LastSeq = landed.Seq
	}
	return l.readTail(file)
}

// isLine tells whether a source still has the line that a record was made of.
func (l *landing) isLine(file store.File, r store.RecordPos, so bool) (bool, error) {
	if !so {
		return false, nil
	}
	sum := sha256.New()
	for at, end := r.Off, r.Off+r.Bytes+1; at < end; {
		n := min(end-at, bufferSize)
		data, err := readAt(file, l.room(n), at)
		if err != nil || int64(len(data)) < n {
			return false, err
		}
		if at += n; at == end {
			if data[n-1] != '\n' {
				return false, nil
			}
			data = data[:n-1]
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6]) == r.SHA, nil
}

// readTail reads what stands before the cursor.
func (l *landing) readTail(file store.File) error {
	from := max(0, l.cursor.Offset-tailSize)
	data, err := readAt(file, slices.Grow(l.tail[:0], int(l.cursor.Offset-from))[:l.cursor.Offset-from], from)
	l.tail = data
	return err
}

// moveTail follows the cursor over lines that were landed.
func (l *landing) moveTail(data []byte) {
	if over := len(l.tail) + len(data) - tailSize; over >= len(l.tail) {
		l.tail, data = l.tail[:0], data[len(data)-tailSize:]
	} else if over > 0 {
		l.tail = l.tail[:copy(l.tail, l.tail[over:])]
	}
	l.tail = append(l.tail, data...)
}

func (l *landing) tailSum() string {
	sum := sha256.Sum256(l.tail)
	return hex.EncodeToString(sum[:])
}
