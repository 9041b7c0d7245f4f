package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"asz/native/store"
	"asz/shared/command"
)

const showHelp = `  asz show SESSION             its landed files
  asz show SESSION SEQ         the records of one of them
  asz show SESSION SEQ/ROW     one record, whole

SESSION is an id or the beginning of one, as asz index lists them; SEQ is the
number of a landed file in its session, ROW that of a record in it, from 1.
Times are in UTC, ids are shortened, and of a text the first line is shown.

With -json the landed lines are printed as they are, byte for byte: all files of
the session one after the other, one file with its header and closing line, or
one record. Only to a terminal characters that would act on it are left out.

Exit codes: 0; 1 there is no such session, file or record, or a file is damaged;
2 wrong usage or settings.
`

func showVerb() *command.Command {
	return &command.Command{
		Name: "show", Args: "SESSION [SEQ[/ROW]]", Misuse: exitMisuse,
		Summary: "print landed files and records",
		Flags:   []command.Flag{jsonFlag, configFlag},
		Help:    showHelp,
		Run:     runShow,
	}
}

func runShow(c *command.Call) int {
	if n := len(c.Operands); n == 0 || n > 2 || c.Operands[0] == "" {
		return c.Usage("name a session, and perhaps one of its files or records; asz index lists the sessions")
	}
	var seq int64
	var row int
	if len(c.Operands) == 2 {
		var ok bool
		if seq, row, ok = place(c.Operands[1]); !ok {
			return c.Usage("%q is no SEQ or SEQ/ROW: write 3 for the landed file 3, 3/1 for its first record", c.Operands[1])
		}
	}
	conf, exit := readConfig(c)
	if exit != 0 {
		return exit
	}
	root := conf.storageRoot()
	ids, err := root.Sessions()
	if err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	id, problem := findSession(ids, c.Operands[0])
	if problem != "" {
		return c.Fail(exitFindings, "%s in the storage root %s; asz index lists all", problem, conf.Storage.Root)
	}
	landed, err := root.Session(id).Landed()
	if err != nil {
		return c.Fail(exitFindings, "%v", err)
	}
	s := &showing{Call: c, session: id, landed: landed}
	if seq == 0 {
		return s.files()
	}
	for _, l := range landed {
		if l.Seq == seq {
			return s.file(l, row)
		}
	}
	return c.Fail(exitFindings, "session %s has no landed file %d on disk; asz show %[1]s lists those it has", id, seq)
}

// place reads SEQ or SEQ/ROW; row is 0 without one.
func place(text string) (seq int64, row int, ok bool) {
	file, record, given := strings.Cut(text, "/")
	seq, err := strconv.ParseInt(file, 10, 64)
	if err == nil && given {
		row, err = strconv.Atoi(record)
	}
	return seq, row, err == nil && seq > 0 && (row > 0 || !given)
}

// showing is one run of `asz show`.
type showing struct {
	*command.Call
	session string
	landed  []store.Landed
}

// files prints the landed files of the session.
func (s *showing) files() int {
	if s.Has("json") {
		for _, l := range s.landed {
			if exit := s.file(l, 0); exit != 0 {
				return exit
			}
		}
		return 0
	}
	t := &table{columns: []column{
		{head: "SEQ", right: true}, {head: "LANDED"}, {head: "KIND"}, {head: "STREAM/RUN"}, {head: "RECORDS", right: true}, {head: "SIZE", right: true}, {head: "SOURCE", tail: true},
	}}
	var streams []string
	for _, l := range s.landed {
		streams = append(streams, l.Stream)
	}
	stream := shortened(streams)
	var records, bytes int64
	var damaged []string
	for _, l := range s.landed {
		count, src := "damaged", ""
		f, err := store.OpenLanded(store.Disk(), l.Path)
		if err == nil {
			records += int64(f.Records())
			count, src = strconv.Itoa(f.Records()), f.Header().Src
			f.Close()
		} else {
			damaged = append(damaged, err.Error())
		}
		bytes += l.Size
		t.row(strconv.FormatInt(l.Seq, 10), stamp(l.Stamp), string(l.Kind), stream(l.Stream)+l.Batch, count, size(l.Size), src)
	}
	text := fmt.Sprintf("session %s: %s, %s, %s\n", s.session, counted(len(s.landed), "landed file"), counted(int(records), "record"), size(bytes))
	if len(s.landed) > 0 {
		text += "\n" + t.text(screen(s.Call))
	}
	if exit := write(s.Call, plain(text)); exit != 0 {
		return exit
	}
	for _, d := range damaged {
		s.Fail(0, "%s", oneLine(d))
	}
	if len(damaged) > 0 {
		return exitFindings
	}
	return 0
}

