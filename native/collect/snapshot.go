package collect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"asz/native/store"
)

// snapshot lands a source as a whole when it has changed.
func (l *landing) snapshot(file store.File, info store.Info, behind []store.Landed) error {
	if info.Size > longLine {
		l.long.Lock()
		defer l.long.Unlock()
		defer l.dropLong(info.Size)
	}
	content, err := readAt(file, l.longBuffer(info.Size), 0)
	if err != nil {
		return err
	}
	read := int64(len(content))
	content = bytes.TrimRight(content, "\n")
	sum := sha256.Sum256(content)
	digest := hex.EncodeToString(sum[:])
	same := len(content) == 0 || l.known && l.cursor.ContentSHA == digest && len(behind) == 0
	if !same {
		// The newest landed one may be it all the same: behind a lost cursor, or before the source was empty for a while.
		all, err := l.pass.LandedAfter(l.src, 0)
		if err != nil {
			return err
		}
		if n := len(all); n > 0 {
			landed, err := l.pass.Tail(all[n-1])
			if err != nil {
				return err
			}
			l.cursor.LastSeq = all[n-1].Seq
			same = landed.Bytes == int64(len(content)) && landed.SHA == store.LineSHA(content)
		}
	}
	if !same {
		if err := l.landWhole(content); err != nil {
			return err
		}
		l.report.Bytes += read
	}
	l.cursor.State = store.Active
	l.cursor.ContentSHA = digest
	l.advance(read)
	return l.save(info)
}

func (l *landing) landWhole(content []byte) error {
	reader := l.adapter.Open(l.src, false)
	landed, err := l.pass.Land(l.header(), func(out *store.Landing) error {
		defer func() { l.record = store.Record{} }() // it points into the content
		l.record.Ord, l.record.Off = 1, 0
		reader.ReadWhole(content, &l.record)
		return out.Record(&l.record)
	})
	if err != nil {
		return err
	}
	l.cursor.LastSeq = landed.Seq
	l.report.Landed++
	l.report.Records++
	l.report.addOdd(reader.Odd())
	return nil
}
