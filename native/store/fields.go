package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"strings"
)

// fields is the content of a small text file: one `key value` per line. A value is anything: newlines, carriage returns and
// backslashes in it are escaped, so that a path of any bytes comes back.
type fields []field

type field struct{ key, value string }

func (f *fields) add(key, value string) { *f = append(*f, field{key, value}) }

func (f *fields) number(key string, n int64) { f.add(key, strconv.FormatInt(n, 10)) }

func (f fields) String() string {
	var b strings.Builder
	for _, field := range f {
		b.WriteString(field.key)
		if field.value != "" {
			b.WriteByte(' ')
			value := field.value
			if strings.ContainsAny(value, "\\\n\r") {
				value = strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r").Replace(value)
			}
			b.WriteString(value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// checked is the text with a closing checksum, for files whose form is ours alone.
func (f fields) checked() string {
	text := f.String()
	return fmt.Sprintf("%scrc32c %08x\n", text, crc32.Checksum([]byte(text), castagnoli()))
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// parseFields reads exactly the given keys, in their order; anything else is unreadable.
func parseFields(text string, keys ...string) (fields, bool) {
	out := make(fields, 0, len(keys))
	for _, key := range keys {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return nil, false
		}
		text = rest
		name, value, spaced := strings.Cut(line, " ")
		if name != key || spaced && value == "" {
			return nil, false
		}
		if strings.IndexByte(value, '\\') >= 0 {
			value = strings.NewReplacer("\\\\", "\\", "\\n", "\n", "\\r", "\r").Replace(value)
		}
		out.add(key, value)
	}
	return out, text == ""
}

// parseChecked is parseFields for what checked wrote.
func parseChecked(text string, keys ...string) (fields, bool) {
	f, ok := parseFields(text, append(slices.Clone(keys), "crc32c")...)
	if !ok || f[:len(keys)].checked() != text {
		return nil, false
	}
	return f[:len(keys)], true
}

// fieldReader gives each field once, in order, and notes what cannot be read.
type fieldReader struct {
	fields fields
	bad    bool
}

func (r *fieldReader) text() string {
	v := r.fields[0].value
	r.fields = r.fields[1:]
	return v
}

func (r *fieldReader) number() int64 {
	n, err := strconv.ParseInt(r.text(), 10, 64)
	r.bad = r.bad || err != nil
	return n
}

// count is a number that is not negative.
func (r *fieldReader) count() int64 {
	n := r.number()
	r.bad = r.bad || n < 0
	return n
}

func (r *fieldReader) unsigned() uint64 {
	n, err := strconv.ParseUint(r.text(), 10, 64)
	r.bad = r.bad || err != nil
	return n
}

func (r *fieldReader) expect(values ...string) string {
	v := r.text()
	r.bad = r.bad || !slices.Contains(values, v)
	return v
}

// digest is a SHA-256 in hex, or nothing.
func (r *fieldReader) digest() string {
	v := r.text()
	r.bad = r.bad || v != "" && (len(v) != 64 || strings.Trim(v, "0123456789abcdef") != "")
	return v
}

// smallFile is the most that a cursor or state can be: a path of 4096 bytes, each escaped, is a hundredth of it.
const smallFile = 1 << 20

func readSmall(disk ReadFS, name string) (string, error) {
	f, err := disk.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.Size > smallFile {
		return "", fmt.Errorf("%s: %w: it has %d bytes", name, ErrDamaged, info.Size)
	}
	data := make([]byte, info.Size)
	if n, err := f.ReadAt(data, 0); err != nil && !(errors.Is(err, io.EOF) && n == len(data)) {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(data), nil
}
