package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unsafe"
)

// Check reads the whole file and tells where each record says it stands, rows from 1. It gives the SHA-256 of the file in hex, of a
// damaged one too; count and digest are compared at the end as Each does. Memory does not depend on how long records are.
func (f *LandedFile) Check(visit func(row, ord, off, bytes int64)) (sum string, err error) {
	var (
		buf  = make([]byte, min(f.body, bufferSize))
		head []byte // of a line that began in an earlier piece
		row  = int64(-1)
		hash = sha256.New()
		bad  int64 // first row that cannot be read
	)
	for at := int64(0); at < f.body; {
		data := buf[:min(int64(len(buf)), f.body-at)]
		if err := readAt(f.file, data, at); err != nil {
			return "", fmt.Errorf("%s: %w", f.path, err)
		}
		at += int64(len(data))
		hash.Write(data)
		for len(data) > 0 {
			line, rest, ended := bytes.Cut(data, []byte("\n"))
			if !ended || len(head) > 0 {
				head = append(head, line[:min(len(line), longestPlace-len(head))]...)
				line = head
			}
			if !ended {
				break
			}
			if row++; row > 0 {
				ord, off, size, ok := placeOf(unsafe.String(unsafe.SliceData(line), len(line)))
				if ok {
					visit(row, ord, off, size)
				} else if bad == 0 {
					bad = row
				}
			}
			head, data = head[:0], rest
		}
	}
	body := hash.Sum(nil)
	hash.Write([]byte(closing(f.records, f.digest)))
	sum = hex.EncodeToString(hash.Sum(nil))
	switch {
	case hex.EncodeToString(body) != f.digest:
		return sum, f.damaged("its digest is not what its closing line says")
	case len(head) > 0:
		return sum, f.damaged("a record has no end")
	case row != f.records:
		return sum, f.damaged("it has %d records, its closing line says %d", row, f.records)
	case bad > 0:
		return sum, f.damaged("record %d cannot be read", bad)
	}
	return sum, nil
}

// longestPlace is more than the fields before a record's id take.
const longestPlace = 1 << 10

// placeOf reads the first fields of a record: ord, off, sha, bytes.
func placeOf(line string) (ord, off, size int64, ok bool) {
	rest := line
	if ord, rest, ok = numberBehind(rest, `{"ord":`); !ok {
		return
	}
	if off, rest, ok = numberBehind(rest, `,"off":`); !ok {
		return
	}
	if rest, ok = strings.CutPrefix(rest, `,"sha":"`); !ok || len(rest) < nameDigits {
		return 0, 0, 0, false
	}
	size, rest, ok = numberBehind(rest[nameDigits:], `","bytes":`)
	return ord, off, size, ok && ord > 0 && rest != ""
}

func numberBehind(text, key string) (n int64, rest string, ok bool) {
	if text, ok = strings.CutPrefix(text, key); !ok {
		return 0, "", false
	}
	i := 0
	for ; i < len(text) && text[i]-'0' < 10; i++ {
		if n > (1<<63-10)/10 {
			return 0, "", false
		}
		n = n*10 + int64(text[i]-'0')
	}
	return n, text[i:], i > 0
}
