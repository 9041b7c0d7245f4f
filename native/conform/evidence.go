package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"asz/native/fold"
	"asz/native/store"
	"asz/shared/session"
)

// landedRecord is a record with the place it belongs to.
type landedRecord struct {
	place    store.Source // Session, Kind, Stream and Batch
	header   store.Header
	seq, row int64
	line     string
	pos      store.RecordPos
}

// landedLines are all landed records of a session, by place, each in the order they landed in.
func landedLines(root *store.Root, id string) ([]landedRecord, error) {
	landed, err := root.Session(id).Landed()
	if err != nil {
		return nil, err
	}
	var out []landedRecord
	for _, l := range landed {
		f, err := store.OpenLanded(root.FS, l.Path)
		if err != nil {
			return nil, err
		}
		at := store.Source{Session: id, Kind: l.Kind, Stream: l.Stream, Batch: l.Batch}
		var r store.Record
		err = f.Each(func(row int, line []byte) error {
			if err := r.Read(line); err != nil {
				return fmt.Errorf("%s, record %d: %w", l.Name, row, err)
			}
			out = append(out, landedRecord{at, f.Header(), l.Seq, int64(row), string(line), store.RecordPos{Ord: r.Ord, Off: r.Off, Bytes: r.Bytes, SHA: strings.Clone(r.SHA)}})
			return nil
		})
		if closing := f.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b landedRecord) int { return strings.Compare(a.where(), b.where()) })
	return out, nil
}

func (r *landedRecord) where() string {
	return string(r.place.Kind) + " " + r.place.Stream + r.place.Batch
}

// sameRecords compares landed records by place and order, line by line.
func sameRecords(aName string, a []landedRecord, bName string, b []landedRecord) error {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i].where() != b[i].where():
			return fmt.Errorf("%s has other records of the %s than %s of the %s", aName, a[i].where(), bName, b[i].where())
		case a[i].line != b[i].line:
			return fmt.Errorf("record %d of the %s is in %s\n%s\nand in %s\n%s", a[i].pos.Ord, a[i].where(), aName, a[i].line, bName, b[i].line)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("%s has %d records, %s has %d", aName, len(a), bName, len(b))
	}
	return nil
}

// The fields that the format states a purpose for.
var (
	recordFields = []string{"ord", "off", "sha", "bytes", "id", "parent", "call", "run", "continues", "tool", "child", "batch",
		"started_by", "label", "from", "time", "trigger", "flags", "usage", "parts", "dropped"}
	partFields    = []string{"k", "state", "bytes", "id", "name", "of", "failed", "media_type", "encoding", "text", "data"}
	usageFields   = []string{"in", "out", "cache_read", "cache_write"}
	droppedFields = []string{"what", "bytes", "why"}
)

// wellFormed: records and parts carry known fields only.
func (h *holding) wellFormed() error {
	records, err := landedLines(h.root, h.id)
	if err != nil {
		return err
	}
	for i := range records {
		if err := formed(records[i].line); err != nil {
			return fmt.Errorf("landed file %d, record %d: %w", records[i].seq, records[i].row, err)
		}
	}
	return nil
}

func formed(line string) error {
	var r struct {
		Usage   map[string]json.RawMessage
		Parts   []map[string]json.RawMessage
		Dropped []map[string]json.RawMessage
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return err
	}
	err := only("record", fields, recordFields)
	if err == nil {
		err = only("usage", r.Usage, usageFields)
	}
	for _, part := range r.Parts {
		if err == nil {
			err = only("part", part, partFields)
		}
		if err == nil && (part["k"] == nil || part["state"] == nil || part["bytes"] == nil) {
			err = errors.New("a part lacks its kind, state or size")
		}
	}
	for _, dropped := range r.Dropped {
		if err == nil {
			err = only("dropped", dropped, droppedFields)
		}
	}
	return err
}

