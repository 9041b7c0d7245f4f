package store

import (
	"errors"
	"strings"
	"unicode/utf8"
)

var (
	errRawLine = errors.New("a raw value spans lines or is no JSON: the record was not written")
)

// fits refuses what would break the file: a raw value is copied as it is, and a line is a record.
func (r *Record) fits() error {
	for i := range r.Parts {
		p := &r.Parts[i]
		if p.Text != "" && (len(p.Text) < 2 || p.Text[0] != '"' || p.Text[len(p.Text)-1] != '"') {
			return errRawLine
		}
		if strings.IndexByte(string(p.Text), '\n') >= 0 || strings.IndexByte(string(p.Data), '\n') >= 0 {
			return errRawLine
		}
	}
	return nil
}

// record writes the record as one line, fields in the order of the contract.
func (s *stream) record(r *Record) {
	s.text(`{"ord":`)
	s.number(r.Ord)
	s.text(`,"off":`)
	s.number(r.Off)
	s.text(`,"sha":`)
	s.quoted(r.SHA)
	s.text(`,"bytes":`)
	s.number(r.Bytes)
	s.field(`,"id":`, r.ID)
	s.field(`,"parent":`, r.Parent)
	s.field(`,"call":`, r.Call)
	s.field(`,"run":`, r.Run)
	s.field(`,"continues":`, r.Continues)
	s.field(`,"tool":`, r.Tool)
	s.field(`,"child":`, r.Child)
	s.field(`,"batch":`, r.Batch)
	s.field(`,"started_by":`, r.StartedBy)
	s.field(`,"label":`, r.Label)
	s.field(`,"from":`, string(r.From))
	s.field(`,"time":`, r.Time)
	s.field(`,"trigger":`, string(r.Trigger))
	if r.Flags != 0 {
		s.flags(r.Flags)
	}
	if u := r.Usage; u != nil {
		s.text(`,"usage":{"in":`)
		s.number(u.In)
		s.text(`,"out":`)
		s.number(u.Out)
		s.text(`,"cache_read":`)
		s.number(u.CacheRead)
		s.text(`,"cache_write":`)
		s.number(u.CacheWrite)
		s.text(`}`)
	}
	if len(r.Parts) > 0 {
		s.text(`,"parts":[`)
		for i := range r.Parts {
			if i > 0 {
				s.text(`,`)
			}
			s.part(&r.Parts[i])
		}
		s.text(`]`)
	}
	if len(r.Dropped) > 0 {
		s.text(`,"dropped":[`)
		for i := range r.Dropped {
			d := &r.Dropped[i]
			if i > 0 {
				s.text(`,`)
			}
			s.text(`{"what":`)
			s.quoted(d.What)
			s.text(`,"bytes":`)
			s.number(d.Bytes)
			s.text(`,"why":`)
			s.quoted(d.Why)
			s.text(`}`)
		}
		s.text(`]`)
	}
	s.text("}\n")
}

func (s *stream) flags(flags Flags) {
	s.text(`,"flags":[`)
	first := true
	for i, name := range flagNames {
		if flags&(1<<i) == 0 {
			continue
		}
		if !first {
			s.text(`,`)
		}
		first = false
		s.text(`"`)
		s.text(name)
		s.text(`"`)
	}
	s.text(`]`)
}

func (s *stream) part(p *Part) {
	s.text(`{"k":`)
	s.quoted(string(p.K))
	s.text(`,"state":`)
	s.quoted(string(p.State))
	s.text(`,"bytes":`)
	s.number(p.Bytes)
	s.field(`,"id":`, p.ID)
	s.field(`,"name":`, p.Name)
	s.field(`,"of":`, p.Of)
	if p.Failed != nil {
		if *p.Failed {
			s.text(`,"failed":true`)
		} else {
			s.text(`,"failed":false`)
		}
	}
	s.field(`,"media_type":`, p.MediaType)
	inText := utf8.ValidString(p.Source)
	if !inText {
		s.text(`,"encoding":"base64"`)
	}
	if p.Text != "" {
		s.text(`,"text":`)
		s.text(string(p.Text))
	}
	switch {
	case p.Data != "":
		s.text(`,"data":`)
		s.text(string(p.Data))
	case p.Source == "":
	case inText:
		s.text(`,"data":`)
		s.quoted(p.Source)
	default:
		s.text(`,"data":`)
		s.base64(p.Source)
	}
	s.text(`}`)
}
