package store

import (
	"crypto/sha256"
	"encoding/hex"
)

// Found is what there is to collect from a runtime.
type Found struct {
	Sources []Source // by session; in one, main first, then children, then workflow runs
	Clashes []Clash
	Odd     []Odd   // what was passed over
	Errors  []error // folders that could not be read
}

// Clash is a source that is not read because another one stands for the same.
type Clash struct{ Source, With Source }

// Odd counts one kind of what was not as it should be and was taken, or passed over, all the same.
type Odd struct {
	What  string
	Count int64
	First string // where it was met first: a path, or path:line
}

// SameAs says that two sources land in the same place, wherever they lie.
func (s Source) SameAs(o Source) bool {
	return s.Session == o.Session && s.Kind == o.Kind && s.Stream == o.Stream && s.Batch == o.Batch
}

// LineSHA is the sha of a record: the first 12 hex digits of the digest of its source line, without newline.
func LineSHA(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:6])
}