func only(what string, fields map[string]json.RawMessage, known []string) error {
	for name := range fields {
		if !slices.Contains(known, name) {
			return fmt.Errorf("the %s has a field %q", what, name)
		}
	}
	return nil
}

// recollect: a second collect lands nothing.
func (h *holding) recollect() error {
	landed, err := h.collect()
	if err == nil && landed > 0 {
		err = fmt.Errorf("a second collect landed %d files", landed)
	}
	return err
}

// everyLine: each line of a source is exactly one landed record, and each source that is landed whole is one.
func (h *holding) everyLine() error {
	records, err := landedLines(h.root, h.id)
	if err != nil {
		return err
	}
	type line struct {
		place      string
		off, bytes int64
		sha        string
	}
	var want, got []string
	write := func(l line) string {
		return fmt.Sprintf("the line at byte %d of the %s, %d bytes, %s", l.off, l.place, l.bytes, l.sha)
	}
	for i := range records {
		if r := &records[i]; !r.place.Kind.Snapshot() {
			got = append(got, write(line{r.where(), r.pos.Off, r.pos.Bytes, r.pos.SHA}))
		}
	}
	for _, src := range h.discover().Sources {
		data, err := os.ReadFile(filepath.FromSlash(src.Path))
		if err != nil {
			return err
		}
		place := (&landedRecord{place: src}).where()
		if src.Kind.Snapshot() {
			whole := bytes.TrimRight(data, "\n")
			if !slices.ContainsFunc(records, func(r landedRecord) bool {
				return r.where() == place && r.pos.Bytes == int64(len(whole)) && r.pos.SHA == store.LineSHA(whole)
			}) {
				return fmt.Errorf("the %s is not landed as it is", place)
			}
			continue
		}
		for off := 0; off < len(data); {
			end := bytes.IndexByte(data[off:], '\n')
			if end < 0 {
				break
			}
			text := data[off : off+end]
			want = append(want, write(line{place, int64(off), int64(end), store.LineSHA(text)}))
			off += end + 1
		}
	}
	return sameLines("the root", got, "the source", want)
}

// discovery: exactly the session's sources are found beside the noise.
func (h *holding) discovery() error {
	found := h.discover()
	if len(found.Errors) > 0 {
		return found.Errors[0]
	}
	var got, want []string
	for _, src := range found.Sources {
		got = append(got, src.Rel)
	}
	for i := range h.plan.Files {
		f := &h.plan.Files[i]
		if _, err := os.Stat(filepath.FromSlash(path.Join(h.dir, Source, f.Rel))); err == nil {
			want = append(want, f.Rel)
		}
	}
	return sameLines("discovery", got, "the session", want)
}

// between holds the properties that compare the formats.
func (c *checker) between() error {
	if len(c.trials) < 2 {
		return nil
	}
	a, b := c.trials[0], c.trials[1]
	for _, p := range []struct {
		property session.Property
		holds    func(a, b *trial) error
	}{{session.RecordsMatch, recordsMatch}, {session.CrossFormat, crossFormat}} {
		if !c.expected.On(p.property) {
			continue
		}
		c.Held++
		if err := p.holds(a, b); err != nil {
			c.Failures = append(c.Failures, Failure{Where: p.property.String(), Got: err.Error(), At: c.expected.Properties[p.property].At})
		}
	}
	return nil
}

// recordsMatch: both formats land the same evidence, field by field.
func recordsMatch(a, b *trial) error {
	of, err := landedLines(a.root, a.id)
	if err != nil {
		return err
	}
	and, err := landedLines(b.root, b.id)
	if err != nil {
		return err
	}
	if err := sameRecords(string(a.format), of, string(b.format), and); err != nil {
		return err
	}
	for i := range of {
		// What a header says of who landed it, from where and when is its format's own.
		x, y := of[i].header, and[i].header
		if x.Kind != y.Kind || x.Session != y.Session || x.Stream != y.Stream || x.Batch != y.Batch {
			return fmt.Errorf("the headers of the %s differ", of[i].where())
		}
	}
	return nil
}

