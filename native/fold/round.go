package fold

import (
	"fmt"
	"strings"
	"unsafe"

	"asz/native/store"
)

// draft is what a round holds beside its header: what an assembly says that the fold does not.
type draft struct {
	number  int64
	text    []byte
	counts  store.Counts
	places  [3][]place // of the frames in text
	changed frames     // the frames of the fold that the draft replaces
}

// place is where in the text of a draft a frame's Rest lies.
type place struct {
	id         string
	start, end int
}

// difference drafts round number. It stops when the text becomes longer than most: then whole is false.
func difference(a *Assembly, fold *frames, number int64, most int64) (d *draft, whole bool, err error) {
	d = &draft{number: number}
	err = compare(d, store.NodeFrame, a.Nodes, fold, func(n *Node) string { return n.ID }, appendNode, tombstone, most)
	if err == nil {
		err = compare(d, store.RelationFrame, a.Relations, fold, func(r *Relation) string { return r.ID }, appendRelation, tombstone, most)
	}
	if err == nil {
		err = compare(d, store.UnresolvedFrame, a.Unresolved, fold, func(u *Unresolved) string { return u.ID }, appendUnresolved, resolved, most)
	}
	return d, int64(len(d.text)) <= most, err
}

// compare drafts the frames of one kind: both lists are sorted by id.
func compare[T any](d *draft, k store.FrameKind, list []T, fold *frames, id func(*T) string, encode func([]byte, *T) []byte, gone func([]byte, *store.Frame) ([]byte, error), most int64) error {
	old := fold[k]
	last, any := "", false
	for i := range list {
		if int64(len(d.text)) > most {
			return nil
		}
		e := &list[i]
		name := id(e)
		if any && name <= last {
			return fmt.Errorf("the assembly gives the %s %q out of order: this is a mistake in asz", k, name)
		}
		last, any = name, true
		order := 1
		for len(old) > 0 {
			if order = strings.Compare(old[0].ID, name); order >= 0 {
				break
			}
			if err := d.gone(k, &old[0], gone); err != nil {
				return err
			}
			old = old[1:]
		}
		start := len(d.text)
		d.text = store.AppendFrameHead(d.text, k, name, d.number)
		rest := len(d.text)
		d.text = encode(d.text, e)
		if len(old) > 0 && order == 0 {
			f := old[0]
			old = old[1:]
			if string(d.text[rest:]) == f.Rest {
				d.text = d.text[:start]
				continue
			}
			d.changed[k] = append(d.changed[k], f)
		}
		d.add(k, name, rest)
	}
	for i := range old {
		if err := d.gone(k, &old[i], gone); err != nil {
			return err
		}
	}
	return nil
}

// add ends the frame whose Rest begins at an offset.
func (d *draft) add(k store.FrameKind, id string, rest int) {
	d.places[k] = append(d.places[k], place{id, rest, len(d.text)})
	d.text = append(d.text, '\n')
	switch k {
	case store.NodeFrame:
		d.counts.Nodes++
	case store.RelationFrame:
		d.counts.Relations++
	case store.UnresolvedFrame:
		d.counts.Unresolved++
	}
}

// gone drafts that an entity of the fold is no longer there.
func (d *draft) gone(k store.FrameKind, f *store.Frame, how func([]byte, *store.Frame) ([]byte, error)) error {
	start := len(d.text)
	d.text = store.AppendFrameHead(d.text, k, f.ID, d.number)
	rest := len(d.text)
	text, err := how(d.text, f)
	if err != nil || len(text) == rest {
		d.text = d.text[:start]
		return err
	}
	d.text = text
	d.changed[k] = append(d.changed[k], *f)
	d.add(k, f.ID, rest)
	return nil
}

func tombstone(out []byte, _ *store.Frame) ([]byte, error) {
	return append(out, store.Tombstone...), nil
}

// resolved closes a reference; one that is closed already is left out.
func resolved(out []byte, f *store.Frame) ([]byte, error) {
	u, ok := readUnresolved(f)
	if !ok {
		return nil, unreadable(store.UnresolvedFrame, f)
	}
	if u.State == "resolved" {
		return out, nil
	}
	u.State = "resolved"
	return appendUnresolved(out, &u), nil
}

// frames are those of the draft, which must not be written to any more.
func (d *draft) frames() frames {
	text := unsafe.String(unsafe.SliceData(d.text), len(d.text))
	var out frames
	for k := range d.places {
		out[k] = make([]store.Frame, len(d.places[k]))
		for i, p := range d.places[k] {
			out[k][i] = store.Frame{ID: p.id, Revision: d.number, Rest: text[p.start:p.end]}
		}
	}
	return out
}

// seqs visits the landed files that what the draft replaces stands on.
func (d *draft) seqs(visit func(seq int64)) error {
	nodes, err := entities(&d.changed, store.NodeFrame, readNode)
	if err != nil {
		return err
	}
	relations, err := entities(&d.changed, store.RelationFrame, readRelation)
	if err != nil {
		return err
	}
	for i := range nodes {
		for _, r := range nodes[i].Refs {
			visit(r.Seq)
		}
	}
	for i := range relations {
		visit(relations[i].Evidence.Seq)
	}
	return nil
}

// header is that of a round over the files up to through. from and to are the times of their records.
func header(id string, a *Assembly, before *store.Round, through int64, from, to int64) store.RoundHeader {
	h := store.RoundHeader{
		Conversation: id, Session: id, Round: 1, FromSeq: 1, ThroughSeq: through, Parser: Parser, Policy: Policy,
		FromTime: optional(from), ThroughTime: optional(to), SessionFrom: optional(a.From), SessionThrough: optional(a.Through),
		Title: a.Title, Talks: int64(a.Talks), Steps: int64(a.Steps), Streams: int64(a.Streams), Segments: int64(a.Segments), Unresolved: int64(a.Open),
	}
	if before != nil {
		h.Round, h.Previous, h.FromSeq = before.Number+1, before.Digest, before.Header.ThroughSeq+1
	}
	return h
}

// optional is a time as text, empty without one.
func optional(at int64) string {
	if at == store.NoTime {
		return ""
	}
	return moment(at)
}