func stamp(text string) string {
	at, err := time.Parse(store.StampLayout, text)
	if err != nil {
		return text
	}
	return at.Format("2006-01-02 15:04:05")
}

// file prints one landed file, or one record of it.
func (s *showing) file(l store.Landed, row int) int {
	f, err := store.OpenLanded(store.Disk(), l.Path)
	if err != nil {
		return s.Fail(exitFindings, "%s", oneLine(err.Error()))
	}
	defer f.Close()
	switch {
	case row > f.Records():
		return s.Fail(exitFindings, "the landed file %d has %s, so there is no record %d/%d", l.Seq, counted(f.Records(), "record"), l.Seq, row)
	case row > 0:
		return s.record(f, l, row)
	case s.Has("json"):
		return s.copy(f, l)
	}
	text, err := s.records(f, l)
	if exit := write(s.Call, text); exit != 0 {
		return exit
	}
	if err != nil {
		return s.Fail(exitFindings, "%s", oneLine(err.Error()))
	}
	return 0
}

// copy prints a landed file as it is.
func (s *showing) copy(f *store.LandedFile, l store.Landed) int {
	in, err := store.Disk().Open(l.Path)
	if err != nil {
		return s.Fail(exitFindings, "%v", err)
	}
	defer in.Close()
	buf := make([]byte, 256<<10)
	var rest []byte // of a line, so that a terminal is given whole characters
	for at := int64(0); at < l.Size; {
		n, err := in.ReadAt(buf[:min(int64(len(buf)), l.Size-at)], at)
		if err != nil && !(errors.Is(err, io.EOF) && n > 0) {
			return s.Fail(exitFindings, "%s: %v", l.Path, err)
		}
		at += int64(n)
		text := buf[:n]
		if s.StdoutTerminal {
			rest = append(rest, text...)
			end := bytes.LastIndexByte(rest, '\n') + 1
			text, rest = rest[:end], bytes.Clone(rest[end:])
		}
		if exit := writeLines(s.Call, text); exit != 0 {
			return exit
		}
	}
	if err := f.Each(func(int, []byte) error { return nil }); err != nil {
		return s.Fail(exitFindings, "%s", oneLine(err.Error()))
	}
	return 0
}

// records is the table of a landed file's records. An error leaves what was read before it.
func (s *showing) records(f *store.LandedFile, l store.Landed) (string, error) {
	t := &table{columns: []column{
		{head: "ROW", right: true}, {head: "TIME"}, {head: "FROM"}, {head: "WHAT"}, {head: "ID"}, {head: "TEXT"},
	}}
	width := screen(s.Call)
	var ids []string
	var r store.Record
	err := f.Each(func(row int, line []byte) error {
		if err := r.Read(line); err != nil {
			return fmt.Errorf("%s, record %d: %w", l.Path, row, err)
		}
		ids = append(ids, strings.Clone(r.ID))
		t.row(strconv.Itoa(row), seconds(r.Time), string(r.From), what(&r), "", cut(oneLine(firstLine(&r)), mostText, false))
		return nil
	})
	id := shortened(ids)
	for i := range t.rows {
		if ids[i] != "" {
			t.rows[i][4] = oneLine(id(ids[i]))
		}
	}
	h := f.Header()
	head := fmt.Sprintf("session %s, landed file %d: %s %s, %s of %s, landed by %s at %s\n\n", s.session, l.Seq, h.Kind, h.Stream+h.Batch, counted(f.Records(), "record"), h.Src, h.Adapter, stamp(l.Stamp))
	return plain(head) + t.text(width), err
}

// mostText is how many cells a table shows of a text at most.
const mostText = 200