// crossFormat: the folds of both formats are the same when each record has a name that both give it.
func crossFormat(a, b *trial) error {
	of, err := a.named()
	if err != nil {
		return err
	}
	and, err := b.named()
	if err != nil {
		return err
	}
	return sameStructure(string(a.format), of, string(b.format), and)
}

// named is the fold with places replaced by what stands there: the formats land the same files in another order.
func (t *trial) named() (*fold.Structure, error) {
	records, err := landedLines(t.root, t.id)
	if err != nil {
		return nil, err
	}
	type place struct{ seq, row int64 }
	names := map[place]string{}
	numbers := map[string]int64{}
	for i := range records {
		r := &records[i]
		name := fmt.Sprintf("%s %d", r.where(), r.pos.Ord)
		if r.place.Kind.Snapshot() {
			name = r.where() + " " + r.pos.SHA
		}
		names[place{r.seq, r.row}] = name
	}
	for i, name := range slices.Sorted(maps.Values(names)) {
		numbers[name] = int64(i + 1)
	}
	// A place that is lost keeps its numbers: both formats lost the same file, and nothing else has them.
	ref := func(r fold.Ref) fold.Ref {
		if n, ok := numbers[names[place{r.Seq, r.Row}]]; ok {
			return fold.Ref{Row: n, Block: r.Block}
		}
		return fold.Ref{Block: r.Block}
	}
	out := &fold.Structure{}
	ids := map[string]string{}
	for i := range t.structure.Nodes {
		n := &t.structure.Nodes[i]
		id := n.ID
		if at := n.Ref; n.Kind == fold.KindSegment {
			if _, err := fmt.Sscanf(id, "segment/at_%d_%d", &at.Seq, &at.Row); err == nil {
				id = fmt.Sprintf("segment/at<%d>", ref(at).Row)
			}
		} else if before, after, ok := strings.Cut(id, fmt.Sprintf("/%d/%d", at.Seq, at.Row)); ok && standsOnPlace(n.Kind) {
			id = fmt.Sprintf("%s/<%d>%s", before, ref(at).Row, after)
		}
		ids[n.ID] = id
	}
	named := func(id string) string {
		if to, ok := ids[id]; ok {
			return to
		}
		return id
	}
	for _, n := range t.structure.Nodes {
		n.ID, n.Parent, n.Ref = named(n.ID), named(n.Parent), ref(n.Ref)
		refs := make([]fold.Ref, len(n.Refs))
		for i, r := range n.Refs {
			refs[i] = ref(r)
		}
		slices.SortFunc(refs, func(a, b fold.Ref) int { return int(a.Row-b.Row)*1000 + int(a.Block-b.Block) })
		attrs := make([]fold.Attr, len(n.Attrs))
		for i, attr := range n.Attrs {
			if r, ok := attr.Value.(fold.Ref); ok {
				attr.Value = ref(r)
			}
			attrs[i] = attr
		}
		n.Refs, n.Attrs = refs, attrs
		out.Nodes = append(out.Nodes, n)
	}
	for _, r := range t.structure.Relations {
		r.From, r.To, r.Evidence = named(r.From), named(r.To), ref(r.Evidence)
		r.ID = fmt.Sprintf("rel/%s/%s/%s", r.Type, r.From, r.To)
		out.Relations = append(out.Relations, r)
	}
	out.Unresolved = t.structure.Unresolved
	return out, nil
}

// standsOnPlace tells whether the ids of a kind name a landed position.
func standsOnPlace(kind string) bool {
	switch kind {
	case fold.KindSession, fold.KindStream, fold.KindEpoch, fold.KindTalk, fold.KindRun, fold.KindCall, fold.KindTool, fold.KindAgentCall, fold.KindOutput:
		return false
	}
	return true
}