// what tells a record by its parts and flags.
func what(r *store.Record) string {
	var out []string
	for i := range r.Parts {
		word := string(r.Parts[i].K)
		if name := r.Parts[i].Name; name != "" {
			word += " " + cut(oneLine(name), 24, false)
		}
		if n := len(out); n == 0 || out[n-1] != word {
			out = append(out, word)
		}
	}
	if len(out) > 4 {
		out = append(out[:3], fmt.Sprintf("%d more", len(out)-3))
	}
	text := strings.Join(out, ", ")
	flags := r.Flags.Names()
	if r.Trigger != "" && r.Trigger != store.TriggerExternal {
		flags = append(flags, "trigger "+string(r.Trigger))
	}
	if len(flags) > 0 {
		text += " (" + strings.Join(flags, ", ") + ")"
	}
	return strings.TrimSpace(text)
}

// firstLine is the first line with something on it of what a record says.
func firstLine(r *store.Record) string {
	texts := []string{r.Label}
	for i := range r.Parts {
		p := &r.Parts[i]
		texts = append(texts, p.MediaType, decoded(p.Text))
		if p.K != store.PartMedia {
			texts = append(texts, string(p.Data))
		}
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				return line
			}
		}
	}
	return ""
}

// decoded is the text of a JSON string; what is none is left as it is.
func decoded(raw store.Raw) string {
	var text string
	if raw == "" || json.Unmarshal([]byte(raw), &text) != nil {
		return string(raw)
	}
	return text
}

// record prints one record, whole.
func (s *showing) record(f *store.LandedFile, l store.Landed, wanted int) int {
	exit := 0
	err := f.Each(func(row int, line []byte) error {
		if row != wanted {
			return nil
		}
		if s.Has("json") {
			exit = writeLines(s.Call, append(bytes.Clone(line), '\n'))
			return nil
		}
		var r store.Record
		if err := r.Read(line); err != nil {
			return fmt.Errorf("%s, record %d: %w", l.Path, row, err)
		}
		exit = write(s.Call, recordText(&r))
		return nil
	})
	if exit == 0 && err != nil {
		exit = s.Fail(exitFindings, "%s", oneLine(err.Error()))
	}
	return exit
}

// recordText is all of a record, for people.
func recordText(r *store.Record) string {
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-11s %s\n", name, oneLine(value))
		}
	}
	field("line", fmt.Sprintf("%d, %d bytes from byte %d, sha %s", r.Ord, r.Bytes, r.Off, r.SHA))
	for _, f := range []struct{ name, value string }{
		{"id", r.ID}, {"parent", r.Parent}, {"call", r.Call}, {"run", r.Run}, {"continues", r.Continues}, {"tool", r.Tool},
		{"child", r.Child}, {"batch", r.Batch}, {"started_by", r.StartedBy}, {"label", r.Label}, {"from", string(r.From)},
		{"time", r.Time}, {"trigger", string(r.Trigger)}, {"flags", strings.Join(r.Flags.Names(), ", ")},
	} {
		field(f.name, f.value)
	}
	if u := r.Usage; u != nil {
		field("usage", fmt.Sprintf("in %d, out %d, cache_read %d, cache_write %d", u.In, u.Out, u.CacheRead, u.CacheWrite))
	}
	for _, d := range r.Dropped {
		field("dropped", fmt.Sprintf("%s, %d bytes: %s", d.What, d.Bytes, d.Why))
	}
	for i := range r.Parts {
		b.WriteString(partText(i, &r.Parts[i]))
	}
	return b.String()
}

func partText(block int, p *store.Part) string {
	head := fmt.Sprintf("\npart %d: %s, %s, %d bytes", block, p.K, p.State, p.Bytes)
	for _, f := range []struct{ name, value string }{{"name", p.Name}, {"id", p.ID}, {"of", p.Of}, {"media type", p.MediaType}} {
		if f.value != "" {
			head += ", " + f.name + " " + oneLine(f.value)
		}
	}
	if p.Failed != nil {
		head += fmt.Sprintf(", failed %v", *p.Failed)
	}
	text := plain(head) + "\n"
	if p.Text != "" {
		text += indented(decoded(p.Text))
	}
	if p.Data != "" {
		var b bytes.Buffer
		if json.Indent(&b, []byte(p.Data), "", "  ") != nil {
			b.Reset()
			b.WriteString(string(p.Data))
		}
		text += indented(b.String())
	}
	return text
}

// indented is a text of a history below its heading.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(plain(text), "\n") + "\n") {
		b.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
	}
	return b.String()
}
